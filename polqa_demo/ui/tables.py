"""Results -> the tables that Gradio draws."""

from dataclasses import dataclass

from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.buckets import sort_answers
from polqa_demo.evaluation.fuzzy_match import Verdict
from polqa_demo.evaluation.repairs import repairs_for
from polqa_demo.evaluation.report import Item, Report
from polqa_demo.ui.texts import say

# Rows on the page; a table of all 7,000 would be megabytes. The CSV holds every one.
ROWS = 500
CELL_LIMIT = 300
# The kinds of a wrong answer that a filter picks out, beside right and wrong; `missed` is about the ranking.
BUCKETS = ("near", "stem", "format", "number_elsewhere", "empty")
FILTERS = ("all", "wrong", "right", *BUCKETS, "missed")


def filters(report: Report) -> list[str]:
    """The filters that mean something for this report."""
    about_answers = {"wrong", "right", *BUCKETS} if report.answers else set()
    about_rankings = {"missed"} if report.rankings else set()
    return [name for name in FILTERS if name in {"all"} | about_answers | about_rankings]


@dataclass(frozen=True, slots=True)
class ItemsTable:
    """Headers, column widths, rows, and how many items there are behind them."""

    headers: list[str]
    widths: list[str | int]
    rows: list[list[str]]
    total: int


def items_table(report: Report, which: str, lang: Lang) -> ItemsTable:
    """The items of a report, filtered by `FILTERS`, as text cells."""
    columns = [("id", "8%"), ("question", "26%")]
    if report.answers:
        columns += [("prediction", "16%"), ("golds", "16%"), ("verdict", "10%"), ("why", "14%")]
    if report.rankings:
        columns += [("rank", "10%")]
    if which in BUCKETS:
        placed = _in_bucket(report, which)
        chosen = [item for item in report.items if item.question.id in placed]
    else:
        chosen = [item for item in report.items if _shown(item, which)]
    return ItemsTable(
        headers=[say(f"column.{name}", lang) for name, _ in columns],
        widths=[width for _, width in columns],
        rows=[[_cell(item, name, lang) for name, _ in columns] for item in chosen[:ROWS]],
        total=len(chosen),
    )


def _in_bucket(report: Report, bucket: str) -> frozenset[str]:
    """Ids of the questions whose answer fell into a bucket."""
    scored = [item for item in report.items if item.verdict is not None]
    predictions = {item.question.id: item.prediction for item in scored if item.prediction is not None}
    placed = sort_answers([item.question for item in scored], predictions, report.rule, repairs_for(report.rule))
    return frozenset(one.question_id for one in placed.items if one.bucket == bucket)


def _shown(item: Item, which: str) -> bool:
    """`wrong` and `right` are about the answer, `missed` about the ranking: its gold passage is not in the ten."""
    if which == "all":
        return True
    if which == "missed":
        return bool(item.ranking and item.ranking.gold_passages and not item.ranking.hit())
    return item.verdict is not None and item.verdict.correct == (which == "right")


def _cell(item: Item, column: str, lang: Lang) -> str:
    if column == "verdict":
        return say("verdict.right" if item.verdict and item.verdict.correct else "verdict.wrong", lang)
    if column == "why":
        return why(item.verdict, lang) if item.verdict else ""
    if column == "rank":
        first = item.ranking.first_rank if item.ranking else None
        return f"{say('verdict.hit', lang)} {first}" if first else say("verdict.miss", lang)
    texts = {
        "id": item.question.id,
        "question": item.question.text,
        "prediction": item.prediction or "",
        "golds": " | ".join(item.question.answers),
    }
    return shorten(texts[column])


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


def count_line(tables: ItemsTable, lang: Lang) -> str:
    """How many rows are shown of how many."""
    shown = f"{say('table.shown', lang)}: {len(tables.rows)} {say('eval.of', lang)} {tables.total}."
    return shown if len(tables.rows) == tables.total else f"{shown} {say('table.rest', lang)}"
