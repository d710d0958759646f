"""The four rules of fuzzy_match, by hand-computed cases and by properties."""

import random
import subprocess
import sys
import time
import tracemalloc
import unicodedata
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polqa_demo.evaluation import RULES, Verdict, explain_fuzzy_match, score_fuzzy_match
from polqa_demo.evaluation.fuzzy_match import (
    BLANKS,
    LONG_GOLD,
    _poleval_golds,
    clean_line,
    lower_code_points,
    read_number,
    read_value,
    roman_value,
)

NBSP, EM_SPACE, NEXT_LINE, LINE_SEPARATOR, ZERO_WIDTH, BOM = "\u00a0", "\u2003", "\u0085", "\u2028", "\u200b", "\ufeff"


class Case(NamedTuple):
    """A prediction, its golds and the rules that call it right, as letters: Poleval, Readme, Card, Exact."""

    prediction: str
    golds: list[str]
    right: str


CASES = [
    # letter case and Polish letters
    Case("Wisła", ["Wisła"], "PRCE"),
    Case("WISŁA", ["wisła"], "PRE"),  # the card does not fold: 5 of 5
    Case("Wisla", ["Wisła"], "PRC"),  # 1 of 5: a diacritic is one substitution
    Case("Zolw", ["żółw"], ""),  # 3 of 4 (4 of 4 unfolded)
    # the limit: at most half, below half
    Case("kora", ["kopa"], "PRC"),  # 1 of 4
    Case("kosy", ["kopa"], "PC"),  # 2 of 4: exactly half
    Case("losy", ["kopa"], ""),  # 3 of 4
    Case("ko", ["kopa"], "PC"),  # 2 of 4, by deletion
    Case("kopaXX", ["kopa"], "PC"),  # 2 of 4, by insertion
    Case("kopaXXX", ["kopa"], ""),  # 3 of 4
    Case("abcde", ["abxyz"], ""),  # 3 of 5 > 2.5
    Case("abcyz", ["abxqz"], "PRC"),  # 2 of 5 < 2.5
    Case("a" * 50 + "b" * 50, ["a" * 100], "PC"),  # 50 of 100, longer than a machine word
    Case("a" * 49 + "b" * 51, ["a" * 100], ""),
    # short golds, no transposition
    Case("ó", ["Ó"], "PRE"),
    Case("o", ["ó"], ""),  # 1 of 1
    Case("ok", ["ko"], ""),  # a swap costs 2 of 2
    Case("Fe.", ["Fe"], "PC"),  # 1 of 2
    Case("Fr", ["Fe"], "PC"),  # 1 of 2: another element, accepted
    # inflection, prepositions, order
    Case("Rzym", ["w Rzymie"], "PC"),  # 4 of 8
    Case("w Rzymie", ["Rzym"], ""),  # 4 of 4
    Case("Kraków", ["w Krakowie"], "PC"),  # "w ", ó for o, "ie": 2 + 1 + 2 = 5 of 10
    Case("Curie Maria", ["Maria Curie"], ""),
    Case("Curie", ["Maria Curie"], ""),  # 6 of 11
    # quotes and punctuation are characters
    Case('"Lalka"', ["„Lalka”"], "PRC"),  # 2 of 7
    Case("„nie”", ["nie"], ""),  # 2 of 3
    Case("nie!", ["nie"], "PRC"),  # 1 of 3
    Case("(nie)", ["nie"], ""),
    Case("?", ["-"], ""),
    # blanks
    Case("  lis\t", ["lis"], "PRE"),  # the card counts 3 of 3
    Case(f"{NBSP}{EM_SPACE}lis{NBSP}", ["lis"], "PRE"),
    Case(f"{ZERO_WIDTH}{ZERO_WIDTH}lis", ["lis"], ""),  # not a blank: 2 of 3
    Case(f"{NEXT_LINE}{NEXT_LINE}lis", ["lis"], ""),  # not a blank in Haskell
    Case(f"{LINE_SEPARATOR}{LINE_SEPARATOR}lis", ["lis"], ""),
    Case(f"{BOM}lis", ["lis"], "PRC"),  # 1 of 3
    Case("li\r\rs\r", ["lis"], "PRE"),
    Case("lis", ["lis\r"], "PRCE"),
    Case("ala  ma", ["ala ma"], "PRC"),  # inner blanks stay: 1 of 6
    Case("lis", ["", "lis"], "PRCE"),
    Case("pa", ["x", "  a", "y"], ""),  # an inner gold keeps its blanks: 2 of 3
    Case("a", [" a", "a "], "PRCE"),  # the outer ones go; the card keeps them: 1 of 2
    # nothing
    Case("", ["lis"], ""),
    Case(" \r\t", ["lis"], ""),
    Case("", [""], ""),
    Case("lis", [""], ""),
    Case("lis", [], ""),
    Case("", [], ""),
    Case("", ["7"], ""),
    Case(" ", ["a ", "b"], ""),
    # several golds, a tab in the prediction
    Case("dwoje", ["dwóch", "dwoje", "2"], "PRCE"),
    Case("2 osoby", ["dwóch", "dwoje", "2"], "PR"),
    Case("3", ["dwóch", "dwoje", "2"], ""),
    Case("dwóch\t2", ["dwóch"], "PRC"),  # never split: 2 of 5
    Case("lis", ["kot\tlis"], "PRE"),  # a tab parts golds
    # Arabic numbers
    Case("512", ["512"], "PRCE"),
    Case("0512", ["512"], "R"),
    Case("512.0", ["512"], "R"),
    Case("512,0", ["512"], "PR"),
    Case("512", ["pięćset dwanaście"], ""),
    Case("pięćset", ["500"], ""),
    Case("w 1943", ["w 1943"], "PRE"),
    Case("1943", ["w 1943"], "PRC"),
    Case("1944", ["w 1943"], ""),
    Case("3 maja 1791", ["1791"], ""),  # the first number is the day
    Case("r.1791", ["w 1791"], ""),  # `.1791` by poleval, 0.1791 by readme
    Case("1,7", ["1,5"], "P"),  # 1 = 1
    Case("1.5", ["1,5"], "R"),
    Case("-3", ["3"], "PR"),
    Case("-3.5", ["3.5"], "R"),  # poleval keeps the sign of a decimal
    Case("10 000", ["10000"], ""),
    Case("08.09.1943", ["08.09"], "PR"),
    Case("½", ["1"], ""),
    Case("３", ["3"], ""),
    Case("90 dni", ["91 dni"], ""),
    Case("MiG 17", ["MiG-17"], "PR"),
    Case("piętnasty", ["piętnasty 15"], "R"),  # no number in the answer: readme measures 3 of 12
    # Roman numbers
    Case("w XIX wieku", ["w XIX"], "P"),  # text: 6 of 5
    Case("19", ["w XIX"], "PC"),
    Case("XIX", ["w XIX"], "PRC"),
    Case("w XX", ["w XIX"], "R"),  # text: 1 of 5
    Case("xix", ["XIX"], "RE"),
    Case("(XIX)", ["XIX"], ""),
    Case("XIX.", ["XIX"], "R"),
    Case(f"w{NBSP}XIX", ["w XIX"], "PR"),
    Case(f"w{NEXT_LINE}XIX", ["w XIX"], "R"),
    Case("w\rXIX", ["w XIX"], "R"),  # the CR goes first and glues
    Case("Ludwik XV", ["Ludwik XVI"], "R"),
    Case("Jan III Waza", ["Jan III Sobieski"], "P"),
    Case("MIX", ["1009"], "P"),
    Case("IIII", ["IV"], "P"),  # both 4
    Case("I", ["1"], "P"),
    Case("C", ["witamina C", "C"], "PCRE"),
    Case("witamina c", ["witamina C"], "RE"),
    Case("XIX 7", ["w XIX"], ""),  # an Arabic number anywhere goes first
    # the card decides by its first gold
    Case("Ala", ["5", "Ala"], "PRE"),
    Case("5", ["Ala", "5"], "PRCE"),
    Case("5 kotów", ["Ala", "5 kotów"], "PRCE"),
    Case("6 kotów", ["Ala", "5 kotów"], "C"),
    Case(" 5", ["5"], "PRE"),  # as it stands
    # Unicode: no folding of forms, one code point to one
    Case("żółć", [unicodedata.normalize("NFD", "żółć")], ""),
    Case(unicodedata.normalize("NFD", "żółć"), ["żółć"], ""),
    Case(unicodedata.normalize("NFD", "Kraków"), ["Kraków"], "PRC"),
    Case("İZMİT", ["izmit"], "PR"),  # str.lower makes 7 code points of it: 2 of 5
    Case("Stambuł", ["İzmit"], ""),
    Case("İİİ", ["iii"], "P"),  # str.lower: 3 of 3
    Case("ΑΣ", ["ας"], "PRE"),  # poleval has no final sigma: 1 of 2
    Case("Σ Σ", ["ς σ"], "PR"),  # str.lower finds no final sigma either: 1 of 3
    Case("ΑΣ ΑΣ", ["ας ας"], "PRE"),  # poleval: 2 of 5
    Case("ß", ["ss"], ""),
    Case("🦊", ["🦊"], "PRCE"),
]
LETTERS = {"poleval": "P", "readme": "R", "card": "C", "exact": "E"}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.prediction[:20]!a}~{case.golds!a:.40}")
def test_hand_computed(case: Case, rule: str) -> None:
    expected = LETTERS[rule] in case.right
    assert score_fuzzy_match(case.prediction, case.golds, rule) is expected
    assert explain_fuzzy_match(case.prediction, case.golds, rule).correct is expected


