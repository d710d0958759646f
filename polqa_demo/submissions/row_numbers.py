"""Numbers of rows in the place of question ids, as pandas writes its index: beside ids of their own, or alone."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.submissions.coverage import as_floats
from polqa_demo.submissions.findings import Findings, Row
from polqa_demo.submissions.problems import Refused, refuse
from polqa_demo.submissions.question_texts import QuestionTexts
from polqa_demo.submissions.table import INDEX_NAMES, KEY, QUESTION_NAMES, SAMPLE, VALUE, Table, object_field, object_id

Objects = Iterator[tuple[int, dict[str, Any]]]


def with_inner_ids(table: Table, known: Collection[str] | None = None) -> Table:
    """An object keyed by row numbers, whose objects have ids of their own (`to_json(orient="index")`), as rows.

    :param known: the ids of the gold, which tell the two apart; None where the file is the gold or its questions
    :raises Refused: both are ids of the gold, other ones in the same rows
    """
    if not table.keyed:
        return table
    sample = list(islice(table.objects(), SAMPLE))
    if not all(isinstance(row[VALUE], dict) and object_id(row[VALUE]) for _, row in sample):
        return table
    outer, inner = [str(row[KEY]) for _, row in sample], [object_id(row[VALUE]) for _, row in sample]
    if outer == inner or not outer:
        return table
    wide = as_floats(set(known or ()))
    ours, theirs = (sum(key in wide for key in keys) for keys in (outer, inner))
    counting = any(outer == [str(start + place) for place in range(len(outer))] for start in (0, 1))
    if theirs < ours or (theirs == ours and not counting):
        if theirs and theirs == ours:
            raise _ambiguous(table.name, outer, inner)
        return table

    def objects(_findings: Findings) -> Objects:
        # What holds no fields is refused by its line.
        return ((line, row[VALUE] if isinstance(row[VALUE], dict) else {}) for line, row in table.objects())

    told = _about_inner(outer, inner, doubtful=ours > 0 or outer[0] == "1")
    return replace(table, keyed=False, read_objects=objects, before=(*table.before, told))


def with_order_ids(table: Table, ids: Sequence[str], texts: QuestionTexts | None = None) -> Table:
    """A table whose index is 0 to n - 1, in this order, for n questions of other ids: with the ids in their places.

    An index has no name. Numbers in a column of ids are ids, whoever counted from 0.

    :param texts: the questions by their text; rows that name these need no order
    """
    indexed = table.keyed or (table.header and table.column(table.id_names) is None)
    if not indexed or table.overrides.form or len(ids) < 2 or not _begins_at_zero(table) or _are_asked(table, texts):
        return table
    numbers = [str(place) for place in range(len(ids))]
    known = set(ids).intersection(numbers)
    from_one = [*ids] == [str(place + 1) for place in range(len(ids))]
    if len(known) == len(ids) or (2 * len(known) >= len(ids) and not from_one):
        return table
    found: dict[str, None] = {}
    for key in _keys(table):
        found.setdefault(key.removesuffix(".0"))
        if len(found) > len(ids):
            return table
    if [*found] != numbers:
        return table
    renamed = dict(zip(numbers, ids, strict=True))
    told = _about_order(table.form, ids)
    return replace(_renamed(table, renamed), before=(*table.before, told))


def _begins_at_zero(table: Table) -> bool:
    first = next(iter(_keys(table)), "")
    return first in ("0", "0.0")


def _are_asked(table: Table, texts: QuestionTexts | None) -> bool:
    """Whether the rows name their questions by the texts of these."""
    if texts is None:
        return False
    if table.header:
        place = table.column(QUESTION_NAMES)
        asked: list[object] = [cells[place] for _, cells in table.sample() if place is not None and place < len(cells)]
    else:
        rows = (row[VALUE] if table.keyed else row for _, row in islice(table.objects(), SAMPLE))
        asked = [object_field(row, QUESTION_NAMES) for row in rows if isinstance(row, dict)]
    return texts.share(asked) >= 0.5


def _id_place(table: Table) -> int | None:
    return 0 if table.header and table.header[0] in INDEX_NAMES else None


def _keys(table: Table) -> Iterator[str]:
    """The index of the rows that have one."""
    if table.keyed:
        yield from (id_text(row[KEY]) for _, row in table.objects())
        return
    place = _id_place(table) if table.header else None
    for _, cells in table.rows() if place is not None else ():
        if place is not None and place < len(cells) and any(cells):
            yield id_text(cells[place])


def _renamed(table: Table, renamed: dict[str, str]) -> Table:
    def name_of(key: object) -> str:
        text = id_text(key)
        return renamed.get(text.removesuffix(".0"), text)

    def objects(_findings: Findings) -> Objects:
        return ((line, {**row, KEY: name_of(row[KEY])}) for line, row in table.objects())

    def rows(findings: Findings) -> Iterator[Row]:
        place = _id_place(table)
        assert place is not None
        assert table.read_rows is not None
        for line, cells in table.read_rows(findings):
            if place < len(cells):
                cells[place] = name_of(cells[place])
            yield line, cells

    return replace(table, read_objects=objects) if table.keyed else replace(table, read_rows=rows)


def _about_inner(outer: Sequence[str], inner: Sequence[str], *, doubtful: bool) -> Problem:
    message = Bilingual(
        f"Obiekty stoją pod numerami wierszy ({outer[0]}, …), a mają też własne identyfikatory ({inner[0]}, …); wzięto "
        "te drugie. Jeśli pytania nazywają klucze, usuń pole identyfikatora.",
        f"The objects stand under row numbers ({outer[0]}, …) and have ids of their own ({inner[0]}, …); these were "
        "taken. Where the keys name the questions, remove the field of ids.",
    )
    return Problem("warning" if doubtful else "note", "id-column", message)


def _about_order(form: str, ids: Sequence[str]) -> Problem:
    how = by_option(f"--form {form}")
    message = Bilingual(
        f"Identyfikatory w pliku to numery wierszy od 0 do {len(ids) - 1}, a zbiór ma tyle samo pytań o innych "
        f"identyfikatorach ({', '.join(ids[:3])}, …); wiersze odczytano w kolejności pytań. Jeśli to identyfikatory, "
        f"powiedz to {how.pl}.",
        f"The ids of the file are row numbers from 0 to {len(ids) - 1}, and the set has as many questions of other ids "
        f"({', '.join(ids[:3])}, …); the rows were read in the order of the questions. Where they are ids, say so "
        f"{how.en}.",
    )
    return Problem("warning", "row-numbers", message, len(ids))


def _ambiguous(name: str, outer: Sequence[str], inner: Sequence[str]) -> Refused:
    one, other = next(pair for pair in zip(outer, inner, strict=True) if pair[0] != pair[1])
    return refuse(
        "ambiguous-ids",
        f"Plik {name}: klucze obiektu i pola w nim to identyfikatory złotego zbioru, w tych samych miejscach różne "
        f"({one}, {other}). Zostaw jedne z nich.",
        f"File {name}: the keys of the object and the fields inside are ids of the gold, different ones in the same "
        f"places ({one}, {other}). Keep one of them.",
    )
