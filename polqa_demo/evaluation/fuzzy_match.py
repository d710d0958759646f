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

Work is bounded, since texts come from strangers and rapidfuzz holds the interpreter's lock: a gold of more than
`LONG_GOLD` code points is matched by an equal answer alone (equal under the rule's folding), and no pair takes longer
than some milliseconds and the reading of both texts.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
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
LONG_GOLD = 20_000
"""Code points up to which a gold has the rule's limit; two texts of this length are compared in 15 ms at most."""

_MEASURED_CELLS = 10_000**2
"""Product of two lengths up to which a wrong answer's exact distance is told; a full table takes 5 ms there."""

_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right, and why.

    `gold` is the accepting gold nearest to the answer, or the nearest of all when none accepts (None in the branch
    `empty`: nothing to compare). `branch` says what decided: the `number`, the `text` (then `limit`, half of the gold's
    length, is set, and `distance`), `exact` equality, or `empty`. The numbers are those the rule read; the card reads
    none from the answer.

    A wrong answer's `distance` is None when the two texts are too long to be measured beyond the limit (the product of
    their lengths is above 10,000 squared). A gold of more than `LONG_GOLD` code points has the limit 0.5: equality.
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


def rule_measure(rule: str) -> str:
    """The code of the share of right answers by a rule, beside those of the measures of rankings."""
    return f"fuzzy_match:{rule}"


def judge_by(rule: str) -> Callable[[str, Sequence[str]], bool]:
    """The rule alone: (prediction, golds) -> right or wrong."""
    return partial(score_fuzzy_match, rule=rule)


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


def _limit(gold: str) -> float:
    """What the distance to a gold is compared with."""
    return len(gold) / 2 if len(gold) <= LONG_GOLD else 0.5


def _below(limit: float) -> int:
    """The greatest distance below the limit; no negative one, since rapidfuzz knows none."""
    return max(math.ceil(limit) - 1, 0)


# Each rule twice: `score` stops at the first accepting gold and lets rapidfuzz give up beyond the limit (at once where
# the lengths differ by more), `explain` looks at every gold. Tests hold the two together. An empty gold needs no care:
# no answer of one character is near it.
# What the rules read in golds is remembered, since a gold set is scored against again and again; not so for long lines
# and lines of many golds, whose memory would be gone for good. The widest that are kept take 150 MB under all rules.
# The test stands in each rule: a call would cost a tenth of the whole score.
_GOLD_LINES = 1 << 14
_LETTERS, _PER_LINE = 200, 8

_Golds = tuple[tuple[int, str, str | None], ...]
"""Of each gold: the greatest distance that it accepts, its lower case and its number."""


def _read_poleval_golds(line: str) -> _Golds:
    return tuple(
        (int(_limit(gold)), lower_code_points(gold), read_number(gold)) for gold in clean_line(line).split("\t")
    )


_poleval_golds = lru_cache(_GOLD_LINES)(_read_poleval_golds)


def _poleval_score(prediction: str, golds: Sequence[str]) -> bool:
    answer = clean_line(prediction)
    if not answer:
        return False
    folded, line = lower_code_points(answer), "\t".join(golds)
    read = (
        _poleval_golds
        if len(line) <= _LETTERS and ("\t" not in line or line.count("\t") < _PER_LINE)
        else _read_poleval_golds
    )
    for most, gold, number in read(line):
        if number is None:
            if _distance(folded, gold, score_cutoff=most) <= most:
                return True
        elif read_number(answer) == number:
            return True
    return False


def _poleval_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    answer = clean_line(prediction)
    number = read_number(answer)

    def judge(gold: str, distance: int | None) -> Verdict:
        wanted = read_number(gold)
        if wanted is not None:
            return Verdict(number == wanted, "poleval", gold, "number", None, None, number, wanted)
        limit = _limit(gold)
        return Verdict(distance is not None and distance <= limit, "poleval", gold, "text", distance, limit)

    return _choose("poleval", answer, _split_line(golds), lower_code_points, judge)


def _read_readme_golds(line: str) -> _Golds:
    return tuple((_below(_limit(gold)), gold.lower(), read_value(gold)) for gold in clean_line(line).split("\t"))


_readme_golds = lru_cache(_GOLD_LINES)(_read_readme_golds)


