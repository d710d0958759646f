"""Repairs: every kind by hand with its look-alikes, and what holds for all of them."""

import re
import unicodedata
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from damaged_texts import GOLDS, misread
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.data import thoughts
from polqa_demo.evaluation import RULES, repairs_letters, repairs_wrappings
from polqa_demo.evaluation.audit import audit
from polqa_demo.evaluation.repairs import REPAIRS, mend_answer, mend_together, repairs_for
from polqa_demo.records import Question

MENDS = {repair.kind: repair.mend for repair in REPAIRS}


@pytest.mark.parametrize(
    ("kind", "written", "golds", "mended"),
    [
        ("decomposed", unicodedata.normalize("NFD", "żółw"), ["żółw"], "żółw"),
        ("decomposed", "żółw", ["żółw"], None),
        ("quotes", "„Dziady”", ["Dziady"], "Dziady"),
        ("quotes", '"Dziady"', ["Dziady"], "Dziady"),
        ("quotes", " «Dziady» ", ["Dziady"], "Dziady"),
        ("quotes", "„Dziady", ["Dziady"], None),
        ("quotes", "d'Artagnan", ["d'Artagnan"], None),
        ("prefix", "Odpowiedź: Kraków", ["Kraków"], "Kraków"),
        ("prefix", unicodedata.normalize("NFD", "odpowiedź - ") + "Kraków", ["Kraków"], "Kraków"),
        ("prefix", "**Odp.:** Kraków", ["Kraków"], "Kraków"),
        ("prefix", "Poprawna odpowiedź to Kraków", ["Kraków"], "Kraków"),
        ("prefix", "Answer: Kraków", ["Kraków"], "Kraków"),
        ("prefix", "The answer is Kraków", ["Kraków"], "Kraków"),
        ("prefix", "Odpowiedź:", ["Kraków"], None),
        ("prefix", "odpowiedzialność: zbiorowa", ["x"], None),
        ("prefix", "Odpowiedź Hioba", ["x"], None),
        ("prefix", "wynik meczu", ["x"], None),
        ("final_stop", "Wisła.", ["Wisła"], "Wisła"),
        ("final_stop", "Wisła .  ", ["Wisła"], "Wisła"),
        ("final_stop", "i tak dalej...", ["x"], None),
        ("final_stop", ".", ["x"], None),
        ("roman", "xix", ["XIX"], "XIX"),
        ("roman", "w Xix wieku", ["19"], "w XIX wieku"),
        ("roman", "(XIX)", ["XIX"], "XIX"),
        ("roman", "XIX.", ["XIX"], "XIX"),
        ("roman", "karol v", ["Karol V"], "karol V"),
        ("roman", "i tak", ["Karol V"], None),
        ("roman", "mix", ["miks"], None),
        ("roman", "w 19 vi", ["XIX"], None),
        ("roman", "iiii", ["4"], None),
        ("number_words", "dwadzieścia pięć lat", ["25"], "25 lat"),
        ("number_words", "w dziewiętnastym", ["w XIX wieku"], "w 19"),
        ("number_words", "5", ["pięć"], "pięć"),
        ("number_words", "co 5 lat", ["co pięć lat"], "co pięć lat"),
        ("number_words", "„5”", ["5", "pięć"], None),
        ("number_words", "6", ["pięć"], None),
        ("number_words", "15", ["pięć"], None),
        ("number_words", "1,5", ["pięć"], None),
        ("number_words", "trzy", ["cztery"], None),
        ("decimal_sign", "1,5 km", ["1.5"], "1.5 km"),
        ("decimal_sign", "1.5", ["1,5"], "1,5"),
        ("decimal_sign", "1,5", ["1,5"], None),
        ("decimal_sign", "08.09.1943", ["8,5"], None),
        ("digit_groups", "10000", ["10 000"], "10 000"),
        ("digit_groups", "ok. 1 250 000 osób", ["1250000"], "ok. 1250000 osób"),
        ("digit_groups", "10 001", ["10000"], None),
        ("blanks", " Wisła\u200b  i Odra\u00a0", ["x"], "Wisła i Odra"),
        ("blanks", "Wi\u00adsła", ["x"], "Wisła"),
        ("blanks", "\ufeffWisła", ["x"], "Wisła"),
        ("blanks", "Wisła i Odra", ["x"], None),
        ("encoding", "w��", ["tak", "wąż"], "wąż"),
        ("encoding", "w??", ["wąż"], "wąż"),
        ("encoding", "W?oc?awek", ["Włocławek"], "Włocławek"),
        ("encoding", "W?ocławek", ["Wrocławek"], None),
        ("encoding", "�", ["ą"], "�"),
        ("encoding", "kto?", ["ktoś"], "ktoś"),
        ("encoding", "kto?", ["nikt"], None),
        ("encoding", "Ŝółw", ["żółw"], "żółw"),
        ("encoding", "Château Ångström", ["x"], None),
        ("case", "KRAKÓW", ["Kraków"], "Kraków"),
        ("case", "W KRAKOWIE LEŻY", ["w Krakowie"], "w Krakowie LEŻY"),
        ("case", "Kraków", ["Kraków"], None),
        ("think_block", "<think>\nhm\n</think>\n\nŁódź", ["Łódź"], "Łódź"),
        ("think_block", "<Thinking>hm</Thinking> Łódź", ["Łódź"], "Łódź"),
        ("think_block", "hm, Kutno?\n</think>\nŁódź", ["Łódź"], "Łódź"),
        ("think_block", "Łódź <think>albo jednak", ["Łódź"], "Łódź"),
        ("think_block", "<think>Łódź", ["Łódź"], "Łódź"),
        ("think_block", "<think>Łódź</think>", ["Łódź"], "Łódź"),
        ("think_block", "<think>a</think>Łódź<think>b</think>", ["Łódź"], "Łódź"),
        ("think_block", "Kutno</think>Łódź", ["Łódź"], "Łódź"),
        ("think_block", "[THINK]hm[/THINK]Łódź", ["Łódź"], "Łódź"),
        ("think_block", "◁think▷hm◁/think▷Łódź", ["Łódź"], "Łódź"),
        (
            "think_block",
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Łódź",
            ["Łódź"],
            "Łódź",
        ),
        ("think_block", "Think different", ["Think different"], None),
        ("think_block", "<think>", ["<think>"], None),
        ("think_block", "[think] it", ["x"], None),
        ("special_tokens", "<pad> Wisła</s>", ["Wisła"], "Wisła"),
        ("special_tokens", "[CLS] Wisła [SEP][PAD][PAD]", ["Wisła"], "Wisła"),
        ("special_tokens", "Wisła<|im_end|>\n<|endoftext|>", ["Wisła"], "Wisła"),
        ("special_tokens", "<|im_start|>assistant\nWisła<|im_end|>", ["Wisła"], "Wisła"),
        ("special_tokens", "<start_of_turn>model\nWisła<end_of_turn>", ["Wisła"], "Wisła"),
        ("special_tokens", "Wisła<｜end▁of▁sentence｜>", ["Wisła"], "Wisła"),
        ("special_tokens", "<answer>Wisła</answer>", ["Wisła"], "Wisła"),
        ("special_tokens", "<extra_id_0> górna<unk>Wisła", ["x"], "górna Wisła"),
        ("special_tokens", "</s>", ["x"], ""),
        ("special_tokens", "<3", ["x"], None),
        ("special_tokens", "[sep] < s >, a < b > c", ["x"], None),
        ("special_tokens", "|x| <|a b|>", ["x"], None),
        ("special_tokens", "token <pad>", ["<pad>"], None),
        ("html_entities", "nad &Lstrok;&oacute;dk&#261;", ["x"], "nad Łódką"),
        ("html_entities", "&#x141;&#X00F3;d&zacute;", ["x"], "Łódź"),
        ("html_entities", "&bdquo;Dziady&rdquo; &amp; inne", ["x"], "„Dziady” & inne"),
        ("html_entities", "&amp;amp;oacute;", ["x"], "ó"),
        ("html_entities", "&amp;lt", ["x"], "&lt"),
        ("html_entities", "&#55296;&#x110000;", ["x"], "\ufffd\ufffd"),
        ("html_entities", "&#" + "9" * 5000 + ";", ["x"], None),
        ("html_entities", "A & B", ["x"], None),
        ("html_entities", "AT&T", ["AT&T"], None),
        ("html_entities", "R&D; B&B;", ["x"], None),
        ("html_entities", "&notes; &oacute", ["x"], None),
        ("html_entities", "&amp; to encja", ["&amp;"], None),
        ("unicode_escapes", "Krak\\u00f3w", ["x"], "Kraków"),
        ("unicode_escapes", "nad \\u0141\\xf3dk\\u0105", ["x"], "nad Łódką"),
        ("unicode_escapes", "\\\\u0141ódź", ["x"], "Łódź"),
        ("unicode_escapes", "\\ud83d\\ude00 \\U0001F600", ["x"], "😀 😀"),
        ("unicode_escapes", "\\ud83d \\ude00 \\u0000 \\U00110000", ["x"], None),
        ("unicode_escapes", "C:\\users\\xampp\\x41", ["x"], None),
        ("unicode_escapes", "\\u, \\u12, \\u12g4", ["x"], None),
        ("unicode_escapes", "\\u0142", ["\\u0142"], None),
        ("bullets", "- tak", ["tak"], "tak"),
        ("bullets", " •tak", ["tak"], "tak"),
        ("bullets", "* tak", ["tak"], "tak"),
        ("bullets", "– tak", ["tak"], "tak"),
        ("bullets", "• 5", ["5"], "5"),
        ("bullets", "- 5", ["5"], None),
        ("bullets", "- 5", ["-5"], None),
        ("bullets", "-5", ["5"], None),
        ("bullets", "− .5", ["0.5"], None),
        ("bullets", "-tak", ["tak"], None),
        ("bullets", "w XIX", ["w XIX"], None),
        ("bullets", "- tak", ["- nie"], None),
        ("bullets", "-", ["x"], None),
        ("numbering", "3. Kraków", ["Kraków"], "Kraków"),
        ("numbering", "12) tak", ["tak"], "tak"),
        ("numbering", "(4)  tak", ["tak"], "tak"),
        ("numbering", "7: tak", ["tak"], "tak"),
        ("numbering", "1. 30", ["trzydzieści", "30"], "30"),
        ("numbering", "3. Armia", ["3. Armia"], None),
        ("numbering", "3. Armia", ["Trzecia Armia"], None),
        ("numbering", "3. Dywizja", ["III Dywizja"], None),
        ("numbering", "3. Dywizja", ["2. Korpus"], None),
        ("numbering", "1. FC Köln", ["1. FC Köln"], None),
        ("numbering", "1. liga", ["pierwsza liga", "I liga"], None),
        ("numbering", "19. wiek", ["19"], None),
        ("numbering", "5. trzy", ["5"], None),
        ("numbering", "3. maja 1791", ["1791"], None),
        ("numbering", "3. 05. 1791", ["1791"], None),
        ("numbering", "2 litry", ["litr"], None),
        ("numbering", "3.14", ["x"], None),
        ("numbering", "12:30", ["x"], None),
        ("numbering", "1945.", ["x"], None),
        ("emphasis", "**Kraków**", ["Kraków"], "Kraków"),
        ("emphasis", "*Lalka* i ***Faraon***", ["x"], "Lalka i Faraon"),
        ("emphasis", "Odpowiedź: **30**", ["30"], "Odpowiedź: 30"),
        ("emphasis", "**Odp.:** Kraków", ["Kraków"], "Odp.: Kraków"),
        ("emphasis", "__Kraków__", ["Kraków"], "Kraków"),
        ("emphasis", " _Kraków_ ", ["Kraków"], "Kraków"),
        ("emphasis", "`Kraków`", ["Kraków"], "Kraków"),
        ("emphasis", "```\nKraków\n```", ["Kraków"], "Kraków"),
        ("emphasis", "M*A*S*H", ["x"], None),
        ("emphasis", "2 * 3 * 4", ["24"], None),
        ("emphasis", "2**3**4", ["x"], None),
        ("emphasis", "*", ["x"], None),
        ("emphasis", "__", ["x"], None),
        ("emphasis", "_a_ i _b_", ["x"], None),
        ("emphasis", "__init__", ["__init__"], None),
        ("emphasis", "*args*", ["*args"], None),
        ("prefix", "Odpowiedź: **Kraków**", ["Kraków"], "**Kraków**"),
        ("prefix", "**Odpowiedź**: Kraków", ["Kraków"], "Kraków"),
        ("quotes", '"Dziady”', ["Dziady"], "Dziady"),
        ("truth_words", "True", ["tak"], "tak"),
        ("truth_words", " FALSE", ["Nie"], "nie"),
        ("truth_words", "true", ["nie"], "tak"),
        ("truth_words", "True", ["True"], None),
        ("truth_words", "true", ["tak", "True"], None),
        ("truth_words", "True", ["prawda"], None),
        ("truth_words", "True story", ["tak"], None),
    ],
)  # fmt: skip
def test_by_hand(kind: str, written: str, golds: list[str], mended: str | None) -> None:
    assert MENDS[kind](written, golds) == mended


