"""The numbers of a column of scores, distances or ranks, as people, spreadsheets and programs write them."""

import math
import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from polqa_demo.errors import Problem
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.problems import Places, Refused, refuse

_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
# What is written with a comma between thousands; `0,512` is not.
_THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+(?:[eE][-+]?[0-9]+)?")
# `tensor(19.)`, `np.float32(0.5)`, `tensor([0.5], device='cuda:0')`, `[0.5]`.
_WRAPPED = re.compile(
    rf"[A-Za-z_][A-Za-z0-9_.]{{0,40}}\(\s*\[?\s*({_NUMBER})\s*\]?\s*(?:,[^()]{{0,100}})?\)|\[\s*({_NUMBER})\s*\]"
)
_INFINITE = re.compile(r"([-+]?)inf(?:inity)?", re.IGNORECASE)
_LONGEST = 200
Writing = Literal["plain", "decimal-comma", "wrapped", "infinite"]


class Number(NamedTuple):
    """A number and how it was written."""

    value: float
    writing: Writing = "plain"


def number_of(value: Any) -> Number | None:
    """The number of a cell or of a JSON value; None when it is none. NaN is none: it has no place in an order.

    An infinite one is read as such: `-inf` stands behind all others.
    """
    if isinstance(value, float) and math.isinf(value):
        return Number(value, "infinite")
    plain = finite(value)
    if plain is not None:
        return Number(plain)
    return _written(value.strip()) if isinstance(value, str) and len(value) <= _LONGEST else None


def _written(cell: str) -> Number | None:
    """The number of a cell that is not written plainly."""
    if match := _INFINITE.fullmatch(cell):
        return Number(-math.inf if match[1] == "-" else math.inf, "infinite")
    if _DECIMAL_COMMA.fullmatch(cell):
        return Number(float(cell.replace(",", ".")), "decimal-comma")
    if match := _WRAPPED.fullmatch(cell):
        return Number(float(match[1] or match[2]), "wrapped")
    return None


def is_nan(value: object) -> bool:
    """Whether a value is NaN, as a float or as text."""
    return (isinstance(value, float) and math.isnan(value)) or (
        isinstance(value, str) and value.strip().lstrip("+-").lower() == "nan"
    )


def is_whole(cell: str) -> bool:
    """Whether a cell holds a whole number; `1.0` is one as well."""
    value = finite(cell)
    return value is not None and value.is_integer()


class NumberColumn:
    """The numbers of one column, which must be there in every row or in none: a gap would be a place in the ranking."""

    __slots__ = ("_at", "_gap", "_name", "_odd", "filled")

    def __init__(self, name: str, at: int) -> None:
        self._name, self._at, self.filled, self._gap = name, at, False, 0
        self._odd = OddNumbers()

    def number(self, line: int, cells: Sequence[str]) -> float | None:
        """The number of a row; None where no row has any.

        :raises Refused: no number, or a row without beside rows with one
        """
        if self._at >= len(cells):
            if self.filled:
                raise no_number(self._name, line)
            self._gap = self._gap or line
            return None
        if self._gap:
            raise no_number(self._name, self._gap)
        self.filled = True
        cell = cells[self._at]
        try:
            value = float(cell)
        except ValueError:
            return self._slowly(line, cell)
        # `float` takes more for a number than a person does; the plain digits need no second look.
        if not -math.inf < value < math.inf or not cell.isascii() or "_" in cell:
            return self._slowly(line, cell)
        if not self._odd.points and "." in cell:
            self._odd.points = True
        return value

    def nearness(self, line: int, cells: Sequence[str]) -> float | None:
        """The number of a row as `number`, turned about: of distances the smallest goes first."""
        value = self.number(line, cells)
        return None if value is None else -value

    def _slowly(self, line: int, cell: str) -> float:
        found = number_of(cell)
        if found is None:
            raise not_a_number(self._name, line, cell)
        self._odd.add(line, cell, found)
        return found.value

    def problems(self) -> list[Problem]:
        """What is told of numbers written otherwise.

        :raises Refused: commas that part thousands in one row, and decimals with a point in another
        """
        self._odd.check(self._name)
        return self._odd.problems()


