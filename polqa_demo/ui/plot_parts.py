"""The parts of the Evaluate tab that draw: where the gold passages stand, and the score beside published figures."""

from typing import Any

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.reports.published import SPLITS, guessed_split
from polqa_demo.ui.part import LANGUAGE_JS, QUICK, Part, gone_html
from polqa_demo.ui.plot_views import published_html, ranks_html
from polqa_demo.ui.result import Result
from polqa_demo.ui.texts import language, say

# A gold set of one's own; nobody has published figures on it.
OTHER = "other"


def build_plot_parts(state: gr.State, lang: gr.Textbox, t: gr.I18n) -> list[Part]:
    """Lays out both parts and wires their opening."""
    return [_build_ranks(state, lang, t), _build_published(state, lang, t)]


def _build_ranks(state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Part:
    with gr.Accordion(t("analysis.ranks"), open=False, visible=False, elem_id="ranks-box") as box:
        html = gr.HTML("", elem_id="ranks", elem_classes="pq-bare", padding=False)

    def show(result: Result | None, page_language: str) -> str:
        chosen = language(page_language)
        if result is None:
            return gone_html(chosen)
        return ranks_html(result.report.rankings, chosen) if result.report.rankings else ""

    def folded(visible: bool) -> list[Any]:
        return [gr.Accordion(visible=visible, open=False), ""]

    box.expand(show, [state, lang], [html], js=LANGUAGE_JS, **QUICK)

    def shown(result: Result, _: Lang) -> list[Any]:
        return folded(result.report.rankings is not None and not result.report.secret)

    return Part([box, html], shown, lambda: folded(False))


def _build_published(state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Part:
    with gr.Accordion(t("analysis.published"), open=False, visible=False, elem_id="published-box") as box:
        split = gr.Radio(_choices("pl"), value=OTHER, label=t("published.split"), elem_id="published-split")
        html = gr.HTML("", elem_id="published", elem_classes="pq-bare", padding=False)

    def show(result: Result | None, chosen: str, page_language: str) -> str:
        known = chosen if chosen in SPLITS else ""
        page = language(page_language)
        return published_html(result.report, known, page) if result else gone_html(page)

    def shown(result: Result, chosen: Lang) -> list[Any]:
        guessed = guessed_split(result.report.gold) or OTHER
        return [gr.Accordion(visible=True, open=False), gr.Radio(_choices(chosen), value=guessed), ""]

    gr.on([box.expand, split.input], show, [state, split, lang], [html], js=LANGUAGE_JS, **QUICK)
    return Part([box, split, html], shown, lambda: [gr.Accordion(visible=False, open=False), gr.skip(), ""])


def _choices(lang: Lang) -> list[tuple[str, str]]:
    return [*((say(f"published.{split}", lang), split) for split in SPLITS), (say("published.other", lang), OTHER)]
