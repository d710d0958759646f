"""The tab "Zapytaj": a question, its answer, and the passages with the reasons."""

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from polqa_demo.errors import Lang, UserError
from polqa_demo.pipeline import about_question
from polqa_demo.ui.newest import NewestQuestions
from polqa_demo.ui.part import LANGUAGE_JS
from polqa_demo.ui.render import answer_html, asked_html, notice_html, passages_html
from polqa_demo.ui.service import Service
from polqa_demo.ui.texts import TEXTS, language, say

# Of the sample's test split, one of each kind, and such that the default pipeline answers (a test holds that).
EXAMPLES = (
    "Na jaką wyspę trafił Napoleon po przegranej pod Waterloo?",
    "Ile pełnych tygodni ma rok?",
    "Czy prezydent Francji panuje zarazem w Andorze jako współksiążę?",
    "W którym wieku ktoś po raz pierwszy zobaczył Ganimedesa przez lunetę?",
)

# The page's language and the address travel with the click: the server knows neither.
SEND_JS = """(question) => {
  const address = new URL(window.location);
  if (question.trim()) address.searchParams.set('q', question); else address.searchParams.delete('q');
  address.searchParams.delete('tab');
  window.history.replaceState(window.history.state, '', address);
  return [question, document.documentElement.lang];
}"""
# `nearest` moves the page only when the passage is out of sight.
SHOW_SOURCE_JS = "() => document.querySelector('.pq-passage.source')?.scrollIntoView({block: 'nearest'})"


@dataclass(frozen=True, slots=True)
class AskTab:
    """What the rest of the app needs of this tab."""

    question: gr.Textbox
    settings: gr.Accordion
    lang: gr.Textbox
    # Language -> the folded line of the default settings.
    in_language: Callable[[Lang], Any]
    # The way back to the other tab, seen by who came from there.
    back: gr.Button
    # What is put in here is asked at once.
    given: gr.Textbox
    # An event that has filled in the question is followed by its answer.
    answer_after: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class _Sent:
    """A question on its way through the page: its visitor's number of it, and what tells it from all others."""

    question: str
    number: int
    mark: str

    @classmethod
    def read(cls, text: str) -> "_Sent":
        """From what came back from a page, which may be anything; of no question, an empty one."""
        try:
            question, number, mark = json.loads(text)
            return cls(str(question), int(number), str(mark))
        except (ValueError, TypeError, RecursionError):
            return cls("", 0, "")

    def text(self) -> str:
        return json.dumps([self.question, self.number, self.mark])


@dataclass(frozen=True, slots=True)
class _Handlers:
    """What the events of the tab do."""

    service: Service
    newest: NewestQuestions

    def send(self, text: str, page_language: str, request: gr.Request) -> tuple[Any, Any, Any]:
        """Takes up a question -> what is answered next, and the outputs while an older one is being given up."""
        session = request.session_hash or ""
        waits = self.newest.is_working(session)
        known = _Sent(text, self.newest.add(session), secrets.token_hex(8))
        if not waits:
            return known.text(), gr.skip(), gr.skip()
        # What stands there belongs to a question before the one that was given up.
        chosen = language(page_language)
        return known.text(), asked_html(text, chosen) + notice_html(TEXTS["ask.searching"], chosen, "start"), ""

    def answer(
        self,
        given: str,
        retriever_name: str,
        reader_name: str,
        count: float,
        fold: bool,
        page_language: str,
        request: gr.Request,
    ) -> Iterator[tuple[Any, Any]]:
        """What was taken up -> its answer and passages; nothing once there is a newer question."""
        chosen, known, parts = language(page_language), _Sent.read(given), (retriever_name, reader_name)
        if not self.service.ready(*parts):
            yield asked_html(known.question, chosen) + notice_html(TEXTS["ask.loading"], chosen, "note"), ""
        found = self.newest.answer(
            request.session_hash or "",
            known.number,
            lambda: ask_html(self.service, known.question, parts, count, chosen, bool(fold)),
        )
        yield found or (gr.skip(), gr.skip())


