"""Files in files: gzip, zip, workbooks and parquet, whole, broken, nested and hostile."""

import datetime as dt
import gzip
import io
import os
import pickle
import threading
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
from mutations import ANSWERS, IDS, WRAPPINGS, parquet, workbook, zipped

from polqa_demo.errors import Problem, UserError
from polqa_demo.records import Question
from polqa_demo.settings import load_settings
from polqa_demo.submissions.answers import read_answers
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import read_rankings
from polqa_demo.submissions.reading import read_table


def arrow_stream(columns: dict[str, list[object]]) -> bytes:
    """A table as `datasets` saves it."""
    out = pa.BufferOutputStream()
    table = pa.table(columns)
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    return out.getvalue().to_pybytes()


CSV = b"question_id,answer\n1,a\n"
QUESTIONS = tuple(Question(key, "") for key in IDS)
RIGHT = dict(zip(IDS, ANSWERS, strict=True))


def refused(data: bytes | Path) -> Problem:
    def read() -> None:
        list(read_table(data, "plik.dat").rows())

    with pytest.raises(Refused) as caught:
        read()
    return caught.value.problems[0]


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_one_file_inside_is_read(wrapping: str, tmp_path: Path) -> None:
    data = WRAPPINGS[wrapping](CSV)
    path = tmp_path / "pred"
    path.write_bytes(data)
    for content in (data, path):
        table = read_table(content, "pred")
        assert list(table.rows()) == list(table.rows()) == [(2, ["1", "a"])]
    assert table.recognised.wrapped == (() if wrapping == "plain" else tuple(wrapping.split(" in ")[::-1]))


def test_several_members_of_gzip_are_one_stream() -> None:
    data = gzip.compress(CSV) + gzip.compress(b"2,b\n")
    assert [cells for _, cells in read_table(data, "f").rows()] == [["1", "a"], ["2", "b"]]


def test_workbooks_and_parquet_may_be_packed() -> None:
    book = workbook([["id", "answer"], [1, "a"]])
    columns = parquet({"id": [1], "answer": ["a"]})
    for data in (gzip.compress(book), zipped(("a.xlsx", book)), gzip.compress(columns), zipped(("a", columns))):
        assert [cells for _, cells in read_table(data, "f").rows()] == [["1", "a"]]


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (zipped(("a.csv", CSV), ("b.csv", CSV)), "several-files", "a.csv, b.csv"),
        (zipped(), "empty-archive", "none"),
        (zipped(("a/", b""), ("__MACOSX/._a", b"x"), ("a/.DS_Store", b"x")), "empty-archive", "none"),
        (gzip.compress(gzip.compress(CSV)), "nested-archive", "gzip > gzip"),
        (zipped(("a.zip", zipped(("b", CSV)))), "nested-archive", "zip > zip"),
        (gzip.compress(zipped(("a", gzip.compress(CSV)))), "nested-archive", "gzip > zip > gzip"),
        (gzip.compress(CSV)[:-9], "broken-file", "gzip"),
        (gzip.compress(CSV)[:12] + b"\xff" * 30, "broken-file", "gzip"),
        (b"\x1f\x8b", "broken-file", "gzip"),
        (zipped(("a", CSV))[:30], "broken-file", "zip"),
        (b"PK\x03\x04" + b"x" * 200, "broken-file", "zip"),
        (workbook([["id", "answer"], [1, "a"]])[:-300], "broken-file", "zip"),
        (zipped(("xl/workbook.xml", b"<x/>")), "broken-file", "xlsx"),
        (b"PAR1....", "broken-file", "parquet"),
        (parquet({"id": [1]})[:-20], "broken-file", "parquet"),
        (b"%PDF-1.7", "not-text", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "not-text", ".xls"),
        (pickle.dumps({"1": "a"}, 4), "not-text", "pickle"),
        (arrow_stream({"id": [1]}), "not-text", "Arrow"),
        (b"{\\rtf1\\ansi\n30\\\n}", "not-text", "RTF"),
        (b"\x04\x22\x4d\x18" + b"x" * 20, "broken-file", "lz4"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "not-text", "Git LFS"),
        (b"\n<!DOCTYPE html><html></html>", "not-text", "HTML"),
    ],
)
def test_what_is_no_single_file_is_refused_with_the_reason(data: bytes, code: str, words: str) -> None:
    problem = refused(data)
    assert problem.code == code
    assert words in problem.message.en
    assert "plik.dat" in problem.message.pl


def test_an_encrypted_zip_is_refused() -> None:
    data = bytearray(zipped(("a", CSV)))
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(sign) + place] |= 1
    assert refused(bytes(data)).code == "encrypted-archive"


