"""accuracy@k: is there a gold passage among the first k? trec_eval's `success_k`.

`accuracy@10` is PolQA's "accuracy of top 10 candidates" (arXiv:2212.08897). It is neither top-1 nor ir_measures'
`Accuracy`. It always has two denominators: the questions that have a gold passage (the headline), and all questions,
where those without one are misses.
"""

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.measures.measure import at_depths
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking

DEPTHS = (1, 5, CUTOFF, 20, 100)


def accuracy(ranking: QuestionRanking, depth: int) -> float:
    """1 when a gold passage stands among the first `depth`, else 0."""
    return float(ranking.hit(depth))


MEASURES = at_depths(
    "accuracy",
    DEPTHS,
    accuracy,
    Bilingual(
        "odsetek pytań, dla których wśród pierwszych k fragmentów stoi złoty",
        "the share of questions with a gold passage among the first k",
    ),
    order=1,
    trec_name="success",
    share=True,
    compared=(CUTOFF,),
)
