"""Bytes of any kind: rows, or a refusal that says what to do."""

import io
import json
from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.data.columns import plain_name
from polqa_demo.errors import Problem
from polqa_demo.records import Question
from polqa_demo.settings import load_settings
from polqa_demo.submissions.answers import read_answers
from polqa_demo.submissions.gold import read_gold, read_gold_or_questions
from polqa_demo.submissions.kinds import recognise_kind
from polqa_demo.submissions.problems import Places, Refused, first_places, refuse
from polqa_demo.submissions.rankings import read_rankings
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import Overrides

QUESTIONS = tuple(Question(str(number), f"Pytanie {number}?") for number in (1, 2, 3))


def refused(data: bytes, overrides: Overrides | None = None) -> Problem:
    """The first problem of a file that is refused when it is opened or when its rows are read."""

    def read() -> None:
        table = read_table(data, "plik.csv", overrides)
        list(table.rows())
        list(table.objects())

    with pytest.raises(Refused) as caught:
        read()
    problem = caught.value.problems[0]
    assert problem.severity == "error"
    assert "plik.csv" in problem.message.en
    assert "plik.csv" in problem.message.pl
    return problem


def limited(monkeypatch: pytest.MonkeyPatch, **limits: int) -> None:
    knobs = load_settings(**limits)
    monkeypatch.setattr("polqa_demo.submissions.containers.settings", lambda: knobs)


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
        ('{"1": "a"}', "json", ()),
        ('[{"id": 1}]', "json", ()),
        ('["tak", "nie"]', "json", ()),
        ("['tak']\n['nie']\n", "lines", ()),
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
    ("overrides", "form", "header", "first"),
    [
        (Overrides(header=False), "lines", (), ["id,answer"]),
        (Overrides(header=False, separator=","), "csv", (), ["id", "answer"]),
        (Overrides(form="lines"), "lines", (), ["id,answer"]),
        (Overrides(separator="\t"), "tsv", (), ["id,answer"]),
        (Overrides(separator="|"), "separated", (), ["id,answer"]),
        (Overrides(header=True), "csv", ("id", "answer"), ["1", "a|b"]),
        (Overrides(form="csv"), "csv", ("id", "answer"), ["1", "a|b"]),
    ],
)
def test_what_was_recognised_can_be_overridden(
    overrides: Overrides, form: str, header: tuple[str, ...], first: list[str]
) -> None:
    table = read_table(b"id,answer\n1,a|b\n", "plik", overrides)
    assert (table.form, table.header, next(table.rows())[1]) == (form, header, first)


def test_a_header_without_a_known_name_is_one_when_a_person_says_so() -> None:
    table = read_table(b"nr|tekst\n1|a\n", "plik", Overrides(separator="|", header=True))
    assert table.header == ("nr", "tekst")
    assert [cells for _, cells in table.rows()] == [["1", "a"]]


def test_what_was_recognised_is_said() -> None:
    assert read_table(b"id,answer\n1,a\n", "f").recognised.say() == "csv, UTF-8, header"
    assert read_table(b"id,answer\n1,a\n", "f").recognised.say("pl") == "csv, UTF-8, nagłówek"
    assert read_table("tak\n".encode("utf-16"), "f").recognised.say() == "lines, UTF-16"
    found = read_table(b"1,a\n", "f", Overrides(separator=",")).recognised
    assert found.say() == "csv, UTF-8, no header"
    assert found.json() == {"form": "csv", "encoding": "UTF-8", "separator": ","}


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "empty-file", "empty"),
        (b"\xef\xbb\xbf \r\n\n", "empty-file", "empty"),
        (b"a\n" + bytes(range(32)) * 4 + b"\x00" * 300, "binary-file", "binary"),
        (b'{"id": 1}\n{"id": 2\n', "not-json", "first: 2"),
        (b'{"id": 1\n{"id": 2}\n', "not-json", "first: 1"),
        (b'{"id": 1}\n[2]\n', "not-json", "first: 2"),
        (b'{"1": "a", "2": }', "not-json", "after item 1"),
        (b'{"1": "a"', "not-json", "after item 1"),
        (b'[{"id": 1}, [2]]', "not-objects", "array"),
        (b'[{"id": 1}, {"id": 2]', "not-json", "after item 1"),
        (b"{" + b"[" * 9999, "not-json", "first: 1"),
    ],
)
def test_what_is_no_table_is_refused_plainly(data: bytes, code: str, words: str) -> None:
    problem = refused(data)
    assert problem.code == code
    assert words in problem.message.en


def test_the_line_at_fault_is_named() -> None:
    problem = refused(b'{"id": 1}\nx\n{"id": 2}\ny\nz\nw\n')
    assert (problem.count, problem.lines) == (4, (2, 4, 5))


