"""Rows of CSV and TSV: a quote opens a cell only where it is closed."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.settings import load_settings
from polqa_demo.submissions.delimited import Layout, Row, quoted_rows
from polqa_demo.submissions.problems import Places
from polqa_demo.submissions.reading import read_table

LIMITS = load_settings()


def rows(text: str, width: int = 2) -> tuple[list[Row], Places]:
    unclosed = Places()
    stream = io.StringIO(text, newline="\n")
    return list(quoted_rows(stream, "f", LIMITS, Layout(",", width), unclosed)), unclosed


def test_rows_are_named_by_the_line_where_they_begin() -> None:
    table = read_table(b'id,answer\n1,"a\nb\r\nc"\n\n2,d\n', "f")
    assert list(table.rows()) == [(2, ["1", "a\nb\r\nc"]), (5, [""]), (6, ["2", "d"])]


def test_tabs_are_never_quoted_and_a_lone_quote_glues_nothing() -> None:
    table = read_table(b'id\tanswer\n1\t"a\n2\tb"\n3\t"c"\n', "f")
    assert [cells[1] for _, cells in table.rows()] == ['"a', 'b"', '"c"']


@pytest.mark.parametrize(
    ("text", "cells", "lines"),
    [
        # Open to the end of the file.
        ('1,"a\n2,b\n3,c\n', [["1", '"a'], ["2", "b"], ["3", "c"]], [1]),
        ('1,a\n2,"b', [["1", "a"], ["2", '"b']], [2]),
        # Two lone quotes far apart; the second opens a cell, or ends one.
        ('1,"a\n2,b\n3,"c\n4,d\n', [["1", '"a'], ["2", "b"], ["3", '"c'], ["4", "d"]], [1, 3]),
        ('1,"a\n2,b\n3,c"\n4,d\n', [["1", '"a'], ["2", "b"], ["3", 'c"'], ["4", "d"]], [1]),
        ('1,"a\n10,b\n311,c"\n', [["1", '"a'], ["10", "b"], ["311", 'c"']], [1]),
    ],
)
def test_a_quote_that_is_never_closed_swallows_no_rows(text: str, cells: list[list[str]], lines: list[int]) -> None:
    found, unclosed = rows(text)
    assert [row for _, row in found] == cells
    assert unclosed.lines == lines


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ('1,"a\nb"\n2,c\n', [["1", "a\nb"], ["2", "c"]]),
        ('1,"a\n\n""b"", c\n"\n2,c\n', [["1", 'a\n\n"b", c\n'], ["2", "c"]]),
        ('1,"a"b\n2,"c" d\n', [["1", "ab"], ["2", "c d"]]),
        ('1,a"b\n2,c""\n', [["1", 'a"b'], ["2", 'c""']]),
        ('1,"a\rb"\n2,c\rd\n3,"e"\r\n', [["1", "a\rb"], ["2", "c\rd"], ["3", "e"]]),
        ('1,a\r"b\n', [["1", 'a\r"b']]),
    ],
)
def test_cells_of_several_lines_and_sloppy_quotes(text: str, cells: list[list[str]]) -> None:
    found, unclosed = rows(text)
    assert [row for _, row in found] == cells
    assert unclosed.count == 0


def test_many_lone_quotes_take_no_longer_than_as_many_rows() -> None:
    text = "".join(f'{number},"x\n' for number in range(20_000))
    found, unclosed = rows(text)
    assert len(found) == unclosed.count == 20_000


def test_a_broken_place_in_a_long_file_spoils_nothing_around_it() -> None:
    lines = [f'{number},"odpowiedź, {number}"\n' for number in range(30_000)]
    lines[15_000] = '15000,"odpowiedź\n'
    found, unclosed = rows("".join(lines))
    assert [row[0] for _, row in found] == [str(number) for number in range(30_000)]
    assert [number for number, _ in found] == list(range(1, 30_001))
    assert unclosed.lines == [15_001]


CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=12) | st.sampled_from(
    ['"', '""', ",", "\r", "\r\n", "a\nb", '"a', ""]
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=8), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
)
def test_what_csv_writes_is_read(cells: list[tuple[str, ...]], quoting: int) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=quoting)  # type: ignore[arg-type]
    writer.writerows(("x", *row) for row in cells)
    found, unclosed = rows(out.getvalue(), width=4)
    assert [row for _, row in found] == [["x", *row] for row in cells]
    assert unclosed.count == 0
