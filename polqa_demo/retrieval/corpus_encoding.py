"""Many passages to vectors: batches of like length by a budget of tokens, chunk by chunk, resumable.

A batch costs as much as its longest text for each of its texts, so texts are sorted by length within a chunk, and a
batch takes as many as fit a number of tokens: many short ones or few long ones.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.passages import Progress
from polqa_demo.records import Passage
from polqa_demo.retrieval.known_models import TextFormat
from polqa_demo.retrieval.unfinished_vectors import UnfinishedVectors
from polqa_demo.retrieval.unit_vectors import as_unit_vectors

CHUNK = 1_024
"""Passages sorted together, and kept together when a run is stopped: some minutes' work of a slow machine."""
KEPT_FROM = 256
"""Chunks with fewer passages are encoded faster than it would be worth to keep them."""
BATCH_TOKENS = 4_096
"""Tokens of a batch, padding included."""


class BatchModel(Protocol):
    """What encodes one batch. `max_tokens` is the length at which it cuts."""

    name: str
    dimension: int
    max_tokens: int

    def lengths(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text, before any cut."""
        ...

    def encode_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors (n, dimension), of any length."""
        ...


def encode_corpus(
    passages: Sequence[Passage],
    form: TextFormat,
    model: BatchModel,
    unfinished: UnfinishedVectors | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float32]:
    """Vectors (n, dimension) of length 1, in the order of the passages.

    With `unfinished`, chunks that a stopped run had finished are read and new ones are kept there.

    Raises:
        UserError: vectors are NaN, infinite or zero; the passages are named.
    """
    total = len(passages)
    found = np.empty((total, model.dimension), np.float32)
    for start in range(0, total, CHUNK):
        chunk = [passages[row] for row in range(start, min(start + CHUNK, total))]
        texts = [form.passage(passage) for passage in chunk]
        kept = unfinished if len(chunk) >= KEPT_FROM else None
        key = kept.key(texts) if kept else ""
        vectors = kept.load(key, len(chunk), model.dimension) if kept else None
        if vectors is None:
            vectors = _encode_chunk(texts, [passage.id for passage in chunk], model, _from(progress, start, total))
            if kept:
                kept.save(key, vectors)
        found[start : start + len(chunk)] = vectors
        if progress:
            progress(start + len(chunk), total)
    return found


def batches_by_length(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Rows in batches, longest first: each has at most `budget` tokens when padded, or is a single row."""
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    place = 0
    while place < len(order):
        fitting = max(1, budget // max(1, lengths[order[place]]))
        yield order[place : place + fitting]
        place += fitting


def _encode_chunk(
    texts: Sequence[str], ids: Sequence[str], model: BatchModel, progress: Progress | None
) -> NDArray[np.float32]:
    lengths = [min(length, model.max_tokens) for length in model.lengths(texts)]
    raw = np.empty((len(texts), model.dimension), np.float32)
    done = 0
    for rows in batches_by_length(lengths, BATCH_TOKENS):
        raw[rows] = model.encode_batch([texts[row] for row in rows])
        done += len(rows)
        if progress and done < len(texts):
            progress(done, None)
    return as_unit_vectors(raw, ids, model.name)


def _from(progress: Progress | None, start: int, total: int) -> Progress | None:
    return (lambda done, _: progress(start + done, total)) if progress else None
