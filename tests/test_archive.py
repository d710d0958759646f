"""Evaluations that the operator keeps: whole rows, bounded, by several processes at once, nothing about the visitor."""

import hashlib
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from polqa_demo.archive import DATABASE, keep, kept_report, kept_runs, prepare
from polqa_demo.errors import UserError
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.settings import load_settings
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import Submission
from polqa_demo.ui.texts import TEXTS
from polqa_demo.version import __version__

ROOT = Path(__file__).resolve().parents[1]
GOLD = GoldSet(
    "maly",
    "test",
    (Question("1", "Gdzie urodził się Kopernik?", ("Toruń",)), Question("2", "Ile miesięcy ma rok?", ("12",))),
    (Judgement("1", "1-0", grade=1), Judgement("2", "2-0", grade=1)),
)
ANSWERS = Upload("/home/jan.kowalski/wyniki/odp.csv", "id,answer\n1,Toruń\n2,trzynaście\n".encode())
RANKINGS = Upload("C:\\Users\\jan\\run.tsv", b"1\t1-0\t9-0\n2\t9-0\t2-0\n")
FILES = {"answers": ANSWERS, "rankings": RANKINGS}
WHEN = datetime(2026, 5, 1, 12, 30, 15, 999, tzinfo=UTC)


def scored() -> Scored:
    return score_uploads(GOLD, Upload("odp.csv", ANSWERS.data), Upload("run.tsv", RANKINGS.data))


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b c%20?#"
    assert kept_runs(folder) == ()
    number = keep(folder, 16, scored(), FILES, when=WHEN)
    (run,) = kept_runs(folder)
    assert (run.id, run.kept_at, run.program) == (number, "2026-05-01T12:30:15+00:00", __version__)
    assert (run.gold, run.fuzzy_match, run.fuzzy_match_n) == ("maly/test", 0.5, 2)
    assert (run.accuracy_at_10, run.accuracy_at_10_n) == (1.0, 2)
    assert run.signature.startswith("polqa-demo|gold:maly/test@")
    assert run.files == {
        "answers": {
            "name": "odp.csv",
            "bytes": len(ANSWERS.data),
            "sha256": hashlib.sha256(ANSWERS.data).hexdigest(),
        },
        "rankings": {
            "name": "run.tsv",
            "bytes": len(RANKINGS.data),
            "sha256": hashlib.sha256(RANKINGS.data).hexdigest(),
        },
    }
    assert kept_report(folder, number) == scored().json()
    with pytest.raises(UserError, match="2"):
        kept_report(folder, 2)


def test_a_part_that_is_absent_is_null(tmp_path: Path) -> None:
    path = tmp_path / "odp.csv"
    path.write_bytes(ANSWERS.data)
    on_disk = Upload("odp.csv", path=path)
    keep(tmp_path, 16, score_uploads(GOLD, on_disk), {"answers": on_disk})
    (run,) = kept_runs(tmp_path)
    assert (run.accuracy_at_10, run.accuracy_at_10_n) == (None, None)
    assert run.files["answers"]["sha256"] == hashlib.sha256(ANSWERS.data).hexdigest()
    assert run.kept_at.endswith("+00:00")


def test_the_file_holds_no_folder_of_the_visitors_and_no_one_else_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    keep(folder, 16, scored(), FILES)
    database = folder / DATABASE
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    for word in (b"kowalski", b"/home", b"Users"):
        assert word not in database.read_bytes()
    assert [path.name for path in folder.iterdir()] == [DATABASE]


