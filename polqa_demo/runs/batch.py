"""Work on many questions that can be stopped and goes on where it was; the output file appears only when complete."""

import hashlib
import json
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, TypeVar

from polqa_demo.data.file_locks import take_lock
from polqa_demo.errors import UserError

Item = TypeVar("Item")
# The first line of an unfinished file begins so; another file of that name is the user's own.
MARK = "polqa-demo batch "
_OWN = json.dumps(MARK)[:-1].encode()
Progress = Callable[[int, int | None], None]


def fingerprint(*parts: object) -> str:
    """What a piece of work depends on, as one short text; another fingerprint means another piece of work."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[:16]


def write_batch(
    out: Path,
    items: Sequence[Item],
    work: Callable[[Item], str],
    key: str,
    header: str = "",
    progress: Progress | None = None,
) -> int:
    """Writes `header` and the text of every item to `out`; returns how many items an earlier, stopped run had done.

    :raises UserError: as `batch_steps`
    """
    with closing(batch_steps(out, items, work, key, header)) as steps:
        resumed = next(steps)
        for count in steps:
            if progress:
                progress(count, len(items))
    return resumed


def batch_steps(
    out: Path,
    items: Sequence[Item],
    work: Callable[[Item], str],
    key: str,
    header: str = "",
) -> Generator[int, None, None]:
    """Does the work of `write_batch` step by step: yields how many items are done, first those of an earlier run.

    Finished items lie in `OUT.part` beside it, one JSON string a line under the key, until all are there; a half
    written last line is done again. `out` is there when the generator has ended; closed before, it keeps what is done
    and lets others go on with it.

    :raises UserError: the folder cannot be written, another process works on the same output, or a file of the user's
        own stands where the unfinished one would
    """
    part = out.with_name(out.name + ".part")
    key = MARK + key
    try:
        _refuse_foreign(part)
        # What is done stays on disk throughout, so that a second stop loses nothing either.
        with part.open("a+b") as file:
            _lock(file, out)
            done, whole_bytes = _finished(part, key)
            if done > len(items):
                done, whole_bytes = 0, 0
            file.truncate(whole_bytes)
            if not whole_bytes:
                file.write(_line(key))
                file.flush()
            yield done
            for count, item in enumerate(items[done:], done + 1):
                file.write(_line(work(item)))
                file.flush()
                yield count
            # Still under the lock, so that no two processes write the same copy.
            _complete(part, out, header)
        part.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(
            "unwritable-file",
            f"Nie mogę zapisać pliku {out}: {error.strerror}. Wybierz inny plik (--out).",
            f"Cannot write the file {out}: {error.strerror}. Choose another file (--out).",
        ) from error


def begins_anew(out: Path, key: str) -> bool:
    """Whether what an earlier run has done for `out` is of another piece of work, so that it counts for nothing."""
    part = out.with_name(out.name + ".part")
    try:
        with part.open("rb") as lines:
            first = lines.readline(200)
    except OSError:
        return False
    return first.startswith(_OWN) and first != _line(MARK + key)


def _line(text: str) -> bytes:
    return json.dumps(text).encode() + b"\n"


def _lock(file: BinaryIO, out: Path) -> None:
    """Keeps other processes off the unfinished file for as long as it is open (where the system knows such locks)."""
    if take_lock(file) is False:
        raise UserError(
            "out-in-work",
            f"Inny proces właśnie pisze do {out}. Poczekaj, aż skończy, albo podaj inny plik (--out).",
            f"Another process is writing {out} at this moment. Wait for it, or name another file (--out).",
        )


def _finished(part: Path, key: str) -> tuple[int, int]:
    """How many items an earlier run with the same key has finished, and how many bytes they and the key take.

    Nothing counts from the first line on that is not whole; 0 bytes: there is no such run.
    """
    if not part.is_file():
        return 0, 0
    with part.open("rb") as lines:
        first = next(lines, b"")
        if first != _line(key):
            return 0, 0
        count, size = 0, len(first)
        for line in lines:
            if not line.endswith(b"\n") or not _is_text(line):
                break
            count, size = count + 1, size + len(line)
    return count, size


def _refuse_foreign(part: Path) -> None:
    if not part.exists():
        return
    own = part.is_file()
    if own:
        with part.open("rb") as lines:
            first = lines.readline(200)
        own = not first or first.startswith(_OWN)
    if not own:
        raise UserError(
            "foreign-part",
            f"Plik {part} już istnieje i nie jest pracą tego programu. Przenieś go albo podaj inny --out.",
            f"The file {part} exists and is no unfinished work of this program. Move it, or name another --out.",
        )


def _is_text(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), str)
    except ValueError:
        return False


def _complete(part: Path, out: Path, header: str) -> None:
    """Writes the output beside its place and puts it there in one step."""
    whole = out.with_name(f".{out.name[:100]}.whole")
    # A killed process leaves its copy.
    whole.unlink(missing_ok=True)
    with part.open(encoding="utf-8") as lines, whole.open("x", encoding="utf-8", newline="\n") as file:
        next(lines)
        file.write(header)
        file.writelines(json.loads(line) for line in lines)
    os.replace(whole, out)
