"""Questions without an answer: left out, or an empty prediction is right there, with numbers of their own."""

import json

import pytest

from polqa_demo.comparison import compare_uploads
from polqa_demo.errors import UserError
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.evaluation.report import AnswerScores, Report, Unanswerable, build_report
from polqa_demo.evaluation.shares import Share
from polqa_demo.gold_sets import seal
from polqa_demo.records import GoldSet, Question
from polqa_demo.reports.document import document
from polqa_demo.reports.html import report_html
from polqa_demo.reports.report_json import items_csv, report_json
from polqa_demo.reports.saved import load_report
from polqa_demo.scoring import Upload, score_uploads

# 1 and 2 have answers, 3 to 6 have none, and nobody says anything about 7.
GOLD = GoldSet(
    "g",
    "",
    (
        Question("1", "Kto?", ("Jan",)),
        Question("2", "Gdzie?", ("Rzym",)),
        *(Question(str(number), "Co?") for number in range(3, 8)),
    ),
    unanswerable=frozenset("3456"),
)
# Right, wrongly empty; rightly empty twice, wrongly answered, missing; of no account.
PREDICTIONS = {"1": "Jan", "2": "", "3": "", "4": " ", "5": "coś", "7": ""}


def scored(mode: Unanswerable = "abstain", **more: dict[str, str]) -> Report:
    return build_report(GOLD, PREDICTIONS, unanswerable=mode, **more)  # type: ignore[arg-type]


def answers(report: Report) -> AnswerScores:
    assert report.answers is not None
    return report.answers


def test_an_empty_prediction_is_right_where_there_is_no_answer() -> None:
    found = answers(scored())
    assert (found.answerable["poleval"], found.unanswerable) == (Share(1, 2), Share(2, 4))
    assert {rule: (share.hits, share.n) for rule, share in found.rules.items()} == dict.fromkeys(found.rules, (3, 6))
    assert (found.answered, found.missing, found.without_gold) == (2, 1, 1)
    verdicts = {item.question.id: item.correct for item in scored().items}
    assert verdicts == {"1": True, "2": False, "3": True, "4": True, "5": False, "6": False, "7": None}


def test_by_default_such_questions_are_left_out() -> None:
    found = answers(scored("leave-out"))
    assert (found.rules["poleval"], found.unanswerable, dict(found.answerable)) == (Share(1, 2), None, {})
    assert (found.answered, found.missing, found.without_gold) == (1, 0, 5)
    assert scored("leave-out") == build_report(GOLD, PREDICTIONS)


def test_the_signature_says_which() -> None:
    assert "|no-gold:left-out|" in scored("leave-out").signature
    assert "|no-gold:abstain|" in scored().signature


def test_a_perfect_copy_has_it_all_and_an_empty_file_its_share() -> None:
    copy = {question.id: question.answers[0] if question.answers else "" for question in GOLD.questions}
    assert answers(build_report(GOLD, copy, unanswerable="abstain")).rules["exact"] == Share(6, 6)
    empty = dict.fromkeys(copy, "")
    assert answers(build_report(GOLD, empty, unanswerable="abstain")).rules["exact"] == Share(4, 6)
    assert answers(build_report(GOLD, {}, unanswerable="abstain")).rules["exact"] == Share(0, 6)


def test_gold_without_any_answer_scores_no_answers() -> None:
    bare = GoldSet("g", "", (Question("1", "?"),), unanswerable=frozenset("1"))
    for mode in ("leave-out", "abstain"):
        with pytest.raises(UserError) as caught:
            build_report(bare, {"1": ""}, unanswerable=mode)  # type: ignore[arg-type]
        assert caught.value.code == "no-gold-answers"
    with pytest.raises(ValueError, match="guess"):
        build_report(GOLD, {}, unanswerable="guess")  # type: ignore[arg-type]


def test_where_no_gold_is_empty_nothing_changes_but_the_signature() -> None:
    plain = GoldSet("g", "", GOLD.questions[:2])
    one, two = (build_report(plain, PREDICTIONS, unanswerable=mode) for mode in ("leave-out", "abstain"))  # type: ignore[arg-type]
    assert one.answers == two.answers
    assert load_report(json.dumps(report_json(two))).answers == two.answers


def test_the_json_has_all_three_numbers() -> None:
    found = report_json(scored())["answers"]
    assert [found["n"], found["answerable"]["n"], found["unanswerable"]["n"]] == [6, 2, 4]
    assert [found["fuzzy_match"]["correct"], found["unanswerable"]["correct"]] == [3, 2]
    assert found["answerable"]["rules"]["card"]["n"] == 2
    assert found["without_gold"] == 1
    items = {item["question_id"]: item for item in report_json(scored())["items"]}
    assert items["3"] == {
        "question_id": "3", "question": "Co?", "prediction": "", "correct": True, "unanswerable": True,
    }  # fmt: skip
    assert (items["6"]["missing"], items["6"]["correct"]) == (True, False)
    assert "correct" not in items["7"]
    assert "unanswerable" not in json.dumps(report_json(scored("leave-out")))


