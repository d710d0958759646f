"""P@k: which part of the first k is gold; trec_eval's `P_k`."""

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.measures.measure import at_depths
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking


def precision(ranking: QuestionRanking, depth: int) -> float:
    """Gold passages among the first `depth`, of `depth`, also where the ranking is shorter."""
    return len(ranking.ranks_within(depth)) / depth


MEASURES = at_depths(
    "p",
    (5, CUTOFF),
    precision,
    Bilingual("jaka część pierwszych k fragmentów jest złota", "which part of the first k is gold"),
    order=7,
    title="P",
    trec_name="P",
)