def test_other_programs_read_it(tmp_path: Path) -> None:
    """What the README tells an operator, in plain sqlite3."""
    keep(tmp_path, 16, scored(), FILES, when=WHEN)
    code = (
        "import gzip, json, sqlite3, sys\n"
        "for when, gold, value, report in sqlite3.connect(sys.argv[1]).execute(\n"
        "    'SELECT kept_at, gold, fuzzy_match, report FROM runs'):\n"
        "    print(when, gold, value, json.loads(gzip.decompress(report))['schema_version'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, tmp_path / DATABASE], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.split() == ["2026-05-01T12:30:15+00:00", "maly/test", "0.5", "1"]


def test_refused_files_have_nothing_to_keep(tmp_path: Path) -> None:
    refused = score_uploads(GOLD, Upload("x.csv", b"id,answer\n7,a\n8,b\n"))
    with pytest.raises(ValueError, match="refused"):
        keep(tmp_path, 16, refused, {})
    assert not (tmp_path / DATABASE).exists()


def test_a_full_database_takes_no_more_and_loses_nothing(tmp_path: Path) -> None:
    noise = os.urandom(4500).hex()
    big = score_uploads(GOLD, Upload("odp.csv", f"id,answer\n1,{noise}\n2,12\n".encode()))
    assert big.report is not None
    behind = analyse(big.report)

    def until_full() -> int:
        for count in range(2000):
            try:
                keep(tmp_path, 1, big, {}, behind)
            except UserError as error:
                assert "full" in error.message.en  # noqa: PT017
                return count
        pytest.fail("it never was full")

    kept = until_full()
    assert kept > 50
    assert (tmp_path / DATABASE).stat().st_size <= 1 << 20
    assert [run.id for run in kept_runs(tmp_path)] == list(range(1, kept + 1))
    assert kept_report(tmp_path, kept) == big.json()
    with pytest.raises(UserError):
        keep(tmp_path, 1, big, {})
    assert keep(tmp_path, 2, big, {}) == kept + 1


def spoil_with_text(folder: Path) -> None:
    (folder / DATABASE).write_text("to nie baza" * 200)


def spoil_with_a_foreign_table(folder: Path) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        database.execute("CREATE TABLE runs (x)")


def spoil_with_another_layout(folder: Path) -> None:
    prepare(folder, 16)
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        database.execute("PRAGMA user_version = 2")


def spoil_with_a_folder(folder: Path) -> None:
    (folder / DATABASE).mkdir()


@pytest.mark.parametrize(
    "spoil", [spoil_with_text, spoil_with_a_foreign_table, spoil_with_another_layout, spoil_with_a_folder]
)
def test_what_is_not_ours_is_left_alone(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(tmp_path)
    file = tmp_path / DATABASE
    before = file.read_bytes() if file.is_file() else b""
    for use in (
        lambda: prepare(tmp_path, 16),
        lambda: keep(tmp_path, 16, scored(), FILES),
        lambda: kept_runs(tmp_path),
    ):
        with pytest.raises(UserError) as caught:
            use()
        assert str(tmp_path) not in f"{caught.value.message}"
    assert (file.read_bytes() if file.is_file() else b"") == before


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="POLQA_KEEP_RUNS"):
        prepare(tmp_path / "file" / "kept", 16)


def test_several_processes_write_at_once_and_a_killed_one_leaves_no_half_row(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from test_archive import FILES, analyse, keep, scored\n"
        "one = scored()\n"
        "behind = analyse(one.report)\n"
        "for _ in range(int(sys.argv[2])): keep(Path(sys.argv[1]), 64, one, FILES, behind)"
    )

    def start(count: int) -> subprocess.Popen[bytes]:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}
        return subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(count)], env=environment)

    writers, endless = [start(15) for _ in range(2)], start(10**6)
    assert [writer.wait(120) for writer in writers] == [0, 0]
    endless.kill()
    endless.wait()
    runs = kept_runs(tmp_path)
    assert len(runs) >= 30
    assert len({run.id for run in runs}) == len(runs)
    assert kept_report(tmp_path, runs[-1].id) == scored().json()
    keep(tmp_path, 64, scored(), FILES)
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_a_killed_writer_left_half_done_does_not_keep_anybody_from_reading(tmp_path: Path) -> None:
    keep(tmp_path, 64, scored(), FILES)
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as database:
        # More than its memory holds, so that pages of the unfinished transaction are in the file.
        database.execute("PRAGMA cache_size = 2")
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE runs SET gold = 'half done', report = zeroblob(4000000)")
        for name in (DATABASE, f"{DATABASE}-journal"):
            shutil.copy(tmp_path / name, crashed / name)
    [run] = kept_runs(crashed)
    assert run.gold == scored().report.gold
    assert kept_report(crashed, run.id) == scored().json()


def test_nothing_is_kept_unless_the_operator_says_where(tmp_path: Path) -> None:
    quiet = Service(load_settings())
    assert not quiet.keeps_runs
    assert quiet.keep(scored(), FILES).code == "not-kept"
    service = Service(load_settings(keep_runs=tmp_path / "kept"))
    assert service.keeps_runs
    assert kept_runs(tmp_path / "kept") == ()
    given = Submission(GOLD, (ANSWERS,), (RANKINGS, RANKINGS))
    said = service.keep(scored(), given.scored)
    assert (said.severity, said.code, said.message) == ("note", "kept", TEXTS["eval.kept_done"])
    (run,) = kept_runs(tmp_path / "kept")
    assert set(run.files) == {"answers", "rankings"}


def test_a_failure_is_a_word_to_the_visitor_and_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = Service(load_settings(keep_runs=tmp_path / "kept"))
    spoil_with_text(tmp_path / "kept")
    said = service.keep(scored(), FILES)
    assert (said.severity, said.message) == ("warning", TEXTS["eval.not_kept"])
    assert "not kept" in caplog.text
    assert "Kopernik" not in caplog.text


def test_a_wrong_folder_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="POLQA_KEEP_RUNS"):
        Service(load_settings(keep_runs=tmp_path / "file"))


def test_the_report_of_the_other_language_is_kept_in_english(tmp_path: Path) -> None:
    empty = score_uploads(GOLD, Upload("odp.csv", b"id,answer\n1,\n2,12\n"))
    keep(tmp_path, 16, empty, {})
    messages = [problem["message"] for problem in kept_report(tmp_path, 1)["problems"]]
    assert any("Empty answers" in message for message in messages)
    json.dumps(messages)
