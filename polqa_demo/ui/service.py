"""What all visitors share: the pipelines, the gold sets, the settings. Loaded on first use or by `warm`, once."""

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from polqa_demo import archive
from polqa_demo.choice import AUTO, NEURAL, Choice, refuse_unknown
from polqa_demo.data.catalogue import DEFAULT_GOLD
from polqa_demo.data.passage_texts import text_lookup
from polqa_demo.data.polqa import gold_passages
from polqa_demo.data.sample import NAME as SAMPLE_NAME
from polqa_demo.errors import Problem, UserError
from polqa_demo.evaluation.analysis import Analysis
from polqa_demo.evaluation.live import GoldQuestions
from polqa_demo.gold_sets import GoldSets
from polqa_demo.open_parts import OpenParts
from polqa_demo.parsing.parser import Parser, Upload
from polqa_demo.parsing.process import Parsers
from polqa_demo.pipeline import Pipeline, assemble, workshop_for
from polqa_demo.records import GoldSet
from polqa_demo.scoring import Scored
from polqa_demo.settings import Settings
from polqa_demo.submissions.kinds import Kind
from polqa_demo.ui.texts import TEXTS

if TYPE_CHECKING:
    from polqa_demo.data.passages import PassageStore
    from polqa_demo.retrieval.index import Corpus, Index

_log = logging.getLogger(__name__)
# Of a gold's passages so many must be in the corpus, for the gold to be about it.
_IN_CORPUS = 0.9


