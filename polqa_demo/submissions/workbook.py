"""An Excel workbook (.xlsx) -> rows of text, as a person sees them: the first sheet that holds anything."""

import datetime as dt
import math
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
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


def sheet_rows(source: Source, sheet: str, findings: Findings) -> Iterator[Row]:
    """`(row number, cells)` of a sheet; blank rows keep their place, truth values are taken down.

    :raises Refused: broken, too large, a row of more cells than the limit
    """
    with _workbook(source) as book:
        most = source.limits.max_columns
        try:
            found = book[sheet]
            found.reset_dimensions()
            for number, cells in enumerate(found.iter_rows(), 1):
                if len(cells) > most:
                    raise too_many_columns(source.name, number, most)
                yield (
                    number,
                    [
                        findings.add_truth(place, number, cell.value) if isinstance(cell.value, bool) else _shown(cell)
                        for place, cell in enumerate(cells)
                    ],
                )
        except UserError:
            raise
        except Exception as error:  # openpyxl fails in its own many ways on files that are not whole
            raise broken(source.name, "xlsx", f"{type(error).__name__}: {error}") from error


def choose_sheet(source: Source) -> tuple[str, tuple[Problem, ...]]:
    """The first sheet with anything in it, and a note when others hold something as well.

    :raises Refused: no sheet holds anything, broken, too large
    """
    with _workbook(source) as book:
        names = [sheet.title for sheet in book.worksheets]
    filled = [name for name in names if any(any(cells) for _, cells in sheet_rows(source, name, Findings()))]
    if not filled:
        raise refuse(
            "empty-file",
            f"Skoroszyt {source.name} jest pusty. Wybierz plik z predykcjami.",
            f"The workbook {source.name} is empty. Choose a file of predictions.",
        )
    if len(filled) == 1:
        return filled[0], ()
    message = Bilingual(
        f"Skoroszyt {source.name} ma kilka wypełnionych arkuszy; wzięto pierwszy, „{filled[0]}”, pominięto: "
        f"{first_places(filled[1:])}.",
        f"The workbook {source.name} has several filled sheets; the first, {filled[0]!r}, was taken, left out: "
        f"{first_places(filled[1:])}.",
    )
    return filled[0], (Problem("note", "several-sheets", message, len(filled) - 1),)


@contextmanager
def _workbook(source: Source) -> Iterator[Any]:
    import openpyxl

    with source.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                # A member gives no more than the size that it declares.
                size = sum(item.file_size for item in archive.infolist())
            if size > source.limits.max_workbook_mb * MEGABYTE:
                raise too_large(source.name, source.limits.max_workbook_mb, "max_workbook_mb")
            stream.seek(0)
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        except UserError:
            raise
        except Exception as error:  # as above
            raise broken(source.name, "xlsx", f"{type(error).__name__}: {error}") from error
        try:
            yield book
        finally:
            book.close()


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
