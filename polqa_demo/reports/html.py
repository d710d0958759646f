"""A report as one HTML file that asks for nothing: no script, no request, light and dark, for screen and paper."""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.analysis import Analysis, analyse
from polqa_demo.evaluation.buckets import NAMES, Buckets, Placed
from polqa_demo.evaluation.fuzzy_match import Verdict, rule_measure
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.evaluation.ranking import RankingScores
from polqa_demo.evaluation.report import Item, Report
from polqa_demo.reports.document import Remark, answer_buckets, document
from polqa_demo.reports.drawing import Drawing, bin_name, draw_curve, draw_forest, draw_ranks, shown_depths
from polqa_demo.reports.plots import accuracy_curve, first_ranks, slice_forest
from polqa_demo.reports.score_texts import interval, percent, rule_name, score_text
from polqa_demo.reports.tables import Column, Section, Table, foreign
from polqa_demo.reports.texts import say

if TYPE_CHECKING:
    from jinja2 import Template

# What the items may weigh, in bytes; with few items their texts are longer, with many shorter.
ITEMS_BYTES = 2_500_000
_ROW_BYTES = 130
# Characters of a question and of the other texts, the first pair that fits.
_LENGTHS: tuple[tuple[int, int], ...] = ((600, 300), (300, 150), (160, 80), (90, 45), (45, 24))
# A reason holds words of ours beside the text of others.
_MORE = 20

_Row = tuple[str, ...]


def report_html(
    report: Report, problems: Sequence[Remark] = (), analysis: Analysis | None = None, lang: Lang = "pl"
) -> str:
    """The whole report, all items included; the analysis is computed when it is not given.

    For 7,000 items it stays below 3 MB: long texts are cut, the more the more items there are.
    """
    behind = analysis or analyse(report)
    buckets = answer_buckets(report)
    found = document(report, lang, problems, behind, buckets)
    sections = list(found.sections)
    if report.rankings and not report.secret:
        after_scores = next((place for place, one in enumerate(sections) if one.key == "slices"), len(sections))
        sections.insert(after_scores, _plots_section(report.rankings, lang))
    items = None if report.secret else _items_section(report, buckets, lang)
    return _template().render(
        lang=lang,
        document=found,
        sections=sections,
        drawings=_drawings(report, behind, lang),
        headline=_headline(report, lang),
        items=items,
        # Which column holds the verdict; a report of rankings alone has none.
        verdict=4 if report.answers else None,
        text={key: say(key, lang) for key in ("gold", "signature", "signature.note", "contents", "problems")},
        no_problems=say("problems.none", lang),
    )


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("polqa_demo.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")


def _headline(report: Report, lang: Lang) -> list[tuple[str, str, str]]:
    """Measure, value, and what stands below it, of the scores that a person looks for first."""
    shares = []
    if report.answers:
        shares.append((rule_name(report.rule), report.answers.rules[report.rule], "over.answers"))
    if report.rankings:
        shares.append((f"accuracy@{CUTOFF}", report.rankings.headline, "over.passages"))
        shares.append((f"accuracy@{CUTOFF}", report.rankings.accuracy_all_questions, "over.all"))
    of = "z" if lang == "pl" else "of"
    return [
        (
            name,
            score_text(share.value, lang),
            f"{share.hits} {of} {share.n} · {say('scores.over', lang)}: {say(over, lang)}",
        )
        for name, share, over in shares
    ]


def _drawings(report: Report, behind: Analysis, lang: Lang) -> dict[str, list[Drawing]]:
    """The drawings of each section that has some."""
    found: dict[str, list[Drawing]] = {"plots": [], "slices": []}
    if report.rankings and not report.secret:
        found["plots"] = [
            draw_curve(accuracy_curve(report.rankings), lang),
            draw_ranks(first_ranks(report.rankings), lang),
        ]
    for measure, part in ((rule_measure(report.rule), behind.answers), (f"accuracy@{CUTOFF}", behind.rankings)):
        forest = slice_forest(part.slices) if part else None
        if forest and forest.rows:
            found["slices"].append(draw_forest(forest, measure, lang))
    return found


def _plots_section(scores: RankingScores, lang: Lang) -> Section:
    """The drawings' numbers as tables, for those who do not see them and for those who want to copy them."""
    points = shown_depths(accuracy_curve(scores))
    curve = Table(
        say("curve", lang),
        (
            Column(say("curve.depth", lang), True),
            Column(say("scores.value", lang), True),
            Column(say("scores.interval", lang), True),
            Column(say("scores.hits", lang), True),
        ),
        tuple(
            (str(one.depth), score_text(one.share, lang), interval(one.low, one.high, lang), str(one.hits))
            for one in points
        ),
    )
    histogram = first_ranks(scores)
    counts = [(bin_name(one), one.count) for one in histogram.bins]
    counts.append((say("ranks.none", lang), histogram.missed))
    ranks = Table(
        say("ranks", lang),
        (
            Column(say("ranks.rank", lang), True),
            Column(say("ranks.questions", lang), True),
            Column(say("causes.share", lang), True),
        ),
        tuple((name, str(count), percent(count / histogram.n, lang)) for name, count in counts),
    )
    summary = (
        f"accuracy@1 {score_text(points[0].share, lang)} · "
        f"accuracy@{points[-1].depth} {score_text(points[-1].share, lang)}"
    )
    return Section("plots", say("plots", lang), summary, (curve, ranks), ())


