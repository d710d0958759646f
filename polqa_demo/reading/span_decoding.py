"""Scores of tokens -> the one answer: candidate spans of all windows, weighed against each other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance.Levenshtein import distance

from polqa_demo.reading.answer_text import narrow, trim
from polqa_demo.reading.question_types import Understood
from polqa_demo.reading.span_rules import SecondOpinion
from polqa_demo.reading.span_windows import Window
from polqa_demo.records import Passage

Floats = NDArray[np.float32]

_ENDS_KEPT = 24  # best first and last tokens of a window that are paired
_RIVALS = 60  # best spans of all windows that are weighed against each other
_ASKED_ABOUT = 4  # passages of the best spans that the rules read as well
_SPARED = 0.03  # of the agreement, for the sake of a whole answer
_ARABIC = re.compile(r"[0-9]*\.[0-9]+|[0-9]+")
_ROMAN = re.compile(r"(?<!\S)[IVXLCDM]+(?!\S)")


@dataclass(frozen=True, slots=True)
class WindowScores:
    """What the model says of one window.

    `start` and `end` are logits of the tokens of `Window.offsets`, comparable between windows of one question;
    `answerable` is the log-odds that the window answers the question; `no` the log-odds of "nie" against "tak", None
    where the model has no such head; `null` the score of no answer as SQuAD 2.0 has it, the first token's as first and
    as last (of models that know none: 0).
    """

    start: Floats
    end: Floats
    answerable: float
    no: float | None = None
    null: float = 0.0


@dataclass(frozen=True, slots=True)
class Weighing:
    """How the parts of a span's score are weighed; fitted with the model, kept beside its weights.

    `answerable` multiplies the window's log-probability of being the right one, `rank` the logarithm of the passage's
    rank, `rules` the log-share the rule reader gives to a span of the passages of the best spans, `temperature` divides
    scores before they become shares, `longest` is the longest span in tokens.
    """

    answerable: float = 1.0
    rank: float = 0.0
    rules: float = 0.0
    temperature: float = 1.0
    longest: int = 30


@dataclass(frozen=True, slots=True)
class Span:
    """A candidate: characters of a passage, with the sum of what speaks for it."""

    passage: int
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Decision:
    """The chosen span; `agreement` is the share of the likely spans it would be right for."""

    span: Span
    agreement: float


def decide_span(
    question: Understood,
    passages: Sequence[Passage],
    windows: Sequence[Window],
    scores: Sequence[WindowScores],
    weighing: Weighing,
    opinion: SecondOpinion | None = None,
) -> Decision | None:
    """The span that most of the likely spans agree with under the score's rule; None when no window has any word.

    Agreement instead of the best single score is minimum Bayes risk: S. Kumar and W. Byrne, HLT-NAACL (2004).
    """
    found: dict[tuple[int, int, int], float] = {}
    for window, score in zip(windows, scores, strict=True):
        prior = weighing.answerable * _log_sigmoid(score.answerable) - weighing.rank * float(np.log1p(window.passage))
        text = passages[window.passage].text
        for start, end, value in _spans(text, window, score, weighing.longest):
            key = (window.passage, *narrow(question.asked, text, *trim(text, start, end)))
            if key[1] < key[2]:
                found[key] = max(found.get(key, -np.inf), value + prior)
    rivals = sorted((Span(*key, value) for key, value in found.items()), key=lambda span: -span.score)[:_RIVALS]
    if opinion is not None and weighing.rules:
        rivals = _with_rules(rivals, question, passages, weighing.rules, opinion)
    return _most_agreed(rivals, passages, weighing.temperature) if rivals else None


def best_span_score(start: Floats, end: Floats, longest: int) -> float:
    """The best sum of a first and a last token that make a span of at most `longest` tokens."""
    reach = np.full(len(end) + longest - 1, -np.inf, np.float32)
    reach[: len(end)] = end
    return float((start + np.lib.stride_tricks.sliding_window_view(reach, longest).max(axis=1)).max())


def null_margin(windows: Sequence[Window], scores: Sequence[WindowScores]) -> float:
    """How far the best span of any passage lies above no answer; below 0 where no answer wins.

    In each passage the best span of its windows against the least of their null scores, as the official script of
    SQuAD 2.0 and its followers (P. Rajpurkar, R. Jia, P. Liang, arXiv:1806.03822), with a threshold of 0.
    """
    best: dict[int, float] = {}
    null: dict[int, float] = {}
    for window, score in zip(windows, scores, strict=True):
        best[window.passage] = max(best.get(window.passage, -np.inf), score.answerable + score.null)
        null[window.passage] = min(null.get(window.passage, np.inf), score.null)
    return max(best[passage] - null[passage] for passage in best)


def _with_rules(
    rivals: Sequence[Span], question: Understood, passages: Sequence[Passage], weight: float, opinion: SecondOpinion
) -> list[Span]:
    """The spans of the passages that hold the best ones, with the rules' word on each; the others fall away."""
    numbers = list(dict.fromkeys(span.passage for span in rivals))[:_ASKED_ABOUT]
    own = [[span for span in rivals if span.passage == number] for number in numbers]
    asked = [
        (passages[number], [(span.start, span.end) for span in spans])
        for number, spans in zip(numbers, own, strict=True)
    ]
    weighed = [
        replace(span, score=span.score + weight * value)
        for spans, values in zip(own, opinion.of(question, asked), strict=True)
        for span, value in zip(spans, values, strict=True)
    ]
    return sorted(weighed, key=lambda span: -span.score)


