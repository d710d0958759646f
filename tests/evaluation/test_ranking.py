"""The measures of rankings: tiny runs by hand, ir_measures on random ones."""

import math
from collections.abc import Mapping
from itertools import permutations
from random import Random

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, Judged, Measure, P, R, Success, nDCG

from polqa_demo.errors import UserError
from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking
from polqa_demo.evaluation.ranking import RankingScores, score_rankings
from polqa_demo.records import Ranking


def run(lists: Mapping[str, str | list[str]], scores: Mapping[str, list[float]] | None = None) -> dict[str, Ranking]:
    """Rankings from lists of ids parted by blanks."""
    parted = {question: ids.split() if isinstance(ids, str) else ids for question, ids in lists.items()}
    return {
        question: Ranking(question, tuple(ids), tuple((scores or {}).get(question, ())))
        for question, ids in parted.items()
    }


FILLERS = [f"x{number}" for number in range(1, 120)]


def at_rank(passage: str, rank: int, length: int = 12) -> list[str]:
    """A list of fillers with one passage at the rank."""
    return [*FILLERS[: rank - 1], passage, *FILLERS[rank - 1 : length - 1]]


def test_six_questions_by_hand() -> None:
    # first of two golds at 1, at 10, at 4, never, at 2, at 11: four of six
    rankings = run(
        {
            "1": ["a", *FILLERS[:9]],
            "2": at_rank("b", 10),
            "3": at_rank("c", 4),
            "4": FILLERS[:10],
            "5": at_rank("e", 2),
            "6": at_rank("f", 11),
        }
    )
    gold = {"1": ["a", "a2"], "2": ["b"], "3": ["c"], "4": ["d"], "5": ["e"], "6": ["f"]}
    scores = score_rankings(rankings, gold, ["1", "2", "3", "4", "5", "6"])
    assert (scores.hits, scores.n) == (4, 6)
    assert {code: share.hits for code, share in scores.shares.items()} == {
        "accuracy@1": 1,
        "accuracy@5": 3,
        "accuracy@10": 4,
    }
    assert scores["mrr@10"].value == pytest.approx((1 + 1 / 10 + 1 / 4 + 1 / 2) / 6)
    assert scores["recall@10"].value == pytest.approx((1 / 2 + 1 + 1 + 1) / 6)
    ideal_of_two = 1 + 1 / math.log2(3)
    assert scores["ndcg@10"].value == pytest.approx(
        (1 / ideal_of_two + 1 / math.log2(11) + 1 / math.log2(5) + 1 / math.log2(3)) / 6
    )
    assert [item.first_rank for item in scores.items] == [1, 10, 4, None, 2, 11]
    assert scores.items[5].ranks == {"f": 11}
    assert value_of("mrr@10", scores.items[5]) == 0
    assert "judged@10" not in scores.scores
    assert (scores.missing, scores.short, scores.longest, scores.duplicates) == (0, 0, 12, 0)


def test_two_denominators() -> None:
    rankings = run({"1": "a b", "2": "b a", "3": "c"})
    scores = score_rankings(rankings, {"1": ["a"], "2": ["z"], "3": []}, ["1", "2", "3", "4"])
    assert (scores.hits, scores.headline.n) == (1, 2)
    assert scores.headline.value == 0.5
    assert (scores.accuracy_all_questions.hits, scores.accuracy_all_questions.n) == (1, 4)
    assert scores.accuracy_all_questions.value == 0.25
    assert [item.question_id for item in scores.items] == ["1", "2", "3", "4"]


def test_only_the_named_questions_are_scored() -> None:
    rankings = run({"1": "a", "2": "z"})
    scores = score_rankings(rankings, {"1": ["a"], "2": ["b"]}, ["2", "2"])
    assert (scores.hits, scores.n, scores.accuracy_all_questions.n) == (0, 1, 1)


def test_missing_short_and_empty_rankings_are_misses() -> None:
    rankings = run({"1": "a", "2": [], "3": "b c d"})
    scores = score_rankings(rankings, {"1": ["a"], "2": ["a"], "3": ["z"], "4": ["a"]}, ["1", "2", "3", "4"])
    assert (scores.hits, scores.n) == (1, 4)
    assert (scores.missing, scores.short, scores.longest) == (2, 2, 3)
    assert list(scores.shares) == ["accuracy@1", "accuracy@10"]


