"""An encoder without a model: hashed character trigrams, so that like spellings lie near."""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polqa_demo.records import Passage


class HashedEncoder:
    def __init__(self, name: str = "trigrams", dimension: int = 64, salt: str = "") -> None:
        self.name = name
        self.dimension = dimension
        self.fingerprint = f"{salt}-{dimension}"
        self.salt = salt
        self.encoded = 0  # questions and passages so far

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encode(texts)

    def encode_passages(self, passages: Sequence[Passage], progress: Any = None) -> NDArray[np.float32]:
        if progress:
            progress(len(passages), len(passages))
        return self._encode([f"{one.title} {one.text}" for one in passages])

    def cut(self, passages: Sequence[Passage]) -> int:
        return 0

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in enumerate(texts):
            padded = f"  {text.lower()}  "
            for start in range(len(padded) - 2):
                trigram = f"{self.salt}{padded[start : start + 3]}".encode()
                vectors[row, zlib.crc32(trigram) % self.dimension] += 1
        self.encoded += len(texts)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
