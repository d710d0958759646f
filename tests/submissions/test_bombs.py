"""Small files that would cost much: refused by a count, in little time and memory, measured from outside the process."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polqa_demo.data.sample import predictions_file
from polqa_demo.errors import UserError
from polqa_demo.submissions.reading import read_table

ROOT = Path(__file__).resolve().parents[2]
LAST_ROW = 1 << 20
HEADER = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>answer</t></is></c></row>'
)
ROW = '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>tak</t></is></c></row>'


def workbook(change: dict[str, Callable[[str], str]] | None = None, rows: str = "") -> bytes:
    """A workbook as openpyxl writes it, with other rows, and parts changed by name."""
    made, out = io.BytesIO(), io.BytesIO()
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["id", "answer"])
    sheet.append(["1", "tak"])
    book.save(made)
    with zipfile.ZipFile(made) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            text = before.read(name).decode()
            if rows and name == "xl/worksheets/sheet1.xml":
                start, end = text.index("<sheetData>"), text.index("</sheetData>")
                text = f"{text[:start]}<sheetData>{rows}{text[end:]}"
            after.writestr(name, (change or {}).get(name, str)(text))
    return out.getvalue()


def before(mark: str, more: str) -> Callable[[str], str]:
    """Puts something before a mark that must be there."""

    def change(text: str) -> str:
        assert mark in text
        return text.replace(mark, more + mark, 1)

    return change


def parquet(**columns: pa.Array) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression="zstd")
    return out.getvalue()


def long_list(text: str, count: int) -> pa.Array:
    return pa.array([[text] * count], pa.list_(pa.string()))


NAMES = "".join(f'<definedName name="a{n}">1</definedName>' for n in range(200_000))
TYPES = "".join(f'<Override PartName="/a{n}" ContentType="b"/>' for n in range(400_000))
SHEETS = "".join(f'<sheet name="s{n}" sheetId="{n + 2}" r:id="rId1"/>' for n in range(5_000))
RELATION = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '


def with_sheets(text: str) -> str:
    return before("</sheets>", SHEETS.replace("<sheet ", f"<sheet {RELATION}"))(text)


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "row-number.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + '<row r="900000000"><c><v>1</v></c></row>')),
    "wide-row.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + f"<row>{'<c/>' * 8_000_000}</row>")),
    "many-rows.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + "<row/>" * 1_500_000)),
    "deep.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + "<a>" * 1_000_000)),
    "styles.xlsx": ("too-large", lambda: workbook({"xl/styles.xml": before("</cellXfs>", "<xf/>" * 5_000_000)})),
    "names.xlsx": (
        "too-large",
        lambda: workbook({"xl/workbook.xml": before("</workbook>", f"<definedNames>{NAMES}</definedNames>")}),
    ),
    "types.xlsx": ("too-large", lambda: workbook({"[Content_Types].xml": before("</Types>", TYPES)})),
    "texts.xlsx": (
        "too-large",
        lambda: workbook({"xl/sharedStrings.xml": before("</sst>", "<si><t>a</t></si>" * 3_000_000)}),
    ),
    "sheets.xlsx": ("too-large", lambda: workbook({"xl/workbook.xml": with_sheets})),
    "list.parquet": ("too-long", lambda: parquet(id=pa.array(["1"]), answer=long_list("x" * 200_000, 1500))),
    "numbers.parquet": (
        "too-many-rows",
        lambda: parquet(id=pa.array(["1"]), answer=pa.array([[0] * 31_000_000], pa.list_(pa.int8()))),
    ),
    "cells.parquet": (
        "too-large",
        lambda: parquet(id=pa.array(["1"] * 6000), answer=pa.array(["x" * 200_000] * 6000).dictionary_encode()),
    ),
}


@dataclass(frozen=True)
class Cost:
    seconds: float
    megabytes: float
    codes: tuple[str, ...]


def scored(path: Path) -> Cost:
    """The scorer on a file, in a process of its own; its cost as the system tells it at its end."""
    command = [sys.executable, "-m", "polqa_demo", "score", "--answers", str(path), "--json", "-"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        told = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    codes = tuple(problem["code"] for problem in json.loads(told)["problems"])
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, codes)


@pytest.fixture(scope="module")
def plain() -> Cost:
    """What scoring costs anyway."""
    return scored(predictions_file("answers-good.jsonl"))


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is Linux's")
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_by_a_count_and_costs_little(tmp_path: Path, plain: Cost, name: str) -> None:
    code, make = BOMBS[name]
    path = tmp_path / name
    path.write_bytes(make())
    found = scored(path)
    assert found.codes == (code,)
    assert found.seconds - plain.seconds < 15
    assert found.megabytes - plain.megabytes < 300


def test_one_cell_in_the_last_row_is_no_bomb() -> None:
    data = workbook(
        rows=HEADER + ROW + f'<row r="{LAST_ROW}"><c r="D{LAST_ROW}" t="inlineStr"><is><t>x</t></is></c></row>'
    )
    rows = [(line, cells) for line, cells in read_table(data, "a.xlsx").rows() if any(cells)]
    assert rows == [(2, ["1", "tak"]), (LAST_ROW, ["", "", "", "x"])]


def test_a_sheet_that_does_not_state_its_size_is_read() -> None:
    """Many programs leave it out; the sheet must not be read once more for it."""
    rows = "".join(f'<row><c><v>{n}</v></c><c t="inlineStr"><is><t>a{n}</t></is></c></row>' for n in range(100_000))
    data = workbook(rows=HEADER + rows)
    assert sum(1 for _ in read_table(data, "a.xlsx").rows()) == 100_000


def test_lists_of_lists_and_repeated_texts_are_read_as_before() -> None:
    rows = [[{"id": "1-1", "ids": [1, 2]}], [], [{"id": None, "ids": None}, {"id": "1-1", "ids": []}]]
    data = parquet(question_id=pa.array(["1", "1", "2"]), ctxs=pa.array(rows))
    assert [row["ctxs"] for _, row in read_table(data, "a.parquet").objects()] == rows


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_of_another_method_is_read(method: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("a.csv", "id,answer\n" + "1,tak\n" * 100_000)
    assert sum(1 for _ in read_table(out.getvalue(), "a.zip").rows()) == 100_000


def test_a_message_says_what_was_met_and_what_to_do() -> None:
    with pytest.raises(UserError) as refused:
        read_table(BOMBS["row-number.xlsx"][1](), "a.xlsx").sample()
    for text, cure in zip(refused.value.message, ("zapisz plik jako CSV", "save the file as CSV"), strict=True):
        assert "1048577" in text
        assert cure in text