@pytest.mark.parametrize(
    ("length", "depths"),
    [(1, [1, 10]), (5, [1, 5, 10]), (19, [1, 5, 10]), (20, [1, 5, 10, 20]), (100, [1, 5, 10, 20, 100])],
)
def test_depths_follow_the_longest_ranking(length: int, depths: list[int]) -> None:
    scores = score_rankings(
        run({"1": FILLERS[:length], "2": "x1"}), {"1": [FILLERS[length - 1]], "2": ["q"]}, ["1", "2"]
    )
    assert list(scores.shares) == [f"accuracy@{depth}" for depth in depths]
    assert scores.items[0].first_rank == length


def test_a_passage_listed_twice_counts_once_at_its_first_rank() -> None:
    rankings = run({"1": ["x1", "a", "a", "x1", *FILLERS[1:8], "b"]})
    item = score_rankings(rankings, {"1": ["a", "b", "a"]}, ["1"]).items[0]
    assert item.gold_passages == ("a", "b")
    assert item.ranks == {"a": 2, "b": 10}  # 12 entries, two of them again
    assert (item.length, item.duplicates) == (10, 2)
    assert value_of("recall@10", item) == 1
    assert score_rankings(run({"1": ["a"] * 10}), {"1": ["a"]}, ["1"])["ndcg@10"].value == 1


def test_a_repetition_brings_no_tie() -> None:
    scores = score_rankings(run({"1": "a b a"}, {"1": [3.0, 2.0, 2.0]}), {"1": ["a"]}, ["1"])
    assert (scores.ties.questions, scores.duplicates) == (0, 1)


def test_more_gold_passages_than_places() -> None:
    gold = FILLERS[:15]
    scores = score_rankings(run({"1": gold}), {"1": gold}, ["1"])
    assert scores["ndcg@10"].value == 1
    assert scores["recall@10"].value == pytest.approx(10 / 15)


def test_judged_counts_the_first_ten() -> None:
    rankings = run({"1": at_rank("a", 1), "2": "x1 b"})
    gold = {"1": ["a"], "2": ["b"], "3": ["c"]}
    scores = score_rankings(rankings, gold, ["1", "2", "3"], judged={"1": ["x1", "x11"], "9": ["x1"]})
    # a (gold) and x1 of ten; b of two; no ranking
    assert [item.judged for item in scores.items] == [2, 1, 0]
    assert scores["judged@10"].value == pytest.approx((2 / 10 + 1 / 2 + 0) / 3)


def test_ties_by_hand() -> None:
    straddling = [*[9.0] * 9, 5.0, 5.0, 5.0]
    rankings = run(
        {"in": at_rank("a", 10), "out": at_rank("b", 11), "safe": at_rank("c", 3), "none": "d x1"},
        {"in": straddling, "out": straddling, "safe": straddling, "none": [2.0, 1.0]},
    )
    scores = score_rankings(
        rankings, {"in": ["a"], "out": ["b"], "safe": ["c"], "none": ["d"]}, ["in", "out", "safe", "none"]
    )
    assert scores.hits == 3
    assert (scores.ties.questions, scores.ties.decisive) == (3, 2)
    assert (scores.ties.worst.hits, scores.ties.best.hits, scores.ties.best.n) == (2, 4, 4)
    assert [item.tied for item in scores.items] == [True, True, True, False]


def test_without_scores_there_are_no_ties() -> None:
    scores = score_rankings(run({"1": at_rank("a", 11)}), {"1": ["a"]}, ["1"])
    assert (scores.ties.questions, scores.ties.best.hits) == (0, 0)


def test_scores_for_only_some_passages_are_refused() -> None:
    with pytest.raises(ValueError, match="question 1: 2 passages but 1 scores"):
        score_rankings({"1": Ranking("1", ("a", "b"), (1.0,))}, {"1": ["a"]}, ["1"])


