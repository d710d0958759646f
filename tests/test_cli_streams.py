"""What the command line writes to stdout, whatever the terminal, and reads from stdin under the name `-`."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from test_cli import Call

GOLD = [
    {"id": "1", "question": "Co to jest 🐢?", "answers": ["🐢 żółw"], "passage_ids": ["1-0"]},
    {"id": "2", "question": "Gdzie leży Bombaj?", "answers": ["w Indiach"], "passage_ids": ["2-0"]},
]
ANSWERS = "id,answer\n1,🐢 żółw\n2,słoń\n"
OTHERS = "id,answer\n1,słoń\n2,w Indiach\n"
CORPUS = [
    {"id": "1-0", "title": "Żółw", "text": "To jest 🐢 żółw."},
    {"id": "2-0", "title": "Bombaj", "text": "Bombaj leży w Indiach 🌏."},
]
PLAIN = {"POLQA_RETRIEVER": "lexical", "POLQA_READER": "rules"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name, rows in (("gold.jsonl", GOLD), ("korpus.jsonl", CORPUS)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "odp.csv").write_text(ANSWERS, encoding="utf-8")
    (tmp_path / "inne.csv").write_text(OTHERS, encoding="utf-8")
    return tmp_path


def run(place: Path, *arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, in that folder; `given` comes through stdin."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("POLQA_", "PYTHONIO"))}
    paths = {"POLQA_CACHE_DIR": str(place / "cache"), "PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.run(
        [sys.executable, "-m", "polqa_demo", *arguments], cwd=place, env=kept | PLAIN | paths | environment,
        input=given, capture_output=True, timeout=60, check=False,
    )  # fmt: skip


def call(place: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Call:
    """The command within this process, in that folder."""
    monkeypatch.chdir(place)
    return Call(place / "cache", *arguments)


TERMINALS: list[dict[str, str]] = [
    {"PYTHONIOENCODING": "cp1250"},
    {"PYTHONIOENCODING": "cp852"},
    {"PYTHONIOENCODING": "utf-16"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
]


@pytest.mark.parametrize("terminal", TERMINALS, ids=lambda terminal: "-".join(terminal.values()))
def test_json_on_stdout_is_utf8_on_every_terminal(place: Path, terminal: dict[str, str]) -> None:
    (place / "🐢.csv").write_text(OTHERS, encoding="utf-8")
    common = ("--gold", "gold.jsonl", "--json", "-")
    scored = run(place, "score", *common, "--answers", "🐢.csv", **terminal)
    assert scored.returncode == 0, scored.stderr
    told = json.loads(scored.stdout.decode("utf-8"))
    assert (told["items"][0]["question"], told["files"]) == ("Co to jest 🐢?", {"answers": "🐢.csv"})
    compared = run(place, "compare", *common, "odp.csv", "🐢.csv", **terminal)
    assert compared.returncode == 0, compared.stderr
    told = json.loads(compared.stdout.decode("utf-8"))
    assert [one["name"] for one in told["comparisons"][0]["runs"]] == ["odp", "🐢"]


def test_answers_passages_and_rankings_on_stdout_are_utf8(place: Path) -> None:
    few = {"PYTHONIOENCODING": "cp1250"}
    asked = run(place, "ask", "Gdzie leży Bombaj?", "--corpus", "korpus.jsonl", "--json", **few)
    assert json.loads(asked.stdout.decode("utf-8"))["passages"][0]["text"] == CORPUS[1]["text"]
    common = ("--questions", "gold.jsonl", "--corpus", "korpus.jsonl", "--out")
    for command in ("retrieve", "answer"):
        assert run(place, command, *common, "-", **few).stdout == self_written(place, command, common)


def self_written(place: Path, command: str, common: tuple[str, ...]) -> bytes:
    """The same into a file."""
    assert run(place, command, *common, "out").returncode == 0
    return (place / "out").read_bytes()


def test_text_for_people_gets_question_marks_where_a_terminal_lacks_the_letter(place: Path) -> None:
    for encoding, shown in (("cp1250", "To jest ? żółw."), ("latin-1", "To jest ? ?ó?w.")):
        done = run(place, "ask", "Co to jest żółw?", "--corpus", "korpus.jsonl", PYTHONIOENCODING=encoding)
        assert done.returncode == 0
        assert shown in done.stdout.decode(encoding)
    refused = run(place, "score", "--gold", "🐢/test", "--answers", "odp.csv", PYTHONIOENCODING="cp1250")
    assert (refused.returncode, "„?/test”" in refused.stderr.decode("cp1250")) == (1, True)


def test_a_name_that_is_no_utf8_is_written_all_the_same(place: Path) -> None:
    os.rename(place / "gold.jsonl", os.fsencode(place) + b"/z\xb3oto.jsonl")
    for target in ("-", "report.json"):
        command = [sys.executable, "-m", "polqa_demo", "score", "--answers", "odp.csv", "--json", target, "--gold"]
        paths = {"POLQA_CACHE_DIR": str(place), "PYTHONPATH": str(Path(__file__).parents[1])}
        done = subprocess.run(
            [*map(os.fsencode, command), b"z\xb3oto.jsonl"], cwd=place, env=os.environ | paths, capture_output=True,
            timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout if target == "-" else (place / target).read_bytes())
        assert told["gold"].startswith("z")


@pytest.mark.parametrize(
    ("gold", "code"),
    [("nie-ma/test", "unknown-gold"), ("pusty.csv", "empty-file"), ("bez.csv", "missing-columns"), (".", None)],
)
def test_a_refused_gold_is_told_in_the_json_of_a_comparison(
    place: Path, monkeypatch: pytest.MonkeyPatch, gold: str, code: str | None
) -> None:
    (place / "pusty.csv").touch()
    (place / "bez.csv").write_text("question_id,uwagi\n1,x\n", encoding="utf-8")
    done = call(place, monkeypatch, "compare", "--gold", gold, "odp.csv", "inne.csv", "--json", "-")
    assert done.code == 1
    told = json.loads(done.out)
    assert told.keys() == {"schema_version", "problems"}
    assert [problem["severity"] for problem in told["problems"]] == ["error"]
    assert code is None or told["problems"][0]["code"] == code
    assert told["problems"][0]["message"] in done.err
    to_file = call(place, monkeypatch, "compare", "--gold", gold, "odp.csv", "inne.csv", "--json", "r.json")
    assert (to_file.code, to_file.out) == (1, "")
    assert json.loads((place / "r.json").read_text(encoding="utf-8")) == told


def test_unreadable_inputs_are_told_in_the_json_of_a_comparison(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    common = ("compare", "--gold", "gold.jsonl", "odp.csv", "--json", "-")
    monkeypatch.setattr(sys, "stdin", None)
    for more, code in ((("inne.csv", "--questions", "nie-ma"), "unreadable-file"), (("-",), "empty-stdin")):
        done = call(place, monkeypatch, *common, *more)
        assert done.code == 1
        assert [problem["code"] for problem in json.loads(done.out)["problems"]] == [code]


def test_questions_come_through_stdin(place: Path) -> None:
    questions = (place / "gold.jsonl").read_bytes()
    common = ("--corpus", "korpus.jsonl", "--out")
    for command in ("retrieve", "answer"):
        piped = run(place, command, "--questions", "-", *common, "-", given=questions)
        assert piped.returncode == 0, piped.stderr
        assert piped.stdout == self_written(place, command, ("--questions", "gold.jsonl", *common))

    # The gold of line n belongs to the question of line n.
    (place / "gold.tsv").write_text("🐢 żółw\nw Indiach\n", encoding="utf-8")
    gold = ("--gold", "gold.tsv", "--questions")
    scored = run(place, "score", *gold, "-", "--answers", "odp.csv", "--json", "-", given=questions)
    assert [item["question"] for item in json.loads(scored.stdout)["items"]] == [row["question"] for row in GOLD]
    compared = [
        run(place, "compare", *gold, name, "odp.csv", "inne.csv", given=questions) for name in ("-", "gold.jsonl")
    ]
    assert compared[0].stdout == compared[1].stdout != b""


def test_predictions_come_through_stdin(place: Path) -> None:
    scored = run(place, "score", "--gold", "gold.jsonl", "--answers", "-", "--json", "-", given=ANSWERS.encode())
    told = json.loads(scored.stdout)
    assert (told["answers"]["fuzzy_match"]["correct"], told["files"]) == (1, {"answers": "stdin"})
    compared = run(place, "compare", "--gold", "gold.jsonl", "-", "inne.csv", "--json", "-", given=ANSWERS.encode())
    runs = json.loads(compared.stdout)["comparisons"][0]["runs"]
    assert sorted(one["name"] for one in runs) == ["inne", "stdin"]
    ranked = ("answer", "--questions", "gold.jsonl", "--corpus", "korpus.jsonl", "--out", "-", "--rankings")
    (place / "run.tsv").write_text("1\t2-0\n2\t2-0\n", encoding="utf-8")
    piped, read = (run(place, *ranked, name, given=b"1\t2-0\n2\t2-0\n") for name in ("-", "run.tsv"))
    assert (piped.returncode, piped.stdout) == (0, read.stdout)


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "--gold", "gold.jsonl", "--questions", "-", "--answers", "-"),
        ("score", "--gold", "gold.jsonl", "--answers", "-", "--rankings", "-"),
        ("compare", "--gold", "gold.jsonl", "--questions", "-", "-", "odp.csv"),
        ("compare", "--gold", "gold.jsonl", "-", "-"),
        ("answer", "--questions", "-", "--rankings", "-", "--out", "-"),
    ],
)
def test_stdin_is_one_input(place: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    done = call(place, monkeypatch, *arguments)
    assert (done.code, done.out) == (2, "")
    assert "(-)" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("retrieve", "--questions", "-", "--out", "-"),
        ("answer", "--questions", "-", "--out", "-"),
        ("score", "--gold", "gold.jsonl", "--questions", "-", "--answers", "odp.csv"),
        ("compare", "--gold", "gold.jsonl", "--questions", "-", "odp.csv", "inne.csv"),
    ],
)
def test_nothing_on_stdin_is_said(place: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    with open(os.devnull, encoding="utf-8") as nothing:
        for stdin in (nothing, None):
            monkeypatch.setattr(sys, "stdin", stdin)
            done = call(place, monkeypatch, "--lang", "en", *arguments)
            assert (done.code, done.out) == (1, "")
            assert "Nothing came through the standard input" in done.err


def test_a_terminal_is_not_waited_for(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leader, follower = pty.openpty()
    with open(follower, encoding="utf-8") as terminal, open(leader, "rb", buffering=0):
        monkeypatch.setattr(sys, "stdin", terminal)
        done = call(place, monkeypatch, "--lang", "en", "retrieve", "--questions", "-", "--out", "-")
    assert (done.code, done.out) == (1, "")
    assert "which is a terminal" in done.err
