"""Plots as shapes on a sheet: where every line, bar and word of an SVG stands. Units are those of its view box."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from polqa_demo.errors import Lang
from polqa_demo.evaluation.measures.accuracy import DEPTHS
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.reports.plots import CurvePoint, Forest, RankBin, RankHistogram
from polqa_demo.reports.published import Band
from polqa_demo.reports.score_texts import measure_name, percent, score_text
from polqa_demo.reports.slice_names import slice_name, slice_value
from polqa_demo.reports.texts import say

WIDTH = 640
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
# Beyond that a linear axis would squeeze the first ten, which matter most.
_LINEAR = 20
_ROW = 22
_NAMES = 250


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `kind` says how it looks."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True, slots=True)
class Box:
    """A bar."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A filled area or a line through points, written as SVG wants them."""

    points: str
    kind: Literal["band", "curve"]


@dataclass(frozen=True, slots=True)
class Dot:
    """A point that counts."""

    x: float
    y: float
    kind: str


@dataclass(frozen=True, slots=True)
class Word:
    """A text at a place; `anchor` is SVG's."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"]
    kind: str = "label"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet with its shapes. `title` and `description` say what it shows to those who do not see it."""

    key: str
    title: str
    description: str
    height: int
    lines: tuple[Line, ...] = ()
    boxes: tuple[Box, ...] = ()
    outlines: tuple[Outline, ...] = ()
    dots: tuple[Dot, ...] = ()
    words: tuple[Word, ...] = ()
    width: int = WIDTH


def draw_curve(points: Sequence[CurvePoint], lang: Lang) -> Drawing:
    """accuracy@k by k with its band; the depths that the scores name are marked with their values."""
    deepest = points[-1].depth
    left, right, top, bottom = 52, WIDTH - 20, 16, 232

    def x(depth: int) -> float:
        part = (depth - 1) / (deepest - 1) if deepest <= _LINEAR else math.log(depth) / math.log(deepest)
        return round(left + part * (right - left), 1)

    def y(share: float) -> float:
        return round(bottom - share * (bottom - top), 1)

    marked = [point for point in points if point.depth in DEPTHS]
    ticks = range(1, deepest + 1) if deepest <= _LINEAR else (*DEPTHS[:3], 20, 50, 100)
    upper = [(x(point.depth), y(point.high)) for point in points]
    lower = [(x(point.depth), y(point.low)) for point in reversed(points)]
    words = [Word(left - 8, y(share) + 4, percent(share, lang, 0), "end") for share in _TICKS]
    words += [Word(x(depth), bottom + 18, str(depth), "middle") for depth in ticks if depth <= deepest]
    words += [_mark(point, x(point.depth), y(point.share), lang) for point in marked]
    return Drawing(
        "curve",
        say("curve", lang),
        say("drawn.curve", lang).format(
            first=score_text(points[0].share, lang), last=score_text(points[-1].share, lang), depth=deepest
        ),
        260,
        lines=_grid(left, right, y),
        outlines=(
            Outline(_path([*upper, *lower]), "band"),
            Outline(_path([(x(point.depth), y(point.share)) for point in points]), "curve"),
        ),
        dots=tuple(Dot(x(point.depth), y(point.share), "dot") for point in marked),
        words=tuple(words),
    )


def _mark(point: CurvePoint, x: float, y: float, lang: Lang) -> Word:
    """The value beside its dot, on the side where the curve is not."""
    inside = x < WIDTH - 70
    return Word(x + (6 if inside else 0), y + 20, score_text(point.share, lang), "start" if inside else "end", "value")


def draw_ranks(histogram: RankHistogram, lang: Lang) -> Drawing:
    """How many questions have their first gold passage at which rank; the last bar has none."""
    bars = [(bin_name(one), one.count, "bar") for one in histogram.bins]
    bars.append((say("ranks.none", lang), histogram.missed, "bar missed"))
    left, right, top, bottom = 16, WIDTH - 16, 28, 190
    step = (right - left) / len(bars)
    highest = max(1, *(count for _, count, _ in bars))
    boxes: list[Box] = []
    words: list[Word] = []
    for place, (name, count, kind) in enumerate(bars):
        x = round(left + place * step, 1)
        height = round((bottom - top) * count / highest, 1)
        middle = round(x + step / 2, 1)
        boxes.append(Box(round(x + step * 0.15, 1), round(bottom - height, 1), round(step * 0.7, 1), height, kind))
        words.append(Word(middle, round(bottom - height - 6, 1), str(count), "middle", "value"))
        words.append(Word(middle, bottom + 18, name, "middle"))
    first = histogram.bins[0].count
    return Drawing(
        "ranks",
        say("ranks", lang),
        say("drawn.ranks", lang).format(first=first, n=histogram.n, missed=histogram.missed),
        220,
        lines=(Line(left, bottom, right, bottom, "axis"),),
        boxes=tuple(boxes),
        words=tuple(words),
    )


