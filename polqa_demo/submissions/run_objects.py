"""What an object of a question holds by its names: passages with their scores or ranks, or the passages of its places.

`{passage: score}` is what ranx and pytrec_eval write, `{place: passage}` is a frame with one column a place, as pandas
writes it by `to_json(orient="index")`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from polqa_demo.errors import Problem
from polqa_demo.submissions import ranking_readings as readings
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.ranking_columns import are_most, is_rising
from polqa_demo.submissions.ranking_numbers import is_nan, number_of
from polqa_demo.submissions.table import LIST_NAMES, VALUE, object_field
from polqa_demo.submissions.wide_columns import counts_places, place_of

# Objects by which the numbers are judged, before all of them are.
_SAMPLE = 200
Values = Literal["scores", "ranks", "places"]
Run = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunReading:
    """What the values of the objects are taken for (`places`: passages, by the places that the names count).

    `rival` is another reading, of which `doubt` tells; `notes` tell of the one that is taken.
    """

    values: Values = "scores"
    rival: Values | None = None
    doubt: Problem | None = None
    notes: tuple[Problem, ...] = ()


def is_run(value: Any) -> bool:
    """An object of passage ids with a number each, as ranx and pytrec_eval write a question's run."""
    return isinstance(value, dict) and all(
        number_of(score) is not None or isinstance(score, float) for score in value.values()
    )


def run_in(row: Mapping[str, Any], keyed: bool) -> Run | None:
    """The object by passages or places in an object of a file; None where there is none."""
    value = row.get(VALUE) if keyed else object_field(dict(row), LIST_NAMES)
    if keyed and isinstance(value, dict) and value and not is_run(value):
        inner = object_field(value, LIST_NAMES)
        value = value if inner is None else inner
    if not isinstance(value, dict) or any(isinstance(one, dict | list | bool) for one in value.values()):
        return None
    return value or None


def run_reading(
    objects: Callable[[], Iterable[tuple[int, dict[str, Any]]]],
    keyed: bool,
    form: str | None = None,
    passages: Collection[str] = (),
) -> RunReading:
    """The reading of all objects of a file.

    :param objects: they are gone through again, as far as they fit a reading
    :param form: what somebody says of them
    :param passages: ids of passages that are known
    """
    if form in ("long", "ranks", "distances"):
        return RunReading()

    def runs() -> Iterator[Run]:
        return (run for _, row in objects() if (run := run_in(row, keyed)) is not None)

    places = _Places.of(runs(), passages)
    if form is not None and form not in ("json", "jsonl"):
        return RunReading("places") if form == "wide" and places else RunReading()
    if places is not None and places.certain:
        return RunReading("places", notes=(readings.about_run_places(places.names[0], places.names[-1]),))
    ranks = _ranks(runs)
    if places is not None and places.possible:
        doubt = readings.ambiguous_form("places")
        return RunReading(ranks.values, "places", doubt, (*ranks.notes, *([ranks.doubt] if ranks.doubt else [])))
    return ranks


@dataclass(slots=True)
class _Places:
    """Names that count places, the same in each object, and how many of the names and of the values are known."""

    names: tuple[str, ...] = ()
    words: int = 0
    known_names: int = 0
    known_values: int = 0

    @classmethod
    def of(cls, runs: Iterable[Run], passages: Collection[str]) -> "_Places | None":
        """None where the names are no places, or the values no ids of passages."""
        found, total, repeats = cls(), 0, 0
        for run in runs:
            names = tuple(map(str, run))
            shorter, longer = sorted((names, found.names), key=len)
            filled = [value for value in run.values() if not _is_blank(value)]
            if longer[: len(shorter)] != shorter or not counts_places(longer) or any(map(_is_decimal, filled)):
                return None
            found.names = longer
            ids = [json_id(value) for value in filled]
            total, repeats = total + 1, repeats + (len(set(ids)) < len(ids))
            found.words += sum(number_of(value) is None for value in filled)
            found.known_values += sum(one in passages for one in ids)
        found.known_names = sum(name in passages for name in found.names)
        return found if found.names and not are_most(repeats, total) else None

    @property
    def certain(self) -> bool:
        """The values are no numbers, or known passages where no name is one."""
        return self.words > 0 or (self.known_values > 0 and not self.known_names)

    @property
    def possible(self) -> bool:
        """Nothing shows that the names are the passages."""
        return self.known_values > 0 or not self.known_names


def in_places(run: Run) -> list[str]:
    """The passages of an object by its places, the first first."""
    return [json_id(run[name]) for name in sorted(run, key=place_of) if not _is_blank(run[name])]


def _is_blank(value: Any) -> bool:
    return value is None or value == "" or is_nan(value)


def _is_decimal(value: Any) -> bool:
    number = number_of(value)
    return number is not None and not number.value.is_integer()


def _ranks(runs: Callable[[], Iterable[Run]]) -> RunReading:
    """Whether numbers are ranks, by the rules for a column without a name: they are where they rise by one, they may be
    where they are 1 to n in another order than from n down.
    """
    if not _hold_places(islice(runs(), _SAMPLE))[0]:
        return RunReading()
    held, rising, falling = _hold_places(runs())
    if rising:
        return RunReading("ranks", notes=(readings.about_run_ranks(),))
    if held and not falling:
        return RunReading("scores", "ranks", readings.ambiguous_form("run"))
    return RunReading()


def _hold_places(runs: Iterable[Run]) -> tuple[bool, bool, bool]:
    """Whether nearly all objects of two or more hold 1 to n or 0 to n - 1; whether they rise, and fall, by one."""
    several = held = rising = falling = 0
    for run in runs:
        numbers = [number.value if (number := number_of(value)) else None for value in run.values()]
        if len(numbers) < 2:
            continue
        several += 1
        if None in numbers or not is_rising(sorted(number for number in numbers if number is not None)):
            continue
        held, rising, falling = held + 1, rising + is_rising(numbers), falling + is_rising(numbers[::-1])
    return are_most(held, several), are_most(rising, several), are_most(falling, several)
