"""One OpenAI-compatible server: requests with a deadline, a bounded reply, retries, and the spending limit.

Protocol: POST {url}/chat/completions (OpenAI API reference, Chat Completions), without streaming. Address and key come
from the operator's settings alone. What a server says in its errors is not shown: some quote the key.
"""

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from polqa_demo.errors import UserError
from polqa_demo.reading import chat_errors
from polqa_demo.reading.chat_spending import PROCESS, Spending, estimate
from polqa_demo.settings import Settings

if TYPE_CHECKING:
    import httpx

MAX_BODY_BYTES = 2_000_000
_PASSING = frozenset([408, 425, 429, 500, 502, 503, 504, 529])
_PATH = "/chat/completions"
# Of these a server only says that it is busy, at no cost; whatever else fails is tried again a few times alone.
_BUSY = frozenset([425, 429, 503, 529])
_MOST_LOST = 3
_FIRST_WAIT = 0.5  # seconds
_LONGEST_WAIT = 8  # times the first
_MOST_TOKENS = 10_000_000  # of one request; a server that claims more is not believed
_KEY = re.compile(r"[\x21-\x7e]+")
_QUOTA = frozenset(["insufficient_quota", "billing_hard_limit_reached"])
_TOO_LONG = frozenset(["context_length_exceeded", "string_above_max_length"])


@dataclass(frozen=True, slots=True)
class Completion:
    """The text a model wrote; `cut` says that it stopped at the most tokens allowed."""

    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class _Failed:
    """A try that may be made again: what is told when it was the last, and how long the server wants one to wait.

    `lost` says that it cost time or a fault of the server's, which is not borne as often as a server that is busy.
    """

    error: UserError
    wait: float | None = None
    lost: bool = True


