"""The pool: retrieved passages that nobody has judged though they hold a gold answer, for annotators to look at."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from polqa_demo.data.polqa import COLUMNS, LABELS
from polqa_demo.evaluation.evidence import held_answer
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.records import Passage, Question, Ranking

POOL_SOURCE = "pool"


@dataclass(frozen=True, slots=True)
class PoolRow:
    """An unjudged passage among the first ten that holds a gold answer: something for an annotator to look at."""

    question: Question
    passage: Passage
    rank: int
    held: str
    split: str = ""

    def columns(self) -> dict[str, str]:
        """The row in PolQA's columns: `relevant` and `annotated_by` are empty, `passage_source` is `pool`."""
        row = dict.fromkeys(COLUMNS, "") | {
            "question_id": self.question.id,
            "question": self.question.text,
            "answers": repr(list(self.question.answers)),
            "passage_id": self.passage.id,
            "passage_title": self.passage.title,
            "passage_text": self.passage.text,
            "passage_wiki": self.passage.text,
            "duplicate": "False",
            "split": self.split,
            "passage_source": POOL_SOURCE,
        }
        return row | {label: self.question.labels.get(label, "") for label in LABELS}


def pool(
    questions: Sequence[Question],
    rankings: Mapping[str, Ranking],
    judged: Mapping[str, Collection[str]],
    passage_of: Callable[[str], Passage | None],
    split: str = "",
    depth: int = CUTOFF,
) -> tuple[PoolRow, ...]:
    """Unjudged passages among the first ten that hold a gold answer, in title or text, by question and rank.

    `judged` maps question ids to passages with any judgement, relevant or not; passages that are not at hand are left
    out.
    """
    rows = []
    for question in questions:
        known = frozenset(judged.get(question.id, ()))
        ranking = rankings.get(question.id)
        passages = tuple(dict.fromkeys(ranking.passage_ids))[:depth] if ranking else ()
        for rank, passage_id in enumerate(passages, 1):
            passage = passage_of(passage_id) if question.answers and passage_id not in known else None
            if passage is None:
                continue
            held = held_answer(f"{passage.title}\n{passage.text}", question.answers)
            if held is not None:
                rows.append(PoolRow(question, passage, rank, held, split))
    return tuple(rows)