def _spans(text: str, window: Window, score: WindowScores, longest: int) -> list[tuple[int, int, float]]:
    """Pairs of the best first and last tokens that begin and end words, as characters with their scores."""
    begins = np.array([_is_border(text, start, first=True) for start, _ in window.offsets])
    ends = np.array([_is_border(text, end, first=False) for _, end in window.offsets])
    firsts = _best(np.where(begins, score.start, -np.inf))
    lasts = _best(np.where(ends, score.end, -np.inf))
    return [
        (window.offsets[first][0], window.offsets[last][1], float(score.start[first] + score.end[last]))
        for first in firsts
        for last in lasts
        if first <= last < first + longest
    ]


def _best(values: NDArray[np.float64]) -> list[int]:
    kept = np.argsort(-values, kind="stable")[:_ENDS_KEPT]
    return [int(place) for place in kept if np.isfinite(values[place])]


def _is_border(text: str, place: int, first: bool) -> bool:
    """Whether a word may begin (or end) at this character."""
    if first:
        while place < len(text) and text[place].isspace():
            place += 1
    return not (0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum())


def _log_sigmoid(value: float) -> float:
    return float(-np.logaddexp(0.0, -value))


def _most_agreed(rivals: Sequence[Span], passages: Sequence[Passage], temperature: float) -> Decision:
    values = np.array([span.score for span in rivals])
    shares = np.exp((values - values.max()) / temperature)
    shares /= shares.sum()
    forms = [passages[span.passage].text[span.start : span.end] for span in rivals]
    numbers = [first_number(form) for form in forms]
    lowered = [form.lower() for form in forms]
    agreed = [
        sum(
            share
            for share, gold, wanted in zip(shares, lowered, numbers, strict=True)
            if _accepts(gold, wanted, form, number)
        )
        for form, number in zip(lowered, numbers, strict=True)
    ]
    # A cut answer is accepted wherever the whole one is: of about equally accepted ones take the best.
    enough = max(agreed) - _SPARED
    best = next(place for place in range(len(rivals)) if agreed[place] >= enough)
    return Decision(rivals[best], float(min(agreed[best], 1.0)))


def first_number(text: str) -> str:
    """The number the score reads from an answer: the first Arabic one, else the first word of Roman capitals."""
    found = _ARABIC.search(text) or _ROMAN.search(text)
    return found[0] if found else ""


def _accepts(gold: str, wanted: str, answer: str, number: str) -> bool:
    """The score's rule in short: a number decides alone, otherwise half of the gold's letters may differ."""
    if wanted:
        return number == wanted
    limit = len(gold) // 2
    return abs(len(answer) - len(gold)) <= limit and distance(answer, gold, score_cutoff=limit) <= limit
