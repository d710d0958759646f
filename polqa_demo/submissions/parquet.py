"""A parquet file -> rows: text cells where every column is plain, objects where some hold lists."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from polqa_demo.data.answer_texts import number_text
from polqa_demo.errors import UserError, counted
from polqa_demo.polish.words import plural
from polqa_demo.submissions.containers import MEGABYTE, Source, broken, too_large
from polqa_demo.submissions.findings import Findings, Row
from polqa_demo.submissions.problems import refuse

# Rows held at a time; a row of lists may be long.
_BATCH = 256
# A row may have as many bytes for a character of the longest line of a text file.
_ROW_BYTES = 4
_NUMBER_BYTES = 8


def parquet_columns(source: Source) -> tuple[tuple[str, ...], bool]:
    """The names of the columns, and whether some of them hold lists or structures.

    :raises Refused: not a whole parquet file, or beyond a limit
    """
    with _opened(source) as file:
        schema = file.schema_arrow
        limits = source.limits
        rows, columns = file.metadata.num_rows, len(schema.names)
        if rows > limits.max_rows or columns > limits.max_columns:
            raise refuse(
                "too-many-rows",
                f"Plik {source.name} ma {plural(rows, 'wiersz', 'wiersze', 'wierszy')} i "
                f"{plural(columns, 'kolumnę', 'kolumny', 'kolumn')}; limity to {limits.max_rows} (POLQA_MAX_ROWS) i "
                f"{limits.max_columns} (POLQA_MAX_COLUMNS).",
                f"The file {source.name} has {counted(rows, 'row', 'rows')} and "
                f"{counted(columns, 'column', 'columns')}; the limits are {limits.max_rows} (POLQA_MAX_ROWS) and "
                f"{limits.max_columns} (POLQA_MAX_COLUMNS).",
            )
        return tuple(schema.names), any(field.type.num_fields for field in schema)


def parquet_rows(source: Source, columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    """`(row number, values)` of the named columns, the others left unread.

    :raises Refused: broken, or more in a row or in all of them than the limits
    """
    with _opened(source) as file:
        number = total = 0
        _refuse_long_lists(source, file, set(columns))
        try:
            for batch in file.iter_batches(batch_size=_BATCH, columns=list(columns), use_threads=False):
                places = [batch.schema.get_field_index(name) for name in columns]
                weight = _weight(batch)
                total += weight
                if total > source.limits.max_unpacked_mb * MEGABYTE:
                    raise too_large(source.name, source.limits.max_unpacked_mb, "max_unpacked_mb")
                heavy = weight > source.limits.max_line_chars
                for row in range(batch.num_rows):
                    number += 1
                    if heavy and _weight(batch.slice(row, 1)) > _ROW_BYTES * source.limits.max_line_chars:
                        raise _too_long(source, number)
                    yield number, [batch.column(place)[row].as_py() for place in places]
        except UserError:
            raise
        except Exception as error:  # pyarrow's errors on broken files have no common base
            raise broken(source.name, "parquet", error) from error


def parquet_cells(rows: Iterable[tuple[int, Sequence[Any]]], findings: Findings) -> Iterator[Row]:
    """Rows of plain values as rows of texts; truth values are taken down."""
    for number, values in rows:
        yield (
            number,
            [
                findings.add_truth(place, number, value) if isinstance(value, bool) else _text(value)
                for place, value in enumerate(values)
            ],
        )


def _refuse_long_lists(source: Source, file: Any, columns: set[str]) -> None:
    """Lists of numbers take hardly a byte in the file; how many members they have is told by its end.

    :raises Refused: more than there may be rows
    """
    limit = source.limits.max_rows
    members = 0
    for group in range(file.metadata.num_row_groups):
        for place in range(file.metadata.num_columns):
            leaf = file.metadata.schema.column(place)
            if leaf.max_repetition_level and leaf.path.split(".")[0] in columns:
                members += file.metadata.row_group(group).column(place).num_values
    if members > limit:
        raise refuse(
            "too-many-rows",
            f"Plik {source.name}: w listach jest {plural(members, 'element', 'elementy', 'elementów')}; limit to "
            f"{limit} (POLQA_MAX_ROWS).",
            f"The file {source.name}: its lists have {counted(members, 'member', 'members')}; the limit is {limit} "
            "(POLQA_MAX_ROWS).",
        )


def _too_long(source: Source, number: int) -> UserError:
    limit = source.limits.max_line_chars
    return refuse(
        "too-long",
        f"Plik {source.name}, wiersz {number}: ma ponad {limit} znaków. Zostaw tylko potrzebne kolumny albo podnieś "
        "POLQA_MAX_LINE_CHARS.",
        f"The file {source.name}, row {number}: more than {limit} characters. Keep only the columns that are needed, "
        "or raise POLQA_MAX_LINE_CHARS.",
        lines=[number],
    )


def _weight(values: Any) -> int:
    """Bytes of some values written out one by one, from their lengths alone: a text may stand there once for all."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(values, pa.RecordBatch):
        return sum(map(_weight, values.columns))
    kind = values.type
    if pa.types.is_struct(kind):
        return sum(map(_weight, values.flatten()))
    numbers = _NUMBER_BYTES * len(values)
    if kind.num_fields and not pa.types.is_dictionary(kind):
        return _weight(values.flatten()) + numbers
    if pa.types.is_dictionary(kind) and _is_text(kind.value_type):
        return int(pc.sum(pc.binary_length(values.dictionary).take(values.indices)).as_py() or 0)
    return int(pc.sum(pc.binary_length(values)).as_py() or 0) if _is_text(kind) else numbers


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    checks = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return any(check(kind) for check in checks)


def _text(value: Any) -> str:
    """A plain value as the text of a cell; whole numbers without a decimal point."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float | Decimal) and not math.isnan(value):
        return number_text(value)
    return str(value)


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    import pyarrow.parquet

    with source.open() as stream:
        try:
            # Texts that stand many times over are kept once, however often a row points to them.
            file = pyarrow.parquet.ParquetFile(stream, pre_buffer=False)
            schema = file.metadata.schema
            leaves = [schema.column(place) for place in range(len(schema))]
            texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
            stream.seek(0)
            file = pyarrow.parquet.ParquetFile(stream, pre_buffer=False, read_dictionary=texts)
        except Exception as error:  # as above
            raise broken(source.name, "parquet", error) from error
        yield file
