"""A second opinion on the spans a model points at: what the rule reader's learnt weights make of them."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polqa_demo.reading.question_types import Asked, Understood
from polqa_demo.reading.rules import weight_table, weights_mark
from polqa_demo.reading.span_features import features, read_passage, shares_a_word
from polqa_demo.records import Passage

Floats = NDArray[np.float64]

UNKNOWN = -9.0
"""Log-share of a span that the rules know nothing like."""

_LONGEST = 12_000  # characters; the rules read no longer passage
_ROWS = {asked: row for row, asked in enumerate(Asked)}


class SecondOpinion:
    """What the rules make of spans. Holds nothing but their weights (`mark` tells them from others): safe to share."""

    def __init__(self) -> None:
        table = weight_table()
        self.mark = weights_mark(table)
        self._weights = table.astype(np.float32)

    def of(self, question: Understood, asked: Sequence[tuple[Passage, Sequence[tuple[int, int]]]]) -> list[list[float]]:
        """The log-share of each span (characters of its passage) among the candidates of all the passages.

        A span that is no candidate has the value of the one it has most characters in common with, less the logarithm
        of what they share.
        """
        told, total = [], -np.inf
        for passage, spans in asked:
            values, sum_of_passage = self._values(question, passage, spans)
            told.append(values)
            total = np.logaddexp(total, sum_of_passage)
        return [
            [max(value - float(total), UNKNOWN) if np.isfinite(value) else UNKNOWN for value in row] for row in told
        ]

    def _values(
        self, question: Understood, passage: Passage, spans: Sequence[tuple[int, int]]
    ) -> tuple[list[float], float]:
        """The values of the spans, and the logarithm of the sum of all candidates' exponentials."""
        nothing = [-math.inf] * len(spans), -math.inf
        if len(passage.text) > _LONGEST:
            return nothing
        read = read_passage(passage.text, passage.title)
        if not len(read.spans.first) or not shares_a_word(read, question):
            return nothing
        values = (features(read, question) @ self._weights[_ROWS[question.asked]]).astype(np.float64)
        starts = np.asarray(read.tokens.starts)[read.spans.first]
        ends = np.asarray(read.tokens.ends)[read.spans.last]
        return [_nearest(values, starts, ends, *span) for span in spans], float(np.logaddexp.reduce(values))


def _nearest(values: Floats, starts: NDArray[np.int64], ends: NDArray[np.int64], start: int, end: int) -> float:
    common = np.minimum(ends, end) - np.maximum(starts, start)
    shared = common / (np.maximum(ends, end) - np.minimum(starts, start))
    best = float(shared.max())
    if best <= 0:
        return -math.inf
    return float(values[shared >= best - 1e-9].max() + np.log(best))
