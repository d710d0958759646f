"""The questions that part two runs: what can be chosen, and one page of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polqa_demo.comparison import Compared
from polqa_demo.data.polqa import gold_passages
from polqa_demo.errors import Lang
from polqa_demo.evaluation.compare import Comparison, Run, flips
from polqa_demo.evaluation.slices import dimensions, members
from polqa_demo.records import GoldSet, Question, Ranking
from polqa_demo.reports.score_texts import measure_name, measure_text
from polqa_demo.reports.slice_names import slice_name, slice_value
from polqa_demo.ui.render import render
from polqa_demo.ui.tables import shorten
from polqa_demo.ui.texts import say

PAGE = 50
BOTH, FIRST, SECOND = SIDES = ("both", "first", "second")
_GOLDS_SHOWN = 3
_CELL = 120

Choices = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is looked at, as the page's choices tell it; places beyond the end count as the first."""

    measure: str = "0"
    pair: str = "0"
    side: str = BOTH
    only: str = ""
    page: str = "0"


@dataclass(frozen=True, slots=True)
class FlipsPage:
    """One page of flips as HTML, with the choices that go with it."""

    html: str
    pairs: Choices
    sides: Choices
    pages: Choices
    chosen: Chosen


def measure_choices(found: Compared) -> Choices:
    """The measures that were compared."""
    return [(measure_name(one.measure), str(place)) for place, one in enumerate(found.comparisons)]


def slice_choices(questions: Sequence[Question], lang: Lang) -> Choices:
    """Every slice of every dimension with its number of questions; all questions first."""
    choices = [(f"{say('flips.all', lang)} ({len(questions)})", "")]
    for name in dimensions(questions):
        title = slice_name(name, lang)
        choices += [
            (f"{title} = {slice_value(name, value, lang)} ({len(ids)})", f"{name}={value}")
            for value, ids in members(questions, name).items()
            if value
        ]
    return choices


def flips_page(found: Compared, gold: GoldSet, chosen: Chosen, lang: Lang) -> FlipsPage:
    """The questions on which the chosen pair differs, of the chosen slice, fifty at a time.

    `found` has at least one comparison and names its questions (no secret gold).
    """
    comparison = found.comparisons[_place(chosen.measure, len(found.comparisons))]
    at = _place(chosen.pair, len(comparison.differences))
    pair = comparison.differences[at]
    runs = {run.name: run for run in comparison.runs}
    first, second = runs[pair.first], runs[pair.second]
    parted = flips(first, second, _kept(gold.questions, chosen.only))
    ids = [
        *((question_id, first.name) for question_id in parted.won if chosen.side != SECOND),
        *((question_id, second.name) for question_id in parted.lost if chosen.side != FIRST),
    ]
    start = PAGE * _place(chosen.page, len(ids) // PAGE + 1)
    rows = _Rows(found, gold, comparison, lang)
    html = render(
        "flips.html",
        lang,
        first=first.name,
        second=second.name,
        won=len(parted.won),
        lost=len(parted.lost),
        same=parted.same,
        rows=[rows.row(question_id, better, first, second) for question_id, better in ids[start : start + PAGE]],
    )
    side = chosen.side if chosen.side in SIDES else BOTH
    return FlipsPage(
        html,
        [(f"{one.first} − {one.second}", str(place)) for place, one in enumerate(comparison.differences)],
        [
            (say("flips.both", lang), BOTH),
            *((f"{say('flips.better', lang)}: {run.name}", name) for run, name in ((first, FIRST), (second, SECOND))),
        ],
        [
            (say("flips.rows", lang).format(first=low + 1, last=min(low + PAGE, len(ids)), total=len(ids)), str(place))
            for place, low in enumerate(range(0, len(ids), PAGE))
        ]
        or [("0", "0")],
        Chosen(chosen.measure, str(at), side, chosen.only, str(start // PAGE)),
    )


def first_rank(ranking: Ranking | None, gold: frozenset[str]) -> int | None:
    """The rank of the first gold passage; None when none is ranked."""
    passages = dict.fromkeys(ranking.passage_ids) if ranking else {}
    return next((rank for rank, passage in enumerate(passages, 1) if passage in gold), None)


class _Rows:
    """What stands in the rows of one comparison."""

    def __init__(self, found: Compared, gold: GoldSet, comparison: Comparison, lang: Lang) -> None:
        self._questions = {question.id: question for question in gold.questions}
        self._measure, self._lang = comparison.measure, lang
        self._predictions: Mapping[str, Mapping[str, str]] = found.predictions
        self._rankings = found.rankings
        self._of_answers = comparison.measure.startswith("fuzzy_match")
        self._passages = {} if self._of_answers else gold_passages(gold)

    def row(self, question_id: str, better: str, first: Run, second: Run) -> dict[str, object]:
        question = self._questions[question_id]
        golds = question.answers if self._of_answers else tuple(self._passages.get(question_id, ()))
        more = "…" if len(golds) > _GOLDS_SHOWN else ""
        return {
            "id": question_id,
            "question": shorten(question.text, _CELL),
            "first": self._cell(first, question_id),
            "second": self._cell(second, question_id),
            "gold": shorten(" | ".join(golds[:_GOLDS_SHOWN]), _CELL) + more,
            "better": better,
        }

    def _cell(self, run: Run, question_id: str) -> dict[str, object]:
        value = run.values[question_id]
        if self._of_answers:
            given = self._predictions[run.name].get(question_id, "")
            return {"right": value > 0, "text": shorten(given, _CELL) or say("beside_runs.no_answer", self._lang)}
        rank = first_rank(self._rankings[run.name].get(question_id), frozenset(self._passages[question_id]))
        text = f"{say('flips.rank', self._lang)} {rank}" if rank else say("flips.no_rank", self._lang)
        # Of accuracy the rank says everything.
        shown = "" if self._measure.startswith("accuracy") else f" ({measure_text(self._measure, value, self._lang)})"
        return {"right": value > 0, "text": text + shown}


def _kept(questions: Sequence[Question], only: str) -> frozenset[str] | None:
    name, _, value = only.partition("=")
    return members(questions, name).get(value, frozenset()) if name else None


def _place(text: str, count: int) -> int:
    """A place among `count`; the first for anything that is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 and int(text) < count else 0
