"""Fields that stand twice in one object with different values: which of them counts is for no order to decide."""

from collections.abc import Mapping
from typing import Any

from polqa_demo.data.columns import COLUMNS, plain_name
from polqa_demo.submissions.problems import Refused, refuse

_KNOWN = frozenset(name for column in COLUMNS.values() for name in column.names)
# Ways to name the fields of an object that are remembered; a hostile file has a new one in every object.
_MOST_WAYS = 1000


class RepeatedFieldError(Exception):
    """A key that stands twice in one JSON object."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


def unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object from its pairs, for `object_pairs_hook`.

    :raises RepeatedFieldError: a key stands twice with different values; a remark in words may
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        first: dict[str, Any] = {}
        for key, value in pairs:
            if first.setdefault(key, value) != value and not _is_remark(key, value):
                raise RepeatedFieldError(key)
    return found


def _is_remark(key: str, value: object) -> bool:
    """A word for a name that no column bears, and words under it."""
    words = isinstance(value, str | bool | None)
    return words and plain_name(key) not in _KNOWN and not any(sign.isdigit() for sign in key)


def repeated_field(file: str, line: int, names: str) -> Refused:
    """Said of an object with one field twice."""
    return refuse(
        "repeated-field",
        f"Plik {file}, wiersz {line}: jeden obiekt ma to samo pole kilka razy ({names[:80]}), z różnymi wartościami. "
        "Zostaw jedno albo zmień nazwy pozostałych.",
        f"File {file}, line {line}: one object has the same field several times ({names[:80]}), with different values. "
        "Keep one, or rename the others.",
        lines=[line],
    )


class SameNames:
    """Looks for fields of objects whose names differ in case or blanks alone (`prediction`, `Prediction`).

    :param file: the file's name, for the refusal
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._ways: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}

    def refuse_in(self, line: int, row: Mapping[str, Any]) -> None:
        """:raises Refused: two such fields of a known column hold different values"""
        way = tuple(row)
        pairs = self._ways.get(way)
        if pairs is None:
            pairs = _same(way)
            if len(self._ways) < _MOST_WAYS:
                self._ways[way] = pairs
        for one, other in pairs:
            if row[one] != row[other]:
                raise repeated_field(self._file, line, f"{one}, {other}")


def _same(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    first: dict[str, str] = {}
    pairs = []
    for name in names:
        plain = plain_name(str(name)[:100])
        if plain in _KNOWN and first.setdefault(plain, name) != name:
            pairs.append((first[plain], name))
    return tuple(pairs)
