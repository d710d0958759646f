"""What the rows of rankings without a header are: a TREC run, pairs, or lists with or without question ids."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.submissions.coverage import as_floats
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.table import Table

TREC_COLUMNS = 6
_DIGITS = re.compile(r"[0-9]+")

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class HeadlessForm:
    """`long`, `wide` (lists behind question ids) or `lines` (lists in the order of the questions), and what is told."""

    form: Literal["long", "wide", "lines"]
    notes: tuple[Problem, ...] = ()


def is_trec(table: Table) -> bool:
    """Six columns of a TREC run, or somebody says so."""
    wanted = table.overrides.form
    if wanted is not None or table.form != "lines":
        return wanted == "trec"
    rows = [cells[0].split() for _, cells in table.sample()]
    return bool(rows) and all(len(parts) == TREC_COLUMNS and parts[1].upper() == "Q0" for parts in rows)


def headless_form(parted: Table, ids: Sequence[str]) -> HeadlessForm:
    """The form by the first rows of a table in cells. Where two readings are possible, the choice is told.

    `--form` overrides: `long`, `wide` for lists behind ids, `lines` for lists in the order of the questions.

    :param ids: the ids of the questions in their order
    """
    wanted = parted.overrides.form
    rows = [[cell.strip() for cell in cells] for _, cells in parted.sample()]
    if wanted in ("long", "lines"):
        return HeadlessForm("long" if wanted == "long" else "lines")
    wide = as_floats(set(ids))
    firsts = [cells[0] for cells in rows]
    mostly_known = sum(first in wide for first in firsts) > 0.5 * len(firsts)
    if wanted is None and mostly_known and _is_long(rows):
        return HeadlessForm("long")
    if wanted is None and mostly_known and _may_be_long(rows):
        return HeadlessForm("wide", _notes("long"))
    # Ids of another split are told when they are read.
    if _are_apart(rows) and (mostly_known or len(set(firsts)) == len(firsts)):
        return HeadlessForm("wide")
    if not mostly_known or not any(any(cells[1:]) for cells in rows):
        return HeadlessForm("lines")
    return _alike(firsts, ids, wanted)


def _alike(firsts: Sequence[str], ids: Sequence[str], wanted: str | None) -> HeadlessForm:
    """Ids of questions and of passages look alike: a column of questions is complete and hardly names any twice."""
    if wanted == "wide":
        return HeadlessForm("wide")
    known = as_floats(set(ids))
    if sum(first in known for first in firsts) <= 0.9 * len(firsts) or len(set(firsts)) < 0.9 * len(firsts):
        return HeadlessForm("lines", _notes("lines"))
    named = {first.removesuffix(".0") for first in firsts}
    in_order = [first.removesuffix(".0") for first in firsts] == [key for key in ids if key in named]
    return HeadlessForm("wide", () if in_order else _notes("wide"))


def _is_long(rows: Sequence[Row]) -> bool:
    """Three or four columns with a number third and a rank fourth.

    Where no question comes twice, only a score with decimals, unlike the passages, tells pairs from lists.
    """
    if not all(len(cells) in (3, 4) and finite(cells[2]) is not None for cells in rows):
        return False
    if len({cells[0] for cells in rows}) < len(rows):
        return True
    return _may_be_long(rows) and any(not _DIGITS.fullmatch(cells[2]) for cells in rows)


def _may_be_long(rows: Sequence[Row]) -> bool:
    """A number third, written unlike the passages, and a rank fourth."""
    if {_shape(cells[1]) for cells in rows if len(cells) > 2} & {_shape(cells[2]) for cells in rows if len(cells) > 2}:
        return False
    return all(
        len(cells) in (3, 4) and finite(cells[2]) is not None and all(map(_DIGITS.fullmatch, cells[3:]))
        for cells in rows
    )


def _are_apart(rows: Sequence[Row]) -> bool:
    """The first cells are written unlike all others, so they are ids of something else."""
    others = {_shape(cell) for cells in rows for cell in cells[1:] if cell}
    return bool(others) and not {_shape(cells[0]) for cells in rows} & others


def _shape(cell: str) -> str:
    return _DIGITS.sub("9", cell)


_SAID = {
    "wide": Bilingual(
        "Pierwszą kolumnę odczytano jako identyfikatory pytań, dalsze jako fragmenty. Jeśli i ona jest fragmentem, "
        "a wiersze idą w kolejności pytań, wybierz --form lines.",
        "The first column was read as question ids, the others as passages. Where it is a passage as well, and the "
        "rows are in the order of the questions, say --form lines.",
    ),
    "lines": Bilingual(
        "Wszystkie kolumny odczytano jako fragmenty, a wiersze w kolejności pytań, choć pierwsza kolumna wygląda na "
        "identyfikatory pytań. Jeśli nimi jest, wybierz --form wide.",
        "All columns were read as passages, the rows in the order of the questions, although the first column looks "
        "like question ids. Where it is, say --form wide.",
    ),
    "long": Bilingual(
        "Wszystkie kolumny po identyfikatorze pytania odczytano jako fragmenty, choć trzecia może być wynikiem. Jeśli "
        "nim jest, wybierz --form long.",
        "All columns behind the question id were read as passages, although the third may be a score. Where it is, "
        "say --form long.",
    ),
}


def _notes(reading: str) -> tuple[Problem, ...]:
    return (Problem("warning", "ambiguous-form", _SAID[reading]),)
