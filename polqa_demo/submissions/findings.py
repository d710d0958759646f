"""What was odd about the rows of a file, gathered while they are read: by the table itself, so that no reader forgets.

A table is read anew whenever its rows are asked for; what counts is the last reading that came to its end.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from polqa_demo.errors import Problem
from polqa_demo.submissions.problems import Places

Row = tuple[int, list[str]]


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
        found: list[Problem] = []
        if self.unclosed.count:
            pl = f"Wiersze z niezamkniętym cudzysłowem: {self.unclosed.count}. Odczytano je tak, jak stoją; podwój lub "
            en = f"Rows with a quote that is never closed: {self.unclosed.count}. They were read as they stand; double "
            pl, en = pl + "usuń znak.", en + "the sign or remove it."
            found.append(self.unclosed.problem("warning", "unclosed-quote", pl, en))
        if self.python.count:
            pl = f"Wiersze zapisane jak słowniki Pythona, a nie JSON: {self.python.count}. Odczytano je; użyj "
            en = f"Lines written as dictionaries of Python, not as JSON: {self.python.count}. They were read; use "
            found.append(self.python.problem("note", "python-dicts", f"{pl}json.dumps.", f"{en}json.dumps."))
        if self.commas.count:
            pl = f"Obiekty JSON, po których stoi zbędny przecinek: {self.commas.count}. Odczytano je bez niego."
            en = f"JSON objects with a comma too many behind them: {self.commas.count}. They were read without it."
            found.append(self.commas.problem("note", "json-commas", pl, en))
        if self.blank.count:
            pl = f"Puste wiersze między innymi, pominięto: {self.blank.count} (wiersze {self.blank.shown})."
            en = f"Blank rows between others, left out: {self.blank.count} (lines {self.blank.shown})."
            found.append(self.blank.problem("note", "blank-rows", pl, en))
        return found


def about_truths(truths: Places, what_pl: str, what_en: str) -> list[Problem]:
    """A note for truth values in the place of texts."""
    if not truths.count:
        return []
    pl = f"Wartości logiczne w miejscu {what_pl} odczytano jako tak i nie: {truths.count} ({truths.shown})."
    en = f"Truth values in the place of {what_en} were read as tak and nie: {truths.count} ({truths.shown})."
    return [truths.problem("note", "truth-values", pl, en)]


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
