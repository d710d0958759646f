"""Damage and what it costs: every kind by hand, and as properties that no repair may break."""

import time
import unicodedata

import pytest
from damaged_texts import DAMAGES, GOLDS
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.evaluation import RULES, score_fuzzy_match
from polqa_demo.evaluation.audit import Audit, Damage, audit
from polqa_demo.evaluation.buckets import place_answer, sort_answers
from polqa_demo.evaluation.repairs import mend_together, repairs_for
from polqa_demo.records import Question


def gold_set(*golds: tuple[str, ...]) -> list[Question]:
    return [Question(str(place), "?", answers) for place, answers in enumerate(golds)]


def kinds(found: Audit) -> dict[str, Damage]:
    return {damage.kind: damage for damage in found.damages}


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


def test_what_models_write_is_named() -> None:
    # Written, gold, the kind that the audit names.
    rows = [
        ("<think>\nhm, Wisła?\n</think>\n\nOdra", "Odra", "think_block"),
        ("<pad> Warta</s>", "Warta", "special_tokens"),
        ("&Lstrok;&oacute;d&zacute;", "Łódź", "html_entities"),
        ("\\u017b\\xf3\\u0142w", "Żółw", "unicode_escapes"),
        ("- San", "San", "bullets"),
        ("5. Bug", "Bug", "numbering"),
        ("**Ob**", "Ob", "emphasis"),
        ("True", "tak", "truth_words"),
        ("dwadzieścia pięć", "25", "number_words"),
    ]
    questions = gold_set(*((gold,) for _, gold, _ in rows))
    predictions = {str(place): written for place, (written, _, _) in enumerate(rows)}
    found = audit(questions, predictions)
    assert found.correct == 0
    gained = {place.question_id: row.kind for row in found.damages for place in row.places if place.effect == "gained"}
    assert gained == {str(place): kind for place, (_, _, kind) in enumerate(rows)}
    assert found.together is not None
    assert found.together.gained == len(rows)
    assert sort_answers(questions, predictions).counts["format"] == len(rows)


def test_a_reason_names_all_the_repairs_that_it_takes() -> None:
    alone = place_answer("1", "dwadzieścia pięć", ["25"])
    assert (alone.bucket, alone.gold) == ("format", "25")
    assert alone.reason.en == "to mend: numbers in words or in digits; then “25” is right"
    together = place_answer("1", "- **„Ob”**.", ["Ob"])
    assert together.bucket == "format"
    assert together.reason.en == (
        "to mend: a bullet in front (“- ”), Markdown emphasis (**), a final full stop, quotes around the answer; "
        "then “Ob” is right"
    )


ONE_ANSWER = st.tuples(GOLDS, GOLDS, st.lists(st.sampled_from(DAMAGES), max_size=3), st.text(max_size=6))


@settings(deadline=None, max_examples=500)
@given(ONE_ANSWER, st.booleans(), st.sampled_from(RULES))
def test_the_reason_of_a_wrong_answer_and_the_audit_agree(drawn: tuple[list[str], ...], own: bool, rule: str) -> None:
    golds, others, damages, noise = drawn
    text = noise or (golds if own else others)[0]
    for damage in damages:
        text = damage(text)  # type: ignore[operator]
    found = audit([Question("1", "?", tuple(golds))], {"1": text}, rule)
    rows = [*found.damages, *([found.together] if found.together else [])]
    gains = any(row.gained for row in rows)
    assert gains is (place_answer("1", text, golds, rule).bucket == "format")


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
        item.id: mend_together(predictions[item.id], item.answers, repairs_for(rule))[0]
        for item in questions
        if not untouched(item)
    }
    net = found.together.gained - found.together.lost if found.together else 0
    assert score(everything) - score(predictions) == net


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
        "<think>",
        "</s>",
        "<|a",
        "&amp;",
        "\\u0142",
        "1. ",
        "**a**",
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
    start = time.process_time()
    audit([question], {"1": text})
    assert time.process_time() - start < 20
