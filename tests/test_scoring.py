"""Files in, problems and report out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from polqa_demo import scoring
from polqa_demo.comparison import compare_uploads
from polqa_demo.data.catalogue import DEFAULT_GOLD, gold_names
from polqa_demo.errors import Bilingual, Problem, UserError
from polqa_demo.gold_sets import open_gold
from polqa_demo.records import GoldSet, Judgement, Question, Sealed
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.gold import load_gold, read_gold
from polqa_demo.submissions.table import Overrides

GOLD = GoldSet(
    "maly",
    "",
    (
        Question("1", "W którym mieście urodził się Kopernik?", ("w Toruniu", "Toruń")),
        Question("2", "Ile miesięcy ma rok?", ("12",)),
        Question("3", "Czy Wisła wpada do Bałtyku?", ("tak",)),
        Question("4", "Bez złota?"),
    ),
    (Judgement("1", "1-0", grade=1), Judgement("2", "2-0", grade=1)),
)
ANSWERS = Upload("odp.csv", "id,answer\n1,Toruń\n2,dwanaście\n3,Tak\n4,x\n".encode())
RANKINGS = Upload("run.tsv", b"qid\tpid\tscore\n1\t9-0\t1\n1\t1-0\t1\n2\t2-0\t3\n3\t1-0\t1\n4\t1-0\t1\n")


def codes(found: scoring.Scored) -> list[str]:
    return [problem.code for problem in found.problems]


def test_answers_and_rankings_give_one_report() -> None:
    found = score_uploads(GOLD, ANSWERS, RANKINGS)
    assert found.report is not None
    assert found.report.answers is not None
    assert found.report.rankings is not None
    assert found.report.answers.rules["poleval"].hits == 2
    assert found.report.rankings.hits == 2
    assert found.forms == {"answers": "csv, UTF-8, header", "rankings": "long, UTF-8, header"}
    assert set(codes(found)) == {"short-rankings", "ties", "no-gold-answer"}
    report = found.json()
    assert report["schema_version"] == 1
    assert [problem.keys() for problem in report["problems"]] == [
        {"severity", "code", "message", "count", "lines", "file"} for _ in found.problems
    ]
    json.dumps(report, allow_nan=False)


def test_problems_are_in_the_language_asked_for_and_the_worst_come_first() -> None:
    answers = Upload("odp.csv", b"id,answer\n1,\n1,\n2,12\n9,x\n")
    found = score_uploads(GOLD, answers, RANKINGS)
    severities = [problem.severity for problem in found.problems]
    assert severities == sorted(severities, key=scoring.SEVERITIES.index)
    assert {"missing-ids", "extra-ids", "empty-answers", "repeated-rows", "ties"} <= set(codes(found))
    polish, english = found.json("pl")["problems"], found.json("en")["problems"]
    assert all(pl["message"] != en["message"] for pl, en in zip(polish, english, strict=True))


def test_a_refused_file_leaves_problems_and_no_scores() -> None:
    found = score_uploads(GOLD, Upload("odp.csv", b"id,answer\n7,a\n8,b\n"), RANKINGS)
    assert found.report is None
    assert codes(found)[0] == "wrong-split"
    report = found.json("pl")
    assert report.keys() == {"schema_version", "problems", "files", "forms", "recognised"}
    assert report["problems"][0]["lines"] == [2, 3]


def test_what_was_odd_before_a_refusal_is_still_told() -> None:
    found = score_uploads(GOLD, Upload("odp.csv", b"id,answer\n1,a\n"), Upload("run.tsv", b"\x1f\x8b"))
    assert found.report is None
    assert codes(found) == ["broken-file", "missing-ids"]
    assert found.forms == {"answers": "csv, UTF-8, header"}


def test_a_gold_that_cannot_score_is_a_problem() -> None:
    bare = GoldSet("goly", "", (Question("1", ""),))
    assert codes(score_uploads(bare, Upload("a", b"tak\n"))) == ["no-gold-answers"]
    assert codes(score_uploads(bare, rankings=Upload("r", b"1-0\t2-0\n")))[0] == "no-gold-passages"


def test_ties_are_told_with_what_they_could_change() -> None:
    rows = "".join(f"1\t{n}-1\t1\n" for n in range(10)) + "1\t1-0\t1\n2\t2-0\t1\n"
    found = score_uploads(GOLD, rankings=Upload("run", ("qid\tpid\tscore\n" + rows).encode()))
    (ties,) = [problem for problem in found.problems if problem.code == "ties"]
    assert (ties.severity, ties.count) == ("note", 1)
    assert "between 50.00 and 100.00 %" in ties.message.en
    assert "od 50,00 do 100,00 %" in ties.message.pl


def test_passages_outside_of_a_corpus_are_told() -> None:
    found = score_uploads(GOLD, rankings=RANKINGS, in_corpus={"1-0", "2-0"}.__contains__)
    (unknown,) = [problem for problem in found.problems if problem.code == "unknown-passages"]
    assert unknown.count == 1
    assert "9-0" in unknown.message.pl


def test_answers_on_gold_passages_are_scored_beside_the_others() -> None:
    on_gold = Upload("na-zlotych.txt", "Toruń\n12\ntak\nx\n".encode())
    found = score_uploads(GOLD, ANSWERS, answers_from_gold=on_gold)
    report = found.json()
    assert found.forms == {"answers": "csv, UTF-8, header", "answers_from_gold": "lines, UTF-8"}
    assert report["answers"]["fuzzy_match"]["correct"] == 2
    assert report["answers_from_gold"]["fuzzy_match"]["correct"] == 3


def test_an_unknown_rule_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="bleu"):
        score_uploads(GOLD, ANSWERS, rule="bleu")


def test_gold_by_name() -> None:
    gold, refused = open_gold(DEFAULT_GOLD)
    assert refused is None
    assert gold == load_gold(DEFAULT_GOLD)
    assert gold_names()[0] == DEFAULT_GOLD
    assert [name.split("/")[1] for name in gold_names()[:3]] == ["test", "valid", "train"]


def test_an_unknown_name_lists_the_known_ones() -> None:
    gold, refused = open_gold("nie-ma-takiego/test")
    assert gold is None
    assert refused is not None
    assert codes(refused) == ["unknown-gold"]
    assert DEFAULT_GOLD in refused.problems[0].message.pl
    assert "data fetch" in refused.problems[0].message.en
    with pytest.raises(UserError):
        load_gold("polqa-demo-sample/dev")


@pytest.mark.parametrize("name", ["x" * 5000, "a\x00b", "", "."])
def test_names_that_no_file_can_have(name: str) -> None:
    gold, refused = open_gold(name)
    assert gold is None
    assert refused is not None
    assert refused.problems[0].code in ("unknown-gold", "unreadable-file")


def test_gold_from_a_file_with_questions_and_a_kind(tmp_path: Path) -> None:
    file = tmp_path / "expected.tsv"
    file.write_text("1939\n1410\n", encoding="utf-8")
    gold, _ = open_gold(str(file), "answers", Upload("in.tsv", b"Kiedy?\nIle?\n"))
    assert gold is not None
    assert [(item.text, item.answers) for item in gold.questions] == [("Kiedy?", ("1939",)), ("Ile?", ("1410",))]
    gold, refused = open_gold(str(file), "passages", Upload("in.tsv", b"Kiedy?\n"))
    assert gold is None
    assert refused is not None
    assert codes(refused) == ["wrong-length"]


def test_bad_gold_keeps_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text('{"id": 1, "answers": ["a"]}\nzepsute\n', encoding="utf-8")
    _, refused = open_gold(str(file))
    assert refused is not None
    assert refused.problems[0].lines == (2,)
    assert refused.json()["problems"][0]["code"] == "not-json"


def test_a_file_may_lie_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "odp.csv"
    path.write_bytes(ANSWERS.data)
    from_path, from_bytes = (score_uploads(GOLD, upload) for upload in (Upload("odp.csv", path=path), ANSWERS))
    assert from_path == from_bytes
    gone = score_uploads(GOLD, Upload("odp.csv", path=tmp_path / "nie-ma.csv"))
    assert codes(gone) == ["unreadable-file"]
    assert gone.report is None


def test_what_was_recognised_is_reported_in_words_and_in_parts() -> None:
    found = score_uploads(GOLD, Upload("odp.csv", ANSWERS.data.decode().encode("cp1250")))
    assert found.forms == {"answers": "csv, cp1250, header"}
    assert found.json()["recognised"] == {
        "answers": {"form": "csv", "encoding": "cp1250", "separator": ",", "header": ["id", "answer"]}
    }


def test_what_was_recognised_can_be_overridden() -> None:
    odd = "nr|tekst\n1|Toruń\n2|dwanaście\n3|Tak\n4|x\n".encode("cp852")
    assert score_uploads(GOLD, Upload("odp.txt", odd)).report is None
    known = Overrides(encoding="cp852", separator="|", header=False)
    found = score_uploads(GOLD, Upload("odp.txt", odd, overrides=known))
    # Four ids of five rows are known, so these are ids; the header is a stranger among them.
    assert codes(found)[0] == "extra-ids"
    found = score_uploads(GOLD, Upload("odp.txt", odd.split(b"\n", 1)[1], overrides=known))
    assert found.report is not None
    assert found.forms == {"answers": "separated, cp852, no header"}


def test_every_problem_bears_the_name_of_its_file() -> None:
    found = score_uploads(
        GOLD, Upload("odp.csv", b"id,answer\n1,a\n"), Upload("run.tsv", b"qid\tpid\tscore\n9\ta\t1\n")
    )
    assert {problem.file for problem in found.problems} == {"odp.csv", "run.tsv"}
    assert {problem["file"] for problem in found.json()["problems"]} == {"odp.csv", "run.tsv"}


def test_all_refused_files_are_told_at_once() -> None:
    twice = Upload("odp.csv", b"id,answer\n1,a\n1,b\n")
    found = score_uploads(GOLD, twice, Upload("run.tsv", b"qid\tpid\tscore\n1\t1-0\tabc\n"), answers_from_gold=ANSWERS)
    assert found.report is None
    errors = {problem.file for problem in found.problems if problem.severity == "error"}
    assert errors == {"odp.csv", "run.tsv"}
    assert found.files == {"answers": "odp.csv", "rankings": "run.tsv", "answers_from_gold": "odp.csv"}
    # What is refused is told with what could be read.
    assert set(found.recognised) == {"answers_from_gold"}


SPLITS = "question_id,question,answers,passage_id,relevant,passage_source,split\n"


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_sources_count_by_the_split_of_each_question_and_the_mixture_is_told(order: tuple[int, ...]) -> None:
    rows = [
        f"{key},Pytanie {key}?,['a'],{key}-{number},True,{source},{split}\n"
        for key, split in (("1", "train"), ("3", " Test "))
        for number, source in enumerate(("human", "hard"))
    ]
    gold = read_gold((SPLITS + "".join(rows[place] for place in order)).encode(), "gold.csv")
    found = score_uploads(gold, rankings=Upload("r.tsv", b"1\t1-1\n3\t3-1\n"))
    assert found.report is not None
    assert found.report.rankings is not None
    assert found.report.rankings.hits == 1
    assert "gold-split" in codes(found)


def test_a_file_that_looks_like_the_other_kind_is_told() -> None:
    lists = Upload("run.tsv", b"1\t1-0\t9-0\n2\t2-0\t9-0\n3\t3-0\t9-0\n4\t1-0\t2-0\n")
    assert "other-kind" in codes(score_uploads(GOLD, answers=lists))
    assert "other-kind" not in codes(score_uploads(GOLD, rankings=lists))
    texts = Upload("odp.tsv", "1\tToruń\n2\t12\n3\ttak\n4\tx\n".encode())
    assert "other-kind" in codes(score_uploads(GOLD, rankings=texts))
    assert "other-kind" not in codes(score_uploads(GOLD, answers=texts))


def test_forms_are_said_in_both_languages() -> None:
    found = score_uploads(GOLD, ANSWERS, RANKINGS)
    assert found.recognised["answers"].say("pl") == "csv, UTF-8, nagłówek"
    assert found.recognised["rankings"].say("pl") == "para w wierszu (long), UTF-8, nagłówek"
    assert found.recognised["rankings"].say("en") == "long, UTF-8, header"


def test_texts_say_whose_fault_an_error_is() -> None:
    texts = {"1-0": "Toruń. Tu urodził się Kopernik.", "2-0": "Rok."}
    found = score_uploads(GOLD, ANSWERS, RANKINGS, text_of=texts.get).report
    assert found is not None
    assert found.attribution is not None
    assert {item.question_id: item.cell.code for item in found.attribution.items} == {
        "1": "sound",
        "2": "hard_reading",
    }
    assert found.attribution.without_gold_passage == ("3",)
    assert [item.ranking.top for item in found.items if item.ranking][:2] == [("9-0", "1-0"), ("2-0",)]
    assert score_uploads(GOLD, ANSWERS, RANKINGS, text_of=texts.get).json()["attribution"]["unread"] == 1
    assert "attribution" not in score_uploads(GOLD, ANSWERS, RANKINGS).json()


def test_a_comparison_says_what_was_odd_about_the_gold() -> None:
    odd = replace(GOLD, remarks=(Problem("note", "gold-unjudged", Bilingual("Dziwny.", "Odd.")),))
    uploads = [ANSWERS, Upload("inne.csv", b"id,answer\n1,a\n2,12\n3,tak\n4,x\n")]
    first = next(problem for problem in compare_uploads(odd, uploads, draws=10).problems)
    assert (first.code, first.severity, first.file) == ("gold-unjudged", "note", "maly")
    assert [problem.code for problem in compare_uploads(GOLD, uploads, draws=10).problems] == []


def test_a_named_column_stands_in_the_signature_and_poses_as_no_policy() -> None:
    data = b"id,answer,odp|n:9@x\n1,a,Toru\xc5\x84\n2,a,12\n3,a,tak\n4,a,x\n"
    plain = score_uploads(GOLD, Upload("odp.csv", data)).report
    chosen = score_uploads(GOLD, Upload("odp.csv", data, overrides=Overrides(answer_column="odp|n:9@x"))).report
    assert plain is not None
    assert chosen is not None
    assert "answer-column" not in plain.signature
    assert "|answer-column:odp_n_9_x|" in chosen.signature
    assert chosen.answers is not None
    assert chosen.answers.rules["poleval"].hits > plain.answers.rules["poleval"].hits  # type: ignore[union-attr]


def test_another_reading_is_counted_by_the_rule_of_the_score() -> None:
    data = b"id,answer,prediction\n1,TORU\xc5\x83,x\n2,x,x\n3,x,x\n4,x,x\n"
    for rule, found in (("poleval", "1 instead of 0"), ("card", "as many")):
        scored = score_uploads(GOLD, Upload("odp.csv", data), rule=rule)
        (problem,) = [problem for problem in scored.problems if problem.code == "answer-chosen"]
        assert found in problem.message.en


def test_a_comparison_asks_for_the_column_as_a_score_does() -> None:
    two = Upload("dwie.csv", b"id,answer,response\n1,Toru\xc5\x84,x\n2,x,x\n3,x,x\n4,x,x\n")
    found = compare_uploads(GOLD, [ANSWERS, two, ANSWERS], draws=10)
    assert {"answer-columns", "file-left-out"} <= {problem.code for problem in found.problems}


def test_of_a_secret_gold_no_other_reading_is_counted() -> None:
    faces = tuple(Question(question.id, "") for question in GOLD.questions)
    secret = GoldSet("tajny", "", faces, sealed=Sealed(GOLD, "0123456789"))
    files = {
        "columns": b"id,answer,response\n1,Toru\xc5\x84,x\n2,12,x\n3,tak,x\n4,x,x\n",
        "cells": b"1\tToru\xc5\x84\tx\n2\t12\tx\n3\ttak\tx\n4\tx\tx\n",
        "questions": "".join(f"{question.text}\n" for question in GOLD.questions).encode(),
    }
    for name, data in files.items():
        scored = score_uploads(secret, Upload(name, data))
        assert scored.report is not None, scored.problems
        assert not any(
            "instead" in problem.message.en or "repeats" in problem.message.en for problem in scored.problems
        )
