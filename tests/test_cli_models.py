"""Models of others on the command line: no answer as JSON, what was assumed, and what a reranker cut."""

import json
from pathlib import Path

import pytest
from test_cli import Call

from tests.retrieval import tiny_cross_encoder
from tests.tiny_encoder import write_reader

QUESTION = "Kto napisał Lalkę?"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    texts = ("Lalkę napisał Bolesław Prus", "Lalkę napisał Bolesław Prus " * 40)
    rows = ({"id": str(number), "title": "Lalka", "text": text} for number, text in enumerate(texts))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def silent_reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An extractive model that prefers its first token to every other."""
    from safetensors.torch import load_file, save_file

    folder = write_reader(tmp_path_factory.mktemp("models") / "silent")
    weights = load_file(folder / "model.safetensors")
    first = weights["bert.embeddings.word_embeddings.weight"][1]
    # The residual path alone carries the token, so a head along the first token's embedding finds it.
    for name, values in weights.items():
        if "attention.output.dense" in name or "output.dense" in name or "position_embeddings" in name:
            values.zero_()
    weights["qa_outputs.weight"][:] = 50 * (first - first.mean())
    weights["qa_outputs.bias"].zero_()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_no_answer_is_an_empty_text_with_its_confidence(tmp_path: Path, corpus: Path, silent_reader: Path) -> None:
    parts = ("--corpus", corpus, "--retriever", "lexical", "--reader", "spans", "--model", silent_reader)
    asked = Call(tmp_path, "--lang", "en", "ask", QUESTION, *parts, "--json")
    assert asked.code == 0, asked.err
    found = json.loads(asked.out)
    assert found["answer"] == ""
    assert found["confidence"] > 0.5
    assert (found["passage_id"], found["start"], found["end"]) == (None, None, None)
    assert "SQuAD 2.0" in asked.err


def test_what_a_reranker_assumes_and_cuts_is_told(tmp_path: Path, corpus: Path) -> None:
    folder = tiny_cross_encoder.save(tmp_path / "model")
    parts = ("--corpus", corpus, "--retriever", "lexical", "--reader", "rules", "--reranker", folder)
    asked = Call(tmp_path, "--lang", "en", "ask", QUESTION, *parts)
    assert asked.code == 0, asked.err
    for told in ("raw scores; up to 64 tokens", "float32", "Pairs cut: 1 of 2"):
        assert told in asked.err


def test_the_help_names_the_prompt_of_a_generating_reader(tmp_path: Path) -> None:
    told = Call(tmp_path, "ask", "--help", COLUMNS="200").out
    for words in ("POLQA_SEQ2SEQ_PROMPT", "docs/plt5-poquad.env"):
        assert words in told
