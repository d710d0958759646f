"""Bodies of requests that hold texts: bounded in size, few large ones at once, and their memory given back afterwards.

A text costs its server some times its size: the body, what JSON makes of it, what is put together for the parser. Files
(`/upload`) go to the disk as they come, and have bounds of their own.
"""

import asyncio
import ctypes
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from anyio.to_thread import run_sync
from starlette.datastructures import Headers

from polqa_demo.errors import Bilingual
from polqa_demo.ui.hosts import refusal

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

# From this size on a body is a large one; so many of those are held at once.
LARGE = 1 << 20
AT_ONCE = 4
# A large body that comes slower holds up the others.
_SECONDS = 120.0
_PAUSE = 0.1
_FILES = re.compile(r"/gradio_api/upload/?$")
_BROKEN_OFF = Bilingual("Żądanie przerwano.", "The request broke off.")
_TOO_SLOW = Bilingual("Treść żądania nadchodzi zbyt wolno.", "The body of the request comes too slowly.")


class _Refused(Exception):
    """A request whose body is not taken."""

    def __init__(self, status: int, message: Bilingual) -> None:
        super().__init__(message.en)
        self.status, self.message = status, message


class RequestBodies:
    """ASGI middleware: the app is given a body as a whole, or the request is refused (413) before it is collected.

    A large one holds its place until the app has answered and, where it became an event, until that was worked off.
    """

    def __init__(self, app: Any, megabytes: int) -> None:
        """
        :param megabytes: of a body at most; POLQA_MAX_TEXT_MB
        """
        self.app, self._megabytes = app, megabytes
        self._held = 0
        self._trimming: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Passes the request on, or answers with the refusal."""
        safe = scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS")
        if safe or _FILES.search(scope["path"]):
            return await self.app(scope, receive, send)
        headers, queue = Headers(scope=scope), scope["app"].get_blocks()._queue
        place = _Place(self, queue)
        try:
            body = await self._collected(receive, headers, place)
            await self.app(scope, replayed(body, receive), send)
        except _Refused as refused:
            await refusal(refused.status, refused.message, headers)(scope, receive, send)
        finally:
            place.leave()

    async def _collected(self, receive: Receive, headers: Headers, place: "_Place") -> list[bytes]:
        """The body, alone in a list that whoever takes it empties.

        :raises _Refused: it is too long, or never ends
        """
        limit = self._megabytes << 20
        stated = headers.get("content-length", "")
        if stated.isdecimal() and int(stated) > limit:
            raise self._too_large()
        body, more = bytearray(), True
        while more:
            try:
                message = await asyncio.wait_for(receive(), place.left())
            except TimeoutError:
                raise _Refused(408, _TOO_SLOW) from None
            if message["type"] == "http.disconnect":
                raise _Refused(400, _BROKEN_OFF)
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > limit:
                raise self._too_large()
            if len(body) > LARGE:
                await place.take()
        return [bytes(body)]

    def _too_large(self) -> _Refused:
        return _Refused(
            413,
            Bilingual(
                f"Żądanie z tekstami jest za duże: może mieć najwyżej {self._megabytes} MB (POLQA_MAX_TEXT_MB). "
                "Prześlij plik na stronie aplikacji albo oceń go z wiersza poleceń: python -m polqa_demo score.",
                f"The request with its texts is too large: at most {self._megabytes} MB are taken (POLQA_MAX_TEXT_MB). "
                "Upload a file on the app's page, or score it by the command line: python -m polqa_demo score.",
            ),
        )

    async def enter(self, queue: Any) -> None:
        """Waits until there is room for a large body, and holds it."""
        while self._held + _large_events(queue) >= AT_ONCE:
            await asyncio.sleep(_PAUSE)
        self._held += 1

    def leave(self, queue: Any) -> None:
        """Lets the next one in; when the last large text is worked off, its memory goes back to the system."""
        self._held -= 1
        if self._trimming is None or self._trimming.done():
            self._trimming = asyncio.create_task(self._give_back(queue))

    async def _give_back(self, queue: Any) -> None:
        while self._held or _large_events(queue):
            await asyncio.sleep(_PAUSE)
        await run_sync(_trim)


class _Place:
    """The place of one request among the large ones, once it has turned out to be one."""

    def __init__(self, bodies: RequestBodies, queue: Any) -> None:
        self._bodies, self._queue = bodies, queue
        self._until: float | None = None

    async def take(self) -> None:
        if self._until is None:
            await self._bodies.enter(self._queue)
            self._until = asyncio.get_running_loop().time() + _SECONDS

    def left(self) -> float | None:
        """Seconds that the rest of the body may take; None as long as it is a small one."""
        return None if self._until is None else self._until - asyncio.get_running_loop().time()

    def leave(self) -> None:
        if self._until is not None:
            self._bodies.leave(self._queue)


def replayed(body: list[bytes], receive: Receive) -> Receive:
    """A receive channel that gives the body and keeps nothing of it, then whatever else comes of the connection."""

    async def receive_again() -> Message:
        if not body:
            return await receive()
        return {"type": "http.request", "body": body.pop(), "more_body": False}

    return receive_again


def _large_events(queue: Any) -> int:
    """Events with large texts that wait or are worked on."""
    return sum(_size(event.data.data) > LARGE for event in list(queue.event_ids_to_events.values()) if event.data)


def _size(value: Any) -> int:
    """The characters of a text, or of those in an event's values."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 0


def _trim() -> None:
    """Gives free memory back to the system, where the C library is glibc; others do so themselves, or cannot."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
