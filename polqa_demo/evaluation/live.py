"""A live answer against the gold of its question, when the question is one of the gold's."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polqa_demo.data.polqa import gold_passages
from polqa_demo.evaluation.fuzzy_match import Verdict, explain_fuzzy_match
from polqa_demo.evaluation.signature import gold_title
from polqa_demo.records import GoldSet, Question


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """Whether the answer is right and at which rank the first gold passage stands (None: not among those shown)."""

    gold: str
    question: Question
    verdict: Verdict
    gold_passages: tuple[str, ...]
    first_rank: int | None


class GoldQuestions:
    """The questions of some gold sets, found by their text."""

    def __init__(self, golds: Iterable[GoldSet]) -> None:
        self._found: dict[str, tuple[str, Question, tuple[str, ...]]] = {}
        for gold in golds:
            passages = gold_passages(gold)
            for question in gold.questions:
                if question.answers:
                    known = (gold_title(gold), question, passages.get(question.id, ()))
                    self._found.setdefault(_plain(question.text), known)

    def check(self, question: str, answer: str, passage_ids: Sequence[str]) -> LiveCheck | None:
        """The verdict on an answer and its ranking; None when the question is not in the gold."""
        known = self._found.get(_plain(question))
        if known is None:
            return None
        title, gold_question, gold = known
        first = next((rank for rank, passage in enumerate(passage_ids, 1) if passage in gold), None)
        return LiveCheck(title, gold_question, explain_fuzzy_match(answer, gold_question.answers), gold, first)


def _plain(text: str) -> str:
    """A question as it is compared: blanks and case do not matter, nor does the mark at its end."""
    return " ".join(text.lower().split()).rstrip(" ?.!")
