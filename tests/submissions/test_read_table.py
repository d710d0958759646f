"""Bytes of any kind: rows, or a refusal that says what to do."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.records import Question
from polqa_demo.submissions.answers import read_answers
from polqa_demo.submissions.gold import read_gold, read_gold_or_questions
from polqa_demo.submissions.kinds import recognise_kind
from polqa_demo.submissions.problems import Problem, Refused, first_places, refuse
from polqa_demo.submissions.rankings import read_rankings
from polqa_demo.submissions.reading import plain_name, read_table, split_cells

QUESTIONS = tuple(Question(str(number), f"Pytanie {number}?") for number in (1, 2, 3))


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("a.csv", "question_id,answer\n1,a\n")
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "form", "header"),
    [
        ("tak\nnie\n", "lines", ()),
        ("question_id,answer\n1,a\n", "csv", ("question_id", "answer")),
        ("\ufeffQuestion-ID\tOdpowiedź\n1\ta\n", "tsv", ("question_id", "odpowiedź")),
        ("id_pytania;odpowiedz\n1;a\n", "semicolon", ("id_pytania", "odpowiedz")),
        ('"question id","answer"\n1,a\n', "csv", ("question_id", "answer")),
        ("\n\nqid,answer\n1,a\n", "csv", ("qid", "answer")),
        ('{"id": 1}\n', "jsonl", ()),
        (' \n {"id": 1}\n', "jsonl", ()),
        ('{\n"1": "a"\n}\n', "json", ()),
        ('[{"id": 1}]', "json", ()),
        ("[tak\n[nie\n", "lines", ()),
        ("id\n1\n", "lines", ()),
        ("wiki\tGdzie?\n", "lines", ()),
    ],
)
def test_a_form_is_recognised_by_content(text: str, form: str, header: tuple[str, ...]) -> None:
    for name in ("plik.csv", "plik.bin", "PLIK.JSONL"):
        table = read_table(text.encode(), name)
        assert (table.form, table.header) == (form, header)


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "empty-file", "empty"),
        (b"\xef\xbb\xbf \r\n\n", "empty-file", "empty"),
        (gzip.compress(b"a"), "not-text", "gzip"),
        (zipped(), "not-text", "ZIP/XLSX"),
        (b"PAR1....", "not-text", "Parquet"),
        (b"%PDF-1.7", "not-text", "PDF"),
        ("id,answer".encode("utf-16"), "utf-16", "UTF-16"),
        ("id,answer".encode("utf-16-be"), "binary-file", "binary"),
        ("tak\ntak\nŁódź\n".encode("cp1250"), "not-utf8", "line 3"),
        (b"a\n" + bytes(range(32)) * 4 + b"\x00" * 300, "binary-file", "binary"),
        (b'{"id": 1}\n{"id": 2\n', "not-json", "first: 2"),
        (b"{'id': 1}\n", "not-json", "first: 1"),
        (b'{"id": 1}\n[2]\n', "not-json", "first: 2"),
        (b"[1, 2]", "not-objects", "array"),
        (b"{" + b"[" * 9999, "not-json", "first: 1"),
    ],
)
def test_what_is_no_table_is_refused_plainly(data: bytes, code: str, words: str) -> None:
    with pytest.raises(Refused) as caught:
        read_table(data, "plik.csv")
    (problem,) = caught.value.problems
    assert (problem.severity, problem.code) == ("error", code)
    assert words in problem.message.en
    assert "plik.csv" in problem.message.en
    assert "plik.csv" in problem.message.pl


def test_the_line_at_fault_is_named() -> None:
    with pytest.raises(Refused) as caught:
        read_table(b'{"id": 1}\nx\n{"id": 2}\ny\nz\nw\n', "f")
    (problem,) = caught.value.problems
    assert (problem.count, problem.lines) == (4, (2, 4, 5))


def test_rows_are_named_by_the_line_where_they_begin() -> None:
    table = read_table(b'id,answer\n1,"a\nb\r\nc"\n\n2,d\n', "f")
    assert [(row.line, row.cells) for row in table.rows] == [(2, ("1", "a\nb\r\nc")), (6, ("2", "d"))]


def test_tabs_are_never_quoted_and_a_lone_quote_glues_nothing() -> None:
    table = read_table(b'id\tanswer\n1\t"a\n2\tb"\n3\t"c"\n', "f")
    assert [row.cells[1] for row in table.rows] == ['"a', 'b"', '"c"']


def test_a_stray_nul_is_kept_and_a_long_cell_is_read() -> None:
    table = read_table(b"id,answer\n1,a\x00b\n2," + b"x" * 300_000 + b"\n", "f")
    assert table.rows[0].cells == ("1", "a\x00b")
    assert len(table.rows[1].cells[1]) == 300_000


def test_a_cell_beyond_all_measure_is_refused_not_fatal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polqa_demo.submissions.reading.CELL_LIMIT", 1000)
    with pytest.raises(Refused, match="line 2"):
        read_table(b"id,answer\n1," + b"x" * 1001 + b"\n", "f")
    with pytest.raises(Refused, match="line 1"):
        split_cells(read_table(b'1,"' + b"x" * 1001 + b'"\n', "f"), ",")


def test_half_a_surrogate_pair_in_json_can_be_written_afterwards() -> None:
    for text in ('{"id": 1, "answer": "\\ud800"}\n{"id": 2}', '[{"id": 1, "answer": "\\ud800"}]'):
        answer = read_table(text.encode(), "f").objects[0][1]["answer"]
        assert answer == "\ufffd"
        json.dumps(answer, ensure_ascii=False).encode()


def test_names_of_columns_are_compared_without_case_blanks_and_hyphens() -> None:
    assert plain_name("  Question - ID ") == "question_id"
    assert plain_name("Passage ID") == "passage_id"


def test_places_are_few_and_short() -> None:
    assert first_places(range(2)) == "0, 1"
    assert first_places(range(9)) == "0, 1, 2, …"
    assert first_places(["x" * 100]) == "x" * 60
    refused = refuse("kod", "po polsku", "in English", 7, range(9))
    assert refused.problems == (Problem("error", "kod", refused.message, 7, (0, 1, 2)),)
    assert (refused.say("pl"), refused.say("en"), str(refused)) == ("po polsku", "in English", "in English")


READERS = (
    lambda data: read_answers(data, QUESTIONS),
    lambda data: read_rankings(data, QUESTIONS, in_corpus=str.isdigit),
    read_gold,
    lambda data: read_gold(data, "g.tsv", "passages", QUESTIONS),
    read_gold_or_questions,
    lambda data: recognise_kind(data, "f", QUESTIONS),
)
# What files are made of, so that chance gets past the first check.
WORDS = """id question_id passage_id answer answers question score rank passage_ids passages 1 2 3 1.0 12-3 Q0 nan inf
    1e999 true null ['a'] [] {} { } [ ] " "" ' \\ud800""".split()
