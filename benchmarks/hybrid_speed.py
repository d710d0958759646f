"""Claim: a hybrid ask without torch takes at most four times the native engine's own time for the question's vector.

The whole ask (words, vector, fusion, reasons, the rule reader over ten passages) over the embedded sample, in turns
with the engine alone on the same questions; medians. Every question is new to both: neither may remember.

    python -m benchmarks.hybrid_speed [--record]
"""

import argparse
import sys
import time
from collections.abc import Callable
from statistics import median

from benchmarks.recording import record
from polqa_demo.pipeline import open_pipeline
from polqa_demo.retrieval.embedded_weights import verified_weights
from polqa_demo.retrieval.native_encoder import NativeEngine
from polqa_demo.submissions.gold import load_gold

PROMISED_RATIO = 4.0
_WINDOW = 512


def main() -> None:
    """Measures, prints, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/hybrid_speed.json")
    options = parser.parse_args()
    result = measure()
    print(result)
    if options.record:
        record("hybrid_speed", result)


def measure() -> dict[str, object]:
    """Both, question by question, the order changing with every question."""
    pipeline = open_pipeline(retriever="hybrid", reader="rules")
    engine = NativeEngine(verified_weights(), _WINDOW)
    questions = [question.text for question in load_gold("polqa-demo-sample/test").questions]
    pipeline.ask("Kto?")
    taken: dict[str, list[float]] = {"ask": [], "engine": []}
    ways: dict[str, Callable[[str], object]] = {
        "ask": pipeline.ask,
        "engine": lambda question: engine.encode([question], questions=True),
    }
    for place, question in enumerate(questions):
        for name in ("ask", "engine") if place % 2 else ("engine", "ask"):
            start = time.perf_counter()
            ways[name](question)
            taken[name].append(time.perf_counter() - start)
    if "torch" in sys.modules:
        message = "torch was imported, so this is not what was claimed"
        raise RuntimeError(message)
    return {
        "questions": len(questions),
        "passages": len(pipeline.index.passages),
        "ask_ms": round(1e3 * median(taken["ask"]), 1),
        "engine_ms": round(1e3 * median(taken["engine"]), 1),
        "ratio": round(median(taken["ask"]) / median(taken["engine"]), 3),
        "promised": PROMISED_RATIO,
    }


if __name__ == "__main__":
    main()