def test_parts_where_the_rules_differ() -> None:
    assert score_fuzzy_match("Rzym", ["w Rzymie"])
    assert not score_fuzzy_match("Rzym", ["w Rzymie"], rule="readme")
    assert not score_fuzzy_match("Ludwik XV", ["Ludwik XVI"])
    assert score_fuzzy_match("Ludwik XV", ["Ludwik XVI"], rule="readme")
    assert not score_fuzzy_match("w 1943", ["w 1943"], rule="card")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-1", "1"),
        ("-1.5", "-1.5"),
        ("+.5", "+.5"),
        ("1,5", "1"),
        ("10 000", "10"),
        ("08.09.1943", "08.09"),
        ("007", "007"),
        ("w 1943.", "1943"),
        ("w XIX wieku", "19"),
        ("XIX w., 7", "7"),
        ("MCMLXXXIV", "1984"),
        ("xix", None),
        ("XIX/XX", None),
        ("dwa", None),
        ("", None),
    ],
)
def test_number_of_poleval(text: str, number: str | None) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("007", "7"),
        ("0", "0"),
        ("000", "0"),
        (",50", "0.5"),
        ("1.50", "1.5"),
        ("12.0", "12"),
        ("08.09.1943", "8.09"),
        ("-3", "3"),
        ("5.", "5"),
        ("w XIX", None),
    ],
)
def test_value_of_readme(text: str, value: str | None) -> None:
    assert read_value(text) == value


