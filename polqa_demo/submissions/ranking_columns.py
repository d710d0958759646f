"""Which column of a long form holds what: by its name under a header, else by its numbers."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from polqa_demo.errors import Problem
from polqa_demo.submissions import ranking_readings as readings
from polqa_demo.submissions import ranking_refusals as refusals
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.findings import Findings
from polqa_demo.submissions.id_choice import IdChoice
from polqa_demo.submissions.ranking_numbers import is_nan, is_whole, number_of
from polqa_demo.submissions.table import (
    DISTANCE_NAMES,
    GRADE_NAMES,
    LOOSE_RANK_NAMES,
    LOOSE_SCORE_NAMES,
    PASSAGE_NAMES,
    PLACE_NAMES,
    QUESTION_NAMES,
    SAMPLE,
    SCORE_NAMES,
    Table,
)

Row = Sequence[str]
# The share of questions that must agree before numbers are called ranks, as a fraction.
_MOST = (9, 10)
# No ranking that people write goes on below.
_DEEPEST = 1000
# Names that no distance bears.
_SURE = ("sim", "similarity")


@dataclass(frozen=True, slots=True)
class OtherColumn:
    """A second column of scores (of distances: `nearest`), its name, and the name of the one that counts."""

    at: int
    name: str
    nearest: bool
    counted: str


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns of a long form stand; -1 for one that is not there.

    `nearest` says that the scores are distances, the smallest first; `sure` that their name or a person says which end
    is the best; `by_text` that the questions stand there by their texts; `beside` is another column of scores,
    by which nothing is ordered.
    """

    id_at: int = 0
    passage_at: int = 1
    score_at: int = -1
    rank_at: int = -1
    nearest: bool = False
    sure: bool = False
    by_text: bool = False
    beside: OtherColumn | None = None


def header_columns(table: Table, passages: Collection[str] = ()) -> tuple[Columns, list[Problem]]:
    """The columns by their names, and what is told of the choice.

    `--form ranks` and `--form distances` say what the number is that decides.

    :param passages: ids of passages that are known
    :raises Refused: no column of questions or of passages, or two columns of one name
    """
    id_at, by_text = table.only(table.id_names), False
    if id_at is None:
        id_at, by_text = table.only(QUESTION_NAMES), True
    choice = IdChoice(PASSAGE_NAMES, passages)
    if sum(name in PASSAGE_NAMES for name in table.header) > 1:
        for _, cells in table.sample():
            choice.look_at(dict(zip(table.header, map(str.strip, cells), strict=False)))
    better = choice.better()
    passage_at = table.only(better[0].names if better else PASSAGE_NAMES)
    about_ids = [better[1]] if better else []
    if id_at is None or passage_at is None:
        raise refusals.missing_columns(table.name, table.header)
    score_at, distance_at, rank_at = _numbers(table, -1 if by_text else id_at)
    wanted = table.overrides.form
    if wanted == "ranks":
        if rank_at is None:
            score_at, distance_at, rank_at = None, None, _first_of(score_at, distance_at)
        if rank_at is None:
            raise refusals.no_rank_column(table.name, table.header)
        return Columns(id_at, passage_at, -1, rank_at, by_text=by_text), about_ids
    if wanted == "distances":
        chosen, nearest = _first_of(distance_at, score_at), True
        if chosen is None:
            raise refusals.no_rank_column(table.name, table.header)
    else:
        chosen, nearest = _first_of(score_at, distance_at), score_at is None and wanted != "long"
    nearest = nearest and chosen is not None
    # What bears the name of a distance may be an inner product or a cosine, the highest first.
    sure = wanted in ("long", "distances") or (chosen is not None and table.header[chosen] in _SURE)
    beside = _beside(table.header, chosen) if wanted is None else None
    found = Columns(id_at, passage_at, _place(chosen), _place(rank_at), nearest, sure, by_text, beside)
    return found, [*about_ids, *_about_header(table, found)]


def _beside(header: Sequence[str], chosen: int | None) -> OtherColumn | None:
    """The column of scores or distances that would count, were the chosen one not there."""
    for name in (*SCORE_NAMES, *DISTANCE_NAMES) if chosen is not None else ():
        if name in header and header.index(name) != chosen:
            return OtherColumn(header.index(name), name, name in DISTANCE_NAMES, header[chosen or 0])
    return None


def _numbers(table: Table, id_at: int) -> tuple[int | None, int | None, int | None]:
    """The columns of scores, of distances and of ranks.

    Names of many meanings are theirs where there is no other and the cells are such numbers.

    :param id_at: -1 where the questions have no ids
    """
    score_at, distance_at, rank_at = (table.only(names) for names in (SCORE_NAMES, DISTANCE_NAMES, PLACE_NAMES))
    if id_at < 0 or (score_at, distance_at, rank_at) != (None, None, None):
        return score_at, distance_at, rank_at
    rows = [cells for _, cells in table.sample()]
    score_at, rank_at = (table.column(names) for names in (LOOSE_SCORE_NAMES, LOOSE_RANK_NAMES))
    if score_at is not None and not _are_numbers(rows, score_at):
        score_at = None
    if rank_at is not None:
        pairs = [[cells[id_at], cells[rank_at]] for cells in rows if len(cells) > max(id_at, rank_at)]
        rank_at = rank_at if holds_places(pairs, 1) else None
    return score_at, None, rank_at


