"""fuzzy_match: does an answer match any of its golds? The rule of PolEval 2021 (task 4) and three other readings of it.

| rule | text | number |
|---|---|---|
| `poleval` | distance at most half of the gold, code points lower-cased | a gold with a number asks for it alone |
| `readme` | distance below half of the gold, lower-cased | equal values, where both sides hold a number |
| `card` | distance at most half of the gold, as written | the first gold's numeral has to be the whole answer |
| `exact` | equal once stripped and lower-cased | - |

`poleval` is the headline: what GEval computes under the scheme `LenientHarden/ExtractNumber/Lower/Fuzzy/Accuracy`
(https://github.com/amu-cai/geval). `readme` is the text of the challenge, `card` the recipe of PolQA's evaluation card.
Distances are Levenshtein's over code points, unit costs; the length is always the gold's. No rule folds diacritics,
quotes, punctuation or Unicode forms. An empty answer is wrong and an empty gold matches nothing under every rule.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz.distance.Levenshtein import distance as _distance

RULES = ("poleval", "readme", "card", "exact")

Branch = Literal["number", "text", "exact", "empty"]

# Haskell's `isSpace`: unlike Python's, without U+0085, U+2028, U+2029 and the separators U+001C..U+001F.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

# Most texts hold no number. A pattern that begins with a plain set of characters dismisses them ten times faster, so
# these two are asked first, and the left border of a Roman token is checked behind its first letter.
_number_sign = re.compile(r"[0-9IVXLCDM]").search
_digit = re.compile(r"[0-9]").search
_arabic = re.compile(r"[-+]?[0-9]*\.[0-9]+|[0-9]+").search
_roman_token = re.compile(rf"[IVXLCDM](?<![^{BLANKS}].)[IVXLCDM]*+(?![^{BLANKS}])").search
_decimal = re.compile(r"([0-9]*)[.,]([0-9]+)|([0-9]+)").search
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


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
    score = _SCORES.get(rule)
    if score is None or isinstance(golds, str):
        raise _wrong_call(rule, golds)
    return score(prediction, golds)


def explain_fuzzy_match(prediction: str, golds: Sequence[str], rule: str = "poleval") -> Verdict:
    """The same decision as `score_fuzzy_match` (and the same errors), with its reasons."""
    explain = _EXPLANATIONS.get(rule)
    if explain is None or isinstance(golds, str):
        raise _wrong_call(rule, golds)
    return explain(prediction, golds)


def read_number(text: str) -> str | None:
    """The number `poleval` reads from a text, as it is compared: `08.09` in `08.09.1943`, `19` in `w XIX wieku`.

    The first Arabic number, or, only when there is none anywhere, the first blank-parted token of Roman capitals.
    """
    if not _number_sign(text):
        return None
    if _digit(text) and (arabic := _arabic(text)):
        return arabic.group()
    if roman := _roman_token(text):
        return str(roman_value(roman.group()))
    return None


def read_value(text: str) -> str | None:
    """The number `readme` reads from a text, so written that equal values are equal strings: `1,50` is `1.5`."""
    if not _digit(text) or not (match := _decimal(text)):
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
    if "İ" in text or "Σ" in text:
        text = text.replace("İ", "i").replace("Σ", "σ")
    return text.lower()


def _wrong_call(rule: str, golds: Sequence[str]) -> Exception:
    if isinstance(golds, str):
        return TypeError(f"golds must be a sequence of strings, not one string; write [{golds!r}]")
    return ValueError(f"unknown rule {rule!r}; the rules are {', '.join(RULES)}")


# Each rule twice: `score` stops at the first accepting gold and lets rapidfuzz give up beyond the limit, `explain`
# looks at every gold. Tests hold the two together. An empty gold needs no care: no answer of one character is near it.
# What the rules read in golds is remembered, since a gold set is scored against again and again.
_GOLD_LINES = 1 << 14


@lru_cache(_GOLD_LINES)
def _poleval_golds(line: str) -> list[tuple[int, str, str | None]]:
    """Length, lower case and number of each gold."""
    return [(len(gold), lower_code_points(gold), read_number(gold)) for gold in clean_line(line).split("\t")]


def _poleval_score(prediction: str, golds: Sequence[str]) -> bool:
    answer = clean_line(prediction)
    if not answer:
        return False
    folded = lower_code_points(answer)
    for length, gold, number in _poleval_golds("\t".join(golds)):
        if number is None:
            if 2 * _distance(folded, gold, score_cutoff=length // 2) <= length:
                return True
        elif read_number(answer) == number:
            return True
    return False


def _poleval_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    answer = clean_line(prediction)
    number = read_number(answer)

    def judge(gold: str, distance: int) -> Verdict:
        wanted = read_number(gold)
        if wanted is not None:
            return Verdict(number == wanted, "poleval", gold, "number", None, None, number, wanted)
        return Verdict(2 * distance <= len(gold), "poleval", gold, "text", distance, len(gold) / 2)

    return _choose("poleval", answer, _split_line(golds), lower_code_points, judge)


@lru_cache(_GOLD_LINES)
def _readme_golds(line: str) -> list[tuple[int, str, str | None]]:
    """Length, lower case and value of each gold."""
    return [(len(gold), gold.lower(), read_value(gold)) for gold in clean_line(line).split("\t")]


def _readme_score(prediction: str, golds: Sequence[str]) -> bool:
    answer = clean_line(prediction)
    if not answer:
        return False
    folded, value = answer.lower(), read_value(answer)
    for length, gold, wanted in _readme_golds("\t".join(golds)):
        if value is None or wanted is None:
            if 2 * _distance(folded, gold, score_cutoff=length // 2) < length:
                return True
        elif value == wanted:
            return True
    return False


def _readme_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    answer = clean_line(prediction)
    value = read_value(answer)

    def judge(gold: str, distance: int) -> Verdict:
        wanted = read_value(gold)
        if value is not None and wanted is not None:
            return Verdict(value == wanted, "readme", gold, "number", None, None, value, wanted)
        return Verdict(2 * distance < len(gold), "readme", gold, "text", distance, len(gold) / 2, value, wanted)

    return _choose("readme", answer, _split_line(golds), str.lower, judge)


def _card_score(prediction: str, golds: Sequence[str]) -> bool:
    # A blank answer is no answer, though the card would measure it; all else is taken literally.
    if not golds or not clean_line(prediction):
        return False
    if numerals := _numerals(golds[0]):
        return prediction in numerals
    return any(2 * _distance(prediction, gold, score_cutoff=len(gold) // 2) <= len(gold) for gold in golds)


def _card_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    numerals = _numerals(golds[0]) if golds else ()

    def judge(gold: str, distance: int) -> Verdict:
        if numerals:
            return Verdict(prediction in numerals, "card", gold, "number", gold_number=numerals[0])
        return Verdict(2 * distance <= len(gold), "card", gold, "text", distance, len(gold) / 2)

    measured = prediction if clean_line(prediction) else ""
    return _choose("card", measured, golds[:1] if numerals else golds, str, judge)


@lru_cache(_GOLD_LINES)
def _numerals(text: str) -> tuple[str, ...]:
    """What the card takes for the numeral of a gold: the number, and a Roman one as it is written, too."""
    number = read_number(text)
    if number is None:
        return ()
    roman = None if _digit(text) else _roman_token(text)
    return (number, roman.group()) if roman else (number,)


@lru_cache(_GOLD_LINES)
def _exact_golds(line: str) -> frozenset[str]:
    return frozenset(clean_line(gold).lower() for gold in line.split("\t")) - {""}


def _exact_score(prediction: str, golds: Sequence[str]) -> bool:
    return clean_line(prediction).lower() in _exact_golds("\t".join(golds))


def _exact_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    stripped = [clean_line(gold) for gold in _split_line(golds)]
    answer = clean_line(prediction)
    return _choose(
        "exact", answer, stripped, str.lower, lambda gold, distance: Verdict(distance == 0, "exact", gold, "exact")
    )


def _split_line(golds: Sequence[str]) -> list[str]:
    """The golds as a PolEval file has them: one line, cleaned as a whole, parted by tabs."""
    return clean_line("\t".join(golds)).split("\t")


def _choose(
    rule: str, answer: str, golds: Sequence[str], fold: Callable[[str], str], judge: Callable[[str, int], Verdict]
) -> Verdict:
    """The verdict of the accepting gold nearest to the answer, else of the nearest gold (the first of equals).

    Near means few changes for the gold's length; of equally near golds one that asks for a number tells more.
    """
    best: tuple[tuple[bool, float, bool], Verdict] | None = None
    folded = fold(answer)
    for gold in filter(None, golds if answer else ()):
        distance = _distance(folded, fold(gold))
        verdict = judge(gold, distance)
        rank = (not verdict.correct, distance / len(gold), verdict.branch != "number")
        if best is None or rank < best[0]:
            best = rank, verdict
    return Verdict(False, rule, None, "empty") if best is None else best[1]


_SCORES: dict[str, Callable[[str, Sequence[str]], bool]] = {
    "poleval": _poleval_score,
    "readme": _readme_score,
    "card": _card_score,
    "exact": _exact_score,
}
_EXPLANATIONS: dict[str, Callable[[str, Sequence[str]], Verdict]] = {
    "poleval": _poleval_explain,
    "readme": _readme_explain,
    "card": _card_explain,
    "exact": _exact_explain,
}