@pytest.mark.parametrize(
    ("token", "value"),
    [("XIX", 19), ("IIII", 4), ("IM", 999), ("C", 100), ("M", 1000), ("XIIX", 20), ("IVX", 4), ("MCMX", 1910)],
)
def test_roman_value(token: str, value: int) -> None:
    assert roman_value(token) == value


def test_verdict_of_the_text_branch() -> None:
    verdict = explain_fuzzy_match("Wisłą", ["Odra", "Wisła"])
    assert verdict == Verdict(True, "poleval", "Wisła", "text", distance=1, limit=2.5)
    assert not verdict.limit_is_strict
    assert explain_fuzzy_match("kosy", ["kopa"], "readme") == Verdict(False, "readme", "kopa", "text", 2, 2.0)
    assert explain_fuzzy_match("kosy", ["kopa"], "readme").limit_is_strict


def test_verdict_of_the_number_branch() -> None:
    assert explain_fuzzy_match("w roku XX", ["w XIX"]) == Verdict(
        False, "poleval", "w XIX", "number", prediction_number="20", gold_number="19"
    )
    assert explain_fuzzy_match("brak", ["w XIX"]).prediction_number is None
    assert explain_fuzzy_match("1,50 m", ["1.5"], "readme") == Verdict(
        True, "readme", "1.5", "number", prediction_number="1.5", gold_number="1.5"
    )
    assert explain_fuzzy_match("w 1943", ["w 1943"], "card") == Verdict(
        False, "card", "w 1943", "number", gold_number="1943"
    )
    # readme says which number stood alone when the text decided
    assert explain_fuzzy_match("rok", ["rok 5"], "readme").gold_number == "5"


