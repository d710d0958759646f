"""JSON that somebody uploads: its bytes parsed within bounds, and how a refusal names a place and a value in it."""

import json
import re
from typing import Any, NoReturn

from polqa_demo.errors import UserError

MAX_BYTES = 64 << 20
# Containers and their values cost far more memory than their signs; a report of 80,000 questions stays below this.
MAX_SIGNS = 5_000_000
_SURROGATE = re.compile(r"[\ud800-\udfff]")

Place = tuple[str | int, ...]
"""Names and indices that lead to a value, as `("items", 3, "ranks")`; empty: the whole file."""


def bad_report(place: Place, pl: str, en: str) -> UserError:
    """The refusal of a report for what stands at a place."""
    where = place_name(place)
    head_pl, head_en = (
        (f"Raport, {where}: ", f"Report, {where}: ")
        if where
        else ("Nie mogę wczytać raportu: ", "The report cannot be loaded: ")
    )
    return UserError("bad-report", head_pl + pl, head_en + en)


def place_name(place: Place) -> str:
    """A place as a message writes it: `items[3].ranks`."""
    named = ""
    for step in place:
        if isinstance(step, int):
            named += f"[{step}]"
        else:
            plain = step if re.fullmatch(r"[\w@-]{1,40}", step) else repr(step[:40])
            named += f".{plain}" if named else plain
    return named


def shown(value: object) -> str:
    """A value of somebody else's as a message shows it: short, in JSON's writing."""
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return "…"
    text = json.dumps(value[:60] if isinstance(value, str) else value, ensure_ascii=False)
    return _SURROGATE.sub("\ufffd", text)


def parse_report(data: str | bytes) -> dict[str, Any]:
    """The JSON object of an uploaded report.

    :raises UserError: too large, not UTF-8, not JSON (NaN and Infinity are none), nested too deeply, no object
    """
    if len(data) > MAX_BYTES:
        limit = MAX_BYTES >> 20
        raise bad_report((), f"plik jest większy niż {limit} MB.", f"the file is larger than {limit} MB.")
    text = _decoded(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    if text.count(",") + text.count("[") + text.count("{") > MAX_SIGNS:
        raise bad_report((), "plik ma zbyt wiele elementów.", "the file has too many entries.")
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise bad_report((), "plik jest zbyt głęboko zagnieżdżony.", "the file is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise bad_report(
            (),
            f"to nie jest poprawny JSON (wiersz {error.lineno}, znak {error.colno}). Wczytaj plik, który zapisał ten "
            "program („raport JSON” albo score --json).",
            f"this is not valid JSON (line {error.lineno}, character {error.colno}). Load a file that this program "
            "wrote (“JSON report” or score --json).",
        ) from error
    except ValueError as error:
        raise bad_report(
            (),
            "jest w nim liczba, której JSON nie zna (NaN, Infinity) albo o tysiącach cyfr.",
            "it holds a number that JSON does not know (NaN, Infinity) or one of thousands of digits.",
        ) from error
    if not isinstance(value, dict):
        raise bad_report((), "oczekiwano obiektu JSON {…}.", "a JSON object {…} is wanted.")
    return value


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise bad_report((), f"wiersz {line} nie jest w UTF-8.", f"line {line} is not UTF-8.") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
