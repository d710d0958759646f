"""Work on many questions that can be stopped and goes on where it was; the output file appears only when complete."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
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
        done = list(_finished(part, key))[: len(items)]
        with part.open("w", encoding="utf-8") as file:
            file.write(json.dumps(key) + "\n")
            file.writelines(json.dumps(text) + "\n" for text in done)
            for count, item in enumerate(items[len(done) :], len(done) + 1):
                file.write(json.dumps(work(item)) + "\n")
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
    return len(done)


def _finished(part: Path, key: str) -> Iterator[str]:
    """The texts of an earlier run with the same key, up to the first line that is not whole."""
    if not part.is_file():
        return
    with part.open(encoding="utf-8") as lines:
        if next(lines, "") != json.dumps(key) + "\n":
            return
        for line in lines:
            try:
                text = json.loads(line)
            except ValueError:
                return
            if not line.endswith("\n") or not isinstance(text, str):
                return
            yield text


def _complete(part: Path, out: Path, header: str) -> None:
    """Writes the output beside its place and puts it there in one step."""
    whole = out.with_name(out.name + ".tmp")
    with part.open(encoding="utf-8") as lines, whole.open("w", encoding="utf-8", newline="\n") as file:
        next(lines)
        file.write(header)
        file.writelines(json.loads(line) for line in lines)
    os.replace(whole, out)
    part.unlink()
