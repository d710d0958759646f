"""What passes between the rooms: questions, passages, judgements, rankings and answers. Frozen, no behaviour.

Ids are text everywhere (`511`, `"511"` and 511 in a file are one id).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from polqa_demo.errors import Problem
from polqa_demo.recognised import Recognised

RELEVANT_GRADE = 1
"""The least grade of a relevant passage, as trec_eval's relevance level is by default."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an article: the unit that is retrieved and read."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `answers` are its golds (empty when unknown), `labels` PolQA's classes such as `question_type`."""

    id: str
    text: str
    answers: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Somebody's verdict on a question-passage pair (a qrel); `source` says how the pair was proposed.

    `grade` is 0 or below for "not relevant", 1 for "relevant", more where a file grades; a whole one is an int.
    """

    question_id: str
    passage_id: str
    grade: float
    source: str = ""

    @property
    def relevant(self) -> bool:
        """Whether the passage counts for accuracy, MRR and recall."""
        return self.grade >= RELEVANT_GRADE


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Questions with what is right about them. `name` and `split` stand wherever a score is shown.

    `splits` holds the split of each question where a file mixes several; `remarks` what was odd about the files, and
    `recognised` what each was taken for, by role (`gold`, `questions`). `unanswerable` are the ids of questions whose
    golds are there and empty: they have no answer, while of others without golds none is known. `policies` are what
    somebody said about how to read the file, as it stands in signatures. `decimal_passages` says that the ids of
    passages stand in the file as `101.0` and were read as `101`. A secret gold shows the ids of its questions and
    nothing else; the rest is `sealed`.
    """

    name: str
    split: str
    questions: tuple[Question, ...]
    judgements: tuple[Judgement, ...] = ()
    splits: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Problem, ...] = ()
    sealed: "Sealed | None" = None
    unanswerable: frozenset[str] = frozenset()
    recognised: Mapping[str, Recognised] = field(default_factory=dict)
    policies: Mapping[str, str] = field(default_factory=dict)
    decimal_passages: bool = False

    @property
    def secret(self) -> bool:
        """Whether only totals of a score against it may leave."""
        return self.sealed is not None

    @property
    def opened(self) -> "GoldSet":
        """The whole gold, also where it is sealed: for the scores alone."""
        return self.sealed.gold if self.sealed else self


class Sealed:
    """The whole of a secret gold set. The scores alone look inside; printing, copying and pickling show nothing.

    `checksum` stands in signatures: one over the bare content would tell a guess of all of it right or wrong.
    """

    __slots__ = ("checksum", "gold")

    def __init__(self, gold: GoldSet, checksum: str) -> None:
        self.gold, self.checksum = gold, checksum

    def __repr__(self) -> str:
        return "Sealed()"

    def __deepcopy__(self, _: object) -> "Sealed":
        return self

    def __reduce__(self) -> str:
        raise TypeError("a sealed gold set is not pickled")


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passage ids of one question, best first (a run's line); `scores` is empty or as long as `passage_ids`."""

    question_id: str
    passage_ids: tuple[str, ...]
    scores: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A reader's answer. Empty text: no answer.

    For a span, `passage.text[start:end] == text`; a yes/no answer names the passage it rests on and has no span.
    `confidence` lies in 0..1; that of an empty text is the one in there being no answer, 0 where nobody judged it.
    """

    text: str
    confidence: float
    passage_id: str | None = None
    start: int | None = None
    end: int | None = None
