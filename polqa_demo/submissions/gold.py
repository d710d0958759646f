"""A file of questions or of gold -> questions and judgements."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Literal

from polqa_demo.data import poleval, polqa
from polqa_demo.data.gold_rows import GoldRows
from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual, Problem, UserError
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.coverage import float_ids
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.problems import Refused, first_places, refuse
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import (
    GOLDS_COLUMNS,
    ID_NAMES,
    KEY,
    PASSAGE_NAMES,
    QUESTION_NAMES,
    SCORE_NAMES,
    VALUE,
    Table,
    has_field,
    object_field,
    object_id,
)

GoldKind = Literal["answers", "passages"]
GOLDS_NAMES = (*GOLDS_COLUMNS, "answer")
RELEVANT_NAMES = ("relevant", "relevance", "trafny")
_COLUMNS = {
    "question_id": ID_NAMES,
    "question": QUESTION_NAMES,
    "answers": GOLDS_COLUMNS,
    "passage_id": PASSAGE_NAMES,
    "relevant": RELEVANT_NAMES,
    "score": SCORE_NAMES,
    "passage_source": ("passage_source",),
    "split": ("split",),
    **{name: (name,) for name in polqa.LABELS},
}
# How relevant TREC's judgements call a passage.
_GRADE = re.compile(r"-?[0-4]")


def read_questions(data: Content, name: str = "questions") -> tuple[Question, ...]:
    """Questions in their order: one a line, domain and question, JSONL, or any gold file.

    :raises Refused: not a file of questions
    """
    return read_gold_or_questions(data, name).questions


def read_gold_or_questions(data: Content, name: str = "questions") -> GoldSet:
    """Questions with whatever gold their file holds (none for a question a line).

    :raises Refused: not a file of questions
    """
    table = _table(data, name, "pytań", "questions")
    if table.read_objects or table.header:
        return _gold(table, None, None, distinct=True)
    lines = _lines(table)
    while not lines[-1].strip():
        lines.pop()
    return GoldSet(PurePath(name).name, "", poleval.question_lines(lines))


def read_gold(
    data: Content,
    name: str = "gold",
    kind: GoldKind | None = None,
    questions: Sequence[Question] | None = None,
) -> GoldSet:
    """A gold set: PolQA's CSV, JSONL, long judgements, or `expected.tsv` of PolEval 2021 or 2022.

    :param kind: what the lines of an `expected.tsv` hold; by default passages when every cell looks like a passage id
    :param questions: texts and order of the questions, for gold files that hold ids alone
    :raises Refused: not a gold file; says which columns are wanted and which were found
    """
    return _gold(_table(data, name, "złotego zbioru", "gold"), kind, questions)


def _table(data: Content, name: str, what_pl: str, what_en: str) -> Table:
    """The file as a table; an empty one is told by its role."""
    try:
        return read_table(data, name)
    except Refused as error:
        if error.code != "empty-file":
            raise
        raise refuse(
            "empty-file",
            f"Plik {name} jest pusty. Wybierz plik {what_pl}.",
            f"The file {name} is empty. Choose a file of {what_en}.",
        ) from error


def _gold(table: Table, kind: GoldKind | None, questions: Sequence[Question] | None, distinct: bool = False) -> GoldSet:
    """:param distinct: refuse an id that stands for several different questions"""
    name = table.name
    stem = PurePath(name).name.split(".")[0]
    by_line = False
    if table.read_objects or table.header:
        rows = GoldRows(stem, "", name)
        try:
            _gather(table, rows)
        except Refused:
            raise
        except UserError as error:
            raise refuse(error.code, *error.message) from error
        if distinct and rows.different_texts:
            raise _ids_twice(name, rows.different_texts)
        gold = rows.gold()
    else:
        gold, by_line = _from_lines(table, stem, kind)
    gold = with_whole_ids(gold)
    if questions is not None:
        gold = _with_lines(gold, questions, name) if by_line else _with_questions(gold, questions, name)
    if not gold.questions:
        raise refuse(
            "no-questions",
            f"Plik {name} nie zawiera żadnego pytania.",
            f"The file {name} holds no questions.",
        )
    return gold


def _ids_twice(name: str, ids: Sequence[str]) -> Refused:
    return refuse(
        "duplicate-ids",
        f"Plik {name}: różne pytania pod tym samym identyfikatorem, identyfikatorów: {len(ids)} ({first_places(ids)}). "
        "Nadaj każdemu własny.",
        f"File {name}: different questions under one id, ids: {len(ids)} ({first_places(ids)}). Give each its own.",
        len(ids),
    )


def _gather(table: Table, rows: GoldRows) -> None:
    if table.read_objects:
        _gather_objects(table, rows)
        return
    columns = {name: table.only(known) for name, known in _COLUMNS.items()}
    id_at, passage_at = columns["question_id"], columns["passage_id"]
    whole = columns["question"] is not None and columns["answers"] is not None
    if id_at is None or not (whole or passage_at is not None):
        raise refuse(
            "missing-columns",
            f"Plik {table.name}: złoty zbiór potrzebuje kolumn {', '.join(polqa.REQUIRED)} (CSV PolQA) albo "
            f"question_id, passage_id, score; są: {', '.join(table.header[:16])}.",
            f"File {table.name}: a gold set needs the columns {', '.join(polqa.REQUIRED)} (PolQA's CSV) or "
            f"question_id, passage_id, score; found: {', '.join(table.header[:16])}.",
        )
    at = {name: place for name, place in columns.items() if place is not None}
    for line, cells in table.rows():
        if not any(cell.strip() for cell in cells):
            continue
        row = {name: cells[place] if place < len(cells) else "" for name, place in at.items()}
        if whole:
            polqa.gather(rows, line, row, table.name)
        else:
            key = id_text(row["question_id"])
            rows.ask(line, Question(key, row.get("question", "")), row.get("split", ""))
            passage_id = id_text(row["passage_id"])
            if passage_id:
                said = row.get("relevant", row.get("score", True))
                rows.judge(line, key, passage_id, said, row.get("passage_source", ""))


def _from_lines(table: Table, stem: str, kind: GoldKind | None) -> tuple[GoldSet, bool]:
    """The gold, and whether its lines belong to the lines of a questions file."""
    lines = _lines(table)
    qrels = _qrels(lines) if kind is None else []
    if qrels:
        rows = GoldRows(stem, "", table.name)
        for number, (key, passage_id, relevant) in qrels:
            rows.ask(number, Question(key, ""))
            rows.judge(number, key, passage_id, relevant)
        gold = rows.gold()
        message = Bilingual(
            f"Plik {table.name} odczytano jako oceny: pytanie, fragment, trafność. Inaczej odczyta go --gold-kind.",
            f"The file {table.name} was read as judgements: question, passage, relevance. --gold-kind reads it "
            "otherwise.",
        )
        return replace(gold, remarks=(Problem("note", "gold-qrels", message), *gold.remarks)), False
    ids = [str(number) for number in range(1, len(lines) + 1)]
    if kind == "passages" or (kind is None and poleval.looks_like_passage_ids(lines)):
        return GoldSet(stem, "", tuple(Question(key, "") for key in ids), poleval.passage_golds(lines)), True
    golds = poleval.answer_golds(lines)
    return GoldSet(stem, "", tuple(Question(key, "", answers) for key, answers in zip(ids, golds, strict=True))), True


def _qrels(lines: Sequence[str]) -> list[tuple[int, tuple[str, str, str]]]:
    """`(line number, (question, passage, relevance))` of judgements as TREC writes them, or without the second column.

    Empty when any line is something else, or when a passage stands in the place of the relevance.
    """
    found: list[tuple[int, tuple[str, str, str]]] = []
    for number, line in enumerate(lines, 1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) == 4 and parts[1].upper() in ("0", "Q0"):
            del parts[1]
        elif len(line.split("\t")) != 3:
            return []
        if len(parts) != 3 or not _GRADE.fullmatch(parts[2]) or not poleval.PASSAGE_ID.fullmatch(parts[1]):
            return []
        found.append((number, (parts[0], parts[1], parts[2])))
    return found


def _lines(table: Table) -> list[str]:
    """The lines of a file without ids; the cells of a workbook as if they were parted by tabs."""
    return ["\t".join(cells) for _, cells in table.rows()]


def _gather_objects(table: Table, rows: GoldRows) -> None:
    """Rows of JSON, with PolQA's fields honoured as in its CSV."""
    for line, row in _gold_rows(table):
        key = object_id(row)
        if not key:
            raise refuse(
                "missing-columns",
                f"Plik {table.name}, wiersz {line}: brak pola question_id (lub id).",
                f"File {table.name}, line {line}: the field question_id (or id) is missing.",
                lines=[line],
            )
        answers = _answer_list(object_field(row, GOLDS_NAMES))
        labels = {name: str(row[name]) for name in polqa.LABELS if row.get(name)}
        text = str(object_field(row, QUESTION_NAMES) or "")
        rows.ask(line, Question(key, text, answers, labels), str(object_field(row, ("split",)) or ""))
        verdict = next(
            (object_field(row, names) for names in (RELEVANT_NAMES, SCORE_NAMES) if has_field(row, names)), True
        )
        source = str(object_field(row, ("passage_source",)) or "")
        for passage in _passage_list(row):
            rows.judge(line, key, passage, verdict, source)


