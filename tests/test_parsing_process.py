"""Uploads are parsed in another process: with the same result, within a budget, and never longer than the app lives."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from running_app import ROOT

from polqa_demo.data.sample import predictions_file
from polqa_demo.errors import UserError
from polqa_demo.parsing.parser import Parser, Upload
from polqa_demo.parsing.process import Parsers
from polqa_demo.records import GoldSet
from polqa_demo.settings import load_settings
from polqa_demo.submissions.gold import load_gold

LINUX = sys.platform == "linux"
GOLD = "polqa-demo-sample/test"
MANY_LINES = b"".join(b"Kto to jest, pytanie %d?\n" % number for number in range(200_000))


@pytest.fixture(scope="module")
def gold() -> GoldSet:
    return load_gold(GOLD)


@pytest.fixture(scope="module")
def parsers() -> Iterator[Parsers]:
    made = Parsers(load_settings())
    yield made
    made.close()


def sample(name: str) -> Upload:
    return Upload(name, path=predictions_file(name))


def few(gold: GoldSet) -> frozenset[str]:
    return frozenset(judgement.passage_id for judgement in gold.judgements[::2])


@pytest.mark.parametrize("name", ["answers-good.jsonl", "answers-weak.txt"])
def test_answers_are_those_of_this_process(parsers: Parsers, gold: GoldSet, name: str) -> None:
    with parsers.session() as parser:
        assert parser.kind(sample(name), gold) == "answers"
        assert parser.answers(sample(name), gold, "refuse", "poleval") == Parser().answers(
            sample(name), gold, "refuse", "poleval"
        )


@pytest.mark.parametrize("name", ["rankings-good.tsv", "rankings-weak.tsv"])
def test_rankings_are_those_of_this_process_and_its_corpus(parsers: Parsers, gold: GoldSet, name: str) -> None:
    known = few(gold).__contains__
    with parsers.session() as parser:
        found = parser.rankings(sample(name), gold, known)
    assert found == Parser().rankings(sample(name), gold, known)
    assert any(problem.code == "unknown-passages" for problem in found.problems)


def test_bytes_and_gold(parsers: Parsers) -> None:
    data = b"id,question,answers\n1,Kto?,\"['ja']\"\n2,Co?,\"['to']\"\n"
    with parsers.session() as parser:
        assert parser.gold(Upload("gold.csv", data)) == Parser().gold(Upload("gold.csv", data))


def test_a_refusal_keeps_its_problems(parsers: Parsers, gold: GoldSet) -> None:
    name = "answers-broken.csv"
    with pytest.raises(UserError) as here:
        Parser().answers(sample(name), gold, "refuse", "poleval")
    with parsers.session() as parser, pytest.raises(UserError) as there:
        parser.answers(sample(name), gold, "refuse", "poleval")
    assert type(there.value) is type(here.value)
    assert there.value.problems == here.value.problems  # type: ignore[attr-defined]


def test_a_corpus_that_fails_costs_the_process_alone(parsers: Parsers, gold: GoldSet) -> None:
    def fail(_: str) -> bool:
        raise UserError("index-broken", "zepsuty", "broken")

    with parsers.session() as parser:
        with pytest.raises(UserError, match="broken"):
            parser.rankings(sample("rankings-good.tsv"), gold, fail)
        assert parser.rankings(sample("rankings-good.tsv"), gold).rankings


def test_the_settings_are_those_of_the_app(gold: GoldSet) -> None:
    parsers = Parsers(load_settings(max_columns=10))
    wide = Upload("a.csv", b"id,answer" + b",x" * 20 + b"\n1,a\n")
    with parsers.session() as parser, pytest.raises(UserError) as refused:
        parser.answers(wide, gold, "refuse", "poleval")
    parsers.close()
    assert refused.value.code == "too-many-columns"


@pytest.mark.skipif(not LINUX, reason="other systems do not tell what a process uses")
@pytest.mark.parametrize(
    ("limit", "setting"),
    [({"max_upload_seconds": 0.3}, "POLQA_MAX_UPLOAD_SECONDS"), ({"max_upload_memory_mb": 64}, "_MEMORY_MB")],
)
def test_a_file_beyond_its_budget_is_refused_by_name_and_the_next_is_read(
    gold: GoldSet, limit: dict[str, float], setting: str
) -> None:
    parsers = Parsers(load_settings(**limit))
    with parsers.session() as parser:
        for _ in range(2):
            with pytest.raises(UserError) as refused:
                parser.gold(Upload("questions.txt", MANY_LINES))
            assert refused.value.code == "upload-budget"
            assert all("questions.txt" in text and setting in text for text in refused.value.message)
        assert parser.answers(sample("answers-good.jsonl"), gold, "refuse", "poleval").predictions
    parsers.close()


@pytest.mark.skipif(not LINUX, reason="other systems do not tell what a process uses")
def test_a_file_has_one_budget_however_often_it_is_read(gold: GoldSet) -> None:
    parsers = Parsers(load_settings(max_upload_seconds=0.5))
    upload = Upload("a.csv", b"id,answer\n" + b"85,tak\n" * 20_000)

    def again_and_again() -> None:
        with parsers.session() as parser:
            for _ in range(1000):
                parser.answers(upload, gold, "refuse", "poleval")

    with pytest.raises(UserError) as refused:
        again_and_again()
    assert refused.value.code == "upload-budget"
    # Another evaluation begins anew.
    with parsers.session() as parser:
        parser.answers(upload, gold, "refuse", "poleval")
    parsers.close()


def test_closing_ends_what_is_parsed(gold: GoldSet) -> None:
    parsers = Parsers(load_settings(max_upload_seconds=1000, max_upload_memory_mb=8000))
    met: list[UserError] = []
    asked, closed = threading.Event(), threading.Event()

    def wait(_: str) -> bool:
        asked.set()
        return closed.wait(60)

    def work() -> None:
        try:
            with parsers.session() as parser:
                while True:
                    parser.rankings(sample("rankings-good.tsv"), gold, wait)
        except UserError as error:
            met.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert asked.wait(60)
    parsers.close()
    closed.set()
    thread.join(60)
    assert [error.code for error in met] == ["parser-ended"]
    with pytest.raises(UserError), parsers.session() as parser:
        parser.kind(sample("answers-good.jsonl"), gold)


@pytest.mark.skipif(not LINUX, reason="a process is looked for in /proc")
def test_no_process_outlives_a_parent_that_was_killed() -> None:
    code = (
        "import os, signal; from polqa_demo.parsing.process import Parsers; from polqa_demo.settings import "
        "load_settings; parsers = Parsers(load_settings()); print(parsers.take()._process.pid, flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    child = int(ended.stdout)
    for _ in range(600):
        if not is_running(child):
            break
        threading.Event().wait(0.1)
    assert not is_running(child)


def is_running(pid: int) -> bool:
    """Whether a process computes; one that nobody has buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.skipif(not LINUX, reason="modules are looked for in /proc")
