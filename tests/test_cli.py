"""The command line as scripts call it: data to stdout or --out, messages to stderr, exit codes 0, 1, 2."""

import csv
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from polqa_demo.cli import main
from polqa_demo.data import sample
from polqa_demo.errors import UserError
from polqa_demo.pipeline import ReadingPipeline
from polqa_demo.records import Answer
from polqa_demo.settings import settings
from polqa_demo.version import __version__

QUESTION = "W którym państwie leży Bombaj?"
PASSAGES = (
    {"id": "1-0", "title": "Bombaj", "text": "Bombaj leży w Indiach, nad Morzem Arabskim."},
    {"id": "2-0", "title": "Toruń", "text": "W Toruniu urodził się Mikołaj Kopernik, astronom."},
    {"id": "3-0", "title": "Wisła", "text": "Wisła ma 1047 km długości i wpada do Bałtyku."},
)
QUESTIONS = (
    {"id": "q1", "question": QUESTION, "answers": ["w Indiach", "Indie"], "passage_ids": ["1-0"]},
    {"id": "q2", "question": "Gdzie urodził się Kopernik?", "answers": ["w Toruniu"], "passage_ids": ["2-0"]},
    {"id": "q3", "question": "Ile kilometrów długości ma Wisła?", "answers": ["1047"], "passage_ids": ["3-0"]},
)  # fmt: skip


