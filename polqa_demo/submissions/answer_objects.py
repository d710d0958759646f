"""Objects of JSON, or of a parquet file with lists -> answers by question.

Beside plain rows: objects keyed by ids, alone or under `predictions`; the samples of lm-eval (`--log_samples`); the
results of OpenAI's batches. What only looks alike is refused by its name.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.errors import Bilingual, Problem
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
from polqa_demo.submissions.findings import Findings, Row
from polqa_demo.submissions.json_forms import json_text
from polqa_demo.submissions.question_texts import Pair, QuestionTexts, about_join
from polqa_demo.submissions.table import (
    ANSWER_NAMES,
    GOLDS_COLUMNS,
    ID_NAMES,
    KEY,
    QUESTION_NAMES,
    RANK_NAMES,
    SAMPLE,
    VALUE,
    Table,
    has_field,
    object_field,
    object_id,
)

# The keys of one object that are no ids, since ids have figures.
_FIELD_NAME = re.compile(r"[^\W\d]+")
_VALUE_FIELDS = (*ANSWER_NAMES, "text", "value", "content")
_NAMING = frozenset((*ID_NAMES, *QUESTION_NAMES))
# Fields that tell whose file it is, and its name.
_SIGNATURES: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(("data", "annotations")), "Label Studio"),
    (frozenset(("fields", "responses")), "Argilla"),
    (frozenset(("fields", "records")), "Argilla"),
    (frozenset(("data", "paragraphs")), "SQuAD"),
    (frozenset(("data", "version")), "SQuAD"),
)


def object_source(table: Table, known: set[str], texts: QuestionTexts) -> Source:
    """The fields of answers, and how the rows name their questions.

    :raises Refused: no field of answers, or none of questions
    """
    if table.keyed:
        names = [str(row[KEY]) for _, row in islice(table.objects(), SAMPLE)]
        if known.isdisjoint(names) and all(map(_FIELD_NAME.fullmatch, names)):
            raise missing_columns(table.name, names, looks_like(names))
    sample = list(islice(answer_rows(table), SAMPLE))
    rows = [row for _, row in sample]
    columns, notes = _columns(table, rows)
    pairs = [(object_id(row, table.id_names), _question(row)) for row in rows]
    ids, question = _first_name(rows, table.id_names), _first_name(rows, QUESTION_NAMES)
    # The keys of one object may be the questions themselves.
    question = question or (ids if all(KEY in row for row in rows) else "")
    keys = row_keys(pairs, ids, question, known, texts)
    if keys is not None and keys.by_text and question == ids:
        keys = replace(keys, notes=(about_join("{question: answer}", ()),))
    if keys is None or not columns:
        # The message names the first row that lacks something.
        keys = row_keys(pairs, "id", "", known, texts)
        columns = columns or ("answer",)
    assert keys is not None
    shapes = (shape for shape in (_shape_of(row) for _, row in islice(table.objects(), SAMPLE)) if shape)

    def by_id(column: str, _met: Met) -> Iterator[Pair]:
        return _pairs(table, column, by_text=False)

    def by_text(column: str, met: Met) -> Iterator[Pair]:
        return texts.join(_pairs(table, column, by_text=True), met.joined)

    return Source(
        table,
        columns,
        by_text if keys.by_text else by_id,
        notes=(*_about_shape(next(shapes, "")), *keys.notes, *notes),
        rival=by_text if keys.doubts.count else None,
        doubts=keys.doubts,
    )


def rows_in_order(table: Table, questions: int) -> Table:
    """Objects that name no question and hold one answer each, as many as questions, as rows; else the table itself."""
    if table.read_objects is None or table.keyed or table.overrides.answer_column:
        return table
    count = 0
    names: set[str] = set()
    for _, row in answer_rows(table):
        count += 1
        here = {plain_name(name) for name in row}
        names |= here.intersection(ANSWER_NAMES)
        if count > questions or len(names) != 1 or names.isdisjoint(here) or _NAMING.intersection(here):
            return table
    if not count or count < questions:
        return table

    def rows(findings: Findings) -> Iterator[Row]:
        for line, row in answer_rows(table):
            value = object_field(row, ANSWER_NAMES)
            yield line, [findings.add_truth(0, line, value) if isinstance(value, bool) else json_text(value)]

    return replace(table, read_objects=None, read_rows=rows, before=(*table.before, _about_order()))


def _about_order() -> Problem:
    message = Bilingual(
        "Obiekty nie nazywają pytań, a jest ich tyle co pytań: odczytano je w kolejności pytań. Jeśli stoją w innej, "
        "dodaj pole question_id.",
        "The objects name no questions and are as many as these: they were read in the order of the questions. Where "
        "they stand in another one, add a field question_id.",
    )
    return Problem("warning", "rows-in-order", message)


def answer_rows(table: Table) -> Iterator[tuple[int, dict[str, Any]]]:
    """`(line, row)` with the fields of a plain row, whatever wrote them."""
    for line, row in table.objects():
        if table.keyed:
            value = row[VALUE]
            fields = value if isinstance(value, Mapping) and has_field(dict(value), ANSWER_NAMES) else {"answer": value}
            yield line, {**fields, KEY: row[KEY]}
            continue
        if is_sample(row):
            yield line, _of_sample(row)
        elif is_batch(row):
            yield line, _of_batch(row)
        elif (inner := _inner_rows(row)) is not None:
            yield from enumerate(inner, 1)
        else:
            yield line, row


def is_sample(row: Mapping[str, Any]) -> bool:
    """One of lm-eval's samples: the document, and what the model answered to it."""
    return isinstance(row.get("doc"), Mapping) and ("filtered_resps" in row or "resps" in row)


