"""Encoders of the hub and of local folders, run by sentence-transformers."""

import hashlib
import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from polqa_demo.data.passages import Progress
from polqa_demo.errors import Bilingual, UserError
from polqa_demo.library_failures import library_failures
from polqa_demo.library_notices import without_notices
from polqa_demo.models import refusals
from polqa_demo.models.device import computing_device, placement, quick_type
from polqa_demo.models.files import ModelFiles
from polqa_demo.models.folders import usable_folder
from polqa_demo.models.kinds import unsuited_network
from polqa_demo.models.lengths import most_tokens, token_counter
from polqa_demo.models.snapshots import files_checksum
from polqa_demo.records import Passage
from polqa_demo.retrieval.corpus_encoding import BATCH_TOKENS, batches_by_length, encode_corpus
from polqa_demo.retrieval.known_models import ENCODER, NO_PREFIXES, Prefixes, TextFormat, text_format
from polqa_demo.retrieval.unfinished_vectors import UnfinishedVectors
from polqa_demo.retrieval.unit_vectors import as_unit_vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_COUNT_AT_ONCE = 1_024


class ModelEncoder:
    """One sentence-transformers model; an `Encoder`. Calls from several threads are made one after another.

    Weights are computed with in bfloat16 where processor or GPU have it: two to four times as fast, and vectors at a
    cosine of 0.9999 to those in float32, which is why the fingerprint does not tell the two apart.
    """

    def __init__(self, name: str, folder: Path, form: TextFormat, fingerprint: str, cache_dir: Path) -> None:
        """Load the model of a folder that is known to be complete.

        Raises:
            UserError: the files do not load.
        """
        self.name = name
        self.form = form
        self._model = _load(name, folder)
        with library_failures(lambda reason: refusals.damaged(ENCODER, name, reason)):
            self.max_tokens = most_tokens(self._model.max_seq_length, self._model.config)
            _limit(self._model, self.max_tokens)
            # Measured: what a file states may be anything, and this shows at once whether the files fit one another.
            self.dimension = _measured_dimension(self._model)
        self._pools_prompt = _pools_prompt(self._model)
        parts = [files_checksum(folder), form.key(), self.max_tokens, *(() if self._pools_prompt else ("no prompt",))]
        self.fingerprint = fingerprint or hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        self._counter = token_counter(getattr(self._model[0], "tokenizer", None))
        self._unfinished = UnfinishedVectors(cache_dir, self.fingerprint)
        self._lock = threading.Lock()
        files = ModelFiles.read(name, folder, ENCODER)
        self._own_pooling = bool(files.parts)
        self._unsuited = unsuited_network(files.config, files.parts)

    @classmethod
    def open(cls, name: str, cache_dir: Path, prefixes: Prefixes = NO_PREFIXES) -> "ModelEncoder":
        """The encoder of a hub name or of a folder; `prefixes` count before those that the model would get.

        Raises:
            UserError: there is none, the hub cannot be reached, its files are missing or damaged, or it is a model of
                another kind.
        """
        folder, files = usable_folder(name, ENCODER)
        form = text_format(name, files.prompts, files.trained_from)
        return cls(name, folder, prefixes.over(form), "", cache_dir)

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of questions, prefixed as the model wants them.

        Raises:
            UserError: a vector is NaN, infinite or zero.
        """
        prefixed = [self.form.query(text) for text in texts]
        found = np.empty((len(texts), self.dimension), np.float32)
        for rows in batches_by_length([min(n, self.max_tokens) for n in self.lengths(prefixed)], BATCH_TOKENS):
            found[rows] = self._encode([prefixed[row] for row in rows], "query", self.form.query_prefix)
        return as_unit_vectors(found, texts, self.name)

    def encode_passages(self, passages: Sequence[Passage], progress: Progress | None = None) -> NDArray[np.float32]:
        """Vectors of passages, resumed where an earlier run with the same texts was stopped.

        Raises:
            UserError: a vector is NaN, infinite or zero.
        """
        self._unfinished.sweep()
        return encode_corpus(passages, self.form, self, self._unfinished, progress)

    def forget_finished(self) -> None:
        """Remove what was kept for a resumption; call it when the vectors of the whole corpus are stored."""
        self._unfinished.forget()

    def cut(self, passages: Sequence[Passage]) -> int:
        """How many passages have more tokens than the model reads."""
        starts = range(0, len(passages), _COUNT_AT_ONCE)
        return sum(self._cut(passages, start) for start in starts)

    def lengths(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text with the special ones, before any cut."""
        with library_failures(self._failed):
            return self._counter(texts)

    def encode_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors (n, dimension) of one batch of prefixed passages as the model gives them."""
        return self._encode(texts, "document", self.form.passage_prefix)

    def _encode(self, texts: Sequence[str], task: Literal["query", "document"], prefix: str) -> NDArray[np.float32]:
        """A model with two ways goes that of the task. A prefix that is not pooled has to be told as a prompt."""
        prompt = "" if self._pools_prompt else prefix
        with self._lock, library_failures(self._failed):
            # Prefixes are in the texts; an empty prompt keeps the model from adding its default one.
            vectors = self._model.encode(
                [text.removeprefix(prompt) for text in texts],
                batch_size=len(texts),
                prompt=prompt,
                task=task,
                show_progress_bar=False,
                convert_to_tensor=True,
            )
        found = np.asarray(vectors.float().cpu().numpy(), np.float32)
        if found.shape != (len(texts), self.dimension):
            raise self._failed(f"{found.shape}, not {(len(texts), self.dimension)}")
        return found

    def describe(self) -> Bilingual:
        """Formats, pooling, length, precision and device."""
        form, pooling = self.form.describe(), _pooling(self._model)
        where = placement(self._model)
        taken = (
            Bilingual("", "")
            if self._own_pooling
            else Bilingual(" (model nie podaje innego)", " (the model names no other)")
        )
        doubt_pl = f"; uwaga: sieć {self._unsuited} bez modules.json, może nie być enkoderem" if self._unsuited else ""
        doubt_en = f"; note: a {self._unsuited} without modules.json may be no encoder" if self._unsuited else ""
        return Bilingual(
            f"{form.pl}; pooling: {pooling}{taken.pl}; do {self.max_tokens} tokenów; {where}{doubt_pl}",
            f"{form.en}; pooling: {pooling}{taken.en}; up to {self.max_tokens} tokens; {where}{doubt_en}",
        )

    def _failed(self, reason: str) -> UserError:
        name = self.name[:100]
        return UserError(
            "encoder-failed",
            f"Enkoder {name} nie policzył wektorów ({reason}). Sprawdź, czy jego pliki do siebie pasują i czy starcza "
            "pamięci, albo użyj innego modelu.",
            f"The encoder {name} failed to compute vectors ({reason}). See whether its files fit one another and the "
            "memory suffices, or use another model.",
        )

    def _cut(self, passages: Sequence[Passage], start: int) -> int:
        rows = range(start, min(start + _COUNT_AT_ONCE, len(passages)))
        return sum(n > self.max_tokens for n in self.lengths([self.form.passage(passages[row]) for row in rows]))


def _measured_dimension(model: "SentenceTransformer") -> int:
    return len(model.encode("a", show_progress_bar=False))


def _load(name: str, folder: Path) -> "SentenceTransformer":
    from sentence_transformers import SentenceTransformer

    device = computing_device()
    with library_failures(lambda reason: refusals.damaged(ENCODER, name, reason)), without_notices():
        model = SentenceTransformer(
            str(folder),
            device=device,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": quick_type(device)},
        )
    return model.eval()


def _limit(model: "SentenceTransformer", max_tokens: int) -> None:
    if model.max_seq_length is None:
        return
    with suppress(AttributeError):  # static embeddings read any length, and cannot be limited
        model.max_seq_length = max_tokens


def _pools_prompt(model: "SentenceTransformer") -> bool:
    """Whether the tokens of a prefix count in the vector, as they do but for a few models (INSTRUCTOR)."""
    return all(getattr(module, "include_prompt", True) for module in model.modules())


def _pooling(model: "SentenceTransformer") -> str:
    modes = [getattr(module, "pooling_mode", None) for module in model.modules()]
    return next((mode if isinstance(mode, str) else "+".join(mode) for mode in modes if mode), "-")
