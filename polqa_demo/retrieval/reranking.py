"""Reranking: a cross-encoder reads the question together with each of a retriever's best passages.

Any cross-encoder of the hub or of a folder does that sentence-transformers can load, such as
sdadas/polish-reranker-roberta-v2. It runs none of the model's own code (`trust_remote_code` stays false).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from polqa_demo.data.model_snapshots import files_mark
from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import UserError, first_few
from polqa_demo.library_failures import library_failures
from polqa_demo.library_notices import without_notices
from polqa_demo.records import Passage, Ranking
from polqa_demo.retrieval.dense import rows_of
from polqa_demo.retrieval.reranker_files import no_reranker, reranker_folder
from polqa_demo.retrieval.retriever import Explanation, PartScore, Retriever

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

DEPTH = 50
BATCH_SIZE = 16
MAX_TOKENS = 512
"""Question and passage together; what is longer is cut, also for models that could read more."""

REMEMBERED_QUESTIONS = 64
# What the class of a stored network ends with if it has a head that gives a score; others would get a random one.
_SCORING_HEADS = ("ForSequenceClassification", "ForCausalLM")


class PairScorer(Protocol):
    """Says how well passages fit a question."""

    name: str

    def score(self, question: str, passages: Sequence[Passage]) -> Sequence[float]:
        """A finite number a passage, in the given order; more is better."""
        ...


class CrossEncoderScorer:
    """A cross-encoder; a `PairScorer`. Calls from several threads wait for one another: one uses all cores.

    `fingerprint` changes whenever the scores would: with the model's files, or its commit at the hub.
    """

    def __init__(self, model: "CrossEncoder", name: str, batch_size: int = BATCH_SIZE, fingerprint: str = "") -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._model = model
        self._batch_size = batch_size
        self._lock = Lock()

    @classmethod
    def open(cls, name: str, device: str | None = None) -> "CrossEncoderScorer":
        """Load a cross-encoder by its folder or its name at the hub, which may end in `@revision`.

        Raises:
            UserError: it is in no folder and not cached and the hub cannot be reached, its weights are no
                safetensors, or it is no reranker.
        """
        folder = reranker_folder(name)
        model = _load(name, folder, device)
        if (network := _headless(model)) or model.num_labels != 1:
            raise no_reranker(name, network or f"num_labels = {model.num_labels}")
        if not 0 < (model.max_seq_length or 0) <= MAX_TOKENS:
            model.max_seq_length = MAX_TOKENS
        return cls(model, name, fingerprint=files_mark(folder))

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """What the model gives for question and passage, the title standing before the text.

        Raises:
            UserError: the model breaks down, or a score is not finite.
        """
        pairs = [(question, f"{passage.title}\n{passage.text}".strip()) for passage in passages]
        if not pairs:
            return []
        with self._lock, library_failures(lambda reason: _failed(self.name, reason)):
            found = self._model.predict(pairs, batch_size=self._batch_size, show_progress_bar=False)
        scores = [float(score) for score in np.asarray(found, np.float64)]
        unfit = [passage.id for passage, score in zip(passages, scores, strict=True) if not math.isfinite(score)]
        if unfit:
            raise _failed(self.name, f"{len(unfit)} / {len(scores)}: nan, inf ({first_few(unfit)})")
        return scores


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


def _load(name: str, folder: Path, device: str | None) -> "CrossEncoder":
    from sentence_transformers import CrossEncoder

    # Damaged and foreign files fail in many ways.
    with library_failures(lambda reason: no_reranker(name, reason)), without_notices():
        model: CrossEncoder = CrossEncoder(
            str(folder),
            device=device,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True},
        )
    return model


def _headless(model: "CrossEncoder") -> str | None:
    """The class of the network when the model is one without a head of its own, which would score at random."""
    config: Any = model.config
    names = getattr(config, "architectures", None) or ()
    if len(model) > 1 or not names or any(name.endswith(_SCORING_HEADS) for name in names):
        return None
    return ", ".join(names)


def _failed(name: str, what: str) -> UserError:
    return UserError(
        "reranker-failed",
        f"Model {name[:100]} nie ocenił fragmentów ({what[:200]}). Użyj innego modelu albo wyszukuj bez niego.",
        f"The model {name[:100]} failed to score the passages ({what[:200]}). Use another, or search without it.",
    )
