"""What the chat reader may spend: requests and tokens of one process, counted before and after each request."""

from dataclasses import dataclass, field
from threading import Lock

from polqa_demo.errors import UserError

_CHARACTERS_A_TOKEN = 3  # of Polish; rather too few, so that an estimate is rather too high


@dataclass(slots=True)
class Spending:
    """A purse for several threads: a request is paid for before it is sent, and settled when its price is known."""

    requests: int = 0
    tokens: int = 0
    estimated: bool = False
    """Whether a server did not say how many tokens it took, so that `tokens` is an estimate."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def reserve(self, tokens: int, max_requests: int, max_tokens: int) -> None:
        """Counts a request of about so many tokens.

        :raises UserError: a limit is reached; nothing is counted then
        """
        with self._lock:
            if self.requests + 1 > max_requests:
                raise _spent("POLQA_CHAT_MAX_REQUESTS", "zapytań", "requests", self.requests, max_requests)
            if self.tokens + tokens > max_tokens:
                raise _spent("POLQA_CHAT_MAX_TOKENS", "tokenów", "tokens", self.tokens, max_tokens)
            self.requests += 1
            self.tokens += tokens

    def settle(self, reserved: int, used: int | None) -> None:
        """Puts what was really used in the place of what was reserved; None: the server did not say, it stays."""
        with self._lock:
            if used is None:
                self.estimated = True
            else:
                self.tokens += used - reserved


PROCESS = Spending()
"""The purse of this process, shared by all its chat readers."""


def estimate(*texts: str) -> int:
    """About how many tokens texts have."""
    return sum(len(text) // _CHARACTERS_A_TOKEN + 1 for text in texts)


def _spent(setting: str, noun_pl: str, noun_en: str, count: int, limit: int) -> UserError:
    return UserError(
        "chat-spent",
        f"Limit wydatków czytnika chat jest wyczerpany ({noun_pl} od uruchomienia programu: {count} z {limit}). Użyj "
        f"innego czytnika albo podnieś {setting} i uruchom program ponownie.",
        f"The chat reader's spending limit is reached ({noun_en} since the program was started: {count} of {limit}). "
        f"Use another reader, or raise {setting} and start the program again.",
    )