SIGNS = ["\t", ",", ";", "\n", "\r\n", "\r", " ", "\x00", "\ufeff", ":", '"id": 1', '{"id": 1, "answer": "a"}\n']
HEADERS = [
    "",
    "id,question,answers\n",
    "question-id\tpassage-id\tscore\trank\n",
    "id;answer\n",
    '{"id": 1, "passages": [',
]
PIECES = st.builds(
    lambda header, pieces: (header + "".join(pieces)).encode(),
    st.sampled_from(HEADERS),
    st.lists(st.sampled_from([*WORDS, *SIGNS]), max_size=40),
)
MANGLED = st.builds(
    lambda data, place, extra: data[:place] + extra + data[place:], PIECES, st.integers(0, 60), st.binary(max_size=3)
)


def refusal(reader: Callable[[bytes], object], data: bytes) -> Refused | None:
    try:
        reader(data)
    except Refused as refused:
        return refused
    return None


@pytest.mark.parametrize("reader", READERS)
@given(data=st.binary(max_size=200) | PIECES | MANGLED)
def test_no_bytes_raise_anything_but_a_refusal(reader: Callable[[bytes], object], data: bytes) -> None:
    refused = refusal(reader, data)
    if refused:
        assert refused.problems[0].severity == "error"
        assert all(problem.message.pl and problem.message.en for problem in refused.problems)
