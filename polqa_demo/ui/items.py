"""The part of the Evaluate tab that shows the items: a table that is filtered, searched and paged."""

from typing import Any

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.ui.part import LANGUAGE_JS, QUICK, Part
from polqa_demo.ui.result import Result
from polqa_demo.ui.tables import FILTERS, count_line, filters, items_table
from polqa_demo.ui.texts import language, say


def build_items(state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Part:
    """Lays out the table and wires its filter."""
    with gr.Accordion(t("eval.items"), open=True, visible=False, elem_id="items-box") as box:
        which = gr.Radio([(say(f"eval.{name}", "pl"), name) for name in FILTERS], value="all", label=t("eval.filter"))
        count = gr.Markdown("", elem_id="items-count")
        table = gr.Dataframe(
            interactive=False, wrap=True, max_height=720, elem_id="items", show_label=False, buttons=[]
        )

    def show(result: Result | None, name: str, page_language: str) -> Any:
        return _table(result, name, language(page_language)) if result else (gr.skip(), gr.skip())

    which.change(show, [state, which, lang], [count, table], js=LANGUAGE_JS, **QUICK)
    return Part([box, which, count, table], _shown, lambda: [gr.Accordion(visible=False), gr.skip(), "", gr.skip()])


def _shown(result: Result, lang: Lang) -> list[Any]:
    names = [(say(f"eval.{name}", lang), name) for name in filters(result.report)]
    return [gr.Accordion(visible=True), gr.Radio(names, value="all"), *_table(result, "all", lang)]


def _table(result: Result, which: str, lang: Lang) -> tuple[str, Any]:
    found = items_table(result.report, which, lang)
    value = {"headers": found.headers, "data": found.rows}
    return count_line(found, lang), gr.Dataframe(value=value, datatype="str", column_widths=found.widths)
