"""No regular expression of the parsers takes more than linear time: of four times the text some four times as long."""

import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import polqa_demo.data
import polqa_demo.submissions

pytestmark = pytest.mark.heavy

# Pieces that patterns are hungry for, repeated, with something behind them that makes the match fail.
PIECES = (
    *tuple("a 0-'\"\\[](){}<>|;,._*#=ą\t\n\ufeff\u00a0"),
    *("9.", "1,", "''", '""', "\\'", "<a ", "||", ", ", "1-1 ", "1_a", "a b", "'a' ", '"a" ', "e1", "array(", "u'"),
    *("0%", "yy", "\\ud", "::", "--", "&#1", "1 2\t", "p.", "0 "),
)
ENDS = ("", "!")
LENGTH = 1000
# Four times the text may take eight times as long; a square would take sixteen. What is quicker is not judged.
MOST, SECONDS = 8, 0.005


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for room in (polqa_demo.submissions, polqa_demo.data):
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                    yield f"{found.name.removeprefix('polqa_demo.')}.{name}", value


FOUND = dict(patterns())
SOURCES = "".join(
    file.read_text(encoding="utf-8")
    for room in (polqa_demo.submissions, polqa_demo.data)
    for file in Path(room.__path__[0]).glob("*.py")
)


def uses(name: str) -> list[str]:
    """How a pattern is used: anchored, or tried from every place of a text, which is another matter."""
    methods = set(re.findall(rf"\b{name.rpartition('.')[2]}\.(\w+)", SOURCES))
    return ["fullmatch", *(["search"] if methods - {"match", "fullmatch"} else [])]


def seconds(pattern: re.Pattern[str], use: str, text: str, times: int = 3) -> float:
    """Processor time of one use; the least of some."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        getattr(pattern, use)(text)
        taken.append(time.process_time() - start)
    return min(taken)


def test_there_are_patterns() -> None:
    assert len(FOUND) > 20


@pytest.mark.parametrize("name", FOUND)
def test_time_is_linear(name: str) -> None:
    slow = []
    for use, piece, end in itertools.product(uses(name), PIECES, ENDS):
        short, long = (piece * (length // len(piece)) + end for length in (LENGTH, 4 * LENGTH))
        if seconds(FOUND[name], use, long, 1) > SECONDS:
            taken = seconds(FOUND[name], use, long)
            if taken > SECONDS and taken > MOST * seconds(FOUND[name], use, short):
                slow.append((use, piece, end, taken))
    assert slow == []
