"""The part of the Evaluate tab that gives a result away: CSV, JSON, HTML, Markdown, LaTeX, and its signature."""

from collections.abc import Callable
from dataclasses import dataclass
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
from polqa_demo.ui.texts import language, say


def _json(result: Result, lang: Lang) -> str:
    return report_text(result.scored.json(lang, result.analysis))


def _known(result: Result, lang: Lang) -> tuple[Any, ...]:
    return result.report, result.scored.problems, result.analysis, lang


# Button -> the file's name, and how its text comes from a result.
FILES: dict[str, tuple[str, Callable[[Result, Lang], str]]] = {
    "csv": ("polqa-demo-items.csv", lambda result, lang: items_csv(result.report)),
    "json": ("polqa-demo-report.json", _json),
    "html": ("polqa-demo-report.html", lambda result, lang: report_html(*_known(result, lang))),
    "markdown": ("polqa-demo-report.md", lambda result, lang: report_markdown(*_known(result, lang))),
    "latex": ("polqa-demo-report.tex", lambda result, lang: report_latex(*_known(result, lang))),
}
COPY_JS = "() => navigator.clipboard.writeText(document.querySelector('.pq-signature code').innerText)"


@dataclass(frozen=True, slots=True)
class Exports:
    """The part, its buttons in the order of `FILES`, and what writes their files once the result is on the page."""

    part: Part
    buttons: list[Any]
    write: Callable[[Result | None, str], list[Any]]


def build_exports(t: gr.I18n) -> Exports:
    """Lays out the buttons. They wait for `write`: a person reads the score while the files are made."""
    with gr.Row(visible=False) as first:
        buttons = [gr.DownloadButton(say(f"eval.{name}", "pl"), elem_id=name) for name in ("csv", "json")]
        copy = gr.Button(t("eval.copy"), elem_id="copy-signature")
    with gr.Row(visible=False) as second:
        buttons += [gr.DownloadButton(say(f"eval.{name}", "pl"), elem_id=name, size="sm") for name in list(FILES)[2:]]
    copy.click(None, None, None, js=COPY_JS, api_visibility="private")

    def shown(result: Result, lang: Lang) -> list[Any]:
        row = gr.Row(visible=True)
        waiting = [
            gr.DownloadButton(say(f"eval.{name}", lang), value=None, interactive=False, visible=True) for name in FILES
        ]
        return [row, row, *waiting]

    def hidden() -> list[Any]:
        row = gr.Row(visible=False)
        return [row, row, *([gr.skip()] * len(FILES))]

    return Exports(Part([first, second, *buttons], shown, hidden), buttons, _write)


def _write(result: Result | None, page_language: str) -> list[Any]:
    if result is None:
        return [gr.skip()] * len(FILES)
    lang = language(page_language)
    return [_written(name, result, lang) for name in FILES]


def _written(name: str, result: Result, lang: Lang) -> Any:
    file, text = FILES[name]
    # A secret gold has no items to give away.
    if name == "csv" and result.report.secret:
        return gr.DownloadButton(visible=False)
    return gr.DownloadButton(value=download(file, text(result, lang)), interactive=True)
