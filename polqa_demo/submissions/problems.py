"""What is wrong or odd about a file: a list that is shown before any score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.errors import Bilingual, UserError

Severity = Literal["error", "warning", "note"]
# How many places a problem names; the count says how many there are.
PLACES = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of fault in one file: what, how often, where first. `message` holds the cure as well."""

    severity: Severity
    code: str
    message: Bilingual
    count: int = 1
    lines: tuple[int, ...] = ()


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


def refuse(code: str, pl: str, en: str, count: int = 1, lines: Iterable[int] = ()) -> Refused:
    """A refusal for one reason."""
    return Refused((Problem("error", code, Bilingual(pl, en), count, tuple(lines)[:PLACES]),))


def first_places(values: Iterable[object]) -> str:
    """The first few values as text, with dots when there are more: `107, 112, 118, …`."""
    shown: list[str] = []
    for value in values:
        if len(shown) == PLACES:
            shown.append("…")
            break
        shown.append(str(value)[:60])
    return ", ".join(shown)
