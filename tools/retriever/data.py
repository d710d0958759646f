"""Files of questions with their passages -> domains: the questions of one text collection over its passages.

The forms are those of the reader's training (`reader_data`): a SQuAD file is a collection of its own, all JSONL files
together are one. Collections that are translations of each other (XQuAD) give further domains, in which the questions
of one language look for the passages of the other: there no word helps, and only the meaning is left.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from tools.reader.data import Example, read_examples

_TRANSLATED = 0.5  # share of question ids in common from which two collections are taken for translations


@dataclass(frozen=True, slots=True)
class TextSet:
    """One collection: its passages, its questions with their ids, and the row of each question's passage."""

    name: str
    passages: tuple[Passage, ...]
    ids: tuple[str, ...]
    questions: tuple[str, ...]
    gold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """Questions of one collection (rows of its `questions`) that look for passages of one, perhaps another.

    `gold` has the passage's row for each question; `weight` is the domain's part in the loss of a training.
    """

    name: str
    asked: int
    searched: int
    rows: tuple[int, ...]
    gold: tuple[int, ...]
    weight: float


def read_text_sets(paths: Sequence[Path], left_out: Collection[str] = ()) -> tuple[TextSet, ...]:
    """The collections of the files; questions whose ids are `left_out`, and JSONL passages of theirs, are not in them.

    Raises:
        UserError: a file cannot be read, is of another form, or has no questions.
    """
    lines = [path for path in paths if path.suffix != ".json"]
    groups = [[path] for path in paths if path.suffix == ".json"] + ([lines] if lines else [])
    if not groups:
        raise UserError(
            "train-no-data",
            "Nie podano danych do treningu. Dodaj --data PLIK (układ SQuAD albo JSONL).",
            "No training data were given. Add --data FILE (SQuAD's layout or JSONL).",
        )
    return tuple(_text_set(group, left_out) for group in groups)


def domains_of(sets: Sequence[TextSet]) -> tuple[Domain, ...]:
    """Each collection over itself, and every translation over the others. Translations share the weight of one."""
    families = [_family(sets, one) for one in range(len(sets))]
    weights = [1 / len(family) ** 2 for family in families]
    domains = [
        Domain(one.name, place, place, tuple(range(len(one.questions))), one.gold, weights[place])
        for place, one in enumerate(sets)
    ]
    for place, other in permutations(range(len(sets)), 2):
        if other in families[place]:
            gold_of = dict(zip(sets[other].ids, sets[other].gold, strict=True))
            pairs = [(row, gold_of[key]) for row, key in enumerate(sets[place].ids) if key in gold_of]
            rows, gold = tuple(row for row, _ in pairs), tuple(found for _, found in pairs)
            name = f"{sets[place].name} -> {sets[other].name}"
            domains.append(Domain(name, place, other, rows, gold, weights[place]))
    return tuple(domains)


def kept_for_development(domain: Domain, sets: Sequence[TextSet], seed: int, share: float) -> frozenset[int]:
    """Rows of the searched passages that are kept for development: whole articles, by a hash of the title.

    Of translations the first one's titles count, whose passages stand in the same order: so that no article is trained
    on in one language and tested on in another.
    """
    titles = [passage.title for passage in sets[_family(sets, domain.searched)[0]].passages]
    digests = [hashlib.sha256(f"{seed}{title}".encode()).digest() for title in titles]
    return frozenset(row for row, digest in enumerate(digests) if digest[0] < 256 * share)


def _family(sets: Sequence[TextSet], one: int) -> list[int]:
    """Places of the translations of a collection, itself among them, in their order."""
    return [other for other in range(len(sets)) if other == one or _translated(sets[one], sets[other])]


def _text_set(paths: Sequence[Path], left_out: Collection[str]) -> TextSet:
    read = read_examples(paths, left_out)
    row_of = {key: row for row, key in enumerate(read.passages)}
    examples = read.examples
    return TextSet(
        paths[0].stem if len(paths) == 1 else paths[0].parent.name,
        # SQuAD's titles are ends of addresses, with underscores for blanks.
        tuple(replace(passage, title=passage.title.replace("_", " ")) for passage in read.passages.values()),
        tuple(_own_id(example) for example in examples),
        tuple(example.question for example in examples),
        tuple(row_of[example.passage.id] for example in examples),
    )


def _own_id(example: Example) -> str:
    """The question's id in its file; the reader's data put the passage's before it."""
    return example.id.removeprefix(f"{example.passage.id}-")


def _translated(one: TextSet, other: TextSet) -> bool:
    ids = set(one.ids)
    common = len(ids.intersection(other.ids))
    return len(one.passages) == len(other.passages) and common >= _TRANSLATED * max(len(ids), len(set(other.ids)))
