"""The folded parts that need the files themselves: retriever times reader, and the comparison of several runs."""

from collections.abc import Callable
from dataclasses import dataclass
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
from polqa_demo.ui.render import notice_html
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import Submission
from polqa_demo.ui.texts import language, say

# Opens the submission from the raw inputs of the tab.
Opener = Callable[..., Submission]
LANGUAGE_JS = "(...values) => [...values.slice(0, -1), document.documentElement.lang]"


@dataclass(frozen=True, slots=True)
class FileParts:
    """Both parts: what a new result must show, hide and empty."""

    outputs: list[Any]

    def shown(self, given: Submission) -> list[Any]:
        """The parts that these files allow, folded and empty."""
        both = bool(given.answers and given.rankings)
        return [
            gr.Accordion(visible=both, open=False),
            "",
            gr.DownloadButton(visible=False),
            gr.Accordion(visible=given.is_comparison, open=False),
            "",
        ]

    def hidden(self) -> list[Any]:
        """No result, nothing to open."""
        closed = gr.Accordion(visible=False, open=False)
        return [closed, "", gr.DownloadButton(visible=False), closed, ""]


def build_file_parts(service: Service, opener: Opener, inputs: list[Any], t: gr.I18n) -> FileParts:
    """Lays out both parts; `inputs` are the tab's, the page's language last."""
    with gr.Accordion(t("analysis.attribution"), open=False, visible=False, elem_id="attribution-box") as whose:
        cells = gr.HTML("", elem_id="attribution", padding=False)
        pool_button = gr.DownloadButton(say("eval.pool", "pl"), visible=False, elem_id="pool")
    with gr.Accordion(t("analysis.comparison"), open=False, visible=False, elem_id="comparison-box") as which:
        table = gr.HTML("", elem_id="comparison", padding=False)

    def show_attribution(*values: Any) -> tuple[str, Any]:
        *given, page_language = values
        lang = language(page_language)
        try:
            return _attributed(service, opener(*given), lang)
        except UserError as error:
            return notice_html(error.message, lang), gr.DownloadButton(visible=False)

    def show_comparison(*values: Any) -> str:
        *given, page_language = values
        lang = language(page_language)
        try:
            submission = opener(*given)
            return comparison_html(compare_uploads(submission.gold, submission.uploads), lang)
        except UserError as error:
            return notice_html(error.message, lang)

    heavy: dict[str, Any] = {
        "js": LANGUAGE_JS,
        "api_visibility": "private",
        "concurrency_limit": 1,
        "concurrency_id": "heavy",
    }
    whose.expand(show_attribution, inputs, [cells, pool_button], **heavy)
    which.expand(show_comparison, inputs, [table], **heavy)
    return FileParts([whose, cells, pool_button, which, table])


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
