"""A file of rankings -> question id: ranking. Wide, long, TREC run, JSONL, JSON, a workbook or parquet.

Order: score, highest first; equal scores by the rank column where there is one, else by the order of the file.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polqa_demo.records import Question, Ranking
from polqa_demo.submissions import ranking_problems as tell
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.coverage import Ids, as_floats, float_ids, missing_ids
from polqa_demo.submissions.deepest import Deepest, finite
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.problems import Places, Problem, first_places, refuse
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import (
    ID_NAMES,
    KEY,
    LIST_NAMES,
    PASSAGE_NAMES,
    QUESTION_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    VALUE,
    Overrides,
    Recognised,
    Table,
    has_field,
    object_field,
    object_id,
)

TREC_COLUMNS = 6
# The least depth that is kept, whatever the number of questions: what the measures look at.
_LEAST_DEPTH = 100
# What a passage id never holds; a cell with a blank, a comma or a semicolon inside is two ids with the wrong separator.
_WRONG_SEPARATOR = re.compile(r"\S(?:\s+|[,;])\S")
_DIGITS = re.compile(r"[0-9]+")
_SUSPECT = re.compile(r"[ ,;\u00a0]")

Lists = Iterator[tuple[int, str, list[str]]]
Entry = tuple[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class RankingsFile:
    """Rankings by question id (only of known questions), what the file was taken for, and what was odd."""

    name: str
    form: str
    recognised: Recognised
    rankings: dict[str, Ranking]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the columns of a long form stand; -1 for one that is not there."""

    id_at: int
    passage_at: int
    score_at: int = -1
    rank_at: int = -1


def read_rankings(
    data: Content,
    questions: Sequence[Question],
    name: str = "rankings",
    in_corpus: Callable[[str], bool] | None = None,
    overrides: Overrides | None = None,
) -> RankingsFile:
    """Rankings of these questions, from bytes or from a path.

    Only the best of each ranking are kept, as deep as the settings allow (never less than the measures look at).

    :param in_corpus: when given, passage ids that it does not know are reported (they stay in the ranking)
    :raises UserError: not a file of rankings, of another split, or of another length; the problems say why
    """
    table = read_table(data, name, overrides)
    limits = table.limits
    fair = limits.max_ranking_entries // max(1, len(questions))
    depth = max(_LEAST_DEPTH, min(limits.max_ranking_depth, fair))
    ids = Ids({question.id for question in questions})
    form, rankings, problems = _read(table, questions, ids, depth)
    problems = [*table.problems, *problems, *ids.problems()]
    rankings, renamed = _final(rankings, ids)
    problems += renamed
    if not rankings and not problems:
        raise refuse(
            "no-predictions",
            f"Plik {name} nie zawiera żadnego rankingu. Dopisz wiersze z identyfikatorami pytań i fragmentów.",
            f"The file {name} holds no rankings. Add rows of question ids and passage ids.",
        )
    missing = [question.id for question in questions if question.id not in rankings]
    if missing:
        problems.append(missing_ids(missing, "rankingu", "a ranking"))
    problems.extend(tell.odd_lists(rankings, in_corpus))
    return RankingsFile(name, form, replace(table.recognised, form=_said(table, form)), rankings, tuple(problems))


def _said(table: Table, form: str) -> str:
    return form if table.form in (form, "lines", "tsv") else f"{form} ({table.form})"


def _read(
    table: Table, questions: Sequence[Question], ids: Ids, depth: int
) -> tuple[str, dict[str, Ranking], list[Problem]]:
    """The form, the rankings by id as it stands in the file, and what was odd."""
    if table.read_objects:
        first = next(iter(table.objects()), None)
        by_pairs = first is not None and not table.keyed and not has_field(first[1], LIST_NAMES)
        if first is not None and by_pairs and has_field(first[1], PASSAGE_NAMES):
            rows = ((line, _object_cells(row)) for line, row in table.objects())
            return table.form, *_from_long(table, rows, _Places(0, 1, 2, 3), ids, depth)
        return table.form, *_from_lists(table, _object_lists(table, questions), ids, depth)
    if table.header:
        return "long", *_from_long(table, table.rows(), _columns(table), ids, depth)
    return _without_header(table, questions, ids, depth)


