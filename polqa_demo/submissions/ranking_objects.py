"""Objects (of JSON, of parquet, or the rows of a table with lists in its cells) -> lists of passages, or pairs."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.data.lines import load_json
from polqa_demo.errors import Problem
from polqa_demo.records import Question
from polqa_demo.submissions import ranking_readings as readings
from polqa_demo.submissions import ranking_refusals as refusals
from polqa_demo.submissions.findings import Findings
from polqa_demo.submissions.id_choice import IdChoice
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.kilt import provenance
from polqa_demo.submissions.list_cells import ListCells
from polqa_demo.submissions.list_members import ListMembers
from polqa_demo.submissions.object_fields import Fields
from polqa_demo.submissions.question_texts import QuestionTexts
from polqa_demo.submissions.ranking_columns import Columns, OtherColumn, holds_places
from polqa_demo.submissions.ranking_lists import PassageList
from polqa_demo.submissions.ranking_numbers import number_of
from polqa_demo.submissions.run_objects import Values, is_run
from polqa_demo.submissions.table import (
    DISTANCE_NAMES,
    ID_NAMES,
    KEY,
    LIST_NAMES,
    LOOSE_RANK_NAMES,
    LOOSE_SCORE_NAMES,
    PASSAGE_NAMES,
    PLACE_NAMES,
    QUESTION_NAMES,
    SCORE_NAMES,
    VALUE,
    Table,
    object_field,
    object_id,
)
from polqa_demo.submissions.wide_columns import about_wide_columns, counts_places, wide_columns

Objects = Iterable[tuple[int, dict[str, Any]]]
# Objects by which the form of all is judged.
_SAMPLE = 200
_NUMBERS = ("score", "distance", "rank")


class QuestionKeys:
    """The ids of the questions that a row names: by its own id, or else by the question's text."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._texts = QuestionTexts(questions)

    def of(self, value: object, text: object) -> Sequence[str]:
        """The ids, several where the gold holds the text several times; a strange text is its own id, none is none."""
        key = json_id(value)
        if key:
            return (key,)
        asked = str(text or "").strip()
        return self._texts.ids(asked) or ((asked,) if asked else ())


class RankingObjects:
    """The lists of objects, one an object: under a known field, in an object of its own, or as KILT's provenance."""

    def __init__(
        self,
        table: Table,
        objects: Objects,
        questions: Sequence[Question],
        cells: ListCells,
        choice: IdChoice | None = None,
        values: Values = "scores",
    ) -> None:
        self._table, self._objects, self._cells = table, objects, cells
        self._keys = QuestionKeys(questions)
        self._members = ListMembers(table.name, table.overrides.form, choice, values)
        self._fields = Fields(
            question_id=table.id_names,
            question=QUESTION_NAMES,
            passages=LIST_NAMES,
            scores=names_of("scores", "score"),
            distances=names_of("distances", "distance"),
            output=("output",),
        )
        self._values = values
        self._provenance = 0

    def __iter__(self) -> Iterator[PassageList]:
        """The lists; to be gone through to their end once.

        :raises Refused: an object without a question or without a list
        """
        for line, row in self._objects:
            if self._table.keyed:
                yield self._keyed(line, json_id(row[KEY]), row[VALUE])
                continue
            fields = self._fields.of(row)
            keys = self._keys.of(fields.get("question_id"), fields.get("question"))
            if not keys:
                raise refusals.missing_columns(self._table.name, tuple(row), line)
            for key in keys:
                yield self._of_fields(line, key, row)

    def _keyed(self, line: int, key: str, value: Any) -> PassageList:
        if isinstance(value, list):
            return self._members.members(line, key, value)
        if self._is_run(value):
            return self._members.run(line, key, value)
        if isinstance(value, dict):
            return self._of_fields(line, key, value)
        raise refusals.no_list(self._table.name, line, key, value)

    def _is_run(self, value: Any) -> bool:
        return is_run(value) or (self._values == "places" and isinstance(value, dict) and counts_places([*value]))

    def _of_fields(self, line: int, key: str, row: Mapping[str, Any]) -> PassageList:
        fields = self._fields.of(row)
        items = fields.get("passages")
        apart = {"score": fields.get("scores"), "distance": fields.get("distances")}
        if items is None and isinstance(fields.get("output"), dict):
            items = self._fields.of(fields["output"]).get("passages")
        if items is None:
            items = provenance(fields.get("output"))
            self._provenance += items is not None
        if isinstance(items, str):
            items = self._cells.members(line, items)
            apart = {column: self._cells.numbers(value) for column, value in apart.items()}
        if isinstance(items, dict):
            if self._is_run(items):
                return self._members.run(line, key, items)
            items = self._fields.of(items).get("passages")
        if not isinstance(items, list):
            raise refusals.missing_columns(self._table.name, tuple(row), line)
        return self._members.members(line, key, items, apart)

    def problems(self) -> list[Problem]:
        """What is told of all lists together."""
        told = self._members.problems()
        return [*told, readings.about_provenance(self._provenance)] if self._provenance else told


