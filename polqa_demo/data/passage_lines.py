"""The lines of a corpus -> passages: JSONL of objects with `id`, `text` and perhaps `title`, plain or gzip.

These may bear other names that are in the table of names (`_id`, `docid`, `docno`, `contents`). Other forms are refused
by what they are.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, cast

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.errors import UserError
from polqa_demo.records import Passage

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_WHOLE_NUMBER = re.compile(r"(-?\d+)(?:\.0+)?")


class _Number(str):
    """A JSON number as it was written: digits of any length, no rounding, no overflow."""

    __slots__ = ()


_LINE_DECODER = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=_Number)


def numbered_passages(paths: Sequence[Path]) -> Iterator[tuple[Path, int, Passage]]:
    """`(file, line number, passage)` of JSONL files that are one corpus; blank lines are passed over.

    :raises UserError: a file is missing or unreadable, a line is no passage, or nothing is there
    """
    empty = True
    for path in paths:
        for number, raw in _raw_lines(path):
            passage = _parse(path, number, raw)
            if passage is not None:
                empty = False
                yield path, number, passage
    if empty:
        raise empty_corpus(", ".join(path.name for path in paths))


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines as bytes; only a line feed ends a line, since JSON text may hold other separators."""
    try:
        with path.open("rb") as plain:
            zipped = plain.read(2) == _GZIP_MAGIC
            plain.seek(0)
            with gzip.GzipFile(fileobj=plain) if zipped else plain as stream:
                for number, raw in enumerate(cast(BinaryIO, stream), start=1):
                    yield number, raw.removeprefix(_BOM) if number == 1 else raw
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable_corpus(path, error) from error


def _parse(path: Path, number: int, raw: bytes) -> Passage | None:
    try:
        line = raw.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise _bad_line(path, number, "not-utf8", "nie jest w UTF-8", "is not UTF-8") from error
    if not line:
        return None
    record = _record(path, number, line)
    id_name, title_name, text_name = _field_names(tuple(record))
    passage_id = _id(record.get(id_name))
    if passage_id is None:
        raise _bad_line(
            path,
            number,
            "bad-id",
            f"nie ma pola „id” z tekstem lub liczbą całkowitą (są: {_listed(record)})",
            f"has no `id` of text or whole number (found: {_listed(record)})",
        )
    title, text = record.get(title_name), record.get(text_name)
    if not (title is None or isinstance(title, str)):
        raise _bad_line(path, number, "bad-title", "ma pole „title”, które nie jest tekstem", "has a non-text `title`")
    if not isinstance(text, str) or isinstance(text, _Number):
        found = _listed(record)
        raise _bad_line(
            path,
            number,
            "bad-text",
            f"nie ma pola „text” z tekstem (są: {found})",
            f"has no `text` field holding text (found: {found})",
        )
    return Passage(passage_id, _writable(title or ""), _writable(text))


def _record(path: Path, number: int, line: str) -> dict[str, object]:
    """The object of a line.

    :raises UserError: it is none; of the first line it is told what it is instead
    """
    try:
        record = _LINE_DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        if number == 1 and "\t" in line and line[0] not in "[{":
            raise _bad_line(path, number, "tab-parted", *_TAB_PARTED) from error
        if number == 1 and line.startswith("[") and not line.endswith("]"):
            raise _bad_line(path, number, "array", *_ARRAY) from error
        raise _bad_line(path, number, "not-json", "nie jest poprawnym JSON-em", "is not JSON") from error
    if number == 1 and isinstance(record, list):
        raise _bad_line(path, number, "array", *_ARRAY)
    if not isinstance(record, dict):
        raise _bad_line(path, number, "not-object", "nie jest obiektem JSON", "is not a JSON object")
    return record


@lru_cache(maxsize=256)
def _field_names(fields: tuple[str, ...]) -> tuple[str, str, str]:
    """Under which of its fields a record has id, title and text; the usual name where it has none of them."""
    plain = {plain_name(name): name for name in reversed(fields)}

    def field(column: str, usual: str) -> str:
        return next((plain[name] for name in names_of(column) if name in plain), usual)

    return field("corpus_passage_id", "id"), field("title", "title"), field("passage", "text")


_ARRAY = (
    "zaczyna tablicę JSON, a korpus ma jeden obiekt w wierszu (zamieni ją: jq -c '.[]')",
    "begins a JSON array, but a corpus has an object a line (jq -c '.[]' makes it one)",
)
_TAB_PARTED = (
    "to kolumny rozdzielone tabulatorem (jak psgs_w100.tsv i collection.tsv), a korpus ma obiekt JSON w wierszu; "
    "zamień je na pola id, title i text",
    "is columns parted by tabs (as in psgs_w100.tsv and collection.tsv), but a corpus has a JSON object a line; turn "
    "them into the fields id, title and text",
)


def _listed(record: dict[str, object]) -> str:
    """The fields that were found."""
    return ", ".join(record)[:200] or "–"


def _id(value: object) -> str | None:
    """An id as text; `7` and `7.0` are one id; no number that is not whole (1.5, 1e400, NaN) is an id."""
    if isinstance(value, _Number):
        whole = _WHOLE_NUMBER.fullmatch(value)
        return whole[1] if whole else None
    return _writable(value).strip() or None if isinstance(value, str) else None


def _writable(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and UTF-8 cannot."""
    return str(text) if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def _bad_line(path: Path, number: int, code: str, pl: str, en: str) -> UserError:
    form = '{"id": "12-0", "title": "...", "text": "..."}'
    return UserError(
        f"passages-{code}",
        f"{path.name}, wiersz {number}: wiersz {pl}. Każdy wiersz korpusu to obiekt JSON w UTF-8: {form}.",
        f"{path.name}, line {number}: the line {en}. Each line of a corpus is a JSON object in UTF-8: {form}.",
    )


def unreadable_corpus(path: Path, error: Exception) -> UserError:
    """Said of a file that is not there or cannot be read to its end."""
    if isinstance(error, FileNotFoundError):
        return UserError(
            "corpus-missing",
            f"Nie ma pliku korpusu {path}. Sprawdź ścieżkę.",
            f"There is no corpus file {path}. Check the path.",
        )
    reason = getattr(error, "strerror", None) or str(error)
    return UserError(
        "corpus-unreadable",
        f"Nie można odczytać pliku korpusu {path}: {reason}. Sprawdź, czy to cały plik JSONL (może być gzip).",
        f"The corpus file {path} cannot be read: {reason}. Check that it is a whole JSONL file (gzip is fine).",
    )


def empty_corpus(names: str) -> UserError:
    """Said of files without a passage."""
    where = f" ({names})" if names else ""
    return UserError(
        "corpus-empty",
        f"Korpus jest pusty{where}: nie ma w nim żadnego fragmentu. Podaj plik JSONL z polami id, title i text.",
        f"The corpus is empty{where}: it holds no passage. Give a JSONL file with the fields id, title and text.",
    )
