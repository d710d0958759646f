"""Span models: an encoder with a small trained adapter, or an extractive model of the hub, behind one interface.

Weights are read through safetensors alone, and no code of a model's author is run.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from polqa_demo.errors import Bilingual, UserError, counted, first_few
from polqa_demo.library_notices import without_notices
from polqa_demo.models import refusals
from polqa_demo.models.device import CPU, beside, computing_device, placement, quick_type
from polqa_demo.models.folders import usable_folder
from polqa_demo.models.kinds import WORDS
from polqa_demo.models.lengths import most_tokens
from polqa_demo.models.roles import EXTRACTIVE_READER as ROLE
from polqa_demo.models.snapshots import files_mark
from polqa_demo.reading.span_decoding import Weighing, WindowScores, best_span_score
from polqa_demo.reading.span_windows import Layout, Window

if TYPE_CHECKING:
    import torch
    from torch import nn
    from transformers import PreTrainedTokenizerBase

ADAPTER = Path(__file__).parent / "adapters" / "span-reader"
HEADS, READER = "heads.safetensors", "reader.json"
_ADAPTER_FILES = ("adapter_config.json", "adapter_model.safetensors", HEADS, READER)
_WINDOW = 384  # tokens of a model of others that could read more, as the models of SQuAD are trained
_WASTE = 1.15  # tokens with padding against tokens without, up to which windows share a forward pass
_TOKENS_A_PASS = 8_192


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic regression from what a decision looks like to the chance that it is right.

    Over the log-odds of the agreement and the best window's `answerable`; `no_answer` is the `answerable` below which
    the passages are said to hold no answer.
    """

    intercept: float = 0.0
    agreement: float = 1.0
    answerable: float = 0.0
    no_answer: float = -1e9


class SpanModel(Protocol):
    """Scores the tokens of windows as first and last token of the answer; `mark` tells its files from all others.

    `may_abstain` says that a null score above every span means no answer.
    """

    mark: str

    tokenizer: "PreTrainedTokenizerBase"
    layout: Layout
    weighing: Weighing
    calibration: Calibration
    may_abstain: bool

    def score(self, windows: Sequence[Window]) -> list[WindowScores]:
        """The scores of every window, in order."""
        ...

    def describe(self) -> Bilingual | None:
        """What was assumed for a model of others; None for the one that is shipped, on a processor."""
        ...


class AdaptedModel:
    """The encoder with the adapter merged into its weights, and the heads over it."""

    may_abstain = False  # by the calibration's threshold, which was fitted

    def __init__(
        self, encoder: "nn.Module", heads: "nn.ModuleDict", tokenizer: Any, known: dict[str, Any], mark: str = ""
    ) -> None:
        self.encoder, self._heads = encoder, heads
        self.mark = mark
        self.tokenizer = tokenizer
        self.layout = Layout(**known["layout"])
        self.weighing = Weighing(**known["weighing"])
        self.calibration = Calibration(**known["calibration"])

    def describe(self) -> Bilingual | None:
        """A GPU, if it computes there; all else was fitted with the adapter."""
        where = placement(self.encoder)
        return None if where.endswith(CPU) else Bilingual(f"Czytnik spans: {where}", f"Reader spans: {where}")

    def score(self, windows: Sequence[Window]) -> list[WindowScores]:
        """The scores of every window; `no` is the yes/no head's."""
        import torch

        found: list[WindowScores | None] = [None] * len(windows)
        with torch.inference_mode():
            for places in batches(windows):
                batch = padded([windows[place] for place in places], self.tokenizer.pad_token_id)
                batch = beside(self.encoder, batch)
                hidden = self.encoder(**batch).last_hidden_state
                edges = self._heads["span"](hidden).float().cpu().numpy()
                whole = self._heads["passage"](hidden[:, 0]).float().cpu().numpy()
                for row, place in enumerate(places):
                    window = windows[place]
                    inside = slice(window.first, window.first + len(window.offsets))
                    start, end = edges[row, inside, 0], edges[row, inside, 1]
                    answerable, yes, no = (float(value) for value in whole[row])
                    found[place] = WindowScores(start, end, answerable, no - yes)
        return [scores for scores in found if scores is not None]


