"""The best passages of one question out of any number of rows, in little memory."""

import math
from array import array

from polqa_demo.records import Ranking


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
    the ranks decide, without both the order of the file.
    """

    __slots__ = ("_depth", "_passages", "_ranks", "_scored", "_scores", "_whole", "bar", "cut", "repeated")

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._passages: list[str] = []
        self._scores = array("d")
        self._ranks = array("d")
        self._scored = True
        # Half as much again: sorting each time would take long, waiting for more would take room.
        self._whole = depth + depth // 2
        self.bar = -math.inf
        self.cut = False
        self.repeated = False

    def add(self, passage: str, score: float | None, rank: float | None) -> None:
        """One row of the question; one below `bar` would be thrown away again."""
        if score is None:
            self._scored = False
            score = 0.0
        self._passages.append(passage)
        self._scores.append(score)
        if rank is not None:
            # Rows without a rank come before those with one.
            self._ranks.extend([0.0] * (len(self._scores) - 1 - len(self._ranks)))
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
        seen: set[str] = set()
        best: list[int] = []
        for place in self._order():
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

    def ranking(self, question_id: str) -> Ranking:
        """The ranking of what was collected, at most as deep as wanted."""
        if len(self._passages) > self._depth:
            self._prune()
        order = self._order()
        passages = tuple(self._passages[place].strip() for place in order)
        # Without a score in every row nothing can be said about ties.
        scores = tuple(self._scores[place] for place in order) if self._scored else ()
        return Ranking(question_id, passages, scores)
