"""The folded part "Uruchom na zbiorze": the app's own pipeline over a whole gold set, with pause and going on."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import gradio as gr

from polqa_demo.errors import Lang, UserError
from polqa_demo.runs import splits
from polqa_demo.runs.splits import Step
from polqa_demo.ui.downloads import upload_copy
from polqa_demo.ui.part import LANGUAGE_JS, QUICK
from polqa_demo.ui.render import notice_html
from polqa_demo.ui.service import Service
from polqa_demo.ui.texts import TEXTS, language, say

# Runs wait for one another and for nobody else: questions and evaluations have queues of their own.
_QUEUE: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": 1, "concurrency_id": "runs"}
# A line of progress is read aloud, so it comes seldom.
_SECONDS = 1.0
# From so many questions on their pace says something.
_ENOUGH = 3
_LIVE_JS = "element.setAttribute('aria-live', 'polite');"
_SESSION_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Finished:
    """A run whose files are there."""

    gold: str
    folder: Path

    def copies(self) -> tuple[list[str], str | None]:
        """Copies for the page: rankings with answers, and the answers on gold passages where there are any."""
        on_gold = self.folder / splits.FILES[splits.FROM_GOLD]
        shown = [upload_copy(self.folder / splits.FILES[stage]) for stage in (splits.RANKINGS, splits.ANSWERS)]
        return shown, upload_copy(on_gold) if on_gold.is_file() else None


@dataclass(frozen=True, slots=True)
class RunPart:
    """What the tab needs of this part: the event that ends with a run, paused or whole, and where the latter stands."""

    ended: Any
    finished: gr.State
    note: gr.HTML


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a visitor has chosen."""

    gold: str
    retriever: str
    reader: str


Press = tuple[str, int]
"""A visitor's session and the number of a press of its button."""


@dataclass(slots=True)
class Working:
    """The runs that this process computes, so that a second visitor is told and does not wait for the first.

    A run looks after every question whether its visitor wants it to stop. Cancelling its event instead would cut a
    stream that the page needs for the next one.
    """

    _runs: dict[Wanted, Press] = field(default_factory=dict)
    _stopped: set[Press] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __contains__(self, wanted: object) -> bool:
        with self._lock:
            return wanted in self._runs and self._runs[wanted] not in self._stopped

    def __bool__(self) -> bool:
        return bool(self._runs)

    @contextmanager
    def on(self, wanted: Wanted, press: Press) -> Iterator[None]:
        """Lists a run for as long as it is computed."""
        with self._lock:
            self._runs[wanted] = press
        try:
            yield
        finally:
            with self._lock:
                self._runs.pop(wanted, None)
                self._stopped.discard(press)

    def stop(self, press: Press) -> None:
        """Asks the run of a press to stop, also one that still waits for its turn."""
        with self._lock:
            self._stopped.add(press)

    def is_stopped(self, press: Press) -> bool:
        """Whether the run of a press was asked to stop."""
        return press in self._stopped


class Pace:
    """How fast the questions of a stage go, from those done since it was taken up."""

    def __init__(self) -> None:
        self._stage, self._began, self._from = "", 0.0, 0

    def minutes_left(self, step: Step, now: float) -> float | None:
        """Minutes to the end of the stage, None while there is nothing to tell them from; `now` in seconds."""
        if step.stage != self._stage:
            self._stage, self._began, self._from = step.stage, now, step.done
        done = step.done - self._from
        if done < _ENOUGH or step.done == step.total:
            return None
        return (now - self._began) / done * (step.total - step.done) / 60


