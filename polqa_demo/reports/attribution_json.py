"""Whose fault, and the reader on gold passages, as plain JSON; `loading_attribution` reads both back."""

from collections.abc import Callable
from typing import Any

from polqa_demo.evaluation.attribution import CELLS, Attributed, Attribution, ReaderBeside
from polqa_demo.evaluation.shares import Share

ShareJson = Callable[[Share, str], dict[str, Any]]


def attribution_json(found: Attribution, share: ShareJson) -> dict[str, Any]:
    """All eight cells with their counts, the three ceilings, and what could not be looked at.

    Which question is in which cell stands with the items.
    """
    n, counts = len(found.items), found.counts
    return {
        "depth": found.depth,
        "n": n,
        "cells": {
            cell.code: {"name": cell.name.en, "count": counts[cell.code], "share": counts[cell.code] / n}
            for cell in CELLS
        },
        "ceilings": {
            "passage": share(found.passage_ceiling, "hits"),
            "answer": share(found.answer_ceiling, "hits"),
            "either": share(found.either_ceiling, "hits"),
        },
        "without_gold_passage": len(found.without_gold_passage),
        "unread": found.unread,
    }


def attributed_json(item: Attributed) -> dict[str, Any]:
    """One question's cell and what put it there; what is absent is left out."""
    found: dict[str, Any] = {
        "cell": item.cell.code,
        "gold_rank": item.gold_rank,
        "answer_rank": item.answer_rank,
        "held": item.held,
        "unread": item.unread or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def beside_json(found: ReaderBeside, share: ShareJson) -> dict[str, Any]:
    """The four counts and both shares; which question is where follows from the verdicts of the items."""
    return {
        "n": found.n,
        "on_gold": share(found.on_gold, "correct"),
        "on_retrieved": share(found.on_retrieved, "correct"),
        "both": len(found.both),
        "only_gold": len(found.only_gold),
        "only_retrieved": len(found.only_retrieved),
        "neither": len(found.neither),
    }
