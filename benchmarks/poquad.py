"""The public PoQuAD questions with their passages, as the benchmarks of readers use them."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from polqa_demo.records import Passage


@dataclass(frozen=True, slots=True)
class Gold:
    """A question, what is right, the passage it was written on, and whether nothing may be tuned on it."""

    id: str
    question: str
    answers: tuple[str, ...]
    passage: Passage
    held_out: bool


def shared_folder(chosen: Path | None) -> Path:
    """The folder of real data: as chosen, or POLQA_SHARED, or `shared` beside the checkout."""
    folder = chosen or Path(os.environ.get("POLQA_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    if not (folder / "data" / "poquad-corpus").is_dir():
        message = f"no data/poquad-corpus under {folder}: name the folder with --shared or POLQA_SHARED"
        raise SystemExit(message)
    return folder


def load_passages(shared: Path) -> list[Passage]:
    """The whole corpus, in the order of its files."""
    files = sorted((shared / "data" / "poquad-corpus").glob("passages-*.jsonl"))
    return [Passage(**json.loads(line)) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def load_poquad(shared: Path) -> list[Gold]:
    """Every question with its gold passage."""
    folder = shared / "data" / "poquad-corpus"
    passages = {passage.id: passage for passage in load_passages(shared)}
    held_out = set((folder / "heldout-question-ids.txt").read_text(encoding="utf-8").split())
    golds = []
    for line in (folder / "questions-gold.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        passage = passages[row["passage_id"]]
        key = row["question_id"]
        golds.append(Gold(key, row["question"], tuple(row["answers"]), passage, key in held_out))
    return golds


def load_more(shared: Path) -> list[Gold]:
    """Questions of another part of PoQuAD, of other articles than the held-out ones, over passages of their own."""
    folder = shared / "data" / "poquad-more"
    rows = [json.loads(line) for line in (folder / "passages.jsonl").read_text(encoding="utf-8").splitlines()]
    passages = {row["id"]: Passage(**row) for row in rows}
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Gold(row["question_id"], row["question"], tuple(row["answers"]), passages[row["passage_id"]], held_out=False)
        for row in questions
    ]
