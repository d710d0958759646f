"""Hybrid retrieval: lexical and dense rankings fused into one.

Each part gives its best candidates; a passage's score is what the two parts add to it. How, a `Fusion` says:

    rrf          weight (k + 1) / (k + rank): reciprocal rank fusion, scaled so that 1 is a passage first in both.
                 G. V. Cormack, C. L. A. Clarke, S. Buettcher, SIGIR 2009
    min-max      weight x (score - min) / (max - min) over the candidates
    z-score      weight x (score - mean) / standard deviation over the candidates
    theoretical  as min-max, min being the lowest score there can be: 0 for BM25, -1 for a cosine.
                 S. Bruch, S. Gai, A. Ingber, An analysis of fusion functions for hybrid retrieval, TOIS 2023

The default is z-score with a weight for each question (`coverage`); `python -m benchmarks.fusion` and
`python -m benchmarks.retrieval_default` measure the others beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import UserError
from polqa_demo.records import Ranking
from polqa_demo.retrieval.coverage import coverage, dense_weight
from polqa_demo.retrieval.dense import DenseRetriever, rows_of
from polqa_demo.retrieval.lexical import LexicalRetriever
from polqa_demo.retrieval.retriever import Explanation, PartScore
from polqa_demo.retrieval.vectors import Rows, Scores

Method = Literal["rrf", "min-max", "z-score", "theoretical"]
METHODS: tuple[Method, ...] = get_args(Method)

DEPTH = 100
REMEMBERED_QUESTIONS = 64
"""Fused candidates kept, since a ranking is often explained right after it was made."""

_LOWEST_BM25, _LOWEST_COSINE = 0.0, -1.0


@dataclass(frozen=True, slots=True)
class Fusion:
    """How scores are fused. `k` counts for rrf alone; `dense_weight` lies in 0..1, the lexical weight is the rest.

    Without a weight, each question has its own: the fewer of its words the best passage has, the more the vectors
    count (`coverage`). Raises UserError for an unknown method or numbers out of bounds.
    """

    method: Method = "z-score"
    k: float = 10
    dense_weight: float | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            known = ", ".join(METHODS)
            raise UserError(
                "unknown-fusion",
                f"Nie ma sposobu łączenia „{self.method}”. Dostępne: {known}.",
                f"There is no fusion {self.method!r}. Known: {known}.",
            )
        weight = 0.5 if self.dense_weight is None else self.dense_weight
        if not (self.k >= 0 and 0 <= weight <= 1):
            raise UserError(
                "bad-fusion",
                f"Parametr k nie może być ujemny (jest {self.k:g}), a waga wektorów musi leżeć między 0 a 1 "
                f"(jest {weight:g}).",
                f"k must not be negative (it is {self.k:g}), and the dense weight must lie in 0..1 (it is {weight:g}).",
            )

    def weight_for(self, question: str, lexical: LexicalRetriever) -> float:
        """The dense weight for a question."""
        return dense_weight(coverage(question, lexical)) if self.dense_weight is None else self.dense_weight

    def shares(self, lexical: "Column", dense: "Column", weight: float) -> tuple[Scores, Scores]:
        """What the lexical and the dense part add to each candidate, `weight` being that of the dense one."""
        weights = (1 - weight, weight)
        lowest = (_LOWEST_BM25, _LOWEST_COSINE)
        found = [
            weight * self._normalised(column, least)
            for weight, column, least in zip(weights, (lexical, dense), lowest, strict=True)
        ]
        return found[0], found[1]

    def _normalised(self, column: "Column", lowest: float) -> Scores:
        scores = column.scores
        if self.method == "rrf":
            # An infinite rank adds nothing: the part did not find the passage.
            return np.asarray((self.k + 1) / (self.k + column.ranks), np.float64)
        if self.method == "z-score":
            return _ratio(scores - scores.mean(), float(scores.std()))
        least = lowest if self.method == "theoretical" else float(scores.min())
        return _ratio(scores - least, float(scores.max()) - least)


DEFAULT_FUSION = Fusion()


@dataclass(frozen=True, slots=True)
class Column:
    """One part's view of the candidates: `ranks` from 1, infinite where it did not find the passage; and `scores`.

    The score of a passage beyond the lexical part's depth is the highest that it can have: that of the last one found.
    """

    ranks: NDArray[np.float64]
    scores: Scores


@dataclass(frozen=True, slots=True)
class _Fused:
    """The candidates of one question by row, best first, with what the parts saw and added."""

    places: dict[int, int]
    lexical: Column
    dense: Column
    lexical_shares: Scores
    dense_shares: Scores
    scores: Scores


class HybridRetriever:
    """Both retrievers, fused; a `Retriever`. Safe to use from several threads at once.

    The candidates are the best `depth` of either part, or as many as are asked for when that is more; so a ranking's
    first passages do not depend on how many are asked for, up to `depth`.
    """

    name = "hybrid"

    def __init__(
        self,
        passages: PassageStore,
        lexical: LexicalRetriever,
        dense: DenseRetriever,
        fusion: Fusion = DEFAULT_FUSION,
        depth: int = DEPTH,
    ) -> None:
        self.fusion = fusion
        self.depth = depth
        self._passages = passages
        self._lexical = lexical
        self._dense = dense
        self._fused: Callable[[str, int], _Fused] = lru_cache(maxsize=REMEMBERED_QUESTIONS)(self._fuse)

    def search(self, question: str, top_k: int) -> Ranking:
        """The best passages by the fused score; passages that neither part has found are never among them.

        Raises:
            UserError: as the parts' `search`.
        """
        if top_k < 1:
            return Ranking("", (), ())
        fused = self._fused(question, max(self.depth, top_k))
        ids = tuple(self._passages.id_at(row) for row in list(fused.places)[:top_k])
        return Ranking("", ids, tuple(fused.scores[:top_k].tolist()))

    def explain(self, question: str, passage_ids: tuple[str, ...]) -> tuple[Explanation, ...]:
        """Rank, own score and share of both parts, and the BM25 terms. A passage that neither part found scores 0.

        Both parts' scores are exact, also where a part gave no rank. Explain a ranking longer than `depth` whole.

        Raises:
            UserError: an id is not in the corpus; or as `search`.
        """
        if not passage_ids:
            return ()
        fused = self._fused(question, max(self.depth, len(passage_ids)))
        rows = rows_of(self._passages, passage_ids)
        lexical = self._lexical.explain(question, passage_ids)
        cosines = self._dense.cosines(question, rows)
        return tuple(
            self._explained(fused, fused.places.get(row), by_terms, cosine)
            for row, by_terms, cosine in zip(rows.tolist(), lexical, cosines.tolist(), strict=True)
        )

    def _explained(self, fused: _Fused, place: int | None, lexical: Explanation, cosine: float) -> Explanation:
        if place is None:
            parts = (PartScore(self._lexical.name, None, lexical.score), PartScore(self._dense.name, None, cosine))
            return Explanation(lexical.passage_id, 0.0, lexical.terms, parts)
        parts = (
            PartScore(
                self._lexical.name,
                _rank(fused.lexical.ranks[place]),
                lexical.score,
                float(fused.lexical_shares[place]),
            ),
            PartScore(self._dense.name, _rank(fused.dense.ranks[place]), cosine, float(fused.dense_shares[place])),
        )
        return Explanation(lexical.passage_id, float(fused.scores[place]), lexical.terms, parts)

    def _fuse(self, question: str, depth: int) -> _Fused:
        ranking = self._lexical.search(question, depth)
        by_terms = rows_of(self._passages, ranking.passage_ids)
        by_vectors, _ = self._dense.nearest(question, depth)
        rows = np.union1d(by_terms, by_vectors)
        # Passages that the lexical part has not found score 0 where it had room for more, else at most as the last.
        missing = ranking.scores[-1] if len(ranking.scores) == depth else _LOWEST_BM25
        lexical = Column(_ranks(rows, by_terms), _placed(rows, by_terms, np.array(ranking.scores), missing))
        dense = Column(_ranks(rows, by_vectors), self._dense.cosines(question, rows))
        shares = self.fusion.shares(lexical, dense, self.fusion.weight_for(question, self._lexical))
        scores = shares[0] + shares[1]
        order = np.argsort(-scores, kind="stable")  # of equal scores the earlier row
        return _Fused(
            {row: place for place, row in enumerate(rows[order].tolist())},
            Column(lexical.ranks[order], lexical.scores[order]),
            Column(dense.ranks[order], dense.scores[order]),
            shares[0][order],
            shares[1][order],
            scores[order],
        )


def _ranks(rows: Rows, found: Rows) -> NDArray[np.float64]:
    return _placed(rows, found, np.arange(1, len(found) + 1), np.inf)


def _placed(rows: Rows, found: Rows, values: NDArray[np.number], missing: float) -> NDArray[np.float64]:
    """Values of the rows that were found, at their places in the sorted `rows`; `missing` elsewhere."""
    column = np.full(len(rows), missing)
    column[np.searchsorted(rows, found)] = values
    return column


def _ratio(scores: Scores, spread: float) -> Scores:
    """Scores over their spread; where they are all the same, they say nothing."""
    return scores / spread if spread > 0 else np.zeros_like(scores)


def _rank(rank: float) -> int | None:
    return int(rank) if np.isfinite(rank) else None
