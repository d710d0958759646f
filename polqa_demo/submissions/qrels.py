"""Judgements without a header: TREC's four columns, three, or pairs; and how they are told from golds and passages.

Lines of tab-parted golds (`trzech <tab> troje <tab> trzy <tab> 3`) have the same number of columns, so that more than
their number must speak for judgements: what stands in the columns, or the ids of a ranking.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.submissions.ranked_ids import RankedIds

_WHOLE = re.compile(r"[-+]?[0-9]+")
_DIGIT = re.compile(r"[0-9]")
_RUNS = re.compile(r"[0-9]+|[^\W\d_]+")
# `12-3`, `MED-10`, `2002_423_129b`, `462221#4`: parts of an id, as no number and no word has them.
_PARTED_ID = re.compile(r"\w+(?:[-_#:./]\w+)+")
# What TREC writes in its second column, which nobody reads.
_ITERATION = frozenset(("0", "q0", "Q0"))
# Grades that people give; a year or a number among golds is none.
_LEAST, _MOST = -9, 10
# So many lines with one word in the second column are no chance.
_ENOUGH = 5
# In how many lines of ten the cells must look so.
_NEARLY_ALL = 0.9

Width = Literal[2, 3, 4]


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgements: `(line number, question, passage, grade)`; a pair has the grade 1. `comments` are lines left out."""

    width: Width
    rows: tuple[tuple[int, str, str, str], ...]
    comments: int = 0


@dataclass(frozen=True, slots=True)
class _Columns:
    questions: Sequence[str]
    passages: Sequence[str]
    grades: Sequence[str]
    iterations: Sequence[str]


def judged_lines(lines: Sequence[str]) -> Judged | None:
    """The lines as judgements, where they have the shape of some: as many cells each, none with a blank, and of three
    or four the last a whole number. None otherwise.
    """
    rows: list[tuple[int, list[str]]] = []
    comments = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if line.lstrip().startswith("#"):
            comments += 1
            continue
        cells = line.split()
        if "\t" in line and len(cells) != len(line.rstrip("\t").split("\t")):
            return None
        if rows and len(cells) != len(rows[0][1]):
            return None
        rows.append((number, cells))
    width = len(rows[0][1]) if rows else 0
    if width not in (2, 3, 4) or (width > 2 and not all(_WHOLE.fullmatch(cells[-1]) for _, cells in rows)):
        return None
    at = 2 if width == 4 else 1
    found = tuple((number, cells[0], cells[at], cells[-1] if width > 2 else "1") for number, cells in rows)
    return Judged(4 if width == 4 else 3 if width == 3 else 2, found, comments)


def are_judgements(
    judged: Judged,
    lines: Sequence[str],
    as_passages: bool,
    asked: Collection[str],
    ranked: Callable[[], RankedIds | None],
) -> bool:
    """Whether lines of the shape of judgements are some.

    :param as_passages: somebody says that the file is about passages
    :param asked: the ids of the questions, where a file of them is given
    :param ranked: the ids of the ranking that is to be scored; asked only where the lines themselves leave it open
    """
    columns = _columns(judged, lines)
    if judged.width == 2:
        sure = as_passages and (_are_apart(columns) or _are_known(columns.questions, asked))
    elif as_passages:
        # Three passages of one question end with a number as well, but not with a grade on every line.
        small = all(-2 <= int(grade) <= 4 for grade in columns.grades)
        sure = small or _are_iterations(columns) or _are_known(columns.questions, asked)
    else:
        sure = _are_iterations(columns) or _look_judged(columns)
    return sure or _are_ranked(columns, ranked())


def _columns(judged: Judged, lines: Sequence[str]) -> _Columns:
    _, questions, passages, grades = zip(*judged.rows, strict=True)
    iterations = [lines[row[0] - 1].split()[1] for row in judged.rows] if judged.width == 4 else []
    return _Columns(questions, passages, grades, iterations)


def _are_iterations(columns: _Columns) -> bool:
    """TREC's second column: 0 or Q0, or one word on many lines."""
    tokens = set(columns.iterations)
    return bool(tokens) and (tokens <= _ITERATION or (len(tokens) == 1 and len(columns.questions) >= _ENOUGH))


def _look_judged(columns: _Columns) -> bool:
    """Ids first and second, as no golds look, and grades last."""
    if not all(_LEAST <= int(grade) <= _MOST for grade in columns.grades):
        return False
    if not _mostly(_DIGIT, columns.passages):
        return False
    parted = all(map(_PARTED_ID.fullmatch, columns.passages))
    return parted or _mostly(_DIGIT, columns.questions) or _come_in_groups(columns.questions)


def _come_in_groups(questions: Sequence[str]) -> bool:
    """Most lines are of a question that has several."""
    counts = Counter(questions)
    return sum(count for count in counts.values() if count > 1) > len(questions) / 2


def _mostly(pattern: re.Pattern[str], cells: Sequence[str]) -> bool:
    return sum(bool(pattern.search(cell)) for cell in cells) >= _NEARLY_ALL * len(cells)


def _are_apart(columns: _Columns) -> bool:
    """The first cells are written unlike the second ones, so they are ids of something else."""
    first, second = ({_RUNS.sub(_kind, cell) for cell in cells} for cells in (columns.questions, columns.passages))
    return not first & second


def _kind(match: re.Match[str]) -> str:
    return "9" if match[0][0].isdigit() else "a"


def _are_known(questions: Sequence[str], asked: Collection[str]) -> bool:
    distinct = set(questions)
    return bool(asked) and 2 * len(distinct.intersection(asked)) >= len(distinct)


def _are_ranked(columns: _Columns, ranked: RankedIds | None) -> bool:
    """Half of the questions and some of the passages are those of the ranking."""
    if ranked is None:
        return False
    return _are_known(columns.questions, ranked.questions) and not ranked.passages.isdisjoint(columns.passages)
