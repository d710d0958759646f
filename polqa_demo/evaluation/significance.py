"""How sure a share or a mean is, what N questions can tell apart, and p-values for many comparisons at once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A bootstrap works in pieces of so many numbers: some 16 MB at a time, whatever the input.
_PIECE = 1 << 21
# With more distinct values than this share of all, single draws are cheaper than counts.
_FEW = 1 / 20

Method = Literal["wilson", "newcombe", "bootstrap", "bound"]
"""What an interval is: of a share, of a paired difference of shares, of other means, of a mean of equal values."""


class Limits(NamedTuple):
    """Both ends of an interval and the method that gave them."""

    low: float
    high: float
    method: Method


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of `n` values with its interval, and what it takes to draw a percentile bootstrap again.

    `method` is `bound` where all values are equal, so that there was nothing to draw: see `equal_values_interval`.
    """

    value: float
    low: float
    high: float
    n: int
    confidence: float
    seed: int
    resamples: int
    method: Method = "bootstrap"


@dataclass(frozen=True, slots=True)
class SmallestDifference:
    """The smallest difference of two shares, 0..1, that `n` questions show with the given power (None: none at all).

    `unpaired`: two systems whose errors have nothing to do with each other, or that answered different questions.
    `paired`: both answered the same questions, and `discordant` is the share of questions that only one has right; when
    that is not known (None), the least possible: one system is right wherever the other is. What two real systems need
    on the same questions lies between the two.
    """

    n: int
    share: float
    power: float
    alpha: float
    unpaired: float | None
    paired: float | None
    discordant: float | None


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share `successes / n`, without continuity correction, within 0..1.

    Raises ValueError when n is 0, when the successes are not within 0..n, or the confidence not between 0 and 1.
    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    if n < 1:
        message = f"an interval needs at least one question, not {n}"
        raise ValueError(message)
    if not 0 <= successes <= n:
        message = f"{successes} successes do not fit within 0..{n}"
        raise ValueError(message)
    _refuse_unless_inside("confidence", confidence)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    # At the ends the interval touches 0 or 1 exactly; rounding would miss them by a hair.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


def equal_values_interval(
    value: float, n: int, lowest: float, highest: float, confidence: float = 0.95
) -> tuple[float, float]:
    """An interval of a mean of which `n` values were seen, all equal, and which may lie within lowest..highest.

    To resample equal values gives the same mean every time, which is no certainty. Other values may make up a share of
    all questions that n of them just happen to miss: up to 1 - ((1 - confidence) / 2) ** (1 / n), Clopper's and
    Pearson's limit of a share that was never seen. The ends are the means if all of that share were lowest or highest.

    Raises ValueError when n is below 1, the value outside the range, or the confidence not between 0 and 1.
    Source: C. J. Clopper, E. S. Pearson, The use of confidence or fiducial limits, Biometrika 26 (1934); J. A. Hanley,
    A. Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 249 (1983).
    """
    if n < 1 or not lowest <= value <= highest:
        message = f"at least one value within {lowest}..{highest} is needed, not {n} of {value}"
        raise ValueError(message)
    _refuse_unless_inside("confidence", confidence)
    unseen = 1 - ((1 - confidence) / 2) ** (1 / n)
    return value - unseen * (value - lowest), value + unseen * (highest - value)


def mean_interval(
    values: Sequence[float], seed: int = 0, resamples: int = 10_000, confidence: float = 0.95
) -> Interval:
    """The interval of a mean of values within 0..1: the bootstrap's, or of equal values `equal_values_interval`.

    Raises ValueError as `bootstrap_mean`, or for equal values outside 0..1.
    """
    drawn = bootstrap_mean(values, seed, resamples, confidence)
    if min(values) < max(values):
        return drawn
    low, high = equal_values_interval(drawn.value, drawn.n, 0.0, 1.0, confidence)
    return replace(drawn, low=low, high=high, method="bound")


