"""The folded parts that need the files themselves: retriever times reader, and the comparison of several runs."""

from typing import Any

import gradio as gr

from polqa_demo.comparison import compare_uploads
from polqa_demo.data.polqa import gold_passages, judged_passages
from polqa_demo.errors import Lang, UserError
from polqa_demo.evaluation.attribution import attribute
from polqa_demo.evaluation.pool import pool
from polqa_demo.submissions.answers import read_answers
from polqa_demo.submissions.rankings import read_rankings
from polqa_demo.ui.downloads import download
from polqa_demo.ui.file_views import attribution_html, comparison_html, pool_csv
from polqa_demo.ui.part import HEAVY, LANGUAGE_JS, Part
from polqa_demo.ui.render import notice_html
from polqa_demo.ui.result import Result
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import Submission
from polqa_demo.ui.texts import language, say


def build_file_parts(service: Service, state: gr.State, lang: gr.Textbox, t: gr.I18n) -> list[Part]:
    """Lays out both parts and wires their opening."""
    return [_build_attribution(service, state, lang, t), _build_comparison(state, lang, t)]


def _build_attribution(service: Service, state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Part:
    with gr.Accordion(t("analysis.attribution"), open=False, visible=False, elem_id="attribution-box") as box:
        cells = gr.HTML("", elem_id="attribution", padding=False)
        pool_button = gr.DownloadButton(say("eval.pool", "pl"), visible=False, elem_id="pool")

    def show(result: Result | None, page_language: str) -> tuple[str, Any]:
        chosen = language(page_language)
        if result is None or result.submission is None:
            return "", gr.DownloadButton(visible=False)
        try:
            return _attributed(service, result.submission, chosen)
        except UserError as error:
            return notice_html(error.message, chosen), gr.DownloadButton(visible=False)

    def folded(visible: bool) -> list[Any]:
        return [gr.Accordion(visible=visible, open=False), "", gr.DownloadButton(visible=False)]

    box.expand(show, [state, lang], [cells, pool_button], js=LANGUAGE_JS, **HEAVY)
    return Part(
        [box, cells, pool_button],
        lambda result, _: folded(bool(result.report.answers and result.report.rankings and result.submission)),
        lambda: folded(False),
    )


def _build_comparison(state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Part:
    with gr.Accordion(t("analysis.comparison"), open=False, visible=False, elem_id="comparison-box") as box:
        table = gr.HTML("", elem_id="comparison", padding=False)

    def show(result: Result | None, page_language: str) -> str:
        chosen = language(page_language)
        if result is None or result.submission is None:
            return ""
        try:
            return comparison_html(compare_uploads(result.submission.gold, result.submission.uploads), chosen)
        except UserError as error:
            return notice_html(error.message, chosen)

    def folded(visible: bool) -> list[Any]:
        return [gr.Accordion(visible=visible, open=False), ""]

    box.expand(show, [state, lang], [table], js=LANGUAGE_JS, **HEAVY)
    return Part(
        [box, table],
        lambda result, _: folded(bool(result.submission and result.submission.is_comparison)),
        lambda: folded(False),
    )


def _attributed(service: Service, given: Submission, lang: Lang) -> tuple[str, Any]:
    """The eight cells of the first answers and the first rankings, and the passages worth judging."""
    questions, passages = given.gold.questions, service.pipeline().index.passages
    predictions = read_answers(given.answers[0].content, questions, given.answers[0].name, given.answers[0].overrides)
    ranked = read_rankings(
        given.rankings[0].content, questions, given.rankings[0].name, None, given.rankings[0].overrides
    )

    def text_of(passage_id: str) -> str | None:
        passage = passages.get(passage_id)
        return f"{passage.title}\n{passage.text}" if passage else None

    found = attribute(questions, predictions.predictions, ranked.rankings, gold_passages(given.gold), text_of)
    rows = pool(questions, ranked.rankings, judged_passages(given.gold), passages.get, given.gold.split)
    button = gr.DownloadButton(visible=False)
    if rows:
        path = download("polqa-demo-pool.csv", pool_csv(rows))
        button = gr.DownloadButton(f"{say('eval.pool', lang)} ({len(rows)})", value=path, visible=True)
    return attribution_html(found, lang), button
