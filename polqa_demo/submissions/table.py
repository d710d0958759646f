"""A file as rows or as objects, and the names under which its columns are known.

A table is read anew from its file whenever its rows are asked for, so that no file is ever held in memory.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal

from polqa_demo.errors import Lang
from polqa_demo.settings import Settings
from polqa_demo.submissions.delimited import Layout, Row, quoted_rows, tab_rows
from polqa_demo.submissions.encodings import TextFile
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.problems import Places, Problem, refuse

DELIMITERS: dict[str, str] = {"tsv": "\t", "csv": ",", "semicolon": ";"}
# How many rows a form is judged by; a file does not change its form further down.
SAMPLE = 1000

# Names under which the columns are known; compared in lower case with hyphens as underscores.
ID_NAMES = ("question_id", "qid", "id", "id_pytania", "query_id")
# What a system said goes before `answer`, which may as well be the gold.
PREDICTED_NAMES = ("prediction", "predicted_answer", "pred", "predykcja")
ANSWER_NAMES = (*PREDICTED_NAMES, "answer", "odpowiedz", "odpowiedź")
PASSAGE_NAMES = ("passage_id", "pid", "docid", "doc_id", "id_fragmentu", "corpus_id")
QUESTION_NAMES = ("question", "pytanie", "text", "query")
LIST_NAMES = ("passage_ids", "passages", "ctxs", "hits", "contexts", "ranking")
SCORE_NAMES = ("score", "wynik", "sim", "similarity")
RANK_NAMES = ("rank", "pozycja", "position")
GOLDS_COLUMNS = ("answers", "golds", "odpowiedzi")
# What is said beside the names that `--form` knows, which stay as they are typed.
_POLISH_FORMS = {
    "lines": "wiersze (lines)",
    "separated": "kolumny",
    "wide": "lista w wierszu (wide)",
    "long": "para w wierszu (long)",
}
# The fields of an object's members, where one object is keyed by question ids.
KEY, VALUE = "question_id", "value"


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a person knows better than the file shows; None leaves it to the content.

    `form` is lines, csv, tsv, semicolon, jsonl or json; for rankings wide, long or trec as well.
    """

    encoding: str | None = None
    form: str | None = None
    separator: str | None = None
    header: bool | None = None
    kind: Literal["answers", "rankings"] | None = None


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a file was taken for; `wrapped` names what it was packed in."""

    form: str
    encoding: str = ""
    separator: str = ""
    header: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()

    def say(self, lang: Lang = "en") -> str:
        """`gzip, csv, UTF-8, header`; in Polish `gzip, csv, UTF-8, nagłówek`."""
        named = {"pl": ("nagłówek", "bez nagłówka"), "en": ("header", "no header")}[lang]
        parts = [*self.wrapped, self.form if lang == "en" else _in_polish(self.form), self.encoding]
        if self.separator or self.header:
            parts.append(named[0] if self.header else named[1])
        return ", ".join(part for part in parts if part)

    def json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        found = {"form": self.form, "encoding": self.encoding, "separator": self.separator}
        lists = {"header": list(self.header), "packed_in": list(self.wrapped)}
        return {name: value for name, value in (found | lists).items() if value}


def _in_polish(form: str) -> str:
    """A form's name, such as `long (csv)`, in Polish where it has one."""
    return re.sub(r"[a-z]+", lambda word: _POLISH_FORMS.get(word[0], word[0]), form)


@dataclass(frozen=True)
class Table:
    """A file as rows or as objects.

    `header` is empty when the file has none. `problems` are what was odd before the first row; what is odd about rows
    shows when they are read, in the places that are given: CSV rows whose quote is never closed, JSON lines as Python
    writes them. `keyed` is one object whose keys are question ids; its objects hold KEY and VALUE.
    """

    name: str
    recognised: Recognised
    limits: Settings
    problems: tuple[Problem, ...] = ()
    text: TextFile | None = None
    keyed: bool = False
    overrides: Overrides = field(default_factory=Overrides)
    read_rows: Callable[[Places], Iterator[Row]] | None = None
    read_objects: Callable[[Places], Iterator[tuple[int, dict[str, Any]]]] | None = None

    @property
    def form(self) -> str:
        """The form that was recognised."""
        return self.recognised.form

    @property
    def header(self) -> tuple[str, ...]:
        """The plain names of the columns."""
        return self.recognised.header

    def rows(self, unclosed: Places | None = None) -> Iterator[Row]:
        """`(line number, cells)` of each row after the header, blank ones too; a line without cells is one cell."""
        return self.read_rows(Places() if unclosed is None else unclosed) if self.read_rows else iter(())

    def objects(self, python: Places | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
        """`(line number, object)`; in an array the number of the item."""
        return self.read_objects(Places() if python is None else python) if self.read_objects else iter(())

    def sample(self) -> list[Row]:
        """The first rows that are not blank."""
        filled = (row for row in self.rows() if any(cell.strip() for cell in row[1]))
        return list(islice(filled, SAMPLE))

    def parted(self, separator: str, width: int = 0) -> "Table":
        """Lines as cells; what has cells already stays as it is."""
        text = self.text
        if self.form != "lines" or text is None:
            return self
        recognised = replace(self.recognised, form=form_of(separator), separator=separator)
        return replace(
            self, recognised=recognised, read_rows=lambda unclosed: cells_of(text, Layout(separator, width), unclosed)
        )

    def column(self, names: Sequence[str]) -> int | None:
        """The position of the first column that bears one of the names."""
        return next((self.header.index(name) for name in names if name in self.header), None)

    def only(self, names: Sequence[str]) -> int | None:
        """As `column`.

        :raises Refused: two columns bear that one name, and their order would decide
        """
        place = self.column(names)
        if place is None or self.header.count(self.header[place]) == 1:
            return place
        column = self.header[place]
        raise refuse(
            "repeated-column",
            f"Plik {self.name}: kilka kolumn nazywa się {column}. Zostaw jedną albo zmień nazwy pozostałych.",
            f"File {self.name}: several columns are called {column}. Keep one, or rename the others.",
            self.header.count(column),
        )


def form_of(separator: str) -> str:
    """The name of a form by its separator."""
    return next((form for form, sign in DELIMITERS.items() if sign == separator), "separated")


def cells_of(text: TextFile, layout: Layout, unclosed: Places) -> Iterator[Row]:
    """The lines of a text parted by a separator; tabs are never quoted, so that a lone quote glues no rows together."""
    name, limits = text.source.name, text.source.limits
    with text.open() as lines:
        if layout.separator == "\t":
            yield from tab_rows(lines, name, limits)
        else:
            yield from quoted_rows(lines, name, limits, layout, unclosed)


def plain_name(column: str) -> str:
    """A column's name as it is compared: trimmed, lower case, hyphens and blanks as underscores."""
    return re.sub(r"[\s-]+", "_", column.strip().strip("\ufeff").lower())


def object_field(row: dict[str, Any], names: Sequence[str]) -> object:
    """The value of the first field that bears one of the names; None when there is none."""
    plain = {plain_name(key): value for key, value in row.items()}
    return next((plain[name] for name in names if name in plain), None)


def has_field(row: dict[str, Any], names: Sequence[str]) -> bool:
    """One of the names is a field of the row, whatever its value."""
    return any(plain_name(key) in names for key in row)


def object_id(row: dict[str, Any]) -> str:
    """The question id of a JSON row, as text; empty when there is none."""
    return json_id(object_field(row, ID_NAMES))
