"""The folded part "Porównanie": several runs against one another, the questions that part two, one question in all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from polqa_demo.comparison import Compared
from polqa_demo.errors import Lang
from polqa_demo.ui.comparison_views import comparison_html
from polqa_demo.ui.flips import BOTH, Choices, Chosen, flips_page, measure_choices, slice_choices
from polqa_demo.ui.part import HEAVY, LANGUAGE_JS, QUICK, Part, gone_html
from polqa_demo.ui.pressing import PRESS_JS, pressed
from polqa_demo.ui.render import notice_html
from polqa_demo.ui.result import Result
from polqa_demo.ui.service import Service
from polqa_demo.ui.side_views import question_html
from polqa_demo.ui.texts import TEXTS, language

# How many outputs the opening fills, and how many of them, the last, every choice draws anew.
_HEAD, _DRAWN = 6, 4
_HEADING = '<h2 class="pq-part">${value}</h2>'
_TO_SIDE_JS = "() => { document.querySelector('#side-box')?.scrollIntoView({block: 'start'}); }"


@dataclass(frozen=True, slots=True)
class _Chooser:
    """What a person chooses flips by; `inputs` come in the order of `Chosen`."""

    measure: gr.Dropdown
    pair: gr.Dropdown
    side: gr.Dropdown
    only: gr.Dropdown
    page: gr.Dropdown

    @property
    def inputs(self) -> list[Any]:
        return [self.measure, self.pair, self.side, self.only, self.page]


def build_comparison(service: Service, state: gr.State, lang: gr.Textbox, t: gr.I18n) -> Part:
    """Lays out the part and wires its opening, its choices and its buttons."""
    with gr.Accordion(t("analysis.comparison"), open=False, visible=False, elem_id="comparison-box") as box:
        table = gr.HTML("", elem_id="comparison", padding=False, js_on_load=PRESS_JS)
        with gr.Column(visible=False) as details:
            gr.HTML(t("flips.title"), html_template=_HEADING, padding=False, elem_id="flips-title")
            chooser = _build_chooser(t)
            flipped = gr.HTML("", elem_id="flips", padding=False, js_on_load=PRESS_JS)
            with gr.Column(elem_id="side-box"):
                gr.HTML(t("beside_runs.title"), html_template=_HEADING, padding=False, elem_id="side-title")
                with gr.Row(equal_height=False):
                    wanted = gr.Textbox(
                        label=t("beside_runs.id"), max_lines=1, scale=3, min_width=160, elem_id="side-id"
                    )
                    button = gr.Button(t("beside_runs.show"), scale=1, min_width=100, elem_id="side-show")
                side = gr.HTML("", elem_id="side", padding=False)
    drawn = [chooser.pair, chooser.side, chooser.page, flipped]

    def look(result: Result | None, question_id: str | None, page_language: str) -> str:
        return _side(service, result, question_id or "", language(page_language))

    def look_at(result: Result | None, page_language: str, event: gr.EventData) -> tuple[Any, Any]:
        kind, _, question_id = pressed(event).partition(":")
        if kind != "question":
            return gr.skip(), gr.skip()
        return question_id, _side(service, result, question_id, language(page_language))

    def folded(visible: bool) -> list[Any]:
        return [gr.Accordion(visible=visible, open=False), "", gr.Column(visible=False), "", ""]

    filled = [table, details, chooser.measure, chooser.only, wanted, side, *drawn]
    box.expand(_show, [state, table, lang], filled, js=LANGUAGE_JS, **HEAVY)
    for choice, keep in zip(chooser.inputs, (0, 1, 1, 1, 2), strict=True):
        # Unchecked by Gradio: whoever is quicker than the page may send a choice that is there no longer. `flips_page`
        # takes anything.
        choice.input(_reader(keep), [state, *chooser.inputs, lang], drawn, js=LANGUAGE_JS, preprocess=False, **QUICK)
    gr.on([wanted.submit, button.click], look, [state, wanted, lang], [side], js=LANGUAGE_JS, **QUICK)
    for buttons in (table, flipped):
        buttons.click(look_at, [state, lang], [wanted, side], js=LANGUAGE_JS, **QUICK).then(
            None, None, None, js=_TO_SIDE_JS, api_visibility="private"
        )
    return Part(
        [box, table, details, flipped, side],
        lambda result, _: folded(bool(result.submission and result.submission.is_comparison)),
        lambda: folded(False),
    )


def _build_chooser(t: gr.I18n) -> _Chooser:
    def choice(name: str, value: str, least: int) -> gr.Dropdown:
        # Empty until a comparison is there.
        return gr.Dropdown(
            [("–", value)], value=value, label=t(f"flips.{name}"), min_width=least, elem_id=f"flips-{name}"
        )

    start = Chosen()
    with gr.Row():
        measure, pair = choice("measure", start.measure, 180), choice("pair", start.pair, 240)
        side = choice("side", start.side, 200)
    with gr.Row():
        only, page = choice("slice", start.only, 300), choice("page", start.page, 140)
    return _Chooser(measure, pair, side, only, page)


def _show(result: Result | None, shown: str, page_language: str) -> list[Any]:
    """What the opened part holds: the table, the choices, the first flips; unchanged when it was opened before."""
    chosen = language(page_language)
    if result is None:
        return [gone_html(chosen), gr.Column(visible=False), *[gr.skip()] * (_HEAD - 2 + _DRAWN)]
    found = result.comparison
    if result.submission is None or found is None or shown:
        return [gr.skip()] * (_HEAD + _DRAWN)
    head = comparison_html(found, chosen)
    if not _is_open(found):
        return [head, gr.Column(visible=False), *[gr.skip()] * (_HEAD - 2 + _DRAWN)]
    return [
        head,
        gr.Column(visible=True),
        _dropdown(measure_choices(found), "0"),
        _dropdown(slice_choices(result.submission.gold.questions, chosen), ""),
        "",
        notice_html(TEXTS["beside_runs.start"], chosen, "start"),
        *_flips(result, found, Chosen(), chosen),
    ]


def _reader(keep: int) -> Callable[..., list[Any]]:
    """What a choice does. Another measure (0) has other pairs; another pair, side or slice (1) other pages."""

    def read(result: Result | None, *choices_and_language: Any) -> list[Any]:
        *choices, page_language = choices_and_language
        if result is None:
            return [*[gr.skip()] * (_DRAWN - 1), gone_html(language(page_language))]
        found = result.comparison
        if found is None or not _is_open(found):
            return [gr.skip()] * _DRAWN
        chosen = Chosen(*(str(value or "") for value in choices))
        if keep < 1:
            chosen = replace(chosen, pair="0", side=BOTH)
        if keep < 2:
            chosen = replace(chosen, page="0")
        return _flips(result, found, chosen, language(page_language))

    return read


def _is_open(found: Compared) -> bool:
    """Whether the questions may be named, and there are any."""
    return bool(found.comparisons) and not found.secret


def _dropdown(choices: Choices, value: str) -> Any:
    return gr.Dropdown(choices=choices, value=value)


def _flips(result: Result, found: Compared, chosen: Chosen, lang: Lang) -> list[Any]:
    assert result.submission is not None
    page = flips_page(found, result.submission.gold, chosen, lang)
    return [
        _dropdown(page.pairs, page.chosen.pair),
        _dropdown(page.sides, page.chosen.side),
        _dropdown(page.pages, page.chosen.page),
        page.html,
    ]


def _side(service: Service, result: Result | None, question_id: str, lang: Lang) -> str:
    if result is None:
        return gone_html(lang)
    found = result.comparison
    if result.submission is None or found is None or not _is_open(found):
        return ""
    gold = result.submission.gold
    passages = service.corpus.passages if service.in_corpus(gold) else None

    def title_of(passage_id: str) -> str | None:
        passage = passages.get(passage_id) if passages else None
        return passage.title if passage else None

    return question_html(found, gold, question_id, result.report.rule, title_of, lang)
