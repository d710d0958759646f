"""fuzzy_match: does an answer match any of its golds? The rule of PolEval 2021 (task 4) and three other readings of it.

| rule | text | number |
|---|---|---|
| `poleval` | distance at most half of the gold, code points lower-cased | a gold with a number asks for it alone |
| `readme` | distance below half of the gold, lower-cased | equal values, where both sides hold a number |
| `card` | distance at most half of the gold, as written | the first gold's numeral has to be the whole answer |
| `exact` | equal once stripped and lower-cased | - |

`poleval` is the headline: what GEval computes under the scheme `LenientHarden/ExtractNumber/Lower/Fuzzy/Accuracy`
(https://gitlab.com/filipg/geval). `readme` is the text of the challenge, `card` the recipe of PolQA's evaluation card.
Distances are Levenshtein's over code points, unit costs; the length is always the gold's. No rule folds diacritics,
quotes, punctuation or Unicode forms. An empty answer is wrong and an empty gold matches nothing under every rule.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from rapidfuzz.distance import Levenshtein

RULES = ("poleval", "readme", "card", "exact")

Branch = Literal["number", "text", "exact", "empty"]

# Haskell's `isSpace`: unlike Python's, without U+0085, U+2028, U+2029 and the separators U+001C..U+001F.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

_ARABIC = re.compile(r"[-+]?[0-9]*\.[0-9]+|[0-9]+")
_ROMAN_TOKEN = re.compile(rf"(?<![^{BLANKS}])[IVXLCDM]++(?![^{BLANKS}])")
_DECIMAL = re.compile(r"([0-9]*)[.,]([0-9]+)|([0-9]+)")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

# Golds are compiled once: a report scores the same golds by four rules, a comparison does so for many files.
_CACHED_GOLDS = 1 << 15


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right, and why.

    `gold` is the accepting gold nearest to the answer, or the nearest of all when none accepts (None in the branch
    `empty`: nothing to compare). `branch` says what decided: the `number`, the `text` (then `distance` and `limit`,
    half of the gold's length, are set), `exact` equality, or `empty`. The numbers are those the rule read; the card
    reads none from the answer.
    """

    correct: bool
    rule: str
    gold: str | None
    branch: Branch
    distance: int | None = None
    limit: float | None = None
    prediction_number: str | None = None
    gold_number: str | None = None

    @property
    def limit_is_strict(self) -> bool:
        """Whether the distance has to lie below the limit (`readme`) or may reach it (`poleval`, `card`)."""
        return self.rule == "readme"


def score_fuzzy_match(prediction: str, golds: Sequence[str], rule: str = "poleval") -> bool:
    """Whether the prediction matches any of its golds under the rule (one of `RULES`).

    Under `poleval` and `readme` the golds are one line of a PolEval file: blanks at the ends of the first and the last
    are dropped, inner ones are kept, a tab parts golds. Raises ValueError for an unknown rule, TypeError when `golds`
    is one string.
    """
    return _check(rule, golds).score(prediction, golds)


def explain_fuzzy_match(prediction: str, golds: Sequence[str], rule: str = "poleval") -> Verdict:
    """The same decision as `score_fuzzy_match` (and the same errors), with its reasons."""
    return _check(rule, golds).explain(prediction, golds)


def read_number(text: str) -> str | None:
    """The number `poleval` reads from a text, as it is compared: `08.09` in `08.09.1943`, `19` in `w XIX wieku`.

    The first Arabic number, or, only when there is none anywhere, the first blank-parted token of Roman capitals.
    """
    if arabic := _ARABIC.search(text):
        return arabic.group()
    if roman := _ROMAN_TOKEN.search(text):
        return str(roman_value(roman.group()))
    return None


def read_value(text: str) -> str | None:
    """The number `readme` reads from a text, so written that equal values are equal strings: `1,50` is `1.5`."""
    if not (match := _DECIMAL.search(text)):
        return None
    whole, decimals = (match[1], match[2]) if match[2] else (match[3], "")
    whole, decimals = whole.lstrip("0") or "0", decimals.rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole


