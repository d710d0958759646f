"""A header with one column a place, as pandas writes a frame of rankings: `question_id, p1, p2, ..., p10`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.data.columns import names_of
from polqa_demo.errors import Bilingual, Problem

_NUMBERED = re.compile(r"(.*?)[_.@#]*([0-9]{1,4})")
_SCORES = frozenset((*names_of("score", "scores"), "s"))
_DISTANCES = frozenset(names_of("distance", "distances"))
_PASSAGES = frozenset(
    (*names_of("passage_id", "passages"), "p", "d", "doc", "passage", "fragment", "top", "rank", "hit")
)
# Columns that are numbered and hold no passages.
_OTHERS = frozenset(names_of("question", "prediction", "answer", "golds", "grade", "passage", "title"))
Kind = Literal["", "score", "distance"]


@dataclass(frozen=True, slots=True)
class WideColumns:
    """The places of the passages' columns, best first, and of those of their scores or distances (`kind`), if any.

    `named` says that the name of the passages' columns is one of passages.
    """

    passages: tuple[int, ...]
    numbers: tuple[int, ...] = ()
    kind: Kind = ""
    named: bool = False

    def cells(self, row: Sequence[str]) -> list[str]:
        """The passages of a row; with numbers, each with its number behind it."""
        if not self.numbers:
            return [row[place] for place in self.passages]
        pairs = zip(self.passages, self.numbers, strict=True)
        return [row[place] for pair in pairs for place in pair]


def wide_columns(header: Sequence[str]) -> WideColumns | None:
    """The columns of one place each, numbered from 0 or 1; None where there are none, or of several kinds.

    :param header: plain names
    """
    groups: dict[str, list[tuple[int, int]]] = {}
    for place, name in enumerate(header):
        match = _NUMBERED.fullmatch(name)
        if match:
            groups.setdefault(match[1], []).append((int(match[2]), place))
    rows = {stem: found for stem, found in groups.items() if len(found) > 1 and _count_up(found)}
    kinds: dict[str, Kind] = {stem: _kind(stem) for stem in rows}
    numbers = [stem for stem, kind in kinds.items() if kind]
    passages = [stem for stem in rows if stem not in numbers]
    if len(passages) != 1 or len(numbers) > 1 or _stem(passages[0]) in _OTHERS:
        return None
    places = tuple(place for _, place in rows[passages[0]])
    named = not passages[0] or _stem(passages[0]) in _PASSAGES
    if not numbers:
        return WideColumns(places, named=named)
    behind = tuple(place for _, place in rows[numbers[0]])
    return WideColumns(places, behind, kinds[numbers[0]], named) if len(behind) == len(places) else None


def counts_places(names: Sequence[str]) -> bool:
    """Whether names are those of places, from 0 or 1: numbers alone, or all behind one name of passages (`p1`, `p2`).

    They stand in the order of the numbers, or in that of their letters.
    """
    found = [match for name in names if (match := _NUMBERED.fullmatch(name))]
    stems, numbers = {_stem(match[1]) for match in found}, [int(match[2]) for match in found]
    if len(found) < 2 or len(found) < len(names) or len(stems) > 1 or not stems <= {"", *_PASSAGES}:
        return False
    in_order = numbers == sorted(numbers) or list(names) == sorted(names)
    return in_order and _count_up([(number, 0) for number in sorted(numbers)])


def place_of(name: str) -> int:
    """The number of a name that counts places."""
    match = _NUMBERED.fullmatch(name)
    return int(match[2]) if match else -1


def _count_up(found: Sequence[tuple[int, int]]) -> bool:
    first = found[0][0]
    return first in (0, 1) and [number for number, _ in found] == list(range(first, first + len(found)))


def _stem(name: str) -> str:
    return name.strip("_.@#")


def _kind(stem: str) -> Kind:
    plain = _stem(stem)
    return "score" if plain in _SCORES else "distance" if plain in _DISTANCES else ""


def about_wide_columns(header: Sequence[str], found: WideColumns) -> Problem:
    """A note of the columns that were read as one list."""
    first, last = (header[found.passages[end]] for end in (0, -1))
    pl, en = (
        f"Kolumny od {first} do {last} odczytano jako listę fragmentów",
        f"The columns {first} to {last} were read as",
    )
    if found.numbers:
        one, other = (header[found.numbers[end]] for end in (0, -1))
        pl, en = f"{pl} z liczbami od {one} do {other}.", f"{en} a list of passages with the numbers {one} to {other}."
    else:
        pl, en = f"{pl}, najlepszy pierwszy.", f"{en} a list of passages, best first."
    return Problem("note", "wide-columns", Bilingual(pl, en), len(found.passages))
