"""Questions that bring their own answers: yes or no, and a choice between alternatives named in the question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from polqa_demo.polish.words import STOP_WORDS
from polqa_demo.reading.passage_tokens import PassageTokens, tokenize, word_of
from polqa_demo.reading.question_types import Understood
from polqa_demo.reading.span_features import Floats, ReadPassage, hit_weights, shares_a_word

_NEGATIONS = frozenset(["nie", "bez", "ani", "nigdy", "żaden", "żadna", "żadne", "żadnego", "żadnej"])
_NEGATION_REACH = 3  # words between a negation and the question's word it denies
_ANY_DISTANCE = 60  # tokens beyond which an alternative gains nothing from the question's words


@dataclass(frozen=True, slots=True)
class Support:
    """What an answer rests on: the passage by its place, the share of the question found in its best sentence."""

    text: str
    passage: int
    coverage: float
    first: int | None = None
    last: int | None = None


def best_sentence(passage: ReadPassage, question: Understood) -> tuple[float, tuple[int, int], Floats]:
    """The share of the question's weight in its best sentence, that sentence's tokens, and the hits of all tokens."""
    tokens = passage.tokens
    hits = hit_weights(tokens, question)
    total = sum(question.weights.values()) or 1.0
    best, where = 0.0, (0, -1)
    for low, high in tokens.bounds:
        found = {tokens.words[low + place].stem: hits[low + place] for place in np.flatnonzero(hits[low : high + 1])}
        share = float(sum(found.values())) / total
        if share > best:
            best, where = share, (low, high)
    return best, where, hits


def decide(question: Understood, passages: Sequence[ReadPassage]) -> Support | None:
    """ "tak", or "nie" when the best sentence denies a word of the question that the question does not deny.

    None when no passage shares a word with the question.
    """
    if not any(shares_a_word(passage, question) for passage in passages):
        return None
    found = [best_sentence(passage, question) for passage in passages]
    place = max(range(len(found)), key=lambda number: (found[number][0], -number))
    coverage, (low, high), hits = found[place]
    words = passages[place].tokens.words
    asked_denied = any(form.lower() in _NEGATIONS for form, _, _ in tokenize(question.text))
    denied = any(
        words[spot].lower in _NEGATIONS and hits[spot + 1 : min(spot + 1 + _NEGATION_REACH, high + 1)].sum() > 0
        for spot in range(low, high)
    )
    return Support("nie" if denied and not asked_denied else "tak", place, coverage)


def choose(question: Understood, passages: Sequence[ReadPassage]) -> Support | None:
    """The alternative whose mention stands nearest to the other words of the question, best passages first.

    A mention is a run of tokens with the alternative's stems in order; its first and last token are given. When no
    alternative is mentioned: None.
    """
    best: tuple[float, Support] | None = None
    named = [_stems(alternative) for alternative in question.alternatives]
    everywhere = set.intersection(*map(set, named)) if named else set()
    for place, passage in enumerate(passages):
        coverage, (low, high), hits = best_sentence(passage, question)
        for alternative, stems in zip(question.alternatives, named, strict=True):
            telling = [stem for stem in stems if stem not in everywhere] or stems
            others = _without(hits, passage.tokens, {stem for part in named for stem in part})
            for first, last, share in _mentions(passage.tokens, stems, telling):
                near = _nearness(others, first, last)
                score = share * (1.0 + near + 0.5 * (low <= first <= high) + coverage) - 0.15 * place
                if best is None or score > best[0]:
                    text_is_whole = share == 1.0
                    support = Support(
                        alternative, place, coverage, first if text_is_whole else None, last if text_is_whole else None
                    )
                    best = (score, support)
    return best[1] if best else None


def _stems(alternative: str) -> list[str]:
    words = [word_of(form) for form, _, _ in tokenize(alternative)]
    content = [word.stem for word in words if word.is_word and word.lower not in STOP_WORDS]
    return content or [word.stem for word in words if word.is_word]


def _same(one: str, other: str) -> bool:
    """Equal stems, or stems whose first letters leave only an ending apart."""
    shared = max(4, min(len(one), len(other)) - 1)
    return one == other or (len(one) >= 4 and len(other) >= 4 and one[:shared] == other[:shared])


def _mentions(tokens: PassageTokens, stems: list[str], telling: list[str]) -> list[tuple[int, int, float]]:
    """Runs with all the stems in order (share 1), else single tokens with a telling stem (their share of the stems)."""
    whole, part = [], []
    if not stems:
        return []
    for first, word in enumerate(tokens.words):
        if _same(word.stem, stems[0]):
            last = _run_end(tokens, first, stems)
            if last is not None:
                whole.append((first, last, 1.0))
        if word.stem and any(_same(word.stem, stem) for stem in telling):
            part.append((first, first, 0.9 / len(telling)))
    return whole or part


def _run_end(tokens: PassageTokens, first: int, stems: list[str]) -> int | None:
    """The last token of a run that begins at `first`; function words may stand between the stems."""
    place, found = first, 1
    while found < len(stems):
        place += 1
        if place >= len(tokens) or not tokens.words[place].is_word:
            return None
        if _same(tokens.words[place].stem, stems[found]):
            found += 1
        elif not tokens.words[place].stop:
            return None
    return place


def _without(hits: Floats, tokens: PassageTokens, stems: set[str]) -> Floats:
    left = hits.copy()
    for place in np.flatnonzero(hits):
        if tokens.words[place].stem in stems:
            left[place] = 0
    return left


def _nearness(hits: Floats, first: int, last: int) -> float:
    """The question's other words around a mention, each divided by its distance."""
    low, high = max(0, first - _ANY_DISTANCE), min(len(hits), last + _ANY_DISTANCE)
    places = low + np.flatnonzero(hits[low:high])
    distance = np.maximum(np.maximum(first - places, places - last), 1)
    return float((hits[places] / (1.0 + distance)).sum())
