"""Small files that would cost much: refused by a count, in little time and memory, measured from outside."""

import io
import json
import os
import subprocess
import sys
import tempfile
import threading
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


def cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


HEADER = f'<row r="1">{cell("A1", "id")}{cell("B1", "answer")}</row>'
ROW = f'<row r="2">{cell("A2", "1")}{cell("B2", "tak")}</row>'


def workbook(change: dict[str, Callable[[str], str]] | None = None, rows: str = "", texts: str = "") -> bytes:
    """A workbook as openpyxl writes it, with other rows, shared texts, and parts changed by name."""
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
        if texts:
            after.writestr("xl/sharedStrings.xml", texts)
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
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHARED = (
    '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.'
    'openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
TEXTS = "<si><t>a</t></si>" * 3_000_000
SHEETS = "".join(f'<sheet name="s{n}" sheetId="{n + 2}" r:id="rId1"/>' for n in range(5_000))
RELATION = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '


def with_sheets(text: str) -> str:
    return before("</sheets>", SHEETS.replace("<sheet ", f"<sheet {RELATION}"))(text)


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "row-number.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + '<row r="900000000"><c><v>1</v></c></row>')),
    "wide-row.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + f"<row>{'<c/>' * 2_000_000}</row>")),
    "many-rows.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + "<row/>" * 1_100_000)),
    "deep.xlsx": ("too-large", lambda: workbook(rows=HEADER + ROW + "<a>" * 1_000_000)),
    "styles.xlsx": ("too-large", lambda: workbook({"xl/styles.xml": before("</cellXfs>", "<xf/>" * 1_000_000)})),
    "names.xlsx": (
        "too-large",
        lambda: workbook({"xl/workbook.xml": before("</workbook>", f"<definedNames>{NAMES}</definedNames>")}),
    ),
    "types.xlsx": ("too-large", lambda: workbook({"[Content_Types].xml": before("</Types>", TYPES)})),
    "texts.xlsx": (
        "too-large",
        lambda: workbook({"[Content_Types].xml": before("</Types>", SHARED)}, texts=f"<sst {MAIN}>{TEXTS}</sst>"),
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
    command = [sys.executable, "-m", "polqa_demo", "score", "--gold", "polqa-demo-sample/test"]
    command += ["--answers", str(path), "--json", "-"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, env=environment, stdout=told, stderr=subprocess.DEVNULL)
        megabytes = 0.0
        # The peak that the system tells at the end is that of the process which was forked, where it is higher.
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            megabytes = max(megabytes, peak(process.pid))
            threading.Event().wait(0.02)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        problems = json.load(told)["problems"]
    return Cost(usage.ru_utime + usage.ru_stime, megabytes, tuple(problem["code"] for problem in problems))


def peak(pid: int) -> float:
    """Megabytes at most of a process so far; 0 of one that is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)


@pytest.fixture(scope="module")
def plain() -> Cost:
    """What scoring costs anyway."""
    return scored(predictions_file("answers-good.jsonl"))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked for in /proc")
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
    last = f'<row r="{LAST_ROW}">{cell(f"D{LAST_ROW}", "x")}</row>'
    data = workbook(rows=HEADER + ROW + last)
    rows = [(line, cells) for line, cells in read_table(data, "a.xlsx").rows() if any(cells)]
    assert rows == [(2, ["1", "tak"]), (LAST_ROW, ["", "", "", "x"])]


def test_a_sheet_that_does_not_state_its_size_is_read() -> None:
    """Many programs leave it out; the sheet must not be read once more for it."""
    rows = "".join(f'<row><c><v>{n}</v></c><c t="inlineStr"><is><t>a{n}</t></is></c></row>' for n in range(60_000))
    data = workbook(rows=HEADER + rows)
    assert sum(1 for _ in read_table(data, "a.xlsx").rows()) == 60_000


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
