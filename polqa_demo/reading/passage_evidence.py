"""What speaks for each passage of a list before its spans are weighed: its place, and the words it has of the question.

A retriever's scores are no part of it. Their unit is the retriever's own (BM25, cosine, a reranker's logit), so
what a reader made of them would not hold for the next one; the order of the passages is what all of them agree on. How
far a passage is ahead of the others, the reader sees for itself, by the words that tell the passages apart.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from polqa_demo.reading.question_types import Understood
from polqa_demo.reading.span_features import ReadPassage

Floats = NDArray[np.float64]

EVIDENCE: Final[tuple[str, ...]] = ("rank", "told", "title", "few")

_BEGINNING = 5  # letters by which two stems are taken for one word


def passage_evidence(passages: Sequence[ReadPassage], question: Understood) -> Floats:
    """The matrix: a row for every passage, best first, a column for every name in `EVIDENCE`.

    `rank` is minus the logarithm of the rank (from 1). `told` is the share of the question that stands in the text or
    the title, out of what stands in any of the passages; a word weighs the more, the fewer of them have it, as in
    K. Sparck Jones, A statistical interpretation of term specificity, Journal of Documentation 28 (1972). `title` is
    the share of the whole question that stands in the title. `few` is minus the logarithm of the number of candidate
    spans: the more there are, the better looks the best of them by chance.
    """
    titles = [_repeated(passage.title_stems, question.weights) for passage in passages]
    told = [
        title
        | _repeated({word.stem for word in passage.tokens.words if not word.stop or word.capital}, question.weights)
        for passage, title in zip(passages, titles, strict=True)
    ]
    telling: dict[str, float] = {}
    for stem, weight in question.weights.items():
        if count := sum(stem in stems for stems in told):
            telling[stem] = weight * math.log((len(passages) + 1) / (count + 0.5))
    rows = [
        (
            -math.log(rank),
            _share(stems, telling),
            _share(title, question.weights),
            -math.log(len(passage.spans.first) or 1),
        )
        for rank, (passage, stems, title) in enumerate(zip(passages, told, titles, strict=True), 1)
    ]
    return np.array(rows, dtype=np.float64).reshape(len(passages), len(EVIDENCE))


def _repeated(stems: Collection[str], asked: Mapping[str, float]) -> frozenset[str]:
    """Stems of the question that are among the stems of a text, whole or by their first letters."""
    beginnings = {stem[:_BEGINNING]: stem for stem in asked if len(stem) >= _BEGINNING - 1}
    known = (stem if stem in asked else beginnings.get(stem[:_BEGINNING]) for stem in stems)
    return frozenset(stem for stem in known if stem is not None)


def _share(stems: Collection[str], weights: Mapping[str, float]) -> float:
    # In the order of the question: a set's own would change the last bit from one process to the next.
    total = sum(weights.values())
    return sum(weight for stem, weight in weights.items() if stem in stems) / total if total else 0.0
