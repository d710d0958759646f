"""How sure a share is."""

import math
from statistics import NormalDist


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
    if not 0 < confidence < 1:
        message = f"the confidence must lie between 0 and 1, not be {confidence}"
        raise ValueError(message)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    # At the ends the interval touches 0 or 1 exactly; rounding would miss them by a hair.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high
