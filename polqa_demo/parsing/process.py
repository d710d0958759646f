"""Parsers of uploads in processes of their own: one file never touches what others do, whatever it holds.

A process parses for one visitor at a time. It is ended when a file costs more processor time or memory than the
settings allow, and when the app ends. Where the system does not tell what a process uses (outside Linux), the time on
the clock counts instead of the processor's, and memory is bounded by the parsers' own counts alone.
"""

import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, cast

from polqa_demo.errors import Bilingual, UserError
from polqa_demo.parsing.parser import InCorpus, Parser, Upload
from polqa_demo.parsing.worker import NO_MEMORY, Job, read_frame, unpacked, whole, write_frame
from polqa_demo.settings import Settings
from polqa_demo.submissions.problems import Refused, refuse

_PROC = Path("/proc/self/stat")
_ROOT = Path(__file__).resolve().parents[1]
_START = "import sys; sys.path.insert(0, sys.argv[1]); from polqa_demo.parsing.worker import main; main()"
# Seconds between two looks at what a process uses.
_PAUSE = 0.02
# Seconds given to a process that breaks off, to say why; and the share of a limit that is much.
_ENDING_SECONDS, _MUCH = 1.0, 0.5
# Processes kept when nobody needs them, and the megabytes above its beginning with which one is kept.
_KEPT, _KEPT_MEGABYTES = 2, 100
# What the other process must know of the settings: the limits of files.
_LIMITS = (
    "max_upload_mb",
    "max_unpacked_mb",
    "max_workbook_mb",
    "max_line_chars",
    "max_rows",
    "max_columns",
    "max_answer_chars",
    "max_ranking_depth",
    "max_ranking_entries",
)


class Parsers:
    """The processes of one app: started when they are wanted, `warm` starts the first."""

    def __init__(self, knobs: Settings) -> None:
        self._knobs = knobs
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._every: set[_Process] = set()
        self._closed = False

    @contextmanager
    def session(self) -> Iterator[Parser]:
        """A parser for the files of one evaluation: each of them has its budget, however often it is read.

        Its methods raise besides what `Parser`'s do:

        :raises UserError: `upload-budget`, with the limit that was met; `parser-ended`
        """
        parser = _SessionParser(self, self._knobs)
        try:
            yield parser
        finally:
            parser.close()

    def warm(self) -> None:
        """Starts a process before the first file comes."""
        with suppress(UserError):
            self.give_back(self.take())

    def take(self) -> "_Process":
        """A process for one session.

        :raises UserError: it cannot be started, or the app ends
        """
        while (idle := self._take_idle()) is not None:
            if idle.alive:
                return idle
            self.give_back(idle)
        process = _Process(self._knobs)
        with self._lock:
            if not self._closed:
                self._every.add(process)
                return process
        process.end()
        raise _ended("")

    def _take_idle(self) -> "_Process | None":
        with self._lock:
            if self._closed:
                raise _ended("")
            return self._idle.pop() if self._idle else None

    def give_back(self, process: "_Process") -> None:
        """Keeps a process for the next session, or ends it."""
        keep = process.alive and process.megabytes() < _KEPT_MEGABYTES and process.forget()
        with self._lock:
            if keep and not self._closed and len(self._idle) < _KEPT:
                self._idle.append(process)
                return
            self._every.discard(process)
        process.end()

    def close(self) -> None:
        """Ends all processes, also in the middle of a file."""
        with self._lock:
            self._closed = True
            every, self._every, self._idle = self._every, set(), []
        for process in every:
            process.end()


