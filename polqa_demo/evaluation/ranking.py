"""Scores of a file of rankings: every measure over the questions that have a gold passage, and what ties could change.

accuracy@10 has a second denominator beside it: all questions, where those without a gold passage are misses.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.errors import UserError
from polqa_demo.evaluation.measures import MEASURES, Measure
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking, rank_question
from polqa_demo.evaluation.shares import Mean, Share
from polqa_demo.records import Ranking

HEADLINE = f"accuracy@{CUTOFF}"


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

    `scores` maps the code of a measure to its score over the questions with gold, as deep as the longest ranking;
    `scores["ndcg@10"]` and `self["ndcg@10"]` are the same. `missing` counts questions with gold but without any ranked
    passage, `short` those with fewer than ten. `graded` says that NDCG's gains are grades.
    """

    scores: Mapping[str, Share | Mean]
    accuracy_all_questions: Share
    ties: Ties
    missing: int
    short: int
    longest: int
    duplicates: int
    items: tuple[QuestionRanking, ...]
    graded: bool = False

    def __getitem__(self, code: str) -> Share | Mean:
        return self.scores[code]

    @property
    def shares(self) -> dict[str, Share]:
        """The scores that are shares of questions, by code."""
        return {code: score for code, score in self.scores.items() if isinstance(score, Share)}

    @property
    def means(self) -> dict[str, Mean]:
        """The scores that are means of other values, by code."""
        return {code: score for code, score in self.scores.items() if isinstance(score, Mean)}

    @property
    def headline(self) -> Share:
        """accuracy@10."""
        return self.shares[HEADLINE]

    @property
    def hits(self) -> int:
        """How many questions have a gold passage among the first ten."""
        return self.headline.hits

    @property
    def n(self) -> int:
        """How many questions have a gold passage: the denominator of every measure but one."""
        return self.headline.n

    @property
    def gains(self) -> Literal["graded", "binary"]:
        """What NDCG's gains are, as the signature names it."""
        return "graded" if self.graded else "binary"


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
        rank_question(
            rankings.get(question) or Ranking(question, ()),
            tuple(dict.fromkeys(gold.get(question, ()))),
            None if judged is None else judged.get(question, ()),
            None if gains is None else gains.get(question, {}),
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
    """The measures of questions whose rankings are known; at least one has a gold passage, and `judged` is known of
    all of them or of none.
    """
    with_gold = [item for item in items if item.gold_passages]
    n = len(with_gold)
    longest = max(item.length for item in with_gold)

    def share(hit: Callable[[QuestionRanking], float]) -> Share:
        return Share(int(sum(map(hit, with_gold))), n)

    def score(measure: Measure) -> Share | Mean:
        if measure.share:
            return share(measure.value)
        return Mean(math.fsum(map(measure.value, with_gold)) / n, n)

    known = with_gold[0].judged is not None
    scores = {
        code: score(measure)
        for code, measure in MEASURES.items()
        if measure.stated(longest) and (known or not measure.needs_judgements)
    }
    ties = Ties(
        questions=sum(item.tied for item in with_gold),
        decisive=sum(item.hit_at_best != item.hit_at_worst for item in with_gold),
        best=share(lambda item: item.hit_at_best),
        worst=share(lambda item: item.hit_at_worst),
    )
    hits = sum(item.hit() for item in with_gold)
    return RankingScores(
        scores=scores,
        accuracy_all_questions=Share(hits, len(items)),
        ties=ties,
        missing=sum(item.length == 0 for item in with_gold),
        short=sum(0 < item.length < CUTOFF for item in with_gold),
        longest=longest,
        duplicates=sum(item.duplicates for item in items),
        items=tuple(items),
        graded=any(item.grades for item in items),
    )
