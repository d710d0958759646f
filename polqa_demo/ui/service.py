"""What all visitors share: the pipelines, the gold sets, the settings. Loaded on first use or by `warm`, once."""

import threading
from functools import cached_property

from polqa_demo.data.catalogue import DEFAULT_GOLD, gold_names, load_gold
from polqa_demo.data.sample import NAME as SAMPLE_NAME
from polqa_demo.evaluation.live import GoldQuestions
from polqa_demo.pipeline import Pipeline, open_pipeline
from polqa_demo.records import GoldSet
from polqa_demo.settings import Settings


class Service:
    """Read-only after loading, so every session may use it at once."""

    def __init__(self, knobs: Settings) -> None:
        self.knobs = knobs
        self._lock = threading.Lock()
        self._pipelines: dict[tuple[str, str], Pipeline] = {}

    def pipeline(self, retriever: str = "lexical", reader: str = "rules") -> Pipeline:
        """The pipeline of a retriever and a reader over the app's corpus.

        :raises UserError: an unknown name, or the corpus cannot be opened
        """
        with self._lock:
            key = (retriever, reader)
            if key not in self._pipelines:
                self._pipelines[key] = open_pipeline(self.knobs.corpus, self.knobs.index, *key, knobs=self.knobs)
            return self._pipelines[key]

    def gold_questions(self) -> GoldQuestions:
        """The questions whose answers are known, for the check beside a live answer."""
        with self._lock:
            return self._gold_questions

    @cached_property
    def _gold_questions(self) -> GoldQuestions:
        return GoldQuestions(load_gold(name) for name in gold_names())

    @property
    def corpus_name(self) -> str:
        """The name of the corpus that is searched."""
        if self.knobs.index:
            return self.knobs.index.name
        return ", ".join(path.name for path in self.knobs.corpus) or SAMPLE_NAME

    @property
    def wikipedia_ids(self) -> bool:
        """Whether passage ids name articles of Polish Wikipedia."""
        manifest = self.pipeline().index.manifest
        return self.knobs.wikipedia_ids or bool(manifest and manifest.wikipedia_ids)

    def gold(self, name: str = DEFAULT_GOLD) -> GoldSet:
        """A registered gold set.

        :raises UserError: no such name
        """
        return load_gold(name)

    def warm(self) -> None:
        """Loads everything behind the first page; a failure is told to the first question instead."""
        from polqa_demo.errors import UserError

        try:
            self.pipeline().ask("Kto?")
            self.gold_questions()
        except UserError:
            pass
