"""Where the models of others compute, and in what numbers; decided here alone, for encoders, rerankers and readers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

CPU = "cpu"


def computing_device() -> str:
    """The device as torch names it: a GPU where there is one, of NVIDIA or AMD (`cuda`) or of Apple (`mps`)."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else CPU


def quick_type(device: str) -> "torch.dtype":
    """bfloat16 where a device multiplies in it, else float32; emulation would be slower."""
    import torch

    if device == CPU:
        return torch.bfloat16 if has_bfloat16() else torch.float32
    return torch.bfloat16 if device == "cuda" and torch.cuda.is_bf16_supported() else torch.float32


def has_bfloat16() -> bool:
    """Whether the processor computes in bfloat16 itself: AVX-512 BF16, AMX, or ARM's."""
    import torch

    found = torch.cpu.get_capabilities()
    return any(found.get(name) for name in ("amx_bf16", "avx512_bf16", "bf16"))


def beside(network: Any, tensors: "Mapping[str, torch.Tensor]") -> "dict[str, torch.Tensor]":
    """A batch on the device of the network that is to read it."""
    device = next(network.parameters()).device
    return {name: tensor.to(device) for name, tensor in tensors.items()}


def placement(network: Any) -> str:
    """What a network computes in and where, for people: `bfloat16, cpu`. Told of its first weights."""
    weights = next(network.parameters(), None)
    return CPU if weights is None else _placed(weights.dtype, weights.device.type)


def planned_placement() -> str:
    """What `placement` will say of a network that is put where it is quickest."""
    device = computing_device()
    return _placed(quick_type(device), device)


def _placed(precision: "torch.dtype", device: str) -> str:
    return f"{str(precision).removeprefix('torch.')}, {device}"
