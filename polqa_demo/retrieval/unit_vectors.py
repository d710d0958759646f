"""Vectors of length 1, and the refusal of what cannot be brought to it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polqa_demo.errors import UserError, first_few

SHORTEST = 1e-6
"""A vector shorter than this has no direction that could be trusted."""


def as_unit_vectors(vectors: NDArray[np.floating], names: Sequence[str], encoder: str) -> NDArray[np.float32]:
    """The vectors (n, dimension) as float32 of length 1, C order; `names` tell the n texts apart in a message.

    Raises:
        UserError: a vector holds NaN or infinity, or is (nearly) zero.
    """
    exact = np.asarray(vectors, np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", exact, exact))
    bad = np.flatnonzero(~(np.isfinite(lengths) & (lengths > SHORTEST)))
    if len(bad):
        raise _refused([names[row] for row in bad.tolist()], len(names), encoder)
    return np.ascontiguousarray(exact / lengths[:, None], np.float32)


def _refused(bad: Sequence[str], total: int, encoder: str) -> UserError:
    count, shown = len(bad), first_few(bad)
    return UserError(
        "vectors-not-finite",
        f"Enkoder {encoder} zwrócił wektory bez wartości (NaN, nieskończoność albo same zera): {count} z {total} "
        f"({shown}). Pliki modelu są uszkodzone albo obliczenia przekroczyły zakres liczb; pobierz model ponownie "
        "lub wybierz inny enkoder (--encoder).",
        f"The encoder {encoder} gave vectors without a value (NaN, infinity or all zeros): {count} of {total} "
        f"({shown}). The model's files are damaged or the numbers overflowed; download the model again or choose "
        "another encoder (--encoder).",
    )
