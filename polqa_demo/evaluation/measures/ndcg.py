"""NDCG@k: how high the gold passages stand, against the best order; trec_eval's `ndcg_cut_k`.

The gain is the grade itself where judgements are graded, and 1 for every gold passage where they are not. A missing
ranking has 0, as in `trec_eval -c`.
"""

import math
from collections.abc import Iterable, Mapping

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.measures.measure import at_depths
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking

_DISCOUNTS = tuple(1 / math.log2(rank + 1) for rank in range(1, CUTOFF + 1))


def ndcg(ranking: QuestionRanking, depth: int) -> float:
    """NDCG of the first `depth` passages, ten at most: beyond them the ranks of lower grades are not kept."""
    if not ranking.gold_passages:
        return 0.0
    gains: Mapping[str, float] = ranking.grades or dict.fromkeys(ranking.gold_passages, 1)
    if ranking.grades:
        gained = {rank: gains[passage] for rank, passage in enumerate(ranking.top[:depth], 1) if passage in gains}
    else:
        gained = dict.fromkeys(ranking.ranks_within(depth), 1)
    return normalised(gained, gains.values(), depth)


def normalised(gained: Mapping[int, float], gains: Iterable[float], depth: int) -> float:
    """The discounted gain as a part of the best that can be.

    :param gained: rank from 1, up to `depth` -> gain, by rank; ranks where nothing is gained may be left out
    :param gains: of all passages that have any, ranked or not, at least one
    """
    reached = sum(gain * _DISCOUNTS[rank - 1] for rank, gain in gained.items())
    best = sorted(gains, reverse=True)[:depth]
    # Gains that differ in their last digits alone could otherwise be rounded beyond 1.
    return min(1.0, reached / sum(gain * discount for gain, discount in zip(best, _DISCOUNTS, strict=False)))


MEASURES = at_depths(
    "ndcg",
    (5, CUTOFF),
    ndcg,
    Bilingual(
        "jak wysoko wśród pierwszych k stoją wszystkie złote fragmenty (1: w najlepszej kolejności; przy ocenach "
        "w stopniach zyskiem jest stopień)",
        "how high all gold passages stand among the first k (1: in the best order; the grade is the gain where "
        "judgements are graded)",
    ),
    order=3,
    title="NDCG",
    trec_name="ndcg_cut",
    compared=(CUTOFF,),
)
