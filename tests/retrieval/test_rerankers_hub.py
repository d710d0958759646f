"""Rerankers from a hub that lies on loopback: revisions, safetensors alone, and what is told of the rest."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.cross_encoder import CrossEncoderScorer
from tests.retrieval.hub_models import lay_out, pickled, write_network
from tests.retrieval.tiny_hub import TinyHub, only_hub

PASSAGES = [Passage("1", "Lalka", "Lalkę napisał Bolesław Prus"), Passage("2", "", "Wisła rzeka")]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[TinyHub]:
    with only_hub(tmp_path / "cache") as served:
        yield served


def cross_encoder(folder: Path) -> Path:
    return write_network(folder, "BertForSequenceClassification", num_labels=1)


def refusal(name: str) -> UserError:
    with pytest.raises(UserError) as refused:
        CrossEncoderScorer.open(name)
    assert refused.value.say("pl") != refused.value.say("en")
    return refused.value


def test_a_reranker_opens_by_name_and_revision(hub: TinyHub, tmp_path: Path) -> None:
    hub.add("some/reranker", pickled(cross_encoder(tmp_path / "main")))
    hub.add("some/reranker", cross_encoder(tmp_path / "proposed"), "refs/pr/3")
    refused = refusal("some/reranker")
    assert refused.code == "reranker-without-safetensors"
    assert "some/reranker@refs/pr/3" in refused.say("pl")
    assert "CrossEncoder(…)" in refused.say("en")
    opened = CrossEncoderScorer.open("some/reranker@refs/pr/3")
    assert opened.fingerprint == hub.commit("some/reranker", "refs/pr/3") + "-raw"
    assert len(opened.score("kto napisał lalkę", PASSAGES)) == 2
    assert not [path for path in hub.asked if path.endswith(".bin")]


@pytest.mark.parametrize(("file", "told"), [("model.gguf", "GGUF"), ("onnx/model.onnx", "ONNX"), ("x.pt", "run code")])
def test_weights_for_other_engines_are_told(hub: TinyHub, tmp_path: Path, file: str, told: str) -> None:
    folder = cross_encoder(tmp_path / "model")
    (folder / "model.safetensors").unlink()
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_bytes(b"x")
    hub.add("some/reranker", folder)
    for name in ("some/reranker", str(folder)):
        refused = refusal(name)
        assert refused.code == "reranker-without-safetensors"
        assert told in refused.say("en")


def test_a_language_model_is_scored_by_yes_and_no(hub: TinyHub, tmp_path: Path) -> None:
    import torch
    from sentence_transformers import CrossEncoder

    folder = write_network(tmp_path / "model", "Qwen2ForCausalLM", num_key_value_heads=1)
    hub.add("some/language-model", folder)
    scorer = CrossEncoderScorer.open("some/language-model")
    theirs = CrossEncoder(str(folder), device="cpu")
    pairs = [("kto napisał lalkę", "Lalka\nLalkę napisał Bolesław Prus"), ("kto napisał lalkę", "Wisła rzeka")]
    expected = theirs.predict(pairs, activation_fn=torch.nn.Identity())
    assert scorer.score("kto napisał lalkę", PASSAGES) == pytest.approx(expected.tolist(), abs=1e-4)
    assert "yes" in scorer.describe().en


def test_a_language_model_without_yes_and_no_is_refused(tmp_path: Path) -> None:
    folder = write_network(tmp_path / "model", "Qwen2ForCausalLM", num_key_value_heads=1)
    vocabulary = (folder / "tokenizer.json").read_text(encoding="utf-8")
    (folder / "tokenizer.json").write_text(vocabulary.replace('"yes"', '"tak"').replace('"no"', '"nie"'))
    refused = refusal(str(folder))
    assert refused.code == "reranker-kind"
    assert "POLQA_CHAT_URL" in refused.say("en")


def test_an_encoder_is_no_reranker_and_is_told_without_notices(
    hub: TinyHub, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hub.add("some/encoder", lay_out(tmp_path / "model"))
    capfd.readouterr()
    refused = refusal("some/encoder")
    assert refused.code == "reranker-kind"
    assert "--encoder" in refused.say("en")
    noise = capfd.readouterr().err
    for notice in ("newly initialized", "LOAD REPORT", "Converting", "Loading weights"):
        assert notice not in noise


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "folder-missing"),
        ("./nowhere", "folder-missing"),
        ("a/b/c", "folder-missing"),
        ("nobody/nothing", "unknown"),
        ("zła nazwa", "unknown"),
    ],
)
def test_names_that_lead_nowhere_are_told(hub: TinyHub, name: str, code: str) -> None:
    refused = refusal(name)
    assert refused.code == f"reranker-{code}"
    assert name in refused.say("pl")
