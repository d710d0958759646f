"""One answer a line, in the order of the questions; what else the lines may be is told with what it would give."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from polqa_demo.data.columns import plain_name
from polqa_demo.data.lines import load_json
from polqa_demo.errors import Bilingual, Problem, by_option, counted
from polqa_demo.polish.words import plural
from polqa_demo.records import Question
from polqa_demo.submissions import answer_problems as tell
from polqa_demo.submissions.answer_columns import may_be_answers
from polqa_demo.submissions.answer_source import no_such_column
from polqa_demo.submissions.delimited import Layout
from polqa_demo.submissions.encodings import TextFile
from polqa_demo.submissions.findings import Findings, Row
from polqa_demo.submissions.golds import NEARLY_ALL, Golds
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.table import ANSWER_NAMES, DELIMITERS, Table, cells_of, is_quoted

# Fewer lines may begin with their number by chance.
_FEWEST_NUMBERED = 10
_FEWEST_ROWS = 3
# Cells of a row that are looked at.
_MOST_CELLS = 8
_NUMBERED = re.compile(r"\s*+\(?([0-9]{1,7})(?:[.):]\s*+|\s*+[-–—]\s+|\s+)")
_LINES = Layout(",", 1, quoted=True)
_JSON_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')


@dataclass(slots=True)
class Order:
    """The answer of each question with its line, the table that they were read from, and what is told."""

    table: Table
    answers: dict[str, tuple[int, str]]
    problems: list[Problem] = field(default_factory=list)


def in_order(table: Table, questions: Sequence[Question], golds: Golds) -> Order:
    """The answers of lines, or of rows without ids. Blank lines keep their place; surplus ones at the end go.

    :raises Refused: another number of lines than of questions
    """
    table = _unquoted(table)
    longest = table.limits.max_answer_chars
    rows: list[Row] = []
    total = filled = 0
    problems: list[Problem] = []
    for line, cells in table.rows():
        total += 1
        filled = total if any(cell.strip() for cell in cells) else filled
        if len(rows) <= len(questions):
            # One character more shows that an answer is too long.
            rows.append((line, [cell[: longest + 1] for cell in cells[:_MOST_CELLS]] or [""]))
    if len(questions) == total - 1 and plain_name(rows[0][1][0]) in ANSWER_NAMES:
        # A last line that is blank is the last answer, or the first line is an answer and the blank one a surplus.
        keys = [question.id for question in questions]
        below, above = (dict(zip(keys, (cells[0] for _, cells in part), strict=False)) for part in (rows[1:], rows))
        compared = golds.compared(below, above) if filled < total else None
        rows, filled, total = rows[1:], filled - 1, total - 1
        problems.append(tell.header_dropped(table.name, compared))
    if total > len(questions):
        surplus = total - max(filled, len(questions))
        total -= surplus
        if surplus:
            problems.append(tell.blank_dropped(surplus, total))
    if total != len(questions):
        first = rows[0][1][0] if rows else ""
        raise Refused([_wrong_length(table, first, total, len(questions)), *table.problems, *problems])
    lines = _Lines(table, [cells for _, cells in rows], [question.id for question in questions])
    taken, told = _taken(lines, golds)
    answers = {key: (line, taken[key]) for (line, _), key in zip(rows, lines.ids, strict=False)}
    return Order(table, answers, [*problems, *told])


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines, or rows of cells that were never parted, for the questions in their order."""

    table: Table
    rows: Sequence[Sequence[str]]
    ids: Sequence[str]

    @property
    def typed(self) -> bool:
        return self.table.form != "lines"

    @property
    def whole(self) -> dict[str, str]:
        """Each line as it stands; of a row its first cell."""
        return {key: row[0] for key, row in zip(self.ids, self.rows, strict=False)}

    def parted(self, separator: str) -> list[Sequence[str]]:
        """The cells of each line, quoted where the separator is one of CSV; of cells those that hold anything."""
        text = self.table.text
        if self.typed or text is None or (separator == "\t" and not is_quoted(text, self.table.overrides)):
            return self.parts()
        return [_cells(line[0], separator) for line in self.rows]

    def parts(self) -> list[Sequence[str]]:
        """The cells of each line between tabs."""
        return [row if self.typed else row[0].split("\t") for row in self.rows]

    def column(self, place: int) -> dict[str, str]:
        """One cell of each line, from 0; negative from the end."""
        return {
            key: part[place] if -len(part) <= place < len(part) else ""
            for key, part in zip(self.ids, self.parts(), strict=False)
        }

    @property
    def width(self) -> int:
        """How many cells every line has that is not blank; 0 where they differ."""
        widths = {len(part) for part in self.parts() if any(cell.strip() for cell in part)}
        return widths.pop() if len(widths) == 1 and len(self.rows) >= _FEWEST_ROWS else 0


