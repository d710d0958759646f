"""What came of a file of rankings before the ids are looked at, and the other order that such a file may name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.records import Ranking
from polqa_demo.submissions.problems import first_places

_BY = {
    "rank": Bilingual("według pozycji", "by rank"),
    "file": Bilingual("w kolejności pliku", "in the order of the file"),
    "reading": Bilingual("w drugim odczycie", "by the other reading"),
}
_COUNTED = {"reading": Bilingual("w tym, który się liczy", "by the one that counts")}
_BY_DISTANCE = Bilingual("według odległości", "by distance")
_BY_SCORE = Bilingual("według wyniku", "by score")


@dataclass(frozen=True, slots=True)
class OtherOrder:
    """Another order that a file names beside the one that counts, which is that of the scores; or that of another
    reading of its columns (`reading`).

    `rankings` are those of the questions where both part, ten passages deep. `problem` tells of it; what the other
    order would score is known only beside the gold. `nearest` says that distances count, the smallest first.
    """

    order: Literal["rank", "file", "reading", "column"]
    rankings: Mapping[str, Ranking]
    problem: Problem
    nearest: bool = False
    columns: tuple[str, str] = ("", "")

    @property
    def name(self) -> Bilingual:
        """`by rank`, `in the order of the file`, `by the other reading` or by the name of a column."""
        if self.order == "column":
            return _by_column(self.columns[1])
        return _BY[self.order]

    @property
    def counted(self) -> Bilingual:
        """What the order that counts is called beside it."""
        if self.order == "column":
            return _by_column(self.columns[0])
        return _COUNTED.get(self.order, _BY_DISTANCE if self.nearest else _BY_SCORE)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Rankings under the ids as they stand in the file, and what is told of them.

    `rising` says that the ranks rise by one from row to row, in nearly every question.
    """

    rankings: dict[str, Ranking]
    problems: list[Problem] = field(default_factory=list)
    other: OtherOrder | None = None
    rising: bool = False


def _by_column(name: str) -> Bilingual:
    return Bilingual(f"według {name}", f"by {name}")


def about_contrary(others: Mapping[str, object], nearest: bool = False) -> Problem:
    """A warning for ranks that the scores, or the distances, contradict."""
    counts = Bilingual("wynik, największy pierwszy", "score counts, the highest first")
    if nearest:
        counts = Bilingual("odległość, najmniejsza pierwsza", "distance counts, the smallest first")
    seen = Bilingual("Pozycja i wynik przeczą sobie, pytań", "Rank and score run against each other, questions")
    read = Bilingual(
        f"Liczy się {counts.pl}, jak w trec_eval. Jeśli ma liczyć się pozycja",
        f"The {counts.en}, as in trec_eval. Where the rank should count",
    )
    return Problem("warning", "rank-against-score", _other(others, seen, read, "--form ranks"), len(others))


def about_sorted(others: Mapping[str, object]) -> Problem:
    """A warning for lists whose scores say another order than the file."""
    seen = Bilingual("Listy w innej kolejności niż ich wyniki (score)", "Lists in another order than their scores")
    read = Bilingual(
        "Liczą się wyniki, największy pierwszy. Jeśli to odległości",
        "The scores count, the highest first. Where they are distances",
    )
    return Problem("warning", "sorted-by-score", _other(others, seen, read, "--form distances"), len(others))


def about_rising(others: Mapping[str, object]) -> Problem:
    """A warning for scores that rise from row to row, as distances and ranks do."""
    seen = Bilingual("Wyniki rosną z wiersza na wiersz, pytań", "The scores rise from row to row, questions")
    read = Bilingual(
        "Liczy się największy pierwszy, więc ostatnie wiersze są pierwsze. Jeśli to odległości albo pozycje",
        "The highest counts first, so the last rows come first. Where they are distances or ranks",
    )
    return Problem("warning", "rising-scores", _other(others, seen, read, "--form distances"), len(others))


def about_falling(others: Mapping[str, object]) -> Problem:
    """A warning for distances that fall from row to row, as inner products and cosines do."""
    seen = Bilingual("Odległości maleją z wiersza na wiersz, pytań", "The distances fall from row to row, questions")
    read = Bilingual(
        "Liczy się najmniejsza pierwsza, więc ostatnie wiersze są pierwsze. Jeśli to iloczyn skalarny albo "
        "podobieństwo, większe lepsze",
        "The smallest counts first, so the last rows come first. Where they are inner products or similarities, the "
        "higher the better",
    )
    return Problem("warning", "falling-distances", _other(others, seen, read, "--form long"), len(others))


def _other(others: Mapping[str, object], seen: Bilingual, read: Bilingual, option: str) -> Bilingual:
    """What was seen in how many lists, how they were read and where not to, and the option that says so."""
    how, where = by_option(option), f"{len(others)} ({first_places(others)})"
    return Bilingual(
        f"{seen.pl}: {where}. {read.pl}, powiedz to {how.pl}.", f"{seen.en}: {where}. {read.en}, say so {how.en}."
    )
