"""Rows about questions and passages, gathered into a gold set that does not hang on the order of the rows."""

import re
from dataclasses import dataclass, field

from polqa_demo.errors import Bilingual, Problem, UserError
from polqa_demo.records import GoldSet, Judgement, Question

EVALUATION_SPLITS = ("valid", "validation", "dev", "test")
_SPLITS = (*EVALUATION_SPLITS, "train")
_YES = frozenset(("true", "yes", "tak", "prawda"))
_NO = frozenset(("false", "no", "nie", "fałsz"))
# `float` takes more for a number than a person does: 1_0, or digits of other scripts.
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
# How many examples a remark names.
_EXAMPLES = 3


def plain_split(split: str) -> str:
    """A split's name as it is compared: trimmed, lower case."""
    return split.strip().lower()


def is_evaluation(split: str) -> bool:
    """Whether the name is one of validation or test."""
    return plain_split(split) in EVALUATION_SPLITS


def verdict(value: object) -> bool | None:
    """What a cell says of relevance: a word of truth in Polish or English, or a number above zero; None when empty.

    :raises ValueError: neither a word nor a number
    """
    text = "" if value is None else str(value).strip().lower()
    if not text:
        return None
    if text in _YES or text in _NO:
        return text in _YES
    if _NUMBER.fullmatch(text):
        return float(text) > 0
    raise ValueError(text)


@dataclass(slots=True)
class _Asked:
    """What the rows of one question have said so far; `stated` says that any of them has a place for golds."""

    text: str = ""
    answers: dict[str, None] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    stated: bool = False


