"""An analysis -> HTML, through the templates that escape every text of others."""

from collections.abc import Sequence
from typing import Any

from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.analysis import Analysis, AnswerAnalysis, RankingAnalysis
from polqa_demo.evaluation.audit import Damage
from polqa_demo.evaluation.features import Feature
from polqa_demo.evaluation.fuzzy_match import rule_measure
from polqa_demo.evaluation.shares import Share
from polqa_demo.evaluation.significance import SmallestDifference
from polqa_demo.evaluation.slices import ALL, Slice, Slices, TwoWay
from polqa_demo.reports.drawing import Drawing, draw_forest
from polqa_demo.reports.plots import slice_forest
from polqa_demo.reports.score_texts import (
    interval,
    mean_text,
    measure_interval,
    measure_name,
    p_value,
    percent,
    rule_name,
    signed,
)
from polqa_demo.reports.slice_names import slice_name, slice_value
from polqa_demo.ui.render import quoted, render
from polqa_demo.ui.tables import shorten
from polqa_demo.ui.texts import say

# Stems beyond these are noise; the JSON report holds them all.
WORDS_SHOWN = 12


def slices_html(found: Analysis, lang: Lang) -> str:
    """Slices of both measures, the two-way table, and the question words that go with errors."""
    tables = []
    if found.answers:
        tables.append(
            (
                rule_name(found.answers.rule),
                _forest(found.answers.slices, rule_measure(found.answers.rule), lang),
                *_by_size(found.answers.slices, lang),
            )
        )
    if found.rankings:
        tables.append(
            ("accuracy@10", _forest(found.rankings.slices, "accuracy@10", lang), *_by_size(found.rankings.slices, lang))
        )
    return render(
        "slices.html",
        lang,
        tables=tables,
        two_way=_two_way(found.answers.two_way, lang) if found.answers and found.answers.two_way else None,
        words=[_word_row(word, lang) for word in _telling(found.answers.features)] if found.answers else [],
    )


def _forest(found: Slices, measure: str, lang: Lang) -> Drawing | None:
    """The slices that are large enough as a drawing."""
    forest = slice_forest(found)
    return draw_forest(forest, measure, lang) if forest.rows else None


def _by_size(slices: Slices, lang: Lang) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows of the slices that are large enough to say something, and of those that are not."""
    rows = [_slice_row(row, lang) for row in slices.rows]
    return [row for row in rows if not row["small"]], [row for row in rows if row["small"]]


def _slice_row(row: Slice, lang: Lang) -> dict[str, Any]:
    return {
        "name": slice_name(row.name, lang),
        "value": slice_value(row.name, row.value, lang),
        "n": row.n,
        "share": percent(row.share, lang),
        "interval": interval(row.low, row.high, lang),
        "difference": "" if row.difference is None else signed(row.difference, lang),
        "p": "" if row.adjusted_p is None else p_value(row.adjusted_p, lang),
        "sure": row.adjusted_p is not None and row.adjusted_p < 0.05,
        "small": row.small,
    }


def _two_way(table: TwoWay, lang: Lang) -> dict[str, Any]:
    return {
        "by": f"{slice_name(table.by_row, lang)} × {slice_name(table.by_column, lang)}",
        "columns": [_total(table.by_column, column, lang) for column in table.columns],
        "rows": [
            (_total(table.by_row, row, lang), [_cell(table.cells.get((row, column)), lang) for column in table.columns])
            for row in table.rows
        ],
    }


def _total(name: str, value: str, lang: Lang) -> str:
    return say("analysis.total", lang) if value == ALL else slice_value(name, value, lang)


def _cell(share: Share | None, lang: Lang) -> str:
    return f"{percent(share.value, lang, 0)} ({share.n})" if share and share.n else "–"


def _telling(features: Sequence[Feature]) -> list[Feature]:
    """The surest stems that go with more errors."""
    return [feature for feature in features if feature.difference > 0][:WORDS_SHOWN]


def _word_row(word: Feature, lang: Lang) -> dict[str, Any]:
    return {
        "word": word.word,
        "n": word.n,
        "rate": percent(word.error_rate, lang, 0),
        "other": percent(word.other_error_rate, lang, 0),
        "p": p_value(word.adjusted_p, lang),
    }


def uncertainty_html(found: Analysis, lang: Lang) -> str:
    """Bounds, the smallest difference that can be told apart, the noise floor, intervals of the means, flips."""
    return render(
        "uncertainty.html",
        lang,
        answers=_answers(found.answers, lang) if found.answers else None,
        rankings=_rankings(found.rankings, lang) if found.rankings else None,
    )


def _answers(found: AnswerAnalysis, lang: Lang) -> dict[str, Any]:
    floor = found.floor
    chance: list[tuple[str, str]] = []
    if floor:
        chance = [
            (say("analysis.floor_yes", lang), percent(floor.yes.value, lang)),
            (
                f"{quoted(shorten(floor.commonest_gold, 60), lang)} {say('analysis.floor_everywhere', lang)}",
                percent(floor.commonest.value, lang),
            ),
        ]
        if floor.another:
            value = f"{percent(floor.another.value, lang)} {interval(floor.another.low, floor.another.high, lang)}"
            chance.append((say("analysis.floor_another", lang), value))
    return {
        "measure": rule_name(found.rule),
        "bounds": _bounds(found.bounds, lang),
        "smallest": _smallest(found.smallest, lang),
        "floor": chance,
        "flips": [(flip.rule, _ids(flip.lost), _ids(flip.gained)) for flip in found.flips],
        "like_gold": percent(found.lookalikes.share, lang),
        "is_gold": found.lookalikes.is_gold,
    }


def _rankings(found: RankingAnalysis, lang: Lang) -> dict[str, Any]:
    return {
        "bounds": _bounds(found.bounds, lang),
        "smallest": _smallest(found.smallest, lang),
        "means": [
            (measure_name(name), mean_text(one.value, lang), measure_interval(name, one.low, one.high, lang))
            for name, one in found.intervals.items()
        ],
        "resamples": next((one.resamples for one in found.intervals.values()), 0),
        "seed": next((one.seed for one in found.intervals.values()), 0),
        "bound": any(one.method == "bound" for one in found.intervals.values()),
    }


def audit_html(found: Analysis, lang: Lang) -> str:
    """What the writing of the answers costs."""
    audit = found.answers.audit if found.answers else None
    damages = [*audit.damages, *([audit.together] if audit.together else [])] if audit else []
    return render("audit.html", lang, audited=audit is not None, damages=[_damage(item, lang) for item in damages])


def _damage(item: Damage, lang: Lang) -> dict[str, Any]:
    return {
        "title": item.title.say(lang),
        "affected": item.affected,
        "points": signed(item.points, lang),
        "net": signed(item.net_points, lang) if item.lost else "",
        "places": [
            (place.question_id, shorten(place.written, 60), shorten(place.repaired, 60)) for place in item.places
        ],
    }


def _ids(ids: Sequence[str]) -> dict[str, Any]:
    return {"count": len(ids), "first": ", ".join(ids[:5]) + ("…" if len(ids) > 5 else "")}


def _bounds(bounds: tuple[float, float], lang: Lang) -> str:
    low, high = bounds
    return "" if low == high else f"{percent(low, lang)} – {percent(high, lang)}"


def _smallest(found: SmallestDifference, lang: Lang) -> dict[str, str]:
    values = {"unpaired": found.unpaired, "paired": found.paired}
    return {name: number(100 * value, 1, lang) for name, value in values.items() if value is not None}
