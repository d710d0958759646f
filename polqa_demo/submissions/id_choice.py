"""Which of several ids of a passage in one row is the gold's: the passages that are judged tell."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from polqa_demo.data.columns import plain_name
from polqa_demo.data.lines import id_text
from polqa_demo.errors import Problem
from polqa_demo.submissions import ranking_readings as readings

# Names that are remembered, as long as any known one is.
_MOST_NAMES, _LONGEST_NAME = 1000, 100


class IdChoice:
    """Counts, over the objects of a file, which of their ids are judged.

    :param names: the names of the passage's id, the one to believe first first
    :param passages: ids of passages that are judged
    """

    def __init__(self, names: Sequence[str], passages: Collection[str] = ()) -> None:
        self.names = tuple(names)
        self.passages = passages
        self._plain: dict[str, str] = {}
        self._judged: dict[str, int] = {}

    def look_at(self, row: Mapping[str, Any]) -> None:
        """Takes down an object, where it has several ids."""
        if not self.passages:
            return
        found = {plain: value for name, value in row.items() if (plain := self._known(str(name)))}
        if len(found) > 1:
            for name, value in found.items():
                self._judged[name] = self._judged.get(name, 0) + (id_text(value) in self.passages)

    def _known(self, name: str) -> str:
        if name not in self._plain:
            plain = plain_name(name[:_LONGEST_NAME])
            if len(self._plain) >= _MOST_NAMES:
                return plain if plain in self.names else ""
            self._plain[name] = plain if plain in self.names else ""
        return self._plain[name]

    def better(self) -> "tuple[IdChoice, Problem] | None":
        """The choice that believes an id first of which more are judged, and what is told; None where none is."""
        first = next((name for name in self.names if name in self._judged), None)
        if first is None:
            return None
        most = max(self._judged, key=lambda name: (self._judged[name], name == first))
        if most == first:
            return None
        told = readings.about_two_ids(most, first, self._judged[most], self._judged[first])
        return IdChoice((most, *(name for name in self.names if name != most)), self.passages), told
