"""An encoder whose vectors a trained adapter changes: the adapter applied, on questions, passages or both."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.passages import Progress
from polqa_demo.errors import Bilingual
from polqa_demo.records import Passage
from polqa_demo.retrieval.encoders import DescribedEncoder
from polqa_demo.retrieval.known_models import TextFormat
from polqa_demo.retrieval.unit_vectors import as_unit_vectors

VectorStep = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""Unit vectors (n, dimension) to vectors (n, any dimension), row by row."""


@dataclass(frozen=True, slots=True)
class VectorAdapter:
    """A trained change of the vectors after a model, such as a linear map; a side that is None stays as it is.

    `name` stands in the encoder's name and in its fingerprint, so it must change when the functions do (a version, or
    a checksum of the weights).
    """

    name: str
    queries: VectorStep | None = None
    passages: VectorStep | None = None


class AdaptedEncoder:
    """An encoder with an adapter on its vectors, which are brought back to length 1; an `Encoder`."""

    def __init__(self, inner: DescribedEncoder, adapter: VectorAdapter) -> None:
        self.inner = inner
        self.adapter = adapter
        self.name = f"{inner.name}+{adapter.name}"
        self.fingerprint = hashlib.sha256(f"{inner.fingerprint}+{adapter.name}".encode()).hexdigest()
        probe = np.full((1, inner.dimension), inner.dimension**-0.5, np.float32)
        self.dimension = int(self.adapt_passages(probe, ("",)).shape[1])

    @property
    def form(self) -> TextFormat:
        """As the inner encoder."""
        return self.inner.form

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner encoder, then the adapter's side for questions."""
        return self._adapted(self.adapter.queries, self.inner.encode_queries(texts), texts)

    def encode_passages(self, passages: Sequence[Passage], progress: Progress | None = None) -> NDArray[np.float32]:
        """As the inner encoder, then the adapter's side for passages."""
        return self.adapt_passages(self.inner.encode_passages(passages, progress), [passage.id for passage in passages])

    def adapt_passages(self, vectors: NDArray[np.float32], names: Sequence[str]) -> NDArray[np.float32]:
        """Vectors that the inner encoder made of passages, adapted; for vectors that were kept."""
        return self._adapted(self.adapter.passages, vectors, names)

    def cut(self, passages: Sequence[Passage]) -> int:
        """As the inner encoder."""
        return self.inner.cut(passages)

    def forget_finished(self) -> None:
        """As the inner encoder."""
        self.inner.forget_finished()

    def describe(self) -> Bilingual:
        """As the inner encoder, with the adapter named."""
        inner = self.inner.describe()
        return Bilingual(f"{inner.pl}; adapter: {self.adapter.name}", f"{inner.en}; adapter: {self.adapter.name}")

    def _adapted(
        self, step: VectorStep | None, vectors: NDArray[np.float32], names: Sequence[str]
    ) -> NDArray[np.float32]:
        return vectors if step is None else as_unit_vectors(step(vectors), names, self.name)
