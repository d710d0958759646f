"""judged@10: which part of the first ten carries any judgement; ir_measures' `Judged@10`.

A low value says that other measures may miss passages that are right and that nobody has looked at.
"""

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.measures.measure import at_depths
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking


def judged(ranking: QuestionRanking, depth: int) -> float:
    """Judged passages of the first `depth` (or of a shorter ranking); 0 for an empty ranking."""
    return (ranking.judged or 0) / min(depth, ranking.length) if ranking.length else 0.0


MEASURES = at_depths(
    "judged",
    (CUTOFF,),
    judged,
    Bilingual("jaka część pierwszych k fragmentów ma jakąkolwiek ocenę", "which part of the first k was judged at all"),
    order=5,
    needs_judgements=True,
)
