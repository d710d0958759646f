"""What damage in the writing of answers costs: each kind with the answers it touches and the points of a repair.

The score itself is never repaired. Every repair is tried alone: its answers are scored again by the same rule, and what
becomes right is set against what becomes wrong. A last line tries all of them together, since an answer such as
`"Kraków".` needs two. A wrong answer that gains, alone or together, is one whose reason is `format` (`buckets`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.fuzzy_match import score_fuzzy_match
from polqa_demo.evaluation.repairs import mend_answer, repairs_for
from polqa_demo.records import Question

PLACES = 3

Effect = Literal["gained", "lost", "none"]


@dataclass(frozen=True, slots=True)
class Place:
    """One damaged answer, and whether its repair makes it right (`gained`), wrong (`lost`), or changes nothing."""

    question_id: str
    written: str
    repaired: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Damage:
    """One kind of damage among `n` questions.

    `affected` answers have it, also where it costs nothing or cannot be mended; `gained` would become right if
    repaired, `lost` wrong. `places` are the first three answers, those that would gain before others.
    """

    kind: str
    title: Bilingual
    n: int
    affected: int
    gained: int
    lost: int
    places: tuple[Place, ...]

    @property
    def points(self) -> float:
        """Points (per cent of the questions) that become right if repaired."""
        return 100 * self.gained / self.n

    @property
    def net_points(self) -> float:
        """The change of the score if repaired, answers that become wrong included."""
        return 100 * (self.gained - self.lost) / self.n


@dataclass(frozen=True, slots=True)
class Audit:
    """The damage of a file by kind, dearest first, and all repairs together; kinds that do not occur are left out.

    `n` questions have a gold answer and `correct` of them are right as written, which no repair changes.
    """

    rule: str
    n: int
    correct: int
    damages: tuple[Damage, ...]
    together: Damage | None


_Answer = tuple[Question, str, bool]


def audit(questions: Sequence[Question], predictions: Mapping[str, str], rule: str = "poleval") -> Audit:
    """Tries every repair on predictions (question id -> answer) and scores what it changes by the rule.

    Questions without gold answers are left out; those without a prediction are wrong and have no damage, nor has a
    right answer that is a gold letter by letter. Raises ValueError for an unknown rule.
    """
    with_gold = [question for question in questions if question.answers]
    answers = [
        (question, written, score_fuzzy_match(written, question.answers, rule))
        for question in with_gold
        if (written := predictions.get(question.id, ""))
    ]
    n = len(with_gold)
    odd = [answer for answer in answers if not (answer[2] and answer[1] in answer[0].answers)]
    mended: dict[str, list[tuple[_Answer, str]]] = {repair.kind: [] for repair in repairs_for(rule)}
    whole: list[tuple[_Answer, str]] = []
    for answer in odd:
        found = mend_answer(answer[1], answer[0].answers, rule)
        if found is None:
            continue
        for repair, text in found.alone:
            mended[repair.kind].append((answer, text))
        whole.append((answer, found.together))
    damages = [
        _damage(repair.kind, repair.title, n, rule, mended[repair.kind])
        for repair in repairs_for(rule)
        if mended[repair.kind]
    ]
    title = Bilingual("wszystkie naprawy razem", "all repairs together")
    return Audit(
        rule,
        n,
        sum(right for _, _, right in answers),
        tuple(sorted(damages, key=lambda damage: (-damage.gained, -damage.affected))),
        _damage("all", title, n, rule, whole) if whole else None,
    )


def _damage(kind: str, title: Bilingual, n: int, rule: str, mended: Sequence[tuple[_Answer, str]]) -> Damage:
    places: list[Place] = []
    for (question, written, right), text in mended:
        now = right if text == written else score_fuzzy_match(text, question.answers, rule)
        effect: Effect = "none" if now == right else "gained" if now else "lost"
        places.append(Place(question.id, written, text, effect))
    gained, lost = (sum(place.effect == effect for place in places) for effect in ("gained", "lost"))
    # The sort is stable: within an effect the order of the questions stays.
    places.sort(key=lambda place: ("gained", "lost", "none").index(place.effect))
    return Damage(kind, title, n, len(places), gained, lost, tuple(places[:PLACES]))
