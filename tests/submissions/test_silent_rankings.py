"""Files of rankings that can be read in two ways: the right one is taken, and the choice is told."""

import json
import random

import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import RankingsFile, read_rankings
from polqa_demo.submissions.table import Overrides

IDS = tuple(str(101 + place) for place in range(12))
QUESTIONS = tuple(Question(key, "") for key in IDS)


def read(text: str, form: str | None = None, questions: tuple[Question, ...] = QUESTIONS) -> RankingsFile:
    return read_rankings(text.encode(), questions, "run", overrides=Overrides(form=form))


def lists(file: RankingsFile) -> dict[str, tuple[str, ...]]:
    return {key: ranking.passage_ids for key, ranking in file.rankings.items()}


def codes(file: RankingsFile) -> set[str]:
    return {problem.code for problem in file.problems} - {"short-rankings", "duplicate-passages"}


def test_a_doubled_row_and_strangers_do_not_turn_ids_into_passages() -> None:
    rows = [f"{key}\t{key}-0\t99-9\n" for key in IDS]
    rows[1] = rows[0]
    rows[5:8] = [f"90{n}\t1-0\t2-0\n" for n in range(3)]
    file = read("".join(rows))
    assert lists(file) == {key: (f"{key}-0", "99-9") for key in IDS if key not in ("102", "106", "107", "108")}
    assert codes(file) == {"repeated-rows", "extra-ids", "missing-ids"}
    with pytest.raises(Refused) as caught:
        read("".join(rows) + "103\t7-7\t8-8\n")
    assert caught.value.code == "duplicate-ids"


@pytest.mark.parametrize("rank", ["", "\t1"])
def test_one_scored_pair_a_question_is_no_list(rank: str) -> None:
    file = read("".join(f"{key}\t{500 + n}\t{14 - n}.5{rank}\n" for n, key in enumerate(IDS)))
    assert (file.form, lists(file)) == ("long", {key: (str(500 + n),) for n, key in enumerate(IDS)})


def test_whole_scores_leave_a_doubt_that_is_told() -> None:
    text = "".join(f"{key}\t{n}-0\t{n}\n" for n, key in enumerate(IDS))
    assert "ambiguous-form" in codes(read(text))
    assert lists(read(text, "long"))["101"] == ("0-0",)
    assert codes(read(text, "wide")) == set()


def test_passages_written_like_question_ids() -> None:
    numbers = list(range(1, 31))
    asked = tuple(Question(str(n), "") for n in numbers)
    ordered = "".join(f"{n}\t{n % 7 + 1}\t{n % 5 + 1}\n" for n in numbers)
    file = read(ordered, questions=asked)
    assert (lists(file)["30"], codes(file)) == (("3", "1"), set())
    rows = ordered.splitlines(keepends=True)
    random.Random(1).shuffle(rows)
    shuffled = read("".join(rows), questions=asked)
    assert (lists(shuffled), codes(shuffled)) == (lists(file), {"ambiguous-form"})
    # Many questions share their best passage: no column of question ids.
    shared = "".join(f"{n % 9 + 1}\t{n}\n" for n in numbers)
    by_line = read(shared, questions=asked)
    assert (lists(by_line)["1"], codes(by_line)) == (("2", "1"), {"ambiguous-form"})
    assert lists(read("".join(rows), "lines", asked))["1"] == tuple(rows[0].split())


def test_scores_inside_objects_decide() -> None:
    items = [{"id": f"{n}-0", "score": n} for n in range(5)]
    file = read(json.dumps({"id": 101, "ctxs": items}) + "\n")
    assert file.rankings["101"].passage_ids == ("4-0", "3-0", "2-0", "1-0", "0-0")
    assert file.rankings["101"].scores == (4, 3, 2, 1, 0)
    assert "sorted-by-score" in codes(file)
    del items[2]["score"]
    assert read(json.dumps({"id": 101, "ctxs": items}) + "\n").rankings["101"].passage_ids[0] == "0-0"
    assert lists(read(json.dumps({"101": {"a": 1, "b": -2, "c": 3}})))["101"] == ("c", "a", "b")


@pytest.mark.parametrize("gap", ["101\tc\n", "101\tc\t\n"])
@pytest.mark.parametrize("first", [True, False])
def test_a_row_without_the_score_of_the_others_is_refused(gap: str, first: bool) -> None:
    rows = "101\ta\t-1.5\n101\tb\t-2.5\n"
    with pytest.raises(Refused) as caught:
        read("qid\tpid\tscore\n" + (gap + rows if first else rows + gap))
    assert caught.value.code in ("ragged-row", "not-a-number")


def test_a_row_without_a_passage_takes_no_rank() -> None:
    file = read("qid\tpid\tscore\n101\t\t9\n101\tb\t2\n101\t \t1\n")
    assert lists(file) == {"101": ("b",)}
    assert {problem.code: problem.count for problem in file.problems}["empty-passages"] == 2


@pytest.mark.parametrize("number", ["1_0", "１２", "٣"])
def test_what_only_python_takes_for_a_number_is_none(number: str) -> None:
    with pytest.raises(Refused) as caught:
        read(f"qid\tpid\tscore\n101\ta\t{number}\n")
    assert caught.value.code == "not-a-number"
