"""Lines above a table that are no rows of it: Excel's `sep=;`, comments, a title."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.submissions.encodings import TextFile
from polqa_demo.submissions.problems import PLACES
from polqa_demo.submissions.table import DELIMITERS, is_header

# How many lines may stand above a header, and how long each may be.
_MOST = 10
_LONGEST = 10_000
_SEP = re.compile(r'[\ufeff\s]*+"?sep=([^\w\s"]|\t)"?[;,]*[ \r\n]*', re.IGNORECASE)
_ROLES = ("question_id", "question", "golds", "prediction", "answer", "passage_id", "passages", "score")


@dataclass(frozen=True, slots=True)
class Preamble:
    """How many lines stand above the table, the separator that one of them names, and what is told of them."""

    lines: int = 0
    separator: str = ""
    problems: tuple[Problem, ...] = ()


def find_preamble(text: TextFile, wanted_header: bool | None = None) -> Preamble:
    """The lines above a table.

    A comment or a title is believed to be one only above a header of two known columns; `sep=` stands by itself.

    :param wanted_header: False where somebody says that there is none
    """
    first = _first(text)
    sep = _SEP.fullmatch(first[0]) if first else None
    start, separator = (1, sep[1]) if sep else (0, "")
    problems = [_about_sep(separator)] if sep else []
    choices = [separator] if separator else DELIMITERS.values()
    skipped = next(
        (found for sign in choices if (found := rows_above([_cells(line, sign) for line in first[start:]]))), 0
    )
    skipped = 0 if wanted_header is False else skipped
    if skipped:
        problems.append(about_lines(range(start + 1, start + skipped + 1), first[start]))
    return Preamble(start + skipped, separator, tuple(problems))


def has_two_columns(names: Sequence[str]) -> bool:
    """Whether a row names at least two columns that mean something; one known word may be an answer."""
    return sum(any(name in names for name in names_of(role)) for role in _ROLES) > 1


def _first(text: TextFile) -> list[str]:
    """The first lines, as far as none is too long for a title."""
    found: list[str] = []
    with text.open() as lines:
        while len(found) < _MOST + 2 and (line := lines.readline(_LONGEST)):
            if len(line) == _LONGEST:
                break
            found.append(line)
    return found


def rows_above(rows: Sequence[Sequence[str]]) -> int:
    """How many comments, titles and blank rows stand above a header of two known columns; 0 where there is none."""
    for place, cells in enumerate(rows[: _MOST + 1]):
        names = [plain_name(cell) for cell in cells]
        if len(cells) > 1 and is_header(names):
            filled = any(cell.strip() for row in rows[:place] for cell in row)
            return place if filled and has_two_columns(names) else 0
        if sum(bool(cell.strip()) for cell in cells) > 1 and not cells[0].lstrip("\ufeff \t").startswith("#"):
            return 0
    return 0


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r\n")], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)


def _about_sep(separator: str) -> Problem:
    shown = {"\t": ("tabulator", "a tab")}.get(separator, (f"„{separator}”", repr(separator)))
    message = Bilingual(
        f"Pierwszy wiersz, „sep=”, podaje separator ({shown[0]}); odczytano go tak jak Excel, nie jako odpowiedź.",
        f"The first line, sep=, names the separator ({shown[1]}); it was read as Excel does, not as an answer.",
    )
    return Problem("note", "separator-line", message, 1, (1,))


def about_lines(numbers: range, first: str) -> Problem:
    """A note for lines that are no rows of the table below them."""
    where = by_option("--no-header")
    message = Bilingual(
        f"Wiersze nad nagłówkiem, pominięto: {len(numbers)} (pierwszy: „{first.strip()[:40]}”). Jeśli to dane, wskaż, "
        f"że nagłówka nie ma {where.pl}.",
        f"Lines above the header, left out: {len(numbers)} (the first: {first.strip()[:40]!r}). Where they are data, "
        f"say that there is no header {where.en}.",
    )
    return Problem("note", "lines-above-header", message, len(numbers), tuple(numbers)[:PLACES])
