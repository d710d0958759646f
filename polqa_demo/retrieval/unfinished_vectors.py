"""Vectors of a corpus that is still being encoded, kept chunk by chunk so that a stopped run goes on where it was.

A chunk is known by the encoder's fingerprint and by a checksum of its texts, so nothing is reused for another model
or for changed passages, whatever else changed in the corpus.
"""

import hashlib
import os
import time
import uuid
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KEPT_FOR = 7 * 24 * 3600
"""Seconds after which the chunks of a run that nobody took up again are removed."""


class UnfinishedVectors:
    """A folder of chunks of one encoder, `CACHE/unfinished-vectors/FINGERPRINT/CHECKSUM.npz`.

    A chunk is written whole or not at all. One that does not read back (zip holds a CRC of its bytes) counts as not
    there. A disk on which nothing can be written costs the resumption alone, not the run.
    """

    def __init__(self, cache_dir: Path, fingerprint: str) -> None:
        self._root = cache_dir / "unfinished-vectors"
        self._folder = self._root / fingerprint[:32]
        self._used: set[Path] = set()

    def key(self, texts: Sequence[str]) -> str:
        """The checksum of a chunk's texts, in their order."""
        digest = hashlib.sha256()
        for text in texts:
            raw = text.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "little") + raw)
        return digest.hexdigest()

    def load(self, key: str, count: int, dimension: int) -> NDArray[np.float32] | None:
        """The chunk's vectors, or None."""
        path = self._folder / f"{key}.npz"
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as parts:
                vectors = parts["vectors"]
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            return None
        if vectors.shape != (count, dimension) or vectors.dtype != np.float32:
            return None
        self._used.add(path)
        return np.asarray(vectors)

    def save(self, key: str, vectors: NDArray[np.float32]) -> None:
        """Keep a finished chunk."""
        path = self._folder / f"{key}.npz"
        part = self._folder / f".{key}.{uuid.uuid4().hex[:12]}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as sink:
                np.savez(sink, vectors=vectors)
                sink.flush()
                os.fsync(sink.fileno())
            part.replace(path)
            self._used.add(path)
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def forget(self) -> None:
        """Remove the chunks that this object loaded or saved: their vectors stand somewhere else now."""
        for path in self._used:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        self._used.clear()
        with suppress(OSError):
            self._folder.rmdir()

    def sweep(self) -> None:
        """Remove chunks of any encoder that were left for long."""
        for path in self._root.glob("*/*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > KEPT_FOR:
                    path.unlink()
