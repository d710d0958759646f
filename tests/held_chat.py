"""A chat server on loopback whose replies are held until they are let go, so that a test has the order of events."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.local_server import on_loopback

# A test that waits longer hangs; nothing is decided by it.
HANGS = 30
_QUESTION = re.compile(r"Pytanie: (.*)$")


def _of(events: dict[str, threading.Event], question: str) -> threading.Event:
    return events.setdefault(question, threading.Event())


@dataclass
class HeldChat:
    """What was asked, and the answers that were let go, by question."""

    url: str = ""
    _arrived: dict[str, threading.Event] = field(default_factory=dict)
    _let_go: dict[str, threading.Event] = field(default_factory=dict)
    _sent: dict[str, threading.Event] = field(default_factory=dict)
    _answers: dict[str, str] = field(default_factory=dict)

    def has(self, question: str) -> bool:
        """Whether the question came here."""
        return _of(self._arrived, question).is_set()

    def wait_for(self, question: str) -> None:
        """Waits until the question is here."""
        assert _of(self._arrived, question).wait(HANGS), f"was never asked: {question}"

    def let_go(self, question: str, answer: str) -> None:
        """Sends the answer to a question that is here or will come, and waits until it is out."""
        self._answers[question] = answer
        _of(self._let_go, question).set()
        assert _of(self._sent, question).wait(HANGS), f"was never asked: {question}"

    def reply(self, question: str) -> str:
        _of(self._arrived, question).set()
        _of(self._let_go, question).wait(HANGS)
        return self._answers.get(question, "nie wiem")

    def sent(self, question: str) -> None:
        _of(self._sent, question).set()


@contextmanager
def held_chat() -> Iterator[HeldChat]:
    """The server, running."""
    state = HeldChat()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
            found = _QUESTION.search(messages[-1]["content"])
            question = found[1] if found else ""
            message = {"role": "assistant", "content": state.reply(question)}
            body = json.dumps({"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
            with suppress(OSError):  # whoever asked may have gone
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            state.sent(question)

        def log_message(self, *_: object) -> None:
            pass

    with on_loopback(Handler) as address:
        state.url = f"{address}/v1"
        yield state


def chat_settings(chat: HeldChat) -> dict[str, str]:
    """The settings of an app that reads with this server."""
    return {
        "POLQA_READER": "chat",
        "POLQA_CHAT_URL": chat.url,
        "POLQA_CHAT_MODEL": "held",
        "POLQA_CHAT_TIMEOUT": str(HANGS),
        "POLQA_CHAT_RETRIES": "0",
        "NO_PROXY": "127.0.0.1",
    }
