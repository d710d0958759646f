"""What a file is, judged by its content; its name is a hint, never the judge."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from polqa_demo.data.columns import COLUMNS as KNOWN_COLUMNS
from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.data.polqa import COLUMNS as POLQA_COLUMNS
from polqa_demo.recognised import Recognised
from polqa_demo.submissions.containers import Content, Source, open_source
from polqa_demo.submissions.delimited import Layout, whole_lines
from polqa_demo.submissions.encodings import TextFile, open_text
from polqa_demo.submissions.findings import Findings, Row
from polqa_demo.submissions.json_forms import (
    about_sequence,
    array_items,
    array_under,
    is_sequence,
    json_object,
    json_text,
    keyed_items,
    not_json,
    object_lines,
    object_sequence,
    python_object,
)
from polqa_demo.submissions.json_tables import about_table, may_be_table, table_rows
from polqa_demo.submissions.kept_tables import kept_table
from polqa_demo.submissions.markdown import is_markdown, markdown_rows
from polqa_demo.submissions.parquet import parquet_cells, parquet_columns, parquet_rows
from polqa_demo.submissions.preamble import about_lines, find_preamble, has_two_columns, rows_above
from polqa_demo.submissions.problems import Places, Refused, refuse
from polqa_demo.submissions.squad import article_questions, is_article
from polqa_demo.submissions.table import (
    ANSWER_NAMES,
    DELIMITERS,
    GOLDS_COLUMNS,
    ID_NAMES,
    KEY,
    LIST_NAMES,
    QUESTION_NAMES,
    VALUE,
    Overrides,
    Table,
    about_quoted,
    cells_of,
    form_of,
    has_field,
    is_header,
    is_quoted,
)
from polqa_demo.submissions.wide_columns import wide_columns
from polqa_demo.submissions.workbook import Workbook

JSON_FORMS = ("jsonl", "json")
# Forms of rankings; to the reading they are lines.
LINE_FORMS = ("lines", "wide", "long", "trec")
# Forms of rankings that say what a number means, in JSON as well.
NUMBER_FORMS = ("long", "ranks", "distances", "wide")
_COLUMNS = frozenset(names_of(*(set(KNOWN_COLUMNS) - {"title", "passage"}))) | frozenset(POLQA_COLUMNS) - {
    "passage_title",
    "passage_text",
}
# Names of fields; an object that has one of them is a row, not a map of question ids.
_FIELDS = (*ID_NAMES, *ANSWER_NAMES, *QUESTION_NAMES, *LIST_NAMES, *GOLDS_COLUMNS)
# The keys of an object that are looked at for the name of an id.
_FIRST_KEYS = 50
# Signs that part no table, but a header of known columns.
_BARS = ("||", "|")
# The rows of a sheet among which its header is looked for.
_FIRST_ROWS = 12


def read_table(content: Content, name: str, overrides: Overrides | None = None) -> Table:
    """A file as a table. A first line of two or more cells with a name of an id column among them is a header.

    :raises UserError: empty, binary, broken, in no known encoding, beyond a limit; says what was found and what to do
    """
    return kept_table(content, name, overrides or Overrides(), _recognised)


def _recognised(content: Content, name: str, wanted: Overrides) -> Table:
    source = open_source(content, name)
    if source.kind == "xlsx":
        return _from_sheet(source, wanted)
    if source.kind == "parquet":
        return _from_parquet(source, wanted)
    text = open_text(source, wanted.encoding)
    first, second = _first_lines(text)
    if wanted.form in (*JSON_FORMS, *NUMBER_FORMS) or not (wanted.form or wanted.separator):
        table = _from_json(text, first, second, wanted)
        if table:
            return table
    if text.longest > source.limits.max_line_chars:
        raise _too_long(source)
    if wanted.form is None and wanted.separator is None and wanted.header is not False and is_markdown(first, second):
        return _from_markdown(text, wanted)
    return _from_lines(text, wanted)


def _first_lines(text: TextFile) -> tuple[str, str]:
    """The first two lines that are not blank, cut off at the limit."""
    limit = text.source.limits.max_line_chars
    found: list[str] = []
    with text.open() as lines:
        while len(found) < 2 and (line := lines.readline(limit)):
            if line.strip().strip("\ufeff"):
                found.append(line)
            rest = line
            while len(rest) == limit and not rest.endswith(text.newline):
                rest = lines.readline(limit)
    return found[0], (found[1] if len(found) > 1 else "")


def _too_long(source: Source) -> Refused:
    limit = source.limits.max_line_chars
    return refuse(
        "too-long",
        f"Plik {source.name} ma wiersz dłuższy niż {limit} znaków. Sprawdź końce wierszy, zostaw tylko potrzebne pola "
        "albo podnieś POLQA_MAX_LINE_CHARS.",
        f"The file {source.name} has a line of more than {limit} characters. Check the line ends, keep only the fields "
        "that are needed, or raise POLQA_MAX_LINE_CHARS.",
    )


def _from_lines(text: TextFile, wanted: Overrides) -> Table:
    """Lines, or rows of cells where the first line is a header (or a separator is named)."""
    source = text.source
    plain = wanted.form in ("lines", "wide", "trec")
    preamble = find_preamble(text, False if plain else wanted.header)
    text = replace(text, above=0 if wanted.form == "lines" else preamble.lines)

    def lines(_findings: Findings) -> Iterator[Row]:
        with text.open() as opened:
            yield from (row for row in whole_lines(opened) if row[0] > text.above)

    table = Table(
        source.name,
        Recognised("lines", text.label, wrapped=source.wrapped),
        source.limits,
        before=(*text.problems, *(preamble.problems if text.above else ())),
        text=text,
        overrides=wanted,
        read_rows=lines,
    )
    separator = wanted.separator or DELIMITERS.get(wanted.form or "", "") or preamble.separator
    if wanted.header is False or plain:
        return table.parted(separator) if separator and wanted.form not in LINE_FORMS else table
    first = _first_row(table)
    for choice in [separator] if separator else list(DELIMITERS.values()):
        if choice not in first:
            continue
        quoted = choice == "\t" and is_quoted(text, wanted)
        names = _header_names(text, Layout(choice, quoted=quoted))
        if is_header(names) or (wanted.header and (len(names) > 1 or separator)):
            return _with_header(table, text, names, Layout(choice, len(names), quoted=quoted))
    bar = next((bar for bar in _BARS if bar in first and not separator), "")
    if bar and has_two_columns(names := _header_names(text, Layout(bar))):
        return _with_header(table, text, names, Layout(bar, len(names)))
    return table.parted(separator) if separator else table


def _first_row(table: Table) -> str:
    return next((cells[0] for _, cells in table.rows() if cells[0].strip().strip("\ufeff")), "")


def _from_markdown(text: TextFile, wanted: Overrides) -> Table:
    source = text.source
    names = tuple(plain_name(cell) for cell in next(markdown_rows(text))[1])
    recognised = Recognised("markdown", text.label, "|", names, source.wrapped)

    def rows(_findings: Findings) -> Iterator[Row]:
        return _after_header(markdown_rows(text))

    return Table(source.name, recognised, source.limits, text.problems, text, overrides=wanted, read_rows=rows)


def _header_names(text: TextFile, layout: Layout) -> tuple[str, ...]:
    """The plain names of the first row that is not blank; one that goes on over lines is one row as well."""
    for _, cells in cells_of(text, layout, Places()):
        if any(cell.strip().strip("\ufeff") for cell in cells):
            return tuple(plain_name(cell) for cell in cells)
    return ()


def _with_header(table: Table, text: TextFile, names: tuple[str, ...], layout: Layout) -> Table:
    id_at = next((names.index(name) for name in ID_NAMES if name in names), 0)
    separator = layout.separator
    recognised = replace(table.recognised, form=form_of(separator), separator=separator, header=names)
    before = (*table.before, *about_quoted(layout.quoted, table.overrides))

    def rows(findings: Findings) -> Iterator[Row]:
        found = _after_header(cells_of(text, replace(layout, id_at=id_at), findings.unclosed))
        # Between bars, blanks are for the eye.
        return ((line, [cell.strip() for cell in cells]) for line, cells in found) if separator == "|" else found

    return replace(table, recognised=recognised, before=before, quoted=layout.quoted, read_rows=rows)


def _after_header(rows: Iterator[Row]) -> Iterator[Row]:
    """The rows after the first one that is not blank."""
    for _, cells in rows:
        if any(cell.strip().strip("\ufeff") for cell in cells):
            break
    return rows


def _from_sheet(source: Source, wanted: Overrides) -> Table:
    book = Workbook(source)
    sheet, problems = book.first_sheet()
    filled = (row for row in book.rows(sheet, Findings()) if any(cell.strip() for cell in row[1]))
    head = list(islice(filled, _FIRST_ROWS))
    above = 0 if wanted.header is False else rows_above([cells for _, cells in head])
    start = head[above][0] if above else 1
    if above:
        title = next(cell for cell in head[0][1] if cell.strip())
        problems = (*problems, about_lines(range(1, start), title))
    names = tuple(plain_name(cell) for cell in head[above][1])
    has_header = is_header(names) if wanted.header is None else wanted.header

    def rows(findings: Findings) -> Iterator[Row]:
        found = (row for row in book.rows(sheet, findings) if row[0] >= start)
        return _after_header(found) if has_header else found

    recognised = Recognised("xlsx", separator="xlsx", header=names if has_header else (), wrapped=source.wrapped)
    return Table(source.name, recognised, source.limits, problems, overrides=wanted, read_rows=rows)


def _from_parquet(source: Source, wanted: Overrides) -> Table:
    every, nested = parquet_columns(source)
    known = _COLUMNS | {plain_name(wanted.answer_column or "")}
    places = wide_columns([plain_name(name) for name in every])
    wide = {every[place] for place in (*places.passages, *places.numbers)} if places else set()
    columns = [name for name in every if plain_name(name) in known or name in wide] or list(every[:_FIRST_KEYS])
    names = tuple(plain_name(name) for name in columns)
    recognised = Recognised("parquet", separator="parquet", header=names, wrapped=source.wrapped)

    def rows(findings: Findings) -> Iterator[Row]:
        return parquet_cells(parquet_rows(source, columns), findings)

    def objects(_findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((number, dict(zip(columns, row, strict=True))) for number, row in parquet_rows(source, columns))

    if nested:
        recognised = replace(recognised, separator="", header=())
        return Table(source.name, recognised, source.limits, overrides=wanted, read_objects=objects)
    return Table(source.name, recognised, source.limits, overrides=wanted, read_rows=rows)


def _from_json(text: TextFile, first: str, second: str, wanted: Overrides) -> Table | None:
    """A table of objects; None when the text is no JSON (an answer may begin with a bracket)."""
    start = first.lstrip("\ufeff \t\r\n")[:1]
    if start == "[":
        return _from_array(text, first, second, wanted)
    if start != "{" and wanted.form not in JSON_FORMS:
        return None
    whole, next_one = (_object(line) for line in (first, second))
    if whole is not None and not second and table_rows(whole) is not None:
        return _from_keyed(text, wanted)
    if whole is not None and not second and not has_field(whole, _FIELDS):
        return _from_keyed(text, wanted)
    if whole is not None or next_one is not None or start != "{":
        if text.longest > text.source.limits.max_line_chars:
            raise _too_long(text.source)
        return _json_table(text, "jsonl", wanted, read_objects=lambda findings: _lines_of_objects(text, findings))
    return _from_keyed(text, wanted)


def _object(line: str) -> dict[str, Any] | None:
    found = json_object(line)
    return python_object(line) if found is None else found


def _lines_of_objects(text: TextFile, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    with text.open() as lines:
        yield from object_lines(lines, text.source.name, findings)


def _json_table(text: TextFile, form: str, wanted: Overrides, **named: Any) -> Table:
    source = text.source
    recognised = Recognised(form, text.label, wrapped=source.wrapped)
    return Table(source.name, recognised, source.limits, text.problems, text, overrides=wanted, **named)


def _from_keyed(text: TextFile, wanted: Overrides) -> Table:
    """One object over the whole file: of question ids, of data and what is said about them, or a single row."""
    wrapped = _wrapped(text, wanted)
    if wrapped:
        return wrapped
    try:
        keys = [key for _, (key, _) in islice(keyed_items(text, Findings()), _FIRST_KEYS)]
    except Refused as refused:
        if refused.problems[0].code == "not-json" and is_sequence(text):
            table = _json_table(text, "json", wanted, read_objects=lambda findings: object_sequence(text, findings))
            return replace(table, before=(*table.before, about_sequence()))
        # Nothing could be read: whatever stands there, its first line is no object.
        if refused.problems[0].code == "not-json" and refused.problems[0].lines == (1,):
            bad = Places()
            bad.add(1)
            raise not_json(text.source.name, bad) from refused
        raise
    rows = _table_in(text) if may_be_table(keys) else None
    if rows is not None:
        table = _json_table(text, "json", wanted, read_objects=lambda _: iter(enumerate(rows, 1)))
        return replace(table, before=(*table.before, about_table()))
    if any(plain_name(key) in _FIELDS for key in keys):
        return _json_table(text, "json", wanted, read_objects=lambda _: iter([(1, _single(text))]))

    def objects(findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((number, {KEY: key, VALUE: value}) for number, (key, value) in keyed_items(text, findings))

    return _json_table(text, "json", wanted, keyed=True, read_objects=objects)


def _wrapped(text: TextFile, wanted: Overrides) -> Table | None:
    """Rows or SQuAD's articles under the key `data`; None where there are none."""
    try:
        first = next(array_under(text, "data"), (0, None))[1]
    except Refused:
        return None
    if is_article(first):
        return _json_table(text, "SQuAD", wanted, read_objects=lambda _: article_questions(array_under(text, "data")))
    if isinstance(first, dict) and has_field(first, _FIELDS):
        return _json_table(text, "json", wanted, read_objects=lambda _: _only_objects(text, array_under(text, "data")))
    return None


