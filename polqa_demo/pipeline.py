"""Retriever and reader together: one question in; answer, passages, reasons and times out.

Where the passages are given, a reader over the corpus is enough: a `ReadingPipeline`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from polqa_demo.assembly import Progress, Workshop
from polqa_demo.choice import AUTO, Choice
from polqa_demo.errors import Bilingual, UserError, counted
from polqa_demo.polish.words import looks_polish, plural
from polqa_demo.reading.reader import Reader
from polqa_demo.records import Answer, Passage, Ranking
from polqa_demo.retrieval.known_models import Prefixes
from polqa_demo.retrieval.reranking import RerankedRetriever
from polqa_demo.retrieval.retriever import Explanation, Retriever
from polqa_demo.settings import Settings, settings

if TYPE_CHECKING:
    from polqa_demo.retrieval.index import Corpus, Index


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found, with its rank from 1 and, on demand, why it scored; `folded` are near duplicates."""

    rank: int
    passage: Passage
    score: float
    explanation: Explanation | None = None
    folded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one question. Times are milliseconds by stage."""

    question: str
    answer: Answer
    hits: tuple[Hit, ...]
    timings: Mapping[str, float]

    def json(self) -> dict[str, Any]:
        """Plain JSON, as the command line and the API give it."""
        return {
            "question": self.question,
            "answer": self.answer.text,
            "confidence": round(self.answer.confidence, 4),
            "passage_id": self.answer.passage_id,
            "start": self.answer.start,
            "end": self.answer.end,
            "passages": hits_json(self.hits),
            "timings": {f"{stage}_ms": round(value, 2) for stage, value in self.timings.items()},
        }


def about_question(question: str) -> Bilingual | None:
    """What a person should know about a question before its answer: that it does not look Polish."""
    if looks_polish(question):
        return None
    return Bilingual(
        "To pytanie nie wygląda na polskie. Program rozumie pytania po polsku; zadaj je po polsku.",
        "This question does not look Polish. The program understands Polish questions; ask in Polish.",
    )


def hits_json(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """Found passages as plain JSON."""
    return [
        {
            "rank": hit.rank,
            "id": hit.passage.id,
            "title": hit.passage.title,
            "text": hit.passage.text,
            "score": round(hit.score, 4),
        }
        for hit in hits
    ]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a pipeline was made of: the names of its parts, what tells them from any others, and notes for its user.

    `identity` names the parts with checksums of their content and the settings that count (`Workshop.identity`);
    `assumed` is what rankings and answers hang on beside, by part (`Workshop.assumed`).
    """

    choice: Choice = field(default_factory=Choice)
    identity: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Bilingual, ...] = ()
    assumed: Mapping[str, Bilingual] = field(default_factory=dict)


class ReadingPipeline:
    """A reader over the passages of one corpus, which somebody else has chosen. Safe to use from several threads."""

    def __init__(self, corpus: "Corpus", reader: Reader, knobs: Settings, origin: Origin | None = None) -> None:
        self.corpus = corpus
        self.reader = reader
        self.knobs = knobs
        self.origin = origin or Origin()

    @property
    def key(self) -> str:
        """What its answers depend on beside questions and depth: the corpus and all parts, by their content."""
        return json.dumps([self.corpus.key, sorted(self.origin.identity.items())])

    def read(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The reader's answer from found passages."""
        return self.reader.read(question, [hit.passage for hit in hits], [hit.score for hit in hits])

    def checked(self, question: str) -> str:
        """See `checked_question`."""
        return checked_question(question, self.knobs)

    def checked_top_k(self, top_k: int | None) -> int:
        """See the function of this name."""
        return checked_top_k(top_k, self.knobs)


def checked_question(question: str, knobs: Settings) -> str:
    """A question without control characters and blanks around it.

    :raises UserError: nothing is left, or it is longer than the setting allows
    """
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in question).split())
    limit = knobs.max_question_chars
    if not text:
        raise UserError("empty-question", "Wpisz pytanie.", "Type a question.")
    if len(text) > limit:
        raise UserError(
            "long-question",
            f"Pytanie ma {plural(len(text), 'znak', 'znaki', 'znaków')}, a może mieć najwyżej {limit}. Skróć je.",
            f"The question has {counted(len(text), 'character', 'characters')}, at most {limit} are allowed. "
            "Shorten it.",
        )
    return text


def checked_top_k(top_k: int | None, knobs: Settings) -> int:
    """How many passages are wanted; the setting's number for None.

    :raises UserError: out of bounds
    """
    limit = knobs.max_top_k
    if top_k is None:
        return knobs.top_k
    if not isinstance(top_k, int) or not 1 <= top_k <= limit:
        raise UserError(
            "bad-top-k",
            f"Liczba fragmentów ma być między 1 a {limit}, jest {top_k}.",
            f"The number of passages must lie between 1 and {limit}, it is {top_k}.",
        )
    return top_k


