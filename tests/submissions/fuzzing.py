"""Mutated files through every door of the reading; only a problem report may come out, or a score."""

import json
import time
from collections import Counter
from contextlib import suppress

from mutations import ANSWERS, IDS, PASSAGES, Mutator

from polqa_demo.errors import UserError
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.gold import read_gold, read_gold_or_questions
from polqa_demo.submissions.kinds import recognise_kind

GOLD = GoldSet(
    "proba",
    "test",
    tuple(Question(key, f"Czy {key}?", (answer,)) for key, answer in zip(IDS, ANSWERS, strict=True)),
    tuple(Judgement(key, passage, grade=1) for key, passage in zip(IDS, PASSAGES, strict=False)),
)


def outcomes(count: int, seed: int) -> tuple[Counter[str], float]:
    """How often what came of `count` mutated files, and the seconds that the slowest took.

    Anything but a problem report or a score is raised, with the input.
    """
    mutator = Mutator(seed)
    found: Counter[str] = Counter()
    slowest = 0.0
    for number in range(count):
        role, form, data = mutator.draw()
        start = time.process_time()
        try:
            found[outcome(role, form, data)] += 1
        except Exception as error:
            error.add_note(f"input {number} of seed {seed} ({role}, {form}): {data[:2000]!r}")
            raise
        slowest = max(slowest, time.process_time() - start)
    return found, slowest


def outcome(role: str, form: str, data: bytes) -> str:
    """`scored`, or the code of the refusal."""
    if role in ("gold", "questions"):
        try:
            (read_gold if role == "gold" else read_gold_or_questions)(data)
        except UserError as refused:
            return refused.code if refused.message.pl and refused.message.en else "refused without a word"
        return f"{role} read"
    with suppress(UserError):
        recognise_kind(data, "plik", GOLD.questions)
    upload = Upload("plik", data)
    scored = score_uploads(GOLD, upload, in_corpus=None) if role == "answers" else score_uploads(GOLD, rankings=upload)
    for lang in ("pl", "en"):
        json.dumps(scored.json(lang), ensure_ascii=False, allow_nan=False).encode()  # type: ignore[arg-type]
    assert all(problem.message.pl and problem.message.en for problem in scored.problems)
    assert scored.report or scored.problems[0].severity == "error"
    return "scored" if scored.report else scored.problems[0].code
