"""Options of reading: to which files they apply, when they stand in the signature, what is said of files left out."""

import json
from pathlib import Path

import pytest
from test_cli import Call

from polqa_demo.comparison import compare_uploads
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.table import Overrides

GOLD = GoldSet(
    "maly",
    "test",
    tuple(Question(str(n), "", (text,)) for n, text in enumerate(("Toruń", "12", "tak", "Wisła"), 1)),
    tuple(Judgement(str(n), f"{n}-0", 1, "human") for n in range(1, 5)),
)
CSV = "id,answer\n1,Toruń\n2,12\n3,tak\n4,x\n".encode()
LINES = "Toruń\n12\ntak\nx\n".encode()
JSONL = '{"id": 1, "answer": "Toruń"}\n{"id": 2, "answer": "12"}\n'.encode()
RANKED = b"1\t1-0\t1\n1\t9-9\t2\n2\t8-8\t1\n2\t2-0\t2\n3\t3-0\t1\n3\t1-0\t2\n4\t5-0\t1\n4\t6-0\t2\n"


def signature(answers: bytes | None, rankings: bytes | None = None, **said: object) -> str:
    overrides = Overrides(**said)  # type: ignore[arg-type]
    scored = score_uploads(
        GOLD,
        Upload("odp.txt", answers, overrides=overrides) if answers else None,
        Upload("run.txt", rankings, overrides=overrides) if rankings else None,
    )
    assert scored.report is not None, [problem.message.en for problem in scored.problems]
    return scored.report.signature


@pytest.mark.parametrize("form", ["ranks", "distances", "long", "trec", "wide"])
def test_a_form_of_rankings_leaves_answers_alone(form: str) -> None:
    assert "form:" not in signature(CSV, form=form)
    if form not in ("trec", "wide"):
        assert f"|form:{form}|" in signature(CSV, RANKED, form=form)


def test_a_column_of_answers_leaves_rankings_alone() -> None:
    assert "answer-column" not in signature(None, RANKED, answer_column="x")
    assert "|answer-column:answer|" in signature(CSV, RANKED, answer_column="answer")


@pytest.mark.parametrize(
    ("data", "said", "stands"),
    [
        (LINES, {"header": True}, False),
        (JSONL, {"header": True}, False),
        (JSONL, {"quotes": True}, False),
        (CSV, {"quotes": True}, False),
        (CSV, {"header": True}, True),
        (CSV, {"separator": ","}, True),
        (LINES, {"form": "lines"}, True),
        (LINES, {"quotes": False}, True),
        (CSV, {"encoding": "utf-8"}, True),
    ],
)
def test_what_cannot_matter_is_no_part_of_the_signature(data: bytes, said: dict[str, object], stands: bool) -> None:
    assert (signature(data, **said) != signature(data)) is stands


def test_a_comparison_has_the_policies_of_the_files_that_they_concern() -> None:
    uploads = [Upload(name, CSV, overrides=Overrides(form="ranks", quotes=True)) for name in ("a.csv", "b.csv")]
    plain = [Upload(upload.name, CSV) for upload in uploads]
    assert compare_uploads(GOLD, uploads, draws=10).signature == compare_uploads(GOLD, plain, draws=10).signature
    ranked = [Upload(name, RANKED) for name in ("a.tsv", "b.tsv")]
    assert "duplicates" not in compare_uploads(GOLD, ranked, draws=10, duplicates="first").signature


def test_a_kind_of_gold_that_changes_nothing_is_no_policy() -> None:
    with_header = b"question_id,question,answers\n1,Kto?,['a']\n"
    assert read_gold(with_header, "g.csv", "answers").policies == {}
    assert read_gold(b"a\tb\nc\n", "g.tsv", "answers").policies == {}
    assert read_gold(b"1\t5-0\n2\t6-0\n", "g.tsv", "passages").policies == {"gold-kind": "passages"}


# -- the command line


def test_one_of_several_files_that_cannot_be_read(tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text("question_id,question,answers\n1,Kto?,['a']\n2,Co?,['b']\n", encoding="utf-8")
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("id,answer\n1,a\n2,x\n", encoding="utf-8")
    (tmp_path / "zepsuty.csv").write_bytes(b"\x00\x01\x02" * 40)
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    whole = Call(tmp_path, "--lang", "en", "compare", "--gold", gold, one, two)
    assert whole.code == 0
    for bad in ("zepsuty.csv", "nie-ma.csv"):
        run = Call(tmp_path, "--lang", "en", "compare", "--gold", gold, one, two, tmp_path / bad)
        assert run.code == 1
        assert run.out == whole.out
        assert run.err.rstrip().endswith(f"Without the files that could not be read (1): {bad}")
        report = Call(tmp_path, "compare", "--gold", gold, one, tmp_path / bad, two, "--json", "-")
        assert (report.code, len(json.loads(report.out)["comparisons"])) == (1, 1)


@pytest.mark.parametrize("name", ["nope.csv", "gdzies/nope.csv", "nope"])
def test_a_path_that_is_no_file_is_called_so(tmp_path: Path, name: str) -> None:
    (tmp_path / "one.csv").write_text("id,answer\n1,a\n", encoding="utf-8")
    run = Call(tmp_path, "--lang", "en", "score", "--gold", name, "--answers", "one.csv")
    assert run.code == 1
    assert (f"There is no file '{name}'" in run.err) is (name != "nope")
    assert "polqa-demo-sample/test" in run.err
