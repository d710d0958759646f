"""A column `label` beside passages: a grade where it holds verdicts, else a kind of question or answer."""

import pytest

from polqa_demo.data.polqa import gold_passages
from polqa_demo.records import GoldSet
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Refused
from tests.submissions.answer_files import lines, objects, table


def golds(form: str, labels: list[str]) -> GoldSet:
    columns = {"question_id": ["1", "2"], "question": ["Kto?", "Co?"], "answers": ["['tak']", "['nie']"]}
    columns |= {"passage_id": ["1-0", "2-0"], "label": labels}
    data = table(columns) if form == "csv" else lines(objects(**columns))
    return read_gold(data.encode(), "gold")


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_kinds_are_no_grades(form: str) -> None:
    for labels in (["PERSON", "DATE"], ["easy", ""]):
        found = golds(form, labels)
        assert gold_passages(found) == {"1": ("1-0",), "2": ("2-0",)}
        assert "label-column" in {remark.code for remark in found.remarks}


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_verdicts_are_grades(form: str) -> None:
    found = golds(form, ["1", "0"])
    assert gold_passages(found)["1"] == ("1-0",)
    assert [judgement.grade for judgement in found.judgements] == [1, 0]
    assert "label-column" not in {remark.code for remark in found.remarks}
    with pytest.raises(Refused) as caught:
        golds(form, ["1", "easy"])
    assert caught.value.code == "bad-relevant"
