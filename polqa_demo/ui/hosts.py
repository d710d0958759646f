"""The hosts that the app answers to, and the pages that may send it anything.

A browser carries requests of any page to any address. Under a name that an attacker lets point at 127.0.0.1 (DNS
rebinding) his page would read an app that nobody but its user should reach, and from its own address it could still
send. So an app bound to loopback answers to names of loopback and of the operator's alone, and no app takes anything
from a page of another origin (RFC 6454).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse

from polqa_demo.errors import Bilingual, first_few
from polqa_demo.settings import Settings

SETTING = "POLQA_ALLOWED_HOSTS"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MCP_PATH = "/gradio_api/mcp"
# A name or an IPv6 address in brackets, with a port or without (RFC 9110, Host); or such an address alone.
_ADDRESS = re.compile(
    r"(?:(?P<name>[\w.*-]+)|\[(?P<bracketed>[0-9a-f:.]+)\])(?::(?P<port>[0-9]{0,5}))?"
    r"|(?P<bare>[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*)"
)
_SAFE = ("GET", "HEAD", "OPTIONS")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


@dataclass(frozen=True, slots=True)
class Address:
    """Name and port (empty: the default one) of a Host header or an Origin, in small letters, without brackets."""

    name: str
    port: str = ""

    @classmethod
    def of(cls, text: str, scheme: str = "") -> "Address":
        """The address of `localhost:7860`, `[::1]:7860` or `::1`; an empty name where there is none."""
        found = _ADDRESS.fullmatch(text.strip().lower())
        if found is None:
            return cls("")
        name, port = found["name"] or found["bracketed"] or found["bare"], found["port"] or ""
        return cls(name.removesuffix("."), "" if port == _DEFAULT_PORTS.get(scheme) else port)

    @classmethod
    def of_origin(cls, origin: str) -> "Address":
        """The address of `https://example.org`; an empty name for `null` and whatever else names no host."""
        try:
            parts = urlsplit(origin)
        except ValueError:
            return cls("")
        return cls.of(parts.netloc, parts.scheme)

    def matches(self, pattern: "Address") -> bool:
        """Whether an operator's entry means this address: `*`, `*.example.org`, a name, or a name with its port."""
        if pattern.port and pattern.port != self.port:
            return False
        if pattern.name.startswith("*."):
            return self.name.endswith(pattern.name[1:])
        return bool(self.name) and pattern.name in ("*", self.name)


@dataclass(frozen=True, slots=True)
class Hosts:
    """`answered` are the addresses that the app answers to, None where it answers to any; `allowed` the operator's."""

    answered: frozenset[Address] | None
    allowed: frozenset[Address]

    @classmethod
    def of(cls, knobs: Settings) -> "Hosts":
        """What holds for an app with these settings.

        Bound to loopback, it answers to the names of loopback, of the Space and of the setting. Bound to another
        address it stands in a container or behind a proxy, whose names nobody here knows: it answers to any, unless the
        setting says which.
        """
        named = [*knobs.allowed_hosts, *filter(None, knobs.space_host.split(","))]
        allowed = frozenset(map(Address.of, named))
        if knobs.allowed_hosts or _is_loopback(knobs.server_name):
            return cls(allowed | {Address.of(name) for name in (*LOOPBACK, knobs.server_name)}, allowed)
        return cls(None, allowed)

    def answer(self, host: str) -> bool:
        """Whether a Host header is one of the app's."""
        return self.answered is None or _in(Address.of(host), self.answered)

    def take(self, origin: str, hosts: Iterable[str]) -> bool:
        """Whether a page of this origin may send: it is one of the hosts that the request came to, or allowed.

        The scheme is left aside, for TLS may end at a proxy; so is a port that the proxy did not pass on.
        """
        page = Address.of_origin(origin)
        if not page.name:
            return False
        own = any(_is_same(page, Address.of(host)) for host in hosts)
        return own or _in(page, self.allowed)


class HostGuard:
    """ASGI middleware that refuses foreign hosts and pages before anything is read of the request."""

    def __init__(self, app: Any, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Passes the request on, or answers with the refusal."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        refused = self._refusal(scope, Headers(scope=scope))
        if refused is None:
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": SETTING})
        return await refusal(403, refused, Headers(scope=scope))(scope, receive, send)

    def _refusal(self, scope: Any, headers: Headers) -> Bilingual | None:
        host = headers.get("host", "")
        if not self.hosts.answer(host):
            return _foreign_host(host)
        origin = headers.get("origin")
        may_change = scope["type"] == "websocket" or scope["method"] not in _SAFE
        # A page may not even listen to the MCP server (its specification, on transports).
        if origin is None or not (may_change or (_is_mcp(scope["path"]) and scope["method"] == "GET")):
            return None
        # A page of another origin can send this header, but not with a name that the app answers to.
        forwarded = headers.get("x-forwarded-host", "").split(",")[0]
        hosts = [host, *([forwarded] if forwarded and self.hosts.answer(forwarded) else [])]
        return None if self.hosts.take(origin, hosts) else _foreign_origin(origin)


def refusal(status: int, message: Bilingual, headers: Headers) -> Any:
    """A refusal in both languages: plain text for a browser that wants a page, else JSON."""
    said = f"{message.en} / {message.pl}"
    if "text/html" in headers.get("accept", ""):
        return PlainTextResponse(f"{message.pl}\n{message.en}\n", status)
    # Gradio's clients read one field or the other.
    return JSONResponse({"detail": said, "error": said}, status)


def _is_loopback(bound: str) -> bool:
    name = Address.of(bound).name
    return name in LOOPBACK or name.startswith("127.")


def _is_same(page: Address, host: Address) -> bool:
    """Whether a page comes from the host; a port that is left out is one of the default ones, or was not passed on."""
    names = page.name == host.name or {page.name, host.name} <= LOOPBACK
    ports = page.port == host.port or not host.port or (not page.port and host.port in _DEFAULT_PORTS.values())
    return names and ports


def _in(address: Address, known: Iterable[Address]) -> bool:
    return any(address.matches(pattern) for pattern in known)


def _is_mcp(path: str) -> bool:
    return f"{MCP_PATH}/" in f"{path}/"


def _foreign_host(host: str) -> Bilingual:
    shown = first_few([host])
    return Bilingual(
        f"Aplikacja nie odpowiada pod nazwą „{shown}”. Jeśli to jej nazwa, dopisz ją do {SETTING}.",
        f"The app does not answer to the host “{shown}”. If it is the app's, add it to {SETTING}.",
    )


def _foreign_origin(origin: str) -> Bilingual:
    shown = first_few([origin])
    return Bilingual(
        f"Strona „{shown}” nie może nic wysyłać do tej aplikacji. Jeśli ma móc, dopisz jej host do {SETTING}.",
        f"The page “{shown}” may not send anything to this app. If it should, add its host to {SETTING}.",
    )
