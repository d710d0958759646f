"""Numbers written in Polish words: cardinals, collectives and ordinals in their cases, up to billions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from polqa_demo.polish.words import NUMERALS, WORD

# Case forms beyond those of `polish.NUMERALS`, which lists what readers look for.
_MORE_CARDINALS = {
    1: "jedni jednych jednymi jednemu",
    2: "dwom dwu dwojgu dwojgiem dwójki dwójką dwójce",
    3: "trzem troje trojgu trojgiem trójki trójką trójce",
    4: "czterem czworgu czworgiem czwórki czwórką",
    5: "pięcioma pięciorgu pięciorgiem piątki piątką",
    6: "sześcioma sześciorga sześciorgu szóstki szóstką",
    7: "siedmioma siedmiorga siódemkę siódemki siódemką",
    8: "ośmioma ośmiorga ósemkę ósemki ósemką",
    9: "dziewięcioma dziewięciorga dziewiątka dziewiątkę dziewiątki",
    10: "dziesięcioma dziesięciorga",
    11: "jedenastoma jedenaścioro jedenastka jedenastkę",
    12: "dwunastoma dwanaścioro dwunastka dwunastkę",
    13: "trzynastoma",
    14: "czternastoma",
    15: "piętnastoma piętnaścioro",
    16: "szesnastoma",
    17: "siedemnastoma",
    18: "osiemnastoma",
    19: "dziewiętnastoma",
    20: "dwudziestoma",
    30: "trzydziestoma",
    40: "czterdziestoma",
    50: "pięćdziesięcioma",
    60: "sześćdziesięcioma",
    70: "siedemdziesięcioma",
    80: "osiemdziesięcioma",
    90: "dziewięćdziesięcioma",
    100: "stoma",
    200: "dwustoma",
    300: "trzystoma",
    400: "czterystoma",
    500: "pięciomaset",
    1000: "tysiącem tysiącowi tysiącu tysiącom tysiącami tysiącach",
    1_000_000: "milionem milionowi milionie milionom milionami milionach",
    1_000_000_000: "miliardem miliardowi miliardzie miliardom miliardami miliardach",
}
_HARD = "y a e ego ej emu ą ym ych ymi".split()
_ORDINALS = {
    1: "pierwsz",
    4: "czwart",
    5: "piąt",
    6: "szóst",
    7: "siódm",
    8: "ósm",
    9: "dziewiąt",
    10: "dziesiąt",
    11: "jedenast",
    12: "dwunast",
    13: "trzynast",
    14: "czternast",
    15: "piętnast",
    16: "szesnast",
    17: "siedemnast",
    18: "osiemnast",
    19: "dziewiętnast",
    20: "dwudziest",
    30: "trzydziest",
    40: "czterdziest",
    50: "pięćdziesiąt",
    60: "sześćdziesiąt",
    70: "siedemdziesiąt",
    80: "osiemdziesiąt",
    90: "dziewięćdziesiąt",
    100: "setn",
    200: "dwusetn dwóchsetn",
    300: "trzechsetn trzysetn",
    400: "czterechsetn czterysetn",
    500: "pięćsetn",
    600: "sześćsetn",
    700: "siedemsetn",
    800: "osiemsetn",
    900: "dziewięćsetn",
    1000: "tysięczn",
    2000: "dwutysięczn",
    3000: "trzytysięczn",
    1_000_000: "milionow",
}
_IRREGULAR_ORDINALS = {
    1: "pierwsi",
    2: "drugi druga drugie drugiego drugiej drugiemu drugą drugim drugich drugimi drudzy",
    3: "trzeci trzecia trzecie trzeciego trzeciej trzeciemu trzecią trzecim trzecich trzecimi",
}


def _forms(table: dict[int, str]) -> dict[str, int]:
    return {form: value for value, forms in table.items() for form in forms.split()}


CARDINALS = NUMERALS | _forms(_MORE_CARDINALS)
ORDINALS = {stem + ending: value for stem, value in _forms(_ORDINALS).items() for ending in _HARD} | _forms(
    _IRREGULAR_ORDINALS
)
_VALUES = CARDINALS | ORDINALS
_SCALES = (1_000, 1_000_000, 1_000_000_000)
# Only blanks part the words of one number: "dwa, trzy" are two.
_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class WordedNumber:
    """A number in words: `text[start:end]` says `value`; `ordinal` when its last word is one (drugi, setna)."""

    start: int
    end: int
    value: int
    ordinal: bool


def worded_numbers(text: str) -> list[WordedNumber]:
    """The numbers written in words, in order: `dwadzieścia pięć` is one, 25; `tysiąc dziewięćset czterdziesty` 1940."""
    return list(_numbers(text))


def digits_for_words(text: str) -> str:
    """The text with its numbers in words written in digits: `w dziewiętnastym wieku` -> `w 19 wieku`."""
    parts: list[str] = []
    done = 0
    for number in _numbers(text):
        parts += text[done : number.start], str(number.value)
        done = number.end
    return "".join((*parts, text[done:]))


def _numbers(text: str) -> Iterator[WordedNumber]:
    run: list[tuple[int, int, str]] = []
    for match in WORD.finditer(text):
        word = match.group().lower()
        if word not in _VALUES:
            continue
        if run and not (
            _BLANK.fullmatch(text, run[-1][1], match.start()) and _goes_on([item[2] for item in run], word)
        ):
            yield _number(run)
            run = []
        run.append((*match.span(), word))
    if run:
        yield _number(run)


def _number(run: list[tuple[int, int, str]]) -> WordedNumber:
    value, _, _ = _value([word for _, _, word in run])
    return WordedNumber(run[0][0], run[-1][1], value, run[-1][2] in ORDINALS)


def _goes_on(before: list[str], word: str) -> bool:
    """Whether the word belongs to the number so far: smaller than its last part, or a scale that multiplies it.

    After an ordinal nothing does but another: `czterdziesty piąty` is 45, `drugi trzy` two numbers.
    """
    if before[-1] in ORDINALS and word not in ORDINALS:
        return False
    _, group, scale = _value(before)
    value = _VALUES[word]
    if group == 0 and _VALUES[before[-1]] not in _SCALES:
        return False
    if value in _SCALES:
        return group < 1000 and value < scale
    if group == 0:
        return 0 < value < 1000
    # 100 > 10..19 or 20..90 > 1..9: each part fills the zeros that the one before it left.
    return 0 < value < 1000 and value < 10 ** _zeros(group)


def _zeros(group: int) -> int:
    """How many final zeros a part below a thousand leaves to be filled; 10 leaves none, since eleven is one word."""
    if group % 100 == 0:
        return 2
    return 1 if group % 10 == 0 and group % 100 != 10 else 0


def _value(words: list[str]) -> tuple[int, int, int]:
    """The value of the words, its last part below a thousand, and the least scale that was used."""
    total = group = 0
    least = 10 * _SCALES[-1]
    for word in words:
        value = _VALUES[word]
        if value in _SCALES:
            total += max(group, 1) * value
            group, least = 0, value
        else:
            group += value
    return total + group, group, least
