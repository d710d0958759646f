"""What is told of the order of rankings beside the gold: what another order of the file scores, what ties change."""

from dataclasses import replace

from polqa_demo.data.polqa import GoldSource, gold_passages
from polqa_demo.errors import Bilingual, Lang, Problem, UserError, first_few, number
from polqa_demo.evaluation.ranking import RankingScores, score_rankings
from polqa_demo.evaluation.shares import Share
from polqa_demo.records import GoldSet
from polqa_demo.submissions.passage_ids import JudgedPassages
from polqa_demo.submissions.ranking_order import OtherOrder
from polqa_demo.submissions.rankings import RankingsFile


def judged_ids(gold: GoldSet) -> JudgedPassages:
    """The ids of all passages that a gold judges; a sealed one is opened, and its ids are marked as secret."""
    opened = gold.opened
    ids = frozenset(judgement.passage_id for judgement in opened.judgements)
    return JudgedPassages(ids, gold.secret, opened.decimal_passages)


def told_of_orders(file: RankingsFile, gold: GoldSet, gold_source: GoldSource) -> tuple[Problem, ...]:
    """The problems of a file; where it names another order, its problem says what accuracy@10 is by either.

    Without gold passages there is nothing to say, and the problems stay as they are; so they do for a secret gold, of
    which one file tells one total.
    """
    other = file.other
    if other is None or gold.secret:
        return file.problems
    passages, ids = gold_passages(gold, gold_source), [question.id for question in gold.questions]
    try:
        counted, otherwise = (
            score_rankings(rankings, passages, ids) for rankings in (file.rankings, {**file.rankings, **other.rankings})
        )
    except UserError:
        return file.problems
    message = Bilingual(
        f"{other.problem.message.pl} {_both(counted, otherwise, other, 'pl')}",
        f"{other.problem.message.en} {_both(counted, otherwise, other, 'en')}",
    )
    return tuple(replace(told, message=message) if told is other.problem else told for told in file.problems)


def _both(counted: RankingScores, otherwise: RankingScores, other: OtherOrder, lang: Lang) -> str:
    """accuracy@10 by either order; MRR@10 as well where that is equal, since lists of ten hide an order from it."""
    by, beside = other.counted.say(lang), other.name.say(lang)
    one, two = (_share(scores.headline, lang) for scores in (counted, otherwise))
    text = f"accuracy@10: {one} {by}, {two} {beside}."
    if one == two:
        one, two = (number(100 * scores["mrr@10"].value, 2, lang) for scores in (counted, otherwise))
        text += f" MRR@10: {one} % {by}, {two} % {beside}."
    return text


def about_ties(scores: RankingScores) -> list[Problem]:
    """A note for equal scores, with what they could change; the totals of a secret gold know of none."""
    ties = scores.ties
    if not ties.questions:
        return []
    tied = first_few(item.question_id for item in scores.items if item.tied)
    best, worst = 100 * ties.best.value, 100 * ties.worst.value
    between = Bilingual("nie zmieniają accuracy@10", "they do not change accuracy@10")
    if ties.decisive:
        between = Bilingual(
            f"accuracy@10 mogłoby wynieść od {number(worst, 2, 'pl')} do {number(best, 2, 'pl')} %",
            f"accuracy@10 could lie between {worst:.2f} and {best:.2f} %",
        )
    message = Bilingual(
        f"Remisy w rankingach, pytań: {ties.questions} ({tied}). O kolejności decyduje pozycja, potem plik; "
        f"{between.pl}.",
        f"Equal scores in rankings, questions: {ties.questions} ({tied}). The rank decides, then the file; "
        f"{between.en}.",
    )
    return [Problem("note", "ties", message, ties.questions)]


def _share(share: Share, lang: Lang) -> str:
    return f"{share.hits}/{share.n} ({number(100 * share.value, 2, lang)} %)"