def _taken(lines: _Lines, golds: Golds) -> tuple[Mapping[str, str], list[Problem]]:
    """The texts that count, and what another reading would give."""
    whole, name = lines.whole, lines.table.name
    wanted = (lines.table.overrides.answer_column or "").strip()
    if wanted:
        widest = max(map(len, lines.parts()), default=0)
        if not (wanted.isdecimal() and 0 < int(wanted) <= widest):
            raise no_such_column(name, wanted, [str(place) for place in range(1, widest + 1)])
        return lines.column(int(wanted) - 1), []
    if lines.table.overrides.form == "lines":
        return whole, []
    width = lines.width
    answers = _behind_questions(lines)
    if answers is not None:
        return answers, [_about_questions(golds.compared(answers, whole))]
    numbered = _without_numbers(lines)
    told = (
        [] if numbered is None or not golds.gain(whole, numbered) else [_about_numbers(golds.compared(whole, numbered))]
    )
    if width > 1:
        places = [place for place in range(width) if not lines.typed or place]
        places = [place for place in places if may_be_answers(lines.column(place), golds)]
        right = {place: len(golds.right(lines.column(place)) or ()) for place in places}
        best = max(right, key=lambda place: right[place], default=0)
        better = bool(places) and golds.gain(whole, lines.column(best))
        if better or (places and lines.typed):
            told.append(_about_cells(best + 1, golds.compared(whole, lines.column(best)), lines.typed, better))
    return whole, told


def _behind_questions(lines: _Lines) -> dict[str, str] | None:
    """What stands behind the question that each line begins with; None where nine of ten do not, or all ask alike."""
    for separator in [""] if lines.typed else DELIMITERS.values():
        parts = lines.parted(separator)
        found = [_behind_question(part, separator) for part in parts]
        answers = [answer for answer in found if answer is not None]
        filled = sum(any(cell.strip() for cell in part) for part in parts)
        asking = sum(answer.rstrip().endswith("?") for answer in answers)
        if filled >= _FEWEST_ROWS and len(answers) >= NEARLY_ALL * filled > asking:
            return {key: answer or "" for key, answer in zip(lines.ids, found, strict=False)}
    return None


def _behind_question(cells: Sequence[str], separator: str) -> str | None:
    """What stands behind the first cells, which separators part, that end in a question mark; None without them."""
    end = next((place for place, cell in enumerate(cells[:-1], 1) if cell.rstrip().endswith("?")), 0)
    # Cells that were never parted are not put together again.
    return (separator.join(cells[end:]) if separator else cells[end]) if end else None


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return [line]


def _without_numbers(lines: _Lines) -> dict[str, str] | None:
    """The lines without the number that each begins with; None where nine of ten do not begin with their own."""
    filled = 0
    own = {0: 0, 1: 0}
    stripped: dict[str, str] = {}
    for number, (key, text) in enumerate(lines.whole.items(), 1):
        match = _NUMBERED.match(text)
        stripped[key] = text[match.end() :] if match else text
        filled += bool(text.strip())
        for start in own:
            own[start] += match is not None and int(match[1]) == number - 1 + start
    enough = filled >= _FEWEST_NUMBERED and max(own.values()) >= NEARLY_ALL * filled
    return stripped if enough else None


def _unquoted(table: Table) -> Table:
    """Lines of one quoted cell each, as csv and pandas write a single column, without their quotes."""
    text, wanted = table.text, table.overrides.quotes
    if table.form != "lines" or text is None or wanted is False or not (text.quotes or wanted):
        return table
    if not wanted and _are_json_texts(text):
        return replace(table, before=(*table.before, _about_json()), read_rows=lambda _findings: _json_rows(text))
    if not wanted and not _are_single_cells(text):
        return table

    def rows(findings: Findings) -> Iterator[Row]:
        return cells_of(text, _LINES, findings.unclosed)

    before = table.before if wanted else (*table.before, _about_quotes())
    return replace(table, before=before, read_rows=rows)


def _are_json_texts(text: TextFile) -> bool:
    """Whether all lines are texts of JSON and any of them is escaped, so that taking off the quotes is not enough."""
    escaped = False
    with text.open() as lines:
        for line in lines:
            cell = line.strip()
            if cell and not _JSON_TEXT.fullmatch(cell):
                return False
            escaped = escaped or "\\" in cell
    return escaped


