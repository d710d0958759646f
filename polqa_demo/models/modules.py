"""What a sentence-transformers model is made of, and which files each of its modules needs to be loaded.

Taken from the modules' own loaders in sentence-transformers 6.2 (`load`, `load_config`, `load_torch_weights`): a module
whose settings all have defaults, such as Normalize, needs no file, and git keeps no empty folder for it. Weights are
wanted in safetensors wherever a module has any.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from polqa_demo.models.weights import has_weights

DAMAGES = (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What reading damaged files raises."""

_CONFIG = ("config.json",)
_SHARDS = "model.safetensors.index.json"
_ROUTERS = ("Router", "Asym")
_DEEPEST = 4  # routers inside routers


@dataclass(frozen=True, slots=True)
class Needs:
    """Files of which one must be there (none wanted: empty), and whether there are weights."""

    settings: tuple[str, ...] = ()
    weights: bool = False


@dataclass(frozen=True, slots=True)
class ModulePart:
    """One module: its class as the model's files name it, and its folder inside the model's (empty: the model's)."""

    kind: str
    path: str

    @property
    def needs(self) -> Needs:
        """What its loader cannot do without; of an unknown class nothing is known."""
        return _NEEDS.get(self.kind.rpartition(".")[2], Needs())


_TRANSFORMER = Needs(("config.json", "adapter_config.json"), weights=True)
_NEEDS = {
    "Transformer": _TRANSFORMER,
    "CLIPModel": _TRANSFORMER,
    "MLMTransformer": _TRANSFORMER,
    "Pooling": Needs(_CONFIG),
    "Dense": Needs(_CONFIG, weights=True),
    "LayerNorm": Needs(_CONFIG, weights=True),
    "WeightedLayerPooling": Needs(_CONFIG, weights=True),
    "CNN": Needs(("cnn_config.json",), weights=True),
    "LSTM": Needs(("lstm_config.json",), weights=True),
    "StaticEmbedding": Needs(("tokenizer.json",), weights=True),
    "WordEmbeddings": Needs(("wordembedding_config.json",), weights=True),
    "BoW": Needs(_CONFIG),
    "WordWeights": Needs(_CONFIG),
    "Router": Needs(("router_config.json", "config.json")),
    "Asym": Needs(("router_config.json", "config.json")),
    "Normalize": Needs(),
    "Dropout": Needs(),
}


def module_parts(folder: Path) -> tuple[ModulePart, ...]:
    """The modules of a folder, those behind routers included; none where it has no modules.json.

    :raises DAMAGES: a file that names modules is damaged
    """
    listed = _read(folder / "modules.json") or []
    parts = [ModulePart(str(module["type"]), _inside(str(module["path"]))) for module in listed]
    return tuple(part for top in parts for part in _with_routed(folder, top, _DEEPEST))


def missing_files(folder: Path, parts: Sequence[ModulePart]) -> tuple[str, ...]:
    """Settings that a module cannot be loaded without and that are not there, and lacking parts of weights."""
    found = [
        _joined(part.path, part.needs.settings[0])
        for part in parts
        if part.needs.settings and not any((folder / part.path / name).is_file() for name in part.needs.settings)
    ]
    return (*found, *(name for part in parts if part.needs.weights for name in _missing_shards(folder, part)))


def unweighted(folder: Path, parts: Sequence[ModulePart]) -> tuple[str, ...]:
    """Folders of modules that have weights, but none in safetensors."""
    return tuple(part.path for part in parts if part.needs.weights and not has_weights(folder / part.path))


def _with_routed(folder: Path, part: ModulePart, depth: int) -> Iterator[ModulePart]:
    yield part
    if part.kind.rpartition(".")[2] not in _ROUTERS:
        return
    if not depth:
        raise ValueError("routers in routers")
    names = part.needs.settings
    settings: Any = next((found for name in names if (found := _read(folder / part.path / name))), {})
    for place, kind in dict(settings.get("types", {})).items():
        yield from _with_routed(folder, ModulePart(str(kind), _inside(_joined(part.path, str(place)))), depth - 1)


def _missing_shards(folder: Path, part: ModulePart) -> list[str]:
    """Files of weights that are named by their index and not there."""
    place = folder / part.path
    if (place / "model.safetensors").is_file() or not (place / _SHARDS).is_file():
        return []
    names = set(map(str, dict(_read(place / _SHARDS)["weight_map"]).values()))
    return [_joined(part.path, name) for name in sorted(names) if not (place / _inside(name)).is_file()]


def _inside(path: str) -> str:
    """The path, known to lead nowhere outside of the model's folder."""
    pure = PurePosixPath(path.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or ":" in path or "\0" in path:
        raise ValueError(f"a path outside of the model: {path[:60]!r}")
    return "" if path in ("", ".") else path


def _joined(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
