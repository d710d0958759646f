"""The ids that a file of rankings names, whatever its form: what tells judgements without a header from golds."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.data.lines import id_text
from polqa_demo.errors import UserError
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.id_columns import with_own_ids
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import KEY, LIST_NAMES, PASSAGE_NAMES, VALUE, Overrides, Table, object_field

# How many rows, and ids of one list, are looked at.
_ROWS, _LIST = 100_000, 100
# Where the passage stands in a TREC run, and how many columns that has.
_TREC_PASSAGE, _TREC_COLUMNS = 2, 5


@dataclass(frozen=True, slots=True)
class RankedIds:
    """The ids of questions and of passages that the first rows of a file name, as far as they can be told apart."""

    questions: frozenset[str]
    passages: frozenset[str]


def ranked_ids(data: Content, name: str, overrides: Overrides | None = None) -> RankedIds | None:
    """The ids of a file of rankings; None where it cannot be read, which is told when it is scored."""
    questions: set[str] = set()
    passages: set[str] = set()
    try:
        table = with_own_ids(read_table(data, name, overrides))
        for question, named in islice(_objects(table) if table.read_objects else _rows(table), _ROWS):
            questions.add(question)
            passages.update(named)
    except UserError:
        return None
    return RankedIds(frozenset(questions), frozenset(passages))


def _rows(table: Table) -> Iterator[tuple[str, list[str]]]:
    id_at = table.column(table.id_names)
    # Which of several ids of a passage the gold means is not known yet, so all of them are named.
    places = [place for place, name in enumerate(table.header) if name in PASSAGE_NAMES]
    for _, cells in table.rows():
        found = [cell.strip() for cell in (_parts(cells[0]) if len(cells) == 1 else cells)]
        if not any(found):
            continue
        if table.header:
            if id_at is not None and places and max(id_at, *places) < len(found):
                yield id_text(found[id_at]), [id_text(found[place]) for place in places]
        elif len(found) >= _TREC_COLUMNS and found[1].upper() in ("Q0", "0"):
            yield found[0], [found[_TREC_PASSAGE]]
        else:
            yield found[0], found[1 : 1 + _LIST]


def _parts(line: str) -> list[str]:
    return line.split("\t" if "\t" in line else None)


def _objects(table: Table) -> Iterator[tuple[str, list[str]]]:
    for _, row in table.objects():
        key = row[KEY] if table.keyed else object_field(row, table.id_names)
        listed = row[VALUE] if table.keyed else object_field(row, LIST_NAMES)
        if listed is None:
            yield id_text(key), _ids_in(row, PASSAGE_NAMES)
        else:
            yield id_text(key), [one for item in _members(listed) for one in _passages(item)]


def _members(listed: Any) -> list[Any]:
    """The members of a list, the keys of an object, or the one value."""
    if isinstance(listed, list | dict):
        return list(islice(listed, _LIST))
    return [listed]


def _passages(item: Any) -> list[str]:
    """The ids of a passage; an object may have several."""
    if isinstance(item, dict):
        return _ids_in(item, names_of("corpus_passage_id"))
    return [] if isinstance(item, list) or not id_text(item) else [id_text(item)]


def _ids_in(row: Mapping[str, Any], names: Collection[str]) -> list[str]:
    found = (value for name, value in row.items() if plain_name(str(name)) in names)
    return [id_text(value) for value in found if not isinstance(value, dict | list) and id_text(value)]
