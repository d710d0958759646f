"""A comparison of runs -> HTML, through the templates that escape every text of others."""

from typing import Any

from polqa_demo.comparison import FUSED, Compared, run_interval
from polqa_demo.errors import Lang
from polqa_demo.evaluation.compare import Comparison, Difference, Run
from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.paired import PairedTest
from polqa_demo.evaluation.significance import Limits
from polqa_demo.reports.score_texts import (
    difference_ends,
    difference_text,
    is_share,
    measure_interval,
    measure_name,
    measure_text,
    p_value,
)
from polqa_demo.ui.render import render
from polqa_demo.ui.texts import say

IDS_SHOWN = 8


def comparison_html(found: Compared, lang: Lang) -> str:
    """Every measure: the runs, best first, the oracle of all, and every pair with its test.

    Of a secret gold neither the oracle is shown nor how often a run is better.
    """
    return render(
        "comparison.html",
        lang,
        problems=[problem.message.say(lang) for problem in found.problems if problem.severity == "error"],
        measures=[_measure(one, found.secret, lang) for one in found.comparisons],
        fused=bool(found.rankings and FUSED in found.rankings),
        secret=found.secret,
        signature=found.signature,
    )


def _measure(found: Comparison, secret: bool, lang: Lang) -> dict[str, Any]:
    tests = dict.fromkeys(pair.test.test for pair in found.differences)
    methods = dict.fromkeys(pair.test.interval for pair in found.differences)
    ends = {run.name: run_interval(run) for run in found.runs}
    if any(one.method == "bound" for one in ends.values()):
        methods["bound"] = None
    return {
        "name": measure_name(found.measure),
        "n": found.n,
        "explanation": _explanation(found.measure, lang),
        "runs": [_run(run, ends[run.name], lang) for run in sorted(found.runs, key=lambda run: -run.mean)],
        "pairs": [_pair(pair, found.measure, secret, lang) for pair in found.differences],
        "tests": [*(say(f"explain.{name}", lang) for name in tests), *(say(f"ends.{name}", lang) for name in methods)],
        # Both tell single questions of two files, which a secret gold keeps to itself.
        "oracle": None if secret else _oracle(found, lang),
        "outcomes": not secret,
    }


def _explanation(measure: str, lang: Lang) -> str:
    """What the measure is, and where its interval comes from."""
    if measure not in MEASURES:
        return say("measure.fuzzy_match", lang)
    ends = say("interval.wilson" if is_share(measure) else "interval.bootstrap", lang)
    return f"{measure_name(measure)}: {MEASURES[measure].explanation.say(lang)}; {ends}."


def _run(run: Run, ends: Limits, lang: Lang) -> dict[str, Any]:
    return {
        "name": run.name,
        "fused": run.name == FUSED,
        "value": measure_text(run.measure, run.mean, lang),
        "interval": measure_interval(run.measure, ends.low, ends.high, lang),
    }


def _pair(pair: Difference, measure: str, secret: bool, lang: Lang) -> dict[str, Any]:
    test = pair.test
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": difference_text(measure, test.difference, lang),
        "interval": difference_ends(measure, test.low, test.high, lang),
        "test": test_name(test, lang),
        "p": p_value(test.p, lang),
        "adjusted": p_value(pair.adjusted_p, lang),
        "sure": pair.adjusted_p < 0.05,
        "outcomes": "" if secret else f"{test.outcomes.wins} / {test.outcomes.ties} / {test.outcomes.losses}",
    }


def test_name(test: PairedTest, lang: Lang) -> str:
    """The test with what it takes to repeat it."""
    draws = f"{test.draws or 0:,}".replace(",", "\u00a0" if lang == "pl" else ",")
    return say(f"test.{test.test}", lang).format(draws=draws, seed=test.seed)


def _oracle(found: Comparison, lang: Lang) -> dict[str, Any]:
    best = found.oracle
    alone = [(name, ids) for name, ids in best.alone.items() if ids]
    return {
        "value": measure_text(found.measure, best.value, lang),
        "gain": difference_text(found.measure, best.gain, lang),
        "best": best.best,
        "alone": [
            (say("comparison.alone", lang).format(run=name, count=len(ids)), len(ids), ids[:IDS_SHOWN])
            for name, ids in alone
        ],
        "unreached": len(best.unreached),
    }
