"""Lists with a number behind each passage: `passage score passage score`, in the cells of a row or in one JSON list.

Nothing but the numbers says so: decimals, or numbers that fall (or count up) list after list while the passages do not.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.submissions.ranking_columns import are_most, is_rising
from polqa_demo.submissions.ranking_numbers import is_nan, number_of

# Where passages are numbers themselves: so often the others fall by no chance, and so often they may.
_SURE_FALLS, _DOUBTFUL_FALLS = 10, 5

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class Alternation:
    """What the numbers behind the passages are.

    `certain` says that they can be no passages; `taken` that they are read as numbers.
    """

    numbers: Literal["score", "rank", "distance"]
    certain: bool = True
    taken: bool = True


def find_alternation(rows: Sequence[Row], passages: Collection[str] = ()) -> Alternation | None:
    """What stands behind each passage of some lists (without their question ids); None where all are passages.

    :param passages: ids of passages that are known
    """
    lists = [cells for row in rows if (cells := _trimmed(row))]
    even = [cells for cells in lists if len(cells) % 2 == 0]
    firsts, numbers = [cells[::2] for cells in even], [cells[1::2] for cells in even]
    if not are_most(len(even), len(lists)) or not all(_is_number(cell) for cells in numbers for cell in cells):
        return None
    before, behind = (sum(cell in passages for cells in side for cell in cells) for side in (firsts, numbers))
    if behind > before:
        return None
    if _are_decimals(numbers) and not any(map(_has_point, (cell for cells in firsts for cell in cells))):
        return Alternation("score")
    return _of_order(firsts, numbers, known=before > 0)


def _of_order(firsts: Sequence[Row], numbers: Sequence[Row], *, known: bool) -> Alternation | None:
    """What numbers are by their order in the lists, where they are whole.

    :param known: some of the passages are known ones
    """
    several = [place for place, cells in enumerate(numbers) if len(cells) > 1]
    values, others = ([_values(side[place]) for place in several] for side in (numbers, firsts))
    words = not any(_is_number(cell) for cells in firsts for cell in cells)
    if _all_are(is_rising, values) and (words or not _all_are(is_rising, others)):
        return Alternation("rank")
    if words:
        return Alternation("score") if several else None
    falls = sum(one > two for row in values for one, two in pairwise(row))
    if falls < _DOUBTFUL_FALLS or not _all_are(_falls, values) or _all_are(_falls, others):
        return None
    return Alternation("score", certain=False, taken=falls >= _SURE_FALLS or known)


def _all_are(trait: Callable[[list[float]], bool], rows: Sequence[list[float]]) -> bool:
    """Nine of ten rows are so, and at least one."""
    return are_most(sum(map(trait, rows)), len(rows))


def passages_and_numbers(row: Row) -> tuple[list[str], list[str]]:
    """The passages of a row, and the numbers behind them."""
    cells = _trimmed(row)
    return cells[::2], cells[1::2]


def parted_members(items: Sequence[Any]) -> tuple[list[Any], list[Any]] | None:
    """The passages of one list and the decimals behind them; None for a list of passages alone."""
    if len(items) < 2 or len(items) % 2 or not _has_point(items[1]) or _has_point(items[0]):
        return None
    firsts, numbers = [*items[::2]], [*items[1::2]]
    if any(map(_has_point, firsts)) or not all(map(_is_number, numbers)) or not _are_decimals([numbers]):
        return None
    return firsts, numbers


def about_alternation(found: Alternation, form: str) -> Problem:
    """What is told of numbers between passages.

    :param form: `wide` or `lines`, which reads all cells as passages
    """
    how = by_option(f"--form {form}")
    if not found.taken:
        message = Bilingual(
            "Wszystkie komórki list odczytano jako fragmenty, choć co druga to coraz mniejsza liczba, więc może być "
            "wynikiem fragmentu przed nią. Jeśli nim jest, zapisz po jednej parze w wierszu: pytanie, fragment, wynik.",
            "All cells of the lists were read as passages, although every second one falls from passage to passage, so "
            "it may be a score. Where it is, write one pair a row: question, passage, score.",
        )
        return Problem("warning", "scored-lists", message)
    what = {
        "score": Bilingual("wyniki, największy pierwszy", "scores, the highest first"),
        "rank": Bilingual("pozycje, najmniejsza pierwsza", "ranks, the smallest first"),
        "distance": Bilingual("odległości, najmniejsza pierwsza", "distances, the smallest first"),
    }[found.numbers]
    message = Bilingual(
        f"Listy odczytano jako fragment i liczbę na przemian; liczby to {what.pl}. Jeśli i one są fragmentami, powiedz "
        f"to {how.pl}.",
        f"The lists were read as a passage and a number by turns; the numbers are {what.en}. Where they are passages "
        f"as well, say so {how.en}.",
    )
    return Problem("note" if found.certain else "warning", "scored-lists", message)


def _trimmed(row: Row) -> list[str]:
    """The cells of a row without blanks around them, and without the empty ones at its end."""
    cells = [cell.strip() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _is_number(cell: Any) -> bool:
    return number_of(cell) is not None or is_nan(cell)


def _has_point(cell: Any) -> bool:
    """Whether a value is a number that is written with a decimal sign, or with an exponent."""
    if isinstance(cell, float):
        return True
    return isinstance(cell, str) and any(sign in cell for sign in ".,eE") and number_of(cell) is not None


def _are_decimals(numbers: Sequence[Sequence[Any]]) -> bool:
    """Most numbers are written as decimals, and some are no whole ones: `511.0` may be the id 511."""
    cells = [cell for row in numbers for cell in row]
    pointed = [found.value for cell in cells if _has_point(cell) and (found := number_of(cell))]
    return 2 * len(pointed) > len(cells) and any(value % 1 for value in pointed)


def _values(cells: Sequence[str]) -> list[float]:
    return [found.value if (found := number_of(cell)) else float("nan") for cell in cells]


def _falls(values: list[float]) -> bool:
    """Numbers that never rise, and fall somewhere."""
    return all(one >= two for one, two in pairwise(values)) and values[0] > values[-1]
