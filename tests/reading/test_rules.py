"""The reader without weights from a hub: every type of question on passages of our own, and what always holds."""

import math
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.reading.question_types import Asked, understand
from polqa_demo.reading.rules import RuleReader
from polqa_demo.records import Answer, Passage

WAZA = Passage(
    "waza-0",
    "Młyn w Wilczej Górze",
    "Młyn wodny w Wilczej Górze zbudował w 1783 roku Antoni Zaręba. Spłonął 4 marca 1871 roku. Miał trzy koła i "
    "zatrudniał 17 czeladników. Dziś w budynku mieści się muzeum „Złote Ziarno”, "
    "prowadzone przez Stowarzyszenie Przyjaciół Doliny.",
)
GRZYB = Passage(
    "grzyb-0",
    "Świetlik nadrzeczny",
    "Świetlik nadrzeczny to grzyb z rodziny pieczarkowatych. Nie jest jadalny. Świetlik rośnie w Norwegii i Szwecji.",
)
WIEK = Passage("wiek-0", "Most w Karwi", "Most w Karwi powstał w XVI wieku, a kamienne filary dodano w XIX wieku.")
POGODA = Passage("pogoda-0", "Pogoda", "Wczoraj padał deszcz. Jutro będzie słonecznie.")

READER = RuleReader()


def read(question: str, *passages: Passage) -> Answer:
    answer = READER.read(question, passages)
    check(answer, passages)
    return answer


def check(answer: Answer, passages: tuple[Passage, ...] | list[Passage]) -> None:
    assert 0.0 <= answer.confidence <= 1.0
    if answer.start is None:
        assert answer.end is None
        return
    passage = next(passage for passage in passages if passage.id == answer.passage_id)
    assert answer.end is not None
    assert passage.text[answer.start : answer.end] == answer.text != ""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("W którym roku zbudowano młyn w Wilczej Górze?", {"1783", "w 1783", "1783 roku", "w 1783 roku"}),
        ("Kiedy spłonął młyn?", {"4 marca 1871", "4 marca 1871 roku"}),
        ("Kto zbudował młyn w Wilczej Górze?", {"Antoni Zaręba"}),
        ("Ilu czeladników zatrudniał młyn?", {"17", "17 czeladników"}),
        ("Jak nazywa się muzeum w budynku młyna?", {"Złote Ziarno", "„Złote Ziarno”"}),
        ("Proszę podać, kto zbudował młyn w Wilczej Górze.", {"Antoni Zaręba"}),
        ("Ten młyn wodny stał w Wilczej Górze. Kto go zbudował?", {"Antoni Zaręba"}),
    ],
)
def test_questions_over_one_passage(question: str, expected: set[str]) -> None:
    assert read(question, WAZA).text in expected


def test_a_place() -> None:
    assert "Norwegii" in read("Gdzie rośnie świetlik nadrzeczny?", GRZYB).text


def test_a_century_keeps_its_roman_numeral() -> None:
    assert read("W którym wieku powstał most w Karwi?", WIEK).text in {"w XVI wieku", "XVI wieku"}


@pytest.mark.parametrize(("year", "century"), [("1783", "XVIII"), ("1800", "XVIII"), ("1801", "XIX"), ("2001", "XXI")])
def test_a_century_is_worked_out_where_only_the_year_is_told(year: str, century: str) -> None:
    passage = Passage("a", "Młyn", f"Młyn zbudowano w {year} roku.")
    assert read("W którym wieku zbudowano młyn?", passage) == Answer(
        f"{century} wiek", pytest.approx(0.5, abs=0.5), "a", None, None
    )


def test_a_century_is_worked_out_from_a_birthday() -> None:
    passage = Passage("z", "Antoni Zaręba", "Antoni Zaręba (ur. 19 lutego 1743 w Lesznie, zm. 1801) – młynarz.")
    assert read("W którym wieku urodził się Antoni Zaręba?", passage).text == "XVIII wiek"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("W którym roku urodził się Antoni Zaręba?", "1743"),
        ("W którym roku zmarł Antoni Zaręba?", "1801"),
        ("Gdzie urodził się Antoni Zaręba?", "w Lesznie"),
        ("Gdzie zmarł Antoni Zaręba?", "w Karwi"),
    ],
)
def test_birth_and_death_in_one_bracket(question: str, expected: str) -> None:
    passage = Passage("z", "Zaręba", "Antoni Zaręba (ur. 19 lutego 1743 w Lesznie, zm. 2 maja 1801 w Karwi) – młynarz.")
    assert read(question, passage).text in {expected, expected.removeprefix("w ")}


def test_a_name_is_given_whole() -> None:
    passage = Passage(
        "k", "Koło", "„Koło” – powieść obyczajowa Bolesława Zaręby wydawana w odcinkach w latach 1887–1889."
    )
    assert read("Kto jest autorem powieści „Koło”?", passage).text == "Bolesława Zaręby"


