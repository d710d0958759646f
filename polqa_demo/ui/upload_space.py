"""The space on the disk that uploads may take: so much for one visitor, so much for all, asked before a file is stored.

Gradio bounds one file; a visitor may send as many as there are. What lies there is deleted after an hour.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from polqa_demo.errors import Bilingual
from polqa_demo.settings import Settings

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

_MEGABYTE = 1 << 20
# As long as Gradio keeps a file.
_KEPT_SECONDS = 3600
# Visitors whose uploads are remembered; of more, those who came first are forgotten.
_MOST_VISITORS = 10_000


class UploadSpace:
    """A layer before the app that refuses an upload for which there is no space (413, with the reason).

    A visitor is told apart by the address that the server sees.
    """

    def __init__(self, app: Application, knobs: Settings, folder: Callable[[], Path]) -> None:
        self._app, self._knobs, self._folder = app, knobs, folder
        self._lock = threading.Lock()
        self._sent: dict[str, deque[tuple[float, int]]] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """ASGI's entry."""
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].rstrip("/").endswith("/upload"):
            await self._app(scope, receive, send)
            return
        visitor = str((scope.get("client") or ("",))[0])
        stored, sent = self._stored(), self._sent_by(visitor)
        of_all = self._knobs.max_uploads_mb * _MEGABYTE - stored
        own = self._knobs.max_visitor_uploads_mb * _MEGABYTE - sent
        refused = _no_space(self._knobs, own <= of_all)
        left, size = min(of_all, own), _length(scope)
        if size > left or left <= 0:
            await _refuse(refused, send)
            return
        counted = _Counted(receive, send, left, refused)
        try:
            await self._app(scope, counted.receive, counted.send)
        except Exception:
            # Cut off in the middle, the app complains of a visitor who went away.
            if not counted.over:
                raise
        finally:
            self._remember(visitor, counted.size)

    def _stored(self) -> int:
        """Bytes that lie in the folder; files go while they are counted."""
        total = 0
        for path in self._folder().rglob("*"):
            try:
                total += path.stat().st_size if path.is_file() else 0
            except OSError:
                continue
        return total

    def _sent_by(self, visitor: str) -> int:
        """Bytes that a visitor has sent within the time that they are kept."""
        with self._lock:
            sent = self._sent.get(visitor, deque())
            while sent and sent[0][0] < time.monotonic() - _KEPT_SECONDS:
                sent.popleft()
            return sum(size for _, size in sent)

    def _remember(self, visitor: str, size: int) -> None:
        with self._lock:
            self._sent.setdefault(visitor, deque()).append((time.monotonic(), size))
            while len(self._sent) > _MOST_VISITORS:
                del self._sent[next(iter(self._sent))]


class _Counted:
    """A request whose body may be so long and no longer: what its head says of its length need not be true."""

    def __init__(self, receive: Receive, send: Send, left: int, refused: Bilingual) -> None:
        self._receive, self._send = receive, send
        self._left, self._refused = left, refused
        self.size = 0
        self.over = False

    async def receive(self) -> Message:
        if self.over:
            return {"type": "http.disconnect"}
        message = await self._receive()
        self.size += len(message.get("body", b""))
        if self.size > self._left:
            self.over = True
            await _refuse(self._refused, self._send)
            return {"type": "http.disconnect"}
        return message

    async def send(self, message: Message) -> None:
        if not self.over:
            await self._send(message)


def _length(scope: Message) -> int:
    """The length that the head of a request names; 0 where it names none."""
    value = dict(scope["headers"]).get(b"content-length", b"")
    return int(value) if value.isdigit() and len(value) < 20 else 0


def _no_space(knobs: Settings, own: bool) -> Bilingual:
    megabytes = knobs.max_visitor_uploads_mb if own else knobs.max_uploads_mb
    name = "POLQA_MAX_VISITOR_UPLOADS_MB" if own else "POLQA_MAX_UPLOADS_MB"
    whose = ("Twoje pliki", "Your files") if own else ("Pliki wszystkich", "The files of all visitors")
    return Bilingual(
        f"{whose[0]} zajęłyby ponad {megabytes} MB ({name}). Pliki są usuwane po godzinie; przyślij mniejszy albo "
        "spróbuj później.",
        f"{whose[1]} would take more than {megabytes} MB ({name}). Files are deleted after an hour; send a smaller one "
        "or try again later.",
    )


async def _refuse(message: Bilingual, send: Send) -> None:
    body = json.dumps({"detail": f"{message.en} / {message.pl}"}, ensure_ascii=False).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 413, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})