def unwrapped(table: Table, known: frozenset[str]) -> tuple[Callable[[], Objects], bool, list[Problem]]:
    """What reads the objects of a table, whether they are keyed by question ids, and what is told.

    Where they are wrapped into others, as MTEB and ranx write a run beside its name, the run inside of them.

    :raises Refused: several runs in one file
    """
    first = list(islice(table.objects(), _SAMPLE))
    if table.keyed and any(json_id(row[KEY]) in known for _, row in first):
        return table.objects, True, []
    if not table.keyed and len(first) != 1:
        return table.objects, False, []
    whole = {str(row[KEY]): row[VALUE] for _, row in first} if table.keyed else first[0][1]
    found = list(islice(_runs_inside(whole, known, ()), 4))
    if not found and table.keyed and not any(isinstance(row[VALUE], list | dict) for _, row in first):
        raise refusals.missing_columns(table.name, tuple(whole), 1)
    if not found:
        return table.objects, table.keyed, []
    if len(found) > 1:
        raise refusals.several_runs(table.name, [" / ".join(path) for path, _ in found])
    path, run = found[0]
    told = [readings.about_unwrapped(" / ".join(path))]
    if isinstance(run, list):
        return (lambda: enumerate(run, 1)), False, told
    return (
        (lambda: ((place, {KEY: key, VALUE: value}) for place, (key, value) in enumerate(run.items(), 1))),
        True,
        told,
    )


