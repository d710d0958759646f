"""A file of answers -> question id: answer. One a line, CSV, TSV, semicolon, JSONL, JSON, a workbook or parquet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from polqa_demo.data.columns import plain_name
from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual, Problem
from polqa_demo.polish import plural
from polqa_demo.recognised import Recognised
from polqa_demo.records import Question
from polqa_demo.submissions import answer_problems as tell
from polqa_demo.submissions.answer_values import answer_fields, answer_text, unwrapped
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.coverage import Ids, missing_ids
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.line_ids import LineIds, find_ids
from polqa_demo.submissions.problems import Places, Refused, first_places, refuse
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import (
    ANSWER_NAMES,
    ID_NAMES,
    KEY,
    VALUE,
    Overrides,
    Table,
    has_field,
    object_field,
    object_id,
)

Duplicates = Literal["refuse", "first", "last"]
Pair = tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class AnswersFile:
    """Predictions by question id (only of known questions), what the file was taken for, and what was odd.

    `form` is the short name of the form; answers of a file without ids are `lines`, in the order of the questions.
    """

    name: str
    form: str
    recognised: Recognised
    predictions: dict[str, str]
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What was met on the way through the rows."""

    surplus: Places = field(default_factory=Places)
    lacking: Places = field(default_factory=Places)
    cut: Places = field(default_factory=Places)


def read_answers(
    data: Content,
    questions: Sequence[Question],
    name: str = "answers",
    overrides: Overrides | None = None,
    duplicates: Duplicates = "refuse",
) -> AnswersFile:
    """Predictions for these questions, from bytes or from a path.

    Missing answers are reported (the score counts them as wrong), unknown ids are reported and left out. An answer is
    kept up to the limit of the settings. `duplicates` says which of several different answers to one question counts.

    :raises UserError: not a file of answers, of another split, or of another length; the problems say why
    """
    table = read_table(data, name, overrides)
    known = {question.id for question in questions}
    seen = _Seen()
    table, pairs = _pairs(table, known, seen)
    if pairs is None:
        return _by_line(table, questions, seen)
    ids = Ids(known)
    kept: dict[str, tuple[int, str]] = {}
    same, different = Places(), Places()
    longest = table.limits.max_answer_chars
    count = 0
    for line, key, answer in pairs:
        count += 1
        if not ids.keep(key, line):
            continue
        if len(answer) > longest:
            seen.cut.add(line, key)
            answer = answer[:longest]  # noqa: PLW2901 - the rest of the text must not be held
        if key not in kept:
            kept[key] = (line, answer)
        elif kept[key][1] == answer:
            same.add(line, key)
        else:
            different.add(line, key)
            if duplicates == "last":
                kept[key] = (line, answer)
    if not count:
        raise refuse(
            "no-predictions",
            f"Plik {name} nie zawiera żadnej odpowiedzi. Dopisz wiersze z identyfikatorem i odpowiedzią.",
            f"The file {name} holds no predictions. Add rows of id and answer.",
        )
    problems = [*table.problems, *tell.about_rows(seen.surplus, seen.lacking, seen.cut)]
    problems += ids.problems()
    problems += tell.about_duplicates(same, different, name, duplicates)
    found = {final: item for key, item in kept.items() if (final := ids.final(key)) is not None}
    found, lists = unwrapped(found, name)
    problems += lists
    missing = [question.id for question in questions if question.id not in found]
    if missing:
        problems.append(missing_ids(missing, "odpowiedzi", "an answer"))
    problems += tell.about_texts((line, key, answer) for key, (line, answer) in found.items())
    predictions = {key: answer for key, (_, answer) in found.items()}
    return AnswersFile(name, table.form, table.recognised, predictions, tuple(problems))


def _pairs(table: Table, known: set[str], seen: _Seen) -> tuple[Table, Iterator[Pair] | None]:
    """`(line, id, answer)` of the forms with ids; None for a file in the order of the questions."""
    if table.read_objects:
        beside = answer_fields(table)
        if len(beside) > 1:
            table = replace(table, before=(*table.before, tell.answer_chosen(beside)))
        return table, _object_pairs(table, beside[:1] if len(beside) > 1 else ANSWER_NAMES, seen)
    if table.header:
        id_at, answer_at = table.only(ID_NAMES), table.only(ANSWER_NAMES)
        if id_at is None or answer_at is None:
            raise refuse("missing-columns", *_columns_message(table.name, table.header))
        beside = [name for name in ANSWER_NAMES if name in table.header]
        if len(beside) > 1:
            table = replace(table, before=(*table.before, tell.answer_chosen(beside)))
        return table, _column_pairs(table, id_at, answer_at, seen)
    if table.form == "lines" and table.overrides.form == "lines":
        return table, None
    found = find_ids(table, known)
    if found is None:
        return table, None
    if found.note:
        table = replace(table, before=(*table.before, found.note))
    parted = table.parted(found.separator, width=2)
    return parted, _headless_pairs(parted, found, seen)