def _without_header(
    table: Table, questions: Sequence[Question], ids: Ids, depth: int
) -> tuple[str, dict[str, Ranking], list[Problem]]:
    """TREC runs, long rows without their header, wide ones with or without ids, told apart by the first rows."""
    sample = table.sample()
    wanted = table.overrides.form
    if wanted == "trec" or (wanted is None and table.form == "lines" and _is_trec(sample)):
        rows = ((line, cells[0].split()) for line, cells in table.rows() if cells[0].strip())
        return "trec", *_from_long(table, _checked_trec(rows, table.name), _Places(0, 2, 4, 3), ids, depth)
    parted = table.parted("\t")
    rows_ = [(line, [cell.strip() for cell in cells]) for line, cells in parted.sample()]
    wide = as_floats(ids.known)
    firsts = [cells[0] for _, cells in rows_]
    with_ids = len(set(firsts)) == len(firsts) and (
        sum(cell in wide for cell in firsts) > 0.9 * len(firsts) or _are_ids(rows_)
    )
    if wanted == "long" or (wanted is None and not with_ids and _is_long(rows_, wide)):
        return "long", *_from_long(table, parted.rows(), _Places(0, 1, 2, 3), ids, depth)
    if with_ids:
        lists = ((line, cells[0], cells[1:]) for line, cells in _wide_rows(parted) if any(cells))
        return "wide", *_from_lists(table, lists, ids, depth)
    return "wide", *_from_lists(table, _by_line(parted, questions), ids, depth)


def _are_ids(sample: Sequence[Entry]) -> bool:
    """The first cells are written unlike all others, so they are question ids, if those of another split."""
    firsts = {_DIGITS.sub("9", cells[0]) for _, cells in sample}
    others = {_DIGITS.sub("9", cell) for _, cells in sample for cell in cells[1:] if cell}
    return bool(others) and not firsts & others


def _is_trec(sample: Sequence[Entry]) -> bool:
    return bool(sample) and all(
        len(parts) == TREC_COLUMNS and parts[1].upper() == "Q0" for parts in (cells[0].split() for _, cells in sample)
    )


def _is_long(sample: Sequence[Entry], known: set[str]) -> bool:
    """Three or four columns, a known question first, a number third: a long form without its header."""
    return all(len(cells) in (3, 4) and cells[0] in known and finite(cells[2]) is not None for _, cells in sample)


def _checked_trec(rows: Iterator[Entry], name: str) -> Iterator[Entry]:
    for line, cells in rows:
        if len(cells) != TREC_COLUMNS:
            raise tell.ragged(name, line, len(cells))
        yield line, cells


def _columns(table: Table) -> _Places:
    id_at, passage_at = table.column(ID_NAMES), table.column(PASSAGE_NAMES)
    if id_at is None or passage_at is None:
        found = ", ".join(table.header[:10])
        raise refuse(
            "missing-columns",
            f"Plik {table.name}: potrzebne kolumny question_id i passage_id (oraz score), są: {found}.",
            f"File {table.name}: the columns question_id and passage_id (and score) are wanted, found: {found}.",
        )
    score_at, rank_at = table.column(SCORE_NAMES), table.column(RANK_NAMES)
    return _Places(id_at, passage_at, -1 if score_at is None else score_at, -1 if rank_at is None else rank_at)


def _from_long(
    table: Table, rows: Iterator[tuple[int, Any]], at: _Places, ids: Ids, depth: int
) -> tuple[dict[str, Ranking], list[Problem]]:
    """A pair a row. This is the way of the longest files: what can be done once a question is not done once a row."""
    groups: dict[str, Deepest] = {}
    id_at, passage_at, score_at, rank_at = at.id_at, at.passage_at, at.score_at, at.rank_at
    least = max(id_at, passage_at) + 1
    score: float | None = None
    rank: float | None = None
    for line, cells in rows:
        if len(cells) < least:
            if not any(cell.strip() for cell in cells):
                continue
            raise tell.ragged(table.name, line, len(cells))
        group = groups.get(cells[id_at])
        if group is None:
            key = cells[id_at].strip()
            if not key and not any(cell.strip() for cell in cells):
                continue
            group = _group(groups, key, line, ids, depth)
        if score_at >= 0:
            score = _number(table.name, line, cells, score_at)
        if rank_at >= 0:
            rank = _number(table.name, line, cells, rank_at)
        if group is not None and (score is None or score >= group.bar):
            group.add(cells[passage_at], score, rank)
    found = {key: group.ranking(key) for key, group in groups.items()}
    cut = [key for key, group in groups.items() if group.cut]
    repeated = [key for key, group in groups.items() if group.repeated]
    return found, [*tell.about_cut(cut, depth), *tell.about_repeated(repeated)]


def _number(name: str, line: int, cells: Sequence[str], place: int) -> float | None:
    """The number of a cell; None when the row has no such cell."""
    if place >= len(cells):
        return None
    try:
        value = float(cells[place])
    except ValueError:
        raise tell.not_a_number(name, line, cells[place]) from None
    if not -math.inf < value < math.inf:
        raise tell.not_a_number(name, line, cells[place])
    return value


