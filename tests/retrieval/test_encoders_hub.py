"""Encoders from a hub that lies on loopback: the families of the table, revisions, and what is told of the rest."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.encoders import open_encoder
from polqa_demo.retrieval.model_encoder import ModelEncoder
from tests.retrieval.hub_models import LIBRARY, change_json, lay_out, pickled, write_json, write_modules, write_network
from tests.retrieval.tiny_hub import TinyHub, files_of, only_hub

SEARCH = "Instruct: Given a web search query, retrieve relevant passages that answer the query"
BERT, XLM, ROBERTA = "BertModel", "XLMRobertaModel", "RobertaModel"
PASSAGES = [Passage("1", "Lalka", "Lalkę napisał Bolesław Prus"), Passage("2", "", "Wisła rzeka")]
# Name at the hub, network, pooling, Normalize, what stands before questions, before passages, between title and text.
FAMILIES = [
    ("ipipan/silver-retriever-base-v1", BERT, "cls", False, "Pytanie: ", "", "</s>"),
    ("ipipan/silver-retriever-base-v1.1", BERT, "cls", False, "Pytanie: ", "", "</s>"),
    ("intfloat/multilingual-e5-base", XLM, "mean", True, "query: ", "passage: ", " "),
    ("intfloat/e5-base-v2", BERT, "mean", True, "query: ", "passage: ", " "),
    ("intfloat/multilingual-e5-large-instruct", XLM, "mean", True, f"{SEARCH}\nQuery: ", "", " "),
    ("intfloat/e5-mistral-7b-instruct", "MistralModel", "lasttoken", True, f"{SEARCH}\nQuery: ", "", " "),
    ("sdadas/mmlw-retrieval-e5-base", XLM, "mean", True, "query: ", "passage: ", " "),
    ("sdadas/mmlw-e5-small", BERT, "mean", True, "query: ", "passage: ", " "),
    ("sdadas/mmlw-retrieval-roberta-base", ROBERTA, "cls", False, "zapytanie: ", "", " "),
    ("sdadas/mmlw-roberta-large", ROBERTA, "cls", False, "zapytanie: ", "", " "),
    ("sdadas/mmlw-retrieval-roberta-large-v2", ROBERTA, "cls", True, "[query]: ", "", " "),
    ("sdadas/stella-pl-retrieval", "Qwen2Model", "mean", False, f"{SEARCH}.\nQuery: ", "", " "),
    ("OPI-PIB/PolDense-150M", ROBERTA, "cls", True, "[query]: ", "", " "),
    ("BAAI/bge-m3", XLM, "cls", True, "", "", " "),
]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[TinyHub]:
    """The only hub that is asked, with an empty cache before it."""
    with only_hub(tmp_path / "cache") as served:
        yield served


def refusal(name: str, cache: Path) -> UserError:
    with pytest.raises(UserError) as refused:
        open_encoder(name, cache)
    assert refused.value.say("pl") != refused.value.say("en")
    return refused.value


def snapshots(cache: Path) -> list[Path]:
    return list((cache / "cache").glob("models--*/snapshots/*"))


# The table


@pytest.mark.parametrize(("name", "network", "pooling", "normalize", "query", "passage", "separator"), FAMILIES)
def test_a_family_opens_as_the_hub_lays_it(
    hub: TinyHub,
    tmp_path: Path,
    name: str,
    network: str,
    pooling: str,
    normalize: bool,
    query: str,
    passage: str,
    separator: str,
) -> None:
    from sentence_transformers import SentenceTransformer

    more = {"num_key_value_heads": 1} if network in ("MistralModel", "Qwen2Model") else {}
    hub.add(name, lay_out(tmp_path / "model", network, pooling=pooling, normalize=normalize, **more))
    encoder = open_encoder(name, tmp_path)
    (snapshot,) = snapshots(tmp_path)
    assert not (snapshot / "2_Normalize").exists()
    told = encoder.describe()
    assert "known model" in told.en
    assert f"pooling: {pooling};" in told.en
    theirs = SentenceTransformer(str(snapshot), device="cpu", local_files_only=True)
    written = [f"{passage}Lalka{separator}Lalkę napisał Bolesław Prus", f"{passage}Wisła rzeka"]
    for ours, texts in (
        (encoder.encode_passages(PASSAGES), written),
        (encoder.encode_queries(["kto"]), [query + "kto"]),
    ):
        expected = theirs.encode(texts, normalize_embeddings=True, prompt="")
        assert (ours * expected).sum(axis=1) == pytest.approx(1, abs=2e-3)


def test_all_families_of_the_table_are_tried() -> None:
    import re

    from polqa_demo.retrieval import known_models

    for owner, pattern, _ in known_models._TABLE:
        assert any(re.fullmatch(f"{owner}/({pattern})", name.lower()) for name, *_ in FAMILIES), pattern


def test_only_data_is_fetched_and_the_second_time_nothing(hub: TinyHub, tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "model")
    for name in ("pytorch_model.bin", "colbert_linear.pt", "onnx/model.onnx", "modeling.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"x")
    hub.add("some/model", folder)
    first = open_encoder("some/model", tmp_path)
    fetched = [path for path in hub.asked if path.startswith("GET /some/model/resolve")]
    assert not [path for path in fetched if path.endswith((".bin", ".pt", ".onnx", ".py"))]
    second = open_encoder("some/model", tmp_path)
    assert first.fingerprint == second.fingerprint
    assert [path for path in hub.asked if path.startswith("GET /some/model/resolve")] == fetched


# Modules


def test_a_module_without_needs_may_have_no_folder_and_others_may_not(hub: TinyHub, tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "model")
    write_modules(
        folder,
        [(f"{LIBRARY}.{kind}", path) for kind, path in (("Transformer", ""), ("Pooling", "1_P"), ("Normalize", "2_N"))],
    )
    hub.add("some/model", folder)
    refused = refusal("some/model", tmp_path)
    assert refused.code == "encoder-incomplete"
    assert "1_P/config.json" in refused.say("en")
    assert "2_N" not in refused.say("en")


def test_a_dense_layer_needs_safetensors_of_its_own(tmp_path: Path) -> None:
    import torch
    from sentence_transformers import models

    folder = lay_out(tmp_path / "model", normalize=False)
    models.Dense(16, 8, activation_function=torch.nn.Identity()).save(str(_made(folder / "2_Dense")))
    modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    modules.append({"idx": 2, "name": "2", "path": "2_Dense", "type": f"{LIBRARY}.Dense"})
    write_json(folder / "modules.json", modules)
    assert open_encoder(str(folder), tmp_path).dimension == 8
    (folder / "2_Dense" / "model.safetensors").rename(folder / "2_Dense" / "pytorch_model.bin")
    refused = refusal(str(folder), tmp_path)
    assert refused.code == "encoder-without-safetensors"
    assert "2_Dense/pytorch_model.bin" in refused.say("en")


@pytest.mark.parametrize("path", ["../outside", "/etc", "C:\\x", "a/../../b"])
def test_modules_outside_of_the_model_are_refused(tmp_path: Path, path: str) -> None:
    folder = lay_out(tmp_path / "model")
    write_modules(folder, [(f"{LIBRARY}.Transformer", ""), (f"{LIBRARY}.Pooling", path)])
    assert refusal(str(folder), tmp_path).code == "encoder-damaged"


@pytest.mark.parametrize("content", [[7], [{"type": "x"}], {"type": "x"}, "text", [[]], 7])
def test_modules_of_another_shape_are_damage(tmp_path: Path, content: Any) -> None:
    folder = lay_out(tmp_path / "model")
    write_json(folder / "modules.json", content)
    assert refusal(str(folder), tmp_path).code == "encoder-damaged"


def test_a_network_with_code_of_its_own_is_refused_and_one_that_has_both_is_read(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "model")
    change_json(folder / "config.json", auto_map={"AutoModel": "own.Own"})
    assert open_encoder(str(folder), tmp_path).dimension == 16
    change_json(folder / "config.json", model_type="new")
    refused = refusal(str(folder), tmp_path)
    assert refused.code == "encoder-needs-code"
    assert "new" in refused.say("en")


def test_parts_of_weights_that_are_missing_are_named(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "model")
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    weights = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    write_json(folder / "model.safetensors.index.json", {"metadata": {}, "weight_map": weights})
    refused = refusal(str(folder), tmp_path)
    assert refused.code == "encoder-incomplete"
    assert "model-00002-of-00002.safetensors" in refused.say("en")
    assert "model-00001" not in refused.say("en")


def test_two_ways_of_a_router_are_gone_by_their_tasks(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer, models
    from sentence_transformers.base.modules import Router

    ways = [
        [models.Transformer(str(write_network(tmp_path / name, kind))), models.Pooling(16, "mean")]
        for name, kind in (("q", "BertModel"), ("d", "RobertaModel"))
    ]
    made = SentenceTransformer(modules=[Router.for_query_document(*ways)], device="cpu")
    made.prompts = {"query": "query: ", "document": ""}
    made.save(str(tmp_path / "model"), create_model_card=False)
    encoder = open_encoder(str(tmp_path / "model"), tmp_path)
    theirs = SentenceTransformer(str(tmp_path / "model"), device="cpu")
    question = theirs.encode_query(["kto napisał lalkę"], normalize_embeddings=True)
    passage = theirs.encode_document(["Wisła rzeka"], normalize_embeddings=True)
    assert (encoder.encode_queries(["kto napisał lalkę"]) * question).sum() == pytest.approx(1, abs=2e-3)
    assert (encoder.encode_passages(PASSAGES[1:]) * passage).sum() == pytest.approx(1, abs=2e-3)
    other = theirs.encode_document(["query: kto napisał lalkę"], normalize_embeddings=True)
    assert (question * other).sum() < 0.99
    assert "pooling: mean" in encoder.describe().en


def test_a_prompt_that_is_not_pooled_is_left_out_of_the_vector(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    folder = lay_out(tmp_path / "model", prompts={"query": "query: ", "passage": "passage: "})
    change_json(folder / "1_Pooling" / "config.json", include_prompt=False)
    encoder = open_encoder(str(folder), tmp_path)
    theirs = SentenceTransformer(str(folder), device="cpu").encode_query(["kto napisał"], normalize_embeddings=True)
    assert (encoder.encode_queries(["kto napisał"]) * theirs).sum() == pytest.approx(1, abs=2e-3)


def test_static_embeddings_read_any_length(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer, models
    from tokenizers import Tokenizer

    tokens = Tokenizer.from_file(str(write_network(tmp_path / "bert") / "tokenizer.json"))
    module = models.StaticEmbedding(tokens, embedding_weights=np.random.default_rng(0).normal(size=(60, 8)))
    SentenceTransformer(modules=[module], device="cpu").save(str(tmp_path / "model"), create_model_card=False)
    encoder = open_encoder(str(tmp_path / "model"), tmp_path)
    assert encoder.encode_passages([Passage("1", "", "wisła rzeka " * 9_000)]).shape == (1, 8)


# Weights that are no safetensors


def test_a_revision_with_safetensors_is_named_and_opens(hub: TinyHub, tmp_path: Path) -> None:
    hub.add("BAAI/bge-m3", pickled(lay_out(tmp_path / "main", XLM)))
    hub.add("BAAI/bge-m3", pickled(lay_out(tmp_path / "other", XLM)), "refs/pr/2")
    hub.add("BAAI/bge-m3", lay_out(tmp_path / "proposed", XLM, pooling="cls"), "refs/pr/12")
    refused = refusal("BAAI/bge-m3", tmp_path)
    assert refused.code == "encoder-without-safetensors"
    for told in (refused.say("en"), refused.say("pl")):
        assert "BAAI/bge-m3@refs/pr/12" in told
        assert "pytorch_model.bin" in told
        assert "https://huggingface.co/BAAI/bge-m3/discussions/12" in told
    encoder = open_encoder("BAAI/bge-m3@refs/pr/12", tmp_path)
    assert isinstance(encoder, ModelEncoder)
    assert "known model" in encoder.describe().en


def test_a_branch_counts_before_proposals(hub: TinyHub, tmp_path: Path) -> None:
    hub.add("some/model", pickled(lay_out(tmp_path / "main")))
    hub.add("some/model", lay_out(tmp_path / "proposed"), "refs/pr/1")
    hub.add("some/model", lay_out(tmp_path / "branch"), "safe")
    told = refusal("some/model", tmp_path).say("en")
    assert "some/model@safe" in told
    assert "proposed change" not in told


def test_without_such_a_revision_or_without_the_hub_the_way_to_one_is_told(
    hub: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add("some/model", pickled(lay_out(tmp_path / "main")))
    told = refusal("some/model", tmp_path)
    assert "NAME@refs/pr/1" in told.say("en")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    again = refusal("some/model", tmp_path)
    assert (again.code, again.say("en")) == (told.code, told.say("en"))


@pytest.mark.parametrize(
    ("file", "told"),
    [("model-q4_0.gguf", "GGUF"), ("onnx/model_quantized.onnx", "ONNX"), ("tf_model.h5", "other libraries")],
)
@pytest.mark.parametrize("config", [True, False])
def test_weights_for_other_engines_are_told(
    hub: TinyHub, tmp_path: Path, capfd: pytest.CaptureFixture[str], file: str, told: str, config: bool
) -> None:
    folder = write_network(tmp_path / "model") if config else tmp_path / "model"
    (folder / "model.safetensors").unlink(missing_ok=True)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(b"GGUF")
    hub.add("some/model", folder)
    capfd.readouterr()
    for name in ("some/model", str(folder)):
        refused = refusal(name, tmp_path)
        assert refused.code == "encoder-without-safetensors"
        assert told in refused.say("en")
        assert file in refused.say("pl")
    noise = capfd.readouterr()
    assert "No files matched" not in noise.err + noise.out


def test_safetensors_beside_other_weights_are_taken(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "model")
    for name in ("model.gguf", "pytorch_model.bin", "sparse_linear.pt", "model.onnx"):
        (folder / name).write_bytes(b"x")
    assert open_encoder(str(folder), tmp_path).dimension == 16


# Models of other kinds


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _splade(folder: Path) -> Path:
    write_network(folder, "BertForMaskedLM")
    sparse = "sentence_transformers.sparse_encoder.models"
    write_modules(folder, [(f"{sparse}.MLMTransformer", ""), (f"{sparse}.SpladePooling", "1_SpladePooling")])
    write_json(folder / "1_SpladePooling" / "config.json", {"pooling_strategy": "max"})
    write_json(folder / "config_sentence_transformers.json", {"model_type": "SparseEncoder"})
    return folder


def _splade_by_modules(folder: Path) -> Path:
    (_splade(folder) / "config_sentence_transformers.json").unlink()
    return folder


def _splade_by_network(folder: Path) -> Path:
    change_json(write_network(folder) / "config.json", architectures=["DistilBertSplade"])
    return folder


def _colbert(folder: Path) -> Path:
    change_json(write_network(folder) / "config.json", architectures=["HF_ColBERT"])
    return folder


def _colbert_by_file(folder: Path) -> Path:
    write_json(write_network(folder) / "artifact.metadata", {"query_maxlen": 32, "dim": 128})
    return folder


def _pylate(folder: Path) -> Path:
    write_network(folder)
    write_modules(folder, [(f"{LIBRARY}.Transformer", ""), ("pylate.models.Dense.Dense", "1_Dense")])
    return folder


def _multi_vector(folder: Path) -> Path:
    return lay_out(folder, settings={"model_type": "MultiVectorEncoder"})


def _cross_encoder(folder: Path) -> Path:
    return write_network(folder, "BertForSequenceClassification", num_labels=1)


def _reader(folder: Path) -> Path:
    return write_network(folder, "BertForQuestionAnswering")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (_splade, "SPLADE"),
        (_splade_by_modules, "SPLADE"),
        (_splade_by_network, "SPLADE"),
        (_colbert, "ColBERT"),
        (_colbert_by_file, "ColBERT"),
        (_pylate, "ColBERT"),
        (_multi_vector, "ColBERT"),
        (_cross_encoder, "--reranker"),
        (_reader, "--reader spans"),
    ],
)
def test_models_of_other_kinds_are_refused_by_what_they_are(
    hub: TinyHub, tmp_path: Path, capfd: pytest.CaptureFixture[str], make: Any, told: str
) -> None:
    folder = make(tmp_path / "model")
    hub.add("some/model", folder)
    capfd.readouterr()
    for name in ("some/model", str(folder)):
        refused = refusal(name, tmp_path)
        assert refused.code == "encoder-kind"
        assert told in refused.say("en")
        assert told in refused.say("pl")
    assert "Converting" not in capfd.readouterr().err


def test_encoders_made_from_other_networks_are_encoders(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "model")
    for network in ("BertForSequenceClassification", "BertForMaskedLM", "BertForQuestionAnswering"):
        change_json(folder / "config.json", architectures=[network])
        assert "may be no encoder" not in open_encoder(str(folder), tmp_path).describe().en


def test_a_bare_language_model_opens_with_a_doubt(tmp_path: Path) -> None:
    told = open_encoder(str(write_network(tmp_path / "model", "BertForMaskedLM")), tmp_path).describe()
    assert "a BertForMaskedLM without modules.json may be no encoder" in told.en
    assert "BertForMaskedLM" in told.pl


def test_what_the_hub_has_is_what_git_has(tmp_path: Path) -> None:
    assert "2_Normalize" in (lay_out(tmp_path / "model") / "modules.json").read_text(encoding="utf-8")
    assert not [file for file in files_of(tmp_path / "model") if file.startswith("2_Normalize")]
