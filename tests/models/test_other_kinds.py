"""Each kind of model in each place: refused by what it is, from a hub on loopback, with no word of the libraries."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.reading.tiny_seq2seq import write_t5
from tests.retrieval import tiny_cross_encoder
from tests.retrieval.hub_models import LIBRARY, change_json, lay_out, pickled, write_json, write_modules, write_network
from tests.retrieval.tiny_hub import serving

OPENING = """
import json, sys
from pathlib import Path
from polqa_demo.errors import UserError
from polqa_demo.reading.seq2seq import Seq2SeqReader
from polqa_demo.reading.spans import SpanReader
from polqa_demo.retrieval.cross_encoder import CrossEncoderScorer
from polqa_demo.retrieval.encoders import open_encoder

OPENERS = {
    "encoder": lambda name: open_encoder(name, Path(sys.argv[1])),
    "reranker": CrossEncoderScorer.open,
    "spans": SpanReader.from_hub,
    "seq2seq": lambda name: Seq2SeqReader(name).load(),
}
found = []
for role, name in json.loads(sys.argv[2]):
    try:
        OPENERS[role](name)
        found.append(["", "", ""])
    except UserError as error:
        found.append([error.code, error.say("pl"), error.say("en")])
print(json.dumps(found))
"""
ROLES = {"encoder": "encoder", "reranker": "reranker", "spans": "reader-model", "seq2seq": "reader-model"}


def splade(folder: Path) -> Path:
    write_network(folder, "BertForMaskedLM")
    write_modules(folder, [("sentence_transformers.sparse_encoder.models.MLMTransformer", "")])
    write_json(folder / "config_sentence_transformers.json", {"model_type": "SparseEncoder"})
    return folder


def raw_splade(folder: Path) -> Path:
    return write_network(folder, "BertForMaskedLM")


def colbert(folder: Path) -> Path:
    change_json(write_network(folder) / "config.json", architectures=["HF_ColBERT"])
    return folder


def raw_colbert(folder: Path) -> Path:
    """The weights of a BERT with ColBERT's layer beside them, and nothing else that says so."""
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file(write_network(folder) / "model.safetensors")
    save_file({**weights, "linear.weight": torch.ones(8, 16)}, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def pylate(folder: Path) -> Path:
    write_network(folder)
    write_modules(folder, [(f"{LIBRARY}.Transformer", ""), ("pylate.models.Dense.Dense", "1_Dense")])
    return folder


def packed(name: str) -> Callable[[Path], Path]:
    """A model that was changed into the form of another engine, with the settings of the one it was made of."""

    def make(folder: Path) -> Path:
        write_network(folder)
        (folder / "model.safetensors").unlink()
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"GGUF")
        (folder / "config.json").unlink()
        return folder

    return make


