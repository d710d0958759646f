"""How far the vectors are to be trusted over the words, question by question.

One weight cannot suit all texts: encyclopaedias repeat a question's words, answers of a help page seldom do. What tells
them apart is seen in every question: how many of its words the best passage by words has. The fewer, the less that
ranking knows, and the more weight the vectors get.

The two numbers are a logistic regression, fitted by the likelihood of the right passage under z-score fusion to PolAQ
(Polish, most words shared) and XQuAD (German and English over each other, where next to none are). Fitted without
PolAQ they do as well on it as the best fixed weight does.
"""

import math
import unicodedata

from polqa_demo.polish.words import STOP_WORDS, words
from polqa_demo.retrieval.lexical import LexicalRetriever, lexical_terms

_AT_NONE, _SLOPE = 2.21, -1.89


def coverage(question: str, lexical: LexicalRetriever) -> float:
    """The share, 0..1, of the question's different content words that the best passage by BM25 has; 0 without any.

    Raises:
        UserError: the index on disk is damaged.
    """
    different = dict.fromkeys(words(unicodedata.normalize("NFC", question)))
    asked = [frozenset(lexical_terms(word)) for word in different if word not in STOP_WORDS]
    best = lexical.search(question, 1).passage_ids
    if not asked or not best:
        return 0.0
    (explained,) = lexical.explain(question, best)
    found = {term for word in explained.terms for term in word.terms}
    return sum(not terms.isdisjoint(found) for terms in asked) / len(asked)


def dense_weight(share: float) -> float:
    """The weight of the vectors in z-score fusion for a coverage: 0.90 at 0, 0.58 at 1."""
    return 1 / (1 + math.exp(-(_AT_NONE + _SLOPE * share)))
