"""Damage and what it costs: every kind by hand, and as properties that no repair may break."""

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.evaluation import RULES, score_fuzzy_match
from polqa_demo.evaluation.audit import Audit, Damage, audit, repaired
from polqa_demo.evaluation.repairs import REPAIRS, repairs_for
from polqa_demo.records import Question

MENDS = {repair.kind: repair.mend for repair in REPAIRS}


def gold_set(*golds: tuple[str, ...]) -> list[Question]:
    return [Question(str(place), "?", answers) for place, answers in enumerate(golds)]


def kinds(found: Audit) -> dict[str, Damage]:
    return {damage.kind: damage for damage in found.damages}


def misread(text: str, encoding: str) -> str:
    """UTF-8 read as something else; bytes without a meaning there stay control characters."""
    return "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in text.encode())


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


def test_points_by_hand() -> None:
    questions = gold_set(("XIX",), ("Wisła",), ("25", "dwadzieścia pięć"), ("Lalka",), ("Dziady",), ())
    predictions = {"0": "xix", "1": "Wisła.", "2": "„25”", "3": "„Quo vadis”", "4": '"Dziady"', "5": "„x”"}
    found = audit(questions, predictions)
    assert (found.n, found.correct) == (5, 3)
    rows = kinds(found)
    assert set(rows) == {"roman", "final_stop", "quotes"}
    assert (rows["roman"].affected, rows["roman"].gained, rows["roman"].points) == (1, 1, 20.0)
    assert (rows["final_stop"].affected, rows["final_stop"].points) == (1, 0.0)
    assert (rows["quotes"].affected, rows["quotes"].gained) == (3, 0)
    assert found.damages[0].kind == "roman"
    place = rows["roman"].places[0]
    assert (place.question_id, place.written, place.repaired, place.effect) == ("0", "xix", "XIX", "gained")
    assert [place.question_id for place in rows["quotes"].places] == ["2", "3", "4"]
    assert found.together is not None
    assert (found.together.affected, found.together.gained) == (5, 1)


def test_a_decomposed_answer_is_wrong_and_the_audit_says_so() -> None:
    decomposed = unicodedata.normalize("NFD", "żółć")
    questions = gold_set(("żółć",))
    assert not score_fuzzy_match(decomposed, ["żółć"])
    found = audit(questions, {"0": decomposed})
    assert (found.correct, found.damages[0].kind, found.damages[0].points) == (0, "decomposed", 100.0)


def test_what_becomes_wrong_counts_against() -> None:
    # The gold has its quotes, and half of its length is two: without them the answer is too far away.
    questions = gold_set(("„ab”",), ("Wisła",))
    found = kinds(audit(questions, {"0": "„ax”", "1": "„Wisła”"}))["quotes"]
    assert (found.affected, found.gained, found.lost) == (2, 0, 1)
    assert (found.points, found.net_points) == (0.0, -50.0)
    assert found.places[0].effect == "lost"


def test_two_damages_need_two_repairs() -> None:
    # Without the full stop there still are two signs too many for three letters.
    found = audit(gold_set(("sęp",)), {"0": "„sęp”."})
    assert [damage.kind for damage in found.damages] == ["final_stop"]
    assert all(damage.gained == 0 for damage in found.damages)
    assert found.together is not None
    assert found.together.places[0].repaired == "sęp"
    assert found.together.gained == 1


def test_case_matters_to_the_card_alone() -> None:
    questions = gold_set(("Kraków",))
    assert kinds(audit(questions, {"0": "KRAKÓW"}, "card"))["case"].gained == 1
    for rule in ("poleval", "readme", "exact"):
        assert audit(questions, {"0": "KRAKÓW"}, rule).damages == ()


def test_right_answers_as_the_gold_has_them_are_not_damaged() -> None:
    golds = ("„Dziady”",), ("itd.",), ("pięć", "5"), ("1,5",)
    predictions = {str(place): answers[0] for place, answers in enumerate(golds)}
    assert audit(gold_set(*golds), predictions).damages == ()
    assert audit(gold_set(*golds), {}).together is None


