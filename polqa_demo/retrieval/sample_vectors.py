"""The vectors of the embedded sample, shipped, so that dense search over it needs no encoding and no torch.

data/sample/vectors.npz   vectors (n, dimension) float16, ids, the encoder's fingerprint, the texts' checksum
"""

import hashlib
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data import sample
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.encoders import Encoder
from polqa_demo.retrieval.unit_vectors import as_unit_vectors

VECTORS_FILE = sample.FOLDER / "vectors.npz"
_REMAKE = "python -m tools.make_sample_vectors"


def write_sample_vectors(encoder: Encoder, passages: Sequence[Passage], path: Path = VECTORS_FILE) -> None:
    """Encode the passages and write their vectors, whole or not at all.

    Raises:
        UserError: the encoder fails.
        OSError: the file cannot be written.
    """
    vectors = encoder.encode_passages(passages)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as sink:
            np.savez_compressed(
                sink,
                vectors=vectors.astype(np.float16),
                ids=np.array([passage.id for passage in passages]),
                fingerprint=np.array(encoder.fingerprint),
                texts=np.array(_texts(passages)),
            )
            sink.flush()
            os.fsync(sink.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def load_sample_vectors(
    encoder: Encoder, passages: Sequence[Passage], path: Path = VECTORS_FILE
) -> NDArray[np.float32]:
    """Vectors (n, dimension) of length 1 of these passages, in their order, as `encoder` would make them.

    Raises:
        UserError: the file is missing or damaged, or was made by another encoder or of other passages.
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as parts:
            stored, ids = parts["vectors"], parts["ids"].tolist()
            fingerprint, texts = str(parts["fingerprint"]), str(parts["texts"])
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise _refused(path, f"nie daje się odczytać ({error})", f"cannot be read ({error})") from error
    if fingerprint != encoder.fingerprint:
        raise _refused(
            path,
            f"powstał z innego enkodera ({fingerprint[:12]}) niż {encoder.name} ({encoder.fingerprint[:12]})",
            f"was made by another encoder ({fingerprint[:12]}) than {encoder.name} ({encoder.fingerprint[:12]})",
        )
    wanted = [passage.id for passage in passages]
    if ids != wanted or texts != _texts(passages):
        raise _refused(
            path,
            f"powstał z innych fragmentów ({_difference(ids, wanted)})",
            f"was made of other passages ({_difference(ids, wanted)})",
        )
    if stored.shape != (len(wanted), encoder.dimension):
        raise _refused(path, f"ma kształt {stored.shape}", f"has the shape {stored.shape}")
    return as_unit_vectors(stored, wanted, encoder.name)


def _texts(passages: Sequence[Passage]) -> str:
    digest = hashlib.sha256()
    for passage in passages:
        digest.update(f"{passage.id}\0{passage.title}\0{passage.text}\0".encode("utf-8", "replace"))
    return digest.hexdigest()


def _difference(ids: Sequence[str], wanted: Sequence[str]) -> str:
    """What differs, in signs that both languages read."""
    if len(ids) != len(wanted):
        return f"{len(ids)} ≠ {len(wanted)}"
    return next((f"{one!r} ≠ {other!r}" for one, other in zip(ids, wanted, strict=True) if one != other), "text")


def _refused(path: Path, pl: str, en: str) -> UserError:
    return UserError(
        "sample-vectors-unfit",
        f"Plik wektorów próbki {path.name} {pl}. Policz je jeszcze raz: {_REMAKE}",
        f"The sample's file of vectors {path.name} {en}. Compute them again: {_REMAKE}",
    )
