"""No run of 40 characters of the embedded data set stands in the public real texts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from polqa_demo.data import sample
from tests.data.test_sample import ALL_ROWS, OVERLAP, PASSAGES

pytestmark = pytest.mark.real


def test_nothing_was_copied(shared: Path) -> None:
    own: dict[str, str] = {}
    texts = [passage["text"] for passage in PASSAGES]
    texts += [row[column] for row in ALL_ROWS for column in ("question", "passage_text")]
    for text in texts:
        plain = squeezed(text)
        for start in range(len(plain) - OVERLAP + 1):
            own.setdefault(plain[start : start + OVERLAP], text[:60])
    found = {
        run: own[run]
        for text in map(squeezed, real_texts(shared / "data"))
        for start in range(len(text) - OVERLAP + 1)
        if (run := text[start : start + OVERLAP]) in own
    }
    assert own
    assert not found
    assert sample.passages_file().is_file()


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def real_texts(data: Path) -> Iterator[str]:
    for name in ("poquad-corpus/passages-*.jsonl", "poleval2022-pr-long/allegro/passages.jl"):
        for file in sorted(data.glob(name)):
            for line in file.read_text(encoding="utf-8").splitlines():
                yield json.loads(line)["text"]
    for line in (data / "poquad-corpus" / "questions-gold.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["question"]
    for file in sorted(data.glob("poleval20*/**/*in.tsv")):
        yield from file.read_text(encoding="utf-8").splitlines()
    polaq = json.loads((data / "polaq" / "polaq_manual_part.json").read_text(encoding="utf-8"))
    for article in polaq["data"]:
        for paragraph in article["paragraphs"]:
            yield paragraph["context"]
            yield from (item["question"] for item in paragraph["qas"])
