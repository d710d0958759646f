"""Files that leave the app: each in a fresh folder of the app's private one, deleted after an hour and at the end."""

import atexit
import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

_PREFIX = "polqa-demo-out-"
_PRIVATE = "polqa-demo-up-"
_KEEP_SECONDS = 3600
# Beyond this the oldest go at once, whatever their age: a disk is finite, visitors are not.
_KEEP_BYTES = 500 << 20


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


def private_folder() -> Path:
    """The folder of this process alone for uploads and downloads; made and announced to Gradio on first use.

    Folders of processes that are gone are removed: a killed process cannot tidy up after itself.
    """
    if "GRADIO_TEMP_DIR" not in os.environ:
        root = Path(tempfile.gettempdir())
        for old in root.glob(f"{_PRIVATE}*"):
            if not _alive(old.name.removeprefix(_PRIVATE).split("-")[0]):
                shutil.rmtree(old, ignore_errors=True)
        folder = tempfile.mkdtemp(prefix=f"{_PRIVATE}{os.getpid()}-", dir=root)
        os.environ["GRADIO_TEMP_DIR"] = folder
        atexit.register(remove_private_folder)
    return Path(os.environ["GRADIO_TEMP_DIR"])


def remove_private_folder() -> None:
    """Removes the folder at the end of the process, if it is this process's own."""
    folder = Path(os.environ.get("GRADIO_TEMP_DIR", ""))
    if folder.name.startswith(f"{_PRIVATE}{os.getpid()}-"):
        shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: str) -> bool:
    """Whether a process of this number may be running; one of another user is."""
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _fresh_folder() -> Path:
    root = private_folder()
    root.mkdir(parents=True, exist_ok=True)
    kept = 0
    for old in sorted(root.glob(f"{_PREFIX}*"), key=_age):
        kept += sum(file.stat().st_size for file in old.glob("*"))
        if kept > _KEEP_BYTES or _age(old) > _KEEP_SECONDS:
            shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root))


def _age(folder: Path) -> float:
    """Seconds since the folder was made; none when it is gone."""
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0
