"""Files of answers in every form."""

import csv
import io
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polqa_demo.errors import Problem
from polqa_demo.records import Question
from polqa_demo.submissions.answers import AnswersFile, read_answers
from polqa_demo.submissions.problems import Refused

IDS = ("101", "102", "103", "104")
QUESTIONS = tuple(Question(key, f"Pytanie {key}?") for key in IDS)
RIGHT = dict(zip(IDS, ("tak", "Łódź, nad Łódką", "1 000", "NA"), strict=True))


def read(text: str, questions: tuple[Question, ...] = QUESTIONS) -> AnswersFile:
    return read_answers(text.encode(), questions, "odp.csv")


def refused(text: str) -> Problem:
    with pytest.raises(Refused) as caught:
        read(text)
    return caught.value.problems[0]


def found(file: AnswersFile) -> dict[str, Problem]:
    return {problem.code: problem for problem in file.problems}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("tak\nŁódź, nad Łódką\n1 000\nNA\n", "lines"),
        ("tak\r\nŁódź, nad Łódką\r\n1 000\r\nNA", "lines"),
        ("tak\rŁódź, nad Łódką\r1 000\rNA\r", "lines"),
        ('question_id,answer\n101,tak\n102,"Łódź, nad Łódką"\n103,1 000\n104,NA\n', "csv"),
        ('answer,uwagi,ID\ntak,,101\n"Łódź, nad Łódką",x,102\n1 000,,103\nNA,,104\n', "csv"),
        ("id_pytania\todpowiedz\n104\tNA\n103\t1 000\n102\tŁódź, nad Łódką\n101\ttak\n", "tsv"),
        ("qid;prediction\n101;tak\n102;Łódź, nad Łódką\n103;1 000\n104;NA\n", "semicolon"),
        ("101\ttak\n102\tŁódź, nad Łódką\n103\t1 000\n104\tNA\n", "tsv"),
        ("101,tak\n102,Łódź, nad Łódką\n103,1 000\n104,NA\n", "csv"),
        ('101,tak\n102,"Łódź, nad Łódką"\n103,1 000\n"104","NA"\n', "csv"),
        ("101;tak\n102;Łódź, nad Łódką\n103;1 000\n104;NA\n", "semicolon"),
        (
            '{"question_id": 101, "answer": "tak"}\n{"id": "102", "answer": "Łódź, nad Łódką"}\n'
            '{"qid": 103.0, "prediction": "1 000"}\n{"question-id": " 104 ", "answer": "NA", "score": 1}\n',
            "jsonl",
        ),
        (json.dumps([{"question_id": key, "answer": text} for key, text in RIGHT.items()]), "json"),
        (json.dumps(RIGHT, indent=1), "json"),
        (json.dumps(RIGHT), "json"),
    ],
)
def test_every_form_gives_the_same_answers(text: str, form: str) -> None:
    file = read(text)
    assert (file.predictions, file.form, file.problems) == (RIGHT, form, ())


def test_what_json_holds_becomes_text() -> None:
    rows = zip(IDS, (None, 7, 2.5, True), strict=True)
    file = read("".join(json.dumps({"id": key, "answer": value}) + "\n" for key, value in rows))
    assert file.predictions == {"101": "", "102": "7", "103": "2.5", "104": "tak"}
    assert found(file)["empty-answers"].lines == (1,)


def test_blank_lines_keep_their_place_and_surplus_ones_are_told() -> None:
    file = read("tak\n\n1 000\nNA\n\n \n\n")
    assert file.predictions == {"101": "tak", "102": "", "103": "1 000", "104": "NA"}
    assert found(file)["blank-lines-dropped"].severity == "note"
    assert (found(file)["blank-lines-dropped"].count, found(file)["blank-lines-dropped"].lines) == (3, (5, 6, 7))
    assert (found(file)["empty-answers"].severity, found(file)["empty-answers"].lines) == ("warning", (2,))


@pytest.mark.parametrize("text", ["tak\nnie\n", "tak\n" * 5])
def test_another_number_of_lines_is_refused_with_both_numbers(text: str) -> None:
    problem = refused(text)
    assert problem.code == "wrong-length"
    assert str(text.count("\n")) in problem.message.pl
    assert "4 questions" in problem.message.en
    assert "tak" in problem.message.en


def test_missing_answers_are_counted_not_refused() -> None:
    file = read("id,answer\n101,tak\n")
    assert file.predictions == {"101": "tak"}
    problem = found(file)["missing-ids"]
    assert (problem.severity, problem.count) == ("warning", 3)
    assert "102, 103, 104" in problem.message.pl


