"""The process that parses uploads, seen from inside: `parsing.process` starts it, gives it jobs, and may end it.

Frames go over its standard input and output, each its length in eight bytes and then as many. A job is a pickle of the
program's own process, never of a file. Nothing of the app is imported here, no model library and no browser.
"""

import marshal
import os
import pickle
import queue
import struct
import threading
import traceback
import warnings
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, cast

from polqa_demo.errors import UserError
from polqa_demo.parsing.parser import TASKS, Upload
from polqa_demo.records import Ranking
from polqa_demo.settings import load_settings, use_settings
from polqa_demo.submissions.kept_tables import tables_kept
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import RankingsFile

_LENGTH = struct.Struct("<Q")
# Virtual memory beyond what is resident: allocators reserve more than they use.
_RESERVED = 2 << 30
# The status of a process that ended since it got no more memory, outside of what can be told in a reply.
NO_MEMORY = 77


@dataclass(frozen=True, slots=True)
class Job:
    """A task of `parser.TASKS`, its file (the bytes of which come in a frame of their own), and what it may cost.

    `asks` says that the rankings' passages are looked up in the other process's corpus; `reply` is in bytes.
    """

    task: str
    upload: Upload
    known: tuple[Any, ...]
    asks: bool
    seconds: float
    reply: int


def write_frame(stream: BinaryIO, data: bytes) -> None:
    """One frame.

    :raises OSError: the other side is gone
    """
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: BinaryIO, limit: int | None = None) -> bytes:
    """The next frame.

    :raises EOFError: the other side is gone
    :raises ValueError: longer than the limit
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    size = _LENGTH.unpack(head)[0]
    if limit is not None and size > limit:
        raise ValueError(size)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def unpacked(frame: bytes) -> Any:
    """What one process of the program has packed for the other; a file's own bytes never come here."""
    return pickle.loads(frame)  # noqa: S301


def flat(found: Any) -> tuple[Any, bytes]:
    """A result with its rankings apart, in a form that is packed in a fifth of the time."""
    if not isinstance(found, RankingsFile):
        return found, b""
    rows = [(key, one.question_id, one.passage_ids, one.scores) for key, one in found.rankings.items()]
    return replace(found, rankings={}), marshal.dumps(rows)


def whole(found: Any, rows: bytes) -> Any:
    """The result again."""
    if not rows:
        return found
    # As above: packed by this program's other process.
    rankings = {key: Ranking(*one) for key, *one in marshal.loads(rows)}  # noqa: S302
    return replace(found, rankings=rankings)


def main() -> None:
    """Does jobs until the standard input ends."""
    try:
        _work()
    except MemoryError:
        os._exit(NO_MEMORY)


def _work() -> None:
    warnings.simplefilter("ignore")
    coming, going = cast("BinaryIO", os.fdopen(os.dup(0), "rb")), cast("BinaryIO", os.fdopen(os.dup(1), "wb"))
    # Whatever a library prints must not come between the frames.
    os.dup2(2, 1)
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_on, args=(coming, frames), daemon=True).start()
    limits = unpacked(frames.get())
    use_settings(load_settings(**limits["settings"]))
    _import_libraries()
    _bound_memory(limits["megabytes"])
    write_frame(going, pickle.dumps(("ready", None)))
    while True:
        # A session: until the next empty frame, files that were decoded are not decoded again.
        with tables_kept():
            while frame := frames.get():
                job: Job = unpacked(frame)
                data = frames.get()
                job = replace(job, upload=replace(job.upload, data=data) if job.upload.path is None else job.upload)
                _bound_time(job.seconds)
                write_frame(going, _reply(job, going, frames))


def _read_on(coming: BinaryIO, frames: "queue.SimpleQueue[bytes]") -> None:
    """Whoever started this process is gone when its end of the pipe is: then nobody waits for a reply."""
    try:
        while True:
            frames.put(read_frame(coming))
    except EOFError:
        os._exit(0)
    except MemoryError:
        os._exit(NO_MEMORY)


def _reply(job: Job, going: BinaryIO, frames: "queue.SimpleQueue[bytes]") -> bytes:
    corpus = [_Corpus(going, frames) if job.asks else None] if job.task == "rankings" else []
    try:
        found = pickle.dumps(("done", flat(TASKS[job.task](job.upload, *job.known, *corpus))))
    except Refused as error:
        return pickle.dumps(("refused", error.problems))
    except UserError as error:
        return pickle.dumps(("error", (error.code, *error.message)))
    except MemoryError:
        return pickle.dumps(("exceeded", "memory"))
    except Exception:  # a fault of ours: told where it is logged
        return pickle.dumps(("failed", traceback.format_exc()))
    return found if len(found) <= job.reply else pickle.dumps(("exceeded", "reply"))


class _Corpus:
    """The corpus of the other process: asked once for all passages of a file."""

    def __init__(self, going: BinaryIO, frames: "queue.SimpleQueue[bytes]") -> None:
        self._going, self._frames = going, frames

    def __call__(self, passage_id: str) -> bool:
        return passage_id in self.among([passage_id])

    def among(self, passage_ids: Collection[str]) -> frozenset[str]:
        """Those of the ids that the corpus knows."""
        write_frame(self._going, pickle.dumps(("lookup", list(passage_ids))))
        known: frozenset[str] = unpacked(self._frames.get())
        return known


def _import_libraries() -> None:
    """What some files need: imported before the first of them comes, and before memory is counted."""
    import openpyxl  # noqa: F401
    import pyarrow.parquet  # noqa: F401


def _bound_memory(megabytes: int) -> None:
    """A last bound, far above that which the other process watches; none where the system has none."""
    with suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + (megabytes << 20) + _RESERVED,) * 2)


def _bound_time(seconds: float) -> None:
    """The system ends the process when it has computed for so long, should nobody else; none where it has no bound."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime + seconds) + 2, hard))


if __name__ == "__main__":
    main()