class _SessionParser(Parser):
    """Sends each task to a process. One that was ended is replaced when the next file comes."""

    def __init__(self, parsers: Parsers, knobs: Settings) -> None:
        self._parsers, self._knobs = parsers, knobs
        self._process: _Process | None = None
        self._spent: dict[tuple[str, Path | None], float] = {}

    def close(self) -> None:
        if self._process is not None:
            self._parsers.give_back(self._process)
            self._process = None

    def run(self, task: str, upload: Upload, *known: Any, in_corpus: InCorpus | None = None) -> Any:
        if self._process is None or not self._process.alive:
            self.close()
            self._process = self._parsers.take()
        key = (upload.name, upload.path)
        limit = self._knobs.max_upload_seconds
        left = limit - self._spent.get(key, 0.0)
        if left <= 0:
            raise _beyond("seconds", upload.name, self._knobs)
        # An eighth of it: as objects it is some times as much, and lies in both processes.
        reply = self._knobs.max_upload_memory_mb << 17
        job = Job(task, upload, known, in_corpus is not None, left, reply)
        spent, (what, value) = self._process.do(job, in_corpus)
        self._spent[key] = self._spent.get(key, 0.0) + spent
        if what == "done":
            return whole(*value)
        if what == "refused":
            raise Refused(value)
        if what == "error":
            code, pl, en = value
            raise UserError(code, pl, en)
        if what == "exceeded":
            raise _beyond(value, upload.name, self._knobs)
        if what == "failed":
            raise RuntimeError(f"the parsing of {upload.name!r} failed:\n{value}")
        raise _ended(upload.name, costly=bool(value))


@dataclass(slots=True)
class _Watch:
    """What one job may use; `exceeded` names what it used too much of."""

    seconds: float
    began: float
    spent: float = 0.0
    megabytes: float = 0.0
    ended: threading.Event = field(default_factory=threading.Event)
    exceeded: str = ""