def bin_name(one: RankBin) -> str:
    """`7`, `11–20`, `101+`."""
    if one.last is None:
        return f"{one.first}+"
    return str(one.first) if one.first == one.last else f"{one.first}–{one.last}"


def draw_forest(forest: Forest, measure: str, lang: Lang) -> Drawing:
    """Every slice as a point with its interval, around the upright line of the whole set."""
    left, right, top = _NAMES, WIDTH - 110, 12
    bottom = top + _ROW * len(forest.rows)

    def x(share: float) -> float:
        return round(left + share * (right - left), 1)

    lines = [Line(x(share), top, x(share), bottom, "grid") for share in _TICKS]
    lines.append(Line(x(forest.share), top, x(forest.share), bottom, "whole"))
    dots: list[Dot] = []
    words = [Word(x(share), bottom + 18, percent(share, lang, 0), "middle") for share in _TICKS]
    for place, row in enumerate(forest.rows):
        y = round(top + _ROW * (place + 0.5), 1)
        kind = "sure" if row.sure else "plain"
        name = f"{slice_name(row.name, lang)}: {slice_value(row.name, row.value, lang, brief=True)}"
        lines.append(Line(x(row.low), y, x(row.high), y, f"interval {kind}"))
        dots.append(Dot(x(row.share), y, f"dot {kind}"))
        words.append(Word(left - 10, y + 4, _fitting(name), "end", kind))
        words.append(Word(right + 12, y + 4, f"{percent(row.share, lang)} (N = {row.n})", "start", "value"))
    return Drawing(
        f"forest-{_bare(measure)}",
        f"{say('slices', lang)}: {measure_name(measure)}",
        say("drawn.forest", lang).format(share=score_text(forest.share, lang)),
        bottom + 30,
        lines=tuple(lines),
        dots=tuple(dots),
        words=tuple(words),
    )


def draw_published(
    found: Band, measure: str, value: float, interval: tuple[float, float] | None, lang: Lang
) -> Drawing:
    """Published figures as the band between the lowest and the highest, each with its name, and one's own score.

    `value` and `interval` are shares of 0..1; a mean has no interval of its own here.
    """
    left, right, top = _NAMES, WIDTH - 110, 12
    bottom = top + _ROW * (len(found.figures) + 1)

    def x(share: float) -> float:
        return round(left + share * (right - left), 1)

    lines = [Line(x(share), top, x(share), bottom, "grid") for share in _TICKS]
    dots: list[Dot] = []
    words = [Word(x(share), bottom + 18, percent(share, lang, 0), "middle") for share in _TICKS]
    rows = [(figure.value, figure.system, False) for figure in found.figures]
    rows = sorted([*rows, (value, say("published.own", lang), True)], key=lambda row: (row[0], row[2]))
    for place, (share, name, own) in enumerate(rows):
        y = round(top + _ROW * (place + 0.5), 1)
        kind = "sure" if own else "plain"
        if own and interval:
            lines.append(Line(x(interval[0]), y, x(interval[1]), y, "interval sure"))
        dots.append(Dot(x(share), y, f"dot {kind}"))
        words.append(Word(left - 10, y + 4, _fitting(name), "end", kind))
        words.append(Word(right + 12, y + 4, score_text(share, lang), "start", "value"))
    return Drawing(
        f"published-{_bare(measure)}",
        measure_name(measure),
        say("drawn.published", lang).format(
            low=score_text(found.low, lang), high=score_text(found.high, lang), own=score_text(value, lang)
        ),
        bottom + 30,
        lines=tuple(lines),
        outlines=(
            Outline(
                _path([(x(share), y) for share, y in zip(_corners(found), (top, top, bottom, bottom), strict=True)]),
                "band",
            ),
        ),
        dots=tuple(dots),
        words=tuple(words),
    )


def _bare(measure: str) -> str:
    """A measure's code without depth and rule, for the key of a drawing."""
    return measure.partition("@")[0].partition(":")[0]


def _corners(found: Band) -> tuple[float, float, float, float]:
    """The shares at the corners of the band, around it."""
    return found.low, found.high, found.high, found.low


def _fitting(name: str) -> str:
    """A name that fits the space beside the plot."""
    longest = _NAMES // 7
    return name if len(name) <= longest else name[: longest - 1] + "…"


def _grid(left: float, right: float, y: Callable[[float], float]) -> tuple[Line, ...]:
    return tuple(Line(left, y(share), right, y(share), "grid" if share else "axis") for share in _TICKS)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def shown_depths(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    """The points worth a row in a table: one to ten, then every ten to fifty, then a hundred; the last in any case."""
    wanted = {*range(1, CUTOFF + 1), 15, 20, 30, 40, 50, 100, points[-1].depth}
    return [point for point in points if point.depth in wanted]
