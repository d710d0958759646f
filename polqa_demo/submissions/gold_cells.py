"""What stands in the place of golds -> their texts: lists as Python, NumPy and JSON write them, objects, single texts.

Nothing that is the print of a list or of an object becomes a gold; empty texts are none.
"""

import re

from polqa_demo.data.answer_texts import AnswerTexts, UnknownShapeError, answer_texts, printed_texts
from polqa_demo.errors import Bilingual, Problem
from polqa_demo.submissions.findings import GOLDS, about_truths
from polqa_demo.submissions.problems import Places, Refused, refuse

# How a printed list or object begins.
_OPENING = ("[", "{", "array(")
# Several texts in quotes, whatever stands around them.
_QUOTED_TEXTS = re.compile(r"['\"]\s*+,\s*+['\"]")
# Signs by which people join several golds in one cell.
_BAR = re.compile(r"\S\s*\|\|?\s*\S")
_SEMICOLON = re.compile(r"\S\s*;\s*\S")
# Semicolons in more than one cell of so many are no part of the answers' own writing.
_SELDOM = 10


class GoldCells:
    """Reads the golds of a file, cell by cell, and remembers how they were written.

    :param column: the name under which they stand; empty where they have none
    """

    def __init__(self, file: str, column: str = "") -> None:
        self._file = file
        self.column = column
        self._filled = 0
        self._single, self._numpy, self._bars, self._semicolons = Places(), Places(), Places(), Places()
        self._empty, self._printed, self._truths = Places(), Places(), Places()

    def texts(self, line: int, value: object) -> tuple[str, ...]:
        """The golds of one cell of a table, or of one value of JSON or parquet.

        :raises Refused: a list that is broken, or an object that holds golds in no known way
        """
        try:
            found = self._one_text(line, value) if isinstance(value, str) else answer_texts(value)
            texts = self._unwrapped(line, found)
        except UnknownShapeError as error:
            fields = ", ".join(error.fields[:16])[:200]
            raise refuse(
                "unknown-shape",
                f"Plik {self._file}, wiersz {line}: w miejscu złotych odpowiedzi stoi obiekt o polach: {fields}. "
                'Zapisz same odpowiedzi, jak ["w Indiach", "Indie"].',
                f"File {self._file}, line {line}: in the place of gold answers stands an object of the fields: "
                f'{fields}. Write the answers alone, as in ["w Indiach", "Indie"].',
                lines=[line],
            ) from error
        filled = tuple(text for text in texts if text.strip())
        if len(filled) < len(texts) and filled:
            self._empty.add(line)
        self._filled += bool(filled)
        if found.commas_missing:
            self._numpy.add(line)
        if found.truths:
            self._truths.add(line)
        return filled

    def line_texts(self, line: int, cells: list[str]) -> tuple[str, ...]:
        """The golds of one line of an `expected.tsv`: each cell one, as it stands, but for printed lists.

        :raises Refused: an object that holds golds in no known way
        """
        return self.texts(line, cells)

    def add_truths(self, truths: Places) -> None:
        """Takes what a workbook or parquet has turned into words already."""
        self._truths.add_all(truths)

    def problems(self) -> list[Problem]:
        """What was odd, once all is read.

        :raises Refused: single texts hold signs that may part several golds: the two readings give different scores
        """
        if self._bars.count or self._semicolons.count * _SELDOM > self._filled:
            raise self._joined()
        return [
            *about_truths(self._truths, GOLDS),
            *self._numpy.reported(
                "note",
                "numpy-lists",
                "Listy złotych odpowiedzi bez przecinków, jak pisze je NumPy (pandas): {count}. Każdy tekst w "
                "cudzysłowie odczytano jako osobną odpowiedź.",
                "Lists of gold answers without commas, as NumPy (pandas) prints them: {count}. Each text in quotes was "
                "read as an answer of its own.",
            ),
            *self._printed.reported(
                "note",
                "printed-golds",
                "Złote odpowiedzi zapisane jak lista lub obiekt w tekście: {count}. Odczytano to, co w nich jest.",
                "Gold answers written as a list or an object in a text: {count}. What is inside was read.",
            ),
            *self._empty.reported(
                "note",
                "empty-golds",
                "Puste złote odpowiedzi obok innych pominięto, pytań: {count}.",
                "Empty gold answers beside others were left out, questions: {count}.",
            ),
            *self._about_single(),
        ]

    def _one_text(self, line: int, cell: str) -> AnswerTexts:
        found = printed_texts(cell)
        if found is not None:
            return found
        if not cell.strip():
            return AnswerTexts(())
        if _looks_broken(cell.strip()):
            raise self._bad(line, cell)
        self._single.add(line)
        if _BAR.search(cell):
            self._bars.add(line, cell)
        elif _SEMICOLON.search(cell):
            self._semicolons.add(line, cell)
        return AnswerTexts((cell,))

    def _unwrapped(self, line: int, found: AnswerTexts) -> tuple[str, ...]:
        """The texts, with the members of those that are printed lists themselves."""
        if not any(text.lstrip().startswith(_OPENING) for text in found.texts):
            return found.texts
        texts: list[str] = []
        printed = False
        for text in found.texts:
            inner = printed_texts(text)
            printed = printed or inner is not None
            texts += (text,) if inner is None else inner.texts
            if inner is not None and inner.commas_missing:
                self._numpy.add(line)
        if printed:
            self._printed.add(line)
        return tuple(texts)

    def _about_single(self) -> list[Problem]:
        if not self._single.count:
            return []
        where = Bilingual(f" w kolumnie {self.column}", f" of the column {self.column}") if self.column else None
        pl = f"Komórki{where.pl if where else ''}, które nie są listami, odczytano jako jedną złotą odpowiedź każda: "
        en = f"Cells{where.en if where else ''} that are no lists were read as one gold answer each: "
        pl += f"{self._single.count}. Kilka odpowiedzi zapisz jako listę: ['w Indiach', 'Indie']."
        en += f"{self._single.count}. Write several answers as a list: ['w Indiach', 'Indie']."
        if self._semicolons.count:
            pl += f" Średnik jest w {self._semicolons.count} z nich ({self._semicolons.shown})."
            en += f" A semicolon stands in {self._semicolons.count} of them ({self._semicolons.shown})."
        mixed = self._single.count < self._filled or self._semicolons.count
        return [self._single.problem("warning" if mixed else "note", "single-golds", pl, en)]

    def _joined(self) -> Refused:
        places = self._bars if self._bars.count else self._semicolons
        sign = "|" if self._bars.count else ";"
        return refuse(
            "joined-golds",
            f"Plik {self._file}: w komórkach złotych odpowiedzi stoi znak {sign}: {places.count} ({places.shown}). "
            "Nie wiadomo, czy rozdziela kilka odpowiedzi, czy należy do jednej, a wynik od tego zależy. Zapisz listy: "
            f"['a', 'b'] dla kilku odpowiedzi albo ['a{sign}b'] dla jednej.",
            f"File {self._file}: cells of gold answers hold the sign {sign}: {places.count} ({places.shown}). Whether "
            "it parts several answers or belongs to one cannot be told, and the score hangs on it. Write lists: "
            f"['a', 'b'] for several answers, or ['a{sign}b'] for one.",
            places.count,
            places.lines,
        )

    def _bad(self, line: int, cell: str) -> Refused:
        return refuse(
            "bad-answers",
            f"Plik {self._file}, wiersz {line}: kolumna złotych odpowiedzi ma zawierać listę, jak ['w Indiach', "
            f"'Indie'], a zawiera {cell[:40]!r}. Zapisz odpowiedzi jako listę, także jedną: ['Indie'].",
            f"File {self._file}, line {line}: the column of gold answers must hold a list such as ['w Indiach', "
            f"'Indie'] but holds {cell[:40]!r}. Write the answers as a list, a single one too: ['Indie'].",
            lines=[line],
        )


def _looks_broken(text: str) -> bool:
    """A list or an object that cannot be read, or of which an end is lost. Not so words in brackets: `[sic] tekst`."""
    if text.startswith(("['", '["', "array(")) or _QUOTED_TEXTS.search(text):
        return True
    for opening, closing in ("[]", "{}"):
        if text.startswith(opening) and (text.endswith(closing) or closing not in text):
            return True
        if text.endswith(closing) and opening not in text:
            return True
    return False
