"""The mark of a folder that is being built: a lock beside it that goes with its process, however that ends.

.NAME.0123456789ab.part         the folder
.NAME.0123456789ab.part.lock    held by the process that builds it
"""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from polqa_demo.data.file_locks import take_lock

_LOCK = ".lock"
# A lock is taken just after its file is there.
_YOUNG_SECONDS = 60
# Without a write for so long a folder is taken for dead, where no lock says more.
_ABANDONED_SECONDS = 24 * 3600


@contextmanager
def being_built(part: Path) -> Iterator[None]:
    """Marks a folder as one that is being built, and removes what is left of it at the end."""
    lock = part.with_name(part.name + _LOCK)
    with lock.open("wb") as held:
        try:
            with suppress(OSError):
                take_lock(held)
            yield
        finally:
            shutil.rmtree(part, ignore_errors=True)
            with suppress(OSError):
                lock.unlink()


def sweep(out: Path) -> None:
    """Removes what builders of `out` that were killed have left behind: those whose lock is free, or long untouched."""
    for path in [*out.parent.glob(f".{out.name}.*.part"), *out.parent.glob(f".{out.name}.*.part{_LOCK}")]:
        part = path.with_name(path.name.removesuffix(_LOCK))
        with suppress(OSError):
            if _is_left(part):
                shutil.rmtree(part, ignore_errors=True)
                part.with_name(part.name + _LOCK).unlink(missing_ok=True)


def _is_left(part: Path) -> bool:
    lock = part.with_name(part.name + _LOCK)
    written = [path.stat().st_mtime for path in (lock, part, *part.rglob("*")) if path.exists()]
    if not written:
        return False  # just gone
    if time.time() - max(written) > _ABANDONED_SECONDS:
        return True
    try:
        with lock.open("rb") as tried:
            return bool(take_lock(tried)) and time.time() - lock.stat().st_mtime > _YOUNG_SECONDS
    except OSError:
        return False