def _readme_score(prediction: str, golds: Sequence[str]) -> bool:
    answer = clean_line(prediction)
    if not answer:
        return False
    folded, value, line = answer.lower(), read_value(answer), "\t".join(golds)
    read = (
        _readme_golds
        if len(line) <= _LETTERS and ("\t" not in line or line.count("\t") < _PER_LINE)
        else _read_readme_golds
    )
    for most, gold, wanted in read(line):
        if value is None or wanted is None:
            if _distance(folded, gold, score_cutoff=most) <= most:
                return True
        elif value == wanted:
            return True
    return False


def _readme_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    answer = clean_line(prediction)
    value = read_value(answer)

    def judge(gold: str, distance: int | None) -> Verdict:
        wanted = read_value(gold)
        if value is not None and wanted is not None:
            return Verdict(value == wanted, "readme", gold, "number", None, None, value, wanted)
        limit = _limit(gold)
        right = distance is not None and distance < limit
        return Verdict(right, "readme", gold, "text", distance, limit, value, wanted)

    return _choose("readme", answer, _split_line(golds), str.lower, judge)


def _card_score(prediction: str, golds: Sequence[str]) -> bool:
    # A blank answer is no answer, though the card would measure it; all else is taken literally.
    if not golds or not clean_line(prediction):
        return False
    if numerals := _numerals(golds[0]):
        return prediction in numerals
    return any(_distance(prediction, gold, score_cutoff=int(_limit(gold))) <= _limit(gold) for gold in golds)


def _card_explain(prediction: str, golds: Sequence[str]) -> Verdict:
    numerals = _numerals(golds[0]) if golds else ()

    def judge(gold: str, distance: int | None) -> Verdict:
        if numerals:
            return Verdict(prediction in numerals, "card", gold, "number", gold_number=numerals[0])
        limit = _limit(gold)
        return Verdict(distance is not None and distance <= limit, "card", gold, "text", distance, limit)

    measured = prediction if clean_line(prediction) else ""
    return _choose("card", measured, golds[:1] if numerals else golds, str, judge)


def _numerals(text: str) -> tuple[str, ...]:
    """What the card takes for the numeral of a gold: the number, and a Roman one as it is written, too."""
    return _known_numerals(text) if len(text) <= _LETTERS else _read_numerals(text)


def _read_numerals(text: str) -> tuple[str, ...]:
    number = read_number(text)
    if number is None:
        return ()
    roman = None if _digit(text) else _roman_token(text)
    return (number, roman.group()) if roman else (number,)


_known_numerals = lru_cache(_GOLD_LINES)(_read_numerals)


def _read_exact_golds(line: str) -> frozenset[str]:
    return frozenset(clean_line(gold).lower() for gold in line.split("\t")) - {""}


_exact_golds = lru_cache(_GOLD_LINES)(_read_exact_golds)


def _exact_score(prediction: str, golds: Sequence[str]) -> bool:
    line = "\t".join(golds)
    read = (
        _exact_golds
        if len(line) <= _LETTERS and ("\t" not in line or line.count("\t") < _PER_LINE)
        else _read_exact_golds
    )
    return clean_line(prediction).lower() in read(line)


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
    rule: str,
    answer: str,
    golds: Sequence[str],
    fold: Callable[[str], str],
    judge: Callable[[str, int | None], Verdict],
) -> Verdict:
    """The verdict of the accepting gold nearest to the answer, else of the nearest gold (the first of equals).

    Near means few changes for the gold's length; of equally near golds one that asks for a number tells more. Golds
    that are too long to be measured are the farthest.
    """
    best: tuple[tuple[bool, float, bool], Verdict] | None = None
    folded = fold(answer)
    for gold in filter(None, golds if answer else ()):
        distance = _measure(folded, fold(gold), int(_limit(gold)))
        verdict = judge(gold, distance)
        near = math.inf if distance is None else distance / len(gold)
        rank = (not verdict.correct, near, verdict.branch != "number")
        if best is None or rank < best[0]:
            best = rank, verdict
    return Verdict(False, rule, None, "empty") if best is None else best[1]


def _measure(answer: str, gold: str, most: int) -> int | None:
    """The distance; of long texts only up to `most`, else None."""
    if len(answer) * len(gold) <= _MEASURED_CELLS:
        return _distance(answer, gold)
    distance = _distance(answer, gold, score_cutoff=most)
    return distance if distance <= most else None


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
