"""A file of answers -> question id: answer. One a line, CSV, TSV, semicolon, JSONL or a JSON array."""

from collections.abc import Sequence
from dataclasses import dataclass

from polqa_demo.data.lines import id_text
from polqa_demo.data.polqa import parse_answers
from polqa_demo.errors import Bilingual
from polqa_demo.polish import plural
from polqa_demo.records import Question
from polqa_demo.submissions.coverage import as_floats, float_ids, missing_ids, unknown_ids
from polqa_demo.submissions.problems import PLACES, Problem, Refused, first_places, refuse
from polqa_demo.submissions.reading import (
    ANSWER_NAMES,
    DELIMITERS,
    ID_NAMES,
    Row,
    Table,
    has_field,
    object_field,
    object_id,
    read_table,
    split_cells,
)


@dataclass(frozen=True, slots=True)
class AnswersFile:
    """Predictions by question id (only of known questions), the form that was recognised, and what was odd."""

    name: str
    form: str
    predictions: dict[str, str]
    problems: tuple[Problem, ...] = ()


def read_answers(data: bytes, questions: Sequence[Question], name: str = "answers") -> AnswersFile:
    """Predictions for these questions.

    Missing answers are reported (the score counts them as wrong), unknown ids are reported and left out; two different
    answers to one question are refused.

    :raises Refused: not a file of answers, of another split, or of another length; the problems say why
    """
    table = read_table(data, name)
    known = {question.id for question in questions}
    pairs = _pairs(table, known)
    if pairs is None:
        return _by_line(table, questions)
    if not pairs:
        raise refuse(
            "no-predictions",
            f"Plik {name} nie zawiera żadnej odpowiedzi.",
            f"The file {name} holds no predictions.",
        )
    whole, problems = float_ids((key for _, key, _ in pairs), known, "pytań", "questions")
    pairs = [(line, whole.get(key, key), answer) for line, key, answer in pairs]
    pairs, lists = _unwrapped(pairs, name)
    problems += [*_extra_cells(table), *lists, *_duplicates(pairs, name)]
    problems += unknown_ids([(line, key) for line, key, _ in pairs], known)
    predictions = {key: answer for _, key, answer in pairs if key in known}
    missing = [question.id for question in questions if question.id not in predictions]
    if missing:
        problems.append(missing_ids(missing, "odpowiedzi", "an answer"))
    problems.extend(_empty([(line, key, answer) for line, key, answer in pairs if key in known]))
    return AnswersFile(name, table.form, predictions, tuple(problems))


def _pairs(table: Table, known: set[str]) -> list[tuple[int, str, str]] | None:
    """`(line, id, answer)` of the forms with ids; None for a file in the order of the questions."""
    if table.form in ("jsonl", "json"):
        return _object_pairs(table, known)
    if table.header:
        id_at, answer_at = table.column(ID_NAMES), table.column(ANSWER_NAMES)
        if id_at is None or answer_at is None:
            raise refuse("missing-columns", *_columns_message(table.name, table.header))
        return [
            (row.line, id_text(row.cells[id_at]), _answer_cell(table, row, answer_at))
            for row in table.rows
            if id_at < len(row.cells)
        ]
    known = as_floats(known)
    for delimiter in ("\t", ";", ","):
        rows = [row for row in split_cells(table, delimiter) if any(cell.strip() for cell in row.cells)]
        first = [id_text(row.cells[0]) for row in rows if len(row.cells) > 1]
        # Without a header the ids must speak for themselves: nearly every row begins with one.
        if len(first) == len(rows) and sum(key in known for key in first) > 0.9 * len(rows):
            return [(row.line, id_text(row.cells[0]), delimiter.join(row.cells[1:])) for row in rows]
    return None


def _answer_cell(table: Table, row: Row, answer_at: int) -> str:
    """The cell of the answer; what an unquoted delimiter inside of the last column's answer cut off is joined to it."""
    if answer_at == len(table.header) - 1 and _surplus(table, row):
        return DELIMITERS[table.form].join(row.cells[answer_at:])
    return row.cells[answer_at] if answer_at < len(row.cells) else ""


