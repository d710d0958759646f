"""The ids that a file of rankings names, whatever its form: what tells judgements without a header from golds."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from polqa_demo.data.columns import names_of
from polqa_demo.data.lines import id_text
from polqa_demo.errors import UserError
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import ID_NAMES, KEY, LIST_NAMES, PASSAGE_NAMES, VALUE, Overrides, Table, object_field

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
        table = read_table(data, name, overrides)
        for question, named in islice(_objects(table) if table.read_objects else _rows(table), _ROWS):
            questions.add(question)
            passages.update(named)
    except UserError:
        return None
    return RankedIds(frozenset(questions), frozenset(passages))


def _rows(table: Table) -> Iterator[tuple[str, list[str]]]:
    id_at, passage_at = table.column(ID_NAMES), table.column(PASSAGE_NAMES)
    for _, cells in table.rows():
        found = [cell.strip() for cell in (_parts(cells[0]) if len(cells) == 1 else cells)]
        if not any(found):
            continue
        if table.header:
            if id_at is not None and passage_at is not None and max(id_at, passage_at) < len(found):
                yield id_text(found[id_at]), [id_text(found[passage_at])]
        elif len(found) >= _TREC_COLUMNS and found[1].upper() in ("Q0", "0"):
            yield found[0], [found[_TREC_PASSAGE]]
        else:
            yield found[0], found[1 : 1 + _LIST]


def _parts(line: str) -> list[str]:
    return line.split("\t" if "\t" in line else None)


def _objects(table: Table) -> Iterator[tuple[str, list[str]]]:
    for _, row in table.objects():
        key = row[KEY] if table.keyed else object_field(row, ID_NAMES)
        listed = row[VALUE] if table.keyed else object_field(row, (*LIST_NAMES, *PASSAGE_NAMES))
        yield id_text(key), [one for one in map(_passage, _members(listed)) if one]


def _members(listed: Any) -> list[Any]:
    """The members of a list, the keys of an object, or the one value."""
    if isinstance(listed, list | dict):
        return list(islice(listed, _LIST))
    return [listed]


def _passage(item: Any) -> str:
    if isinstance(item, dict):
        item = object_field(item, names_of("corpus_passage_id"))
    return "" if isinstance(item, dict | list) else id_text(item)
