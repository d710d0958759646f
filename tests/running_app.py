"""The real app in a process of its own, for the tests that come to it as visitors do."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 120


@dataclass(frozen=True)
class RunningApp:
    """Where the app answers and what it has printed so far."""

    url: str
    log: Path

    def printed(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def clean_environment(folder: Path, **settings: str) -> dict[str, str]:
    """The environment without the developer's settings; everything the app writes goes below `folder`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("POLQA_", "GRADIO_", "PYTEST_")) and name not in ("PORT", "TMPDIR")
    }
    for name in ("cache", "uploads", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    own = {
        "POLQA_CACHE_DIR": str(folder / "cache"),
        "GRADIO_TEMP_DIR": str(folder / "uploads"),
        "TMPDIR": str(folder / "tmp"),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "PYTHONUNBUFFERED": "1",
        # Most tests are about the page, not about what answers; those that are ask for the default.
        "POLQA_RETRIEVER": "lexical",
        "POLQA_READER": "rules",
    }
    return kept | own | settings


@contextmanager
def running(folder: Path, *arguments: str, port: int | None = None, **settings: str) -> Iterator[RunningApp]:
    """The app, started by `python ARGUMENTS` (app.py by default) and stopped at the end of the block."""
    port = port or free_port()
    settings.setdefault("PORT", str(port))
    environment = clean_environment(folder, **settings)
    log = folder / "app.log"
    with log.open("wb") as out:
        command = [sys.executable, *(arguments or ("app.py",))]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            app = RunningApp(f"http://127.0.0.1:{port}", log)
            _wait(app, process)
            yield app
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(app: RunningApp, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise AssertionError(f"the app ended with {process.returncode}:\n{app.printed()}")
        try:
            if httpx.get(f"{app.url}/config", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"the app did not answer within {START_SECONDS} s:\n{app.printed()}")
