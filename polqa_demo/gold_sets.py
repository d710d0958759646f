"""Gold sets: those that are known by name, files, and the operator's own files of an app, some of them secret.

A secret gold set is sealed as soon as it is read: whoever asks for it gets its question ids and nothing else, and only
the totals of a score come out (see `evaluation.report` and `comparison`).
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from polqa_demo.data.catalogue import gold_file, gold_names, unknown_gold
from polqa_demo.errors import UserError
from polqa_demo.evaluation.signature import keyed_checksum
from polqa_demo.parsing.parser import Upload, ids_of
from polqa_demo.records import GoldSet, Question, Sealed
from polqa_demo.scoring import Scored, refused_by
from polqa_demo.settings import Settings
from polqa_demo.submissions.gold import GoldKind, joined, load_gold, read_gold, read_gold_or_questions

OPERATOR = "organisers"


class GoldSets:
    """Read once; what the operator changes in the files counts from the next start on.

    :raises UserError: a file of the operator's cannot be used, or two of them have one name
    """

    def __init__(self, knobs: Settings) -> None:
        key = knobs.hidden_key.get_secret_value().encode() if knobs.hidden_key else secrets.token_bytes(32)
        own = [_read(path) for path in knobs.gold]
        own += [seal(_read_hidden(path), key) for path in knobs.hidden_gold]
        self._own: Mapping[str, GoldSet] = {gold.name: gold for gold in own}
        if len(self._own) < len(own):
            names = [gold.name for gold in own]
            twice = next(name for name in names if names.count(name) > 1)
            raise UserError(
                "equal-names",
                f"Dwa złote zbiory w POLQA_GOLD i POLQA_HIDDEN_GOLD mają tę samą nazwę {twice}. Zmień nazwę pliku.",
                f"Two gold sets of POLQA_GOLD and POLQA_HIDDEN_GOLD have the same name {twice}. Rename a file.",
            )

    def names(self) -> list[str]:
        """Names of the gold sets that need no network, the default first, the operator's last."""
        return [*gold_names(), *self._own]

    def load(self, name: str) -> GoldSet:
        """A gold set by its name; a secret one comes sealed.

        :raises UserError: no such name; lists the known ones
        """
        names = self.names()
        # A list is searched: an event that was sent by hand may name anything.
        if name not in names:
            raise unknown_gold(str(name), names, by_path=False)
        if name in self._own:
            return self._own[name]
        return load_gold(name)


def open_gold(
    gold: str,
    kind: GoldKind | None = None,
    questions: Upload | None = None,
    rankings: Sequence[Upload] = (),
) -> tuple[GoldSet | None, Scored | None]:
    """A gold set by its registered name or from a file; a refusal instead when it cannot be used.

    What was odd about the file of questions, and what it was taken for, come with the gold. The ids of the rankings
    that are to be scored tell judgements without a header from golds. For the command line alone: the app never takes a
    path.
    """
    try:
        asked = read_gold_or_questions(questions.content, questions.name) if questions else None
        texts = asked.questions if asked else None
        if gold in gold_names():
            found = joined(load_gold(gold), texts, gold)
        else:
            found = read_gold(_gold_path(gold), Path(gold).name, kind, texts, lambda: ids_of(rankings))
    except UserError as error:
        return None, refused_by(error)
    if asked is None:
        return found, None
    told, known = (*asked.remarks, *found.remarks), {**found.recognised, **asked.recognised}
    return replace(found, remarks=told, recognised=known), None


def seal(gold: GoldSet, key: bytes) -> GoldSet:
    """The gold as it may be handed around: name and question ids, in their order; the rest is for the scores alone.

    :param key: of the checksum in the signatures; equal keys give equal signatures
    """
    # The name alone is shown, so the split goes where only the scores see it.
    splits = {question.id: gold.splits.get(question.id, gold.split) for question in gold.questions}
    inside = replace(gold, split="", splits=splits, remarks=())
    faces = tuple(Question(question.id, "") for question in gold.questions)
    return GoldSet(gold.name, "", faces, sealed=Sealed(inside, keyed_checksum(gold, key)))


def _read(path: Path) -> GoldSet:
    # The operator names a set by its file, also where that is a copy of a registered one.
    return replace(read_gold(path, path.name), name=f"{OPERATOR}/{path.name.split('.')[0]}")


def _read_hidden(path: Path) -> GoldSet:
    """A secret file. What is wrong with it may quote it, so the reason is not repeated where visitors may look."""
    try:
        return _read(path)
    except UserError as error:
        code = error.code
    raise UserError(
        "bad-hidden-gold",
        f"Nie mogę użyć tajnego złotego zbioru {path.name} ({code}). Szczegóły poda: python -m polqa_demo score "
        "--gold PLIK --answers PLIK",
        f"The hidden gold {path.name} cannot be used ({code}). For the details: python -m polqa_demo score "
        "--gold FILE --answers FILE",
    )


def _gold_path(gold: str) -> Path:
    """The path of a gold file.

    :raises UserError: neither a file nor a known name
    """
    try:
        known = Path(gold).exists()
    except (OSError, ValueError):
        known = False
    return Path(gold) if known else gold_file(gold)
