"""Numbers as spreadsheets and programs write them."""

import json
import math

import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.ranking_numbers import Number, NumberColumn, is_nan, is_whole, number_of
from polqa_demo.submissions.rankings import read_rankings


@pytest.mark.parametrize(
    ("cell", "value", "writing"),
    [
        ("19", 19, "plain"),
        (" -1.5e3 ", -1500, "plain"),
        (7, 7, "plain"),
        ("6,3333", 6.3333, "decimal-comma"),
        ("-0,5", -0.5, "decimal-comma"),
        ("tensor(19.)", 19, "wrapped"),
        ("tensor(0.5, device='cuda:0')", 0.5, "wrapped"),
        ("np.float32(0.5)", 0.5, "wrapped"),
        ("numpy.float64(-1e-3)", -0.001, "wrapped"),
        ("[0.5]", 0.5, "wrapped"),
        ("tensor([2])", 2, "wrapped"),
        ("-inf", -math.inf, "infinite"),
        ("Infinity", math.inf, "infinite"),
        (-math.inf, -math.inf, "infinite"),
    ],
)
def test_a_number_and_how_it_is_written(cell: object, value: float, writing: str) -> None:
    assert number_of(cell) == Number(value, writing)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "cell",
    ["", "dużo", "1,234,567", "1_0", "１２", "nan", float("nan"), None, "1-0", "tensor(a)", "f(1)(2)", "[1, 2]",
     "1e999", "tensor(" + "1" * 300 + ")", ["1"], {"a": 1}],
)  # fmt: skip
def test_what_is_no_number(cell: object) -> None:
    assert number_of(cell) is None


def test_whole_numbers_and_those_that_are_none() -> None:
    assert [is_whole(cell) for cell in ("1", "1.0", "-3", "1.5", "x", "inf")] == [True, True, True, False, False, False]
    assert all(map(is_nan, ("NaN", " nan ", "-nan", float("nan"))))
    assert not any(map(is_nan, ("inf", None, 1.0, "")))


def test_a_column_reads_what_it_can_and_tells_it() -> None:
    column = NumberColumn("run.tsv", 1)
    cells = ["2", "1,5", "-inf", "np.float32(0.5)", "1,25"]
    assert [column.number(line, ["q", cell]) for line, cell in enumerate(cells, 1)] == [2, 1.5, -math.inf, 0.5, 1.25]
    told = {problem.code: problem for problem in column.problems()}
    assert {code: problem.count for code, problem in told.items()} == {
        "decimal-commas": 2, "infinite-scores": 1, "printed-numbers": 1,
    }  # fmt: skip
    assert "1,5 is 1.5" in told["decimal-commas"].message.en
    assert told["decimal-commas"].lines == (2, 5)
    assert [NumberColumn("run.tsv", 0).nearness(1, [cell]) for cell in ("2", "inf")] == [-2, -math.inf]


def test_nan_is_refused_by_its_name() -> None:
    with pytest.raises(Refused) as caught:
        NumberColumn("run.tsv", 0).number(7, ["NaN"])
    problem = caught.value.problems[0]
    assert (problem.code, problem.lines) == ("not-a-number", (7,))
    assert "NaN in place of a number" in problem.message.en
    assert "NaN zamiast liczby" in problem.message.pl


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        (("1,234", "987.5", "12.25"), "mixed-decimals"),
        (("0,512", "0.498", "1,234"), ""),
        (("1,234", "0,987", "0,5"), ""),
        (("1,234", "987", "12"), ""),
    ],
)
def test_commas_between_thousands_beside_decimal_points(numbers: tuple[str, ...], code: str) -> None:
    rows = "".join(f"201\t{place}-0\t{number}\n" for place, number in enumerate(numbers, 1))
    listed = json.dumps({"id": "201", "ctxs": [{"id": f"{at}-0", "score": one} for at, one in enumerate(numbers, 1)]})
    for text, name in (("question_id\tpassage_id\tscore\n" + rows, "run.tsv"), (listed + "\n", "run.jsonl")):
        assert refusal(text, name) == code


def refusal(text: str, name: str) -> str:
    try:
        read_rankings(text.encode(), (Question("201", ""),), name)
    except Refused as refused:
        return refused.code
    return ""