def limited(monkeypatch: pytest.MonkeyPatch, **limits: int) -> None:
    knobs = load_settings(**limits)
    monkeypatch.setattr("polqa_demo.submissions.containers.settings", lambda: knobs)


@pytest.mark.parametrize("wrapping", ["gzip", "zip", "gzip in zip"])
def test_bombs_are_refused_by_a_setting(monkeypatch: pytest.MonkeyPatch, wrapping: str) -> None:
    data = WRAPPINGS[wrapping](b"id,answer\n" + b"1,a\n" * 600_000)
    assert read_table(data, "f").form == "csv"
    limited(monkeypatch, max_unpacked_mb=1)
    problem = refused(data)
    assert problem.code == "too-large"
    assert "POLQA_MAX_UNPACKED_MB" in problem.message.pl


def test_a_bomb_in_a_workbook_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    book = workbook([["id", "answer"], [1, "a" * 30_000], *([n, "ab" * 15_000] for n in range(60))])
    limited(monkeypatch, max_workbook_mb=1)
    problem = refused(book)
    assert (problem.code, "POLQA_MAX_WORKBOOK_MB" in problem.message.en) == ("too-large", True)


def test_a_zip_with_an_endless_list_of_entries_is_not_even_opened() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(15_000):
            archive.writestr(f"odpowiedzi-{number:050}.csv", b"")
    problem = refused(out.getvalue())
    assert (problem.code, "too many" in problem.message.en) == ("several-files", True)


def test_entities_in_a_workbook_are_not_expanded() -> None:
    book = io.BytesIO(workbook([["id", "answer"], [1, "a"]]))
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>'
    out = io.BytesIO()
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            text = old.read(item)
            if item.filename == "xl/worksheets/sheet1.xml":
                text = bomb + text.split(b"?>")[-1].replace(b"<v>1</v>", b"<v>&b;</v>")
            new.writestr(item.filename, text)
    assert refused(out.getvalue()).code == "broken-file"


def test_no_name_of_an_archive_reaches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = zipped(("../../../tmp/zle.csv", CSV))
    assert [cells for _, cells in read_table(data, "f").rows()] == [["1", "a"]]
    assert list(tmp_path.iterdir()) == []


def test_a_pickle_is_never_loaded(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (str(tmp_path / "zlapany"),)

    for protocol in range(6):
        for data in (pickle.dumps(Trap(), protocol), gzip.compress(pickle.dumps(Trap(), protocol))):
            with pytest.raises(UserError):
                read_answers(data, QUESTIONS)
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nie-ma", tmp_path / ("x" * 300)):
        with pytest.raises(UserError) as caught:
            read_table(path, "f")
        assert caught.value.code == "unreadable-file"


def test_a_pipe_is_read_though_it_can_be_read_only_once(tmp_path: Path) -> None:
    pipe = tmp_path / "rura"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(CSV,))
    writer.start()
    assert [cells for _, cells in read_table(pipe, "f").rows()] == [["1", "a"]]
    writer.join()


def test_a_workbook_is_read_as_it_is_shown() -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    shown: list[tuple[object, str, str]] = [
        (30, "General", "30"), (30.0, "General", "30"), (2.5, "General", "2.5"), (0.1 + 0.2, "General", "0.3"),
        (0.5, "0%", "50%"), (0.125, "0.0%", "12.5%"), (True, "General", "tak"), (False, "General", "nie"),
        (dt.date(1939, 9, 1), "yyyy-mm-dd", "1939-09-01"),
        (dt.date(1939, 9, 1), "d.mm.yyyy", "1.09.1939"), (dt.datetime(1939, 9, 1, 4, 45), "yyyy-mm-dd hh:mm",
        "1939-09-01 04:45:00"), ("  tak ", "General", "  tak "),
    ]  # fmt: skip
    sheet.append(["ID", "Odpowiedź"])
    for key, (value, style, _) in zip(IDS, shown, strict=True):
        sheet.append([int(key), value])
        sheet.cell(sheet.max_row, 2).number_format = style
    out = io.BytesIO()
    book.save(out)
    file = read_answers(out.getvalue(), QUESTIONS, "pred.csv")
    assert file.predictions == dict(zip(IDS, [text for _, _, text in shown], strict=True))
    assert file.recognised.say() == "xlsx, header"


