"""Two or more runs against each other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.errors import UserError
from polqa_demo.evaluation.compare import (
    Run,
    answers_run,
    compare_runs,
    flips,
    oracle,
    rankings_run,
)
from polqa_demo.evaluation.paired import mcnemar_p, paired_test
from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.evaluation.significance import holm
from polqa_demo.records import Question, Ranking

IDS = "abcdefgh"


def a_run(name: str, values: str, measure: str = "fuzzy_match:poleval") -> Run:
    return Run(name, measure, dict(zip(IDS, map(float, values), strict=False)))


ONE, TWO, THREE = a_run("one", "11110000"), a_run("two", "11000010"), a_run("three", "00000000")


def test_answers_become_right_and_wrong() -> None:
    questions = [Question("1", "?", ("Ren",)), Question("2", "?", ("Wisła",)), Question("3", "?")]
    found = answers_run("mine", questions, {"1": "ren", "3": "x"})
    assert found == Run("mine", "fuzzy_match:poleval", {"1": 1.0, "2": 0.0})
    assert found.mean == 0.5


@pytest.mark.parametrize(
    ("measure", "values"),
    [
        ("accuracy@10", (1.0, 0.0)),
        ("mrr@10", (0.5, 0.0)),
        ("ndcg@10", (0.6309297535714575, 0.0)),
        ("recall@10", (1.0, 0.0)),
    ],
)
def test_rankings_become_the_values_of_a_measure(measure: str, values: tuple[float, float]) -> None:
    scores = score_rankings({"1": Ranking("1", ("x", "a"))}, {"1": ["a"], "2": ["b"]}, ["1", "2", "3"])
    found = rankings_run("mine", scores, measure)
    assert found.measure == measure
    # Question 3 has no gold passage.
    assert list(found.values) == ["1", "2"]
    assert tuple(found.values.values()) == pytest.approx(values)


def test_the_mean_of_a_run_is_the_measure_of_its_file() -> None:
    rankings = {str(q): Ranking(str(q), tuple(f"{(q * 7 + r) % 13}" for r in range(12))) for q in range(20)}
    gold = {str(q): [str(q % 13), "3"] for q in range(20)}
    scores = score_rankings(rankings, gold, list(gold))
    means = {measure: rankings_run("x", scores, measure).mean for measure in scores.scores}
    expected = {code: score.value for code, score in scores.scores.items()}
    assert means == pytest.approx(expected)


def test_every_pair_is_tested_and_adjusted_together() -> None:
    found = compare_runs([ONE, TWO, THREE])
    assert (found.n, found.measure) == (8, "fuzzy_match:poleval")
    assert [(item.first, item.second) for item in found.differences] == [
        ("one", "two"),
        ("one", "three"),
        ("two", "three"),
    ]
    raw = [mcnemar_p(2, 1), mcnemar_p(4, 0), mcnemar_p(3, 0)]
    assert [item.test.p for item in found.differences] == raw
    assert [item.adjusted_p for item in found.differences] == list(holm(raw))


def test_a_cell_of_the_matrix_can_be_seen_from_both_runs() -> None:
    found = compare_runs([ONE, TWO, THREE])
    here, there = found.between("one", "two"), found.between("two", "one")
    assert here.test.difference == 0.125
    assert there.test.difference == -0.125
    assert (there.test.low, there.test.high) == (-here.test.high, -here.test.low)
    assert (there.test.outcomes.wins, there.test.outcomes.losses) == (1, 2)
    assert there.reversed() == here
    with pytest.raises(KeyError):
        found.between("one", "four")


def test_the_order_of_the_questions_does_not_matter() -> None:
    turned = Run("two", TWO.measure, dict(reversed(TWO.values.items())))
    assert compare_runs([ONE, turned]).differences == compare_runs([ONE, TWO]).differences


def test_graded_values_are_randomised_with_the_seed() -> None:
    first, second = (
        Run("a", "ndcg@10", {"1": 0.5, "2": 0.25, "3": 1.0}),
        Run("b", "ndcg@10", {"1": 0.0, "2": 0.5, "3": 0.5}),
    )
    found = compare_runs([first, second], seed=4, draws=200).differences[0].test
    assert found == paired_test([0.5, 0.25, 1.0], [0.0, 0.5, 0.5], 4, 200)
    assert (found.test, found.draws, found.seed) == ("randomisation", 200, 4)


def test_the_oracle_takes_the_best_for_every_question() -> None:
    found = oracle([ONE, TWO, THREE])
    assert (found.value, found.best, found.gain) == (5 / 8, "one", 1 / 8)
    assert found.alone == {"one": ("c", "d"), "two": ("g",), "three": ()}
    assert found.unreached == ("e", "f", "h")


def test_flips_both_ways_and_among_some_questions() -> None:
    found = flips(ONE, TWO)
    assert (found.won, found.lost, found.same) == (("c", "d"), ("g",), 5)
    some = flips(ONE, TWO, keep={"d", "g", "h", "unknown"})
    assert (some.won, some.lost, some.same) == (("d",), ("g",), 1)


@pytest.mark.parametrize(
    ("runs", "code", "named"),
    [
        ([], "too-few-runs", "given: 0"),
        ([ONE], "too-few-runs", "given: 1"),
        ([Run("a", "m", {}), Run("b", "m", {})], "too-few-runs", "given: 2"),
        ([ONE, TWO, ONE], "equal-names", "one"),
        ([ONE, a_run("four", "00000000", "ndcg@10")], "different-measures", "four: ndcg@10"),
        ([ONE, a_run("four", "000000")], "different-questions", r"2 questions are in one of them alone \(g, h\)"),
    ],
)
def test_what_cannot_be_compared_is_told(runs: list[Run], code: str, named: str) -> None:
    with pytest.raises(UserError, match=named) as caught:
        compare_runs(runs)
    assert caught.value.code == code
    assert caught.value.say("pl") != caught.value.say("en")


def test_unknown_measures_and_rules_are_named() -> None:
    scores = score_rankings({}, {"1": ["a"]}, ["1"])
    with pytest.raises(ValueError, match="bpref"):
        rankings_run("x", scores, "bpref")
    with pytest.raises(ValueError, match="bleu"):
        answers_run("x", [Question("1", "?", ("a",))], {"1": "a"}, "bleu")


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=2, max_size=4))
@settings(max_examples=40)
def test_the_oracle_is_no_worse_than_any_run(table: list[list[bool]]) -> None:
    runs = [Run(str(at), "m", {str(q): float(value) for q, value in enumerate(row)}) for at, row in enumerate(table)]
    found = oracle(runs)
    assert found.value >= max(run.mean for run in runs)
    assert found.gain >= 0
    assert len(found.unreached) == round(5 * (1 - found.value))
    both = flips(runs[0], runs[1])
    assert len(both.won) + len(both.lost) + both.same == 5
    assert (len(both.won) - len(both.lost)) / 5 == pytest.approx(runs[0].mean - runs[1].mean)
