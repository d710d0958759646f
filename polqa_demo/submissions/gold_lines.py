"""Gold without a header: PolEval's `expected.tsv` of answers (2021) or passages (2022), judgements, DPR's questions.

Line n belongs to line n of a questions file, but for judgements and for lines that hold the questions themselves.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from polqa_demo.data import poleval
from polqa_demo.data.answer_texts import UnknownShapeError, printed_texts
from polqa_demo.data.columns import names_of
from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual, Problem, by_option, counted
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.findings import Row
from polqa_demo.submissions.gold_cells import GoldCells
from polqa_demo.submissions.gold_columns import GoldRow
from polqa_demo.submissions.gold_table import Wanted, gather
from polqa_demo.submissions.problems import refuse
from polqa_demo.submissions.qrels import Judged, are_judgements, judged_lines
from polqa_demo.submissions.ranked_ids import RankedIds
from polqa_demo.submissions.table import DELIMITERS, SAMPLE, Table

_TREC_COLUMNS = 6
_OPTION = by_option("--gold-kind answers|passages")


@dataclass(frozen=True, slots=True)
class Lines:
    """Gold without a header. `by_line` says that it belongs to the lines of a questions file; `table` is what was read,
    with what was odd about it.
    """

    gold: GoldSet
    table: Table
    by_line: bool = False


def gold_of_lines(
    table: Table, wanted: Wanted, asked: Collection[str], ranked: Callable[[], RankedIds | None]
) -> Lines:
    """The gold of a table without a header.

    :param asked: the ids of the questions, where a file of them is given
    :param ranked: the ids of the ranking that is to be scored, where there is one
    :raises Refused: the lines are those of a ranking, or hold golds in no known way
    """
    lines = text_lines(table)
    _refuse_run(table.name, lines)
    judged = None if wanted.as_answers else judged_lines(lines)
    if judged and are_judgements(judged, lines, wanted.as_passages, asked, ranked):
        return _judgements(judged, wanted, table)
    if not wanted.as_passages and (found := _questions_with_golds(table)):
        parted, rows, named = found
        gold = gather(rows, wanted, table.name, GoldCells(table.name))
        return Lines(replace(gold, remarks=(named, *gold.remarks)), parted)
    keys = [str(number) for number in range(1, len(lines) + 1)]
    if wanted.as_passages or (not wanted.as_answers and poleval.looks_like_passage_ids(lines)):
        cells_of_all = (cell.strip() for line in lines for cell in line.split("\t"))
        open_to_doubt = not wanted.as_passages and all(cell.isdigit() for cell in cells_of_all if cell)
        gold = GoldSet(
            wanted.name,
            wanted.split,
            tuple(Question(key, "") for key in keys),
            poleval.passage_golds(lines),
            remarks=_ONLY_NUMBERS if open_to_doubt else (),
        )
        return Lines(gold, _taken_for(table, "passages"), by_line=True)
    cells = GoldCells(table.name)
    golds = [cells.line_texts(number, line.split("\t")) for number, line in enumerate(lines, 1)]
    gold = GoldSet(
        wanted.name,
        wanted.split,
        tuple(Question(key, "", answers) for key, answers in zip(keys, golds, strict=True)),
        remarks=(*_about_shape(judged), *cells.problems()),
        unanswerable=frozenset(key for key, answers in zip(keys, golds, strict=True) if not answers),
    )
    return Lines(gold, _taken_for(table, "golds"), by_line=True)


def _taken_for(table: Table, form: str) -> Table:
    """The table under the name of what its lines hold; a workbook keeps its own beside it."""
    known = table.recognised
    return replace(table, recognised=replace(known, form=form if known.form == "lines" else f"{form} ({known.form})"))


def text_lines(table: Table) -> list[str]:
    """The lines of a file without ids; the cells of a workbook as if they were parted by tabs."""
    return ["\t".join(cells) for _, cells in table.rows()]


def _judgements(judged: Judged, wanted: Wanted, table: Table) -> Lines:
    rows = (
        GoldRow(line, id_text(question), passages=(passage,), grade=grade)
        for line, question, passage, grade in judged.rows
    )
    gold = gather(rows, wanted, table.name, GoldCells(table.name))
    columns = {
        4: Bilingual("pytanie, dowolny znak, fragment, trafność", "question, any word, passage, relevance"),
        3: Bilingual("pytanie, fragment, trafność", "question, passage, relevance"),
        2: Bilingual("pytanie, trafny fragment", "question, relevant passage"),
    }[judged.width]
    comments = judged.comments
    left = Bilingual(f" Komentarze (#) pominięto: {comments}.", f" Comments (#) left out: {comments}.")
    message = Bilingual(
        f"Plik odczytano jako oceny: {columns.pl}.{left.pl if comments else ''} Jeśli to co innego, powiedz, co "
        f"zawiera {_OPTION.pl}.",
        f"The file was read as judgements: {columns.en}.{left.en if comments else ''} Where it is something else, say "
        f"what it holds {_OPTION.en}.",
    )
    note = Problem("note", "gold-qrels", message, len(judged.rows))
    form = "pairs" if judged.width == 2 else "qrels"
    return Lines(replace(gold, remarks=(note, *gold.remarks)), _taken_for(table, form))


def _about_shape(judged: Judged | None) -> tuple[Problem, ...]:
    """A warning for lines that have the columns of judgements and are read as something else."""
    if judged is None or judged.width == 2 or len(judged.rows) < 2:
        return ()
    message = Bilingual(
        f"Każdy wiersz ma {judged.width} kolumny i liczbę całkowitą na końcu, jak oceny (pytanie, fragment, trafność), "
        f"ale odczytano je jako złoto wiersz po wierszu. Jeśli to oceny, wybierz passages {_OPTION.pl}.",
        f"Each line has {counted(judged.width, 'column', 'columns')} and a whole number last, as judgements have "
        "(question, passage, relevance), but they were read as gold line by line. Where they are judgements, say "
        f"passages {_OPTION.en}.",
    )
    return (Problem("warning", "maybe-qrels", message, len(judged.rows)),)


_ONLY_NUMBERS = (
    Problem(
        "warning",
        "gold-numbers",
        Bilingual(
            f"W pliku są same liczby; odczytano je jako identyfikatory fragmentów. Jeśli to złote odpowiedzi, wybierz "
            f"answers {_OPTION.pl}.",
            f"The file holds nothing but numbers; they were read as passage ids. Where they are gold answers, say "
            f"answers {_OPTION.en}.",
        ),
    ),
)


def _refuse_run(file: str, lines: Sequence[str]) -> None:
    """:raises Refused: six columns of a TREC run: what is to be scored stands in the place of the gold"""
    rows = [line.split() for line in islice(filter(str.strip, lines), SAMPLE)]
    if rows and all(len(cells) >= _TREC_COLUMNS and cells[1].upper() == "Q0" for cells in rows):
        raise refuse(
            "gold-is-ranking",
            f"Plik {file} to ranking (TREC run, sześć kolumn), a nie złoty zbiór. Złoto to oceny: pytanie, 0, "
            "fragment, trafność; ranking podaj jako ranking.",
            f"The file {file} is a ranking (a TREC run, six columns), no gold. Gold is judgements: question, 0, "
            "passage, relevance; give the ranking as a ranking.",
        )


def _questions_with_golds(table: Table) -> tuple[Table, list[GoldRow], Problem] | None:
    """Lines that end with a printed list of golds, behind a question or behind an id and a question, as DPR's are."""
    for separator in DELIMITERS.values():
        parted = table.parted(separator)
        rows = _with_lists(table, parted, separator)
        width = len(rows[0][1]) if rows else 0
        if width not in (2, 3) or not all(len(cells) == width and _is_list(cells[-1]) for _, cells in rows):
            continue
        keys = [cells[0].strip() for _, cells in rows] if width == 3 else []
        if len(set(keys)) < len(keys) or any(not key or " " in key for key in keys):
            continue
        found = [GoldRow(line, cells[0].strip() if keys else None, cells[-2], cells[-1]) for line, cells in rows]
        what = Bilingual("pytanie i lista", "a question and a list")
        if keys:
            what = Bilingual("identyfikator, pytanie i lista", "an id, a question and a list")
        message = Bilingual(
            f"Wiersze odczytano jako: {what.pl} złotych odpowiedzi. Nagłówek ({_HEADER}) powie to wprost.",
            f"The lines were read as: {what.en} of gold answers. A header ({_HEADER}) says so outright.",
        )
        return parted, found, Problem("note", "question-golds", message, len(found))
    return None


_HEADER = ", ".join(names_of(name)[0] for name in ("question_id", "question", "golds"))


def _with_lists(table: Table, parted: Table, separator: str) -> list[Row]:
    """The rows that are not blank, in cells; none where the first one cannot end with a list behind a separator."""
    if table.form == "lines":
        first = next((cells[0] for _, cells in table.rows() if cells[0].strip()), "")
        if separator not in first or not any(sign in first for sign in "[{("):
            return []
    return [row for row in parted.rows() if any(cell.strip() for cell in row[1])]


def _is_list(cell: str) -> bool:
    try:
        found = printed_texts(cell)
    except UnknownShapeError:
        return False
    return found is not None and found.listed
