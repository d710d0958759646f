"""Tables with a header, and objects, as rows of one kind: columns and fields found by the one table of names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal

from polqa_demo.data.answer_texts import UnknownShapeError, answer_texts
from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.data.gold_rows import grade_of
from polqa_demo.data.lines import id_text, writable
from polqa_demo.data.polqa import LABELS
from polqa_demo.submissions.kilt import provenance
from polqa_demo.submissions.problems import Refused, refuse
from polqa_demo.submissions.table import KEY, SAMPLE, VALUE, Table, object_field

Role = Literal["gold", "questions"]

QUESTION_NAMES = names_of("question")
# What is called `answer` is the gold only where nothing is called golds.
GOLD_NAMES = names_of("golds", "answer")
PASSAGE_NAMES = names_of("passage_id")
GRADE_NAMES = names_of("grade", "score")
# A judgement, or the kind of the question or of the answer.
_LABEL = "label"
IMPOSSIBLE_NAMES = names_of("impossible")
# KILT's golds, a list of objects; as a text it would be what a system wrote.
_KILT = "output"
# How many characters of the names that were found a refusal lists.
_LISTED = 1000

ABSENT = object()
"""In the place of golds where a row has none, not even empty ones."""


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One row of a gold or questions file. `key` is None in a file without ids; `golds` are read by `GoldCells`.

    `taken_from` is the field of a list from which the passages were taken.
    """

    line: int
    key: str | None
    question: str = ""
    golds: object = ABSENT
    passages: Sequence[str] = ()
    grade: object = True
    grades: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    split: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    taken_from: str = ""


def row_of_cells(line: int, row: Mapping[str, str], has_id: bool) -> GoldRow:
    """A row of a table; its cells bear what they mean: question_id, question, golds, passage_id, grade, PolQA's names.

    :param has_id: whether the table has a column of question ids
    """
    passage = id_text(row.get("passage_id", ""))
    golds: object = row.get("golds", ABSENT)
    return GoldRow(
        line,
        id_text(row["question_id"]) if has_id else None,
        row.get("question", ""),
        "" if golds is not ABSENT and _says_yes(row.get("impossible")) else golds,
        (passage,) if passage else (),
        row.get("grade", True),
        source=row.get("passage_source", ""),
        split=row.get("split", ""),
        labels={label: row[label] for label in LABELS if row.get(label)},
    )


def table_rows(table: Table, columns: Mapping[str, int]) -> Iterator[GoldRow]:
    """The rows of a table with a header that are not blank.

    :param columns: where each meaning stands
    """
    for line, cells in table.rows():
        if any(cell.strip() for cell in cells):
            row = {name: cells[place] if place < len(cells) else "" for name, place in columns.items()}
            yield row_of_cells(line, row, "question_id" in columns)


def table_columns(table: Table, role: Role) -> dict[str, int]:
    """Where each meaning stands in the header.

    :raises Refused: it holds too little, or one name twice; says what is wanted and what was found
    """
    known = {
        "question_id": table.id_names,
        "question": QUESTION_NAMES,
        "golds": GOLD_NAMES,
        "passage_id": PASSAGE_NAMES,
        "grade": grade_names(table),
        "impossible": IMPOSSIBLE_NAMES,
        **{name: (name,) for name in ("passage_source", "split", *LABELS)},
    }
    found = {name: place for name, names in known.items() if (place := table.only(names)) is not None}
    has_id, has_question = "question_id" in found, "question" in found
    judged = has_id and "passage_id" in found
    if role == "questions" and not (has_question or judged):
        raise _missing_question(table.name, table.header)
    if role == "gold" and not (judged or ("golds" in found and (has_id or has_question))):
        raise missing_gold(table.name, table.header)
    return found


def object_rows(table: Table, role: Role, as_passages: bool = False) -> Iterator[GoldRow]:
    """The objects of JSON or parquet.

    :param as_passages: a list under a question's id holds passages, not answers; KILT's outputs count by their pages
    :raises Refused: an object without an id beside others with one
    """
    has_id: bool | None = None
    grades = GRADE_NAMES if table.keyed else grade_names(table)
    for line, row in table.objects():
        if table.keyed:
            yield _keyed_row(line, row[KEY], row[VALUE], role, as_passages)
            continue
        fields = {plain_name(str(name)): value for name, value in row.items()}
        key = id_text(_first(fields, table.id_names))
        if has_id is None:
            has_id = bool(key)
        if bool(key) is not has_id or not (key or _holds_enough(fields, role)):
            raise _missing_id(table.name, line, row)
        found = _row_of_fields(line, key if has_id else None, fields, table.name, grades)
        yield replace(found, golds=ABSENT) if as_passages and found.taken_from else found


def _keyed_row(line: int, key: str, value: Any, role: Role, as_passages: bool) -> GoldRow:
    """What stands under a question's id: judgements, a row of its own, passages, a question's text, or golds."""
    key = id_text(key)
    if isinstance(value, dict):
        if all(isinstance(grade, int | float) for grade in value.values()):
            return GoldRow(line, key, grades={id_text(passage): grade for passage, grade in value.items()})
        fields = {plain_name(str(name)): item for name, item in value.items()}
        if any(name in fields for name in (*QUESTION_NAMES, *GOLD_NAMES, "passage_ids", *PASSAGE_NAMES)):
            return _row_of_fields(line, key, fields, "")
    if role == "questions" and isinstance(value, str):
        return GoldRow(line, key, value)
    if as_passages and isinstance(value, list):
        return GoldRow(line, key, passages=_passages(value))
    return GoldRow(line, key, golds=value)


