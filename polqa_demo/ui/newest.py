"""The newest question of each visitor: it is answered, and those before it are given up."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Condition
from typing import TypeVar

Found = TypeVar("Found")

# Visitors who are remembered; an older question of one who is forgotten is answered, too.
_VISITORS = 10_000
# A thread cannot be stopped, so a question that was given up is worked on to its end: of one visitor so many at once.
_AT_ONCE = 2
_THREADS = 8


@dataclass(slots=True)
class _Visitor:
    newest: int = 0
    working: int = 0


class NewestQuestions:
    """Answers of visitors who may ask again before they have an answer; safe in threads."""

    def __init__(self) -> None:
        self._visitors: OrderedDict[str, _Visitor] = OrderedDict()
        self._changed = Condition()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="question")

    def add(self, session: str) -> int:
        """Takes up a question of a session; its number, from 1. Older ones of the session are given up."""
        with self._changed:
            visitor = self._visitors.setdefault(session, _Visitor())
            self._visitors.move_to_end(session)
            while len(self._visitors) > _VISITORS:
                self._visitors.popitem(last=False)
            visitor.newest += 1
            self._changed.notify_all()
            return visitor.newest

    def is_working(self, session: str) -> bool:
        """Whether a question of the session is being answered."""
        visitor = self._visitors.get(session)
        return visitor is not None and visitor.working > 0

    def answer(self, session: str, number: int, work: Callable[[], Found]) -> Found | None:
        """What `work` gives for the question of a number; None as soon as the session has a newer one."""
        with self._changed:
            visitor = self._visitors.get(session) or _Visitor(number)
            self._changed.wait_for(lambda: visitor.newest > number or visitor.working < _AT_ONCE)
            if visitor.newest > number:
                return None
            visitor.working += 1
        future = self._threads.submit(work)
        future.add_done_callback(lambda done: self._ended(visitor, done))
        with self._changed:
            self._changed.wait_for(lambda: visitor.newest > number or future.done())
            if visitor.newest <= number:
                return future.result()
        future.cancel()
        return None

    def _ended(self, visitor: _Visitor, _: Future[Found]) -> None:
        with self._changed:
            visitor.working -= 1
            self._changed.notify_all()
