"""What tells the files of a model from all others: their content, or the commit of the hub."""

import os
import shutil
from pathlib import Path

import pytest

from polqa_demo.models.snapshots import files_checksum, files_mark, model_snapshot
from tests.retrieval.tiny_encoders import as_cached


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    (folder / "1_Pooling").mkdir(parents=True)
    for name, content in (
        ("config.json", b"{}"),
        ("model.safetensors", b"weights"),
        ("pytorch_model.bin", b"pickled"),
        ("1_Pooling/config.json", b"{}"),
    ):
        (folder / name).write_bytes(content)
    return folder


def test_equal_files_have_one_mark_wherever_and_whenever_they_were_written(model: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(model, tmp_path / "copy"))
    os.utime(copy / "model.safetensors", (0, 0))
    assert files_mark(copy) == files_mark(model)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "pytorch_model.bin", "1_Pooling/config.json"])
def test_a_change_of_any_file_of_equal_size_is_another_mark(model: Path, name: str) -> None:
    before, stat = files_mark(model), (model / name).stat()
    (model / name).write_bytes(b"x" * stat.st_size)
    os.utime(model / name, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert files_mark(model) != before


def test_what_no_model_is_loaded_from_is_not_looked_at(model: Path) -> None:
    before = files_mark(model), files_checksum(model)
    (model / "README.md").write_text("nowe")
    (model / "onnx").mkdir()
    (model / "onnx" / "config.json").write_text("[]")
    (model / ".cache").mkdir()
    (model / ".cache" / "a.json").write_text("[]")
    assert (files_mark(model), files_checksum(model)) == before


def test_a_snapshot_of_the_hub_is_known_by_its_commit(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    snapshot = as_cached(tmp_path / "hub", "ktos/model", model)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert model_snapshot("ktos/model", "") == snapshot
    assert files_mark(snapshot) == snapshot.name
