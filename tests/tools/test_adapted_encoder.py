from pathlib import Path

import numpy as np
import pytest

from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.encoders import open_encoder
from tests.retrieval.hashed_encoder import HashedEncoder
from tests.retrieval.tiny_encoders import save_bert
from tools.retriever.adapted_encoder import AdaptedEncoder, VectorAdapter

PASSAGES = [
    Passage("1", "Lalka", "Lalkę napisał Bolesław Prus"),
    Passage("2", "", "Wisła rzeka"),
    Passage("3", "Toruń", "a b c d " * 20),
]


def test_an_adapter_changes_vectors_dimension_name_and_fingerprint() -> None:
    inner = HashedEncoder(dimension=8)
    matrix = np.random.default_rng(0).normal(size=(8, 4)).astype(np.float32)
    adapted = AdaptedEncoder(inner, VectorAdapter("turn-1", lambda v: v @ matrix, lambda v: v @ matrix))
    assert adapted.dimension == 4
    assert adapted.name == "trigrams+turn-1"
    vectors = adapted.encode_passages(PASSAGES)
    assert vectors.shape == (3, 4)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.array_equal(vectors, adapted.adapt_passages(inner.encode_passages(PASSAGES), ["1", "2", "3"]))
    other = AdaptedEncoder(inner, VectorAdapter("turn-2", lambda v: v @ matrix, lambda v: v @ matrix))
    assert len({inner.fingerprint, adapted.fingerprint, other.fingerprint}) == 3


def test_a_side_without_a_step_stays_as_it_is(tmp_path: Path) -> None:
    saved = save_bert(tmp_path / "tiny", prompts={"query": "query: ", "document": "passage: "})
    bare = open_encoder(str(saved), tmp_path)
    adapted = AdaptedEncoder(bare, VectorAdapter("flip", queries=lambda v: -v))
    assert np.array_equal(adapted.encode_passages(PASSAGES), bare.encode_passages(PASSAGES))
    assert np.array_equal(adapted.encode_queries(["kto"]), -bare.encode_queries(["kto"]))
    assert adapted.cut(PASSAGES) == 1
    assert "adapter: flip" in adapted.describe().pl


def test_an_adapter_that_breaks_vectors_is_refused() -> None:
    broken = VectorAdapter("nan", queries=lambda v: v * np.nan)
    with pytest.raises(UserError, match="trigrams\\+nan"):
        AdaptedEncoder(HashedEncoder(), broken).encode_queries(["kto"])


def test_an_adapted_encoder_forgets_what_its_inner_one_kept(tmp_path: Path) -> None:
    inner, told = HashedEncoder(), []
    inner.forget_finished = lambda: told.append(True)  # type: ignore[attr-defined]
    AdaptedEncoder(inner, VectorAdapter("none")).forget_finished()  # type: ignore[arg-type]
    assert told == [True]
