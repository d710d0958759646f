"""An Excel workbook (.xlsx) -> rows of text, as a person sees them: the first sheet that holds anything."""

import datetime as dt
import io
import math
import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from polqa_demo.errors import Bilingual, Problem, UserError
from polqa_demo.submissions.containers import MEGABYTE, Source, broken, too_large
from polqa_demo.submissions.delimited import too_many_columns
from polqa_demo.submissions.findings import Findings, Row
from polqa_demo.submissions.problems import first_places, refuse

_PERCENT = re.compile(r"0(?:\.(0+))?%")
_DATE_PARTS = re.compile(r"y+|m+|d+|h+|s+", re.IGNORECASE)
# Quoted words, locales and conditions in a number format; none of them is a part of a date.
_FORMAT_NOISE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\|;.*|@')


# Rows of a sheet, by the program's own specification; beyond it nobody's cell is.
_MOST_ROWS = 1 << 20
# Marks of the XML, such as `<c` and `</c>`, that are read before a row comes out of it, or for all that is no row: of
# 10,000 cells, each with a text of its own, there are 60,000; of the 65,490 formats that a workbook may have, 200,000.
_MOST_MARKS = 300_000
# A plain shared text has four of them.
_MOST_TEXT_MARKS = 6_000_000
_MOST_SHEETS = 1000
# Bytes of a part that are read at once.
_PIECE = 1 << 14
# Cells of all rows, empty ones that lie before filled ones included.
_MOST_CELLS = 30_000_000


class Workbook:
    """A workbook that is opened once and whose rows can be read again and again, its costs bounded by counts.

    :raises Refused: broken, or beyond a limit
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        with _told(source):
            self._archive = _Archive(source)
            self._book = _open(self._archive)
            self._sheets = {sheet.title: sheet for sheet in self._book.worksheets}

    def rows(self, sheet: str, findings: Findings) -> Iterator[Row]:
        """`(row number, cells)` of a sheet; blank rows keep their place, truth values are taken down.

        :raises Refused: broken, too large, a row of more cells than the limit
        """
        most, total = self._source.limits.max_columns, 0
        with _told(self._source):
            found = self._sheets[sheet]
            with closing(found.iter_rows()) as rows:
                for number, cells in enumerate(rows, 1):
                    self._archive.marks = 0
                    total += len(cells)
                    if len(cells) > most:
                        raise too_many_columns(self._source.name, number, most)
                    if number > _MOST_ROWS:
                        raise self._archive.beyond(f"wiersz {number}", f"row {number}", _MOST_ROWS)
                    if total > _MOST_CELLS:
                        raise self._archive.beyond(f"komórek: {total}", f"cells: {total}", _MOST_CELLS)
                    yield (
                        number,
                        [
                            findings.add_truth(place, number, cell.value)
                            if isinstance(cell.value, bool)
                            else _shown(cell)
                            for place, cell in enumerate(cells)
                        ],
                    )

    def first_sheet(self) -> tuple[str, tuple[Problem, ...]]:
        """The first sheet with anything in it, and a note when others hold something as well.

        :raises Refused: no sheet holds anything, broken, too large
        """
        name = self._source.name
        filled, empty = [], 0
        for sheet in self._sheets:
            for _, cells in self.rows(sheet, Findings()):
                if any(cells):
                    filled.append(sheet)
                    break
                empty += 1
                if empty > 4 * _MOST_ROWS:
                    raise self._archive.beyond("pustych wierszy", "empty rows", 4 * _MOST_ROWS)
        if not filled:
            raise refuse(
                "empty-file",
                f"Skoroszyt {name} jest pusty. Wybierz plik z predykcjami.",
                f"The workbook {name} is empty. Choose a file of predictions.",
            )
        if len(filled) == 1:
            return filled[0], ()
        message = Bilingual(
            f"Skoroszyt {name} ma kilka wypełnionych arkuszy; wzięto pierwszy, „{filled[0]}”, pominięto: "
            f"{first_places(filled[1:])}.",
            f"The workbook {name} has several filled sheets; the first, {filled[0]!r}, was taken, left out: "
            f"{first_places(filled[1:])}.",
        )
        return filled[0], (Problem("note", "several-sheets", message, len(filled) - 1),)


@contextmanager
def _told(source: Source) -> Iterator[None]:
    """Any fault of the file becomes one message."""
    try:
        yield
    except (UserError, MemoryError):
        raise
    except Exception as error:  # openpyxl fails in its own many ways on files that are not whole
        raise broken(source.name, "xlsx", f"{type(error).__name__}: {error}") from error


class _Archive(zipfile.ZipFile):
    """The parts of a workbook, counted while they are read: whatever holds a part in memory holds so much and no more.

    `marks` are those since the last row; a library that keeps reading without a row to show for it is stopped.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.marks, self.most = 0, _MOST_MARKS
        with source.open() as stream:
            data = stream.read(source.limits.max_upload_mb * MEGABYTE + 1)
        super().__init__(io.BytesIO(data))
        # A member gives no more than the size that it declares.
        if sum(item.file_size for item in self.infolist()) > source.limits.max_workbook_mb * MEGABYTE:
            raise too_large(source.name, source.limits.max_workbook_mb, "max_workbook_mb")

    def open(self, *arguments: Any, **named: Any) -> Any:
        self.marks = 0
        return io.BufferedReader(_Counted(super().open(*arguments, **named), self), _PIECE)

    def count(self, data: memoryview) -> None:
        """Counts what was read.

        :raises Refused: too much without a row
        """
        self.marks += data.tobytes().count(b"<")
        if self.marks > self.most:
            raise self.beyond("znaczników XML bez wiersza", "marks of XML without a row", self.most)

    def beyond(self, pl: str, en: str, most: int) -> UserError:
        """Said of a part with more of something than any honest workbook has."""
        return refuse(
            "too-large",
            f"Skoroszyt {self.source.name}: za dużo ({pl}; najwyżej {most}). Skopiuj potrzebne kolumny do nowego "
            "skoroszytu albo zapisz plik jako CSV.",
            f"The workbook {self.source.name}: too much ({en}; at most {most}). Copy the columns that are needed to a "
            "new workbook, or save the file as CSV.",
        )


