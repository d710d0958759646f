"""The tab "Oceń": gold, files of predictions, then problems, scores and the table of items."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from polqa_demo.data.sample import predictions_file
from polqa_demo.errors import Lang, UserError
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.evaluation.export import items_csv
from polqa_demo.evaluation.export_html import report_html
from polqa_demo.evaluation.export_latex import report_latex
from polqa_demo.evaluation.export_markdown import report_markdown
from polqa_demo.evaluation.report import Report
from polqa_demo.scoring import Scored
from polqa_demo.ui.analysis import build_analysis
from polqa_demo.ui.downloads import download, report_text, upload_copy
from polqa_demo.ui.file_parts import build_file_parts
from polqa_demo.ui.recognition import build_recognition, overrides
from polqa_demo.ui.render import notice_html, problems_html, scores_html
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import OWN_GOLD, Submission, open_submission, score_submission
from polqa_demo.ui.tables import FILTERS, count_line, filters, items_table
from polqa_demo.ui.texts import TEXTS, language, say

TRIES = {
    "good": ("answers-good.jsonl", "rankings-good.tsv"),
    "weak": ("answers-weak.txt", "rankings-weak.tsv"),
    "broken": ("answers-broken.csv", "rankings-broken.tsv"),
}
# The report as a page, a text and a table to print; each is small beside the JSON.
WRITTEN = {
    "html": ("polqa-demo-report.html", report_html),
    "markdown": ("polqa-demo-report.md", report_markdown),
    "latex": ("polqa-demo-report.tex", report_latex),
}
# The language is the last input of every event here.
LANGUAGE_JS = "(...values) => [...values.slice(0, -1), document.documentElement.lang]"
COPY_JS = "() => navigator.clipboard.writeText(document.querySelector('.pq-signature code').innerText)"
SESSION_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class EvaluateTab:
    """What the rest of the app needs of this tab: what has choices in words, and those in a language."""

    choices: list[Any]
    in_language: Callable[[Lang], list[Any]]


def build_evaluate_tab(service: Service, t: gr.I18n) -> EvaluateTab:
    """Lays out the tab and wires its events."""
    from polqa_demo.data.catalogue import DEFAULT_GOLD

    def opened(gold_name: str, own_gold: str | None, paths: list[str] | None, *choices: str) -> Submission:
        return open_submission(service, gold_name, own_gold, paths or [], overrides(*choices))

    gold = gr.Radio(_gold_choices(service, "pl"), value=DEFAULT_GOLD, label=t("eval.gold"), elem_id="gold")
    gold_file = gr.File(label=t("eval.gold_file"), visible=False, height=120, elem_id="gold-file")
    files = gr.File(label=t("eval.files"), file_count="multiple", height=160, elem_id="files")
    gr.Markdown(t("eval.files_hint"), elem_classes="pq-lead")
    with gr.Row(elem_id="tries"):
        tries = {name: gr.Button(t(f"eval.{name}"), size="sm", min_width=100) for name in TRIES}
    recognition = build_recognition(t)
    button = gr.Button(t("eval.button"), variant="primary", elem_id="evaluate")
    problems = gr.HTML("", elem_id="problems", padding=False)
    scores = gr.HTML(t("eval.start"), elem_id="scores", padding=False)
    with gr.Row(visible=False) as downloads:
        csv_button = gr.DownloadButton(say("eval.csv", "pl"), elem_id="csv")
        json_button = gr.DownloadButton(say("eval.json", "pl"), elem_id="json")
        copy = gr.Button(t("eval.copy"), elem_id="copy-signature")
    with gr.Row(visible=False) as more_downloads:
        written = [gr.DownloadButton(say(f"eval.{name}", "pl"), elem_id=name, size="sm") for name in WRITTEN]
    with gr.Accordion(t("eval.items"), open=True, visible=False) as items_box:
        which = gr.Radio(
            [(f"{TEXTS[f'eval.{name}'].pl}", name) for name in FILTERS], value="all", label=t("eval.filter")
        )
        count = gr.Markdown("", elem_id="items-count")
        table = gr.Dataframe(
            interactive=False, wrap=True, max_height=720, elem_id="items", show_label=False, buttons=[]
        )
    lang = gr.Textbox("pl", visible="hidden", label="lang", elem_id="evaluate-lang")
    report = gr.State(None, time_to_live=SESSION_SECONDS)
    analysis = build_analysis(report, lang, t)

    inputs = [gold, gold_file, files, *recognition.choices, lang]
    parts = build_file_parts(service, opened, inputs, t)

    results = [problems, scores, downloads, csv_button, json_button, more_downloads, *written]
    shown = [*results, items_box, which, count, table, report, *analysis.outputs, *parts.outputs]

    def evaluate(*values: Any) -> list[Any]:
        *given, page_language = values
        chosen = language(page_language)
        try:
            submission = opened(*given)
            scored = score_submission(service, submission)
        except UserError as error:
            return [notice_html(error.message, chosen), "", *_hidden(), *analysis.hidden(), *parts.hidden()]
        behind = analysis.ready() if scored.report else analysis.hidden()
        from_files = parts.shown(submission) if scored.report else parts.hidden()
        return [
            problems_html(scored, chosen),
            scores_html(scored, chosen),
            *_results(scored, chosen),
            *behind,
            *from_files,
        ]

    def clear(page_language: str) -> list[Any]:
        return [
            "",
            notice_html(TEXTS["eval.changed"], language(page_language), "start"),
            *_hidden(),
            *analysis.hidden(),
            *parts.hidden(),
        ]

    def show(found: Report | None, name: str, page_language: str) -> Any:
        return _table(found, name, language(page_language)) if found else (gr.skip(), gr.skip())

    copy.click(None, None, None, js=COPY_JS, api_visibility="private")
    button.click(
        evaluate,
        inputs,
        shown,
        js=LANGUAGE_JS,
        api_visibility="private",
        concurrency_limit=1,
        concurrency_id="heavy",
        show_progress_on=[scores],
    )
    # A score never stands beside a file that it does not belong to.
    gr.on(
        [
            gold.change,
            gold_file.change,
            gold_file.upload,
            files.change,
            files.upload,
            files.delete,
            files.clear,
            *(choice.change for choice in recognition.choices),
        ],
        clear,
        [lang],
        shown,
        js=LANGUAGE_JS,
        api_visibility="private",
        show_progress="hidden",
        queue=False,
    )
    gold.change(
        lambda name: gr.File(visible=name == OWN_GOLD), [gold], [gold_file], api_visibility="private", queue=False
    )
    which.change(
        show, [report, which, lang], [count, table], js=LANGUAGE_JS, api_visibility="private", show_progress="hidden"
    )
    for name, button_ in tries.items():
        button_.click(_sample_files(name), None, [gold, files], api_visibility="private", queue=False)

    def in_language(chosen: Lang) -> list[Any]:
        return [gr.Radio(_gold_choices(service, chosen)), *recognition.in_language(chosen)]

    return EvaluateTab([gold, *recognition.choices], in_language)


def _sample_files(name: str) -> Any:
    def give() -> tuple[str, list[str]]:
        from polqa_demo.data.catalogue import DEFAULT_GOLD

        return DEFAULT_GOLD, [upload_copy(predictions_file(file)) for file in TRIES[name]]

    return give


def _gold_choices(service: Service, lang: Lang) -> list[tuple[str, str]]:
    from polqa_demo.data.catalogue import gold_names

    known = [(_gold_label(service, name), name) for name in gold_names()]
    return [*known, (say("eval.own_gold", lang), OWN_GOLD)]


def _gold_label(service: Service, name: str) -> str:
    """A choice without a word of any language: `polqa-demo-sample · test · n = 136`."""
    return f"{name.replace('/', ' · ')} · n = {len(service.gold(name).questions)}"


def _results(scored: Scored, lang: Lang) -> list[Any]:
    report = scored.report
    if report is None:
        return _hidden()
    analysis = analyse(report)
    csv_path = download("polqa-demo-items.csv", items_csv(report))
    json_path = download("polqa-demo-report.json", report_text(scored.json(lang, analysis)))
    known = report, scored.problems, analysis, lang
    return [
        gr.Row(visible=True),
        gr.DownloadButton(say("eval.csv", lang), value=csv_path),
        gr.DownloadButton(say("eval.json", lang), value=json_path),
        gr.Row(visible=True),
        *(
            gr.DownloadButton(say(f"eval.{name}", lang), value=download(file, write(*known)))
            for name, (file, write) in WRITTEN.items()
        ),
        gr.Accordion(visible=True),
        gr.Radio([(say(f"eval.{name}", lang), name) for name in filters(report)], value="all"),
        *_table(report, "all", lang),
        report,
    ]


def _hidden() -> list[Any]:
    row, skip = gr.Row(visible=False), gr.skip()
    return [row, skip, skip, row, *([skip] * len(WRITTEN)), gr.Accordion(visible=False), skip, "", skip, None]


def _table(report: Report, which: str, lang: Lang) -> tuple[str, Any]:
    found = items_table(report, which, lang)
    value = {"headers": found.headers, "data": found.rows}
    return count_line(found, lang), gr.Dataframe(value=value, datatype="str", column_widths=found.widths)