def _group(groups: dict[str, Deepest], key: str, line: int, ids: Ids, depth: int) -> Deepest | None:
    if key not in groups and ids.keep(key, line):
        groups[key] = Deepest(depth)
    # Strangers come in any number, so they are not remembered.
    return groups.get(key)


def _from_lists(table: Table, lists: Lists, ids: Ids, depth: int) -> tuple[dict[str, Ranking], list[Problem]]:
    """A list a row, best first.

    :raises Refused: a question has two different rankings
    """
    found: dict[str, Ranking] = {}
    cut: list[str] = []
    twice = Places()
    for line, key, passages in lists:
        if not ids.keep(key, line):
            continue
        filled = [passage for passage in passages if passage]
        if len(filled) > depth:
            cut.append(key)
        ranking = Ranking(key, tuple(filled[:depth]))
        if found.setdefault(key, ranking).passage_ids != ranking.passage_ids:
            twice.add(line, key)
    if twice.count:
        raise refuse(
            "duplicate-ids",
            f"Plik {table.name}: dwa różne rankingi jednego pytania, liczba wierszy: {twice.count} ({twice.shown}). "
            "Zostaw po jednym.",
            f"File {table.name}: two different rankings of one question, rows: {twice.count} ({twice.shown}). "
            "Keep one each.",
            twice.count,
            twice.lines,
        )
    return found, tell.about_cut(cut, depth)


def _wide_rows(parted: Table) -> Iterator[tuple[int, list[str]]]:
    """Rows of a wide form, their cells trimmed.

    :raises Refused: ids parted by something else than a tab, told when all rows are read
    """
    mixed = Places()
    for line, cells in parted.rows():
        trimmed = [cell.strip() for cell in cells]
        if any(map(_SUSPECT.search, trimmed)) and any(map(_WRONG_SEPARATOR.search, trimmed)):
            mixed.add(line)
        yield line, trimmed
    if mixed.count:
        raise tell.mixed_separators(parted.name, mixed)


def _by_line(parted: Table, questions: Sequence[Question]) -> Lists:
    """Lines in the order of the questions; blank ones keep their place, but for those behind the last ranking."""
    total = filled = 0
    first = ""
    for line, cells in _wide_rows(parted):
        total += 1
        first = first or ", ".join(cells[:3])
        if any(cells):
            filled = total
        if total <= len(questions):
            yield line, questions[total - 1].id, cells
    total -= max(0, total - max(filled, len(questions)))
    if total != len(questions):
        raise tell.wrong_length(parted.name, total, len(questions), first[:60])


def _object_lists(table: Table, questions: Sequence[Question]) -> Lists:
    by_text = {question.text.strip(): question.id for question in questions if question.text.strip()}
    for line, row in table.objects():
        if table.keyed:
            key, items = json_id(row[KEY]), row[VALUE]
            if isinstance(items, dict):
                # As ranx and pytrec_eval write their runs: passage id to score.
                items = sorted(items, key=lambda passage, scores=items: -(finite(scores[passage]) or 0.0))  # type: ignore[misc]
        else:
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
        yield line, key, [_passage_id(item) for item in items]


def _object_cells(row: dict[str, Any]) -> list[str]:
    """A pair of a question and a passage as the cells of a long form."""
    cells = [object_id(row), json_id(object_field(row, PASSAGE_NAMES))]
    for names in (SCORE_NAMES, RANK_NAMES):
        value = object_field(row, names)
        if value is None:
            break
        cells.append(str(value))
    return cells


def _passage_id(item: Any) -> str:
    return json_id(object_field(item, ("id", *PASSAGE_NAMES)) if isinstance(item, dict) else item)


def _final(rankings: dict[str, Ranking], ids: Ids) -> tuple[dict[str, Ranking], list[Problem]]:
    """The rankings under the ids of the questions, with passage ids such as `511.0` read as `511`."""
    kept = {final: item for key, item in rankings.items() if (final := ids.final(key)) is not None}
    decimal = all(passage.endswith(".0") for ranking in kept.values() for passage in ranking.passage_ids)
    passages, problems = (
        float_ids(
            (passage for ranking in kept.values() for passage in ranking.passage_ids), set(), "fragmentów", "passages"
        )
        if decimal
        else ({}, [])
    )
    return {
        key: replace(
            ranking,
            question_id=key,
            passage_ids=tuple(passages.get(passage, passage) for passage in ranking.passage_ids)
            if passages
            else ranking.passage_ids,
        )
        for key, ranking in kept.items()
    }, problems