def test_verdict_names_the_nearest_gold() -> None:
    assert explain_fuzzy_match("Wisła", ["Wiśle", "Wisła"]).gold == "Wisła"  # both accept
    assert explain_fuzzy_match("Bug", ["Wisła", "Burza"]).gold == "Burza"
    assert explain_fuzzy_match("5", ["czworo", "4"]).gold == "4"


@pytest.mark.parametrize("rule", RULES)
def test_verdict_of_nothing(rule: str) -> None:
    empty = Verdict(False, rule, None, "empty")
    assert explain_fuzzy_match(" ", ["lis", "7"], rule) == empty
    assert explain_fuzzy_match("", ["7"], rule) == empty
    assert explain_fuzzy_match("lis", [], rule) == empty
    assert explain_fuzzy_match("lis", [""], rule) == empty


@pytest.mark.parametrize("call", [score_fuzzy_match, explain_fuzzy_match])
def test_wrong_calls_are_named(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"'squad'.*poleval, readme, card, exact"):
        call("a", ["a"], rule="squad")
    with pytest.raises(TypeError, match="not one string"):
        call("a", "a")


def test_lower_case_is_the_simple_mapping_of_every_code_point() -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    lowered = [lower_code_points(character) for character in characters]
    assert all(len(character) == 1 for character in lowered)
    assert lower_code_points("İ") == "i"
    assert lower_code_points("ΟΔΟΣ ΣΑΣ") == "οδοσ σασ"
    # of single characters only İ has a lower case of two code points, so the rest is Python's own table
    assert all(low == char.lower() for char, low in zip(characters, lowered, strict=True) if char != "İ")
    # and no character's lower case depends on its neighbours
    assert lower_code_points("a".join(characters)) == "a".join(lowered)
    assert lower_code_points("".join(characters)) == "".join(lowered)


def test_blanks_are_tab_to_cr_blank_nbsp_and_space_separators() -> None:
    separators = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Zs"}
    assert set(BLANKS) == separators | set("\t\n\v\f\r")
    assert clean_line(f"{BLANKS}a b{BLANKS}") == "a b"


def test_import_stays_light() -> None:
    script = "import sys, polqa_demo.evaluation; print(*{'numpy', 'scipy', 'pandas', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


# Long texts


def made_up(length: int, seed: int, letters: str = "aąbcćdeę") -> str:
    return "".join(random.Random(seed).choices(letters, k=length))


def half_changed(gold: str, changes: int) -> str:
    return "x" * changes + gold[changes:]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("letters", ["aąbcćdeę", "ab", "aя日🦊"])
