"""The items of a report as a table: filtered, searched, a page at a time."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from polqa_demo.errors import Bilingual, Lang, number
from polqa_demo.evaluation.attribution import CELLS, Attributed
from polqa_demo.evaluation.buckets import NAMES, Buckets, Placed
from polqa_demo.evaluation.fuzzy_match import Verdict
from polqa_demo.evaluation.report import Item, Report
from polqa_demo.ui.texts import TEXTS, say

# Only these rows are ever sent; a table of all 7,000 would be megabytes.
PAGE_ROWS = 50
CELL_LIMIT = 300
# What search looks at of one text; a prediction may be a book.
SEARCHED = 2_000
# The kinds of a wrong answer that a filter picks out, beside right and wrong; `missed` is about the ranking.
BUCKETS = ("near", "stem", "format", "number_elsewhere", "empty", "other")
FILTERS = ("all", "wrong", "right", *BUCKETS, "missed")
# Before the code of a cell of retriever times reader: `cell:reader_fault`.
CELL = "cell:"
LONGEST_QUERY = 200
# Before a group of the reader on gold passages beside the reader on retrieved ones: `beside:only_gold`.
BESIDE = "beside:"
GROUPS = ("both", "only_gold", "only_retrieved", "neither")
# What is left of a diacritic once a letter is taken apart.
_MARKS = re.compile("[\u0300-\u036f]+")


class Listing:
    """The items of one report with what filters and search need of them, each worked out once."""

    def __init__(self, report: Report, buckets: Buckets | None) -> None:
        self.report = report
        self.placed: Mapping[str, Placed] = {one.question_id: one for one in buckets.items} if buckets else {}
        cells = report.attribution.items if report.attribution else ()
        self.attributed: Mapping[str, Attributed] = {one.question_id: one for one in cells}
        groups = GROUPS if report.beside else ()
        self._group_of = {key: name for name in groups for key in getattr(report.beside, name)}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns that mean something for this report."""
        about_answers = ("prediction", "golds", "verdict", "why") if self.report.answers else ()
        return ("id", "question", *about_answers, *(("rank",) if self.report.rankings else ()))

    @cached_property
    def filters(self) -> dict[str, tuple[Bilingual, int]]:
        """Every filter that means something for this report, with its name and how many items it lets through."""
        known = {
            "wrong": bool(self.report.answers),
            "right": bool(self.report.answers),
            **dict.fromkeys(BUCKETS, bool(self.placed)),
            "missed": bool(self.report.rankings),
        }
        titles = {name: TEXTS[f"eval.{name}"] for name in FILTERS if known.get(name, True)}
        if self.report.attribution:
            titles |= {CELL + cell.code: cell.name for cell in CELLS}
        if self.report.beside:
            titles |= {BESIDE + name: TEXTS[f"beside.{name}"] for name in GROUPS}
        counts = Counter(name for names in self._filters_of.values() for name in names)
        return {name: (title, counts[name]) for name, title in titles.items()}

    def find(self, which: str, query: str = "") -> list[Item]:
        """The items that a filter lets through and that hold every word of the query, in the report's order.

        Case and diacritics do not matter; question, prediction, golds and id are searched. An unknown filter finds
        nothing.
        """
        chosen = [item for item in self.report.items if which in self._filters_of[item.question.id]]
        # A browser cuts the query; whoever calls without one does not.
        words = fold(str(query or "")[:LONGEST_QUERY]).split()
        if not words:
            return chosen
        return [item for item in chosen if all(word in self._texts[item.question.id] for word in words)]

    @cached_property
    def _filters_of(self) -> Mapping[str, tuple[str, ...]]:
        return {item.question.id: tuple(self._lets_through(item)) for item in self.report.items}

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return {item.question.id: fold("\n".join(_searched(item))) for item in self.report.items}

    def _lets_through(self, item: Item) -> Iterator[str]:
        """The filters that show an item; `missed` is about the ranking: no gold passage is in the ten."""
        yield "all"
        if item.correct is not None:
            yield "right" if item.correct else "wrong"
        placed = self.placed.get(item.question.id)
        # A right answer has the filter of its verdict already.
        if placed is not None and placed.bucket in BUCKETS:
            yield placed.bucket
        if item.ranking and item.ranking.gold_passages and not item.ranking.hit():
            yield "missed"
        attributed = self.attributed.get(item.question.id)
        if attributed is not None:
            yield CELL + attributed.cell.code
        if item.question.id in self._group_of:
            yield BESIDE + self._group_of[item.question.id]


