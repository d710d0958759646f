"""Whose fault and the answers on gold passages, from the items of a report: placed and scored anew."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from polqa_demo.evaluation.attribution import Attributed, Attribution, collect, placed
from polqa_demo.evaluation.evidence import held_answer
from polqa_demo.evaluation.fuzzy_match import RULES
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.evaluation.report import AnswerScores, Item
from polqa_demo.evaluation.shares import Share
from polqa_demo.records import Question
from polqa_demo.reports.saved_schema import SavedCell, SavedCorrect, SavedCounts, SavedItem, checked, needed, within
from polqa_demo.reports.untrusted_json import Place, bad_report

_COUNTS = "answers_from_gold"


def load_attribution(saved: Sequence[SavedItem], items: Sequence[Item]) -> Attribution:
    """All questions in the cells that their ranks and verdicts give; the stated cells are compared by the caller.

    `saved` are the items of the report as they stand there, `items` the same as they were scored.

    :raises UserError: a value is missing or does not fit the others
    """
    found: list[Attributed] = []
    without: list[str] = []
    looked_at = 0
    for index, (one, item) in enumerate(zip(saved, items, strict=True)):
        place = ("items", index)
        if item.verdict is None or item.ranking is None or not item.ranking.gold_passages:
            if one.attribution is not None:
                raise bad_report(
                    (*place, "attribution"),
                    "pytanie nie ma złotej odpowiedzi albo złotego fragmentu.",
                    "the question has no gold answer or no gold passage.",
                )
            if item.verdict is not None:
                without.append(item.question.id)
            continue
        cell = _attributed(needed(one.attribution, "attribution", place), item, (*place, "attribution"))
        looked_at += min(CUTOFF, item.ranking.length) - cell.unread
        found.append(cell)
    if not looked_at:
        raise bad_report(
            ("attribution",),
            "żaden tekst fragmentu nie był znany, więc błędów nie dało się przypisać.",
            "no passage's text was known, so that no error could be attributed.",
        )
    return collect(found, without)


def _attributed(cell: SavedCell, item: Item, place: Place) -> Attributed:
    assert item.verdict is not None
    assert item.ranking is not None
    first, seen = item.ranking.first_rank, min(CUTOFF, item.ranking.length)
    rank, held = cell.answer_rank, cell.held
    if rank is not None:
        within(rank, 1, max(1, seen), *place, "answer_rank")
    if (rank is None) != (held is None) or (rank and not seen):
        raise bad_report(
            place,
            "answer_rank i held muszą stać razem, w rankingu, który nie jest pusty.",
            "answer_rank and held stand together, in a ranking that is not empty.",
        )
    if held is not None and (held not in item.question.answers or held_answer(held, [held]) is None):
        raise bad_report(
            (*place, "held"),
            "to nie jest złota odpowiedź, która może stać w tekście.",
            "this is no gold answer that a text can hold.",
        )
    return placed(
        item.question.id,
        first if first is not None and first <= CUTOFF else None,
        rank,
        held,
        item.verdict.correct,
        # The passage that holds the answer was read.
        within(cell.unread or 0, 0, seen - bool(rank), *place, "unread"),
    )


def load_answers_from_gold(
    saved: Sequence[SavedItem], questions: Sequence[Question], empty: Collection[str] = ()
) -> dict[str, str] | None:
    """Question id -> answer on gold passages; None for a report that was saved without them. `empty` are questions
    without an answer that count.

    :raises UserError: they stand at some questions only, or where there is nothing to score them against
    """
    counts = [bool(question.answers) or question.id in empty for question in questions]
    kept = any(count and item.correct_from_gold is not None for count, item in zip(counts, saved, strict=True))
    found: dict[str, str] = {}
    for index, (count, item) in enumerate(zip(counts, saved, strict=True)):
        if kept and count:
            # What is stated here is compared with the verdict; that it is there says that the answers were kept.
            needed(item.correct_from_gold, "correct_from_gold", ("items", index))
            if item.prediction_from_gold is not None:
                found[item.question_id] = item.prediction_from_gold
        elif item.prediction_from_gold is not None:
            raise bad_report(
                ("items", index, "prediction_from_gold"),
                "nie ma do niej werdyktu (correct_from_gold).",
                "it has no verdict (correct_from_gold).",
            )
    return found if kept else None


def load_stated_counts(stated: object, questions: Sequence[Question], empty: Collection[str]) -> AnswerScores:
    """The counts of answers on gold passages as stated: the report holds no answers to score them again.

    :raises UserError: they are none, or beyond the number of questions
    """
    answerable = sum(bool(question.answers) for question in questions)
    n = answerable + len(empty)
    if not answerable:
        raise bad_report((_COUNTS,), "żadne pytanie nie ma złotej odpowiedzi.", "no question has a gold answer.")
    counts = checked(SavedCounts, stated, (_COUNTS,))
    missing = within(counts.missing, 0, n, _COUNTS, "missing")
    answered = within(counts.answered, 0, n - missing, _COUNTS, "answered")
    parts: dict[str, Any] = {}
    if empty:
        apart = needed(counts.answerable, "answerable", (_COUNTS,))
        abstained = needed(counts.unanswerable, "unanswerable", (_COUNTS,)).correct
        parts = {
            "answerable": _shares(apart.rules, answerable, answerable, (_COUNTS, "answerable", "rules")),
            "unanswerable": Share(within(abstained, 0, len(empty), _COUNTS, "unanswerable", "correct"), len(empty)),
        }
    return AnswerScores(
        rules=_shares(counts.rules, n - missing, n, (_COUNTS, "rules")),
        answered=answered,
        missing=missing,
        without_gold=len(questions) - n,
        **parts,
    )


def _shares(stated: Mapping[str, SavedCorrect], most: int, n: int, place: Place) -> dict[str, Share]:
    return {
        rule: Share(within(needed(stated.get(rule), rule, place).correct, 0, most, *place, rule, "correct"), n)
        for rule in RULES
    }
