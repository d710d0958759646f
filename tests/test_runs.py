"""A whole gold set through a pipeline: stopped anywhere and taken up again, the files are those of one go."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from polqa_demo.assembly import Workshop
from polqa_demo.choice import Choice
from polqa_demo.errors import UserError
from polqa_demo.gold_sets import seal
from polqa_demo.pipeline import Pipeline, open_pipeline
from polqa_demo.records import Answer, GoldSet, Passage, Question
from polqa_demo.runs import splits
from polqa_demo.runs.splits import FILES, Step
from polqa_demo.settings import load_settings
from polqa_demo.submissions.gold import load_gold
from tests.reading.tiny_seq2seq import write_t5
from tests.retrieval import tiny_cross_encoder
from tests.retrieval.tiny_encoders import save_bert

GOLD = load_gold("polqa-demo-sample/valid")
N = len(GOLD.questions)

WORKER = """
import sys, threading
from pathlib import Path
from polqa_demo.submissions.gold import load_gold
from polqa_demo.pipeline import open_pipeline
from polqa_demo.runs.splits import steps
gold = load_gold("polqa-demo-sample/valid")
for step in steps(open_pipeline(retriever="lexical", reader="rules"), gold, Path(sys.argv[1])):
    print(step.stage, step.done, flush=True)
    if f"{step.stage} {step.done}" == sys.argv[2]:
        threading.Event().wait()
"""


class Counting:
    """A reader, and how often it was asked."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.reader = pipeline.reader
        self.name = pipeline.reader.name
        self.calls = 0

    def read(self, question: str, passages: Sequence[Passage], scores: Sequence[float] = ()) -> Answer:
        self.calls += 1
        return self.reader.read(question, passages, scores)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return open_pipeline(retriever="lexical", reader="rules", knobs=load_settings())


@pytest.fixture(scope="module")
def whole(pipeline: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an undisturbed run."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    assert list(splits.steps(pipeline, GOLD, folder)) == [
        Step(stage, done, N) for stage in FILES for done in range(N + 1)
    ]
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def stop_after(pipeline: Pipeline, folder: Path, count: int, gold: GoldSet = GOLD) -> None:
    going = splits.steps(pipeline, gold, folder)
    assert len(list(islice(going, count))) == count
    going.close()


def refused(pipeline: Pipeline, gold: GoldSet, folder: Path, top_k: int | None = None) -> UserError:
    with pytest.raises(UserError) as caught:
        next(splits.steps(pipeline, gold, folder, top_k))
    return caught.value


def test_the_files_are_what_the_pipeline_finds_and_answers(pipeline: Pipeline, whole: Path) -> None:
    rows = [line.split("\t") for line in (whole / FILES["rankings"]).read_text(encoding="utf-8").splitlines()[1:]]
    answers = [json.loads(line) for line in (whole / FILES["answers"]).read_text(encoding="utf-8").splitlines()]
    assert [row["question_id"] for row in answers] == [question.id for question in GOLD.questions]
    for question, answer in zip(GOLD.questions, answers, strict=True):
        asked = pipeline.ask(question.text)
        assert [row[1] for row in rows if row[0] == question.id] == [hit.passage.id for hit in asked.hits]
        # Readers weigh the scores, so the file's must be theirs.
        assert (answer["answer"], answer["passage_id"]) == (asked.answer.text, asked.answer.passage_id)


def test_the_score_is_that_of_the_files(pipeline: Pipeline, whole: Path) -> None:
    seen: list[Step] = []
    report = splits.run(pipeline, GOLD, whole, seen.append).report
    assert seen == [Step(stage, N, N) for stage in FILES]
    assert report is not None
    assert report.answers
    assert report.answers_from_gold
    assert report.rankings
    assert report.attribution
    assert report.attribution.unread == 0
    right = report.answers.rules[report.rule].hits
    # Gold passages can only help; both are well off the floor.
    assert N // 3 < right <= report.answers_from_gold.rules[report.rule].hits


@pytest.mark.parametrize("count", [1, 7, N + 1, N + 2, 2 * N + 9, 3 * N + 3])
def test_stopped_and_taken_up_again(pipeline: Pipeline, whole: Path, tmp_path: Path, count: int) -> None:
    stop_after(pipeline, tmp_path, count)
    again = list(splits.steps(pipeline, GOLD, tmp_path))
    # Each stage is taken up with what was done of it, so no question is done twice; its first step does none.
    done = [max(0, min(count - 1 - place * (N + 1), N)) for place in range(len(FILES))]
    assert again == [Step(stage, at, N) for stage, first in zip(FILES, done, strict=True) for at in range(first, N + 1)]
    assert content(tmp_path) == content(whole)


