"""The folded part "Wyszukiwarka × czytnik": whose fault the errors are, and the reader on gold passages."""

from typing import Any

import gradio as gr

from polqa_demo.data.polqa import judged_passages
from polqa_demo.errors import Bilingual, Lang
from polqa_demo.evaluation.pool import PoolRow, pool
from polqa_demo.records import Ranking
from polqa_demo.ui.attribution_views import attribution_html, beside_html, pool_csv
from polqa_demo.ui.downloads import download
from polqa_demo.ui.part import HEAVY, LANGUAGE_JS, QUICK, Part, gone_html
from polqa_demo.ui.pressing import PRESS_JS, pressed
from polqa_demo.ui.render import notice_html
from polqa_demo.ui.result import Result
from polqa_demo.ui.service import Service
from polqa_demo.ui.texts import TEXTS, language, say

# The table that a press filters stands above; whoever pressed must see it change.
_TO_ITEMS_JS = "() => { document.querySelector('#items-box')?.scrollIntoView({block: 'start'}); }"


def build_attribution(service: Service, state: gr.State, which: Any, lang: gr.Textbox, t: gr.I18n) -> Part:
    """Lays out the part and wires its opening; a pressed cell becomes the value of `which`, the filter of the items."""
    with gr.Accordion(t("analysis.attribution"), open=False, visible=False, elem_id="attribution-box") as box:
        cells = gr.HTML("", elem_id="attribution", padding=False, js_on_load=PRESS_JS)
        beside = gr.HTML("", elem_id="beside", padding=False, js_on_load=PRESS_JS)
        with gr.Column(visible=False) as pooled:
            gr.Markdown(t("explain.pool"), elem_classes="pq-lead")
            pool_button = gr.DownloadButton(say("eval.pool", "pl"), elem_id="pool", size="sm")

    def show(result: Result | None, page_language: str) -> list[Any]:
        chosen = language(page_language)
        if result is None:
            return [gone_html(chosen), "", gr.Column(visible=False), gr.skip()]
        return [_cells(service, result, chosen), _beside(result, chosen), *_pooled(service, result, chosen)]

    def filter_items(result: Result | None, page_language: str, event: gr.EventData) -> Any:
        if result is None:
            gr.Warning(say("eval.gone", language(page_language)))
        pick = pressed(event)
        return pick if result and pick in result.listing.filters else gr.skip()

    def folded(visible: bool) -> list[Any]:
        return [gr.Accordion(visible=visible, open=False), "", "", gr.Column(visible=False), gr.skip()]

    box.expand(show, [state, lang], [cells, beside, pooled, pool_button], js=LANGUAGE_JS, **HEAVY)
    for buttons in (cells, beside):
        buttons.click(filter_items, [state, lang], [which], js=LANGUAGE_JS, **QUICK).then(
            None, None, None, js=_TO_ITEMS_JS, api_visibility="private"
        )
    return Part(
        [box, cells, beside, pooled, pool_button],
        lambda result, _: folded(_is_about(result)),
        lambda: folded(False),
    )


def _is_about(result: Result) -> bool:
    report = result.report
    # Of a secret gold no question may be named, and a saved report without cells has none to show.
    both = report.answers and report.rankings and result.submission and not report.secret
    return bool(report.attribution or report.beside or both)


def _cells(service: Service, result: Result, lang: Lang) -> str:
    if result.report.attribution:
        return attribution_html(result.report.attribution, lang)
    if result.report.answers is None or result.report.rankings is None:
        return ""
    message = Bilingual(*(text.format(corpus=service.corpus_name) for text in TEXTS["attribution.unknown"]))
    return notice_html(message, lang, "note")


def _beside(result: Result, lang: Lang) -> str:
    found = result.report.beside
    return beside_html(found, result.listing.filters.keys(), lang) if found else ""


def _pooled(service: Service, result: Result, lang: Lang) -> list[Any]:
    rows = _pool(service, result)
    if not rows:
        return [gr.Column(visible=False), gr.skip()]
    path = download("polqa-demo-pool.csv", pool_csv(rows))
    label = f"{say('eval.pool', lang)} ({len(rows)})"
    return [gr.Column(visible=True), gr.DownloadButton(label, value=path)]


def _pool(service: Service, result: Result) -> tuple[PoolRow, ...]:
    """The passages worth judging, where the corpus is the gold's."""
    given, scores = result.submission, result.report.rankings
    if given is None or scores is None or not result.report.attribution:
        return ()
    rankings = {item.question_id: Ranking(item.question_id, item.top) for item in scores.items}
    passages = service.corpus.passages
    return pool(given.gold.questions, rankings, judged_passages(given.gold), passages.get, given.gold.split)
