"""Claim: the app's first page comes at most 1.4 times later than a bare one-textbox Gradio app's, and without models
its idle memory is at most 1.5 times as much. All are started in turn in fresh processes; medians.

The page is that of the default, whose models load behind it; what they need, `default_costs` tells.

    python -m benchmarks.start_and_memory [--runs 5] [--record]
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from benchmarks.recording import record

ROOT = Path(__file__).resolve().parent.parent
BARE = """
import gradio as gr
with gr.Blocks() as demo:
    gr.Textbox(label="text")
demo.launch(server_port={port}, ssr_mode=False, quiet=True)
"""
IDLE_SECONDS = 3.0
WITHOUT_MODELS = {"POLQA_RETRIEVER": "lexical", "POLQA_READER": "rules"}
NAMES = ("bare", "app", "app without models")


def main() -> None:
    """Runs the apps in turn and prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    seconds: dict[str, list[float]] = {name: [] for name in NAMES}
    megabytes: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(args.runs):
        for name in NAMES:
            took, memory = measure(name)
            seconds[name].append(took)
            megabytes[name].append(memory)
    result = {
        "start_seconds": {name: round(statistics.median(values), 2) for name, values in seconds.items()},
        "idle_megabytes": {name: round(statistics.median(values), 1) for name, values in megabytes.items()},
        "start_ratio": round(statistics.median(seconds["app"]) / statistics.median(seconds["bare"]), 3),
        "memory_ratio": round(
            statistics.median(megabytes["app without models"]) / statistics.median(megabytes["bare"]), 3
        ),
        "targets": {"start_ratio": 1.4, "memory_ratio": 1.5},
        "runs": args.runs,
    }
    print(result)
    if args.record:
        record("start_and_memory", result)


def measure(name: str) -> tuple[float, float]:
    """Seconds from the process's start to the first HTTP 200, and resident megabytes some seconds later."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PORT": str(port),
            "GRADIO_ANALYTICS_ENABLED": "False",
            "HF_HUB_OFFLINE": "1",
            "POLQA_CACHE_DIR": folder,
            "GRADIO_TEMP_DIR": folder,
        }
        environment |= WITHOUT_MODELS if name == "app without models" else {}
        command = [sys.executable, "-c", BARE.format(port=port)] if name == "bare" else [sys.executable, "app.py"]
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_for_page(port, process)
            took = time.perf_counter() - start
            time.sleep(IDLE_SECONDS)
            return took, resident_megabytes(process.pid)
        finally:
            process.terminate()
            process.wait(timeout=20)


def wait_for_page(port: int, process: subprocess.Popen[bytes]) -> None:
    """Returns with the first HTTP 200; fails after a minute or when the process ends."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
                if page.status == 200:
                    return
        except OSError:
            time.sleep(0.02)
    message = "the app did not come up"
    raise RuntimeError(message)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def resident_megabytes(pid: int, peak: bool = False) -> float:
    """Resident memory of a process, now or the most it has had (Linux)."""
    name = "VmHWM" if peak else "VmRSS"
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    message = f"no {name} of {pid}"
    raise RuntimeError(message)


if __name__ == "__main__":
    main()
