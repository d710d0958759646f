import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.reading.answer_text import century_of, narrow, roman, trim, written
from polqa_demo.reading.question_types import Asked


def piece(text: str) -> str:
    start, end = trim(text, 0, len(text))
    return text[start:end]


@pytest.mark.parametrize(
    ("span", "kept"),
    [
        (" Adam Mickiewicz. ", "Adam Mickiewicz"),
        ("„Pan Tadeusz”", "Pan Tadeusz"),
        ("„Pan Tadeusz", "Pan Tadeusz"),
        ("Pan Tadeusz”,", "Pan Tadeusz"),
        ('"Lalka"', "Lalka"),
        ("(1834)", "1834"),
        ("Lalka (powieść)", "Lalka (powieść)"),
        ("w Łodzi;", "w Łodzi"),
        ("w 1834 r.", "w 1834 r."),
        ("Jan III Sobieski", "Jan III Sobieski"),
        ("-5 °C", "-5 °C"),
        (".,", ""),
        ("", ""),
    ],
)
def test_ends_are_cleaned_and_the_rest_is_kept(span: str, kept: str) -> None:
    assert piece(span) == kept


@given(st.text(alphabet='Aż1. ,;()„”"[]«»–-\n', max_size=40), st.data())
def test_trimming_stays_inside_and_is_done_once(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first = trim(text, start, end)
    assert start <= first[0] <= first[1] <= end
    assert trim(text, *first) == first


@pytest.mark.parametrize(
    ("asked", "text", "wanted"),
    [
        (Asked.YEAR, "12 maja 1990", "1990"),
        (Asked.YEAR, "1990", "1990"),
        (Asked.YEAR, "w 1990 roku", "w 1990 roku"),
        (Asked.YEAR, "wiosną", "wiosną"),
        (Asked.WHEN, "12 maja 1990", "12 maja 1990"),
        (Asked.CENTURY, "na początku XIX wieku", "XIX wieku"),
        (Asked.CENTURY, "XIX-wieczny", "XIX"),
        (Asked.CENTURY, "w XIX w.", "XIX w."),
        (Asked.WHO, "Ludwik XVI", "Ludwik XVI"),
    ],
)
def test_the_wanted_number_comes_first(asked: Asked, text: str, wanted: str) -> None:
    start, end = narrow(asked, text, 0, len(text))
    assert text[start:end] == wanted


def test_texts_are_written_as_golds_are() -> None:
    assert written(unicodedata.normalize("NFD", "Łódź  i\nŻory")) == "Łódź i Żory"
    assert written("Ludwik XVI") == "Ludwik XVI"


def test_a_year_tells_its_century() -> None:
    assert century_of("w 1900 roku") == "XIX wiek"
    assert century_of("w 1901 roku") == "XX wiek"
    assert century_of("dawno") is None
    assert [roman(number) for number in (1, 4, 9, 14, 19, 20)] == ["I", "IV", "IX", "XIV", "XIX", "XX"]
