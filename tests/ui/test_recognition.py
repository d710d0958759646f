"""What a person may say about files on the page: as much as on the command line."""

from dataclasses import fields, replace

import pytest

from polqa_demo.submissions.table import Overrides
from polqa_demo.ui.recognition import CHOICES, ReadAs, defaults, read_as
from polqa_demo.ui.texts import TEXTS


def said(**choices: str) -> ReadAs:
    values = dict(zip(CHOICES, defaults(), strict=True)) | choices
    return read_as(*values.values())


def test_untouched_choices_leave_everything_to_the_content() -> None:
    assert said() == ReadAs()


@pytest.mark.parametrize(
    ("choices", "meaning"),
    [
        ({"kind": "rankings"}, ReadAs(Overrides(kind="rankings"))),
        ({"encoding": "cp1250"}, ReadAs(Overrides(encoding="cp1250"))),
        ({"form": "ranks"}, ReadAs(Overrides(form="ranks"))),
        ({"form": "distances"}, ReadAs(Overrides(form="distances"))),
        ({"header": "data"}, ReadAs(Overrides(header=False))),
        ({"quotes": "unquoted"}, ReadAs(Overrides(quotes=False))),
        ({"quotes": "quoted"}, ReadAs(Overrides(quotes=True))),
        ({"answer_column": "response"}, ReadAs(Overrides(answer_column="response"))),
        # any name, since columns have any
        ({"answer_column": "wynik modelu"}, ReadAs(Overrides(answer_column="wynik modelu"))),
        ({"duplicates": "last"}, ReadAs(duplicates="last")),
        ({"gold_kind": "gold-passages"}, ReadAs(gold_kind="passages")),
        ({"unanswerable": "abstain"}, ReadAs(unanswerable="abstain")),
    ],
)
def test_every_choice_means_what_the_option_does(choices: dict[str, str], meaning: ReadAs) -> None:
    assert said(**choices) == meaning


@pytest.mark.parametrize("value", [None, "", "../../etc/passwd", "auto", "x" * 10_000])
def test_what_is_no_choice_counts_as_untouched(value: str | None) -> None:
    values = [value] * len(CHOICES)
    found = read_as(*values)
    if value == "../../etc/passwd":
        # A name of a column may be any text; it is only compared with those of the file.
        found = replace(found, overrides=replace(found.overrides, answer_column=None))
    assert found == ReadAs()


def test_the_page_can_say_what_the_command_line_can() -> None:
    # A separator is part of the page's form (csv, tsv, semicolon).
    assert {field.name for field in fields(Overrides)} - {"separator"} <= set(CHOICES)


def test_every_choice_has_its_words() -> None:
    for name, values in CHOICES.items():
        assert f"eval.as_{name}" in TEXTS
        named = {"encoding", "answer_column"}
        words = [
            value for value in values if name not in named and value not in ("csv", "tsv", "jsonl", "json", "trec")
        ]
        assert all(f"choice.{value}" in TEXTS for value in words), name
