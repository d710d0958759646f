"""Runs as TREC writes them: `question Q0 passage rank score tag`, parted by blanks or tabs, and the same as CSV.

Of the second column nothing is wanted, as in trec_eval; the tag may be several words, the same on every line.
Source: https://github.com/usnistgov/trec_eval (form of results).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polqa_demo.errors import Problem
from polqa_demo.submissions import ranking_readings as readings
from polqa_demo.submissions import ranking_refusals as refusals
from polqa_demo.submissions.findings import Row
from polqa_demo.submissions.ranking_columns import Columns, below_names
from polqa_demo.submissions.ranking_numbers import is_nan, is_whole, number_of
from polqa_demo.submissions.table import Table

TREC_COLUMNS = 6
# What stands in the second column of nearly all runs and judgements.
_USUAL = ("Q0", "q0", "0")
# What parts the columns where the run was written as CSV.
_SEPARATORS = (",", ";")
# No judgement is graded higher.
_HIGHEST_GRADE = 10


@dataclass(frozen=True, slots=True)
class TrecRun:
    """How the lines of a run are parted: at tabs, which passage ids with blanks survive, or at any blanks; or at
    another sign (`separator`), as CSV is.

    `width` is 5 where the tag is missing; `tag` holds the words of a tag of several, `names` those of a first line that
    is a header.
    """

    tabs: bool = False
    width: int = TREC_COLUMNS
    tag: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    separator: str = ""

    @staticmethod
    def columns(form: str | None) -> Columns:
        """Where what stands; the scores are distances, or do not count, where somebody says so."""
        nearest = form == "distances"
        return Columns(0, 2, -1 if form == "ranks" else 4, 3, nearest, sure=nearest)

    @property
    def problems(self) -> list[Problem]:
        """What is told of the form."""
        told = [readings.about_names(self.names)] if self.names else []
        return [*told, readings.about_five_columns()] if self.width < TREC_COLUMNS else told

    def cells(self, line: str) -> list[str]:
        """The columns of a line."""
        return [cell.strip() for cell in line.split("\t")] if self.tabs else line.split()

    def rows(self, table: Table) -> Iterator[Row]:
        """The rows of a table of lines.

        :raises Refused: a line of another number of columns, or with another tag of several words
        """
        if self.separator:
            table = table.parted(self.separator)
        split = self.cells if self.tabs else str.split
        typed = table.form != "lines"
        for number, cells in (below_names(table) if self.names else table).rows():
            parts = [cell.strip() for cell in cells] if typed else split(cells[0])
            if len(parts) != self.width or self.tag:
                if not any(parts):
                    continue
                if len(parts) < self.width:
                    raise refusals.ragged(table.name, number, len(parts))
                if tuple(parts[TREC_COLUMNS - 1 :]) != self.tag:
                    raise refusals.blank_in_ids(table.name, number, parts, TREC_COLUMNS)
            yield number, parts


def recognise_trec(table: Table) -> TrecRun | None:
    """The way of a run's lines; None where the lines are none, unless somebody says so.

    :raises Refused: a run whose passage ids hold blanks, or without its rank or score; judgements in place of a run
    """
    wanted = table.overrides.form
    if table.read_rows is None or wanted not in (None, "trec", "ranks", "distances"):
        return None
    if table.form != "lines":
        return _run_of_cells(table)
    sample = table.sample()
    lines = [cells[0] for _, cells in sample]
    found = _below_names(lines, trec_run, TrecRun.cells)
    found = found or separated_run(table)
    if found is not None or wanted is not None:
        return found or (TrecRun(separator=table.overrides.separator or "") if wanted == "trec" else None)
    if sample:
        _refuse_relatives(table.name, sample)
    return None


def _run_of_cells(table: Table) -> TrecRun | None:
    """The way of rows that were parted already: a sheet's, or those of a separator that somebody named."""
    rows = [[cell.strip() for cell in cells] for _, cells in table.sample()]
    return _below_names(rows, lambda rows: run_of_rows(rows, TrecRun()), lambda _, cells: cells)


def separated_run(table: Table) -> TrecRun | None:
    """The way of lines whose columns a comma or a semicolon parts, or the sign that somebody named."""
    for sign in [table.overrides.separator] if table.overrides.separator else _SEPARATORS:
        parted = table.parted(sign)
        rows = [[cell.strip() for cell in cells] for _, cells in parted.sample()]
        found = _below_names(rows, lambda rows: run_of_rows(rows, TrecRun()), lambda _, cells: cells)
        if found is not None:
            return replace(found, separator=sign)
    return None


