"""The folded parts behind a score: slices, uncertainty, the audit of the file. Each is computed when it is opened."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.evaluation.analysis import Analysis, analyse
from polqa_demo.evaluation.report import Report
from polqa_demo.ui.analysis_views import audit_html, slices_html, uncertainty_html
from polqa_demo.ui.texts import language

PARTS: dict[str, Callable[[Analysis, Lang], str]] = {
    "slices": slices_html,
    "uncertainty": uncertainty_html,
    "audit": audit_html,
}
LANGUAGE_JS = "(report, _) => [report, document.documentElement.lang]"


@dataclass(frozen=True, slots=True)
class AnalysisPart:
    """The box around the parts and everything in it that a new result must reset."""

    outputs: list[Any]

    def hidden(self) -> list[Any]:
        """No result: nothing to open."""
        return [gr.Column(visible=False), *self._closed()]

    def ready(self) -> list[Any]:
        """A new result: everything folded and empty again."""
        return [gr.Column(visible=True), *self._closed()]

    def _closed(self) -> list[Any]:
        return [value for _ in PARTS for value in (gr.Accordion(open=False), "")]


def build_analysis(report: gr.State, lang: gr.Textbox, t: gr.I18n) -> AnalysisPart:
    """Lays out the folded parts and wires their opening."""
    with gr.Column(visible=False, elem_id="analysis") as box:
        made = [(name, *_folded(name, t)) for name in PARTS]
    for name, accordion, html in made:
        accordion.expand(
            _opener(name),
            [report, lang],
            [html],
            js=LANGUAGE_JS,
            api_visibility="private",
            concurrency_limit=1,
            concurrency_id="heavy",
        )
    return AnalysisPart([box, *(part for _, accordion, html in made for part in (accordion, html))])


def _folded(name: str, t: gr.I18n) -> tuple[gr.Accordion, gr.HTML]:
    with gr.Accordion(t(f"analysis.{name}"), open=False, elem_id=f"{name}-box") as accordion:
        html = gr.HTML("", elem_id=name, padding=False)
    return accordion, html


def _opener(name: str) -> Callable[[Report | None, str], str]:
    def show(report: Report | None, page_language: str) -> str:
        return PARTS[name](analyse(report), language(page_language)) if report else ""

    return show