class OddNumbers:
    """Numbers that are written as no number usually is, gathered while they are read.

    `points` says that others are decimals with a point.
    """

    __slots__ = ("_places", "_thousands", "points")

    def __init__(self) -> None:
        self._places: dict[str, Places] = {}
        self._thousands = 0
        self.points = False

    def add(self, line: int, cell: object, found: Number) -> None:
        """Takes down a number; plain ones are nothing to tell."""
        if found.writing == "plain":
            self.points = self.points or (isinstance(cell, str) and "." in cell) or isinstance(cell, float)
            return
        self._places.setdefault(found.writing, Places()).add(line, cell)
        self._thousands += found.writing == "decimal-comma" and bool(_THOUSANDS.fullmatch(str(cell).strip()))

    def check(self, name: str) -> None:
        """Looks whether the commas can be those of decimals.

        :raises Refused: all may part thousands, and other numbers are decimals with a point
        """
        commas = self._places.get("decimal-comma")
        if commas is not None and self.points and commas.count == self._thousands:
            raise mixed_decimals(name, commas)

    def problems(self) -> list[Problem]:
        """A note for each way of writing."""
        return [_SAID[writing](places) for writing, places in self._places.items()]


def _commas(places: Places) -> Problem:
    pl = f"Liczby z przecinkiem dziesiętnym odczytano jako ułamki: {places.count} ({places.examples[0]} to "
    en = f"Numbers with a decimal comma were read as decimals: {places.count} ({places.examples[0]} is "
    plain = places.examples[0].strip().replace(",", ".")
    return places.problem("note", "decimal-commas", f"{pl}{plain}).", f"{en}{plain}).")


def _wrapped(places: Places) -> Problem:
    pl = f"Liczby zapisane tak, jak drukuje je biblioteka: {places.count} ({places.shown}). Liczy się sama liczba; "
    en = f"Numbers written as a library prints them: {places.count} ({places.shown}). The number alone counts; "
    return places.problem("note", "printed-numbers", f"{pl}zapisz float(x).", f"{en}write float(x).")


def _infinite(places: Places) -> Problem:
    pl = f"Liczby nieskończone: {places.count} ({places.shown}). Ich fragmenty stoją na skraju listy, po stronie znaku."
    en = f"Infinite numbers: {places.count} ({places.shown}). Their passages stand at the end that the sign says."
    return places.problem("note", "infinite-scores", pl, en)


_SAID = {"decimal-comma": _commas, "wrapped": _wrapped, "infinite": _infinite}


def not_a_number(name: str, line: int, cell: object) -> Refused:
    """A score or a rank that is none."""
    what = ("wynik lub pozycja nie jest liczbą", "the score or rank is not a number")
    if is_nan(cell):
        what = (
            "NaN zamiast liczby, więc nie wiadomo, na którym miejscu stoi ten fragment",
            "NaN in place of a number, so nobody knows at which place this passage stands",
        )
    shown = repr(str(cell)[:40])
    return refuse(
        "not-a-number",
        f"Plik {name}, wiersz {line}: {what[0]} ({shown}). Popraw wiersz.",
        f"File {name}, line {line}: {what[1]} ({shown}). Mend the row.",
        lines=[line],
    )


def no_number(name: str, line: int) -> Refused:
    """A row without the score or the rank that other rows have."""
    return refuse(
        "ragged-row",
        f"Plik {name}, wiersz {line}: brak wyniku lub pozycji, które mają inne wiersze. Uzupełnij wiersz albo usuń go.",
        f"File {name}, line {line}: the score or the rank that other rows have is missing. Complete the row or remove "
        "it.",
        lines=[line],
    )


def mixed_decimals(name: str, commas: Places) -> Refused:
    """A comma between thousands or before decimals, where others are written with a point."""
    return refuse(
        "mixed-decimals",
        f"Plik {name}: przecinek w liczbach ({commas.shown}; razem {commas.count}) może oddzielać tysiące albo "
        "ułamek, a inne liczby mają kropkę. Zapisz wszystkie tak samo, bez przecinków.",
        f"File {name}: the comma in numbers ({commas.shown}; {commas.count} of them) may part thousands or decimals, "
        "and other numbers have a point. Write all alike, without commas.",
        commas.count,
        commas.lines,
    )
