"""An analysis as plain JSON; absent parts are left out, shares are 0..1, differences and costs in points."""

from typing import Any

from polqa_demo.evaluation.analysis import Analysis, AnswerAnalysis, RankingAnalysis
from polqa_demo.evaluation.audit import Audit, Damage
from polqa_demo.evaluation.features import Feature
from polqa_demo.evaluation.floor import Floor
from polqa_demo.evaluation.shares import Share
from polqa_demo.evaluation.significance import SmallestDifference
from polqa_demo.evaluation.slices import Slice, Slices, TwoWay


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """`slices`, `audit` and `uncertainty`, as the report's JSON holds them."""
    found: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    uncertainty: dict[str, Any] = {}
    if analysis.answers:
        rows += _slices(analysis.answers.slices, "fuzzy_match")
        found["audit"] = _audit(analysis.answers.audit)
        found["question_words"] = [_feature(feature) for feature in analysis.answers.features]
        if analysis.answers.two_way:
            found["two_way"] = _two_way(analysis.answers.two_way)
        uncertainty["answers"] = _answers(analysis.answers)
    if analysis.rankings:
        rows += _slices(analysis.rankings.slices, "accuracy@10")
        uncertainty["rankings"] = _rankings(analysis.rankings)
    return {"slices": rows, **found, "uncertainty": uncertainty}


def _slices(slices: Slices, measure: str) -> list[dict[str, Any]]:
    return [_slice(row, measure) for row in slices.rows]


def _slice(row: Slice, measure: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "measure": measure,
        "slice": row.name,
        "value": row.value,
        "share": row.share,
        "hits": row.hits,
        "n": row.n,
        "ci95": [row.low, row.high],
        "small": row.small,
    }
    if row.difference is not None:
        found |= {"difference": row.difference, "p": row.p, "p_holm": row.adjusted_p}
    return found


def _two_way(table: TwoWay) -> dict[str, Any]:
    return {
        "rows": table.by_row,
        "columns": table.by_column,
        "cells": [
            {"row": row, "column": column, "hits": share.hits, "n": share.n}
            for (row, column), share in table.cells.items()
            if share.n
        ],
    }


def _feature(feature: Feature) -> dict[str, Any]:
    return {
        "stem": feature.stem,
        "word": feature.word,
        "n": feature.n,
        "error_rate": feature.error_rate,
        "other_error_rate": feature.other_error_rate,
        "p": feature.p,
        "p_holm": feature.adjusted_p,
    }


def _audit(audit: Audit) -> list[dict[str, Any]]:
    damages = [*audit.damages, *([audit.together] if audit.together else [])]
    return [_damage(damage) for damage in damages]


def _damage(damage: Damage) -> dict[str, Any]:
    return {
        "kind": damage.kind,
        "title": damage.title.en,
        "affected": damage.affected,
        "gained": damage.gained,
        "lost": damage.lost,
        "points": damage.points,
        "net_points": damage.net_points,
        "places": [
            {"question_id": place.question_id, "written": place.written, "repaired": place.repaired}
            for place in damage.places
        ],
    }


def _answers(found: AnswerAnalysis) -> dict[str, Any]:
    low, high = found.bounds
    parts: dict[str, Any] = {
        "bounds": [low, high],
        "smallest_difference": _smallest(found.smallest),
        "flips": [{"rule": flip.rule, "lost": list(flip.lost), "gained": list(flip.gained)} for flip in found.flips],
        "identical_with_gold": found.lookalikes.share,
    }
    if found.floor:
        parts["noise_floor"] = _floor(found.floor)
    return parts


def _floor(floor: Floor) -> dict[str, Any]:
    found: dict[str, Any] = {
        "tak": _share(floor.yes),
        "commonest_gold": {"answer": floor.commonest_gold, **_share(floor.commonest)},
    }
    if floor.another:
        chance = floor.another
        found["another_questions_gold"] = {
            "value": chance.value,
            "ci95": [chance.low, chance.high],
            "shuffles": chance.shuffles,
            "seed": chance.seed,
        }
    return found


def _share(share: Share) -> dict[str, Any]:
    return {"value": share.value, "hits": share.hits, "n": share.n, "ci95": list(share.interval)}


def _smallest(found: SmallestDifference) -> dict[str, Any]:
    parts = {"unpaired": found.unpaired, "paired": found.paired, "power": found.power, "alpha": found.alpha}
    return {name: value for name, value in parts.items() if value is not None}


def _rankings(found: RankingAnalysis) -> dict[str, Any]:
    low, high = found.bounds
    return {
        "bounds": [low, high],
        "smallest_difference": _smallest(found.smallest),
        "intervals": {
            name: {
                "value": one.value,
                "ci95": [one.low, one.high],
                "method": one.method,
                "seed": one.seed,
                "resamples": one.resamples,
            }
            for name, one in found.intervals.items()
        },
    }
