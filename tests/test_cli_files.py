"""What `score` takes a file for: said on stderr, and overridden by options."""

from pathlib import Path

import pytest
from test_cli import Call

GOLD = "question_id,question,answers\n1,Kto?,['Żółw']\n2,Gdzie?,['Łódź']\n3,Ile?,['30']\n"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "zloty.csv"
    path.write_text(GOLD, encoding="utf-8")
    return path


def score(gold: Path, data: bytes, *options: str, lang: str = "pl") -> Call:
    path = gold.parent / "odp.txt"
    path.write_bytes(data)
    return Call(gold.parent, "--lang", lang, "score", "--gold", gold, "--answers", path, "--json", "-", *options)


def test_what_was_recognised_is_said_on_stderr(gold: Path) -> None:
    data = "id;answer\n1;Żółw\n2;Łódź\n3;30\n".encode("cp1250")
    assert "odpowiedzi: semicolon, cp1250" in score(gold, data).err
    run = score(gold, data, lang="en")
    assert "answers: semicolon, cp1250" in run.err
    assert run.err.rstrip().endswith("header")
    assert run.json["answers"]["fuzzy_match"]["correct"] == 3


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ("1|Żółw\n2|Łódź\n3|30\n".encode(), ("--separator", "|")),
        ("1\tŻółw\n2\tŁódź\n3\t30\n".encode("cp852"), ("--encoding", "cp852", "--separator", "tab")),
        (b"nr,id,answer\n" + "x,1,Żółw\ny,2,Łódź\nz,3,30\n".encode(), ("--header",)),
        ("Żółw\nŁódź\n30\n".encode(), ("--form", "lines")),
        ('{"1": "Żółw", "2": "Łódź", "3": "30"}'.encode(), ("--form", "json")),
    ],
)
def test_what_was_recognised_can_be_overridden(gold: Path, data: bytes, options: tuple[str, ...]) -> None:
    assert score(gold, data, *options).json["answers"]["fuzzy_match"]["correct"] == 3


def test_a_header_can_be_denied_and_demanded(gold: Path) -> None:
    # Three questions, three lines, the first of which looks like a header; the others have one cell.
    assert score(gold, "id,answer\nŁódź\n30\n".encode()).json["answers"]["fuzzy_match"]["correct"] == 2
    assert score(gold, "id,answer\nŁódź\n30\n".encode(), "--header").code == 1
    run = score(gold, "id,answer\nŁódź\n30\n".encode(), "--no-header")
    assert run.json["answers"]["fuzzy_match"]["correct"] == 2


def test_a_policy_for_duplicates(gold: Path) -> None:
    data = "id,answer\n1,Żółw\n2,Łódź\n3,30\n3,7\n".encode()
    refused = score(gold, data)
    assert refused.code == 1
    assert "--duplicates" in refused.err
    for policy, right in (("first", 3), ("last", 2)):
        report = score(gold, data, "--duplicates", policy).json
        assert report["answers"]["fuzzy_match"]["correct"] == right
        assert f"duplicates:{policy}" in report["signature"]


def test_a_separator_is_one_sign(gold: Path) -> None:
    assert score(gold, b"tak\n", "--separator", "ab").code == 2
    assert score(gold, b"tak\n", "--encoding", "klingon").code == 1


def test_questions_of_empty_gold_in_score_and_compare(tmp_path: Path) -> None:
    gold, one, two = tmp_path / "expected.tsv", tmp_path / "a.txt", tmp_path / "b.txt"
    gold.write_bytes(b"w XIX\t19\n\ntak\n\n")
    one.write_bytes(b"19\n\ntak\n\n")
    two.write_bytes(b"19\nx\ntak\nx\n")
    score = ("--lang", "en", "score", "--gold", gold, "--answers", one)
    assert Call(tmp_path, *score, "--json", "-").json["answers"]["n"] == 2
    run = Call(tmp_path, *score, "--unanswerable", "abstain")
    assert "4 of 4" in run.out
    assert "questions without one (empty is right)  100.00 %" in run.out
    assert "gold: golds, UTF-8" in run.err
    found = Call(tmp_path, *score, "--unanswerable", "abstain", "--json", "-").json
    assert (found["answers"]["n"], found["answers"]["unanswerable"]["n"]) == (4, 2)
    assert "|no-gold:abstain|" in found["signature"]
    compare = ("compare", "--gold", gold, one, two, "--json", "-")
    assert Call(tmp_path, *compare).json["comparisons"][0]["n"] == 2
    (both,) = Call(tmp_path, *compare, "--unanswerable", "abstain").json["comparisons"]
    assert [run["value"] for run in both["runs"]] == [1.0, 0.5]


def test_what_a_gold_file_holds_can_be_said(tmp_path: Path) -> None:
    gold, run, questions = tmp_path / "pary.tsv", tmp_path / "r.tsv", tmp_path / "q.tsv"
    gold.write_bytes(b"201\tD-1\n202\tD-2\n")
    run.write_bytes(b"qid\tpid\tscore\n201\tD-1\t1\n202\tD-9\t1\n")
    questions.write_bytes(b"201\tKto to?\n202\tGdzie to?\n")
    found = Call(tmp_path, "score", "--gold", gold, "--rankings", run, "--json", "-").json
    assert found["rankings"]["accuracy@10"]["hits"] == 1
    assert found["recognised"]["gold"]["form"] == "pairs"
    said = Call(tmp_path, "score", "--gold", gold, "--rankings", run, "--gold-kind", "passages", "--json", "-").json
    assert "|gold-kind:passages|" in said["signature"]
    told = Call(
        tmp_path, "score", "--gold", gold, "--questions", questions, "--rankings", run, "--gold-kind", "passages"
    )
    assert "pytania: pytania w wierszach (questions), UTF-8" in told.err
    assert "Pierwszą kolumnę odczytano jako identyfikatory pytań" in told.err