def lines(path: Path, rows: Any) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pliki")
    lines(folder / "korpus.jsonl", PASSAGES)
    lines(folder / "pytania.jsonl", QUESTIONS)
    (folder / "odp.csv").write_text("id,answer\nq1,Indie\nq2,Kraków\nq3,1047 km\n", encoding="utf-8")
    (folder / "inne.csv").write_text("id,answer\nx1,Indie\nx2,Kraków\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


class Run:
    """One call of the command, in a process of its own; no traceback may ever reach stderr."""

    def __init__(self, cache: Path, *arguments: object, **environment: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("POLQA_")}
        # Most of these tests are about the commands, not about what answers.
        parts = {"POLQA_RETRIEVER": "lexical", "POLQA_READER": "rules"}
        environment = kept | parts | {"POLQA_CACHE_DIR": str(cache)} | environment
        self.code, self.out, self.err = self._call(list(map(str, arguments)), environment)
        assert "Traceback" not in self.err, self.err

    def _call(self, arguments: list[str], environment: dict[str, str]) -> tuple[int, str, str]:
        command = [sys.executable, "-m", "polqa_demo", *arguments]
        run = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
        encoding = environment.get("PYTHONIOENCODING", "utf-8")
        return run.returncode, run.stdout.decode(encoding), run.stderr.decode(encoding)

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


class Call(Run):
    """The same within this process, which is quicker: for the many ways of going wrong."""

    def _call(self, arguments: list[str], environment: dict[str, str]) -> tuple[int, str, str]:
        out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", ["polqa-demo", *arguments])
            patch.setattr(os, "environ", os.environ.copy())
            os.environ.update(environment)
            settings.cache_clear()
            try:
                main()
                code = 0
            except SystemExit as stop:
                code = int(stop.code or 0)
            finally:
                settings.cache_clear()
        return code, *(stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]


def test_ask_the_sample(cache: Path) -> None:
    run = Run(cache, "ask", QUESTION)
    assert (run.code, run.err) == (0, "")
    answer, sure, *passages = run.out.splitlines()
    assert answer
    assert re.match(r"pewność [01],\d\d · z fragmentu \S+ · ", sure)
    assert any(line.strip().startswith("dlaczego: ") for line in passages)


def test_ask_a_corpus_as_json(cache: Path, files: Path) -> None:
    found = Run(cache, "ask", QUESTION, "--corpus", files / "korpus.jsonl", "--json", "--top-k", 2).json
    assert found.keys() == {"question", "answer", "confidence", "passage_id", "start", "end", "passages", "timings"}
    assert found["passages"][0]["id"] == "1-0"
    assert len(found["passages"]) <= 2
    text = {passage["id"]: passage["text"] for passage in found["passages"]}[found["passage_id"]]
    assert text[found["start"] : found["end"]] == found["answer"]


def test_several_corpus_files_are_one(cache: Path, tmp_path: Path) -> None:
    first, second = lines(tmp_path / "a.jsonl", PASSAGES[:1]), lines(tmp_path / "b.jsonl", PASSAGES[1:])
    found = Call(cache, "ask", "Bombaj Kopernik Wisła", "--json", "--corpus", first, "--corpus", second).json
    assert sorted(passage["id"] for passage in found["passages"]) == ["1-0", "2-0", "3-0"]


def test_the_language_of_messages(cache: Path) -> None:
    assert "confidence" in Call(cache, "--lang", "en", "ask", QUESTION).out
    assert "błąd: Wpisz pytanie." in Call(cache, "ask", " ").err
    assert "error: Type a question." in Call(cache, "--lang", "en", "ask", " ").err
    assert "error: Type a question." in Call(cache, "ask", " ", POLQA_LANGUAGE="en").err
    assert Call(cache, "--lang", "de", "ask", QUESTION).code == 2


def test_version_and_help(cache: Path) -> None:
    assert Call(cache, "--version").out == f"polqa-demo {__version__}\n"
    for command in ([], ["ask"], ["retrieve"], ["answer"], ["score"], ["data", "fetch"], ["index", "build"],
                    ["index", "verify"], ["compare"], ["serve"]):  # fmt: skip
        run = Call(cache, *command, "--help")
        assert run.code == 0
        assert run.out.strip()


@pytest.mark.parametrize(
    "arguments",
    [
        ("nieznane",),
        ("ask",),
        ("ask", QUESTION, "--top-k", "dużo"),
        ("ask", QUESTION, "--nieznana"),
        ("retrieve", "--questions", "x"),
        ("retrieve", "--questions", "x", "--out", "y", "--format", "xml"),
        ("answer", "--questions", "x", "--out", "y", "--rankings", "z", "--gold-passages"),
        ("score", "--gold", "x"),
        ("score", "--gold", "x", "--answers", "y", "--rule", "bleu"),
        ("score", "--gold", "x", "--answers", "y", "--gold-source", "maszyny"),
        ("index", "build"),
    ],
)
def test_wrong_usage(cache: Path, arguments: tuple[str, ...]) -> None:
    run = Call(cache, *arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ask", QUESTION, "--top-k", "0"), "między 1 a 100"),
        (("ask", "x" * 3000), "3000 znaków"),
        (("ask", QUESTION, "--retriever", "bm52"), "bm52"),
        (("ask", QUESTION, "--reader", "wróżka"), "wróżka"),
        (("ask", QUESTION, "--corpus", "nie-ma.jsonl"), "nie-ma.jsonl"),
        (("ask", QUESTION, "--index", "nie-ma"), "index build"),
        (("ask", QUESTION, "--index", "a", "--corpus", "b"), "--corpus albo --index"),
        (("retrieve", "--questions", "nie-ma.tsv", "--out", "x"), "nie-ma.tsv"),
        (("score", "--gold", "nie-ma/test", "--answers", "x"), "nie-ma/test"),
        (("index", "verify", "nie-ma"), "nie-ma"),
        (("data", "fetch", "--split", "dev"), "dev"),
    ],
)
def test_bad_input_is_one_plain_message(cache: Path, arguments: tuple[str, ...], words: str) -> None:
    run = Call(cache, *arguments)
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith(("Błąd: ", "błąd: "))
    assert words in run.err


def test_a_bad_setting_is_one_plain_message(cache: Path) -> None:
    run = Call(cache, "ask", QUESTION, POLQA_TOP_K="dużo")
    assert run.code == 1
    assert "POLQA_TOP_K" in run.err