def test_the_first_sheet_with_anything_in_it_is_taken() -> None:
    rows: list[list[object]] = [[key, answer] for key, answer in RIGHT.items()]
    file = read_answers(workbook(rows, empty_sheets=2), QUESTIONS)
    # One of the answers is `null`, of which questions without golds cannot say that it is one.
    assert (file.predictions, [problem.code for problem in file.problems]) == (RIGHT, ["missing-values"])
    with pytest.raises(Refused) as caught:
        read_answers(workbook([], empty_sheets=2), QUESTIONS)
    assert caught.value.code == "empty-file"


def test_a_workbook_of_one_answer_a_row_and_its_blank_rows() -> None:
    rows: list[list[object]] = [[answer] for answer in ANSWERS]
    rows[3] = [None]
    assert read_answers(workbook(rows), QUESTIONS).predictions == RIGHT | {"104": ""}


def test_workbooks_hold_rankings_and_gold() -> None:
    wide: list[list[object]] = [[int(key), "1-0", "2-0"] for key in IDS]
    assert read_rankings(workbook(wide), QUESTIONS).rankings["101"].passage_ids == ("1-0", "2-0")
    gold: list[list[object]] = [
        ["question_id", "question", "answers", "passage_id", "relevant"], [1, "Kto?", "['ja']", "5-0", True],
        [1, "Kto?", "['ja']", "6-0", False],
    ]  # fmt: skip
    found = read_gold(workbook(gold))
    assert found.questions == (Question("1", "Kto?", ("ja",)),)
    assert [item.relevant for item in found.judgements] == [True, False]


def test_parquet_of_answers() -> None:
    data = parquet({"tekst": ["x" * 99] * 12, "question_id": [float(key) for key in IDS], "answer": list(ANSWERS)})
    file = read_answers(data, QUESTIONS)
    assert file.predictions == RIGHT
    assert file.recognised.header == ("question_id", "answer")
    typed = parquet({"id": [101, 102, 103], "answer": [True, None, False]})
    assert read_answers(typed, QUESTIONS).predictions == {"101": "tak", "102": "", "103": "nie"}


def test_parquet_of_rankings_and_of_gold() -> None:
    lists = parquet({"question_id": list(IDS), "passage_ids": [["1-0", "2-0"]] * 12})
    pairs = parquet({"qid": [101, 101], "pid": ["a", "b"], "score": [1.0, 2.0]})
    runs = parquet({"qid": [101], "passages": [[{"id": "a", "text": "x"}, {"id": "b", "text": "y"}]]})
    assert read_rankings(lists, QUESTIONS).rankings["112"].passage_ids == ("1-0", "2-0")
    assert read_rankings(pairs, QUESTIONS).rankings["101"].passage_ids == ("b", "a")
    assert read_rankings(runs, QUESTIONS).rankings["101"].passage_ids == ("a", "b")
    gold = read_gold(parquet({"id": [1, 1], "question": ["Kto?"] * 2, "answers": [["ja", "my"]] * 2,
                              "passage_id": ["5-0", "6-0"], "relevant": [True, False]}))  # fmt: skip
    assert gold.questions == (Question("1", "Kto?", ("ja", "my")),)
    assert [item.relevant for item in gold.judgements] == [True, False]


def rewritten(book: bytes, old: bytes, new: bytes) -> bytes:
    """A workbook with another text in its first sheet."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as source, zipfile.ZipFile(out, "w") as target:
        for item in source.infolist():
            text = source.read(item)
            if item.filename == "xl/worksheets/sheet1.xml":
                assert old in text
                text = text.replace(old, new)
            target.writestr(item.filename, text)
    return out.getvalue()


def test_a_formula_counts_by_the_value_that_was_saved_with_it() -> None:
    book = workbook([["id", "answer"], [101, 7], [102, "x"]])
    data = rewritten(book, b"<v>7</v>", b"<f>15*2</f><v>30</v>")
    assert read_answers(data, QUESTIONS).predictions == {"101": "30", "102": "x"}


def test_a_sheet_that_says_it_is_huge_is_read_as_large_as_it_is() -> None:
    book = workbook([["id", "answer"], [101, "a"]])
    data = rewritten(book, b'<dimension ref="A1:B2"', b'<dimension ref="A1:XFD1048576"')
    assert [cells for _, cells in read_table(data, "f").rows()] == [["101", "a"]]
    data = rewritten(book, b'r="B2"', b'r="XFA2"')
    assert refused(data).code == "too-many-columns"


def test_a_member_without_a_name_is_no_file() -> None:
    data = zipped(("x", b"tak\nnie\n"))
    with pytest.raises(Refused) as caught:
        # A member's name has its length before it, in its own head and in the list of members.
        read_answers(data.replace(b"x", b"\x00"), QUESTIONS)
    assert caught.value.code in ("empty-archive", "broken-file")
