"""A comparison of runs -> HTML, through the templates that escape every text of others."""

from typing import Any

from polqa_demo.comparison import FUSED, Compared, run_interval
from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.compare import Comparison, Difference, Run
from polqa_demo.evaluation.paired import PairedTest
from polqa_demo.ui.analysis_views import percent, probability, signed
from polqa_demo.ui.render import render
from polqa_demo.ui.texts import TEXTS, say

IDS_SHOWN = 8
# Measures of right and wrong are told in per cent and points, all others as they are.
_SHARES = ("fuzzy_match", "accuracy@")


def comparison_html(found: Compared, lang: Lang) -> str:
    """Every measure: the runs, best first, the oracle of all, and every pair with its test."""
    return render(
        "comparison.html",
        lang,
        problems=[problem.message.say(lang) for problem in found.problems if problem.severity == "error"],
        measures=[_measure(one, found.secret, lang) for one in found.comparisons],
        fused=bool(found.rankings and FUSED in found.rankings),
        secret=found.secret,
        signature=found.signature,
    )


def measure_name(found: Comparison) -> str:
    """A measure as it is written: `fuzzy_match (poleval)`, `MRR@10`."""
    name, _, rule = found.measure.partition(":")
    shown = name.replace("mrr", "MRR").replace("ndcg", "NDCG")
    return f"{shown} ({rule})" if rule else shown


def value_text(measure: str, value: float, lang: Lang) -> str:
    """A score: `66,7 %` of a share, `0,523` of another mean."""
    return percent(value, lang) if measure.startswith(_SHARES) else number(value, 3, lang)


def _measure(found: Comparison, secret: bool, lang: Lang) -> dict[str, Any]:
    explanation = f"measure.{found.measure.partition(':')[0]}"
    tests = {pair.test.test: pair.test for pair in found.differences}
    return {
        "name": measure_name(found),
        "n": found.n,
        "explanation": say(explanation, lang) if explanation in TEXTS else "",
        "runs": [_run(run, lang) for run in sorted(found.runs, key=lambda run: -run.mean)],
        "pairs": [_pair(pair, found.measure, lang) for pair in found.differences],
        "tests": [say(f"explain.{name}", lang) for name in tests],
        "oracle": _oracle(found, secret, lang),
    }


def _run(run: Run, lang: Lang) -> dict[str, Any]:
    low, high = run_interval(run)
    return {
        "name": run.name,
        "fused": run.name == FUSED,
        "value": value_text(run.measure, run.mean, lang),
        "interval": _interval(run.measure, low, high, lang),
    }


def _pair(pair: Difference, measure: str, lang: Lang) -> dict[str, Any]:
    test = pair.test
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": _signed(measure, test.difference, lang),
        "interval": f"[{_signed(measure, test.low, lang)}; {_signed(measure, test.high, lang)}]",
        "test": test_name(test, lang),
        "p": probability(test.p, lang),
        "adjusted": probability(pair.adjusted_p, lang),
        "sure": pair.adjusted_p < 0.05,
        "outcomes": f"{test.outcomes.wins} / {test.outcomes.ties} / {test.outcomes.losses}",
    }


def test_name(test: PairedTest, lang: Lang) -> str:
    """The test with what it takes to repeat it."""
    draws = f"{test.draws or 0:,}".replace(",", "\u00a0" if lang == "pl" else ",")
    return say(f"test.{test.test}", lang).format(draws=draws, seed=test.seed)


def _oracle(found: Comparison, secret: bool, lang: Lang) -> dict[str, Any]:
    best = found.oracle
    alone = [] if secret else [(name, ids) for name, ids in best.alone.items() if ids]
    return {
        "value": value_text(found.measure, best.value, lang),
        "gain": _signed(found.measure, best.gain, lang),
        "best": best.best,
        "alone": [
            (say("comparison.alone", lang).format(run=name, count=len(ids)), len(ids), ids[:IDS_SHOWN])
            for name, ids in alone
        ],
        "unreached": len(best.unreached),
    }


def _interval(measure: str, low: float, high: float, lang: Lang) -> str:
    if measure.startswith(_SHARES):
        return f"[{number(100 * low, 1, lang)}–{number(100 * high, 1, lang)}]"
    return f"[{number(low, 3, lang)}–{number(high, 3, lang)}]"


def _signed(measure: str, value: float, lang: Lang) -> str:
    """A difference with its sign: in points for a share, in the measure's own size otherwise."""
    if measure.startswith(_SHARES):
        return signed(100 * value, lang)
    text = number(abs(value), 3, lang)
    return text if not round(value, 3) else f"+{text}" if value > 0 else f"−{text}"