class _Process:
    """One process, which does one job at a time.

    :raises UserError: it cannot be started
    """

    def __init__(self, knobs: Settings) -> None:
        self._megabytes = knobs.max_upload_memory_mb
        command = [sys.executable, "-c", _START, str(_ROOT)]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this program itself
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise _ended("") from error
        self._going = cast("BinaryIO", self._process.stdin)
        self._coming = cast("BinaryIO", self._process.stdout)
        self._idle_megabytes = 0.0
        limits = {name: getattr(knobs, name) for name in _LIMITS}
        try:
            write_frame(self._going, pickle.dumps({"settings": limits, "megabytes": self._megabytes}))
            read_frame(self._coming)
        except (OSError, EOFError) as error:
            self.end()
            raise _ended("") from error
        self._idle_megabytes = _resident(self._process.pid)

    @property
    def alive(self) -> bool:
        """Whether it can be given a job."""
        return self._process.poll() is None

    def megabytes(self) -> float:
        """Memory above that of its beginning; 0 where the system does not tell."""
        return _resident(self._process.pid) - self._idle_megabytes

    def do(self, job: Job, in_corpus: InCorpus | None) -> tuple[float, tuple[str, Any]]:
        """Seconds that the job took, and what came of it: a word and a value."""
        watch = _Watch(job.seconds, self._seconds())
        watcher = threading.Thread(target=self._look_after, args=(watch,), daemon=True)
        watcher.start()
        try:
            found = self._talk(job, in_corpus)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            watch.ended.set()
            watcher.join()
            # A process that ended by itself still tells its time until it is waited for.
            self._look(watch)
            return watch.spent, self._ending(watch)
        except BaseException:
            # The corpus failed: nobody answers the process any more.
            self.end()
            raise
        finally:
            watch.ended.set()
        watcher.join()
        if watch.exceeded:  # it was ended when it had just finished
            self.end()
            return watch.spent, ("exceeded", watch.exceeded)
        return max(0.0, self._seconds() - watch.began), found

    def _talk(self, job: Job, in_corpus: InCorpus | None) -> tuple[str, Any]:
        path = job.upload.path
        bare = replace(job.upload, data=b"", path=path and path.absolute())
        write_frame(self._going, pickle.dumps(replace(job, upload=bare)))
        write_frame(self._going, job.upload.data)
        while True:
            # The limit leaves room for the lists of passage ids that are asked for.
            word, value = unpacked(read_frame(self._coming, 2 * job.reply))
            if word != "lookup":
                return word, value
            known = frozenset(one for one in value if in_corpus and in_corpus(one))
            write_frame(self._going, pickle.dumps(known))

    def forget(self) -> bool:
        """Ends a session: what was decoded in it is forgotten. False when the process is gone."""
        try:
            write_frame(self._going, b"")
        except OSError:
            return False
        return True

    def end(self) -> None:
        """Ends the process at once."""
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        for stream in (self._going, self._coming):
            with suppress(OSError, ValueError):
                stream.close()

    def _ending(self, watch: _Watch) -> tuple[str, Any]:
        """Why a process broke off: what it used too much of, or else whether it used much."""
        status = self._status()
        self.end()
        if not watch.exceeded and status == -getattr(signal, "SIGXCPU", 0):
            watch.exceeded = "seconds"
        elif not watch.exceeded and status == NO_MEMORY:
            watch.exceeded = "memory"
        elif not watch.exceeded and status is None:
            # It goes on, so what it sent was too long.
            watch.exceeded = "reply"
        if watch.exceeded:
            return "exceeded", watch.exceeded
        share = max(watch.spent / watch.seconds, watch.megabytes / self._megabytes)
        return "ended", share > _MUCH

    def _status(self) -> int | None:
        """How a process that breaks off ends; None for one that goes on."""
        try:
            return self._process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            return None

    def _look_after(self, watch: _Watch) -> None:
        while not watch.ended.wait(_PAUSE):
            self._look(watch)
            if watch.exceeded:
                with suppress(OSError):
                    self._process.kill()
                return

    def _look(self, watch: _Watch) -> None:
        """What the process has used by now, and whether that is too much."""
        watch.spent = max(watch.spent, self._seconds() - watch.began)
        watch.megabytes = max(watch.megabytes, self.megabytes())
        if watch.spent > watch.seconds:
            watch.exceeded = "seconds"
        elif watch.megabytes > self._megabytes:
            watch.exceeded = "memory"

    def _seconds(self) -> float:
        """Processor time of the process; the clock's where the system does not tell; no number of one that is gone."""
        if not _PROC.exists():
            return time.monotonic()
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return math.nan
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> float:
    """Resident megabytes of a process; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _beyond(what: str, name: str, knobs: Settings) -> Refused:
    """Said of a file whose reading costs more than it may."""
    seconds, megabytes = f"{knobs.max_upload_seconds:g}", knobs.max_upload_memory_mb
    if what == "seconds":
        told = Bilingual(
            f"jego odczyt zająłby ponad {seconds} s procesora (POLQA_MAX_UPLOAD_SECONDS)",
            f"reading it would take more than {seconds} s of the processor (POLQA_MAX_UPLOAD_SECONDS)",
        )
    elif what == "reply":
        told = Bilingual(
            f"to, co z niego odczytano, nie mieści się w {megabytes} MB pamięci (POLQA_MAX_UPLOAD_MEMORY_MB)",
            f"what was read from it does not fit into {megabytes} MB of memory (POLQA_MAX_UPLOAD_MEMORY_MB)",
        )
    else:
        told = Bilingual(
            f"jego odczyt zająłby ponad {megabytes} MB pamięci (POLQA_MAX_UPLOAD_MEMORY_MB)",
            f"reading it would take more than {megabytes} MB of memory (POLQA_MAX_UPLOAD_MEMORY_MB)",
        )
    return refuse(
        "upload-budget",
        f"Plik {name}: {told.pl}. Zostaw w nim tylko potrzebne kolumny i wiersze, zapisz go jako CSV lub JSONL albo "
        "oceń go z wiersza poleceń; operator strony może podnieść limit.",
        f"The file {name}: {told.en}. Keep only the columns and rows that are needed, save it as CSV or JSONL, or "
        "score it by the command line; the site's operator can raise the limit.",
    )


def _ended(name: str, *, costly: bool = False) -> UserError:
    """Said when a process is gone that nobody of ours has ended for its cost.

    :param costly: it has used so much that the file may well have been the reason, and the next try ends alike
    """
    pl, en = (f"Odczyt pliku {name}", f"The reading of the file {name}") if name else ("Odczyt", "The reading")
    if costly:
        cure = Bilingual(
            "Plik jest kosztowny w odczycie: zostaw w nim tylko potrzebne kolumny i wiersze, zapisz go jako CSV lub "
            "JSONL albo oceń go z wiersza poleceń.",
            "The file is costly to read: keep only the columns and rows that are needed, save it as CSV or JSONL, or "
            "score it by the command line.",
        )
    else:
        cure = Bilingual(
            "Spróbuj jeszcze raz; jeśli to się powtórzy, zapisz plik jako CSV lub JSONL.",
            "Try once more; if it happens again, save the file as CSV or JSONL.",
        )
    return UserError("parser-ended", f"{pl} przerwano. {cure.pl}", f"{en} was broken off. {cure.en}")
