"""MRR@10: one divided by the rank of the first gold passage; trec_eval's `recip_rank` of the first ten."""

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.measures.measure import at_depths
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking


def reciprocal_rank(ranking: QuestionRanking, depth: int) -> float:
    """1 for a gold passage in the first place, 0.5 in the second, 0 when none is among the first `depth`."""
    within = ranking.ranks_within(depth)
    return 1 / within[0] if within else 0.0


MEASURES = at_depths(
    "mrr",
    (CUTOFF,),
    reciprocal_rank,
    Bilingual(
        "średnia odwrotność miejsca pierwszego złotego fragmentu (pierwsze miejsce 1, drugie 0,5, brak 0)",
        "the mean reciprocal rank of the first gold passage (first 1, second 0.5, none 0)",
    ),
    order=2,
    title="MRR",
    trec_name="recip_rank",
    compared=(CUTOFF,),
)
