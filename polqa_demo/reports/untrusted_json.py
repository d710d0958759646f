"""JSON that somebody uploads: parsed within bounds, and read value by value with its place in every message."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from polqa_demo.errors import UserError, counted
from polqa_demo.polish import plural

MAX_BYTES = 64 << 20
# Containers and their values cost far more memory than their signs; a report of 80,000 questions stays below this.
MAX_SIGNS = 5_000_000
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def bad_report(place: str, pl: str, en: str) -> UserError:
    """The refusal of a report for what stands at a place such as `items[3].ranks`; empty: the whole file."""
    where = Where(place)
    return UserError("bad-report", f"{where.pl}{pl}", f"{where.en}{en}")


class Where:
    """How a place is named at the head of a message."""

    def __init__(self, place: str) -> None:
        self.pl = f"Raport, {place}: " if place else "Nie mogę wczytać raportu: "
        self.en = f"Report, {place}: " if place else "The report cannot be loaded: "


class Node:
    """A value of a foreign JSON and the place where it stands. Every reader raises UserError (`bad-report`)."""

    __slots__ = ("place", "value")

    def __init__(self, value: Any, place: str = "") -> None:
        self.value = value
        self.place = place

    def get(self, name: str) -> "Node | None":
        """What an object holds under a name; None when it does not."""
        values = self._kind(dict, "obiekt {…}", "an object {…}")
        return Node(values[name], self.below(name)) if name in values else None

    def key(self, name: str) -> "Node":
        """What an object must hold under a name."""
        found = self.get(name)
        if found is None:
            self.refuse(
                f"brak „{name}”. Wczytaj raport JSON zapisany przez ten program, w całości.",
                f"{name!r} is missing. Load a JSON report that this program wrote, the whole of it.",
            )
        return found

    def entries(self, most: int) -> Iterator[tuple[str, "Node"]]:
        """Names and values of an object of at most so many."""
        values = self._kind(dict, "obiekt {…}", "an object {…}")
        self._refuse_more(len(values), most)
        for name, value in values.items():
            # The name is not trusted either; it becomes text by the same rules.
            yield Node(name, self.place).text(), Node(value, self.below(name))

    def elements(self, most: int) -> Iterator["Node"]:
        """The values of a list of at most so many."""
        values = self._kind(list, "lista […]", "a list […]")
        self._refuse_more(len(values), most)
        return (Node(value, f"{self.place}[{index}]") for index, value in enumerate(values))

    def text(self, longest: int = 100_000) -> str:
        """A text that UTF-8 can hold."""
        text: str = self._kind(str, "tekst", "text")
        if len(text) > longest:
            self.refuse(
                f"tekst ma {plural(len(text), 'znak', 'znaki', 'znaków')}, wolno najwyżej {longest}.",
                f"the text has {counted(len(text), 'character', 'characters')}, at most {longest} are allowed.",
            )
        if not text.isascii() and _SURROGATE.search(text):
            self.refuse(
                "tekst zawiera połówkę pary zastępczej (\\ud…).", "the text holds half a surrogate pair (\\ud…)."
            )
        return text

    def integer(self, lowest: int = 0, highest: int = 100_000_000) -> int:
        """A whole number within bounds; 3.0 is none."""
        number: int = self._kind(int, "liczba całkowita", "a whole number")
        if not lowest <= number <= highest:
            self.refuse(
                f"{shown(number)} nie mieści się w zakresie {lowest}–{highest}.",
                f"{shown(number)} does not lie within {lowest}–{highest}.",
            )
        return number

    def positive(self, highest: float) -> float:
        """A number above 0, whole or not."""
        number: float = self.value if type(self.value) is int else self._kind(float, "liczba", "a number")
        if not 0 < number <= highest:
            self.refuse(
                f"{shown(number)} nie jest liczbą powyżej 0, najwyżej {highest:g}.",
                f"{shown(number)} is no number above 0 and up to {highest:g}.",
            )
        return number

    def flag(self) -> bool:
        """True or false."""
        flag: bool = self._kind(bool, "true albo false", "true or false")
        return flag

    def refuse(self, pl: str, en: str) -> NoReturn:
        """Raises the refusal of what stands here."""
        raise bad_report(self.place, pl, en)

    def below(self, name: str) -> str:
        """The place of what stands under a name."""
        plain = name if re.fullmatch(r"[\w@-]{1,40}", name) else repr(name[:40])
        return f"{self.place}.{plain}" if self.place else plain

    def _kind(self, kind: type, pl: str, en: str) -> Any:
        # A bool is an int in Python and nowhere else.
        if type(self.value) is not kind:
            self.refuse(f"oczekiwano: {pl}, jest: {shown(self.value)}.", f"{en} is wanted, found: {shown(self.value)}.")
        return self.value

    def _refuse_more(self, found: int, most: int) -> None:
        if found > most:
            self.refuse(
                f"elementów jest {found}, wolno najwyżej {most}.",
                f"{counted(found, 'entry', 'entries')}, at most {most} are allowed.",
            )


def shown(value: object) -> str:
    """A value of somebody else's as a message shows it: short, in JSON's writing."""
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return "…"
    text = json.dumps(value[:60] if isinstance(value, str) else value, ensure_ascii=False)
    return _SURROGATE.sub("\ufffd", text)


def parse_report(data: str | bytes) -> Node:
    """The JSON object of an uploaded report.

    :raises UserError: too large, not UTF-8, not JSON (NaN and Infinity are none), nested too deeply, no object
    """
    if len(data) > MAX_BYTES:
        limit = MAX_BYTES >> 20
        raise bad_report("", f"plik jest większy niż {limit} MB.", f"the file is larger than {limit} MB.")
    text = _decoded(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    if text.count(",") + text.count("[") + text.count("{") > MAX_SIGNS:
        raise bad_report("", "plik ma zbyt wiele elementów.", "the file has too many entries.")
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise bad_report("", "plik jest zbyt głęboko zagnieżdżony.", "the file is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise bad_report(
            "",
            f"to nie jest poprawny JSON (wiersz {error.lineno}, znak {error.colno}). Wczytaj plik, który zapisał ten "
            "program („raport JSON” albo score --json).",
            f"this is not valid JSON (line {error.lineno}, character {error.colno}). Load a file that this program "
            "wrote (“JSON report” or score --json).",
        ) from error
    except ValueError as error:
        raise bad_report(
            "",
            "jest w nim liczba, której JSON nie zna (NaN, Infinity) albo o tysiącach cyfr.",
            "it holds a number that JSON does not know (NaN, Infinity) or one of thousands of digits.",
        ) from error
    if not isinstance(value, dict):
        raise bad_report("", "oczekiwano obiektu JSON {…}.", "a JSON object {…} is wanted.")
    return Node(value)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise bad_report("", f"wiersz {line} nie jest w UTF-8.", f"line {line} is not UTF-8.") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
