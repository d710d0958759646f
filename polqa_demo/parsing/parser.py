"""What reads the files of others: one parser in this process, and `parsing.process`'s, which can be ended."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polqa_demo.evaluation.fuzzy_match import judge_by
from polqa_demo.ranking_orders import judged_ids
from polqa_demo.records import GoldSet, Question
from polqa_demo.reports.saved import LoadedReport, load_saved
from polqa_demo.submissions.answers import AnswersFile, Duplicates, read_answers
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.gold import GoldKind, read_gold
from polqa_demo.submissions.kinds import Kind, recognise_kind
from polqa_demo.submissions.passage_ids import JudgedPassages
from polqa_demo.submissions.ranked_ids import RankedIds, ranked_ids
from polqa_demo.submissions.rankings import RankingsFile, read_rankings
from polqa_demo.submissions.table import Overrides

InCorpus = Callable[[str], bool]
"""Whether a passage id is in the corpus."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came: its name (shown, never trusted), and its bytes or the path where they lie.

    `overrides` say what a person knows better about it than its content shows.
    """

    name: str
    data: bytes = b""
    path: Path | None = None
    overrides: Overrides = field(default_factory=Overrides)

    @property
    def content(self) -> Content:
        """The bytes, or the path to read them from."""
        return self.data if self.path is None else self.path


class Parser:
    """Reads files in this process, as the command line reads its own."""

    def answers(self, upload: Upload, gold: GoldSet, duplicates: Duplicates, rule: str) -> AnswersFile:
        """A file of answers.

        :raises UserError: as `read_answers`
        """
        found: AnswersFile = self.run("answers", upload, gold.questions, duplicates, rule)
        return found

    def rankings(self, upload: Upload, gold: GoldSet, in_corpus: InCorpus | None = None) -> RankingsFile:
        """A file of rankings.

        :raises UserError: as `read_rankings`
        """
        found: RankingsFile = self.run("rankings", upload, gold.questions, judged_ids(gold), in_corpus=in_corpus)
        return found

    def kind(self, upload: Upload, gold: GoldSet) -> Kind:
        """Whether a file holds answers or rankings.

        :raises UserError: it cannot be read at all
        """
        found: Kind = self.run("kind", upload, gold.questions, judged_ids(gold).open_ids)
        return found

    def gold(self, upload: Upload, kind: GoldKind | None = None, ranked: Sequence[Upload] = ()) -> GoldSet:
        """A file of gold. The ids of the rankings that are to be scored tell judgements without a header from golds.

        :raises UserError: as `read_gold`
        """
        found: GoldSet = self.run("gold", upload, kind, tuple(ranked))
        return found

    def report(self, upload: Upload) -> LoadedReport:
        """A report that the program wrote itself.

        :raises UserError: as `load_saved`
        """
        found: LoadedReport = self.run("report", upload)
        return found

    def run(self, task: str, upload: Upload, *known: Any, in_corpus: InCorpus | None = None) -> Any:
        """One of `TASKS` on a file, with what is known beside it."""
        return TASKS[task](upload, *known, *([in_corpus] if task == "rankings" else []))


def ids_of(rankings: Iterable[Upload]) -> RankedIds | None:
    """The ids that the first of some files names, as those of rankings; None where none can be read."""
    found = (ranked_ids(upload.content, upload.name, upload.overrides) for upload in rankings)
    return next((ids for ids in found if ids is not None), None)


def _answers(upload: Upload, questions: Sequence[Question], duplicates: Duplicates, rule: str) -> AnswersFile:
    return read_answers(upload.content, questions, upload.name, upload.overrides, duplicates, judge_by(rule))


def _rankings(
    upload: Upload, questions: Sequence[Question], judged: JudgedPassages, in_corpus: InCorpus | None
) -> RankingsFile:
    return read_rankings(upload.content, questions, upload.name, in_corpus, upload.overrides, judged)


def _kind(upload: Upload, questions: Sequence[Question], passages: Collection[str]) -> Kind:
    return recognise_kind(upload.content, upload.name, questions, upload.overrides, passages)


def _gold(upload: Upload, kind: GoldKind | None, ranked: Sequence[Upload]) -> GoldSet:
    return read_gold(upload.content, upload.name, kind, ranked=lambda: ids_of(ranked))


def _report(upload: Upload) -> LoadedReport:
    return load_saved(upload.data if upload.path is None else upload.path.read_bytes())


TASKS: Mapping[str, Callable[..., Any]] = {
    "answers": _answers,
    "rankings": _rankings,
    "kind": _kind,
    "gold": _gold,
    "report": _report,
}
