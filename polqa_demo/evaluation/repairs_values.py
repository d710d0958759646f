"""Repairs of values: the same number, or the same yes and no, in the writing that the golds have.

Each takes an answer and its golds and returns the mended text, or None when the answer does not have the damage. The
golds only say how a value is written there; which value an answer says stays as it is.
"""

import re
from collections.abc import Sequence

from polqa_demo.data.answer_texts import MISSING
from polqa_demo.evaluation.fuzzy_match import read_number
from polqa_demo.polish.numbers import digits_for_words, worded_numbers

_TRUTH = {"true": "tak", "false": "nie"}
_LONGEST_TRUTH = 20
_ROMAN = re.compile(r"(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})", re.IGNORECASE)
_ROMAN_TOKEN = re.compile(r"([^\w\s]*)([IVXLCDM]+)([^\w\s]*)", re.IGNORECASE)
_INTEGER = re.compile(r"(?<![\d.,])[0-9]+(?![.,]?\d)")
_DECIMAL = re.compile(r"(?<![\d.,])([0-9]+)([.,])([0-9]+)(?![.,]?\d)")
# A point, since a comma is written by people.
_WHOLE = re.compile(r"(?<![\d.,])(-?[0-9]{1,15})\.0(?![.,]?\d)")
# From four digits on a number may be written in groups of three.
_GROUPED = re.compile(r"(?<![\d.,])(?:[0-9]{1,3}(?:[ \u00a0\u202f.,'][0-9]{3})+|[0-9]{4,})(?![.,]?\d)")


def roman(text: str, golds: Sequence[str]) -> str | None:
    """Roman numerals that the rule does not see (`xix`, `XIX.`, `(XIX)`), in plain capitals."""
    if read_number(text) is not None or not _wants_number(golds):
        return None
    tokens = text.split()
    # A lone `i`, `c` or `m` is a word, save at the end: `karol v`.
    mended = [_roman_token(token, at == len(tokens) - 1) for at, token in enumerate(tokens)]
    return " ".join(mended) if mended != tokens else None


def _roman_token(token: str, last: bool) -> str:
    match = _ROMAN_TOKEN.fullmatch(token)
    if not match or not _ROMAN.fullmatch(match[2]) or (len(match[2]) == 1 and match[2].islower() and not last):
        return token
    return match[2].upper()


def number_words(text: str, golds: Sequence[str]) -> str | None:
    """Numerals for number words where a gold has a numeral, a gold's number words for numerals of the same value."""
    number = read_number(text)
    wanted = {read_number(gold) for gold in golds}
    wordings = {
        str(found.value): gold[found.start : found.end]
        for gold in reversed(golds)
        if read_number(gold) is None
        for found in worded_numbers(gold)
    }
    if number is None:
        # Words that a gold has as well stay: beside a gold in numerals they would turn to and fro.
        told = text.casefold()
        as_gold = any(wording.casefold() in told for wording in wordings.values())
        mended = digits_for_words(text) if wanted != {None} and not as_gold else text
    elif number in wanted:
        return None
    else:
        mended = _INTEGER.sub(lambda match: wordings.get(match.group(), match.group()), text) if wordings else text
    return mended if mended != text else None


def decimal_sign(text: str, golds: Sequence[str]) -> str | None:
    """The decimal sign as the golds have it; a dot where they have none, since the rule reads no comma."""
    if not _DECIMAL.search(text):
        return None
    signs = {match[2] for gold in golds for match in _DECIMAL.finditer(gold)}
    sign = "," if signs == {","} else "."
    mended = _DECIMAL.sub(rf"\g<1>{sign}\g<3>", text)
    return mended if mended != text else None


def whole_decimals(text: str, golds: Sequence[str]) -> str | None:
    """Whole numbers without the decimals that a column with gaps gives them: `1900` for `1900.0`."""
    if not _WHOLE.search(text) or any(map(_WHOLE.search, golds)):
        return None
    return _WHOLE.sub(r"\1", text)


def missing_value(text: str, golds: Sequence[str]) -> str | None:
    """Nothing for a word by which programs write that nothing is there (`nan`, `None`, `<NA>`)."""
    plain = text.strip()
    return "" if plain in MISSING and plain not in {gold.strip() for gold in golds} else None


def digit_groups(text: str, golds: Sequence[str]) -> str | None:
    """A long number as a gold groups its digits: `10000` for `10 000` or the other way round."""
    if not _GROUPED.search(text):
        return None
    as_gold = {_digits(found): found for gold in reversed(golds) for found in _GROUPED.findall(gold)}
    mended = _GROUPED.sub(lambda match: as_gold.get(_digits(match.group()), match.group()), text)
    return mended if mended != text else None


def _digits(number: str) -> str:
    return re.sub(r"[^0-9]", "", number)


def _wants_number(golds: Sequence[str]) -> bool:
    return any(read_number(gold) is not None for gold in golds)


def truth_words(text: str, golds: Sequence[str]) -> str | None:
    """`tak` for `True` and `nie` for `False`, where the golds say tak or nie."""
    word = text.strip().lower() if len(text) <= _LONGEST_TRUTH else ""
    told = {gold.strip().lower() for gold in golds} if word in _TRUTH else set()
    return _TRUTH[word] if not told.isdisjoint(_TRUTH.values()) and word not in told else None
