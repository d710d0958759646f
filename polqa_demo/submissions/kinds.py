"""Whether a file holds answers or rankings, judged by its content."""

import re
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any, Literal

from polqa_demo.data.poleval import PASSAGE_ID
from polqa_demo.records import Question
from polqa_demo.submissions.alternation import find_alternation, passages_and_numbers
from polqa_demo.submissions.answer_objects import is_batch, is_sample
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.kilt import provenance
from polqa_demo.submissions.ranking_forms import pairs_parted_by
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.row_numbers import with_inner_ids
from polqa_demo.submissions.table import (
    ANSWER_NAMES,
    LIST_NAMES,
    PASSAGE_NAMES,
    VALUE,
    Overrides,
    Table,
    has_field,
    object_field,
)
from polqa_demo.submissions.trec import TrecRun, is_nearly_trec, run_of_rows, separated_run, trec_run
from polqa_demo.submissions.wide_columns import wide_columns

Kind = Literal["answers", "rankings"]
# Rows looked at; a file does not change its kind further down.
_SAMPLE = 200
# So many ids in every line are a list; fewer may be an answer of two ranges.
_FEWEST_IDS = 4
_PARTED = re.compile(r"[\s,;]++")
# A passage id that no answer looks like.
_PASSAGE = re.compile(r"\d+-\d+|\d+(?:_\w+)+")


def recognise_kind(
    data: Content,
    name: str,
    questions: Sequence[Question],
    overrides: Overrides | None = None,
    passages: Collection[str] = (),
) -> Kind:
    """The kind of a file of predictions; answers when nothing speaks for rankings.

    `passages` are ids that the gold names: where ids look like words, they alone tell a short ranking from answers.

    :raises UserError: the file cannot be read at all
    """
    if overrides and overrides.kind:
        return overrides.kind
    table = with_inner_ids(read_table(data, name, overrides), {question.id for question in questions})
    if table.read_objects:
        return "rankings" if _has_lists(table) else "answers"
    if table.header:
        return _kind_of_columns(table)
    return _kind_without_header(table, questions, passages)


def _kind_of_columns(table: Table) -> Kind:
    """The kind of a table with a header; answers may name the passages that they rest on."""
    named = table.column((*PASSAGE_NAMES, *LIST_NAMES)) is not None or _is_wide(table)
    return "rankings" if named and table.column(ANSWER_NAMES) is None else "answers"


def _kind_without_header(table: Table, questions: Sequence[Question], passages: Collection[str]) -> Kind:
    rows = [cells for _, cells in table.sample()[:_SAMPLE]]
    known = {question.id for question in questions}
    if _end_in_ids([row[0].split("\t") if table.form == "lines" else row for row in rows], known):
        return "answers"
    if table.form == "lines":
        if _are_run(rows, questions) or _is_separated_run(table, known):
            return "rankings"
        if _are_parted_pairs(table, questions, passages) or _are_parted_lists(rows):
            return "rankings"
        rows = [row[0].split("\t") for row in rows]
    elif run_of_rows(rows, TrecRun()) is not None and all(row[0].strip() in known for row in rows):
        return "rankings"
    return _kind_of_rows([[cell.strip() for cell in row] for row in rows], questions, passages)


def _is_wide(table: Table) -> bool:
    """One column a place, whose name or whose cells are those of passages: ids have figures and no blanks."""
    wide = wide_columns(table.header)
    if wide is None or wide.named:
        return wide is not None
    rows = [cells for _, cells in table.sample()[:_SAMPLE]]
    return _are_ids([cells[place] for cells in rows for place in wide.passages if place < len(cells)])