def grade_names(table: Table) -> tuple[str, ...]:
    """The names of a column of grades; `label` is one only where its cells are verdicts, not kinds of questions."""
    if table.header:
        place = table.column((_LABEL,))
        cells: list[object] = [row[place] for _, row in table.sample() if place is not None and place < len(row)]
    else:
        cells = [object_field(row, (_LABEL,)) for _, row in islice(table.objects(), SAMPLE)]
    filled = [value for value in cells if value is not None and str(value).strip()]
    if any(map(_is_verdict, filled)) or not filled:
        return GRADE_NAMES
    return tuple(name for name in GRADE_NAMES if name != _LABEL)


def _is_verdict(value: object) -> bool:
    try:
        return grade_of(value) is not None
    except ValueError:
        return False


def _row_of_fields(
    line: int, key: str | None, fields: Mapping[str, Any], file: str, grades: Sequence[str] = GRADE_NAMES
) -> GoldRow:
    golds = _golds(fields)
    if golds is not ABSENT and _says_yes(_first(fields, IMPOSSIBLE_NAMES)):
        golds = ()
    grade = next((fields[name] for name in grades if name in fields), True)
    passages, taken_from = _passages(_first(fields, ("passage_ids", *PASSAGE_NAMES))), ""
    if not passages:
        passages, taken_from = _nested_passages(fields)
    return GoldRow(
        line,
        key,
        _text(line, _first(fields, QUESTION_NAMES), file),
        golds,
        passages,
        grade,
        source=_plain(fields.get("passage_source")),
        split=_plain(fields.get("split")),
        labels={name: label for name in LABELS if (label := _plain(fields.get(name)))},
        taken_from=taken_from,
    )


def _nested_passages(fields: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
    """The gold passages of DPR's positive contexts, or the pages of KILT's outputs, and the field that holds them."""
    name = next((name for name in names_of("positives") if name in fields), "")
    found = _passages(fields[name]) if name else ()
    if found:
        return found, name
    pages = provenance(fields.get(_KILT))
    found = tuple(dict.fromkeys(_passages(pages or [])))
    return found, "output.provenance" if found else ""


def _golds(fields: Mapping[str, Any]) -> object:
    for name in GOLD_NAMES:
        if name in fields:
            return fields[name]
    kilt = fields.get(_KILT)
    return kilt if isinstance(kilt, list) and all(isinstance(item, dict) for item in kilt) else ABSENT


def _holds_enough(fields: Mapping[str, Any], role: Role) -> bool:
    """Whether an object without an id says something: a question, and of gold its answers."""
    asks = any(name in fields for name in QUESTION_NAMES)
    return asks if role == "questions" else asks and _golds(fields) is not ABSENT


def _first(fields: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((fields[name] for name in names if name in fields), None)


def _text(line: int, value: Any, file: str) -> str:
    """A question's text; the one text of an object."""
    if value is None or isinstance(value, str):
        return value or ""
    try:
        texts = answer_texts(value).texts
    except UnknownShapeError as error:
        found = listed(error.fields)
        raise refuse(
            "unknown-shape",
            f"Plik {file}, wiersz {line}: w miejscu pytania stoi obiekt o polach: {found}. Zapisz sam tekst pytania.",
            f"File {file}, line {line}: in the place of the question stands an object of the fields: {found}. Write "
            "the question's text alone.",
            lines=[line],
        ) from error
    return texts[0] if len(texts) == 1 else ""


def _passages(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list | tuple) else [] if value is None else [value]
    ids = (_passage(item) for item in items)
    return tuple(writable(one) for one in ids if one)


def _passage(item: Any) -> str:
    """The id of a passage, or of an object that names one."""
    if isinstance(item, dict):
        fields = {plain_name(str(name)): value for name, value in item.items()}
        item = _first(fields, names_of("corpus_passage_id"))
    return "" if isinstance(item, dict | list) else id_text(item)


def _plain(value: object) -> str:
    """A value as a word; nothing for a list or an object."""
    return "" if value is None or isinstance(value, dict | list) else writable(str(value))


def _says_yes(value: object) -> bool:
    return str(value).strip().lower() in ("true", "1", "1.0", "tak", "yes")


def listed(names: Iterable[object]) -> str:
    """All names that were found, one by one."""
    text = ", ".join(str(name) or "–" for name in names)
    return text if len(text) <= _LISTED else f"{text[:_LISTED]}…"


def missing_gold(file: str, found: Iterable[object]) -> Refused:
    """Said of columns or fields that hold no gold."""
    return refuse(
        "missing-columns",
        f"Plik {file}: złoty zbiór potrzebuje kolumn question_id, question, answers (CSV PolQA) albo question_id, "
        f"passage_id, score; są: {listed(found)}.",
        f"File {file}: a gold set needs the columns question_id, question, answers (PolQA's CSV) or question_id, "
        f"passage_id, score; found: {listed(found)}.",
    )


def _missing_question(file: str, found: Iterable[object]) -> Refused:
    return refuse(
        "missing-columns",
        f"Plik {file}: nie ma w nim kolumny pytań (question, pytanie, query); są: {listed(found)}.",
        f"File {file}: it has no column of questions (question, pytanie, query); found: {listed(found)}.",
    )


def _missing_id(file: str, line: int, row: Mapping[str, Any]) -> Refused:
    return refuse(
        "missing-columns",
        f"Plik {file}, wiersz {line}: brak pola question_id (lub id), a bez niego potrzebne są question i answers; "
        f"są: {listed(row)}.",
        f"File {file}, line {line}: the field question_id (or id) is missing, and without it question and answers "
        f"are needed; found: {listed(row)}.",
        lines=[line],
    )
