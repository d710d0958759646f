"""Measures of rankings: accuracy@k (Success@k), MRR@10, NDCG@10, recall@10, judged@10, and what ties could change.

`accuracy@10` is PolQA's "accuracy of top 10 candidates": the share of questions with at least one gold passage among
the first ten (arXiv:2212.08897). It is neither top-1 nor ir_measures' `Accuracy`. It always has two denominators: the
questions that have a gold passage (the headline), and all questions, where those without one are misses.

NDCG's gain is the grade itself where judgements are graded, as in trec_eval's `ndcg_cut`, and 1 for every gold passage
where they are not; its mean is over the questions with a gold passage, a missing ranking 0, as in `trec_eval -c`.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from polqa_demo.errors import UserError
from polqa_demo.records import Ranking

CUTOFF = 10
DEPTHS = (1, 5, CUTOFF, 20, 100)

_DISCOUNTS = tuple(1 / math.log2(rank + 1) for rank in range(1, CUTOFF + 1))


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `n` questions."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        """The share, 0..1."""
        return self.hits / self.n


@dataclass(frozen=True, slots=True)
class QuestionRanking:
    """One question: where its gold passages stand and what that is worth.

    `ranks` holds the gold passages that were found, by rank from 1. `length` counts the passages without repetitions,
    `duplicates` the repetitions left out, `judged` the passages among the first ten that carry any judgement (None when
    no judgements are known). `tied` says that some scores are equal, `hit_at_best` and `hit_at_worst` whether the first
    ten hold a gold passage when every tie falls for it or against it. `grades` are the gains of the question's passages
    where judgements are graded (those of gold passages, and those below grade 1), else empty. A question without gold
    has zeros everywhere.
    """

    question_id: str
    gold_passages: tuple[str, ...]
    ranks: Mapping[str, int]
    length: int
    duplicates: int
    reciprocal_rank: float
    ndcg: float
    recall: float
    judged: int | None
    tied: bool
    hit_at_best: bool
    hit_at_worst: bool
    top: tuple[str, ...] = ()
    grades: Mapping[str, float] = field(default_factory=dict)

    @property
    def first_rank(self) -> int | None:
        """The rank of the first gold passage; None when none was found."""
        return min(self.ranks.values(), default=None)

    @property
    def judged_share(self) -> float:
        """The share of the first ten (or of a shorter ranking) that carries a judgement; 0 for an empty ranking."""
        return (self.judged or 0) / min(CUTOFF, self.length) if self.length else 0.0

    def hit(self, depth: int = CUTOFF) -> bool:
        """Whether a gold passage stands among the first `depth`."""
        return any(rank <= depth for rank in self.ranks.values())


@dataclass(frozen=True, slots=True)
class Ties:
    """Equal scores: in how many questions, in how many they decide accuracy@10, its best and worst possible value."""

    questions: int
    decisive: int
    best: Share
    worst: Share


@dataclass(frozen=True, slots=True)
class RankingScores:
    """What a file of rankings is worth. `items` are all questions, in their order, also those without gold.

    All means are over the questions with gold. `accuracy` maps a depth (1, 5, 10, 20, 100, as deep as the longest
    ranking; 10 always) to its share; `missing` counts questions with gold but without any ranked passage, `short` those
    with fewer than ten; `judged` is None when no judgements are known. `graded` says that NDCG's gains are grades.
    """

    accuracy: Mapping[int, Share]
    accuracy_all_questions: Share
    mrr: float
    ndcg: float
    recall: float
    judged: float | None
    ties: Ties
    missing: int
    short: int
    longest: int
    duplicates: int
    items: tuple[QuestionRanking, ...]
    graded: bool = False

    @property
    def n(self) -> int:
        """How many questions have a gold passage: the denominator of every measure but one."""
        return self.accuracy[CUTOFF].n

    @property
    def gains(self) -> Literal["graded", "binary"]:
        """What NDCG's gains are, as the signature names it."""
        return "graded" if self.graded else "binary"

    @property
    def hits(self) -> int:
        """How many questions have a gold passage among the first ten."""
        return self.accuracy[CUTOFF].hits


