"""Which letters the bytes are."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mutations import ANSWERS, ENCODINGS, IDS, WRAPPINGS, answer_texts, encodable, ranking_texts

from polqa_demo.errors import Problem
from polqa_demo.records import Question
from polqa_demo.submissions.answers import read_answers
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import read_rankings
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import Overrides, Table

PANGRAM = "Pchnąć w tę łódź jeża lub ośm skrzyń fig. ŚĆŹĄ"
QUESTIONS = tuple(Question(key, f"Czy {key}?") for key in IDS)


def line(table: Table) -> str:
    return next(table.rows())[1][0]


def refused(data: bytes, encoding: str | None = None) -> Problem:
    with pytest.raises(Refused) as caught:
        read_table(data, "plik", Overrides(encoding))
    return caught.value.problems[0]


@pytest.mark.parametrize(
    ("encoding", "label"),
    [
        ("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8 BOM"), ("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"), ("utf-32", "UTF-32"), ("cp1250", "cp1250"), ("iso8859-2", "ISO-8859-2"),
    ],
)  # fmt: skip
def test_an_encoding_is_told_by_its_bytes_and_said(encoding: str, label: str) -> None:
    table = read_table((PANGRAM + "\n").encode(encoding), "plik")
    assert (line(table), table.recognised.encoding) == (PANGRAM, label)
    noted = [problem for problem in table.problems if problem.code == "encoding"]
    assert bool(noted) == (not label.startswith("UTF-8"))
    assert all(label in problem.message.pl for problem in noted)


def test_letters_that_are_the_same_in_both_are_no_conflict() -> None:
    table = read_table("żółć i jęk\n".encode("cp1250"), "plik")
    assert (line(table), table.recognised.encoding) == ("żółć i jęk", "cp1250 = ISO-8859-2")


@pytest.mark.parametrize("text", ["„źdźbło” – ości…", "Café, naïve Müller i źdźbło ś", "ości 20 °C § 5 ą"])
def test_signs_and_other_letters_beside_polish_ones(text: str) -> None:
    assert line(read_table(text.replace("ï", "i").encode("cp1250"), "plik")) == text.replace("ï", "i")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (PANGRAM.encode("cp852"), "not-utf8"),
        ("Привет, мир".encode("cp1251"), "not-utf8"),
        (bytes(range(0x80, 0x100)), "not-utf8"),
        ("ąśź".encode("cp1250") + "ąśź".encode("iso8859-2"), "not-utf8"),
        (f"{PANGRAM}\n".encode() + PANGRAM.encode("cp1250"), "mixed-encodings"),
        (f"{PANGRAM}ą".encode()[:-1], "mixed-encodings"),
        (PANGRAM.encode("utf-16")[:-1], "not-decodable"),
        (b"\xff\xfe\x00\xd8a\x00", "not-decodable"),
    ],
)
def test_letters_that_speak_for_nothing_are_refused(data: bytes, code: str) -> None:
    problem = refused(data)
    assert problem.code == code
    assert "UTF-8" in problem.message.pl


def test_the_line_of_the_wrong_byte_is_named_however_far_down() -> None:
    data = "tak ą\n".encode() * 300_000 + b"\xb9\n"
    assert refused(data).lines == (300_001,)


def test_a_named_encoding_is_taken() -> None:
    for encoding in ("cp852", "cp1250", "utf-8", "utf-16", "UTF8", "latin2"):
        if encodable(PANGRAM, encoding):
            assert line(read_table(PANGRAM.encode(encoding), "plik", Overrides(encoding))) == PANGRAM
    assert line(read_table(PANGRAM.encode("utf-8-sig"), "plik", Overrides("utf-8"))) == PANGRAM
    assert refused(PANGRAM.encode("cp1250"), "utf-8").code == "not-decodable"
    for name in ("nie-ma", "rot13", "hex", "\x00", ""):
        if name:
            assert refused(b"tak", name).code == "unknown-encoding"


def test_a_file_of_iso_8859_2_gives_the_same_answers() -> None:
    for sample in answer_texts():
        text = sample.text.replace("„", "").replace("”", "")
        file = read_answers(text.encode("iso8859-2"), QUESTIONS)
        assert list(file.predictions.values()) == [answer.strip("„”") for answer in ANSWERS]


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(answer_texts()), st.sampled_from(ENCODINGS), st.sampled_from(list(WRAPPINGS)))
def test_answers_in_every_form_encoding_and_container(sample, encoding: str, wrapping: str) -> None:  # type: ignore[no-untyped-def]
    assume(encodable(sample.text, encoding))
    file = read_answers(WRAPPINGS[wrapping](sample.text.encode(encoding)), QUESTIONS)
    assert file.predictions == dict(zip(IDS, ANSWERS, strict=True))
    # Of an answer that is `null`, questions without golds cannot say that it is one.
    assert {problem.code for problem in file.problems} <= {"encoding", "python-dicts", "missing-values"}


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(ranking_texts()), st.sampled_from(ENCODINGS), st.sampled_from(list(WRAPPINGS)))
def test_rankings_in_every_form_encoding_and_container(sample, encoding: str, wrapping: str) -> None:  # type: ignore[no-untyped-def]
    data = sample.text.encode(encoding)
    expected = read_rankings(next(item for item in ranking_texts() if item.form == "jsonl").text.encode(), QUESTIONS)
    file = read_rankings(WRAPPINGS[wrapping](data), QUESTIONS)
    found = {key: ranking.passage_ids for key, ranking in file.rankings.items()}
    assert found == {key: ranking.passage_ids for key, ranking in expected.rankings.items()}


# Two capitals in a row, such as ĆŁ, can be one letter of UTF-8; where nothing else stands, nobody can tell.
LETTERS = st.lists(st.sampled_from("aąćęłńóśźżĄĆĘŁŃÓŚŹŻ ,.-09"), min_size=1, max_size=40).map("a".join)


@settings(deadline=None)
@given(LETTERS, st.sampled_from(["cp1250", "iso8859-2", "utf-8"]))
def test_polish_letters_are_never_misread(text: str, encoding: str) -> None:
    try:
        table = read_table(f"a{text}b".encode(encoding), "plik")
    except Refused:
        return
    assert line(table) == f"a{text}b"
