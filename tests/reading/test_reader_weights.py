"""Readers' models without safetensors, from a folder and from a hub on loopback: what they have, and the cure."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from polqa_demo.errors import UserError
from polqa_demo.reading.hub_models import load_seq2seq, seq2seq_folder
from polqa_demo.reading.spans import SpanReader
from tests.reading.tiny_seq2seq import write_t5
from tests.retrieval.hub_models import pickled, write_network
from tests.retrieval.tiny_hub import TinyHub, only_hub

READERS: dict[str, Callable[[str], Any]] = {
    "spans": SpanReader.from_hub,
    "seq2seq": lambda name: load_seq2seq(name, seq2seq_folder(name)),
}
NETWORKS: dict[str, Callable[[Path], Path]] = {
    "spans": lambda folder: write_network(folder, "BertForQuestionAnswering"),
    "seq2seq": write_t5,
}


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[TinyHub]:
    with only_hub(tmp_path / "cache") as served:
        yield served


def refusal(reader: str, name: str) -> UserError:
    with pytest.raises(UserError) as refused:
        READERS[reader](name)
    assert refused.value.say("pl") != refused.value.say("en")
    return refused.value


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("file", "told"), [("model-Q4.gguf", "--reader chat"), ("onnx/model.onnx", "ONNX"), ("pytorch_model.bin", "code")]
)
@pytest.mark.parametrize("config", [True, False])
def test_what_there_is_and_the_cure_are_told(
    hub: TinyHub,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    reader: str,
    file: str,
    told: str,
    config: bool,
) -> None:
    folder = NETWORKS[reader](tmp_path / "model") if config else tmp_path / "model"
    (folder / "model.safetensors").unlink(missing_ok=True)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(b"GGUF")
    hub.add("some/reader", folder)
    capfd.readouterr()
    for name in ("some/reader", str(folder)):
        refused = refusal(reader, name)
        assert refused.code == "reader-model-without-safetensors"
        assert told in refused.say("en")
        assert file in refused.say("pl")
    noise = capfd.readouterr().err
    assert "No files matched" not in noise


@pytest.mark.parametrize("reader", READERS)
def test_a_revision_with_safetensors_is_named(hub: TinyHub, tmp_path: Path, reader: str) -> None:
    hub.add("some/reader", pickled(NETWORKS[reader](tmp_path / "main")))
    hub.add("some/reader", NETWORKS[reader](tmp_path / "proposed"), "refs/pr/7")
    assert "some/reader@refs/pr/7" in refusal(reader, "some/reader").say("en")


def test_a_span_reader_opens_at_the_revision_that_was_named(hub: TinyHub, tmp_path: Path) -> None:
    hub.add("some/reader", NETWORKS["spans"](tmp_path / "proposed"), "refs/pr/7")
    assert SpanReader.from_hub("some/reader@refs/pr/7").identity["model"] == hub.commit("some/reader", "refs/pr/7")


def test_another_network_as_a_span_reader_is_told_without_notices(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = write_network(tmp_path / "model")
    capfd.readouterr()
    assert refusal("spans", str(folder)).code == "reader-model-kind"
    assert "LOAD REPORT" not in capfd.readouterr().err