def bootstrap_mean(
    values: Sequence[float], seed: int = 0, resamples: int = 10_000, confidence: float = 0.95
) -> Interval:
    """The percentile bootstrap interval of a mean, as `scipy.stats.bootstrap(method="percentile")` defines it.

    A resample is n draws with replacement from the n values. How often it holds each distinct value is multinomial with
    the values' shares, so that drawing these counts gives the same means, many times faster where values repeat
    (right or wrong, reciprocal ranks). Values that hardly repeat are drawn one by one. Memory is bounded.

    Raises ValueError for no values, values that are not finite, no resamples, or a confidence not between 0 and 1.
    Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
    """
    import numpy as np

    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or not len(sample) or not np.isfinite(sample).all():
        message = "a bootstrap needs a sequence of at least one finite value"
        raise ValueError(message)
    if resamples < 1:
        message = f"a bootstrap needs at least one resample, not {resamples}"
        raise ValueError(message)
    _refuse_unless_inside("confidence", confidence)
    distinct, counts = np.unique(sample, return_counts=True)
    generator = np.random.default_rng(seed)
    if len(distinct) <= max(2, len(sample) * _FEW):
        means = _means_by_counts(distinct, counts, resamples, generator)
    else:
        means = _means_by_draws(sample, resamples, generator)
    tail = 50 * (1 - confidence)
    # A mean of equal values may miss them by a hair.
    low, high = np.clip(np.percentile(means, [tail, 100 - tail]), distinct[0], distinct[-1])
    value = min(max(math.fsum(values) / len(sample), float(distinct[0])), float(distinct[-1]))
    return Interval(value, float(low), float(high), len(sample), confidence, seed, resamples)


def smallest_difference(
    n: int, p: float, power: float = 0.8, alpha: float = 0.05, discordant: float | None = None
) -> SmallestDifference:
    """The smallest difference from a share `p` that a two-sided test on `n` questions finds with the given power.

    The other share is sought towards one half, where a difference is harder to see. Both bounds are the normal
    approximations that are in use for planning, without continuity correction; they are rough below some 100 questions
    and where nearly all are right or wrong.

    Raises ValueError when n is below 1, p not within 0..1, or power, alpha or discordant not between 0 and 1.
    Source: unpaired, Fleiss, Levin, Paik, Statistical Methods for Rates and Proportions (2003), 4.2; paired (McNemar's
    test), R. J. Connor, Sample size for testing differences in proportions for the paired-sample design, Biometrics 43
    (1987).
    """
    if n < 1 or not 0 <= p <= 1:
        message = f"a share of 0..1 of at least one question is needed, not {p} of {n}"
        raise ValueError(message)
    for name, value in (("power", power), ("alpha", alpha), ("discordant", 0.5 if discordant is None else discordant)):
        _refuse_unless_inside(name, value)
    critical, wanted = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    direction = 1 if p < 0.5 else -1

    def unpaired(difference: float) -> float:
        other = p + direction * difference
        middle = (p + other) / 2
        spread = critical * math.sqrt(2 * middle * (1 - middle))
        return difference * math.sqrt(n) - spread - wanted * math.sqrt(p * (1 - p) + max(0.0, other * (1 - other)))

    def paired(difference: float) -> float:
        apart = difference if discordant is None else discordant
        spread = critical * math.sqrt(apart) + wanted * math.sqrt(max(0.0, apart - difference * difference))
        return difference * math.sqrt(n) - spread

    room = max(p, 1 - p)
    widest = room if discordant is None else min(room, discordant)
    return SmallestDifference(n, p, power, alpha, _first_root(unpaired, room), _first_root(paired, widest), discordant)


