"""Pure scores: records in, results out. The score of an answer is here by its public names."""

from polqa_demo.evaluation.fuzzy_match import RULES, Verdict, explain_fuzzy_match, score_fuzzy_match

__all__ = ["RULES", "Verdict", "explain_fuzzy_match", "score_fuzzy_match"]
