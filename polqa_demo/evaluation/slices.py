"""Slices: how right the answers (or how good the rankings) are among questions of one kind, and whether that is chance.

A slice is compared with the rest of its dimension by Fisher's exact test; the p-values of all slices shown are adjusted
together (Holm), so that the more one looks, the less one finds by chance.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from polqa_demo.evaluation.fuzzy_match import clean_line, read_number
from polqa_demo.evaluation.ranking import RankingScores
from polqa_demo.evaluation.shares import Share
from polqa_demo.evaluation.significance import holm, two_proportions_p, wilson_interval
from polqa_demo.records import Question

SMALL = 30
# A label with more values than that is no class; its rarest values are put together under this sign.
MOST_VALUES = 60
OTHERS = "…"
ALL = "*"

PUBLISHED = ("question_formulation", "question_type", "entity_type", "entity_subtype")
_LENGTHS = (3, 6, 10, 15, 25)
_MOST_GOLDS = 4


@dataclass(frozen=True, slots=True)
class Slice:
    """The questions whose `name` is `value`: `hits` of `n`, with Wilson's 95 % interval (shares, 0..1).

    `difference` from the questions outside is in points; `p` is Fisher's, `adjusted_p` Holm's over all slices shown.
    All three are None when there is nothing outside. `value` is empty for questions without the label.
    """

    name: str
    value: str
    n: int
    hits: int
    low: float
    high: float
    difference: float | None
    p: float | None
    adjusted_p: float | None

    @property
    def share(self) -> float:
        """The share of hits, 0..1."""
        return self.hits / self.n

    @property
    def small(self) -> bool:
        """Too few questions to say much."""
        return self.n < SMALL


@dataclass(frozen=True, slots=True)
class Slices:
    """All slices of `n` questions with `hits`, dimension by dimension; `tests` p-values were adjusted together."""

    n: int
    hits: int
    tests: int
    rows: tuple[Slice, ...]


@dataclass(frozen=True, slots=True)
class TwoWay:
    """Hits by two dimensions. Absent cells have no question; the value `*` holds the sums of a row or a column."""

    by_row: str
    by_column: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], Share]


def slices(questions: Sequence[Question], right: Mapping[str, bool]) -> Slices:
    """Every slice of the questions that `right` (question id -> right or wrong, hit or miss) knows.

    Dimensions: PolQA's four classes, `gold_kind` (what the golds ask for under `poleval`: number, text, mixed),
    `gold_length` (characters of the first gold), `gold_count`, and every other label, unless no question has it or it
    bears one of those three names. Within a dimension each question is in exactly one slice.
    """
    known = [question for question in questions if question.id in right]
    total = sum(right[question.id] for question in known)
    found: list[tuple[str, str, int, int]] = []
    for name in dimensions(known):
        groups = _grouped(known, right, name)
        found += [(name, value, groups[value].n, groups[value].hits) for value in _in_order(name, groups)]
    compared = [row for row in found if row[2] < len(known)]
    sizes, hits = [row[2] for row in compared], [row[3] for row in compared]
    p_values = two_proportions_p(hits, sizes, [total - hit for hit in hits], [len(known) - size for size in sizes])
    tested = dict(zip(((row[0], row[1]) for row in compared), zip(p_values, holm(p_values), strict=True), strict=True))
    rows = []
    for name, value, n, hit in found:
        low, high = wilson_interval(hit, n)
        p, adjusted = tested.get((name, value), (None, None))
        difference = 100 * (hit / n - (total - hit) / (len(known) - n)) if p is not None else None
        rows.append(Slice(name, value, n, hit, low, high, difference, p, adjusted))
    return Slices(len(known), total, len(compared), tuple(rows))


def two_way(questions: Sequence[Question], right: Mapping[str, bool], by_row: str, by_column: str) -> TwoWay:
    """Hits of the known questions by two dimensions of `dimensions`, sums included.

    Raises ValueError for a dimension that the questions do not have.
    """
    known = [question for question in questions if question.id in right]
    for name in (by_row, by_column):
        if name not in dimensions(known):
            message = f"the questions have no {name!r} but {', '.join(dimensions(known)) or 'nothing to slice by'}"
            raise ValueError(message)
    row_of, column_of = _values(known, by_row), _values(known, by_column)
    counts: Counter[tuple[str, str]] = Counter()
    hits: Counter[tuple[str, str]] = Counter()
    for question, row, column in zip(known, row_of, column_of, strict=True):
        for cell in ((row, column), (row, ALL), (ALL, column), (ALL, ALL)):
            counts[cell] += 1
            hits[cell] += right[question.id]
    return TwoWay(
        by_row,
        by_column,
        tuple(_in_order(by_row, _grouped(known, right, by_row))),
        tuple(_in_order(by_column, _grouped(known, right, by_column))),
        {cell: Share(hits[cell], n) for cell, n in counts.items()},
    )


def dimensions(questions: Iterable[Question]) -> tuple[str, ...]:
    """What these questions can be sliced by, in the order of showing."""
    labels: dict[str, None] = {}
    golds = False
    for question in questions:
        labels.update(dict.fromkeys(name for name, value in question.labels.items() if value))
        golds = golds or bool(question.answers)
    published = [name for name in PUBLISHED if name in labels]
    extra = [name for name in labels if name not in PUBLISHED and name not in _COMPUTED]
    return (*published, *(_COMPUTED if golds else ()), *extra)


def members(questions: Sequence[Question], name: str) -> dict[str, frozenset[str]]:
    """The slices of a dimension, in the order of showing, with the ids of their questions."""
    found: dict[str, set[str]] = {}
    for question, value in zip(questions, _values(questions, name), strict=True):
        found.setdefault(value, set()).add(question.id)
    sizes = {value: Share(0, len(ids)) for value, ids in found.items()}
    return {value: frozenset(found[value]) for value in _in_order(name, sizes)}


def ranking_hits(scores: RankingScores) -> dict[str, bool]:
    """Question id -> hit among the first ten, over the questions with a gold passage: what `slices` takes."""
    return {item.question_id: item.hit() for item in scores.items if item.gold_passages}


def gold_kind(question: Question) -> str:
    """What the golds ask for under `poleval`: a `number`, a `text`, or `mixed`; empty without golds."""
    golds = clean_line("\t".join(question.answers)).split("\t") if question.answers else []
    numbers = sum(read_number(gold) is not None for gold in golds)
    if not golds:
        return ""
    return "text" if not numbers else "number" if numbers == len(golds) else "mixed"


def _gold_length(question: Question) -> str:
    if not question.answers:
        return ""
    length = len(clean_line(question.answers[0]))
    low = 0
    for high in _LENGTHS:
        if length <= high:
            return f"{low}–{high}"
        low = high + 1
    return f"{low}+"


def _gold_count(question: Question) -> str:
    count = len(question.answers)
    return "" if not count else str(count) if count < _MOST_GOLDS else f"{_MOST_GOLDS}+"


_COMPUTED: dict[str, Callable[[Question], str]] = {
    "gold_kind": gold_kind,
    "gold_length": _gold_length,
    "gold_count": _gold_count,
}


def _values(questions: Sequence[Question], name: str) -> list[str]:
    """The slice of each question within a dimension."""
    if name in _COMPUTED:
        return [_COMPUTED[name](question) for question in questions]
    values = [_apart(question.labels.get(name, "")) for question in questions]
    frequent = Counter(values).most_common(MOST_VALUES)
    kept = {value for value, _ in frequent}
    return [value if value in kept else OTHERS for value in values]


def _apart(label: str) -> str:
    """The label; one that looks like `OTHERS` or `ALL` has one more blank at its end, so that it is neither."""
    return f"{label} " if label.rstrip() in (OTHERS, ALL) else label


def _grouped(questions: Sequence[Question], right: Mapping[str, bool], name: str) -> dict[str, Share]:
    counts: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for question, value in zip(questions, _values(questions, name), strict=True):
        counts[value] += 1
        hits[value] += right[question.id]
    return {value: Share(hits[value], n) for value, n in counts.items()}


def _in_order(name: str, groups: Mapping[str, Share]) -> list[str]:
    """Bins as they count up, labels by their number of questions; what has no value comes last."""
    if name in ("gold_length", "gold_count"):
        return sorted(groups, key=lambda value: (not value, int(value.rstrip("+").split("–")[0] or 0)))
    return sorted(groups, key=lambda value: (not value, value == OTHERS, -groups[value].n, value))
