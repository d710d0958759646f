"""What a model is, by its own files: an encoder, a cross-encoder, a reader, or none of what this program opens.

The libraries would load many of them in one another's place, with vectors, scores and answers that mean nothing.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from polqa_demo.errors import Bilingual
from polqa_demo.models.hub_cache import cached_repository, model_files
from polqa_demo.models.modules import ModulePart
from polqa_demo.models.weights import weight_names

Kind = Literal[
    "encoder",
    "sparse",
    "multi-vector",
    "cross-encoder",
    "classifier",
    "span-reader",
    "seq2seq",
    "causal",
    "masked",
    "network",
    "unknown",
]

_BY_MODEL_TYPE: Mapping[str, Kind] = {
    "SentenceTransformer": "encoder",
    "SparseEncoder": "sparse",
    "MultiVectorEncoder": "multi-vector",
    "ColBERT": "multi-vector",  # of PyLate
    "CrossEncoder": "cross-encoder",
}
_BY_MODULE: tuple[tuple[str, Kind], ...] = (
    (r"\.sparse_encoder\.|\.(SpladePooling|SparseAutoEncoder|SparseStaticEmbedding)$", "sparse"),
    (r"^pylate\.|\.multi_vector_encoder\.", "multi-vector"),
    (r"\.cross_encoder\.", "cross-encoder"),
)
_BY_ARCHITECTURE: tuple[tuple[str, Kind], ...] = (
    (r"(?i).*splade.*", "sparse"),
    (r"(?i).*colbert.*", "multi-vector"),
)
# Heads on a network that has no modules.json; with one, an encoder may well have been made from such a network.
_BY_HEAD: tuple[tuple[str, Kind], ...] = (
    (r".*ForSequenceClassification", "cross-encoder"),
    (r".*ForQuestionAnswering", "span-reader"),
    (r".*For(ConditionalGeneration|Seq2SeqLM)", "seq2seq"),
    (r".*(ForCausalLM|LMHeadModel)", "causal"),
    (r".*(ForMaskedLM|ForPreTraining)", "masked"),
    (r".*(ForTokenClassification|ForMultipleChoice|ForNextSentencePrediction|ForImageClassification)", "classifier"),
    (r".*Model", "network"),
)
# A plain …ForMaskedLM is what raw SPLADE is, and every BERT; of the two the name tells.
_BY_NAME: tuple[tuple[str, Kind], ...] = ((r"(?i)splade", "sparse"), (r"(?i)colbert", "multi-vector"))
_NAMELESS = ("masked", "network")
_COLBERT_SETTINGS = "artifact.metadata"  # written beside the raw models of ColBERT
_COLBERT_LAYER = "linear.weight"  # its layer over every token; no network of transformers has one of that name
_MOST_LABELS = 2  # of a model that scores a pair

WORDS: Mapping[Kind, Bilingual] = {
    "encoder": Bilingual(
        "jest enkoderem tekstów, daje wektory; to model dla --encoder",
        "is an encoder of texts and gives vectors; it is a model for --encoder",
    ),
    "sparse": Bilingual(
        "jest enkoderem rzadkim (SPLADE): daje wagi słów, nie wektor; wyszukiwanie po słowach ma tu --retriever "
        "lexical",
        "is a sparse encoder (SPLADE): it gives weights of words, no vector; for a search by words take --retriever "
        "lexical",
    ),
    "multi-vector": Bilingual(
        "jest modelem wielowektorowym (ColBERT): daje wektor na każdy token, a ten program porównuje po jednym "
        "wektorze na tekst",
        "is a multi-vector model (ColBERT): it gives a vector for every token, and this program compares one vector a "
        "text",
    ),
    "cross-encoder": Bilingual(
        "jest cross-encoderem lub klasyfikatorem, ocenia tekst lub parę tekstów; cross-encoder to model dla --reranker",
        "is a cross-encoder or a classifier and scores a text or a pair; a cross-encoder is a model for --reranker",
    ),
    "classifier": Bilingual(
        "jest klasyfikatorem, przydziela etykiety, a tych ten program nie używa",
        "is a classifier and gives labels, which this program has no use for",
    ),
    "span-reader": Bilingual(
        "jest czytnikiem, wskazuje odpowiedź w tekście; to model dla --reader spans --model",
        "is a reader and points to an answer in a text; it is a model for --reader spans --model",
    ),
    "seq2seq": Bilingual(
        "pisze tekst z tekstu; to model dla --reader seq2seq --model",
        "writes text from text; it is a model for --reader seq2seq --model",
    ),
    "causal": Bilingual(
        "jest modelem językowym, pisze dalszy ciąg tekstu; uruchom go na serwerze i wybierz --reader chat "
        "(POLQA_CHAT_URL)",
        "is a language model and goes on with a text; run it on a server and choose --reader chat (POLQA_CHAT_URL)",
    ),
    "masked": Bilingual(
        "jest modelem językowym, którego do tego nie dotrenowano",
        "is a language model that was not trained for this",
    ),
    "network": Bilingual(
        "jest siecią bez wyuczonej głowicy, więc odpowiadałby losowo",
        "is a network without a trained head, and would answer at random",
    ),
    "unknown": Bilingual("nie mówi, czym jest", "does not say what it is"),
}


def model_kind(
    name: str, folder: Path, config: Mapping[str, Any], settings: Mapping[str, Any], parts: Sequence[ModulePart]
) -> tuple[Kind, str]:
    """What a model is, and the evidence for it.

    :param config: its config.json
    :param settings: its config_sentence_transformers.json
    :param parts: its modules
    """
    return (
        _by_library(settings, parts)
        or _by_network(name, folder, config, parts)
        or (("encoder", "modules.json") if parts else ("unknown", "config.json"))
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


def _by_library(settings: Mapping[str, Any], parts: Sequence[ModulePart]) -> tuple[Kind, str] | None:
    """What sentence-transformers, or a library over it, wrote of the model."""
    model_type = str(settings.get("model_type", ""))
    if model_type in _BY_MODEL_TYPE:
        return _BY_MODEL_TYPE[model_type], f"model_type: {model_type}"
    for part in parts:
        for pattern, kind in _BY_MODULE:
            if re.search(pattern, part.kind):
                return kind, f"modules.json: {part.kind[:100]}"
    return None


def _by_network(
    name: str, folder: Path, config: Mapping[str, Any], parts: Sequence[ModulePart]
) -> tuple[Kind, str] | None:
    named = architectures(config)
    if found := _first(_BY_ARCHITECTURE, named):
        return found
    if parts:
        return None
    if _COLBERT_SETTINGS in model_files(folder):
        return "multi-vector", _COLBERT_SETTINGS
    found = _first(_BY_HEAD, named)
    if found and found[0] == "cross-encoder" and (labels := _labels(config)) > _MOST_LABELS:
        return "classifier", f"{found[1]}, num_labels = {labels}"
    if found and found[0] in _NAMELESS:
        return _by_traces(name, folder, config) or found
    return found


def _first(table: Sequence[tuple[str, Kind]], networks: Sequence[str]) -> tuple[Kind, str] | None:
    return next(
        (
            (kind, f"architectures: {network[:100]}")
            for pattern, kind in table
            for network in networks
            if re.fullmatch(pattern, network)
        ),
        None,
    )


def _by_traces(name: str, folder: Path, config: Mapping[str, Any]) -> tuple[Kind, str] | None:
    """By ColBERT's layer, its name on the hub, the last part of its folder, or what it was trained from.

    Folders above do not name a model.
    """
    if _COLBERT_LAYER in weight_names(folder):
        return "multi-vector", f"model.safetensors: {_COLBERT_LAYER}"
    names = (cached_repository(folder) or name.rstrip("/\\"), str(config.get("_name_or_path") or ""))
    for last in (re.split(r"[/\\]", one.partition("@")[0])[-1] for one in names):
        for pattern, kind in _BY_NAME:
            if re.search(pattern, last):
                return kind, f"{', '.join(architectures(config))[:100]}, {last[:100]}"
    return None


def _labels(config: Mapping[str, Any]) -> int:
    """Labels of a classifier: two unless its file says another number, as in transformers."""
    named = config.get("id2label")
    if isinstance(named, dict):
        return len(named)
    count = config.get("num_labels")
    return count if isinstance(count, int) else _MOST_LABELS
