"""Models that are no encoders of one vector a text, recognised by their own files.

sentence-transformers would load many of them as encoders all the same, with vectors that mean nothing.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from polqa_demo.data.hub_cache import model_files
from polqa_demo.errors import Bilingual, UserError
from polqa_demo.retrieval.module_files import ModulePart

OtherKind = Literal["sparse", "multi-vector", "cross-encoder", "reader"]

_BY_MODEL_TYPE: Mapping[str, OtherKind] = {
    "SparseEncoder": "sparse",
    "MultiVectorEncoder": "multi-vector",
    "ColBERT": "multi-vector",  # of PyLate
    "CrossEncoder": "cross-encoder",
}
_BY_MODULE: tuple[tuple[str, OtherKind], ...] = (
    (r"\.sparse_encoder\.|\.(SpladePooling|SparseAutoEncoder|SparseStaticEmbedding)$", "sparse"),
    (r"^pylate\.|\.multi_vector_encoder\.", "multi-vector"),
    (r"\.cross_encoder\.", "cross-encoder"),
)
_BY_ARCHITECTURE: tuple[tuple[str, OtherKind], ...] = (
    (r"(?i).*splade.*", "sparse"),
    (r"(?i).*colbert.*", "multi-vector"),
)
# Heads on a network that has no modules.json; with one, an encoder may well have been made from such a network.
_BY_HEAD: tuple[tuple[str, OtherKind], ...] = (
    (r".*ForSequenceClassification", "cross-encoder"),
    (r".*ForQuestionAnswering", "reader"),
)
_COLBERT_SETTINGS = "artifact.metadata"  # written beside the raw models of ColBERT

_WORDS: Mapping[OtherKind, Bilingual] = {
    "sparse": Bilingual(
        "jest enkoderem rzadkim (SPLADE): daje wagi słów, nie wektor. Wyszukiwanie po słowach ma tu --retriever "
        "lexical; jako enkoder podaj model gęsty",
        "is a sparse encoder (SPLADE): it gives weights of words, no vector. For a search by words take --retriever "
        "lexical; as an encoder give a dense model",
    ),
    "multi-vector": Bilingual(
        "jest modelem wielowektorowym (ColBERT): daje wektor na każdy token, a ten program porównuje po jednym "
        "wektorze na tekst. Podaj model gęsty",
        "is a multi-vector model (ColBERT): it gives a vector for every token, and this program compares one vector a "
        "text. Give a dense model",
    ),
    "cross-encoder": Bilingual(
        "jest cross-encoderem lub klasyfikatorem: ocenia parę tekstów i nie daje wektorów. Podaj go w --reranker, a "
        "jako enkoder model gęsty",
        "is a cross-encoder or a classifier: it scores a pair of texts and gives no vectors. Give it to --reranker, "
        "and as an encoder a dense model",
    ),
    "reader": Bilingual(
        "jest czytnikiem (wskazuje odpowiedź w tekście) i nie daje wektorów. Podaj go w --reader spans --model, a "
        "jako enkoder model gęsty",
        "is a reader (it points to an answer in a text) and gives no vectors. Give it to --reader spans --model, and "
        "as an encoder a dense model",
    ),
}


def refuse_other_kinds(
    name: str, folder: Path, config: Mapping[str, Any], settings: Mapping[str, Any], parts: Sequence[ModulePart]
) -> None:
    """Refuse a model that gives no single vector for a text.

    `config` is its config.json, `settings` its config_sentence_transformers.json, `parts` its modules.

    :raises UserError: it is a sparse encoder, a multi-vector model, a cross-encoder, or a reader
    """
    found = _other_kind(folder, config, settings, parts)
    if found is None:
        return
    kind, evidence = found
    words = _WORDS[kind]
    raise UserError(
        "encoder-kind",
        f"Model {name} nie jest enkoderem tekstów ({evidence}): {words.pl}, np. ipipan/silver-retriever-base-v1.1.",
        f"The model {name} is no encoder of texts ({evidence}): it {words.en}, such as "
        "ipipan/silver-retriever-base-v1.1.",
    )


def unsuited_network(config: Mapping[str, Any], parts: Sequence[ModulePart]) -> str:
    """The class of a network without modules.json that was trained for something else (a language model), or empty.

    Whether its vectors are of use only its author knows: raw SPLADE looks like that, and so does every BERT.
    """
    names = architectures(config)
    return next((name for name in names if re.search(r"For[A-Z]\w+$|LMHeadModel$", name)), "") if not parts else ""


def architectures(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The classes that a config.json names for its network."""
    names = config.get("architectures")
    return tuple(map(str, names)) if isinstance(names, list) else ()


def _other_kind(
    folder: Path, config: Mapping[str, Any], settings: Mapping[str, Any], parts: Sequence[ModulePart]
) -> tuple[OtherKind, str] | None:
    model_type = str(settings.get("model_type", ""))
    if model_type in _BY_MODEL_TYPE:
        return _BY_MODEL_TYPE[model_type], f"model_type: {model_type}"
    for part in parts:
        for pattern, kind in _BY_MODULE:
            if re.search(pattern, part.kind):
                return kind, f"modules.json: {part.kind}"
    for pattern, kind in (*_BY_ARCHITECTURE, *(() if parts else _BY_HEAD)):
        for network in architectures(config):
            if re.fullmatch(pattern, network):
                return kind, f"architectures: {network}"
    if not parts and _COLBERT_SETTINGS in model_files(folder):
        return "multi-vector", _COLBERT_SETTINGS
    return None
