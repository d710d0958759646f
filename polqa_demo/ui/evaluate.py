"""The tab "Oceń": gold, files of predictions, then problems, scores, and the parts that explain them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from polqa_demo.data.sample import predictions_file
from polqa_demo.errors import Lang, UserError
from polqa_demo.ui.analysis_parts import build_analysis_parts
from polqa_demo.ui.attribution_part import build_attribution
from polqa_demo.ui.comparison_part import build_comparison
from polqa_demo.ui.downloads import upload_copy
from polqa_demo.ui.exports import build_exports
from polqa_demo.ui.items import Items, build_items
from polqa_demo.ui.lost_session import build_lost_session
from polqa_demo.ui.part import HEAVY, LANGUAGE_JS, Part
from polqa_demo.ui.plot_parts import build_plot_parts
from polqa_demo.ui.recognition import build_recognition, defaults, read_as
from polqa_demo.ui.render import notice_html, problems_html, scores_html
from polqa_demo.ui.result import Result
from polqa_demo.ui.run_part import Finished, build_run_part
from polqa_demo.ui.saved import open_saved
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import OWN_GOLD, is_same, open_submission, score_submission
from polqa_demo.ui.texts import TEXTS, language, say

TRIES = {
    "good": ("answers-good.jsonl", "rankings-good.tsv"),
    "weak": ("answers-weak.txt", "rankings-weak.tsv"),
    "broken": ("answers-broken.csv", "rankings-broken.tsv"),
}
SESSION_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class EvaluateTab:
    """What the rest of the app needs of this tab: what has choices in words, and those in a language."""

    choices: list[Any]
    in_language: Callable[[Lang], list[Any]]
    items: Items
    # The event of a loaded page is followed by what its tab has kept of a result that is gone.
    recall_after: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class _Handlers:
    """What the events of the tab do: `parts` show a result, `choices` say how to read files, `shown` is all of a score.

    The last two are numbers of components. Every handler is given the page's language last.
    """

    service: Service
    parts: list[Part]
    choices: int
    shown: int

    def evaluate(
        self,
        gold_name: str,
        own_gold: str | None,
        paths: list[str] | None,
        gold_answers: str | None,
        keeping: bool,
        *choices_and_language: str,
    ) -> list[Any]:
        """The files as they lie in the tab -> problems, scores, the result, and what the parts show of it."""
        *choices, page_language = choices_and_language
        chosen = language(page_language)
        try:
            with self.service.parser() as parser:
                result = open_saved(paths or [], parser)
                if result is None:
                    known = read_as(*choices)
                    submission = open_submission(
                        self.service, gold_name, own_gold, paths or [], known, gold_answers, parser=parser
                    )
                    scored = score_submission(self.service, submission, parser)
                    if scored.report is None:
                        return [problems_html(scored, chosen), "", None, *self._hidden()]
                    result = Result(scored, scored.report, submission, self.service.parser)
                    if keeping:
                        note = self.service.keep(scored, submission.scored, result.analysis)
                        result.scored = replace(scored, problems=(*scored.problems, note))
        except UserError as error:
            return [notice_html(error.message, chosen), "", None, *self._hidden()]
        values = [value for part in self.parts for value in part.shown(result, chosen)]
        return [problems_html(result.scored, chosen), scores_html(result.scored, chosen), result, *values]

    def clear(
        self,
        result: Result | None,
        gold_name: str,
        paths: list[str] | None,
        gold_answers: str | None,
        *choices_and_language: str,
    ) -> list[Any]:
        """No score, once there are other files than those that it is about."""
        *choices, page_language = choices_and_language
        given = result.submission if result else None
        # A run puts its files and their score onto the page at once.
        if given and is_same(self.service, given, gold_name, paths or [], read_as(*choices), gold_answers):
            return [gr.skip()] * self.shown
        return ["", notice_html(TEXTS["eval.changed"], language(page_language), "start"), None, *self._hidden()]

    def open_run(self, run: Finished | None, page_language: str) -> list[Any]:
        """A finished run -> its gold and files in their boxes, and their score; nothing for a paused one."""
        if run is None:
            return [gr.skip()] * (5 + self.choices + self.shown)
        copies, gold_answers = run.copies()
        choices = defaults()
        result = self.evaluate(run.gold, None, copies, gold_answers, False, *choices, page_language)
        told = notice_html(TEXTS["runs.scored"], language(page_language), "start")
        return [told, None, run.gold, copies, gold_answers, *choices, *result]

    def _hidden(self) -> list[Any]:
        return [value for part in self.parts for value in part.hidden()]


def build_evaluate_tab(service: Service, t: gr.I18n) -> EvaluateTab:
    """Lays out the tab and wires its events."""
    from polqa_demo.data.catalogue import DEFAULT_GOLD

    gold = gr.Radio(_gold_choices(service, "pl"), value=DEFAULT_GOLD, label=t("eval.gold"), elem_id="gold")
    gold_file = gr.File(label=t("eval.gold_file"), visible=False, height=120, elem_id="gold-file")
    files = gr.File(label=t("eval.files"), file_count="multiple", height=160, elem_id="files")
    gr.Markdown(t("eval.files_hint"), elem_classes="pq-lead")
    with gr.Row(elem_id="tries"):
        tries = {name: gr.Button(t(f"eval.{name}"), size="sm", min_width=100) for name in TRIES}
    recognition = build_recognition(t)
    with gr.Accordion(t("eval.on_gold_box"), open=False, elem_id="on-gold-box"):
        gr.Markdown(t("eval.on_gold_hint"), elem_classes="pq-lead")
        on_gold = gr.File(label=t("eval.on_gold"), height=120, elem_id="on-gold")
    lang = gr.Textbox("pl", visible="hidden", label="lang", elem_id="evaluate-lang")
    running = build_run_part(service, lang, t)
    with gr.Column(visible=service.keeps_runs, elem_id="keep-box"):
        gr.Markdown(t("eval.kept"), elem_classes="pq-lead")
        keep = gr.Checkbox(False, label=t("eval.keep"), elem_id="keep")
    button = gr.Button(t("eval.button"), variant="primary", elem_id="evaluate")
    gone = gr.HTML("", elem_id="gone", padding=False)
    problems = gr.HTML("", elem_id="problems", padding=False)
    scores = gr.HTML(t("eval.start"), elem_id="scores", padding=False)
    state = gr.State(None, time_to_live=SESSION_SECONDS)
    exports = build_exports(t)
    # Whoever drops several files of a kind wants this first; it is hidden from everybody else.
    comparison = build_comparison(service, state, lang, t)
    items = build_items(service, state, lang, t)
    parts: list[Part] = [
        exports.part,
        comparison,
        items.part,
        build_attribution(service, state, items.which, lang, t),
        *build_plot_parts(state, lang, t),
        *build_analysis_parts(state, lang, t),
    ]
    shown = [problems, scores, state, *(output for part in parts for output in part.outputs)]
    inputs = [gold, gold_file, files, on_gold, keep, *recognition.choices, lang]

    does = _Handlers(service, parts, len(recognition.choices), len(shown))

    button.click(None, None, [gone], js="() => ''", api_visibility="private")
    scored_event = button.click(does.evaluate, inputs, shown, js=LANGUAGE_JS, show_progress_on=[scores], **HEAVY)
    scored_event.then(exports.write, [state, lang], exports.buttons, js=LANGUAGE_JS, show_progress="hidden", **HEAVY)
    golds = [*service.gold_names(), OWN_GOLD]
    choices = [gold, *recognition.choices]
    recall_after = build_lost_session(scored_event, [gold_file, files, on_gold], choices, golds, gone, lang)
    placed = [running.note, running.finished, gold, files, on_gold, *recognition.choices]
    running.ended.then(
        does.open_run, [running.finished, lang], [*placed, *shown], js=LANGUAGE_JS, show_progress_on=[scores], **HEAVY
    ).then(exports.write, [state, lang], exports.buttons, js=LANGUAGE_JS, show_progress="hidden", **HEAVY)
    # A score never stands beside a file that it does not belong to, and one that is being counted comes too late. One
    # event for each change: a second one would come behind the press on the button and call off what it began.
    gr.on(
        [box.change for box in (gold, gold_file, files, on_gold, *recognition.choices)],
        does.clear,
        [state, gold, files, on_gold, *recognition.choices, lang],
        shown,
        js=LANGUAGE_JS,
        api_visibility="private",
        show_progress="hidden",
        queue=False,
        # The files of an old result are written before the next evaluation begins, and their buttons are hidden.
        cancels=[scored_event],
    )
    gold.change(
        lambda name: gr.File(visible=name == OWN_GOLD), [gold], [gold_file], api_visibility="private", queue=False
    )
    for name, button_ in tries.items():
        button_.click(_sample_files(name), None, [gold, files, on_gold], api_visibility="private", queue=False)

    def in_language(chosen: Lang) -> list[Any]:
        return [gr.Radio(_gold_choices(service, chosen)), *recognition.in_language(chosen)]

    return EvaluateTab(choices, in_language, items, recall_after)


def _sample_files(name: str) -> Any:
    def give() -> tuple[str, list[str], None]:
        from polqa_demo.data.catalogue import DEFAULT_GOLD

        return DEFAULT_GOLD, [upload_copy(predictions_file(file)) for file in TRIES[name]], None

    return give


def _gold_choices(service: Service, lang: Lang) -> list[tuple[str, str]]:
    known = [(_gold_label(service, name), name) for name in service.gold_names()]
    return [*known, (say("eval.own_gold", lang), OWN_GOLD)]


def _gold_label(service: Service, name: str) -> str:
    """A choice without a word of any language: `polqa-demo-sample · test · n = 136`; a secret gold has a lock."""
    gold = service.gold(name)
    return f"{'🔒 ' if gold.secret else ''}{name.replace('/', ' · ')} · n = {len(gold.questions)}"