class Pipeline(ReadingPipeline):
    """A retriever and a reader over one corpus. Safe to use from several threads at once."""

    def __init__(
        self,
        index: "Index",
        retriever: Retriever,
        reader: Reader,
        knobs: Settings,
        origin: Origin | None = None,
    ) -> None:
        super().__init__(index, reader, knobs, origin)
        self.index = index
        self.retriever = retriever

    def ask(self, question: str, top_k: int | None = None, explain: bool = False, fold: bool = False) -> Asked:
        """Answers a question from the `top_k` best passages; with `fold` without their near duplicates.

        :raises UserError: the question is empty or too long, or `top_k` is out of bounds
        """
        question = self.checked(question)
        start = perf_counter()
        hits = self.retrieve(question, top_k, explain, fold)
        retrieved = perf_counter()
        answer = self.read(question, hits)
        done = perf_counter()
        return Asked(
            question, answer, hits, {"retrieval": 1e3 * (retrieved - start), "reading": 1e3 * (done - retrieved)}
        )

    def retrieve(
        self, question: str, top_k: int | None = None, explain: bool = False, fold: bool = False
    ) -> tuple[Hit, ...]:
        """The best passages for a question, best first; with `fold`, near duplicates lie under the best of them.

        :raises UserError: as `ask`
        """
        under: Mapping[str, tuple[str, ...]] = {}
        if fold:
            from polqa_demo.retrieval.near_duplicates import search_folded

            found = search_folded(
                self.retriever, self.index.passages, self.checked(question), self.checked_top_k(top_k)
            )
            ranking, under = found.ranking, found.folded
        else:
            ranking = self.rank(question, top_k)
        passages = [self.index.passages.get(passage_id) for passage_id in ranking.passage_ids]
        reasons: Sequence[Explanation | None] = [None] * len(passages)
        if explain:
            reasons = self.retriever.explain(question, ranking.passage_ids)
        return tuple(
            Hit(rank, passage, score, reason, under.get(passage.id, ()))
            for rank, (passage, score, reason) in enumerate(zip(passages, ranking.scores, reasons, strict=True), 1)
            if passage is not None
        )

    def cut_warning(self) -> Bilingual | None:
        """What to tell of passages that a reranker was too short for until now; None when all fitted."""
        return self.retriever.cut_warning() if isinstance(self.retriever, RerankedRetriever) else None

    def rank(self, question: str, top_k: int | None = None) -> Ranking:
        """Ids and scores of the best passages, without reading them.

        :raises UserError: as `ask`
        """
        return self.retriever.search(self.checked(question), self.checked_top_k(top_k))


def open_pipeline(  # noqa: PLR0913 - public, all but the first by name
    corpus: Sequence[Path | str] = (),
    index: Path | str | None = None,
    retriever: str = AUTO,
    reader: str = AUTO,
    knobs: Settings | None = None,
    progress: Progress | None = None,
    *,
    encoder: str = "",
    reranker: str = "",
    model: str = "",
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
) -> Pipeline:
    """A pipeline over JSONL files (one corpus; its index is cached), a built index, or the embedded sample.

    Without a corpus and an index, the settings' ones are taken (POLQA_CORPUS, POLQA_INDEX), then the sample. The parts
    are named as in `choice.Choice`.

    :raises UserError: an unknown retriever or reader, a corpus, index or model that cannot be used
    """
    choice = Choice(retriever, encoder, reranker, reader, model, Prefixes(query_prefix, passage_prefix))
    return assemble(workshop_for(corpus, index, knobs, progress), choice)


def workshop_for(
    corpus: Sequence[Path | str] = (),
    index: Path | str | None = None,
    knobs: Settings | None = None,
    progress: Progress | None = None,
) -> Workshop:
    """The workshop over JSONL files, an index, or what the settings name; nothing is opened yet.

    :raises UserError: files and an index are given
    """
    knobs = knobs or settings()
    if not corpus and not index:
        corpus, index = knobs.corpus, knobs.index
    return Workshop([Path(path) for path in corpus], Path(index) if index else None, knobs, progress)


def assemble(workshop: Workshop, choice: Choice) -> Pipeline:
    """A pipeline of a workshop's parts.

    :raises UserError: as `open_pipeline`
    """
    found = workshop.resolved(choice)
    return Pipeline(
        workshop.index(found),
        workshop.retriever(found),
        workshop.reader(found),
        workshop.knobs,
        Origin(found, workshop.identity(found), workshop.notes(found), workshop.assumed(found)),
    )


def assemble_reading(workshop: Workshop, choice: Choice) -> ReadingPipeline:
    """A reader over a workshop's passages, for passages that were found elsewhere; no retriever is opened.

    :raises UserError: an unknown retriever or reader, a corpus, index or model that cannot be used
    """
    found = workshop.resolved_reader(choice)
    return ReadingPipeline(
        workshop.corpus(),
        workshop.reader(found),
        workshop.knobs,
        Origin(found, workshop.reader_identity(found), assumed=workshop.reader_assumed(found)),
    )
