"""What a visitor has put into the Evaluate tab: the gold, the files, and how to read them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from filecmp import cmp
from pathlib import Path

from polqa_demo.errors import Problem, UserError
from polqa_demo.parsing.parser import Parser, Upload
from polqa_demo.records import GoldSet
from polqa_demo.scoring import Scored, score_uploads
from polqa_demo.ui.recognition import ReadAs
from polqa_demo.ui.service import Service
from polqa_demo.ui.texts import TEXTS

OWN_GOLD = "own-file"


@dataclass(frozen=True, slots=True)
class Submission:
    """A gold set with files of predictions, told apart by kind in the order in which they were dropped.

    `on_gold` are the answers of the first file's reader on gold passages.
    """

    gold: GoldSet
    answers: tuple[Upload, ...]
    rankings: tuple[Upload, ...]
    on_gold: Upload | None = None
    read_as: ReadAs = field(default_factory=ReadAs)

    @property
    def uploads(self) -> tuple[Upload, ...]:
        """All files of predictions."""
        return (*self.answers, *self.rankings)

    @property
    def scored(self) -> dict[str, Upload]:
        """The files that the score is about, by role: the first of each kind."""
        on_gold = (self.on_gold,) if self.on_gold else ()
        kinds = {"answers": self.answers, "rankings": self.rankings, "answers_from_gold": on_gold}
        return {role: uploads[0] for role, uploads in kinds.items() if uploads}

    @property
    def is_comparison(self) -> bool:
        """Whether there are several files of one kind."""
        return len(self.answers) > 1 or len(self.rankings) > 1


def open_submission(
    service: Service,
    gold_name: str,
    own_gold: str | None,
    paths: Sequence[str],
    read_as: ReadAs,
    on_gold: str | None = None,
    *,
    parser: Parser,
) -> Submission:
    """Gold and files as they lie in the tab.

    :raises UserError: nothing was dropped, the gold cannot be used, or answers on gold have none to stand beside
    """
    gold = _gold(service, gold_name, own_gold, paths, read_as, parser)
    if not paths:
        raise UserError("no-files", *TEXTS["eval.no_files"])
    kinds: dict[str, list[Upload]] = {"answers": [], "rankings": []}
    for path in paths:
        upload = replace(_upload(path), overrides=read_as.overrides)
        kinds[service.kind_of(upload, gold, parser)].append(upload)
    if on_gold and not kinds["answers"]:
        raise UserError("on-gold-alone", *TEXTS["eval.on_gold_alone"])
    beside = _upload(on_gold) if on_gold else None
    return Submission(gold, tuple(kinds["answers"]), tuple(kinds["rankings"]), beside, read_as)


def is_same(
    service: Service,
    given: Submission,
    gold_name: str,
    paths: Sequence[str],
    read_as: ReadAs,
    on_gold: str | None,
) -> bool:
    """Whether a submission is that of a registered gold and these files, byte for byte."""
    if gold_name == OWN_GOLD or given.gold is not service.gold(gold_name) or given.read_as != read_as:
        return False
    before = sorted(given.uploads, key=lambda upload: upload.name)
    now = sorted(
        (replace(_upload(path), overrides=read_as.overrides) for path in paths), key=lambda upload: upload.name
    )
    before += [given.on_gold] if given.on_gold else []
    now += [_upload(on_gold)] if on_gold else []
    return len(before) == len(now) and all(map(_equal, before, now))


def _equal(one: Upload, other: Upload) -> bool:
    if (one.name, one.overrides) != (other.name, other.overrides) or one.path is None or other.path is None:
        return False
    try:
        return cmp(one.path, other.path, shallow=False)
    except OSError:
        # Files are deleted after a while; what cannot be compared is not the same.
        return False


def score_submission(service: Service, given: Submission, parser: Parser) -> Scored:
    """The score of the first file of each kind; a word when there are more."""
    scored = score_uploads(
        given.gold,
        given.scored.get("answers"),
        given.scored.get("rankings"),
        in_corpus=service.in_corpus(given.gold),
        answers_from_gold=given.on_gold,
        duplicates=given.read_as.duplicates,
        text_of=service.text_of(given.gold),
        unanswerable=given.read_as.unanswerable,
        parser=parser,
    )
    notes: list[Problem] = []
    if scored.report and scored.report.secret:
        notes.append(Problem("note", "secret-gold", TEXTS["eval.secret"]))
    if given.is_comparison:
        notes.append(Problem("note", "several-files", TEXTS["eval.two_of_a_kind"], len(given.uploads)))
    return replace(scored, problems=(*scored.problems, *notes))


def _gold(
    service: Service, name: str, own: str | None, paths: Sequence[str], read_as: ReadAs, parser: Parser
) -> GoldSet:
    if name != OWN_GOLD:
        return service.gold(name)
    if not own:
        raise UserError("no-gold", *TEXTS["eval.no_gold"])
    return parser.gold(_upload(own), read_as.gold_kind, [_upload(path) for path in paths])


def _upload(path: str) -> Upload:
    """A file that Gradio has stored; its path comes from Gradio, which refuses paths it did not store itself."""
    return Upload(Path(path).name, path=Path(path))
