"""Files that leave the app: each in a fresh folder, deleted after some hours."""

import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

_PREFIX = "polqa-demo-out-"
_KEEP_SECONDS = 2 * 3600


def download(name: str, text: str) -> str:
    """The path of a new file with this text."""
    path = _fresh_folder() / name
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


def upload_copy(source: Path) -> str:
    """The path of a copy that Gradio may serve; it hands out nothing from the package itself."""
    return str(shutil.copy(source, _fresh_folder()))


def report_text(report: dict[str, Any]) -> str:
    """A report as readable JSON."""
    return json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False)


def _fresh_folder() -> Path:
    root = Path(tempfile.gettempdir())
    for old in root.glob(f"{_PREFIX}*"):
        # Another user's folder is none of ours; it may also be gone by now.
        try:
            if time.time() - old.stat().st_mtime > _KEEP_SECONDS:
                shutil.rmtree(old)
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix=_PREFIX))
