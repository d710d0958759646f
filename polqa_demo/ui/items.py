"""The part of the Evaluate tab that shows the items: a table that is filtered, searched and paged, and one in full."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from polqa_demo.data.sample import NAME as SAMPLE
from polqa_demo.errors import Lang, UserError
from polqa_demo.ui.item_detail import Shelf, item_html
from polqa_demo.ui.part import LANGUAGE_JS, QUICK, Part, gone_html
from polqa_demo.ui.pressing import told
from polqa_demo.ui.render import render
from polqa_demo.ui.result import Result
from polqa_demo.ui.service import Service
from polqa_demo.ui.tables import FILTERS, LONGEST_QUERY, filter_choices, items_page
from polqa_demo.ui.texts import language, say

# Both boxes are plain HTML with real buttons; a press reaches Python as an event of the box, with what was pressed.
TABLE_JS = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button || button.ariaDisabled === 'true') return;
  if (button.dataset.page) return trigger('turn', {page: Number(button.dataset.page)});
  const shown = document.querySelector('#item [data-item]');
  if (shown && shown.dataset.item === button.dataset.id) return shown.querySelector('h2').focus();
  trigger('open', {id: button.dataset.id});
});
watch('value', () => element.querySelector('.pq-rows')?.scrollTo(0, 0));
"""
DETAIL_JS = """
const row = (id) => [...document.querySelectorAll('#items button[data-id]')].find(b => b.dataset.id === id);
const shut = () => {
  const id = element.querySelector('[data-item]').dataset.item;
  (row(id) ?? document.querySelector('#items-search textarea, #items-search input'))?.focus();
  trigger('shut');
};
element.setAttribute('aria-live', 'polite');
element.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-do]');
  if (button?.dataset.do === 'ask') trigger('ask');
  if (button?.dataset.do === 'shut') shut();
});
element.addEventListener('keydown', (event) => { if (event.key === 'Escape') shut(); });
watch('value', () => {
  const heading = element.querySelector('h2');
  heading?.focus({preventScroll: true});
  heading?.scrollIntoView({block: 'start'});
});
"""
# A case of the analysis leads to its rows; any other filter was set beside the table, which is in view.
SHOW_CELL_JS = """(name) => {
  if (/^(cell|beside):/.test(name)) document.querySelector('#items-box').scrollIntoView({block: 'start'});
}"""
# Back from the other tab: to the row whose question was asked.
SHOW_ROW_JS = """() => requestAnimationFrame(() => {
  const id = document.querySelector('#item [data-item]')?.dataset.item;
  const row = [...document.querySelectorAll('#items button[data-id]')].find(b => b.dataset.id === id);
  row?.scrollIntoView({block: 'center'});
  row?.focus({preventScroll: true});
})"""


@dataclass(frozen=True, slots=True)
class Items:
    """What the rest of the app needs of this part.

    Setting `which` (a filter of `tables.FILTERS`, or `cell:` and the code of a case) shows those rows. `asked` is the
    event of the button that asks the question of the open item, `selected` that question.
    """

    part: Part
    which: gr.Dropdown
    asked: Callable[..., Any]
    selected: gr.State


def build_items(service: Service, state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Items:
    """Lays out filter, search, table and detail, and wires them."""
    with gr.Accordion(t("eval.items"), open=True, visible=False, elem_id="items-box") as box:
        with gr.Row():
            which = gr.Dropdown(
                [(say(f"eval.{name}", "pl"), name) for name in FILTERS],
                value="all",
                label=t("eval.filter"),
                elem_id="items-filter",
                min_width=240,
            )
            search = gr.Textbox(
                label=t("items.search"),
                placeholder=t("items.search_hint"),
                max_length=LONGEST_QUERY,
                max_lines=1,
                elem_id="items-search",
                min_width=240,
                scale=2,
            )
        plain: dict[str, Any] = {"elem_classes": "pq-bare", "padding": False, "apply_default_css": False}
        table = gr.HTML("", elem_id="items", js_on_load=TABLE_JS, **plain)
        detail = gr.HTML("", elem_id="item", js_on_load=DETAIL_JS, **plain)
    selected = gr.State("")

    def show(result: Result | None, name: str, query: str, page_language: str) -> str:
        return _table(result, name, query, 1, language(page_language))

    def turn(result: Result | None, name: str, query: str, page_language: str, event: gr.EventData) -> str:
        page = told(event, "page", 1)
        return _table(result, name, query, page if isinstance(page, int) else 1, language(page_language))

    def open_item(result: Result | None, page_language: str, event: gr.EventData) -> tuple[str, str]:
        return _detail(service, result, told(event, "id", ""), language(page_language))

    found = [state, which, search, lang]
    # Unchecked by Gradio, whose refusal is a traceback: an unknown filter finds nothing.
    changed = which.change(show, found, [table], js=LANGUAGE_JS, preprocess=False, **QUICK)
    changed.then(None, [which], None, js=SHOW_CELL_JS, api_visibility="private")
    # `input` misses what is pasted and deleted. While one search runs, only the last of those that follow is kept.
    search.change(show, found, [table], js=LANGUAGE_JS, trigger_mode="always_last", **QUICK)
    table.turn(turn, found, [table], js=LANGUAGE_JS, **QUICK)
    table.open(open_item, [state, lang], [detail, selected], js=LANGUAGE_JS, **QUICK)
    detail.shut(lambda: ("", ""), None, [detail, selected], queue=False, **QUICK)

    def shown(result: Result, chosen: Lang) -> list[Any]:
        names = gr.Dropdown(filter_choices(result.listing, chosen), value="all")
        # Of a secret gold there are no items to show.
        visible = gr.Accordion(visible=bool(result.report.items))
        return [visible, names, "", _table(result, "all", "", 1, chosen), "", ""]

    def hidden() -> list[Any]:
        return [gr.Accordion(visible=False), gr.skip(), "", "", "", ""]

    return Items(Part([box, which, search, table, detail, selected], shown, hidden), which, detail.ask, selected)


def _table(result: Result | None, which: str, query: str, page: int, lang: Lang) -> str:
    if result is None:
        return gone_html(lang)
    return render("items.html", lang, page=items_page(result.listing, which, query, page, lang))


def _detail(service: Service, result: Result | None, question_id: object, lang: Lang) -> tuple[str, str]:
    """The detail of an item as HTML, and its question; nothing for an id that is not there."""
    if result is None:
        return gone_html(lang), ""
    item = result.items.get(str(question_id))
    if item is None:
        return "", ""
    return item_html(result, item, _shelf(service, result), lang), item.question.text


def _shelf(service: Service, result: Result) -> Shelf | None:
    """The corpus, where it can hold the result's passages; None where it cannot, or cannot be opened.

    An operator's corpus is there for whatever is evaluated. The embedded sample belongs to its own gold alone: equal
    ids of another gold would bring the texts of other passages.
    """
    gold = result.submission.gold.name if result.submission else result.report.gold.partition("/")[0]
    if service.on_sample and gold != SAMPLE:
        return None
    try:
        return Shelf(service.corpus_name, service.corpus.passages.get, service.wikipedia_ids)
    except UserError:
        return None
