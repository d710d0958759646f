"""The files of a model of the hub in the hub's own cache, for whatever opens them.

Only data is fetched: weights in safetensors, configurations and vocabularies. Weights that are programs (.bin, .pt),
copies of the weights and code stay on the hub.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

WANTED = ("*.json", "*.safetensors", "*.txt", "*.model")
UNWANTED = ("onnx/*", "openvino/*", "checkpoint-*/*", "runs/*")
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt")
"""Weights that are programs, as folders made by others may have them."""

_HUB_SECONDS = 8  # until the hub is taken to be out of reach
_COMMIT = re.compile(r"[0-9a-f]{40}")


def looks_like_a_path(name: str) -> bool:
    """Whether a name is meant as a folder's: the hub's are `owner/model` with, perhaps, a revision behind @."""
    return name.startswith((".", "/", "~")) or "\\" in name or name.partition("@")[0].count("/") > 1


def model_snapshot(repository: str, revision: str) -> Path:
    """The folder of a model in the cache, filled when the hub can be reached; an empty revision is the main one.

    With HF_HUB_OFFLINE, or without a network, what lies in the cache is taken.

    Raises:
        huggingface_hub.errors.HfHubHTTPError, HFValidationError: the hub says no, or the name is none.
        Exception: it is not cached and the hub cannot be reached, in any of the ways of a network.
    """
    import huggingface_hub
    from huggingface_hub import errors

    # A download retries for long; one short question tells at once whether there is a hub and such a model.
    offline = huggingface_hub.is_offline_mode()
    unreached = None if offline else _unreached(repository, revision)
    try:
        return Path(
            huggingface_hub.snapshot_download(
                repository,
                revision=revision or None,
                allow_patterns=list(WANTED),
                ignore_patterns=list(UNWANTED),
                local_files_only=offline or unreached is not None,
            )
        )
    except errors.LocalEntryNotFoundError as error:
        raise unreached or error from error


def files_checksum(folder: Path, patterns: Sequence[str] = WANTED) -> str:
    """SHA-256 (hex) over names and bytes of all files that a model is loaded from; reads them all."""
    digest = hashlib.sha256()
    for path in _loaded(folder, patterns):
        with path.open("rb") as stream:
            inner = hashlib.file_digest(stream, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()} {inner}\n".encode())
    return digest.hexdigest()


def files_mark(folder: Path) -> str:
    """What tells the files of a model from all others: the commit of a snapshot of the hub, else their checksum.

    Whoever made a folder by hand may have changed it by hand, so its files are read, pickled weights included.
    """
    if folder.parent.name == "snapshots" and _COMMIT.fullmatch(folder.name):
        return folder.name
    return files_checksum(folder, WANTED + PICKLED)


def _loaded(folder: Path, patterns: Sequence[str]) -> Iterator[Path]:
    endings = tuple(pattern.removeprefix("*") for pattern in patterns)
    skipped = tuple(pattern.partition("/")[0].removesuffix("*") for pattern in UNWANTED)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        if path.is_file() and path.name.endswith(endings) and not hidden and not inside.parts[0].startswith(skipped):
            yield path


def _unreached(repository: str, revision: str) -> Exception | None:
    """Why the hub does not answer for this model, None when it does; raises what it says when its answer is no."""
    import huggingface_hub
    from huggingface_hub import errors

    try:
        huggingface_hub.HfApi().model_info(repository, revision=revision or None, timeout=_HUB_SECONDS)
    except (errors.HFValidationError, errors.RepositoryNotFoundError, errors.RevisionNotFoundError):
        raise
    except Exception as error:
        return error
    return None