def test_dictionaries_of_python_are_lines_of_json() -> None:
    table = read_table(b"{'id': 1, 'answer': 'd\\'Artagnan'}\n{\"id\": 2, \"answer\": null}\n", "f")
    assert list(table.objects()) == [
        (1, {"id": 1, "answer": "d'Artagnan"}),
        (2, {"id": 2, "answer": None}),
    ]
    assert [(problem.code, problem.lines) for problem in table.problems] == [("python-dicts", (1,))]
    # Literals alone: nothing is called, nothing is looked up.
    assert refused(b"{'id': __import__('os').getpid()}\n").code == "not-json"


def test_an_object_of_ids_that_names_one_twice_gives_it_twice() -> None:
    table = read_table(b'{"1": "a", "1": "b"}', "f")
    assert [row["value"] for _, row in table.objects()] == ["a", "b"]


def test_a_table_can_be_read_again() -> None:
    for data in (b"id,answer\n1,a\n", b"tak\n", b'["a"]'):
        table = read_table(data, "f")
        assert list(table.rows()) == list(table.rows()) != []


def test_what_breaks_lines_elsewhere_breaks_none_here() -> None:
    text = "a\u2028b\x85c\x0bd\x0ce\x1cf\n\nx\ry\nz"
    assert [cells for _, cells in read_table(text.encode(), "f").rows()] == [
        ["a\u2028b\x85c\x0bd\x0ce\x1cf"], [""], ["x\ry"], ["z"],
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(end: str) -> None:
    table = read_table(end.join(["id,answer", "1,a", '2,"b"', ""]).encode(), "f")
    assert list(table.rows()) == [(2, ["1", "a"]), (3, ["2", "b"])]


def test_mixed_line_ends() -> None:
    assert [cells for _, cells in read_table(b"id\tanswer\r\n1\ta\n2\tb\r\r\n3\tc", "f").rows()] == [
        ["1", "a"], ["2", "b"], ["3", "c"],
    ]  # fmt: skip


def test_a_stray_nul_is_kept_and_a_long_cell_is_read() -> None:
    rows = list(read_table(b"id,answer\n1,a\x00b\n2," + b"x" * 1_000_000 + b"\n", "f").rows())
    assert rows[0][1] == ["1", "a\x00b"]
    assert len(rows[1][1][1]) == 1_000_000


def test_half_a_surrogate_pair_in_json_can_be_written_afterwards() -> None:
    for text in ('{"id": 1, "answer": "\\ud800"}\n{"id": 2}', '[{"id": 1, "answer": "\\ud800"}]'):
        _, row = next(read_table(text.encode(), "f").objects())
        assert len(row["answer"]) == 1
        json.dumps(row["answer"], ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("limits", "data", "code"),
    [
        ({"max_line_chars": 100}, b"id,answer\n1," + b"x" * 200, "too-long"),
        ({"max_line_chars": 100}, b"x" * 300, "too-long"),
        ({"max_line_chars": 100}, b'{"id": "' + b"x" * 200 + b'"}\n{}\n', "too-long"),
        ({"max_line_chars": 100}, b'[{"id": "' + b"x" * 300_000 + b'"}]', "too-long"),
        ({"max_line_chars": 100}, b'{"1": ["' + b"x" * 300_000 + b'"]}', "too-long"),
        ({"max_rows": 5}, b"a\n" * 6, "too-many-rows"),
        ({"max_columns": 10}, b"id\tanswer\n" + b"\t" * 10, "too-many-columns"),
        ({"max_columns": 10}, b"id,answer\n" + b"," * 10, "too-many-columns"),
        ({"max_columns": 10}, b'id,answer\n"1' + b'","' * 10 + b'"\n', "too-many-columns"),
    ],
)
def test_limits_are_settings(monkeypatch: pytest.MonkeyPatch, limits: dict[str, int], data: bytes, code: str) -> None:
    list(read_table(data, "f").rows())
    limited(monkeypatch, **limits)
    assert refused(data).code == code
    (name,) = limits
    assert f"POLQA_{name.upper()}" in refused(data).message.pl


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=20,
    ),
    st.sampled_from([None, 1]),
    st.integers(1, 9),
)
def test_json_is_read_in_pieces_as_it_is_read_at_once(value: object, indent: int | None, piece: int) -> None:
    text = json.dumps([{"id": 1, "value": value}, {"id": 2}], indent=indent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polqa_demo.submissions.json_forms._PIECE", piece)
        found = [row for _, row in read_table(text.encode(), "f", Overrides(form="json")).objects()]
    assert found == json.loads(text)


def test_json_nested_beyond_all_measure_is_refused() -> None:
    for text in ("[" * 200_000, '[{"a": ' * 100_000, '{"1": ' + "[" * 200_000, '[{"id": 1}, ' + "[" * 200_000):
        assert refused(text.encode(), Overrides(form="json")).code == "not-json"


def test_an_array_on_one_endless_line_is_read_item_by_item(monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.dumps([{"id": number, "answer": "x" * 50} for number in range(9000)]).encode()
    limited(monkeypatch, max_line_chars=1000)
    assert sum(1 for _ in read_table(data, "f").objects()) == 9000


def test_a_cell_beyond_all_measure_is_refused_not_fatal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polqa_demo.submissions.delimited.CELL_LIMIT", 1000)
    assert refused(b'id,answer\n1,"' + b"x" * 1001 + b'"\n').lines == (2,)


def test_names_of_columns_are_compared_without_case_blanks_and_hyphens() -> None:
    assert plain_name("  Question - ID ") == "question_id"
    assert plain_name("Passage ID") == "passage_id"


def test_places_are_few_and_short() -> None:
    assert first_places(range(2)) == "0, 1"
    assert first_places(range(9)) == "0, 1, 2, …"
    assert first_places(["x" * 100]) == "x" * 60
    found = refuse("kod", "po polsku", "in English", 7, range(9))
    assert found.problems == (Problem("error", "kod", found.message, 7, (0, 1, 2)),)
    assert (found.say("pl"), found.say("en"), str(found)) == ("po polsku", "in English", "in English")
    places = Places()
    for line in range(2, 7):
        places.add(line, f"p{line}")
    assert (places.count, places.lines, places.shown) == (5, [2, 3, 4], "p2, p3, p4, …")


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
    except Refused as found:
        return found
    return None


@pytest.mark.parametrize("reader", READERS)
@given(data=st.binary(max_size=200) | PIECES | MANGLED)
def test_no_bytes_raise_anything_but_a_refusal(reader: Callable[[bytes], object], data: bytes) -> None:
    found = refusal(reader, data)
    if found:
        assert found.problems[0].severity == "error"
        assert all(problem.message.pl and problem.message.en for problem in found.problems)


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ('question_id,"question, as asked",answer', ("question_id", "question,_as_asked", "answer")),
        ('question_id,"answer\nof the system"', ("question_id", "answer_of_the_system")),
        ('"question_id","answer"', ("question_id", "answer")),
        ("question,prediction", ("question", "prediction")),
        (",question_id,answer", ("", "question_id", "answer")),
    ],
)
def test_a_header_is_read_as_the_rows_are(header: str, names: tuple[str, ...]) -> None:
    row = ["1", "a", "b"][: len(names)]
    table = read_table(f"{header}\n{','.join(row)}\n".encode(), "f.csv")
    assert table.header == names
    assert [cells for _, cells in table.rows()] == [row]


