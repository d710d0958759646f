"""Options that choose a corpus and the parts of a pipeline over it, once for all commands that ask."""

from dataclasses import dataclass

from polqa_demo.choice import AUTO, Choice
from polqa_demo.cli.options import (
    Corpus,
    EncoderName,
    IndexFolder,
    Model,
    PassagePrefix,
    QueryPrefix,
    ReaderName,
    Reranker,
    Retriever,
    TopK,
)
from polqa_demo.retrieval.known_models import Prefixes


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """Where passages are searched, by what, and how many."""

    corpus: Corpus = None
    index: IndexFolder = None
    retriever: Retriever = AUTO
    encoder: EncoderName = ""
    query_prefix: QueryPrefix = None
    passage_prefix: PassagePrefix = None
    reranker: Reranker = ""
    top_k: TopK = None

    @property
    def choice(self) -> Choice:
        """The parts; a reader is needed by none who only retrieves, and the rules are the lightest."""
        return Choice(self.retriever, self.encoder, self.reranker, "rules", prefixes=self.prefixes)

    @property
    def prefixes(self) -> Prefixes:
        """What the encoder reads before a text."""
        return Prefixes(self.query_prefix, self.passage_prefix)


@dataclass(frozen=True, slots=True)
class PipelineOptions(RetrievalOptions):
    """The same with a reader."""

    reader: ReaderName = AUTO
    model: Model = ""

    @property
    def choice(self) -> Choice:
        """All parts."""
        return Choice(self.retriever, self.encoder, self.reranker, self.reader, self.model, self.prefixes)
