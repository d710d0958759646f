"""The reader without a neural model: question type, candidate spans, a weighted sum of what speaks for each.

Small, quick and explainable: some hundred weights (`rule_weights.py`), learnt from questions with their passages.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance.Levenshtein import distance

from polqa_demo.reading.candidates import Kind
from polqa_demo.reading.closed_questions import Support, choose, decide
from polqa_demo.reading.passage_evidence import EVIDENCE, passage_evidence
from polqa_demo.reading.question_types import Asked, Understood, understand
from polqa_demo.reading.rule_weights import BY_TYPE, PASSAGES, SHARED
from polqa_demo.reading.span_features import NAMES, ReadPassage, features, other_life_event, read_passage, shares_a_word
from polqa_demo.reading.word_games import completion, expansion
from polqa_demo.records import Answer, Passage

MAX_PASSAGES = 20
NO_ANSWER = Answer("", 0.0)

Floats = NDArray[np.float64]

_RIVALS = 40  # best spans that are weighed against each other
_TEMPERATURE = 1.5
_UNWANTED = 100.0
_YEAR_FOR_CENTURY = 5.0
_CUT_NAME = 1.5
# Day and month without the year behind them count as right by the score, which reads the first number alone.
_CUT_DATE = 5.0
_OTHER_LIFE_EVENT = 5.0
_CUTS_DATE = NAMES.index("cuts_date")
_CUTS = [NAMES.index("cuts_name_left"), NAMES.index("cuts_name_right")]
_WHOLE_FORM = 0.7  # confidence in an expansion or ending found in the passage letter by letter
_YES_CONFIDENCE = (0.62, 0.34)  # at no and per whole coverage of the question by one sentence
_NO_CONFIDENCE = 0.7
_CHOICE_CONFIDENCE = (0.45, 0.3)
_CALIBRATION = (-0.14, 1.10, 0.41)  # intercept, log-odds of the agreeing share, coverage of the question

# What an answer to such a question must be, wherever the passages have any.
_REQUIRED = {
    Asked.YEAR: Kind.YEAR | Kind.PERIOD,
    Asked.CENTURY: Kind.CENTURY,
    Asked.HOW_MANY: Kind.NUMBER | Kind.QUANTITY,
}


def weight_table() -> Floats:
    """The weights as learnt: a row for each `Asked`, a column for each feature."""
    return np.array(
        [[SHARED.get(name, 0.0) + BY_TYPE.get(str(asked), {}).get(name, 0.0) for name in NAMES] for asked in Asked]
    )


def passage_weights(weights: Mapping[str, float] = PASSAGES) -> Floats:
    """What each column of `passage_evidence` weighs, in the unit of the spans' weights."""
    return np.array([weights[name] for name in EVIDENCE])


def weights_mark(*tables: Floats) -> str:
    """A checksum (hex) of weights, as they are."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(table, dtype="<f8").tobytes() for table in tables)).hexdigest()


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen span with what its confidence is computed from."""

    passage: int
    start: int
    end: int
    agreement: float
    coverage: float


