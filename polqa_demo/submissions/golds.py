"""What the reading of answers may ask of the golds: whether a column is the gold, and what another reading would give.

A secret gold shows no answers, so nothing is asked of it and nothing told.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from polqa_demo.errors import Bilingual
from polqa_demo.polish.words import folded
from polqa_demo.records import Question

# (prediction, golds) -> right or wrong, by the rule of the score.
Judge = Callable[[str, Sequence[str]], bool]
NEARLY_ALL = 0.9
# How several golds stand in one cell.
_PARTERS = ("\t", "|", ";", "/", ", ")


class Golds:
    """The golds of the questions as far as they are shown, and the rule that judges answers by them."""

    def __init__(self, questions: Sequence[Question], judge: Judge | None = None) -> None:
        self._questions, self._judge = questions, judge

    @property
    def known(self) -> bool:
        """Whether any question shows its golds."""
        return bool(self._golds)

    @cached_property
    def _golds(self) -> dict[str, tuple[str, ...]]:
        return {question.id: question.answers for question in self._questions if question.answers}

    @cached_property
    def _folded(self) -> dict[str, frozenset[str]]:
        return {key: frozenset(map(folded, golds)) - {""} for key, golds in self._golds.items()}

    def equal(self, answers: Mapping[str, str]) -> tuple[int, int]:
        """How many answers are a gold of their question but for case and blanks, and of how many."""
        rows = [(folded(answer), self._folded[key]) for key, answer in answers.items() if key in self._folded]
        return sum(_is_gold(answer, golds) for answer, golds in rows), len(rows)

    def are_golds(self, answers: Mapping[str, str]) -> bool:
        """Whether a column repeats the golds in nearly every row."""
        hits, rows = self.equal(answers)
        return rows > 0 and hits >= NEARLY_ALL * rows

    def right(self, answers: Mapping[str, str]) -> frozenset[str] | None:
        """The questions that are answered rightly; None where nobody can say."""
        judge = self._judge
        if judge is None or not self._golds:
            return None
        return frozenset(key for key, golds in self._golds.items() if judge(answers.get(key, ""), golds))

    def same(self, first: Mapping[str, str], second: Mapping[str, str]) -> bool:
        """Whether two readings score alike in every question; by their texts where there is no rule."""
        one, other = self.right(first), self.right(second)
        return first == second if one is None or other is None else one == other

    def compared(self, taken: Mapping[str, str], other: Mapping[str, str]) -> Bilingual:
        """A sentence on how many answers are right as read, and how many by another reading; empty where unknown."""
        one, two = self.right(taken), self.right(other)
        if one is None or two is None:
            return Bilingual("", "")
        if len(one) == len(two):
            return Bilingual(
                f" Przy innym odczytaniu trafnych byłoby tyle samo: {len(one)}.",
                f" By the other reading as many would be right: {len(one)}.",
            )
        return Bilingual(
            f" Przy innym odczytaniu trafnych byłoby {len(two)} zamiast {len(one)}.",
            f" By the other reading {len(two)} instead of {len(one)} would be right.",
        )

    def gain(self, taken: Mapping[str, str], other: Mapping[str, str]) -> bool:
        """Whether another reading has more right answers, or may have, since nobody can say."""
        one, two = self.right(taken), self.right(other)
        return one is None or two is None or len(two) > len(one)


def _is_gold(answer: str, golds: frozenset[str]) -> bool:
    if answer in golds:
        return True
    parts = ({part.strip() for part in answer.split(sign)} - {""} for sign in _PARTERS if sign in answer)
    return any(found and found <= golds for found in parts)
