"""The folded parts behind a score: slices, uncertainty, the audit of the file. Each is computed when it is opened."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.evaluation.analysis import Analysis
from polqa_demo.ui.analysis_views import audit_html, slices_html, uncertainty_html
from polqa_demo.ui.part import HEAVY, LANGUAGE_JS, Part, gone_html
from polqa_demo.ui.result import Result
from polqa_demo.ui.texts import language

PARTS: dict[str, Callable[[Analysis, Lang], str]] = {
    "slices": slices_html,
    "uncertainty": uncertainty_html,
    "audit": audit_html,
}


def build_analysis_parts(state: gr.State, lang: gr.Textbox, t: gr.I18n) -> list[Part]:
    """Lays out the folded parts and wires their opening."""
    return [_build(name, state, lang, t) for name in PARTS]


def _build(name: str, state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Part:
    with gr.Accordion(t(f"analysis.{name}"), open=False, visible=False, elem_id=f"{name}-box") as accordion:
        html = gr.HTML("", elem_id=name, elem_classes="pq-bare", padding=False)

    def show(result: Result | None, page_language: str) -> str:
        chosen = language(page_language)
        return PARTS[name](result.analysis, chosen) if result else gone_html(chosen)

    def folded(visible: bool) -> list[Any]:
        return [gr.Accordion(visible=visible, open=False), ""]

    accordion.expand(show, [state, lang], [html], js=LANGUAGE_JS, **HEAVY)

    def shown(result: Result, _: Lang) -> list[Any]:
        # Of a secret gold there are totals alone; the audit is about answers.
        return folded(not result.report.secret and (name != "audit" or result.report.answers is not None))

    return Part([accordion, html], shown, lambda: folded(False))