class RuleReader:
    """Answers from passages by hand-made features and learnt weights; a `Reader`.

    It reads the first 20 passages. "tak" and "nie" have no span, nor has a century worked out from a year.
    """

    name = "rules"

    def __init__(self, weights: Floats | None = None, passages: Mapping[str, float] = PASSAGES) -> None:
        """Takes other weights than the learnt ones: a row of spans' weights for each `Asked`, and passages' by name."""
        table = weight_table() if weights is None else weights
        self._passage_weights = passage_weights(passages)
        self.identity: Mapping[str, str] = {"weights": weights_mark(table, self._passage_weights)}
        self._weights = dict(zip(Asked, table.astype(np.float32), strict=True))
        for asked in (Asked.YEAR, Asked.CENTURY):
            # Where a year is wanted, the year of a full date is no fragment.
            self._weights[asked][NAMES.index("cuts_date")] = 0.0

    def describe(self) -> None:
        """Nothing: all of it is shipped."""

    def read(self, question: str, passages: Sequence[Passage], scores: Sequence[float] = ()) -> Answer:
        """The answer that most of the likely spans agree with; empty when nothing in the passages fits.

        The order of the passages counts, their scores do not.
        """
        understood = understand(question)
        passages = passages[:MAX_PASSAGES]
        texts = [read_passage(passage.text, passage.title) for passage in passages]
        if understood.asked is Asked.YES_NO:
            return _yes_or_no(decide(understood, texts), passages)
        if understood.asked is Asked.CHOICE:
            chosen = choose(understood, texts)
            if chosen is not None:
                return _alternative(chosen, texts, passages)
        formed = _formed(understood, texts, passages)
        if formed is not None:
            return formed
        span = self.choose_span(understood, texts)
        if span is None:
            return NO_ANSWER
        return _span_answer(understood, span, passages)

    def span_values(self, question: Understood, text: ReadPassage) -> tuple[Floats, Floats]:
        """What speaks for each span of a passage, whatever the others hold; and its sentence's share of the question.

        Nothing for a passage that shares no word with the question.
        """
        if not len(text.spans.first) or not shares_a_word(text, question):
            return np.zeros(0), np.zeros(0)
        matrix = features(text, question)
        values = matrix @ self._weights[question.asked] - _penalties(text, question, matrix)
        return values.astype(np.float64), matrix[:, NAMES.index("sentence")].astype(np.float64)

    def choose_span(self, question: Understood, texts: Sequence[ReadPassage]) -> Choice | None:
        """The best span of all passages, None when no passage shares a word with the question."""
        priors = (passage_evidence(texts, question) @ self._passage_weights).tolist()
        rivals: list[tuple[float, int, int, float]] = []
        for number, text in enumerate(texts):
            values, coverage = self.span_values(question, text)
            values += priors[number]
            best = np.argsort(-values, kind="stable")[:_RIVALS]
            rivals += [(float(values[row]), number, int(row), float(coverage[row])) for row in best]
        if not rivals:
            return None
        rivals.sort(key=lambda rival: (-rival[0], rival[1], rival[2]))
        wanted = [rival for rival in rivals[:_RIVALS] if rival[0] > rivals[0][0] - _UNWANTED / 2]
        return _most_agreed(wanted, texts)


