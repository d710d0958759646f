"""Fetching PolQA's files: against a tiny hub on this machine, and without any."""

import hashlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.local_server import on_loopback

COMMIT = "8d5e28c" + "0" * 33
TEST_CSV = b"question_id,question,answers,split\n1,Kto?,['ja'],test\n"
FILES = {"data/test.csv": TEST_CSV}
FETCH = """
import json, sys
from polqa_demo.data import catalogue, polqa
from polqa_demo.errors import UserError
said = []
try:
    path = str(polqa.fetch("test.csv", said.append))
except UserError as error:
    print(json.dumps({"code": error.code, "pl": error.say("pl"), "en": error.say("en")}))
else:
    from polqa_demo.submissions.gold import load_gold
    gold = load_gold("polqa/test")
    print(json.dumps({"path": path, "said": said, "cached": str(polqa.cached_file("test.csv")),
                      "names": catalogue.gold_names(), "questions": [item.text for item in gold.questions]}))
"""


class Hub(BaseHTTPRequestHandler):
    """What the hub's client asks for: the repository's record, and files with their checksum and commit."""

    asked: list[str] = []  # noqa: RUF012 - one server a test, emptied by its fixture

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, body: bool) -> None:
        self.asked.append(f"{self.command} {self.path}")
        if self.path.startswith("/api/datasets/ipipan/polqa"):
            record = {"id": "ipipan/polqa", "sha": COMMIT, "private": False, "siblings": [], "tags": []}
            return self._send(json.dumps(record).encode(), body, {"Content-Type": "application/json"})
        for name, content in FILES.items():
            if self.path.split("?")[0] in (
                f"/datasets/ipipan/polqa/resolve/main/{name}",
                f"/datasets/ipipan/polqa/resolve/{COMMIT}/{name}",
            ):
                etag = f'"{hashlib.sha256(content).hexdigest()}"'
                headers = {"ETag": etag, "X-Repo-Commit": COMMIT, "X-Linked-Size": str(len(content))}
                return self._send(content, body, headers)
        self.send_response(404)
        self.send_header("X-Error-Code", "EntryNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()
        return None

    def _send(self, content: bytes, body: bool, headers: dict[str, str]) -> None:
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.asked.clear()
    with on_loopback(Hub) as address:
        yield address


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(tmp_path: Path, endpoint: str, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "POLQA_"))}
    private = {"HF_HOME": str(tmp_path / "hf"), "HF_ENDPOINT": endpoint, "NO_PROXY": "127.0.0.1"}
    return kept | private | {"HF_HUB_DISABLE_TELEMETRY": "1"} | more


def fetch(tmp_path: Path, endpoint: str, **more: str) -> dict[str, object]:
    run = subprocess.run(
        [sys.executable, "-c", FETCH],
        env=environment(tmp_path, endpoint, **more),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found: dict[str, object] = json.loads(run.stdout)
    return found


def test_a_file_comes_from_the_hub_once_and_then_from_the_cache(hub: str, tmp_path: Path) -> None:
    first = fetch(tmp_path, hub)
    assert Path(str(first["path"])).read_bytes() == TEST_CSV
    assert first["cached"] == first["path"]
    assert first["said"] == ["ipipan/polqa/data/test.csv"]
    assert first["questions"] == ["Kto?"]
    assert "polqa/test" in first["names"]  # type: ignore[operator]
    assert "polqa/train" not in first["names"]  # type: ignore[operator]
    downloads = [line for line in Hub.asked if line.startswith("GET /datasets")]
    assert len(downloads) == 1

    Hub.asked.clear()
    again = fetch(tmp_path, hub)
    assert (again["path"], again["said"]) == (first["path"], [])
    assert Hub.asked == []
    assert fetch(tmp_path, "http://127.0.0.1:9", HF_HUB_OFFLINE="1")["path"] == first["path"]


def test_a_file_that_the_hub_has_not_is_no_crash(hub: str, tmp_path: Path) -> None:
    code = FETCH.replace('fetch("test.csv"', 'fetch("valid.csv"')
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path, hub),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert json.loads(run.stdout)["code"] == "hub-unreachable"
    assert "valid.csv" in run.stdout


@pytest.mark.parametrize("offline", [{}, {"HF_HUB_OFFLINE": "1"}])
def test_without_a_network_it_is_told_at_once_what_to_do(tmp_path: Path, offline: dict[str, str]) -> None:
    start = time.monotonic()
    found = fetch(tmp_path, f"http://127.0.0.1:{closed_port()}", **offline)
    assert time.monotonic() - start < 12
    assert found["code"] == "hub-unreachable"
    for language in ("pl", "en"):
        assert all(word in str(found[language]) for word in ("ipipan/polqa/data/test.csv", "HF_HUB_OFFLINE", "--gold"))


def test_the_command_without_a_network(tmp_path: Path) -> None:
    start = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-m", "polqa_demo", "--lang", "en", "data", "fetch", "--split", "test"],
        env=environment(tmp_path, f"http://127.0.0.1:{closed_port()}"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert time.monotonic() - start < 15
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("error: Cannot get ipipan/polqa/data/test.csv")
    assert "Traceback" not in run.stderr


def test_the_command_prints_where_the_file_lies(hub: str, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "polqa_demo", "--lang", "en", "data", "fetch"],
        env=environment(tmp_path, hub),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert Path(run.stdout.strip()).read_bytes() == TEST_CSV
    assert "Downloading ipipan/polqa/data/test.csv" in run.stderr