def _first_of(*places: int | None) -> int | None:
    return next((place for place in places if place is not None), None)


def _place(place: int | None) -> int:
    return -1 if place is None else place


def _about_header(table: Table, found: Columns) -> list[Problem]:
    """What is told of the columns that decide, and of those that might."""
    if found.score_at >= 0:
        name = table.header[found.score_at]
        return [readings.about_distances(name)] if found.nearest and table.overrides.form != "distances" else []
    if found.rank_at >= 0:
        return []
    grade_at = table.column(GRADE_NAMES)
    if grade_at is not None:
        return [readings.about_grades(table.header[grade_at])]
    known, rows = {found.id_at, found.passage_at}, [cells for _, cells in table.sample()]
    numbers = [place for place in range(len(table.header)) if place not in known and _are_numbers(rows, place)]
    return [readings.about_file_order([table.header[place] for place in numbers])]


def below_names(table: Table) -> Table:
    """The table without its first row that is not blank."""

    def rows(_findings: Findings) -> Iterator[tuple[int, list[str]]]:
        found = table.rows()
        for _, cells in found:
            if any(cell.strip() for cell in cells):
                break
        return found

    return replace(table, read_rows=rows)


def number_columns(
    rows: Sequence[Row], form: str | None, passages: Collection[str] = ()
) -> tuple[Columns, list[Problem]] | None:
    """The columns of rows without a header, the question first, by what their numbers are; None where no reading fits.

    `question, passage, number`: the number is a score, a rank where it rises by one from row to row. With four columns
    one of the two numbers may be the rank, and the rank may stand before the passage.

    :param form: `long`, `ranks` or `distances` where somebody says it
    :param passages: ids of passages that are known
    """
    widths = {len(cells) for cells in rows}
    if form == "long" or not rows or not widths <= {3, 4}:
        return None if form is None else (_SAID[form], [])
    numbers = [place for place in range(1, max(widths)) if _are_numbers(rows, place)]
    rising = [place for place in numbers if rises_by_one(rows, place)]
    if form != "distances" and 1 in numbers and _is_rank_first(rows, numbers, rising, passages, form == "ranks"):
        found = _rank_first(rows, numbers)
        return (replace(found, score_at=-1), []) if form else (found, [_about_rank(found)])
    if 2 not in numbers:
        return None if form is None else (_SAID[form], [])
    found = _rank_last(rows, [place for place in (2, 3) if place in numbers], rising)
    if form is not None:
        return _as_said(form, found, rising), []
    told = [_about_rank(found)] if found.rank_at == 2 or found.score_at < 0 else []
    if found.rank_at < 0 and holds_places(rows, 2) and not _falls_by_one(rows, 2):
        told.append(readings.ambiguous_form("score"))
    if found.rank_at == 2 and found.score_at == 3 and holds_places(rows, 3) and _falls_by_one(rows, 3):
        told.append(readings.ambiguous_form("points"))
    # Two whole numbers of which none shows that it is the rank: either may be.
    if (
        found.rank_at == 3
        and 3 not in rising
        and _are_whole(rows, 2)
        and holds_places(rows, 2) == holds_places(rows, 3)
    ):
        told.append(readings.ambiguous_form("numbers"))
    return found, told


# The columns where somebody says what the third one is.
_SAID = {
    "long": Columns(0, 1, 2, 3, sure=True),
    "ranks": Columns(0, 1, -1, 2),
    "distances": Columns(0, 1, 2, -1, nearest=True, sure=True),
}


def _as_said(form: str, found: Columns, rising: Sequence[int]) -> Columns:
    """The columns where somebody says that a number behind the passage is a rank, or that it is a distance."""
    if form == "ranks":
        return Columns(0, 1, -1, next((place for place in rising if place > 1), 2))
    score, rank = (found.rank_at, -1) if found.score_at < 0 else (found.score_at, found.rank_at)
    return Columns(0, 1, score, rank, nearest=True, sure=True)


def _about_rank(found: Columns) -> Problem:
    return readings.about_rank_column(found.rank_at, found.score_at)


def _is_rank_first(
    rows: Sequence[Row], numbers: Sequence[int], rising: Sequence[int], passages: Collection[str], said: bool
) -> bool:
    """Whether the second column holds ranks: it rises by one as no later one does.

    :param said: somebody says that there are ranks; then they are there where no later column holds numbers
    """
    if said and 2 not in numbers:
        return True
    if 1 not in rising or 2 in rising:
        return False
    passages_behind = any(place not in numbers for place in range(2, len(rows[0])))
    return passages_behind or not _are_scores(rows, 2, passages)


