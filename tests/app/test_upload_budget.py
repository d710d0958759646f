"""What one visitor sends costs so much and no more; others are answered, and the app stops when it is told to."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from running_app import ROOT, RunningApp, clean_environment, free_port, running

COSTLY = "id,answer\n" + "".join(f"{number % 136},{'tak ' * 9}{number}\n" for number in range(600_000))


def called(app: RunningApp, name: str, **values: object) -> str:
    sent = httpx.post(f"{app.url}/gradio_api/call/v2/{name}", json=values, timeout=60).json()["event_id"]
    return httpx.get(f"{app.url}/gradio_api/call/{name}/{sent}", timeout=120).text


def upload(app: RunningApp, size: int) -> httpx.Response:
    return httpx.post(f"{app.url}/gradio_api/upload", files={"files": ("a.csv", b"x" * size)}, timeout=60)


@pytest.fixture(scope="module")
def tight_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    limits = {
        "POLQA_MAX_UPLOAD_SECONDS": "0.3",
        "POLQA_MAX_UPLOADS_MB": "5",
        "POLQA_MAX_VISITOR_UPLOADS_MB": "3",
        "POLQA_MAX_COLUMNS": "40",
    }
    with running(tmp_path_factory.mktemp("tight"), **limits) as started:
        yield started


def test_uploads_of_one_visitor_are_bounded_by_name(tight_app: RunningApp) -> None:
    assert upload(tight_app, 2 << 20).status_code == 200
    refused = upload(tight_app, 2 << 20)
    assert refused.status_code == 413
    assert "POLQA_MAX_VISITOR_UPLOADS_MB" in refused.json()["detail"]
    # What the head of a request says of its length need not be there at all.
    boundary = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
    pieces = (piece for piece in [boundary, *[b"x" * (1 << 16)] * 64, b"\r\n--b--\r\n"])
    head = {"content-type": "multipart/form-data; boundary=b"}
    told = httpx.post(f"{tight_app.url}/gradio_api/upload", content=pieces, headers=head, timeout=60)
    assert told.status_code == 413
    assert upload(tight_app, 1000).status_code in (200, 413)


def test_uploads_of_all_are_bounded_by_name(tight_app: RunningApp) -> None:
    (tight_app.log.parent / "uploads" / "others").mkdir(exist_ok=True)
    (tight_app.log.parent / "uploads" / "others" / "b.csv").write_bytes(b"x" * (5 << 20))
    refused = upload(tight_app, 1000)
    assert refused.status_code == 413
    assert "POLQA_MAX_UPLOADS_MB" in refused.json()["detail"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell what a process uses")
def test_a_costly_text_is_refused_by_name_and_the_next_is_scored(tight_app: RunningApp) -> None:
    refused = called(tight_app, "score", predictions=COSTLY)
    assert "upload-budget" in refused
    assert "POLQA_MAX_UPLOAD_SECONDS" in refused
    assert '"report"' not in refused
    scored = called(tight_app, "score", predictions="id,answer\n85,tak\n", kind="answers")
    assert "upload-budget" not in scored
    assert "Traceback" not in tight_app.printed()


def test_limits_of_files_are_those_of_the_app(tight_app: RunningApp) -> None:
    assert "too-many-columns" in called(tight_app, "score", predictions="id,answer" + ",x" * 60 + "\n1,a\n")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
def test_a_stop_does_not_wait_for_a_file(tmp_path: Path) -> None:
    port = free_port()
    environment = clean_environment(tmp_path, PORT=str(port), POLQA_MAX_UPLOAD_SECONDS="1000", POLQA_MAX_TEXT_MB="512")
    with (tmp_path / "log").open("wb") as log:
        app = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=log, stderr=log)
    started = RunningApp(f"http://127.0.0.1:{port}", tmp_path / "log")
    try:
        _wait_for_parser(app.pid, started)
        thread = threading.Thread(target=_send, args=(started,), daemon=True)
        thread.start()
        _until(lambda: any(_seconds(child) > 3 for child in _children(app.pid)))
        children = _children(app.pid)
        app.send_signal(signal.SIGTERM)
        assert app.wait(30) == 0
        _until(lambda: not any(os.path.exists(f"/proc/{child}") for child in children))
    finally:
        app.kill()
        app.wait()
    assert "Traceback" not in started.printed()


def test_a_stop_leaves_the_interpreters_own_end_out(tmp_path: Path) -> None:
    """That end takes threads away from C++ libraries that compute, which then abort the process."""
    code = (
        "import atexit; from polqa_demo.settings import load_settings; from polqa_demo.ui import app;"
        "from polqa_demo.ui.downloads import private_folder; from polqa_demo.ui.service import Service;"
        "atexit.register(print, 'ended'); print(private_folder(), flush=True); app._stop(Service(load_settings()))"
    )
    environment = clean_environment(tmp_path)
    del environment["GRADIO_TEMP_DIR"]
    stopped = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert stopped.returncode == 0, stopped.stderr
    (folder,) = stopped.stdout.split()
    assert not Path(folder).exists()


def _send(app: RunningApp) -> None:
    with suppress(httpx.HTTPError, json.JSONDecodeError):
        called(app, "score", predictions=COSTLY * 5)


def _wait_for_parser(pid: int, app: RunningApp) -> None:
    """Until the app is up and its first parser with it."""

    def up() -> bool:
        try:
            return httpx.get(f"{app.url}/config", timeout=5).status_code == 200 and bool(_children(pid))
        except httpx.HTTPError:
            return False

    _until(up)


def _until(met: Callable[[], bool]) -> None:
    for _ in range(1200):
        if met():
            return
        threading.Event().wait(0.1)
    raise AssertionError("it never came so far")


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
