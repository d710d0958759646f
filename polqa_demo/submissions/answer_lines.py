"""Rows without a header -> answers by question: ids first or last, questions first or between, further cells behind.

Columns have numbers here, from 1: `2` is the second cell, `2-` are all cells from the second on, put together again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.submissions.answer_columns import column_said
from polqa_demo.submissions.answer_source import Met, Source, no_such_column
from polqa_demo.submissions.coverage import as_floats
from polqa_demo.submissions.golds import NEARLY_ALL
from polqa_demo.submissions.line_ids import LineIds, find_ids
from polqa_demo.submissions.question_texts import Pair, QuestionTexts, about_join
from polqa_demo.submissions.table import DELIMITERS, Table

# Columns beyond this are no further proposals.
_MOST = 6
# Rows that make a table: fewer may have as many separators by chance.
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class _Rows:
    """A table of cells, the first rows of it, and what parts the cells; cells that were never parted are `typed`."""

    table: Table
    sample: Sequence[Sequence[str]]
    separator: str
    typed: bool = False
    loose: bool = False

    @property
    def width(self) -> int:
        """How many cells every row has; 0 where rows differ or are few."""
        widths = {len(row) for row in self.sample if len(row) > 1}
        return widths.pop() if len(widths) == 1 and len(self.sample) >= _FEWEST else 0

    def text(self, cells: Sequence[str], column: str) -> str:
        """The text of a column."""
        at = int(column.removesuffix("-")) - 1
        if column.endswith("-") and not self.typed:
            found = self.separator.join(cells[at:])
        else:
            found = cells[at] if at < len(cells) else ""
        return found.strip() if self.loose else found


def line_source(table: Table, known: set[str], texts: QuestionTexts) -> Source | None:
    """How rows without a header name their questions; None for one answer a line."""
    found = find_ids(table, known)
    if found is not None:
        return _behind_ids(table, found, texts)
    return _behind_questions(table, texts) or _before_ids(table, known)


def _behind_ids(table: Table, found: LineIds, texts: QuestionTexts) -> Source:
    table = table if found.note is None else replace(table, before=(*table.before, found.note))
    rows = _rows_of(table, found.separator, loose=found.loose)
    question = _question_place(rows, texts)
    columns, notes = _columns(rows, found, question)

    def pairs(column: str, met: Met) -> Iterator[Pair]:
        for line, cells in rows.table.rows():
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) < 2:
                met.lacking.add(line)
            yield line, id_text(cells[0]), rows.text(cells, column), None

    if question == _UNPARTED:
        return replace(_behind_unparted(rows, texts), notes=tuple(notes))
    return Source(rows.table, columns, pairs, named=False, notes=tuple(notes), place=_place)


_UNPARTED = -1


def _question_place(rows: _Rows, texts: QuestionTexts) -> int:
    """The place of the column, from 0, that holds the question; 0 for none, _UNPARTED where its commas part it."""
    full = [row for row in rows.sample if len(row) > 2]
    if 2 * len(full) < len(rows.sample):
        return 0
    enough = NEARLY_ALL * len(full)
    for place in range(1, min(rows.width, _MOST)) if texts.known else ():
        asked = [row[place] for row in full]
        if sum(_asks(texts, row[0], cell) for row, cell in zip(full, asked, strict=True)) >= enough:
            return place
    if texts.known and not rows.typed:
        unparted = sum(_behind_question(row, rows.separator, texts) is not None for row in full)
        if unparted >= enough:
            return _UNPARTED
    # A second column of questions is no answer, whoever's questions they are.
    marked, last = (sum(row[place].rstrip().endswith("?") for row in full) for place in (1, -1))
    return 1 if rows.width and marked >= enough > last else 0


def _asks(texts: QuestionTexts, key: str, cell: str) -> bool:
    return id_text(key).removesuffix(".0") in texts.ids(cell)


def _behind_question(cells: Sequence[str], separator: str, texts: QuestionTexts) -> str | None:
    """What stands behind a question that separators part; None where the cells do not begin with it."""
    key = id_text(cells[0]).removesuffix(".0")
    for end in range(2, min(len(cells), 2 * _MOST)):
        if key in texts.ids(separator.join(cells[1:end])):
            return separator.join(cells[end:])
    return None


def _behind_unparted(rows: _Rows, texts: QuestionTexts) -> Source:
    def pairs(_column: str, met: Met) -> Iterator[Pair]:
        for line, cells in rows.table.rows():
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) < 2:
                met.lacking.add(line)
            found = _behind_question(cells, rows.separator, texts)
            yield line, id_text(cells[0]), rows.text(cells, "2-") if found is None else found, None

    return Source(rows.table, ("2-",), pairs, named=False)


def _columns(rows: _Rows, found: LineIds, question: int) -> tuple[tuple[str, ...], list[Problem]]:
    """The columns that may hold the answers, the first to be read where nothing tells."""
    wanted = _wanted(rows)
    if wanted:
        return (wanted,), []
    if question == _UNPARTED:
        return ("2-",), [_about_question(2, Bilingual("dalsza część wiersza", "the rest of the row"))]
    if found.scored:
        return ("2",), []
    first = f"{question + 2 if question else 2}{'' if rows.typed else '-'}"
    notes = [_about_question(question + 1, column_said("2" if question > 1 else first))] if question else []
    places = [place for place in range(1, min(rows.width, _MOST)) if place != question]
    if question and question > 1:
        # The answer stands before its question.
        return ("2",), notes
    if len(places) < 2:
        return ((str(places[0] + 1) if places else first,), notes)
    return (tuple(dict.fromkeys((first, *(str(place + 1) for place in places)))), notes)


def _behind_questions(table: Table, texts: QuestionTexts) -> Source | None:
    """Questions in the place of ids."""
    if not texts.known:
        return None
    for separator in [""] if table.form != "lines" else DELIMITERS.values():
        rows = _rows_of(table, separator or table.recognised.separator)
        ends = [_question_end(row, rows.separator, texts) for row in rows.sample]
        answered = sum(end < len(row) for end, row in zip(ends, rows.sample, strict=True))
        if sum(end > 0 for end in ends) >= NEARLY_ALL * len(ends) and 2 * answered > len(ends):
            return _joined(rows, texts)
    return None


def _question_end(cells: Sequence[str], separator: str, texts: QuestionTexts) -> int:
    """How many cells the question fills at the beginning of a row; 0 where there is none."""
    return next(
        (end for end in range(1, min(len(cells), _MOST) + 1) if texts.ids(separator.join(cells[:end]))),
        0,
    )


def _joined(rows: _Rows, texts: QuestionTexts) -> Source:
    wanted = _wanted(rows)

    def found() -> Iterator[Pair]:
        for line, cells in rows.table.rows():
            if not any(cell.strip() for cell in cells):
                continue
            end = _question_end(cells, rows.separator, texts) or 1
            answer = rows.text(cells, wanted or f"{end + 1}-")
            yield line, rows.separator.join(cells[:end]), answer, None

    def pairs(_column: str, met: Met) -> Iterator[Pair]:
        return texts.join(found(), met.joined)

    return Source(rows.table, ("2-",), pairs, named=False, notes=(about_join("1", (), "--form lines"),))


def _before_ids(table: Table, known: set[str]) -> Source | None:
    """An answer and its id behind it."""
    wide = as_floats(known)
    for separator in [""] if table.form != "lines" else DELIMITERS.values():
        rows = _rows_of(table, separator or table.recognised.separator)
        lasts = [id_text(row[-1]) for row in rows.sample if len(row) > 1]
        met = {key for key in lasts if key in wide}
        if len(rows.sample) < _FEWEST or len(met) < NEARLY_ALL * len(rows.sample):
            continue

        def pairs(_column: str, met: Met, rows: _Rows = rows) -> Iterator[Pair]:
            for line, cells in rows.table.rows():
                if any(cell.strip() for cell in cells):
                    if len(cells) < 2:
                        met.lacking.add(line)
                    answer = rows.text(cells, "1") if rows.typed else rows.separator.join(cells[:-1])
                    yield line, id_text(cells[-1]), answer, None

        return Source(rows.table, ("1",), pairs, named=False, notes=(_about_last_ids(),), place=_place)
    return None


def _rows_of(table: Table, separator: str, *, loose: bool = False) -> _Rows:
    typed = table.text is None or table.form == "json"
    parted = table.parted(separator, width=2)
    return _Rows(parted, [cells for _, cells in parted.sample()], separator, typed, loose)


def _wanted(rows: _Rows) -> str:
    """The column that somebody named; empty when nobody did.

    :raises Refused: no such column
    """
    wanted = (rows.table.overrides.answer_column or "").strip()
    widest = max((len(row) for row in rows.sample), default=0)
    if wanted and not (wanted.removesuffix("-").isdecimal() and 0 < int(wanted.removesuffix("-")) <= widest):
        raise no_such_column(rows.table.name, wanted, [str(place) for place in range(1, widest + 1)])
    return wanted


def _place(column: str) -> int:
    return -1 if column.endswith("-") else int(column) - 1


def _about_question(place: int, answer: Bilingual) -> Problem:
    where = by_option("--answer-column N")
    message = Bilingual(
        f"Kolumna {place} to treść pytania; odpowiedź: {answer.pl}. Jeśli to nie to, wskaż kolumnę {where.pl}.",
        f"Column {place} is the text of the question; the answer: {answer.en}. Where that is wrong, name the column "
        f"{where.en}.",
    )
    return Problem("note", "question-column", message)


def _about_last_ids() -> Problem:
    where = by_option("--form lines")
    message = Bilingual(
        f"Wiersze odczytano jako odpowiedź i identyfikator pytania za nią. Jeśli to nie to, wybierz wiersze "
        f"{where.pl}.",
        f"The lines were read as an answer with the question's id behind it. Where that is wrong, choose lines "
        f"{where.en}.",
    )
    return Problem("note", "ids-recognised", message)
