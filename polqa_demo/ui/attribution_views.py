"""Retriever times reader -> HTML, through the templates that escape every text of others; the pool as CSV."""

import csv
import io
from collections.abc import Collection, Sequence
from typing import Any

from polqa_demo.data.polqa import COLUMNS
from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.attribution import CELLS, Attribution, Cell, ReaderBeside
from polqa_demo.evaluation.pool import PoolRow
from polqa_demo.evaluation.shares import Share
from polqa_demo.reports.report_json import harmless
from polqa_demo.reports.score_texts import interval, percent, score_text
from polqa_demo.ui.render import render
from polqa_demo.ui.tables import CELL
from polqa_demo.ui.texts import say

BESIDE = ("both", "only_gold", "only_retrieved", "neither")


def attribution_html(found: Attribution, lang: Lang) -> str:
    """The eight cells as buttons with counts, shares and what they mean, and how far the retriever lets a reader go."""
    ceilings = {
        "passage": found.passage_ceiling,
        "answer": found.answer_ceiling,
        "either": found.either_ceiling,
    }
    return render(
        "attribution.html",
        lang,
        quarters=[
            {
                "title": _quarter_title(passage, answer, lang),
                "cells": [
                    _cell(cell, found, lang)
                    for cell in CELLS
                    if (cell.gold_passage, cell.gold_answer) == (passage, answer)
                ],
            }
            for passage in (True, False)
            for answer in (True, False)
        ],
        ceilings=[_bar(f"attribution.{name}", share, lang) for name, share in ceilings.items()],
        n=len(found.items),
        unread=found.unread,
        without=len(found.without_gold_passage),
    )


def _quarter_title(passage: bool, answer: bool, lang: Lang) -> str:
    first, second = ("yes" if fact else "no" for fact in (passage, answer))
    return f"{say(f'attribution.passage_{first}', lang)} · {say(f'attribution.answer_{second}', lang)}"


def _cell(cell: Cell, found: Attribution, lang: Lang) -> dict[str, Any]:
    count = found.counts[cell.code]
    return {
        "pick": f"{CELL}{cell.code}",
        "right": cell.right,
        "verdict": say("attribution.right" if cell.right else "attribution.wrong", lang),
        "name": cell.name.say(lang),
        "why": cell.explanation.say(lang),
        "count": count,
        "share": percent(count / len(found.items), lang),
    }


def _bar(key: str, share: Share, lang: Lang) -> dict[str, Any]:
    low, high = share.interval
    return {
        "name": say(key, lang),
        "width": round(100 * share.value, 1),
        "value": score_text(share.value, lang),
        "counts": f"{interval(low, high, lang)} · {share.hits} {say('eval.of', lang)} {share.n}",
    }


def beside_html(found: ReaderBeside, filters: Collection[str], lang: Lang) -> str:
    """The same reader on gold and on retrieved passages: both scores, what lies between, and who is right where.

    A group can be pressed when it is among the `filters` of the table of items.
    """
    groups = {name: len(getattr(found, name)) for name in BESIDE}
    gain = say("beside.gain", lang).format(
        points=number(100 * groups["only_gold"] / found.n, 1, lang),
        count=groups["only_gold"],
        wrong=score_text(1 - found.on_gold.value, lang),
    )
    return render(
        "beside.html",
        lang,
        scores=[
            _bar("beside.on_gold", found.on_gold, lang),
            _bar("beside.on_retrieved", found.on_retrieved, lang),
        ],
        gain=gain,
        n=found.n,
        groups=[
            {
                "pick": f"beside:{name}",
                "right": name != "neither",
                "name": say(f"beside.{name}", lang),
                "why": say(f"beside.{name}_why", lang),
                "count": count,
                "share": percent(count / found.n, lang),
                "pressable": f"beside:{name}" in filters,
            }
            for name, count in groups.items()
        ],
    )


def pool_csv(rows: Sequence[PoolRow]) -> str:
    """Unjudged passages that hold a gold answer, in PolQA's columns, with `relevant` left to the annotator."""
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: harmless(value) for name, value in row.columns().items()})
    return out.getvalue()