def test_the_process_holds_no_model_library_and_no_browser(parsers: Parsers) -> None:
    process = parsers.take()
    maps = Path(f"/proc/{process._process.pid}/maps").read_text()
    parsers.give_back(process)
    assert not [name for name in ("torch", "faiss", "tantivy", "tokenizers") if f"/{name}/" in maps]
    assert os.getpid() != process._process.pid


@pytest.mark.skipif(not LINUX, reason="other systems have neither the signal nor tell what a process uses")
@pytest.mark.parametrize(
    ("ending", "code", "setting"),
    [
        # The system's own bound on time, met before anybody of ours looked.
        ("os.kill(os.getpid(), signal.SIGXCPU)", "upload-budget", "POLQA_MAX_UPLOAD_SECONDS"),
        ("raise MemoryError", "upload-budget", "POLQA_MAX_UPLOAD_MEMORY_MB"),
        (
            "begin = time.process_time()\n    while time.process_time() < begin + 3: pass\n    os._exit(3)",
            "parser-ended",
            "costly",
        ),
        ("os._exit(3)", "parser-ended", "Try once more"),
    ],
)
def test_a_process_that_breaks_off_beyond_its_limits_is_told_as_such(
    gold: GoldSet, monkeypatch: pytest.MonkeyPatch, ending: str, code: str, setting: str
) -> None:
    """A process that ends so as soon as it has its job."""
    start = (
        "import os, signal, sys, time; sys.path.insert(0, sys.argv[1]); from polqa_demo.parsing import worker\n"
        f"def end(*_):\n    {ending}\n"
        "worker._reply = end\nworker.main()"
    )
    monkeypatch.setattr("polqa_demo.parsing.process._START", start)
    parsers = Parsers(load_settings(max_upload_seconds=4))
    with parsers.session() as parser, pytest.raises(UserError) as refused:
        parser.answers(sample("answers-good.jsonl"), gold, "refuse", "poleval")
    parsers.close()
    assert refused.value.code == code
    assert setting in refused.value.message.en
    assert ("Try once more" in refused.value.message.en) == (setting == "Try once more")
