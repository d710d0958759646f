"""Tables that are kept while one file is read for several ends: its kind, its rows, and once more its kind."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.table import Overrides, Table

Recognise = Callable[[Content, str, Overrides], Table]
# How many are kept at once.
_MOST = 4
_kept: ContextVar[dict[Hashable, Table] | None] = ContextVar("_kept", default=None)


@contextmanager
def tables_kept() -> Iterator[None]:
    """While it lasts, the form and the encoding of a file are found once, however often it is read."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def kept_table(content: Content, name: str, wanted: Overrides, recognise: Recognise) -> Table:
    """The table of a file: as it was recognised before, where nothing of it has changed."""
    kept = _kept.get()
    if kept is None:
        return recognise(content, name, wanted)
    key = (_identity(content), name, wanted)
    if key not in kept:
        table = recognise(content, name, wanted)
        while len(kept) >= _MOST:
            del kept[next(iter(kept))]
        kept[key] = table
    # What was found on the way belongs to one reading.
    return replace(kept[key], _last=[])


def _identity(content: Content) -> Hashable:
    if isinstance(content, bytes):
        return content
    try:
        found = content.stat()
        # What is no file, such as a pipe, gives its bytes once.
        return (content, found.st_mtime_ns, found.st_size, found.st_ino) if content.is_file() else object()
    except (OSError, ValueError):
        return object()
