"""Uploaded bytes -> rows. What a file is, is judged by its content; its name is a hint and never the judge."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from polqa_demo.data.lines import id_text, load_json, split_lines
from polqa_demo.data.polqa import CELL_LIMIT
from polqa_demo.submissions.problems import Problem, Refused, refuse

Form = Literal["lines", "csv", "tsv", "semicolon", "jsonl", "json"]
DELIMITERS: dict[Form, str] = {"tsv": "\t", "csv": ",", "semicolon": ";"}

# Names under which the columns are known; compared in lower case with hyphens as underscores.
ID_NAMES = ("question_id", "qid", "id", "id_pytania", "query_id")
ANSWER_NAMES = ("answer", "prediction", "odpowiedz", "odpowiedź", "pred", "predicted_answer")
PASSAGE_NAMES = ("passage_id", "pid", "docid", "doc_id", "id_fragmentu", "corpus_id")
QUESTION_NAMES = ("question", "pytanie", "text", "query")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its line number in the file (from 1) and its cells, by position or by lower-cased column name."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A file as rows. `header` is empty when the file has none; `objects` stands in for rows in the JSON forms."""

    name: str
    form: Form
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    objects: tuple[tuple[int, dict[str, Any]], ...] = ()
    problems: tuple[Problem, ...] = ()

    def column(self, names: Sequence[str]) -> int | None:
        """The position of the first column that bears one of the names."""
        return next((self.header.index(name) for name in names if name in self.header), None)


def read_table(data: bytes, name: str) -> Table:
    """Bytes as rows. A first line of two or more cells with a name of an id column among them is a header.

    :raises Refused: empty, binary, compressed, not UTF-8, or broken JSON; says what was found and what to do
    """
    text = _decode(data, name)
    lines = split_lines(text)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise refuse(
            "empty-file",
            f"Plik {name} jest pusty. Wybierz plik z predykcjami.",
            f"The file {name} is empty. Choose a file of predictions.",
        )
    if first.lstrip()[0] == "{":
        return _json_lines(lines, name)
    if first.lstrip()[0] == "[":
        table = _json_array(text, name)
        if table:
            return table
    for form, delimiter in DELIMITERS.items():
        cells = [plain_name(cell) for cell in first.replace('"', "").split(delimiter)]
        if len(cells) > 1 and any(known in cells for known in ID_NAMES):
            return _delimited(text, name, form, delimiter)
    return Table(name, "lines", (), tuple(Row(number, (line,)) for number, line in enumerate(lines, 1)))


def plain_name(column: str) -> str:
    """A column's name as it is compared: trimmed, lower case, hyphens and blanks as underscores."""
    return re.sub(r"[\s-]+", "_", column.strip().lower())


def split_cells(table: Table, delimiter: str) -> tuple[Row, ...]:
    """The rows of a file without header, parted by a delimiter; tabs never stand in quotes.

    Each line is parted for itself, so that a lone quote glues no rows together.
    """
    csv.field_size_limit(CELL_LIMIT)
    found: list[Row] = []
    for row in table.rows:
        text = row.cells[0]
        if delimiter == "\t" or '"' not in text:
            found.append(Row(row.line, tuple(text.split(delimiter))))
            continue
        try:
            cells = next(csv.reader([text.replace("\r", " ")], delimiter=delimiter))
        except csv.Error as error:
            raise _broken_csv(table.name, row.line, error) from error
        found.append(Row(row.line, tuple(cells)))
    return tuple(found)


def object_field(row: dict[str, Any], names: Sequence[str]) -> object:
    """The value of the first field that bears one of the names; None when there is none."""
    plain = {plain_name(key): value for key, value in row.items()}
    return next((plain[name] for name in names if name in plain), None)


def has_field(row: dict[str, Any], names: Sequence[str]) -> bool:
    """One of the names is a field of the row, whatever its value."""
    return any(plain_name(key) in names for key in row)


def object_id(row: dict[str, Any]) -> str:
    """The question id of a JSON row, as text; empty when there is none."""
    return id_text(object_field(row, ID_NAMES))


