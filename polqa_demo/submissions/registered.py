"""Gold sets that are known by name, and the names of files that are theirs byte for byte."""

import hashlib
from functools import lru_cache
from pathlib import Path

from polqa_demo.data.catalogue import gold_file, gold_names
from polqa_demo.submissions.containers import Content

# Bytes that are hashed at a time.
_PIECE = 1 << 20


def registered_name(content: Content) -> tuple[str, str] | None:
    """Collection and split of the registered gold whose file has these very bytes (SHA-256); None for any other."""
    try:
        size = content.stat().st_size if isinstance(content, Path) else len(content)
    except OSError:
        return None
    alike = [(name, path) for name in gold_names() if (path := gold_file(name)).stat().st_size == size]
    if not alike or not size:
        return None
    try:
        own = _hash_of_file(content) if isinstance(content, Path) else hashlib.sha256(content).hexdigest()
    except OSError:
        return None
    found = next((name for name, path in alike if _known_hash(path, path.stat().st_mtime_ns) == own), None)
    return (found.partition("/")[0], found.partition("/")[2]) if found else None


@lru_cache(maxsize=32)
def _known_hash(path: Path, _changed: int) -> str:
    return _hash_of_file(path)


def _hash_of_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
