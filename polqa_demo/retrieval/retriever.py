"""What a retriever is: question -> ranking, with the reasons for each score on demand."""

from dataclasses import dataclass
from typing import Protocol

from polqa_demo.records import Ranking


@dataclass(frozen=True, slots=True)
class TermScore:
    """What one word of the question gave to a passage's score; `terms` are the index terms behind it."""

    word: str
    score: float
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartScore:
    """How one part of a retriever saw a passage: `name` is that of the part, such as lexical, dense or rerank.

    `rank` counts from 1 and is None where the part did not look that deep, or was not asked for its ranking. `score`
    is in the part's own unit (BM25, cosine, what the cross-encoder says). `added` is its share of the final score.
    """

    name: str
    rank: int | None
    score: float
    added: float = 0.0


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a passage scored as it did.

    The term scores sum up to the BM25 score (to float32 accuracy), which is `score` itself where there are no `parts`
    and the score of the part `lexical` otherwise. What the parts added sums up to `score`.
    """

    passage_id: str
    score: float
    terms: tuple[TermScore, ...]
    parts: tuple[PartScore, ...] = ()


class Retriever(Protocol):
    """Finds passages for a question over one corpus."""

    name: str

    def search(self, question: str, top_k: int) -> Ranking:
        """The `top_k` best passages, best first, fewer when the corpus has fewer or nothing else matches.

        Equal scores stand in the order of the corpus. The ranking's `question_id` is empty.
        """
        ...

    def explain(self, question: str, passage_ids: tuple[str, ...]) -> tuple[Explanation, ...]:
        """Why these passages score as they do for this question, in the given order."""
        ...
