"""Two or more files of predictions in, their comparison out: which is better, by how much, whether it is chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from polqa_demo.data.polqa import GoldSource, gold_passages, graded_gains, judged_passages
from polqa_demo.errors import Bilingual, Lang, Problem, UserError
from polqa_demo.evaluation.compare import Comparison, Difference, Run, answers_run, compare_runs, flips, rankings_run
from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.paired import DRAWS, bootstrap_interval
from polqa_demo.evaluation.ranking import RankingScores, score_rankings
from polqa_demo.evaluation.report import SEED, Unanswerable
from polqa_demo.evaluation.run_fusion import RRF_K, fuse_rankings
from polqa_demo.evaluation.signature import signature
from polqa_demo.evaluation.significance import Limits, equal_values_interval, wilson_interval
from polqa_demo.parsing.parser import Parser, Upload
from polqa_demo.ranking_orders import told_of_orders
from polqa_demo.recognised import Recognised
from polqa_demo.records import GoldSet, Ranking
from polqa_demo.reports.report_json import SCHEMA_VERSION, total_digits
from polqa_demo.scoring import PARSER, SEVERITIES, about_gold, overrule, problem_json, refused_by
from polqa_demo.submissions.answers import Duplicates

FUSED = "RRF"
_LEFT_OUT = Bilingual("Plik pominięto w porównaniu.", "The file is left out of the comparison.")


@dataclass(frozen=True, slots=True)
class Compared:
    """What is odd about the files, worst first, and a comparison for each measure (none when fewer than two are left).

    `rankings` are the compared rankings by run, the fused one last, `predictions` the compared answers (run -> question
    id -> answer); for a look side by side. Of a `secret` gold the runs have no question ids, only numbers in the order
    of the values.
    """

    problems: tuple[Problem, ...]
    comparisons: tuple[Comparison, ...]
    signature: str
    rankings: dict[str, dict[str, Ranking]]
    secret: bool = False
    predictions: dict[str, dict[str, str]] = field(default_factory=dict)
    recognised: dict[str, Recognised] = field(default_factory=dict)

    def json(self, lang: Lang = "en") -> dict[str, Any]:
        """Plain JSON; without comparisons when the files were refused.

        Of a secret gold it holds neither the oracle nor who wins how often: both tell two files' single questions.
        """
        head: dict[str, Any] = {"schema_version": SCHEMA_VERSION}
        if self.signature:  # there is none of a gold that cannot be used
            head["signature"] = self.signature
        head["problems"] = [problem_json(problem, lang) for problem in self.problems]
        if self.secret:
            head["secret"] = True
        compared = [_totals(found) if self.secret else _comparison(found) for found in self.comparisons]
        return head | {"comparisons": compared} if compared else head


def compare_uploads(
    gold: GoldSet,
    uploads: Sequence[Upload],
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    draws: int = DRAWS,
    unanswerable: Unanswerable = "leave-out",
    duplicates: Duplicates = "refuse",
    parser: Parser = PARSER,
) -> Compared:
    """Compares files of answers with one another, and files of rankings with one another.

    A file that cannot be used is named and left out. Questions whose golds are empty are left out, or an empty answer
    is right there (`unanswerable` is `abstain`). `duplicates` says which of several different answers to one question
    counts; by default such a file is left out. Reciprocal-rank fusion of the rankings is one more run. A sealed
    gold is opened here; its questions have no names in the comparison.

    :raises ValueError: an unknown rule or gold source
    """
    problems: list[Problem] = about_gold(gold)
    predictions: dict[str, dict[str, str]] = {}
    rankings: dict[str, dict[str, Ranking]] = {}
    recognised = dict(gold.recognised)
    overruled = []
    for upload, name in zip(uploads, _names(uploads), strict=True):
        try:
            if parser.kind(upload, gold) == "rankings":
                ranked = parser.rankings(upload, gold)
                rankings[name] = ranked.rankings
                recognised[name] = ranked.recognised
                overruled.append(ranked.policies)
                found: Sequence[Problem] = told_of_orders(ranked, gold, gold_source)
            else:
                answered = parser.answers(upload, gold, duplicates, rule)
                predictions[name] = answered.predictions
                recognised[name] = answered.recognised
                overruled.append(answered.policies)
                found = answered.problems
        except UserError as error:
            found = (*refused_by(error).problems, Problem("error", "file-left-out", _LEFT_OUT))
        problems += [
            replace(problem, file=problem.file or upload.name)
            for problem in found
            # Where they may be right, empty answers are no fault.
            if unanswerable != "abstain" or problem.code != "empty-answers"
        ]
    comparisons: list[Comparison] = []
    policies = {"rule": rule, "gold-source": gold_source}
    try:
        if len(rankings) > 1:
            rankings[FUSED] = fuse_rankings(list(rankings.values()), RRF_K)
            scored = _scored(gold.opened, rankings, gold_source)
            policies["gains"] = scored[FUSED].gains
            comparisons += _rankings(gold, scored, draws)
        if len(predictions) > 1 or not comparisons:
            opened = gold.opened
            empty = opened.unanswerable if unanswerable == "abstain" else frozenset()
            runs = [answers_run(name, opened.questions, found, rule, empty) for name, found in predictions.items()]
            comparisons.insert(0, _compared(runs, gold, draws))
    except UserError as error:
        problems += refused_by(error).problems
    problems.sort(key=lambda problem: SEVERITIES.index(problem.severity))
    policies |= {"missing": "wrong", "draws": str(draws), "seed": str(SEED)}
    for said in overruled:
        overrule(policies, said)
    if predictions and duplicates != "refuse":
        policies["duplicates"] = duplicates
    if predictions and unanswerable != "leave-out":
        policies["no-gold"] = unanswerable
    policies |= gold.policies
    return Compared(
        tuple(problems),
        tuple(comparisons),
        signature(gold, policies),
        rankings,
        gold.secret,
        predictions,
        recognised,
    )


def _names(uploads: Sequence[Upload]) -> list[str]:
    """Names of the runs: the files' without their endings, numbered where two are equal."""
    names: list[str] = []
    for upload in uploads:
        stem = PurePath(PurePath(upload.name).name.removesuffix(".gz").removesuffix(".zip")).stem or "run"
        stem = stem if stem != FUSED else f"{stem}-1"
        name, number = stem, 1
        while name in names:
            number += 1
            name = f"{stem}-{number}"
        names.append(name)
    return names