def _surplus(table: Table, row: Row) -> bool:
    """The row has more filled cells than the header has names."""
    return bool(table.header) and any(cell.strip() for cell in row.cells[len(table.header) :])


def _extra_cells(table: Table) -> list[Problem]:
    """A warning for rows with more cells than the header."""
    longer = [row.line for row in table.rows if _surplus(table, row)]
    if not longer:
        return []
    message = Bilingual(
        f"Wiersze z większą liczbą komórek niż w nagłówku: {len(longer)} ({first_places(longer)}). Nadmiar na końcu "
        "dołączono do odpowiedzi, jeśli stoi w ostatniej kolumnie, a inaczej pominięto. Weź odpowiedź w cudzysłów.",
        f"Rows with more cells than the header: {len(longer)} ({first_places(longer)}). The surplus at the end was "
        "joined to the answer where that is the last column, else left out. Quote the answer.",
    )
    return [Problem("warning", "extra-cells", message, len(longer), tuple(longer[:PLACES]))]


def _unwrapped(pairs: list[tuple[int, str, str]], name: str) -> tuple[list[tuple[int, str, str]], list[Problem]]:
    """Answers that are lists of one, such as `['tak']`, as their text, when all answers of the file are lists.

    :raises Refused: some of the lists hold several answers
    """
    filled = [(line, answer) for line, _, answer in pairs if answer.strip()]
    if not filled or not all(answer.lstrip().startswith("[") for _, answer in filled):
        return pairs, []
    lists = [parse_answers(answer) if answer.strip() else () for _, _, answer in pairs]
    if any(items is None for items in lists):
        return pairs, []
    several = [line for (line, _, _), items in zip(pairs, lists, strict=True) if items and len(items) > 1]
    if several:
        raise refuse(
            "list-answers",
            f"Plik {name}: listy po kilka odpowiedzi na pytanie, liczba wierszy: {len(several)} "
            f"({first_places(several)}). Zostaw po jednej odpowiedzi, bez nawiasów.",
            f"File {name}: lists of several answers to a question, rows: {len(several)} ({first_places(several)}). "
            "Keep one answer each, without brackets.",
            len(several),
            several,
        )
    message = Bilingual(
        f"Odpowiedzi zapisane jako listy odczytano jako tekst, np. {filled[0][1][:40]}.",
        f"Answers written as lists were read as their text, such as {filled[0][1][:40]}.",
    )
    texts = [(line, key, "".join(items or ())) for (line, key, _), items in zip(pairs, lists, strict=True)]
    return texts, [Problem("note", "list-answers", message, len(filled), tuple(line for line, _ in filled)[:PLACES])]


def _object_pairs(table: Table, known: set[str]) -> list[tuple[int, str, str]]:
    objects = table.objects
    if len(objects) == 1 and {key.strip() for key in objects[0][1]} & as_floats(known):
        return [(1, id_text(key), _answer_text(value)) for key, value in objects[0][1].items()]
    found: list[tuple[int, str, str]] = []
    for line, row in objects:
        key = object_id(row)
        if not key or not has_field(row, ANSWER_NAMES):
            raise refuse(
                "missing-columns",
                f"Plik {table.name}, wiersz {line}: potrzebne pola question_id i answer, są: {first_places(row)}.",
                f"File {table.name}, line {line}: the fields question_id and answer are wanted, found: "
                f"{first_places(row)}.",
                lines=[line],
            )
        found.append((line, key, _answer_text(object_field(row, ANSWER_NAMES))))
    return found


