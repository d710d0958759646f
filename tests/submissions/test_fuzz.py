"""Some thousand mutated files in the suite; the long run is test_fuzz_heavy.py."""

import pytest
from fuzzing import outcomes


@pytest.mark.parametrize("seed", [1, 2])
def test_no_accident_raises_anything_but_a_problem_report(seed: int) -> None:
    found, slowest = outcomes(1500, seed)
    assert sum(found.values()) == 1500
    # The files reach all the way to a score, and many kinds of refusal.
    assert found["scored"] > 150
    assert len(found) > 12
    # Nor is any so small a file worth more than a moment (the first of a kind loads its library).
    assert slowest < 5
