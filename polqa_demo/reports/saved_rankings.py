"""The ranking of one question, from its item in a report."""

from collections.abc import Mapping

from polqa_demo.errors import counted
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking
from polqa_demo.records import RELEVANT_GRADE
from polqa_demo.reports.saved_schema import DEEPEST, SavedItem, needed, within
from polqa_demo.reports.untrusted_json import Place, bad_report


def load_question_ranking(item: SavedItem, place: Place) -> QuestionRanking:
    """One question's ranking, from `gold_passages`, `grades`, `ranks`, `top`, `length`, `judged`, `duplicates`, `ties`.

    :raises UserError: a value is missing or does not fit the others
    """
    gold = tuple(needed(item.gold_passages, "gold_passages", place))
    wanted = frozenset(gold)
    if len(wanted) < len(gold):
        raise bad_report(
            (*place, "gold_passages"), "jeden fragment stoi tu dwa razy.", "one passage stands here twice."
        )
    length = needed(item.length, "length", place)
    ranks = _ranks(item, wanted, length, place)
    top = _top(item, wanted, ranks, length, place)
    grades = _grades(item, wanted, place)
    if grades and length and not top:
        raise bad_report(place, "są stopnie trafności, a brak „top”.", "there are grades of relevance, but no “top”.")
    in_reach = sum(rank <= CUTOFF for rank in ranks.values())
    tied, best, worst = _ties(item, bool(in_reach), bool(ranks), length, place)
    judged = item.judged
    if judged is not None:
        within(judged, in_reach, min(CUTOFF, length), *place, "judged")
    return QuestionRanking(
        question_id=item.question_id,
        gold_passages=gold,
        ranks=ranks,
        length=length,
        duplicates=within(item.duplicates or 0, 0, DEEPEST if length else 0, *place, "duplicates"),
        judged=judged,
        tied=tied,
        hit_at_best=best,
        hit_at_worst=worst,
        top=top,
        grades=grades,
    )


def _grades(item: SavedItem, gold: frozenset[str], place: Place) -> Mapping[str, float]:
    """Passage -> grade above 0, where judgements are graded; those from 1 up are the gold passages."""
    if item.grades is None:
        return {}
    if gold != {passage for passage, grade in item.grades.items() if grade >= RELEVANT_GRADE}:
        raise bad_report(
            (*place, "grades"),
            "fragmenty od stopnia 1 to nie te, które stoją w gold_passages.",
            "the passages from grade 1 up are not those of gold_passages.",
        )
    return item.grades


def _ranks(item: SavedItem, gold: frozenset[str], length: int, place: Place) -> Mapping[str, int]:
    """Gold passage -> rank, by rank; each rank once and within the ranking's length."""
    ranks = needed(item.ranks, "ranks", place)
    for passage, rank in ranks.items():
        if passage not in gold:
            raise bad_report(
                (*place, "ranks", passage),
                "tego fragmentu nie ma wśród gold_passages.",
                "this passage is not among the gold_passages.",
            )
        within(rank, 1, max(1, length), *place, "ranks", passage)
    if len(set(ranks.values())) < len(ranks) or (ranks and not length):
        raise bad_report(
            (*place, "ranks"),
            "dwa fragmenty na jednym miejscu albo ranking bez długości.",
            "two passages at one rank, or no length.",
        )
    return dict(sorted(ranks.items(), key=lambda pair: pair[1]))


def _top(item: SavedItem, gold: frozenset[str], ranks: Mapping[str, int], length: int, place: Place) -> tuple[str, ...]:
    """The first ten passages, each once, gold ones at their ranks; empty for a report that was saved without them."""
    if item.top is None:
        return ()
    top, seen = tuple(item.top), min(CUTOFF, length)
    if len(top) != seen or len(set(top)) < len(top):
        raise bad_report(
            (*place, "top"),
            f"mają tu być różne fragmenty, {seen}.",
            f"there should be {counted(seen, 'different passage', 'different passages')}.",
        )
    found = {passage: rank for rank, passage in enumerate(top, 1) if passage in gold}
    if found != {passage: rank for passage, rank in ranks.items() if rank <= CUTOFF}:
        raise bad_report(
            (*place, "top"),
            "złote fragmenty stoją tu inaczej niż w ranks.",
            "gold passages stand otherwise than in ranks.",
        )
    return top


def _ties(item: SavedItem, hit: bool, found: bool, length: int, place: Place) -> tuple[bool, bool, bool]:
    """Whether scores are equal, and whether the first ten are hit at best and at worst."""
    if item.ties is None:
        return False, hit, hit
    best, worst = item.ties.best, item.ties.worst
    if length < 2 or not best >= hit >= worst or (best and not found):
        raise bad_report(
            (*place, "ties"),
            "best i worst nie zgadzają się z ranks i length.",
            "best and worst do not agree with ranks and length.",
        )
    return True, best, worst
