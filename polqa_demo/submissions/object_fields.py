"""Fields of JSON objects by the names under which columns are known."""

from collections.abc import Mapping, Sequence
from typing import Any

from polqa_demo.data.columns import plain_name

# Names that are remembered; a hostile file has a new one in every object.
_MOST_NAMES = 1000
# No known name is longer.
_LONGEST_NAME = 100


class Fields:
    """Finds the fields of objects. A name is looked up once a file, not once an object.

    :param columns: the names of each column, the one to believe first first
    """

    def __init__(self, **columns: Sequence[str]) -> None:
        self._places: dict[str, tuple[str, int]] = {}
        for column, names in columns.items():
            for place, name in enumerate(names):
                self._places.setdefault(name, (column, place))
        self._known: dict[str, tuple[str, int] | None] = {}

    def of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Column -> value of the field to believe first; a column without a field is not there."""
        found: dict[str, Any] = {}
        places: dict[str, int] = {}
        for name, value in row.items():
            known = self._known[name] if name in self._known else self._look_up(name)
            if known is not None and known[1] < places.get(known[0], len(self._places)):
                found[known[0]], places[known[0]] = value, known[1]
        return found

    def _look_up(self, name: str) -> tuple[str, int] | None:
        known = self._places.get(plain_name(str(name)[:_LONGEST_NAME]))
        if len(self._known) < _MOST_NAMES:
            self._known[name] = known
        return known
