"""Golds and what can happen to an answer on its way, for the audit, the repairs and the causes."""

import unicodedata
from collections.abc import Callable

from hypothesis import strategies as st


def misread(text: str, encoding: str) -> str:
    """UTF-8 read as something else; bytes without a meaning there stay control characters."""
    return "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in text.encode())


def escaped(text: str) -> str:
    """Signs beyond ASCII as Python writes them."""
    return text.encode("unicode_escape").decode()


def as_entities(text: str) -> str:
    """Signs beyond ASCII as numbers of HTML."""
    return text.encode("ascii", "xmlcharrefreplace").decode()


GOLDS = st.lists(
    st.sampled_from(
        [
            "XIX", "w XX wieku", "pięć", "5", "1,5", "1.5", "10 000", "10000", "żółw", "„Dziady”", "Karol V", "tak",
            "nie", "3. Armia", "-5", "AT&T", "&amp;", "<s>", "*", "25", "ó",
        ]
    ),
    min_size=1,
    max_size=3,
)  # fmt: skip
DAMAGES: list[Callable[[str], str]] = [
    str,
    str.lower,
    str.upper,
    lambda text: f"Odpowiedź: {text}",
    lambda text: f"„{text}”",
    lambda text: text + ".",
    lambda text: f"  {text}\u200b",
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: misread(text, "cp1250"),
    lambda text: text.encode("ascii", "replace").decode(),
    lambda text: text.replace(",", "."),
    lambda text: f"<think>a może nie?</think>{text}",
    lambda text: f"{text}<think>",
    lambda text: f"<pad> {text}</s>",
    escaped,
    as_entities,
    lambda text: text.replace("&", "&amp;"),
    lambda text: f"- {text}",
    lambda text: f"3. {text}",
    lambda text: f"**{text}**",
    lambda text: f"`{text}`",
    lambda text: {"tak": "True", "nie": "False"}.get(text, text),
    lambda text: text.replace("25", "dwadzieścia pięć"),
]
