"""Rows below a header -> answers by question."""

from collections.abc import Iterator, Sequence

from polqa_demo.data.columns import plain_name
from polqa_demo.data.lines import id_text
from polqa_demo.errors import Problem
from polqa_demo.submissions.answer_objects import looks_like
from polqa_demo.submissions.answer_source import (
    PLURALS,
    Met,
    Source,
    about_plural,
    are_single,
    missing_columns,
    no_such_column,
    row_keys,
)
from polqa_demo.submissions.question_texts import Pair, QuestionTexts
from polqa_demo.submissions.table import ANSWER_NAMES, INDEX_NAMES, QUESTION_NAMES, RANK_NAMES, Table


def is_row(table: Table, known: set[str]) -> bool:
    """Whether what was taken for a header is a row: an id of the gold, and an answer that is a word of headers.

    Or an answer with a separator inside, such as `Id, ego`, above lines without one.
    """
    if table.text is not None and len(table.header) > 1:
        rows = [cells for _, cells in table.sample()]
        single = sum(len(cells) == 1 for cells in rows)
        if 2 * single > len(rows) and known.isdisjoint(id_text(cells[0]) for cells in rows):
            return True
    return not known.isdisjoint(table.header) and table.column((*ANSWER_NAMES, *PLURALS)) is None


def column_source(table: Table, known: set[str], texts: QuestionTexts) -> Source:
    """The columns of answers, and the column by which the rows name their questions.

    :raises Refused: one of them is missing, or two columns bear its name
    """
    columns, notes = _columns(table)
    id_at, question_at = table.only(table.id_names), table.column(QUESTION_NAMES)
    if id_at is None and table.header[0] in INDEX_NAMES:
        id_at = 0
    sample = [(id_text(_cell(cells, id_at)), _cell(cells, question_at)) for _, cells in table.sample()]
    name = "" if question_at is None else table.header[question_at]
    keys = row_keys(sample, "" if id_at is None else "id", name, known, texts)
    if keys is None or not columns:
        raise missing_columns(table.name, table.header, looks_like(table.header))
    rank_at = table.column(RANK_NAMES)

    def by_id(column: str, met: Met) -> Iterator[Pair]:
        assert id_at is not None
        return _rows(table, id_at, place(column), rank_at, met)

    def by_text(column: str, met: Met) -> Iterator[Pair]:
        assert question_at is not None
        return texts.join(_rows(table, question_at, place(column), rank_at, met), met.joined)

    def place(column: str) -> int:
        at = table.only((column,))
        assert at is not None
        return at

    return Source(
        table,
        columns,
        by_text if keys.by_text else by_id,
        notes=(*keys.notes, *notes),
        place=place,
        rival=by_text if keys.doubts.count else None,
        doubts=keys.doubts,
    )


def _columns(table: Table) -> tuple[tuple[str, ...], list[Problem]]:
    """The columns that may hold the answers, the likeliest first."""
    wanted = plain_name(table.overrides.answer_column or "")
    if wanted:
        if wanted.isdecimal() and wanted not in table.header and 0 < int(wanted) <= len(table.header):
            wanted = table.header[int(wanted) - 1]
        if wanted not in table.header:
            raise no_such_column(table.name, wanted, table.header)
        return (wanted,), []
    found = tuple(name for name in ANSWER_NAMES if name in table.header)
    if found:
        return found, []
    if table.header[0] in INDEX_NAMES and table.header[1:] == ("0",):
        # A series without a name.
        return ("0",), []
    plural = next((name for name in PLURALS if name in table.header), "")
    if plural and are_single(_cell(cells, table.header.index(plural)) for _, cells in table.sample()):
        return (plural,), [about_plural(plural)]
    return (), []


def _rows(table: Table, key_at: int, answer_at: int, rank_at: int | None, met: Met) -> Iterator[Pair]:
    """What an unquoted separator cut off the last column's answer is joined to it."""
    width, last = len(table.header), answer_at == len(table.header) - 1
    for line, cells in table.rows():
        if len(cells) == width:
            key = id_text(cells[key_at])
            if key or any(cell.strip() for cell in cells):
                yield line, key, cells[answer_at], cells[rank_at] if rank_at is not None else None
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > width and any(cell.strip() for cell in cells[width:]):
            met.surplus.add(line)
            if last:
                cells[answer_at:] = [table.recognised.separator.join(cells[answer_at:])]
        if answer_at >= len(cells) or key_at >= len(cells):
            met.lacking.add(line)
        yield line, id_text(_cell(cells, key_at)), _cell(cells, answer_at), _cell(cells, rank_at)


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place] if place is not None and place < len(cells) else ""
