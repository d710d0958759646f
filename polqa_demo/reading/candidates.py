"""Candidate spans of a passage: every stretch of tokens that could be an answer, with the kinds it belongs to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntFlag, auto

import numpy as np
from numpy.typing import NDArray

from polqa_demo.reading.passage_tokens import CONJUNCTIONS, SCALES, PassageTokens

LONGEST_RUN = 6  # words of a plain run; longer answers are clauses, names or lists
LONGEST_SPAN = 40  # tokens of any candidate
_NAME_LINKS = frozenset("de von van der den da di del della la le of the and al ibn św i nad pod w z".split())
_CLAUSE_WORDS = frozenset(
    "oraz ale że który która które którego której którzy których którym którą aby żeby ponieważ gdyż gdy jest był była"
    " było były są został została zostało zostali zostały a lecz jako przez dzięki".split()
)
_RUN_OPENERS = frozenset("w we na do z ze od po przez dla za o jako u przy pod nad".split())
_CLOSED_BY = {"„": '”“"', '"': '"”', "«": "»", "“": "”"}
_OPENED_BY = {"”": "„“", '"': '„"', "“": "„", "»": "«", ")": "(", "]": "["}
_YEAR_WORDS = frozenset(["roku", "r", "rok"])
_CENTURY_WORDS = frozenset(["wiek", "wieku", "wieków", "w"])


_CENTURY_PARTS = frozenset("połowie końcu początku połowa koniec początek schyłku".split())
_TIME_PREPOSITIONS = frozenset("w we od do po przed na około z".split())

Lower = Callable[[int], str]


class Kind(IntFlag):
    """What a span looks like; one span can be several."""

    YEAR = auto()
    DATE = auto()
    PERIOD = auto()
    CENTURY = auto()
    NUMBER = auto()
    QUANTITY = auto()
    QUOTE = auto()
    NAME = auto()
    PLACED_NAME = auto()
    CLAUSE = auto()
    LIST = auto()
    RUN = auto()


Spans = dict[tuple[int, int], Kind]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Token spans, both ends included, and their kinds: three arrays of one length."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    kinds: NDArray[np.int64]


def find_candidates(tokens: PassageTokens) -> Candidates:
    """All candidate spans, none crossing a sentence; their number grows linearly with the text."""
    spans: Spans = {}
    for low, high in tokens.bounds:
        for first, last, kind in _sentence_spans(tokens, low, high):
            end = _trimmed(tokens, first, last)
            if first <= end < first + LONGEST_SPAN:
                spans[first, end] = spans.get((first, end), Kind(0)) | kind
    keys = np.array(list(spans), dtype=np.int64).reshape(-1, 2)
    kinds = np.fromiter((int(kind) for kind in spans.values()), dtype=np.int64, count=len(spans))
    return Candidates(keys[:, 0], keys[:, 1], kinds)


def _trimmed(tokens: PassageTokens, first: int, last: int) -> int:
    """The last token without the signs behind the words; a closing quote or bracket stays where its opening is."""
    while last >= first and not tokens.words[last].is_word:
        opening = _OPENED_BY.get(tokens.forms[last], "")
        inside = tokens.forms[max(first, last - LONGEST_SPAN) : last]
        if tokens.forms[last] in ("%", "‰") or not set(opening).isdisjoint(inside):
            break
        last -= 1
    return last


def _sentence_spans(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    yield from _runs(tokens, low, high)
    yield from _times(tokens, low, high)
    yield from _numbers(tokens, low, high)
    yield from _quotes(tokens, low, high)
    yield from _names(tokens, low, high)
    yield from _clauses(tokens, low, high)
    yield from _lists(tokens, low, high)


def _runs(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    """Up to six words without a sign between them, not beginning or ending with a function word."""
    words = tokens.words
    for first in range(low, high + 1):
        word = words[first]
        if not word.is_word or (word.stop and word.lower not in _RUN_OPENERS and not word.digit):
            continue
        for last in range(first, min(first + LONGEST_RUN, high + 1)):
            if not words[last].is_word and tokens.forms[last] not in ".-–/":
                break
            if words[last].is_word and not (words[last].stop or (last == first and word.preposition)):
                yield first, last, Kind.RUN


def _times(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    """Years, days, months, periods and centuries, with and without the words around them."""

    def lower(place: int) -> str:
        return tokens.words[place].lower if low <= place <= high else ""

    for place in range(low, high + 1):
        word = tokens.words[place]
        if word.year:
            found = _year(tokens, place, high, lower)
        elif word.month:
            found = _day(tokens, place, low, high, lower)
        elif word.roman and lower(place + 1) in _CENTURY_WORDS:
            found = _century(tokens, place, low, lower)
        elif word.lower in ("latach", "lata") and place < high:
            found = _decade(tokens, place, high)
        else:
            continue
        for first, last, kind in found:
            yield first, last, kind
            if lower(first - 1) in _TIME_PREPOSITIONS:
                yield first - 1, last, kind
                if lower(first - 2) in ("dopiero", "już", "jeszcze"):
                    yield first - 2, last, kind


def _year(tokens: PassageTokens, place: int, high: int, lower: Lower) -> Iterator[tuple[int, int, Kind]]:
    end = place + 1 if lower(place + 1) in _YEAR_WORDS else place
    yield place, end, Kind.YEAR
    yield place, place, Kind.YEAR
    if lower(place - 1) in ("roku", "rok"):
        yield place - 1, place, Kind.YEAR
    if lower(place + 1) in ("–", "-", "—", "i", "do") and place + 2 <= high and tokens.words[place + 2].digit:
        start = place - 1 if lower(place - 1) in ("latach", "lata", "lat", "roku") else place
        yield start, place + 2, Kind.PERIOD
        if lower(place + 3) in _YEAR_WORDS:
            yield start, place + 3, Kind.PERIOD


def _day(tokens: PassageTokens, place: int, low: int, high: int, lower: Lower) -> Iterator[tuple[int, int, Kind]]:
    start = place - 1 if place > low and tokens.words[place - 1].digit else place
    end = place
    if place < high and tokens.words[place + 1].year:
        end = place + 1
        if lower(place + 2) in _YEAR_WORDS:
            yield start, place + 2, Kind.DATE
    yield start, end, Kind.DATE


def _century(tokens: PassageTokens, place: int, low: int, lower: Lower) -> Iterator[tuple[int, int, Kind]]:
    if lower(place - 1) in ("i", "–", "-", "lub") and place - 2 >= low and tokens.words[place - 2].roman:
        yield place - 2, place + 1, Kind.CENTURY
    if lower(place - 1) in _CENTURY_PARTS:
        if lower(place - 2) in ("drugiej", "pierwszej", "ii", "i"):
            yield place - 2, place + 1, Kind.CENTURY
        yield place - 1, place + 1, Kind.CENTURY
    yield place, place + 1, Kind.CENTURY


def _decade(tokens: PassageTokens, place: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    if tokens.words[place + 1].digit or tokens.words[place + 1].adjective:
        yield place, place + 1, Kind.PERIOD
        if place + 3 <= high and (tokens.words[place + 3].roman or tokens.words[place + 2].year):
            yield place, min(place + 4, high), Kind.PERIOD


def _numbers(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    """Numbers in digits and words, with their scale (mln, %) and with up to three words of what is counted."""
    words, forms = tokens.words, tokens.forms
    place = low
    while place <= high:
        if not (words[place].digit or words[place].numeral):
            place += 1
            continue
        end = place
        while end < high and (
            words[end + 1].digit
            or words[end + 1].numeral
            or words[end + 1].lower in SCALES
            or forms[end + 1] in ("%", "‰")
            or (forms[end + 1] in ("–", "-", ":", ".", ",", "/", "x", "×") and end + 2 <= high and words[end + 2].digit)
        ):
            end += 1
        yield place, end, Kind.NUMBER
        if end > place:
            yield place, place, Kind.NUMBER
        before = place - 1
        if before >= low and words[before].lower in ("około", "ok", "ponad", "prawie", "blisko", "co", "do", "w", "na"):
            yield before, end, Kind.NUMBER | Kind.QUANTITY
        for last in range(end + 1, min(end + 4, high + 1)):
            if not words[last].is_word:
                if forms[last] in "./":
                    continue
                break
            yield place, last, Kind.QUANTITY
        place = end + 1


def _quotes(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    """What stands in quotation marks or brackets."""
    for first in range(low, high):
        closers = _CLOSED_BY.get(tokens.forms[first])
        if closers is None:
            continue
        for last in range(first + 1, min(first + LONGEST_SPAN, high + 1)):
            if tokens.forms[last] in closers:
                if last > first + 1:
                    yield first + 1, last - 1, Kind.QUOTE
                    yield first, last, Kind.QUOTE
                break


def _names(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    """Runs of capitalised words, with the small words inside foreign names and titles, and behind a preposition."""
    words = tokens.words
    place = low
    while place <= high:
        if not words[place].capital:
            place += 1
            continue
        end, ahead = place, place + 1
        while ahead <= min(high, place + LONGEST_SPAN):
            if words[ahead].capital or (words[ahead].digit and not words[ahead].year):
                end = ahead
            elif (
                not (words[ahead].lower in _NAME_LINKS or tokens.forms[ahead] in ("-", "–", ".", "&"))
                or ahead > end + 2
            ):
                break
            ahead += 1
        stops = [spot for spot in range(place, end) if not words[spot + 1].capital][:4]
        for last in {end, place, *stops}:
            yield place, last, Kind.NAME
        if place > low and words[place - 1].preposition:
            yield place - 1, end, Kind.PLACED_NAME
        # A name may be announced by what its bearer is: "kapitana Jacka Sparrowa".
        for before in range(max(low, place - 2), place):
            if words[before].is_word and not words[before].stop:
                yield before, end, Kind.NAME
        place = end + 1


def _clauses(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    """What stands between signs, conjunctions, relative pronouns and auxiliary verbs; one or two pieces long."""
    words, forms = tokens.words, tokens.forms
    cuts = [
        place
        for place in range(low, high + 1)
        if forms[place] in ",;:()–—-" or words[place].lower in _CLAUSE_WORDS or words[place].verb
    ]
    edges = [low - 1, *cuts, high + 1]
    for number, edge in enumerate(edges[:-1]):
        first = edge + 1
        if first > high:
            continue
        starts = [first]
        if edge >= low and words[edge].is_word:
            starts.append(edge)
        if words[first].lower in ("się", "to", "też", "także", "również") and first < high:
            starts.append(first + 1)
        for start in starts:
            for until in edges[number + 1 : number + 4]:
                if until - 1 > start:
                    yield start, until - 1, Kind.CLAUSE


def _lists(tokens: PassageTokens, low: int, high: int) -> Iterator[tuple[int, int, Kind]]:
    """Enumerations: "A, B i C", beginning up to four words before their first comma or conjunction."""
    words = tokens.words
    for place in range(low + 1, high):
        if words[place].lower not in CONJUNCTIONS:
            continue
        ends = [
            end
            for end in range(place + 1, min(place + 6, high + 1))
            if not words[end].stop and _plain_run(tokens, place + 1, end)
        ]
        for start in _list_starts(tokens, low, _list_joints(tokens, low, place)):
            for end in ends:
                yield start, end, Kind.LIST


def _list_joints(tokens: PassageTokens, low: int, place: int) -> list[int]:
    """The conjunction and the commas before it, at most six tokens apart."""
    joints = [place]
    for spot in range(place - 1, max(low, place - LONGEST_SPAN // 2), -1):
        if joints[-1] - spot > 6:
            break
        if tokens.forms[spot] == ",":
            joints.append(spot)
    return joints


def _list_starts(tokens: PassageTokens, low: int, joints: list[int]) -> Iterator[int]:
    """Where an enumeration may begin: before its last, its middle and its first joint."""
    for joint in dict.fromkeys((joints[0], joints[-1], joints[len(joints) // 2])):
        for start in range(max(low, joint - 4), joint):
            word = tokens.words[start]
            if _plain_run(tokens, start, joint - 1) and (word.preposition or not word.stop):
                yield start


def _plain_run(tokens: PassageTokens, first: int, last: int) -> bool:
    return all(tokens.words[place].is_word or tokens.forms[place] in '.-"„”' for place in range(first, last + 1))