MODELS: dict[str, Callable[[Path], Path]] = {
    "some/splade": splade,
    "naver/splade_v2_max": raw_splade,
    "some/colbertv2.0": colbert,
    "some/late-interaction": pylate,
    "some/tokens": raw_colbert,
    "some/cross-encoder": tiny_cross_encoder.save,
    "some/classifier": lambda folder: tiny_cross_encoder.save(folder, labels=3),
    "some/spans": lambda folder: write_network(folder, "BertForQuestionAnswering"),
    "some/t5": write_t5,
    "some/bert": write_network,
    "some/herbert": lambda folder: write_network(folder, "BertForMaskedLM"),
    "some/encoder": lay_out,
    "some/gguf": packed("model-Q4_0.gguf"),
    "some/onnx": packed("onnx/model.onnx"),
    "some/pickles": packed("pytorch_model.bin"),
}
SPARSE, VECTORS, PAIRS, POINTS, WRITES = "SPLADE", "ColBERT", "--reranker", "--reader spans", "--reader seq2seq"
# What is told of each model in each place; an empty text: it opens.
TOLD: dict[str, dict[str, str]] = {
    "some/splade": dict.fromkeys(ROLES, SPARSE),
    "naver/splade_v2_max": dict.fromkeys(ROLES, SPARSE),
    "some/colbertv2.0": dict.fromkeys(ROLES, VECTORS),
    "some/late-interaction": dict.fromkeys(ROLES, VECTORS),
    "some/tokens": dict.fromkeys(ROLES, VECTORS),
    "some/cross-encoder": {**dict.fromkeys(ROLES, PAIRS), "reranker": ""},
    "some/classifier": dict.fromkeys(ROLES, "num_labels = 3"),
    "some/spans": {**dict.fromkeys(ROLES, POINTS), "spans": ""},
    "some/t5": {**dict.fromkeys(ROLES, WRITES), "seq2seq": ""},
    "some/bert": {**dict.fromkeys(ROLES, "BertModel"), "encoder": ""},
    "some/herbert": {**dict.fromkeys(ROLES, "BertForMaskedLM"), "encoder": ""},
    "some/encoder": {**dict.fromkeys(ROLES, "--encoder"), "encoder": ""},
    "some/gguf": {**dict.fromkeys(ROLES, "base_model"), "spans": "--reader chat", "seq2seq": "--reader chat"},
    "some/onnx": dict.fromkeys(ROLES, "base_model"),
    "some/pickles": dict.fromkeys(ROLES, "save_pretrained"),
}
ASKED = [(role, name) for name, told in TOLD.items() for role in told]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[tuple[str, str], tuple[str, str, str]], str, str]:
    """Code and message by place and model; what else was written, and what the command line wrote of one of them."""
    tmp_path = tmp_path_factory.mktemp("kinds")
    with serving() as hub:
        for number, (name, make) in enumerate(MODELS.items()):
            hub.add(name, make(tmp_path / str(number)))
        known = {**os.environ, "HF_ENDPOINT": hub.endpoint, "HF_HOME": str(tmp_path / "cache"), "POLQA_LANGUAGE": "en"}
        known.pop("HF_HUB_OFFLINE", None)
        run = subprocess.run(
            [sys.executable, "-c", OPENING, str(tmp_path), json.dumps(ASKED)],
            capture_output=True,
            text=True,
            env=known,
            check=True,
        )
        question = ["ask", "Kto napisał Lalkę?", "--retriever", "lexical", "--reader", "rules"]
        command = [sys.executable, "-m", "polqa_demo", *question, "--reranker", "some/spans"]
        told = subprocess.run(command, capture_output=True, text=True, env=known, check=False)
    assert told.returncode == 1
    found = {asked: tuple(one) for asked, one in zip(ASKED, json.loads(run.stdout), strict=True)}
    return found, run.stderr, told.stderr


@pytest.mark.parametrize(("role", "name"), ASKED)
def test_a_model_is_told_by_what_it_is(opened, role: str, name: str) -> None:
    code, polish, english = opened[0][role, name]
    told = TOLD[name][role]
    if not told:
        assert code == ""
        return
    weights = name in ("some/gguf", "some/onnx", "some/pickles")
    assert code == f"{ROLES[role]}-{'without-safetensors' if weights else 'kind'}"
    assert told in english
    assert told in polish
    assert polish != english


def test_the_libraries_say_nothing_before(opened) -> None:
    _, others, command = opened
    assert others == ""
    assert len(command.strip().splitlines()) == 1
    assert "some/spans is no reranker" in command


def test_folders_above_a_model_do_not_name_it(tmp_path: Path) -> None:
    from polqa_demo.retrieval.encoders import open_encoder

    folder = write_network(tmp_path / "splade" / "herbert", "BertForMaskedLM")
    assert "may be no encoder" in open_encoder(str(folder), tmp_path).describe().en


def test_what_a_model_was_trained_from_names_it(tmp_path: Path) -> None:
    from polqa_demo.models.files import ModelFiles
    from polqa_demo.models.kinds import model_kind
    from polqa_demo.retrieval.known_models import ENCODER

    folder = pickled(write_network(tmp_path / "mine", "BertForMaskedLM"))
    change_json(folder / "config.json", _name_or_path="/data/naver/splade-cocondenser")
    files = ModelFiles.read("mine", folder, ENCODER)
    assert model_kind("mine", folder, files.config, files.settings, files.parts)[0] == "sparse"
