"""The members of a list of passages (ids, pairs, objects with scores, distances or ranks) -> the list, best first."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from polqa_demo.errors import Problem
from polqa_demo.submissions import ranking_problems as tell
from polqa_demo.submissions import ranking_readings as readings
from polqa_demo.submissions import ranking_refusals as refusals
from polqa_demo.submissions.alternation import Alternation, about_alternation, parted_members
from polqa_demo.submissions.deepest import first_distinct
from polqa_demo.submissions.id_choice import IdChoice
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.object_fields import Fields
from polqa_demo.submissions.problems import Places
from polqa_demo.submissions.ranking_lists import Order, PassageList
from polqa_demo.submissions.ranking_numbers import OddNumbers, is_nan, not_a_number, number_of
from polqa_demo.submissions.run_objects import Values, in_places
from polqa_demo.submissions.table import DISTANCE_NAMES, PASSAGE_NAMES, PLACE_NAMES, SCORE_NAMES

# An explicit name of the passage goes before the plain `id`, which goes before what indexes call their rows.
ITEM_IDS = ("passage_id", "pid", "id", "_id", *PASSAGE_NAMES)
_COLUMNS = ("score", "distance", "rank")
Numbers = list[float] | None


class ListMembers:
    """Puts the members of lists in order: by score where each has one, then by distance, by rank, else as they stand.

    What is odd is gathered over the whole file.

    :param form: `ranks` or `distances` where somebody says what the numbers are
    :param choice: which of several ids of a passage is believed
    :param values: what stands beside the names of an object
    """

    def __init__(
        self, name: str, form: str | None = None, choice: IdChoice | None = None, values: Values = "scores"
    ) -> None:
        self._name, self._form, self._values = name, form, values
        self._choice = choice or IdChoice(ITEM_IDS)
        self._fields = Fields(
            passage_id=self._choice.names, score=SCORE_NAMES, distance=DISTANCE_NAMES, rank=PLACE_NAMES
        )
        self._odd = OddNumbers()
        self._empty, self._partial, self._distances, self._unequal = Places(), Places(), Places(), Places()
        self._turns = Places()

    def run(self, line: int, key: str, scored: Mapping[str, Any]) -> PassageList:
        """A list as ranx and pytrec_eval write it: passage id to score, in no order at all; or place to passage id."""
        if self._values == "places":
            return PassageList(line, key, in_places(scored))
        passages, column = [json_id(passage) for passage in scored], "rank" if self._values == "ranks" else "score"
        return self._ordered(line, key, passages, {column: list(scored.values())}, in_order=False)

    def members(
        self, line: int, key: str, items: Sequence[Any], apart: Mapping[str, object] | None = None
    ) -> PassageList:
        """A list of ids, of pairs of id and score, or of objects.

        :param apart: the scores and the distances of the list in its order, where they stand apart
        :raises Refused: members that name no passage, or a number that has no place in an order
        """
        values: dict[str, list[Any]] = {}
        items, values["score"] = self._parted(line, key, items, apart or {})
        if all(isinstance(item, str) for item in items):
            passages = [item.strip() for item in items]
        elif items and all(_is_pair(item) for item in items):
            passages = [json_id(item[0]) for item in items]
            values["score"] = [item[1] for item in items]
        else:
            found = [self._member(line, item) for item in items]
            passages = [json_id(fields.get("passage_id")) for fields in found]
            if items and not any("passage_id" in fields for fields in found):
                raise refusals.no_member_ids(self._name, line, items[0])
            there = {column for fields in found for column in fields}
            values |= {column: [fields.get(column) for fields in found] for column in _COLUMNS if column in there}
        for column, numbers in (apart or {}).items():
            if not isinstance(numbers, list) or any(map(_is_there, values.get(column, ()))):
                continue
            if len(numbers) == len(items):
                values[column] = numbers
            elif numbers:
                self._unequal.add(line, key)
        for passage in passages:
            if not passage:
                self._empty.add(line, key)
        return self._ordered(line, key, passages, values)

    def _parted(
        self, line: int, key: str, items: Sequence[Any], apart: Mapping[str, object]
    ) -> tuple[Sequence[Any], list[Any]]:
        """The passages of a list, and the decimals that stand behind each of them."""
        said = self._form in ("wide", "lines") or any(isinstance(numbers, list) for numbers in apart.values())
        turns = None if said else parted_members(items)
        if turns is None:
            return items, []
        self._turns.add(line, key)
        return turns

    def _member(self, line: int, item: Any) -> dict[str, Any]:
        if isinstance(item, Mapping):
            self._choice.look_at(item)
            return self._fields.of(item)
        if isinstance(item, list):
            raise refusals.nested_list(self._name, line, item)
        return {"passage_id": item}

    def _ordered(
        self, line: int, key: str, passages: list[str], values: Mapping[str, list[Any]], in_order: bool = True
    ) -> PassageList:
        score, distance, rank = (self._numbers(line, key, values.get(column, ())) for column in _COLUMNS)
        if self._form == "ranks":
            score, distance, rank = None, None, rank or score or distance
        elif self._form == "distances":
            score, distance = None, distance or score
        elif self._form == "long":
            score, distance = score or distance, None
        if score is None and distance is not None:
            if self._form != "distances":
                self._distances.add(line, key)
            score = [-number for number in distance]
        if score is None:
            order = sorted(range(len(passages)), key=rank.__getitem__) if rank else range(len(passages))
            return PassageList(line, key, [passages[place] for place in order])
        places = sorted(range(len(passages)), key=rank.__getitem__) if rank else range(len(passages))
        order = sorted(places, key=score.__getitem__, reverse=True)
        other, by = self._other(passages, order, rank, in_order)
        return PassageList(
            line, key, [passages[place] for place in order], tuple(score[place] for place in order), other, by
        )

    def _other(
        self, passages: Sequence[str], order: Sequence[int], rank: Numbers, in_order: bool
    ) -> tuple[tuple[str, ...], Order]:
        """The first passages by rank, or as they stand, where the scores contradict that order."""
        if rank:
            ranks = [rank[place] for place in order]
            differs = ranks != sorted(ranks)
            rows = sorted(zip(rank, passages, strict=True), key=lambda row: row[0]) if differs else []
        else:
            moved = any(place > later for place, later in pairwise(order))
            # In an object of scores only the very reverse says anything.
            differs = moved and (in_order or [*order] == [*range(len(order))][::-1])
            rows = [(0.0, passage) for passage in passages] if differs else []
        first = tuple(passage for _, passage in first_distinct(row for row in rows if row[1]))
        return first, "rank" if rank else "file" if in_order else "rising"

    def _numbers(self, line: int, key: str, values: Sequence[Any]) -> Numbers:
        """The numbers of a column; None where it is not there, or not in every member."""
        numbers: list[float] = []
        for value in values:
            found = number_of(value)
            if found is None:
                if is_nan(value):
                    raise not_a_number(self._name, line, value)
                continue
            self._odd.add(line, value, found)
            numbers.append(found.value)
        if len(numbers) < len(values):
            if any(map(_is_there, values)):
                self._partial.add(line, key)
            return None
        return numbers or None

    def problems(self) -> list[Problem]:
        """What is told of all lists together.

        :raises Refused: commas that part thousands in one place, and decimals with a point in another
        """
        self._odd.check(self._name)
        told = [*self._odd.problems(), *tell.about_empty(self._empty), *tell.about_partial(self._partial)]
        told += tell.about_unequal(self._unequal)
        if self._distances.count:
            told.append(readings.about_distances("distance"))
        return [*told, about_alternation(Alternation("score"), "wide")] if self._turns.count else told


def _is_pair(item: Any) -> bool:
    return (
        isinstance(item, list | tuple)
        and len(item) == 2
        and isinstance(item[0], str | int)
        and (number_of(item[1]) is not None or is_nan(item[1]))
    )


def _is_there(value: object) -> bool:
    return value is not None and value != ""