def test_yes_and_no() -> None:
    yes = read("Czy świetlik nadrzeczny rośnie w Szwecji?", GRZYB)
    no = read("Czy świetlik nadrzeczny jest jadalny?", Passage("n", "", "Świetlik nadrzeczny nie jest jadalny."))
    assert (yes.text, yes.passage_id, yes.start) == ("tak", "grzyb-0", None)
    assert (no.text, no.passage_id, no.end) == ("nie", "n", None)


def test_yes_or_no_rests_on_the_passage_that_speaks_of_it() -> None:
    assert read("Czy most w Karwi powstał w XVI wieku?", WAZA, WIEK).passage_id == "wiek-0"


@pytest.mark.parametrize(
    ("question", "alternatives"),
    [
        ("Czy film nakręcił Nowak, czy Kowalska?", ("Nowak", "Kowalska")),
        ("Czy do młyna wiezie się żyto, czy pszenicę?", ("żyto", "pszenicę")),
        ("Czy sombrero to taniec, kapelusz czy potrawa?", ("taniec", "kapelusz", "potrawa")),
        ("Karacena to broń czy zbroja?", ("broń", "zbroja")),
        ("Czy młyn stoi na Mazurach czy na Pomorzu?", ("na Mazurach", "na Pomorzu")),
        ("Który zwrotnik przecina Meksyk – Raka czy Koziorożca?", ("Raka", "Koziorożca")),
        ("Czy szerszenie to rodzaj os, czy pszczół?", ("rodzaj os", "pszczół")),
    ],
)
def test_alternatives_as_named(question: str, alternatives: tuple[str, ...]) -> None:
    understood = understand(question)
    assert understood.asked is Asked.CHOICE
    assert understood.alternatives == alternatives


@pytest.mark.parametrize(
    "question",
    ["Czy film „Żona czy sekretarka” odniósł sukces?", "Czy wiadomo o tym moście?", "Czy to prawda?"],
)
def test_no_choice_where_none_is_offered(question: str) -> None:
    assert understand(question).asked is Asked.YES_NO


def test_a_choice_is_answered_by_the_passage() -> None:
    hat = Passage("s", "Sombrero", "Sombrero – kapelusz o szerokim rondzie, noszony w Meksyku podczas tańca.")
    answer = read("Czy sombrero to taniec, kapelusz czy potrawa?", hat)
    assert answer.text == "kapelusz"
    assert hat.text[answer.start : answer.end] == "kapelusz"


def test_a_choice_up_to_inflection() -> None:
    armour = Passage("k", "Karacena", "Karacena jest rodzajem zbroi łuskowej.")
    assert read("Karacena to broń czy zbroja?", armour).text == "zbroi"


def test_an_abbreviation_is_expanded() -> None:
    passage = Passage("p", "PTM", "PTM (Polskie Towarzystwo Młynarskie) założono w Łodzi.")
    assert read("Rozwiń skrót PTM.", passage).text == "Polskie Towarzystwo Młynarskie"


def test_a_saying_is_finished() -> None:
    passage = Passage(
        "p", "Przysłowia", "Znane jest przysłowie: Kto mąkę miele, ten chleba ma wiele. Inne mówi o wodzie."
    )
    assert read("Dokończ przysłowie: „Kto mąkę miele, ten...”", passage).text == "chleba ma wiele"


def test_the_right_passage_wins_wherever_it_stands() -> None:
    answer = read("Kto zbudował młyn w Wilczej Górze?", POGODA, GRZYB, WIEK, WAZA)
    assert (answer.text, answer.passage_id) == ("Antoni Zaręba", "waza-0")


# What other retrievers make of the same order: every one of them rises strictly.
UNITS: dict[str, Callable[[float], float]] = {
    "as they are": lambda score: score,
    "cosines": lambda score: 0.8 + 0.001 * score,
    "probabilities": lambda score: 1 / (1 + math.exp(-score / 20)),
    "negative logits": lambda score: score - 101,
    "squares": lambda score: score**2,
    "logarithms": math.log1p,
    "reciprocals": lambda score: -1 / (1 + score),
}


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        [
            "Kto zbudował młyn w Wilczej Górze?",
            "W którym roku spłonął młyn?",
            "Gdzie rośnie świetlik?",
            "Ile miał kół?",
            "Czy most w Karwi powstał w XVI wieku?",
            "Co powstało?",
        ]
    ),
    st.permutations([WAZA, GRZYB, WIEK, POGODA]),
    st.lists(st.integers(0, 100), min_size=4, max_size=4).map(lambda scores: sorted(scores, reverse=True)),
    st.sampled_from(list(UNITS)),
)
def test_the_unit_of_the_scores_changes_no_answer(
    question: str, passages: list[Passage], scores: list[int], unit: str
) -> None:
    expected = READER.read(question, passages)
    assert READER.read(question, passages, [UNITS[unit](float(score)) for score in scores]) == expected