def roman_value(token: str) -> int:
    """The value of a token of Roman capitals. Malformed ones have a value too: `IIII` is 4, `IM` 999, `XIIX` 20."""
    total = previous = 0
    for letter in reversed(token):
        value = _ROMAN_VALUES[letter]
        total += value if value >= previous else -value
        previous = value
    return total


def clean_line(text: str) -> str:
    """A line as the challenge reads it: without any CR and without blanks at its ends."""
    return text.replace("\r", "").strip(BLANKS)


def lower_code_points(text: str) -> str:
    """Lower case that keeps the length, as Haskell's `toLower` does: `İ` becomes `i`, `Σ` is never a final sigma.

    These two are all that Python's `str.lower` does otherwise (Unicode's SpecialCasing).
    """
    return text.replace("İ", "i").replace("Σ", "σ").lower()


@dataclass(frozen=True, slots=True)
class _Gold:
    """A gold made ready: `cutoff` is the largest accepted distance, `number` what the rule reads in it."""

    text: str
    folded: str
    cutoff: int
    number: str | None


@dataclass(frozen=True, slots=True)
class _Rule:
    score: Callable[[str, Sequence[str]], bool]
    explain: Callable[[str, Sequence[str]], Verdict]


def _check(rule: str, golds: Sequence[str]) -> _Rule:
    if isinstance(golds, str):
        message = f"golds must be a sequence of strings, not one string; write [{golds!r}]"
        raise TypeError(message)
    if rule not in _RULES:
        message = f"unknown rule {rule!r}; the rules are {', '.join(RULES)}"
        raise ValueError(message)
    return _RULES[rule]


# poleval


