"""Reranking: the best passages of a retriever in the order of a model that reads each together with the question."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import Bilingual
from polqa_demo.records import Passage, Ranking
from polqa_demo.retrieval.dense import rows_of
from polqa_demo.retrieval.retriever import Explanation, PartScore, Retriever

DEPTH = 50
REMEMBERED_QUESTIONS = 64


class PairScorer(Protocol):
    """Says how well passages fit a question."""

    name: str

    def score(self, question: str, passages: Sequence[Passage]) -> Sequence[float]:
        """A finite number a passage, in the given order; more is better."""
        ...

    def cut_warning(self) -> Bilingual | None:
        """What to tell of passages that were longer than the scorer reads; None when all fitted until now."""
        ...


class RerankedRetriever:
    """The best `depth` passages of a retriever in the order of a cross-encoder; a `Retriever`.

    When more are asked for than `depth`, as many are read: every passage of a ranking has a score of the same kind.
    Safe to use from several threads at once where the base is.
    """

    def __init__(self, base: Retriever, passages: PassageStore, scorer: PairScorer, depth: int = DEPTH) -> None:
        self.name = f"{base.name}+rerank"
        self.depth = depth
        self._base = base
        self._passages = passages
        self._scorer = scorer
        self._ranked: Callable[[str, int], Mapping[str, float]] = lru_cache(maxsize=REMEMBERED_QUESTIONS)(self._rank)

    def search(self, question: str, top_k: int) -> Ranking:
        """The best passages by the cross-encoder's score.

        Raises:
            UserError: as the base's `search`, or the model fails.
        """
        if top_k < 1:
            return Ranking("", (), ())
        best = list(self._ranked(question, max(self.depth, top_k)).items())[:top_k]
        return Ranking("", tuple(passage_id for passage_id, _ in best), tuple(score for _, score in best))

    def explain(self, question: str, passage_ids: tuple[str, ...]) -> tuple[Explanation, ...]:
        """The base's explanation, with what the base and the cross-encoder said last; the latter is the score.

        Passages that the base did not bring are scored as well, without a rank. Explain a ranking longer than `depth`
        whole.

        Raises:
            UserError: an id is not in the corpus; or as `search`.
        """
        ranked = self._ranked(question, max(self.depth, len(passage_ids)))
        ranks = {passage_id: rank for rank, passage_id in enumerate(ranked, 1)}
        others = [passage_id for passage_id in dict.fromkeys(passage_ids) if passage_id not in ranked]
        others_read = [self._passages[row] for row in rows_of(self._passages, tuple(others)).tolist()]
        scores = {**ranked, **dict(zip(others, self._scorer.score(question, others_read), strict=True))}
        base_ranking = self._base.search(question, max(self.depth, len(passage_ids)))
        base_ranks = {passage_id: rank for rank, passage_id in enumerate(base_ranking.passage_ids, 1)}
        return tuple(
            self._explained(base, base_ranks.get(base.passage_id), ranks.get(base.passage_id), scores[base.passage_id])
            for base in self._base.explain(question, passage_ids)
        )

    def cut_warning(self) -> Bilingual | None:
        """What to tell of passages that were longer than the scorer reads; None when all fitted until now."""
        return self._scorer.cut_warning()

    def _explained(self, base: Explanation, base_rank: int | None, rank: int | None, score: float) -> Explanation:
        parts = [PartScore(part.name, part.rank, part.score) for part in base.parts if part.name != self._base.name]
        parts += [PartScore(self._base.name, base_rank, base.score), PartScore("rerank", rank, score, score)]
        return Explanation(base.passage_id, score, base.terms, tuple(parts))

    def _rank(self, question: str, depth: int) -> Mapping[str, float]:
        """Scores by passage id, best first; of equal scores the passage that stands earlier in the corpus."""
        ids = self._base.search(question, depth).passage_ids
        rows = rows_of(self._passages, ids).tolist()
        scores = self._scorer.score(question, [self._passages[row] for row in rows])
        found = sorted(zip(scores, rows, ids, strict=True), key=lambda one: (-one[0], one[1]))
        return {passage_id: score for score, _, passage_id in found}