class GoldRows:
    """Gathers the rows of a gold file. The rows of one question may differ: their answers are put together, and told.

    A row takes time in proportion to itself, however many rows its question has.

    :param split: the split of all rows, whatever they say themselves
    """

    def __init__(self, name: str, split: str = "", file: str = "") -> None:
        self._name, self._split, self._file = name, split, file or name
        self._asked: dict[str, _Asked] = {}
        self._judgements: dict[tuple[str, str, str], Judgement] = {}
        self._splits: dict[str, set[str]] = {}
        self._answers_differ: dict[str, None] = {}
        self._texts_differ: dict[str, None] = {}
        self._unjudged = 0

    def ask(self, line: int, question: Question, split: str = "", stated: bool | None = None) -> None:
        """One row's question with its answers.

        :param stated: whether the row has a place for golds, be it empty; by default whether there are any
        :raises UserError: an empty id
        """
        key = question.id
        if not key:
            raise UserError(
                "empty-id",
                f"Plik {self._file}, wiersz {line}: puste question_id.",
                f"File {self._file}, line {line}: question_id is empty.",
            )
        known = self._asked.get(key)
        if known is None:
            known = self._asked[key] = _Asked()
        self._merge(known, question)
        known.stated = known.stated or (bool(question.answers) if stated is None else stated)
        if not self._split:
            self._splits.setdefault(key, set()).add(plain_split(split))

    def _merge(self, known: _Asked, other: Question) -> None:
        said = dict.fromkeys(other.answers)
        if known.answers and said and known.answers.keys() != said.keys():
            self._answers_differ[other.id] = None
        if known.text.strip() and other.text.strip() and known.text.strip() != other.text.strip():
            self._texts_differ[other.id] = None
        known.text = known.text or other.text
        known.answers |= said
        for name, label in other.labels.items():
            known.labels.setdefault(name, label)

    def judge(self, line: int, question_id: str, passage_id: str, relevant: object, source: str = "") -> None:
        """One row's passage; a pair of several rows is relevant when any of them says so.

        :param relevant: a truth value, or the cell that holds one; an empty cell is no verdict
        :raises UserError: the cell is no verdict at all
        """
        try:
            says = relevant if isinstance(relevant, bool) else verdict(relevant)
        except ValueError:
            raise UserError(
                "bad-relevant",
                f"Plik {self._file}, wiersz {line}: trafność {str(relevant)[:40]!r} to ani True lub False, ani liczba.",
                f"File {self._file}, line {line}: the relevance {str(relevant)[:40]!r} is neither True or False nor a "
                "number.",
            ) from None
        if says is None:
            self._unjudged += 1
            return
        pair = (question_id, passage_id, source.strip().lower())
        if says or pair not in self._judgements:
            self._judgements[pair] = Judgement(*pair[:2], says, pair[2])

    @property
    def different_texts(self) -> tuple[str, ...]:
        """Ids under which different questions stand."""
        return tuple(self._texts_differ)

    def gold(self) -> GoldSet:
        """What was gathered, with remarks about everything that was decided on the way."""
        names = {name for found in self._splits.values() for name in found if name}
        split = self._split or "+".join(sorted(names))
        splits: dict[str, str] = {}
        if len(names) > 1:
            # Of a question in several splits no retriever's proposal counts, whichever row comes first.
            splits = {
                key: max(found, key=lambda name: (is_evaluation(name), name)) for key, found in self._splits.items()
            }
        return GoldSet(
            self._name,
            split,
            tuple(Question(key, one.text, tuple(one.answers), one.labels) for key, one in self._asked.items()),
            tuple(self._judgements.values()),
            splits,
            self._remarks(names),
            unanswerable=frozenset(key for key, one in self._asked.items() if one.stated and not one.answers),
        )

    def _remarks(self, names: set[str]) -> tuple[Problem, ...]:
        found: list[Problem] = []
        if self._answers_differ:
            pl = f"Pytania, których wiersze podają różne odpowiedzi ({_some(self._answers_differ)}); liczą się "
            en = f"Questions with different gold answers in different rows ({_some(self._answers_differ)}); all of "
            message = Bilingual(f"{pl}wszystkie razem.", f"{en}them count.")
            found.append(Problem("warning", "gold-variants", message, len(self._answers_differ)))
        if self._texts_differ:
            message = Bilingual(
                f"Różne pytania pod tym samym identyfikatorem ({_some(self._texts_differ)}); pokazuje się pierwsze.",
                f"Different questions under one id ({_some(self._texts_differ)}); the first one is shown.",
            )
            found.append(Problem("warning", "gold-texts", message, len(self._texts_differ)))
        if self._unjudged:
            message = Bilingual(
                f"Pary bez oceny trafności, pominięto: {self._unjudged}.",
                f"Pairs without a verdict on relevance, left out: {self._unjudged}.",
            )
            found.append(Problem("note", "gold-unjudged", message, self._unjudged))
        if any(judgement.source not in ("human", "") for judgement in self._judgements.values()):
            found += self._about_split(names)
        return tuple(found)

    def _about_split(self, names: set[str]) -> list[Problem]:
        """Which sources count, where the split leaves it open."""
        unknown = sorted(name for name in names if name not in _SPLITS)
        unsaid = not self._split and any("" in found and len(found) == 1 for found in self._splits.values())
        if len(names) < 2 and not unknown and not unsaid:
            return []
        what = ", ".join(sorted(names)[:10]) or "-"
        pl = f"Podziały w pliku {self._file}: {what}{' i pytania bez podziału' if unsaid and names else ''}. Przy "
        en = f"Splits in the file {self._file}: {what}{' and questions without one' if unsaid and names else ''}. With "
        pl += "źródle auto dla valid i test liczą się tylko fragmenty znalezione przez ludzi, dla pozostałych "
        en += "the source auto only passages found by humans count for valid and test, all of them elsewhere; "
        message = Bilingual(f"{pl}wszystkie; zmienia to --gold-source.", f"{en}--gold-source changes it.")
        return [Problem("warning", "gold-split", message)]


def _some(ids: dict[str, None]) -> str:
    shown = ", ".join(list(ids)[:_EXAMPLES])
    return f"{len(ids)}: {shown}{', …' if len(ids) > _EXAMPLES else ''}"
