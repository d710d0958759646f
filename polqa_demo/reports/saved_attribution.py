"""Whose fault and the answers on gold passages, from the items of a report: placed and scored anew."""

from collections.abc import Collection, Sequence
from typing import Any

from polqa_demo.evaluation.attribution import Attributed, Attribution, collect, placed
from polqa_demo.evaluation.evidence import held_answer
from polqa_demo.evaluation.fuzzy_match import RULES
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.evaluation.report import AnswerScores, Item
from polqa_demo.evaluation.shares import Share
from polqa_demo.records import Question
from polqa_demo.reports.untrusted_json import Node


def load_attribution(stated: Node, nodes: Sequence[Node], items: Sequence[Item]) -> Attribution:
    """All questions in the cells that their ranks and verdicts give; the stated cells are compared by the caller.

    `nodes` are the items of the report as they stand there, `items` the same as they were scored.

    :raises UserError: a value is of the wrong kind or does not fit the others
    """
    stated.key("depth").integer(CUTOFF, CUTOFF)
    found: list[Attributed] = []
    without: list[str] = []
    looked_at = 0
    for node, item in zip(nodes, items, strict=True):
        if item.verdict is None or item.ranking is None or not item.ranking.gold_passages:
            _refuse_cell(node)
            if item.verdict is not None:
                without.append(item.question.id)
            continue
        one = _attributed(node.key("attribution"), item)
        looked_at += min(CUTOFF, item.ranking.length) - one.unread
        found.append(one)
    if not looked_at:
        stated.refuse(
            "żaden tekst fragmentu nie był znany, więc błędów nie dało się przypisać.",
            "no passage's text was known, so that no error could be attributed.",
        )
    return collect(found, without)


def _refuse_cell(node: Node) -> None:
    extra = node.get("attribution")
    if extra is not None:
        extra.refuse(
            "pytanie nie ma złotej odpowiedzi albo złotego fragmentu.",
            "the question has no gold answer or no gold passage.",
        )


def _attributed(node: Node, item: Item) -> Attributed:
    assert item.verdict is not None
    assert item.ranking is not None
    first, seen = item.ranking.first_rank, min(CUTOFF, item.ranking.length)
    answer, held, unread = node.get("answer_rank"), node.get("held"), node.get("unread")
    answer_rank = answer.integer(1, max(1, seen)) if answer else None
    if (answer is None) != (held is None) or (answer and not seen):
        node.refuse(
            "answer_rank i held muszą stać razem, w rankingu, który nie jest pusty.",
            "answer_rank and held stand together, in a ranking that is not empty.",
        )
    text = held.text() if held else None
    if held and (text not in item.question.answers or held_answer(text or "", [text or ""]) is None):
        held.refuse(
            "to nie jest złota odpowiedź, która może stać w tekście.", "this is no gold answer that a text can hold."
        )
    return placed(
        item.question.id,
        first if first is not None and first <= CUTOFF else None,
        answer_rank,
        text,
        item.verdict.correct,
        # The passage that holds the answer was read.
        unread.integer(highest=seen - bool(answer_rank)) if unread else 0,
    )


def load_answers_from_gold(
    nodes: Sequence[Node], questions: Sequence[Question], longest: int, empty: Collection[str] = ()
) -> dict[str, str] | None:
    """Question id -> answer on gold passages; None for a report that was saved without them. `empty` are questions
    without an answer that count.

    :raises UserError: they stand at some questions only, or where there is nothing to score them against
    """
    counted = {question.id for question in questions if question.answers or question.id in empty}
    asked = [(node, question) for node, question in zip(nodes, questions, strict=True) if question.id in counted]
    kept = [node.get("correct_from_gold") is not None for node, _ in asked]
    for node, question in zip(nodes, questions, strict=True):
        text = node.get("prediction_from_gold")
        if text is not None and not (question.id in counted and any(kept)):
            text.refuse("nie ma do niej werdyktu (correct_from_gold).", "it has no verdict (correct_from_gold).")
    if not any(kept):
        return None
    found: dict[str, str] = {}
    for node, question in asked:
        # What is stated here is compared with the verdict; that it is there says that the answers were kept.
        node.key("correct_from_gold").flag()
        text = node.get("prediction_from_gold")
        if text is not None:
            found[question.id] = text.text(longest)
    return found


def load_stated_counts(node: Node, questions: Sequence[Question], empty: Collection[str]) -> AnswerScores:
    """The counts of answers on gold passages as stated: the report holds no answers to score them again.

    :raises UserError: they are none, or beyond the number of questions
    """
    answerable = sum(bool(question.answers) for question in questions)
    n = answerable + len(empty)
    if not answerable:
        node.refuse("żadne pytanie nie ma złotej odpowiedzi.", "no question has a gold answer.")
    rules = node.key("rules")
    missing = node.key("missing").integer(highest=n)
    answered = node.key("answered").integer(highest=n - missing)
    parts: dict[str, Any] = {}
    if empty:
        apart = node.key("answerable").key("rules")
        abstained = node.key("unanswerable").key("correct").integer(highest=len(empty))
        parts = {
            "answerable": {
                rule: Share(apart.key(rule).key("correct").integer(highest=answerable), answerable) for rule in RULES
            },
            "unanswerable": Share(abstained, len(empty)),
        }
    return AnswerScores(
        rules={rule: Share(rules.key(rule).key("correct").integer(highest=n - missing), n) for rule in RULES},
        answered=answered,
        missing=missing,
        without_gold=len(questions) - n,
        **parts,
    )
