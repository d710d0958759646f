"""Tables of a report and their cells in one language: what Markdown, LaTeX and HTML write down, each its own way."""

import re
from dataclasses import dataclass

CELL = 60
# Signs that end a line, steer a terminal or turn the direction of what follows: shown, never obeyed.
_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


class Foreign(str):
    """A text of somebody else's, in one line; whoever writes it down escapes it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column; numbers stand to the right, `wide` texts may need several lines."""

    title: str
    number: bool = False
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under columns; `strong` are the rows to emphasise. The first column names the row."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the document; `summary` says in a few words what is in it."""

    key: str
    title: str
    summary: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...]


def foreign(text: str, limit: int = CELL) -> Foreign:
    """A text of somebody else's in one line, cut to a length; signs that are not seen become U+FFFD."""
    # What lies beyond the limit is not worth looking at.
    line = _UNSEEN.sub("\ufffd", _BREAKS.sub(" ", text[: limit + 1]))
    return Foreign(line if len(text) <= limit else line[:limit] + "…")
