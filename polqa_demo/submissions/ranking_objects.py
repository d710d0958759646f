"""Objects of JSON -> lists of passages with their scores, and pairs as the cells of a long form."""

from collections.abc import Iterator, Sequence
from typing import Any

from polqa_demo.records import Question
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.problems import Places, first_places, refuse
from polqa_demo.submissions.table import (
    KEY,
    LIST_NAMES,
    PASSAGE_NAMES,
    QUESTION_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    VALUE,
    Table,
    object_field,
    object_id,
)

# `(line, question id, passages best first, their scores or nothing)`.
Lists = Iterator[tuple[int, str, list[str], tuple[float, ...]]]


def object_lists(table: Table, questions: Sequence[Question], sorted_anew: Places) -> Lists:
    """The list of each object, by score where every item has one, equal scores in the order of the file.

    :param sorted_anew: takes the lists that stand in the file in another order than their scores
    :raises Refused: an object without a question or without a list
    """
    by_text = {question.text.strip(): question.id for question in questions if question.text.strip()}
    for line, row in table.objects():
        if table.keyed:
            key, items = json_id(row[KEY]), row[VALUE]
        else:
            key = object_id(row) or by_text.get(str(object_field(row, QUESTION_NAMES) or "").strip(), "")
            items = object_field(row, LIST_NAMES)
        # As ranx and pytrec_eval write their runs: passage id to score, in no order at all.
        is_run = table.keyed and isinstance(items, dict)
        if is_run:
            items = [{"id": passage, "score": score} for passage, score in items.items()]
        if not key or not isinstance(items, list):
            raise refuse(
                "missing-columns",
                f"Plik {table.name}, wiersz {line}: potrzebne pola question_id i passage_ids, są: {first_places(row)}.",
                f"File {table.name}, line {line}: the fields question_id and passage_ids are wanted, found: "
                f"{first_places(row)}.",
                lines=[line],
            )
        passages, scores, moved = _by_score(items)
        if moved and not is_run:
            sorted_anew.add(line, key)
        yield line, key, passages, scores


def _by_score(items: Sequence[Any]) -> tuple[list[str], tuple[float, ...], bool]:
    """Passages best first, their scores, and whether the file had another order; no scores unless all have one."""
    passages = [_passage_id(item) for item in items]
    found = [finite(object_field(item, SCORE_NAMES)) if isinstance(item, dict) else None for item in items]
    scores = [score for score in found if score is not None]
    if len(scores) < len(items):
        return passages, (), False
    order = sorted(range(len(items)), key=scores.__getitem__, reverse=True)
    moved = order != list(range(len(items)))
    return [passages[place] for place in order], tuple(scores[place] for place in order), moved


def object_cells(row: dict[str, Any]) -> list[str]:
    """A pair of a question and a passage as the cells of a long form."""
    cells = [object_id(row), json_id(object_field(row, PASSAGE_NAMES))]
    for names in (SCORE_NAMES, RANK_NAMES):
        value = object_field(row, names)
        if value is None:
            break
        cells.append(str(value))
    return cells


def _passage_id(item: Any) -> str:
    return json_id(object_field(item, ("id", *PASSAGE_NAMES)) if isinstance(item, dict) else item)