def build_ask_tab(service: Service, t: gr.I18n) -> AskTab:
    """Lays out the tab and wires its events."""
    back = gr.Button(t("item.back"), visible=False, size="sm", elem_id="back")
    with gr.Row(equal_height=True):
        question = gr.Textbox(
            label=t("ask.question"),
            placeholder=t("ask.placeholder"),
            max_lines=3,
            lines=1,
            scale=5,
            min_width=300,
            elem_id="question",
        )
        button = gr.Button(t("ask.button"), variant="primary", scale=1, min_width=120, elem_id="ask")
    if service.on_sample:
        gr.Markdown(t("ask.sample"), elem_classes="pq-lead")
    with gr.Row(elem_id="examples"):
        # They ask about the embedded sample; another corpus knows nothing of them.
        examples = [gr.Button(text, size="sm", min_width=200) for text in (EXAMPLES if service.on_sample else ())]
    default, (retrievers, readers) = service.default, service.offered
    with (
        gr.Accordion(
            settings_line(default.retriever, default.reader, service.knobs.top_k, service.corpus_name, "pl"), open=False
        ) as box,
        gr.Row(),
    ):
        retriever = gr.Radio(list(retrievers), value=default.retriever, label=t("ask.retriever"), elem_id="retriever")
        reader = gr.Radio(list(readers), value=default.reader, label=t("ask.reader"), elem_id="reader")
        top_k = gr.Slider(
            1, service.knobs.max_top_k, value=service.knobs.top_k, step=1, label=t("ask.top_k"), elem_id="top-k"
        )
        folding = gr.Checkbox(False, label=t("ask.fold"), elem_id="fold")
    answer = gr.HTML(t("ask.start"), elem_id="answer", elem_classes="pq-start", padding=False)
    passages = gr.HTML("", elem_id="passages", padding=False)
    lang = gr.Textbox("pl", visible="hidden", elem_id="ask-lang", label="lang")
    # Every way to ask puts the question in here, and what changes in here is answered: one event for all, of which the
    # page lets one run at a time, so that answers come in the order of their questions.
    sent = gr.Textbox("", visible="hidden", elem_id="ask-sent", label="sent")
    outputs = [answer, passages]

    given = gr.Textbox("", visible="hidden", elem_id="ask-given", label="given")
    does = _Handlers(service, NewestQuestions())
    quick: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden", "queue": False}
    answered = sent.change(
        does.answer,
        [sent, retriever, reader, top_k, folding, lang],
        outputs,
        js=LANGUAGE_JS,
        api_visibility="private",
        concurrency_limit=4,
        concurrency_id="ask",
        show_progress_on=[answer],
        trigger_mode="always_last",
    )
    answered.then(None, None, None, js=SHOW_SOURCE_JS, api_visibility="private")
    gr.on(
        [button.click, question.submit],
        does.send,
        [question, lang],
        [sent, *outputs],
        js=SEND_JS,
        trigger_mode="multiple",
        **quick,
    )

    def answer_after(filled: Any) -> None:
        filled.then(does.send, [question, lang], [sent, *outputs], js=SEND_JS, **quick)

    given.change(does.send, [given, lang], [sent, *outputs], js=SEND_JS, trigger_mode="multiple", **quick)

    for example in examples:
        answer_after(example.click(lambda text: text, [example], [question], trigger_mode="multiple", **quick))

    def rename(retriever_name: str, reader_name: str, count: float, page_language: str) -> Any:
        name = service.corpus_name
        return gr.Accordion(label=settings_line(retriever_name, reader_name, count, name, language(page_language)))

    gr.on(
        # A release may come before the number that was typed; what changed last is what counts.
        [retriever.change, reader.change, top_k.change],
        rename,
        [retriever, reader, top_k, lang],
        [box],
        js=LANGUAGE_JS,
        trigger_mode="always_last",
        api_visibility="private",
        show_progress="hidden",
    )

    def in_language(chosen: Lang) -> Any:
        line = settings_line(default.retriever, default.reader, service.knobs.top_k, service.corpus_name, chosen)
        return gr.Accordion(label=line)

    return AskTab(question, box, lang, in_language, back, given, answer_after)


def ask_html(
    service: Service, text: str, parts: tuple[str, str], top_k: float, lang: Lang, fold: bool = False
) -> tuple[str, str]:
    """Answer and passages of one question as HTML, by a retriever and a reader.

    An expected failure becomes a message in the answer's place.
    """
    try:
        pipeline = service.pipeline(*parts)
        asked = pipeline.ask(text, int(top_k), explain=True, fold=fold)
    except UserError as error:
        return asked_html(text, lang) + notice_html(error.message, lang), ""
    check = service.gold_questions().check(asked.question, asked.answer.text, [hit.passage.id for hit in asked.hits])
    notice = about_question(asked.question)
    above = notice_html(notice, lang, "note") if notice else ""
    told = [*pipeline.origin.assumed.values(), *filter(None, [pipeline.cut_warning()])]
    answered = asked_html(asked.question, lang) + above + answer_html(asked, check, lang)
    return answered, passages_html(asked, service.wikipedia_ids, lang, told)


def settings_line(retriever: str, reader: str, top_k: float, corpus: str, lang: Lang) -> str:
    """The folded settings in one line: `Ustawienia: polqa-demo-sample · lexical · rules · fragmenty: 10`."""
    count = f"{say('ask.passages_count', lang)}: {int(top_k)}"
    return f"{say('ask.settings', lang)}: {corpus} · {retriever} · {reader} · {count}"
