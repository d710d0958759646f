"""Lists of passages, one a question, best first -> rankings."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.errors import by_option
from polqa_demo.records import Question, Ranking
from polqa_demo.submissions import ranking_problems as tell
from polqa_demo.submissions import ranking_refusals as refusals
from polqa_demo.submissions.coverage import Ids
from polqa_demo.submissions.problems import Places, refuse
from polqa_demo.submissions.ranking_columns import are_most
from polqa_demo.submissions.ranking_numbers import number_of
from polqa_demo.submissions.ranking_order import OtherOrder, Ranked, about_contrary, about_rising, about_sorted
from polqa_demo.submissions.table import Table

# What a passage id never holds; a cell with a blank, a comma or a semicolon inside is two ids with the wrong separator.
_WRONG_SEPARATOR = re.compile(r"\S(?:\s+|[,;])\S")
Order = Literal["rank", "file", "rising"]
_SUSPECT = re.compile(r"[ ,;\u00a0]")


@dataclass(frozen=True, slots=True)
class PassageList:
    """The list of one row, best first; `scores` is empty or as long.

    `other` are the first passages in the other order that the row names, where it is another: by rank, as they stand in
    the list (`file`), or in an object whose scores rise to its end (`rising`).
    """

    line: int
    key: str
    passages: Sequence[str]
    scores: tuple[float, ...] = ()
    other: tuple[str, ...] = ()
    other_order: Order = "file"


def rank_lists(table: Table, lists: Iterable[PassageList], ids: Ids, depth: int) -> Ranked:
    """The rankings of lists.

    :raises Refused: a question has two different rankings
    """
    found: dict[str, Ranking] = {}
    others: dict[Order, dict[str, Ranking]] = {"rank": {}, "file": {}, "rising": {}}
    cut: list[str] = []
    same, twice = Places(), Places()
    for item in lists:
        if not ids.keep(item.key, item.line):
            continue
        filled = [passage for passage in item.passages if passage]
        if len(filled) > depth:
            cut.append(item.key)
        # Scores of places without a passage are nobody's.
        scored = len(filled) == len(item.passages)
        ranking = Ranking(item.key, tuple(filled[:depth]), item.scores[:depth] if scored else ())
        if item.key not in found:
            found[item.key] = ranking
            if item.other:
                others[item.other_order][item.key] = Ranking(item.key, item.other)
        else:
            (same if found[item.key].passage_ids == ranking.passage_ids else twice).add(item.line, item.key)
    if twice.count:
        how = by_option("--form long")
        raise refuse(
            "duplicate-ids",
            f"Plik {table.name}: dwa różne rankingi jednego pytania, liczba wierszy: {twice.count} ({twice.shown}). "
            "Zostaw po jednym; jeśli to pary pytanie–fragment, po jednej w wierszu, wybierz tę formę "
            f"{how.pl}.",
            f"File {table.name}: two different rankings of one question, rows: {twice.count} ({twice.shown}). "
            "Keep one each; where they are pairs of a question and a passage, one a row, choose that form "
            f"{how.en}.",
            twice.count,
            twice.lines,
        )
    return Ranked(found, [*tell.about_same(same), *tell.about_cut(cut, depth)], _other_order(others, found))


def _other_order(others: Mapping[Order, Mapping[str, Ranking]], found: Mapping[str, Ranking]) -> OtherOrder | None:
    """The order by rank where any list names one, else that of the lists as they stand."""
    if others["rank"]:
        return OtherOrder("rank", others["rank"], about_contrary(others["rank"]))
    if others["file"]:
        return OtherOrder("file", others["file"], about_sorted(others["file"]))
    rising, several = others["rising"], sum(len(ranking.passage_ids) > 1 for ranking in found.values())
    return OtherOrder("file", rising, about_rising(rising)) if are_most(len(rising), several) else None


def keyed_rows(parted: Table, scored: bool = False) -> Iterator[tuple[int, str, list[str]]]:
    """Lists with their question ids in front, as `(line, question id, cells)`.

    :raises Refused: as `wide_rows`
    """
    return ((line, cells[0], cells[1:]) for line, cells in wide_rows(parted, scored) if any(cells))


def rows_by_line(
    parted: Table, questions: Sequence[Question], scored: bool = False
) -> Iterator[tuple[int, str, list[str]]]:
    """Lines in the order of the questions; blank ones keep their place, but for those behind the last ranking.

    :raises Refused: another number of lines than of questions; as `wide_rows`
    """
    total = filled = 0
    first = ""
    for line, cells in wide_rows(parted, scored):
        total += 1
        first = first or ", ".join(cells[:3])
        if any(cells):
            filled = total
        if total <= len(questions):
            yield line, questions[total - 1].id, cells
    total -= max(0, total - max(filled, len(questions)))
    if total != len(questions):
        raise refusals.wrong_length(parted.name, total, len(questions), first[:60])


def wide_rows(parted: Table, scored: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Rows of a wide form, their cells trimmed.

    :param scored: numbers stand among the passages, which may have a decimal comma
    :raises Refused: ids parted by something else than a tab, told when all rows are read
    """
    mixed = Places()
    # What is a value of its own in JSON or in a workbook was parted by nobody.
    lines = parted.text is not None and parted.form != "json"
    for line, cells in parted.rows():
        trimmed = [cell.strip() for cell in cells]
        if lines and any(map(_SUSPECT.search, trimmed)):
            suspects = [cell for cell in trimmed if not (scored and number_of(cell))]
            if any(map(_WRONG_SEPARATOR.search, suspects)):
                mixed.add(line, "; ".join(cells))
        yield line, trimmed
    if mixed.count:
        raise refusals.mixed_separators(parted.name, mixed)
