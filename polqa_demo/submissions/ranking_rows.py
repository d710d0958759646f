"""Pairs of a question and a passage, one a row, in any order -> rankings.

Order: score, highest first; equal scores by the rank column where there is one, else by the order of the file.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polqa_demo.submissions import ranking_problems as tell
from polqa_demo.submissions import ranking_refusals as refusals
from polqa_demo.submissions.coverage import Ids
from polqa_demo.submissions.deepest import Deepest
from polqa_demo.submissions.problems import Places
from polqa_demo.submissions.ranking_columns import Columns, are_most
from polqa_demo.submissions.ranking_numbers import NumberColumn
from polqa_demo.submissions.ranking_order import OtherOrder, Ranked, about_contrary, about_falling, about_rising
from polqa_demo.submissions.table import Table


def rank_rows(table: Table, rows: Iterator[tuple[int, Any]], at: Columns, ids: Ids, depth: int) -> Ranked:
    """The rankings of a long form. This is the way of the longest files: what can be done once a question is not done
    once a row.

    :raises Refused: a row without its passage column, or without a number that other rows have
    """
    groups: dict[str, Deepest] = {}
    id_at, passage_at, score_at, rank_at = at.id_at, at.passage_at, at.score_at, at.rank_at
    least, width = max(id_at, passage_at) + 1, len(table.header) or sys.maxsize
    score: float | None = None
    rank: float | None = None
    empty, wide = Places(), Places()
    scores, ranks = NumberColumn(table.name, score_at), NumberColumn(table.name, rank_at)
    score_of, rank_of = scores.nearness if at.nearest else scores.number, ranks.number
    for line, cells in rows:
        if not least <= len(cells) <= width and _is_blank(table.name, line, cells, (least, width), wide):
            continue
        group = groups.get(cells[id_at])
        if group is None:
            key = cells[id_at].strip()
            if not key and not any(cell.strip() for cell in cells):
                continue
            group = _group(groups, key, line, ids, depth)
        if score_at >= 0:
            score = score_of(line, cells)
        if rank_at >= 0:
            rank = rank_of(line, cells)
        if not cells[passage_at] or cells[passage_at].isspace():
            empty.add(line)
            continue
        if group is not None and (score is None or score >= group.bar or (rank is not None and rank < group.rank_bar)):
            group.add(cells[passage_at], score, rank)
    found = {key: group.ranking(key) for key, group in groups.items()}
    cut = [key for key, group in groups.items() if group.cut]
    repeated = [key for key, group in groups.items() if group.repeated]
    problems = [
        *scores.problems(),
        *ranks.problems(),
        *tell.about_empty(empty),
        *tell.about_wide(wide),
        *tell.about_cut(cut, depth),
        *tell.about_repeated(repeated),
    ]
    several = [group for group in groups.values() if len(group) > 1]
    rising = are_most(sum(group.rises_by_one for group in several), len(several))
    return Ranked(found, problems, _other_order(groups, at, ranks.filled), rising)


def _is_blank(name: str, line: int, cells: Sequence[str], widths: tuple[int, int], wide: Places) -> bool:
    """Whether a row of another width is blank; one that is too wide is taken down.

    :param widths: how many cells a row must have, and how many the header names
    :raises Refused: a row that is too narrow
    """
    if not any(cell.strip() for cell in cells):
        return True
    least, most = widths
    if len(cells) < least:
        raise refusals.ragged(name, line, len(cells))
    if any(cell.strip() for cell in cells[most:]):
        wide.add(line)
    return False


def _group(groups: dict[str, Deepest], key: str, line: int, ids: Ids, depth: int) -> Deepest | None:
    if key not in groups and ids.keep(key, line):
        groups[key] = Deepest(depth)
    # Strangers come in any number, so they are not remembered.
    return groups.get(key)


def _other_order(groups: Mapping[str, Deepest], at: Columns, ranked: bool) -> OtherOrder | None:
    """The order by rank where scores contradict it anywhere; that of the file where scores rise nearly everywhere."""
    others = {key: other for key, group in groups.items() if (other := group.other(key)) is not None}
    if not others:
        return None
    if ranked:
        return OtherOrder("rank", others, about_contrary(others, at.nearest), at.nearest)
    if at.sure or not are_most(len(others), sum(len(group) > 1 for group in groups.values())):
        return None
    if at.nearest:
        return OtherOrder("file", others, about_falling(others), nearest=True)
    return OtherOrder("file", others, about_rising(others))
