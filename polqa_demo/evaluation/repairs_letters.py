"""Repairs of letters: what an encoding, an escape or a keyboard has made of the signs of an answer.

Each takes an answer and its golds and returns the mended text, or None when the answer does not have the damage.
"""

import re
import sys
import unicodedata
from collections.abc import Sequence
from html import unescape
from html.entities import html5

from polqa_demo.evaluation.fuzzy_match import lower_code_points

_LETTERS = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
_SIGNS = "„”“’‘–—…«»"
# In this order: what two encodings make alike is more likely cp1250's.
_ENCODINGS = ("cp1250", "cp1252", "latin-1", "iso-8859-2")
_UNSEEN = re.compile(r"[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_BLANKS = re.compile(r"\s++")
# One class: runs that lie side by side would be two neighbouring quantifiers, which backtrack without end.
_LOST = re.compile("[\ufffd?]++")
# Browsers also read names without the semicolon; `&` in a plain text is too common for that.
_ENTITY = re.compile(r"&((?:amp;){0,8})(?:(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));")
# As JSON and Python write signs beyond ASCII, a pair of surrogates first. Below 80 a `\x` is more likely a path.
_ESCAPE = re.compile(
    r"\\{1,2}(?:u([dD][89abAB][0-9a-fA-F]{2})\\{1,2}u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([89a-fA-F][0-9a-fA-F])))"
)
# A pattern is made of the answer where letters are lost; no gold is longer.
_LONGEST = 200


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


def html_entities(text: str, golds: Sequence[str]) -> str | None:
    """The signs that HTML entities stand for: `Ł&oacute;dź`, `AT&amp;T`, `&amp;#243;`."""
    if "&" not in text or any(map(_ENTITY.search, golds)):
        return None
    mended = _ENTITY.sub(_entity, text)
    return mended if mended != text else None


def _entity(match: re.Match[str]) -> str:
    escaped, number, name = match.groups()
    if number:
        return unescape(f"&{number};")
    # Not `unescape`, which takes a name that it does not know for a longer one: `&notes;` for `¬es;`.
    return html5.get(f"{name};", f"&{name};" if escaped else match.group())


def unicode_escapes(text: str, golds: Sequence[str]) -> str | None:
    """The signs that are written as their codes: `Krak\\u00f3w`, `\\xf3`; no control signs and no half pairs."""
    if "\\" not in text or any(map(_ESCAPE.search, golds)):
        return None
    mended = _ESCAPE.sub(_escaped, text)
    return mended if mended != text else None


def _escaped(match: re.Match[str]) -> str:
    high, low, *codes = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    code = int(next(filter(None, codes)), 16)
    sign = chr(code) if code <= sys.maxunicode else ""
    return sign if sign.isspace() or unicodedata.category(sign or "\0") not in ("Cc", "Cs") else match.group()


def encoding(text: str, golds: Sequence[str]) -> str | None:
    """Letters that were read in the wrong encoding; those that it has destroyed are read off a gold."""
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


def decomposed(text: str, golds: Sequence[str]) -> str | None:
    """Letters and their marks in one sign each (NFC)."""
    return None if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def blanks(text: str, golds: Sequence[str]) -> str | None:
    """Single blanks between words and none at the ends; no signs without a width."""
    mended = _BLANKS.sub(" ", text if text.isascii() else _UNSEEN.sub("", text)).strip()
    return mended if mended != text else None


def case(text: str, golds: Sequence[str]) -> str | None:
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