def _scored(
    gold: GoldSet, rankings: Mapping[str, Mapping[str, Ranking]], gold_source: GoldSource
) -> dict[str, RankingScores]:
    ids = [question.id for question in gold.questions]
    passages, judged, gains = gold_passages(gold, gold_source), judged_passages(gold), graded_gains(gold, gold_source)
    return {name: score_rankings(found, passages, ids, judged, gains) for name, found in rankings.items()}


def _rankings(gold: GoldSet, scored: Mapping[str, RankingScores], draws: int) -> list[Comparison]:
    return [
        _compared([rankings_run(name, scores, code) for name, scores in scored.items()], gold, draws)
        for code, measure in MEASURES.items()
        if measure.compared
    ]


def _compared(runs: Sequence[Run], gold: GoldSet, draws: int) -> Comparison:
    """The comparison; of a secret gold without a trace of which question is which."""
    return compare_runs(_unnamed(runs) if gold.secret else runs, SEED, draws)


def _unnamed(runs: Sequence[Run]) -> list[Run]:
    """The runs with numbers for question ids, in the order of their values: who wins how often stays, not where."""
    rows = sorted(zip(*(run.values.values() for run in runs), strict=True))
    return [
        replace(run, values={f"#{number}": row[place] for number, row in enumerate(rows, 1)})
        for place, run in enumerate(runs)
    ]


def _comparison(found: Comparison) -> dict[str, Any]:
    runs = {run.name: run for run in found.runs}
    best = found.oracle
    oracle = {"value": best.value, "best": best.best, "gain": best.gain}
    alone = {name: list(ids) for name, ids in best.alone.items()}
    return {
        **_head(found),
        "differences": [
            _difference(one) | _outcomes(one) | _flips(runs[one.first], runs[one.second]) for one in found.differences
        ],
        "oracle": oracle | {"alone": alone, "unreached": len(best.unreached)},
    }


def _totals(found: Comparison) -> dict[str, Any]:
    """What may leave of a comparison on a secret gold."""
    return dict(total_digits({**_head(found), "differences": [_difference(one) for one in found.differences]}))


def _head(found: Comparison) -> dict[str, Any]:
    return {"measure": found.measure, "n": found.n, "runs": [_run(run) for run in found.runs]}


def _run(run: Run) -> dict[str, Any]:
    low, high, method = run_interval(run)
    return {"name": run.name, "value": run.mean, "n": len(run.values), "ci95": [low, high], "interval": method}


def run_interval(run: Run) -> Limits:
    """The 95 % interval of a run's score: Wilson's for right and wrong, the bootstrap's for other means.

    Where all values are equal there is nothing to resample, and the interval is the bound of what is unseen.
    """
    values = list(run.values.values())
    if all(value in (0.0, 1.0) for value in values):
        return Limits(*wilson_interval(round(sum(values)), len(values)), "wilson")
    if min(values) == max(values):
        return Limits(*equal_values_interval(values[0], len(values), 0.0, 1.0), "bound")
    return Limits(*bootstrap_interval(values, [0.0] * len(values)), "bootstrap")


def _flips(first: Run, second: Run) -> dict[str, Any]:
    parted = flips(first, second)
    return {"won": list(parted.won), "lost": list(parted.lost)}


def _difference(one: Difference) -> dict[str, Any]:
    test = one.test
    return {
        "first": one.first,
        "second": one.second,
        "difference": test.difference,
        "ci95": [test.low, test.high],
        "interval": test.interval,
        "test": test.test,
        "p": test.p,
        "p_holm": one.adjusted_p,
    }


def _outcomes(one: Difference) -> dict[str, int]:
    seen = one.test.outcomes
    return {"wins": seen.wins, "ties": seen.ties, "losses": seen.losses}
