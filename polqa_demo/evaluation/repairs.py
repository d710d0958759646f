"""What can be mended in the writing of an answer, one kind of damage each. Nothing here ever touches a score.

A repair sees one answer and its golds and returns the mended text, or None when the answer does not have the damage.
Some look at the golds, but only to learn how a value is written there (a numeral or a word, a comma or a dot): a value
is never changed, and what an answer says stays what it says. The one exception is named: a letter that an encoding has
destroyed is read off the gold that fits all the others.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.fuzzy_match import lower_code_points, read_number
from polqa_demo.polish_numbers import digits_for_words, worded_numbers

Mend = Callable[[str, Sequence[str]], str | None]

# The rules that tell upper from lower case.
CASE_SENSITIVE = ("card",)

_LETTERS = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
_SIGNS = "„”“’‘–—…«»"
# In this order: what two encodings make alike is more likely cp1250's.
_ENCODINGS = ("cp1250", "cp1252", "latin-1", "iso-8859-2")
_QUOTES = {
    '"': '"',
    "'": "'",
    "`": "`´'",
    "„": '”“"„',
    "“": '”“"',
    "”": '”"',
    "‚": "’‘'",
    "‘": "’‘'",
    "’": "’'",
    "«": "»",
    "»": "«»",
    "‹": "›",
}
_PREFIX = re.compile(
    r"[\s*_]*(?:"
    r"(?:(?:moja|poprawna|prawidłowa|właściwa|ostateczna|końcowa|krótka)\s+)?odpowied(?:ź|z\u0301?)"
    r"(?:\s+(?:to|brzmi|na\s+pytanie))?|odpowiedzią\s+jest|odp\.?|wynik|(?:the\s+|final\s+)*answer(?:\s+is)?"
    r")(?:[\s*_]*[:=–—-][\s*_]*|(?<=\bto)\s+|(?<=brzmi)\s+|(?<=jest)\s+|(?<=\bis)\s+)(?=\S)",
    re.IGNORECASE,
)
_FINAL_STOP = re.compile(r"(?<![.\s])\s*\.\s*\Z")
_UNSEEN = re.compile(r"[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_BLANKS = re.compile(r"\s+")
# One class: runs that lie side by side would be two neighbouring quantifiers, which backtrack without end.
_LOST = re.compile("[\ufffd?]+")
_ROMAN = re.compile(r"(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})", re.IGNORECASE)
_ROMAN_TOKEN = re.compile(r"([^\w\s]*)([IVXLCDM]+)([^\w\s]*)", re.IGNORECASE)
_INTEGER = re.compile(r"(?<![\d.,])[0-9]+(?![.,]?\d)")
_DECIMAL = re.compile(r"(?<![\d.,])([0-9]+)([.,])([0-9]+)(?![.,]?\d)")
# From four digits on a number may be written in groups of three.
_GROUPED = re.compile(r"(?<![\d.,])(?:[0-9]{1,3}(?:[ \u00a0\u202f.,'][0-9]{3})+|[0-9]{4,})(?![.,]?\d)")
# A pattern is made of the answer where letters are lost; no gold is longer.
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Repair:
    """A kind of damage: its stable name, what a person calls it, and what mends it."""

    kind: str
    title: Bilingual
    mend: Mend


def repairs_for(rule: str) -> tuple[Repair, ...]:
    """The repairs that can matter under a rule of the score, in the order in which they build on each other."""
    return REPAIRS if rule in CASE_SENSITIVE else tuple(repair for repair in REPAIRS if repair.kind != "case")


def _garbled() -> dict[str, str]:
    """What UTF-8 becomes when it is read byte by byte -> the letter it was."""
    found: dict[str, str] = {}
    for encoding in _ENCODINGS:
        for letter in _LETTERS + _SIGNS:
            found.setdefault("".join(_decoded(byte, encoding) for byte in letter.encode()), letter)
    # Not a matter of bytes: fonts of old PDF files, and with them passages of PolQA, have this sign for that letter.
    return found | {"Ŝ": "ż"}


def _decoded(byte: int, encoding: str) -> str:
    # Bytes that a code page leaves free come through as control characters.
    try:
        return bytes([byte]).decode(encoding)
    except UnicodeDecodeError:
        return chr(byte)


_GARBLED = _garbled()
_garbled_sign = re.compile("|".join(sorted(map(re.escape, _GARBLED), key=len, reverse=True))).search
_garbled_all = re.compile("|".join(sorted(map(re.escape, _GARBLED), key=len, reverse=True))).sub


def _encoding(text: str, golds: Sequence[str]) -> str | None:
    if text.isascii() and "?" not in text:
        return None
    mended = _garbled_all(lambda match: _GARBLED[match.group()], text) if _garbled_sign(text) else text
    if "\ufffd" in mended or "?" in mended:
        mended = _with_lost_letters(mended, golds)
    return mended if mended != text or "\ufffd" in text else None


def _with_lost_letters(text: str, golds: Sequence[str]) -> str:
    """The gold that has Polish letters just where the text has signs for lost ones; else the text as it is."""
    if len(text) > _LONGEST or not any(sign.isalpha() for sign in text):
        return text
    kept = _LOST.split(text)
    first, last = kept[0].lower(), kept[-1].lower()
    # To make a pattern takes longer than all else, and most golds do not even begin or end alike.
    alike = [gold for gold in golds if gold.lower().startswith(first) and gold.lower().endswith(last)]
    if not alike:
        return text
    lost = [f"[{_LETTERS}]{{1,{len(run)}}}" for run in _LOST.findall(text)]
    pattern = "".join(re.escape(part) + run for part, run in zip(kept, [*lost, ""], strict=True))
    fits = re.compile(pattern, re.IGNORECASE).fullmatch
    return next((gold for gold in alike if fits(gold)), text)


def _decomposed(text: str, golds: Sequence[str]) -> str | None:
    return None if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def _blanks(text: str, golds: Sequence[str]) -> str | None:
    mended = _BLANKS.sub(" ", text if text.isascii() else _UNSEEN.sub("", text)).strip()
    return mended if mended != text else None


def _prefix(text: str, golds: Sequence[str]) -> str | None:
    match = _PREFIX.match(text)
    return text[match.end() :] if match else None


def _final_stop(text: str, golds: Sequence[str]) -> str | None:
    if "." not in text[-3:]:
        return None
    match = _FINAL_STOP.search(text, max(0, len(text) - 4))
    return text[: match.start()] if match and match.start() else None


def _quotes(text: str, golds: Sequence[str]) -> str | None:
    inner = text.strip()
    if len(inner) > 2 and inner[-1] in _QUOTES.get(inner[0], ""):
        return inner[1:-1]
    return None


def _roman(text: str, golds: Sequence[str]) -> str | None:
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


def _number_words(text: str, golds: Sequence[str]) -> str | None:
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


def _decimal(text: str, golds: Sequence[str]) -> str | None:
    """The decimal sign as the golds have it; a dot where they have none, since the rule reads no comma."""
    if not _DECIMAL.search(text):
        return None
    signs = {match[2] for gold in golds for match in _DECIMAL.finditer(gold)}
    sign = "," if signs == {","} else "."
    mended = _DECIMAL.sub(rf"\g<1>{sign}\g<3>", text)
    return mended if mended != text else None


def _digit_groups(text: str, golds: Sequence[str]) -> str | None:
    """A long number as a gold groups its digits: `10000` for `10 000` or the other way round."""
    if not _GROUPED.search(text):
        return None
    as_gold = {_digits(found): found for gold in reversed(golds) for found in _GROUPED.findall(gold)}
    mended = _GROUPED.sub(lambda match: as_gold.get(_digits(match.group()), match.group()), text)
    return mended if mended != text else None


def _digits(number: str) -> str:
    return re.sub(r"[^0-9]", "", number)


def _case(text: str, golds: Sequence[str]) -> str | None:
    """The letters in the case of the gold that is nearest when case does not matter."""
    from rapidfuzz.distance import Levenshtein

    if len(text) > _LONGEST:
        return None
    lowered = lower_code_points(text)
    near = min(golds, key=lambda gold: Levenshtein.distance(lowered, lower_code_points(gold)), default="")
    letters = list(text)
    for block in Levenshtein.opcodes(lowered, lower_code_points(near)):
        if block.tag == "equal":
            letters[block.src_start : block.src_end] = near[block.dest_start : block.dest_end]
    mended = "".join(letters)
    return mended if mended != text else None


def _wants_number(golds: Sequence[str]) -> bool:
    return any(read_number(gold) is not None for gold in golds)


REPAIRS = (
    Repair("encoding", Bilingual("litery zepsute przez kodowanie", "letters damaged by an encoding"), _encoding),
    Repair("decomposed", Bilingual("litery rozłożone (NFD)", "decomposed letters (NFD)"), _decomposed),
    Repair("blanks", Bilingual("zbędne odstępy i znaki niewidoczne", "spare blanks and unseen characters"), _blanks),
    Repair("prefix", Bilingual("wstęp („Odpowiedź:”)", "a prefix (“Odpowiedź:”)"), _prefix),
    Repair("final_stop", Bilingual("kropka na końcu", "a final full stop"), _final_stop),
    Repair("quotes", Bilingual("cudzysłów wokół odpowiedzi", "quotes around the answer"), _quotes),
    Repair(
        "roman", Bilingual("liczby rzymskie inaczej niż wielkimi literami", "Roman numerals not in capitals"), _roman
    ),
    Repair("number_words", Bilingual("liczby słowami lub cyframi", "numbers in words or in digits"), _number_words),
    Repair("decimal_sign", Bilingual("przecinek lub kropka dziesiętna", "decimal comma or dot"), _decimal),
    Repair("digit_groups", Bilingual("odstępy w długich liczbach", "digit groups of long numbers"), _digit_groups),
    Repair("case", Bilingual("wielkie i małe litery", "upper and lower case"), _case),
)
