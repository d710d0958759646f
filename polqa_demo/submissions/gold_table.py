"""Rows of gold or questions, from whatever form -> a gold set, with what was odd about them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from polqa_demo.data import polqa
from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.data.gold_rows import GoldRows
from polqa_demo.errors import Bilingual, Problem, UserError, by_option
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.gold_cells import GoldCells
from polqa_demo.submissions.gold_columns import (
    ABSENT,
    GRADE_NAMES,
    GoldRow,
    Role,
    grade_names,
    missing_gold,
    object_rows,
    row_of_cells,
    table_columns,
    table_rows,
)
from polqa_demo.submissions.problems import Places, Refused, first_places, refuse
from polqa_demo.submissions.table import Table

_SINGULAR = names_of("answer")
# Columns that are about the question or the file, whatever numbers they hold.
_NEVER_VERDICTS = frozenset(names_of("question_id", "question", "golds", "answer", "prediction", "rank", "impossible"))
_VERDICT_NAMES = frozenset((*names_of("grade"), "target", "correct", "is_correct", "gold", "gold_label", "class"))
_ZERO_ONE = {"0": "0", "1": "1", "0.0": "0", "1.0": "1", "false": "0", "true": "1", "nie": "0", "tak": "1"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Under which name the gold is known, and how it is read.

    `as_answers` and `as_passages` are what somebody says that the file holds.
    """

    name: str
    split: str = ""
    role: Role = "gold"
    as_answers: bool = False
    as_passages: bool = False


def gold_of_table(table: Table, wanted: Wanted) -> GoldSet:
    """The gold of a table with a header, or of objects.

    :raises Refused: columns are absent, a value cannot be read, or what is called answers is none
    """
    column = ""
    if table.read_objects:
        rows = object_rows(table, wanted.role, wanted.as_passages)
    else:
        columns = table_columns(table, wanted.role)
        rows = table_rows(table, columns)
        column = table.header[columns["golds"]] if "golds" in columns else ""
        if wanted.role == "gold" and column in _SINGULAR and "passage_id" not in columns and not wanted.as_answers:
            _refuse_judged_answers(table.name, column, _with_names(table))
    if table.read_objects and wanted.role == "gold" and not wanted.as_answers and not table.keyed:
        _refuse_judged_objects(table)
    cells = GoldCells(table.name, column)
    gold = gather(rows, wanted, table.name, cells, table)
    return replace(gold, remarks=(*_about_rank(table, gold), *_about_label(table, gold), *gold.remarks))


def gold_of_rows(rows: Iterable[tuple[int, Mapping[str, str]]], name: str, split: str, file: str) -> GoldSet:
    """The gold of rows in PolQA's columns, as `polqa.stream_rows` gives them.

    :raises Refused: as `gold_of_table`
    """

    def found() -> Iterator[GoldRow]:
        for line, row in rows:
            known = {meaning: row[column] for column, meaning in _POLQA.items() if column in row}
            yield row_of_cells(line, known, has_id=True)

    return gather(found(), Wanted(name, split), file, GoldCells(file, "answers"))


_POLQA = {
    **{name: name for name in ("question_id", "question", "passage_id", "passage_source", "split", *polqa.LABELS)},
    "answers": "golds",
    "relevant": "grade",
}


def gather(rows: Iterable[GoldRow], wanted: Wanted, file: str, cells: GoldCells, table: Table | None = None) -> GoldSet:
    """The rows put together. Without ids questions are numbered from 1, in the order in which they first stand.

    :param table: where they come from, asked about truth values when all of them are read
    :raises Refused: a row cannot be read
    """
    found = GoldRows(wanted.name, wanted.split, file)
    positions = _Positions()
    any_gold = False
    nested: dict[str, Places] = {}
    try:
        for row in rows:
            key = positions.of(row) if row.key is None else row.key
            stated = row.golds is not ABSENT
            # Who asks for questions may have them from a file of any golds.
            golds = cells.texts(row.line, row.golds) if stated and wanted.role == "gold" else ()
            found.ask(row.line, Question(key, row.question, golds, row.labels), row.split, stated)
            for passage in row.passages:
                found.judge(row.line, key, passage, row.grade, row.source)
            for passage, grade in row.grades.items():
                found.judge(row.line, key, passage, grade)
            if row.passages and row.taken_from:
                nested.setdefault(row.taken_from, Places()).add(row.line, key)
            any_gold = any_gold or stated or bool(row.passages or row.grades)
    except Refused:
        raise
    except UserError as error:
        raise refuse(error.code, *error.message) from error
    if wanted.role == "questions" and found.different_texts:
        raise _ids_twice(file, found.different_texts)
    if table and table.header and cells.column in table.header:
        cells.add_truths(table.findings.truths.get(table.header.index(cells.column), Places()))
    gold = found.gold()
    remarks = [*positions.problems(), *cells.problems(), *map(_about_nested, nested, nested.values()), *gold.remarks]
    if wanted.role == "gold" and gold.questions and not any_gold:
        message = missing_gold(file, _fields(table)).problems[0].message
        remarks.insert(0, Problem("warning", "no-golds", message))
    return replace(gold, remarks=tuple(remarks))


