"""Claim: all that is said about 7,000 answers takes at most twice the time of reading the file and one pass, plus 1 s.

What is said: the four rules, slices, audit, the question words that go with errors, the floor, the look at gold copies,
and an interval by 10,000 bootstrap resamples. The peer is the least that any scorer does: reading the same CSV file
with the csv module and calling rapidfuzz once per gold. Both run in the same process, in turns; imports are not
counted, gold sets are forgotten between turns.

A second claim: at least 1,000,000 scored pairs a minute on one core, by each rule, for a gold that was seen before.

Questions are made up from a seed, with PolQA's labels at about its shares; answers are a third right, some damaged.
"""

import argparse
import csv
import io
import json
import random
import statistics
import time
import unicodedata
from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

from benchmarks.recording import record
from benchmarks.scoring_speed import forget_golds, make_item, phrase
from polqa_demo.evaluation import RULES, score_fuzzy_match
from polqa_demo.evaluation.audit import audit
from polqa_demo.evaluation.features import error_features
from polqa_demo.evaluation.floor import lookalikes, noise_floor
from polqa_demo.evaluation.significance import bootstrap_mean
from polqa_demo.evaluation.slices import slices
from polqa_demo.records import Question

PLUS_SECONDS = 1.0
PAIRS_A_MINUTE = 1_000_000
LABELS = {
    "question_formulation": (["QUESTION", "COMMAND", "COMPOUND"], [80, 12, 8]),
    "question_type": (
        ["SINGLE ENTITY", "YES/NO", "OTHER NAME", "MULTIPLE ENTITIES", "ENTITY CHOICE", "GAP FILLING"],
        [70, 8, 8, 5, 5, 4],
    ),
    "entity_type": (["NAMED", "UNNAMED", "YES/NO"], [60, 32, 8]),
    "entity_subtype": ([f"SUBTYPE {number}" for number in range(34)], [35 - number for number in range(34)]),
}
DAMAGES: list[Callable[[str], str]] = [
    lambda text: f"Odpowiedź: {text}",
    lambda text: f"„{text}”",
    lambda text: f"{text}.",
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: f" {text}\u200b",
    lambda text: text.encode().decode("cp1250", "replace"),
]


def main() -> None:
    """Measures, prints, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=7000, help="how many answers are made up")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--seed", type=int, default=2022)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/evaluation_speed.json")
    options = parser.parse_args()
    questions, predictions = make_set(options.n, options.seed)
    result = measure(questions, predictions, options.turns)
    result["data"] = f"made up, seed {options.seed}"
    print(json.dumps(result, indent=2, ensure_ascii=False))
    if options.record:
        record("evaluation_speed", result)


def measure(questions: list[Question], predictions: dict[str, str], turns: int) -> dict[str, object]:
    """Medians over interleaved turns, in milliseconds of processor time."""
    file = as_csv(predictions)
    steps = {
        "read": lambda: read_csv(file),
        "rules": lambda: by_rules(questions, predictions),
        "slices": lambda: slices(questions, right(questions, predictions)),
        "audit": lambda: audit(questions, predictions),
        "features": lambda: error_features(questions, right(questions, predictions)),
        "floor": lambda: noise_floor(questions),
        "lookalikes": lambda: lookalikes(questions, predictions),
        "bootstrap": lambda: bootstrap_mean(reciprocal_ranks(len(questions))),
    }
    for step in steps.values():
        step()
    peer: list[float] = []
    ours: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(turns):
        peer.append(milliseconds(lambda: least(file, questions)))
        forget_golds()
        for name, step in steps.items():
            ours[name].append(milliseconds(step))
    parts = {name: statistics.median(times) for name, times in ours.items()}
    total = statistics.median(map(sum, zip(*ours.values(), strict=True)))
    allowed = 2 * statistics.median(peer) + 1000 * PLUS_SECONDS
    pairs = {rule: pairs_a_minute(questions, predictions, rule) for rule in RULES}
    return {
        "claim": "at most 2 x (reading and rapidfuzz once per gold) + 1 s; at least 1,000,000 pairs a minute",
        "holds": total <= allowed and min(pairs.values()) >= PAIRS_A_MINUTE,
        "share_of_allowed": round(total / allowed, 3),
        "allowed_ms": round(allowed, 1),
        "ours_ms": round(total, 1),
        "peer_ms": round(statistics.median(peer), 1),
        "ours_to_peer": round(total / statistics.median(peer), 1),
        "parts_ms": {name: round(value, 1) for name, value in parts.items()},
        "million_pairs_a_minute": {rule: round(count / 1e6, 1) for rule, count in pairs.items()},
        "answers": len(questions),
        "turns": turns,
    }


def milliseconds(step: Callable[[], object]) -> float:
    """The processor time of one call."""
    start = time.process_time()
    step()
    return (time.process_time() - start) * 1000


def pairs_a_minute(questions: list[Question], predictions: dict[str, str], rule: str) -> float:
    """Answer-gold pairs scored in a minute of one core, from a few passes."""
    passes = 5
    pairs = passes * sum(len(question.answers) for question in questions)
    by_rule(questions, predictions, rule)
    start = time.process_time()
    for _ in range(passes):
        by_rule(questions, predictions, rule)
    return 60 * pairs / (time.process_time() - start)


def least(file: str, questions: list[Question]) -> int:
    """The peer: the file by the csv module, and the distance to every gold."""
    answers = read_csv(file)
    return sum(
        Levenshtein.distance(answers.get(question.id, ""), gold) for question in questions for gold in question.answers
    )


def read_csv(file: str) -> dict[str, str]:
    """Answers by question id."""
    return {row["question_id"]: row["answer"] for row in csv.DictReader(io.StringIO(file))}


def by_rules(questions: list[Question], predictions: dict[str, str]) -> list[int]:
    """How many are right by every rule."""
    return [by_rule(questions, predictions, rule) for rule in RULES]


def by_rule(questions: list[Question], predictions: dict[str, str], rule: str) -> int:
    """How many are right by one rule."""
    return sum(score_fuzzy_match(predictions[question.id], question.answers, rule) for question in questions)


def right(questions: list[Question], predictions: dict[str, str]) -> dict[str, bool]:
    """Question id -> right or wrong, by the headline rule."""
    return {question.id: score_fuzzy_match(predictions[question.id], question.answers) for question in questions}


def reciprocal_ranks(n: int) -> list[float]:
    """Values as MRR@10 has them."""
    chance = random.Random(10)
    return [1 / rank if (rank := chance.randint(0, 10)) else 0.0 for _ in range(n)]


def as_csv(predictions: dict[str, str]) -> str:
    """A file as people have it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["question_id", "answer"])
    writer.writerows(predictions.items())
    return out.getvalue()


def make_set(n: int, seed: int) -> tuple[list[Question], dict[str, str]]:
    """Questions with labels and golds, and answers of which a tenth are damaged."""
    chance = random.Random(seed)
    questions: list[Question] = []
    predictions: dict[str, str] = {}
    vocabulary = [phrase(chance).split()[0].lower() for _ in range(6000)]
    for place in range(n):
        answer, golds = make_item(chance)
        labels = {name: chance.choices(values, weights)[0] for name, (values, weights) in LABELS.items()}
        # Words by a law like Zipf's, ten a question.
        text = " ".join(vocabulary[min(5999, int(chance.paretovariate(0.6)) - 1)] for _ in range(10))
        questions.append(Question(str(place), f"Jak {text}?", tuple(golds), labels))
        predictions[str(place)] = chance.choice(DAMAGES)(answer) if chance.random() < 0.1 else answer
    return questions, predictions


if __name__ == "__main__":
    main()