@pytest.mark.parametrize("gold", [{}, {"1": []}, {"2": ["a"]}])
def test_nothing_to_score_against_is_said(gold: dict[str, list[str]]) -> None:
    with pytest.raises(UserError) as raised:
        score_rankings(run({"1": "a"}), gold, ["1"])
    assert raised.value.code == "no-gold-passages"
    assert "pytań: 1" in raised.value.say("pl")


# Properties

PASSAGES = [f"p{number}" for number in range(16)]
question_runs = st.lists(st.sampled_from(PASSAGES), max_size=16)
unique_runs = st.lists(st.sampled_from(PASSAGES), min_size=1, max_size=16, unique=True)
some_passages = st.sets(st.sampled_from(PASSAGES), min_size=1, max_size=14)
QUESTIONS = ["q1", "q2", "q3", "q4"]


FAMILIES = {"accuracy": Success, "mrr": RR, "ndcg": nDCG, "recall": R, "judged": Judged, "map": AP, "p": P}


def outside_name(code: str) -> Measure:
    """The measure of ir_measures that a code of ours stands for."""
    name, _, depth = code.partition("@")
    return FAMILIES[name] @ int(depth) if depth else FAMILIES[name]


def value_of(code: str, item: QuestionRanking) -> float:
    return MEASURES[code].value(item)


def all_measures(scores: RankingScores) -> list[float]:
    found = [*scores.scores.values(), scores.accuracy_all_questions, scores.ties.best, scores.ties.worst]
    per_item = [measure.value(item) for item in scores.items for measure in MEASURES.values()]
    return [one.value for one in found] + per_item


@given(
    st.dictionaries(st.sampled_from(QUESTIONS), unique_runs, min_size=1),
    st.dictionaries(st.sampled_from(QUESTIONS), some_passages, min_size=1),
    st.dictionaries(st.sampled_from(QUESTIONS), some_passages),
)
def test_equals_ir_measures(
    lists: dict[str, list[str]], gold: dict[str, set[str]], rejected: dict[str, set[str]]
) -> None:
    judged = {question: gold[question] | rejected.get(question, set()) for question in gold}
    qrels = [
        ir_measures.Qrel(question, passage, int(passage in gold[question]))
        for question, passages in judged.items()
        for passage in passages
    ]
    docs = [
        ir_measures.ScoredDoc(question, passage, -float(rank))
        for question, passages in lists.items()
        for rank, passage in enumerate(passages)
    ]
    scores = score_rankings(run(lists), gold, QUESTIONS, judged)
    wanted = {outside_name(code): score.value for code, score in scores.scores.items()}
    assert len(wanted) == len(scores.scores)
    outside = ir_measures.calc_aggregate(list(wanted), qrels, docs)
    assert {str(measure): value for measure, value in wanted.items()} == pytest.approx(
        {str(measure): value for measure, value in outside.items()}, abs=1e-9
    )


@given(
    st.dictionaries(st.sampled_from(QUESTIONS), question_runs),
    st.dictionaries(st.sampled_from(QUESTIONS), some_passages, min_size=1),
)
def test_nothing_leaves_0_to_1(lists: dict[str, list[str]], gold: dict[str, set[str]]) -> None:
    scores = score_rankings(run(lists), gold, QUESTIONS, judged={})
    assert all(0 <= value <= 1 for value in all_measures(scores))
    assert scores.accuracy_all_questions.value <= scores.headline.value
    hits = [share.hits for share in scores.shares.values()]
    assert hits == sorted(hits)
    # what is listed again changes nothing but the count of repetitions
    once = {question: list(dict.fromkeys(passages)) for question, passages in lists.items()}
    again = score_rankings(run(once), gold, QUESTIONS, judged={})
    assert all_measures(again) == all_measures(scores)
    assert scores.duplicates == sum(map(len, lists.values())) - sum(map(len, once.values()))


@given(some_passages)
def test_a_perfect_ranking_scores_exactly_one(gold: set[str]) -> None:
    scores = score_rankings(run({"q": sorted(gold)}), {"q": gold}, ["q"])
    assert scores["ndcg@10"].value == scores["mrr@10"].value == scores["accuracy@1"].value == 1


