"""What a visitor has put into the Evaluate tab: the gold, the files, and how to read them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from polqa_demo.errors import UserError
from polqa_demo.records import GoldSet
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Problem
from polqa_demo.submissions.table import Overrides
from polqa_demo.ui.service import Service
from polqa_demo.ui.texts import TEXTS

OWN_GOLD = "own-file"


@dataclass(frozen=True, slots=True)
class Submission:
    """A gold set with files of predictions, told apart by kind in the order in which they were dropped."""

    gold: GoldSet
    answers: tuple[Upload, ...]
    rankings: tuple[Upload, ...]

    @property
    def uploads(self) -> tuple[Upload, ...]:
        """All files of predictions."""
        return (*self.answers, *self.rankings)

    @property
    def is_comparison(self) -> bool:
        """Whether there are several files of one kind."""
        return len(self.answers) > 1 or len(self.rankings) > 1


def open_submission(
    service: Service, gold_name: str, own_gold: str | None, paths: Sequence[str], overrides: Overrides
) -> Submission:
    """Gold and files as they lie in the tab.

    :raises UserError: nothing was dropped, or the gold cannot be used
    """
    gold = _gold(service, gold_name, own_gold)
    if not paths:
        raise UserError("no-files", *TEXTS["eval.no_files"])
    kinds: dict[str, list[Upload]] = {"answers": [], "rankings": []}
    for path in paths:
        upload = replace(_upload(path), overrides=overrides)
        kinds[service.kind_of(upload, gold)].append(upload)
    return Submission(gold, tuple(kinds["answers"]), tuple(kinds["rankings"]))


def score_submission(service: Service, given: Submission) -> Scored:
    """The score of the first file of each kind; a word when there are more."""
    scored = score_uploads(
        given.gold,
        given.answers[0] if given.answers else None,
        given.rankings[0] if given.rankings else None,
        in_corpus=service.in_corpus(given.gold),
        text_of=service.text_of(given.gold),
    )
    if not given.is_comparison:
        return scored
    surplus = Problem("note", "several-files", TEXTS["eval.two_of_a_kind"], len(given.uploads))
    return replace(scored, problems=(*scored.problems, surplus))


def _gold(service: Service, name: str, own: str | None) -> GoldSet:
    if name != OWN_GOLD:
        return service.gold(name)
    if not own:
        raise UserError("no-gold", *TEXTS["eval.no_gold"])
    upload = _upload(own)
    return read_gold(upload.content, upload.name)


def _upload(path: str) -> Upload:
    """A file that Gradio has stored; its path comes from Gradio, which refuses paths it did not store itself."""
    return Upload(Path(path).name, path=Path(path))
