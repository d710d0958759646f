"""Claims: the tab shows the result for 7,000 rows within twice the command line's time; the open result weighs < 1 MB.

The tab is a real Chromium on the real app: from the press of the button to the headline on the page, files uploaded
before. The command line is `python -m polqa_demo score` on the same files, from start to end, in turns with it. Weight:
what the server sends for the result and for every part that is opened, and the page's own HTML afterwards; the larger.

    python -m benchmarks.evaluate_tab [--n 7000] [--runs 3] [--record]
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.evaluation_speed import make_set
from benchmarks.recording import record
from benchmarks.start_and_memory import ROOT, free_port, wait_for_page

PARTS = ("ranks", "published", "slices", "uncertainty", "audit")
SECONDS = 180_000  # milliseconds that the page may take


def main() -> None:
    """Measures, prints, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=7000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), args.n)
        result = measure(Path(folder), files, args.runs) | {"n": args.n, "runs": args.runs}
    print(json.dumps(result, indent=2))
    if args.record:
        record("evaluate_tab", result)


def write_files(folder: Path, count: int) -> dict[str, Path]:
    """Gold with labels and a passage each, answers of which a third is right, rankings of ten."""
    questions, predictions = make_set(count, 0)
    files = {name: folder / f"{name}.jsonl" for name in ("gold", "answers", "rankings")}
    with files["gold"].open("w", encoding="utf-8") as gold:
        for question in questions:
            row = {"question_id": question.id, "question": question.text, "answers": list(question.answers)}
            print(
                json.dumps(row | dict(question.labels) | {"passage_id": f"p{question.id}", "relevant": True}), file=gold
            )
    with (
        files["answers"].open("w", encoding="utf-8") as answers,
        files["rankings"].open("w", encoding="utf-8") as ranks,
    ):
        for place, question in enumerate(questions):
            print(json.dumps({"question_id": question.id, "answer": predictions[question.id]}), file=answers)
            ids = [f"x{place}-{rank}" for rank in range(10)]
            # One in six misses its passage.
            ids[place % 12 : place % 12 + 1] = [f"p{question.id}"] if place % 12 < 10 else []
            print(json.dumps({"question_id": question.id, "passage_ids": ids[:10]}), file=ranks)
    return files


def measure(folder: Path, files: dict[str, Path], runs: int) -> dict[str, Any]:
    """Seconds of both doors in turns, and the weight of the result."""
    tab: list[float] = []
    command: list[float] = []
    with open_tab(folder, files) as page:
        for _ in range(runs):
            tab.append(press(page))
            command.append(score(files))
        weight = open_parts(page)
    return {
        "tab_seconds": round(statistics.median(tab), 2),
        "command_seconds": round(statistics.median(command), 2),
        "ratio": round(statistics.median(tab) / statistics.median(command), 3),
        **weight,
        "targets": {"ratio": 2.0, "weight_bytes": 1_000_000},
    }


@contextmanager
def open_tab(folder: Path, files: dict[str, Path]) -> Iterator[Any]:
    """The Evaluate tab with the files in it."""

    from playwright.sync_api import sync_playwright

    port = free_port()
    environment = os.environ | {
        "PORT": str(port),
        "POLQA_CACHE_DIR": str(folder),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for_page(port, process)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(locale="pl-PL")
            page.set_default_timeout(SECONDS)
            page.goto(f"http://127.0.0.1:{port}/?tab=evaluate")
            page.locator("#evaluate").wait_for()
            page.locator("#gold").get_by_text("własny plik").click()
            page.locator("#gold-file input[type=file]").set_input_files(str(files["gold"]))
            page.locator("#gold-file .file").first.wait_for()
            page.locator("#files input[type=file]").set_input_files(
                [str(files[name]) for name in ("answers", "rankings")]
            )
            page.locator("#files .file").nth(1).wait_for()
            page.wait_for_timeout(1000)
            yield page
            browser.close()
    finally:
        process.terminate()
        process.wait(timeout=30)


def press(page: Any) -> float:
    """Seconds from the press to the headline.

    An equal headline is not drawn again, so that what comes with it tells: the buttons of the files, shut until the
    files of this result are written.
    """
    start = time.perf_counter()
    page.locator("#evaluate").click()
    page.locator("#csv[disabled]").wait_for()
    page.locator("#scores .pq-value").first.wait_for()
    took = time.perf_counter() - start
    page.locator("#csv:not([disabled])").wait_for()
    return took


def score(files: dict[str, Path]) -> float:
    """Seconds of the command line on the same files."""
    command = [sys.executable, "-m", "polqa_demo", "score"]
    for name, path in files.items():
        command += [f"--{name}", str(path)]
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def open_parts(page: Any) -> dict[str, Any]:
    """Opens every part of a fresh result; bytes sent for all of it, and of the page's HTML at the end."""
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    received = 0

    def count(event: dict[str, Any]) -> None:
        nonlocal received
        received += event["dataLength"]

    client.on("Network.dataReceived", count)
    press(page)
    page.wait_for_timeout(1000)
    for name in PARTS:
        page.locator(f"#{name}-box button").first.click()
        page.wait_for_function("name => document.getElementById(name)?.innerText.trim()", arg=name)
    page.wait_for_timeout(1000)
    html = len(page.content().encode())
    return {"sent_bytes": received, "html_bytes": html, "weight_bytes": max(received, html)}


if __name__ == "__main__":
    main()
