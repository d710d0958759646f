"""One item in full: what was asked, answered and expected, why it counts as it does, and what the ranking held."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.alignment import Alignment, Piece, align
from polqa_demo.evaluation.attribution import Attributed
from polqa_demo.evaluation.buckets import NAMES
from polqa_demo.evaluation.fuzzy_match import Verdict, clean_line
from polqa_demo.evaluation.report import Item
from polqa_demo.records import Passage
from polqa_demo.reports.slice_names import slice_name, slice_value
from polqa_demo.ui.render import TEXT_LIMIT, quoted, render
from polqa_demo.ui.result import Result
from polqa_demo.ui.tables import CELL_LIMIT, shorten, verdict_name
from polqa_demo.ui.texts import say
from polqa_demo.wikipedia import article_id

# Letters that are drawn one by one; a longer answer is not read letter by letter.
DRAWN = 400
SIGNS = {"same": "", "replaced": "≠", "inserted": "+", "deleted": "−"}
# Golds that are listed; a gold set may give thousands to one question.
GOLDS = 30


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where passages are looked up: the corpus by its name, and whether its ids name articles of Wikipedia."""

    name: str
    passage: Callable[[str], Passage | None]
    wikipedia_ids: bool


def item_html(result: Result, item: Item, shelf: Shelf | None, lang: Lang) -> str:
    """The detail of an item; without a shelf passages are ids alone."""
    listing = result.listing
    golds = result.gold_passages.get(item.question.id, ())
    return render(
        "item.html",
        lang,
        id=item.question.id,
        question=shorten(item.question.text, TEXT_LIMIT),
        labels=_labels(item, lang),
        golds=_golds(item),
        unanswerable=item.abstained is not None,
        more_golds=max(0, len(item.question.answers) - GOLDS),
        facts=_facts(result, item, lang),
        alignment=_alignment(item, result.report.rule, lang),
        cell=_cell(listing.attributed.get(item.question.id), lang),
        ranked=result.report.rankings is not None,
        gold_ranks=_gold_ranks(item, golds),
        passages=_passages(item, golds, shelf),
        others=_others(item, golds, shelf),
        corpus=shelf.name if shelf else None,
    )


def _labels(item: Item, lang: Lang) -> list[tuple[str, str]]:
    labels = item.question.labels.items()
    return [(slice_name(name, lang), slice_value(name, value, lang)) for name, value in labels if value]


def _golds(item: Item) -> list[tuple[str, str]]:
    """Every gold with what the verdict says of it: `accepting`, `nearest` or nothing."""
    verdict = item.verdict
    marked = verdict.gold if verdict else None
    mark = "accepting" if verdict and verdict.correct else "nearest"
    shown = list(item.question.answers[:GOLDS])
    if marked in item.question.answers and marked not in shown:
        shown.append(str(marked))
    return [(shorten(gold, TEXT_LIMIT), mark if gold == marked else "") for gold in shown]


def _facts(result: Result, item: Item, lang: Lang) -> list[tuple[str, str]]:
    """The verdict in words, as names and values."""
    verdict = item.verdict
    if verdict is None:
        return _abstention(item, lang)
    facts = [
        ("prediction", _prediction(item.prediction, lang)),
        ("verdict", f"{verdict_name(verdict.correct, lang)} ({say('item.rule', lang)} {verdict.rule})"),
        ("decides", say(f"item.{verdict.branch}", lang)),
        *_measured(verdict, lang),
    ]
    placed = result.listing.placed.get(item.question.id)
    if placed is not None:
        facts.append(("bucket", shorten(f"{NAMES[placed.bucket].say(lang)}: {placed.reason.say(lang)}", TEXT_LIMIT)))
    if item.verdict_from_gold is not None:
        on_gold = _prediction(item.prediction_from_gold, lang)
        facts.append(("from_gold", f"{on_gold} ({verdict_name(item.verdict_from_gold.correct, lang)})"))
    return [(say(f"item.{name}", lang), value) for name, value in facts]


def _abstention(item: Item, lang: Lang) -> list[tuple[str, str]]:
    """Of a question without an answer: what is said to it, where that counts."""
    if item.abstained is None:
        return []
    facts = {
        "prediction": _prediction(item.prediction, lang),
        "verdict": verdict_name(item.abstained, lang),
        "decides": say("item.unanswerable", lang),
    }
    return [(say(f"item.{name}", lang), value) for name, value in facts.items()]


def _prediction(text: str | None, lang: Lang) -> str:
    if text is None:
        return say("item.no_prediction", lang)
    return shorten(text, TEXT_LIMIT) if clean_line(text) else say("item.blank", lang)


def _measured(verdict: Verdict, lang: Lang) -> Iterator[tuple[str, str]]:
    """What the rule measured: the numbers, or the distance with its limit."""
    if verdict.branch == "number":
        given, wanted = (part or say("item.none", lang) for part in (verdict.prediction_number, verdict.gold_number))
        sides = f"{say('item.in_prediction', lang)} {shorten(given)}, {say('item.in_gold', lang)} {shorten(wanted)}"
        yield "numbers", sides
    elif verdict.branch == "text" and verdict.limit is not None:
        words = say("item.less_than" if verdict.limit_is_strict else "item.at_most", lang)
        reached = say("item.too_long", lang) if verdict.distance is None else str(verdict.distance)
        yield "distance", f"{reached} ({words} {number(verdict.limit, 1, lang)})"


