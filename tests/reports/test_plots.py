"""The numbers behind the plots, against the scores and by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.evaluation.ranking import RankingScores, score_rankings
from polqa_demo.evaluation.significance import wilson_interval
from polqa_demo.evaluation.slices import slices
from polqa_demo.records import Question, Ranking
from polqa_demo.reports.plots import RankBin, accuracy_curve, first_ranks, slice_forest


def scores(first: list[int | None], length: int) -> RankingScores:
    """One question a rank: its gold passage stands there, or nowhere."""
    rankings = {
        str(number): Ranking(
            str(number), tuple("gold" if place == rank else f"x{place}" for place in range(1, length + 1))
        )
        for number, rank in enumerate(first)
    }
    ids = [*rankings, "without"]
    return score_rankings(rankings, {one: ["gold"] for one in rankings}, ids)


def test_a_curve_by_hand() -> None:
    points = accuracy_curve(scores([1, 3, 3, None], 4))
    assert [point.depth for point in points] == list(range(1, 11))
    assert [point.hits for point in points] == [1, 1, 3, 3, 3, 3, 3, 3, 3, 3]
    assert {point.n for point in points} == {4}
    assert (points[2].share, (points[2].low, points[2].high)) == (0.75, wilson_interval(3, 4))


def test_the_curve_goes_as_deep_as_the_rankings_and_no_further_than_asked() -> None:
    assert accuracy_curve(scores([30], 40))[-1].depth == 40
    assert accuracy_curve(scores([30], 150))[-1].depth == 100
    assert accuracy_curve(scores([30], 150), deepest=20)[-1].depth == 20


ranks = st.lists(st.none() | st.integers(1, 130), min_size=1, max_size=12)


@settings(deadline=None)
@given(ranks, st.integers(1, 130))
def test_the_plots_say_what_the_scores_say(first: list[int | None], length: int) -> None:
    found = scores(first, length)
    points = {point.depth: point for point in accuracy_curve(found)}
    for code, share in found.shares.items():
        depth = int(code.removeprefix("accuracy@"))
        assert (points[depth].hits, points[depth].n) == (share.hits, share.n)
    hits = [point.hits for point in points.values()]
    assert hits == sorted(hits)
    assert all(point.low <= point.share <= point.high for point in points.values())

    histogram = first_ranks(found)
    assert sum(one.count for one in histogram.bins) + histogram.missed == histogram.n == found.n
    edges = [edge for one in histogram.bins for edge in (one.first, one.last)]
    assert edges[0] == 1
    for last, following in zip(edges[1:-1:2], edges[2::2], strict=True):
        assert following == last + 1
    in_reach = [rank for rank in first if rank and rank <= length]
    for one in histogram.bins:
        assert one.count == sum(one.first <= rank <= (one.last or 1000) for rank in in_reach)
    # No bin begins where no ranking reaches, but for the first ten.
    assert histogram.bins[-1].first <= max(10, length)


def test_the_bins_of_a_histogram() -> None:
    shallow = first_ranks(scores([1, 1, 7, None], 7))
    assert [one.first for one in shallow.bins] == list(range(1, 11))
    assert [one.count for one in shallow.bins] == [2, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert shallow.missed == 1
    deep = first_ranks(scores([11, 20, 21, 50, 100, 101, 150], 150))
    assert deep.bins[10:] == (RankBin(11, 20, 2), RankBin(21, 50, 2), RankBin(51, 100, 1), RankBin(101, None, 2))
    assert first_ranks(scores([11], 11)).bins[-1] == RankBin(11, 20, 1)


def test_a_forest_holds_the_large_slices() -> None:
    questions = [
        Question(str(number), "Kto?", ("x",), {"kind": "a" if number < 60 else "b" if number < 100 else "c"})
        for number in range(110)
    ]
    right = {question.id: int(question.id) < 60 for question in questions}
    found = slices(questions, right)
    forest = slice_forest(found)
    assert (forest.hits, forest.n, forest.share) == (60, 110, pytest.approx(60 / 110))
    kinds = {row.value: row for row in forest.rows if row.name == "kind"}
    assert kinds.keys() == {"a", "b"}
    assert (kinds["a"].hits, kinds["a"].n, kinds["a"].share, kinds["a"].sure) == (60, 60, 1.0, True)
    assert (kinds["b"].low, kinds["b"].high) == wilson_interval(0, 40)
    assert forest.small == sum(row.small for row in found.rows) == len(found.rows) - len(forest.rows)
    # All questions have one gold: a slice without a rest cannot differ from it.
    assert not next(row for row in forest.rows if row.name == "gold_count").sure
