"""Two runs on the same questions: is the difference more than chance? One exact test, one randomised, an interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from polqa_demo.evaluation.significance import Limits, Method, equal_values_interval, wilson_interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWS = 10_000
CONFIDENCE = 0.95

# The bootstrap distribution of a sum is laid on so many cells, over eight standard errors on either side.
_CELLS = 1 << 16
_WIDTH = 16
# Sums that are equal on paper come out this far apart, as a share of the sum of all sizes.
_ROUNDING = 1e-12

Test = Literal["mcnemar", "randomisation"]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """On how many questions the first run is better, equal, worse than the second."""

    wins: int
    ties: int
    losses: int

    @property
    def n(self) -> int:
        """How many questions were compared."""
        return self.wins + self.ties + self.losses


@dataclass(frozen=True, slots=True)
class McNemar:
    """Right and wrong of two runs as a fourfold table, and the exact two-sided p-value."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float

    @property
    def discordant(self) -> int:
        """Questions that just one run has right: all that the test looks at."""
        return self.only_first + self.only_second


@dataclass(frozen=True, slots=True)
class Randomisation:
    """A difference of means (first minus second), and how many of `draws` random ones were at least as large."""

    difference: float
    as_large: int
    draws: int
    seed: int

    @property
    def p(self) -> float:
        """The two-sided p-value; the observed difference counts as one of the draws, so that it is never 0."""
        return (self.as_large + 1) / (self.draws + 1)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two runs on `n` questions: their means, first minus second, its interval, who wins where, and the p-value.

    `interval` says which method gave `low` and `high`, `test` which test gave `p`; `draws` and `seed` are set for the
    randomised one.
    """

    n: int
    first: float
    second: float
    difference: float
    low: float
    high: float
    confidence: float
    interval: Method
    outcomes: Outcomes
    test: Test
    p: float
    draws: int | None = None
    seed: int | None = None


def paired_test(first: Sequence[float], second: Sequence[float], seed: int = 0, draws: int = DRAWS) -> PairedTest:
    """Compares the values of two runs, question by question.

    Where all values are 0 or 1 the test is McNemar's, exact; otherwise approximate randomisation.
    Raises ValueError when the runs differ in length, are empty, or hold values that are not finite.
    """
    one, two = _pair(first, second)
    low, high, method = difference_interval(first, second)
    n = len(one)
    means = math.fsum(first) / n, math.fsum(second) / n
    outcomes = win_tie_loss(first, second)
    if _binary(one) and _binary(two):
        p = mcnemar_p(outcomes.wins, outcomes.losses)
        difference = (outcomes.wins - outcomes.losses) / n
        return PairedTest(n, *means, difference, low, high, CONFIDENCE, method, outcomes, "mcnemar", p)
    found = randomisation(first, second, seed, draws)
    return PairedTest(
        n, *means, found.difference, low, high, CONFIDENCE, method, outcomes, "randomisation", found.p, draws, seed
    )


def win_tie_loss(first: Sequence[float], second: Sequence[float]) -> Outcomes:
    """Who is better on how many questions. Raises ValueError as `paired_test`."""
    one, two = _pair(first, second)
    wins, losses = int((one > two).sum()), int((one < two).sum())
    return Outcomes(wins, len(one) - wins - losses, losses)


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """McNemar's exact test of two runs of right and wrong answers.

    Raises ValueError when the runs differ in length.
    Source: Q. McNemar, Note on the sampling error of the difference between correlated proportions, Psychometrika 12
    (1947); exact by the binomial distribution.
    """
    pairs = list(zip(first, second, strict=True))
    only_first, only_second = sum(a and not b for a, b in pairs), sum(b and not a for a, b in pairs)
    both = sum(a and b for a, b in pairs)
    neither = len(pairs) - both - only_first - only_second
    return McNemar(both, only_first, only_second, neither, mcnemar_p(only_first, only_second))


def mcnemar_p(only_first: int, only_second: int) -> float:
    """The two-sided binomial p-value of a split that is even by chance, in whole numbers; 1 for no discordant pair.

    Raises ValueError for a negative count.
    """
    if min(only_first, only_second) < 0:
        message = f"counts of questions are not negative: {only_first}, {only_second}"
        raise ValueError(message)
    discordant = only_first + only_second
    ways = total = 1
    for taken in range(min(only_first, only_second)):
        ways = ways * (discordant - taken) // (taken + 1)
        total += ways
    # The distribution is symmetric: the other tail weighs the same.
    return min(1.0, 2 * total / (1 << discordant))


def randomisation(first: Sequence[float], second: Sequence[float], seed: int = 0, draws: int = DRAWS) -> Randomisation:
    """Approximate randomisation of the difference of two paired means, two-sided.

    Were the runs alike, each question's two values could as well be swapped, which flips the sign of its difference;
    p is the share of random flips whose sum is at least as far from 0 as the observed one, smoothed by one.

    Eight signs are one random byte, and a table holds the sum of eight differences for each of its 256 values: exact
    to rounding, at an eighth of the additions. Memory grows with draws and with questions, never with their product.

    Raises ValueError as `paired_test`, or when draws is below 1.
    Source: E. W. Noreen, Computer-Intensive Methods for Testing Hypotheses (1989); p smoothed as in sacreBLEU, which
    does not count equal sums, so that there a run differs from itself.
    """
    import numpy as np

    one, two = _pair(first, second)
    if draws < 1:
        message = f"a randomised test needs at least one draw, not {draws}"
        raise ValueError(message)
    differences = one - two
    observed = math.fsum(differences)
    # A zero has no sign to flip.
    sums = _flipped_sums(differences[differences != 0], draws, np.random.PCG64(seed))
    enough = abs(observed) - _ROUNDING * float(np.abs(differences).sum())
    return Randomisation(observed / len(one), int((np.abs(sums) >= enough).sum()), draws, seed)


def difference_interval(first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE) -> Limits:
    """The interval of the difference of two paired means of values within 0..1, by the method that fits the values.

    Newcombe's where all are 0 or 1; otherwise the bootstrap's, or where all differences are equal, so that there is
    nothing to resample, the bound of what as many questions may have missed (`equal_values_interval`).

    Raises ValueError as `bootstrap_interval`.
    """
    one, two = _pair(first, second)
    if _binary(one) and _binary(two):
        both, neither = int((one * two).sum()), int(((1 - one) * (1 - two)).sum())
        seen = win_tie_loss(first, second)
        return Limits(*newcombe_interval(both, seen.wins, seen.losses, neither, confidence), "newcombe")
    low, high = bootstrap_interval(first, second, confidence)
    # Differences that are equal on paper come out a hair apart.
    if high - low > _ROUNDING:
        return Limits(low, high, "bootstrap")
    reach = max(1.0, abs(low))
    return Limits(*equal_values_interval(low, len(one), -reach, reach, confidence), "bound")


def newcombe_interval(
    both: int, only_first: int, only_second: int, neither: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Newcombe's interval of the difference of two paired shares, first minus second: method 10 of the source.

    Wilson's intervals of both shares are joined by their correlation, whose estimate phi has a continuity correction;
    it is 0 where either share is 0 or 1. It has a width even where the two are right and wrong alike. On average it
    covers a little more than it promises (95.8 % of 95 % at 10 questions), near the edges less (from 86 %).

    Raises ValueError for negative counts, no questions, or a confidence not between 0 and 1.
    Source: R. G. Newcombe, Improved confidence intervals for the difference between binomial proportions based on
    paired data, Statistics in Medicine 17 (1998), 2635-2650.
    """
    n = both + only_first + only_second + neither
    if min(both, only_first, only_second, neither) < 0:
        message = f"counts of questions are not negative: {both}, {only_first}, {only_second}, {neither}"
        raise ValueError(message)
    right, wrong = (both + only_first, both + only_second), (only_second + neither, only_first + neither)
    intervals = [wilson_interval(hits, n, confidence) for hits in right]
    (below, above), (other_below, other_above) = (
        (hits / n - low, high - hits / n) for hits, (low, high) in zip(right, intervals, strict=True)
    )
    agreeing: float = both * neither - only_first * only_second
    if agreeing > 0:
        agreeing = max(agreeing - n / 2, 0)
    margins = math.prod((*right, *wrong))
    phi = agreeing / math.sqrt(margins) if margins else 0.0

    def joined(one: float, two: float) -> float:
        return math.sqrt(max(0.0, one * one - 2 * phi * one * two + two * two))

    difference = (only_first - only_second) / n
    return (
        max(-1.0, difference - joined(below, other_above)),
        min(1.0, difference + joined(above, other_below)),
    )


