"""Results on disk: what was measured, on what machine, when."""

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, object]:
    """What a reader must know of the machine to judge absolute numbers (ratios should not need it)."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "processor": _processor()}


def record(name: str, result: dict[str, object]) -> None:
    """Writes `results/NAME.json`."""
    RESULTS.mkdir(exist_ok=True)
    dated = {**result, "machine": machine(), "measured": datetime.now(UTC).date().isoformat()}
    (RESULTS / f"{name}.json").write_text(json.dumps(dated, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
