"""What the rows of rankings without a header are: pairs, or lists with or without question ids."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from polqa_demo.errors import Problem
from polqa_demo.submissions import ranking_readings as readings
from polqa_demo.submissions import ranking_refusals as refusals
from polqa_demo.submissions.alternation import Alternation, about_alternation, find_alternation
from polqa_demo.submissions.coverage import as_floats
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.ranking_columns import Columns, below_names, holds_places, number_columns, rises_by_one
from polqa_demo.submissions.ranking_numbers import number_of
from polqa_demo.submissions.table import SAMPLE, Table
from polqa_demo.submissions.trec import is_qrels

_DIGITS = re.compile(r"[0-9]+")
_POINT = re.compile(r"[-+]?[0-9]*\.[0-9]+")
_DECIMAL = re.compile(r"[-+]?[0-9]*[.,][0-9]+")
# One passage a question: how many rows of rank 1 show that it is one.
_FEWEST_RANKS = 3
# What may part the cells of a line that holds no tab, and who says that it does.
_OTHER_SEPARATORS = (",", ";", " ")

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class HeadlessForm:
    """`long` (pairs, whose columns are named), `wide` (lists behind question ids) or `lines` (lists in the order of the
    questions), what is told of the choice, and the table in its cells. `otherwise` are the columns where ranks that the
    first rows show turn out to be none. `rival` is another reading as pairs, which `doubt` tells. `turns` says that
    numbers stand behind the passages of the lists.
    """

    form: Literal["long", "wide", "lines"]
    table: Table
    columns: Columns = field(default_factory=Columns)
    notes: tuple[Problem, ...] = ()
    otherwise: Columns | None = None
    rival: Columns | None = None
    doubt: Problem | None = None
    turns: Alternation | None = None


def headless_form(table: Table, ids: Sequence[str], passages: Collection[str] = ()) -> HeadlessForm:
    """The form of a table without a header. Cells are parted by tabs; by commas, semicolons or blanks where that makes
    pairs of them beyond doubt.

    `--form` overrides: `long`, `ranks` and `distances` for pairs, `wide` for lists behind ids, `lines` for lists in the
    order of the questions.

    :param ids: the ids of the questions in their order
    :param passages: ids of passages that are known
    :raises Refused: judgements in place of rankings
    """
    wanted, separator = _wanted(table), table.overrides.separator
    if table.form == "lines" and not separator:
        for sign in _OTHER_SEPARATORS:
            other = pairs_parted_by(table, sign, ids, passages)
            if other is not None:
                return other
    parted = table.parted(separator or "\t")
    rows = _trimmed(parted)
    if wanted == "lines":
        return HeadlessForm("lines", parted)
    found = None if wanted == "wide" else _pairs(parted, rows, ids, passages)
    return found or _of_lists(parted, rows, ids, passages)


def _wanted(table: Table) -> str | None:
    """The form that somebody names; what only parts the cells says nothing of what they hold."""
    form = table.overrides.form
    return form if form in ("long", "ranks", "distances", "wide", "lines") else None


def pairs_parted_by(
    table: Table, separator: str, ids: Sequence[str], passages: Collection[str] = ()
) -> HeadlessForm | None:
    """Pairs whose lines hold no tab; None where they may be something else."""
    sample = [cells[0] for _, cells in table.sample()]
    if not sample or any("\t" in line or separator not in line for line in sample):
        return None
    other = blank_parted(table) if separator == " " else table.parted(separator)
    rows = _trimmed(other)
    wanted = _wanted(table)
    if wanted in ("wide", "lines") or len({len(cells) for cells in rows}) != 1:
        return None
    few = 2 * len({cells[0] for cells in rows}) > len(rows)
    if wanted is None and few and not _are_scored(rows, ids):
        return None
    found = _pairs(other, rows, ids, passages)
    if found is None or (separator == "," and _may_be_decimals(rows, found.columns)):
        return None
    return found


def blank_parted(table: Table) -> Table:
    """Lines as cells parted by any number of blanks."""
    return replace(
        table,
        recognised=replace(table.recognised, form="separated", separator=" "),
        read_rows=lambda _: ((number, cells[0].split()) for number, cells in table.rows()),
    )


def _trimmed(table: Table) -> list[list[str]]:
    return [[cell.strip() for cell in cells] for _, cells in table.sample()]


def _are_scored(rows: Sequence[Row], ids: Sequence[str]) -> bool:
    """Whether a known question, an id and a decimal with a point stand in each row, as in no text."""
    return all(len(cells) == 3 and _POINT.fullmatch(cells[2]) and " " not in cells[1] for cells in rows) and _are_known(
        rows, ids
    )


def _may_be_decimals(rows: Sequence[Row], columns: Columns) -> bool:
    """Two whole numbers side by side in a file of commas may be one with a decimal comma."""
    if len(rows[0]) < 4 or rises_by_one(rows, columns.rank_at) or holds_places(rows, columns.rank_at):
        return False
    return all(_DIGITS.fullmatch(cell.lstrip("+-")) for cells in rows for cell in cells[2:])


def _are_known(rows: Sequence[Row], ids: Sequence[str]) -> bool:
    """Whether most first cells are ids of the questions."""
    known = as_floats(set(ids))
    return sum(cells[0] in known for cells in rows) > 0.5 * len(rows)


def _of_lists(parted: Table, rows: Sequence[Row], ids: Sequence[str], passages: Collection[str]) -> HeadlessForm:
    """Lists behind question ids, or in the order of the questions."""
    found = None if _wanted(parted) else _of_turns(parted, rows, ids, passages)
    if found is not None and found.turns:
        return found
    told = found.notes if found else ()
    form = _of_passages(parted, rows, ids, passages)
    return replace(form, notes=(*form.notes, *told))


def _of_turns(parted: Table, rows: Sequence[Row], ids: Sequence[str], passages: Collection[str]) -> HeadlessForm | None:
    """Lists with a number behind each passage, behind question ids or in the order of the questions."""
    choices: list[tuple[Literal["wide", "lines"], Alternation | None]] = [
        ("wide", find_alternation([cells[1:] for cells in rows], passages)),
        ("lines", None if _are_known(rows, ids) else find_alternation(rows, passages)),
    ]
    for form, found in choices:
        if found is not None:
            notes = (about_alternation(found, form),)
            return HeadlessForm(form, parted, notes=notes, turns=found if found.taken else None)
    return None


def _of_passages(parted: Table, rows: Sequence[Row], ids: Sequence[str], passages: Collection[str]) -> HeadlessForm:
    """Lists of passages alone."""
    wanted, known = _wanted(parted), _are_known(rows, ids)
    firsts = [cells[0] for cells in rows]
    doubt = wanted is None and known and (_may_be_long(rows) or _may_be_counted(rows, passages))
    # Ids of another split are told when they are read.
    if doubt or (_are_apart(rows) and (known or len(set(firsts)) == len(firsts))):
        told = readings.ambiguous_form("long") if doubt else None
        return HeadlessForm("wide", parted, rival=Columns(0, 1) if doubt else None, doubt=told)
    if not known or not any(any(cells[1:]) for cells in rows):
        return HeadlessForm("lines", parted)
    return HeadlessForm("wide", parted) if wanted == "wide" else _alike(parted, firsts, ids)


def _alike(parted: Table, firsts: Sequence[str], ids: Sequence[str]) -> HeadlessForm:
    """Ids of questions and of passages look alike: a column of questions is complete and hardly names any twice."""
    known = as_floats(set(ids))
    if sum(first in known for first in firsts) <= 0.9 * len(firsts) or len(set(firsts)) < 0.9 * len(firsts):
        return HeadlessForm("lines", parted, notes=(readings.ambiguous_form("lines"),))
    named = {first.removesuffix(".0") for first in firsts}
    in_order = [first.removesuffix(".0") for first in firsts] == [key for key in ids if key in named]
    return HeadlessForm("wide", parted, notes=() if in_order else (readings.ambiguous_form("wide"),))


def _pairs(parted: Table, rows: Sequence[Row], ids: Sequence[str], passages: Collection[str]) -> HeadlessForm | None:
    """As `_long`, also below a row of unknown names, and before a column that is one word."""
    names = rows[0] if _are_names(rows, ids) else ()
    below = rows[1:] if names else rows
    tagged = len(below) > 1 and {len(cells) for cells in below} <= {4, 5} and len({cells[-1] for cells in below}) == 1
    tag = below[0][-1] if tagged and number_of(below[0][-1]) is None else ""
    # What is written as passages are is one of them, even where it ends every list.
    if not tag[:1].isalpha() or _shape(tag) in {_shape(cells[1]) for cells in below}:
        tag = ""
    found = _long(parted, [cells[:-1] for cells in below] if tag else below, ids, passages)
    if found is None:
        return None
    told = [*([readings.about_names(names)] if names else []), *([readings.about_tag(tag)] if tag else [])]
    return replace(found, table=below_names(parted) if names else parted, notes=(*told, *found.notes))


def _are_names(rows: Sequence[Row], ids: Sequence[str]) -> bool:
    """Whether the first row holds names: no known question and no number, where numbers stand in all rows below."""
    if len(rows) < 2 or not all(rows[0]) or _are_known(rows[:1], ids):
        return False
    width = min(len(cells) for cells in rows)
    return all(number_of(cell) is None for cell in rows[0]) and any(
        all(number_of(cells[place]) is not None for cells in rows[1:]) for place in range(1, width)
    )


def _long(parted: Table, rows: Sequence[Row], ids: Sequence[str], passages: Collection[str]) -> HeadlessForm | None:
    """Pairs of a question and a passage, with numbers behind them or best first; None where they may be lists.

    :raises Refused: judgements in place of rankings
    """
    wanted = _wanted(parted)
    if wanted is not None:
        columns, notes = number_columns(rows, wanted, passages) or (Columns(), [])
        return HeadlessForm("long", parted, columns, tuple(notes))
    if not _are_known(rows, ids):
        return None
    if is_qrels(rows):
        raise refusals.qrels_as_run(parted.name)
    if _are_pairs(rows, ids):
        return HeadlessForm("long", parted, Columns(0, 1), (readings.about_pairs(certain=_are_apart(rows)),))
    return _numbered(parted, rows, passages)


def _numbered(parted: Table, rows: Sequence[Row], passages: Collection[str]) -> HeadlessForm | None:
    """Pairs with numbers behind them, told apart by what they hold; None where they may be lists."""
    once = len({cells[0] for cells in rows}) == len(rows)
    first = _first_ranks(rows) if once else None
    if first is not None:
        return HeadlessForm("long", parted, first, (readings.about_rank_column(first.rank_at, first.score_at),))
    found = number_columns(rows, None, passages)
    if found is None or (once and not _are_scored_once(rows, found[0].score_at)):
        return None
    columns, notes = found
    # What the first rows show need not hold of all.
    doubtful = len(rows) >= SAMPLE - 1 and columns.rank_at > 0 and bool(notes) and rises_by_one(rows, columns.rank_at)
    otherwise = Columns(0, 1, 2, 3 if len(rows[0]) > 3 else -1) if doubtful else None
    rival, doubt = _rival(columns, notes)
    notes = [note for note in notes if note is not doubt]
    return HeadlessForm("long", parted, columns, tuple(notes), otherwise, rival, doubt)


def _rival(columns: Columns, notes: Sequence[Problem]) -> tuple[Columns | None, Problem | None]:
    """The other reading of numbers behind a passage, and the note that tells of it."""
    doubt = next((note for note in notes if note.code == "ambiguous-form"), None)
    if doubt is None:
        return None, None
    if columns.score_at == 3:
        return Columns(0, 1, 2, 3), doubt
    return (Columns(0, 1, 3, 2) if columns.rank_at == 3 else Columns(0, 1, -1, 2)), doubt


def _are_pairs(rows: Sequence[Row], ids: Sequence[str]) -> bool:
    """Two cells in every row, and questions that come again with other passages, where no list a row is possible."""
    if not rows or any(len(cells) != 2 for cells in rows):
        return False
    distinct = {(cells[0], cells[1]) for cells in rows}
    if len({cells[0] for cells in rows}) == len(distinct):
        return False
    by_line = len(rows) == len(ids) or len(rows) == SAMPLE <= len(ids)
    return _are_apart(rows) or not by_line


def _are_scored_once(rows: Sequence[Row], score_at: int) -> bool:
    """No question comes twice, so only a score with decimals, unlike the passages, tells pairs from lists."""
    scores = [cells[score_at] for cells in rows if len(cells) > score_at]
    others = [cell for cells in rows for place, cell in enumerate(cells) if place > 1 and place != score_at]
    return (
        score_at > 1
        and any(not _DIGITS.fullmatch(cell) for cell in scores)
        and {_shape(cells[1]) for cells in rows}.isdisjoint(map(_shape, scores))
        and all(map(_DIGITS.fullmatch, others))
    )


def _first_ranks(rows: Sequence[Row]) -> Columns | None:
    """One passage a question, each of rank 1 behind it: no lists have one passage at one place everywhere."""
    width = len(rows[0])
    if len(rows) < _FEWEST_RANKS or width not in (3, 4) or any(len(cells) != width for cells in rows):
        return None
    firsts = [place for place in range(2, width) if all(cells[place] == "1" for cells in rows)]
    others = [place for place in range(2, width) if place not in firsts]
    if len(firsts) != 1 or any(number_of(cells[place]) is None for cells in rows for place in others):
        return None
    return Columns(0, 1, others[0] if others else -1, firsts[0])


def _may_be_counted(rows: Sequence[Row], passages: Collection[str]) -> bool:
    """A whole number third that is also the id of a known passage: the second of a list, or a score that happens to
    be written as one.
    """
    return all(len(cells) in (3, 4) and all(map(_DIGITS.fullmatch, cells[2:])) for cells in rows) and any(
        cells[2] in passages for cells in rows
    )


def _may_be_long(rows: Sequence[Row]) -> bool:
    """A number third, written unlike the passages, and a rank fourth; or a column of decimals, as no ids are."""
    width = min((len(cells) for cells in rows), default=0)
    if any(all(_DECIMAL.fullmatch(cells[place]) for cells in rows) for place in range(2, width)):
        return True
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
