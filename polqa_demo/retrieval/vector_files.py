"""The vectors of an index on disk: one memory-mapped `.npy` of halves, and the mark of the encoder that made them.

    OUT/vectors/vectors.npy   float16, (passages, dimension), C order, in the order of the corpus

Halves move a cosine by some 1e-5 and take half of the disk, of the memory and of the time of a search.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.arrays import mapped_array
from polqa_demo.data.passages import PassageStore, Progress
from polqa_demo.errors import Bilingual, UserError
from polqa_demo.retrieval.known_models import TextFormat
from polqa_demo.retrieval.vectors import PASSAGE_VECTORS, Vectors, refuse_unfit

if TYPE_CHECKING:
    from polqa_demo.retrieval.encoders import Encoder

VECTORS_FILE = "vectors.npy"
_CHUNK = 1_024  # passages given to the encoder at once, which may keep them for a run that is taken up again
_SHOWN_FINGERPRINT = 12


@dataclass(frozen=True, slots=True)
class EncoderMark:
    """By what an encoder is recognised: vectors of two are comparable when their fingerprints are equal.

    The prefixes are part of the fingerprint; they stand here for people, None where they are not known. `cut` is how
    many passages were longer than the encoder reads.
    """

    name: str
    dimension: int
    fingerprint: str
    query_prefix: str | None = None
    passage_prefix: str | None = None
    cut: int | None = None

    @classmethod
    def of(cls, encoder: "Encoder") -> "EncoderMark":
        """The mark of an encoder; it has cut nothing yet."""
        form: TextFormat | None = getattr(encoder, "form", None)
        prefixes = (form.query_prefix, form.passage_prefix) if form else (None, None)
        return cls(encoder.name, encoder.dimension, encoder.fingerprint, *prefixes)

    def fits(self, encoder: "Encoder") -> bool:
        """Whether the encoder's question vectors may be compared with vectors of this mark."""
        return (self.dimension, self.fingerprint) == (encoder.dimension, encoder.fingerprint)


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """Vectors of passages in the order of their corpus, and what made them."""

    vectors: Vectors
    encoder: EncoderMark


