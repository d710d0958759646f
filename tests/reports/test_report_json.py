"""The report as JSON and CSV."""

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.evaluation.attribution import CELLS
from polqa_demo.evaluation.report import build_report
from polqa_demo.evaluation.shares import Share
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.reports.document import answer_buckets
from polqa_demo.reports.report_json import CSV_COLUMNS, harmless, items_csv, report_json, share_json

GOLD = GoldSet(
    "zbior",
    "",
    (
        Question("1", "Gdzie?", ("w Rzymie", "Rzym")),
        Question("2", "Ile?", ("12",)),
        Question("3", "Kto?", ("Mikołaj Kopernik",)),
        Question("4", "Co?"),
    ),
    (Judgement("1", "a", grade=1), Judgement("1", "b", grade=1), Judgement("2", "c", grade=1)),
)
RANKINGS = {"1": Ranking("1", ("x", "a"), (2.0, 2.0)), "2": Ranking("2", tuple("defghijklmnc"))}
ON_GOLD = {"1": "Rzym", "2": "12"}
SHARE = {"value", "hits", "n", "ci95"}
RULE = {"value", "correct", "n", "ci95"}


def nulls(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(nulls, value.values()))
    return any(map(nulls, value)) if isinstance(value, list) else value is None


def test_the_json_has_the_keys_of_the_public_interface() -> None:
    report = report_json(build_report(GOLD, {"1": "Rzym", "2": "13"}, RANKINGS))
    parts = {"schema_version", "signature", "gold", "rule", "answers", "rankings", "items"}
    assert parts <= report.keys() <= parts
    assert report["schema_version"] == 1
    answers = report["answers"]
    assert answers.keys() == {"n", "answered", "missing", "fuzzy_match", "rules", "without_gold"}
    assert answers["n"] == 3
    assert (answers["answered"], answers["missing"], answers["without_gold"]) == (2, 1, 1)
    assert answers["fuzzy_match"].keys() == RULE
    assert (answers["fuzzy_match"]["correct"], answers["fuzzy_match"]["value"]) == (1, pytest.approx(1 / 3))
    assert answers["rules"].keys() == {"poleval", "readme", "card", "exact"}
    assert all(rule.keys() == RULE for rule in answers["rules"].values())
    low, high = answers["fuzzy_match"]["ci95"]
    assert 0 < low < 1 / 3 < high < 1

    rankings = report["rankings"]
    shares = {"accuracy@1", "accuracy@5", "accuracy@10", "accuracy@10_all_questions"}
    means = {"mrr@10", "ndcg@5", "ndcg@10", "recall@10", "judged@10", "map", "p@5", "p@10"}
    assert rankings.keys() == shares | means | {"n", "gold_source", "ties"}
    assert all(rankings[name].keys() == SHARE for name in shares)
    assert all(rankings[name].keys() == {"value", "n"} for name in means)
    assert (rankings["n"], rankings["accuracy@10_all_questions"]["n"]) == (2, 4)
    assert (rankings["accuracy@10"]["hits"], rankings["mrr@10"]["value"]) == (1, 0.25)
    assert rankings["ties"].keys() == {"questions", "decisive", "best", "worst"}

    first, second, third, fourth = report["items"]
    assert first == {
        "question_id": "1",
        "question": "Gdzie?",
        "prediction": "Rzym",
        "golds": ["w Rzymie", "Rzym"],
        "correct": True,
        "explanation": {"rule": "poleval", "gold": "Rzym", "branch": "text", "distance": 0, "limit": 2.0},
        "gold_passages": ["a", "b"],
        "ranks": {"a": 2},
        "first_rank": 2,
        "top": ["x", "a"],
        "judged": 1,
        "length": 2,
        "ties": {"best": True, "worst": True},
    }
    assert second["explanation"]["numbers"] == {"prediction": "13", "gold": "12"}
    assert (second["ranks"], second["first_rank"]) == ({"c": 12}, 12)
    assert (third["prediction"], third["correct"]) == ("", False)
    assert "first_rank" not in third
    assert third["missing"] is True
    assert fourth.keys() == {"question_id", "question", "gold_passages", "ranks", "judged", "length"}
    assert not nulls(report)


def test_whose_fault_and_the_reader_on_gold_passages() -> None:
    texts = {"x": "W Rzymie.", "n": "12"}.get
    report = report_json(
        build_report(GOLD, {"1": "Rzym", "2": "13"}, RANKINGS, answers_from_gold=ON_GOLD, text_of=texts)
    )
    found = report["attribution"]
    assert found.keys() == {"depth", "n", "cells", "ceilings", "without_gold_passage", "unread"}
    assert (found["depth"], found["n"], found["without_gold_passage"], found["unread"]) == (10, 2, 1, 11)
    assert [*found["cells"]] == [cell.code for cell in CELLS]
    assert found["cells"]["sound"] == {"name": "all worked", "count": 1, "share": 0.5}
    assert {code for code, cell in found["cells"].items() if cell["count"]} == {"sound", "retriever_fault"}
    assert found["ceilings"].keys() == {"passage", "answer", "either"}
    assert all(share.keys() == SHARE for share in found["ceilings"].values())
    assert report["reader_beside"] == {
        "n": 3,
        "on_gold": share_json(Share(2, 3), "correct"),
        "on_retrieved": share_json(Share(1, 3), "correct"),
        "both": 1,
        "only_gold": 1,
        "only_retrieved": 0,
        "neither": 1,
    }
    first, second, third, fourth = report["items"]
    assert first["attribution"] == {"cell": "sound", "gold_rank": 2, "answer_rank": 1, "held": "w Rzymie", "unread": 1}
    # What stands at rank 11 is not looked at, and a gold passage at rank 12 is none of the ten.
    assert second["attribution"] == {"cell": "retriever_fault", "unread": 10}
    assert (second["prediction_from_gold"], second["correct_from_gold"]) == ("12", True)
    assert third["correct_from_gold"] is False
    assert "prediction_from_gold" not in third
    assert not {"attribution", "correct_from_gold"} & (third.keys() & fourth.keys())
    assert not nulls(report)


