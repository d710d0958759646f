"""The extractive reader: a small encoder with a trained adapter reads all passages at once and points at the answer."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from polqa_demo.errors import Bilingual, UserError
from polqa_demo.library_failures import library_failures
from polqa_demo.reading.answer_text import century_of, written
from polqa_demo.reading.closed_questions import Support, choose, decide
from polqa_demo.reading.question_types import Asked, Understood, understand
from polqa_demo.reading.span_decoding import Decision, WindowScores, decide_span, null_margin
from polqa_demo.reading.span_features import read_passage
from polqa_demo.reading.span_model import ADAPTER, SpanModel, check_finite, load_adapted, load_hub
from polqa_demo.reading.span_rules import SecondOpinion
from polqa_demo.reading.span_windows import Window, Windowed, make_windows
from polqa_demo.records import Answer, Passage

MAX_PASSAGES = 20
NO_ANSWER = Answer("", 0.0)
_ROMAN = frozenset("IVXLCDM")
_CHOICE_CONFIDENCE = (0.45, 0.3)  # at no and per whole coverage of the question by one sentence


@dataclass(frozen=True, slots=True)
class Counts:
    """What a reader has read since it was made: `skipped` characters were too far from the question to be read."""

    questions: int = 0
    windows: int = 0
    cut_questions: int = 0
    divided_passages: int = 0
    skipped_characters: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """An answer with the best window's log-odds of answering and, for spans alone, the share of agreeing ones."""

    answer: Answer
    surest: float = -math.inf
    agreement: float | None = None


class SpanReader:
    """Answers with a span of a passage, "tak" or "nie", or nothing; a `Reader`, safe to use from several threads.

    A model of others that was trained on SQuAD 2.0 may say that no passage answers; the confidence of the empty answer
    is the one in that, above a half. Questions that no span answers (tak or nie, this or that) are not asked of it.
    It reads the first 20 passages, long ones in overlapping windows. "tak" and "nie" have no span, nor has a century
    worked out from a year.
    """

    name = "spans"

    def __init__(
        self,
        base: Path | None = None,
        adapter: Path = ADAPTER,
        model: SpanModel | None = None,
        base_mark: str = "",
    ) -> None:
        """Takes the folder of the encoder the adapter was trained on, or a model that is loaded already.

        :param base_mark: what tells the encoder's files from all others, where that is known; else they are read for it
        :raises UserError: encoder or adapter cannot be used
        """
        if (base is None) == (model is None):
            raise ValueError("give the encoder's folder or a model, one of the two")
        self._model = model if model is not None else load_adapted(Path(base or ""), adapter, base_mark)
        self._opinion = SecondOpinion()
        self._lock = Lock()
        self._counts = Counts()

    @classmethod
    def from_hub(cls, name: str) -> "SpanReader":
        """A reader on an extractive model of the hub (or its folder), such as radlab/polish-qa-v2.

        :raises UserError: the model cannot be had or is no such model
        """
        return cls(model=load_hub(name))

    @property
    def identity(self) -> Mapping[str, str]:
        """The marks of the model's files and of the rules that have a say in the choice."""
        return {"model": self._model.mark, "rules": self._opinion.mark}

    @property
    def counts(self) -> Counts:
        """What was read until now."""
        return self._counts

    def describe(self) -> Bilingual | None:
        """What was assumed for a model of others; None for the one that is shipped, on a processor."""
        return self._model.describe()

    def read(self, question: str, passages: Sequence[Passage], scores: Sequence[float] = ()) -> Answer:
        """The answer that most of the likely spans agree with; empty when the passages do not hold one.

        :raises UserError: the model breaks down, or its scores are no numbers
        """
        return self.look(question, passages).answer

    def look(self, question: str, passages: Sequence[Passage]) -> Look:
        """The answer with what its confidence comes from.

        :raises UserError: as `read`
        """
        passages = passages[:MAX_PASSAGES]
        asked = understand(question)
        with library_failures(_failed):
            found = make_windows(self._model.tokenizer, question, passages, self._model.layout)
        self._count(found)
        if not found.windows or not question.strip():
            return Look(NO_ANSWER)
        with library_failures(_failed):
            judged = self._model.score(found.windows)
        if not check_finite(judged):
            raise UserError(
                "span-scores",
                "Model czytnika daje wyniki, które nie są liczbami. Użyj innego modelu albo czytnika rules.",
                "The reader's model gives scores that are no numbers. Use another model, or the reader rules.",
            )
        surest = max(item.answerable for item in judged)
        if surest < self._model.calibration.no_answer:
            return Look(NO_ANSWER, surest)
        if asked.asked is Asked.YES_NO:
            return Look(_yes_or_no(asked, passages, found.windows, judged), surest)
        if asked.asked is Asked.CHOICE and (answer := _alternative(asked, passages)):
            return Look(answer, surest)
        return self._span_look(asked, passages, found.windows, judged)

    def _span_look(
        self, asked: Understood, passages: Sequence[Passage], windows: Sequence[Window], judged: Sequence[WindowScores]
    ) -> Look:
        """The span that the windows speak for, unless the model says that none answers."""
        surest = max(item.answerable for item in judged)
        if self._model.may_abstain and (margin := null_margin(windows, judged)) < 0:
            return Look(Answer("", _sigmoid(-margin)), surest)
        decision = decide_span(asked, passages, windows, judged, self._model.weighing, self._opinion)
        if decision is None:
            return Look(NO_ANSWER, surest)
        answer = self._span_answer(asked.asked, decision, passages, surest)
        return Look(answer, surest, decision.agreement)

    def _span_answer(self, asked: Asked, decision: Decision, passages: Sequence[Passage], surest: float) -> Answer:
        span, passage = decision.span, passages[decision.span.passage]
        text = passage.text[span.start : span.end]
        confidence = self._confidence(decision.agreement, surest)
        if asked is Asked.CENTURY and not _ROMAN & set(text) and (century := century_of(text)):
            return Answer(century, confidence, passage.id)
        answer = written(text)
        if answer != text:
            return Answer(answer, confidence, passage.id)
        return Answer(text, confidence, passage.id, span.start, span.end)

    def _confidence(self, agreement: float, surest: float) -> float:
        fitted = self._model.calibration
        share = min(max(agreement, 1e-4), 1 - 1e-4)
        odds = fitted.intercept + fitted.agreement * math.log(share / (1 - share)) + fitted.answerable * surest
        return _sigmoid(odds)

    def _count(self, found: Windowed) -> None:
        with self._lock:
            known = self._counts
            self._counts = replace(
                known,
                questions=known.questions + 1,
                windows=known.windows + len(found.windows),
                cut_questions=known.cut_questions + found.cut_question,
                divided_passages=known.divided_passages + found.divided,
                skipped_characters=known.skipped_characters + found.skipped,
            )