class Service:
    """Read-only after loading, so every session may use it at once.

    :raises UserError: the operator's gold, or the folder for kept evaluations, cannot be used
    """

    def __init__(self, knobs: Settings) -> None:
        self.knobs = knobs
        self._golds = GoldSets(knobs)
        if knobs.keep_runs:
            archive.prepare(knobs.keep_runs, knobs.keep_runs_mb)
        self._parsers = Parsers(knobs)
        self._workshop = workshop_for(knobs=knobs)
        self._pipelines: OpenParts[Choice, Pipeline] = OpenParts()
        self._gold_questions: OpenParts[None, GoldQuestions] = OpenParts()

    @cached_property
    def default(self) -> Choice:
        """The parts that answer where nobody has chosen others: the operator's, or the best at hand.

        :raises UserError: the operator has named an unknown part
        """
        return self._workshop.resolved(Choice())

    @cached_property
    def offered(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the retrievers and of the readers that a visitor may choose."""
        return self._workshop.offered()

    def pipeline(self, retriever: str = AUTO, reader: str = AUTO) -> Pipeline:
        """The pipeline of a retriever and a reader over the app's corpus; the other parts are the operator's.

        :raises UserError: a name that is not offered, or a part that cannot be opened
        """
        choice = self._chosen(retriever, reader)
        return self._pipelines.get(choice, lambda: assemble(self._workshop, choice))

    def ready(self, retriever: str = AUTO, reader: str = AUTO) -> bool:
        """Whether a pipeline answers at once; the first question after the start waits for its models."""
        return self._chosen(retriever, reader) in self._pipelines

    def _chosen(self, retriever: str, reader: str) -> Choice:
        default = self.default
        for what, name, names in zip(("retriever", "reader"), (retriever, reader), self.offered, strict=True):
            refuse_unknown(what, name, names)
        found = default
        if retriever not in (AUTO, default.retriever):
            # Where the operator's default is lexical, no other is offered, so the encoder is there.
            found = replace(found, retriever=retriever, encoder=default.encoder if retriever in NEURAL else "")
        if reader not in (AUTO, default.reader):
            found = replace(found, reader=reader, model="")
        return found

    def gold_questions(self) -> GoldQuestions:
        """The questions whose answers are known, for the check beside a live answer."""
        # A sealed gold shows no answers, so none of its questions is among these.
        return self._gold_questions.get(None, lambda: GoldQuestions(map(self.gold, self.gold_names())))

    @property
    def corpus_name(self) -> str:
        """The name of the corpus that is searched."""
        if self.knobs.index:
            return self.knobs.index.name
        return ", ".join(path.name for path in self.knobs.corpus) or SAMPLE_NAME

    @property
    def corpus(self) -> "Corpus":
        """The passages, for whoever looks some up: neither a model nor an index is opened for them."""
        return self._workshop.corpus()

    @property
    def index(self) -> "Index":
        """The corpus, as the default pipeline has it; its reader is not loaded for this."""
        return self._workshop.index(self.default)

    @property
    def on_sample(self) -> bool:
        """Whether the embedded sample is searched."""
        return not self.knobs.corpus and self.knobs.index is None

    @property
    def wikipedia_ids(self) -> bool:
        """Whether passage ids name articles of Polish Wikipedia."""
        if self.knobs.index is None:
            return self.knobs.wikipedia_ids
        manifest = self.index.manifest
        return self.knobs.wikipedia_ids or bool(manifest and manifest.wikipedia_ids)

    def gold_names(self) -> list[str]:
        """Names of the registered gold sets, the default first, the operator's own last."""
        return self._golds.names()

    def gold(self, name: str = DEFAULT_GOLD) -> GoldSet:
        """A registered gold set; a secret one shows the ids of its questions alone.

        :raises UserError: no such name
        """
        return self._golds.load(name)

    @property
    def keeps_runs(self) -> bool:
        """Whether the operator keeps the evaluations of visitors who agree; they must be told before."""
        return self.knobs.keep_runs is not None

    def keep(self, scored: Scored, files: Mapping[str, Upload], analysis: Analysis | None = None) -> Problem:
        """Keeps an evaluation and says so, or says that it was not kept; never raises, never touches the score.

        Call it only when the visitor has agreed. `files` are the scored uploads by role, see `Submission.scored`.
        """
        folder = self.knobs.keep_runs
        if folder is None or scored.report is None:
            return Problem("note", "not-kept", TEXTS["eval.not_kept"])
        try:
            archive.keep(folder, self.knobs.keep_runs_mb, scored, files, analysis)
        except UserError as error:
            _log.warning("an evaluation was not kept: %s", error)
            return Problem("warning", "not-kept", TEXTS["eval.not_kept"])
        return Problem("note", "kept", TEXTS["eval.kept_done"])

    def belongs(self, gold: GoldSet) -> bool:
        """Whether a gold is about the corpus that is loaded: by its name, or since nearly all its passages are there.

        The sample's ids are so plain that they may well be another corpus's: its own gold belongs to it alone, and a
        visitor's gold never belongs to it.
        """
        if gold.name == self.corpus_name:
            return True
        if gold.name == SAMPLE_NAME or (self.on_sample and gold.name not in self.gold_names()):
            return False
        wanted = {passage_id for passage_ids in gold_passages(gold).values() for passage_id in passage_ids}
        known = self.corpus.passages.__contains__
        return bool(wanted) and sum(map(known, wanted)) >= _IN_CORPUS * len(wanted)

    def in_corpus(self, gold: GoldSet) -> Callable[[str], bool] | None:
        """Whether a passage id is known; None where the gold does not belong to the corpus that is loaded."""
        passages = self._passages_of(gold)
        return None if passages is None else passages.__contains__

    def text_of(self, gold: GoldSet) -> Callable[[str], str | None] | None:
        """The text of a passage, with its title; None where the gold does not belong to the corpus that is loaded."""
        passages = self._passages_of(gold)
        return None if passages is None else text_lookup(passages)

    def _passages_of(self, gold: GoldSet) -> "PassageStore | None":
        """The corpus, if the gold belongs to it. A score needs no corpus: one that cannot be opened is none."""
        try:
            return self.corpus.passages if self.belongs(gold) else None
        except UserError as error:
            _log.warning("the corpus cannot be opened: %s", error)
            return None

    def kind_of(self, upload: Upload, gold: GoldSet, parser: Parser) -> Kind:
        """Answers or rankings. A file that cannot be read counts as answers: scoring it says what is wrong."""
        try:
            return parser.kind(upload, gold)
        except UserError:
            return "answers"

    def parser(self) -> AbstractContextManager[Parser]:
        """Reads the files of one evaluation in a process of its own, within the budget of each."""
        return self._parsers.session()

    def close(self) -> None:
        """Ends the processes that parse; nothing can be evaluated afterwards."""
        self._parsers.close()

    def warm(self) -> None:
        """Loads everything behind the first page; a failure is told to the first question instead."""
        self._parsers.warm()
        try:
            self.pipeline().ask("Kto?")
            self.gold_questions()
        except UserError as error:
            _log.warning("nothing can be asked: %s", error)
