"""What a score is worth for nothing: the floor under fuzzy_match on a gold set, and files that are the gold itself."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polqa_demo.data.polqa import parse_answers
from polqa_demo.evaluation.fuzzy_match import clean_line, lower_code_points, score_fuzzy_match
from polqa_demo.evaluation.shares import Share
from polqa_demo.evaluation.significance import wilson_interval
from polqa_demo.records import Question

YES = "tak"
SHUFFLES = 10
# No honest system says the very words of the gold that often; below ten questions chance might.
_LIKE_GOLD = 0.95
_FEWEST = 10
# As many golds that are more than yes, no or a number must be there: those everybody writes alike.
_FEWEST_TELLING = 5
_ALIKE = re.compile(r"tak|nie|[\d\s.,]+", re.IGNORECASE)
_PARTERS = ("\t", "|", ";", "/", ", ")


@dataclass(frozen=True, slots=True)
class Chance:
    """What the gold of another question scores: the mean share over seeded shuffles with its 95 % interval.

    `low` and `high` bound the expected value (Monte-Carlo error); `sd` is how far a single shuffle strays from it.
    """

    value: float
    low: float
    high: float
    sd: float
    shuffles: int
    seed: int


@dataclass(frozen=True, slots=True)
class Floor:
    """The score of answers that know nothing: `tak` everywhere, the commonest gold everywhere, another's gold.

    `another` is None when there is only one question with a gold.
    """

    rule: str
    n: int
    yes: Share
    commonest_gold: str
    commonest: Share
    another: Chance | None

    @property
    def highest(self) -> float:
        """The share that every useful system must pass."""
        return max(self.yes.value, self.commonest.value, self.another.value if self.another else 0.0)


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """How many of `n` predictions repeat their gold letter by letter.

    `first`: the first gold; `variant`: any other single gold; `joined`: all golds of the question at once, as a list or
    parted by a tab, `|`, `;`, `/` or comma, in any order. `telling` of them have a gold that is more than yes, no or a
    number, `told` of these repeat it.
    """

    n: int
    first: int
    variant: int
    joined: int
    telling: int = 0
    told: int = 0

    @property
    def share(self) -> float:
        """The share of predictions that are a gold in some way, 0..1; 0 for no predictions."""
        return (self.first + self.variant + self.joined) / self.n if self.n else 0.0

    @property
    def is_gold(self) -> bool:
        """Whether the file is most likely the gold itself, of which `tak`, `nie` and numbers alone say nothing."""
        enough = self.n >= _FEWEST and self.telling >= _FEWEST_TELLING
        return enough and self.share >= _LIKE_GOLD and self.told >= _LIKE_GOLD * self.telling


def noise_floor(
    questions: Sequence[Question], rule: str = "poleval", seed: int = 0, shuffles: int = SHUFFLES
) -> Floor | None:
    """The floor of a rule on this gold; None when no question has a gold. Rankings have no such floor.

    A shuffle deals every question the first gold of another one, each of them once; no two shuffles deal a question the
    same card, so with one shuffle less than questions (or more) the expected value is exact.

    Raises ValueError for an unknown rule or less than two shuffles.
    """
    if shuffles < 2:
        message = f"an interval needs at least two shuffles, not {shuffles}"
        raise ValueError(message)
    golds = [question.answers for question in questions if question.answers]
    if not golds:
        return None
    commonest = _commonest(golds)
    return Floor(
        rule,
        len(golds),
        _everywhere(YES, golds, rule),
        commonest,
        _everywhere(commonest, golds, rule),
        _chance(golds, rule, seed, shuffles) if len(golds) > 1 else None,
    )


def lookalikes(questions: Sequence[Question], predictions: Mapping[str, str]) -> Lookalikes:
    """Predictions (question id -> answer) that are their gold's very text; empty ones do not count as predictions."""
    n = first = variant = joined = telling = told = 0
    for question in questions:
        prediction = clean_line(predictions.get(question.id, ""))
        golds = [clean_line(gold) for gold in question.answers]
        if not prediction or not golds:
            continue
        n += 1
        is_first, is_variant = prediction == golds[0], prediction in golds[1:]
        is_joined = not (is_first or is_variant) and _is_joined(prediction, set(golds))
        first += is_first
        variant += is_variant and not is_first
        joined += is_joined
        if not all(_ALIKE.fullmatch(gold) for gold in golds):
            telling += 1
            told += is_first or is_variant or is_joined
    return Lookalikes(n, first, variant, joined, telling, told)


def _commonest(golds: Sequence[Sequence[str]]) -> str:
    """The gold of most questions, whatever its case, in its commonest writing; of equals the first in the alphabet."""
    questions: Counter[str] = Counter()
    writings: dict[str, Counter[str]] = {}
    for answers in golds:
        folded = {lower_code_points(clean_line(gold)): clean_line(gold) for gold in reversed(answers)}
        questions.update(folded.keys())
        for key, gold in folded.items():
            writings.setdefault(key, Counter())[gold] += 1
    best = min(questions, key=lambda key: (not key, -questions[key], key))
    return min(writings[best], key=lambda gold: (-writings[best][gold], gold))


def _everywhere(answer: str, golds: Sequence[Sequence[str]], rule: str) -> Share:
    return Share(sum(score_fuzzy_match(answer, answers, rule) for answers in golds), len(golds))


def _chance(golds: Sequence[Sequence[str]], rule: str, seed: int, shuffles: int) -> Chance:
    import numpy as np

    generator = np.random.default_rng(seed)
    n = len(golds)
    # Golds in a random circle, dealt so many places on: never one's own, and never the same twice.
    order = generator.permutation(n).tolist()
    steps = (1 + generator.choice(n - 1, min(shuffles, n - 1), replace=False)).tolist()
    hits = [_hits_dealt(golds, order, step, rule) for step in steps]
    pairs = n * len(steps)
    value = sum(hits) / pairs
    # Where every step was taken, nothing was left to chance.
    low, high = (value, value) if len(steps) == n - 1 else wilson_interval(sum(hits), pairs)
    return Chance(value, low, high, _deviation([hit / n for hit in hits], value), len(steps), seed)


def _hits_dealt(golds: Sequence[Sequence[str]], order: Sequence[int], step: int, rule: str) -> int:
    dealt = [*order[step:], *order[:step]]
    return sum(score_fuzzy_match(golds[card][0], golds[asked], rule) for asked, card in zip(order, dealt, strict=True))


def _deviation(shares: Sequence[float], mean: float) -> float:
    return math.sqrt(math.fsum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1))


def _is_joined(prediction: str, golds: set[str]) -> bool:
    """Whether a prediction is all golds at once, in any order."""
    found = parse_answers(prediction) if prediction.startswith("[") else None
    if found is not None:
        return {clean_line(item) for item in found} == golds
    return any({clean_line(part) for part in prediction.split(sign)} - {""} == golds for sign in _PARTERS)