def build_run_part(service: Service, lang: gr.Textbox, t: gr.I18n) -> RunPart:
    """Lays out the part and wires its opening and its buttons."""
    default, (retrievers, readers) = service.default, service.offered
    with gr.Accordion(t("runs.box"), open=False, elem_id="run-box") as box:
        gr.Markdown(t("runs.lead"), elem_classes="pq-lead")
        # Which sets belong to the corpus shows when it is open.
        gold = gr.Radio([], label=t("runs.gold"), elem_id="run-gold")
        with gr.Row():
            retriever = gr.Radio(
                list(retrievers), value=default.retriever, label=t("ask.retriever"), elem_id="run-retriever"
            )
            reader = gr.Radio(list(readers), value=default.reader, label=t("ask.reader"), elem_id="run-reader")
        with gr.Row():
            start = gr.Button(t("runs.start"), elem_id="run-start", min_width=120)
            pause = gr.Button(t("runs.pause"), elem_id="run-pause", min_width=120, interactive=False)
        progress = gr.HTML("", elem_id="run-progress", padding=False, js_on_load=_LIVE_JS)
        note = gr.HTML("", elem_id="run-note", padding=False)
    # A new number in it starts a run, so that a press that must not start one has no place in the queue.
    go = gr.State(0, time_to_live=_SESSION_SECONDS)
    finished = gr.State(None, time_to_live=_SESSION_SECONDS)
    working = Working()

    def fill(chosen: str | None, page_language: str) -> tuple[Any, str]:
        names = runnable(service)
        value = chosen if chosen in names else next(iter(names), None)
        shown = "" if names else notice_html(TEXTS["runs.no_gold"], language(page_language), "note")
        return gr.Radio(choices=[(label, name) for name, label in names.items()], value=value), shown

    def press(count: int, gold_name: str | None, retriever_name: str, reader_name: str, page_language: str) -> Any:
        chosen = language(page_language)
        if not gold_name:
            return notice_html(TEXTS["runs.choose"], chosen, "note"), gr.skip(), gr.skip(), gr.skip()
        if Wanted(gold_name, retriever_name, reader_name) in working:
            return notice_html(TEXTS["runs.busy"], chosen, "note"), gr.skip(), gr.skip(), gr.skip()
        waiting = notice_html(TEXTS["runs.waiting" if working else "runs.opening"], chosen, "start")
        return waiting, count + 1, None, gr.Button(interactive=True)

    def work(
        count: int, gold_name: str, retriever_name: str, reader_name: str, page_language: str, request: gr.Request
    ) -> Iterator[list[Any]]:
        chosen = language(page_language)
        gold_name, retriever_name, reader_name = (str(one) for one in (gold_name, retriever_name, reader_name))
        wanted, own = Wanted(gold_name, retriever_name, reader_name), (request.session_hash or "", count)
        try:
            with working.on(wanted, own):
                pipeline, gold_set = service.pipeline(retriever_name, reader_name), service.gold(gold_name)
                folder = service.knobs.cache_dir / "runs" / splits.run_key(pipeline, gold_set)
                with closing(splits.steps(pipeline, gold_set, folder)) as steps:
                    wanted_steps = takewhile(lambda _: not working.is_stopped(own), steps)
                    for line in _lines(wanted_steps, splits.stages(gold_set), chosen):
                        yield [line, gr.skip() if working.is_stopped(own) else "", None, gr.skip()]
                if working.is_stopped(own):
                    return
        except UserError as error:
            yield ["", notice_html(error.message, chosen), None, gr.Button(interactive=False)]
            return
        done = notice_html(TEXTS["runs.done"], chosen, "start")
        yield [gr.skip(), done, Finished(gold_name, folder), gr.Button(interactive=False)]

    def paused(count: int, page_language: str, request: gr.Request) -> tuple[str, Any]:
        working.stop((request.session_hash or "", count))
        return notice_html(TEXTS["runs.paused"], language(page_language), "note"), gr.Button(interactive=False)

    box.expand(fill, [gold, lang], [gold, note], js=LANGUAGE_JS, **QUICK)
    choices = [gold, retriever, reader]
    start.click(press, [go, *choices, lang], [note, go, finished, pause], js=LANGUAGE_JS, **QUICK)
    ended = go.change(
        work,
        [go, *choices, lang],
        [progress, note, finished, pause],
        js=LANGUAGE_JS,
        show_progress="hidden",
        # Unchecked by Gradio, whose refusal is a traceback; names that are not offered are refused in words.
        preprocess=False,
        **_QUEUE,
    )
    pause.click(paused, [go, lang], [note, pause], js=LANGUAGE_JS, queue=False, **QUICK)
    return RunPart(ended, finished, note)


def runnable(service: Service) -> dict[str, str]:
    """The gold sets whose questions may be asked of the app's corpus: name -> its label, without a word."""
    golds = {name: service.gold(name) for name in service.gold_names()}
    return {
        name: f"{name.replace('/', ' · ')} · n = {len(gold.questions)}"
        for name, gold in golds.items()
        if not gold.secret and service.in_corpus(gold) is not None
    }


def _lines(steps: Iterator[Step], stages: tuple[str, ...], lang: Lang) -> Iterator[str]:
    """The progress of a run in words, now and then, and at every turn of a stage."""
    pace, told = Pace(), 0.0
    for step in steps:
        now = time.monotonic()
        left = pace.minutes_left(step, now)
        if now - told >= _SECONDS or step.done == step.total:
            told = now
            yield progress_html(step, stages, left, lang)


def progress_html(step: Step, stages: tuple[str, ...], minutes: float | None, lang: Lang) -> str:
    """`Etap 2 z 3: czytanie znalezionych fragmentów · pytania: 12 z 24 · do końca etapu około 3 min`."""
    of = say("runs.of", lang)
    at = f"{say('runs.stage', lang)} {stages.index(step.stage) + 1} {of} {len(stages)}"
    parts = [
        f"{at}: {say(f'runs.{step.stage}', lang)}",
        f"{say('runs.questions', lang)}: {step.done} {of} {step.total}",
    ]
    if minutes is not None:
        about = f"{say('runs.left', lang)} {round(minutes)} {say('runs.minutes', lang)}"
        parts.append(say("runs.under_a_minute", lang) if minutes < 1 else about)
    return f'<p class="pq-meta">{" · ".join(parts)}</p>'