def _column_pairs(table: Table, id_at: int, answer_at: int, seen: _Seen) -> Iterator[Pair]:
    """Rows below a header; what an unquoted separator cut off the last column's answer is joined to it."""
    width, last = len(table.header), answer_at == len(table.header) - 1
    for line, cells in table.rows():
        if len(cells) == width:
            key = cells[id_at].strip()
            if key or any(cell.strip() for cell in cells):
                answer = cells[answer_at]
                yield line, key, answer
            continue
        if len(cells) > width and any(cell.strip() for cell in cells[width:]):
            seen.surplus.add(line)
            if last:
                cells[answer_at:] = [table.recognised.separator.join(cells[answer_at:])]
        key = cells[id_at].strip() if id_at < len(cells) else ""
        if not key and not any(cell.strip() for cell in cells):
            continue
        if answer_at >= len(cells) or id_at >= len(cells):
            seen.lacking.add(line)
        answer = cells[answer_at] if answer_at < len(cells) else ""
        yield line, key, answer


def _headless_pairs(table: Table, ids: LineIds, seen: _Seen) -> Iterator[Pair]:
    typed = table.text is None or table.form == "json"
    for line, cells in table.rows():
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) < 2:
            seen.lacking.add(line)
        second = cells[1] if len(cells) > 1 else ""
        answer = second if typed or ids.scored else ids.separator.join(cells[1:])
        answer = answer.strip() if ids.loose else answer
        yield line, id_text(cells[0]), answer


def _object_pairs(table: Table, names: Sequence[str], seen: _Seen) -> Iterator[Pair]:
    """:param names: the fields that may hold the answer; one alone where rows have several"""
    for line, row in table.objects():
        if table.keyed:
            yield line, json_id(row[KEY]), answer_text(row[VALUE], table.name, line)
            continue
        key = object_id(row)
        if not key or not has_field(row, ANSWER_NAMES):
            raise refuse(
                "missing-columns",
                f"Plik {table.name}, wiersz {line}: potrzebne pola question_id i answer, są: {first_places(row)}.",
                f"File {table.name}, line {line}: the fields question_id and answer are wanted, found: "
                f"{first_places(row)}.",
                lines=[line],
            )
        yield line, key, answer_text(object_field(row, names), table.name, line)


def _by_line(table: Table, questions: Sequence[Question], seen: _Seen) -> AnswersFile:
    """One answer a line, in the order of the questions. Blank lines keep their place; surplus ones at the end go."""
    problems = [*table.problems]
    longest, most = table.limits.max_answer_chars, len(questions) + 1
    lines: list[str] = []
    total = filled = 0
    begins = 1
    for _, cells in table.rows():
        total += 1
        answer = cells[0] if cells else ""
        filled = total if answer.strip() else filled
        if len(lines) < most:
            if len(answer) > longest:
                seen.cut.add(total)
            lines.append(answer[:longest])
    if len(questions) == filled - 1 == total - 1 and plain_name(lines[0]) in ANSWER_NAMES:
        lines, filled, total, begins = lines[1:], filled - 1, total - 1, 2
        problems.append(tell.header_dropped(table.name))
    if total > len(questions):
        surplus = total - max(filled, len(questions))
        total -= surplus
        if surplus:
            problems.append(tell.blank_dropped(surplus, total))
    if total != len(questions):
        raise Refused([_wrong_length(table, lines[0] if lines else "", total, len(questions)), *problems])
    found = {
        question.id: (number, line)
        for number, (question, line) in enumerate(zip(questions, lines, strict=False), begins)
    }
    found, lists = unwrapped(found, table.name)
    problems += [*lists, *tell.about_rows(cut=seen.cut)]
    problems += tell.about_texts((line, key, answer) for key, (line, answer) in found.items())
    predictions = {key: answer for key, (_, answer) in found.items()}
    return AnswersFile(table.name, table.form, table.recognised, predictions, tuple(problems))


def _wrong_length(table: Table, first: str, lines: int, questions: int) -> Problem:
    return Problem(
        "error",
        "wrong-length",
        Bilingual(
            f"Plik {table.name} ma {plural(lines, 'wiersz', 'wiersze', 'wierszy')}, a zbiór "
            f"{plural(questions, 'pytanie', 'pytania', 'pytań')}. Rozpoznano: jedna odpowiedź w wierszu, w kolejności "
            f"pytań (pierwszy wiersz: „{first[:60]}”). Wybierz właściwy złoty zbiór albo dodaj nagłówek "
            "question_id,answer.",
            f"The file {table.name} has {lines} lines, the set {questions} questions. Recognised: one answer a line in "
            f"the order of the questions (first line: {first[:60]!r}). Choose the right gold or add a header "
            "question_id,answer.",
        ),
    )


def _columns_message(name: str, header: Sequence[str]) -> tuple[str, str]:
    return (
        f"Plik {name}: potrzebne kolumny question_id i answer, są: {', '.join(header[:10])}.",
        f"File {name}: the columns question_id and answer are wanted, found: {', '.join(header[:10])}.",
    )