def bootstrap_interval(
    first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The percentile bootstrap interval of the difference of two paired means, with no resampling error.

    Resampled questions keep their two values together, so the bootstrap is that of a mean of n differences. Its exact
    distribution (Efron's ideal bootstrap, the limit of ever more resamples) is the n-fold convolution of the
    differences' own distribution, taken here by Fourier transform on a grid: milliseconds, and the same every time.
    The grid's steps are 1/4096 of a standard error; what they add to it is below 0.1 % up to 100,000 questions. Where
    all differences are equal both ends are that difference.

    Raises ValueError as `paired_test`, or when the confidence is not between 0 and 1.
    Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapters 6 and 13.
    """
    import numpy as np

    one, two = _pair(first, second)
    if not 0 < confidence < 1:
        message = f"the confidence must lie between 0 and 1, not be {confidence}"
        raise ValueError(message)
    differences = one - two
    n, mean = len(differences), math.fsum(differences) / len(differences)
    centred = differences - mean
    spread = math.sqrt(float(centred @ centred) / n)
    # Equal differences have the same mean however they are drawn; rounding would give them a spread.
    if n == 1 or differences.min() == differences.max():
        return mean, mean
    step = _WIDTH * spread * math.sqrt(n) / _CELLS
    cells = np.floor(centred / step)
    # A value between two cells is shared out among them so that the mean stays.
    part = centred / step - cells
    places = cells.astype(np.int64)
    chances = np.bincount(places % _CELLS, (1 - part) / n, _CELLS)
    chances += np.bincount((places + 1) % _CELLS, part / n, _CELLS)
    sums = np.fft.irfft(np.fft.rfft(chances) ** n, _CELLS)
    cumulative = np.cumsum(np.roll(sums.clip(0), _CELLS // 2))
    tail = (1 - confidence) / 2
    ends = np.searchsorted(cumulative, np.array([tail, 1 - tail]) * cumulative[-1])
    low, high = mean + (ends - _CELLS // 2) * step / n
    return max(float(low), float(differences.min())), min(float(high), float(differences.max()))


def _flipped_sums(
    differences: "NDArray[np.float64]", draws: int, source: "np.random.BitGenerator"
) -> "NDArray[np.float64]":
    """The sums of the differences under random signs, one a draw."""
    import numpy as np

    groups = np.zeros((math.ceil(len(differences) / 8), 8))
    groups.ravel()[: len(differences)] = differences
    signs = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * 2.0 - 1
    sums, places, parts = np.zeros(draws), np.empty(draws, np.intp), np.empty(draws)
    for group in groups:
        # Whole random words as they come: nothing is cheaper, and their order is the same on every machine.
        words = source.random_raw(math.ceil(draws / 8)).astype("<u8", copy=False)
        places[:] = words.view(np.uint8)[:draws]
        # A byte is always a place of the table; to clip is cheaper than to check.
        sums += np.take(signs @ group, places, out=parts, mode="clip")
    return sums


def _pair(first: Sequence[float], second: Sequence[float]) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
    import numpy as np

    one, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.shape != two.shape or one.ndim != 1 or not len(one):
        message = f"two runs over the same questions are needed, at least one; not {one.size} and {two.size} values"
        raise ValueError(message)
    if not (np.isfinite(one).all() and np.isfinite(two).all()):
        message = "all values must be finite"
        raise ValueError(message)
    return one, two


def _binary(values: "NDArray[np.float64]") -> bool:
    return bool(((values == 0) | (values == 1)).all())
