"""Replies of chat models that answer in JSON, though they were asked for two lines."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

# Field names as they are compared: small letters without signs between them, Polish ones also without their marks.
_ANSWER = ("krotkaodpowiedz", "odpowiedz", "shortanswer", "finalanswer", "answer", "response", "text", "value")
_PASSAGE = ("numerfragmentu", "fragment", "passagenumber", "passage", "zrodlo", "source")
_PLAIN = str.maketrans("ąćęłńóśźż", "acelnoszz", " _-")
_DEEPEST = 3
_DECODER = json.JSONDecoder()


class JsonReply(NamedTuple):
    """The answer (empty where the model says that there is none) and the number of the passage, if it names one."""

    text: str
    passage: int | None


def json_reply(text: str) -> JsonReply | None:
    """The answer in a reply that is a JSON value, or begins with a sentence and goes on with an object.

    None where it is neither, or where an object has no field of an answer's name.
    """
    start = text.find("{")
    found = _value(text.strip())
    if found is None and start >= 0:
        found = _value(text[start:])
    if isinstance(found, list):
        found = next((one for one in found if isinstance(one, dict)), None)
    if isinstance(found, dict):
        fields = {str(name).lower().translate(_PLAIN): value for name, value in found.items()}
        name = _first(fields, _ANSWER)
        if name is None:
            return None
        number = _first(fields, _PASSAGE)
        return JsonReply(_written(fields[name], _DEEPEST), _number(fields[number]) if number else None)
    # A bare text in quotes; a bare number is an answer as it stands.
    return JsonReply(found, None) if isinstance(found, str) and text.strip().endswith('"') else None


def _value(text: str) -> Any:
    try:
        return _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in fields), None)


def _written(value: object, deepest: int) -> str:
    """A value as a person would write it; of a list the first, of an object its answer."""
    if isinstance(value, bool):
        return "tak" if value else "nie"
    if isinstance(value, str | int | float):
        return str(value)
    if deepest and isinstance(value, list):
        return _written(value[0], deepest - 1) if value else ""
    if deepest and isinstance(value, dict):
        fields = {str(name).lower().translate(_PLAIN): one for name, one in value.items()}
        name = _first(fields, _ANSWER)
        return _written(fields[name], deepest - 1) if name else ""
    return ""


def _number(value: object) -> int | None:
    """The number of a passage: 2, "2", "Fragment 2", [2]; None for anything else."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    digits = "".join(sign for sign in value if sign in "0123456789") if isinstance(value, str) else ""
    return int(digits) if 0 < len(digits) <= 4 else None
