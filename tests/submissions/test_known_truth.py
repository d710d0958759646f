"""Files of known truth: scored as they were meant, or with a warning, or refused; never another number in silence."""

from collections import Counter

import pytest
from known_truth import File, Writer

from benchmarks.recording import record
from polqa_demo.records import GoldSet
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.submissions.gold import read_gold, read_gold_or_questions

FEW = 150
# Warnings that a rightly read file has as well.
USUAL = ("missing-ids", "empty-answers", "gold-lookalike")
MANY = 20_000
SEED = 1_000_000


def read(gold: File, questions: File | None) -> GoldSet:
    asked = read_gold_or_questions(questions.data, questions.name).questions if questions else None
    return read_gold(gold.data, gold.name, None, asked)


def answers_case(seed: int) -> tuple[str, Scored, int, int | None]:
    """How the files were written, what came of them, the truth, and the score."""
    writer = Writer(seed)
    by_line = writer.chance.random() < 0.2
    truth = writer.answers(complete=by_line)
    gold, questions = writer.gold(truth, by_line)
    if by_line:
        truth = type(truth)(tuple(str(n) for n in range(1, len(truth.ids) + 1)), *(
            truth.questions, truth.golds, truth.answers, truth.right))  # fmt: skip
    whole = all(answer is not None for answer in truth.answers)
    answers = writer.headless(truth) if whole and writer.chance.random() < 0.5 else writer.predictions(truth)
    scored = score_uploads(read(gold, questions), Upload(answers.name, answers.data))
    found = scored.report.answers.rules["poleval"].hits if scored.report and scored.report.answers else None
    return f"{gold.how} + {answers.how}", scored, truth.right, found


def rankings_case(seed: int) -> tuple[str, Scored, int, int | None]:
    writer = Writer(seed)
    truth = writer.rankings()
    gold, run = writer.qrels(truth), writer.run(truth)
    scored = score_uploads(read(gold, None), None, Upload(run.name, run.data))
    found = scored.report.rankings.hits if scored.report and scored.report.rankings else None
    return f"{gold.how} + {run.how}", scored, truth.hits, found


def outcome(case: tuple[str, Scored, int, int | None]) -> str:
    _, scored, truth, found = case
    if found == truth:
        return "right"
    if found is None:
        return "refused"
    warnings = [problem for problem in scored.problems if problem.severity == "warning" and problem.code not in USUAL]
    return "warned" if warnings else "silent"


def check(seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        for kind in (answers_case, rankings_case):
            case = kind(seed)
            found = outcome(case)
            seen[found] += 1
            if found == "refused":
                seen[f"refused: {case[0].split(',')[0]}: {case[1].problems[0].code}"] += 1
            codes = [problem.code for problem in case[1].problems]
            assert found != "silent", f"seed {seed}, {case[0]}: {case[3]} for {case[2]}; {codes}"
    return seen


def test_no_other_number_in_silence() -> None:
    seen = check(range(FEW))
    # Warnings and refusals are for files of which two readings are possible; they are few.
    assert seen["right"] >= 0.9 * 2 * FEW, seen


@pytest.mark.heavy
@pytest.mark.timeout(7200)
def test_no_other_number_in_silence_in_many_files() -> None:
    seen = check(range(SEED, SEED + MANY // 2))
    assert seen["right"] >= 0.9 * MANY, seen
    record("known_truth", {"files": MANY, "outcomes": dict(seen.most_common()), "seed": SEED})
