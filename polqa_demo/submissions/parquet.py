"""A parquet file -> rows: text cells where every column is plain, objects where some hold lists."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from polqa_demo.data.answer_texts import number_text
from polqa_demo.errors import UserError, counted
from polqa_demo.polish import plural
from polqa_demo.submissions.containers import Source, broken
from polqa_demo.submissions.findings import Findings, Row
from polqa_demo.submissions.problems import refuse

# Rows held at a time; a row of lists may be long.
_BATCH = 256


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

    :raises Refused: broken
    """
    with _opened(source) as file:
        number = 0
        try:
            for batch in file.iter_batches(batch_size=_BATCH, columns=list(columns), use_threads=False):
                places = [batch.schema.get_field_index(name) for name in columns]
                for row in range(batch.num_rows):
                    number += 1
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
            texts = [field.name for field in file.schema_arrow if str(field.type) in ("string", "large_string")]
            stream.seek(0)
            file = pyarrow.parquet.ParquetFile(stream, pre_buffer=False, read_dictionary=texts)
        except Exception as error:  # as above
            raise broken(source.name, "parquet", error) from error
        yield file
