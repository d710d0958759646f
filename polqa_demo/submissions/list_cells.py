"""Lists of passages in single cells: as Python, NumPy or JSON print them, or ids with one separator between them."""

from collections.abc import Sequence
from typing import Any

from polqa_demo.data.lines import load_json
from polqa_demo.data.literals import NotLiteralError, parse_printed
from polqa_demo.errors import Problem
from polqa_demo.submissions import ranking_readings as readings
from polqa_demo.submissions import ranking_refusals as refusals

_OPENING = ("[", "(", "{", "array(")
_SEPARATORS = ("|", ";", ",", " ")
# Columns whose cells hold ids, whatever these look like.
_IDS = ("passage_ids", "retrieved_ids", "doc_ids", "docids", "pids", "ranking")


class ListCells:
    """Reads the lists of one column.

    :param column: its plain name
    :param cells: the first of its cells, by which the separator is judged
    """

    def __init__(self, name: str, column: str, cells: Sequence[str]) -> None:
        self._name, self._column = name, column
        plain = [cell for cell in map(_bare, cells) if cell and not cell.startswith(_OPENING)]
        self.separator = next((sign for sign in _SEPARATORS if _parts(plain, sign, column in _IDS)), "")

    def members(self, line: int, cell: str) -> list[Any]:
        """The members of a cell.

        :raises Refused: a bracket that opens no whole list
        """
        cell = _bare(cell)
        if cell.startswith(_OPENING):
            found = _printed(cell)
            if isinstance(found, list):
                return found
            if isinstance(found, dict):
                return [[passage, score] for passage, score in found.items()]
            if cell.startswith("["):
                raise refusals.broken_list(self._name, line, cell)
        if not cell:
            return []
        parts = cell.split() if self.separator == " " else cell.split(self.separator) if self.separator else [cell]
        return [part for part in map(str.strip, parts) if part]

    def numbers(self, cell: object) -> list[Any] | None:
        """The scores of a list that stand in a cell of their own; None where they are no list."""
        if not isinstance(cell, str):
            return cell if isinstance(cell, list) else None
        if cell.strip().startswith(_OPENING):
            found = _printed(cell.strip())
            return found if isinstance(found, list) else None
        sign = self.separator
        return None if not sign else cell.split() if sign == " " else cell.split(sign)

    def problems(self) -> list[Problem]:
        """A note of what parts the members."""
        return [readings.about_list_cells(self._column, self.separator)] if self.separator else []


def _bare(cell: str) -> str:
    """A cell without blanks around it, and without quotes that its file left there."""
    cell = cell.strip()
    return cell[1:-1].replace('""', '"').strip() if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _printed(cell: str) -> Any:
    try:
        return load_json(cell)
    except (ValueError, RecursionError):
        pass
    try:
        return parse_printed(cell).value
    except NotLiteralError:
        return None


def _parts(cells: Sequence[str], sign: str, ids: bool) -> bool:
    """Whether a sign parts the members of most cells. Words of a text are no members: ids hold digits."""
    if 2 * sum(sign in cell for cell in cells) <= len(cells):
        return False
    parts = [part.strip() for cell in cells for part in cell.split(sign) if part.strip()]
    digits = sum(any(character.isdigit() for character in part) for part in parts)
    ends = sum(part.endswith((".", "!", "?")) for part in parts)
    return (ids or 10 * digits >= 9 * len(parts)) and 10 * ends <= len(parts) and bool(parts)
