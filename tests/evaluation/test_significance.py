"""Intervals, p-values and planning against scipy, statsmodels (where it is installed), simulation and hand counts."""

import math
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, false_discovery_control, fisher_exact, norm

from polqa_demo.evaluation.significance import (
    bootstrap_mean,
    equal_values_interval,
    holm,
    mean_interval,
    partial_bounds,
    smallest_difference,
    two_proportions_p,
    wilson_interval,
)


@given(st.data(), st.integers(1, 8000), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_equals_scipy(data: st.DataObject, n: int, confidence: float) -> None:
    successes = data.draw(st.integers(0, n))
    low, high = wilson_interval(successes, n, confidence)
    outside = binomtest(successes, n).proportion_ci(confidence_level=confidence, method="wilson")
    assert (low, high) == pytest.approx((outside.low, outside.high), abs=1e-9)
    assert 0 <= low <= successes / n <= high <= 1


def test_by_hand() -> None:
    # 5 of 10 at z = 1.96: 0.5 +- 1.96 * sqrt(0.025 + 0.0096036) / 1.38416
    assert wilson_interval(5, 10) == pytest.approx((0.23659, 0.76341), abs=1e-5)


def test_ends_touch_the_border() -> None:
    # without any rounding left, whatever the size
    assert {wilson_interval(0, n)[0] for n in range(1, 1001)} == {0.0}
    assert {wilson_interval(n, n)[1] for n in range(1, 1001)} == {1.0}


@pytest.mark.parametrize(
    ("successes", "n", "confidence", "named"),
    [(0, 0, 0.95, "at least one"), (3, 2, 0.95, "0..2"), (-1, 2, 0.95, "0..2"), (1, 2, 1.0, "confidence")],
)
def test_impossible_input(successes: int, n: int, confidence: float, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        wilson_interval(successes, n, confidence)


def reciprocal_ranks(n: int) -> list[float]:
    ranks = np.random.default_rng(4).integers(0, 11, n)
    return [1 / rank if rank else 0.0 for rank in ranks.tolist()]


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("distinct", ["few", "many"])
def test_bootstrap_agrees_with_scipy(distinct: str, confidence: float) -> None:
    n = 500
    values = reciprocal_ranks(n) if distinct == "few" else np.random.default_rng(5).beta(2, 5, n).tolist()
    ours = bootstrap_mean(values, seed=1, resamples=20_000, confidence=confidence)
    outside = bootstrap(
        (values,),
        np.mean,
        n_resamples=20_000,
        batch=2000,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    # The Monte-Carlo error of a quantile q of a normal distribution, for the difference of two runs, four times over.
    tail = (1 - confidence) / 2
    error = math.sqrt(2 * tail * (1 - tail) / 20_000) / norm.pdf(norm.ppf(tail)) * np.std(values) / math.sqrt(n)
    assert (ours.low, ours.high) == pytest.approx((outside.low, outside.high), abs=4 * error)
    assert ours.value == pytest.approx(np.mean(values), abs=1e-12)


def test_bootstrap_reaches_the_normal_limit() -> None:
    values = [1.0] * 2800 + [0.0] * 4200
    found = bootstrap_mean(values, resamples=100_000)
    half = norm.ppf(0.975) * math.sqrt(0.4 * 0.6 / 7000)
    assert (found.low, found.high) == pytest.approx((0.4 - half, 0.4 + half), abs=2e-4)


def test_bootstrap_is_drawn_again_by_its_seed() -> None:
    values = reciprocal_ranks(300)
    assert bootstrap_mean(values, seed=7) == bootstrap_mean(values, seed=7)
    assert bootstrap_mean(values, seed=7) != bootstrap_mean(values, seed=8)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-5, 5), min_size=1, max_size=60), st.integers(0, 9))
def test_bootstrap_stays_within_the_values(values: list[float], seed: int) -> None:
    found = bootstrap_mean(values, seed=seed, resamples=200)
    assert min(values) <= found.low <= found.high <= max(values)
    assert min(values) <= found.value <= max(values)
    assert found.n == len(values)


def test_bootstrap_of_equal_values_is_that_value() -> None:
    found = bootstrap_mean([0.1] * 7)
    assert (found.low, found.value, found.high) == (0.1, 0.1, 0.1)


