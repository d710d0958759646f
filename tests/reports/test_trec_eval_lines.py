"""Per-question values as trec_eval prints them, beside trec_eval's own."""

import pytest
import pytrec_eval

from polqa_demo.errors import UserError
from polqa_demo.evaluation.report import build_report
from polqa_demo.gold_sets import seal
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.reports.trec_eval import trec_eval_lines

GOLD = GoldSet(
    "gold",
    "test",
    (Question("1", "Kto?"), Question("2", "Co?"), Question("3", "Gdzie?")),
    (Judgement("1", "a", True), Judgement("1", "b", True), Judgement("2", "c", True)),
)
RANKINGS = {"1": Ranking("1", ("x", "a", "y", "b")), "3": Ranking("3", ("a",))}


def test_the_values_are_trec_evals() -> None:
    lines = [line.split("\t") for line in trec_eval_lines(build_report(GOLD, rankings=RANKINGS)).splitlines()]
    ours = {(name.strip(), question): value for name, question, value in lines}
    qrels = {"1": {"a": 1, "b": 1}, "2": {"c": 1}}
    run = {"1": {"x": 4.0, "a": 3.0, "y": 2.0, "b": 1.0}, "2": {}}
    names = {"map", "success_1", "success_10", "P_10", "ndcg_cut_10", "recall_10"}
    outside = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
    assert {name for name, _ in ours} > names
    for name in names:
        for question in qrels:
            assert ours[name, question] == f"{outside[question].get(name, 0):.4f}"
        mean = sum(outside[question].get(name, 0) for question in qrels) / len(qrels)
        assert ours[name, "all"] == f"{mean:.4f}"
    assert ours["num_q", "all"] == "2"
    # Question 3 has no gold passage.
    assert {question for _, question in ours} == {"1", "2", "all"}


def test_no_rankings_give_nothing_and_a_secret_gold_refuses() -> None:
    answered = GoldSet("gold", "test", (Question("1", "Kto?", ("ja",)),))
    assert trec_eval_lines(build_report(answered, {"1": "ja"})) == ""
    with pytest.raises(UserError, match="is secret"):
        trec_eval_lines(build_report(seal(GOLD, b"key"), rankings=RANKINGS))