def test_unknown_ids_are_left_out_and_told() -> None:
    file = read("id,answer\n101,tak\n999,x\n102,a\n998,y\n103,b\n104,c\n")
    assert set(file.predictions) == set(IDS)
    problem = found(file)["extra-ids"]
    assert (problem.severity, problem.count, problem.lines) == ("warning", 2, (3, 5))


def test_ids_of_another_split_alone_are_refused() -> None:
    problem = refused("id,answer\n5,tak\n6,nie\n")
    assert (problem.code, problem.count, problem.lines) == ("wrong-split", 2, (2, 3))
    assert "101, 102, 103" in problem.message.en


def test_two_answers_to_one_question() -> None:
    problem = refused("id,answer\n101,tak\n102,a\n101,nie\n")
    assert (problem.code, problem.count, problem.lines) == ("duplicate-ids", 1, (4,))
    assert "101" in problem.message.pl
    file = read("id,answer\n101,tak\n101,tak\n102,a\n103,b\n104,c\n")
    assert (found(file)["repeated-rows"].severity, found(file)["repeated-rows"].lines) == ("note", (3,))
    assert len(file.predictions) == 4


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("id,tekst\n101,tak\n", "missing-columns", "id, tekst"),
        ('{"id": 101, "tekst": "tak"}\n', "missing-columns", "line 1"),
        ('{"answer": "tak"}\n', "missing-columns", "line 1"),
        ("id,answer\n", "no-predictions", "no predictions"),
        ("id,answer\n\n ,\n", "no-predictions", "no predictions"),
        ("[]", "no-predictions", "no predictions"),
    ],
)
def test_what_holds_no_answers_is_refused(text: str, code: str, words: str) -> None:
    problem = refused(text)
    assert problem.code == code
    assert words in problem.message.en


@pytest.mark.parametrize(
    "text",
    [
        "id,answer\n101.0,tak\n102.0,a\n103.0,b\n104.0,c\n",
        "101.0\ttak\n102.0\ta\n103.0\tb\n104.0\tc\n",
        '{"101.0": "tak", "102.0": "a", "103.0": "b", "104.0": "c"}',
    ],
)
def test_ids_that_a_spreadsheet_made_decimal(text: str) -> None:
    file = read(text)
    assert file.predictions == {"101": "tak", "102": "a", "103": "b", "104": "c"}
    assert (found(file)["float-ids"].severity, found(file)["float-ids"].count) == ("note", 4)


def test_ids_keep_zeros_in_front_and_decimals_that_are_not_everywhere() -> None:
    assert refused("id,answer\n0101,tak\n").code == "wrong-split"
    file = read("id,answer\n101.0,x\n102,a\n")
    assert file.predictions == {"102": "a"}


def test_an_unquoted_delimiter_in_the_last_column_is_joined_and_told() -> None:
    file = read("question_id\tanswer\n101\ttak\n102\tŁódź\tnad Łódką\n103\t1 000\n104\tNA\n")
    assert file.predictions == RIGHT | {"102": "Łódź\tnad Łódką"}
    assert (found(file)["extra-cells"].severity, found(file)["extra-cells"].lines) == ("warning", (3,))
    file = read("answer,id\ntak,101\nŁódź,102,nad\n")
    assert file.predictions == {"101": "tak", "102": "Łódź"}
    assert found(file)["extra-cells"].count == 1


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("id;answer\n101;['tak']\n102;['d\"a']\n103;[]\n104;['NA']\n", ("tak", 'd"a', "", "NA")),
        ("id\tanswer\n101\t[5]\n102\t[\"b\"]\n103\t\n104\t['c']\n", ("5", "b", "", "c")),
        ('{"101": ["tak"], "102": [], "103": null, "104": [1]}', ("tak", "", "", "1")),
        ('[{"id": 101, "answer": ["tak"]}, {"id": 102, "answer": ["x, y"]}]', ("tak", "x, y")),
    ],
)
def test_answers_that_are_lists_of_one_are_read_as_text(text: str, answers: tuple[str, ...]) -> None:
    file = read(text)
    assert tuple(file.predictions.values()) == answers
    assert found(file)["list-answers"].severity == "note"


def test_empty_cells_behind_the_last_column_are_nothing() -> None:
    file = read("id,answer\n101,tak,\n102,a,,\n103,b\n104,c\n")
    assert file.predictions == {"101": "tak", "102": "a", "103": "b", "104": "c"}
    assert file.problems == ()


