"""The best passages of one question out of any number of rows, in little memory."""

import math
from array import array
from collections.abc import Iterable, Sequence

from polqa_demo.records import Ranking

# How deep the other order of a question is kept: what its accuracy@10 looks at.
OTHER_DEPTH = 10


def finite(cell: object) -> float | None:
    """The finite number of a cell; None when it is none. `1_0` and digits of other scripts are no numbers here."""
    if isinstance(cell, str) and ("_" in cell or not cell.strip().isascii()):
        return None
    try:
        value = float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


class Deepest:
    """Collects scored passages and keeps the best ones: by score, then by rank, then in the order of the file.

    A passage that comes again at a worse place goes first (`repeated`), then what lies too deep (`cut`). Without scores
    the ranks decide, without both the order of the file. Where the scores contradict the ranks, or rise from row to row
    without any ranks, the first passages of that other order are kept as well.
    """

    __slots__ = (
        "_contrary",
        "_depth",
        "_first",
        "_passages",
        "_ranks",
        "_rising",
        "_scored",
        "_scores",
        "_whole",
        "bar",
        "cut",
        "rank_bar",
        "repeated",
    )

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._passages: list[str] = []
        self._scores = array("d")
        self._ranks = array("d")
        self._scored = True
        # Half as much again: sorting each time would take long, waiting for more would take room.
        self._whole = depth + depth // 2
        self.bar = -math.inf
        self.rank_bar = math.inf
        self.cut = False
        self.repeated = False
        # The first passages of the other order with their ranks, once rows are thrown away; whether it is another one.
        self._first: list[tuple[float, str]] | None = None
        self._contrary: bool | None = None
        # Whether the ranks rose by one until rows were thrown away.
        self._rising: bool | None = None

    def __len__(self) -> int:
        return len(self._passages)

    def add(self, passage: str, score: float | None, rank: float | None) -> None:
        """One row of the question; one below `bar` and behind `rank_bar` would be thrown away again."""
        if score is None:
            self._scored = False
            score = 0.0
        self._passages.append(passage)
        self._scores.append(score)
        if rank is not None:
            before = len(self._scores) - 1
            if len(self._ranks) < before:
                # Rows without a rank come before those with one.
                self._ranks.extend([0.0] * (before - len(self._ranks)))
            self._ranks.append(rank)
        elif self._ranks:
            self._ranks.append(0.0)
        if len(self._passages) >= self._whole:
            self._prune()

    def _order(self) -> list[int]:
        """The places from best to worst; sorting keeps the order of the file between equals."""
        places = list(range(len(self._scores)))
        if self._ranks:
            places.sort(key=self._ranks.__getitem__)
        places.sort(key=self._scores.__getitem__, reverse=True)
        return places

    def _prune(self) -> None:
        """Keeps the first of each passage, as many as wanted."""
        order = self._order()
        self._look_at_other(order)
        if self._rising is None:
            self._rising = self.rises_by_one
        if self._scored:
            self._first = self._other_first()
            if len(self._first) == OTHER_DEPTH and self._ranks:
                self.rank_bar = self._first[-1][0]
        seen: set[str] = set()
        best: list[int] = []
        for place in order:
            name = self._passages[place].strip()
            if name in seen:
                self.repeated = True
            elif len(seen) == self._depth:
                self.cut = True
                break
            else:
                seen.add(name)
                best.append(place)
        # The order of the file goes on to decide between equals.
        best.sort()
        self._passages = [self._passages[place] for place in best]
        self._scores = array("d", [self._scores[place] for place in best])
        if self._ranks:
            self._ranks = array("d", [self._ranks[place] for place in best])
        if self.cut and self._scored:
            self.bar = min(self._scores)

    @property
    def rises_by_one(self) -> bool:
        """Whether the ranks rise by one from 1 or 0 in the order of the file, as far as all rows were kept."""
        if self._rising is not None or not self._ranks:
            return bool(self._rising)
        first = self._ranks[0]
        return first in (0, 1) and self._ranks == array("d", range(int(first), int(first) + len(self._ranks)))

    def _look_at_other(self, order: Sequence[int]) -> None:
        """Whether what is there contradicts its ranks, or rises from row to row where there are none."""
        if not self._scored or len(order) < 2:
            return
        if self._ranks:
            # Sorted by score, equal ones by rank: the ranks fall somewhere if and only if two rows contradict.
            ranks = [self._ranks[place] for place in order]
            self._contrary = bool(self._contrary) or ranks != sorted(ranks)
        elif self._contrary is not False:
            scores = self._scores
            rises = all(scores[place] <= scores[place + 1] for place in range(len(scores) - 1))
            self._contrary = rises and scores[0] < scores[-1]

    def _other_first(self) -> list[tuple[float, str]]:
        """The first passages by rank, or in the order of the file, each once."""
        if not self._ranks:
            return first_distinct(((0.0, passage.strip()) for passage in self._passages), self._first or ())
        rows = zip(self._ranks, (passage.strip() for passage in self._passages), strict=True)
        return first_distinct(sorted([*(self._first or ()), *rows], key=_rank_of))

    def ranking(self, question_id: str) -> Ranking:
        """The ranking of what was collected, at most as deep as wanted."""
        if len(self._passages) > self._depth:
            self._prune()
        order = self._order()
        self._look_at_other(order)
        passages = tuple(self._passages[place].strip() for place in order)
        # Without a score in every row nothing can be said about ties.
        scores = tuple(self._scores[place] for place in order) if self._scored else ()
        return Ranking(question_id, passages, scores)

    def other(self, question_id: str) -> Ranking | None:
        """The first passages by rank where the scores contradict it; without ranks, those of the file where the scores
        rise from row to row. None where there is no other order. To be asked when the ranking was.
        """
        if not self._contrary:
            return None
        return Ranking(question_id, tuple(passage for _, passage in self._other_first()))


def _rank_of(row: tuple[float, str]) -> float:
    return row[0]


def first_distinct(
    rows: Iterable[tuple[float, str]], before: Sequence[tuple[float, str]] = ()
) -> list[tuple[float, str]]:
    """The first rows of different passages, as many as another order is kept deep; `before` come first."""
    found = list(before)
    seen = {passage for _, passage in found}
    for row in rows:
        if len(found) == OTHER_DEPTH:
            break
        if row[1] not in seen:
            seen.add(row[1])
            found.append(row)
    return found