@pytest.mark.parametrize("form", ["long", "wide", "trec", "jsonl"])
def test_retrieve_writes_what_score_reads(cache: Path, files: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"run.{form}"
    run = Run(
        cache, "retrieve", "--questions", files / "pytania.jsonl", "--out", out, "--corpus", files / "korpus.jsonl",
        "--format", form,
    )  # fmt: skip
    assert (run.code, run.out) == (0, "")
    assert str(out) in run.err
    report = Call(cache, "score", "--gold", files / "pytania.jsonl", "--rankings", out, "--json", "-").json
    assert report["recognised"]["rankings"]["form"] == form
    assert report["forms"]["rankings"].startswith(f"{form}, UTF-8")
    assert report["rankings"]["accuracy@10"] | {"ci95": 0} == {"value": 1.0, "hits": 3, "n": 3, "ci95": 0}
    assert report["rankings"]["mrr@10"]["value"] == 1
    assert {problem["severity"] for problem in report["problems"]} <= {"note"}


def test_the_long_form_is_the_default(cache: Path, files: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.tsv"
    Call(cache, "retrieve", "--questions", files / "pytania.jsonl", "--out", out, "--corpus", files / "korpus.jsonl")
    header, first, *_ = out.read_text(encoding="utf-8").splitlines()
    assert header == "question-id\tpassage-id\tscore\trank"
    assert first.split("\t")[:2] == ["q1", "1-0"]


def answers(out: Path) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert all(list(row) == ["question_id", "answer", "passage_id", "confidence"] for row in rows)
    return {row["question_id"]: row for row in rows}


def test_answer_from_retriever_rankings_and_gold(cache: Path, files: Path, tmp_path: Path) -> None:
    common = ("answer", "--questions", files / "pytania.jsonl", "--corpus", files / "korpus.jsonl", "--out")
    assert Run(cache, *common, tmp_path / "a.jsonl").code == 0
    assert list(answers(tmp_path / "a.jsonl")) == ["q1", "q2", "q3"]

    # The reader sees the passages of the ranking, wrong as they are, and of the gold.
    (tmp_path / "run.tsv").write_text("q1\t2-0\nq2\t2-0\nq3\tbrak-0\n", encoding="utf-8")
    run = Run(cache, *common, tmp_path / "b.jsonl", "--rankings", tmp_path / "run.tsv")
    assert run.code == 0
    by_ranking = answers(tmp_path / "b.jsonl")
    assert by_ranking["q1"]["passage_id"] in ("2-0", None)
    assert (by_ranking["q3"]["answer"], by_ranking["q3"]["passage_id"]) == ("", None)

    assert Run(cache, *common, tmp_path / "c.jsonl", "--gold-passages").code == 0
    by_gold = answers(tmp_path / "c.jsonl")
    assert {key: row["passage_id"] for key, row in by_gold.items() if row["answer"]}.items() <= {
        "q1": "1-0",
        "q2": "2-0",
        "q3": "3-0",
    }.items()
    report = Run(
        cache, "score", "--gold", files / "pytania.jsonl", "--answers", tmp_path / "a.jsonl",
        "--answers-from-gold", tmp_path / "c.jsonl", "--json", "-",
    ).json  # fmt: skip
    assert report["answers"]["n"] == report["answers_from_gold"]["n"] == 3


def test_given_passages_need_no_retriever(files: Path, tmp_path: Path) -> None:
    common = ("answer", "--questions", files / "pytania.jsonl", "--corpus", files / "korpus.jsonl", "--out")
    (tmp_path / "run.tsv").write_text("q1\t2-0\t1-0\nq2\t2-0\t3-0\nq3\t3-0\t1-0\n", encoding="utf-8")
    parts = ("--retriever", "dense", "--encoder", tmp_path / "nie-ma-modelu", "--reranker", tmp_path / "tez-nie")
    cache = tmp_path / "cache"
    for number, given in enumerate((("--rankings", tmp_path / "run.tsv"), ("--gold-passages",))):
        run = Call(cache, *common, tmp_path / f"{number}.jsonl", *given, *parts)
        assert run.code == 0, run.err
        plain = Call(cache, *common, tmp_path / f"{number}-plain.jsonl", *given)
        assert plain.code == 0
        assert (tmp_path / f"{number}.jsonl").read_bytes() == (tmp_path / f"{number}-plain.jsonl").read_bytes()
    # Passages, and neither words nor vectors.
    assert [path.name for path in cache.iterdir()] == ["passages"]


def test_work_on_given_passages_goes_on_whatever_the_retriever(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = ("answer", "--questions", files / "pytania.jsonl", "--corpus", files / "korpus.jsonl", "--gold-passages")

    def stopped(_: Any, question: str, hits: Any) -> Answer:
        if question == QUESTIONS[2]["question"]:
            raise UserError("test", "stop", "stop")
        return Answer("x", 0.5)

    with monkeypatch.context() as patch:
        patch.setattr(ReadingPipeline, "read", stopped)
        assert Call(tmp_path / "cache", *common, "--out", tmp_path / "out", "--retriever", "hybrid").code == 1
    assert Call(tmp_path / "cache", *common, "--out", tmp_path / "out", "--retriever", "lexical").code == 0
    found = answers(tmp_path / "out")
    assert [found[key]["answer"] for key in ("q1", "q2")] == ["x", "x"]
    assert found["q3"]["answer"] != "x"


def test_answers_of_an_earlier_stop_are_kept(cache: Path, files: Path, tmp_path: Path) -> None:
    common = ("answer", "--questions", files / "pytania.jsonl", "--corpus", files / "korpus.jsonl", "--out")
    assert Call(cache, *common, tmp_path / "cale").code == 0
    whole = (tmp_path / "cale").read_text(encoding="utf-8")
    # A part under another key is another piece of work and is not believed.
    (tmp_path / "out.part").write_text('"polqa-demo batch inny"\n"zle"\n', encoding="utf-8")
    run = Call(cache, *common, tmp_path / "out")
    assert (run.code, "zaczyna się od nowa" in run.err) == (0, True)
    assert (tmp_path / "out").read_text(encoding="utf-8") == whole


def test_questions_without_text_are_named_before_any_work(cache: Path, files: Path, tmp_path: Path) -> None:
    (tmp_path / "in.tsv").write_text("Kto?\n\nGdzie?\n", encoding="utf-8")
    for command in ("retrieve", "answer"):
        run = Call(cache, "--lang", "en", command, "--questions", tmp_path / "in.tsv", "--out", tmp_path / "out",
                  "--corpus", files / "korpus.jsonl")  # fmt: skip
        assert run.code == 1
        assert "cannot be answered: 1 (2)" in run.err
    assert not list(tmp_path.glob("out*"))


def test_gold_passages_that_are_not_there(cache: Path, files: Path, tmp_path: Path) -> None:
    (tmp_path / "in.tsv").write_text("Kto?\n", encoding="utf-8")
    common = ("--lang", "en", "answer", "--out", tmp_path / "out", "--gold-passages")
    run = Call(cache, *common, "--questions", tmp_path / "in.tsv", "--corpus", files / "korpus.jsonl")
    assert (run.code, "names no gold passages" in run.err) == (1, True)
    other = lines(tmp_path / "inny.jsonl", [{"id": "x", "text": "Nic."}])
    run = Call(cache, *common, "--questions", files / "pytania.jsonl", "--corpus", other)
    assert (run.code, "inny.jsonl" in run.err) == (1, True)


def test_score_as_text(cache: Path, files: Path) -> None:
    run = Call(cache, "score", "--gold", files / "pytania.jsonl", "--answers", files / "odp.csv")
    assert run.code == 0
    assert "fuzzy_match (poleval)  66,67 % [20,8–93,9]  2 z 3" in run.out
    assert all(rule in run.out for rule in ("readme", "card", "exact"))
    assert run.out.splitlines()[-1].startswith("polqa-demo|gold:pytania@")
    english = Call(cache, "--lang", "en", "score", "--gold", files / "pytania.jsonl", "--answers", files / "odp.csv")
    assert "66.67 % [20.8–93.9]  2 of 3" in english.out


def test_score_with_every_option(cache: Path, files: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("w Indiach\tIndie\nw Toruniu\n1047\n", encoding="utf-8")
    (tmp_path / "in.tsv").write_text("".join(f"{row['question']}\n" for row in QUESTIONS), encoding="utf-8")
    (tmp_path / "odp.txt").write_text("Indie\nw Toruniu\n12\n", encoding="utf-8")
    out = tmp_path / "nowy" / "folder"
    run = Run(
        cache, "score", "--gold", tmp_path / "gold.tsv", "--questions", tmp_path / "in.tsv", "--gold-kind", "answers",
        "--answers", tmp_path / "odp.txt", "--rule", "exact", "--json", tmp_path / "r.json", "--out-dir", out,
    )  # fmt: skip
    assert run.code == 0, run.err
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert json.loads((out / "report.json").read_text(encoding="utf-8")) == report
    assert "rule:exact" in report["signature"]
    assert report["answers"]["fuzzy_match"]["correct"] == 2
    assert [item["question"] for item in report["items"]] == [row["question"] for row in QUESTIONS]
    with (out / "items.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["correct"] for row in csv.DictReader(file)] == ["True", "True", "False"]
    assert b"\r\r\n" not in (out / "items.csv").read_bytes()


def test_score_rankings_by_source_and_corpus(cache: Path, files: Path, tmp_path: Path) -> None:
    header = "question_id,question,answers,passage_id,relevant,passage_source,split\n"
    rows = "1,Kto?,['a'],1-0,True,human,test\n2,Co?,['b'],2-0,True,zero-shot,test\n"
    (tmp_path / "gold.csv").write_text(header + rows, encoding="utf-8")
    (tmp_path / "run.tsv").write_text("qid\tpid\tscore\n1\t1-0\t1\n2\t9-0\t1\n", encoding="utf-8")
    found = {}
    for source in ("auto", "human", "all"):
        report = Call(
            cache, "score", "--gold", tmp_path / "gold.csv", "--rankings", tmp_path / "run.tsv", "--json", "-",
            "--gold-source", source, "--corpus", files / "korpus.jsonl",
        ).json  # fmt: skip
        found[source] = report["rankings"]["accuracy@10"]["n"]
        assert "unknown-passages" in [problem["code"] for problem in report["problems"]]
    assert found == {"auto": 1, "human": 1, "all": 2}


def test_score_a_registered_gold_by_name(cache: Path) -> None:
    good = sample.predictions_file("answers-good.jsonl")
    report = Call(cache, "score", "--gold", "polqa-demo-sample/test", "--answers", good, "--json", "-").json
    assert report["gold"] == "polqa-demo-sample/test"
    assert report["answers"]["n"] > 0


def test_a_refused_file_is_told_in_json_and_on_stderr(cache: Path, files: Path, tmp_path: Path) -> None:
    run = Run(cache, "score", "--gold", files / "pytania.jsonl", "--answers", files / "inne.csv", "--json", "-",
              "--out-dir", tmp_path)  # fmt: skip
    assert run.code == 1
    report = json.loads(run.out)
    assert report.keys() == {"schema_version", "problems", "files", "forms", "recognised"}
    # What could be read says what it was taken for.
    assert report["forms"] == {"gold": "jsonl, UTF-8"}
    assert report["problems"][0] | {"message": ""} == {
        "severity": "error", "code": "wrong-split", "message": "", "count": 2, "lines": [2, 3], "file": "inne.csv",
    }  # fmt: skip
    assert "Czy to predykcje innego podziału?" in run.err
    assert "(wiersze: 2, 3)" in run.err
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8")) == report
    assert not (tmp_path / "items.csv").exists()


@pytest.mark.parametrize(
    ("option", "code"),
    [
        (("--answers", "nie-ma.csv"), "unreadable-file"),
        (("--rankings", "nie-ma.tsv"), "unreadable-file"),
        (("--answers", "{files}/odp.csv", "--questions", "nie-ma.tsv"), "unreadable-file"),
        (("--rankings", "{files}/odp.csv", "--corpus", "nie-ma.jsonl"), "corpus-missing"),
        (("--answers", "{files}"), "unreadable-file"),
        (("--rankings", "{files}/odp.csv"), "missing-columns"),
        (("--answers", "{files}/korpus.jsonl"), "missing-columns"),
    ],
)
def test_json_is_written_whatever_was_refused(cache: Path, files: Path, option: tuple[str, ...], code: str) -> None:
    options = [part.replace("{files}", str(files)) for part in option]
    run = Call(cache, "score", "--gold", files / "pytania.jsonl", *options, "--json", "-")
    assert run.code == 1
    report = json.loads(run.out)
    assert report["schema_version"] == 1
    assert [problem["code"] for problem in report["problems"]] == [code]


def test_an_unreadable_gold_is_told_in_json(cache: Path, files: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_bytes(b"PK\x03\x04")
    for gold in (tmp_path / "gold.csv", tmp_path, "nie-ma", "x" * 5000):
        run = Call(cache, "score", "--gold", gold, "--answers", files / "odp.csv", "--json", "-")
        assert run.code == 1
        assert json.loads(run.out)["problems"][0]["severity"] == "error"


def test_half_a_surrogate_pair_does_not_end_in_a_traceback(cache: Path, files: Path, tmp_path: Path) -> None:
    (tmp_path / "odp.jsonl").write_text('{"id": "q1", "answer": "a\\ud800"}\n', encoding="utf-8")
    run = Run(cache, "score", "--gold", files / "pytania.jsonl", "--answers", tmp_path / "odp.jsonl", "--json", "-",
              "--out-dir", tmp_path)  # fmt: skip
    assert run.json["items"][0]["prediction"] == "a\ufffd"


def test_index_build_verify_and_use(cache: Path, files: Path, tmp_path: Path) -> None:
    index = tmp_path / "indeks"
    built = Call(cache, "index", "build", "--corpus", files / "korpus.jsonl", "--out", index)
    assert (built.code, built.out) == (0, f"{index}: indeks kompletny, fragmentów: 3\n")
    assert Call(cache, "--lang", "en", "index", "verify", index).out == f"{index}: whole, passages: 3\n"
    assert Call(cache, "ask", QUESTION, "--index", index, "--json").json["passages"][0]["id"] == "1-0"
    run = Call(cache, "retrieve", "--questions", files / "pytania.jsonl", "--index", index, "--out", tmp_path / "run")
    assert run.code == 0

    (index / "manifest.json").unlink()
    for arguments in (("index", "verify", index), ("ask", QUESTION, "--index", index)):
        refused = Call(cache, *arguments)
        assert refused.code == 1
        assert "manifest.json" in refused.err
        assert "index build" in refused.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"id": "1", "text": "a"}\nto nie JSON\n', ("korpus.jsonl, wiersz 2",)),
        ('{"id": "1", "text": "a"}\n\n{"id": "2"}\n', ("korpus.jsonl, wiersz 3", "text")),
        ('{"id": "1", "text": "a"}\n{"id": 1, "text": "b"}\n', ("korpus.jsonl:1", "korpus.jsonl:2")),
        ("", ("pusty", "korpus.jsonl")),
        ("\n \n", ("pusty", "korpus.jsonl")),
    ],
)
def test_a_bad_corpus_is_named_by_file_and_line(
    cache: Path, tmp_path: Path, content: str, words: tuple[str, ...]
) -> None:
    bad = tmp_path / "korpus.jsonl"
    bad.write_text(content, encoding="utf-8")
    for arguments in (("ask", QUESTION, "--corpus", bad), ("index", "build", "--corpus", bad, "--out", tmp_path / "i")):
        run = Call(cache, *arguments)
        assert (run.code, run.out) == (1, "")
        assert all(word in run.err for word in words)
    assert not (tmp_path / "i").exists()


def test_places_that_cannot_be_written(cache: Path, files: Path, tmp_path: Path) -> None:
    file = tmp_path / "plik"
    file.write_text("x", encoding="utf-8")
    nowhere = file / "pod" / "out"
    common = ("--questions", files / "pytania.jsonl", "--corpus", files / "korpus.jsonl", "--out", nowhere)
    score = ("score", "--gold", files / "pytania.jsonl", "--answers", files / "odp.csv")
    for arguments in (
        ("retrieve", *common),
        ("answer", *common),
        (*score, "--json", nowhere),
        (*score, "--out-dir", nowhere),
        ("index", "build", "--corpus", files / "korpus.jsonl", "--out", nowhere),
    ):
        run = Call(cache, *arguments)
        assert run.code == 1
        assert str(file) in run.err
    run = Call(file, "ask", QUESTION, "--corpus", files / "korpus.jsonl")
    assert (run.code, "POLQA_CACHE_DIR" in run.err) == (1, True)


def test_a_terminal_of_few_letters_gets_escapes_not_a_traceback(cache: Path) -> None:
    run = Run(cache, "ask", QUESTION, PYTHONIOENCODING="latin-1")
    assert run.code == 0


def test_files_come_through_pipes_as_well(cache: Path, files: Path) -> None:
    command = (
        f'cat "{files / "odp.csv"}" | "{sys.executable}" -m polqa_demo --lang en score '
        f'--gold "{files / "pytania.jsonl"}" --answers /dev/stdin --questions <(cat "{files / "pytania.jsonl"}")'
    )
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | {"POLQA_CACHE_DIR": str(cache)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "fuzzy_match" in run.stdout


def test_a_reader_that_stops_early_is_no_error(cache: Path, tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m polqa_demo ask "{QUESTION}" | head -n 1'
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | {"POLQA_CACHE_DIR": str(cache), "POLQA_RETRIEVER": "lexical", "POLQA_READER": "rules"},
    )  # fmt: skip
    assert "Traceback" not in run.stderr
    assert "Exception" not in run.stderr


def test_an_output_never_takes_the_place_of_an_input_or_of_what_is_no_file(
    cache: Path, files: Path, tmp_path: Path
) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_bytes((files / "pytania.jsonl").read_bytes())
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(questions)
    os.mkfifo(pipe)
    for out in (questions, link, pipe, tmp_path, Path("/dev/null"), Path("..")):
        run = Call(cache, "retrieve", "--questions", questions, "--corpus", files / "korpus.jsonl", "--out", out)
        assert run.code == 1, out
        assert "--out" in run.err
        assert "Traceback" not in run.err
    assert questions.read_bytes() == (files / "pytania.jsonl").read_bytes()
    assert pipe.is_fifo()


def test_an_output_through_a_link_goes_where_it_leads(cache: Path, files: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "target.tsv", tmp_path / "link.tsv"
    target.touch()
    link.symlink_to(target)
    common = ("retrieve", "--questions", files / "pytania.jsonl", "--corpus", files / "korpus.jsonl", "--out")
    assert Call(cache, *common, link).code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("question-id")
    assert Call(cache, *common, "-").out == target.read_text()


def test_compare_names_the_better_run_and_the_test(cache: Path, files: Path, tmp_path: Path) -> None:
    good, bad, folder = tmp_path / "good.csv", tmp_path / "bad.csv", tmp_path / "runs"
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(f'{{"question_id": {n}, "question": "Kto {n}?", "answers": ["Ala"]}}\n' for n in range(12)))
    good.write_text("question_id,answer\n" + "".join(f"{n},Ala\n" for n in range(12)))
    bad.write_text("question_id,answer\n" + "".join(f"{n},{'Ala' if n < 2 else 'Zenobiusz'}\n" for n in range(12)))
    run = Call(cache, "compare", "--gold", gold, good, bad, "--json", "-")
    assert run.code == 0
    found = json.loads(run.out)["comparisons"][0]
    assert [one["value"] for one in found["runs"]] == [1.0, 2 / 12]
    difference = found["differences"][0]
    assert (difference["wins"], difference["ties"], difference["losses"]) == (10, 2, 0)
    assert difference["p"] == pytest.approx(2 / 2**10)
    folder.mkdir()
    for file in (good, bad):
        (folder / file.name).write_bytes(file.read_bytes())
    assert "good" in Call(cache, "compare", "--gold", gold, folder).out
    alone = Call(cache, "compare", "--gold", gold, good)
    assert alone.code == 1
    assert "Traceback" not in alone.err


def test_a_corpus_says_whose_fault_errors_are(cache: Path, files: Path, tmp_path: Path) -> None:
    (tmp_path / "run.tsv").write_text("q1\t1-0\nq2\t2-0\nq3\t1-0\n", encoding="utf-8")
    (tmp_path / "zlote.csv").write_text("id,answer\nq1,Indie\nq2,w Toruniu\nq3,12\n", encoding="utf-8")
    given = ["score", "--gold", files / "pytania.jsonl", "--answers", files / "odp.csv",
             "--rankings", tmp_path / "run.tsv", "--answers-from-gold", tmp_path / "zlote.csv"]  # fmt: skip
    run = Call(cache, "--lang", "en", *given, "--corpus", files / "korpus.jsonl", "--out-dir", tmp_path / "out")
    assert run.code == 0
    assert "retriever × reader (n = 3)" in run.out
    assert [line.split()[-1] for line in run.out.splitlines() if "1   33.3 %" in line] == ["worked", "fault", "reason"]
    assert "ceilings: gold passage among the ten 66.67 % · gold answer in the texts 66.67 % · either 66.67 %" in run.out
    assert "on gold passages 66.67 %, on retrieved 66.67 %" in run.out
    assert "right on both: 1, only on gold: 1, only on retrieved: 1, on neither: 0" in run.out
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["attribution"]["cells"]["reader_fault"]["count"] == 1
    with (tmp_path / "out" / "items.csv").open(encoding="utf-8-sig", newline="") as items:
        cells = [(row["cell"], row["answer_rank"], row["bucket"]) for row in csv.DictReader(items)]
    assert cells == [("sound", "1", "right"), ("reader_fault", "1", "other"), ("right_unseen", "", "right")]
    without = Call(cache, "--lang", "en", *given)
    assert "retriever × reader" not in without.out
    assert "right on both" in without.out
    bad = Call(cache, "--lang", "en", *given, "--corpus", tmp_path / "nie-ma.jsonl")
    assert bad.code == 1
    assert "nie-ma.jsonl" in bad.err


def test_the_sample_brings_its_own_passages(cache: Path) -> None:
    files = {name: sample.predictions_file(file) for name, file in
             (("--answers", "answers-good.jsonl"), ("--rankings", "rankings-good.tsv"))}  # fmt: skip
    given = [part for pair in files.items() for part in pair]
    found = Call(cache, "score", "--gold", "polqa-demo-sample/test", *given, "--json", "-").json["attribution"]
    assert found["unread"] == 0
    assert found["n"] == sum(cell["count"] for cell in found["cells"].values()) > 100


def test_the_score_as_text_says_what_the_writing_costs(cache: Path, tmp_path: Path) -> None:
    gold = lines(tmp_path / "gold.jsonl", [{"id": key, "question": "Kto?", "answers": ["Kraków"]} for key in "123"])
    written = lines(tmp_path / "odp.jsonl", [{"id": key, "answer": "<think>hm</think> Kraków"} for key in "123"])
    found = Call(cache, "--lang", "en", "score", "--gold", gold, "--answers", written).out
    assert "the writing costs: a think block (<think>) (3; points if mended +100.00)" in found


def test_a_comparison_names_the_file_of_a_problem_and_counts_right_abstentions(cache: Path, tmp_path: Path) -> None:
    rows = [{"id": "1", "question": "Kto?", "answers": ["Kraków"]}, {"id": "2", "question": "Co?", "answers": []}]
    gold = lines(tmp_path / "gold.jsonl", rows)
    one = lines(tmp_path / "jeden.jsonl", [{"id": "1", "answer": "Kraków"}, {"id": "2", "answer": ""}])
    two = lines(tmp_path / "dwa.jsonl", [{"id": "1", "answer": ""}])
    plain = Call(cache, "--lang", "en", "compare", "--gold", gold, one, two)
    assert "dwa.jsonl: Questions without an answer" in plain.err
    assert "jeden.jsonl: Empty answers (wrong wherever the question counts), 1" in plain.err
    abstaining = Call(cache, "--lang", "en", "compare", "--gold", gold, "--unanswerable", "abstain", one, two)
    assert "Empty answers" not in abstaining.err


def test_an_option_given_twice_is_refused(cache: Path, files: Path) -> None:
    twice = Call(cache, "score", "--gold", "polqa-demo-sample/test", "--answers", "a.csv", "--answers", "b.csv")
    assert twice.code == 2
    assert "--answers" in twice.err
    assert "więcej niż raz" in twice.err
    # A corpus may be several files.
    several = Call(cache, "ask", QUESTION, "--corpus", files / "korpus.jsonl", "--corpus", files / "korpus.jsonl")
    assert "więcej niż raz" not in several.err