def test_a_finished_stage_is_not_computed_again(whole: Path, tmp_path: Path) -> None:
    pipeline = open_pipeline(retriever="lexical", reader="rules", knobs=load_settings())
    counting = Counting(pipeline)
    pipeline.reader = counting
    splits.run(pipeline, GOLD, tmp_path)
    assert counting.calls == 2 * N
    (tmp_path / FILES["answers"]).unlink()
    splits.run(pipeline, GOLD, tmp_path)
    assert counting.calls == 3 * N
    assert content(tmp_path) == content(whole)


def test_killed_and_taken_up_again(pipeline: Pipeline, whole: Path, tmp_path: Path) -> None:
    # Killed in the first stage, then in the second.
    for wanted in ("rankings 9", "answers 5"):
        worker = subprocess.Popen([sys.executable, "-c", WORKER, tmp_path, wanted], stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        assert any(line.strip() == wanted for line in worker.stdout)
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        assert worker.returncode == -signal.SIGKILL
    again = list(splits.steps(pipeline, GOLD, tmp_path))
    assert again[0] == Step("rankings", N, N)
    assert again[1].done >= 5
    assert content(tmp_path) == content(whole)


def test_two_do_not_compute_the_same_run(pipeline: Pipeline, whole: Path, tmp_path: Path) -> None:
    first = splits.steps(pipeline, GOLD, tmp_path)
    assert next(first) == Step("rankings", 0, N)
    assert refused(pipeline, GOLD, tmp_path).code == "run-in-work"
    assert sum(1 for _ in first) == 3 * N + 2
    assert content(tmp_path) == content(whole)


def test_a_folder_of_ones_own_is_left_alone(pipeline: Pipeline, tmp_path: Path) -> None:
    (tmp_path / "rankings.tsv").write_text("moje", encoding="utf-8")
    error = refused(pipeline, GOLD, tmp_path)
    assert error.code == "foreign-folder"
    assert "rankings.tsv" in error.say("pl")
    assert "--out-dir" in error.say("pl")
    assert content(tmp_path) == {"rankings.tsv": b"moje"}
    for card in (b"{}", b"[1]", b"moje\n", b"\xff"):
        (tmp_path / splits.CARD).write_bytes(card)
        assert refused(pipeline, GOLD, tmp_path).code == "other-run"
        assert content(tmp_path) == {"rankings.tsv": b"moje", splits.CARD: card}
    (tmp_path / "plik").touch()
    assert refused(pipeline, GOLD, tmp_path / "plik").code == "unwritable-folder"


def test_another_run_is_refused_and_named(pipeline: Pipeline, whole: Path) -> None:
    before = content(whole)
    first = GOLD.questions[0]
    reworded = replace(GOLD, questions=(replace(first, text=first.text + " Kto?"), *GOLD.questions[1:]))
    for gold, top_k, difference in (
        (load_gold("polqa-demo-sample/test"), None, "gold: polqa-demo-sample/valid@"),
        (GOLD, 3, "top_k: 10 → 3."),
        (reworded, None, "questions_checksum: "),
    ):
        error = refused(pipeline, gold, whole, top_k)
        assert error.code == "other-run"
        assert "polqa-demo-sample/valid" in error.say("en")
        assert "lexical · rules" in error.say("pl")
        assert f"Changed: {difference}" in error.say("en")
        with pytest.raises(UserError, match="another run"):
            splits.finished(pipeline, gold, whole, top_k)
    assert content(whole) == before


SMALL = replace(GOLD, questions=GOLD.questions[:3], judgements=GOLD.judgements)


def test_the_settings_of_a_reader_make_another_run(tmp_path: Path) -> None:
    model = str(write_t5(tmp_path / "model"))

    def identity(reader: str, **knobs: object) -> Mapping[str, str]:
        named = model if reader == "seq2seq" else ""
        choice = Choice(retriever="lexical", reader=reader, model=named)
        return Workshop((), None, load_settings(chat_url="http://host/v1", **knobs)).identity(choice)

    assert identity("chat", chat_model="a") != identity("chat", chat_model="b")
    assert identity("seq2seq") != identity("seq2seq", seq2seq_prompt="{passages} {question}")
    # Another spending limit must not make a stopped run start anew, nor do settings of readers that were not taken.
    assert identity("chat", chat_model="a", chat_max_requests=1) == identity("chat", chat_model="a")
    assert identity("rules", chat_model="a") == identity("rules", chat_model="b")
    assert "sekret" not in str(identity("chat", chat_model="a", chat_key="sekret"))


def changed(folder: Path) -> None:
    """Another model under the same name: one of its weights moves."""
    file = folder / "model.safetensors"
    weights = load_file(file)
    name = next(iter(weights))
    save_file({**weights, name: weights[name] + 0.5}, file, metadata={"format": "pt"})


@pytest.mark.parametrize("part", ["seq2seq.model", "reranker", "encoder"])
def test_a_run_does_not_go_on_with_another_model_of_the_same_name(tmp_path: Path, part: str) -> None:
    folders = {
        "seq2seq.model": write_t5(tmp_path / "czytnik"),
        "reranker": tiny_cross_encoder.save(tmp_path / "reranker"),
        "encoder": save_bert(tmp_path / "enkoder"),
    }

    def opened() -> Pipeline:
        return open_pipeline(
            retriever="dense",
            reader="seq2seq",
            encoder=str(folders["encoder"]),
            reranker=str(folders["reranker"]),
            model=str(folders["seq2seq.model"]),
            knobs=load_settings(cache_dir=tmp_path / "cache", seq2seq_beams=1, seq2seq_answer_tokens=4),
        )

    out = tmp_path / "przebieg"
    stop_after(opened(), out, len(SMALL.questions) + 3, SMALL)
    # Other times of the files are no other models.
    for folder in folders.values():
        for file in folder.iterdir():
            os.utime(file, (0, 0))
    assert next(splits.steps(opened(), SMALL, out)) == Step("rankings", 3, 3)
    before = content(out)
    changed(folders[part])
    error = refused(opened(), SMALL, out)
    assert error.code == "other-run"
    for language, word in (("pl", "Zmieniło się: "), ("en", "Changed: ")):
        _, _, told = error.say(language).partition(word)
        assert told.startswith(f"{part}: ")
        assert "→" in told
        # That alone.
        assert told.count("→") == 1
    assert content(out) == before


def test_a_card_of_an_earlier_version_is_told_as_it_is(pipeline: Pipeline, whole: Path, tmp_path: Path) -> None:
    card = json.loads((whole / splits.CARD).read_bytes())
    old = {name: card[name] for name in ("gold", "questions", "corpus", "pipeline", "top_k")} | {"version": "0.0.9"}
    (tmp_path / splits.CARD).write_text(json.dumps({"key": "stary", **old}), encoding="utf-8")
    told = refused(pipeline, GOLD, tmp_path).say("en")
    assert "Changed: version: 0.0.9 → " in told
    assert told.count("→") == 1


def test_gold_without_passages(pipeline: Pipeline, tmp_path: Path) -> None:
    gold = replace(GOLD, questions=GOLD.questions[:5], judgements=())
    scored = splits.run(pipeline, gold, tmp_path)
    assert sorted(content(tmp_path)) == ["answers.jsonl", "rankings.tsv", "run.json"]
    assert scored.report is not None
    assert scored.report.answers is not None
    assert (scored.report.rankings, scored.report.answers_from_gold) == (None, None)


def test_gold_without_answers(pipeline: Pipeline, tmp_path: Path) -> None:
    gold = replace(GOLD, questions=tuple(replace(question, answers=()) for question in GOLD.questions[:5]))
    report = splits.run(pipeline, gold, tmp_path).report
    assert report is not None
    assert (report.answers, report.answers_from_gold) == (None, None)
    assert report.rankings is not None
    assert (tmp_path / FILES["answers"]).is_file()


def test_words_that_no_passage_has(pipeline: Pipeline, tmp_path: Path) -> None:
    gold = GoldSet("inny", "", (Question("1", "Qqqq wwww?", ("nic",)),))
    report = splits.run(pipeline, gold, tmp_path).report
    assert report is not None
    assert report.rankings is None
    assert report.answers is not None
    assert report.answers.rules[report.rule].hits == 0


def test_what_cannot_be_run_is_refused_before_a_file_is_made(pipeline: Pipeline, tmp_path: Path) -> None:
    folder = tmp_path / "nowy"
    foreign = tuple(replace(item, passage_id=f"obcy-{item.passage_id}") for item in GOLD.judgements)
    cases = {
        "secret-gold": seal(GOLD, b"klucz"),
        "bad-questions": replace(GOLD, questions=(*GOLD.questions, Question("puste", " "))),
        "other-corpus": replace(GOLD, judgements=foreign),
    }
    for code, gold in cases.items():
        assert refused(pipeline, gold, folder).code == code
    assert not folder.exists()


def test_the_score_waits_for_all_stages(pipeline: Pipeline, tmp_path: Path) -> None:
    stop_after(pipeline, tmp_path, N + 4)
    with pytest.raises(UserError, match=r"answers\.jsonl, answers-from-gold\.jsonl") as caught:
        splits.finished(pipeline, GOLD, tmp_path)
    assert caught.value.code == "unfinished-run"
