"""Parts that take long to open (models, indexes, pipelines), each opened once and kept."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Part = TypeVar("Part")


class OpenParts(Generic[Key, Part]):
    """Parts by key, for several threads: who wants one that is open never waits, who wants one that is not waits for
    that one alone. What could not be opened is tried again by the next who asks.
    """

    def __init__(self) -> None:
        self._parts: dict[Key, Part] = {}
        self._locks: dict[Key, Lock] = {}
        self._lock_of_locks = Lock()

    def __contains__(self, key: Key) -> bool:
        return key in self._parts

    def get(self, key: Key, open_part: Callable[[], Part]) -> Part:
        """The part of a key; `open_part` opens it unless it is open, and may raise whatever it likes."""
        try:
            return self._parts[key]
        except KeyError:
            pass
        with self._lock_of_locks:
            lock = self._locks.setdefault(key, Lock())
        with lock:
            if key not in self._parts:
                self._parts[key] = open_part()
            return self._parts[key]

    def any(self) -> Part | None:
        """One of those that are open, the first opened; None where there is none."""
        return next(iter(tuple(self._parts.values())), None)
