"""A file as rows or as objects, and the names under which its columns are known.

A table is read anew from its file whenever its rows are asked for, so that no file is ever held in memory.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.recognised import Recognised
from polqa_demo.settings import Settings
from polqa_demo.submissions.delimited import Layout, bar_rows, quoted_rows, quotes_part_cells, tab_rows
from polqa_demo.submissions.encodings import TextFile
from polqa_demo.submissions.findings import Findings, Row, noting_blank
from polqa_demo.submissions.json_forms import json_id
from polqa_demo.submissions.problems import Places, refuse
from polqa_demo.submissions.repeated_fields import SameNames
from polqa_demo.submissions.wide_columns import wide_columns

DELIMITERS: dict[str, str] = {"tsv": "\t", "csv": ",", "semicolon": ";"}
# Forms that answers never have, and those that say how a text is parted.
RANKING_FORMS = ("wide", "long", "ranks", "distances", "trec")
TEXT_FORMS = ("csv", "tsv", "semicolon", "jsonl", "json")
# How many rows a form is judged by; a file does not change its form further down.
SAMPLE = 1000

# The names of single columns, from the one table of them.
ID_NAMES = names_of("question_id")
PREDICTED_NAMES = names_of("prediction")
ANSWER_NAMES = names_of("prediction", "answer")
PASSAGE_NAMES = names_of("passage_id")
QUESTION_NAMES = names_of("question")
LIST_NAMES = names_of("passages")
SCORE_NAMES = names_of("score", "model_score")
DISTANCE_NAMES = names_of("distance")
RANK_NAMES = names_of("rank")
PLACE_NAMES = names_of("rank", "short_rank")
LOOSE_SCORE_NAMES = names_of("loose_score")
LOOSE_RANK_NAMES = names_of("loose_rank")
GOLDS_COLUMNS = names_of("golds")
GRADE_NAMES = names_of("grade")
# pandas leaves the column of its index without a name, and names it so where it reads that again.
INDEX_NAMES = ("", "unnamed:_0")
# The fields of an object's members, where one object is keyed by question ids.
KEY, VALUE = "question_id", "value"


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a person knows better than the file shows; None leaves it to the content.

    `form` is lines, csv, tsv, semicolon, jsonl or json; for rankings wide, trec, long (third a score, the highest
    first), ranks (third a place from 1) or distances (third a distance, the smallest first) as well. `quotes` says
    whether tab-parted cells are quoted as CSV is; `answer_column` names the column or the field of the answers.
    """

    encoding: str | None = None
    form: str | None = None
    separator: str | None = None
    header: bool | None = None
    kind: Literal["answers", "rankings"] | None = None
    answer_column: str | None = None
    quotes: bool | None = None

    @property
    def of_answers(self) -> "Overrides":
        """What of it concerns a file of answers."""
        return replace(self, form=None) if self.form in RANKING_FORMS else self

    @property
    def of_rankings(self) -> "Overrides":
        """What of it concerns a file of rankings."""
        return replace(self, answer_column=None)

    @property
    def policies(self) -> dict[str, str]:
        """What was overruled, in the words of a signature; what of it a file was read by, its table knows."""
        named = {
            "encoding": self.encoding,
            "form": self.form,
            "separator": "tab" if self.separator == "\t" else self.separator,
            "header": self.header,
            "kind": self.kind,
            "answer-column": self.answer_column,
            "quotes": self.quotes,
        }
        words = {True: "yes", False: "no"}
        return {
            name: words[value] if isinstance(value, bool) else value
            for name, value in named.items()
            if value is not None
        }


