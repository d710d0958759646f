"""Why an answer is wrong, in one word: each answer falls into exactly one bucket, the first that fits, with its reason.

| bucket | the answer |
|---|---|
| `right` | is right by the rule |
| `empty` | is missing or blank |
| `format` | is right once its writing is mended: by one of the audit's repairs, or by all of them together |
| `stem` | has the content stems of a gold: the same words, inflected or in another order |
| `number_elsewhere` | holds the gold's number, but it is not the one that the rule reads |
| `near` | misses the limit by one edit or by a fifth of it, and keeps more than two fifths of the letters |
| `other` | none of these: most likely another answer |

From `format` on the causes come in the order in which they say what to do: mend the file, ask for a base form, ask for
the number alone, look at the pair. `near` is what the limit alone decides. One edit is the least that a short gold can
be missed by; of a long one a fifth of the limit is a tenth of its letters, an ending. Among short words one letter in
common would do, so more than two fifths of the longer text must be kept. On PolEval 2021's 3,500 questions, golds dealt
at random are near 2 to 13 times then (32 to 50 times without that), and a system's `Tak` is no longer near `babka`.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.errors import Bilingual, number
from polqa_demo.evaluation.fuzzy_match import (
    Verdict,
    clean_line,
    explain_fuzzy_match,
    roman_value,
    score_fuzzy_match,
)
from polqa_demo.evaluation.repairs import mend_answer
from polqa_demo.polish.words import content_stems
from polqa_demo.records import Question

Bucket = Literal["right", "empty", "format", "stem", "number_elsewhere", "near", "other"]

NAMES: dict[Bucket, Bilingual] = {
    "right": Bilingual("dobra", "right"),
    "empty": Bilingual("pusta", "empty"),
    "format": Bilingual("zapis", "format"),
    "stem": Bilingual("odmiana", "same stem"),
    "number_elsewhere": Bilingual("liczba gdzie indziej", "number elsewhere"),
    "near": Bilingual("bliska", "near miss"),
    "other": Bilingual("inna", "other"),
}

ONE_EDIT = 1
BEYOND = 0.2
KEPT = 0.4

_ARABIC = re.compile(r"[-+]?[0-9]*\.[0-9]+|[0-9]+")
_DIGITS = re.compile(r"[0-9]+")
_ROMAN = re.compile(r"[IVXLCDM]+")


@dataclass(frozen=True, slots=True)
class Placed:
    """One answer in its bucket. `gold` is the gold that the reason speaks of, None where it speaks of none."""

    question_id: str
    bucket: Bucket
    reason: Bilingual
    gold: str | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Buckets:
    """All answers of a file in their buckets, in the order of the questions; questions without gold are left out."""

    rule: str
    items: tuple[Placed, ...]

    @property
    def counts(self) -> dict[Bucket, int]:
        """How many answers are in each bucket, empty buckets included, in the order of `NAMES`."""
        found = Counter(item.bucket for item in self.items)
        return {bucket: found[bucket] for bucket in NAMES}

    def ids(self, bucket: Bucket) -> tuple[str, ...]:
        """The questions whose answers are in a bucket."""
        return tuple(item.question_id for item in self.items if item.bucket == bucket)


def sort_answers(questions: Sequence[Question], predictions: Mapping[str, str], rule: str = "poleval") -> Buckets:
    """Puts every answer (predictions: question id -> answer) into its bucket. Raises ValueError for an unknown rule."""
    placed = (
        place_answer(question.id, predictions.get(question.id), question.answers, rule)
        for question in questions
        if question.answers
    )
    return Buckets(rule, tuple(placed))


def place_answer(question_id: str, prediction: str | None, golds: Sequence[str], rule: str = "poleval") -> Placed:
    """The bucket of one answer (None: the file has none). Raises ValueError for an unknown rule."""
    text = prediction or ""
    verdict = explain_fuzzy_match(text, golds, rule)
    bucket, reason, gold = _right_or_empty(prediction, verdict) or _why_wrong(text, golds, rule, verdict)
    return Placed(question_id, bucket, reason, gold, verdict)


_Found = tuple[Bucket, Bilingual, str | None]


def _right_or_empty(prediction: str | None, verdict: Verdict) -> _Found | None:
    if verdict.correct:
        return "right", Bilingual("reguła przyjmuje odpowiedź", "the rule accepts the answer"), verdict.gold
    if prediction is None:
        return "empty", Bilingual("plik nie ma odpowiedzi na to pytanie", "the file has no answer to it"), None
    if not clean_line(prediction):
        return "empty", Bilingual("odpowiedź jest pusta", "the answer is blank"), None
    return None


def _why_wrong(prediction: str, golds: Sequence[str], rule: str, verdict: Verdict) -> _Found:
    return (
        _format(prediction, golds, rule)
        or _stem(prediction, golds)
        or _number_elsewhere(prediction, golds, rule)
        or _near(prediction, golds, rule)
        or ("other", _told(verdict), verdict.gold)
    )


def _format(prediction: str, golds: Sequence[str], rule: str) -> _Found | None:
    found = mend_answer(prediction, golds, rule)
    if found is None:
        return None
    for repairs, mended in (*(((repair,), text) for repair, text in found.alone), (found.taken, found.together)):
        if score_fuzzy_match(mended, golds, rule):
            pl = f"do poprawy: {', '.join(repair.title.pl for repair in repairs)}; po poprawce „{mended}” jest dobre"
            en = f"to mend: {', '.join(repair.title.en for repair in repairs)}; then “{mended}” is right"
            return "format", Bilingual(pl, en), explain_fuzzy_match(mended, golds, rule).gold
    return None


def _stem(prediction: str, golds: Sequence[str]) -> _Found | None:
    stems = content_stems(prediction)
    for gold in golds:
        wanted = content_stems(gold)
        if not wanted or sorted(stems) != sorted(wanted):
            continue
        if stems == wanted:
            return "stem", Bilingual("te same słowa w innej formie", "the same words in another form"), gold
        return "stem", Bilingual("te same słowa w innej kolejności", "the same words in another order"), gold
    return None


def _number_elsewhere(prediction: str, golds: Sequence[str], rule: str) -> _Found | None:
    held = numbers_in(prediction)
    for gold in golds:
        verdict = explain_fuzzy_match(prediction, [gold], rule)
        wanted, read = verdict.gold_number, verdict.prediction_number
        if verdict.branch != "number" or wanted not in held:
            continue
        pl = f"jest w niej {wanted}, ale reguła czyta {read}" if read else f"reguła nie wydobywa z niej liczby {wanted}"
        en = f"it holds {wanted}, but the rule reads {read}" if read else f"the rule does not take {wanted} out of it"
        return "number_elsewhere", Bilingual(pl, en), gold
    return None


def numbers_in(text: str) -> frozenset[str]:
    """Every number that stands in a text, as `poleval` would write it: Arabic, runs of digits, Roman words."""
    # Roman capitals are sought between signs, too: in `(XIX)` the number stands, though the rule does not read it.
    roman = (str(roman_value(word)) for word in re.findall(r"\w+", text) if _ROMAN.fullmatch(word))
    return frozenset([*_ARABIC.findall(text), *_DIGITS.findall(text), *roman])


def _near(prediction: str, golds: Sequence[str], rule: str) -> _Found | None:
    best: tuple[float, _Found] | None = None
    for gold in golds:
        verdict = explain_fuzzy_match(prediction, [gold], rule)
        if verdict.branch != "text" or verdict.distance is None or verdict.limit is None:
            continue
        if not is_near(verdict.distance, verdict.limit, max(len(gold), len(prediction)), verdict.limit_is_strict):
            continue
        beyond = verdict.distance / verdict.limit
        if best is None or beyond < best[0]:
            best = beyond, ("near", _told(verdict), gold)
    return best[1] if best else None


def is_near(distance: int, limit: float, longer: int, strict: bool = False) -> bool:
    """Whether a distance beyond the limit is a near miss: the definition at the head of this module.

    `longer` is the length of the longer of the two texts; `strict` says that the limit itself is already a miss.
    """
    allowed = -int(-limit // 1) - 1 if strict else int(limit)
    beyond = max(allowed + ONE_EDIT, (1 + BEYOND) * limit)
    return allowed < distance <= beyond and longer - distance > KEPT * longer


def _told(verdict: Verdict) -> Bilingual:
    """The verdict on a wrong answer in words."""
    if verdict.branch == "number":
        wanted, read = verdict.gold_number, verdict.prediction_number
        pl = f"potrzebna liczba {wanted}, a reguła czyta {read}" if read else f"brak liczby {wanted}"
        en = f"the number {wanted} is wanted, the rule reads {read}" if read else f"the number {wanted} is absent"
        return Bilingual(pl, en)
    if verdict.distance is None or verdict.limit is None:
        return Bilingual("nie jest żadną ze złotych odpowiedzi", "it is none of the gold answers")
    limit = verdict.limit
    below = verdict.limit_is_strict
    return Bilingual(
        f"odległość {verdict.distance}, a wolno {'mniej niż' if below else 'najwyżej'} {number(limit, 1, 'pl')}",
        f"distance {verdict.distance}; {'less than' if below else 'at most'} {number(limit, 1, 'en')} is allowed",
    )