def _json_rows(text: TextFile) -> Iterator[Row]:
    """Lines that are texts of JSON, without their quotes and escapes."""
    with text.open() as lines:
        for number, line in enumerate(lines, 1):
            yield number, [load_json(line) if line.strip() else ""]


def _are_single_cells(text: TextFile) -> bool:
    """Whether all lines are quoted, or those alone that have to be: with a comma, or with a quote inside."""
    every = needed = True
    anything = False
    with text.open() as lines:
        for line in lines:
            cell = line.rstrip("\r\n")
            if cell.startswith('"'):
                if not _QUOTED.fullmatch(cell):
                    return False
                anything = True
                needed = needed and (cell == '""' or "," in cell or '"' in cell[1:-1])
            elif cell:
                every = False
                needed = needed and not ("," in cell or '"' in cell)
    return anything and (every or needed)


def _about_quotes() -> Problem:
    where = by_option("--no-quotes")
    message = Bilingual(
        "Wiersze odczytano jak jedną kolumnę CSV: bez cudzysłowów, którymi są objęte. Jeśli należą do odpowiedzi, "
        f"wskaż to {where.pl}.",
        "The lines were read as one column of CSV: without the quotes around them. Where these belong to the answers, "
        f"say so {where.en}.",
    )
    return Problem("note", "quoted-cells", message)


def _about_json() -> Problem:
    where = by_option("--no-quotes")
    message = Bilingual(
        f"Każdy wiersz to tekst JSON; odczytano go bez cudzysłowów i sekwencji \\. Jeśli to nie to, wskaż {where.pl}.",
        f"Every line is a text of JSON, read without its quotes and escapes. Where that is wrong, say {where.en}.",
    )
    return Problem("note", "json-texts", message)


def _about_numbers(compared: Bilingual) -> Problem:
    message = Bilingual(
        f"Niemal każdy wiersz zaczyna się własnym numerem; oceniono go razem z nim.{compared.pl} Jeśli numery nie "
        "należą do odpowiedzi, usuń je z pliku.",
        f"Nearly every line begins with its own number, which was scored as a part of it.{compared.en} Where the "
        "numbers are no part of the answers, remove them from the file.",
    )
    return Problem("warning", "numbered-lines", message)


def _about_questions(compared: Bilingual) -> Problem:
    where = by_option("--form lines")
    message = Bilingual(
        f"Wiersze odczytano jako pytanie i odpowiedź, w kolejności pytań. Inne odczytanie: całe wiersze.{compared.pl} "
        f"Wskazuje to {where.pl}.",
        f"The lines were read as a question and its answer, in the order of the questions. Another reading: whole "
        f"lines.{compared.en} Choose it by {where.en}.",
    )
    return Problem("warning", "question-column", message)


def _about_cells(column: int, compared: Bilingual, typed: bool, better: bool) -> Problem:
    where = by_option(f"--answer-column {column}")
    read = ("pierwszą komórkę", "its first cell") if typed else ("cały wiersz", "the whole line")
    message = Bilingual(
        f"Każdy wiersz ma tyle samo komórek, a za odpowiedź wzięto {read[0]}. Inne odczytanie: kolumna {column}."
        f"{compared.pl} Wskazuje to {where.pl}.",
        f"Every row has the same number of cells, and {read[1]} was read as the answer. Another reading: column "
        f"{column}.{compared.en} Choose it by {where.en}.",
    )
    return Problem("warning" if better else "note", "answer-place", message)


def _wrong_length(table: Table, first: str, lines: int, questions: int) -> Problem:
    return Problem(
        "error",
        "wrong-length",
        Bilingual(
            f"Plik {table.name} ma {plural(lines, 'wiersz', 'wiersze', 'wierszy')}, a zbiór "
            f"{plural(questions, 'pytanie', 'pytania', 'pytań')}. Rozpoznano: jedna odpowiedź w wierszu, w kolejności "
            f"pytań (pierwszy wiersz: „{first[:60]}”). Wybierz właściwy złoty zbiór albo dodaj nagłówek "
            "question_id,answer.",
            f"The file {table.name} has {counted(lines, 'line', 'lines')}, the set "
            f"{counted(questions, 'question', 'questions')}. Recognised: one answer a line in the order of the "
            f"questions (first line: {first[:60]!r}). Choose the right gold or add a header "
            "question_id,answer.",
        ),
    )