def _are_ids(cells: Sequence[str]) -> bool:
    """Nine of ten cells have a figure and no blank."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    ids = sum(any(map(str.isdigit, cell)) and not any(map(str.isspace, cell)) for cell in filled)
    return 10 * ids >= 9 * len(filled) > 0


def _are_by_turns(rows: Sequence[Sequence[str]], known: Collection[str], passages: Collection[str]) -> bool:
    """Lists of passages with a number behind each, two or more a row; not of answers with their confidence."""
    lists = [cells[1:] if cells[0] in known else cells for cells in rows]
    if 2 * sum(len(cells) > 3 for cells in lists) < len(lists) or find_alternation(lists, passages) is None:
        return False
    return _are_ids([cell for cells in lists for cell in passages_and_numbers(cells)[0]])


def _is_separated_run(table: Table, known: Collection[str]) -> bool:
    """A run of TREC as CSV, for the questions of the gold."""
    run = separated_run(table)
    rows = [] if run is None else [cells for _, cells in islice(run.rows(table), _SAMPLE)]
    return bool(rows) and all(cells[0] in known for cells in rows)


def _are_run(rows: Sequence[Sequence[str]], questions: Sequence[Question]) -> bool:
    """Lines of a TREC run, or nearly of one: refused by name as rankings, they would be nonsense as answers."""
    lines = [row[0] for row in rows]
    words = [line.split() for line in lines]
    known = {question.id for question in questions}
    ours = all(cells and cells[0] in known for cells in words)
    run = trec_run(lines)
    if run is not None and all(cells[1].upper() == "Q0" for cells in words):
        return True
    return ours and (run is not None or (len(lines) > 1 and is_nearly_trec(lines)))


def _are_parted_lists(rows: Sequence[Sequence[str]]) -> bool:
    """Lists of passage ids with a blank, a comma or a semicolon where rankings have tabs, behind an id or not."""
    lists = [_PARTED.split(row[0].strip()) for row in rows]
    return len(lists) > 1 and all(len(ids) >= _FEWEST_IDS and all(map(_PASSAGE.fullmatch, ids[1:])) for ids in lists)


def _are_parted_pairs(table: Table, questions: Sequence[Question], passages: Collection[str]) -> bool:
    """Pairs parted by something else than a tab, most of whose passages are beyond doubt."""
    ids = [question.id for question in questions]
    for separator in (",", ";", " "):
        found = pairs_parted_by(table, separator, ids, passages)
        if found is not None:
            at = found.columns.passage_at
            rows = [["", cells[at].strip()] for _, cells in found.table.sample() if len(cells) > at]
            return _are_passages(rows) or _name(rows, _telling(passages, questions))
    return False


def _kind_of_rows(rows: Sequence[Sequence[str]], questions: Sequence[Question], passages: Collection[str]) -> Kind:
    """The kind of a table without a header."""
    known = {question.id for question in questions}
    if _are_confident(rows, known) or _are_flagged(rows, known, passages):
        return "answers"
    if _are_scored(rows, known) and (_repeat(rows) or _name(rows, _telling(passages, questions))):
        return "rankings"
    if all(len(cells) == 2 and cells[0] in known for cells in rows) and _repeat(rows) and _are_passages(rows):
        return "rankings"
    if _are_by_turns(rows, known, passages):
        return "rankings"
    # Question id and one answer that is a number look like a question id and one passage id; answers win.
    listed = [cells for cells in rows if len(cells) > (2 if cells[0] in known else 1)]
    ids = all(PASSAGE_ID.fullmatch(cell) or finite(cell) is not None for cells in listed for cell in cells[1:] if cell)
    return "rankings" if len(listed) > len(rows) / 2 and ids else "answers"


def _end_in_ids(rows: Sequence[Sequence[str]], known: Collection[str]) -> bool:
    """Something that is no passage id, and the id of a question behind it: `Paryż <tab> 101`."""
    pairs = [row for row in rows if len(row) == 2]
    lasts = {row[1].strip() for row in pairs}.intersection(known)
    words = sum(not PASSAGE_ID.fullmatch(row[0].strip()) and row[0].strip() not in known for row in pairs)
    return 10 * len(lasts) >= 9 * len(rows) > 0 and 2 * words >= len(rows)


def _has_lists(table: Table) -> bool:
    first = [row for _, row in islice(table.objects(), _SAMPLE)]
    if table.keyed:
        values = [row[VALUE] for row in first]
        # A list of one may be an answer in brackets.
        return any(
            (isinstance(value, dict) or (isinstance(value, list) and len(value) > 1)) and not _is_reader(value)
            for value in values
        )
    return any(
        # Answers may come with the contexts that they rest on.
        (has_field(row, (*LIST_NAMES, *PASSAGE_NAMES)) and object_field(row, ANSWER_NAMES) is None)
        or _is_provenance(object_field(row, ("output",)))
        for row in first
        if not (is_sample(row) or is_batch(row))
    )


def _is_provenance(output: Any) -> bool:
    """KILT's output with pages and without any answer."""
    if not provenance(output):
        return False
    return not any(isinstance(item, dict) and str(item.get("answer") or "").strip() for item in output)


