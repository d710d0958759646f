"""Generating models by hub name or folder: where a name leads, what must be there, and what is told when it is not.

Only data is read: weights in safetensors, and no code of a model's author.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polqa_demo.errors import UserError, counted, first_few
from polqa_demo.library_notices import without_notices
from polqa_demo.models.device import computing_device, quick_type
from polqa_demo.reading.hub_folders import reader_folder, refuse_other_weights

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_EXAMPLE = "apohllo/plt5-base-poquad"


@dataclass(frozen=True, slots=True)
class Seq2SeqModel:
    """A network that writes text, its tokenizer, and the most tokens it can read (None: any number)."""

    network: "PreTrainedModel"
    tokenizer: "PreTrainedTokenizerBase"
    positions: int | None


def seq2seq_folder(name: str) -> Path:
    """The folder of a generating model's name, `@revision` included.

    With HF_HUB_OFFLINE, or without a network, what lies in the hub's cache is taken.

    :raises UserError: there is none, or it cannot be had
    """
    return reader_folder(name, _EXAMPLE)


def load_seq2seq(name: str, folder: Path) -> Seq2SeqModel:
    """The text-to-text model (T5, mT5, plT5, BART and the like) of a folder; `name` stands in what is told of it.

    :raises UserError: files are missing or damaged or would run code, or it is a model of another kind
    """
    _refuse_unusable(name, folder)
    with without_notices():
        network, missing = _network(name, folder)
        tokenizer = _tokenizer(name, folder)
    if missing:
        raise _damaged(name, f"missing weights: {first_few(missing)}")
    _refuse_unfit(name, network, tokenizer)
    module: Any = network
    device = computing_device()
    module.to(device, quick_type(device)).eval().requires_grad_(False)
    return Seq2SeqModel(network, tokenizer, _positions(network))


def _refuse_unusable(name: str, folder: Path) -> None:
    """What can be told from the files before any library opens them."""
    refuse_other_weights(name, folder, "AutoModelForSeq2SeqLM.from_pretrained(…).save_pretrained(…)")
    config = folder / "config.json"
    if not config.is_file():
        raise _incomplete(name, folder, "config.json")
    try:
        known: Any = json.loads(config.read_text(encoding="utf-8"))
        kind = str(known["model_type"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged(name, f"config.json: {type(error).__name__} {error}") from error
    if not any(folder.glob("*.safetensors")):
        raise _incomplete(name, folder, "model.safetensors")
    _refuse_other_kinds(name, kind, known)


def _refuse_other_kinds(name: str, kind: str, known: Any) -> None:
    from transformers.models.auto.modeling_auto import MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES as GENERATING

    if kind in GENERATING:
        return
    if known.get("auto_map"):
        raise UserError(
            "reader-model-code",
            f"Model {name} wymaga uruchomienia własnego kodu (auto_map w config.json), a ten program obcego kodu nie "
            "uruchamia. Wybierz inny model.",
            f"The model {name} needs to run code of its own (auto_map in config.json), and this program runs no "
            "foreign code. Choose another model.",
        )
    raise UserError(
        "reader-model-kind",
        f"Model {name} (rodzaj {kind[:40]}) nie pisze tekstu z tekstu. Czytnik seq2seq potrzebuje modelu takiego jak "
        f"T5, mT5, plT5 lub BART, np. {_EXAMPLE}.",
        f"The model {name} (kind {kind[:40]}) does not write text from text. The reader seq2seq needs a model such as "
        f"T5, mT5, plT5 or BART, for instance {_EXAMPLE}.",
    )


def _network(name: str, folder: Path) -> "tuple[PreTrainedModel, list[str]]":
    """The network, and the names of weights that its files lack."""
    from transformers import AutoModelForSeq2SeqLM

    try:
        network, told = AutoModelForSeq2SeqLM.from_pretrained(
            folder, use_safetensors=True, trust_remote_code=False, local_files_only=True, output_loading_info=True
        )
    except Exception as error:  # whatever a library makes of damaged files
        raise _damaged(name, f"{type(error).__name__}: {error}") from error
    return network, sorted(told["missing_keys"])


def _tokenizer(name: str, folder: Path) -> "PreTrainedTokenizerBase":
    from transformers import AutoTokenizer

    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(
            folder, trust_remote_code=False, local_files_only=True
        )
    except Exception as error:
        raise _no_tokenizer(name, type(error).__name__) from error
    if not tokenizer.is_fast:
        raise _no_tokenizer(name, type(tokenizer).__name__)
    return tokenizer


def _refuse_unfit(name: str, network: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase") -> None:
    import torch

    if not all(bool(torch.isfinite(weights).all()) for weights in network.state_dict().values()):
        raise _damaged(name, "weights that are no numbers (NaN or infinite)")
    embeddings: Any = network.get_input_embeddings()
    known = int(embeddings.weight.shape[0])
    if len(tokenizer) > known and max(tokenizer.get_vocab().values()) >= known:
        raise _damaged(name, f"the tokenizer has {counted(len(tokenizer), 'token', 'tokens')}, the model {known}")


def _positions(network: "PreTrainedModel") -> int | None:
    """The length of the encoder's table of positions; T5 and its kin have none and read any length."""
    for field in ("max_encoder_position_embeddings", "max_position_embeddings"):
        found = getattr(network.config, field, None)
        if isinstance(found, int) and found > 0:
            return found
    return None


def _incomplete(name: str, folder: Path, missing: str) -> UserError:
    return UserError(
        "reader-model-incomplete",
        f"W folderze modelu {name} ({folder}) brakuje pliku {missing}. To nie model albo pobieranie nie zostało "
        "ukończone; pobierz go ponownie (hf download).",
        f"The folder of the model {name} ({folder}) lacks {missing}. It is no model, or its download was not finished; "
        "download it again (hf download).",
    )


def _damaged(name: str, what: str) -> UserError:
    reason = " ".join(what.split())[:200]
    return UserError(
        "reader-model-damaged",
        f"Nie można wczytać modelu {name}: {reason}. Sprawdź, czy jego folder jest kompletny, i pobierz go ponownie.",
        f"The model {name} cannot be loaded: {reason}. See whether its folder is complete, and download it again.",
    )


def _no_tokenizer(name: str, what: str) -> UserError:
    return UserError(
        "reader-model-tokenizer",
        f"Model {name} nie ma tokenizera, który można wczytać ({what}). Potrzebny jest tokenizer.json "
        "albo spiece.model.",
        f"The model {name} has no tokenizer that can be loaded ({what}). A tokenizer.json or a spiece.model is needed.",
    )
