"""Unit vectors -> nearest rows: the exact inner product with every vector, on FAISS.

A search has two steps, so that other ways to find candidates can take the place of the first: FAISS proposes rows,
and those are scored again in float64 from the vectors themselves. The second step gives a passage one score, whatever
else was asked in the same batch, and equal vectors equal scores; equal scores stand in the order of the corpus.
"""

from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from polqa_demo.errors import Bilingual, UserError, first_few

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]
Vectors = NDArray[np.float16] | NDArray[np.float32]
"""(n, dimension), C-contiguous, in memory or memory-mapped; halves are scored as they are, not rounded again."""

UNIT_TOLERANCE = 2e-3
"""How far a length may be from 1: rounding to halves moves it by up to 5e-4, models in bfloat16 by more."""

PASSAGE_VECTORS = Bilingual("Wektory fragmentów", "The vectors of the passages")
QUESTION_VECTORS = Bilingual("Wektory pytań", "The vectors of the questions")

_BLOCK = 16_384
# Products of single numbers below which one core is enough: waiting for another costs more, above all a busy one
# (921 x 384 on two busy cores: 0.5 ms of processor time a question instead of 10).
_ONE_CORE = 20_000_000
_SPARE_ROWS = 28  # proposed beyond top_k, so that a tie at the cut is usually seen whole in one search
_NEAR_TIE = 1e-5  # above the error of a float32 inner product of unit vectors


class VectorSearch(Protocol):
    """Finds the vectors of one corpus that have the largest inner products with a question's."""

    dimension: int

    def __len__(self) -> int: ...

    def search(self, queries: NDArray[np.float32], top_k: int) -> tuple[Rows, Scores]:
        """Rows and inner products, (n, min(top_k, len)) each, best first, for n unit vectors."""
        ...

    def scores(self, query: NDArray[np.float32], rows: Rows) -> Scores:
        """The inner products of one unit vector (dimension,) with these rows, as `search` gives them."""
        ...


class FlatSearch:
    """All vectors are looked at; a `VectorSearch`. Safe to use from several threads at once.

    FAISS keeps a copy in memory (2 or 4 bytes a component, as in `vectors`), so this is for corpora of up to some
    hundred thousands of passages. Halves take 0.4 of the time of floats and give the same scores as the same numbers
    in float32 (100,000 x 384, 2 cores).
    """

    def __init__(self, vectors: Vectors) -> None:
        """Copy the vectors into FAISS, block by block.

        Raises:
            UserError: vectors are not finite or not of length 1; they are named by number.
        """
        self._vectors = vectors
        self.dimension = vectors.shape[1]
        self._index = _flat_index(vectors)

    def __len__(self) -> int:
        return len(self._vectors)

    def search(self, queries: NDArray[np.float32], top_k: int) -> tuple[Rows, Scores]:
        """The nearest rows of each query, and their inner products in float64.

        Raises:
            UserError: a query is not finite or not of length 1.
        """
        refuse_unfit(queries, QUESTION_VECTORS)
        count = max(0, min(top_k, len(self)))
        if not count or not len(queries):
            return np.zeros((len(queries), count), np.int64), np.zeros((len(queries), count))
        limit = min(count + _SPARE_ROWS, len(self))
        _use_cores(len(queries) * self._vectors.size)
        proposed, rows = self._index.search(np.ascontiguousarray(queries, np.float32), limit)
        settled = [self._settle(*one, count) for one in zip(queries, rows, proposed, strict=True)]
        return np.stack([one[0] for one in settled]), np.stack([one[1] for one in settled])

    def scores(self, query: NDArray[np.float32], rows: Rows) -> Scores:
        """The inner products of one query with these rows, in float64."""
        # Not a matrix product: BLAS rounds a row differently according to how many stand beside it.
        products = self._vectors[rows].astype(np.float64) * query.astype(np.float64)
        return np.asarray(products.sum(axis=1), np.float64)

    def _settle(
        self, query: NDArray[np.float32], rows: Rows, proposed: NDArray[np.float32], count: int
    ) -> tuple[Rows, Scores]:
        """The best `count` rows of one query; more are fetched while rows beyond the last may tie with the cut."""
        while len(rows) < len(self) and proposed[-1] > proposed[count - 1] - _NEAR_TIE:
            (proposed,), (rows,) = self._index.search(query[None].astype(np.float32), min(8 * len(rows), len(self)))
        scores = self.scores(query, rows)
        best = np.lexsort((rows, -scores))[:count]
        return rows[best], scores[best]


def refuse_unfit(vectors: NDArray[Any], what: Bilingual, first_row: int = 0) -> None:
    """Check that vectors (n, dimension) are finite and of length 1; rows are told from 1, the first being `first_row`.

    Raises:
        UserError: some are not; it says how many, and which are the first.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is named below
        lengths = np.linalg.norm(vectors.astype(np.float32, copy=False), axis=1)
    unfit = np.flatnonzero(~(np.abs(lengths - 1) <= UNIT_TOLERANCE))  # NaN compares false
    if not len(unfit):
        return
    first = first_few(first_row + row + 1 for row in unfit.tolist())
    length = f"{lengths[unfit[0]]:.4g}"
    raise UserError(
        "vectors-unfit",
        f"{what.pl} muszą mieć długość 1; innych jest {len(unfit)} z {len(vectors)} (nr {first}; długość pierwszego: "
        f"{length}; nan lub inf to błąd obliczeń). Policz je jeszcze raz w pełnej precyzji albo innym enkoderem.",
        f"{what.en} must have length 1; others: {len(unfit)} of {len(vectors)} (no. {first}; length of the first: "
        f"{length}; nan or inf is a failed computation). Compute them again in full precision or by another encoder.",
    )


def _use_cores(products: int) -> None:
    """Set how many cores FAISS takes for what this thread asks of it."""
    import faiss

    everything = _all_cores()
    faiss.omp_set_num_threads(1 if products < _ONE_CORE else everything)


@cache
def _all_cores() -> int:
    import faiss

    return int(faiss.omp_get_max_threads())


def _flat_index(vectors: Vectors) -> Any:
    """A FAISS index whose codes are the very bytes of the vectors."""
    import faiss

    dimension = vectors.shape[1]
    index: Any
    if vectors.dtype == np.float16:
        halves = faiss.ScalarQuantizer.QT_fp16
        index = faiss.IndexScalarQuantizer(dimension, halves, faiss.METRIC_INNER_PRODUCT)
    else:
        index = faiss.IndexFlatIP(dimension)
    for start in range(0, len(vectors), _BLOCK):
        block = np.ascontiguousarray(vectors[start : start + _BLOCK])
        refuse_unfit(block, PASSAGE_VECTORS, start)
        index.add_sa_codes(block.view(np.uint8))
    return index