def _items_section(report: Report, buckets: Buckets | None, lang: Lang) -> Section:
    columns = [Column(say("items.id", lang)), Column(say("items.question", lang))]
    if report.answers:
        columns += [Column(say(f"items.{name}", lang)) for name in ("prediction", "golds", "verdict", "why")]
    if report.rankings:
        columns.append(Column(say("items.rank", lang), True))
    if report.attribution:
        columns.append(Column(say("attribution.cell", lang)))
    title = say("items", lang)
    rows, cut = _fitting_rows(report, buckets, lang)
    summary = f"{say('items.count', lang)}: {len(rows)}"
    if buckets:
        summary += f", {say('items.right', lang)}: {buckets.counts['right']}"
    notes = (say("items.cut", lang),) if cut else ()
    return Section("items", title, summary, (Table(title, tuple(columns), rows),), notes)


def _fitting_rows(report: Report, buckets: Buckets | None, lang: Lang) -> tuple[tuple[_Row, ...], bool]:
    """The rows of all items with texts as long as the weight allows, and whether any text was cut."""
    placed = {one.question_id: one for one in buckets.items} if buckets else {}
    cells = _cell_names(report, lang)
    absent = ("–",) if cells else ()
    rows: list[_Row] = []
    for lengths in _LENGTHS:
        rows = [
            _row(report, item, placed.get(item.question.id), lengths, lang) + cells.get(item.question.id, absent)
            for item in report.items
        ]
        if sum(map(_weight, rows)) <= ITEMS_BYTES:
            break
    return tuple(rows), any(_is_cut(row, lengths) for row in rows)


def _cell_names(report: Report, lang: Lang) -> dict[str, _Row]:
    """The last cell of a row: whose fault, by question id; nothing where nothing was attributed."""
    found = report.attribution
    return {one.question_id: (one.cell.name.say(lang),) for one in found.items} if found else {}


def _is_cut(row: _Row, lengths: tuple[int, int]) -> bool:
    """Whether a text of a row is as long as it may be and ends in dots: nothing that is whole is longer."""
    long, short = lengths
    limits = (short, long, short, short, 0, short + _MORE)
    return any(
        limit and len(cell) == limit + 1 and cell.endswith("…") for cell, limit in zip(row, limits, strict=False)
    )


def _weight(row: _Row) -> int:
    return _ROW_BYTES + sum(len(escape(cell).encode()) for cell in row)


def _row(report: Report, item: Item, placed: Placed | None, lengths: tuple[int, int], lang: Lang) -> _Row:
    long, short = lengths
    cells: list[str] = [foreign(item.question.id, short), foreign(item.question.text, long)]
    if report.answers:
        cells += [
            foreign(item.prediction or "", short),
            foreign(" | ".join(item.question.answers), short),
            _verdict(item, placed, lang),
            foreign(_reason(item, placed, lang), short + _MORE),
        ]
    if report.rankings:
        ranking = item.ranking
        first = ranking.first_rank if ranking else None
        missed = say("items.miss", lang) if ranking and ranking.gold_passages else ""
        cells.append(str(first) if first else missed)
    return tuple(cells)


def _verdict(item: Item, placed: Placed | None, lang: Lang) -> str:
    if placed is None:
        return "–" if item.abstained is None else "✓" if item.abstained else "✗"
    return f"{'✓' if placed.verdict.correct else '✗'} {NAMES[placed.bucket].say(lang)}"


def _reason(item: Item, placed: Placed | None, lang: Lang) -> str:
    if placed is None:
        return "" if item.abstained is None else say("over.unanswerable", lang)
    return _accepted(placed.verdict, lang) if placed.verdict.correct else placed.reason.say(lang)


def _accepted(verdict: Verdict, lang: Lang) -> str:
    """Why a right answer is right, in a few words."""
    if verdict.branch == "number":
        return f"{say('why.number', lang)}: {verdict.gold_number}"
    if verdict.distance is None or verdict.limit is None:
        return say("why.exact", lang)
    allowed = say("why.below" if verdict.limit_is_strict else "why.allowed", lang)
    return f"{say('why.distance', lang)} {verdict.distance}, {allowed} {number(verdict.limit, 1, lang)}"
