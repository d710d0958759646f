"""Pure scores: records in, results out. Scores of answers and of rankings are here by their public names."""

from polqa_demo.evaluation.fuzzy_match import RULES, Verdict, explain_fuzzy_match, score_fuzzy_match
from polqa_demo.evaluation.measures import MEASURES, Measure
from polqa_demo.evaluation.ranking import RankingScores, score_rankings

__all__ = [
    "MEASURES",
    "RULES",
    "Measure",
    "RankingScores",
    "Verdict",
    "explain_fuzzy_match",
    "score_fuzzy_match",
    "score_rankings",
]
