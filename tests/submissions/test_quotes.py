"""Quotes of cells parted by tabs: those of CSV writers come off, those of texts stay."""

import csv
import io
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.submissions import delimited
from polqa_demo.submissions.delimited import quotes_part_cells
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import Overrides

ANSWERS = ['"Pan Tadeusz" Mickiewicza', "a\tb", "dwa\nwiersze", "tak", ""]


def written(quoting: int, answers: list[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", quoting=quoting, lineterminator="\n")
    writer.writerow(["question_id", "answer"])
    writer.writerows([str(number), answer] for number, answer in enumerate(answers, 1))
    return out.getvalue()


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
def test_what_csv_writes_between_tabs_is_read_back(quoting: int) -> None:
    table = read_table(written(quoting, ANSWERS).encode(), "f.tsv")
    assert [cells for _, cells in table.rows()] == [[str(at), answer] for at, answer in enumerate(ANSWERS, 1)]
    assert [problem.code for problem in table.problems] == ["quoted-cells"]


def test_what_pandas_writes_between_tabs_is_read_back() -> None:
    frame = pd.DataFrame({"question_id": range(1, 6), "answer": ANSWERS})
    table = read_table(frame.to_csv(sep="\t", index=False).encode(), "f.tsv")
    assert [cells for _, cells in table.rows()] == [[str(at), answer] for at, answer in enumerate(ANSWERS, 1)]


@pytest.mark.parametrize(
    "cell",
    [
        # a title in quotes, beside cells that have none
        '"Pan Tadeusz"',
        '"Lalka" i "Faraon"',
        '"Lalka',
        '"',
        '""',
        '"a"b',
    ],
)
def test_quotes_that_belong_to_the_text_stay(cell: str) -> None:
    text = f"question_id\tanswer\n1\t{cell}\n2\ttak\n3\tnie\n"
    table = read_table(text.encode(), "f.tsv")
    assert [cells[1] for _, cells in table.rows()] == [cell, "tak", "nie"]
    assert table.problems == []


def test_a_lone_quote_swallows_no_rows() -> None:
    text = 'question_id\tanswer\n1\t"a\n2\tb\n3\tc"\n'
    assert [cells for _, cells in read_table(text.encode(), "f").rows()] == [["1", '"a'], ["2", "b"], ["3", 'c"']]


def test_a_person_decides() -> None:
    text = "question_id\tanswer\n" + '1\t"a ""b"""\n'
    rows = {quotes: list(read_table(text.encode(), "f", Overrides(quotes=quotes)).rows()) for quotes in (True, False)}
    assert rows == {True: [(2, ["1", 'a "b"'])], False: [(2, ["1", '"a ""b"""'])]}
    assert read_table(text.encode(), "f", Overrides(quotes=True)).problems == []


@given(st.lists(st.text(st.sampled_from('a"\t\n ')), min_size=1))
def test_whatever_csv_quotes_is_seen_or_needs_no_quotes(answers: list[str]) -> None:
    text = written(csv.QUOTE_MINIMAL, answers)
    found = quotes_part_cells(io.StringIO(text, newline="\n"), "\t")
    # Rows that go on over lines with separators of their own could as well be rows; they are left as they stand.
    if not any("\n" in answer and "\t" in answer for answer in answers):
        assert found == ('"' in text and '\t""\n' not in text)


def test_an_open_quote_is_not_followed_through_a_long_file() -> None:
    lines = ['1\t"a\n', *['"x" y\n'] * 200_000]
    seen = 0

    def counted() -> object:
        nonlocal seen
        for line in lines:
            seen += 1
            yield line

    assert not quotes_part_cells(counted(), "\t")  # type: ignore[arg-type]
    assert seen < 20_000


def test_a_long_number_takes_no_time_of_its_own() -> None:
    cells = ["1" * 200_000 + "x", "1" * 200_000, "1" * 100_000 + "." + "2" * 100_000 + "e"]
    assert not quotes_part_cells([f'"a"\t{cell}\n' for cell in cells], "\t")
    assert quotes_part_cells(['"a"\t-1.5e+3\t.5\t7\t1,25\n'], "\t")


@pytest.mark.parametrize("end", ["", '"\n'])
def test_an_open_cell_is_read_once_however_long_it_is(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    class Counting:
        def __init__(self, pattern: re.Pattern[str]) -> None:
            self.pattern = pattern

        def match(self, text: str, start: int = 0) -> re.Match[str] | None:
            nonlocal read
            read += len(text) - start
            return self.pattern.match(text, start)

        def fullmatch(self, text: str) -> re.Match[str] | None:
            return self.pattern.fullmatch(text)

    for name in ("_CLOSING", "_QUOTED_CELL"):
        monkeypatch.setattr(delimited, name, Counting(getattr(delimited, name)))
    text = '1\t"abc\n' + 'b ""x"" c\n' * 9_000 + end
    assert quotes_part_cells(io.StringIO(text, newline="\n"), "\t") == bool(end)
    assert read < 2 * len(text)
