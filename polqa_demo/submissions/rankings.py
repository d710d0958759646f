"""A file of rankings -> question id: ranking. Wide, long, TREC run or JSONL.

Order: score, highest first; equal scores by the rank column where there is one, else by the order of the file.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual
from polqa_demo.polish import plural
from polqa_demo.records import Question, Ranking
from polqa_demo.submissions.coverage import as_floats, float_ids, missing_ids, unknown_ids
from polqa_demo.submissions.problems import Problem, first_places, refuse
from polqa_demo.submissions.reading import (
    ID_NAMES,
    PASSAGE_NAMES,
    QUESTION_NAMES,
    Row,
    Table,
    object_field,
    object_id,
    read_table,
    split_cells,
)

LIST_NAMES = ("passage_ids", "passages", "ctxs", "hits", "contexts", "ranking")
SCORE_NAMES = ("score", "wynik", "sim", "similarity")
RANK_NAMES = ("rank", "pozycja", "position")
TREC_COLUMNS = 6
# What a passage id never holds; a cell with a blank, a comma or a semicolon inside is two ids with the wrong separator.
_WRONG_SEPARATOR = re.compile(r"\S(?:\s+|[,;])\S")


@dataclass(frozen=True, slots=True)
class RankingsFile:
    """Rankings by question id (only of known questions), the form that was recognised, and what was odd."""

    name: str
    form: str
    rankings: dict[str, Ranking]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """One row of a long form: what is needed to put it in its place."""

    line: int
    question_id: str
    passage_id: str
    score: float | None
    rank: float


def read_rankings(
    data: bytes,
    questions: Sequence[Question],
    name: str = "rankings",
    in_corpus: Callable[[str], bool] | None = None,
) -> RankingsFile:
    """Rankings of these questions.

    :param in_corpus: when given, passage ids that it does not know are reported (they stay in the ranking)
    :raises Refused: not a file of rankings, of another split, or of another length; the problems say why
    """
    table = read_table(data, name)
    form, lists = _recognise(table, questions)
    if not lists:
        raise refuse(
            "no-predictions",
            f"Plik {name} nie zawiera żadnego rankingu.",
            f"The file {name} holds no rankings.",
        )
    known = {question.id for question in questions}
    lists, problems = _whole_ids(lists, known)
    problems += unknown_ids([(line, ranking.question_id) for line, ranking in lists], known)
    rankings = _merge([(line, ranking) for line, ranking in lists if ranking.question_id in known], name)
    missing = [question.id for question in questions if question.id not in rankings]
    if missing:
        problems.append(missing_ids(missing, "rankingu", "a ranking"))
    problems.extend(_odd_lists(rankings, in_corpus))
    return RankingsFile(name, form, rankings, tuple(problems))


def _recognise(table: Table, questions: Sequence[Question]) -> tuple[str, list[tuple[int, Ranking]]]:
    if table.form in ("jsonl", "json"):
        return table.form, _from_objects(table, questions)
    if table.header:
        return _with_header(table)
    trec = [Row(row.line, tuple(row.cells[0].split())) for row in table.rows if row.cells[0].strip()]
    if all(len(row.cells) == TREC_COLUMNS and row.cells[1].upper() == "Q0" for row in trec):
        entries = [_entry(table.name, row, 0, 2, 4, 3) for row in trec]
        return "trec", _ordered(entries)
    rows = [Row(row.line, tuple(cell.strip() for cell in row.cells)) for row in split_cells(table, "\t")]
    known = as_floats({question.id for question in questions})
    firsts = [row.cells[0] for row in rows if any(row.cells)]
    with_ids = len(set(firsts)) == len(firsts) and sum(cell in known for cell in firsts) > 0.9 * len(firsts)
    if not with_ids and _is_long(rows, known):
        return "long", _ordered([_entry(table.name, row, 0, 1, 2, 3) for row in rows if any(row.cells)])
    _refuse_mixed(table.name, rows)
    if with_ids:
        return "wide", [(row.line, _list(row.cells[0], row.cells[1:])) for row in rows if any(row.cells)]
    return "wide", _wide_by_line(table, rows, questions)


def _whole_ids(lists: list[tuple[int, Ranking]], known: set[str]) -> tuple[list[tuple[int, Ranking]], list[Problem]]:
    """The rankings with ids such as `101.0` read as `101`, and the notices."""
    keys, about_keys = float_ids((ranking.question_id for _, ranking in lists), known, "pytań", "questions")
    passages, about_passages = float_ids(
        (passage for _, ranking in lists for passage in ranking.passage_ids), set(), "fragmentów", "passages"
    )
    if not keys and not passages:
        return lists, []
    whole = [
        (
            line,
            replace(
                ranking,
                question_id=keys.get(ranking.question_id, ranking.question_id),
                passage_ids=tuple(passages.get(passage, passage) for passage in ranking.passage_ids),
            ),
        )
        for line, ranking in lists
    ]
    return whole, [*about_keys, *about_passages]


def _is_long(rows: Sequence[Row], known: set[str]) -> bool:
    """Three or four columns, a known question first, a number third: a long form without its header."""
    filled = [row for row in rows if any(row.cells)]
    return all(
        len(row.cells) in (3, 4) and row.cells[0] in known and _number(row.cells[2]) is not None for row in filled
    )


def _with_header(table: Table) -> tuple[str, list[tuple[int, Ranking]]]:
    id_at, passage_at = table.column(ID_NAMES), table.column(PASSAGE_NAMES)
    if id_at is None or passage_at is None:
        raise refuse(
            "missing-columns",
            f"Plik {table.name}: potrzebne kolumny question_id i passage_id (oraz score), są: "
            f"{', '.join(table.header[:10])}.",
            f"File {table.name}: the columns question_id and passage_id (and score) are wanted, found: "
            f"{', '.join(table.header[:10])}.",
        )
    score_at, rank_at = table.column(SCORE_NAMES), table.column(RANK_NAMES)
    entries = [
        _entry(
            table.name, row, id_at, passage_at, -1 if score_at is None else score_at, -1 if rank_at is None else rank_at
        )
        for row in table.rows
    ]
    return "long", _ordered(entries)


def _entry(name: str, row: Row, id_at: int, passage_at: int, score_at: int, rank_at: int) -> _Entry:
    """One row of a long form. Without a score the rank decides; without both, the order of the file."""
    if len(row.cells) <= max(id_at, passage_at):
        raise refuse(
            "ragged-row",
            f"Plik {name}, wiersz {row.line}: za mało kolumn ({len(row.cells)}).",
            f"File {name}, line {row.line}: too few columns ({len(row.cells)}).",
            lines=[row.line],
        )
    score = _needed_number(name, row, score_at)
    rank = _needed_number(name, row, rank_at) or 0.0
    return _Entry(row.line, id_text(row.cells[id_at]), id_text(row.cells[passage_at]), score, rank)


def _needed_number(name: str, row: Row, place: int) -> float | None:
    """The number of a cell; None when the row has no such cell."""
    if not 0 <= place < len(row.cells):
        return None
    value = _number(row.cells[place])
    if value is None:
        bad = row.cells[place][:40]
        raise refuse(
            "not-a-number",
            f"Plik {name}, wiersz {row.line}: wynik lub pozycja nie jest liczbą ({bad!r}).",
            f"File {name}, line {row.line}: the score or rank is not a number ({bad!r}).",
            lines=[row.line],
        )
    return value


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _ordered(entries: Sequence[_Entry]) -> list[tuple[int, Ranking]]:
    """Long rows as one ranking a question; the sort is stable, so the order of the file breaks the last ties."""
    groups: dict[str, list[_Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.question_id].append(entry)
    found: list[tuple[int, Ranking]] = []
    for question_id, group in groups.items():
        ordered = sorted(group, key=lambda entry: (-(entry.score or 0.0), entry.rank))
        scores = tuple(entry.score for entry in ordered if entry.score is not None)
        passages = tuple(entry.passage_id for entry in ordered)
        # Without a score in every row nothing can be said about ties.
        found.append((group[0].line, Ranking(question_id, passages, scores if len(scores) == len(passages) else ())))
    return found


def _list(question_id: str, cells: Sequence[str]) -> Ranking:
    return Ranking(question_id, tuple(cell for cell in cells if cell))


def _wide_by_line(table: Table, rows: Sequence[Row], questions: Sequence[Question]) -> list[tuple[int, Ranking]]:
    rows = list(rows)
    while len(rows) > len(questions) and not any(rows[-1].cells):
        rows.pop()
    if len(rows) != len(questions):
        first = first_places(rows[0].cells)
        raise refuse(
            "wrong-length",
            f"Plik {table.name} ma {plural(len(rows), 'wiersz', 'wiersze', 'wierszy')}, a zbiór "
            f"{plural(len(questions), 'pytanie', 'pytania', 'pytań')}. Rozpoznano: identyfikatory fragmentów "
            f"w kolejności pytań (pierwszy wiersz: {first}). Wybierz właściwy złoty zbiór albo dodaj question_id.",
            f"The file {table.name} has {len(rows)} lines, the set {len(questions)} questions. Recognised: passage ids "
            f"in the order of the questions (first line: {first}). Choose the right gold or add question ids.",
        )
    return [(row.line, _list(question.id, row.cells)) for question, row in zip(questions, rows, strict=True)]


def _refuse_mixed(name: str, rows: Sequence[Row]) -> None:
    mixed = [row.line for row in rows if any(_WRONG_SEPARATOR.search(cell) for cell in row.cells)]
    if mixed:
        raise refuse(
            "mixed-separators",
            f"Plik {name}: spacja, przecinek lub średnik zamiast tabulatora między identyfikatorami, liczba wierszy: "
            f"{len(mixed)} (pierwszy: {mixed[0]}). Rozdziel identyfikatory tabulatorem.",
            f"File {name}: a blank, comma or semicolon in place of a tab between ids, lines: {len(mixed)} "
            f"(first: {mixed[0]}). Part the ids by tabs.",
            len(mixed),
            mixed,
        )


def _from_objects(table: Table, questions: Sequence[Question]) -> list[tuple[int, Ranking]]:
    by_text = {question.text.strip(): question.id for question in questions if question.text.strip()}
    found: list[tuple[int, Ranking]] = []
    for line, row in table.objects:
        key = object_id(row) or by_text.get(str(object_field(row, QUESTION_NAMES) or "").strip(), "")
        items = object_field(row, LIST_NAMES)
        if not key or not isinstance(items, list):
            raise refuse(
                "missing-columns",
                f"Plik {table.name}, wiersz {line}: potrzebne pola question_id i passage_ids, są: {first_places(row)}.",
                f"File {table.name}, line {line}: the fields question_id and passage_ids are wanted, found: "
                f"{first_places(row)}.",
                lines=[line],
            )
        found.append((line, Ranking(key, tuple(passage for passage in map(_passage_id, items) if passage))))
    return found


def _passage_id(item: Any) -> str:
    return id_text(object_field(item, ("id", *PASSAGE_NAMES)) if isinstance(item, dict) else item)


def _merge(lists: Sequence[tuple[int, Ranking]], name: str) -> dict[str, Ranking]:
    """One ranking a question.

    :raises Refused: a question has two different rankings
    """
    merged: dict[str, Ranking] = {}
    twice = {
        ranking.question_id: line
        for line, ranking in lists
        if merged.setdefault(ranking.question_id, ranking).passage_ids != ranking.passage_ids
    }
    if twice:
        raise refuse(
            "duplicate-ids",
            f"Plik {name}: dwa różne rankingi jednego pytania, liczba pytań: {len(twice)} ({first_places(twice)}).",
            f"File {name}: two different rankings of one question, questions: {len(twice)} ({first_places(twice)}).",
            len(twice),
            twice.values(),
        )
    return merged


def _odd_lists(rankings: dict[str, Ranking], in_corpus: Callable[[str], bool] | None) -> list[Problem]:
    """Lists that are empty or of unequal length, repeated passages, passages outside the corpus."""
    problems: list[Problem] = []
    lengths = sorted({len(ranking.passage_ids) for ranking in rankings.values()})
    empty = [key for key, ranking in rankings.items() if not ranking.passage_ids]
    short = [key for key, ranking in rankings.items() if 0 < len(ranking.passage_ids) < 10]
    doubled = [key for key, ranking in rankings.items() if len(set(ranking.passage_ids)) < len(ranking.passage_ids)]
    if empty:
        problems.append(
            _about(
                empty, "empty-rankings", "Puste rankingi (liczone jako chybione)", "Empty rankings (count as misses)"
            )
        )
    if short:
        deepest = f"{lengths[0] or lengths[1]}-{lengths[-1]}" if len(lengths) > 1 else str(lengths[0])
        pl = f"Rankingi krótsze niż 10 fragmentów ({deepest} na pytanie)"
        en = f"Rankings shorter than 10 ({deepest} passages a question)"
        problems.append(_about(short, "short-rankings", pl, en, "note"))
    if doubled:
        pl, en = "Powtórzony fragment w rankingu (liczy się raz)", "A passage listed twice (counts once)"
        problems.append(_about(doubled, "duplicate-passages", pl, en))
    if in_corpus is not None:
        unknown = dict.fromkeys(
            passage for ranking in rankings.values() for passage in ranking.passage_ids if not in_corpus(passage)
        )
        if unknown:
            pl, en = "Identyfikatory fragmentów spoza korpusu", "Passage ids outside the corpus"
            problems.append(_about(list(unknown), "unknown-passages", pl, en))
    return problems


def _about(keys: Sequence[str], code: str, pl: str, en: str, severity: str = "warning") -> Problem:
    places = f": {len(keys)} ({first_places(keys)})."
    return Problem("note" if severity == "note" else "warning", code, Bilingual(pl + places, en + places), len(keys))