def _below_names(
    lines: Sequence[Any],
    run_of: Callable[[Sequence[Any]], TrecRun | None],
    cells: Callable[[TrecRun, Any], Sequence[str]],
) -> TrecRun | None:
    """The way of lines, also where the first one is a header."""
    found = run_of(lines)
    if found is None and len(lines) > 2 and (below := run_of(lines[1:])):
        names = tuple(cells(below, lines[0]))
        found = None if any(map(number_of, names)) else replace(below, names=names)
    return found


def trec_run(lines: Sequence[str]) -> TrecRun | None:
    """The way of lines that are a run for certain; None for others."""
    words = [line.split() for line in lines]
    if words and all(len(cells) == TREC_COLUMNS and cells[1].upper() == "Q0" for cells in words):
        return TrecRun()
    ways = (TrecRun(tabs) for tabs in (True, False))
    found = (run_of_rows([way.cells(line) for line in lines], way) for way in ways)
    return next((run for run in found if run is not None), None)


def run_of_rows(rows: Sequence[Sequence[str]], way: TrecRun) -> TrecRun | None:
    """The way of rows that are a run for certain; None for others.

    :param way: how they were parted
    """
    if not rows or not all(len(cells) >= TREC_COLUMNS - 1 and _numbered(cells) for cells in rows):
        return None
    widths = {len(cells) for cells in rows}
    tags = {tuple(cells[TREC_COLUMNS - 1 :]) for cells in rows}
    if widths == {TREC_COLUMNS - 1} and _is_constant(rows, 1):
        return replace(way, width=TREC_COLUMNS - 1)
    if min(widths) < TREC_COLUMNS or (max(widths) > TREC_COLUMNS and len(tags) > 1):
        return None
    # Whatever stands second, one word at the end of every line is no passage of a list.
    named = len(rows) > 1 and len(tags) == 1 and rows[0][-1][:1].isalpha()
    if not named and not _is_constant(rows, 1):
        return None
    return replace(way, tag=next(iter(tags))) if max(widths) > TREC_COLUMNS else way


def is_nearly_trec(lines: Sequence[str]) -> bool:
    """Whether lines have what mostly stands second in runs and judgements, and columns behind it."""
    words = [line.split() for line in lines]
    # Parted by tabs, `0` may well be a passage.
    usual = ("Q0", "q0") if any("\t" in line for line in lines) else _USUAL
    return bool(words) and all(len(cells) > 3 and cells[1] in usual for cells in words)


def is_qrels(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are judgements: question, a constant, passage, and a small whole number as grade."""
    if not rows or not all(len(cells) == 4 and is_whole(cells[3]) for cells in rows):
        return False
    graded = all(float(cells[3]) <= _HIGHEST_GRADE for cells in rows) and _is_constant(rows, 1, unlike=2)
    return graded and (rows[0][1] in _USUAL or not all(number_of(cells[2]) for cells in rows))


def _is_constant(rows: Sequence[Sequence[str]], place: int, unlike: int = 0) -> bool:
    """One word in a column, where it is no passage of a list: the usual one, or with questions that come again, or
    (a usual one) written unlike all of another column.
    """
    words = {cells[place] for cells in rows}
    if len(words) > 1 and not words <= set(_USUAL):
        return False
    if words <= {"Q0", "q0"} or len({cells[0] for cells in rows}) < len(rows):
        return True
    return bool(unlike) and words <= set(_USUAL) and all(number_of(cells[unlike]) is None for cells in rows)


def _numbered(cells: Sequence[str]) -> bool:
    return is_whole(cells[3]) and (number_of(cells[4]) is not None or is_nan(cells[4]))


def _refuse_relatives(name: str, sample: Sequence[Row]) -> None:
    """Refuses what only looks like a run, by what is wrong with it."""
    lines = [cells[0] for _, cells in sample]
    rows = [line.split() for line in lines]
    if is_qrels(rows):
        raise refusals.qrels_as_run(name)
    if not is_nearly_trec(lines):
        return
    for (line, _), cells in zip(sample, rows, strict=True):
        if len(cells) > TREC_COLUMNS and is_whole(cells[-3]) and number_of(cells[-2]) is not None:
            raise refusals.blank_in_ids(name, line, cells, TREC_COLUMNS)
    raise refusals.not_whole_trec(name, lines[0], rows[0])
