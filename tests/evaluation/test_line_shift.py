"""Answers that stand beside the wrong questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.evaluation.line_shift import find_line_shift
from polqa_demo.records import Question

GOLDS = [f"{first}{second}{third}" for first in "aeiou" for second in "bdfgk" for third in ("rata", "nosy")]
QUESTIONS = tuple(Question(str(number), "", (gold,)) for number, gold in enumerate(GOLDS, 1))


def by_line(lines: list[str]) -> dict[str, str]:
    return {question.id: line for question, line in zip(QUESTIONS, lines, strict=False)}


@pytest.mark.parametrize("lines", [1, 2, 3, -1, -2, -3])
def test_a_shift_of_the_whole_file_is_found(lines: int) -> None:
    moved = [""] * lines + GOLDS[:-lines] if lines > 0 else GOLDS[-lines:] + [""] * -lines
    found = find_line_shift(QUESTIONS, by_line(moved), "exact")
    assert found is not None
    assert found.lines == lines
    assert found.hits == 0
    assert found.shifted_hits == len(GOLDS) - abs(lines)
    # Moved up, the first questions have lost their answers; moved down, they still have them.
    assert found.start == (1 if lines > 0 else 1 - lines)


def test_a_shift_from_some_line_on_is_found_with_its_place() -> None:
    lost = [*GOLDS[:10], *GOLDS[11:], ""]
    found = find_line_shift(QUESTIONS, by_line(lost), "exact")
    assert found is not None
    assert (found.lines, found.start, found.hits, found.shifted_hits) == (-1, 12, 10, 49)


def test_files_in_their_place_are_left_alone() -> None:
    assert find_line_shift(QUESTIONS, by_line(GOLDS)) is None
    assert find_line_shift(QUESTIONS, {}) is None
    assert find_line_shift((), {}) is None
    assert find_line_shift(QUESTIONS, by_line(["tak"] * 50)) is None
    # A few answers that happen to fit elsewhere are no shift.
    assert find_line_shift(QUESTIONS, by_line(["", *GOLDS[:4], *["x"] * 45]), "exact") is None


def test_an_unknown_rule_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="bleu"):
        find_line_shift(QUESTIONS, by_line(GOLDS), "bleu")


@given(st.lists(st.sampled_from([*GOLDS, ""]), min_size=50, max_size=50))
def test_what_is_promised_is_what_moving_brings(lines: list[str]) -> None:
    found = find_line_shift(QUESTIONS, by_line(lines), "exact")
    if found is None:
        return
    moved = [
        line if place + 1 < found.start else (lines[place + found.lines] if 0 <= place + found.lines < 50 else "")
        for place, line in enumerate(lines)
    ]
    assert sum(line == gold for line, gold in zip(moved, GOLDS, strict=True)) == found.shifted_hits
    assert sum(line == gold for line, gold in zip(lines, GOLDS, strict=True)) == found.hits
