"""Rows about questions and passages, gathered into a gold set that does not hang on the order of the rows."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from polqa_demo.errors import Bilingual, Problem, UserError, by_option, first_few
from polqa_demo.records import RELEVANT_GRADE, GoldSet, Judgement, Question

EVALUATION_SPLITS = ("valid", "validation", "dev", "test")
_SPLITS = (*EVALUATION_SPLITS, "train")
_YES = frozenset(("true", "yes", "tak", "prawda"))
_NO = frozenset(("false", "no", "nie", "fałsz"))
# `float` takes more for a number than a person does: 1_0, or digits of other scripts.
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
# Beyond it stands an id or a time stamp in the place of a grade, and sums of gains would lose their last digits.
HIGHEST_GRADE = 1_000_000_000
# How many grades a remark counts one by one.
_GRADES_SHOWN = 8


def plain_split(split: str) -> str:
    """A split's name as it is compared: trimmed, lower case."""
    return split.strip().lower()


def is_evaluation(split: str) -> bool:
    """Whether the name is one of validation or test."""
    return plain_split(split) in EVALUATION_SPLITS


def grade_of(value: object) -> float | None:
    """The grade that a cell holds: a number, or a word of truth in Polish or English (1 or 0); None when empty.

    A whole number is an int however it is written (`3`, `3.0`), so that equal gold has equal grades.

    :raises ValueError: neither a word nor a number up to HIGHEST_GRADE
    """
    text = "" if value is None else str(value).strip().lower()
    if not text:
        return None
    if text in _YES or text in _NO:
        return int(text in _YES)
    if not _NUMBER.fullmatch(text) or abs(grade := float(text)) > HIGHEST_GRADE:
        raise ValueError(text)
    return int(grade) if grade.is_integer() else grade


def is_graded(grades: Iterable[float]) -> bool:
    """Whether some passage is relevant to another degree than yes or no: any gain other than 1."""
    return any(grade > 0 and grade != 1 for grade in grades)


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

    def judge(self, line: int, question_id: str, passage_id: str, verdict: object, source: str = "") -> None:
        """One row's passage; a pair of several rows has the highest of their grades.

        :param verdict: a truth value or a grade, or the cell that holds one; an empty cell is no verdict
        :raises UserError: the cell is no verdict at all
        """
        try:
            grade = grade_of(verdict)
        except ValueError:
            raise UserError(
                "bad-relevant",
                f"Plik {self._file}, wiersz {line}: trafność {str(verdict)[:40]!r} to ani True lub False, ani liczba "
                "(do miliarda).",
                f"File {self._file}, line {line}: the relevance {str(verdict)[:40]!r} is neither True or False nor a "
                "number (up to 1,000,000,000).",
            ) from None
        if grade is None:
            self._unjudged += 1
            return
        pair = (question_id, passage_id, source.strip().lower())
        known = self._judgements.get(pair)
        if known is None or grade > known.grade:
            self._judgements[pair] = Judgement(*pair[:2], grade, pair[2])

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
        found += self._about_grades()
        if any(judgement.source not in ("human", "") for judgement in self._judgements.values()):
            found += self._about_split(names)
        return tuple(found)

    def _about_grades(self) -> list[Problem]:
        """That grades are gains, and which of them are no whole numbers."""
        grades = Counter(judgement.grade for judgement in self._judgements.values())
        if not is_graded(grades):
            return []
        counted = ", ".join(f"{grade}: {grades[grade]}" for grade in sorted(grades)[:_GRADES_SHOWN])
        counted += ", …" if len(grades) > _GRADES_SHOWN else ""
        pl = f"Trafność ma stopnie (stopień: liczba par – {counted}). NDCG liczy stopień jako zysk; accuracy, MRR i "
        en = f"Relevance is graded (grade: number of pairs – {counted}). NDCG takes the grade as gain; accuracy, MRR "
        pl += f"recall liczą fragmenty od stopnia {RELEVANT_GRADE}."
        en += f"and recall count passages from grade {RELEVANT_GRADE} up."
        found = [Problem("note", "graded-gold", Bilingual(pl, en), sum(grades.values()))]
        fractions = {str(grade): None for grade in grades if not float(grade).is_integer()}
        if fractions:
            count = sum(number for grade, number in grades.items() if str(grade) in fractions)
            pl = f"Pary, których stopień trafności nie jest liczbą całkowitą: {count} (różnych stopni: "
            en = f"Pairs whose grade of relevance is no whole number: {count} (different grades: "
            pl += f"{_some(fractions)}). Stopień między 0 a 1 daje zysk w NDCG, ale fragment nie liczy się jako trafny "
            en += f"{_some(fractions)}). A grade between 0 and 1 is a gain in NDCG but does not make the passage "
            pl += "w accuracy, MRR i recall. Jeśli ma się liczyć, zapisz stopnie jako liczby całkowite od 1."
            en += "relevant in accuracy, MRR and recall. If it should, write the grades as whole numbers from 1 up."
            found.append(Problem("warning", "fractional-grades", Bilingual(pl, en), count))
        return found

    def _about_split(self, names: set[str]) -> list[Problem]:
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
        where = by_option("--gold-source human|all", page=False)
        message = Bilingual(f"{pl}wszystkie; inaczej {where.pl}.", f"{en}otherwise {where.en}.")
        return [Problem("warning", "gold-split", message)]


def _some(ids: dict[str, None]) -> str:
    return f"{len(ids)}: {first_few(ids)}"
