"""Every knob from the environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polqa_demo.errors import UserError
from polqa_demo.settings import Settings, load_settings, settings


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        *(name for name in os.environ if name.startswith("POLQA_")),
        "PORT",
        "GRADIO_SERVER_PORT",
        "GRADIO_SERVER_NAME",
        "SPACE_HOST",
    ]:
        monkeypatch.delenv(name, raising=False)


def test_defaults() -> None:
    knobs = load_settings()
    assert (knobs.port, knobs.language, knobs.top_k, knobs.max_top_k) == (7860, "pl", 10, 100)
    assert (knobs.corpus, knobs.index, knobs.mcp) == ((), None, True)
    assert settings() is settings()
    with pytest.raises(ValueError, match="frozen"):
        knobs.port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("POLQA_PORT", "8000", "port", 8000),
        ("PORT", "8001", "port", 8001),
        ("GRADIO_SERVER_PORT", "8002", "port", 8002),
        ("POLQA_LANGUAGE", "en", "language", "en"),
        ("POLQA_CACHE_DIR", "/x/y", "cache_dir", Path("/x/y")),
        ("POLQA_CORPUS", f"/a b.jsonl{os.pathsep}c.jsonl", "corpus", (Path("/a b.jsonl"), Path("c.jsonl"))),
        ("POLQA_CORPUS", "", "corpus", ()),
        ("POLQA_INDEX", "/idx", "index", Path("/idx")),
        ("POLQA_INDEX", "", "index", None),
        ("POLQA_TOP_K", "7", "top_k", 7),
        ("POLQA_TOP_K", "", "top_k", 10),
        ("POLQA_MCP", "0", "mcp", False),
        ("polqa_mcp", "false", "mcp", False),
        ("POLQA_WIKIPEDIA_IDS", "true", "wikipedia_ids", True),
        ("POLQA_MAX_UPLOAD_MB", "5", "max_upload_mb", 5),
        ("POLQA_MAX_TEXT_MB", "3", "max_text_mb", 3),
        ("POLQA_MAX_QUESTION_CHARS", "50", "max_question_chars", 50),
        ("POLQA_MAX_UNPACKED_MB", "7", "max_unpacked_mb", 7),
        ("POLQA_MAX_LINE_CHARS", "1000", "max_line_chars", 1000),
        ("POLQA_MAX_RANKING_DEPTH", "200", "max_ranking_depth", 200),
        (
            "POLQA_ALLOWED_HOSTS",
            "qa.example.org, *.lab.example.org,",
            "allowed_hosts",
            ("qa.example.org", "*.lab.example.org"),
        ),
        ("POLQA_ALLOWED_HOSTS", "", "allowed_hosts", ()),
        ("GRADIO_SERVER_NAME", "0.0.0.0", "server_name", "0.0.0.0"),
        ("GRADIO_SERVER_NAME", "", "server_name", "127.0.0.1"),
        ("SPACE_HOST", "owner-name.hf.space", "space_host", "owner-name.hf.space"),
        ("POLQA_NIEZNANE", "1", "port", 7860),
    ],
)
def test_each_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str, field: str, expected: object) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(load_settings(), field) == expected


def test_the_own_variable_wins_over_the_general_one_and_a_flag_over_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "1")
    monkeypatch.setenv("POLQA_PORT", "2")
    monkeypatch.setenv("POLQA_CORPUS", "a.jsonl")
    assert load_settings().port == 2
    assert load_settings(port=3).port == 3
    assert load_settings(corpus=(Path("b.jsonl"),)).corpus == (Path("b.jsonl"),)
    assert load_settings(corpus="b.jsonl").corpus == (Path("b.jsonl"),)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("POLQA_PORT", "99999"),
        ("PORT", "web"),
        ("POLQA_LANGUAGE", "de"),
        ("POLQA_TOP_K", "0"),
        ("POLQA_TOP_K", "dziesięć"),
        ("POLQA_MAX_TOP_K", "5000"),
        ("POLQA_MCP", "może"),
        ("POLQA_MAX_UPLOAD_MB", "-1"),
    ],
)
def test_a_wrong_value_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UserError, match=value) as caught:
        load_settings()
    assert caught.value.code == "bad-setting"
    assert name in caught.value.say("pl")
    assert name in caught.value.say("en")


def test_more_passages_by_default_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLQA_MAX_TOP_K", "5")
    with pytest.raises(UserError, match="POLQA_TOP_K"):
        load_settings()
    monkeypatch.setenv("POLQA_TOP_K", "5")
    assert load_settings().top_k == 5


def cache_dir(**environment: str) -> Path:
    """The default cache folder in a process of its own, without any other variable."""
    code = "from polqa_demo.settings import Settings; print(Settings().cache_dir)"
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=30, check=True
    )
    return Path(run.stdout.strip())


def test_the_cache_folder(tmp_path: Path) -> None:
    assert cache_dir(HOME=str(tmp_path)) == tmp_path / ".cache" / "polqa-demo"
    assert cache_dir(HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "x")) == tmp_path / "x" / "polqa-demo"
    assert cache_dir(HOME=str(tmp_path), POLQA_CACHE_DIR=str(tmp_path / "y")) == tmp_path / "y"


def test_without_a_home_the_cache_is_a_private_temporary_folder() -> None:
    # A container with HOME=/ and a user that may not write there.
    found = cache_dir(HOME="/")
    assert found.name == f"polqa-demo-{os.getuid()}"
    code = "import os; os.path.expanduser = lambda path: path\n"
    code += "from polqa_demo.settings import Settings; print(Settings().cache_dir)"
    run = subprocess.run([sys.executable, "-c", code], env={}, capture_output=True, text=True, timeout=30, check=True)
    assert Path(run.stdout.strip()).name == f"polqa-demo-{os.getuid()}"


def test_every_knob_has_its_variable() -> None:
    assert Settings.model_config["env_prefix"] == "POLQA_"
    assert {"port", "language", "cache_dir", "corpus", "index", "top_k", "max_top_k"} <= Settings.model_fields.keys()
