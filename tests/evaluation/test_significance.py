"""Wilson's interval against scipy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from polqa_demo.evaluation.significance import wilson_interval


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