def _alignment(item: Item, rule: str, lang: Lang) -> dict[str, Any] | None:
    verdict = item.verdict
    if verdict is None or verdict.gold is None or not clean_line(item.prediction or ""):
        return None
    aligned = align(item.prediction or "", verdict.gold, rule)
    letters = list(_letters(aligned))
    return {
        "gold": shorten(verdict.gold),
        "equal": aligned.distance == 0,
        "words": _words(letters[:DRAWN]),
        "spoken": _spoken(aligned.pieces, lang),
        "cut": len(letters) > DRAWN,
        "coarse": not aligned.shortest,
        "by_number": verdict.branch == "number",
    }


@dataclass(frozen=True, slots=True)
class Letter:
    """One column of the drawing: a letter of the answer over one of the gold (or nothing), and the sign between."""

    kind: str
    sign: str
    top: str
    bottom: str


def _letters(aligned: Alignment) -> Iterator[Letter]:
    """The columns in order, as many as are drawn and one more."""
    left = DRAWN + 1
    for piece in aligned.pieces:
        for top, bottom in zip_longest(piece.prediction[:left], piece.gold[:left], fillvalue=""):
            yield Letter(piece.kind, SIGNS[piece.kind], visible(top), visible(bottom))
            left -= 1
            if left <= 0:
                return


def _words(letters: Sequence[Letter]) -> list[list[Letter]]:
    """The columns in groups that are not broken across lines: a group ends with a blank on both sides."""
    words: list[list[Letter]] = [[]]
    for letter in letters:
        words[-1].append(letter)
        if letter.top == letter.bottom == visible(" "):
            words.append([])
    return [word for word in words if word]


def visible(letter: str) -> str:
    """A letter as it is drawn alone: blanks, controls and combining marks are made visible."""
    if not letter:
        return "·"
    if letter == " ":
        return "␣"
    if unicodedata.combining(letter):
        return f"◌{letter}"
    # Controls and signs of direction would change what stands around them.
    return f"{ord(letter):04X}" if unicodedata.category(letter)[0] in "CZ" else letter


def _spoken(pieces: Sequence[Piece], lang: Lang) -> str:
    """The alignment for who does not see it: `bez zmian „Indi”, zamiana „e” na „a”, zbędne „ch”`."""
    told: list[str] = []
    for piece in pieces[:CELL_LIMIT]:
        name = say(f"item.{piece.kind}", lang)
        top, bottom = (quoted(shorten(side), lang) for side in (piece.prediction, piece.gold))
        if piece.kind == "replaced":
            told.append(f"{name} {top} {say('item.by', lang)} {bottom}")
        else:
            told.append(f"{name} {bottom if piece.kind == 'inserted' else top}")
    return ", ".join(told)


def _cell(attributed: Attributed | None, lang: Lang) -> dict[str, Any] | None:
    if attributed is None:
        return None
    return {
        "name": attributed.cell.name.say(lang),
        "explanation": attributed.cell.explanation.say(lang),
        "answer_rank": attributed.answer_rank,
        "held": shorten(attributed.held) if attributed.held else None,
    }


def _gold_ranks(item: Item, golds: Sequence[str]) -> list[tuple[str, float | None, int | None]]:
    """The gold passages with their grades (where judgements are graded) and ranks, the found ones first."""
    ranks, grades = (item.ranking.ranks, item.ranking.grades) if item.ranking else ({}, {})
    return sorted(
        ((shorten(gold), grades.get(gold), ranks.get(gold)) for gold in golds[:GOLDS]),
        key=lambda row: row[2] or float("inf"),
    )


def _passages(item: Item, golds: Sequence[str], shelf: Shelf | None) -> list[dict[str, Any]]:
    """The first passages of the ranking."""
    top = item.ranking.top if item.ranking else ()
    return [_passage(passage, rank, passage in golds, shelf) for rank, passage in enumerate(top, 1)]


def _others(item: Item, golds: Sequence[str], shelf: Shelf | None) -> list[dict[str, Any]]:
    """The gold passages that do not stand among the first."""
    ranking = item.ranking
    top, ranks = (ranking.top, ranking.ranks) if ranking else ((), {})
    return [_passage(gold, ranks.get(gold), True, shelf) for gold in golds[:GOLDS] if gold not in top]


def _passage(passage_id: str, rank: int | None, gold: bool, shelf: Shelf | None) -> dict[str, Any]:
    passage = shelf.passage(passage_id) if shelf else None
    return {
        "id": shorten(passage_id),
        "rank": rank,
        "gold": gold,
        "title": shorten(passage.title) if passage else None,
        "text": shorten(passage.text, TEXT_LIMIT) if passage else None,
        "wikipedia": article_id(passage_id) if shelf and shelf.wikipedia_ids else None,
    }
