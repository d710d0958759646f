"""What was odd about the rows of a file, gathered while they are read: by the table itself, so that no reader forgets.

A table is read anew whenever its rows are asked for; what counts is the last reading that came to its end.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.submissions.problems import Places

Row = tuple[int, list[str]]
# Of which texts truth values may take the place.
ANSWERS, GOLDS = Bilingual("odpowiedzi", "answers"), Bilingual("złotych odpowiedzi", "gold answers")


@dataclass(slots=True)
class Findings:
    """Where one reading met something: rows whose quote is never closed, lines as Python prints them, blank rows
    between others; `truths` are the truth values of each column, by its place.
    """

    unclosed: Places = field(default_factory=Places)
    python: Places = field(default_factory=Places)
    commas: Places = field(default_factory=Places)
    blank: Places = field(default_factory=Places)
    truths: dict[int, Places] = field(default_factory=dict)

    def add_truth(self, column: int, line: int, value: object) -> str:
        """Takes down a truth value; returns it as Polish questions are answered."""
        self.truths.setdefault(column, Places()).add(line, value)
        return "tak" if value else "nie"

    def problems(self) -> list[Problem]:
        """What is told of every file, whatever it holds."""
        return [
            *self.unclosed.reported(
                "warning",
                "unclosed-quote",
                "Wiersze z niezamkniętym cudzysłowem: {count}. Odczytano je tak, jak stoją; podwój lub usuń znak.",
                "Rows with a quote that is never closed: {count}. They were read as they stand; double the sign or "
                "remove it.",
            ),
            *self.python.reported(
                "note",
                "python-dicts",
                "Wiersze zapisane jak słowniki Pythona, a nie JSON: {count}. Odczytano je; użyj json.dumps.",
                "Lines written as dictionaries of Python, not as JSON: {count}. They were read; use json.dumps.",
            ),
            *self.commas.reported(
                "note",
                "json-commas",
                "Obiekty JSON, po których stoi zbędny przecinek: {count}. Odczytano je bez niego.",
                "JSON objects with a comma too many behind them: {count}. They were read without it.",
            ),
            *self.blank.reported(
                "note",
                "blank-rows",
                "Puste wiersze między innymi, pominięto: {count} (wiersze {shown}).",
                "Blank rows between others, left out: {count} (lines {shown}).",
            ),
        ]


def about_truths(truths: Places, what: Bilingual) -> list[Problem]:
    """A note for truth values in the place of texts.

    :param what: of which texts
    """
    return truths.reported(
        "note",
        "truth-values",
        f"Wartości logiczne w miejscu {what.pl} odczytano jako tak i nie: {{count}} ({{shown}}).",
        f"Truth values in the place of {what.en} were read as tak and nie: {{count}} ({{shown}}).",
    )


def noting_blank(rows: Iterable[Row], blank: Places) -> Iterator[Row]:
    """The rows as they come, blank ones too; blank ones with others behind them are taken down."""
    waiting = Places()
    for row in rows:
        cells = row[1]
        if not cells or ((not cells[0] or cells[0].isspace()) and not any(cell.strip() for cell in cells)):
            waiting.add(row[0])
        elif waiting.count:
            blank.add_all(waiting)
            waiting = Places()
        yield row