@dataclass(slots=True)
class _Positions:
    """Numbers questions without ids. Rows that judge passages are one question as long as its text is the same."""

    count: int = 0
    _judged: dict[str, str] = field(default_factory=dict)

    def of(self, row: GoldRow) -> str:
        judging = row.passages and not row.taken_from
        if judging and row.question in self._judged:
            return self._judged[row.question]
        self.count += 1
        key = str(self.count)
        if judging:
            self._judged[row.question] = key
        return key

    def problems(self) -> list[Problem]:
        if not self.count:
            return []
        message = Bilingual(
            f"Plik nie ma identyfikatorów, więc pytania mają numery od 1 do {self.count}, w kolejności pliku.",
            f"The file has no ids, so its questions are numbered from 1 to {self.count}, in the order of the file.",
        )
        return [Problem("note", "numbered-questions", message, self.count)]


def _about_nested(name: str, places: Places) -> Problem:
    """A note of the field that the gold passages were taken from."""
    pl = f"Złote fragmenty wzięto z pola {name}, pytań: {places.count}."
    en = f"The gold passages were taken from the field {name}, questions: {places.count}."
    return places.problem("note", "nested-passages", pl, en)


def _fields(table: Table | None) -> list[str]:
    """The columns, or the fields of the first object."""
    if table is None or table.header:
        return list(table.header) if table else []
    return next(([str(name) for name in row] for _, row in table.objects()), [])


def _ids_twice(name: str, ids: tuple[str, ...]) -> UserError:
    return refuse(
        "duplicate-ids",
        f"Plik {name}: różne pytania pod tym samym identyfikatorem, identyfikatorów: {len(ids)} ({first_places(ids)}). "
        "Nadaj każdemu własny.",
        f"File {name}: different questions under one id, ids: {len(ids)} ({first_places(ids)}). Give each its own.",
        len(ids),
    )


def _about_rank(table: Table, gold: GoldSet) -> list[Problem]:
    """A column of ranks beside judged passages speaks for a ranking."""
    if not gold.judgements or table.column(names_of("rank")) is None:
        return []
    message = Bilingual(
        "Plik ma kolumnę pozycji (rank), jak rankingi, a odczytano go jako złoto: każdy fragment z wynikiem powyżej "
        "zera jest trafny. Sprawdź, czy to nie wynik systemu.",
        "The file has a column of ranks, as rankings have, but was read as gold: every passage with a score above zero "
        "is relevant. Check that it is no system's output.",
    )
    return [Problem("warning", "gold-with-ranks", message)]


def _about_label(table: Table, gold: GoldSet) -> list[Problem]:
    """A column `label` without verdicts grades no passage."""
    if not gold.judgements or table.keyed or grade_names(table) == GRADE_NAMES:
        return []
    message = Bilingual(
        "W kolumnie label nie ma ocen (0, 1, tak, nie, liczby), więc nie czytano jej jako trafności fragmentów.",
        "The column label holds no judgements (0, 1, yes, no, numbers), so it was not read as the passages' relevance.",
    )
    return [Problem("note", "label-column", message)]


def _with_names(table: Table) -> Iterator[dict[str, str]]:
    return (dict(zip(table.header, cells, strict=False)) for _, cells in table.rows())


def _refuse_judged_objects(table: Table) -> None:
    """As `_refuse_judged_answers`, for objects whose golds stand in the field `answer`."""
    _, first = next(iter(table.objects()), (0, {}))
    names = [plain_name(str(name)) for name in first]
    if not set(names).isdisjoint((*names_of("golds"), *names_of("passage_id"), "passage_ids")):
        return
    column = next((name for name in _SINGULAR if name in names), "")
    if column and any(_verdict(value) for value in first.values()):
        objects = table.objects()
        _refuse_judged_answers(
            table.name, column, ({plain_name(str(name)): value for name, value in row.items()} for _, row in objects)
        )


def _refuse_judged_answers(file: str, column: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Refuses candidates that somebody has called right (1) or wrong (0): not all of them are golds.

    A flag of the questions (`easy`: 0 or 1) is none: then no question has two different texts.

    :raises Refused: a column of 0 and 1 beside them says so
    """
    said: dict[str, set[str]] | None = None
    answers: dict[str, str] = {}
    repeated = False
    for row in rows:
        if said is None:
            said = {name: set() for name, value in row.items() if name not in _NEVER_VERDICTS and _verdict(value)}
        said = {name: found | {_verdict(row.get(name))} for name, found in said.items() if _verdict(row.get(name))}
        if not said:
            return
        question = next((str(row[name]) for name in names_of("question_id", "question") if name in row), "")
        text = str(row.get(column))
        repeated = repeated or answers.setdefault(question, text) != text
    for name, found in (said or {}).items():
        if len(found) == 2 and (name in _VERDICT_NAMES or repeated):
            where = by_option("--gold-kind answers")
            raise refuse(
                "judged-answers",
                f"Plik {file}: kolumna {column} stoi obok kolumny {name} o wartościach 0 i 1, więc zawiera teksty "
                "dobre i złe, a nie złote odpowiedzi. Zostaw wiersze z 1 i usuń tę kolumnę, albo powiedz, że to złote "
                f"odpowiedzi {where.pl}.",
                f"File {file}: the column {column} stands beside the column {name} of 0 and 1, so it holds right and "
                "wrong texts, not gold answers. Keep the rows with 1 and remove that column, or say that these are "
                f"gold answers {where.en}.",
            )


def _verdict(value: object) -> str:
    """`0` or `1` where a value says so; empty otherwise."""
    return _ZERO_ONE.get(str(value).strip().lower(), "")
