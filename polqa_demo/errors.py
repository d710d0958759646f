"""What is said to a person, in Polish and in English, and the exception that carries it.

Rooms raise it with file, line, count, first examples and the cure; the doors (command line, app) show it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

Lang = Literal["pl", "en"]
Severity = Literal["error", "warning", "note"]


class Bilingual(NamedTuple):
    """One sentence in both languages of the interface."""

    pl: str
    en: str

    def say(self, lang: Lang) -> str:
        """The sentence in one language."""
        return self.pl if lang == "pl" else self.en


def number(value: float, digits: int, lang: Lang) -> str:
    """A decimal number as the language writes it."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if lang == "pl" else text


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of fault in one file: what, how often, where first. `message` holds the cure as well.

    `file` is the name of the file as it came; empty where the problem is not about one file.
    """

    severity: Severity
    code: str
    message: Bilingual
    count: int = 1
    lines: tuple[int, ...] = ()
    file: str = ""


def counted(count: int, one: str, many: str) -> str:
    """The count with its English noun: 1 line, 2 lines. (`polish.plural` knows the Polish forms.)"""
    return f"{count} {one if count == 1 else many}"


def first_few(values: Iterable[object], most: int = 3) -> str:
    """The first values as text, each cut to 60 characters, with dots when there are more: `107, 112, 118, …`."""
    shown = [str(value)[:60] for value in islice(values, most + 1)]
    return ", ".join([*shown[:most], "…"] if len(shown) > most else shown)


def by_option(option: str, *, page: bool = True) -> Bilingual:
    """Where a choice can be made or overruled: the option of the command line, and the page.

    :param page: the page has the choice; else the field of the HTTP endpoints that is called like the option is named
    """
    if page:
        return Bilingual(
            f"(wiersz poleceń: {option}; strona: Jak odczytać pliki)",
            f"(command line: {option}; page: How to read the files)",
        )
    field = option.split(maxsplit=1)[0].lstrip("-").replace("-", "_")
    return Bilingual(f"(wiersz poleceń: {option}; HTTP: {field})", f"(command line: {option}; HTTP: {field})")


class UserError(Exception):
    """Something the user can mend: bad input, a missing file, no network.

    `code` is a short stable name for scripts, lower-case words joined by hyphens; `message` says what, where and what
    to do.
    """

    def __init__(self, code: str, pl: str, en: str) -> None:
        super().__init__(en)
        self.code = code
        self.message = Bilingual(pl, en)

    def say(self, lang: Lang) -> str:
        """The message in the user's language."""
        return self.message.say(lang)
