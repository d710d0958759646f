"""Numbers in the place of answers: whole ones are read without a decimal point, whatever the form of the file."""

import io
import json
from decimal import Decimal

import pyarrow as pa
import pytest
from pyarrow.parquet import write_table

from polqa_demo.records import Question
from tests.submissions.answer_files import lines, objects, read, right

YEARS = ("1900", "1901", "1902", "1939", "1945", "2,5")
QUESTIONS = tuple(Question(str(place), "", (year, year.replace(",", "."))) for place, year in enumerate(YEARS, 1))
FLOATS = [1900.0, 1901.0, 1902.0, None, 1945.0, 2.5]


def test_floats_of_json() -> None:
    rows = objects(id=[item.id for item in QUESTIONS], answer=FLOATS)
    for data in (json.dumps(FLOATS), lines(rows), json.dumps(rows)):
        assert right(read(data, QUESTIONS), QUESTIONS) == 5
    assert read("[1e300, -2.0, 0.5, 1e15, 7, NaN]", QUESTIONS).predictions == {
        "1": "1e+300",
        "2": "-2",
        "3": "0.5",
        "4": "1000000000000000.0",
        "5": "7",
        "6": "",
    }


@pytest.mark.parametrize("listed", [False, True])
def test_decimals_of_parquet(listed: bool) -> None:
    numbers = [None if value is None else Decimal(value).quantize(Decimal("0.01")) for value in FLOATS]
    answers = [[number] for number in numbers] if listed else numbers
    out = io.BytesIO()
    write_table(pa.table({"id": [item.id for item in QUESTIONS], "answer": answers}), out)
    file = read(out.getvalue(), QUESTIONS)
    assert {key: text for key, text in file.predictions.items() if text} == {
        "1": "1900",
        "2": "1901",
        "3": "1902",
        "5": "1945",
        "6": "2.50",
    }
