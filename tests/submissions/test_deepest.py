"""The best of a question's rows, whatever their number and their order."""

import random

from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.submissions.deepest import Deepest, finite

ROWS = st.lists(st.tuples(st.integers(0, 12), st.integers(-3, 3), st.integers(0, 3)), max_size=60)


def collected(rows: list[tuple[int, float | None, float | None]], depth: int) -> Deepest:
    best = Deepest(depth)
    for passage, score, rank in rows:
        if score is None or score >= best.bar:
            best.add(str(passage), score, rank)
    return best


def distinct(passages: list[str]) -> list[str]:
    return list(dict.fromkeys(passages))


@given(ROWS, st.integers(2, 8))
def test_the_best_distinct_passages_are_those_of_a_full_sort(rows: list[tuple[int, int, int]], depth: int) -> None:
    best = collected([(passage, float(score), float(rank)) for passage, score, rank in rows], depth)
    found = best.ranking("1")
    expected = distinct([str(passage) for passage, _, _ in sorted(rows, key=lambda row: (-row[1], row[2]))])
    assert distinct(list(found.passage_ids))[:depth] == expected[:depth]
    assert len(found.scores) == len(found.passage_ids) <= depth
    assert list(found.scores) == sorted(found.scores, reverse=True)
    # Cut, repeated, or all there.
    if not best.cut and not best.repeated:
        assert sorted(found.passage_ids) == sorted(str(passage) for passage, _, _ in rows)


@given(ROWS)
def test_without_scores_ranks_decide_and_without_both_the_file(rows: list[tuple[int, int, int]]) -> None:
    by_rank = collected([(passage, None, float(rank)) for passage, _, rank in rows], 5).ranking("1")
    expected = distinct([str(passage) for passage, _, _ in sorted(rows, key=lambda row: row[2])])
    assert distinct(list(by_rank.passage_ids))[:5] == expected[:5]
    assert by_rank.scores == ()
    by_file = collected([(passage, None, None) for passage, _, _ in rows], 5).ranking("1")
    assert distinct(list(by_file.passage_ids))[:5] == distinct([str(passage) for passage, _, _ in rows])[:5]


def test_a_million_rows_of_one_passage_take_no_room() -> None:
    best = Deepest(100)
    for _ in range(1_000_000):
        best.add("1-0", 1.0, None)
    assert best.ranking("1").passage_ids == ("1-0",) * len(best.ranking("1").passage_ids)
    assert len(best.ranking("1").passage_ids) <= 100
    assert best.repeated
    assert not best.cut


def test_what_lies_too_deep_is_cut() -> None:
    rows = [(number, random.Random(number).random(), None) for number in range(5000)]
    best = collected(rows, 100)
    assert best.cut
    assert best.ranking("1").passage_ids == tuple(
        str(passage) for passage, _, _ in sorted(rows, key=lambda row: -(row[1] or 0))[:100]
    )


def test_numbers_that_are_none() -> None:
    assert [finite(cell) for cell in ("1", " 2.5 ", "1e3", "nan", "inf", "1e999", "", "x", None)] == [
        1.0, 2.5, 1000.0, None, None, None, None, None, None,
    ]  # fmt: skip
