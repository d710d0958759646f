"""How many PoQuAD questions the rule reader answers right: `python -m benchmarks.reader_quality [--record]`.

1,243 questions by the rule `poleval`. The weights were fitted on 933 of them, so "tuned" (and with it "all") flatters;
"held_out", 310 questions nothing was ever tuned on, is the honest number. Two yardsticks read
the same passages in the same run: the sentence that repeats most of the question, and the first name that the
question does not hold. Both say "tak" to a question that begins with "Czy". `--retrieved` also reads the ten passages
that BM25 finds in the whole corpus.
"""

import argparse
import json
import re
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from benchmarks.poquad import Gold, load_passages, load_poquad, shared_folder
from benchmarks.recording import record
from polqa_demo.data.passages import PassageStore
from polqa_demo.evaluation import score_fuzzy_match
from polqa_demo.evaluation.significance import wilson_interval
from polqa_demo.polish.words import content_stems, sentences
from polqa_demo.reading.rules import RuleReader
from polqa_demo.reading.span_features import read_passage
from polqa_demo.retrieval.lexical import LexicalRetriever

CAPITALISED = re.compile(r"[A-ZĄĆĘŁŃÓŚŹŻ]\w+(?: [A-ZĄĆĘŁŃÓŚŹŻ]\w+)*")
BINS = (0.0, 0.2, 0.35, 0.5, 0.7, 1.01)

Answered = tuple[str, float]
Reading = Callable[[Gold], Answered]


def best_sentence(gold: Gold) -> Answered:
    """The sentence with the most different content words of the question."""
    if gold.question.startswith("Czy"):
        return "tak", 0.0
    asked, text = set(content_stems(gold.question)), gold.passage.text
    pieces = [text[start:end] for start, end in sentences(text)]
    return max(pieces, key=lambda piece: len(asked & set(content_stems(piece))), default=""), 0.0


def first_name(gold: Gold) -> Answered:
    """The first run of capitalised words that shares none with the question."""
    if gold.question.startswith("Czy"):
        return "tak", 0.0
    asked = set(content_stems(gold.question))
    names = (match.group() for match in CAPITALISED.finditer(gold.passage.text))
    return next((name for name in names if not asked & set(content_stems(name))), ""), 0.0


def rule_reader() -> Reading:
    """The reader on the gold passage."""
    reader = RuleReader()

    def read(gold: Gold) -> Answered:
        answer = reader.read(gold.question, [gold.passage])
        return answer.text, answer.confidence

    return read


def retrieved_reader(shared: Path) -> Reading:
    """The reader on the ten passages BM25 finds; finding them is part of its time."""
    passages = load_passages(shared)
    by_id = {passage.id: passage for passage in passages}
    retriever, reader = LexicalRetriever.in_memory(PassageStore.of(passages)), RuleReader()

    def read(gold: Gold) -> Answered:
        found = retriever.search(gold.question, 10)
        answer = reader.read(gold.question, [by_id[key] for key in found.passage_ids], found.scores)
        return answer.text, answer.confidence

    return read


def share(verdicts: Sequence[bool]) -> dict[str, object]:
    """Right of all with its 95 % interval."""
    low, high = wilson_interval(sum(verdicts), len(verdicts))
    return {
        "right": sum(verdicts),
        "n": len(verdicts),
        "share": round(sum(verdicts) / len(verdicts), 4),
        "ci95": [round(low, 4), round(high, 4)],
    }


def measure(golds: Sequence[Gold], readings: dict[str, Reading]) -> dict[str, object]:
    """Every reading on every question, question by question in turn."""
    verdicts: dict[str, list[bool]] = {name: [] for name in readings}
    times: dict[str, list[float]] = {name: [] for name in readings}
    confidences: dict[str, list[float]] = {name: [] for name in readings}
    for gold in golds:
        for name, reading in readings.items():
            read_passage.cache_clear()
            started = time.perf_counter()
            text, confidence = reading(gold)
            times[name].append((time.perf_counter() - started) * 1000)
            verdicts[name].append(score_fuzzy_match(text, gold.answers))
            confidences[name].append(confidence)
    result: dict[str, object] = {}
    for name in readings:
        pairs = list(zip(golds, verdicts[name], strict=True))
        result[name] = {
            "all": share(verdicts[name]),
            "tuned": share([right for gold, right in pairs if not gold.held_out]),
            "held_out": share([right for gold, right in pairs if gold.held_out]),
            "held_out_without_czy": share(
                [right for gold, right in pairs if gold.held_out and not gold.question.startswith("Czy")]
            ),
            "ms_median": round(median(times[name]), 2),
            "ms_worst": round(max(times[name]), 1),
        }
        if any(confidences[name]):
            judged = zip(golds, confidences[name], verdicts[name], strict=True)
            result[f"{name}, held out, by confidence"] = bins(
                [(confidence, right) for gold, confidence, right in judged if gold.held_out]
            )
    return result


def bins(pairs: Sequence[tuple[float, bool]]) -> list[dict[str, float]]:
    """How often answers of a confidence are right."""
    table = []
    for low, high in pairwise(BINS):
        inside = [(confidence, right) for confidence, right in pairs if low <= confidence < high]
        if inside:
            table.append(
                {
                    "from": low,
                    "to": min(high, 1.0),
                    "n": len(inside),
                    "mean_confidence": round(sum(confidence for confidence, _ in inside) / len(inside), 3),
                    "right": round(sum(right for _, right in inside) / len(inside), 3),
                }
            )
    return table


def main() -> None:
    """Measures, prints, and with --record writes the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=None)
    parser.add_argument("--retrieved", action="store_true")
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    shared = shared_folder(chosen.shared)
    readings: dict[str, Reading] = {
        "rules": rule_reader(),
        "best sentence": best_sentence,
        "first name": first_name,
    }
    if chosen.retrieved:
        readings["rules on ten retrieved passages"] = retrieved_reader(shared)
    result = measure(load_poquad(shared), readings)
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if chosen.record:
        record("reader_quality", result)


if __name__ == "__main__":
    main()