class HubModel:
    """An extractive question answering model of the hub (SQuAD layout; its first token means no answer)."""

    may_abstain = True
    layout = Layout(window=_WINDOW, overlap=_WINDOW // 3)
    weighing = Weighing(answerable=1.0)
    calibration = Calibration(agreement=1.0, answerable=0.3)

    def __init__(self, model: "nn.Module", tokenizer: Any, mark: str = "", name: str = "") -> None:
        self._model, self.tokenizer, self.mark, self._name = model, tokenizer, mark, name
        longest = most_tokens(tokenizer.model_max_length, model.config)
        self.layout = replace(self.layout, window=min(self.layout.window, longest))

    def describe(self) -> Bilingual:
        """How passages are cut, what no answer is, in which numbers and where the model computes."""
        window, where = self.layout.window, placement(self._model)
        length = counted(window, "token", "tokens")
        return Bilingual(
            f"Czytnik {self._name}: okna do {window} tokenów; pusta odpowiedź, gdy pierwszy token ma więcej niż "
            f"najlepszy fragment (SQuAD 2.0); {where}",
            f"Reader {self._name}: windows of up to {length}; no answer where the first token scores above the best "
            f"span (SQuAD 2.0); {where}",
        )

    def score(self, windows: Sequence[Window]) -> list[WindowScores]:
        """The scores of every window; `answerable` is its best span against no answer."""
        import torch

        found: list[WindowScores | None] = [None] * len(windows)
        with torch.inference_mode():
            for places in batches(windows):
                batch = padded([windows[place] for place in places], self.tokenizer.pad_token_id)
                outcome = self._model(**beside(self._model, batch))
                starts, ends = outcome.start_logits.float().cpu().numpy(), outcome.end_logits.float().cpu().numpy()
                for row, place in enumerate(places):
                    window = windows[place]
                    inside = slice(window.first, window.first + len(window.offsets))
                    start, end = starts[row, inside], ends[row, inside]
                    null = float(starts[row, 0] + ends[row, 0])
                    best = best_span_score(start, end, self.weighing.longest)
                    found[place] = WindowScores(start, end, best - null, null=null)
        return [scores for scores in found if scores is not None]


def batches(windows: Sequence[Window]) -> list[list[int]]:
    """Places of the windows in as few forward passes as padding and memory allow, longest windows first."""
    order = sorted(range(len(windows)), key=lambda place: -len(windows[place].ids))
    grouped: list[list[int]] = []
    tokens = 0
    for place in order:
        length = len(windows[place].ids)
        if grouped:
            longest = len(windows[grouped[-1][0]].ids)
            padded_size = longest * (len(grouped[-1]) + 1)
            if padded_size <= _TOKENS_A_PASS and padded_size <= _WASTE * (tokens + length):
                grouped[-1].append(place)
                tokens += length
                continue
        grouped.append([place])
        tokens = length
    return grouped


def padded(windows: Sequence[Window], pad: int | None) -> "dict[str, torch.Tensor]":
    """A batch as the model takes it."""
    import torch

    length = max(len(window.ids) for window in windows)
    ids = torch.full((len(windows), length), pad or 0, dtype=torch.long)
    mask = torch.zeros((len(windows), length), dtype=torch.long)
    types = torch.zeros((len(windows), length), dtype=torch.long)
    for row, window in enumerate(windows):
        size = len(window.ids)
        ids[row, :size] = torch.tensor(window.ids)
        mask[row, :size] = 1
        if window.type_ids:
            types[row, :size] = torch.tensor(window.type_ids)
    batch = {"input_ids": ids, "attention_mask": mask}
    if windows[0].type_ids:
        batch["token_type_ids"] = types
    return batch


def make_heads(hidden: int) -> "nn.ModuleDict":
    """The heads: first and last token of the answer, and for a window answerable, "tak" and "nie"."""
    from torch import nn

    return nn.ModuleDict(
        {
            "span": nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 2)),
            "passage": nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 3)),
        }
    )


def load_adapted(base: Path, adapter: Path = ADAPTER, base_mark: str = "") -> AdaptedModel:
    """The encoder of the folder `base` (transformers layout) with the adapter folder's weights.

    :param base_mark: what tells the encoder's files from all others, where that is known; else they are read for it
    :raises UserError: a file is missing or damaged, weights are not finite, adapter and encoder do not fit
    """
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoTokenizer

    known, device = _read_settings(adapter), computing_device()
    try:
        encoder = AutoModel.from_pretrained(
            base, add_pooling_layer=False, local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
        tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True, trust_remote_code=False)
    except Exception as error:
        raise _unusable_base(base, error) from error
    try:
        _merge(encoder, adapter)
        heads = make_heads(int(encoder.config.hidden_size))
        heads.load_state_dict(load_file(adapter / HEADS))
    except Exception as error:
        raise _damaged(adapter, f"{type(error).__name__}: {str(error)[:200]}") from error
    for module in (encoder, heads):
        if not all(bool(torch.isfinite(weights).all()) for weights in module.state_dict().values()):
            raise _damaged(adapter, "weights that are no numbers (NaN or infinite)")
        module.to(device, quick_type(device)).eval().requires_grad_(False)
    return AdaptedModel(encoder, heads, tokenizer, known, f"{base_mark or files_mark(base)}+{files_mark(adapter)}")


