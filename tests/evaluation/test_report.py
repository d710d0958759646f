"""The report, its signature, and the check of a live answer."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from polqa_demo.data.catalogue import DEFAULT_GOLD
from polqa_demo.errors import UserError
from polqa_demo.evaluation import RULES
from polqa_demo.evaluation.live import GoldQuestions
from polqa_demo.evaluation.report import Report, build_report
from polqa_demo.evaluation.signature import gold_checksum, signature
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.submissions.gold import load_gold
from polqa_demo.version import __version__

GOLD = GoldSet(
    "zbior",
    "test",
    (
        Question("1", "Gdzie?", ("w Rzymie",)),
        Question("2", "Kto?", ("Ludwik XVI", "król Francji")),
        Question("3", "Kiedy?", ("w 1943",)),
        Question("4", "Co?"),
    ),
    (
        Judgement("1", "a", grade=1, source="human"),
        Judgement("2", "b", grade=1, source="zero-shot"),
        Judgement("2", "c", grade=0, source="human"),
        Judgement("4", "d", grade=1, source="human"),
    ),
)
ANSWERS = {"1": "Rzym", "2": "Ludwik XV", "3": "w 1943"}
RANKINGS = {"1": Ranking("1", ("x", "a"), (2.0, 2.0)), "2": Ranking("2", ("b", "c"))}


def hits(report: Report) -> Mapping[str, tuple[int, int]]:
    assert report.answers is not None
    return {rule: (share.hits, share.n) for rule, share in report.answers.rules.items()}


def test_every_rule_is_counted_over_the_questions_with_a_gold_answer() -> None:
    # Golds on which the rules part, worked out by hand.
    report = build_report(GOLD, ANSWERS)
    assert hits(report) == {"poleval": (2, 3), "readme": (2, 3), "card": (1, 3), "exact": (1, 3)}
    assert report.answers is not None
    assert (report.answers.answered, report.answers.missing, report.answers.without_gold) == (3, 0, 1)
    assert report.rankings is None
    assert report.answers_from_gold is None


def test_missing_and_empty_answers_are_wrong_and_counted() -> None:
    report = build_report(GOLD, {"1": "Rzym", "2": " ", "4": "coś"})
    assert hits(report)["poleval"] == (1, 3)
    assert report.answers is not None
    assert (report.answers.answered, report.answers.missing) == (1, 1)
    verdicts = {item.question.id: item.verdict for item in report.items}
    assert verdicts["4"] is None
    assert verdicts["3"] is not None
    assert (verdicts["3"].correct, verdicts["3"].branch) == (False, "empty")
    assert [item.prediction for item in report.items] == ["Rzym", " ", None, None]


def test_answers_on_gold_passages_are_scored_beside_the_others() -> None:
    report = build_report(GOLD, ANSWERS, answers_from_gold={"1": "Rzym", "2": "Ludwik XVI", "3": "1943"})
    assert report.answers_from_gold is not None
    assert hits(report)["poleval"] == (2, 3)
    assert report.answers_from_gold.rules["poleval"].hits == 3
    alone = build_report(GOLD, answers_from_gold={"1": "Rzym"})
    assert alone.answers is None
    assert alone.answers_from_gold is not None
    assert alone.answers_from_gold.missing == 2
    assert "rule:poleval" in alone.signature


def test_rankings_by_the_source_of_the_gold() -> None:
    by_human = build_report(GOLD, rankings=RANKINGS).rankings
    assert by_human is not None
    assert (by_human.hits, by_human.n, by_human.accuracy_all_questions.n) == (1, 2, 4)
    by_all = build_report(GOLD, rankings=RANKINGS, gold_source="all").rankings
    assert by_all is not None
    assert (by_all.hits, by_all.n) == (2, 3)
    assert by_all["judged@10"].value == pytest.approx((1 / 2 + 2 / 2 + 0) / 3)


def test_the_rule_of_the_headline_explains_the_items() -> None:
    for rule in RULES:
        report = build_report(GOLD, ANSWERS, rule=rule)
        assert report.rule == rule
        verdicts = [item.verdict for item in report.items if item.verdict]
        assert {verdict.rule for verdict in verdicts} == {rule}
        assert sum(verdict.correct for verdict in verdicts) == hits(report)[rule][0]


@pytest.mark.parametrize("wrong", [{"rule": "bleu"}, {"gold_source": "humans"}])
def test_unknown_names_are_programming_errors(wrong: dict[str, str]) -> None:
    for given in ({"predictions": ANSWERS}, {"rankings": RANKINGS}, {}):
        with pytest.raises(ValueError, match=next(iter(wrong.values()))):
            build_report(GOLD, **given, **wrong)  # type: ignore[arg-type]


def test_a_gold_without_answers_or_passages_says_so() -> None:
    bare = GoldSet("goly", "", (Question("1", "Kto?"),))
    with pytest.raises(UserError, match="goly") as caught:
        build_report(bare, {"1": "ja"})
    assert caught.value.code == "no-gold-answers"
    with pytest.raises(UserError) as caught:
        build_report(bare, rankings={"1": Ranking("1", ("a",))})
    assert caught.value.code == "no-gold-passages"


def test_the_signature_says_what_was_scored_how() -> None:
    parts = build_report(GOLD, ANSWERS, RANKINGS).signature.split("|")
    assert parts[0] == "polqa-demo"
    assert parts[1] == f"gold:zbior/test@{gold_checksum(GOLD)}"
    assert parts[2:] == [
        "n:4",
        "rule:poleval",
        "missing:wrong",
        "extra:left-out",
        "duplicates:refused",
        "no-gold:left-out",
        "gold-source:auto",
        "gains:binary",
        "ties:rank-then-file",
        "missing-ranking:miss",
        "seed:0",
        f"version:{__version__}",
    ]


def test_the_signature_changes_with_every_policy_and_every_part_of_the_gold() -> None:
    first, *rest = GOLD.questions
    golds = [
        GOLD,
        replace(GOLD, name="inny"),
        replace(GOLD, split="valid"),
        replace(GOLD, questions=tuple(rest)),
        replace(GOLD, questions=(replace(first, id="9"), *rest)),
        replace(GOLD, questions=(replace(first, answers=("Rzym",)), *rest)),
        replace(GOLD, questions=(*rest, first)),
        replace(GOLD, judgements=GOLD.judgements[1:]),
        replace(GOLD, judgements=(replace(GOLD.judgements[0], grade=0), *GOLD.judgements[1:])),
        replace(GOLD, judgements=(replace(GOLD.judgements[0], source=""), *GOLD.judgements[1:])),
    ]
    signatures = [build_report(gold, ANSWERS, RANKINGS, gold_source="all").signature for gold in golds]
    signatures += [build_report(GOLD, ANSWERS, RANKINGS, rule, "all").signature for rule in RULES[1:]]
    signatures += [build_report(GOLD, ANSWERS, RANKINGS, gold_source=source).signature for source in ("auto", "human")]  # type: ignore[arg-type]
    signatures += [build_report(GOLD, ANSWERS).signature, build_report(GOLD, rankings=RANKINGS).signature]
    assert len(set(signatures)) == len(signatures)


def test_the_signature_does_not_change_with_what_is_scored() -> None:
    assert build_report(GOLD, ANSWERS).signature == build_report(GOLD, {"1": "x"}).signature
    retitled = replace(GOLD, questions=tuple(replace(item, text="?", labels={"a": "b"}) for item in GOLD.questions))
    assert gold_checksum(retitled) == gold_checksum(GOLD)


def test_the_checksum_of_gold_without_grades_stays() -> None:
    gold = GoldSet(
        "g", "", (Question("1", ""), Question("2", "")),
        (Judgement("1", "1-0", 1), Judgement("1", "2-0", 0), Judgement("2", "3-0", 1), Judgement("2", "4-0", -1)),
    )  # fmt: skip
    assert gold_checksum(gold) == "d7407db4d6"
    assert gold_checksum(load_gold(DEFAULT_GOLD)) == "990aa73436"


def test_grades_stand_in_the_signature() -> None:
    graded = replace(GOLD, judgements=(replace(GOLD.judgements[0], grade=2), *GOLD.judgements[1:]))
    found = build_report(graded, rankings=RANKINGS, gold_source="all")
    assert "|gains:graded|" in found.signature
    assert gold_checksum(graded) not in {gold_checksum(GOLD), gold_checksum(replace(graded, judgements=()))}
    # A file of the same judgements that nothing of counts is not graded.
    other = replace(GOLD, judgements=(*GOLD.judgements, Judgement("1", "z", 3, "zero-shot")))
    assert "|gains:binary|" in build_report(other, rankings=RANKINGS, gold_source="human").signature


def test_a_name_cannot_pose_as_a_policy() -> None:
    forged = signature(replace(GOLD, name="a|rule:exact @x"), {"rule": "poleval"})
    assert forged.count("|") == signature(GOLD, {"rule": "poleval"}).count("|")
    assert "a_rule_exact__x/test@" in forged


def test_a_live_answer_is_checked_when_its_question_is_known() -> None:
    known = GoldQuestions([GOLD, replace(GOLD, name="drugi")])
    check = known.check("  GDZIE ", "Rzym", ["x", "a"])
    assert check is not None
    assert (check.gold, check.question.id, check.verdict.correct) == ("zbior/test", "1", True)
    assert (check.gold_passages, check.first_rank) == (("a",), 2)
    missed = known.check("Gdzie?", "Paryż", ["x"])
    assert missed is not None
    assert (missed.verdict.correct, missed.first_rank) == (False, None)
    assert known.check("Co?", "cokolwiek", []) is None
    assert known.check("Nieznane?", "x", []) is None
