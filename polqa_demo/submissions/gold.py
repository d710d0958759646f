"""A file of questions or of gold -> questions and judgements."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import PurePath
from typing import Any, Literal

from polqa_demo.data import poleval, polqa
from polqa_demo.data.lines import id_text
from polqa_demo.errors import UserError
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.coverage import float_ids
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.problems import refuse
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
    object_field,
    object_id,
)

GoldKind = Literal["answers", "passages"]
GOLDS_NAMES = (*GOLDS_COLUMNS, "answer")


def read_questions(data: Content, name: str = "questions") -> tuple[Question, ...]:
    """Questions in their order: one a line, domain and question, JSONL, or any gold file.

    :raises Refused: not a file of questions
    """
    return read_gold_or_questions(data, name).questions


def read_gold_or_questions(data: Content, name: str = "questions") -> GoldSet:
    """Questions with whatever gold their file holds (none for a question a line).

    :raises Refused: not a file of questions
    """
    table = read_table(data, name)
    if table.read_objects or table.header:
        return _gold(table, None, None)
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
    return _gold(read_table(data, name), kind, questions)


def _gold(table: Table, kind: GoldKind | None, questions: Sequence[Question] | None) -> GoldSet:
    name = table.name
    stem = PurePath(name).name.split(".")[0]
    if table.read_objects:
        gold = _from_objects(table, stem)
    elif table.header:
        gold = _from_columns(table, stem)
    else:
        gold = _from_lines(table, stem, kind)
    gold = _with_whole_ids(gold)
    if questions is not None:
        gold = _with_questions(gold, questions, name)
    if not gold.questions:
        raise refuse(
            "no-questions",
            f"Plik {name} nie zawiera żadnego pytania.",
            f"The file {name} holds no questions.",
        )
    return gold


def _from_columns(table: Table, stem: str) -> GoldSet:
    id_at, passage_at = table.column(ID_NAMES), table.column(PASSAGE_NAMES)
    question_at, answers_at = table.column(QUESTION_NAMES), table.column(GOLDS_COLUMNS)
    if id_at is not None and question_at is not None and answers_at is not None:
        names = list(table.header)
        for place, column in zip((id_at, question_at, answers_at), polqa.REQUIRED, strict=True):
            names[place] = column
        rows = (
            (line, dict(zip_longest(names, cells[: len(names)], fillvalue="")))
            for line, cells in table.rows()
            if any(cell.strip() for cell in cells)
        )
        try:
            return polqa.gold_set(rows, stem, "", table.name)
        except UserError as error:
            raise refuse(error.code, *error.message) from error
    if id_at is not None and passage_at is not None:
        score_at = table.column(SCORE_NAMES)
        judgements = [
            Judgement(
                id_text(cells[id_at]),
                id_text(cells[passage_at]),
                score_at is None or score_at >= len(cells) or _positive(cells[score_at]),
            )
            for _, cells in table.rows()
            if len(cells) > max(id_at, passage_at) and any(cell.strip() for cell in cells)
        ]
        # The same pair may stand twice; it is one judgement, relevant when any row says so.
        unique: dict[tuple[str, str], Judgement] = {}
        for item in judgements:
            pair = (item.question_id, item.passage_id)
            unique[pair] = item if item.relevant else unique.get(pair, item)
        ids = dict.fromkeys(judgement.question_id for judgement in judgements)
        return GoldSet(stem, "", tuple(Question(key, "") for key in ids), tuple(unique.values()))
    raise refuse(
        "missing-columns",
        f"Plik {table.name}: złoty zbiór potrzebuje kolumn {', '.join(polqa.REQUIRED)} (CSV PolQA) albo question_id, "
        f"passage_id, score; są: {', '.join(table.header[:16])}.",
        f"File {table.name}: a gold set needs the columns {', '.join(polqa.REQUIRED)} (PolQA's CSV) or question_id, "
        f"passage_id, score; found: {', '.join(table.header[:16])}.",
    )


def _positive(cell: str) -> bool:
    try:
        return float(cell) > 0
    except ValueError:
        return cell.strip().lower() == "true"


def _from_lines(table: Table, stem: str, kind: GoldKind | None) -> GoldSet:
    lines = _lines(table)
    ids = [str(number) for number in range(1, len(lines) + 1)]
    if kind == "passages" or (kind is None and poleval.looks_like_passage_ids(lines)):
        return GoldSet(stem, "", tuple(Question(key, "") for key in ids), poleval.passage_golds(lines))
    golds = poleval.answer_golds(lines)
    return GoldSet(stem, "", tuple(Question(key, "", answers) for key, answers in zip(ids, golds, strict=True)))


def _lines(table: Table) -> list[str]:
    """The lines of a file without ids; the cells of a workbook as if they were parted by tabs."""
    return ["\t".join(cells) for _, cells in table.rows()]


def _from_objects(table: Table, stem: str) -> GoldSet:
    questions: dict[str, Question] = {}
    judgements: list[Judgement] = []
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
        questions.setdefault(key, Question(key, str(object_field(row, QUESTION_NAMES) or ""), answers))
        relevant = _is_relevant(row)
        judgements.extend(Judgement(key, passage, relevant) for passage in _passage_list(row))
    return GoldSet(stem, "", tuple(questions.values()), tuple(judgements))


def _gold_rows(table: Table) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects; an object of question ids gives the answers of each."""
    for line, row in table.objects():
        yield line, {"question_id": row[KEY], "answers": row[VALUE]} if table.keyed else row


def _is_relevant(row: dict[str, Any]) -> bool:
    """What a row says of its passages: nothing (they are gold), a truth value, or a score above zero."""
    value = object_field(row, ("relevant", *SCORE_NAMES))
    return value is None or _positive(str(value))


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


def _with_whole_ids(gold: GoldSet) -> GoldSet:
    """Question ids that all look like `101.0` as `101`."""
    whole, _ = float_ids((question.id for question in gold.questions), set(), "pytań", "questions")
    if not whole:
        return gold
    return replace(
        gold,
        questions=tuple(replace(question, id=whole[question.id]) for question in gold.questions),
        judgements=tuple(replace(item, question_id=whole[item.question_id]) for item in gold.judgements),
    )


def _with_questions(gold: GoldSet, questions: Sequence[Question], name: str) -> GoldSet:
    """The gold over the questions of a questions file: their order, their texts, and those without any gold."""
    own = {question.id: question for question in gold.questions}
    by_line = all(question.id == str(number) for number, question in enumerate(gold.questions, 1))
    if by_line and not own.keys() <= {question.id for question in questions}:
        if len(own) != len(questions):
            raise refuse(
                "wrong-length",
                f"Złoty zbiór {name} ma wierszy: {len(own)}, a plik pytań: {len(questions)}. To nie ta sama część?",
                f"The gold {name} has {len(own)} lines, the questions file {len(questions)}. Not the same part?",
            )
        renamed = dict(zip(own, (question.id for question in questions), strict=True))
        judgements = tuple(replace(item, question_id=renamed[item.question_id]) for item in gold.judgements)
        merged = tuple(
            replace(question, answers=own[old].answers) for old, question in zip(own, questions, strict=True)
        )
        return replace(gold, questions=merged, judgements=judgements)
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
