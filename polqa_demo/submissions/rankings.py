"""A file of rankings -> question id: ranking. Wide, long, TREC run, JSONL, JSON, a workbook or parquet.

Order: score, highest first; equal scores by the rank column where there is one, else by the order of the file.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polqa_demo.errors import Problem
from polqa_demo.recognised import Recognised
from polqa_demo.records import Question, Ranking
from polqa_demo.submissions import ranking_problems as tell
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.coverage import Ids, float_ids, missing_ids
from polqa_demo.submissions.deepest import Deepest, finite
from polqa_demo.submissions.problems import Places, refuse
from polqa_demo.submissions.ranking_forms import TREC_COLUMNS, headless_form, is_trec
from polqa_demo.submissions.ranking_objects import Lists, object_cells, object_lists
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.table import (
    ID_NAMES,
    LIST_NAMES,
    PASSAGE_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    Overrides,
    Table,
    has_field,
)

# The least depth that is kept, whatever the number of questions: what the measures look at.
_LEAST_DEPTH = 100
# What a passage id never holds; a cell with a blank, a comma or a semicolon inside is two ids with the wrong separator.
_WRONG_SEPARATOR = re.compile(r"\S(?:\s+|[,;])\S")
_SUSPECT = re.compile(r"[ ,;\u00a0]")

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
            rows = ((line, object_cells(row)) for line, row in table.objects())
            return table.form, *_from_long(table, rows, _Places(0, 1, 2, 3), ids, depth)
        sorted_anew = Places()
        rankings, problems = _from_lists(table, object_lists(table, questions, sorted_anew), ids, depth)
        return table.form, rankings, [*problems, *tell.about_sorted(sorted_anew)]
    if table.header:
        return "long", *_from_long(table, table.rows(), _columns(table), ids, depth)
    return _without_header(table, questions, ids, depth)


def _without_header(
    table: Table, questions: Sequence[Question], ids: Ids, depth: int
) -> tuple[str, dict[str, Ranking], list[Problem]]:
    """TREC runs, long rows without their header, wide ones with or without ids, told apart by the first rows."""
    if is_trec(table):
        rows = ((line, cells[0].split()) for line, cells in table.rows() if cells[0].strip())
        return "trec", *_from_long(table, _checked_trec(rows, table.name), _Places(0, 2, 4, 3), ids, depth)
    parted = table.parted("\t")
    found = headless_form(parted, [question.id for question in questions])
    if found.form == "long":
        pairs, problems = _from_long(table, parted.rows(), _Places(0, 1, 2, 3), ids, depth)
    elif found.form == "wide":
        lists = ((line, cells[0], cells[1:], ()) for line, cells in _wide_rows(parted) if any(cells))
        pairs, problems = _from_lists(table, lists, ids, depth)
    else:
        pairs, problems = _from_lists(table, _by_line(parted, questions), ids, depth)
    return "long" if found.form == "long" else "wide", pairs, [*found.notes, *problems]


def _checked_trec(rows: Iterator[Entry], name: str) -> Iterator[Entry]:
    for line, cells in rows:
        if len(cells) != TREC_COLUMNS:
            raise tell.ragged(name, line, len(cells))
        yield line, cells


def _columns(table: Table) -> _Places:
    id_at, passage_at = table.only(ID_NAMES), table.only(PASSAGE_NAMES)
    if id_at is None or passage_at is None:
        found = ", ".join(table.header[:10])
        raise refuse(
            "missing-columns",
            f"Plik {table.name}: potrzebne kolumny question_id i passage_id (oraz score), są: {found}.",
            f"File {table.name}: the columns question_id and passage_id (and score) are wanted, found: {found}.",
        )
    score_at, rank_at = table.only(SCORE_NAMES), table.only(RANK_NAMES)
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
    empty, scores, ranks = Places(), _Cells(score_at), _Cells(rank_at)
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
            score = scores.number(table.name, line, cells)
        if rank_at >= 0:
            rank = ranks.number(table.name, line, cells)
        if not cells[passage_at] or cells[passage_at].isspace():
            empty.add(line)
            continue
        if group is not None and (score is None or score >= group.bar):
            group.add(cells[passage_at], score, rank)
    found = {key: group.ranking(key) for key, group in groups.items()}
    cut = [key for key, group in groups.items() if group.cut]
    repeated = [key for key, group in groups.items() if group.repeated]
    return found, [*tell.about_empty(empty), *tell.about_cut(cut, depth), *tell.about_repeated(repeated)]


class _Cells:
    """The numbers of one column, which must be there in every row or in none: a gap would be a place in the ranking."""

    __slots__ = ("_at", "_filled", "_gap")

    def __init__(self, at: int) -> None:
        self._at, self._filled, self._gap = at, False, 0

    def number(self, name: str, line: int, cells: Sequence[str]) -> float | None:
        """The number of a row; None where no row has any.

        :raises Refused: no number, or a row without beside rows with one
        """
        if self._at >= len(cells):
            if self._filled:
                raise tell.no_number(name, line)
            self._gap = self._gap or line
            return None
        if self._gap:
            raise tell.no_number(name, self._gap)
        self._filled = True
        cell = cells[self._at]
        try:
            value = float(cell)
        except ValueError:
            raise tell.not_a_number(name, line, cell) from None
        # `float` takes more for a number than a person does; the plain digits need no second look.
        if not -math.inf < value < math.inf or ((not cell.isascii() or "_" in cell) and finite(cell) is None):
            raise tell.not_a_number(name, line, cell)
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
    same, twice = Places(), Places()
    for line, key, passages, scores in lists:
        if not ids.keep(key, line):
            continue
        filled = [passage for passage in passages if passage]
        if len(filled) > depth:
            cut.append(key)
        # Scores of places without a passage are nobody's.
        kept = scores[:depth] if len(filled) == len(passages) else ()
        ranking = Ranking(key, tuple(filled[:depth]), kept)
        if key not in found:
            found[key] = ranking
        else:
            (same if found[key].passage_ids == ranking.passage_ids else twice).add(line, key)
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
    return found, [*tell.about_same(same), *tell.about_cut(cut, depth)]


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
            yield line, questions[total - 1].id, cells, ()
    total -= max(0, total - max(filled, len(questions)))
    if total != len(questions):
        raise tell.wrong_length(parted.name, total, len(questions), first[:60])


def _final(rankings: dict[str, Ranking], ids: Ids) -> tuple[dict[str, Ranking], list[Problem]]:
    """The rankings under the ids of the questions, with passage ids such as `511.0` read as `511`."""
    kept = {final: item for key, item in rankings.items() if (final := ids.final(key)) is not None}
    # Files without any such id, nearly all of them, are spared the second look.
    decimal = any(passage.endswith(".0") for ranking in kept.values() for passage in ranking.passage_ids)
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
