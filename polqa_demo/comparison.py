"""Two or more files of predictions in, their comparison out: which is better, by how much, whether it is chance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from polqa_demo.data.polqa import GoldSource, gold_passages, judged_passages
from polqa_demo.errors import Lang, UserError
from polqa_demo.evaluation.compare import Comparison, Difference, Run, answers_run, compare_runs, flips, rankings_run
from polqa_demo.evaluation.export import SCHEMA_VERSION
from polqa_demo.evaluation.paired import DRAWS
from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.evaluation.report import SEED
from polqa_demo.evaluation.run_fusion import RRF_K, fuse_rankings
from polqa_demo.evaluation.signature import signature
from polqa_demo.evaluation.significance import wilson_interval
from polqa_demo.records import GoldSet, Ranking
from polqa_demo.scoring import SEVERITIES, Upload, problem_json, refused_by
from polqa_demo.submissions.answers import read_answers
from polqa_demo.submissions.kinds import recognise_kind
from polqa_demo.submissions.problems import Problem
from polqa_demo.submissions.rankings import read_rankings

FUSED = "RRF"
RANKING_MEASURES = ("accuracy@10", "mrr@10", "ndcg@10")


@dataclass(frozen=True, slots=True)
class Compared:
    """What is odd about the files, worst first, and a comparison for each measure (none when fewer than two are left).

    `rankings` are the compared rankings by run, the fused one last; for a look side by side.
    """

    problems: tuple[Problem, ...]
    comparisons: tuple[Comparison, ...]
    signature: str
    rankings: dict[str, dict[str, Ranking]]

    def json(self, lang: Lang = "en") -> dict[str, Any]:
        """Plain JSON; without comparisons when the files were refused."""
        head: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "signature": self.signature,
            "problems": [problem_json(problem, lang) for problem in self.problems],
        }
        return head | {"comparisons": [_comparison(found) for found in self.comparisons]} if self.comparisons else head


def compare_uploads(
    gold: GoldSet,
    uploads: Sequence[Upload],
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    draws: int = DRAWS,
) -> Compared:
    """Compares files of answers with one another, and files of rankings with one another.

    A file that cannot be used is named and left out. Reciprocal-rank fusion of the rankings is one more run.

    :raises ValueError: an unknown rule or gold source
    """
    problems: list[Problem] = []
    predictions: dict[str, dict[str, str]] = {}
    rankings: dict[str, dict[str, Ranking]] = {}
    for upload, name in zip(uploads, _names(uploads), strict=True):
        try:
            if recognise_kind(upload.content, upload.name, gold.questions, upload.overrides) == "rankings":
                ranked = read_rankings(upload.content, gold.questions, upload.name, None, upload.overrides)
                rankings[name] = ranked.rankings
                found: Sequence[Problem] = ranked.problems
            else:
                answered = read_answers(upload.content, gold.questions, upload.name, upload.overrides)
                predictions[name] = answered.predictions
                found = answered.problems
        except UserError as error:
            found = refused_by(error).problems
        problems += [replace(problem, file=problem.file or upload.name) for problem in found]
    comparisons: list[Comparison] = []
    try:
        if len(rankings) > 1:
            rankings[FUSED] = fuse_rankings(list(rankings.values()), RRF_K)
            comparisons += _rankings(gold, rankings, gold_source, draws)
        if len(predictions) > 1 or not comparisons:
            runs = [answers_run(name, gold.questions, found, rule) for name, found in predictions.items()]
            comparisons.insert(0, compare_runs(runs, SEED, draws))
    except UserError as error:
        problems += refused_by(error).problems
    problems.sort(key=lambda problem: SEVERITIES.index(problem.severity))
    policies = {"rule": rule, "gold-source": gold_source, "missing": "wrong", "draws": str(draws), "seed": str(SEED)}
    return Compared(tuple(problems), tuple(comparisons), signature(gold, policies), rankings)


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


def _rankings(
    gold: GoldSet, rankings: dict[str, dict[str, Ranking]], gold_source: GoldSource, draws: int
) -> list[Comparison]:
    ids = [question.id for question in gold.questions]
    passages, judged = gold_passages(gold, gold_source), judged_passages(gold)
    scored = {name: score_rankings(found, passages, ids, judged) for name, found in rankings.items()}
    return [
        compare_runs([rankings_run(name, scores, measure) for name, scores in scored.items()], SEED, draws)
        for measure in RANKING_MEASURES
    ]


def _comparison(found: Comparison) -> dict[str, Any]:
    runs = {run.name: run for run in found.runs}
    return {
        "measure": found.measure,
        "n": found.n,
        "runs": [_run(run) for run in found.runs],
        "differences": [_difference(one, runs) for one in found.differences],
        "oracle": {
            "value": found.oracle.value,
            "best": found.oracle.best,
            "gain": found.oracle.gain,
            "alone": {name: list(ids) for name, ids in found.oracle.alone.items()},
            "unreached": len(found.oracle.unreached),
        },
    }


def _run(run: Run) -> dict[str, Any]:
    values = run.values.values()
    found: dict[str, Any] = {"name": run.name, "value": run.mean, "n": len(run.values)}
    if all(value in (0.0, 1.0) for value in values):
        found["ci95"] = list(wilson_interval(round(sum(values)), len(run.values)))
    return found


def _difference(one: Difference, runs: dict[str, Run]) -> dict[str, Any]:
    parted = flips(runs[one.first], runs[one.second])
    test = one.test
    return {
        "first": one.first,
        "second": one.second,
        "difference": test.difference,
        "ci95": [test.low, test.high],
        "test": test.test,
        "p": test.p,
        "p_holm": one.adjusted_p,
        "wins": test.outcomes.wins,
        "ties": test.outcomes.ties,
        "losses": test.outcomes.losses,
        "won": list(parted.won),
        "lost": list(parted.lost),
    }
