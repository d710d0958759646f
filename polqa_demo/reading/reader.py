"""What a reader is: question + passages -> answer."""

from collections.abc import Sequence
from typing import Protocol

from polqa_demo.records import Answer, Passage


class Reader(Protocol):
    """Answers a question from passages, best passage first."""

    name: str

    def read(self, question: str, passages: Sequence[Passage], scores: Sequence[float] = ()) -> Answer:
        """One answer with its passage, character offsets and confidence; `scores` are the retriever's, if known."""
        ...
