"""The passage ids of a ranking beside those of the gold."""

import pytest

from polqa_demo.errors import Problem
from polqa_demo.records import Question
from polqa_demo.submissions.passage_ids import JudgedPassages
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import read_rankings

IDS = ("201", "202", "203")
QUESTIONS = tuple(Question(key, "") for key in IDS)
GOLD = JudgedPassages(frozenset(f"{number}-0" for number in range(1, 9)))
LISTS = {"201": ("5-0", "1-0", "9-2"), "202": ("7-1", "5-0", "1-0"), "203": ("3-0", "2-0", "7-1")}


def told(lists: dict[str, tuple[str, ...]], judged: JudgedPassages | None = GOLD) -> dict[str, Problem]:
    rows = [f"{key}\t{passage}\t{9 - at}\n" for key, found in lists.items() for at, passage in enumerate(found)]
    text = "question_id\tpassage_id\tscore\n" + "".join(rows)
    file = read_rankings(text.encode(), QUESTIONS, "run.tsv", judged=judged)
    return {problem.code: problem for problem in file.problems if problem.code not in ("short-rankings", "missing-ids")}


def spelled(change: str, lists: dict[str, tuple[str, ...]] | None = None) -> dict[str, tuple[str, ...]]:
    return {key: tuple(change.format(one) for one in found) for key, found in (lists or LISTS).items()}


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ("wiki:{}", "Without “wiki:” some would be."),
        ("{}#2", "Without “#2” some would be."),
        ("doc{}x", "They are not even written alike."),
        ("9{}", ""),
    ],
)
def test_three_of_each_side_are_shown_where_none_is_known(change: str, hint: str) -> None:
    problem = told(spelled(change))["foreign-passages"]
    assert problem.severity == "warning"
    assert problem.count == 6
    assert f"file: {', '.join(change.format(one) for one in LISTS['201'])}, …" in problem.message.en
    assert "gold: 1-0, 2-0, 3-0, …" in problem.message.en
    assert hint in problem.message.en
    assert ("Without" in problem.message.en or "not even" in problem.message.en) == bool(hint)
    # Of a secret gold not even that is told.
    assert told(spelled(change), JudgedPassages(GOLD.ids, secret=True)) == {}


def test_texts_are_refused_where_an_open_gold_alone_knows_none_of_them() -> None:
    with pytest.raises(Refused):
        told(TEXTS)
    one_judged = {**TEXTS, "203": ("1-0",)}
    for rankings in (TEXTS, one_judged):
        (problem,) = told(rankings, JudgedPassages(GOLD.ids, secret=True)).values()
        assert (problem.code, problem.severity) == ("texts-not-ids", "warning")


def test_one_known_passage_is_enough() -> None:
    assert told({**spelled("x{}"), "203": ("x", "8-0")}) == {}
    assert told(LISTS) == {}
    # Without a gold nothing can be said.
    assert told(spelled("x{}"), None) == {}
    assert told(spelled("x{}"), JudgedPassages(())) == {}


TEXTS = {key: (f"Wojskami w bitwie {key} dowodził Jagiełło.", "Inny fragment.") for key in IDS}


def test_texts_are_no_ids() -> None:
    with pytest.raises(Refused) as caught:
        told(TEXTS)
    problem = caught.value.problems[0]
    assert problem.code == "texts-not-ids"
    assert "these are texts, not ids" in problem.message.en
    assert "Wojskami w bitwie 201" in problem.message.pl
    # Where no gold is known, they may be ids of somebody.
    assert told(TEXTS, None)["texts-not-ids"].severity == "warning"


@pytest.mark.parametrize(
    "titles",
    [
        dict.fromkeys(IDS, ("Bitwa pod Grunwaldem (1410)", "Władysław II Jagiełło")),
        dict.fromkeys(IDS, ("Wisła", "dr.n.med.")),
    ],
)
def test_titles_are_ids(titles: dict[str, tuple[str, ...]]) -> None:
    assert set(told(titles)) == {"foreign-passages"}


def test_a_gold_whose_own_ids_are_texts() -> None:
    judged = JudgedPassages(frozenset(("Pan Tadeusz napisał.", "Kto to wie?")))
    assert set(told(TEXTS, judged)) == {"foreign-passages"}


def test_the_question_in_its_own_ranking_is_told() -> None:
    own = {key: (key, *found) for key, found in LISTS.items()}
    problem = told(own)["self-matches"]
    assert (problem.severity, problem.count) == ("warning", 3)
    assert "201, 202, 203" in problem.message.en
    behind = {key: (*found, key) for key, found in LISTS.items()}
    assert "self-matches" in told(behind)


@pytest.mark.parametrize(
    "lists",
    [
        # Passages that are numbered as questions are: by chance a question's number is among them.
        {"201": ("7", "201"), "202": ("8", "202"), "203": ("9", "203")},
        {"201": ("201", "7"), "202": ("8", "1"), "203": ("9", "2")},
        # Once in three rankings.
        {**LISTS, "201": ("201", "5-0")},
    ],
)
def test_numbers_that_only_look_like_the_question(lists: dict[str, tuple[str, ...]]) -> None:
    assert "self-matches" not in told(lists, None)


def test_a_judged_passage_with_the_number_of_the_question() -> None:
    lists = {key: (key, "7", "8") for key in IDS}
    assert "self-matches" in told(lists, JudgedPassages(frozenset(("7",))))
    assert "self-matches" not in told(lists, JudgedPassages(frozenset(("7", *IDS))))


def test_a_passage_twice_in_a_list_is_told() -> None:
    assert told({**LISTS, "201": ("5-0", "1-0", "5-0")})["duplicate-passages"].count == 1


def test_numbers_that_lost_or_won_zeros_in_front() -> None:
    gold = JudgedPassages(frozenset(("0012", "0345", "1234")))
    lists = {"201": ("12", "77"), "202": ("345", "1234"), "203": ("1234", "88")}
    problem = told(lists, gold)["lost-zeros"]
    assert (problem.severity, problem.count) == ("warning", 2)
    assert "gold: 0012 in place of 12" in problem.message.en
    won = {"201": ("0012", "77"), "202": ("0345",), "203": ("1234",)}
    assert told(won, JudgedPassages(frozenset(("12", "345", "1234"))))["lost-zeros"].count == 2
    # Ids that the gold holds as they stand are others; of a secret gold nothing is said.
    both = JudgedPassages(frozenset(("0012", "12", "345", "1234")))
    assert "lost-zeros" not in told(lists, both)
    assert "lost-zeros" not in told(lists, JudgedPassages(gold.ids, secret=True))