def write_vectors(
    folder: Path, passages: PassageStore, encoder: "Encoder", progress: Progress | None = None
) -> EncoderMark:
    """Encode the passages chunk by chunk into `folder` (made when missing); memory stays at one chunk.

    Raises:
        UserError: the encoder fails, or gives vectors that are not finite or not of length 1 (passages are named).
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shape = (len(passages), encoder.dimension)
    cut = 0
    stored = np.lib.format.open_memmap(folder / VECTORS_FILE, "w+", np.float16, shape)
    for start in range(0, len(passages), _CHUNK):
        chunk = [passages[row] for row in range(start, min(start + _CHUNK, len(passages)))]
        vectors = encoder.encode_passages(chunk, _further(progress, start, len(passages)))
        refuse_unfit(vectors, PASSAGE_VECTORS, start)
        stored[start : start + len(chunk)] = vectors
        cut += encoder.cut(chunk)
    stored.flush()
    if progress:
        progress(len(passages), len(passages))
    return replace(EncoderMark.of(encoder), cut=cut)


def forget_finished(encoder: "Encoder | None") -> None:
    """Let an encoder that keeps finished chunks remove them, now that their vectors are stored."""
    forget = getattr(encoder, "forget_finished", None)
    if forget:
        forget()


def open_vectors(folder: Path, mark: EncoderMark, count: int) -> PassageVectors:
    """Memory-map the vectors of `count` passages.

    Raises:
        UserError: there are none, or they are of another form than the mark and the count say.
    """
    try:
        vectors = mapped_array(folder / VECTORS_FILE)
    except (OSError, ValueError) as error:
        raise _damaged(folder, str(error)) from error
    if not vectors.flags.c_contiguous:
        raise _damaged(folder, "order F")
    return PassageVectors(fitting(vectors, mark, count), mark)


def fitting(vectors: NDArray[np.generic], mark: EncoderMark, count: int) -> Vectors:
    """The same vectors, known to be `count` of the mark's dimension, in halves or floats.

    Raises:
        UserError: they are not.
    """
    if vectors.shape != (count, mark.dimension) or vectors.dtype not in (np.float16, np.float32):
        raise UserError(
            "vectors-misfit",
            f"Wektory nie pasują do korpusu: są typu {vectors.dtype} i mają kształt {vectors.shape}, a powinny być "
            f"float16 lub float32 o kształcie {(count, mark.dimension)} (fragmenty, wymiar enkodera {mark.name}). "
            "Policz je jeszcze raz z tego korpusu.",
            f"The vectors do not fit the corpus: they are {vectors.dtype} of shape {vectors.shape}, and should be "
            f"float16 or float32 of shape {(count, mark.dimension)} (passages, dimension of the encoder {mark.name}). "
            "Compute them again from this corpus.",
        )
    return vectors  # type: ignore[return-value]


def no_vectors(name: str, folder: Path | None, encoder: "Encoder") -> UserError:
    """The refusal of a dense search over an index that has no vectors."""
    out = folder or "DIR"
    command = f"python -m polqa_demo index build --corpus FILE --out {out} --encoder {encoder.name}"
    return UserError(
        "index-without-vectors",
        f"Indeks {name} nie ma wektorów, więc można w nim szukać tylko leksykalnie. Wektory dodaje polecenie: "
        f"{command}",
        f"The index {name} has no vectors, so it can be searched lexically alone. Vectors are added by: {command}",
    )


def other_encoder(name: str, mark: EncoderMark, encoder: "Encoder") -> UserError:
    """The refusal of an index whose vectors another encoder made: both are named, and what to do."""
    theirs, ours = mark.name, encoder.name
    if theirs == ours:  # the same name, other weights
        theirs = f"{theirs} ({mark.fingerprint[:_SHOWN_FINGERPRINT]})"
        ours = f"{ours} ({encoder.fingerprint[:_SHOWN_FINGERPRINT]})"
    prefixes = _other_prefixes(mark, EncoderMark.of(encoder))
    return UserError(
        "index-other-encoder",
        f"Wektory indeksu {name} policzył enkoder {theirs}, a pytania koduje {ours}; nie można ich porównywać. "
        f"Szukaj enkoderem {theirs} (--encoder) albo zbuduj indeks jeszcze raz enkoderem {ours}.{prefixes.pl}",
        f"The vectors of the index {name} were made by the encoder {theirs}, questions are encoded by {ours}; they "
        f"cannot be compared. Search with the encoder {theirs} (--encoder), or build the index again with {ours}."
        f"{prefixes.en}",
    )


def _other_prefixes(theirs: EncoderMark, ours: EncoderMark) -> Bilingual:
    """A sentence on prefixes, where those of the index are known and others than those of the encoder."""
    built, now = (theirs.query_prefix, theirs.passage_prefix), (ours.query_prefix, ours.passage_prefix)
    if None in (*built, *now) or built == now:
        return Bilingual("", "")
    return Bilingual(
        f" Przedrostki indeksu: --query-prefix {built[0]!r} --passage-prefix {built[1]!r}; teraz: {now[0]!r}, "
        f"{now[1]!r}.",
        f" Prefixes of the index: --query-prefix {built[0]!r} --passage-prefix {built[1]!r}; now: {now[0]!r}, "
        f"{now[1]!r}.",
    )


def _further(progress: Progress | None, start: int, total: int) -> Callable[[int, int | None], None] | None:
    """Progress within a chunk, told as progress within the corpus."""
    return (lambda done, _: progress(start + done, total)) if progress else None


def _damaged(folder: Path, what: str) -> UserError:
    return UserError(
        "vectors-damaged",
        f"Zapisane wektory są uszkodzone lub niepełne ({folder}; {what}). Zbuduj indeks jeszcze raz.",
        f"The stored vectors are damaged or incomplete ({folder}; {what}). Build the index again.",
    )
