"""What a measure of rankings is: its formula for one question, its depth, how it is named, shown and compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure at one depth. Its score is the mean of `value` over the questions that have a gold passage.

    `name` stands in JSON, comparisons and files (`ndcg@10`), `title` before people, `trec_name` in trec_eval's output.
    `depth` is how many passages it looks at, None for all. A `share` is 1 or 0 for each question, so that its score is
    shown in per cent, with its count. One that `needs_judgements` is left out where nothing but gold passages is
    known. Runs are compared by the measures that are `compared`. `order` is where it is listed, lowest first.
    """

    name: str
    title: str
    trec_name: str
    depth: int | None
    value: Callable[[QuestionRanking], float]
    explanation: Bilingual
    order: int
    share: bool = False
    needs_judgements: bool = False
    compared: bool = False

    def stated(self, longest: int) -> bool:
        """Whether rankings of at most `longest` passages are scored by it: at ten always, else if they are as long."""
        return self.depth is None or self.depth <= longest or self.depth == CUTOFF


def at_depths(  # noqa: PLR0913 - a declaration names each of its parts
    family: str,
    depths: Sequence[int],
    value: Callable[[QuestionRanking, int], float],
    explanation: Bilingual,
    *,
    order: int,
    title: str = "",
    trec_name: str = "",
    share: bool = False,
    needs_judgements: bool = False,
    compared: Sequence[int] = (),
) -> tuple[Measure, ...]:
    """One formula at several depths: `ndcg@5` and `ndcg@10`.

    :param value: (ranking, depth) -> 0..1, for a question that has a gold passage
    :param trec_name: trec_eval's name without the depth, where it is another
    """
    return tuple(
        Measure(
            name=f"{family}@{depth}",
            title=f"{title or family}@{depth}",
            trec_name=f"{trec_name or family}_{depth}",
            depth=depth,
            value=partial(_cut, value, depth),
            explanation=explanation,
            order=order,
            share=share,
            needs_judgements=needs_judgements,
            compared=depth in compared,
        )
        for depth in depths
    )


def _cut(value: Callable[[QuestionRanking, int], float], depth: int, ranking: QuestionRanking) -> float:
    return value(ranking, depth)