def _answer_text(value: object) -> str:
    """An answer as text: JSON null is an empty answer, numbers are as written."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "tak" if value else "nie"
    return str(value)


def _by_line(table: Table, questions: Sequence[Question]) -> AnswersFile:
    """One answer a line, in the order of the questions. Blank lines keep their place; surplus ones at the end go."""
    lines = [row.cells[0] for row in table.rows]
    problems: list[Problem] = []
    surplus = 0
    while len(lines) > len(questions) and not lines[-1].strip():
        lines.pop()
        surplus += 1
    if surplus:
        problems.append(
            Problem(
                "note",
                "blank-lines-dropped",
                Bilingual(
                    f"Pominięto {plural(surplus, 'pusty wiersz', 'puste wiersze', 'pustych wierszy')} na końcu pliku.",
                    f"{surplus} blank lines at the end of the file were left out.",
                ),
                surplus,
                tuple(range(len(lines) + 1, len(lines) + 1 + min(surplus, PLACES))),
            )
        )
    if len(lines) != len(questions):
        raise Refused([_wrong_length(table, len(lines), len(questions)), *problems])
    rows = [
        (number, question.id, line) for number, (question, line) in enumerate(zip(questions, lines, strict=True), 1)
    ]
    problems.extend(_empty(rows))
    return AnswersFile(table.name, table.form, {key: answer for _, key, answer in rows}, tuple(problems))


def _wrong_length(table: Table, lines: int, questions: int) -> Problem:
    first = table.rows[0].cells[0][:60]
    return Problem(
        "error",
        "wrong-length",
        Bilingual(
            f"Plik {table.name} ma {plural(lines, 'wiersz', 'wiersze', 'wierszy')}, a zbiór "
            f"{plural(questions, 'pytanie', 'pytania', 'pytań')}. Rozpoznano: jedna odpowiedź w wierszu, w kolejności "
            f"pytań (pierwszy wiersz: „{first}”). Wybierz właściwy złoty zbiór albo dodaj nagłówek question_id,answer.",
            f"The file {table.name} has {lines} lines, the set {questions} questions. Recognised: one answer a line in "
            f"the order of the questions (first line: {first!r}). Choose the right gold or add a header "
            "question_id,answer.",
        ),
    )


def _duplicates(pairs: Sequence[tuple[int, str, str]], name: str) -> list[Problem]:
    """A note for repeated rows.

    :raises Refused: two different answers to one question, since the score would hang on their order
    """
    answers: dict[str, str] = {}
    same: dict[str, int] = {}
    different: dict[str, int] = {}
    for line, key, answer in pairs:
        if key not in answers:
            answers[key] = answer
        elif answers[key] == answer:
            same.setdefault(key, line)
        else:
            different.setdefault(key, line)
    if different:
        raise refuse(
            "duplicate-ids",
            f"Plik {name}: różne odpowiedzi na to samo pytanie, liczba pytań: {len(different)} "
            f"({first_places(different)}). Zostaw po jednej odpowiedzi.",
            f"File {name}: different answers to one question, questions: {len(different)} "
            f"({first_places(different)}). Keep one answer each.",
            len(different),
            different.values(),
        )
    if not same:
        return []
    return [
        Problem(
            "note",
            "repeated-rows",
            Bilingual(
                f"Powtórzone wiersze z tą samą odpowiedzią: {len(same)} ({first_places(same)}).",
                f"Repeated rows with the same answer: {len(same)} ({first_places(same)}).",
            ),
            len(same),
            tuple(same.values())[:PLACES],
        )
    ]


def _empty(rows: Sequence[tuple[int, str, str]]) -> list[Problem]:
    blank = [(line, key) for line, key, answer in rows if not answer.strip()]
    if not blank:
        return []
    return [
        Problem(
            "warning",
            "empty-answers",
            Bilingual(
                f"{plural(len(blank), 'pusta odpowiedź', 'puste odpowiedzi', 'pustych odpowiedzi')} "
                f"(liczone jako błędne): {first_places(key for _, key in blank)}.",
                f"Empty answers (counted as wrong), {len(blank)}: {first_places(key for _, key in blank)}.",
            ),
            len(blank),
            tuple(line for line, _ in blank)[:PLACES],
        )
    ]


def _columns_message(name: str, header: Sequence[str]) -> tuple[str, str]:
    return (
        f"Plik {name}: potrzebne kolumny question_id i answer, są: {', '.join(header[:10])}.",
        f"File {name}: the columns question_id and answer are wanted, found: {', '.join(header[:10])}.",
    )
