"""The ranking of one question beside its gold passages: what every measure is computed from."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from polqa_demo.records import Ranking

CUTOFF = 10


@dataclass(frozen=True, slots=True)
class QuestionRanking:
    """One question: where its gold passages stand.

    `ranks` holds the gold passages that were found, in the order of their ranks from 1. `length` counts the passages
    without repetitions, `duplicates` the repetitions left out, `judged` the passages among the first ten that carry any
    judgement (None when no judgements are known). `tied` says that some scores are equal, `hit_at_best` and
    `hit_at_worst` whether the first ten hold a gold passage when every tie falls for it or against it. `top` are the
    first ten. `grades` are the gains of the question's passages where judgements are graded (those of gold passages,
    and those below grade 1), else empty.
    """

    question_id: str
    gold_passages: tuple[str, ...]
    ranks: Mapping[str, int]
    length: int
    duplicates: int
    judged: int | None
    tied: bool
    hit_at_best: bool
    hit_at_worst: bool
    top: tuple[str, ...] = ()
    grades: Mapping[str, float] = field(default_factory=dict)

    @property
    def first_rank(self) -> int | None:
        """The rank of the first gold passage; None when none was found."""
        return next(iter(self.ranks.values()), None)

    def hit(self, depth: int = CUTOFF) -> bool:
        """Whether a gold passage stands among the first `depth`."""
        first = self.first_rank
        return first is not None and first <= depth

    def ranks_within(self, depth: int) -> list[int]:
        """The ranks of gold passages among the first `depth`, first to last."""
        return [rank for rank in self.ranks.values() if rank <= depth]


def rank_question(
    ranking: Ranking,
    gold: tuple[str, ...],
    judged: Collection[str] | None = None,
    grades: Mapping[str, float] | None = None,
) -> QuestionRanking:
    """A ranking beside its question's gold passages.

    A passage listed twice counts once, at its first rank.

    :param judged: the passages with any judgement, None when unknown; gold passages count as judged anyway
    :param grades: passage id -> grade above 0, where judgements are graded
    :raises ValueError: the ranking has scores for only some of its passages
    """
    passages, scores = _without_repetitions(ranking)
    wanted = frozenset(gold)
    best, worst = _first_rank_by_ties(passages, scores, wanted)
    top = passages[:CUTOFF]
    return QuestionRanking(
        question_id=ranking.question_id,
        gold_passages=gold,
        ranks={passage: rank for rank, passage in enumerate(passages, start=1) if passage in wanted},
        length=len(passages),
        duplicates=len(ranking.passage_ids) - len(passages),
        judged=None if judged is None else len((wanted | set(judged)).intersection(top)),
        tied=len(set(scores)) < len(scores),
        hit_at_best=best <= CUTOFF,
        hit_at_worst=worst <= CUTOFF,
        top=top,
        grades=grades or {},
    )


def _without_repetitions(ranking: Ranking) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Each passage once, at its first rank, with that rank's score."""
    if not ranking.scores:
        return tuple(dict.fromkeys(ranking.passage_ids)), ()
    if len(ranking.scores) != len(ranking.passage_ids):
        message = (
            f"question {ranking.question_id}: {len(ranking.passage_ids)} passages but {len(ranking.scores)} scores; "
            "give one score a passage or none at all"
        )
        raise ValueError(message)
    first: dict[str, float] = {}
    for passage, score in zip(ranking.passage_ids, ranking.scores, strict=True):
        first.setdefault(passage, score)
    return tuple(first), tuple(first.values())


def _first_rank_by_ties(
    passages: tuple[str, ...], scores: tuple[float, ...], gold: frozenset[str]
) -> tuple[float, float]:
    """The best and the worst rank of the first gold passage over all orders of equally scored neighbours.

    Infinite when no gold passage is ranked. The first group of equal scores that holds gold passages decides both.
    """
    before = 0
    for _, group in groupby(range(len(passages)), key=lambda place: scores[place] if scores else place):
        places = list(group)
        found = sum(passages[place] in gold for place in places)
        if found:
            return before + 1, before + len(places) - found + 1
        before += len(places)
    return math.inf, math.inf
