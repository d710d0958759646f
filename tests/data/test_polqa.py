"""PolQA as it is published: cells of answers, splits, rows of the hub."""

import gc
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.data import polqa
from polqa_demo.errors import UserError


@pytest.mark.parametrize(
    ("cell", "answers"),
    [
        ("['w Indiach', 'Indie']", ("w Indiach", "Indie")),
        ('["w Indiach", "Indie"]', ("w Indiach", "Indie")),
        ('["d\'Artagnan", \'rzekł "nie"\']', ("d'Artagnan", 'rzekł "nie"')),
        ('["d\'Artagnan", "rzekł \\"nie\\""]', ("d'Artagnan", 'rzekł "nie"')),
        ("[1, 2.5]", ("1", "2.5")),
        ("['1', None]", ("1",)),
        ('["1", null]', ("1",)),
        ("['NA', 'null', '']", ("NA", "null", "")),
        ("[]", ()),
        ("  ['a']\n", ("a",)),
        ("['ścieżka\\d']", ("ścieżka\\d",)),
        ("['\\ud800x']", ("\ufffdx",)),
        ('["\\ud800x"]', ("\ufffdx",)),
        ("w Indiach", None),
        ("30", None),
        ("1, 2", None),
        ("", None),
        ("{'a': 1}", None),
        ("['a'", None),
        ("[\0]", None),
        ("[" * 5000, None),
        ("__import__('os').system('true')", None),
    ],
)
def test_answers_are_python_or_json_lists(cell: str, answers: tuple[str, ...] | None) -> None:
    assert polqa.parse_answers(cell) == answers


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)))))
def test_every_list_of_answers_survives_both_ways_of_writing(answers: list[str]) -> None:
    assert polqa.parse_answers(repr(answers)) == tuple(answers)
    assert polqa.parse_answers(json.dumps(answers)) == tuple(answers)
    assert polqa.parse_answers(json.dumps(answers, ensure_ascii=False)) == tuple(answers)


def test_the_split_that_the_hub_calls_valid_has_two_names() -> None:
    assert polqa.split_file("valid") == polqa.split_file("validation") == "valid.csv"
    with pytest.raises(UserError, match="test, train, valid, validation"):
        polqa.split_file("dev")


# The library leaves the file of a stream that is given up half way to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_stream_of_other_columns_and_no_stream_at_all(tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("id,answer\n1,a\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        list(polqa.stream_rows("test", str(tmp_path)))
    assert caught.value.code == "missing-columns"
    del caught
    gc.collect()
    with pytest.raises(UserError, match=r"train\.csv") as caught:
        list(polqa.stream_rows("train", str(tmp_path)))
    assert caught.value.code == "hub-unreachable"
    assert "--gold" in caught.value.say("pl")
    with pytest.raises(UserError):
        list(polqa.stream_rows("dev", str(tmp_path)))