@pytest.mark.parametrize("first", ["question,1939", "tak,answer", "Kto to?,answer"])
def test_a_row_of_which_one_cell_is_a_word_for_a_column_is_no_header(first: str) -> None:
    assert read_table(f"{first}\n1,a\n".encode(), "f.csv").header == ()


def test_truth_values_of_cells_are_words_and_the_word_true_is_a_text() -> None:
    frame = pd.DataFrame({"question_id": [1, 2, 3], "answer": [True, False, "True"]})
    sheet, plain = io.BytesIO(), io.BytesIO()
    frame.to_excel(sheet, index=False)
    pd.DataFrame({"question_id": [1, 2], "answer": [True, False]}).to_parquet(plain)
    table = read_table(sheet.getvalue(), "f.xlsx")
    assert [cells[1] for _, cells in table.rows()] == ["tak", "nie", "True"]
    assert (table.findings.truths[1].count, table.findings.truths[1].lines) == (2, [2, 3])
    table = read_table(plain.getvalue(), "f.parquet")
    assert [cells[1] for _, cells in table.rows()] == ["tak", "nie"]
    assert table.findings.truths[1].count == 2
    table = read_table(b"question_id,answer\n1,True\n", "f.csv")
    assert [cells[1] for _, cells in table.rows()] == ["True"]
    assert not table.findings.truths


@pytest.mark.parametrize(
    ("text", "lines"),
    [("id,answer\n1,a\n\n ,\n2,b\n\n", (3, 4)), ('{"id": 1}\n\n{"id": 2}\n\n', (2,)), ("id,answer\n1,a\n\n", ())],
)
def test_blank_rows_between_others_are_told_by_the_table_itself(text: str, lines: tuple[int, ...]) -> None:
    table = read_table(text.encode(), "f")
    for _ in range(2):
        list(table.rows() if table.read_rows else table.objects())
        assert [(problem.code, problem.lines) for problem in table.problems] == (
            [("blank-rows", lines)] if lines else []
        )


def test_what_was_overruled_stands_in_words() -> None:
    known = Overrides(encoding="cp1250", form="ranks", separator="\t", header=False, answer_column="wynik", quotes=True)
    assert known.policies == {
        "encoding": "cp1250",
        "form": "ranks",
        "separator": "tab",
        "header": "no",
        "answer-column": "wynik",
        "quotes": "yes",
    }
    assert Overrides().policies == {}