def test_of_two_passages_that_say_the_same_the_first_is_read() -> None:
    twins = [Passage(str(number), "Młyn", f"Młyn zbudował {name}.") for number, name in enumerate(("Zaręba", "Wilk"))]
    assert read("Kto zbudował młyn?", *twins).text == "Zaręba"
    assert read("Kto zbudował młyn?", *reversed(twins)).text == "Wilk"


@pytest.mark.parametrize(
    ("question", "passages"),
    [
        ("Kto zbudował młyn?", []),
        ("Czy młyn spłonął?", []),
        ("Kto wymyślił żyroskop?", [POGODA]),
        ("Czy żyroskop wiruje?", [POGODA]),
        ("Kto?", [WAZA]),
        ("", [WAZA]),
        ("Kto zbudował młyn?", [Passage("e", "", "")]),
    ],
)
def test_no_answer(question: str, passages: list[Passage]) -> None:
    assert READER.read(question, passages) == Answer("", 0.0)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("W którym roku wybuchło powstanie?", Asked.YEAR),
        ("W jakich latach panował król?", Asked.WHEN),
        ("W którym wieku żył?", Asked.CENTURY),
        ("Ile wynosi suma?", Asked.HOW_MANY),
        ("Skąd pochodził malarz?", Asked.WHERE),
        ("W jakim mieście leży port?", Asked.WHERE),
        ("Kogo pokonał bokser?", Asked.WHO),
        ("Jak nazywa się stolica?", Asked.NAME),
        ("Dlaczego upadł?", Asked.WHY),
        ("Kim był z zawodu?", Asked.WHAT_IS),
        ("Co niesie posłaniec?", Asked.WHAT),
        ("Jakie zwierzę mieszka w norze?", Asked.WHICH),
        ("Proszę rozwinąć skrót PTM.", Asked.EXPANSION),
        ("Proszę dokończyć przysłowie: gdzie drwa rąbią...", Asked.COMPLETION),
        ("Był królem. W którym roku zmarł?", Asked.YEAR),
    ],
)
def test_what_a_question_asks(question: str, asked: Asked) -> None:
    assert understand(question).asked is asked


def test_the_noun_and_the_verb_of_a_question() -> None:
    understood = understand("W jakim filmie zagrała Nowicka?")
    assert (understood.preposition, understood.focus_form) == ("w", "filmie")
    assert understood.anchor == "zagr"


POLISH = st.text(alphabet='aąbcćdeęłńóśźżAŁŚ 0123456789.,?!„”"()–-XVI\n\u00a0w', max_size=300)
QUESTIONS = st.one_of(
    st.text(max_size=200),
    st.builds(
        str.__add__,
        st.sampled_from(
            ["Kto ", "Czy ", "W którym roku ", "Ile ", "W którym wieku ", "Jaki ", "Dokończ: ", "Rozwiń skrót "]
        ),
        POLISH,
    ),
)
TEXTS = st.one_of(st.text(max_size=300), POLISH)


@settings(max_examples=150, deadline=None)
@given(QUESTIONS, st.lists(TEXTS, max_size=4))
def test_any_text_is_read_the_same_way_twice(question: str, texts: list[str]) -> None:
    passages = [Passage(str(number), text[:20], text) for number, text in enumerate(texts)]
    answer = READER.read(question, passages)
    check(answer, passages)
    assert answer == RuleReader().read(question, passages)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(WAZA.text.split()), min_size=1, max_size=12).map(" ".join), TEXTS)
def test_a_yes_or_no_question_never_gets_a_span(words: str, text: str) -> None:
    answer = READER.read(f"Czy {words}?", [WAZA, Passage("other", "", text)])
    assert answer.text in {"tak", "nie", ""}
    assert answer.start is answer.end is None


@pytest.mark.parametrize(
    "text",
    [
        "młyn " * 4000,
        "A. " * 7000,
        "„" * 20_000,
        "młyn, " * 3500,
        "młyn i " * 3000,
        "1999 " * 4000,
        "Młyn-" * 4000,
        "a" * 20_000,
        "(" * 10_000 + ")" * 10_000,
        " " * 20_000,
        "czy młyn, czy " * 1500,
    ],
)
def test_hostile_text_takes_no_long_time(text: str) -> None:
    started = time.process_time()
    for question in (text[:10_000], "Kto zbudował młyn?", "Dokończ: młyn młyn młyn"):
        check(READER.read(question, [Passage("h", "", text)]), [Passage("h", "", text)])
    assert time.process_time() - started < 10  # a quadratic step takes minutes on these texts
