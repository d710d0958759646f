"""What stands in the place of an answer: a text, a number, a list, a reader's object -> the answer's text."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from polqa_demo.data.columns import plain_name
from polqa_demo.data.polqa import parse_answers
from polqa_demo.errors import Bilingual, Problem
from polqa_demo.submissions.json_forms import json_text
from polqa_demo.submissions.problems import PLACES, first_places, refuse
from polqa_demo.submissions.table import ANSWER_NAMES, SAMPLE, Table, has_field, object_field

# Where the answer stands in an object that a reader gave.
_TEXT_NAMES = (*ANSWER_NAMES, "text")


def answer_text(value: Any, name: str, line: int) -> str:
    """The text of a JSON value; of an object (`{"text": "tak", "score": 0.9}`) the one of its answer.

    :raises Refused: an object without such a field
    """
    if isinstance(value, dict):
        if not has_field(value, _TEXT_NAMES):
            raise refuse(
                "nested-answers",
                f"Plik {name}, wiersz {line}: odpowiedź jest obiektem o polach {first_places(value)}. Wpisz sam tekst.",
                f"File {name}, line {line}: the answer is an object of the fields {first_places(value)}. Give its text "
                "alone.",
                lines=[line],
            )
        return answer_text(object_field(value, _TEXT_NAMES), name, line)
    if isinstance(value, list):
        return json_text([answer_text(item, name, line) if isinstance(item, dict) else item for item in value])
    return json_text(value)


def answer_fields(table: Table) -> list[str]:
    """The fields that hold answers where some row has several of them, the one to believe first; else empty."""
    if table.keyed:
        return []
    found: set[str] = set()
    several = False
    for _, row in islice(table.objects(), SAMPLE):
        here = {plain for key in row if (plain := plain_name(key)) in ANSWER_NAMES}
        several = several or len(here) > 1
        found |= here
    return [name for name in ANSWER_NAMES if name in found] if several else []


def unwrapped(found: Mapping[str, tuple[int, str]], name: str) -> tuple[dict[str, tuple[int, str]], list[Problem]]:
    """Answers that are lists of one, such as `['tak']`, as their text.

    :raises Refused: some of the lists hold several answers
    """
    lists = {
        key: items
        for key, (_, answer) in found.items()
        if answer.lstrip().startswith("[") and (items := parse_answers(answer)) is not None
    }
    if not lists:
        return dict(found), []
    several = [found[key][0] for key, items in lists.items() if len(items) > 1]
    if several:
        raise refuse(
            "list-answers",
            f"Plik {name}: listy po kilka odpowiedzi na pytanie, liczba wierszy: {len(several)} "
            f"({first_places(several)}). Zostaw po jednej odpowiedzi, bez nawiasów.",
            f"File {name}: lists of several answers to a question, rows: {len(several)} ({first_places(several)}). "
            "Keep one answer each, without brackets.",
            len(several),
            several,
        )
    places = [found[key] for key in lists]
    message = Bilingual(
        f"Odpowiedzi zapisane jako listy odczytano jako tekst: {len(places)}, np. {places[0][1][:40]}. Zapisuj je bez "
        "nawiasów.",
        f"Answers written as lists were read as their text: {len(places)}, such as {places[0][1][:40]}. Write them "
        "without brackets.",
    )
    texts = {key: (line, "".join(lists[key]) if key in lists else answer) for key, (line, answer) in found.items()}
    return texts, [Problem("note", "list-answers", message, len(places), tuple(line for line, _ in places)[:PLACES])]
