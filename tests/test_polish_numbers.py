"""Numbers in Polish words, by hand and as they are put together."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.polish.numbers import CARDINALS, ORDINALS, digits_for_words, worded_numbers

UNITS = "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć".split()
TEENS = (
    "dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście"
).split()
TENS = (
    "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt"
).split()
HUNDREDS = "sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset".split()


def in_words(value: int) -> str:
    """A number in words, the nominative; the noun forms of the scales as the language asks for."""
    if value == 0:
        return "zero"
    words: list[str] = []
    for scale, one, few, many in (
        (1_000_000_000, "miliard", "miliardy", "miliardów"),
        (1_000_000, "milion", "miliony", "milionów"),
        (1000, "tysiąc", "tysiące", "tysięcy"),
        (1, "", "", ""),
    ):
        group = value // scale % 1000
        if not group:
            continue
        if group != 1 or scale == 1:
            words += below_thousand(group)
        form = one if group == 1 else few if group % 10 in (2, 3, 4) and group % 100 not in (12, 13, 14) else many
        words += [form] if form else []
    return " ".join(words)


def below_thousand(value: int) -> list[str]:
    words = [HUNDREDS[value // 100 - 1]] if value >= 100 else []
    rest = value % 100
    if 10 <= rest < 20:
        return [*words, TEENS[rest - 10]]
    return words + ([TENS[rest // 10 - 2]] if rest >= 20 else []) + ([UNITS[rest % 10]] if rest % 10 else [])


@given(st.integers(0, 10**12 - 1) | st.integers(0, 3000))
def test_every_number_is_read_whole(value: int) -> None:
    text = in_words(value)
    assert [(found.start, found.end, found.value) for found in worded_numbers(text)] == [(0, len(text), value)]
    assert digits_for_words(f"co {text.upper()} lat") == f"co {value} lat"


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("dwudziestu pięciu lat", "25 lat"),
        ("pięciuset trzydziestu dwóch posłów", "532 posłów"),
        ("przed dwoma tysiącami lat", "przed 2000 lat"),
        ("tysiąc dziewięćset czterdziesty piąty", "1945"),
        ("w roku tysiąc dziewięćset osiemdziesiątym", "w roku 1980"),
        ("dwa tysiące czternastego", "2014"),
        ("w dziewiętnastym wieku", "w 19 wieku"),
        ("dwudziesta pierwsza", "21"),
        ("drugą", "2"),
        ("milion tysiąc jeden", "1001001"),
        ("siódemkę", "7"),
        # what does not go together
        ("dwa, trzy", "2, 3"),
        ("dwa trzy", "2 3"),
        ("dziesięć dwa", "10 2"),
        ("trzy dwadzieścia", "3 20"),
        ("drugi trzy", "2 3"),
        ("pięć tysięcy tysięcy", "5000 1000"),
        ("zero zero siedem", "0 0 7"),
        ("jeden z dwóch", "1 z 2"),
        # no numbers
        ("w piątek", "w piątek"),
        ("stół", "stół"),
        ("", ""),
    ],
)
def test_by_hand(text: str, digits: str) -> None:
    assert digits_for_words(text) == digits


def test_ordinals_are_told_apart() -> None:
    assert [found.ordinal for found in worded_numbers("dwudziesty pierwszy, dwadzieścia jeden")] == [True, False]


def test_no_form_is_a_cardinal_and_an_ordinal() -> None:
    assert not CARDINALS.keys() & ORDINALS.keys()


@given(st.lists(st.sampled_from([*CARDINALS, *ORDINALS, "i", ",", "lat"]), max_size=12))
def test_whatever_the_words_none_is_lost(words: list[str]) -> None:
    text = " ".join(words)
    spans = worded_numbers(text)
    assert all(left.end <= right.start for left, right in itertools.pairwise(spans))
    covered = " ".join(text[found.start : found.end] for found in spans).split()
    assert covered == [word for word in words if word in CARDINALS or word in ORDINALS]


def test_a_million_characters_take_linear_time() -> None:
    start = time.process_time()
    assert digits_for_words("dwa tysiące, " * 80_000) == "2000, " * 80_000
    assert time.process_time() - start < 10
