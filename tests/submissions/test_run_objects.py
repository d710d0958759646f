"""Objects by question: passages with scores or with ranks, and frames with one column a place as pandas writes them."""

import json
from typing import Any

import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.passage_ids import JudgedPassages
from polqa_demo.submissions.rankings import RankingsFile, read_rankings
from polqa_demo.submissions.table import Overrides

IDS = ("1", "2", "3")
QUESTIONS = tuple(Question(key, f"Pytanie {key}?") for key in IDS)
WIDE = {"1": {"1": 41, "2": 49, "3": 48}, "2": {"1": 42, "2": 47, "3": 49}, "3": {"1": 43, "2": 48, "3": 47}}
BY_PLACE = {"1": ("41", "49", "48"), "2": ("42", "47", "49"), "3": ("43", "48", "47")}
BY_SCORE = {"1": ("2", "3", "1"), "2": ("3", "2", "1"), "3": ("2", "3", "1")}


def read(value: Any, passages: tuple[str, ...] = (), form: str | None = None) -> RankingsFile:
    text = json.dumps(value).encode()
    return read_rankings(text, QUESTIONS, "run.json", None, Overrides(form=form), JudgedPassages(frozenset(passages)))


def lists(file: RankingsFile) -> dict[str, tuple[str, ...]]:
    return {key: ranking.passage_ids for key, ranking in file.rankings.items()}


def other(file: RankingsFile) -> dict[str, tuple[str, ...]] | None:
    return file.other and {key: ranking.passage_ids for key, ranking in file.other.rankings.items()}


def codes(file: RankingsFile) -> set[str]:
    return {problem.code for problem in file.problems} - {"short-rankings"}


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("stem", ["", "p", "rank_"])
def test_a_frame_of_places_by_its_judged_passages(start: int, stem: str) -> None:
    frame = {
        key: {f"{stem}{int(place) - 1 + start}": one for place, one in found.items()} for key, found in WIDE.items()
    }
    file = read(frame, ("41", "42", "43"))
    assert (lists(file), codes(file), other(file)) == (BY_PLACE, {"wide-columns"}, None)
    (note,) = [one for one in file.problems if one.code == "wide-columns"]
    assert "--form long" in note.message.en


def test_a_frame_of_words_and_of_gaps_at_the_end() -> None:
    frame = {key: {place: f"{one}-0" for place, one in found.items()} for key, found in WIDE.items()}
    frame["2"]["3"] = None
    file = read(frame)
    assert lists(file) == {"1": ("41-0", "49-0", "48-0"), "2": ("42-0", "47-0"), "3": ("43-0", "48-0", "47-0")}
    floats = {key: {place: float(one) for place, one in found.items()} for key, found in WIDE.items()}
    floats["2"]["3"] = None
    assert lists(read(floats, ("41",)))["2"] == ("42", "47")


def test_more_than_nine_places_in_the_order_of_letters() -> None:
    frame = {key: {str(place): 100 + place for place in range(1, 13)} for key in IDS}
    file = read_rankings(
        json.dumps(frame, sort_keys=True).encode(), QUESTIONS, "run.json", judged=JudgedPassages(frozenset({"101"}))
    )
    assert lists(file)["1"] == tuple(str(100 + place) for place in range(1, 13))


@pytest.mark.parametrize("passages", [(), ("1", "2", "3", "41"), ("x",)])
def test_where_names_and_values_may_be_passages_scores_count_and_the_other_is_told(passages: tuple[str, ...]) -> None:
    file = read(WIDE, passages)
    assert (lists(file), other(file)) == (BY_SCORE, BY_PLACE)
    (doubt,) = [one for one in file.problems if one.code == "ambiguous-form"]
    assert (doubt.severity, "--form wide" in doubt.message.en) == ("warning", True)
    said = [read(WIDE, passages, form) for form in ("wide", "long")]
    assert [lists(one) for one in said] == [BY_PLACE, BY_SCORE]
    assert not any("ambiguous-form" in codes(one) for one in said)


@pytest.mark.parametrize(
    "run",
    [
        {key: {place: one + 0.5 for place, one in found.items()} for key, found in WIDE.items()},
        {key: {str(int(place) + 1): one for place, one in found.items()} for key, found in WIDE.items()},
        {"1": {"1": 41, "2": 49}, "2": {"2": 42, "1": 47}, "3": {"1": 4, "2": 3}},
        {key: dict.fromkeys(found, 5) for key, found in WIDE.items()},
    ],
    ids=["decimals", "from two", "in another order", "equal"],
)
def test_scores_of_numbered_passages_leave_no_doubt(run: dict[str, Any]) -> None:
    file = read(run, ("41", "42", "43"))
    assert file.other is None
    assert not {"ambiguous-form", "wide-columns"} & codes(file)
    assert set(lists(file)["1"]) == set(run["1"])


RANKS = {"1": {"a": 2, "b": 1, "c": 3}, "2": {"a": 1, "b": 3, "c": 2}, "3": {"d": 3, "b": 1, "c": 2}}
BY_RANK = {"1": ("b", "a", "c"), "2": ("a", "c", "b"), "3": ("b", "c", "d")}


def rows(run: dict[str, dict[str, int]]) -> RankingsFile:
    text = "".join(f"{key}\t{passage}\t{one}\n" for key, found in run.items() for passage, one in found.items())
    return read_rankings(text.encode(), QUESTIONS, "run.tsv")


@pytest.mark.parametrize("start", [0, 1])
def test_ranks_in_no_order_are_told_in_objects_as_in_rows(start: int) -> None:
    run = {key: {passage: rank - 1 + start for passage, rank in found.items()} for key, found in RANKS.items()}
    file = read(run)
    assert (lists(file), other(file), codes(file)) == (
        {key: found[::-1] for key, found in BY_RANK.items()},
        BY_RANK,
        {"ambiguous-form"},
    )
    assert (lists(file), other(file), codes(file)) == (lists(rows(run)), other(rows(run)), codes(rows(run)))
    assert (lists(read(run, form="ranks")), codes(read(run, form="ranks"))) == (BY_RANK, set())
    assert (lists(read(run, form="long")), codes(read(run, form="long"))) == (lists(file), set())


def test_ranks_in_their_order_are_ranks_in_objects_as_in_rows() -> None:
    run = {key: {passage: RANKS[key][passage] for passage in found} for key, found in BY_RANK.items()}
    for file in (read(run), rows(run)):
        assert (lists(file), codes(file)) == (BY_RANK, {"rank-column"})


@pytest.mark.parametrize("points", [{"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 4, "c": 1}, {"a": 2, "b": 1, "c": 2}])
def test_numbers_that_fall_or_have_gaps_or_repeats_are_scores(points: dict[str, int]) -> None:
    run = dict.fromkeys(IDS, points)
    by_score = tuple(sorted(points, key=points.__getitem__, reverse=True))
    assert lists(read(run)) == dict.fromkeys(IDS, by_score)
    assert not {"ambiguous-form", "rank-column"} & codes(read(run))
