"""The part of the Evaluate tab that gives a result away: in every form, and its signature."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.reports.exports import EXPORTS
from polqa_demo.ui.downloads import download, report_text
from polqa_demo.ui.part import Part
from polqa_demo.ui.result import Result
from polqa_demo.ui.texts import language, say

# The buttons, the usual ones first.
FILES = ("csv", "json", *(name for name in EXPORTS if name != "csv"))
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
        buttons += [gr.DownloadButton(say(f"eval.{name}", "pl"), elem_id=name, size="sm") for name in FILES[2:]]
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
    report = result.report
    if name == "json":
        file, text = "report.json", report_text(result.scored.json(lang, result.analysis))
    elif EXPORTS[name].offered(report):
        file, text = EXPORTS[name].file, EXPORTS[name].write(report, result.scored.problems, result.analysis, lang)
    else:
        return gr.DownloadButton(visible=False)
    return gr.DownloadButton(value=download(f"polqa-demo-{file}", text), interactive=True)