def _gold_rows(table: Table) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects; an object of question ids gives the answers of each."""
    for line, row in table.objects():
        yield line, {"question_id": row[KEY], "answers": row[VALUE]} if table.keyed else row


def _answer_list(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list):
        return tuple(str(item) for item in value if item is not None)
    text = str(value)
    # Only brackets make a list: the text "1, 2" is one answer.
    listed = polqa.parse_answers(text) if text.lstrip().startswith("[") else None
    return (text,) if listed is None else listed


def _passage_list(row: dict[str, Any]) -> list[str]:
    value = object_field(row, ("passage_ids", *PASSAGE_NAMES))
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [text for text in map(json_id, items) if text]


def with_whole_ids(gold: GoldSet) -> GoldSet:
    """Ids of questions, and of passages, that all look like `101.0` or `101` as `101`: the way rankings are read."""
    questions, _ = float_ids((question.id for question in gold.questions), set(), "pytań", "questions")
    passages, _ = float_ids((item.passage_id for item in gold.judgements), set(), "fragmentów", "passages")
    if not questions and not passages:
        return gold

    def question_id(key: str) -> str:
        return questions.get(key, key)

    return replace(
        gold,
        questions=tuple(replace(question, id=question_id(question.id)) for question in gold.questions),
        judgements=tuple(
            replace(
                item,
                question_id=question_id(item.question_id),
                passage_id=passages.get(item.passage_id, item.passage_id),
            )
            for item in gold.judgements
        ),
        splits={question_id(key): split for key, split in gold.splits.items()},
    )


def _with_lines(gold: GoldSet, questions: Sequence[Question], name: str) -> GoldSet:
    """The gold of line n for the question of line n, whatever ids the questions have."""
    own = {question.id: question for question in gold.questions}
    if len(own) != len(questions):
        raise refuse(
            "wrong-length",
            f"Złoty zbiór {name} ma wierszy: {len(own)}, a plik pytań: {len(questions)}. To nie ta sama część?",
            f"The gold {name} has {len(own)} lines, the questions file {len(questions)}. Not the same part?",
        )
    renamed = dict(zip(own, (question.id for question in questions), strict=True))
    judgements = tuple(replace(item, question_id=renamed[item.question_id]) for item in gold.judgements)
    merged = tuple(replace(question, answers=own[old].answers) for old, question in zip(own, questions, strict=True))
    return replace(gold, questions=merged, judgements=judgements)


def _with_questions(gold: GoldSet, questions: Sequence[Question], name: str) -> GoldSet:
    """The gold over the questions of a questions file: their order, their texts, and those without any gold."""
    own = {question.id: question for question in gold.questions}
    if not any(question.id in own for question in questions):
        raise refuse(
            "wrong-split",
            f"Żadne pytanie z pliku pytań nie ma złota w {name}. To nie ta sama część?",
            f"No question of the questions file has gold in {name}. Not the same part?",
        )
    merged = tuple(
        replace(own[question.id], text=question.text or own[question.id].text) if question.id in own else question
        for question in questions
    )
    return replace(gold, questions=merged)