@given(st.lists(st.sampled_from([3.0, 2.0, 1.0]), min_size=11, max_size=13), st.data())
def test_ties_bound_every_order(values: list[float], data: st.DataObject) -> None:
    values = sorted(values, reverse=True)
    ids = FILLERS[: len(values)]
    gold = data.draw(st.sets(st.sampled_from(ids), min_size=1, max_size=3))
    item = score_rankings(run({"q": ids}, {"q": values}), {"q": gold}, ["q"]).items[0]
    assert item.hit_at_worst <= item.hit() <= item.hit_at_best
    # A hit depends only on which gold passages share a group with the tenth place, so try every place within it.
    edge = values[CUTOFF - 1]
    inside = [passage for passage, value in zip(ids, values, strict=True) if value == edge]
    above = [passage for passage, value in zip(ids, values, strict=True) if value > edge]
    room = CUTOFF - len(above)
    if len(inside) <= 8:
        hits = {bool(gold & {*above, *order[:room]}) for order in permutations(inside, room)}
        assert (item.hit_at_worst, item.hit_at_best) == (min(hits), max(hits))


# Graded judgements


def test_a_grade_is_the_gain_of_ndcg_alone() -> None:
    gains = {"1": {"a": 3, "b": 1, "half": 0.5}}
    scores = score_rankings(run({"1": "b half a"}), {"1": ["a", "b"]}, ["1"], gains=gains)
    ideal = 3 + 1 / math.log2(3) + 0.5 / math.log2(4)
    assert scores["ndcg@10"].value == pytest.approx((1 + 0.5 / math.log2(3) + 3 / math.log2(4)) / ideal)
    # What lies below grade 1 is no gold passage.
    assert (scores["mrr@10"].value, scores["recall@10"].value, scores.items[0].ranks) == (1, 1, {"b": 1, "a": 3})
    assert (scores.graded, scores.gains) == (True, "graded")


def test_a_question_of_low_grades_alone_has_no_gold() -> None:
    gains: dict[str, dict[str, float]] = {"1": {"a": 0.5}, "2": {"b": 2}}
    scores = score_rankings(run({"1": "a", "2": "x1 b"}), {"2": ["b"]}, ["1", "2"], gains=gains)
    assert scores.n == 1
    assert (value_of("ndcg@10", scores.items[0]), scores["ndcg@10"].value) == (0, pytest.approx(1 / math.log2(3)))
    with pytest.raises(UserError, match="grades of relevance are below 1") as raised:
        score_rankings(run({"1": "a"}), {}, ["1"], gains=gains)
    assert raised.value.code == "no-gold-passages"


@given(st.dictionaries(st.sampled_from(PASSAGES), st.floats(1e-9, 1e9), min_size=1), question_runs, st.randoms())
def test_graded_ndcg_lies_in_0_to_1_and_the_best_order_has_1(
    grades: dict[str, float], listed: list[str], random: Random
) -> None:
    gold = [passage for passage, grade in grades.items() if grade >= 1] or [*grades]
    best = sorted(grades, key=lambda passage: -grades[passage])
    for passages, highest in ((best, True), (listed, False), (random.sample(best, len(best)), False)):
        value = score_rankings({"q": Ranking("q", tuple(passages))}, {"q": gold}, ["q"], gains={"q": grades})[
            "ndcg@10"
        ].value
        assert 0 <= value <= 1
        assert value == 1 or not highest
    # Gains count in proportion.
    doubled = {passage: 2 * grade for passage, grade in grades.items()}
    pair = [score_rankings(run({"q": listed}), {"q": gold}, ["q"], gains={"q": one}) for one in (grades, doubled)]
    assert pair[0]["ndcg@10"] == pair[1]["ndcg@10"]


@given(st.dictionaries(st.sampled_from(QUESTIONS), unique_runs), st.lists(some_passages, min_size=1, max_size=4))
def test_grades_of_1_are_no_grades(lists: dict[str, list[str]], sets: list[set[str]]) -> None:
    gold = dict(zip(QUESTIONS, sets, strict=False))
    ones = {question: dict.fromkeys(passages, 1) for question, passages in gold.items()}
    plain = score_rankings(run(lists), gold, QUESTIONS)
    assert all_measures(score_rankings(run(lists), gold, QUESTIONS, gains=ones)) == all_measures(plain)