def _searched(item: Item) -> Iterator[str]:
    texts = (item.question.id, item.question.text, item.prediction or "", *item.question.answers)
    return (text[:SEARCHED] for text in texts)


def fold(text: str) -> str:
    """A text without case and diacritics: `Łódź` is `lodz`."""
    return _MARKS.sub("", unicodedata.normalize("NFKD", text).casefold().replace("ł", "l"))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: the question's id and the texts by column."""

    id: str
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ItemsPage:
    """The rows of one page (`number` of `pages`, from 1), of `total` items; `first` is the place of the first row."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    number: int
    pages: int
    total: int

    @property
    def first(self) -> int:
        """The place of the first row among all that were found, from 1; 0 when nothing was found."""
        return (self.number - 1) * PAGE_ROWS + 1 if self.total else 0

    @property
    def last(self) -> int:
        """The place of the last row."""
        return self.first + len(self.rows) - 1 if self.total else 0


def items_page(listing: Listing, which: str, query: str, page: int, lang: Lang) -> ItemsPage:
    """A page of the items that are found; a number out of range gives the nearest page there is."""
    found = listing.find(which, query)
    pages = max(1, -(-len(found) // PAGE_ROWS))
    chosen = min(max(1, page), pages)
    shown = found[(chosen - 1) * PAGE_ROWS : chosen * PAGE_ROWS]
    rows = (
        Row(item.question.id, {name: _cell(listing, item, name, lang) for name in listing.columns}) for item in shown
    )
    return ItemsPage(listing.columns, tuple(rows), chosen, pages, len(found))


def filter_choices(listing: Listing, lang: Lang) -> list[tuple[str, str]]:
    """The filters as choices: `bliskie (12)`, with their names."""
    return [(f"{title.say(lang)} ({count})", name) for name, (title, count) in listing.filters.items()]


def _cell(listing: Listing, item: Item, column: str, lang: Lang) -> str:
    if column == "verdict":
        return "" if item.correct is None else verdict_name(item.correct, lang)
    if column == "why":
        return _why_in_bucket(item, listing.placed.get(item.question.id), lang)
    if column == "rank":
        return _rank(item, lang)
    texts = {
        "id": item.question.id,
        "question": item.question.text,
        "prediction": item.prediction or "",
        "golds": " | ".join(item.question.answers),
    }
    return shorten(texts[column])


def verdict_name(correct: bool, lang: Lang) -> str:
    """Right or wrong, in a word."""
    return say("verdict.right" if correct else "verdict.wrong", lang)


def _why_in_bucket(item: Item, placed: Placed | None, lang: Lang) -> str:
    """`bliska: odległość 5, limit 4,5`; the bucket is left out where it says nothing more."""
    if item.verdict is None:
        return "" if item.abstained is None else say("item.unanswerable", lang)
    reason = why(item.verdict, lang)
    if placed is None or placed.bucket in ("right", "other"):
        return reason
    return NAMES[placed.bucket].say(lang) + ("" if placed.bucket == "empty" else f": {reason}")


def _rank(item: Item, lang: Lang) -> str:
    if item.ranking is None or not item.ranking.gold_passages:
        return say("verdict.unjudged", lang)
    first = item.ranking.first_rank
    return f"{say('verdict.hit', lang)} {first}" if first else say("verdict.miss", lang)


def why(verdict: Verdict, lang: Lang) -> str:
    """The reason of a verdict in a few words: `odległość 2, limit 4,5`."""
    if verdict.branch == "empty":
        return say("why.empty", lang)
    if verdict.branch == "number":
        given = verdict.prediction_number or say("why.no_number", lang)
        sign = "=" if verdict.correct else "≠"
        return f"{say('why.number', lang)}: {given} {sign} {verdict.gold_number}"
    if verdict.branch == "exact":
        return say("why.exact", lang)
    limit = number(verdict.limit or 0, 1, lang)
    if verdict.distance is None:
        # Of very long texts only that they differ by more than the limit is known.
        return f"{say('why.text', lang)} > {limit}"
    return f"{say('why.text', lang)} {verdict.distance}, {say('why.limit', lang)} {limit}"


def shorten(text: str, limit: int = CELL_LIMIT) -> str:
    """A text that fits a cell, with dots where it was cut."""
    return text if len(text) <= limit else text[:limit] + "…"
