"""Claim: scoring 2,500 answers by one rule is at least 20 times faster than the card's recipe with a plain Levenshtein.

The peer is the recipe of PolQA's evaluation card, its three helpers written in plain Python (the distance row by row).
Both score the same answers in the same process, in turns. The claim is about a gold set that was scored against before
(the app loads it once, files come and go); the ratio for a gold set seen for the first time stands beside it.

Answers and golds are made up from a seed, as long and as many as those of PolEval 2021 (a gold has 9 characters on the
mean, a question 1.1 golds). `--gold expected.tsv --answers out.tsv` (PolEval 2021's form) takes real ones: with
very short answers the peer is done sooner, and the ratio is smaller.
"""

import argparse
import json
import random
import re
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.recording import record
from polqa_demo.evaluation import RULES, fuzzy_match, score_fuzzy_match

CLAIM = 20.0
SYLLABLES = (
    "wi sła kra ków żół ty mie szko pol ska łódź nie bo Jan Ma ria rze ka gó ra świę ty książ ę mo rze ją dro".split()
)
NUMERAL = re.compile(r"[-+]?[0-9]*\.[0-9]+|[0-9]+|(?<!\S)[IVXLCDM]+(?!\S)")

Items = list[tuple[str, list[str]]]


def main() -> None:
    """Measures, prints, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", type=Path, help="golds parted by tabs, a question a line")
    parser.add_argument("--answers", type=Path, help="an answer a line")
    parser.add_argument("--rule", choices=RULES, default="poleval")
    parser.add_argument("--n", type=int, default=2500, help="how many answers are made up")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--seed", type=int, default=2021)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/scoring_speed.json")
    options = parser.parse_args()
    if (options.gold is None) != (options.answers is None):
        parser.error("--gold and --answers go together")
    items = read_items(options.gold, options.answers) if options.gold else make_items(options.n, options.seed)
    result = measure(items, options.rule, options.turns)
    result["data"] = options.answers.name if options.answers else f"made up, seed {options.seed}"
    print(json.dumps(result, indent=2))
    print(f"{result['ratio']} times faster than the card's recipe in plain Python (claim: {CLAIM:g})")
    if options.record:
        record("scoring_speed", result)


def measure(items: Items, rule: str, turns: int) -> dict[str, object]:
    """Medians over interleaved turns, in milliseconds of processor time, and their ratios."""
    ours = partial(score_fuzzy_match, rule=rule)
    times: dict[str, list[float]] = {"peer": [], "first": [], "again": []}
    for _ in range(turns):
        times["peer"].append(milliseconds(recipe, items))
        forget_golds()
        times["first"].append(milliseconds(ours, items))
        times["again"].append(milliseconds(ours, items, passes=10))
    peer_time, first, again = (statistics.median(times[name]) for name in ("peer", "first", "again"))
    # The peer must decide as the product's own reading of the card does, or the ratio would mean nothing.
    agree = sum(recipe(answer, golds) == score_fuzzy_match(answer, golds, "card") for answer, golds in items)
    lengths = [len(gold) for _, golds in items for gold in golds]
    return {
        "claim": f"at least {CLAIM:g} times faster",
        "holds": peer_time / again >= CLAIM,
        "ratio": round(peer_time / again, 1),
        "ratio_first_time": round(peer_time / first, 1),
        "peer_ms": round(peer_time, 2),
        "ours_ms": round(again, 2),
        "ours_first_time_ms": round(first, 2),
        "mean_gold_length": round(statistics.mean(lengths), 1),
        "mean_answer_length": round(statistics.mean(len(answer) for answer, _ in items), 1),
        "golds_per_question": round(len(lengths) / len(items), 2),
        "answers": len(items),
        "peer_agrees_with_rule_card": agree,
        "rule": rule,
        "turns": turns,
    }


def milliseconds(score: Callable[[str, list[str]], bool], items: Items, passes: int = 1) -> float:
    """The processor time of one pass over the answers (of several, where one is too short to time well)."""
    start = time.process_time()
    for _ in range(passes):
        for answer, golds in items:
            score(answer, golds)
    return (time.process_time() - start) * 1000 / passes


def forget_golds() -> None:
    """Empties what the rules remember of golds."""
    for function in vars(fuzzy_match).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def recipe(prediction: str, golds: list[str]) -> bool:
    """The evaluation card's recipe: the first gold's numeral alone, else a distance of at most half of a gold."""
    if numeral := NUMERAL.search(golds[0]):
        return prediction == numeral.group()
    return any(plain_levenshtein(prediction, gold) <= 0.5 * len(gold) for gold in golds)


def plain_levenshtein(left: str, right: str) -> int:
    """The textbook's dynamic programme, two rows."""
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, start=1):
        above, row = row, [i]
        for j, other in enumerate(right, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (one != other)))
    return row[-1]


def read_items(gold: Path, answers: Path) -> Items:
    """Answers with their golds, both by line."""
    golds = [line.split("\t") for line in gold.read_text(encoding="utf-8").splitlines()]
    return list(zip(answers.read_text(encoding="utf-8").splitlines(), golds, strict=True))


def make_items(n: int, seed: int) -> Items:
    """Answers like those of PolEval: a tenth are numbers, a third of the rest is the gold or nearly so."""
    chance = random.Random(seed)
    return [make_item(chance) for _ in range(n)]


def make_item(chance: random.Random) -> tuple[str, list[str]]:
    """One answer with one or two golds."""
    if chance.random() < 1 / 10:
        gold = f"w {chance.randint(900, 2020)}" if chance.random() < 0.5 else str(chance.randint(1, 500))
        return chance.choice([gold, str(chance.randint(1, 2020))]), [gold]
    golds = [phrase(chance) for _ in range(2 if chance.random() < 1 / 7 else 1)]
    answer = chance.choice(golds) if chance.random() < 1 / 3 else phrase(chance)
    return (answer[:-1] if chance.random() < 0.5 else answer), golds


def phrase(chance: random.Random) -> str:
    """One or two words of one to four syllables."""
    words = ("".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(chance.choice([1, 1, 2])))
    return " ".join(words)


if __name__ == "__main__":
    main()
