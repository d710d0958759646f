"""What lies behind a score, put together: every part agrees with the score it explains."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.evaluation.analysis import RESAMPLES, analyse
from polqa_demo.evaluation.fuzzy_match import RULES
from polqa_demo.evaluation.report import SEED, build_report
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.reports.analysis_json import analysis_json

KINDS = {"question_type": "SINGLE ENTITY", "entity_type": "NAMED", "question_formulation": "QUESTION"}


def gold(count: int = 6) -> GoldSet:
    questions = tuple(
        Question(str(number), f"Kto zbudował młyn numer {number}?", (f"Młynarz {'abcdefgh'[number % 8]}yk",), KINDS)
        for number in range(1, count + 1)
    )
    judgements = tuple(Judgement(question.id, f"{question.id}-0", grade=1) for question in questions)
    return GoldSet("mill", "", questions, judgements)


def test_parts_that_were_not_scored_are_absent() -> None:
    only_answers = analyse(build_report(gold(), {"1": "x"}))
    assert only_answers.rankings is None
    assert only_answers.answers is not None
    only_rankings = analyse(build_report(gold(), None, {"1": Ranking("1", ("1-0",))}))
    assert only_rankings.answers is None
    assert only_rankings.rankings is not None


def test_bounds_hold_whatever_the_missing_answers_are() -> None:
    whole = gold()
    partial = {"1": whole.questions[0].answers[0], "2": "źle"}
    found = analyse(build_report(whole, partial)).answers
    assert found is not None
    assert found.bounds == (1 / 6, 5 / 6)
    best = partial | {question.id: question.answers[0] for question in whole.questions[2:]}
    report = build_report(whole, best)
    assert report.answers is not None
    assert report.answers.rules["poleval"].value == found.bounds[1]


def test_flips_name_the_answers_that_another_rule_judges_differently() -> None:
    one = GoldSet("g", "", (Question("7", "Gdzie leży Rzym?", ("w Rzymie",)), Question("8", "Który?", ("Ludwik XVI",))))
    found = analyse(build_report(one, {"7": "Rzym", "8": "Ludwik XV"})).answers
    assert found is not None
    flips = {flip.rule: flip for flip in found.flips}
    assert set(flips) == set(RULES) - {"poleval"}
    assert (flips["readme"].lost, flips["readme"].gained) == (("7",), ("8",))
    assert flips["exact"].lost == ("7",)


def test_slices_and_audit_count_the_answers_of_the_score() -> None:
    whole = gold()
    answers = {question.id: f"Odpowiedź: {question.answers[0]}" for question in whole.questions}
    report = build_report(whole, answers)
    found = analyse(report).answers
    assert found is not None
    assert report.answers is not None
    assert found.slices.hits == found.audit.correct == report.answers.rules["poleval"].hits
    assert found.slices.n == 6
    prefix = next(damage for damage in found.audit.damages if damage.kind == "prefix")
    assert (prefix.affected, prefix.gained) == (6, 6)


def test_intervals_hold_the_means_and_carry_the_seed() -> None:
    whole = gold(40)
    rankings = {
        question.id: Ranking(question.id, tuple(f"{(int(question.id) + shift) % 41}-0" for shift in range(3)))
        for question in whole.questions[:30]
    }
    report = build_report(whole, None, rankings)
    found = analyse(report).rankings
    assert found is not None
    assert report.rankings is not None
    for name, mean in (("mrr@10", report.rankings["mrr@10"].value), ("ndcg@10", report.rankings["ndcg@10"].value)):
        interval = found.intervals[name]
        assert interval.low <= mean <= interval.high
        assert interval.value == pytest.approx(mean)
        assert (interval.seed, interval.resamples) == (SEED, RESAMPLES)
    assert found.bounds == (30 / 40, 1.0)
    assert f"|seed:{SEED}|" in report.signature


@given(st.dictionaries(st.sampled_from([str(number) for number in range(1, 7)]), st.text(max_size=12)))
def test_any_answers_give_json_without_nulls_or_nan(predictions: dict[str, str]) -> None:
    found = analysis_json(analyse(build_report(gold(), predictions)))
    text = json.dumps(found, allow_nan=False)
    assert "null" not in text
    assert {"slices", "audit", "uncertainty"} <= found.keys()
    for row in found["slices"]:
        assert 0 <= row["ci95"][0] <= row["share"] <= row["ci95"][1] <= 1


def test_the_same_report_gives_the_same_analysis() -> None:
    report = build_report(gold(), {"1": "Młynarz"}, {"1": Ranking("1", ("1-0", "2-0"), (2.0, 1.0))})
    assert analysis_json(analyse(report)) == analysis_json(analyse(report))