def test_lists_of_several_answers_are_refused() -> None:
    problem = refused("id;answer\n101;['tak']\n102;['a', 'b']\n")
    assert (problem.code, problem.lines) == ("list-answers", (3,))


def test_a_list_of_one_among_texts_is_its_text() -> None:
    file = read("id;answer\n101;['tak']\n102;nie\n103;[sic!]\n")
    assert file.predictions == {"101": "tak", "102": "nie", "103": "[sic!]"}
    assert (found(file)["list-answers"].count, found(file)["list-answers"].lines) == (1, (2,))


def test_lines_of_which_only_some_begin_with_an_id_are_answers_as_they_stand() -> None:
    lines = ["101,5", "102 kg", "Kraków, 103", "104,7"]
    assert list(read("\n".join(lines)).predictions.values()) == lines


def test_a_lone_quote_in_tsv_swallows_nothing() -> None:
    file = read('id\tanswer\n101\t"Solaris\n102\tb\n103\tc"\n104\td\n')
    assert file.predictions == {"101": '"Solaris', "102": "b", "103": 'c"', "104": "d"}


# Anything a person or a model may write on one line; tabs and line breaks where the form can hold them.
LINE = st.text(st.characters(exclude_characters="\r\n\t", exclude_categories=("Cs",)))
NASTY = st.sampled_from(
    ['"', '""', "'", "NA", "null", "None", "", " ", "\x00", "a\x00b", "-5", "=1+1", "1,5", "a;b", '"a']
)
LINES = st.lists(NASTY | LINE, min_size=4, max_size=4)
TEXTS = st.lists(NASTY | st.text(st.characters(exclude_categories=("Cs",))), min_size=4, max_size=4)


def is_list(answers: list[str]) -> bool:
    """Answers that look like lists or objects are read as such, by design."""
    return any(answer.lstrip().startswith(("[", "{")) for answer in answers)


def is_quoted(answers: list[str]) -> bool:
    """Lines that csv may have quoted are read without their quotes, by design and told."""
    return any(len(answer) > 1 and answer.startswith('"') and answer.endswith('"') for answer in answers)


def is_file(text: str) -> bool:
    """A text of blanks alone, or a first line that is JSON or a header, is no list of answers."""
    first = next((line.lstrip("\ufeff") for line in text.split("\n") if line.strip()), "")
    return bool(first.strip()) and first.lstrip()[0] not in "{[" and "id" not in first.lower()


@given(LINES)
def test_one_a_line_round_trip(answers: list[str]) -> None:
    text = "".join(answer + "\n" for answer in answers)
    assume(is_file(text) and not is_list(answers) and not text.startswith("\ufeff") and text.count("\x00") < 2)
    assume(not is_quoted(answers))
    assert list(read(text).predictions.values()) == answers


@given(TEXTS, st.sampled_from([",", ";"]), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_csv_round_trip(answers: list[str], delimiter: str, quoting: int) -> None:
    assume(not is_list(answers))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
    writer.writerow(["question_id", "answer"])
    writer.writerows(zip(IDS, answers, strict=True))
    assume(out.getvalue().count("\x00") < 2)
    assert read(out.getvalue()).predictions == dict(zip(IDS, answers, strict=True))


@given(LINES)
def test_tsv_round_trip(answers: list[str]) -> None:
    text = "question_id\tanswer\n" + "".join(f"{key}\t{answer}\n" for key, answer in zip(IDS, answers, strict=True))
    assume(not is_list(answers) and text.count("\x00") < 2)
    assert read(text).predictions == dict(zip(IDS, answers, strict=True))


@given(TEXTS, st.booleans())
def test_json_round_trips(answers: list[str], ascii_only: bool) -> None:
    assume(not is_list(answers))
    expected = dict(zip(IDS, answers, strict=True))
    rows = [{"question_id": int(key), "answer": answer} for key, answer in expected.items()]
    for text in (
        "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows),
        json.dumps(rows, ensure_ascii=ascii_only, indent=2),
        json.dumps(expected, ensure_ascii=ascii_only),
    ):
        assert read(text).predictions == expected


@given(st.permutations(list(RIGHT.items())))
def test_the_order_of_rows_with_ids_does_not_matter(rows: list[tuple[str, str]]) -> None:
    text = "id\tanswer\n" + "".join(f"{key}\t{answer}\n" for key, answer in rows)
    assert read(text).predictions == RIGHT
