"""What is wrong or odd about a file: a list that is shown before any score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from polqa_demo.errors import Bilingual, Problem, Severity, UserError, first_few

# How many places a problem names; the count says how many there are.
PLACES = 3


class Refused(UserError):
    """The file cannot be scored; `problems` holds the errors that say why (and whatever else was seen)."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        errors = [problem for problem in problems if problem.severity == "error"]
        first = (errors or list(problems))[0]
        super().__init__(
            first.code,
            " ".join(problem.message.pl for problem in errors) or first.message.pl,
            " ".join(problem.message.en for problem in errors) or first.message.en,
        )
        self.problems = tuple(problems)


@dataclass(slots=True)
class Places:
    """How often a fault was met and where first, without holding more than is shown of it."""

    count: int = 0
    lines: list[int] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    def add(self, line: int, example: object = "") -> None:
        """One more; only the first few are remembered."""
        self.count += 1
        if self.count <= PLACES:
            self.lines.append(line)
            self.examples.append(str(example)[:60])

    def add_all(self, others: "Places") -> None:
        """What others met, behind what was met here."""
        room = PLACES - len(self.lines)
        self.count += others.count
        self.lines += others.lines[:room]
        self.examples += others.examples[:room]

    @property
    def shown(self) -> str:
        """The first examples (or lines, where there are none), with dots when there are more."""
        first = self.examples if any(self.examples) else [str(line) for line in self.lines]
        return ", ".join([*first, "…"] if self.count > PLACES else first)

    def problem(self, severity: Severity, code: str, pl: str, en: str) -> Problem:
        """The problem that these places make."""
        return Problem(severity, code, Bilingual(pl, en), self.count, tuple(line for line in self.lines if line))

    def reported(self, severity: Severity, code: str, pl: str, en: str) -> list[Problem]:
        """As `problem`, with `{count}` and `{shown}` in the sentences filled in; nothing where nothing was met."""
        if not self.count:
            return []
        pl, en = (text.format(count=self.count, shown=self.shown) for text in (pl, en))
        return [self.problem(severity, code, pl, en)]


def refuse(code: str, pl: str, en: str, count: int = 1, lines: Iterable[int] = ()) -> Refused:
    """A refusal for one reason."""
    return Refused((Problem("error", code, Bilingual(pl, en), count, tuple(lines)[:PLACES]),))


def listed(values: Iterable[object], most: int = 40) -> str:
    """All values as text, each cut off where it is long; beyond `most` their number."""
    shown = [str(value)[:60] for value in values]
    more = len(shown) - most
    return ", ".join(shown[:most]) + (f", … (+{more})" if more > 0 else "")


def first_places(values: Iterable[object]) -> str:
    """The first few values as text, with dots when there are more: `107, 112, 118, …`."""
    return first_few(values, PLACES)
