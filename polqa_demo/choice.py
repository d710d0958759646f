"""Which parts a pipeline is made of, by name; what is left open is decided where they are opened."""

from collections.abc import Sequence
from dataclasses import dataclass

from polqa_demo.errors import UserError
from polqa_demo.retrieval.known_models import NO_PREFIXES, Prefixes

AUTO = "auto"
RETRIEVERS = ("lexical", "dense", "hybrid")
READERS = ("rules", "spans", "seq2seq", "chat")
NEURAL = ("dense", "hybrid")

Encoding = tuple[str, Prefixes]
NO_ENCODING: Encoding = ("", NO_PREFIXES)


@dataclass(frozen=True, slots=True)
class Choice:
    """Names of the parts. `auto` is the best at hand; an empty encoder is the embedded one, an empty reranker none.

    `model` is the reader's: a hub name or folder for `spans` and `seq2seq`, the server's model for `chat`. `prefixes`
    are the encoder's, in the place of what its model says or is known for.
    """

    retriever: str = AUTO
    encoder: str = ""
    reranker: str = ""
    reader: str = AUTO
    model: str = ""
    prefixes: Prefixes = NO_PREFIXES

    def __str__(self) -> str:
        """All names in one line, for humans."""
        names = (self.retriever, self.encoder, str(self.prefixes), self.reranker, self.reader, self.model)
        return " · ".join(name for name in names if name)

    @property
    def encoding(self) -> Encoding:
        """What tells the vectors of a resolved choice from others; none for a lexical one."""
        return (self.encoder, self.prefixes) if self.retriever in NEURAL else NO_ENCODING


def refuse_unknown(what: str, name: str, names: Sequence[str]) -> None:
    """Refuses a name of a part (`retriever` or `reader`) that is neither `auto` nor among those that may be chosen.

    :raises UserError: with the names that may be
    """
    if name not in (AUTO, *names):
        nouns = {"retriever": "wyszukiwarki", "reader": "czytnika"}
        raise UserError(
            f"unknown-{what}",
            f"Nie ma {nouns[what]} „{name[:40]}”. Dostępne: {', '.join(names)}.",
            f"There is no {what} {name[:40]!r}. Known: {', '.join(names)}.",
        )