def score_rankings(
    rankings: Mapping[str, Ranking],
    gold: Mapping[str, Collection[str]],
    questions: Sequence[str],
    judged: Mapping[str, Collection[str]] | None = None,
    gains: Mapping[str, Mapping[str, float]] | None = None,
) -> RankingScores:
    """The measures of `rankings` (question id -> passages, best first) against `gold` (question id -> passage ids).

    Only `questions` (ids; one named twice counts once) are scored, so a slice is scored by naming its questions. One
    without a ranking is a miss. A passage listed twice counts once, at its first rank. `judged` are the passages with
    any judgement by question; gold passages count as judged anyway. `gains`, where judgements are graded, are question
    id -> passage id -> grade above 0. Raises UserError when no question has a gold passage, ValueError when a ranking
    has scores for only some of its passages.
    """
    items = tuple(
        _score_question(
            question,
            rankings.get(question) or Ranking(question, ()),
            tuple(dict.fromkeys(gold.get(question, ()))),
            None if judged is None else judged.get(question, ()),
            {} if gains is None else gains.get(question, {}),
        )
        for question in dict.fromkeys(questions)
    )
    if not any(item.gold_passages for item in items):
        pl = f"Żadne pytanie nie ma złotego fragmentu (pytań: {len(items)}), więc rankingów nie da się ocenić. "
        en = f"No question has a gold passage (questions: {len(items)}), so the rankings cannot be scored. "
        if any(item.grades for item in items):
            pl += "Wszystkie stopnie trafności są poniżej 1; zapisz je jako liczby całkowite od 1."
            en += "All grades of relevance are below 1; write them as whole numbers from 1 up."
        else:
            pl += "Podaj złoty zbiór z identyfikatorami fragmentów dla tych pytań."
            en += "Give a gold file with passage ids for these questions."
        raise UserError("no-gold-passages", pl, en)
    return sum_up(items)


def sum_up(items: Sequence[QuestionRanking]) -> RankingScores:
    """The measures of questions that were scored already; at least one has a gold passage, and `judged` is known of
    all of them or of none.
    """
    with_gold = [item for item in items if item.gold_passages]
    n = len(with_gold)
    longest = max(item.length for item in with_gold)

    def share(hit: Callable[[QuestionRanking], bool]) -> Share:
        return Share(sum(map(hit, with_gold)), n)

    def mean(value: Callable[[QuestionRanking], float]) -> float:
        return math.fsum(map(value, with_gold)) / n

    accuracy = {
        depth: Share(sum(item.hit(depth) for item in with_gold), n)
        for depth in DEPTHS
        if depth <= longest or depth == CUTOFF
    }
    return RankingScores(
        accuracy=accuracy,
        accuracy_all_questions=Share(accuracy[CUTOFF].hits, len(items)),
        mrr=mean(lambda item: item.reciprocal_rank),
        ndcg=mean(lambda item: item.ndcg),
        recall=mean(lambda item: item.recall),
        judged=None if with_gold[0].judged is None else mean(lambda item: item.judged_share),
        ties=Ties(
            questions=sum(item.tied for item in with_gold),
            decisive=sum(item.hit_at_best != item.hit_at_worst for item in with_gold),
            best=share(lambda item: item.hit_at_best),
            worst=share(lambda item: item.hit_at_worst),
        ),
        missing=sum(item.length == 0 for item in with_gold),
        short=sum(0 < item.length < CUTOFF for item in with_gold),
        longest=longest,
        duplicates=sum(item.duplicates for item in items),
        items=tuple(items),
        graded=any(item.grades for item in items),
    )


def ndcg(found: Mapping[int, float], gains: Iterable[float]) -> float:
    """NDCG of the first ten passages.

    :param found: rank from 1 -> gain, by rank; where nothing is gained, and beyond the ten, ranks may be left out
    :param gains: of all passages that have any, found or not, at least one; their best order is what 1 stands for
    """
    reached = sum(gain * _DISCOUNTS[rank - 1] for rank, gain in found.items() if rank <= CUTOFF)
    best = sorted(gains, reverse=True)
    # Gains that differ in their last digits alone could otherwise be rounded beyond 1.
    return min(1.0, reached / sum(gain * discount for gain, discount in zip(best, _DISCOUNTS, strict=False)))


def _score_question(
    question: str,
    ranking: Ranking,
    gold: tuple[str, ...],
    judged: Collection[str] | None,
    grades: Mapping[str, float],
) -> QuestionRanking:
    passages, scores = _without_repetitions(ranking)
    wanted = frozenset(gold)
    ranks = {passage: rank for rank, passage in enumerate(passages, start=1) if passage in wanted}
    in_reach = [rank for rank in ranks.values() if rank <= CUTOFF]
    gains = grades or dict.fromkeys(gold, 1)
    found = {rank: gains[passage] for rank, passage in enumerate(passages[:CUTOFF], start=1) if passage in gains}
    best, worst = _first_rank_by_ties(passages, scores, wanted)
    return QuestionRanking(
        question_id=question,
        gold_passages=gold,
        ranks=ranks,
        length=len(passages),
        duplicates=len(ranking.passage_ids) - len(passages),
        reciprocal_rank=1 / in_reach[0] if in_reach else 0.0,
        ndcg=ndcg(found, gains.values()) if gold else 0.0,
        recall=len(in_reach) / len(gold) if gold else 0.0,
        judged=None if judged is None else len((wanted | set(judged)).intersection(passages[:CUTOFF])),
        tied=len(set(scores)) < len(scores),
        hit_at_best=best <= CUTOFF,
        hit_at_worst=worst <= CUTOFF,
        top=passages[:CUTOFF],
        grades=grades,
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
