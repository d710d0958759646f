"""Rows about questions and passages, gathered into a gold set that does not hang on the order of the rows."""

import re
from dataclasses import replace

from polqa_demo.errors import Bilingual, UserError, first_few
from polqa_demo.records import GoldSet, Judgement, Question

EVALUATION_SPLITS = ("valid", "validation", "dev", "test")
_SPLITS = (*EVALUATION_SPLITS, "train")
_YES = frozenset(("true", "yes", "tak", "prawda"))
_NO = frozenset(("false", "no", "nie", "fałsz"))
# `float` takes more for a number than a person does: 1_0, or digits of other scripts.
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


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


class GoldRows:
    """Gathers the rows of a gold file. The rows of one question may differ: their answers are put together, and told.

    :param split: the split of all rows, whatever they say themselves
    """

    def __init__(self, name: str, split: str = "", file: str = "") -> None:
        self._name, self._split, self._file = name, split, file or name
        self._questions: dict[str, Question] = {}
        self._judgements: dict[tuple[str, str, str], Judgement] = {}
        self._splits: dict[str, set[str]] = {}
        self._answers_differ: dict[str, None] = {}
        self._texts_differ: dict[str, None] = {}
        self._unjudged = 0

    def ask(self, line: int, question: Question, split: str = "") -> None:
        """One row's question with its answers.

        :raises UserError: an empty id
        """
        key = question.id
        if not key:
            raise UserError(
                "empty-id",
                f"Plik {self._file}, wiersz {line}: puste question_id.",
                f"File {self._file}, line {line}: question_id is empty.",
            )
        known = self._questions.get(key)
        if known is None:
            self._questions[key] = question
        elif known != question:
            self._questions[key] = self._merged(known, question)
        if not self._split:
            self._splits.setdefault(key, set()).add(plain_split(split))

    def _merged(self, known: Question, other: Question) -> Question:
        if known.answers and other.answers and set(known.answers) != set(other.answers):
            self._answers_differ[known.id] = None
        if known.text.strip() and other.text.strip() and known.text.strip() != other.text.strip():
            self._texts_differ[known.id] = None
        return replace(
            known,
            text=known.text or other.text,
            answers=tuple(dict.fromkeys((*known.answers, *other.answers))),
            labels={**other.labels, **known.labels},
        )

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
        questions, judgements = tuple(self._questions.values()), tuple(self._judgements.values())
        return GoldSet(self._name, split, questions, judgements, splits, self._remarks(names))

    def _remarks(self, names: set[str]) -> tuple[tuple[str, Bilingual], ...]:
        found: list[tuple[str, Bilingual]] = []
        if self._answers_differ:
            pl = f"Pytania, których wiersze podają różne odpowiedzi ({_some(self._answers_differ)}); liczą się "
            en = f"Questions with different gold answers in different rows ({_some(self._answers_differ)}); all of "
            found.append(("gold-variants", Bilingual(f"{pl}wszystkie razem.", f"{en}them count.")))
        if self._texts_differ:
            pl = f"Różne pytania pod tym samym identyfikatorem ({_some(self._texts_differ)}); pokazuje się pierwsze."
            en = f"Different questions under one id ({_some(self._texts_differ)}); the first one is shown."
            found.append(("gold-texts", Bilingual(pl, en)))
        if self._unjudged:
            pl = f"Pary bez oceny trafności, pominięto: {self._unjudged}."
            en = f"Pairs without a verdict on relevance, left out: {self._unjudged}."
            found.append(("gold-unjudged", Bilingual(pl, en)))
        if any(judgement.source not in ("human", "") for judgement in self._judgements.values()):
            found += self._about_split(names)
        return tuple(found)

    def _about_split(self, names: set[str]) -> list[tuple[str, Bilingual]]:
        """Which sources count, where the split leaves it open."""
        unknown = sorted(name for name in names if name not in _SPLITS)
        unsaid = not self._split and any("" in found and len(found) == 1 for found in self._splits.values())
        if len(names) < 2 and not unknown and not unsaid:
            return []
        what = first_few(sorted(names), 10) or "-"
        pl = f"Podziały w pliku {self._file}: {what}{' i pytania bez podziału' if unsaid and names else ''}. Przy "
        en = f"Splits in the file {self._file}: {what}{' and questions without one' if unsaid and names else ''}. With "
        pl += "źródle auto dla valid i test liczą się tylko fragmenty znalezione przez ludzi, dla pozostałych "
        en += "the source auto only passages found by humans count for valid and test, all of them elsewhere; "
        return [
            ("gold-split", Bilingual(f"{pl}wszystkie; zmienia to --gold-source.", f"{en}--gold-source changes it."))
        ]


def _some(ids: dict[str, None]) -> str:
    return f"{len(ids)}: {first_few(ids)}"