def test_bootstrap_is_fast_and_small() -> None:
    few = reciprocal_ranks(7000)
    start = time.process_time()
    bootstrap_mean(few)
    # Some ten milliseconds; a second is left for slow machines. 10,000 x 7,000 single draws would need 560 MB.
    assert time.process_time() - start < 1
    many = np.random.default_rng(3).random(7000).tolist()
    tracemalloc.start()
    bootstrap_mean(many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64_000_000


def test_a_sample_longer_than_a_piece_is_drawn_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(6).random(1000).tolist()
    whole = bootstrap_mean(values, resamples=4000)
    monkeypatch.setattr("polqa_demo.evaluation.significance._PIECE", 300)
    in_parts = bootstrap_mean(values, resamples=4000)
    assert (in_parts.low, in_parts.high) == pytest.approx((whole.low, whole.high), abs=0.002)


@pytest.mark.parametrize(
    ("values", "options", "named"),
    [
        ([], {}, "at least one finite"),
        ([1.0, math.nan], {}, "at least one finite"),
        ([1.0], {"resamples": 0}, "resample"),
        ([1.0], {"confidence": 1.0}, "confidence"),
    ],
)
def test_impossible_bootstrap(values: list[float], options: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        bootstrap_mean(values, **options)  # type: ignore[arg-type]


@given(st.lists(st.floats(0, 1), max_size=30))
def test_holm_against_its_definition(p_values: list[float]) -> None:
    found = holm(p_values)
    order = sorted(p_values)
    for p, adjusted in zip(p_values, found, strict=True):
        below = [(len(order) - place) * other for place, other in enumerate(order) if other <= p]
        assert adjusted == pytest.approx(min(1.0, max(below)))
        assert p <= adjusted <= 1
    assert [found[i] for i in sorted(range(len(found)), key=p_values.__getitem__)] == sorted(found)


def test_holm_by_hand() -> None:
    # 4 x 0.01; 3 x 0.02 = 0.06; 2 x 0.03 = 0.06; 0.04 raised to 0.06
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx((0.06, 0.04, 0.06, 0.06))
    assert holm([]) == ()
    # never milder than the false discovery rate of Benjamini and Hochberg
    p_values = [0.001, 0.01, 0.2, 0.04, 0.5]
    assert all(holm(p_values) >= false_discovery_control(p_values))
    with pytest.raises(ValueError, match="within"):
        holm([1.2])


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(0, 300), st.floats(0, 1), st.floats(0, 1))
def test_fisher_equals_scipy(n: int, rest: int, share: float, other_share: float) -> None:
    one, two = round(n * share), round(rest * other_share)
    outside = fisher_exact([[one, n - one], [two, rest - two]]).pvalue
    assert two_proportions_p([one], [n], [two], [rest]) == pytest.approx((outside,), abs=1e-9)


def test_fisher_by_hand() -> None:
    # Fisher's tea: 3 of 4 against 1 of 4 has (16 + 1) * 2 of 70 tables that are no likelier
    assert two_proportions_p([3], [4], [1], [4]) == pytest.approx((34 / 70,))
    assert two_proportions_p([0, 5], [0, 5], [3, 0], [9, 0]) == (1.0, 1.0)
    assert two_proportions_p([], [], [], []) == ()
    with pytest.raises(ValueError, match="within"):
        two_proportions_p([3], [2], [0], [1])


def test_hundreds_of_slices_take_no_time() -> None:
    sizes = [5 + 8 * place for place in range(400)]
    hits = [size // 2 for size in sizes]
    arguments = hits, sizes, [3000 - hit for hit in hits], [7000 - size for size in sizes]
    two_proportions_p(*arguments)
    start = time.process_time()
    found = two_proportions_p(*arguments)
    # Some 30 ms; the margin is for slow machines.
    assert time.process_time() - start < 0.3
    outside = [fisher_exact([[o, n - o], [t, r - t]]).pvalue for o, n, t, r in list(zip(*arguments, strict=True))[::50]]
    assert found[::50] == pytest.approx(outside, rel=1e-7, abs=1e-12)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_partial_bounds_hold_whatever_is_missing(correct: int, missing: int, wrong: int) -> None:
    n = correct + missing + wrong
    if n:
        low, high = partial_bounds(correct, missing, n)
        assert 0 <= low <= high <= 1
        assert high - low == pytest.approx(missing / n)
        assert low <= (correct + missing // 2) / n <= high


def test_partial_bounds_by_hand() -> None:
    assert partial_bounds(412, 177, 1000) == (0.412, 0.589)
    with pytest.raises(ValueError, match="do not fit"):
        partial_bounds(9, 2, 10)


def power_unpaired(n: int, p: float, q: float, runs: int) -> float:
    """How often the two-sided z-test of two shares finds the difference."""
    chance = np.random.default_rng(11)
    one, two = chance.binomial(n, p, runs) / n, chance.binomial(n, q, runs) / n
    middle = (one + two) / 2
    return float(np.mean(np.abs(one - two) > norm.ppf(0.975) * np.sqrt(2 * middle * (1 - middle) / n)))


def power_paired(n: int, difference: float, discordant: float, runs: int) -> float:
    """How often McNemar's test (without correction) finds the difference."""
    chance = np.random.default_rng(12)
    shares = [(discordant + difference) / 2, (discordant - difference) / 2, 1 - discordant]
    better, worse, _ = chance.multinomial(n, shares, runs).T
    return float(np.mean(np.abs(better - worse) > norm.ppf(0.975) * np.sqrt(better + worse)))


@pytest.mark.parametrize(("n", "p"), [(200, 0.3), (1000, 0.6), (7000, 0.72)])
def test_smallest_difference_by_simulation(n: int, p: float) -> None:
    found = smallest_difference(n, p, discordant=0.2)
    assert found.unpaired is not None
    assert found.paired is not None
    other = p + found.unpaired if p < 0.5 else p - found.unpaired
    # Monte-Carlo error of 0.8 over 20,000 runs is 0.003; the rest is the normal approximation.
    assert power_unpaired(n, p, other, 20_000) == pytest.approx(0.8, abs=0.02)
    assert power_paired(n, found.paired, 0.2, 20_000) == pytest.approx(0.8, abs=0.02)


def test_the_least_possible_difference_by_simulation() -> None:
    found = smallest_difference(1000, 0.6)
    assert found.discordant is None
    assert found.paired is not None
    # All differing answers fall to one side: the test has but a few steps, so its power jumps.
    assert power_paired(1000, found.paired, found.paired, 50_000) == pytest.approx(0.8, abs=0.17)
    assert power_paired(1000, 1.5 * found.paired, 1.5 * found.paired, 50_000) > 0.95


@pytest.mark.parametrize(("n", "p"), [(60, 0.5), (1000, 0.6), (7000, 0.1)])
def test_smallest_difference_equals_statsmodels(n: int, p: float) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    found = smallest_difference(n, p).unpaired
    assert found is not None
    low = p if p < 0.5 else p - found
    power = proportion.power_proportions_2indep(found, low, n, ratio=1, alpha=0.05, return_results=False)
    assert power == pytest.approx(0.8, abs=1e-4)


@given(st.integers(100, 20_000), st.floats(0.05, 0.95), st.floats(0.5, 0.95))
def test_more_questions_tell_more_apart(n: int, p: float, power: float) -> None:
    fewer, more = smallest_difference(n, p, power), smallest_difference(2 * n, p, power)
    # Below a hundred questions, or with nearly all right or wrong, the approximations cross.
    for smaller, larger in ((more.unpaired, fewer.unpaired), (more.paired, fewer.paired)):
        if larger is not None:
            assert smaller is not None
            assert 0 < smaller <= larger <= 1
    if fewer.unpaired is not None:
        assert fewer.paired is not None
        assert fewer.paired <= fewer.unpaired + 1e-9


def test_a_handful_of_questions_tells_nothing_apart() -> None:
    assert smallest_difference(3, 0.5).unpaired is None
    with pytest.raises(ValueError, match="at least one"):
        smallest_difference(0, 0.5)
    with pytest.raises(ValueError, match="power"):
        smallest_difference(10, 0.5, power=1)


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_equal_values_are_not_certain_to_stay_equal(n: int, value: float, confidence: float) -> None:
    low, high = equal_values_interval(value, n, 0, 1, confidence)
    assert 0 <= low <= value <= high <= 1
    assert high - low > 0
    # The share of values never seen that n draws miss just too often: scipy's limit of none in n.
    unseen = binomtest(0, n).proportion_ci(confidence).high
    assert (low, high) == pytest.approx((value * (1 - unseen), value + unseen * (1 - value)))


def test_a_mean_of_equal_values_has_a_bound_instead_of_a_bootstrap() -> None:
    found = mean_interval([1.0] * 20, seed=3, resamples=50)
    assert (found.value, found.high, found.method) == (1, 1, "bound")
    assert found.low == pytest.approx(0.025 ** (1 / 20))
    values = [1.0, 0.5, 0.0, 0.25]
    assert mean_interval(values, 3, 50) == bootstrap_mean(values, 3, 50)
    assert mean_interval(values).method == "bootstrap"


def test_impossible_equal_values() -> None:
    for value, n in ((2.0, 3), (0.5, 0)):
        with pytest.raises(ValueError, match="within"):
            equal_values_interval(value, n, 0, 1)
    with pytest.raises(ValueError, match="confidence"):
        equal_values_interval(0.5, 3, 0, 1, 1.0)
