"""Questions by their text: what joins a row to its question where the file has no ids, or other ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.polish.words import folded
from polqa_demo.records import Question
from polqa_demo.submissions.problems import PLACES, Places, first_places, refuse

# `(line, key, value, rank)`; the key is a question's id, or its text before it is joined.
Pair = tuple[int, str, object, object]


@dataclass(slots=True)
class Joined:
    """What was met while rows were joined by their text: unknown questions, and texts that several questions have."""

    rows: int = 0
    unknown: Places = field(default_factory=Places)
    shared: Places = field(default_factory=Places)


class QuestionTexts:
    """The questions by their texts, compared without regard to case and to runs of blanks."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._by_text: dict[str, list[str]] = {}
        self._texts: dict[str, str] = {}
        self._first: list[str] = []
        for question in questions:
            text = folded(question.text)
            if text:
                self._by_text.setdefault(text, []).append(question.id)
                self._texts[question.id] = text
                if len(self._first) < PLACES:
                    self._first.append(question.text.strip())

    @property
    def known(self) -> bool:
        """Whether the gold shows any question's text."""
        return bool(self._by_text)

    def ids(self, text: object) -> Sequence[str]:
        """The questions of that text, several where the gold holds it several times."""
        return self._by_text.get(folded(str(text)), ()) if text else ()

    def of(self, key: str) -> str:
        """The folded text of a question; empty where it is not known."""
        return self._texts.get(key, "")

    def share(self, texts: Sequence[object]) -> float:
        """The share of some texts, 0..1, that are known questions."""
        return sum(bool(self.ids(text)) for text in texts) / len(texts) if texts else 0.0

    def join(self, rows: Iterable[Pair], joined: Joined) -> Iterator[Pair]:
        """Rows keyed by a question's text as rows keyed by its id, once for each question of that text."""
        for line, text, value, rank in rows:
            joined.rows += 1
            ids = self.ids(text)
            if not ids:
                joined.unknown.add(line, text)
            elif len(ids) > 1:
                joined.shared.add(line, text)
            for key in ids:
                yield line, key, value, rank

    def examples(self) -> str:
        """The first few questions."""
        return ", ".join(text[:60] for text in self._first)


def about_joined(joined: Joined, texts: QuestionTexts, name: str) -> list[Problem]:
    """What is told of rows that were joined by their text.

    :raises Refused: not a single question of the file is in the gold
    """
    unknown, shared = joined.unknown, joined.shared
    if joined.rows and unknown.count == joined.rows:
        known_pl = f"w zbiorze: {texts.examples()}" if texts.known else "zbiór nie pokazuje treści pytań"
        known_en = f"set: {texts.examples()}" if texts.known else "the set shows no texts of questions"
        raise refuse(
            "unknown-questions",
            f"Plik {name} nie ma identyfikatorów tego zbioru, a żadne z jego pytań nie jest w zbiorze "
            f"({unknown.shown}; {known_pl}). Wybierz właściwy złoty zbiór albo dodaj kolumnę question_id.",
            f"The file {name} has no ids of this set, and none of its questions is in it ({unknown.shown}; "
            f"{known_en}). Choose the right gold, or add a column question_id.",
            unknown.count,
            unknown.lines,
        )
    found: list[Problem] = []
    if unknown.count:
        pl = (
            f"Pytania spoza złotego zbioru, pominięto: {unknown.count} ({unknown.shown}). Sprawdź, czy to właściwy "
            f"zbiór."
        )
        en = (
            f"Questions outside the gold, left out: {unknown.count} ({unknown.shown}). Check that this is the right "
            f"set."
        )
        found.append(unknown.problem("warning", "unknown-questions", pl, en))
    if shared.count:
        pl = (
            f"Pytania, które w złotym zbiorze stoją kilka razy; odpowiedź liczy się każdemu: {shared.count} "
            f"({shared.shown})."
        )
        en = (
            f"Questions that the gold holds several times; the answer counts for each: {shared.count} ({shared.shown})."
        )
        found.append(shared.problem("note", "shared-questions", pl, en))
    return found


def about_join(column: str, strange: Sequence[str], option: str = "") -> Problem:
    """A note that rows were joined by the question's text.

    :param column: the column or field of the question
    :param strange: ids of the file that are none of the gold's
    :param option: what reads the rows otherwise
    """
    where = by_option(option)
    ids = (
        f" (identyfikatory pliku są inne: {first_places(strange)})",
        f" (the file's ids are others: {first_places(strange)})",
    )
    pl, en = ids if strange else ("", "")
    message = Bilingual(
        f"Odpowiedzi przypisano po treści pytania, kolumna lub pole: {column}{pl}. Jeśli to nie to, "
        f"{f'wskaż wiersze {where.pl}' if option else 'dodaj kolumnę question_id'}.",
        f"The answers were joined by the question's text, column or field: {column}{en}. Where that is wrong, "
        f"{f'choose lines {where.en}' if option else 'add a column question_id'}.",
    )
    return Problem("note", "joined-by-question", message)
