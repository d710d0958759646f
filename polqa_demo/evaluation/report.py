"""Everything that is known about one submission: the scores of its answers and rankings, item by item."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from polqa_demo.data.polqa import GOLD_SOURCES, GoldSource, gold_passages, graded_gains, judged_passages
from polqa_demo.errors import UserError, by_option
from polqa_demo.evaluation.attribution import Attribution, ReaderBeside, attribute, reader_beside
from polqa_demo.evaluation.fuzzy_match import RULES, Verdict, explain_fuzzy_match, score_fuzzy_match
from polqa_demo.evaluation.question_ranking import QuestionRanking
from polqa_demo.evaluation.ranking import RankingScores, Ties, score_rankings
from polqa_demo.evaluation.shares import Share
from polqa_demo.evaluation.signature import gold_title, signature
from polqa_demo.records import GoldSet, Question, Ranking

Unanswerable = Literal["leave-out", "abstain"]
UNANSWERABLE: tuple[Unanswerable, ...] = get_args(Unanswerable)

# Of everything that is drawn at random behind a score; it stands in the signature.
SEED = 0
# Decimals of the totals of a secret gold.
TOTAL_DIGITS = 4


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """How many answers are right, by every rule; `n` counts the questions that have a gold answer.

    `answered` counts those whose prediction is not empty, `missing` those without any, `without_gold` the questions
    left out. Where questions without an answer count too (`abstain`), `rules` and all counts are over both kinds;
    `answerable` are the shares, by rule, over those that have an answer, `unanswerable` the share of the others whose
    prediction is empty, which is right there by every rule.
    """

    rules: Mapping[str, Share]
    answered: int
    missing: int
    without_gold: int
    answerable: Mapping[str, Share] = field(default_factory=dict)
    unanswerable: Share | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One question of the report; `prediction` is None when the file says nothing about it.

    `abstained` says of a question without an answer whether the prediction is empty, as is right; None where such
    questions do not count, and of all others. `prediction_from_gold`, `verdict_from_gold` and `abstained_from_gold` are
    those of the same reader on gold passages.
    """

    question: Question
    prediction: str | None = None
    verdict: Verdict | None = None
    ranking: QuestionRanking | None = None
    prediction_from_gold: str | None = None
    verdict_from_gold: Verdict | None = None
    abstained: bool | None = None
    abstained_from_gold: bool | None = None

    @property
    def correct(self) -> bool | None:
        """Whether the prediction is right; None where it does not count."""
        return self.verdict.correct if self.verdict else self.abstained


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an evaluation; absent parts are None. `rule` is the headline's.

    `attribution` needs answers, rankings and the passages' texts, `beside` answers on retrieved and on gold passages.
    A `secret` report, of a secret gold, holds totals alone: no items, nor anything else about a single question.
    """

    gold: str
    rule: str
    gold_source: GoldSource
    signature: str
    answers: AnswerScores | None
    rankings: RankingScores | None
    items: tuple[Item, ...]
    answers_from_gold: AnswerScores | None = None
    attribution: Attribution | None = None
    beside: ReaderBeside | None = None
    secret: bool = False


def build_report(  # noqa: PLR0913 - what is scored, each policy, and what is known of the corpus
    gold: GoldSet,
    predictions: Mapping[str, str] | None = None,
    rankings: Mapping[str, Ranking] | None = None,
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    answers_from_gold: Mapping[str, str] | None = None,
    reading: Mapping[str, str] | None = None,
    text_of: Callable[[str], str | None] | None = None,
    *,
    unanswerable: Unanswerable = "leave-out",
) -> Report:
    """Scores predictions (question id -> answer) and rankings against a gold set.

    `answers_from_gold` are predictions of the same reader on gold passages, scored beside the others. A question
    without a prediction is wrong, one without a ranking is a miss; both stay in the denominator. `reading` are policies
    by which the files were read, other than the usual ones (`duplicates`: first or last; `answer-chars`). `text_of`
    gives the text of a passage (with its title) or None; errors are attributed where it knows any that was retrieved.
    `unanswerable` says what becomes of questions whose golds are there and empty: they are left out, or an empty
    prediction is right (`abstain`). A sealed gold is opened here, and nothing of a single question is in the report.

    :raises UserError: the gold holds no answers (or no passages) to score against
    :raises ValueError: an unknown rule or gold source
    """
    policies_given = (("rule", rule, RULES), ("gold_source", gold_source, GOLD_SOURCES))
    for name, value, known in (*policies_given, ("unanswerable", unanswerable, UNANSWERABLE)):
        if value not in known:
            message = f"{name} is {value!r}, which is none of {', '.join(known)}"
            raise ValueError(message)
    shown, gold = gold, gold.opened
    policies: dict[str, str] = {}
    answer_scores = ranking_scores = from_gold_scores = attribution = beside = None
    if predictions is not None:
        answer_scores = score_answers(gold, predictions, unanswerable)
    if answers_from_gold is not None:
        from_gold_scores = score_answers(gold, answers_from_gold, unanswerable)
    if answer_scores or from_gold_scores:
        policies |= {
            "rule": rule,
            "missing": "wrong",
            "extra": "left-out",
            "duplicates": "refused",
            "no-gold": "left-out" if unanswerable == "leave-out" else unanswerable,
        }
    if rankings is not None:
        ids = [question.id for question in gold.questions]
        gains = graded_gains(gold, gold_source)
        ranking_scores = score_rankings(rankings, gold_passages(gold, gold_source), ids, judged_passages(gold), gains)
        policies |= {
            "gold-source": gold_source,
            "gains": ranking_scores.gains,
            "ties": "rank-then-file",
            "missing-ranking": "miss",
        }
    policies |= {**dict(reading or {}), **shown.policies, "seed": str(SEED)}
    if predictions is not None and rankings is not None and ranking_scores and text_of and not shown.secret:
        wanted = {item.question_id: item for item in ranking_scores.items if item.gold_passages}
        attribution = _attribution(gold, predictions, rankings, wanted, text_of, rule)
    if predictions is not None and answers_from_gold is not None:
        beside = reader_beside(gold.questions, predictions, answers_from_gold, rule)
    ranked = {item.question_id: item for item in ranking_scores.items} if ranking_scores else {}
    empty = gold.unanswerable if unanswerable == "abstain" else frozenset()
    items = tuple(
        _item(question, predictions, ranked.get(question.id), answers_from_gold, rule, question.id in empty)
        for question in gold.questions
    )
    report = Report(
        gold_title(shown),
        rule,
        gold_source,
        signature(shown, policies),
        answer_scores,
        ranking_scores,
        items,
        from_gold_scores,
        attribution,
        beside,
    )
    return _totals(report) if shown.secret else report


def _totals(report: Report) -> Report:
    """What may leave of a report on a secret gold. Every part is named: one that comes later stays inside.

    Long decimals of a mean, and what ties could make of it, tell ranks of single questions to whoever sends many files.
    """
    return Report(
        gold=report.gold,
        rule=report.rule,
        gold_source=report.gold_source,
        signature=report.signature,
        answers=report.answers,
        rankings=_ranking_totals(report.rankings) if report.rankings else None,
        items=(),
        answers_from_gold=report.answers_from_gold,
        secret=True,
    )


def _ranking_totals(scores: RankingScores) -> RankingScores:
    rounded = {name: replace(mean, value=round(mean.value, TOTAL_DIGITS)) for name, mean in scores.means.items()}
    ties = Ties(0, 0, scores.headline, scores.headline)
    return replace(scores, scores={**scores.scores, **rounded}, ties=ties, items=())


def score_answers(
    gold: GoldSet, predictions: Mapping[str, str], unanswerable: Unanswerable = "leave-out"
) -> AnswerScores:
    """The share of right answers by every rule; with `abstain` also over the questions that have none.

    :raises UserError: no question of the gold has an answer
    """
    questions = [question for question in gold.questions if question.answers]
    if not questions:
        where = by_option("--gold-kind answers")
        raise UserError(
            "no-gold-answers",
            f"Złoty zbiór {gold_title(gold)} nie zawiera odpowiedzi, więc odpowiedzi nie da się ocenić. "
            f"Podaj plik ze złotymi odpowiedziami; jeśli ten nimi jest, powiedz to {where.pl}.",
            f"The gold {gold_title(gold)} holds no answers, so answers cannot be scored. "
            f"Give a file with gold answers; where this is one, say so {where.en}.",
        )
    pairs = [(predictions.get(question.id, ""), question.answers) for question in questions]
    scores = AnswerScores(
        rules={rule: Share(sum(score_fuzzy_match(*pair, rule) for pair in pairs), len(pairs)) for rule in RULES},
        answered=sum(bool(prediction.strip()) for prediction, _ in pairs),
        missing=sum(question.id not in predictions for question in questions),
        without_gold=len(gold.questions) - len(questions),
    )
    empty = [question.id for question in gold.questions if question.id in gold.unanswerable]
    return with_unanswerable(scores, [predictions.get(key) for key in empty]) if unanswerable == "abstain" else scores


def with_unanswerable(scores: AnswerScores, predictions: Sequence[str | None]) -> AnswerScores:
    """Scores over questions with an answer, and over those without: there an empty prediction is right.

    :param predictions: what is said to the questions without an answer; None where nothing is, which is wrong as ever
    """
    if not predictions:
        return scores
    abstained = Share(sum(abstains(prediction) for prediction in predictions), len(predictions))
    return AnswerScores(
        rules={rule: Share(share.hits + abstained.hits, share.n + abstained.n) for rule, share in scores.rules.items()},
        answered=scores.answered + sum(bool(prediction and prediction.strip()) for prediction in predictions),
        missing=scores.missing + sum(prediction is None for prediction in predictions),
        without_gold=scores.without_gold - len(predictions),
        answerable=scores.rules,
        unanswerable=abstained,
    )


def abstains(prediction: str | None) -> bool:
    """Whether a prediction is there and empty."""
    return prediction is not None and not prediction.strip()


def _attribution(
    gold: GoldSet,
    predictions: Mapping[str, str],
    rankings: Mapping[str, Ranking],
    wanted: Mapping[str, QuestionRanking],
    text_of: Callable[[str], str | None],
    rule: str,
) -> Attribution | None:
    """Every question in its cell; None where no question can be in one, or where no retrieved text is at hand."""
    asked = [wanted[question.id] for question in gold.questions if question.answers and question.id in wanted]
    # Without any text every cell would blame the retriever for what nobody could read.
    if all(text_of(passage) is None for item in asked for passage in item.top):
        return None
    passages = {question_id: item.gold_passages for question_id, item in wanted.items()}
    return attribute(gold.questions, predictions, rankings, passages, text_of, rule)


def _item(
    question: Question,
    predictions: Mapping[str, str] | None,
    ranking: QuestionRanking | None,
    on_gold: Mapping[str, str] | None,
    rule: str,
    is_empty: bool,
) -> Item:
    if is_empty:
        said, later = ((file or {}).get(question.id) for file in (predictions, on_gold))
        return Item(
            question,
            said,
            None,
            ranking,
            later,
            abstained=None if predictions is None else abstains(said),
            abstained_from_gold=None if on_gold is None else abstains(later),
        )
    prediction, verdict = _judged(question, predictions, rule)
    return Item(question, prediction, verdict, ranking, *_judged(question, on_gold, rule))


def _judged(question: Question, predictions: Mapping[str, str] | None, rule: str) -> tuple[str | None, Verdict | None]:
    """What a file says about a question, and whether it is right; nothing without a file or without golds."""
    if predictions is None or not question.answers:
        return None, None
    prediction = predictions.get(question.id)
    return prediction, explain_fuzzy_match(prediction or "", question.answers, rule)