def _decode(data: bytes, name: str) -> str:
    signs = ((b"\x1f\x8b", "gzip"), (b"PK\x03\x04", "ZIP/XLSX"), (b"PAR1", "Parquet"), (b"%PDF", "PDF"))
    for magic, what in signs:
        if data.startswith(magic):
            raise refuse(
                "not-text",
                f"Plik {name} to {what}, a nie plik tekstowy. Zapisz go jako CSV, TSV lub JSONL w UTF-8.",
                f"The file {name} is {what}, not a text file. Save it as CSV, TSV or JSONL in UTF-8.",
            )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise refuse(
            "utf-16",
            f"Plik {name} jest w UTF-16. Zapisz go jako UTF-8.",
            f"The file {name} is UTF-16. Save it as UTF-8.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise refuse(
            "not-utf8",
            f"Plik {name}, wiersz {line}: to nie jest tekst w UTF-8. Zapisz plik w kodowaniu UTF-8.",
            f"File {name}, line {line}: this is not UTF-8 text. Save the file as UTF-8.",
            lines=[line],
        ) from error
    # Control characters of binary formats; a stray NUL in a long text does no harm.
    if text.count("\x00") > max(1, len(text) // 50):
        raise refuse(
            "binary-file",
            f"Plik {name} jest binarny, a nie tekstowy. Zapisz predykcje jako CSV, TSV lub JSONL w UTF-8.",
            f"The file {name} is binary, not text. Save the predictions as CSV, TSV or JSONL in UTF-8.",
        )
    return text


def _delimited(text: str, name: str, form: Form, delimiter: str) -> Table:
    """A file with a header. TSV is never quoted, so that a lone quote glues no rows together."""
    csv.field_size_limit(CELL_LIMIT)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_NONE if form == "tsv" else csv.QUOTE_MINIMAL,
    )
    header: tuple[str, ...] = ()
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            # A row is named by the line where it begins; a quoted cell may go on over several.
            begun, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = tuple(plain_name(cell) for cell in cells)
            else:
                rows.append(Row(begun, tuple(cells)))
    except csv.Error as error:
        raise _broken_csv(name, reader.line_num, error) from error
    return Table(name, form, header, tuple(rows))


def _broken_csv(name: str, line: int, error: csv.Error) -> Refused:
    return refuse(
        "broken-csv",
        f"Plik {name}, wiersz {line}: zepsuty CSV ({error}).",
        f"File {name}, line {line}: broken CSV ({error}).",
        lines=[line],
    )


def _json_lines(lines: list[str], name: str) -> Table:
    objects: list[tuple[int, dict[str, Any]]] = []
    bad: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = load_json(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            objects.append((number, row))
        else:
            bad.append(number)
    if bad:
        whole = _json_object("\n".join(lines), name)
        if whole:
            return whole
        raise refuse(
            "not-json",
            f"Plik {name}: wiersze, które nie są obiektami JSON: {len(bad)} (pierwszy: {bad[0]}). "
            'W każdym wierszu ma stać jeden obiekt, jak {"question_id": 1, "answer": "tak"}.',
            f"File {name}: lines that are no JSON objects: {len(bad)} (first: {bad[0]}). "
            'Each line must hold one object such as {"question_id": 1, "answer": "tak"}.',
            len(bad),
            bad,
        )
    return Table(name, "jsonl", (), (), tuple(objects))


def _json_object(text: str, name: str) -> Table | None:
    """One JSON object over several lines; line numbers are unknown then."""
    try:
        value = load_json(text)
    except (ValueError, RecursionError):
        return None
    return Table(name, "json", (), (), ((1, value),)) if isinstance(value, dict) else None


def _json_array(text: str, name: str) -> Table | None:
    """A JSON array of objects; None when the text is no JSON (an answer may begin with a bracket)."""
    try:
        value = load_json(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise refuse(
            "not-objects",
            f"Plik {name} to tablica JSON, ale jej elementy nie są obiektami.",
            f"The file {name} is a JSON array, but its items are no objects.",
        )
    return Table(name, "json", (), (), tuple((number, item) for number, item in enumerate(value, 1)))
