"""Repairs of wrappings: what models, chats and lists put around an answer.

Each takes an answer and its golds and returns the mended text, or None when the answer does not have the damage. Where
a gold has the same signs they belong to the answer, and nothing is damaged.

Texts are hostile and may be long, so each pattern takes time in proportion to the text by how it is made: one that is
anchored has possessive repeats, one that is sought has bounded ones. A test reads the patterns for it.
"""

import re
from collections.abc import Sequence

from polqa_demo.data.thoughts import has_thoughts, without_thoughts
from polqa_demo.evaluation.fuzzy_match import read_number
from polqa_demo.polish.numbers import worded_numbers
from polqa_demo.polish.words import MONTHS, WORD

# Of T5, BERT and Llama by name, of later models by their bars; an `<answer>` is what R1 was taught to write. The role
# behind an opening one is part of it.
_TOKEN = re.compile(
    r"<(?:pad|unk|mask|bos|eos|sep|cls|/?s|/?answer|extra_id_[0-9]{1,3}|end_of_turn)>"
    r"|<start_of_turn>(?:model|user)?"
    r"|<\|(?:im_start|start|start_header_id)\|>(?:assistant|user|system)?"
    r"|<[|｜][^<>|｜\s]{1,40}[|｜]>"
    r"|\[(?-i:PAD|UNK|MASK|BOS|EOS|SEP|CLS|/?INST)\]|<</?SYS>>",
    re.IGNORECASE,
)
_DASHES = "-–—−"
_BULLET = re.compile(r"\A\s*+(?:([-*–—−])\s++|[•◦‣▪●○■□▶►➤·∙]\s*+)(?=(\S))")
_NUMBERED = re.compile(r"\A\s*+(?:([0-9]{1,5})[.):]|\(([0-9]{1,5})\))\s++(?=\S)")
_MONTHS = frozenset(form for month in MONTHS for form in month)
_STARRED = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]{1,200})(?<=\S)\1(?![\w*])")
_MARKERS = ("___", "__", "_", "```", "`")
_PREFIX = re.compile(
    r"\A\s*+([*_]{1,3}+)?+(?:"
    r"(?:(?:moja|poprawna|prawidłowa|właściwa|ostateczna|końcowa|krótka)\s++)?+odpowied(?:ź|z\u0301?)"
    r"(?:\s++(?:to|brzmi|na\s++pytanie))?+|odpowiedzią\s++jest|odp\.?|wynik"
    r"|(?:the\s++|final\s++)*+answer(?:\s++is)?+"
    r")(?:\s*+(?:\1)?+\s*+[:=–—-]\s*+(?:\1)?+\s*+|(?<=\bto)\s++|(?<=brzmi)\s++|(?<=jest)\s++|(?<=\bis)\s++)(?=\S)",
    re.IGNORECASE,
)
_QUOTES = {
    '"': '"”',
    "'": "'’",
    "`": "´'",
    "„": '”“"„',
    "“": '”“"',
    "”": '”"',
    "‚": "’‘'",
    "‘": "’‘'",
    "’": "’'",
    "«": "»",
    "»": "«»",
    "‹": "›",
}
_FINAL_STOP = re.compile(r"(?<![.\s])\s{0,3}\.\s{0,3}\Z")


def think_block(text: str, golds: Sequence[str]) -> str | None:
    """What stands outside the thoughts, also where one of their two tags is missing; the thoughts if nothing does."""
    return without_thoughts(text) if has_thoughts(text) and not any(map(has_thoughts, golds)) else None


def special_tokens(text: str, golds: Sequence[str]) -> str | None:
    """The text without the tokens that steer a model: `<pad>`, `</s>`, `[SEP]`, `<|im_end|>`."""
    if not _TOKEN.search(text) or any(map(_TOKEN.search, golds)):
        return None
    return " ".join(filter(None, map(str.strip, _TOKEN.split(text))))


def bullets(text: str, golds: Sequence[str]) -> str | None:
    """The text without the bullet in front of it; a dash before a number may be its minus and stays."""
    match = _BULLET.match(text)
    if not match or any(map(_BULLET.match, golds)):
        return None
    dash, first = match.groups()
    minus = dash and dash in _DASHES and first in ".,0123456789"
    return None if minus else text[match.end() :]


def numbering(text: str, golds: Sequence[str]) -> str | None:
    """The text without the number of its line (`3. Kraków`, `12) tak`).

    A number that is the answer's own stays: one that a gold says, too, the first part of a date or of a longer number.
    """
    match = _NUMBERED.match(text)
    if not match or any(map(_NUMBERED.match, golds)):
        return None
    rest = text[match.end() :]
    word = WORD.match(rest)
    if _NUMBERED.match(rest) or (word and word.group().lower() in _MONTHS):
        return None
    number = int(match[1] or match[2])
    return None if any(_says(gold, number) for gold in golds) else rest


def _says(gold: str, number: int) -> bool:
    read = read_number(gold)
    return read == str(number) if read else any(worded.value == number for worded in worded_numbers(gold))


def emphasis(text: str, golds: Sequence[str]) -> str | None:
    """The text without Markdown's stars, underlines and backticks around it, or around words in it (stars)."""
    if "*" in text and not any("*" in gold for gold in golds):
        mended = _STARRED.sub(r"\2", text)
        return mended if mended != text else None
    whole = text.strip()
    for marker in _MARKERS:
        if whole.startswith(marker) and whole.endswith(marker):
            inner = whole[len(marker) : -len(marker)]
            own = marker[0] in inner or any(marker[0] in gold for gold in golds)
            return inner.strip() if inner.strip() and not own else None
    return None


def prefix(text: str, golds: Sequence[str]) -> str | None:
    """The text without words that announce an answer (`Odpowiedź:`, `The answer is`)."""
    match = _PREFIX.match(text)
    return text[match.end() :] if match else None


def quotes(text: str, golds: Sequence[str]) -> str | None:
    """The text without one pair of quotes around it."""
    inner = text.strip()
    if len(inner) > 2 and inner[-1] in _QUOTES.get(inner[0], ""):
        return inner[1:-1]
    return None


def final_stop(text: str, golds: Sequence[str]) -> str | None:
    """The text without its full stop; an ellipsis stays."""
    if "." not in text[-3:]:
        return None
    match = _FINAL_STOP.search(text, max(0, len(text) - 4))
    return text[: match.start()] if match and match.start() else None