@pytest.mark.parametrize("encoding", ["cp1250", "cp1252", "latin-1", "iso-8859-2"])
@pytest.mark.parametrize(
    "text", ["zażółć gęślą jaźń", "ŁÓDŹ, ŻÓŁĆ, GĘŚ", "„Ślepnąc od świateł”", "Kazimierz III – król"]
)
def test_letters_come_back_from_a_wrong_encoding(encoding: str, text: str) -> None:
    expected = text
    if encoding == "iso-8859-2":
        # There Ź looks as Ś does in cp1250, which is met more often.
        expected = text.replace("Ź", "Ś")
    assert MENDS["encoding"](misread(text, encoding), []) == expected


@pytest.mark.parametrize(
    ("written", "gold"),
    [
        ("A & B", "C & D"),
        ("AT&T", "IBM"),
        ("<3", "serce"),
        ("&amp;", "&quot;"),
        ("Think different", "myśl inaczej"),
        ("- 5", "7"),
        ("-5", "-7"),
        ("3. Armia", "4. Armia"),
        ("1. FC Köln", "1. FC Nürnberg"),
        ("C:\\users", "C:\\windows"),
        ("\\u i \\x", "ukośnik"),
        ("M*A*S*H", "serial"),
        ("True", "prawda"),
    ],
)
@pytest.mark.parametrize("rule", RULES)
def test_what_only_looks_like_damage_is_none(written: str, gold: str, rule: str) -> None:
    found = mend_answer(written, [gold], rule)
    assert {repair.kind for repair, _ in found.alone} <= {"case"} if found else True
    told = audit([Question("1", "?", (gold,))], {"1": written}, rule)
    assert {damage.kind for damage in told.damages} <= {"case"}


