"""Plots -> HTML, through the templates that escape every text of others."""

from typing import Any

from polqa_demo.errors import Lang
from polqa_demo.evaluation.ranking import RankingScores
from polqa_demo.evaluation.report import Report
from polqa_demo.reports.drawing import draw_curve, draw_published, draw_ranks
from polqa_demo.reports.plots import accuracy_curve, first_ranks
from polqa_demo.reports.published import Band, Standing, standings
from polqa_demo.reports.score_texts import measure_name, score_text
from polqa_demo.ui.render import render


def ranks_html(scores: RankingScores, lang: Lang) -> str:
    """accuracy@k by k, and the ranks of the first gold passages."""
    drawings = [draw_curve(accuracy_curve(scores), lang), draw_ranks(first_ranks(scores), lang)]
    return render("ranks.html", lang, drawings=drawings)


def published_html(report: Report, split: str, lang: Lang) -> str:
    """Each score among the figures published on `split` (empty: on none), or the reasons why it may not stand there."""
    return render(
        "published.html", lang, split=split, standings=[_standing(one, lang) for one in standings(report, split)]
    )


def _standing(one: Standing, lang: Lang) -> dict[str, Any]:
    found = one.found
    here: dict[str, Any] = {"measure": measure_name(one.measure), "value": score_text(one.value, lang)}
    if isinstance(found, Band):
        return here | {
            "drawing": draw_published(found, one.measure, one.value, one.interval, lang),
            "notes": [note.say(lang) for note in found.notes],
            "sources": sorted({figure.source for figure in found.figures}),
        }
    return here | {"drawing": None, "reasons": [reason.say(lang) for reason in found.reasons]}
