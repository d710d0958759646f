"""Lines -> cells. A line is a row; only a quoted cell of CSV goes on over several, and only when its quote is closed.

A lone quote therefore swallows nothing: the row that holds it is read as it stands, and told.
"""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from polqa_demo.data.polqa import CELL_LIMIT
from polqa_demo.settings import Settings
from polqa_demo.submissions.findings import Row
from polqa_demo.submissions.problems import Places, Refused, refuse

# Characters of lines that are parsed at once.
_BLOCK = 1 << 17
# After a block that had to be read row by row, so many more are not even tried at once.
_PATIENCE = 20
# A carriage return inside of a line, for the csv module; no decoded text holds half a surrogate pair.
_INNER_RETURN = "\udc0d"
_DIGITS = re.compile(r"[0-9]+")
_QUOTED_CELL = re.compile(r'"(?:[^"]|"")*+"')
_CLOSING = re.compile(r'(?:[^"]|"")*+"')
# A quoted cell of more characters than this is not believed.
_LONGEST_QUOTED = 100_000
_PLAIN_NUMBER = re.compile(r"[-+]?(?:[0-9]++(?:[.,][0-9]++)?|[.,][0-9]++)(?:[eE][-+]?[0-9]++)?")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a CSV look: where ids stand, and how many cells there are (0: unknown).

    `quoted` says that cells parted by tabs are quoted; all others are, where they begin with a quote.
    """

    separator: str
    width: int = 0
    id_at: int = 0
    quoted: bool = False


def whole_lines(lines: Iterable[str]) -> Iterator[Row]:
    """`(line number, [line])` without line ends."""
    for number, line in enumerate(lines, 1):
        yield number, [line.rstrip("\r\n")]


def tab_rows(lines: Iterable[str], name: str, limits: Settings) -> Iterator[Row]:
    """`(line number, cells)` of a file that is never quoted.

    :raises Refused: a line of more cells than the limit
    """
    most = limits.max_columns
    for number, line in enumerate(lines, 1):
        cells = line.rstrip("\r\n").split("\t", most)
        if len(cells) > most:
            raise too_many_columns(name, number, most)
        yield number, cells


def bar_rows(lines: Iterable[str], name: str, limits: Settings, separator: str) -> Iterator[Row]:
    """`(line number, cells)` of lines parted by several characters, such as `||`; no such file is quoted.

    :raises Refused: a line of more cells than the limit
    """
    for number, line in enumerate(lines, 1):
        cells = line.rstrip("\r\n").split(separator, limits.max_columns)
        if len(cells) > limits.max_columns:
            raise too_many_columns(name, number, limits.max_columns)
        yield number, [cell.strip() for cell in cells]


def quoted_rows(stream: TextIO, name: str, limits: Settings, layout: Layout, unclosed: Places) -> Iterator[Row]:
    """`(number of the line where the row begins, cells)` of CSV.

    A cell of several lines is believed only in a row of full width whose further lines are no rows themselves.

    :param unclosed: takes the rows whose quote is never closed; they are read as they stand
    :raises Refused: a row of more cells than the limit, a cell beyond all measure
    """
    csv.field_size_limit(CELL_LIMIT)
    rows = _Rows(stream, name, limits, layout, unclosed)
    patience = 0
    while block := stream.readlines(_BLOCK):
        patience -= 1
        found = _at_once(block, layout.separator) if patience < 0 else None
        if found is None:
            patience = _PATIENCE if patience < 0 else patience
            yield from rows.of(block)
            continue
        for cells in found:
            rows.number += 1
            if len(cells) > limits.max_columns:
                raise too_many_columns(name, rows.number, limits.max_columns)
            yield rows.number, cells


def quotes_part_cells(lines: Iterable[str], separator: str) -> bool:
    """Whether a file's quotes are those that csv and pandas put around cells, and no signs of the texts.

    Every cell that begins with a quote is well-formed: it ends with one, and those inside are doubled. And either only
    cells that need it are quoted (a separator, a quote or a line end inside), or all but numbers and empty ones.
    """
    needed = all_texts = True
    anything = False
    # The first line of a row whose last cell is still open, and how many characters it has taken since.
    first, taken = "", 0
    for line in lines:
        body = line.rstrip("\r\n")
        start = 0
        if first:
            taken += len(line)
            # A cell that goes on over lines swallows no rows: those would have separators of their own.
            swallows = separator in line and '"' not in line
            if swallows or taken > _LONGEST_QUOTED or _are_alike(first, line, separator):
                return False
            closed = _CLOSING.match(body)
            if not closed:
                continue
            first, taken, start = "", 0, closed.end() + 1
            if body[closed.end() : start] not in ("", separator):
                return False
        cells, is_open = _quoted_cells(body, separator, start)
        if is_open:
            first, taken, anything = line, len(line), True
        quoted = [cell for cell in cells if cell.startswith('"')]
        if not all(map(_QUOTED_CELL.fullmatch, quoted)):
            return False
        anything = anything or bool(quoted)
        needed = needed and all(separator in cell or '"' in cell[1:-1] for cell in quoted)
        all_texts = all_texts and not any(map(_is_plain_text, cells))
        if not (needed or all_texts):
            return False
    return anything and not first


def _is_plain_text(cell: str) -> bool:
    """Neither quoted, nor empty, nor a number."""
    return bool(cell) and not cell.startswith('"') and not _PLAIN_NUMBER.fullmatch(cell)


def _are_alike(first: str, line: str, separator: str) -> bool:
    """Whether a line has as many cells as the one above it, and begins with an id written like its id."""
    heads = [_DIGITS.sub("9", one.split(separator, 1)[0].strip()) for one in (first, line)]
    return heads[0] == heads[1] and bool(heads[0]) and first.count(separator) == line.count(separator)


def _quoted_cells(row: str, separator: str, start: int = 0) -> tuple[list[str], bool]:
    """The raw cells of a row from a place on, separators inside of quotes left alone, and whether the last is open.

    A cell whose quote is still open is not among them.
    """
    if '"' not in row:
        return (row[start:].split(separator) if start <= len(row) else []), False
    cells: list[str] = []
    while start <= len(row):
        end = row.find(separator, start)
        if row.startswith('"', start):
            quoted = _QUOTED_CELL.match(row, start)
            if not quoted:
                return cells, True
            end = row.find(separator, quoted.end())
        cells.append(row[start:end] if end >= 0 else row[start:])
        start = end + 1 if end >= 0 else len(row) + 1
    return cells, False


def _at_once(block: list[str], separator: str) -> list[list[str]] | None:
    """The rows of lines that are a row each; None where any of them is not."""
    try:
        found = list(csv.reader(block, delimiter=separator, strict=True))
    except csv.Error:
        return None
    return found if len(found) == len(block) else None


class _Rows:
    """Rows one by one; asks for further lines as long as a quote is open, and gives them back where it stays open."""

    def __init__(self, stream: TextIO, name: str, limits: Settings, layout: Layout, unclosed: Places) -> None:
        self._stream, self._name, self._layout, self._unclosed = stream, name, layout, unclosed
        self._limit, self._most = limits.max_line_chars, limits.max_columns
        self._ahead: deque[str] = deque()
        self._first = ""
        self._taken: list[str] = []
        self._chars = 0
        self._reader = csv.reader(self, delimiter=layout.separator, strict=True)
        self.number = 0

    def of(self, block: list[str]) -> Iterator[Row]:
        """The rows of some lines, and of those after them that belong to the last of the rows."""
        self._ahead.extend(block)
        separator = self._layout.separator
        while self._ahead:
            line = self._ahead.popleft()
            number = self.number + 1
            # What holds no quote needs no parser.
            cells = self._parsed(line) if '"' in line else line.rstrip("\r\n").split(separator, self._most)
            if len(cells) > self._most:
                raise too_many_columns(self._name, number, self._most)
            self.number = number + (len(self._taken) if '"' in line else 0)
            yield number, cells

    def _parsed(self, line: str) -> list[str]:
        self._first, self._taken, self._chars = line, [], len(line)
        try:
            cells: list[str] | None = next(self._reader)
            if self._taken and cells and not self._is_row(cells):
                cells = None
        except (csv.Error, StopIteration):
            cells = None
        if cells is None:
            self._ahead.extendleft(reversed(self._taken))
            self._taken = []
            cells = self._alone(line)
        return [cell.replace(_INNER_RETURN, "\r") if _INNER_RETURN in cell else cell for cell in cells]

    def __iter__(self) -> "_Rows":
        return self

    def __next__(self) -> str:
        if self._first:
            line, self._first = self._first, ""
            return _for_parser(line)
        more = self._ahead.popleft() if self._ahead else self._stream.readline()
        if not more:
            raise StopIteration
        self._taken.append(more)
        self._chars += len(more)
        if self._chars > self._limit:
            raise StopIteration
        return _for_parser(more)

    def _is_row(self, cells: Sequence[str]) -> bool:
        """Whether several lines are one row: as wide as the others, its further lines no rows themselves."""
        width, id_at, separator = self._layout.width, self._layout.id_at, self._layout.separator
        if not width:
            return True
        if len(cells) < width or id_at >= len(cells):
            return False
        shape = _DIGITS.sub("9", cells[id_at].strip())
        inner = (line.rstrip("\r\n").split(separator) for line in self._taken)
        return not all(len(row) == width and _DIGITS.sub("9", row[id_at].strip()) == shape for row in inner)

    def _alone(self, line: str) -> list[str]:
        """A line that is no proper CSV: leniently, or as it stands where its quote is never closed."""
        asked = False

        def once() -> Iterator[str]:
            nonlocal asked
            yield _for_parser(line)
            asked = True

        try:
            cells = next(csv.reader(once(), delimiter=self._layout.separator))
        except csv.Error as error:
            raise refuse(
                "broken-csv",
                f"Plik {self._name}, wiersz {self.number + 1}: zepsuty CSV ({error}). Zapisz go jeszcze raz jako CSV.",
                f"File {self._name}, line {self.number + 1}: broken CSV ({error}). Save it again as CSV.",
                lines=[self.number + 1],
            ) from error
        if not asked:
            return cells
        self._unclosed.add(self.number + 1)
        return line.rstrip("\r\n").split(self._layout.separator, self._most)


def _for_parser(line: str) -> str:
    """The line with carriage returns that end no line out of the parser's sight."""
    if "\r" not in line:
        return line
    body = line.rstrip("\r\n")
    return body.replace("\r", _INNER_RETURN) + line[len(body) :] if "\r" in body else line


def too_many_columns(name: str, line: int, most: int) -> Refused:
    """Said of a line that holds more cells than the limit."""
    return refuse(
        "too-many-columns",
        f"Plik {name}, wiersz {line}: ponad {most} kolumn. Sprawdź separator albo podnieś POLQA_MAX_COLUMNS.",
        f"File {name}, line {line}: more than {most} columns. Check the separator or raise POLQA_MAX_COLUMNS.",
        lines=[line],
    )
