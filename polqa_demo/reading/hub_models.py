"""Generating models by hub name or folder: what must be there, and what is told when it is not.

Only data is read: weights in safetensors, and no code of a model's author.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polqa_demo.errors import Bilingual, counted, first_few
from polqa_demo.library_notices import without_notices
from polqa_demo.models import refusals
from polqa_demo.models.device import computing_device, quick_type
from polqa_demo.models.files import refuse_unusable
from polqa_demo.models.folders import named_folder
from polqa_demo.models.roles import GENERATING_READER as ROLE

_NOT_WRITING = Bilingual("nie pisze tekstu z tekstu", "does not write text from text")

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


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
    return named_folder(name, ROLE)


def load_seq2seq(name: str, folder: Path) -> Seq2SeqModel:
    """The text-to-text model (T5, mT5, plT5, BART and the like) of a folder; `name` stands in what is told of it.

    :raises UserError: files are missing or damaged or would run code, or it is a model of another kind
    """
    _refuse_other_kinds(name, str(refuse_unusable(name, folder, ROLE).config.get("model_type", "")))
    with without_notices():
        network, missing = _network(name, folder)
        tokenizer = _tokenizer(name, folder)
    if missing:
        raise refusals.damaged(ROLE, name, f"missing weights: {first_few(missing)}")
    _refuse_unfit(name, network, tokenizer)
    module: Any = network
    device = computing_device()
    module.to(device, quick_type(device)).eval().requires_grad_(False)
    return Seq2SeqModel(network, tokenizer, _positions(network))


def _refuse_other_kinds(name: str, kind: str) -> None:
    """A network may name no class; what is not among those that write text from text goes by its family."""
    from transformers.models.auto.modeling_auto import MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES as GENERATING

    if kind not in GENERATING:
        raise refusals.other_kind(ROLE, name, f"model_type: {kind[:40]}", _NOT_WRITING)


def _network(name: str, folder: Path) -> "tuple[PreTrainedModel, list[str]]":
    """The network, and the names of weights that its files lack."""
    from transformers import AutoModelForSeq2SeqLM

    try:
        network, told = AutoModelForSeq2SeqLM.from_pretrained(
            folder, use_safetensors=True, trust_remote_code=False, local_files_only=True, output_loading_info=True
        )
    except Exception as error:  # whatever a library makes of damaged files
        raise refusals.damaged(ROLE, name, f"{type(error).__name__}: {error}") from error
    return network, sorted(told["missing_keys"])


def _tokenizer(name: str, folder: Path) -> "PreTrainedTokenizerBase":
    from transformers import AutoTokenizer

    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(
            folder, trust_remote_code=False, local_files_only=True
        )
    except Exception as error:
        raise refusals.without_tokenizer(ROLE, name, type(error).__name__) from error
    if not tokenizer.is_fast:
        raise refusals.without_tokenizer(ROLE, name, type(tokenizer).__name__)
    return tokenizer


def _refuse_unfit(name: str, network: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase") -> None:
    import torch

    if not all(bool(torch.isfinite(weights).all()) for weights in network.state_dict().values()):
        raise refusals.damaged(ROLE, name, "weights that are no numbers (NaN or infinite)")
    embeddings: Any = network.get_input_embeddings()
    known = int(embeddings.weight.shape[0])
    if len(tokenizer) > known and max(tokenizer.get_vocab().values()) >= known:
        tokens = counted(len(tokenizer), "token", "tokens")
        raise refusals.damaged(ROLE, name, f"the tokenizer has {tokens}, the model {known}")


def _positions(network: "PreTrainedModel") -> int | None:
    """The length of the encoder's table of positions; T5 and its kin have none and read any length."""
    for field in ("max_encoder_position_embeddings", "max_position_embeddings"):
        found = getattr(network.config, field, None)
        if isinstance(found, int) and found > 0:
            return found
    return None
