"""What stands in the place of an answer: a text, a number, a list, a reader's object -> the answer's text."""

from collections.abc import Mapping
from typing import Any

from polqa_demo.data.answer_texts import AnswerTexts, UnknownShapeError, answer_texts, printed_texts
from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.errors import Problem
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.findings import ANSWERS, about_truths
from polqa_demo.submissions.problems import Places, listed, refuse

# What readers call their trust in one of several candidates; the highest is the best.
_TRUST = ("probability", "prob", "confidence", "score")
_MARK = "\ufeff"
_TEXTS = (*names_of("answer", "prediction"), "text")


class AnswerValues:
    """Takes down what was no plain text: lists of one, lists of several, candidates with their probability, truths."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._single, self._several = Places(), Places()
        self._rows = 0
        # The cells that print several answers, by line.
        self._printed: dict[int, str] = {}
        self._best, self._truths, self._marks = Places(), Places(), Places()

    def text(self, line: int, key: str, value: object) -> str:
        """The text of a value; of several answers the first, and the file is refused in the end.

        :raises Refused: an object that holds an answer in no known way
        """
        self._rows += 1
        best = _best(value)
        if isinstance(value, str):
            if _MARK in value and value.strip(_MARK) != value:
                self._marks.add(line, key)
                value = value.strip(_MARK)
            if value.lstrip()[:1] not in ("[", "{", "a"):
                return value
            found = self._tried(line, printed_texts, value)
            if found is None:
                return value
        else:
            if best is not None:
                self._best.add(line, key)
            found = self._tried(line, answer_texts, value if best is None else best)
        assert found is not None
        if found.truths:
            self._truths.add(line, key)
        texts = list(dict.fromkeys(text for text in found.texts if text.strip()))
        if len(texts) > 1:
            self._several.add(line, f"{key}: {' | '.join(texts)}")
            if isinstance(value, str):
                self._printed[line] = value
        elif texts and found.listed and isinstance(value, str | list) and best is None:
            self._single.add(line, texts[0])
        return texts[0] if texts else ""

    @property
    def _are_texts(self) -> bool:
        """Few cells print several answers and all others are plain texts, so that those are texts as well: `[0, 1]`."""
        several, others = self._several.count, self._single.count + self._best.count
        return 10 * several < self._rows and several == len(self._printed) and not others

    def final(self, line: int, answer: str) -> str:
        """The text of a row once all were seen."""
        return self._printed.get(line, answer) if self._are_texts else answer

    def problems(self) -> list[Problem]:
        """What is told of the values.

        :raises Refused: some lists hold several different answers
        """
        several, single, best = self._several, self._single, self._best
        if several.count and not self._are_texts:
            raise refuse(
                "list-answers",
                f"Plik {self._name}: listy po kilka odpowiedzi na pytanie, liczba wierszy: {several.count} "
                f"({several.shown}). Zostaw po jednej odpowiedzi, bez nawiasów.",
                f"File {self._name}: lists of several answers to a question, rows: {several.count} ({several.shown}). "
                "Keep one answer each, without brackets.",
                several.count,
                several.lines,
            )
        found = self._about_marks()
        if several.count:
            pl = f"Odpowiedzi, które wyglądają jak listy, a pozostałe to zwykłe teksty: {several.count} "
            en = f"Answers that look like lists while all others are plain texts: {several.count} ({several.shown}). "
            pl += f"({several.shown}). Oceniono je tak, jak stoją; jeśli to listy, zostaw po jednej odpowiedzi."
            en += "They were scored as they stand; where they are lists, keep one answer each."
            found.append(several.problem("warning", "list-answers", pl, en))
        if best.count:
            pl = (
                f"Listy kandydatów z prawdopodobieństwem lub wynikiem; wzięto najlepszego: {best.count} ({best.shown})."
            )
            en = (
                f"Lists of candidates with a probability or a score; the best one was taken: {best.count} "
                f"({best.shown})."
            )
            found.append(best.problem("note", "best-candidate", pl, en))
        if single.count:
            pl = f"Odpowiedzi zapisane jako listy po jednej odczytano jako tekst: {single.count} ({single.shown})."
            en = f"Answers written as lists of one were read as their text: {single.count} ({single.shown})."
            found.append(single.problem("note", "list-answers", pl, en))
        return [*found, *about_truths(self._truths, ANSWERS)]

    def _about_marks(self) -> list[Problem]:
        marks = self._marks
        if not marks.count:
            return []
        pl = f"Odpowiedzi ze znakiem BOM (U+FEFF) na brzegu, pominięto go: {marks.count} ({marks.shown}). Sprawdź, "
        en = f"Answers with a byte order mark (U+FEFF) at an end, left out: {marks.count} ({marks.shown}). Check "
        pl, en = f"{pl}czy nie sklejono plików.", f"{en}whether files were glued together."
        return [marks.problem("warning", "byte-order-marks", pl, en)]

    def _tried(self, line: int, read: Any, value: object) -> AnswerTexts | None:
        try:
            found: AnswerTexts | None = read(value)
        except UnknownShapeError as error:
            if not error.fields:
                return AnswerTexts(())
            fields = listed(error.fields)
            raise refuse(
                "nested-answers",
                f"Plik {self._name}, wiersz {line}: odpowiedź jest obiektem o polach {fields}. Wpisz sam tekst.",
                f"File {self._name}, line {line}: the answer is an object of the fields {fields}. Give its text alone.",
                lines=[line],
            ) from error
        return found


def _best(value: object) -> Mapping[str, object] | None:
    """The most probable of several candidates (SQuAD's n-best lists); None where the value is something else."""
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(item, Mapping) for item in value):
        return None
    items = [{plain_name(str(name)): field for name, field in item.items()} for item in value]
    trust = next((name for name in _TRUST if all(name in item for item in items)), "")
    if not trust or not all(any(name in item for name in _TEXTS) for item in items):
        return None
    weights = [finite(item[trust]) for item in items]
    known = [weight for weight in weights if weight is not None]
    if len(known) < len(items):
        return None
    # Of equals the first.
    best: Mapping[str, object] = value[known.index(max(known))]
    return best
