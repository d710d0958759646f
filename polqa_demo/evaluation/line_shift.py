"""Answers that stand beside the wrong questions: shifted by a line or more, from some line on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polqa_demo.evaluation.fuzzy_match import score_fuzzy_match
from polqa_demo.records import Question

# How far a line or two that were lost or doubled can move the rest.
_FARTHEST = 3
# What a shift must gain before it is believed: chance matches are few.
_LEAST_GAIN = 5
_LEAST_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class LineShift:
    """From question `start` (from 1) on, the answer of each question stands `lines` lines further down (or up).

    `hits` are right as the file stands, `shifted_hits` would be right after moving them.
    """

    lines: int
    start: int
    hits: int
    shifted_hits: int


def find_line_shift(
    questions: Sequence[Question], predictions: Mapping[str, str], rule: str = "poleval"
) -> LineShift | None:
    """The shift that mends most, when it mends drastically: twice as many right answers and a tenth of all more.

    Only questions with a gold answer count. Raises ValueError for an unknown rule.
    """
    answers = [predictions.get(question.id, "") for question in questions]
    here = [_right(question, answer, rule) for question, answer in zip(questions, answers, strict=True)]
    hits = sum(here)
    needed = max(2 * hits, hits + _LEAST_GAIN, hits + _LEAST_SHARE * len(questions))
    best: LineShift | None = None
    for shift in (step for size in range(1, _FARTHEST + 1) for step in (size, -size)):
        moved = [
            _right(question, answers[place + shift] if 0 <= place + shift < len(answers) else "", rule)
            for place, question in enumerate(questions)
        ]
        # From the end backwards: what moving everything from here on would bring.
        total, most, start = hits, 0, 0
        for place in reversed(range(len(questions))):
            total += moved[place] - here[place]
            if total > most:
                most, start = total, place + 1
        if most >= needed and (best is None or most > best.shifted_hits):
            best = LineShift(shift, start, hits, most)
    return best


def _right(question: Question, answer: str, rule: str) -> bool:
    return bool(answer) and bool(question.answers) and score_fuzzy_match(answer, question.answers, rule)