@dataclass(frozen=True)
class Table:
    """A file as rows or as objects.

    `header` is empty when the file has none; `before` is what was odd before the first row. `keyed` is one object whose
    keys are question ids; its objects hold KEY and VALUE. `quoted` says that cells parted by tabs are quoted as CSV is.
    `id_names` are those of the question's id, the one to believe first first.
    """

    name: str
    recognised: Recognised
    limits: Settings
    before: tuple[Problem, ...] = ()
    text: TextFile | None = None
    keyed: bool = False
    overrides: Overrides = field(default_factory=Overrides)
    read_rows: Callable[[Findings], Iterator[Row]] | None = None
    read_objects: Callable[[Findings], Iterator[tuple[int, dict[str, Any]]]] | None = None
    quoted: bool = False
    id_names: tuple[str, ...] = ID_NAMES
    _last: list[Findings] = field(default_factory=list)

    @property
    def form(self) -> str:
        """The form that was recognised."""
        return self.recognised.form

    @property
    def header(self) -> tuple[str, ...]:
        """The plain names of the columns."""
        return self.recognised.header

    @property
    def findings(self) -> Findings:
        """What the last whole reading of rows or objects met."""
        return self._last[0] if self._last else Findings()

    @property
    def problems(self) -> list[Problem]:
        """What is odd about the file itself, also about the rows that were read to their end."""
        return [*self.before, *self.findings.problems()]

    @property
    def policies(self) -> dict[str, str]:
        """What was overruled and could matter for a file of this form, as it stands in a signature."""
        idle: set[str] = set()
        is_json = self.read_objects is not None or self.form in ("json", "jsonl")
        if self.text is None:
            idle |= {"encoding", "separator", "quotes"}
            idle |= {"form"} if self.overrides.form in TEXT_FORMS else set()
        if is_json or self.form == "parquet":
            idle |= {"separator", "header", "quotes"}
        if self.form == "lines" and self.overrides.header:
            idle.add("header")
        if self.form in ("csv", "semicolon", "markdown"):
            # Their cells are quoted whatever somebody says.
            idle.add("quotes")
        return {name: value for name, value in self.overrides.policies.items() if name not in idle}

    def rows(self) -> Iterator[Row]:
        """`(line number, cells)` of each row after the header, blank ones too; a line without cells is one cell."""
        if self.read_rows:
            findings = Findings()
            rows = self.read_rows(findings)
            # Without a header a blank line may be an empty answer in its place.
            yield from noting_blank(rows, findings.blank) if self.header else rows
            self._last[:] = [findings]

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """`(line number, object)`; in an array the number of the item.

        :raises Refused: an object has one field twice, with different values
        """
        if self.read_objects:
            findings, names = Findings(), SameNames(self.name)
            for line, row in self.read_objects(findings):
                inner = row.get(VALUE) if self.keyed else row
                if isinstance(inner, dict):
                    names.refuse_in(line, inner)
                yield line, row
            self._last[:] = [findings]

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
        quoted = separator == "\t" and is_quoted(text, self.overrides)
        return replace(
            self,
            recognised=recognised,
            before=(*self.before, *about_quoted(quoted, self.overrides)),
            quoted=quoted,
            read_rows=lambda findings: cells_of(text, Layout(separator, width, quoted=quoted), findings.unclosed),
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


def is_quoted(text: TextFile, overrides: Overrides) -> bool:
    """Whether cells parted by tabs are quoted as csv and pandas write them, or somebody says so."""
    if overrides.quotes is not None or not text.quotes:
        return bool(overrides.quotes)
    with text.open() as lines:
        return quotes_part_cells(lines, "\t")


def about_quoted(quoted: bool, overrides: Overrides) -> tuple[Problem, ...]:
    """A note that quotes were taken off, unless somebody said so."""
    if not quoted or overrides.quotes is not None:
        return ()
    where = by_option("--no-quotes")
    message = Bilingual(
        "Komórki rozdzielone tabulatorem odczytano jak w CSV: bez cudzysłowów, którymi są objęte. Jeśli cudzysłowy "
        f"należą do tekstu, wskaż to {where.pl}.",
        "Cells parted by tabs were read as those of CSV: without the quotes around them. Where the quotes belong to "
        f"the text, say so {where.en}.",
    )
    return (Problem("note", "quoted-cells", message),)


def cells_of(text: TextFile, layout: Layout, unclosed: Places) -> Iterator[Row]:
    """The lines of a text parted by a separator; a lone quote between tabs glues no rows together."""
    name, limits, above = text.source.name, text.source.limits, text.above
    with text.open() as lines:
        if layout.separator == "\t" and not layout.quoted:
            rows = tab_rows(lines, name, limits)
        elif len(layout.separator) > 1:
            rows = bar_rows(lines, name, limits, layout.separator)
        else:
            rows = quoted_rows(lines, name, limits, layout, unclosed)
        yield from (row for row in rows if row[0] > above) if above else rows


def is_header(names: Sequence[str]) -> bool:
    """Whether the plain names of a row's cells are those of columns: an id's, or two known ones of other columns."""
    if len(names) < 2:
        return False
    if names[0] in INDEX_NAMES and (
        any(name in names_of("prediction", "answer") for name in names[1:]) or _are_places(names[1:])
    ):
        return True
    known = [
        column
        for column in ("question", "golds", "prediction", "answer", "passage_id", "passages")
        if any(name in names for name in names_of(column))
    ]
    return any(known in names for known in ID_NAMES) or len(known) > 1


def _are_places(names: Sequence[str]) -> bool:
    """Columns that pandas numbers, or one for each place of a list."""
    return [*names] == [str(place) for place in range(len(names))] or wide_columns(names) is not None


def object_field(row: dict[str, Any], names: Sequence[str]) -> object:
    """The value of the first field that bears one of the names; None when there is none."""
    plain = {plain_name(key): value for key, value in row.items()}
    return next((plain[name] for name in names if name in plain), None)


def has_field(row: dict[str, Any], names: Sequence[str]) -> bool:
    """One of the names is a field of the row, whatever its value."""
    return any(plain_name(key) in names for key in row)


def object_id(row: dict[str, Any], names: Sequence[str] = ID_NAMES) -> str:
    """The question id of a JSON row, as text; empty when there is none."""
    return json_id(object_field(row, names))