def is_batch(row: Mapping[str, Any]) -> bool:
    """One of the results of a batch as OpenAI's interface gives them."""
    answer = row.get("response")
    return "custom_id" in row and (isinstance(answer, Mapping) or ("response" in row and "error" in row))


def _of_sample(row: Mapping[str, Any]) -> dict[str, Any]:
    """The id and the question of the document, the filtered answer; never `target`, which is the gold."""
    document = dict(row["doc"])
    plain = {KEY: object_field(document, ID_NAMES), "question": object_field(document, QUESTION_NAMES)}
    answer = row["filtered_resps"] if "filtered_resps" in row else row["resps"]
    while isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    return {name: value for name, value in plain.items() if value is not None} | {"answer": answer}


def _of_batch(row: Mapping[str, Any]) -> dict[str, Any]:
    """The texts of all choices; none where the request failed."""
    response = row.get("response")
    body = response.get("body") if isinstance(response, Mapping) else None
    choices = body.get("choices") if isinstance(body, Mapping) else None
    found = []
    for choice in choices if isinstance(choices, list) else ():
        message = choice.get("message") if isinstance(choice, Mapping) else None
        found.append(message.get("content") if isinstance(message, Mapping) else None)
    return {KEY: row["custom_id"], "answer": found if len(found) > 1 else found[0] if found else None}


