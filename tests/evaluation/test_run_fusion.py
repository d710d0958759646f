"""Rankings fused, and side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.evaluation.run_fusion import Ranked, fuse_rankings, side_by_side
from polqa_demo.records import Ranking


def run(**lines: str) -> dict[str, Ranking]:
    return {key: Ranking(key, tuple(line)) for key, line in lines.items()}


def test_reciprocal_ranks_are_summed() -> None:
    fused = fuse_rankings([run(q="abc"), run(q="cbd")])["q"]
    assert fused.passage_ids == ("c", "b", "a", "d")
    assert fused.scores == pytest.approx((1 / 63 + 1 / 61, 2 / 62, 1 / 61, 1 / 63))


def test_k_decides_how_much_the_first_ranks_weigh() -> None:
    runs = [run(q="abc"), run(q="dbe")]
    assert fuse_rankings(runs, k=60)["q"].passage_ids[0] == "b"
    assert fuse_rankings(runs, k=0)["q"].passage_ids[0] == "a"


def test_repetitions_missing_questions_and_depth() -> None:
    fused = fuse_rankings([run(q="aab"), run(q="ba", r="xy")], depth=1)
    assert fused["r"].passage_ids == ("x",)
    # The passage that stands twice leaves the rank behind it free.
    assert fused["q"] == Ranking("q", ("a",), (1 / 61 + 1 / 62,))


def test_equal_scores_come_by_best_rank_then_by_run() -> None:
    assert fuse_rankings([run(q="ab"), run(q="ba")])["q"].passage_ids == ("a", "b")
    assert fuse_rankings([run(q="x"), run(q="y")])["q"].passage_ids == ("x", "y")


@pytest.mark.parametrize(("k", "depth"), [(-1, 10), (60, 0)])
def test_impossible_settings(k: int, depth: int) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        fuse_rankings([run(q="a")], k, depth)


LISTS = st.lists(st.permutations("abcdef").map("".join), min_size=1, max_size=4)


@given(LISTS)
def test_scores_do_not_depend_on_the_order_of_the_runs(lines: list[str]) -> None:
    here = fuse_rankings([run(q=line) for line in lines])["q"]
    there = fuse_rankings([run(q=line) for line in reversed(lines)])["q"]
    assert dict(zip(here.passage_ids, here.scores, strict=True)) == dict(
        zip(there.passage_ids, there.scores, strict=True)
    )
    assert list(here.scores) == sorted(here.scores, reverse=True)


@given(st.permutations("abcdef"), st.integers(1, 4))
def test_a_run_fused_with_itself_stays(line: list[str], times: int) -> None:
    assert fuse_rankings([run(q="".join(line))] * times)["q"].passage_ids == tuple(line)


def test_side_by_side() -> None:
    runs = {"one": run(q="abc"), "two": run(q="ccdaz"), "none": run()}
    found = side_by_side("q", runs, gold=["c", "z", "lost"], judged=["d"], depth=3)
    assert found.names == ("one", "two", "none")
    assert [[cell and cell.passage_id for cell in row] for row in found.rows] == [
        ["a", "c", None],
        ["b", "d", None],
        ["c", "a", None],
    ]
    assert found.rows[0][1] == Ranked("c", True, True, {"one": 3, "none": None})
    assert found.rows[1][1] == Ranked("d", False, True, {"one": None, "none": None})
    assert found.gold_ranks == {
        "c": {"one": 3, "two": 1, "none": None},
        "z": {"one": None, "two": 4, "none": None},
        "lost": {"one": None, "two": None, "none": None},
    }


def test_a_question_without_any_ranking_has_no_rows() -> None:
    assert side_by_side("q", {"one": run(), "two": run(q="")}, gold=["a"]).rows == ()
