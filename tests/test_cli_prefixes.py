"""Prefixes of an encoder on the command line and on the page: given, told, and part of the index."""

import json
from pathlib import Path

import pytest
from test_cli import Call

from polqa_demo.settings import Settings
from polqa_demo.ui.ask import ask_html
from polqa_demo.ui.service import Service
from tests.retrieval.hub_models import lay_out

TEXTS = ("Wisła rzeka", "Lalkę napisał Bolesław Prus " * 20)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out(tmp_path_factory.mktemp("models") / "multilingual-e5-base")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    rows = ({"id": str(number), "title": "", "text": text} for number, text in enumerate(TEXTS))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_what_was_assumed_is_told_at_build_and_by_the_commands(tmp_path: Path, model: Path, corpus: Path) -> None:
    parts = ("--encoder", model, "--retriever", "dense")
    built = Call(tmp_path, "--lang", "en", "index", "build", "--corpus", corpus, "--out", tmp_path / "index", *parts)
    assert built.code == 0, built.err
    for told in ("'query: …'", "guessed by the folder's name", "pooling: mean", "48 tokens", "passages cut: 1 of 2"):
        assert told in built.err
    asked = Call(tmp_path, "--lang", "en", "ask", "Kto napisał Lalkę?", "--index", tmp_path / "index", *parts)
    assert asked.code == 0, asked.err
    assert "passages cut: 1 of 2" in asked.err
    assert "reads only the beginning of long passages. Cut: 1 of 2." in asked.err


def test_other_prefixes_than_those_of_the_index_are_refused(tmp_path: Path, model: Path, corpus: Path) -> None:
    index, parts = tmp_path / "index", ("--encoder", model, "--retriever", "dense")
    given = ("--query-prefix", "Pytanie: ", "--passage-prefix", "")
    assert Call(tmp_path, "index", "build", "--corpus", corpus, "--out", index, *parts, *given).code == 0
    question = ("ask", "Kto napisał Lalkę?", "--index", index, *parts)
    other = Call(tmp_path, *question)
    assert other.code == 1
    assert "--query-prefix 'Pytanie: ' --passage-prefix ''" in other.err
    assert Call(tmp_path, *question, *given).code == 0
    by_settings = Call(tmp_path, *question, POLQA_QUERY_PREFIX="Pytanie: ", POLQA_PASSAGE_PREFIX="")
    assert by_settings.code == 0, by_settings.err


@pytest.mark.parametrize("command", [["ask"], ["retrieve"], ["answer"], ["run"], ["index", "build"]])
def test_every_command_that_takes_an_encoder_takes_prefixes(tmp_path: Path, command: list[str]) -> None:
    told = Call(tmp_path, *command, "--help", COLUMNS="200").out
    for option in ("--encoder", "--query-prefix", "--passage-prefix"):
        assert option in told


def test_the_page_tells_it_below_the_passages(tmp_path: Path, model: Path, corpus: Path) -> None:
    knobs = Settings(
        cache_dir=tmp_path, corpus=(corpus,), encoder=str(model), retriever="dense", reader="rules", query_prefix="<b>"
    )
    service = Service(knobs)
    _, passages = ask_html(service, "Kto napisał Lalkę?", ("dense", "rules"), 2, "pl")
    line = passages[passages.index("pq-assumed") :]
    assert "uciętych fragmentów: 1 z 2" in line
    assert "&lt;b&gt;" in line
    assert "pq-assumed" not in ask_html(service, "Kto napisał Lalkę?", ("lexical", "rules"), 2, "pl")[1]
