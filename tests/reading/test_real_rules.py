"""The rule reader on the public PoQuAD questions, each with the passage it was written on."""

from pathlib import Path

import pytest

from benchmarks.poquad import load_poquad
from polqa_demo.evaluation import score_fuzzy_match
from polqa_demo.reading.rules import RuleReader


@pytest.mark.real
def test_more_than_36_percent_are_right(shared: Path) -> None:
    golds = load_poquad(shared)
    reader = RuleReader()
    right = {True: 0, False: 0}
    for gold in golds:
        answer = reader.read(gold.question, [gold.passage])
        right[gold.held_out] += score_fuzzy_match(answer.text, gold.answers)
    assert len(golds) == 1243
    assert sum(right.values()) / len(golds) >= 0.36
    assert right[True] / sum(gold.held_out for gold in golds) >= 0.36
