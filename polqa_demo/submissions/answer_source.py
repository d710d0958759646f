"""Where the answers of a file stand: its columns or fields, and the rows `(line, question id, value, rank)` of each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from polqa_demo.data.answer_texts import UnknownShapeError, answer_texts, printed_texts
from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.submissions.coverage import as_floats
from polqa_demo.submissions.problems import Places, Refused, listed, refuse
from polqa_demo.submissions.question_texts import Joined, Pair, QuestionTexts, about_join
from polqa_demo.submissions.table import Table

# Gold files call their golds so, and some call single predictions so.
PLURALS = ("answers", "odpowiedzi")


@dataclass(slots=True)
class Met:
    """What was met on one way through the rows."""

    surplus: Places = field(default_factory=Places)
    lacking: Places = field(default_factory=Places)
    joined: Joined = field(default_factory=Joined)


@dataclass(frozen=True, slots=True)
class Source:
    """The columns that may hold the answers, the likeliest first, and the rows of each of them.

    `named` says that the columns bear names of answers; else they are places of a table without a header. `place` is
    that of a column in the table, where it has one. `rival` are the rows by the questions' texts, where those are other
    questions than the ids say; `doubts` are some of them.
    """

    table: Table
    columns: tuple[str, ...]
    pairs: Callable[[str, Met], Iterator[Pair]]
    named: bool = True
    notes: tuple[Problem, ...] = ()
    place: Callable[[str], int] = lambda _column: -1
    rival: Callable[[str, Met], Iterator[Pair]] | None = None
    doubts: Places = field(default_factory=Places)


@dataclass(frozen=True, slots=True)
class Keys:
    """How the rows of a file name their questions: by id, or by their text.

    `doubts` are rows whose id and text are two different questions of the gold.
    """

    by_text: bool
    notes: tuple[Problem, ...] = ()
    doubts: Places = field(default_factory=Places)


def row_keys(
    sample: Sequence[tuple[str, object]], ids: str, question: str, known: set[str], texts: QuestionTexts
) -> Keys | None:
    """By the first rows `(id, question)`: their ids, where the gold knows any of them; else their texts.

    :param ids: the name of the column of ids, empty where there is none; `question` likewise
    :returns: None where the rows name no question at all
    """
    wide = as_floats(known)
    strange = list(dict.fromkeys(key for key, _ in sample if key and key not in wide))
    met = any(key in wide for key, _ in sample)
    if ids and (met or not question or texts.share([text for _, text in sample]) < 0.5):
        doubts = Places()
        for key, text in sample:
            asked = texts.ids(text)
            if asked and key in wide and key.removesuffix(".0") not in asked:
                doubts.add(0, f"{key}: {text}")
        return Keys(by_text=False, doubts=doubts)
    return Keys(by_text=True, notes=(about_join(question, strange),)) if question else None


def missing_columns(name: str, found: Sequence[str], looks: Bilingual | None = None, line: int = 0) -> Refused:
    """Said of a file, or of a row of it, without a question or without an answer.

    :param looks: what the columns look like
    """
    where = (f", wiersz {line}", f", line {line}") if line else ("", "")
    pl, en = (f" {looks.pl}", f" {looks.en}") if looks else ("", "")
    by_column = by_option("--answer-column NAME")
    return refuse(
        "missing-columns",
        f"Plik {name}{where[0]}: potrzebne kolumny lub pola question_id (albo question) i answer, są: {listed(found)}."
        f"{pl} Jeśli odpowiedzi stoją pod inną nazwą, wskaż ją {by_column.pl}.",
        f"File {name}{where[1]}: the columns or fields question_id (or question) and answer are wanted, found: "
        f"{listed(found)}.{en} Where the answers have another name, say it {by_column.en}.",
        lines=[line] if line else (),
    )


def no_such_column(name: str, wanted: str, found: Sequence[str]) -> Refused:
    """Said where the column that somebody named is not there."""
    return refuse(
        "no-such-column",
        f"Plik {name}: nie ma kolumny ani pola {wanted}, są: {listed(found)}.",
        f"File {name}: there is no column or field {wanted}, found: {listed(found)}.",
    )


def about_doubts(doubts: Places, compared: Bilingual) -> Problem:
    """Told where ids and texts of rows are different questions of the gold; the ids count."""
    pl = f"Wiersze, w których treść pytania to inne pytanie złotego zbioru niż identyfikator: {doubts.count} "
    en = f"Rows whose question is another one of the gold than their id says: {doubts.count} ({doubts.shown}). The ids "
    pl += f"({doubts.shown}). Liczą się identyfikatory; inne odczytanie: treść pytań.{compared.pl} Jeśli to ona jest "
    en += f"count; another reading: the questions' texts.{compared.en} Where those are right, remove the column of ids."
    return doubts.problem("warning", "other-questions", f"{pl}właściwa, usuń kolumnę identyfikatorów.", en)


def are_single(values: Iterable[object]) -> bool:
    """Whether a column that golds are called by holds one text a row, as golds rarely do."""
    for value in values:
        try:
            found = printed_texts(value) if isinstance(value, str) else answer_texts(value)
        except UnknownShapeError:
            return False
        if found is not None and len(set(found.texts)) > 1:
            return False
    return True


def about_plural(column: str) -> Problem:
    """Told where the answers stand in a column that gold files have."""
    message = Bilingual(
        f"Odpowiedzi wzięto z {column}, choć tak nazywa się zwykle złoto. Sprawdź, czy to plik systemu.",
        f"The answers were taken from {column}, although golds are usually called so. Check that a system wrote it.",
    )
    return Problem("warning", "golds-as-answers", message)
