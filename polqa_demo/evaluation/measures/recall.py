"""recall@k: which part of the gold passages is among the first k; trec_eval's `recall_k`."""

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.measures.measure import at_depths
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking


def recall(ranking: QuestionRanking, depth: int) -> float:
    """Gold passages among the first `depth`, of all of them."""
    gold = ranking.gold_passages
    return len(ranking.ranks_within(depth)) / len(gold) if gold else 0.0


MEASURES = at_depths(
    "recall",
    (CUTOFF, 100),
    recall,
    Bilingual("jaka część złotych fragmentów jest wśród pierwszych k", "which part of the gold is among the first k"),
    order=4,
)
