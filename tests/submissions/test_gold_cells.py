"""What stands in the place of golds: no structure becomes a text, and what was decided is told."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.records import GoldSet
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Refused

PAIRS = [("w XIX", "19"), ("Łódka", "nad Łódką"), ("tak",)]


def golds(found: GoldSet) -> list[tuple[str, ...]]:
    return [question.answers for question in found.questions]


def codes(found: GoldSet) -> list[str]:
    return [remark.code for remark in found.remarks]


def table(cells: list[str], column: str = "answers") -> GoldSet:
    frame = pd.DataFrame({"question_id": range(1, len(cells) + 1), "question": "Kto?", column: cells})
    return read_gold(frame.to_csv(index=False).encode(), "g.csv")


def objects(*values: object, name: str = "answers") -> GoldSet:
    rows = [{"id": number, "question": f"Kto {number}?", name: value} for number, value in enumerate(values, 1)]
    return read_gold("".join(json.dumps(row) + "\n" for row in rows).encode(), "g.jsonl")


def test_lists_as_pandas_writes_the_arrays_of_parquet() -> None:
    arrays = [np.array(pair, dtype=object) for pair in PAIRS]
    frame = pd.DataFrame({"question_id": [1, 2, 3], "question": "Kto?", "answers": arrays})
    found = read_gold(frame.to_csv().encode(), "g.csv")
    assert golds(found) == PAIRS
    (told,) = found.remarks
    assert (told.code, told.severity, told.count, told.lines, told.file) == ("numpy-lists", "note", 2, (2, 3), "g.csv")
    assert golds(table([repr(array) for array in arrays])) == PAIRS
    parquet = io.BytesIO()
    frame.to_parquet(parquet)
    plain = read_gold(parquet.getvalue(), "g.parquet")
    assert (golds(plain), plain.remarks) == (PAIRS, ())


@pytest.mark.parametrize(
    "value",
    [
        {"text": ["a", "b"], "answer_start": [1, 5]},
        {"value": "a", "aliases": ["a", "b"], "normalized_aliases": ["a", "b"]},
        [{"text": "a", "answer_start": 0}, {"text": "b", "answer_start": 0}],
        [{"answer": "a"}, {"answer": "b", "provenance": []}, {"provenance": [{"wikipedia_id": "1"}]}],
        '["a", "b"]',
        "['a' 'b']",
        "{'text': ['a', 'b']}",
        ["['a', 'b']"],
    ],
)
def test_structures_give_the_texts_in_them(value: object) -> None:
    assert golds(objects(value)) == [("a", "b")]
    if isinstance(value, str):
        assert golds(table([value])) == [("a", "b")]


def test_the_structure_that_a_list_holds_as_a_text_is_told() -> None:
    assert codes(objects(["['a', 'b']"])) == ["printed-golds"]
    # Words in brackets are no list.
    found = objects(["[sic] tak", "[?]"], "(a)", name="golds")
    assert golds(found) == [("[sic] tak", "[?]"), ("(a)",)]


@pytest.mark.parametrize("value", [{"start": 1, "end": 2}, [{"label": "a"}], '{"start": 1}', "[{'start': 1}]"])
def test_an_object_without_a_text_is_refused_by_its_fields(value: object) -> None:
    with pytest.raises(Refused) as caught:
        objects("a", value)
    assert caught.value.code == "unknown-shape"
    assert caught.value.problems[0].lines == (2,)
    assert any(field in caught.value.say("en") for field in ("start", "label"))


@pytest.mark.parametrize("cell", ["['a'", "['a', b]", "'a', 'b']", "[a, b]", "array(['a'", '["a"', "{'a'", "a'] x"])
def test_broken_lists_are_refused_by_their_line(cell: str) -> None:
    if cell == "a'] x":
        # No bracket opens and none stands last: a text like any other.
        assert golds(table(["['a']", cell])) == [("a",), (cell,)]
        return
    with pytest.raises(Refused) as caught:
        table(["['a']", cell])
    assert (caught.value.code, caught.value.problems[0].lines) == ("bad-answers", (3,))


def test_single_texts_are_one_gold_each_and_told() -> None:
    for column in ("answers", "answer"):
        found = table(["w XIX", "tak", "", "[sic] nie"], column)
        assert golds(found) == [("w XIX",), ("tak",), (), ("[sic] nie",)]
        told = next(remark for remark in found.remarks if remark.code == "single-golds")
        assert (told.severity, told.count, told.lines) == ("note", 3, (2, 3, 5))
        assert column in told.message.en
    mixed = table(["['w XIX', '19']", "tak"])
    assert [(remark.code, remark.severity, remark.lines) for remark in mixed.remarks] == [
        ("single-golds", "warning", (3,))
    ]
    assert codes(objects(["a"], ["b"], name="answer")) == []


@pytest.mark.parametrize(
    "cells",
    [["w XIX|19", "tak"], ["w XIX | 19", "tak"], ["w XIX||19", "tak"], ["a; b", "c; d", "e"], ["a;b", "c", "d"]],
)
def test_cells_that_may_hold_several_golds_are_refused_with_both_cures(cells: list[str]) -> None:
    with pytest.raises(Refused) as caught:
        table(cells)
    assert caught.value.code == "joined-golds"
    assert "['a', 'b']" in caught.value.say("pl")
    assert any(whole in caught.value.say("en") for whole in ("['a|b']", "['a;b']"))


def test_a_rare_semicolon_belongs_to_its_answer() -> None:
    found = table(["Ala; kot", *["tak"] * 20])
    assert golds(found)[0] == ("Ala; kot",)
    assert [(remark.code, remark.severity) for remark in found.remarks] == [("single-golds", "warning")]
    assert "Ala; kot" in found.remarks[0].message.en
    # In a list nothing is open to doubt.
    assert codes(table(["['a|b', 'c;d']"])) == []
    assert codes(table(["|", "x |"])) == ["single-golds"]


def test_truth_values_are_tak_and_nie_in_every_form() -> None:
    frame = pd.DataFrame({"question_id": [1, 2, 3], "question": "Czy?", "answer": [True, False, "True"]})
    sheet = io.BytesIO()
    frame.to_excel(sheet, index=False)
    found = read_gold(sheet.getvalue(), "g.xlsx")
    assert golds(found) == [("tak",), ("nie",), ("True",)]
    told = next(remark for remark in found.remarks if remark.code == "truth-values")
    assert (told.count, told.lines) == (2, (2, 3))
    plain = io.BytesIO()
    frame[:2].assign(answer=[True, False]).to_parquet(plain)
    assert "truth-values" in codes(read_gold(plain.getvalue(), "g.parquet"))
    found = objects([True, "x"], False, ["True"])
    assert golds(found) == [("tak", "x"), ("nie",), ("True",)]
    assert [(remark.code, remark.count) for remark in found.remarks] == [("truth-values", 2)]
    assert codes(table(["True"])) == ["single-golds"]


def test_relevance_in_truth_values_is_no_gold() -> None:
    frame = pd.DataFrame({"question_id": [1, 1], "passage_id": ["a", "b"], "relevant": [True, False]})
    sheet = io.BytesIO()
    frame.to_excel(sheet, index=False)
    found = read_gold(sheet.getvalue(), "g.xlsx")
    assert [item.relevant for item in found.judgements] == [True, False]
    assert codes(found) == []


@pytest.mark.parametrize("empty", [[], [""], ["", " "], None, "", "[]", "['']", {"text": []}, [None]])
def test_empty_golds_are_none_in_every_form(empty: object) -> None:
    found = objects(["a"], empty)
    assert golds(found) == [("a",), ()]
    assert (found.unanswerable, codes(found)) == ({"2"}, [])
    if isinstance(empty, str):
        found = table(["['a']", empty])
        assert (golds(found), found.unanswerable) == ([("a",), ()], {"2"})


def test_one_empty_gold_among_others_is_dropped_alone() -> None:
    found = objects(["a", "", "b"], ["", "c"])
    assert golds(found) == [("a", "b"), ("c",)]
    assert [(remark.code, remark.count) for remark in found.remarks] == [("empty-golds", 2)]
    assert found.unanswerable == frozenset()
    lines = read_gold(b"a\t\tb\n\nc\n\t\n", "expected.tsv")
    assert golds(lines) == [("a", "b"), (), ("c",), ()]
    assert (lines.unanswerable, codes(lines)) == ({"2", "4"}, ["empty-golds"])


@given(st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1), max_size=4))
def test_a_list_gives_its_texts_however_it_is_written(texts: list[str]) -> None:
    wanted = tuple(dict.fromkeys(text for text in texts if text.strip()))
    plain = not any(text.lstrip().startswith(("[", "{", "array(")) for text in texts)
    if plain:
        for value in (texts, repr(texts), json.dumps(texts), np.array(texts, dtype=object).tolist()):
            assert golds(objects(value)) == [wanted]
