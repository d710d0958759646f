"""What the hub's own cache says of a folder in it: whose model it is, and which files its repository has.

models--OWNER--NAME/snapshots/HASH/     the folder of a model
models--OWNER--NAME/trees/HASH.json     all files of that revision, those that were not fetched included
"""

import json
from itertools import islice
from pathlib import Path

_MOST_ENTRIES = 10_000  # looked at: somebody may give the folder of their home by mistake
_MODELS, _SNAPSHOTS, _TREES = "models--", "snapshots", "trees"


def cached_repository(folder: Path) -> str:
    """`owner/name` of a snapshot in a hub cache; empty for every other folder. Nothing is read: the path tells it."""
    for place in (folder.absolute(), folder.resolve()):
        storage = place.parent.parent.name
        if place.parent.name == _SNAPSHOTS and storage.startswith(_MODELS):
            return storage.removeprefix(_MODELS).replace("--", "/", 1)
    return ""


def model_files(folder: Path) -> frozenset[str]:
    """Paths of a model's files inside its folder, with those that the cache lists and that stayed on the hub."""
    return frozenset(_on_disk(folder)) | _listed(folder)


def _on_disk(folder: Path) -> list[str]:
    entries = islice(folder.rglob("*"), _MOST_ENTRIES)
    return [path.relative_to(folder).as_posix() for path in entries if path.is_file()]


def _listed(folder: Path) -> frozenset[str]:
    place = folder.absolute()
    if not cached_repository(folder):
        return frozenset()
    try:
        tree = json.loads((place.parent.parent / _TREES / f"{place.name}.json").read_text(encoding="utf-8"))
        return frozenset(map(str, tree["files"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):  # older versions of the library keep no list
        return frozenset()