def _merge(encoder: "nn.Module", adapter: Path) -> None:
    """Adds the adapter's changes to the encoder's weights, once and for all: peft's `merge_and_unload`.

    Done here, since peft takes longer to import than the encoder to load.
    """
    import torch
    from safetensors.torch import load_file

    config = json.loads((adapter / "adapter_config.json").read_text(encoding="utf-8"))
    if config["peft_type"] != "LORA" or config.get("use_rslora") or config.get("use_dora"):
        raise ValueError("adapter_config.json: only plain LoRA can be read")
    scale = config["lora_alpha"] / config["r"]
    changes = load_file(adapter / "adapter_model.safetensors")
    weights = dict(encoder.named_parameters())
    with torch.no_grad():
        for name in [name for name in changes if ".lora_A." in name]:
            up, down = changes.pop(name.replace(".lora_A.", ".lora_B.")), changes.pop(name)
            target = name.removeprefix("base_model.model.").replace(".lora_A.weight", ".weight")
            weights[target].add_(up.float() @ down.float(), alpha=scale)
    if changes:
        raise ValueError(f"weights of unknown use: {sorted(changes)[:3]}")


def load_hub(name: str) -> HubModel:
    """A model for question answering by its hub name or folder.

    :raises UserError: it cannot be had, is no such model, or holds no safetensors
    """
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    folder, _ = usable_folder(name, ROLE)
    try:
        with without_notices():
            model, told = AutoModelForQuestionAnswering.from_pretrained(
                folder, use_safetensors=True, trust_remote_code=False, local_files_only=True, output_loading_info=True
            )
            tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    except Exception as error:  # whatever a library makes of damaged files
        raise refusals.damaged(ROLE, name, f"{type(error).__name__}: {error}") from error
    if any("qa_outputs" in key for key in told["missing_keys"]):
        raise refusals.other_kind(ROLE, name, "qa_outputs", WORDS["network"])
    if told["missing_keys"]:
        raise refusals.damaged(ROLE, name, f"missing weights: {first_few(sorted(told['missing_keys']))}")
    if not tokenizer.is_fast:
        raise refusals.without_tokenizer(ROLE, name, type(tokenizer).__name__)
    device = computing_device()
    return HubModel(model.to(device, quick_type(device)).eval(), tokenizer, files_mark(folder), name)


def _read_settings(adapter: Path) -> dict[str, Any]:
    missing = [name for name in _ADAPTER_FILES if not (adapter / name).is_file()]
    if missing:
        raise _damaged(adapter, f"missing: {', '.join(missing)}")
    try:
        known: dict[str, Any] = json.loads((adapter / READER).read_text(encoding="utf-8"))
        Layout(**known["layout"]), Weighing(**known["weighing"]), Calibration(**known["calibration"])
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(adapter, f"{READER}: {error}") from error
    return known


def _unusable_base(base: Path, error: Exception) -> UserError:
    return UserError(
        "span-base",
        f"W folderze {base} nie ma kodera, który można wczytać ({type(error).__name__}). Potrzebne są config.json, "
        "model.safetensors i tokenizer.json.",
        f"The folder {base} holds no encoder that can be loaded ({type(error).__name__}). Needed: config.json, "
        "model.safetensors and tokenizer.json.",
    )


def _damaged(adapter: Path, what: str) -> UserError:
    return UserError(
        "span-adapter",
        f"Adapter czytnika w folderze {adapter} jest uszkodzony albo nie pasuje do kodera ({what}). Zainstaluj pakiet "
        "ponownie albo wytrenuj adapter: python -m tools.train reader (w repozytorium).",
        f"The reader's adapter in {adapter} is damaged or does not fit the encoder ({what}). Install the package "
        "again, or train an adapter: python -m tools.train reader (in the repository).",
    )


def check_finite(scores: Sequence[WindowScores]) -> bool:
    """Whether every score is a number."""
    return all(
        bool(np.isfinite(item.start).all() and np.isfinite(item.end).all() and np.isfinite(item.answerable))
        for item in scores
    )