class _Counted(io.RawIOBase):
    """A part of a workbook."""

    def __init__(self, inner: Any, archive: _Archive) -> None:
        self._inner, self._archive = inner, archive

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        size = int(self._inner.readinto(view))
        self._archive.count(view[:size])
        return size

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
        super().close()


def _open(archive: _Archive) -> Any:
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet
    from openpyxl.xml.constants import SHARED_STRINGS

    class Sheet(ReadOnlyWorksheet):  # type: ignore[misc]
        """openpyxl's own, without its size: it is often wrong, and where it is not stated, the whole sheet is read."""

        def _get_size(self) -> None:
            pass

    class Reader(ExcelReader):  # type: ignore[misc]
        """openpyxl's own, over parts that are counted."""

        def read_strings(self) -> None:
            archive.most = _MOST_TEXT_MARKS
            part = self.package.find(SHARED_STRINGS)
            if part is not None:
                # Counted first: taking them apart is the costly part.
                with archive.open(part.PartName[1:]) as stream:
                    while stream.read(MEGABYTE):
                        pass
            super().read_strings()
            archive.most = _MOST_MARKS

        def read_workbook(self) -> None:
            super().read_workbook()
            self.parser.assign_names = lambda: None
            sheets = len(self.parser.sheets)
            if sheets > _MOST_SHEETS:
                raise archive.beyond(f"arkuszy: {sheets}", f"sheets: {sheets}", _MOST_SHEETS)

        def read_worksheets(self) -> None:
            for sheet, place in self.parser.find_sheets():
                if place.target in self.valid_files and "chartsheet" not in place.Type:
                    self.wb._sheets.append(Sheet(self.wb, sheet.name, place.target, self.shared_strings))

    with archive.source.open() as stream:
        reader = Reader(stream, read_only=True, data_only=True, keep_links=False)
    reader.archive = archive
    with warnings.catch_warnings():
        # Of styles and extensions that are of no use here.
        warnings.simplefilter("ignore")
        reader.read()
    return reader.wb


def _shown(cell: Any) -> str:
    """A cell as it is shown; whole numbers without a decimal point, dates and percents in their own format."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, int | float):
        return _number(float(value) if isinstance(value, float) else value, cell.number_format or "")
    if isinstance(value, dt.date | dt.time | dt.timedelta):
        return _date(value, cell.number_format or "")
    return str(value)


def _number(value: float, style: str) -> str:
    percent = _PERCENT.search(style)
    if percent:
        return f"{value * 100:.{len(percent[1] or '')}f}%"
    if isinstance(value, int) or (math.isfinite(value) and value.is_integer() and abs(value) < 1e15):
        return str(int(value))
    return format(value, ".15g")


def _date(value: Any, style: str) -> str:
    """A date in its cell's format where that is made of figures; else year-month-day."""
    plain = _FORMAT_NOISE.sub("", style).strip().lower()
    parts = _DATE_PARTS.findall(plain)
    if isinstance(value, dt.datetime) and not (value.hour or value.minute or value.second):
        value = value.date()
    if type(value) is not dt.date or not parts or any(part[0] in "hs" or len(part) == 3 for part in parts):
        return str(value)
    if any(part[0] in "md" and len(part) > 2 for part in parts):
        return str(value)
    figures = {
        "y": lambda size: f"{value.year % 100:02}" if size <= 2 else f"{value.year:04}",
        "m": lambda size: f"{value.month:0{min(size, 2)}}",
        "d": lambda size: f"{value.day:0{min(size, 2)}}",
    }
    return _DATE_PARTS.sub(lambda part: figures[part[0][0]](len(part[0])), plain)
