"""Everything that is known about one submission: the scores of its answers and rankings, item by item."""

from collections.abc import Mapping
from dataclasses import dataclass

from polqa_demo.data.polqa import GOLD_SOURCES, GoldSource, gold_passages, judged_passages
from polqa_demo.errors import UserError
from polqa_demo.evaluation.fuzzy_match import RULES, Verdict, explain_fuzzy_match, score_fuzzy_match
from polqa_demo.evaluation.ranking import QuestionRanking, RankingScores, Share, score_rankings
from polqa_demo.evaluation.signature import gold_title, signature
from polqa_demo.records import GoldSet, Question, Ranking

# Of everything that is drawn at random behind a score; it stands in the signature.
SEED = 0


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """How many answers are right, by every rule; `n` counts the questions that have a gold answer.

    `unanswered` counts those without a prediction or with an empty one, `without_gold` the questions left out.
    """

    rules: Mapping[str, Share]
    answered: int
    missing: int
    without_gold: int


@dataclass(frozen=True, slots=True)
class Item:
    """One question of the report; `prediction` is None when the file says nothing about it."""

    question: Question
    prediction: str | None = None
    verdict: Verdict | None = None
    ranking: QuestionRanking | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an evaluation; absent parts are None. `rule` is the headline's."""

    gold: str
    rule: str
    gold_source: GoldSource
    signature: str
    answers: AnswerScores | None
    rankings: RankingScores | None
    items: tuple[Item, ...]
    answers_from_gold: AnswerScores | None = None


def build_report(
    gold: GoldSet,
    predictions: Mapping[str, str] | None = None,
    rankings: Mapping[str, Ranking] | None = None,
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    answers_from_gold: Mapping[str, str] | None = None,
    reading: Mapping[str, str] | None = None,
) -> Report:
    """Scores predictions (question id -> answer) and rankings against a gold set.

    `answers_from_gold` are predictions of the same reader on gold passages, scored beside the others. A question
    without a prediction is wrong, one without a ranking is a miss; both stay in the denominator. `reading` are policies
    by which the files were read, other than the usual ones (`duplicates`: first or last; `answer-chars`).

    :raises UserError: the gold holds no answers (or no passages) to score against
    :raises ValueError: an unknown rule or gold source
    """
    if rule not in RULES or gold_source not in GOLD_SOURCES:
        message = f"rule {rule!r} of {RULES}, gold source {gold_source!r} of {GOLD_SOURCES}"
        raise ValueError(message)
    policies: dict[str, str] = {}
    answer_scores = ranking_scores = from_gold_scores = None
    if predictions is not None:
        answer_scores = score_answers(gold, predictions)
    if answers_from_gold is not None:
        from_gold_scores = score_answers(gold, answers_from_gold)
    if answer_scores or from_gold_scores:
        policies |= {
            "rule": rule,
            "missing": "wrong",
            "extra": "left-out",
            "duplicates": "refused",
            "no-gold": "left-out",
        }
        policies |= dict(reading or {})
    if rankings is not None:
        ids = [question.id for question in gold.questions]
        ranking_scores = score_rankings(rankings, gold_passages(gold, gold_source), ids, judged_passages(gold))
        policies |= {"gold-source": gold_source, "ties": "rank-then-file", "missing-ranking": "miss"}
    policies["seed"] = str(SEED)
    ranked = {item.question_id: item for item in ranking_scores.items} if ranking_scores else {}
    items = tuple(_item(question, predictions, ranked.get(question.id), rule) for question in gold.questions)
    return Report(
        gold_title(gold),
        rule,
        gold_source,
        signature(gold, policies),
        answer_scores,
        ranking_scores,
        items,
        from_gold_scores,
    )


def score_answers(gold: GoldSet, predictions: Mapping[str, str]) -> AnswerScores:
    """The share of right answers by every rule.

    :raises UserError: no question of the gold has an answer
    """
    questions = [question for question in gold.questions if question.answers]
    if not questions:
        raise UserError(
            "no-gold-answers",
            f"Złoty zbiór {gold_title(gold)} nie zawiera odpowiedzi, więc odpowiedzi nie da się ocenić. "
            "Podaj plik ze złotymi odpowiedziami (--gold, --gold-kind answers).",
            f"The gold {gold_title(gold)} holds no answers, so answers cannot be scored. "
            "Give a file with gold answers (--gold, --gold-kind answers).",
        )
    pairs = [(predictions.get(question.id, ""), question.answers) for question in questions]
    return AnswerScores(
        rules={rule: Share(sum(score_fuzzy_match(*pair, rule) for pair in pairs), len(pairs)) for rule in RULES},
        answered=sum(bool(prediction.strip()) for prediction, _ in pairs),
        missing=sum(question.id not in predictions for question in questions),
        without_gold=len(gold.questions) - len(questions),
    )


def _item(
    question: Question, predictions: Mapping[str, str] | None, ranking: QuestionRanking | None, rule: str
) -> Item:
    if predictions is None or not question.answers:
        return Item(question, ranking=ranking)
    prediction = predictions.get(question.id)
    return Item(question, prediction, explain_fuzzy_match(prediction or "", question.answers, rule), ranking)
