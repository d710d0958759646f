"""A server on loopback that speaks OpenAI's chat completions and misbehaves on demand."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.local_server import on_loopback


@dataclass
class Said:
    """One reply: what is sent, and how."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0
    """Seconds before the reply, or between its bytes where `drip`."""
    drip: bool = False


def completion(text: str | None, finish: str = "stop", usage: Any = "given", **more: Any) -> Said:
    """A reply as the API reference has it."""
    whole: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        **more,
    }
    if usage == "given":
        whole["usage"] = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
    elif usage is not None:
        whole["usage"] = usage
    return Said(json.dumps(whole, ensure_ascii=False).encode())


def failure(status: int, code: str = "", param: str = "", message: str = "", **headers: str) -> Said:
    """An error as the API reference has it."""
    error = {"error": {"message": message, "type": "error", "code": code or None, "param": param or None}}
    return Said(json.dumps(error).encode(), status, {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass
class Server:
    """What it is to say, reply by reply (the last one stays), and what it was asked."""

    url: str = ""
    replies: list[Said] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    lock: threading.Condition = field(default_factory=threading.Condition)

    def wait_asked(self, count: int) -> None:
        """Waits until so many requests have come, and no more."""
        with self.lock:
            assert self.lock.wait_for(lambda: len(self.asked) >= count, 60)
        assert len(self.asked) == count

    def say(self, *replies: Said | str) -> None:
        """Sets the replies from now on."""
        self.replies = [completion(reply) if isinstance(reply, str) else reply for reply in replies]
        self.asked.clear()


@contextmanager
def serving() -> Iterator[Server]:
    """The server, running."""
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            with state.lock:
                state.asked.append(json.loads(body))
                state.headers.append({name.lower(): value for name, value in self.headers.items()})
                state.paths.append(self.path)
                state.lock.notify_all()
                said = state.replies.pop(0) if len(state.replies) > 1 else state.replies[0]
            with suppress(OSError):  # whoever asked may have gone
                self._send(said)
            self.close_connection = True

        def _send(self, said: Said) -> None:
            if not said.drip:
                time.sleep(said.pause)
            self.send_response(said.status)
            for name, value in {"Content-Type": "application/json", "Connection": "close", **said.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said.body)))
            self.end_headers()
            if said.drip:
                for place in range(len(said.body)):
                    self.wfile.write(said.body[place : place + 1])
                    self.wfile.flush()
                    time.sleep(said.pause)
            else:
                self.wfile.write(said.body)

        def log_message(self, *_: object) -> None:
            pass

    with on_loopback(Handler) as address:
        state.url = f"{address}/v1"
        yield state
