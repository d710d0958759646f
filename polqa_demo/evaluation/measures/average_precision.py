"""MAP: the mean of average precision over the whole ranking; trec_eval's `map`, ir_measures' `AP`."""

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.measures.measure import Measure
from polqa_demo.evaluation.question_ranking import QuestionRanking


def average_precision(ranking: QuestionRanking) -> float:
    """The precision at the rank of every gold passage, 0 for one that is not ranked, and their mean.

    Source: C. Buckley, E. Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation (2005).
    """
    gold = ranking.gold_passages
    return sum(place / rank for place, rank in enumerate(ranking.ranks.values(), 1)) / len(gold) if gold else 0.0


MEASURES = (
    Measure(
        name="map",
        title="MAP",
        trec_name="map",
        depth=None,
        value=average_precision,
        explanation=Bilingual(
            "średnia precyzja na miejscach kolejnych złotych fragmentów, w całym rankingu",
            "the mean of the precision at the rank of every gold passage, over the whole ranking",
        ),
        order=6,
    ),
)
