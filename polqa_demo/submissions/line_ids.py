"""Whether the lines of a file without a header begin with question ids, and what stands between id and answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.submissions.coverage import as_floats
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.table import DELIMITERS, Table

# Signs that people put after an id although they part no columns.
_LOOSE = ("||", "|", ":", " ")
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class LineIds:
    """The separator after the ids, what is told of it, and whether a third column holds numbers about the answers."""

    separator: str
    note: Problem | None = None
    scored: bool = False

    @property
    def loose(self) -> bool:
        """The separator is none of a table, so blanks beside it belong to it."""
        return self.separator in _LOOSE


def find_ids(table: Table, known: set[str]) -> LineIds | None:
    """How the ids are parted from the answers; None for one answer a line.

    Ids speak for themselves when more than half of the lines begin with a known one, few of them twice. Some lines may
    have lost their separator with their answer, or hold a stranger; they are told when they are read.
    """
    if table.form != "lines":
        cells = [row for _, row in table.sample()]
        found = _share(cells, known) if any(len(row) > 1 for row in cells) else 0.0
        return LineIds(table.recognised.separator, scored=_is_scored(cells)) if found > 0.5 else None
    lines = [cells[0] for _, cells in table.sample()]
    shares = {sign: _share([line.split(sign) for line in lines], known) for sign in (*DELIMITERS.values(), *_LOOSE)}
    best = max(shares, key=lambda sign: shares[sign])
    if shares[best] > 0.5:
        parts = [line.split(best) for line in lines]
        scored = best == "\t" and _is_scored(parts)
        doubtful = best in _LOOSE or shares[best] <= 0.9 or scored
        return LineIds(best, _note(best, scored) if doubtful else None, scored)
    parts = [line.split("\t") for line in lines]
    if _are_strangers(parts):
        return LineIds("\t")
    return None


def _share(rows: Sequence[Sequence[str]], known: set[str]) -> float:
    """How many of the rows begin with a known id; 0 when hardly any has a second cell, or the same ids come again."""
    wide = as_floats(known)
    firsts = [(key, len(row) > 1) for row in rows if (key := id_text(row[0].strip().strip('"'))) in wide]
    parted = sum(more for _, more in firsts)
    if 2 * parted <= len(rows) or 3 * len({key for key, _ in firsts}) < len(firsts):
        return 0.0
    return len(firsts) / len(rows)


def _are_strangers(rows: Sequence[Sequence[str]]) -> bool:
    """Every line is a number, a tab and something else, no number twice: ids, if those of another split."""
    firsts = [row[0].strip() for row in rows]
    return (
        len(rows) > 1
        and all(len(row) > 1 and _DIGITS.fullmatch(first) for row, first in zip(rows, firsts, strict=True))
        and len(set(firsts)) == len(firsts)
    )


def _is_scored(rows: Sequence[Sequence[str]]) -> bool:
    """All full rows have a third and last cell, a number with decimals: a confidence, no part of the answer."""
    full = [row for row in rows if len(row) > 1]
    numbers = [finite(row[2]) for row in full if len(row) == 3]
    return len(numbers) == len(full) and None not in numbers and any(number % 1 for number in numbers if number)


def _note(separator: str, scored: bool) -> Problem:
    words = {"\t": ("tabulator", "a tab"), " ": ("spacja", "a blank")}
    shown = words.get(separator, (f"„{separator}”", repr(separator)))
    pl = f"Wiersze odczytano jako identyfikator pytania i odpowiedź, między nimi {shown[0]}"
    en = f"The lines were read as question id and answer, parted by {shown[1]}"
    pl += "; trzecią kolumnę, z liczbami, pominięto. " if scored else ". "
    en += "; the third column, of numbers, was left out. " if scored else ". "
    where = by_option("--form lines")
    message = Bilingual(
        f"{pl}Jeśli to jedna odpowiedź w wierszu, wskaż to {where.pl}.",
        f"{en}Where it is one answer a line, say so {where.en}.",
    )
    return Problem("note", "ids-recognised", message)
