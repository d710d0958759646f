"""The ranking of one question, from its item in a report."""

from collections.abc import Mapping

from polqa_demo.data.gold_rows import HIGHEST_GRADE
from polqa_demo.errors import counted
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking
from polqa_demo.records import RELEVANT_GRADE
from polqa_demo.reports.untrusted_json import Node

MOST_PASSAGES = 100_000
_DEEPEST = 10_000_000


def load_question_ranking(item: Node, question_id: str) -> QuestionRanking:
    """One question's ranking, from `gold_passages`, `grades`, `ranks`, `top`, `length`, `judged`, `duplicates`, `ties`.

    :raises UserError: a value is of the wrong kind or does not fit the others
    """
    gold = tuple(passage.text(1000) for passage in item.key("gold_passages").elements(MOST_PASSAGES))
    if len(set(gold)) < len(gold):
        item.key("gold_passages").refuse("jeden fragment stoi tu dwa razy.", "one passage stands here twice.")
    length = item.key("length").integer(highest=_DEEPEST)
    ranks = _ranks(item.key("ranks"), frozenset(gold), length)
    top = _top(item, frozenset(gold), ranks, length)
    grades = _grades(item, frozenset(gold))
    if grades and length and not top:
        item.refuse("są stopnie trafności, a brak „top”.", "there are grades of relevance, but no “top”.")
    in_reach = [rank for rank in ranks.values() if rank <= CUTOFF]
    duplicates = _optional(item, "duplicates", highest=_DEEPEST if length else 0) or 0
    tied, best, worst = _ties(item, bool(in_reach), bool(ranks), length)
    return QuestionRanking(
        question_id=question_id,
        gold_passages=gold,
        ranks=ranks,
        length=length,
        duplicates=duplicates,
        judged=_optional(item, "judged", lowest=len(in_reach), highest=min(CUTOFF, length)),
        tied=tied,
        hit_at_best=best,
        hit_at_worst=worst,
        top=top,
        grades=grades,
    )


def _grades(item: Node, gold: frozenset[str]) -> Mapping[str, float]:
    """Passage -> grade above 0, where judgements are graded; those from 1 up are the gold passages."""
    node = item.get("grades")
    if node is None:
        return {}
    grades = {passage: place.positive(HIGHEST_GRADE) for passage, place in node.entries(MOST_PASSAGES)}
    if gold != {passage for passage, grade in grades.items() if grade >= RELEVANT_GRADE}:
        node.refuse(
            "fragmenty od stopnia 1 to nie te, które stoją w gold_passages.",
            "the passages from grade 1 up are not those of gold_passages.",
        )
    return grades


def _ranks(node: Node, gold: frozenset[str], length: int) -> Mapping[str, int]:
    """Gold passage -> rank, by rank; each rank once and within the ranking's length."""
    found: dict[str, int] = {}
    for passage, place in node.entries(MOST_PASSAGES):
        if passage not in gold:
            place.refuse("tego fragmentu nie ma wśród gold_passages.", "this passage is not among the gold_passages.")
        found[passage] = place.integer(1, max(1, length))
    if len(set(found.values())) < len(found) or (found and not length):
        node.refuse(
            "dwa fragmenty na jednym miejscu albo ranking bez długości.", "two passages at one rank, or no length."
        )
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def _top(item: Node, gold: frozenset[str], ranks: Mapping[str, int], length: int) -> tuple[str, ...]:
    """The first ten passages, each once, gold ones at their ranks; empty for a report that was saved without them."""
    node = item.get("top")
    if node is None:
        return ()
    top = tuple(passage.text(1000) for passage in node.elements(CUTOFF))
    if len(top) != min(CUTOFF, length) or len(set(top)) < len(top):
        node.refuse(
            f"mają tu być różne fragmenty, {min(CUTOFF, length)}.",
            f"there should be {counted(min(CUTOFF, length), 'different passage', 'different passages')}.",
        )
    found = {passage: rank for rank, passage in enumerate(top, 1) if passage in gold}
    if found != {passage: rank for passage, rank in ranks.items() if rank <= CUTOFF}:
        node.refuse("złote fragmenty stoją tu inaczej niż w ranks.", "gold passages stand otherwise than in ranks.")
    return top


def _optional(item: Node, name: str, lowest: int = 0, highest: int = 0) -> int | None:
    node = item.get(name)
    return None if node is None else node.integer(lowest, highest)


def _ties(item: Node, hit: bool, found: bool, length: int) -> tuple[bool, bool, bool]:
    """Whether scores are equal, and whether the first ten are hit at best and at worst."""
    node = item.get("ties")
    if node is None:
        return False, hit, hit
    best, worst = node.key("best").flag(), node.key("worst").flag()
    if length < 2 or (best, hit, worst) != tuple(sorted((best, hit, worst), reverse=True)) or (best and not found):
        node.refuse(
            "best i worst nie zgadzają się z ranks i length.", "best and worst do not agree with ranks and length."
        )
    return True, best, worst
