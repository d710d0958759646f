"""What the operator sees of kept evaluations: the list, and one report by its number."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from polqa_demo.archive import keep
from polqa_demo.cli import app
from polqa_demo.errors import UserError
from polqa_demo.records import GoldSet, Question
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.settings import settings

GOLD = GoldSet("maly", "test", (Question("1", "Gdzie?", ("Toruń",)), Question("2", "Ile?", ("12",))), ())
NAME = "odp\x1b[31m\t.csv"


@pytest.fixture(autouse=True)
def fresh_settings() -> Iterator[None]:
    yield
    settings.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    answers = Upload(NAME, "id,answer\n1,Toruń\n2,trzynaście\n".encode())
    scored = score_uploads(GOLD, answers, None)
    for day in (1, 2):
        keep(tmp_path / "kept", 16, scored, {"answers": answers}, when=datetime(2026, 5, day, 12, tzinfo=UTC))
    return tmp_path / "kept"


def said(*args: str) -> str:
    settings.cache_clear()
    run = CliRunner().invoke(app, ["--lang", "en", "runs", *args])
    if run.exception is not None:
        raise run.exception
    return run.stdout


def test_the_list_names_gold_share_and_files_and_no_sign_steers_the_terminal(folder: Path) -> None:
    head, first, second = said("list", "--folder", str(folder)).splitlines()
    assert head.split("\t") == ["no.", "kept (UTC)", "gold", "answers", "accuracy@10", "files"]
    row = ["1", "2026-05-01T12:00:00", "maly/test", "50.00\u00a0% (n = 2)", "–", "odp?[31m?.csv"]
    assert first.split("\t") == row
    assert second.startswith("2\t2026-05-02T")


def test_the_list_as_json_has_every_field(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLQA_KEEP_RUNS", str(folder))
    found: list[dict[str, Any]] = json.loads(said("list", "--json", "-"))
    assert [run["id"] for run in found] == [1, 2]
    assert found[0]["files"]["answers"]["name"] == NAME
    assert (found[0]["fuzzy_match"], found[0]["fuzzy_match_n"], found[0]["accuracy_at_10"]) == (0.5, 2, None)


def test_one_report_is_the_one_that_was_kept(folder: Path, tmp_path: Path) -> None:
    report = json.loads(said("show", "2", "--folder", str(folder)))
    assert report["answers"]["fuzzy_match"]["value"] == 0.5
    assert said("show", "2", "--folder", str(folder), "--json", str(tmp_path / "r.json")) == ""
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8")) == report


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["list"], "no-keep-folder"),
        (["list", "--folder", "absent"], "nothing-kept"),
        (["show", "1", "--folder", "absent"], "nothing-kept"),
    ],
)
def test_a_folder_that_holds_nothing_is_told(
    args: list[str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POLQA_KEEP_RUNS", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as refused:
        said(*args)
    assert refused.value.code == code
    assert list(tmp_path.iterdir()) == []


def test_a_number_that_was_never_given_is_told(folder: Path) -> None:
    with pytest.raises(UserError) as refused:
        said("show", "3", "--folder", str(folder))
    assert refused.value.code == "unknown-run"
