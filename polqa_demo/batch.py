"""Work on many questions that can be stopped and goes on where it was; the output file appears only when complete."""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from polqa_demo.errors import UserError

Item = TypeVar("Item")
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

    Finished items lie in `OUT.part` beside it, one JSON string a line under the key, until all are there; a half
    written last line is done again.

    :raises UserError: the folder cannot be written
    """
    part = out.with_name(out.name + ".part")
    try:
        done, whole_bytes = _finished(part, key)
        if done > len(items):
            done, whole_bytes = 0, 0
        # What is done stays on disk throughout, so that a second stop loses nothing either.
        with part.open("r+b" if whole_bytes else "wb") as file:
            file.truncate(whole_bytes)
            file.seek(whole_bytes)
            if not whole_bytes:
                file.write(_line(key))
            for count, item in enumerate(items[done:], done + 1):
                file.write(_line(work(item)))
                file.flush()
                if progress:
                    progress(count, len(items))
        _complete(part, out, header)
    except OSError as error:
        raise UserError(
            "unwritable-file",
            f"Nie mogę zapisać pliku {out}: {error.strerror}. Wybierz inny plik (--out).",
            f"Cannot write the file {out}: {error.strerror}. Choose another file (--out).",
        ) from error
    return done


def _line(text: str) -> bytes:
    return json.dumps(text).encode() + b"\n"


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


def _is_text(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), str)
    except ValueError:
        return False


def _complete(part: Path, out: Path, header: str) -> None:
    """Writes the output beside its place and puts it there in one step."""
    whole = out.with_name(out.name + ".tmp")
    with part.open(encoding="utf-8") as lines, whole.open("w", encoding="utf-8", newline="\n") as file:
        next(lines)
        file.write(header)
        file.writelines(json.loads(line) for line in lines)
    os.replace(whole, out)
    part.unlink()
