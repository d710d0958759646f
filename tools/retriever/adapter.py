"""A trained change of the vectors of one encoder: a folder with a linear map a side, applied with numpy alone.

    FOLDER/adapter.json          form, name of the encoder, dimension
    FOLDER/adapter.safetensors   `queries.matrix`, `queries.shift`, `passages.matrix`, `passages.shift`

A unit vector x becomes x + x M + s, brought back to length 1: the map is the identity where it learnt nothing. A side
without tensors stays as it is, so an adapter of questions alone fits vectors of passages that were made before.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from polqa_demo.errors import UserError
from polqa_demo.retrieval.unit_vectors import as_unit_vectors
from tools.retriever.adapted_encoder import VectorAdapter

EMBEDDED_ADAPTER = Path(__file__).parent / "e5-small-pl"
"""The adapter that was shipped once, for the embedded encoder: nothing it wins is beyond chance."""

CONFIG, WEIGHTS = "adapter.json", "adapter.safetensors"
_FORMAT, _VERSION = "polqa-demo vector adapter", 1
_MARK_LETTERS = 12

Side = Literal["queries", "passages"]
SIDES: tuple[Side, ...] = get_args(Side)


@dataclass(frozen=True, slots=True, eq=False)
class LinearMap:
    """x -> x + x M + s, length 1; `matrix` is (dimension, dimension), `shift` (dimension,), float32."""

    matrix: NDArray[np.float32]
    shift: NDArray[np.float32]

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """The vectors (n, dimension) after the map.

        Raises:
            UserError: a vector has no direction afterwards.
        """
        changed = vectors + vectors @ self.matrix + self.shift
        return as_unit_vectors(changed, [str(row + 1) for row in range(len(vectors))], "adapter")


@dataclass(frozen=True, slots=True)
class LoadedAdapter:
    """An adapter read from a folder. `encoder` is the name of the one it was trained on.

    `fingerprint` is the SHA-256 (hex) of both files: it changes whenever the vectors would.
    """

    name: str
    encoder: str
    dimension: int
    fingerprint: str
    maps: Mapping[Side, LinearMap]

    def queries(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Vectors (n, dimension) of questions as the encoder made them, changed; of length 1."""
        return self._side("queries", vectors)

    def passages(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Vectors (n, dimension) of passages as the encoder made them, changed; of length 1."""
        return self._side("passages", vectors)

    def steps(self) -> VectorAdapter:
        """What `AdaptedEncoder` takes; the name has the fingerprint, so that indexes of another adapter are refused."""
        mark = f"{self.name}-{self.fingerprint[:_MARK_LETTERS]}"
        return VectorAdapter(
            mark,
            self.queries if "queries" in self.maps else None,
            self.passages if "passages" in self.maps else None,
        )

    def _side(self, side: Side, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        if vectors.shape[1] != self.dimension:
            raise _misfit(self.name, self.encoder, self.dimension, vectors.shape[1])
        change = self.maps.get(side)
        return change(vectors) if change else vectors


def load_adapter(folder: Path, encoder: str | None = None) -> LoadedAdapter:
    """The adapter of a folder; with `encoder` (a name), only one that was trained on it.

    Raises:
        UserError: files are missing, damaged, of another form or version; or it belongs to another encoder.
    """
    config, tensors = _read(folder)
    if encoder is not None and config["encoder"] != encoder:
        raise UserError(
            "adapter-of-other-encoder",
            f"Adapter {folder.name} uczono na wektorach enkodera {config['encoder']}, a nie {encoder}. "
            f"Użyj enkodera {config['encoder']} albo wytrenuj własny adapter: python -m tools.train retriever",
            f"The adapter {folder.name} was trained on vectors of the encoder {config['encoder']}, not of {encoder}. "
            f"Use the encoder {config['encoder']}, or train an adapter of your own: "
            "python -m tools.train retriever",
        )
    dimension = config["dimension"]
    maps = {side: _map(folder, side, tensors, dimension) for side in SIDES if f"{side}.matrix" in tensors}
    unknown = tensors.keys() - {f"{side}.{part}" for side in maps for part in ("matrix", "shift")}
    if unknown or not maps:
        raise _damaged(folder, f"{WEIGHTS}: {', '.join(sorted(unknown)) or 'no tensors'}")
    return LoadedAdapter(folder.name, config["encoder"], dimension, _fingerprint(folder), maps)


def save_adapter(folder: Path, encoder: str, maps: Mapping[Side, LinearMap]) -> None:
    """Write the files of an adapter; matrices and shifts are kept as halves.

    Raises:
        OSError: they cannot be written.
        ValueError: there is no map, or their dimensions differ.
    """
    from safetensors.numpy import save

    dimensions = {one.matrix.shape for one in maps.values()} | {2 * one.shift.shape for one in maps.values()}
    if len(dimensions) != 1:
        message = f"maps of one dimension are wanted, not of {sorted(dimensions)}"
        raise ValueError(message)
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {f"{side}.matrix": one.matrix for side, one in maps.items()}
    tensors |= {f"{side}.shift": one.shift for side, one in maps.items()}
    halves = {name: np.ascontiguousarray(tensor, np.float16) for name, tensor in sorted(tensors.items())}
    (folder / WEIGHTS).write_bytes(save(halves))  # save_file would make it readable by its owner alone
    config = {"format": _FORMAT, "version": _VERSION, "encoder": encoder, "dimension": dimensions.pop()[0]}
    (folder / CONFIG).write_text(json.dumps(config, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _read(folder: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    missing = [name for name in (CONFIG, WEIGHTS) if not (folder / name).is_file()]
    if missing:
        raise UserError(
            "adapter-missing",
            f"Folder {folder} nie zawiera adaptera: brak {', '.join(missing)}. "
            "Podaj folder zapisany przez: python -m tools.train retriever --out FOLDER",
            f"The folder {folder} holds no adapter: {', '.join(missing)} missing. "
            "Give a folder written by: python -m tools.train retriever --out FOLDER",
        )
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        tensors = load_file(folder / WEIGHTS)
    except (OSError, ValueError, RecursionError, SafetensorError) as error:
        raise _damaged(folder, str(error)) from error
    if not isinstance(config, dict) or config.get("format") != _FORMAT:
        raise _damaged(folder, f"{CONFIG}: format")
    if config.get("version") != _VERSION:
        raise UserError(
            "adapter-version",
            f"Adapter {folder} jest w wersji {config.get('version')!r}, a ten program czyta wersję {_VERSION}. "
            "Zaktualizuj program albo wytrenuj adapter ponownie.",
            f"The adapter {folder} is of version {config.get('version')!r}, and this program reads version {_VERSION}. "
            "Update the program, or train the adapter again.",
        )
    dimension = config.get("dimension")
    if not isinstance(config.get("encoder"), str) or type(dimension) is not int or dimension < 1:
        raise _damaged(folder, f"{CONFIG}: encoder, dimension")
    return config, tensors


def _map(folder: Path, side: Side, tensors: Mapping[str, NDArray[Any]], dimension: int) -> LinearMap:
    matrix, shift = tensors[f"{side}.matrix"], tensors.get(f"{side}.shift")
    if shift is None or matrix.shape != (dimension, dimension) or shift.shape != (dimension,):
        raise _damaged(folder, f"{WEIGHTS}: {side}, {matrix.shape}, {None if shift is None else shift.shape}")
    floats = [tensor.astype(np.float32) for tensor in (matrix, shift)]
    if not all(np.isfinite(tensor).all() for tensor in floats):
        raise _damaged(folder, f"{WEIGHTS}: {side}, NaN or infinity")
    return LinearMap(*floats)


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in (CONFIG, WEIGHTS):
        digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()


def _misfit(name: str, encoder: str, wanted: int, found: int) -> UserError:
    return UserError(
        "adapter-misfit",
        f"Adapter {name} jest dla wektorów o wymiarze {wanted} (enkoder {encoder}), a te mają wymiar {found}. "
        "Użyj enkodera, na którym go uczono, albo wytrenuj własny.",
        f"The adapter {name} is for vectors of dimension {wanted} (encoder {encoder}), and these have {found}. "
        "Use the encoder that it was trained on, or train one of your own.",
    )


def _damaged(folder: Path, what: str) -> UserError:
    reason = " ".join(what.split())[:200]
    return UserError(
        "adapter-damaged",
        f"Adapter {folder} jest uszkodzony ({reason}). Pobierz go albo wytrenuj ponownie.",
        f"The adapter {folder} is damaged ({reason}). Get it again, or train it again.",
    )