def test_absent_parts_are_left_out() -> None:
    only_answers = report_json(build_report(GOLD, {"1": "Rzym"}))
    assert "rankings" not in only_answers
    assert "answers_from_gold" not in only_answers
    assert "first_rank" not in only_answers["items"][0]
    only_rankings = report_json(build_report(GOLD, rankings={"1": Ranking("1", ("a",))}))
    assert "answers" not in only_rankings
    assert "ties" not in only_rankings["rankings"]
    assert "prediction" not in only_rankings["items"][0]
    assert only_rankings["items"][0]["golds"] == ["w Rzymie", "Rzym"]
    assert not {"labels", "missing", "duplicates", "ties"} & only_rankings["items"][0].keys()
    on_gold = report_json(build_report(GOLD, answers_from_gold={"1": "Rzym"}))
    assert on_gold["answers_from_gold"]["fuzzy_match"]["correct"] == 1
    assert not any(map(nulls, (only_answers, only_rankings, on_gold)))


def test_an_item_holds_what_it_takes_to_score_it_again() -> None:
    labelled = GoldSet(
        "g", "", (Question("1", "Gdzie?", ("Rzym",), {"question_type": "SINGLE ENTITY"}),), GOLD.judgements
    )
    ranked = {"1": Ranking("1", ("x", "a", "x", "x"), (3.0, 2.0, 1.0, 0.5))}
    (item,) = report_json(build_report(labelled, {"1": ""}, ranked))["items"]
    assert item["labels"] == {"question_type": "SINGLE ENTITY"}
    assert (item["prediction"], item["length"], item["duplicates"]) == ("", 2, 2)
    assert not {"missing", "ties"} & item.keys()


def test_the_json_is_json() -> None:
    report = report_json(build_report(GOLD, {"1": 'ą"\n\x00'}, RANKINGS))
    assert json.loads(json.dumps(report, allow_nan=False)) == report


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "\n=1",
        "－1+1",
        "＝1",
        "=HYPERLINK(1)",
        "--5",
    ],
)
def test_a_formula_is_made_harmless(cell: str) -> None:
    assert harmless(cell) == "'" + cell


def test_a_formula_behind_another_separator_is_made_harmless() -> None:
    assert harmless("x;=cmd|'/c calc'!A0;y") == "x;'=cmd|'/c calc'!A0;y"
    assert harmless("a\t@b") == "a\t'@b"


@pytest.mark.parametrize(
    "cell", ["-5", "+5", "-5,5", "+0.25", " -5 ", "5", "tak", "", "a=b", "1-0", "'x", True, 7, None]
)
def test_a_number_and_plain_text_stay(cell: object) -> None:
    assert harmless(cell) == cell


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_the_items_as_csv() -> None:
    found = build_report(GOLD, {"1": "=HYPERLINK(1)", "2": "-5"}, RANKINGS, text_of={"x": "W Rzymie."}.get)
    text = items_csv(found)
    assert items_csv(found, answer_buckets(found)) == text
    assert text.startswith("\ufeff" + ",".join(CSV_COLUMNS) + "\r\n")
    assert text.count("polqa-demo|gold:") == 1
    first, second, third, fourth = rows(text)
    assert first["prediction"] == "'=HYPERLINK(1)"
    assert first["golds"] == "w Rzymie | Rzym"
    assert [row["bucket"] for row in (first, second, third, fourth)] == ["other", "other", "empty", ""]
    assert [row["cell"] for row in (first, second, third, fourth)] == ["reader_fault", "retriever_fault", "", ""]
    assert [row["answer_rank"] for row in (first, second)] == ["1", ""]
    assert (first["first_rank"], first["gold_passages"]) == ("2", "a b")
    assert second["prediction"] == "-5"
    assert (second["branch"], second["prediction_number"], second["gold_number"]) == ("number", "5", "12")
    assert (third["prediction"], third["correct"], third["first_rank"]) == ("", "False", "")


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs",))), st.text(st.characters(exclude_categories=("Cs",))))
def test_no_cell_can_break_the_table_or_run(question: str, answer: str) -> None:
    gold = GoldSet("g", "", (Question("=1", question, ("tak",)), Question("2", "Kto?", ("=tak",))))
    found = rows(items_csv(build_report(gold, {"=1": answer, "2": answer})))
    assert len(found) == 2
    for row, expected in zip(found, ("'=1", "2"), strict=True):
        assert row["question_id"] == expected
        assert row["prediction"] == harmless(answer)
        assert not row["golds"].startswith("=")