@lru_cache(_CACHED_GOLDS)
def _poleval_golds(line: str) -> tuple[_Gold, ...]:
    return tuple(
        _Gold(text, lower_code_points(text), len(text) // 2, read_number(text))
        for text in clean_line(line).split("\t")
        if text
    )


def _poleval_score(prediction: str, golds: Sequence[str]) -> bool:
    answer = clean_line(prediction)
    if not answer:
        return False
    folded = lower_code_points(answer)
    for gold in _poleval_golds("\t".join(golds)):
        if gold.number is not None:
            if read_number(answer) == gold.number:
                return True
        elif _within(folded, gold):
            return True
    return False


def _poleval_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    answer = clean_line(prediction)
    folded, number = lower_code_points(answer), read_number(answer)

    def judge(gold: _Gold) -> Verdict:
        if gold.number is not None:
            return _by_number("poleval", gold, number)
        return _by_text("poleval", gold, folded)

    return _choose("poleval", folded, _poleval_golds("\t".join(golds)), judge)


# readme


@lru_cache(_CACHED_GOLDS)
def _readme_golds(line: str) -> tuple[_Gold, ...]:
    # Half of the gold's own length, whatever lower-casing does to it; below half, so an even half is out.
    return tuple(
        _Gold(text, text.lower(), (len(text) - 1) // 2, read_value(text))
        for text in clean_line(line).split("\t")
        if text
    )


def _readme_score(prediction: str, golds: Sequence[str]) -> bool:
    answer = clean_line(prediction)
    if not answer:
        return False
    folded, value = answer.lower(), read_value(answer)
    for gold in _readme_golds("\t".join(golds)):
        if value is not None and gold.number is not None:
            if value == gold.number:
                return True
        elif _within(folded, gold):
            return True
    return False


def _readme_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    answer = clean_line(prediction)
    folded, value = answer.lower(), read_value(answer)

    def judge(gold: _Gold) -> Verdict:
        if value is not None and gold.number is not None:
            return _by_number("readme", gold, value)
        return replace(_by_text("readme", gold, folded), prediction_number=value, gold_number=gold.number)

    return _choose("readme", folded, _readme_golds("\t".join(golds)), judge)


# card: literally, so nothing is stripped or folded


@lru_cache(_CACHED_GOLDS)
def _card_gold(text: str) -> _Gold:
    return _Gold(text, text, len(text) // 2, read_number(text))


def _card_accepts(prediction: str, gold: _Gold) -> bool:
    """Whether the whole prediction is the gold's numeral; a Roman one may stand as written or as its value."""
    if prediction == gold.number:
        return True
    roman = None if _ARABIC.search(gold.text) else _ROMAN_TOKEN.search(gold.text)
    return roman is not None and prediction == roman.group()


def _card_score(prediction: str, golds: Sequence[str]) -> bool:
    if not golds or not clean_line(prediction):
        return False
    first = _card_gold(golds[0])
    if first.number is not None:
        return _card_accepts(prediction, first)
    return any(_within(prediction, _card_gold(gold)) for gold in golds if gold)


def _card_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    first = _card_gold(golds[0]) if golds else None
    if first is not None and first.number is not None:
        if not clean_line(prediction):
            return Verdict(False, "card", None, "empty")
        right = _card_accepts(prediction, first)
        return Verdict(right, "card", first.text, "number", gold_number=first.number)
    # A blank answer is no answer, though the card would measure it.
    measured = prediction if clean_line(prediction) else ""
    candidates = [_card_gold(gold) for gold in golds if gold]
    return _choose("card", measured, candidates, lambda gold: _by_text("card", gold, measured))


# exact


@lru_cache(_CACHED_GOLDS)
def _exact_golds(line: str) -> tuple[_Gold, ...]:
    stripped = map(clean_line, line.split("\t"))
    return tuple(_Gold(text, text.lower(), 0, None) for text in stripped if text)


def _exact_score(prediction: str, golds: Sequence[str]) -> bool:
    answer = clean_line(prediction).lower()
    return any(gold.folded == answer for gold in _exact_golds("\t".join(golds)))


def _exact_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    answer = clean_line(prediction).lower()

    def judge(gold: _Gold) -> Verdict:
        return Verdict(gold.folded == answer, "exact", gold.text, "exact")

    return _choose("exact", answer, _exact_golds("\t".join(golds)), judge)


# shared steps


def _within(folded: str, gold: _Gold) -> bool:
    return Levenshtein.distance(folded, gold.folded, score_cutoff=gold.cutoff) <= gold.cutoff


def _by_text(rule: str, gold: _Gold, folded: str) -> Verdict:
    distance = Levenshtein.distance(folded, gold.folded)
    return Verdict(distance <= gold.cutoff, rule, gold.text, "text", distance, len(gold.text) / 2)


def _by_number(rule: str, gold: _Gold, number: str | None) -> Verdict:
    return Verdict(number == gold.number, rule, gold.text, "number", prediction_number=number, gold_number=gold.number)


def _choose(rule: str, folded: str, golds: Iterable[_Gold], judge: Callable[[_Gold], Verdict]) -> Verdict:
    """The verdict of the accepting gold nearest to the answer, else of the nearest gold (the first of equals).

    Near means few changes for the gold's length; of equally near golds one that asks for a number tells more.
    """
    judged = [(gold, judge(gold)) for gold in golds] if folded else []
    if not judged:
        return Verdict(False, rule, None, "empty")

    def nearness(pair: tuple[_Gold, Verdict]) -> tuple[bool, float, bool]:
        gold, verdict = pair
        changes = Levenshtein.distance(folded, gold.folded) / len(gold.folded)
        return not verdict.correct, changes, verdict.branch != "number"

    return min(judged, key=nearness)[1]


_RULES = {
    "poleval": _Rule(_poleval_score, _poleval_explain),
    "readme": _Rule(_readme_score, _readme_explain),
    "card": _Rule(_card_score, _card_explain),
    "exact": _Rule(_exact_score, _exact_explain),
}