@pytest.mark.parametrize(
    ("answer", "gold"), [(700_000, 700_000), (700_000, 20_000), (10_000, 700_000), (29_999, 20_000)]
)
def test_no_pair_of_texts_takes_long(answer: int, gold: int, letters: str, rule: str) -> None:
    one, other = made_up(answer, 1, letters), made_up(gold, 2, letters)
    for call in (score_fuzzy_match, explain_fuzzy_match):
        started = time.thread_time()
        call(one, [other], rule)
        assert time.thread_time() - started < 0.5  # it is some 10 ms; the full table of the first pair takes 25 s


@pytest.mark.parametrize(("rule", "most"), [("poleval", LONG_GOLD // 2), ("readme", LONG_GOLD // 2 - 1)])
def test_the_limit_holds_up_to_the_longest_gold(rule: str, most: int) -> None:
    gold = made_up(LONG_GOLD, 1)
    right, wrong = half_changed(gold, most), half_changed(gold, most + 1)
    verdict = explain_fuzzy_match(right, [gold], rule)
    assert (verdict.correct, verdict.distance, verdict.limit) == (True, most, LONG_GOLD / 2)
    assert not explain_fuzzy_match(wrong, [gold], rule).correct
    assert score_fuzzy_match(right, [gold], rule)
    assert not score_fuzzy_match(wrong, [gold], rule)


@pytest.mark.parametrize("rule", RULES)
def test_a_longer_gold_is_matched_by_equality(rule: str) -> None:
    gold = made_up(LONG_GOLD + 1, 1)
    assert score_fuzzy_match(gold, [gold], rule)
    assert explain_fuzzy_match(gold, [gold], rule).correct
    assert score_fuzzy_match(gold.upper(), [gold], rule) is (rule != "card")
    for answer in (gold[:-1], gold + "x", half_changed(gold, 1)):
        verdict = explain_fuzzy_match(answer, ["", gold], rule)
        assert (verdict.correct, verdict.gold, verdict.distance) == (False, gold, None)
        assert verdict.limit == (None if rule == "exact" else 0.5)
        assert not score_fuzzy_match(answer, [gold], rule)


def test_a_long_text_that_is_not_measured_is_the_farthest() -> None:
    long = made_up(50_000, 1)
    assert explain_fuzzy_match(made_up(30_000, 2), [long, "kot"]).gold == "kot"
    assert explain_fuzzy_match(made_up(30_000, 2), [long]) == Verdict(False, "poleval", long, "text", None, 0.5)
    # a short answer is measured against any gold, though
    assert explain_fuzzy_match("x", [long]).distance == 50_000


def test_a_number_in_a_long_gold_decides() -> None:
    gold = made_up(700_000, 1) + " 1410"
    assert score_fuzzy_match("1410", [gold])
    assert explain_fuzzy_match("w 1410 r.", [gold]).correct
    assert not explain_fuzzy_match(made_up(700_000, 2), [gold]).correct


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("golds", "letters"), [(1, 100_000), (90, 1)])
def test_long_golds_and_very_many_are_not_kept(rule: str, golds: int, letters: int) -> None:
    score_fuzzy_match("x", ["y"], rule)
    tracemalloc.start()
    try:
        for number in range(100):
            score_fuzzy_match("x", ["a" * letters] * golds + [chr(0x100 + number)] * 8, rule)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 20_000


def test_ordinary_golds_are_remembered() -> None:
    golds = ["Wisła, rzeka", "druga złota"]
    score_fuzzy_match("x", golds)
    hits = _poleval_golds.cache_info().hits
    score_fuzzy_match("Wisła", golds)
    assert _poleval_golds.cache_info().hits == hits + 1


# Properties

ALPHABET = "aąbćeęilłnoósśuwyzźżAĆILMSVXŁŻ ŞİΣσς019.,-+„”'\u0301\u00a0\u2028\r\tß🦊"
texts = st.text(ALPHABET, max_size=12)
# A gold as a file's reader hands it over: stripped, no tab, not empty.
golds_read = st.text(ALPHABET.replace("\t", "").replace("\r", ""), max_size=12).map(clean_line).filter(bool)
rules = st.sampled_from(RULES)
set_rules = st.sampled_from(["poleval", "readme", "exact"])


@given(texts, st.lists(texts, max_size=4), rules)
def test_score_agrees_with_explain(prediction: str, golds: list[str], rule: str) -> None:
    verdict = explain_fuzzy_match(prediction, golds, rule)
    assert score_fuzzy_match(prediction, golds, rule) is verdict.correct
    assert (verdict.gold is None) == (verdict.branch == "empty")
    assert verdict.rule == rule


@given(golds_read, rules)
def test_a_nearby_answer_agrees_with_explain(gold: str, rule: str) -> None:
    for prediction in (gold, gold + "x", gold[:-1], gold[: len(gold) // 2], gold.upper(), f"w {gold}"):
        assert score_fuzzy_match(prediction, [gold], rule) is explain_fuzzy_match(prediction, [gold], rule).correct


@given(golds_read, st.lists(golds_read, max_size=3))
def test_a_gold_is_its_own_answer(gold: str, others: list[str]) -> None:
    for rule in ("poleval", "readme", "exact"):
        assert score_fuzzy_match(gold, [*others, gold], rule)
    assume(read_number(others[0] if others else gold) is None)
    assert score_fuzzy_match(gold, [*others, gold], "card")


@given(texts, st.lists(golds_read, min_size=2, max_size=4), set_rules, st.data())
def test_order_of_golds_is_irrelevant(prediction: str, golds: list[str], rule: str, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(golds))
    assert score_fuzzy_match(prediction, golds, rule) is score_fuzzy_match(prediction, shuffled, rule)


@given(texts, st.lists(golds_read, min_size=1, max_size=3), golds_read, set_rules)
def test_one_more_gold_never_takes_a_point(prediction: str, golds: list[str], more: str, rule: str) -> None:
    if score_fuzzy_match(prediction, golds, rule):
        assert score_fuzzy_match(prediction, [*golds, more], rule)
        assert score_fuzzy_match(prediction, [more, *golds], rule)


def levenshtein(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(right, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (one != other))
    return row[-1]


@given(texts, golds_read)
def test_distance_is_plain_levenshtein(prediction: str, gold: str) -> None:
    answer = clean_line(prediction)
    assume(answer and read_number(gold) is None)
    verdict = explain_fuzzy_match(prediction, [gold])
    assert verdict.distance == levenshtein(lower_code_points(answer), lower_code_points(gold))
    assert verdict.limit == len(gold) / 2
    assert verdict.correct is (2 * verdict.distance <= len(gold))
    card = explain_fuzzy_match(prediction, [gold], "card")
    assert card.distance == levenshtein(prediction, gold)
    assert card.correct is (2 * card.distance <= len(gold))
    readme = explain_fuzzy_match(prediction, [gold], "readme")
    assert readme.distance == levenshtein(answer.lower(), gold.lower())
    assert readme.correct is (2 * readme.distance < len(gold))


@given(st.text("ąćęńóśźż", min_size=1, max_size=10))
def test_unicode_forms_are_not_folded(gold: str) -> None:
    decomposed = unicodedata.normalize("NFD", gold)
    # every letter falls in two, so each costs a substitution and an insertion
    assert explain_fuzzy_match(decomposed, [gold]).distance == 2 * len(gold)
    assert not score_fuzzy_match(decomposed, [gold])


@given(st.integers(0, 10**30), st.integers(0, 10**30))
def test_numbers_are_equal_or_wrong(one: int, other: int) -> None:
    assert score_fuzzy_match(f"około {one} sztuk", [str(other)]) is (one == other)
    assert score_fuzzy_match(f"{one},0", [f"00{other}"], "readme") is (one == other)