def _single(text: TextFile) -> dict[str, Any]:
    """One row over the whole file, with no more fields than a row may have columns."""
    return dict(item for _, item in islice(keyed_items(text, Findings()), text.source.limits.max_columns))


def _table_in(text: TextFile) -> list[dict[str, Any]] | None:
    """The rows of a table that one object holds; None where it holds none, or a column is beyond all limits."""
    try:
        return table_rows(_single(text))
    except Refused:
        return None


def _from_array(text: TextFile, first: str, second: str, wanted: Overrides) -> Table | None:
    """An array of objects, of answers, or of lists; None when the text is no array."""
    if second and first.rstrip().endswith("]"):
        return None
    try:
        start = [item for _, item in islice(array_items(text, Findings()), 1)]
    except Refused as refused:
        if refused.problems[0].code == "not-json" and wanted.form != "json":
            return None
        raise
    if start and is_article(start[0]):
        return _json_table(
            text, "SQuAD", wanted, read_objects=lambda findings: article_questions(array_items(text, findings))
        )
    if not start or isinstance(start[0], dict):
        return _json_table(text, "json", wanted, read_objects=lambda findings: _objects_of(text, findings))

    def rows(findings: Findings) -> Iterator[Row]:
        for number, item in array_items(text, findings):
            cells = item if isinstance(item, list) else [item]
            yield (
                number,
                [
                    findings.add_truth(place, number, cell) if isinstance(cell, bool) else json_text(cell)
                    for place, cell in enumerate(cells)
                ],
            )

    return _json_table(text, "json", wanted, read_rows=rows)


def _objects_of(text: TextFile, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    return _only_objects(text, array_items(text, findings))


def _only_objects(text: TextFile, items: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, item in items:
        if not isinstance(item, dict):
            raise refuse(
                "not-objects",
                f"Plik {text.source.name} to tablica JSON, ale jej element {number} nie jest obiektem.",
                f"The file {text.source.name} is a JSON array, but its item {number} is no object.",
                lines=[number],
            )
        yield number, item
