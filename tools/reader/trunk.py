"""The encoder as it is trained: frozen weights in bfloat16, low-rank changes to the upper layers, heads on top.

The same arithmetic as transformers' `BertModel` with peft's LoRA, in an order that is quicker on a processor: the
change is added to the weights once a step instead of to the activations of every layer, attention is computed
plainly where gradients are wanted (PyTorch's fused one is three times as slow backwards there), and what the frozen
lower layers make of a window is computed once and kept. LoRA: E. Hu et al., ICLR (2022).
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polqa_demo.errors import UserError
from polqa_demo.reading.span_model import make_heads

if TYPE_CHECKING:
    import torch

    Tensor = torch.Tensor

PROJECTIONS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_FAR = -1e4  # added where attention may not look; bfloat16 holds it


class Trunk:
    """A BERT encoder of a transformers folder whose layers from `lowest` on can be changed at a rank.

    `parameters()` maps names to what is trained: `layer.projection.A` and `.B`, `span...` and `passage...`.
    """

    def __init__(self, folder: Path, lowest: int, rank: int, alpha: int) -> None:
        import torch

        self._weights, config = _read_encoder(folder)
        self.hidden, self.layers = int(config["hidden_size"]), int(config["num_hidden_layers"])
        self.heads_count, self.epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
        if not 0 <= lowest < self.layers:
            raise ValueError(f"the encoder has {self.layers} layers, {lowest} cannot be the first that is trained")
        self.lowest, self.rank, self.alpha = lowest, rank, alpha
        self.lora: dict[str, torch.nn.Parameter] = {}
        for layer in range(lowest, self.layers):
            for name in PROJECTIONS:
                rows, columns = self._weights[f"encoder.layer.{layer}.{name}.weight"].shape
                down = torch.randn(rank, columns) / math.sqrt(columns)
                self.lora[f"{layer}.{name}.A"] = torch.nn.Parameter(down)
                self.lora[f"{layer}.{name}.B"] = torch.nn.Parameter(torch.zeros(rows, rank))
        self.heads = make_heads(self.hidden)

    def parameters(self) -> "dict[str, torch.nn.Parameter]":
        """Everything that is trained, by name."""
        return {**self.lora, **dict(self.heads.named_parameters())}

    def load(self, values: "Mapping[str, Tensor]") -> None:
        """Takes over trained values.

        :raises KeyError: names differ
        :raises RuntimeError: shapes differ
        """
        import torch

        own = self.parameters()
        if own.keys() != values.keys():
            raise KeyError(f"other weights than this trunk's: {sorted(own.keys() ^ values.keys())[:3]}")
        with torch.no_grad():
            for name, weights in own.items():
                weights.copy_(values[name])

    def below(self, ids: "Tensor", mask: "Tensor") -> "Tensor":
        """What the frozen layers make of token ids (rows x tokens): bfloat16 states (rows x tokens x hidden)."""
        import torch
        from torch.nn import functional

        known = self._weights
        states = functional.embedding(ids, known["embeddings.word_embeddings.weight"])
        states = states + known["embeddings.position_embeddings.weight"][: ids.shape[1]]
        states = states + known["embeddings.token_type_embeddings.weight"][0]
        states = self._normed(states, "embeddings.LayerNorm").to(torch.bfloat16)
        far = self._far(mask)
        with torch.no_grad():
            for layer in range(self.lowest):
                states = self._layer(layer, states, far)
        return states

    def above(self, states: "Tensor", mask: "Tensor") -> "tuple[Tensor, Tensor, Tensor]":
        """Logits from the frozen layers' states: first token, last token (rows x tokens), window (rows x 3)."""
        far = self._far(mask)
        for layer in range(self.lowest, self.layers):
            states = self._layer(layer, states, far)
        states = states.float()
        edges = self.heads["span"](states)
        return edges[..., 0], edges[..., 1], self.heads["passage"](states[:, 0])

    def _far(self, mask: "Tensor") -> "Tensor":
        import torch

        return ((1 - mask) * _FAR).to(torch.bfloat16)[:, None, None, :]

    def _weight(self, layer: int, name: str) -> "Tensor":
        frozen = self._weights[f"encoder.layer.{layer}.{name}.weight"]
        if layer < self.lowest:
            return frozen
        change = self.lora[f"{layer}.{name}.B"] @ self.lora[f"{layer}.{name}.A"]
        return frozen + (change * (self.alpha / self.rank)).to(frozen.dtype)

    def _bias(self, layer: int, name: str) -> "Tensor":
        return self._weights[f"encoder.layer.{layer}.{name}.bias"]

    def _normed(self, states: "Tensor", name: str) -> "Tensor":
        from torch.nn import functional

        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return functional.layer_norm(states, (self.hidden,), weight, bias, self.epsilon)

    def _layer(self, layer: int, states: "Tensor", far: "Tensor") -> "Tensor":
        from torch.nn import functional

        output, wide, narrow = PROJECTIONS[3:]
        mixed = self._attention(layer, states, far)
        mixed = functional.linear(mixed, self._weight(layer, output), self._bias(layer, output))
        states = self._normed(mixed + states, f"encoder.layer.{layer}.attention.output.LayerNorm")
        inner = functional.gelu(functional.linear(states, self._weight(layer, wide), self._bias(layer, wide)))
        inner = functional.linear(inner, self._weight(layer, narrow), self._bias(layer, narrow))
        return self._normed(inner + states, f"encoder.layer.{layer}.output.LayerNorm")

    def _attention(self, layer: int, states: "Tensor", far: "Tensor") -> "Tensor":
        import torch
        from torch.nn import functional

        rows, tokens, hidden = states.shape
        size = hidden // self.heads_count
        weight = torch.cat([self._weight(layer, name) for name in PROJECTIONS[:3]])
        bias = torch.cat([self._bias(layer, name) for name in PROJECTIONS[:3]])
        parts = functional.linear(states, weight, bias).view(rows, tokens, 3, self.heads_count, size)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        if torch.is_grad_enabled():
            shares = (torch.matmul(query / math.sqrt(size), key.transpose(-1, -2)) + far).softmax(-1)
            mixed = torch.matmul(shares, value)
        else:
            seen = far.expand(rows, 1, tokens, tokens)
            mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
        return mixed.transpose(1, 2).reshape(rows, tokens, hidden)


def _read_encoder(folder: Path) -> "tuple[dict[str, Tensor], dict[str, Any]]":
    """The weights (layers in bfloat16, embeddings as they are) and the configuration of a BERT folder."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = load_file(folder / "model.safetensors")
    except (OSError, ValueError, SafetensorError) as error:
        raise _no_bert(folder, type(error).__name__) from error
    if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
        raise _no_bert(folder, f"model_type {config.get('model_type')!r}")
    named = {name.removeprefix("bert."): values for name, values in weights.items()}
    if "embeddings.word_embeddings.weight" not in named:
        raise _no_bert(folder, "embeddings.word_embeddings.weight")
    cast = {
        name: values.to(torch.bfloat16) if name.startswith("encoder.") else values for name, values in named.items()
    }
    return cast, config


def _no_bert(folder: Path, what: str) -> UserError:
    return UserError(
        "train-base",
        f"Folder {folder} nie zawiera kodera BERT z wagami safetensors ({what}). Podaj folder wag wbudowanych.",
        f"The folder {folder} holds no BERT encoder with safetensors weights ({what}). "
        "Give the embedded weights' folder.",
    )