def test_unknown_rule() -> None:
    with pytest.raises(ValueError, match="unknown rule"):
        audit(gold_set(("x",)), {"0": "y"}, "no-such")


GOLDS = st.lists(
    st.sampled_from(["XIX", "w XX wieku", "pięć", "5", "1,5", "1.5", "10 000", "10000", "żółw", "„Dziady”", "Karol V"]),
    min_size=1,
    max_size=3,
)
DAMAGES: list[Callable[[str], str]] = [
    str,
    str.lower,
    str.upper,
    lambda text: f"Odpowiedź: {text}",
    lambda text: f"„{text}”",
    lambda text: text + ".",
    lambda text: f"  {text}\u200b",
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: misread(text, "cp1250"),
    lambda text: text.encode("ascii", "replace").decode(),
    lambda text: text.replace(",", "."),
]
ANSWERS = st.lists(
    st.tuples(GOLDS, GOLDS, st.lists(st.sampled_from(DAMAGES), max_size=3), st.text(max_size=6), st.booleans()),
    max_size=15,
)


@settings(deadline=None)
@given(ANSWERS, st.sampled_from(RULES))
def test_net_points_equal_a_full_rescoring(drawn: list[tuple[list[str], ...]], rule: str) -> None:
    questions: list[Question] = []
    predictions: dict[str, str] = {}
    for place, (golds, others, damages, noise, own) in enumerate(drawn):
        text = noise or (golds if own else others)[0]
        for damage in damages:
            text = damage(text)  # type: ignore[operator]
        questions.append(Question(str(place), "?", tuple(golds)))
        predictions[str(place)] = text

    def score(texts: dict[str, str]) -> int:
        return sum(score_fuzzy_match(texts[item.id], item.answers, rule) for item in questions)

    def untouched(item: Question) -> bool:
        text = predictions[item.id]
        return text in item.answers and score_fuzzy_match(text, item.answers, rule)

    before = dict(predictions)
    found = audit(questions, predictions, rule)
    assert predictions == before
    assert found.correct == score(predictions)
    rows = kinds(found)
    for repair in repairs_for(rule):
        mended = predictions | {
            item.id: text
            for item in questions
            if not untouched(item) and (text := repair.mend(predictions[item.id], item.answers)) is not None
        }
        row = rows.get(repair.kind)
        assert score(mended) - score(predictions) == (row.gained - row.lost if row else 0)
        changed = sum(mended[key] != predictions[key] for key in predictions)
        assert changed <= (row.affected if row else 0)
    everything = predictions | {
        item.id: repaired(predictions[item.id], item.answers, repairs_for(rule))
        for item in questions
        if not untouched(item)
    }
    net = found.together.gained - found.together.lost if found.together else 0
    assert score(everything) - score(predictions) == net


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=30), GOLDS)
def test_a_repair_never_fails_and_leaves_nothing_to_repair(text: str, golds: list[str]) -> None:
    for repair in REPAIRS:
        mended = repair.mend(text, golds)
        if mended is not None and repair.kind not in ("prefix", "quotes", "encoding", "final_stop"):
            assert repair.mend(mended, golds) is None
    repaired(text, golds, REPAIRS)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        " ",
        "?",
        "\ufffd",
        '"',
        ".",
        "1",
        "1,",
        "1.1 ",
        " 111",
        ".111",
        "Ĺ‚",
        "xix ",
        "dwa ",
        "the ",
        "\u0301",
        "* ",
    ],
)
def test_a_cell_of_a_million_signs_takes_seconds_at_most(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    audit(gold_set(("1945", "pięć", "10 000", "1,5", "Kraków")), {"0": text}, "card")
    assert time.process_time() - start < 20


def test_lost_letters_of_both_kinds_side_by_side_take_no_time() -> None:
    # Neighbouring runs once became neighbouring quantifiers, which backtrack without end against many Polish letters.
    text = "a" + "???\ufffd\ufffd\ufffd" * 20 + "b"
    question = Question("1", "?", ("a" + "ą" * 80 + "xb",))
    start = time.perf_counter()
    audit([question], {"1": text})
    assert time.perf_counter() - start < 2