def partial_bounds(correct: int, missing: int, n: int) -> tuple[float, float]:
    """The least and the greatest share of right answers, whatever the `missing` ones of `n` would have been.

    Raises ValueError when n is 0 or the counts do not fit into it.
    """
    if n < 1 or correct < 0 or missing < 0 or correct + missing > n:
        message = f"{correct} right and {missing} missing do not fit into {n} questions"
        raise ValueError(message)
    return correct / n, (correct + missing) / n


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down adjustment: with these p-values the chance of any false finding stays below the level.

    In the order of the input. Raises ValueError when a p-value is not within 0..1.
    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6 (1979).
    """
    if not all(0 <= p <= 1 for p in p_values):
        message = "p-values lie within 0..1"
        raise ValueError(message)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for passed, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - passed) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def two_proportions_p(
    hits: Sequence[int], n: Sequence[int], other_hits: Sequence[int], other_n: Sequence[int]
) -> tuple[float, ...]:
    """Fisher's exact two-sided p-values of `hits / n` against `other_hits / other_n`, pair by pair.

    Exact at every size, so that small and large slices share one test (Boschloo's would be a little sharper and
    hundreds of times slower). A side without questions gives 1. Hundreds of pairs take milliseconds: the factorials are
    tabulated once. Raises ValueError when hits do not fit within their n.
    Source: R. A. Fisher, Statistical Methods for Research Workers; two-sided as in R and scipy: all tables with the
    same margins that are no likelier than the one observed.
    """
    rows = list(zip(hits, n, other_hits, other_n, strict=True))
    if any(not 0 <= one <= size or not 0 <= two <= rest for one, size, two, rest in rows):
        message = "hits must lie within 0..n"
        raise ValueError(message)
    if not rows:
        return ()
    table = _log_factorials(max(size + rest for _, size, _, rest in rows))
    return tuple(_fisher(table, *row) for row in rows)


def _fisher(table: "NDArray[np.float64]", one: int, size: int, two: int, rest: int) -> float:
    import numpy as np

    total = one + two
    first, last = max(0, total - rest), min(total, size)
    if first == last:
        return 1.0
    inside = np.arange(first, last + 1)
    left = total - inside
    logs = -(table[inside] + table[size - inside] + table[left] + table[rest - left])
    chances = np.exp(logs - logs.max())
    # Equal chances come out a hair apart; R's tolerance.
    likely = chances[one - first] * (1 + 1e-7)
    return min(1.0, float(chances[chances <= likely].sum() / chances.sum()))


@lru_cache(4)
def _log_factorials(n: int) -> "NDArray[np.float64]":
    import numpy as np

    return np.fromiter((math.lgamma(number + 1) for number in range(n + 1)), np.float64, n + 1)


def _means_by_counts(
    distinct: "NDArray[np.float64]", counts: "NDArray[np.int64]", resamples: int, generator: "np.random.Generator"
) -> "NDArray[np.float64]":
    import numpy as np

    n = int(counts.sum())
    rows = max(1, _PIECE // len(distinct))
    sizes = [min(rows, resamples - done) for done in range(0, resamples, rows)]
    return np.concatenate([generator.multinomial(n, counts / n, size) @ distinct / n for size in sizes])


def _means_by_draws(
    sample: "NDArray[np.float64]", resamples: int, generator: "np.random.Generator"
) -> "NDArray[np.float64]":
    import numpy as np

    n = len(sample)
    # Beyond a piece's length even one resample is drawn in parts.
    rows = max(1, _PIECE // n)
    means = np.zeros(resamples)
    for done in range(0, resamples, rows):
        size = min(rows, resamples - done)
        for part in range(0, n, _PIECE):
            draws = generator.integers(0, n, (size, min(_PIECE, n - part)), dtype=np.int32)
            means[done : done + size] += sample[draws].sum(axis=1)
    return means / n


def _first_root(excess: Callable[[float], float], highest: float) -> float | None:
    """Where a difference becomes large enough: `excess` is negative below; None when it still is at the highest."""
    if excess(highest) < 0:
        return None
    low = 0.0
    for _ in range(60):
        middle = (low + highest) / 2
        low, highest = (middle, highest) if excess(middle) < 0 else (low, middle)
    return highest


def _refuse_unless_inside(name: str, value: float) -> None:
    if not 0 < value < 1:
        message = f"the {name} must lie between 0 and 1, not be {value}"
        raise ValueError(message)
