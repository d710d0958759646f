"""What was trained, written as an adapter folder: peft's layout, heads and settings beside it."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from polqa_demo.reading.span_decoding import Weighing
from polqa_demo.reading.span_model import HEADS, READER, Calibration
from polqa_demo.reading.span_windows import Layout
from tools.reader.trunk import PROJECTIONS, Trunk

if TYPE_CHECKING:
    import torch

_PEFT = {"A": "lora_A", "B": "lora_B"}


def write_adapter(
    folder: Path,
    trunk: Trunk,
    layout: Layout,
    weighing: Weighing,
    calibration: Calibration,
    base: str = "intfloat/multilingual-e5-small",
) -> None:
    """Writes adapter_model.safetensors (float16), adapter_config.json, heads.safetensors and reader.json."""
    from peft import LoraConfig
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    config = LoraConfig(
        r=trunk.rank,
        lora_alpha=trunk.alpha,
        target_modules=sorted(PROJECTIONS),
        layers_to_transform=list(range(trunk.lowest, trunk.layers)),
        layers_pattern="layer",
        base_model_name_or_path=base,
        inference_mode=True,
    )
    config.save_pretrained(str(folder))
    _sort_modules(folder / "adapter_config.json")
    save_file(_peft_names(trunk), folder / "adapter_model.safetensors", metadata={"format": "pt"})
    heads = {name: values.detach().contiguous() for name, values in trunk.heads.state_dict().items()}
    save_file(heads, folder / HEADS, metadata={"format": "pt"})
    settings = {"layout": asdict(layout), "weighing": asdict(weighing), "calibration": asdict(calibration)}
    for name in ("adapter_model.safetensors", HEADS):
        (folder / name).chmod(0o644)  # safetensors leaves them to their owner alone
    (folder / READER).write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def _peft_names(trunk: Trunk) -> "dict[str, torch.Tensor]":
    named = {}
    for key, values in trunk.lora.items():
        place, which = key.rsplit(".", 1)
        named[f"base_model.model.encoder.layer.{place}.{_PEFT[which]}.weight"] = values.detach().half().contiguous()
    return named


def _sort_modules(file: Path) -> None:
    """Peft keeps the names in a set: the same training would write another file each time."""
    config = json.loads(file.read_text(encoding="utf-8"))
    config["target_modules"] = sorted(config["target_modules"])
    file.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
