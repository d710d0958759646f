"""How an answer is written so that the score reads it as meant: NFC, no final full stop, the wanted number first.

Only the ends of a span are moved, so an answer stays a piece of its passage. Roman numerals and capitals are kept.
"""

import re
import unicodedata

from polqa_demo.reading.question_types import Asked

_LEFT = " \t\n\r\u00a0\u2009\u202f.,;:!?)]}»”–—"
_RIGHT = " \t\n\r\u00a0\u2009\u202f,;:!?([{«„–—-"
_PAIRS = {"(": ")", "[": "]", "{": "}", "„": "”", "«": "»"}
_YEAR = re.compile(r"(?<![\d.,])[12]\d{3}(?!\d)")
_NUMBER = re.compile(r"(?<![\w.,])\d")
_ROMAN = re.compile(r"(?<!\w)[IVXLCDM]+(?!\w)")
# A full stop behind these belongs to them: initials, and what is never written without it.
_DOTTED = re.compile(r"(?:^|[\s.(„])(?:[A-ZŁŚŻŹĆ]|r|w|ok|itd|itp|in|n\.e|p\.n\.e|m\.in|św|jr|Jr|tys|proc|godz|min)\.$")


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks, without punctuation that belongs to its sentence and without half a pair of quotes."""
    while True:
        before = (start, end)
        while start < end and text[start] in _LEFT:
            start += 1
        while end > start and text[end - 1] in _RIGHT:
            end -= 1
        if end > start and text[end - 1] in ".…" and not _DOTTED.search(text[max(start, end - 12) : end]):
            end -= 1
        start, end = _balanced(text, start, end)
        if (start, end) == before:
            return start, end


def _balanced(text: str, start: int, end: int) -> tuple[int, int]:
    """Takes away a bracket or quote at an end whose partner lies outside of the span, and a pair around all of it."""
    if end - start < 2:
        return start, end
    piece = text[start:end]
    for opening, closing in _PAIRS.items():
        opened, closed = piece.count(opening), piece.count(closing)
        if piece[0] == opening and (opened > closed or (piece[-1] == closing and opened == closed == 1)):
            return start + 1, end
        if piece[-1] == closing and closed > opened:
            return start, end - 1
    if piece.count('"') == 1 or (piece.count('"') == 2 and piece[0] == piece[-1] == '"'):
        return start + (piece[0] == '"'), end - (piece[0] != '"' and piece[-1] == '"')
    return start, end


def narrow(asked: Asked, text: str, start: int, end: int) -> tuple[int, int]:
    """Moves the span's beginning to the number that such a question wants, where another one stands before it.

    The score reads the first number of an answer and no other: the year of "12 maja 1990" would be 12.
    """
    piece = text[start:end]
    if asked is Asked.YEAR and (year := _YEAR.search(piece)):
        first = _NUMBER.search(piece)
        if first and first.start() < year.start():
            return start + year.start(), end
    if asked is Asked.CENTURY and (roman := _ROMAN.search(piece)):
        # Only a numeral between blanks counts.
        after = piece[roman.end() : roman.end() + 1]
        if after and not after.isspace():
            return start + roman.start(), start + roman.end()
        return start + roman.start(), end
    return start, end


def written(text: str) -> str:
    """The text in the form the golds have: NFC, single blanks."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def century_of(text: str) -> str | None:
    """The century of a text's first year, in words as golds have it ("XIX wiek"); None without a year."""
    year = _YEAR.search(text)
    return f"{roman((int(year[0]) + 99) // 100)} wiek" if year else None


def roman(number: int) -> str:
    """A number below 40 in Roman capitals."""
    text = ""
    for value, letters in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while number >= value:
            text += letters
            number -= value
    return text