def _inner_rows(row: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The answers of a whole file under one field, such as `{"predictions": {id: answer}}`; None for a plain row."""
    plain = {plain_name(name): value for name, value in row.items()}
    if any(name in plain for name in (*ID_NAMES, *QUESTION_NAMES)):
        return None
    inner = next((plain[name] for name in ANSWER_NAMES if name in plain), None)
    if isinstance(inner, list) and inner and all(isinstance(item, dict) and object_id(item) for item in inner):
        return inner
    if isinstance(inner, dict) and inner and not has_field(inner, _VALUE_FIELDS):
        return [{KEY: key, "answer": value} for key, value in inner.items()]
    return None


def _columns(table: Table, rows: list[dict[str, Any]]) -> tuple[tuple[str, ...], list[Problem]]:
    """The fields that may hold answers; one empty name for all of them where no row has several."""
    wanted = plain_name(table.overrides.answer_column or "")
    if wanted:
        if not any(has_field(row, (wanted,)) for row in rows):
            raise no_such_column(table.name, wanted, _fields(rows))
        return (wanted,), []
    several = False
    found: set[str] = set()
    for row in rows:
        here = {plain for name in row if (plain := plain_name(name)) in ANSWER_NAMES}
        several = several or len(here) > 1
        found |= here
    if found:
        return (tuple(name for name in ANSWER_NAMES if name in found) if several else ("",)), []
    plural = next((name for name in PLURALS if any(has_field(row, (name,)) for row in rows)), "")
    if plural and are_single(object_field(row, (plural,)) for row in rows):
        return (plural,), [about_plural(plural)]
    return (), []


def _pairs(table: Table, column: str, *, by_text: bool) -> Iterator[Pair]:
    """:raises Refused: a row without a question or without any answer"""
    fields = (column,) if column else ANSWER_NAMES
    wanted = (*ANSWER_NAMES, column)
    for line, row in answer_rows(table):
        key = str(_question(row) or "") if by_text else object_id(row, table.id_names)
        if not key or not has_field(row, wanted):
            raise _no_row(table, line, row)
        yield line, key, object_field(row, fields), object_field(row, RANK_NAMES)


def _question(row: dict[str, Any]) -> object:
    """The question's text, which may stand in the place of the id."""
    return object_field(row, QUESTION_NAMES) if has_field(row, QUESTION_NAMES) else row.get(KEY)


def _no_row(table: Table, line: int, row: Mapping[str, Any]) -> Exception:
    """Names the fields, what they look like, and whether other rows are better."""
    good = any(
        number != line and has_field(other, ANSWER_NAMES) and has_field(other, (*ID_NAMES, *QUESTION_NAMES))
        for number, other in islice(answer_rows(table), SAMPLE)
    )
    looks = looks_like(row)
    if good and looks is None:
        looks = Bilingual(
            "Inne wiersze je mają; usuń lub uzupełnij ten.", "Other lines have them; remove or mend this one."
        )
    return missing_columns(table.name, list(row), looks, line)


def looks_like(row: Collection[str]) -> Bilingual | None:
    """What the names of fields or of columns look like, where they are those of another kind of file."""
    names = frozenset(plain_name(name) for name in row)
    program = next((program for fields, program in _SIGNATURES if fields <= names), "")
    if program:
        return Bilingual(
            f"To wygląda na plik {program}; wyeksportuj z niego pary id i odpowiedź.",
            f"This looks like a file of {program}; export pairs of id and answer from it.",
        )
    if names & set(GOLDS_COLUMNS):
        return Bilingual("To wygląda na złoty zbiór, a nie na odpowiedzi.", "This looks like gold, not like answers.")
    if names & set(names_of("passage_id", "passages")):
        return Bilingual("To wygląda na rankingi, a nie na odpowiedzi.", "This looks like rankings, not like answers.")
    return None


def _fields(rows: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(name) for row in rows for name in row))


def _first_name(rows: list[dict[str, Any]], names: Collection[str]) -> str:
    """The first of the names that some row has."""
    found = {plain_name(name) for row in rows for name in row}
    return next((name for name in names if name in found), "")


def _shape_of(row: Mapping[str, Any]) -> str:
    return "lm-eval" if is_sample(row) else "OpenAI batch" if is_batch(row) else ""


def _about_shape(shape: str) -> tuple[Problem, ...]:
    if not shape:
        return ()
    where = {"lm-eval": "filtered_resps (resps)", "OpenAI batch": "response.body.choices[].message.content"}[shape]
    message = Bilingual(
        f"Plik odczytano jako {shape}: odpowiedzi wzięto z {where}.",
        f"The file was read as {shape}: the answers were taken from {where}.",
    )
    return (Problem("note", "known-shape", message),)
