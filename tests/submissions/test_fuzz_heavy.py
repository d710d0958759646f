"""The long run over mutated files; its result is a record in benchmarks/results/fuzz.json.

POLQA_FUZZ_INPUTS says how many (200,000), POLQA_FUZZ_SEED where to begin.
"""

import os
import resource
import time

import pytest
from fuzzing import outcomes

from benchmarks.recording import record

INPUTS = int(os.environ.get("POLQA_FUZZ_INPUTS", "200000"))
SEED = int(os.environ.get("POLQA_FUZZ_SEED", "2026"))


@pytest.mark.heavy
@pytest.mark.timeout(7200)
def test_a_great_many_accidents() -> None:
    start = time.perf_counter()
    found, slowest = outcomes(INPUTS, SEED)
    seconds = time.perf_counter() - start
    assert sum(found.values()) == INPUTS
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    # The files are of some kilobytes; none may blow up, in time or in memory.
    assert slowest < 5
    assert peak < 1000
    result = {
        "inputs": INPUTS,
        "seconds": round(seconds, 1),
        "inputs_per_second": round(INPUTS / seconds),
        "exceptions_that_are_no_problem_report": 0,
        "slowest_seconds": round(slowest, 2),
        "peak_megabytes": round(peak),
        "outcomes": dict(found.most_common()),
        "seed": SEED,
    }
    record("fuzz", result)
