"""Tables below titles and comments, between bars, in Markdown, and JSON that is not quite a line an object."""

import json

import pytest
from answer_files import HALF, IDS, lines, objects, read, refusal, right, table, told
from mutations import workbook

from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import Overrides

ROWS = table({"question_id": IDS, "answer": HALF})
SEMICOLONS = table({"question_id": IDS, "answer": HALF}, ";")


@pytest.mark.parametrize("first", ["sep=;\n", '"sep=;"\n', "\ufeffsep=;\r\n", "SEP=;\n", "sep=;;\n"])
@pytest.mark.parametrize("body", [SEMICOLONS, SEMICOLONS.split("\n", 1)[1]])
def test_the_separator_that_excel_names_is_no_row(first: str, body: str) -> None:
    file = read(first + body)
    assert right(file) == 6
    assert set(told(file)) == {"separator-line"}


@pytest.mark.parametrize(
    ("above", "count"),
    [("# model: x, seed 13\n# 2026\n", 2), ("Wyniki modelu A,\n,\n", 2), ("Wyniki\n\n", 2), ("#x,y,z\n", 1)],
)
def test_comments_and_titles_above_a_header_are_told(above: str, count: int) -> None:
    file = read(above + ROWS)
    assert right(file) == 6
    assert f"left out: {count} " in told(file)["lines-above-header"]
    assert read(above + ROWS, header=False).recognised.header == ()


def test_a_title_of_a_sheet_is_told() -> None:
    rows = [[*row] for row in zip(IDS, HALF, strict=True)]
    file = read(workbook([["Wyniki modelu A"], [], ["question_id", "answer"], *rows]))
    assert right(file) == 6
    assert "left out: 2 " in told(file)["lines-above-header"]
    # Blank rows keep their place where there is no header.
    blank = read(workbook([[None], *([answer] for answer in HALF[1:])]))
    assert blank.predictions["102"] == "Londyn"


@pytest.mark.parametrize("answer", ["id,ego", "id, ego i superego", "answer", "sep=", "sep=x", "# tak", "question"])
def test_answers_that_look_like_headers_are_answers(answer: str) -> None:
    file = read("\n".join((*HALF[:1], answer, *HALF[2:])))
    assert file.predictions["102"] == answer
    assert told(file) == {}


def test_bars_part_what_a_header_names() -> None:
    for separator in ("|", " | ", "||", " || "):
        file = read("".join(f"{key}{separator}{answer}\n" for key, answer in
                            (("question_id", "answer"), *zip(IDS, HALF, strict=True))))  # fmt: skip
        assert file.predictions == dict(zip(IDS, HALF, strict=True))
        assert told(file) == {}
    assert right(read("".join(f"{key} || {answer}\n" for key, answer in zip(IDS, HALF, strict=True)))) == 6


def test_a_table_of_markdown() -> None:
    rows = "".join(f"| {key} | {answer} |\n" for key, answer in zip(IDS, (*HALF[:11], "a \\| b"), strict=True))
    file = read("| question_id | answer |\n|:---|---:|\n" + rows)
    assert (file.form, file.predictions["112"], file.predictions["102"]) == ("markdown", "a | b", "Londyn")
    bare = read("question_id | answer\n--- | ---\n" + rows.replace("| 1", "1").replace(" |\n", "\n"))
    assert (bare.predictions["102"], right(bare)) == ("Londyn", 5)
    assert refusal("| nr | tekst |\n|---|---|\n" + rows)[0] == "missing-columns"
    assert read("| question_id | answer |\n|---|---|\n" * 6, form="lines").predictions["102"] == "|---|---|"


@pytest.mark.parametrize("hostile", ["|" + "-|" * 500_000, "--" + " " * 2_000_000 + "x", "|--" * 500_000 + "x"])
def test_a_rule_without_an_end_takes_no_time(hostile: str) -> None:
    assert read_table(f"| a | b |\n{hostile}\n".encode(), "f").form == "lines"


OBJECTS = objects(question_id=IDS, answer=HALF)
SEQUENCES = {
    "jq": "".join(json.dumps(row, indent=2) + "\n" for row in OBJECTS),
    "one line": "".join(json.dumps(row) for row in OBJECTS),
    "commas between lines": "".join(json.dumps(row) + ",\n" for row in OBJECTS),
    "commas but the last": ",\n".join(json.dumps(row) for row in OBJECTS),
    "an array with a comma too many": "[" + "".join(json.dumps(row) + ",\n" for row in OBJECTS) + "]",
    "an object with a comma too many": json.dumps(dict(zip(IDS, HALF, strict=True)))[:-1] + ",}",
    "a comma on one line": lines(OBJECTS).replace("}\n", "},\n", 3).replace("},\n", "}\n", 2),
}


@pytest.mark.parametrize("form", SEQUENCES)
def test_json_that_is_not_quite_is_read_and_told(form: str) -> None:
    file = read(SEQUENCES[form])
    assert file.predictions == dict(zip(IDS, HALF, strict=True))
    assert {"json-sequence", "json-commas"} & told(file).keys()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SEQUENCES["jq"] + "koniec", "line 49"),
        (SEQUENCES["jq"][:-10], "line 45"),
        (SEQUENCES["commas between lines"] + "[1]", "line 13"),
        ('{"id": 101, "answer": "tak"}\n{"id": 102', "first: 2"),
        ('[{"id": 101},\n\n {"id": 102', "line 3"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, words: str) -> None:
    code, message = refusal(text)
    assert (code, words in message) == ("not-json", True), message


def test_columns_of_json_are_rows_for_everyone() -> None:
    table_ = read_table(
        json.dumps({"question_id": [1, 2], "passage_id": ["1-1", "2-2"], "score": [1, 2]}).encode(), "f"
    )
    assert [row for _, row in table_.objects()] == [
        {"question_id": 1, "passage_id": "1-1", "score": 1},
        {"question_id": 2, "passage_id": "2-2", "score": 2},
    ]


@pytest.mark.parametrize(
    "row",
    [{"question_id": 1, "answers": ["a", "b"]}, {"question_id": [1, 2], "answer": "tak"}, {"id": [1], "answer": [1, 2]},
     {"columns": ["id"], "data": "x"}, {"data": [{"title": "x"}], "version": "1"}],
)  # fmt: skip
def test_other_objects_are_no_columns(row: dict[str, object]) -> None:
    found = [fields for _, fields in read_table(json.dumps(row).encode(), "f").objects()]
    assert found in ([row], [{"question_id": name, "value": value} for name, value in row.items()])


def test_rich_text_is_named() -> None:
    assert "is RTF" in refusal(r"{\rtf1\ansi 30\par}")[1]


def test_what_stands_beside_a_submission_is_passed_over() -> None:
    from mutations import zipped

    assert right(read(zipped(("pred.csv", ROWS.encode()), ("metadata", b"command: x")))) == 6
    assert refusal(zipped(("a.csv", ROWS.encode()), ("b.csv", b"x")))[0] == "several-files"
    assert Overrides(answer_column="x").policies == {"answer-column": "x"}
