"""What lies behind a score: its uncertainty, its slices, what the file's writing costs, and what chance would get."""

from collections.abc import Mapping
from dataclasses import dataclass

from polqa_demo.evaluation.audit import Audit, audit
from polqa_demo.evaluation.features import Feature, error_features
from polqa_demo.evaluation.floor import Floor, Lookalikes, lookalikes, noise_floor
from polqa_demo.evaluation.fuzzy_match import RULES, score_fuzzy_match
from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.report import SEED, Item, Report
from polqa_demo.evaluation.significance import (
    Interval,
    SmallestDifference,
    mean_interval,
    partial_bounds,
    smallest_difference,
)
from polqa_demo.evaluation.slices import Slices, TwoWay, ranking_hits, slices, two_way

RESAMPLES = 10_000
TWO_WAY = ("question_type", "entity_type")


@dataclass(frozen=True, slots=True)
class Flips:
    """Answers that are right by the headline rule and wrong by another (`lost`), and the other way round (`gained`)."""

    rule: str
    lost: tuple[str, ...]
    gained: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerAnalysis:
    """Behind fuzzy_match by the headline's rule. `bounds` are shares: whatever the missing answers are, the score lies
    between them.
    """

    rule: str
    slices: Slices
    two_way: TwoWay | None
    features: tuple[Feature, ...]
    flips: tuple[Flips, ...]
    audit: Audit
    floor: Floor | None
    lookalikes: Lookalikes
    bounds: tuple[float, float]
    smallest: SmallestDifference


@dataclass(frozen=True, slots=True)
class RankingAnalysis:
    """Behind accuracy@10; `intervals` are those of the means, by the measure's code."""

    slices: Slices
    intervals: Mapping[str, Interval]
    bounds: tuple[float, float]
    smallest: SmallestDifference


@dataclass(frozen=True, slots=True)
class Analysis:
    """The parts that the files allow; the others are None."""

    answers: AnswerAnalysis | None
    rankings: RankingAnalysis | None


def analyse(report: Report) -> Analysis:
    """Everything behind the scores of a report, with the report's seed (0.4 s for 7,000 answers).

    Behind a secret report there is nothing: all of it is about single questions or gives the gold away.
    """
    if report.secret:
        return Analysis(None, None)
    return Analysis(
        answers=_answers(report) if report.answers else None,
        rankings=_rankings(report) if report.rankings else None,
    )


def _answers(report: Report) -> AnswerAnalysis:
    scored = [item for item in report.items if item.verdict is not None]
    questions = [item.question for item in scored]
    right = {item.question.id: bool(item.verdict and item.verdict.correct) for item in scored}
    predictions = {item.question.id: item.prediction for item in scored if item.prediction is not None}
    assert report.answers is not None
    # Questions without an answer are in the score where an empty prediction counts there.
    headline, missing = report.answers.rules[report.rule], report.answers.missing
    has_labels = all(any(question.labels.get(name) for question in questions) for name in TWO_WAY)
    return AnswerAnalysis(
        rule=report.rule,
        slices=slices(questions, right),
        two_way=two_way(questions, right, *TWO_WAY) if has_labels else None,
        features=error_features(questions, right),
        flips=tuple(_flips(scored, rule) for rule in RULES if rule != report.rule),
        audit=audit(questions, predictions, report.rule),
        floor=noise_floor(questions, report.rule, SEED),
        lookalikes=lookalikes(questions, predictions),
        bounds=partial_bounds(headline.hits, missing, headline.n),
        smallest=smallest_difference(headline.n, headline.value),
    )


def _flips(items: list[Item], rule: str) -> Flips:
    lost: list[str] = []
    gained: list[str] = []
    for item in items:
        here = bool(item.verdict and item.verdict.correct)
        there = score_fuzzy_match(item.prediction or "", item.question.answers, rule)
        if here != there:
            (lost if here else gained).append(item.question.id)
    return Flips(rule, tuple(lost), tuple(gained))


def _rankings(report: Report) -> RankingAnalysis:
    assert report.rankings is not None
    scores = report.rankings
    items = [item for item in scores.items if item.gold_passages]
    return RankingAnalysis(
        slices=slices([item.question for item in report.items], ranking_hits(scores)),
        intervals={
            code: mean_interval([MEASURES[code].value(item) for item in items], SEED, RESAMPLES)
            for code in scores.means
        },
        bounds=partial_bounds(scores.hits, scores.missing, scores.n),
        smallest=smallest_difference(scores.n, scores.headline.value),
    )
