"""The numbers behind the plots of a report: plain counts and shares, drawn by whoever likes."""

from collections import Counter
from dataclasses import dataclass

from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.evaluation.ranking import RankingScores
from polqa_demo.evaluation.significance import wilson_interval
from polqa_demo.evaluation.slices import Slices

DEEPEST = 100
SURE = 0.05
# Where the bins of a rank histogram begin beyond the single ranks up to ten.
_STEPS = (11, 21, 51, 101)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """accuracy@`depth`: `hits` of `n` questions, a share of 0..1 with its 95 % Wilson interval."""

    depth: int
    hits: int
    n: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RankBin:
    """How many questions have their first gold passage at a rank of `first`..`last` (None: and beyond)."""

    first: int
    last: int | None
    count: int


@dataclass(frozen=True, slots=True)
class RankHistogram:
    """First ranks over `n` questions with a gold passage; in `missed` of them none was found. All counts sum to n."""

    bins: tuple[RankBin, ...]
    missed: int
    n: int


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One slice: its share (0..1) with the 95 % interval; `sure` when it differs from the rest after Holm."""

    name: str
    value: str
    hits: int
    n: int
    share: float
    low: float
    high: float
    sure: bool


@dataclass(frozen=True, slots=True)
class Forest:
    """The slices that are large enough, in their order, and the share of all `n` questions; `small` were left out."""

    hits: int
    n: int
    rows: tuple[ForestRow, ...]
    small: int

    @property
    def share(self) -> float:
        """The share of all questions, 0..1."""
        return self.hits / self.n


def accuracy_curve(scores: RankingScores, deepest: int = DEEPEST) -> tuple[CurvePoint, ...]:
    """accuracy@k for every k from 1 to the longest ranking, to ten at least and `deepest` at most.

    Rankings that end before k count with what they have, as the scores do.
    """
    ranks = Counter(item.first_rank for item in scores.items if item.gold_passages)
    points: list[CurvePoint] = []
    hits = 0
    for depth in range(1, max(CUTOFF, min(scores.longest, deepest)) + 1):
        hits += ranks[depth]
        low, high = wilson_interval(hits, scores.n)
        points.append(CurvePoint(depth, hits, scores.n, hits / scores.n, low, high))
    return tuple(points)


def first_ranks(scores: RankingScores) -> RankHistogram:
    """Where the first gold passage stands: ranks 1 to 10 one by one, then 11–20, 21–50, 51–100 and beyond.

    Bins beyond the longest ranking are left out.
    """
    ranks = Counter(item.first_rank for item in scores.items if item.gold_passages)
    starts = [*range(1, CUTOFF + 1), *(start for start in _STEPS if start <= scores.longest)]
    bins: list[RankBin] = []
    for place, start in enumerate(starts):
        following = starts[place + 1] if place + 1 < len(starts) else _end(start)
        last = None if following is None else following - 1
        count = sum(n for rank, n in ranks.items() if rank and rank >= start and (last is None or rank <= last))
        bins.append(RankBin(start, last, count))
    return RankHistogram(tuple(bins), ranks[None], scores.n)


def _end(start: int) -> int | None:
    """Where the bin after the last one would begin; None when the last one is open."""
    return next((step for step in _STEPS if step > start), None)


def slice_forest(slices: Slices) -> Forest:
    """The slices as rows of a forest plot, without those that are too small to say much."""
    rows = tuple(
        ForestRow(
            row.name,
            row.value,
            row.hits,
            row.n,
            row.share,
            row.low,
            row.high,
            row.adjusted_p is not None and row.adjusted_p < SURE,
        )
        for row in slices.rows
        if not row.small
    )
    return Forest(slices.hits, slices.n, rows, len(slices.rows) - len(rows))
