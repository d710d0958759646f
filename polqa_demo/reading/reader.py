"""What a reader is: question + passages -> answer."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from polqa_demo.errors import Bilingual
from polqa_demo.records import Answer, Passage


class Reader(Protocol):
    """Answers a question from passages, best passage first."""

    name: str

    def read(self, question: str, passages: Sequence[Passage], scores: Sequence[float] = ()) -> Answer:
        """One answer with its passage, character offsets and confidence; `scores` are the retriever's, if known.

        Every retriever has a unit of its own, so an answer must not depend on it: scores after any strictly increasing
        change, and none at all, give the same one. What counts is the order of the passages.
        """
        ...


class DescribedReader(Reader, Protocol):
    """A reader that says what its answers depend on beside question and passages."""

    def describe(self) -> Bilingual | None:
        """What was assumed for a model of others: its format, precision and place; None for what is shipped.

        :raises UserError: the reader's model cannot be had
        """
        ...

    @property
    def identity(self) -> Mapping[str, str]:
        """Checksums, commits and settings by name; another one means other answers. Holds no key and no password.

        :raises UserError: the reader's model cannot be had
        """
        ...
