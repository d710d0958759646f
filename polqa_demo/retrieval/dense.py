"""Dense retrieval: the passages whose vectors lie nearest to the question's."""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import UserError, counted
from polqa_demo.records import Ranking
from polqa_demo.retrieval.retriever import Explanation, PartScore
from polqa_demo.retrieval.vectors import Rows, Scores, VectorSearch

if TYPE_CHECKING:
    from polqa_demo.retrieval.encoders import Encoder

REMEMBERED_QUESTIONS = 256
"""Question vectors kept: a ranking is often explained, or fused, right after it was made."""


class DenseRetriever:
    """Cosine similarity of question and passage vectors; a `Retriever`. As safe in threads as the encoder is."""

    name = "dense"

    def __init__(self, passages: PassageStore, vectors: VectorSearch, encoder: "Encoder") -> None:
        """`vectors` hold the passages in the order of the corpus, as `encoder` made them.

        Raises:
            UserError: their number or dimension is another than that of the passages or of the encoder.
        """
        if (len(vectors), vectors.dimension) != (len(passages), encoder.dimension):
            raise _misfit(vectors, passages, encoder)
        self._passages = passages
        self._vectors = vectors
        self._encoder = encoder
        self._vector_of = lru_cache(maxsize=REMEMBERED_QUESTIONS)(self._encode)

    def search(self, question: str, top_k: int) -> Ranking:
        """The nearest passages; every passage has a score, so only a small corpus gives fewer than `top_k`.

        Raises:
            UserError: the encoder fails, or gives no unit vector.
        """
        rows, scores = self.nearest(question, top_k)
        return Ranking("", tuple(map(self._passages.id_at, rows.tolist())), tuple(scores.tolist()))

    def explain(self, question: str, passage_ids: tuple[str, ...]) -> tuple[Explanation, ...]:
        """The cosine of each passage.

        Raises:
            UserError: an id is not in the corpus; or as `search`.
        """
        scores = self.cosines(question, rows_of(self._passages, passage_ids))
        return tuple(
            Explanation(passage_id, score, (), (PartScore(self.name, None, score, score),))
            for passage_id, score in zip(passage_ids, scores.tolist(), strict=True)
        )

    def nearest(self, question: str, top_k: int) -> tuple[Rows, Scores]:
        """As `search`, by row."""
        (rows,), (scores,) = self._vectors.search(self._vector_of(question)[None], top_k)
        return rows, scores

    def cosines(self, question: str, rows: Rows) -> Scores:
        """The cosines of these rows, in their order."""
        return self._vectors.scores(self._vector_of(question), rows)

    def _encode(self, question: str) -> NDArray[np.float32]:
        (vector,) = self._encoder.encode_queries([question])
        return np.asarray(vector, np.float32)


def rows_of(passages: PassageStore, passage_ids: tuple[str, ...]) -> Rows:
    """The rows of these ids.

    Raises:
        UserError: an id is not in the corpus.
    """
    rows = [passages.row(passage_id) for passage_id in passage_ids]
    if None in rows:
        missing = passage_ids[rows.index(None)]
        raise UserError(
            "unknown-passage",
            f"W korpusie nie ma fragmentu o identyfikatorze {missing!r}.",
            f"There is no passage {missing!r} in the corpus.",
        )
    return np.array(rows, np.int64)


def _misfit(vectors: VectorSearch, passages: PassageStore, encoder: "Encoder") -> UserError:
    return UserError(
        "vectors-misfit",
        f"Wektory nie pasują do fragmentów lub enkodera {encoder.name}: jest ich {len(vectors)} o wymiarze "
        f"{vectors.dimension}, a fragmentów {len(passages)}, wymiar enkodera {encoder.dimension}. "
        "Policz wektory jeszcze raz tym enkoderem.",
        f"The vectors do not fit the passages or the encoder {encoder.name}: {len(vectors)} of dimension "
        f"{vectors.dimension}, but {counted(len(passages), 'passage', 'passages')} and an encoder of dimension "
        f"{encoder.dimension}. "
        "Compute the vectors again with this encoder.",
    )
