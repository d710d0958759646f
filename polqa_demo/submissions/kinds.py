"""Whether a file holds answers or rankings, judged by its content."""

from collections.abc import Sequence
from typing import Literal

from polqa_demo.data.poleval import PASSAGE_ID
from polqa_demo.records import Question
from polqa_demo.submissions.rankings import LIST_NAMES, TREC_COLUMNS
from polqa_demo.submissions.reading import ANSWER_NAMES, PASSAGE_NAMES, has_field, read_table

Kind = Literal["answers", "rankings"]
# Rows looked at; a file does not change its kind further down.
_SAMPLE = 200


def recognise_kind(data: bytes, name: str, questions: Sequence[Question]) -> Kind:
    """The kind of a file of predictions; answers when nothing speaks for rankings.

    :raises Refused: the file cannot be read at all
    """
    table = read_table(data, name)
    if table.objects:
        return "rankings" if any(has_field(row, LIST_NAMES) for _, row in table.objects[:_SAMPLE]) else "answers"
    if table.header:
        # Answers may name the passage that they rest on.
        named = table.column(PASSAGE_NAMES) is not None and table.column(ANSWER_NAMES) is None
        return "rankings" if named else "answers"
    lines = [row.cells[0] for row in table.rows[:_SAMPLE] if row.cells[0].strip()]
    if all(len(cells) == TREC_COLUMNS and cells[1].upper() == "Q0" for cells in map(str.split, lines)):
        return "rankings"
    known = {question.id for question in questions}
    rows = [[cell.strip() for cell in line.split("\t")] for line in lines]
    # Question id and one answer that is a number look like a question id and one passage id; answers win.
    listed = [cells for cells in rows if len(cells) > (2 if cells[0] in known else 1)]
    ids = all(PASSAGE_ID.fullmatch(cell) or _is_number(cell) for cells in listed for cell in cells[1:] if cell)
    return "rankings" if len(listed) > len(rows) / 2 and ids else "answers"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