def _are_passages(rows: Sequence[Sequence[str]]) -> bool:
    """Nine of ten second cells are passage ids that no answer looks like."""
    return 10 * sum(_PASSAGE.fullmatch(cells[1]) is not None for cells in rows) >= 9 * len(rows)


def _is_reader(value: object) -> bool:
    """A reader's object, or its candidates: texts, and no passage ids."""
    items = value if isinstance(value, list) else [value]
    return all(
        isinstance(item, dict)
        and has_field(item, (*ANSWER_NAMES, "text"))
        and not has_field(item, ("id", *PASSAGE_NAMES))
        for item in items
    )


def _are_scored(rows: Sequence[Sequence[str]], known: set[str]) -> bool:
    """A known question in every row, with something and a number behind it: `q1 <tab> d7 <tab> 12.5 <tab> 1`."""
    return all(len(cells) in (3, 4) and cells[0] in known and finite(cells[2]) is not None for cells in rows)


def _repeat(rows: Sequence[Sequence[str]]) -> bool:
    """Two rows a question or more."""
    return 2 * len({cells[0] for cells in rows}) <= len(rows)


def _name(rows: Sequence[Sequence[str]], passages: Collection[str]) -> bool:
    """One row in ten or more has one of the passages second."""
    return len(rows) <= 10 * sum(cells[1] in passages for cells in rows)


def _telling(passages: Collection[str], questions: Sequence[Question]) -> frozenset[str]:
    """The passage ids that no answer would be: neither numbers nor golds, which titles of articles may be."""
    golds = {gold.casefold() for question in questions for gold in question.answers}
    return frozenset(one for one in passages if not one.isdecimal() and one.casefold() not in golds)


def _are_confident(rows: Sequence[Sequence[str]], known: set[str]) -> bool:
    """A question once, an answer that is a number, and a confidence in 0..1: `1 <tab> 1939 <tab> 0.87`."""
    firsts = [cells[0] for cells in rows]
    return len(set(firsts)) == len(firsts) and all(
        len(cells) == 3
        and cells[0] in known
        and cells[1].isdecimal()
        and "." in cells[2]
        and 0 <= (finite(cells[2]) or -1) <= 1
        for cells in rows
    )


def _are_flagged(rows: Sequence[Sequence[str]], known: set[str], passages: Collection[str]) -> bool:
    """A question once, an answer that is a number, and a flag that is 0 in some rows and 1 in others: `1, 1939, 0`.

    A rank of one passage a question is the same in every row.
    """
    firsts = {cells[0] for cells in rows}
    return (
        len(firsts) == len(rows)
        and firsts <= known
        and all(len(cells) == 3 and cells[1].isdecimal() for cells in rows)
        and {cells[2] for cells in rows} == {"0", "1"}
        and 2 * sum(cells[1] in passages for cells in rows) < len(rows)
    )