def test_only_the_card_tells_upper_from_lower_case() -> None:
    kinds = [repair.kind for repair in REPAIRS]
    assert len(set(kinds)) == len(kinds)
    assert [repair.kind for repair in repairs_for("card")] == kinds
    assert [repair.kind for repair in repairs_for("poleval")] == [kind for kind in kinds if kind != "case"]


def test_all_repairs_together_say_which_were_taken() -> None:
    found = mend_answer("<think>hm</think>\n- **Odpowiedź:** `\\u0141&oacute;dź`.</s>", ["Łódź"], "poleval")
    assert found is not None
    assert found.together == "Łódź"
    assert [repair.kind for repair in found.taken] == [
        "think_block",
        "special_tokens",
        "html_entities",
        "unicode_escapes",
        "bullets",
        "emphasis",
        "prefix",
        "final_stop",
    ]
    assert mend_answer("Łódź", ["Łódź"], "poleval") is None


# These take one layer away; below it may be another.
_REPEATABLE = (
    "html_entities",
    "unicode_escapes",
    "encoding",
    "bullets",
    "emphasis",
    "prefix",
    "quotes",
    "final_stop",
)


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=30), GOLDS)
def test_a_repair_never_fails_and_leaves_nothing_to_repair(text: str, golds: list[str]) -> None:
    for repair in REPAIRS:
        mended = repair.mend(text, golds)
        if mended is not None and repair.kind not in _REPEATABLE:
            assert repair.mend(mended, golds) is None
    mend_together(text, golds, REPAIRS)


