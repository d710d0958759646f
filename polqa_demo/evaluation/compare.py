"""Two or more runs on the same questions: which is better, where they part, and what they could do together.

A run is the values of one measure, question by question, so answers and rankings are compared alike.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum

from polqa_demo.errors import UserError, counted, first_few
from polqa_demo.evaluation.fuzzy_match import rule_measure, score_fuzzy_match
from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.paired import DRAWS, Outcomes, PairedTest, paired_test
from polqa_demo.evaluation.ranking import RankingScores
from polqa_demo.evaluation.report import abstains
from polqa_demo.evaluation.significance import holm
from polqa_demo.polish.words import plural
from polqa_demo.records import Question


@dataclass(frozen=True, slots=True)
class Run:
    """A named system: the value (0..1, 1 is best) of one measure for each question id."""

    name: str
    measure: str
    values: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The run's score."""
        return fsum(self.values.values()) / len(self.values)


@dataclass(frozen=True, slots=True)
class Difference:
    """One run against another; `adjusted_p` is Holm's over all pairs that were compared."""

    first: str
    second: str
    test: PairedTest
    adjusted_p: float

    def reversed(self) -> "Difference":
        """The same comparison, seen from the second run."""
        test, seen = self.test, self.test.outcomes
        turned = replace(
            test,
            first=test.second,
            second=test.first,
            difference=-test.difference,
            low=-test.high,
            high=-test.low,
            outcomes=Outcomes(seen.losses, seen.ties, seen.wins),
        )
        return Difference(self.second, self.first, turned, self.adjusted_p)


