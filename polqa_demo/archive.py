"""Evaluations that the operator keeps for good: a row each in an SQLite database, the report compressed.

The database is `runs.sqlite` in the operator's folder; any program that reads SQLite opens it, and
`gzip.decompress(report)` gives the JSON of a report. Nothing in a row says who the visitor was. Several processes may
write at once. What is kept is never deleted: a full database takes no more, and that is told.
"""

import gzip
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

from polqa_demo.data.lines import writable
from polqa_demo.errors import UserError
from polqa_demo.evaluation.analysis import Analysis
from polqa_demo.evaluation.shares import Share
from polqa_demo.parsing.parser import Upload
from polqa_demo.scoring import Scored
from polqa_demo.version import __version__

DATABASE = "runs.sqlite"
_LAYOUT = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY,
    kept_at TEXT NOT NULL,        -- UTC, ISO 8601
    program TEXT NOT NULL,        -- version of this program
    gold TEXT NOT NULL,
    signature TEXT NOT NULL,
    fuzzy_match REAL,             -- shares, 0..1; NULL where the files had no such part
    fuzzy_match_n INTEGER,
    accuracy_at_10 REAL,
    accuracy_at_10_n INTEGER,
    files TEXT NOT NULL,          -- JSON: role -> name, bytes, sha256
    report BLOB NOT NULL          -- gzip of the JSON report
)
"""
_INSERT = """
INSERT INTO runs (kept_at, program, gold, signature, fuzzy_match, fuzzy_match_n, accuracy_at_10, accuracy_at_10_n,
                  files, report) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SELECT = """
SELECT id, kept_at, program, gold, signature, fuzzy_match, fuzzy_match_n, accuracy_at_10, accuracy_at_10_n, files
FROM runs ORDER BY id
"""
# How long a process waits for another that is writing.
_WAIT_SECONDS = 10.0
_PAGE_BYTES = 4096


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A kept evaluation without its report. Shares lie in 0..1; `files` give name, bytes and sha256 by role."""

    id: int
    kept_at: str
    program: str
    gold: str
    signature: str
    fuzzy_match: float | None
    fuzzy_match_n: int | None
    accuracy_at_10: float | None
    accuracy_at_10_n: int | None
    files: dict[str, dict[str, Any]]


def prepare(folder: Path, limit_mb: int) -> None:
    """Makes the folder and an empty database where there is none yet.

    :raises UserError: it cannot be written, or another program's database lies there
    """
    with _writing(folder, limit_mb):
        pass


def keep(
    folder: Path,
    limit_mb: int,
    scored: Scored,
    files: Mapping[str, Upload],
    analysis: Analysis | None = None,
    when: datetime | None = None,
) -> int:
    """Keeps an evaluation, whole or not at all, and gives its number. `files` are the scored uploads by role.

    :raises UserError: the database is full or cannot be written, or a file is gone
    :raises ValueError: the files were refused, so there is nothing to keep
    """
    report = scored.report
    if report is None:
        message = "a refused submission has no report"
        raise ValueError(message)
    answers = report.answers.rules[report.rule] if report.answers else None
    rankings = report.rankings.headline if report.rankings else None
    with _told():
        described = {role: _described(upload) for role, upload in files.items()}
    text = json.dumps(scored.json("en", analysis), ensure_ascii=False, allow_nan=False)
    row = (
        (when or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds"),
        __version__,
        report.gold,
        report.signature,
        *_share(answers),
        *_share(rankings),
        writable(json.dumps(described, ensure_ascii=False)),
        gzip.compress(writable(text).encode(), mtime=0),
    )
    with _writing(folder, limit_mb) as database:
        return int(database.execute(_INSERT, row).lastrowid or 0)


def kept_runs(folder: Path) -> tuple[KeptRun, ...]:
    """What is kept, oldest first.

    :raises UserError: the database cannot be read
    """
    with _reading(folder) as database:
        rows = database.execute(_SELECT).fetchall() if database else []
    return tuple(KeptRun(*(*row[:-1], json.loads(row[-1]))) for row in rows)


def kept_report(folder: Path, number: int) -> dict[str, Any]:
    """The JSON report of a kept evaluation.

    :raises UserError: no such number, or the database cannot be read
    """
    with _reading(folder) as database:
        query = "SELECT report FROM runs WHERE id = ?"
        row = database.execute(query, (number,)).fetchone() if database else None
    if row is None:
        raise UserError("unknown-run", f"Nie ma zachowanej oceny nr {number}.", f"No evaluation {number} is kept.")
    return dict(json.loads(gzip.decompress(row[0])))


def _share(share: Share | None) -> tuple[float | None, int | None]:
    return (share.value, share.n) if share else (None, None)


def _described(upload: Upload) -> dict[str, Any]:
    """What a file was: its name without folders, its length, its checksum; not its content."""
    digest = hashlib.sha256()
    size = 0
    if upload.path is None:
        digest.update(upload.data)
        size = len(upload.data)
    else:
        with upload.path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
                size += len(block)
    name = PurePath(upload.name.replace("\\", "/")).name
    return {"name": name, "bytes": size, "sha256": digest.hexdigest()}


@contextmanager
def _writing(folder: Path, limit_mb: int) -> Iterator[sqlite3.Connection]:
    """A transaction of its own: it waits for others that write, and leaves nothing behind when it fails."""
    with _told():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / DATABASE
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)) as database:
            database.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
            size = int(database.execute("PRAGMA page_size").fetchone()[0])
            # SQLite itself holds the limit, so no two processes step over it together.
            database.execute(f"PRAGMA max_page_count = {(limit_mb << 20) // size}")
            database.execute("BEGIN IMMEDIATE")
            _check_layout(database, path)
            database.execute(_TABLE)
            database.execute(f"PRAGMA user_version = {_LAYOUT}")
            yield database
            database.execute("COMMIT")


@contextmanager
def _reading(folder: Path) -> Iterator[sqlite3.Connection | None]:
    """The database, read only; None when there is none yet."""
    path = folder / DATABASE
    if not path.exists():
        yield None
        return
    # Not `mode=ro`: what a killed writer left half done is rolled back by whoever opens the file next. Where the file
    # may not be written, SQLite opens it for reading alone by itself.
    with (
        _told(),
        closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=_WAIT_SECONDS)) as database,
    ):
        database.execute("PRAGMA query_only = ON")
        _check_layout(database, path)
        yield database


def _check_layout(database: sqlite3.Connection, path: Path) -> None:
    layout = int(database.execute("PRAGMA user_version").fetchone()[0])
    tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if layout != _LAYOUT and (layout or tables):
        raise UserError(
            "foreign-database",
            f"Plik {path.name} to baza innego programu lub innej wersji. Wskaż w POLQA_KEEP_RUNS inny folder.",
            f"The file {path.name} is a database of another program or version. Give POLQA_KEEP_RUNS another folder.",
        )


@contextmanager
def _told() -> Iterator[None]:
    """Failures of disk and database as one expected failure, without a path of the server's."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
    except sqlite3.Error as error:
        reason = str(error)
    else:
        return
    raise UserError(
        "not-kept",
        f"Folderu POLQA_KEEP_RUNS nie da się użyć: {reason}. Sprawdź uprawnienia, miejsce na dysku i "
        "POLQA_KEEP_RUNS_MB.",
        f"The folder POLQA_KEEP_RUNS cannot be used: {reason}. Check permissions, disk space and POLQA_KEEP_RUNS_MB.",
    )
