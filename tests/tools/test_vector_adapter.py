import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import save_file

from polqa_demo.errors import UserError
from polqa_demo.retrieval.encoders import EMBEDDED
from tools.retriever.adapter import (
    CONFIG,
    EMBEDDED_ADAPTER,
    WEIGHTS,
    LinearMap,
    load_adapter,
    save_adapter,
)


def units(count: int, dimension: int, seed: int = 0) -> NDArray[np.float32]:
    drawn = np.random.default_rng(seed).standard_normal((count, dimension))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Swaps the two axes of question vectors and leaves those of passages."""
    swap = LinearMap(np.array([[-1, 1], [1, -1]], np.float32), np.zeros(2, np.float32))
    save_adapter(tmp_path / "swap", "some-encoder", {"queries": swap})
    return tmp_path / "swap"


def test_a_side_is_mapped_and_the_other_left(folder: Path) -> None:
    adapter = load_adapter(folder, "some-encoder")
    vectors = np.array([[0.6, 0.8]], np.float32)
    assert adapter.queries(vectors) == pytest.approx(np.array([[0.8, 0.6]]))
    assert adapter.passages(vectors) is vectors
    steps = adapter.steps()
    assert steps.passages is None
    assert steps.queries is not None
    assert steps.name == f"swap-{adapter.fingerprint[:12]}"


@given(st.integers(0, 1000), st.integers(1, 8), st.floats(0, 0.3))
def test_vectors_come_out_with_length_one(seed: int, count: int, size: float) -> None:
    chance = np.random.default_rng(seed)
    change = LinearMap(
        (size * chance.standard_normal((6, 6))).astype(np.float32),
        (size * chance.standard_normal(6)).astype(np.float32),
    )
    found = change(units(count, 6, seed))
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(count), abs=1e-6)


def test_the_fingerprint_follows_the_weights(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    assert load_adapter(copy).fingerprint == load_adapter(folder).fingerprint
    other = LinearMap(np.eye(2, dtype=np.float32), np.zeros(2, np.float32))
    save_adapter(copy, "some-encoder", {"queries": other})
    assert load_adapter(copy).fingerprint != load_adapter(folder).fingerprint


def test_another_encoder_or_dimension_is_refused(folder: Path) -> None:
    with pytest.raises(UserError, match="trained on vectors of the encoder some-encoder") as refused:
        load_adapter(folder, "another")
    assert refused.value.code == "adapter-of-other-encoder"
    with pytest.raises(UserError, match="dimension 2") as refused:
        load_adapter(folder).queries(units(1, 3))
    assert refused.value.code == "adapter-misfit"


def test_a_vector_that_vanishes_is_refused() -> None:
    nothing = LinearMap(-np.eye(2, dtype=np.float32), np.zeros(2, np.float32))
    with pytest.raises(UserError):
        nothing(units(1, 2))


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UserError, match=name) as refused:
        load_adapter(folder)
    assert refused.value.code == "adapter-missing"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"format": "a cake"}, "adapter-damaged"),
        ({"version": 2}, "adapter-version"),
        ({"dimension": 3}, "adapter-damaged"),
        ({"dimension": "2"}, "adapter-damaged"),
        ({"encoder": None}, "adapter-damaged"),
    ],
)
def test_a_wrong_config_is_refused(folder: Path, changes: dict[str, object], code: str) -> None:
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    (folder / CONFIG).write_text(json.dumps(config | changes), encoding="utf-8")
    with pytest.raises(UserError) as refused:
        load_adapter(folder)
    assert refused.value.code == code


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe\x00"])
def test_garbage_is_refused(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(UserError) as refused:
        load_adapter(folder)
    assert refused.value.code == "adapter-damaged"


@pytest.mark.parametrize(
    "tensors",
    [
        {"queries.matrix": np.eye(2)},
        {"queries.matrix": np.full((2, 2), np.nan), "queries.shift": np.zeros(2)},
        {"queries.matrix": np.eye(2), "queries.shift": np.zeros(3)},
        {"queries.matrix": np.eye(2), "queries.shift": np.zeros(2), "else": np.zeros(1)},
        {"else": np.zeros(1)},
    ],
    ids=["no shift", "nan", "shape", "more", "other"],
)
def test_wrong_tensors_are_refused(folder: Path, tensors: dict[str, NDArray[np.float64]]) -> None:
    save_file({name: tensor.astype(np.float16) for name, tensor in tensors.items()}, folder / WEIGHTS)
    with pytest.raises(UserError) as refused:
        load_adapter(folder)
    assert refused.value.code == "adapter-damaged"


def test_the_shipped_adapter_fits_the_embedded_encoder() -> None:
    adapter = load_adapter(EMBEDDED_ADAPTER, EMBEDDED)
    vectors = units(20, adapter.dimension)
    moved = adapter.queries(vectors)
    assert adapter.dimension == 384
    assert not np.array_equal(moved, vectors)
    assert (moved * vectors).sum(axis=1).min() > 0.8  # held near the identity
    assert (EMBEDDED_ADAPTER / "README.md").is_file()