@dataclass(frozen=True, slots=True)
class Oracle:
    """What the runs reach when the best of them is taken for every question.

    `gain` is what that adds to the best single run. `alone` names the questions that a run does better than all
    others, `unreached` those where every run has nothing.
    """

    value: float
    best: str
    gain: float
    alone: Mapping[str, tuple[str, ...]]
    unreached: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All runs against each other on `n` questions, in the order in which they were given."""

    measure: str
    n: int
    runs: tuple[Run, ...]
    differences: tuple[Difference, ...]
    oracle: Oracle

    def between(self, first: str, second: str) -> Difference:
        """A cell of the matrix, seen from the first run. Raises KeyError when the two were not compared."""
        for found in self.differences:
            if (found.first, found.second) == (first, second):
                return found
            if (found.second, found.first) == (first, second):
                return found.reversed()
        raise KeyError(first, second)


@dataclass(frozen=True, slots=True)
class Flips:
    """Where two runs part: ids of the questions that the first does better (`won`) and worse (`lost`), and the rest."""

    first: str
    second: str
    won: tuple[str, ...]
    lost: tuple[str, ...]
    same: int


def answers_run(
    name: str,
    questions: Sequence[Question],
    predictions: Mapping[str, str],
    rule: str = "poleval",
    unanswerable: Collection[str] = (),
) -> Run:
    """Answers (question id -> answer) as a run of right (1) and wrong (0); questions without gold are left out.

    `unanswerable` are ids of questions to which an empty prediction is the right one.

    Raises ValueError for an unknown rule.
    """
    values = {
        question.id: float(
            score_fuzzy_match(predictions.get(question.id, ""), question.answers, rule)
            if question.answers
            else abstains(predictions.get(question.id))
        )
        for question in questions
        if question.answers or question.id in unanswerable
    }
    return Run(name, rule_measure(rule), values)


def rankings_run(name: str, scores: RankingScores, measure: str = "ndcg@10") -> Run:
    """Scored rankings as a run of one measure, over the questions that have a gold passage.

    Raises ValueError for a measure not in `MEASURES`.
    """
    if measure not in MEASURES:
        message = f"unknown measure {measure!r}; the measures are {', '.join(MEASURES)}"
        raise ValueError(message)
    value = MEASURES[measure].value
    return Run(name, measure, {item.question_id: value(item) for item in scores.items if item.gold_passages})


def compare_runs(runs: Sequence[Run], seed: int = 0, draws: int = DRAWS) -> Comparison:
    """Every run against every other: McNemar's exact test for right and wrong, approximate randomisation for the rest.

    Raises UserError when there are less than two runs, two of one name, or runs of different measures or questions.
    """
    _refuse_unless_comparable(runs)
    ids = tuple(runs[0].values)
    columns = {run.name: [run.values[question_id] for question_id in ids] for run in runs}
    pairs = list(combinations(columns, 2))
    tests = [paired_test(columns[first], columns[second], seed, draws) for first, second in pairs]
    adjusted = holm([test.p for test in tests])
    differences = [Difference(*pair, test, p) for pair, test, p in zip(pairs, tests, adjusted, strict=True)]
    return Comparison(runs[0].measure, len(ids), tuple(runs), tuple(differences), oracle(runs))


def oracle(runs: Sequence[Run]) -> Oracle:
    """The best of the runs for every question. Raises UserError as `compare_runs`."""
    _refuse_unless_comparable(runs)
    alone: dict[str, list[str]] = {run.name: [] for run in runs}
    unreached, highest = [], []
    for question_id in runs[0].values:
        top = max(run.values[question_id] for run in runs)
        highest.append(top)
        leaders = [run.name for run in runs if run.values[question_id] == top]
        if len(leaders) == 1:
            alone[leaders[0]].append(question_id)
        if top <= 0:
            unreached.append(question_id)
    best = max(runs, key=lambda run: run.mean)
    value = fsum(highest) / len(highest)
    named = {name: tuple(ids) for name, ids in alone.items()}
    return Oracle(value, best.name, value - best.mean, named, tuple(unreached))


def flips(first: Run, second: Run, keep: Collection[str] | None = None) -> Flips:
    """The questions (all, or those of `keep`) on which two runs differ, in order.

    Raises UserError when the runs are not of the same measure and questions.
    """
    _refuse_unless_comparable((first, second))
    ids = [question_id for question_id in first.values if keep is None or question_id in keep]
    won = tuple(key for key in ids if first.values[key] > second.values[key])
    lost = tuple(key for key in ids if first.values[key] < second.values[key])
    return Flips(first.name, second.name, won, lost, len(ids) - len(won) - len(lost))


def _refuse_unless_comparable(runs: Sequence[Run]) -> None:
    names = [run.name for run in runs]
    if len(runs) < 2 or not runs[0].values:
        raise UserError(
            "too-few-runs",
            f"Do porównania potrzeba co najmniej dwóch wyników dla tych samych pytań; podano: {len(runs)}. "
            "Dodaj drugi plik.",
            f"A comparison needs at least two runs over the same questions; given: {len(runs)}. Add another file.",
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UserError(
            "equal-names",
            f"Dwa porównywane wyniki mają tę samą nazwę „{twice}”. Zmień nazwę jednego z plików.",
            f"Two of the runs have the same name “{twice}”. Rename one of the files.",
        )
    if len({run.measure for run in runs}) > 1:
        listed = ", ".join(f"{run.name}: {run.measure}" for run in runs)
        raise UserError(
            "different-measures",
            f"Wyniki mierzono różnymi miarami ({listed}). Porównaj osobno odpowiedzi i osobno rankingi.",
            f"The runs are of different measures ({listed}). Compare answers and rankings separately.",
        )
    expected = runs[0].values.keys()
    for run in runs[1:]:
        odd = sorted(expected ^ run.values.keys())
        if odd:
            raise UserError(
                "different-questions",
                f"Wyniki {runs[0].name} i {run.name} nie dotyczą tych samych pytań; tylko w jednym z nich jest "
                f"{plural(len(odd), 'pytanie', 'pytania', 'pytań')} ({first_few(odd)}). Oceń oba pliki względem tego "
                "samego złotego zbioru.",
                f"The runs {runs[0].name} and {run.name} are not about the same questions; "
                f"{counted(len(odd), 'question is', 'questions are')} in one of them alone ({first_few(odd)}). Score "
                "both files against the same gold.",
            )
