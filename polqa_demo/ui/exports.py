"""The part of the Evaluate tab that gives a result away: CSV, JSON, HTML, Markdown, LaTeX, and its signature."""

from typing import Any

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.evaluation.export import items_csv
from polqa_demo.evaluation.export_html import report_html
from polqa_demo.evaluation.export_latex import report_latex
from polqa_demo.evaluation.export_markdown import report_markdown
from polqa_demo.ui.downloads import download, report_text
from polqa_demo.ui.part import Part
from polqa_demo.ui.result import Result
from polqa_demo.ui.texts import say

# The report as a page, a text and a table to print; each is small beside the JSON.
WRITTEN = {
    "html": ("polqa-demo-report.html", report_html),
    "markdown": ("polqa-demo-report.md", report_markdown),
    "latex": ("polqa-demo-report.tex", report_latex),
}
COPY_JS = "() => navigator.clipboard.writeText(document.querySelector('.pq-signature code').innerText)"


def build_exports(t: gr.I18n) -> Part:
    """Lays out the buttons; the files are written with the result."""
    with gr.Row(visible=False) as first:
        csv_button = gr.DownloadButton(say("eval.csv", "pl"), elem_id="csv")
        json_button = gr.DownloadButton(say("eval.json", "pl"), elem_id="json")
        copy = gr.Button(t("eval.copy"), elem_id="copy-signature")
    with gr.Row(visible=False) as second:
        written = [gr.DownloadButton(say(f"eval.{name}", "pl"), elem_id=name, size="sm") for name in WRITTEN]
    copy.click(None, None, None, js=COPY_JS, api_visibility="private")
    outputs = [first, csv_button, json_button, second, *written]

    def hidden() -> list[Any]:
        return [gr.Row(visible=False), gr.skip(), gr.skip(), gr.Row(visible=False), *([gr.skip()] * len(WRITTEN))]

    return Part(outputs, _shown, hidden)


def _shown(result: Result, lang: Lang) -> list[Any]:
    known = result.report, result.scored.problems, result.analysis, lang
    text = report_text(result.scored.json(lang, result.analysis))
    return [
        gr.Row(visible=True),
        gr.DownloadButton(say("eval.csv", lang), value=download("polqa-demo-items.csv", items_csv(result.report))),
        gr.DownloadButton(say("eval.json", lang), value=download("polqa-demo-report.json", text)),
        gr.Row(visible=True),
        *(
            gr.DownloadButton(say(f"eval.{name}", lang), value=download(file, write(*known)))
            for name, (file, write) in WRITTEN.items()
        ),
    ]