PATTERNS = [
    pytest.param(pattern, id=f"{module.__name__.rsplit('_', 1)[-1]}{name}")
    for module in (repairs_letters, repairs_wrappings, thoughts)
    for name, pattern in vars(module).items()
    if name.startswith("_") and isinstance(pattern, re.Pattern)
]


def repeats(parsed: Any) -> list[tuple[str, int]]:
    """Every repeat of a parsed pattern: its kind, and how often at most."""
    found: list[tuple[str, int]] = []
    for part in parsed if isinstance(parsed, (list, tuple, _parser.SubPattern)) else ():
        if isinstance(part, tuple) and len(part) == 2 and str(part[0]).endswith("_REPEAT"):
            found.append((str(part[0]), int(part[1][1])))
        found += repeats(part)
    return found


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_cannot_take_more_than_linear_time(pattern: re.Pattern[str]) -> None:
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    found = repeats(parsed)
    endless = [kind for kind, most in found if most >= _parser.MAXREPEAT]
    # What repeats without end never gives back, and it is begun at one place only: at the beginning of the text, or
    # where the whole pattern is the repeat, which then has matched.
    assert all(kind == "POSSESSIVE_REPEAT" for kind in endless)
    anchored = str(parsed[0][1]) == "AT_BEGINNING_STRING"
    assert not endless or anchored or (len(parsed) == 1 and str(parsed[0][0]) == "POSSESSIVE_REPEAT")
    # What is sought may look ahead by so many signs at each place.
    assert all(most <= 200 for _, most in found if most < _parser.MAXREPEAT)


@pytest.mark.parametrize(
    "piece",
    [
        "<", "<|", "<|a", "<think>", "</think>", "<thi", "</s>", "[", "[PAD]", "◁think▷", "<|channel|>", "<|start|>",
        "&", "&a", "&amp;", "&#", "&#1", "&#x1", "\\", "\\u", "\\ud83d", "\\u0142", "\\x", " ", "\n", "- ", "•", "* ",
        "*", "*a", "**a", "**a**", "***", "_", "__a", "`", "`a", "1. ", "1", "(1) ", "(", "Odpowiedź ", "odpowiedź: ",
        "answer ", "the ", "final ", "na pytanie ", "„", ". ", " .", "True", "\ufffd",
    ],
)  # fmt: skip
def test_long_hostile_texts_are_mended_like_short_ones(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    for whole in (text, f"x{text}", f"{text}x", f"1. **Odpowiedź: {text}"):
        for repair in REPAIRS:
            if repair.mend.__module__ in (repairs_letters.__name__, repairs_wrappings.__name__):
                mended = repair.mend(whole, ["Łódź"])
                assert mended is None or len(mended) <= len(whole)
