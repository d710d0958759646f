"""`evaluate` and `compare` from Python: names, files and values, beside what the command line says of the same."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from scipy.stats import binomtest

from polqa_demo import compare, evaluate
from polqa_demo.errors import UserError
from polqa_demo.evaluation import MEASURES, score_rankings
from polqa_demo.records import GoldSet, Question, Ranking
from polqa_demo.submissions.gold import load_gold
from polqa_demo.submissions.problems import Refused

SAMPLE = "polqa-demo-sample/test"
ROWS = [
    {"question_id": "7", "question": "Kto?", "answers": ["Jan Kowalski", "Kowalski"]},
    {"question_id": "8", "question": "Który rok?", "answers": ["1815"]},
    {"question_id": "9", "question": "Gdzie leży Ren?", "answers": ["w Niemczech"]},
]
ANSWERS = {"7": "Kowalski", "8": "1816", "9": "w Niemczech"}


def test_a_score_with_its_interval() -> None:
    found = evaluate(ROWS, ANSWERS)
    assert found.answers is not None
    score = found.answers.fuzzy_match
    assert (score.hits, score.n, score.value) == (2, 3, pytest.approx(2 / 3))
    wilson = binomtest(2, 3).proportion_ci(method="wilson")
    assert score.ci95 == pytest.approx((wilson.low, wilson.high))
    assert found.rankings is None
    assert [item.correct for item in found.items] == [True, False, True]
    assert "|rule:poleval|" in found.signature
    assert set(found.answers) == {"poleval", "readme", "card", "exact"}
    assert evaluate(ROWS, ANSWERS, rule="exact").answers.fuzzy_match == found.answers["exact"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "answers",
    [
        ANSWERS,
        list(ANSWERS.values()),
        tuple(ANSWERS.values()),
        [{"question_id": key, "answer": text} for key, text in ANSWERS.items()],
        pd.DataFrame({"question_id": [7, 8, 9], "answer": list(ANSWERS.values())}),
        pd.DataFrame({"id": ["9", "8", "7"], "prediction": list(reversed(ANSWERS.values()))}),
        pd.Series(list(ANSWERS.values())),
        pd.Series(dict(reversed(ANSWERS.items()))),
        pd.Series(dict(reversed(ANSWERS.items()))).rename_axis("question_id"),
        pd.Series({9: "w Niemczech", 7: "Kowalski", 8: "1816"}).to_frame("answer"),
        pd.Series(dict(reversed(ANSWERS.items()))).rename_axis("question_id").to_frame("answer"),
        pd.DataFrame({"id": [9, 7, 8], "answer": ["w Niemczech", "Kowalski", "1816"]}, index=[5, 1, 3]),
    ],
    ids=[
        "dictionary",
        "list",
        "tuple",
        "rows",
        "frame",
        "shuffled frame",
        "series",
        "series by id",
        "series by a named id",
        "frame by id",
        "frame by a named id",
        "rows of a larger frame",
    ],
)
@pytest.mark.parametrize("gold", [ROWS, pd.DataFrame(ROWS)], ids=["rows", "frame"])
def test_values_of_every_shape_are_read_alike(gold: object, answers: object) -> None:
    found = evaluate(gold, answers)
    assert found.answers is not None
    assert [item.correct for item in found.items] == [True, False, True]


def test_a_name_and_a_file_say_what_the_command_line_says(tmp_path: Path) -> None:
    gold = load_gold(SAMPLE)
    answers = {
        question.id: question.answers[0] if place % 3 else "nie wiem" for place, question in enumerate(gold.questions)
    }
    rankings = {
        judgement.question_id: ["999-9", judgement.passage_id] for judgement in gold.judgements if judgement.relevant
    }
    (tmp_path / "answers.json").write_text(json.dumps(answers, ensure_ascii=False), encoding="utf-8")
    (tmp_path / "rankings.json").write_text(json.dumps(rankings), encoding="utf-8")
    found = evaluate(SAMPLE, tmp_path / "answers.json", str(tmp_path / "rankings.json"))
    values = evaluate(gold, answers, rankings)
    assert found.rankings is not None
    assert found.rankings == values.rankings
    run = subprocess.run(
        [sys.executable, "-m", "polqa_demo", "--lang", "en", "score", "--gold", SAMPLE,
         "--answers", tmp_path / "answers.json", "--rankings", tmp_path / "rankings.json", "--json", "-"],
        capture_output=True, text=True, encoding="utf-8", timeout=120, check=True,
    )  # fmt: skip
    said = json.loads(run.stdout)
    assert found.signature == said["signature"]
    for name, score in found.rankings.items():
        assert score.value == said["rankings"][name]["value"]
        ends = said["rankings"][name].get("ci95") or said["uncertainty"]["rankings"]["intervals"][name]["ci95"]
        assert list(score.ci95) == ends
    assert set(found.rankings) <= set(MEASURES)
    assert "map" in found.rankings


def test_every_form_and_the_frame_of_items() -> None:
    found = evaluate(ROWS, [*list(ANSWERS.values())[:2], "NA"])
    assert "66" not in found.to_markdown("pl").splitlines()[0]
    assert found.signature in found.to_html()
    assert r"\begin{tabular}" in found.to_latex()
    assert json.loads(found.to_json())["signature"] == found.signature
    frame = found.to_pandas()
    assert frame["question_id"].tolist() == ["7", "8", "9"]
    assert frame["prediction"].tolist() == ["Kowalski", "1816", "NA"]
    assert frame["correct"].tolist() == [True, False, False]


def test_what_is_refused_says_why() -> None:
    with pytest.raises(Refused) as refused:
        evaluate(ROWS, {"70": "a", "80": "b"})
    assert refused.value.problems[0].code == "wrong-split"
    with pytest.raises(UserError, match="nope"):
        evaluate("nope", ANSWERS)
    with pytest.raises(UserError) as missing:
        evaluate(ROWS, "no-such-file.jsonl")
    assert "no-such-file.jsonl" in missing.value.message.en
    with pytest.raises(TypeError, match="answers"):
        evaluate(ROWS, {"7": object()})
    with pytest.raises(ValueError, match="bleu"):
        evaluate(ROWS, ANSWERS, rule="bleu")


def test_runs_are_compared_by_name() -> None:
    found = compare(ROWS, {"first": ANSWERS, "second": ["Kowalski", "1815", "w Niemczech"]})
    (comparison,) = found.comparisons
    assert {run.name: run.mean for run in comparison.runs} == {"first": pytest.approx(2 / 3), "second": 1}
    with pytest.raises(UserError):
        compare(ROWS, {"alone": ANSWERS})


def test_the_measures_of_rankings_alone() -> None:
    scores = score_rankings({"1": Ranking("1", ("a", "b"))}, {"1": {"b"}}, ["1"])
    assert scores["mrr@10"].value == 0.5
    assert MEASURES["p@10"].value(scores.items[0]) == 0.1


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import sys\nfrom polqa_demo import evaluate, compare\nprint(*{name.split('.')[0] for name in sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    heavy = {"gradio", "torch", "numpy", "pandas", "transformers", "datasets", "faiss", "tantivy", "scipy", "typer"}
    assert set(run.stdout.split()) & heavy == set()


def test_gold_of_records() -> None:
    gold = GoldSet("mine", "", (Question("1", "Kto?", ("ja",)),))
    assert evaluate(gold, ["ja"]).answers["poleval"].value == 1  # type: ignore[index]


def test_a_grouped_frame_keeps_its_questions() -> None:
    gold = [{"question_id": str(n), "passage_ids": [f"p{n}"]} for n in range(1, 13)]
    rows = pd.DataFrame([(str(n), f"p{m}") for n in range(1, 13) for m in (n, 50, 51)], columns=["qid", "docno"])
    found = evaluate(gold, rankings=rows.groupby("qid").docno.apply(list))
    assert found.rankings is not None
    assert found.rankings["accuracy@1"].value == 1


def test_numbers_keep_every_digit_and_dates_are_written_as_dates() -> None:
    gold = [{"question_id": q, "passage_ids": [q]} for q in "123"]
    scores = [(q, p, 1 - 1e-12 * (p != q)) for q in "123" for p in "321"]
    found = evaluate(gold, rankings=pd.DataFrame(scores, columns=["qid", "docno", "score"]))
    assert found.rankings is not None
    assert found.rankings["accuracy@1"].value == 1
    days = pd.DataFrame({"question_id": ["7", "8", "9"], "answer": pd.to_datetime(["1939-09-01"] * 3)})
    dated = [{"question_id": q, "question": "Kiedy?", "answers": ["1939-09-01"]} for q in "789"]
    answers = evaluate(dated, days, rule="exact").answers
    assert answers is not None
    assert answers.fuzzy_match.value == 1


@pytest.mark.parametrize("answers", [set(ANSWERS.values()), frozenset("ab"), b"tak", {"7": {"a", "b"}}])
def test_what_has_no_order_is_no_answer(answers: object) -> None:
    with pytest.raises(TypeError, match="answers"):
        evaluate(ROWS, answers)