class ChatClient:
    """Asks one model of one server; safe to use from several threads."""

    def __init__(self, knobs: Settings, model: str | None = None, spending: Spending = PROCESS) -> None:
        """Reads the settings; nothing is sent yet.

        `first_wait` is the pause before the second try, in seconds; `sleep` is how it is made.

        :raises UserError: address or model are not set, or address or key are impossible
        """
        self.url, self.host = _endpoint(knobs.chat_url)
        self.model = (model or knobs.chat_model or "").strip()
        if not self.model:
            raise chat_errors.not_set("POLQA_CHAT_MODEL")
        self.spending = spending
        self.first_wait = _FIRST_WAIT
        self.sleep: Callable[[float], None] = time.sleep
        self._knobs = knobs
        self._headers = _headers(knobs)
        self._lock = Lock()
        self._opened: httpx.Client | None = None
        # Some models of OpenAI know the length by its newer name and take no temperature.
        self._length_field = "max_tokens"
        self._temperature = True

    @property
    def endpoint(self) -> str:
        """The address without whatever it may hold that is secret."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{self.host}{parts.path}"

    def close(self) -> None:
        """Closes the connections."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def complete(self, messages: list[dict[str, str]]) -> Completion:
        """The model's reply.

        :raises UserError: the spending limit is reached, or the server cannot be asked, refuses, or does not speak the
            protocol; after so many retries as the settings say where that may pass, and fewer where the server fails
            instead of being busy
        """
        tried = lost = 0
        while True:
            found = self._try(messages)
            if isinstance(found, Completion):
                return found
            lost += found.lost
            if tried >= self._knobs.chat_retries or lost > _MOST_LOST:
                raise found.error
            pause = self.first_wait * min(2**tried, _LONGEST_WAIT) * random.uniform(0.75, 1.25)  # noqa: S311
            if found.wait is not None:
                if found.wait > self._knobs.chat_max_wait:
                    raise chat_errors.asked_to_wait(self.host, found.wait)
                pause = max(pause, found.wait)
            self.sleep(pause)
            tried += 1

    def _try(self, messages: list[dict[str, str]]) -> Completion | _Failed:
        reserved = estimate(*(message["content"] for message in messages)) + self._knobs.chat_answer_tokens
        self.spending.reserve(reserved, self._knobs.chat_max_requests, self._knobs.chat_max_tokens)
        import httpx

        try:
            status, headers, body = self._send(messages)
        except httpx.TimeoutException:
            # The server may have worked and charge for it, so what was reserved stays spent.
            return _Failed(chat_errors.too_slow(self.host, self._knobs.chat_timeout))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            self.spending.settle(reserved, 0 if isinstance(error, httpx.ConnectError) else None)
            return _Failed(chat_errors.unreachable(self.host, type(error).__name__))
        if status != 200:
            self.spending.settle(reserved, 0)
            return self._refused(status, headers, body)
        told = _parsed(body)
        if told is None:
            self.spending.settle(reserved, None)
            raise chat_errors.not_compatible(self.host, "JSON")
        self.spending.settle(reserved, _tokens(told))
        return _completion(told, self.host)

    def _send(self, messages: list[dict[str, str]]) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and whole body; the deadline is for all of it, however slowly it drips.

        :raises UserError: the body is too big
        """
        import httpx

        deadline = time.monotonic() + self._knobs.chat_timeout
        body = bytearray()
        with self._client().stream("POST", self.url, json=self._payload(messages)) as response:
            # No encoding was asked for; a small packed reply could be a very big one.
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise chat_errors.not_compatible(self.host, "Content-Encoding")
            for piece in response.iter_raw():
                body += piece
                if len(body) > MAX_BODY_BYTES:
                    raise chat_errors.too_big(self.host, MAX_BODY_BYTES)
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the deadline of the whole request")
            return response.status_code, response.headers, bytes(body)

    def _payload(self, messages: list[dict[str, str]]) -> dict[str, object]:
        payload: dict[str, object] = {"model": self.model, "messages": messages, "stream": False}
        payload[self._length_field] = self._knobs.chat_answer_tokens
        if self._temperature:
            payload["temperature"] = 0
        return payload

    def _client(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._opened is None:
                self._opened = httpx.Client(
                    timeout=self._knobs.chat_timeout, follow_redirects=False, headers=self._headers
                )
            return self._opened

    def _refused(self, status: int, headers: Mapping[str, str], body: bytes) -> _Failed:
        """What a status other than 200 means.

        :raises UserError: trying again would not help
        """
        told = _parsed(body) or {}
        detail = told.get("error")
        detail = detail if isinstance(detail, dict) else {}
        code = str(detail.get("code") or detail.get("type") or "")
        if code in _QUOTA:
            raise chat_errors.no_quota(self.host)
        if code in _TOO_LONG:
            raise chat_errors.too_long(self.host)
        if status in _PASSING:
            wait = _wait(headers.get("retry-after"))
            return _Failed(chat_errors.busy(self.host, status), wait, status not in _BUSY)
        if status == 400 and self._adapted(str(detail.get("param") or "")):
            return _Failed(chat_errors.refused(self.host, status, self.model), 0.0, lost=False)
        raise chat_errors.refused(self.host, status, self.model)

    def _adapted(self, field: str) -> bool:
        """Whether the next try leaves out what this server does not know; its error names the field."""
        if field == "max_tokens" and self._length_field == "max_tokens":
            self._length_field = "max_completion_tokens"
            return True
        if field == "temperature" and self._temperature:
            self._temperature = False
            return True
        return False


def _endpoint(url: str | None) -> tuple[str, str]:
    """The address to post to, and what messages may show of it."""
    if not url or not url.strip():
        raise chat_errors.not_set("POLQA_CHAT_URL")
    url = url.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise chat_errors.bad_address() from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise chat_errors.bad_address()
    host = parts.hostname if port is None else f"{parts.hostname}:{port}"
    return url if url.endswith(_PATH) else url + _PATH, host


def _headers(knobs: Settings) -> dict[str, str]:
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    key = knobs.chat_key.get_secret_value().strip() if knobs.chat_key else ""
    if key:
        if not _KEY.fullmatch(key):
            raise chat_errors.bad_key()
        headers["Authorization"] = f"Bearer {key}"
    return headers


def _parsed(body: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _tokens(told: dict[str, Any]) -> int | None:
    """The tokens of a reply's `usage`; None where it has none that can be believed."""
    usage = told.get("usage")
    if not isinstance(usage, dict):
        return None
    total = usage.get("total_tokens")
    if total is None:
        parts = usage.get("prompt_tokens"), usage.get("completion_tokens")
        total = sum(part for part in parts if isinstance(part, int)) or None
    valid = isinstance(total, int) and not isinstance(total, bool) and 0 < total <= _MOST_TOKENS
    return total if valid else None


def _completion(told: dict[str, Any], host: str) -> Completion:
    try:
        choice = told["choices"][0]
        content = choice["message"].get("content")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise chat_errors.not_compatible(host, "choices[0].message") from None
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if content is not None and not isinstance(content, str):
        raise chat_errors.not_compatible(host, "choices[0].message.content")
    return Completion(content or "", choice.get("finish_reason") == "length")


def _wait(value: str | None) -> float | None:
    """Seconds of a Retry-After header, given as such or as a date (RFC 9110, 10.2.3); None without a proper one."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value.strip()[:9])
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)