def _sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))


def _yes_or_no(
    question: Understood, passages: Sequence[Passage], windows: Sequence[Window], judged: Sequence[WindowScores]
) -> Answer:
    """ "tak" or "nie" from the window that most likely answers; by rules where the model has no such head."""
    best = max(range(len(judged)), key=lambda place: (judged[place].answerable, -place))
    passage, no = passages[windows[best].passage], judged[best].no
    if no is None:
        support = decide(question, [read_passage(item.text, item.title) for item in passages])
        if support is None:
            return NO_ANSWER
        return Answer(support.text, 0.6, passages[support.passage].id)
    chance = _sigmoid(no)
    return Answer("nie", chance, passage.id) if no > 0 else Answer("tak", 1 - chance, passage.id)


def _alternative(question: Understood, passages: Sequence[Passage]) -> Answer | None:
    """The alternative the passages speak for, as they write it; None when they mention none."""
    texts = [read_passage(passage.text, passage.title) for passage in passages]
    support: Support | None = choose(question, texts)
    if support is None:
        return None
    passage = passages[support.passage]
    least, gain = _CHOICE_CONFIDENCE
    confidence = min(least + gain * support.coverage, 1.0)
    if support.first is None or support.last is None:
        return Answer(written(support.text), confidence, passage.id)
    tokens = texts[support.passage].tokens
    start, end = int(tokens.starts[support.first]), int(tokens.ends[support.last])
    text = passage.text[start:end]
    return (
        Answer(text, confidence, passage.id, start, end)
        if written(text) == text
        else Answer(written(text), confidence, passage.id)
    )


def _failed(reason: str) -> UserError:
    return UserError(
        "span-model-failed",
        f"Model czytnika nie odczytał fragmentów ({reason}). Sprawdź, czy jego pliki do siebie pasują, albo użyj "
        "innego modelu lub czytnika rules.",
        f"The reader's model failed to read the passages ({reason}). See whether its files fit one another, or use "
        "another model or the reader rules.",
    )