def _runs_inside(value: Any, known: frozenset[str], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Objects keyed by known questions, and lists of objects with their ids, with the names that lead there."""
    if len(path) > 4 or not isinstance(value, dict):
        return
    for name, inner in value.items():
        here = (*path, str(name)[:60])
        if isinstance(inner, dict):
            if any(key in known and isinstance(item, dict | list) for key, item in inner.items()):
                yield here, inner
            else:
                yield from _runs_inside(inner, known, here)
        elif isinstance(inner, list) and inner and all(isinstance(item, dict) for item in inner):
            fields = Fields(question_id=ID_NAMES, passages=LIST_NAMES)
            one = fields.of(inner[0])
            if json_id(one.get("question_id")) in known and "passages" in one:
                yield here, inner


def with_wide_fields(table: Table) -> Table:
    """A table of objects with one field a place (`p1`, `p2` ...), with these as a list; any other as it is."""
    first = next((row for _, row in table.objects()), {})
    names = [plain_name(name) for name in first]
    wide = None if table.keyed or {*LIST_NAMES, *PASSAGE_NAMES}.intersection(names) else wide_columns(names)
    if wide is None:
        return table
    fields = [*first]
    passages, numbers = ([fields[place] for place in places] for places in (wide.passages, wide.numbers))

    def objects(_findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
        for line, row in table.objects():
            there = [name for name in passages if row.get(name) not in (None, "")]
            listed = {LIST_NAMES[0]: [row[name] for name in there]}
            if numbers:
                behind = dict(zip(passages, numbers, strict=True))
                listed["distances" if wide.kind == "distance" else "scores"] = [row.get(behind[name]) for name in there]
            yield line, row | listed

    return replace(table, read_objects=objects, before=(*table.before, about_wide_columns(names, wide)))


def are_pairs(objects: Sequence[dict[str, Any]]) -> bool:
    """Whether objects hold a passage each, and no list."""
    fields = Fields(passages=LIST_NAMES, passage_id=PASSAGE_NAMES)
    return bool(objects) and "passage_id" in fields.of(objects[0]) and "passages" not in fields.of(objects[0])


def pair_rows(
    table: Table,
    questions: Sequence[Question],
    sample: Sequence[dict[str, Any]],
    passages: Collection[str] = (),
) -> tuple[Callable[[], Iterator[tuple[int, list[str]]]], Columns, list[Problem]]:
    """Objects of a question and a passage each as the rows of a long form, their columns, and what is told of them."""
    choice = IdChoice(PASSAGE_NAMES, passages)
    for row in sample:
        choice.look_at(row)
    better = choice.better()
    scores, ranks = _number_names(sample, table.id_names)
    fields = Fields(
        question_id=table.id_names,
        question=QUESTION_NAMES,
        passage_id=better[0].names if better else PASSAGE_NAMES,
        score=scores,
        distance=DISTANCE_NAMES,
        rank=ranks,
    )
    keys = QuestionKeys(questions)
    there = {column for row in sample for column, value in fields.of(row).items() if value is not None}
    form = table.overrides.form
    if form == "ranks":
        number, rank = "", next((name for name in ("rank", "score", "distance") if name in there), "")
    else:
        names = ("distance", "score") if form == "distances" else ("score", "distance")
        number, rank = next((name for name in names if name in there), ""), "rank" if "rank" in there else ""
    nearest = bool(number) and form != "long" and (number == "distance" or form == "distances")
    named = [plain_name(str(name)) for row in sample for name, value in row.items() if value is not None]
    counted = next((name for name in (*SCORE_NAMES, *DISTANCE_NAMES) if name in named), "")
    second = next((name for name in (*SCORE_NAMES, *DISTANCE_NAMES) if name in named and name != counted), "")
    beside = OtherColumn(4, second, second in DISTANCE_NAMES, counted) if second and form is None else None
    sure = form in ("long", "distances")
    columns = Columns(0, 1, 2 if number else -1, 3 if rank else -1, nearest, sure, beside=beside)

    def rows() -> Iterator[tuple[int, list[str]]]:
        for line, row in table.objects():
            found = fields.of(row)
            named = keys.of(found.get("question_id"), found.get("question"))
            if not named and row:
                raise refusals.missing_columns(table.name, tuple(row), line)
            cells = [json_id(found.get("passage_id")), _cell(found.get(number)), _cell(found.get(rank))]
            if beside:
                cells.append(_cell(object_field(row, (second,))))
            yield from ((line, [key, *cells]) for key in named)

    told = [readings.about_distances("distance")] if nearest and form != "distances" else []
    if better:
        told.append(better[1])
    if not number and not rank:
        told.append(readings.about_file_order(_numbers_in(sample)))
    return rows, columns, told


def _number_names(sample: Sequence[dict[str, Any]], id_names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of scores and of ranks: those of many meanings where there is no other and they are such numbers."""
    names = {plain_name(str(name)) for row in sample for name, value in row.items() if value is not None}
    if names.isdisjoint(id_names) or not names.isdisjoint((*SCORE_NAMES, *DISTANCE_NAMES, *PLACE_NAMES)):
        return SCORE_NAMES, PLACE_NAMES
    scored = all(number_of(object_field(row, LOOSE_SCORE_NAMES)) is not None for row in sample)
    places = [[object_id(row, id_names), _cell(object_field(row, LOOSE_RANK_NAMES))] for row in sample]
    return LOOSE_SCORE_NAMES if scored else SCORE_NAMES, LOOSE_RANK_NAMES if holds_places(places, 1) else PLACE_NAMES


def _numbers_in(sample: Sequence[dict[str, Any]]) -> list[str]:
    """Names of fields that hold numbers and are none of the question or of the passage."""
    known = {*ID_NAMES, *QUESTION_NAMES, *PASSAGE_NAMES}
    return [
        str(name) for name, value in sample[0].items() if type(value) in (int, float) and plain_name(name) not in known
    ]


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def is_structured(cells: Sequence[str]) -> bool:
    """Whether the items of a JSON array are objects or lists themselves, as sentence-transformers returns its hits."""
    return any(cell.startswith(("{", "[")) for cell in cells)


def structured_lists(table: Table, questions: Sequence[Question], members: ListMembers) -> Iterator[PassageList]:
    """The lists of an array of arrays, in the order of the questions, or behind their ids.

    :raises Refused: another number of lists than of questions
    """
    total, first = 0, ""
    for line, cells in table.rows():
        values = [load_json(cell) if cell.startswith(("{", "[")) else cell for cell in cells]
        if len(values) == 2 and isinstance(values[0], str) and isinstance(values[1], list):
            yield members.members(line, values[0], values[1])
            continue
        total += 1
        first = first or ", ".join(cells)[:60]
        if total <= len(questions):
            yield members.members(line, questions[total - 1].id, values)
    if total and total != len(questions):
        raise refusals.wrong_length(table.name, total, len(questions), first)
