"""`python -m benchmarks [--record]`: every benchmark in turn; those that need real data say so when it is absent."""

import subprocess
import sys

NAMES = (
    "scoring_speed",
    "start_and_memory",
    "lexical_speed",
    "lexical_quality",
    "fusion",
    "retrieval_default",
    "hybrid_speed",
    "corpus_encoding",
    "reader_quality",
    "reader_spans",
    "default_costs",
    "end_to_end",
    "evaluation_speed",
    "compare_speed",
    "ranking_speed",
    "evaluate_tab",
    "big_files",
    "many_requests",
)


def main() -> None:
    """Runs them one after the other and ends with 1 when any failed."""
    failed = [
        name
        for name in NAMES
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *sys.argv[1:]], check=False).returncode
    ]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