@pytest.mark.parametrize("mode", ["leave-out", "abstain"])
@pytest.mark.parametrize("on_gold", [None, {"1": "Jan", "3": "", "5": ""}])
def test_a_saved_report_opens_to_the_same_view(mode: Unanswerable, on_gold: dict[str, str] | None) -> None:
    report = build_report(GOLD, PREDICTIONS, answers_from_gold=on_gold, unanswerable=mode)
    back = load_report(json.dumps(report_json(report)))
    assert (back.answers, back.answers_from_gold, back.signature) == (
        report.answers, report.answers_from_gold, report.signature,
    )  # fmt: skip
    assert [item.correct for item in back.items] == [item.correct for item in report.items]
    assert report_json(back) == report_json(report)


@pytest.mark.parametrize(
    "change",
    [
        lambda saved: saved["items"][2].update(correct=False),
        lambda saved: saved["items"][0].update(unanswerable=True),
        lambda saved: saved["items"][2].update(prediction="coś"),
        lambda saved: saved["answers"]["unanswerable"].update(correct=4),
        lambda saved: saved.update(signature=saved["signature"].replace("no-gold:abstain", "no-gold:left-out")),
    ],
)
def test_a_report_that_was_changed_is_refused(change) -> None:  # type: ignore[no-untyped-def]
    saved = report_json(scored())
    change(saved)
    with pytest.raises(UserError):
        load_report(json.dumps(saved))


def test_counts_on_gold_passages_without_the_answers_behind_them() -> None:
    saved = report_json(build_report(GOLD, PREDICTIONS, answers_from_gold=PREDICTIONS, unanswerable="abstain"))
    del saved["reader_beside"]
    for item in saved["items"]:
        item.pop("prediction_from_gold", None)
        item.pop("correct_from_gold", None)
    found = load_report(json.dumps(saved)).answers_from_gold
    assert found is not None
    assert (found.rules["poleval"], found.unanswerable, found.answerable["poleval"]) == (
        Share(3, 6),
        Share(2, 4),
        Share(1, 2),
    )


def test_what_lies_behind_the_score_is_about_the_same_questions() -> None:
    behind = analyse(scored()).answers
    assert behind is not None
    # One of six is missing: all between 3 and 4 of 6 is possible.
    assert behind.bounds == (3 / 6, 4 / 6)
    assert behind.slices is not None


def test_every_export_tells_the_two_kinds_apart() -> None:
    for lang, words in (("pl", ("bez odpowiedzi",)), ("en", ("without an answer",))):
        table = document(scored(), lang).sections[0].tables[0]  # type: ignore[arg-type]
        rows = [row for row in table.rows if row[-1].startswith(words)]
        assert [(row[3], row[4]) for row in rows] == [("2", "4")]
        assert "✓" in report_html(scored(), lang=lang)  # type: ignore[arg-type]
    assert [line.split(",")[0] for line in items_csv(scored()).splitlines() if "unanswerable" in line] == list("3456")


def test_compared_runs_count_the_same_questions() -> None:
    one = Upload("a.csv", b"id,answer\n1,Jan\n2,\n3,\n4,\n5,x\n6,\n7,\n")
    two = Upload("b.csv", b"id,answer\n1,Jan\n2,Rzym\n3,x\n4,x\n5,x\n6,x\n7,\n")
    (left_out,) = compare_uploads(GOLD, [one, two], draws=10).comparisons
    found = compare_uploads(GOLD, [one, two], draws=10, unanswerable="abstain")
    (both,) = found.comparisons
    assert (left_out.n, [run.mean for run in left_out.runs]) == (2, [0.5, 1.0])
    assert (both.n, [run.mean for run in both.runs]) == (6, [4 / 6, 2 / 6])
    assert "|no-gold:abstain" in found.signature


def test_what_is_told_of_empty_answers_and_of_the_option() -> None:
    file = Upload("a.csv", b"id,answer\n1,Jan\n2,\n3,\n4,\n5,x\n6,\n7,Rzym\n")
    plain = {problem.code: problem for problem in score_uploads(GOLD, file).problems}
    assert "--unanswerable abstain" in plain["no-gold-answer"].message.pl
    assert "The gold of 4 of them is empty" in plain["no-gold-answer"].message.en
    told = {problem.code: problem for problem in score_uploads(GOLD, file, unanswerable="abstain").problems}
    assert "empty-answers" not in told
    assert "Empty answers: 4; 3 of them are right" in told["abstentions"].message.en
    assert told["no-gold-answer"].count == 1
    assert "--unanswerable" not in told["no-gold-answer"].message.en


def test_a_secret_gold_counts_the_same_and_names_no_question() -> None:
    file = Upload("a.csv", b"id,answer\n1,Jan\n2,\n3,\n4,\n5,x\n6,\n7,\n")
    found = score_uploads(seal(GOLD, b"key"), file, unanswerable="abstain").report
    assert found is not None
    assert answers(found).unanswerable == Share(3, 4)
    assert found.items == ()