def _penalties(text: ReadPassage, question: Understood, matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """What is taken from spans of the wrong kind, and from parts of names where a name is asked for."""
    kinds = text.spans.kinds
    penalties = np.zeros(len(kinds), dtype=np.float32)
    required = _REQUIRED.get(question.asked)
    if required is not None:
        penalties[(kinds & int(required)) == 0] = _UNWANTED
    if question.asked is Asked.CENTURY:
        # A year tells its century, but a century that is written out goes first.
        penalties[((kinds & int(Kind.YEAR)) > 0) & (penalties > 0)] = _YEAR_FOR_CENTURY
    penalties += _OTHER_LIFE_EVENT * other_life_event(text, question)
    if question.asked in (Asked.WHO, Asked.NAME):
        penalties += _CUT_NAME * (matrix[:, _CUTS].max(axis=1) > 0)
    if question.asked not in (Asked.YEAR, Asked.CENTURY):
        ends_in_month = text.tokens.marks("month")[text.spans.last] > 0
        penalties += _CUT_DATE * (ends_in_month & (matrix[:, _CUTS_DATE] > 0))
    return penalties


def _most_agreed(rivals: Sequence[tuple[float, int, int, float]], texts: Sequence[ReadPassage]) -> Choice:
    """The span that would be right for the largest share of the likely golds: minimum Bayes risk under the score.

    Source: S. Kumar and W. Byrne, Minimum Bayes-risk decoding, HLT-NAACL (2004).
    """
    values = np.array([rival[0] for rival in rivals])
    shares = np.exp((values - values.max()) / _TEMPERATURE)
    shares /= shares.sum()
    spans = [_characters(texts[number], row) for _, number, row, _ in rivals]
    forms = [texts[rival[1]].tokens.text[start:end].lower() for rival, (start, end) in zip(rivals, spans, strict=True)]
    digits = [_first_digits(form) for form in forms]
    agreed = [
        sum(
            share
            for share, gold, number in zip(shares, forms, digits, strict=True)
            if _would_be_right(form, digits[place], gold, number)
        )
        for place, form in enumerate(forms)
    ]
    best = int(np.argmax(agreed))
    return Choice(rivals[best][1], *spans[best], float(min(agreed[best], 1.0)), rivals[best][3])


def _first_digits(text: str) -> str:
    start = next((place for place, sign in enumerate(text) if sign in "0123456789"), len(text))
    end = next((place for place in range(start, len(text)) if text[place] not in "0123456789"), len(text))
    return text[start:end]


def _would_be_right(answer: str, number: str, gold: str, gold_number: str) -> bool:
    """The score's rule in short: a number decides alone, otherwise half of the gold's letters may differ."""
    if gold_number:
        return number == gold_number
    limit = len(gold) // 2
    return abs(len(answer) - len(gold)) <= limit and distance(answer, gold, score_cutoff=limit) <= limit


def _characters(text: ReadPassage, row: int) -> tuple[int, int]:
    tokens, spans = text.tokens, text.spans
    return int(tokens.starts[spans.first[row]]), int(tokens.ends[spans.last[row]])


def _span_answer(question: Understood, span: Choice, passages: Sequence[Passage]) -> Answer:
    passage = passages[span.passage]
    text = passage.text[span.start : span.end]
    confidence = calibrated(span.agreement, span.coverage)
    if question.asked is Asked.CENTURY and not any(sign in "IVX" for sign in text):
        year = _first_digits(text)
        if not year:
            return NO_ANSWER
        return Answer(f"{_roman((int(year[:4]) + 99) // 100)} wiek", confidence, passage.id)
    return Answer(text, confidence, passage.id, span.start, span.end)


def calibrated(agreement: float, coverage: float) -> float:
    """The chance that a span is right, from the share of rivals it agrees with and the question's coverage."""
    intercept, slope, gain = _CALIBRATION
    share = min(max(agreement, 1e-4), 1 - 1e-4)
    odds = intercept + slope * math.log(share / (1 - share)) + gain * coverage
    return 1 / (1 + math.exp(-odds))


def _roman(number: int) -> str:
    parts = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    text = ""
    for value, letters in parts:
        while number >= value:
            text += letters
            number -= value
    return text


def _yes_or_no(support: Support | None, passages: Sequence[Passage]) -> Answer:
    if support is None:
        return NO_ANSWER
    least, gain = _YES_CONFIDENCE
    confidence = _NO_CONFIDENCE if support.text == "nie" else min(least + gain * support.coverage, 1.0)
    return Answer(support.text, confidence, passages[support.passage].id)


def _alternative(support: Support, texts: Sequence[ReadPassage], passages: Sequence[Passage]) -> Answer:
    """The alternative as the passage writes it when that differs by inflection alone, else as the question does."""
    passage = passages[support.passage]
    least, gain = _CHOICE_CONFIDENCE
    confidence = min(least + gain * support.coverage, 1.0)
    if support.first is None or support.last is None:
        return Answer(support.text, confidence, passage.id)
    tokens = texts[support.passage].tokens
    start, end = int(tokens.starts[support.first]), int(tokens.ends[support.last])
    return Answer(passage.text[start:end], confidence, passage.id, start, end)


def _formed(question: Understood, texts: Sequence[ReadPassage], passages: Sequence[Passage]) -> Answer | None:
    """The answer to a quiz command whose form the passage shows letter by letter."""
    search = {Asked.EXPANSION: expansion, Asked.COMPLETION: completion}.get(question.asked)
    if search is None:
        return None
    for text, passage in zip(texts, passages, strict=True):
        found = search(question, text.tokens)
        if found is not None:
            start, end = int(text.tokens.starts[found[0]]), int(text.tokens.ends[found[1]])
            return Answer(passage.text[start:end], _WHOLE_FORM, passage.id, start, end)
    return None
