"""The question words that go with errors: where a system is weaker (or stronger) than its score says.

The idea is GEval's list of worst features (Graliński, Wróblewska, Stanisławek, Grabowski, Górecki, GEval: Tool for
Debugging NLP Datasets and Models, BlackboxNLP 2019). Here the words are stems, each comes with its effect, the test is
exact, and the p-values are adjusted for the hundreds of words that are looked at.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polqa_demo.evaluation.significance import holm, two_proportions_p
from polqa_demo.polish.words import content_stems, stem, words
from polqa_demo.records import Question

FEWEST = 5


@dataclass(frozen=True, slots=True)
class Feature:
    """A stem that `n` questions hold, `errors` of them wrong; of the `other_n` without it, `other_errors`.

    `word` is the form in which the stem occurs most often. `p` is Fisher's, `adjusted_p` Holm's over all stems looked
    at.
    """

    stem: str
    word: str
    n: int
    errors: int
    other_n: int
    other_errors: int
    p: float
    adjusted_p: float

    @property
    def error_rate(self) -> float:
        """The share of errors among the questions with the stem, 0..1."""
        return self.errors / self.n

    @property
    def other_error_rate(self) -> float:
        """The share of errors among all others, 0..1; 0 when there are none."""
        return self.other_errors / self.other_n if self.other_n else 0.0

    @property
    def difference(self) -> float:
        """How many points more errors there are with the stem (negative: fewer)."""
        return 100 * (self.error_rate - self.other_error_rate)


def error_features(
    questions: Sequence[Question], right: Mapping[str, bool], fewest: int = FEWEST
) -> tuple[Feature, ...]:
    """Every content stem in at least `fewest` of the questions that `right` (question id -> right) knows.

    Sorted by p, so that what speaks of errors (positive difference) and of strengths (negative) stand together, the
    surest first. A stem counts once a question; stop words and question words have none.
    """
    known = [question for question in questions if question.id in right]
    counts: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for question in known:
        held = set(content_stems(question.text))
        counts.update(held)
        if not right[question.id]:
            errors.update(held)
    total = sum(not right[question.id] for question in known)
    stems = sorted(found for found, n in counts.items() if n >= fewest)
    p_values = two_proportions_p(
        [errors[found] for found in stems],
        [counts[found] for found in stems],
        [total - errors[found] for found in stems],
        [len(known) - counts[found] for found in stems],
    )
    forms = _commonest_forms(known, frozenset(stems))
    features = [
        Feature(
            found, forms[found], counts[found], errors[found], len(known) - counts[found], total - errors[found], p, q
        )
        for found, p, q in zip(stems, p_values, holm(p_values), strict=True)
    ]
    return tuple(sorted(features, key=lambda feature: (feature.p, -abs(feature.difference), feature.stem)))


def _commonest_forms(questions: Sequence[Question], stems: frozenset[str]) -> dict[str, str]:
    forms: Counter[str] = Counter(word for question in questions for word in words(question.text))
    best: dict[str, str] = {}
    # Of equally common forms the first in the alphabet, so that a report does not change from run to run.
    for word, _ in sorted(forms.items(), key=lambda item: (-item[1], item[0])):
        if (found := stem(word)) in stems:
            best.setdefault(found, word)
    return best