def _are_scores(rows: Sequence[Row], place: int, passages: Collection[str]) -> bool:
    """Whether numbers are scores, not passages: decimals, or the known passages stand in the column before."""
    before, here = (sum(cells[at] in passages for cells in rows if len(cells) > at) for at in (1, place))
    return not _are_whole(rows, place) or before > here


def _rank_first(rows: Sequence[Row], numbers: Sequence[int]) -> Columns:
    """`question, rank, passage` with or without a score before or behind the passage."""
    passage = next((place for place in range(2, len(rows[0])) if place not in numbers), 2)
    return Columns(0, passage, next((place for place in numbers if place not in (1, passage)), -1), 1)


def _rank_last(rows: Sequence[Row], last: Sequence[int], rising: Sequence[int]) -> Columns:
    """`question, passage` with one number behind them or two, of which one may be the rank."""
    if 2 in rising:
        # Two that rise alike are one rank twice.
        return Columns(0, 1, 3 if 3 in last and 3 not in rising else -1, 2)
    if 3 not in last:
        return Columns(0, 1, 2)
    if 3 not in rising and _are_whole(rows, 2):
        shuffled = holds_places(rows, 2) and not holds_places(rows, 3)
        if shuffled or not _are_whole(rows, 3):
            return Columns(0, 1, 3, 2)
    return Columns(0, 1, 2, 3)


def _are_numbers(rows: Sequence[Row], place: int) -> bool:
    cells = [cells[place] for cells in rows if len(cells) > place]
    return bool(cells) and all(number_of(cell) is not None or is_nan(cell) for cell in cells)


def _are_whole(rows: Sequence[Row], place: int) -> bool:
    return all(is_whole(cells[place]) for cells in rows if len(cells) > place)


def rises_by_one(rows: Iterable[Row], place: int) -> bool:
    """Whether a column holds ranks: whole numbers that rise by one from 1 or 0, in the order of the rows.

    They must in nine of ten of the questions with two or more rows; lists of one row prove nothing.
    """
    found: dict[str, list[float | None]] = {}
    for cells in rows:
        found.setdefault(cells[0], []).append(finite(cells[place]) if len(cells) > place else None)
    several = [numbers for numbers in found.values() if len(numbers) > 1]
    return are_most(sum(map(is_rising, several)), len(several))


def is_rising(numbers: Sequence[float | None]) -> bool:
    """Whether numbers rise by one from 1 or 0."""
    first = numbers[0]
    return first in (0, 1) and all(number == place for place, number in enumerate(numbers, int(first or 0)))


def are_most(some: int, of: int) -> bool:
    """Nine of ten of one or more."""
    return some > 0 and some * _MOST[1] >= of * _MOST[0]


def holds_places(rows: Sequence[Row], place: int) -> bool:
    """Whether a column holds 1 to n, or 0 to n - 1, in nearly each question, in any order.

    Of a long file whose questions are mixed only a part of each is seen: then the numbers of each must differ, and
    those of all of them must begin at 1 or 0 and leave few gaps.
    """
    several = _numbers_by_question(rows, place)
    whole = [[number for number in numbers if number is not None] for numbers in several]
    if len(rows) >= SAMPLE - 1 and not _come_in_a_row(rows):
        seen = {number for numbers in whole for number in numbers}
        places = all(number.is_integer() and 0 <= number <= _DEEPEST for number in seen)
        few_gaps = bool(seen) and places and min(seen) <= 1 and 2 * len(seen) >= max(seen)
        return few_gaps and are_most(sum(len(set(numbers)) == len(numbers) for numbers in whole), len(whole))
    return are_most(sum(len(numbers) > 1 and is_rising(sorted(numbers)) for numbers in whole), len(several))


def _come_in_a_row(rows: Sequence[Row]) -> bool:
    """Whether the rows of each question stand together."""
    changes = sum(one[0] != other[0] for one, other in pairwise(rows))
    return changes + 1 == len({cells[0] for cells in rows})


def _falls_by_one(rows: Sequence[Row], place: int) -> bool:
    several = _numbers_by_question(rows, place)
    return are_most(sum(is_rising(numbers[::-1]) for numbers in several), len(several))


def _numbers_by_question(rows: Sequence[Row], place: int) -> list[list[float | None]]:
    """The numbers of each question of two or more rows, but for the last: it may go on below what is looked at."""
    found: dict[str, list[float | None]] = {}
    for cells in rows:
        found.setdefault(cells[0], []).append(finite(cells[place]) if len(cells) > place else None)
    return [numbers for numbers in list(found.values())[:-1] or found.values() if len(numbers) > 1]
