"""How the app starts: ports from every side, and plain words when it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from running_app import ROOT, RunningApp, clean_environment, free_port, running


def start(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A start that is expected to end by itself."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=clean_environment(folder, **settings),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_a_taken_port(app: RunningApp, tmp_path: Path) -> None:
    port = app.url.rpartition(":")[2]
    ended = start(tmp_path, "app.py", PORT=port)
    assert ended.returncode == 1
    assert f"Port {port} jest zajęty" in ended.stderr
    assert f"Port {port} is taken" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(("language", "words"), [("pl", "jest zajęty"), ("en", "is taken")])
def test_a_taken_port_by_command(app: RunningApp, tmp_path: Path, language: str, words: str) -> None:
    port = app.url.rpartition(":")[2]
    ended = start(tmp_path, "-m", "polqa_demo", "--lang", language, "serve", "--port", port)
    assert ended.returncode == 1
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("port", ["abc", "-1", "65536"])
def test_a_port_that_is_none(tmp_path: Path, port: str) -> None:
    ended = start(tmp_path, "app.py", PORT=port)
    assert ended.returncode == 1
    assert "PORT" in ended.stderr.upper()
    assert "Traceback" not in ended.stderr


def test_a_corpus_that_is_absent_is_told_in_the_answers_place(tmp_path: Path) -> None:
    """The page comes up all the same: a Space with a wrong setting says what is wrong."""
    with running(tmp_path, POLQA_CORPUS=str(tmp_path / "nope.jsonl")) as broken:
        body = {"question": "Kto?"}
        sent = httpx.post(f"{broken.url}/gradio_api/call/v2/ask", json=body).json()["event_id"]
        stream = httpx.get(f"{broken.url}/gradio_api/call/ask/{sent}", timeout=60).text
        assert "nope.jsonl" in stream
        assert "Traceback" not in broken.printed()


def test_polqa_port_goes_before_port(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path, port=port, POLQA_PORT=str(port), PORT=str(free_port())) as started:
        assert httpx.get(started.url).status_code == 200


def test_serve_with_a_port(tmp_path: Path) -> None:
    port = free_port()
    arguments = ("-m", "polqa_demo", "serve", "--port", str(port))
    with running(tmp_path, *arguments, port=port, PORT=str(free_port())) as started:
        assert "PolQA demo" in httpx.get(started.url).text
        assert "Traceback" not in started.printed()


def test_uploads_and_downloads_stay_in_private_folders(app: RunningApp) -> None:
    """A second user of the machine must be able to start the app as well, and must not see the first one's files."""
    stored = httpx.post(f"{app.url}/gradio_api/upload", files={"files": ("a.csv", b"a")}).json()[0]
    assert stored.startswith(str(app.log.parent / "uploads"))


def test_without_a_given_folder_uploads_go_into_one_of_this_process(tmp_path: Path) -> None:
    environment = clean_environment(tmp_path)
    del environment["GRADIO_TEMP_DIR"]
    code = (
        "import os, stat; from polqa_demo.ui.downloads import private_folder; private_folder();"
        "folder = os.environ['GRADIO_TEMP_DIR']; print(folder, oct(stat.S_IMODE(os.stat(folder).st_mode)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    folder, mode = ended.stdout.split()
    assert folder.startswith(str(tmp_path))
    assert mode == "0o700"
    assert not os.path.exists(folder), "it goes with the process"


def test_folders_of_processes_that_are_gone_are_removed(tmp_path: Path) -> None:
    """A killed process cannot tidy up after itself; the next one does."""
    left = tmp_path / "tmp" / "polqa-demo-up-999999999-x"
    left.mkdir(parents=True)
    (left / "upload.csv").write_text("x")
    environment = clean_environment(tmp_path)
    del environment["GRADIO_TEMP_DIR"]
    code = "from polqa_demo.ui.downloads import private_folder; private_folder()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert not left.exists()
