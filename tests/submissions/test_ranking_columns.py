"""A column of a long form means what it holds: ranks, scores, distances; and what must not be taken for them."""

import random
from collections.abc import Callable, Sequence

import pytest

from polqa_demo.errors import Problem
from polqa_demo.records import Question
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.ranking_columns import rises_by_one
from polqa_demo.submissions.rankings import RankingsFile, read_rankings
from polqa_demo.submissions.table import SAMPLE, Overrides

IDS = ("201", "202", "203", "204")
QUESTIONS = tuple(Question(key, f"Pytanie {key}?") for key in IDS)
RIGHT = {
    "201": ("5-0", "1-0", "9-2", "2-0"),
    "202": ("7-1", "5-0", "1-0", "3-0"),
    "203": ("3-0", "2-0", "7-1", "5-0"),
    "204": ("2-0", "9-2", "3-0", "1-0"),
}
ROWS = [(key, passage, rank, 5 - rank) for key, found in RIGHT.items() for rank, passage in enumerate(found, 1)]
REVERSED = {key: found[::-1] for key, found in RIGHT.items()}


def read(
    rows: Sequence[Sequence[object]], form: str | None = None, separator: str = "\t", header: str = ""
) -> RankingsFile:
    text = header + "".join(separator.join(map(str, row)) + "\n" for row in rows)
    return read_rankings(text.encode(), QUESTIONS, "run", overrides=Overrides(form=form))


def lists(file: RankingsFile) -> dict[str, tuple[str, ...]]:
    return {key: ranking.passage_ids for key, ranking in file.rankings.items()}


def told(file: RankingsFile) -> dict[str, Problem]:
    return {problem.code: problem for problem in file.problems if problem.code != "short-rankings"}


@pytest.mark.parametrize("start", [0, 1])
def test_numbers_that_rise_by_one_are_ranks_and_told(start: int) -> None:
    rows = [(key, passage, rank - 1 + start) for key, passage, rank, _ in ROWS]
    file = read(rows)
    assert (file.form, lists(file), set(told(file))) == ("long", RIGHT, {"rank-column"})
    note = told(file)["rank-column"]
    assert note.severity == "note"
    assert "third column" in note.message.en
    assert "--form long" in note.message.en
    assert "Trzecią kolumnę" in note.message.pl
    # Somebody knows better, either way.
    assert lists(read(rows, "long")) == REVERSED
    assert lists(read(rows, "ranks")) == RIGHT
    assert lists(read(rows, "distances")) == RIGHT
    assert set(told(read(rows, "long"))) == set()


def test_numbers_that_fall_are_scores() -> None:
    file = read([(key, passage, score) for key, passage, _, score in ROWS])
    assert (lists(file), told(file)) == (RIGHT, {})


def test_lists_of_one_row_prove_nothing() -> None:
    rows = [("201", "5-0", "1"), ("202", "7-1", "1"), ("203", "3-0", "0.5"), ("203", "2-0", "0.75")]
    assert lists(read(rows))["203"] == ("2-0", "3-0")
    assert not rises_by_one([row for row in rows if row[0] != "203"], 2)


def test_nine_of_ten_lists_must_rise() -> None:
    asked = tuple(Question(str(number), "") for number in range(100, 120))

    def read_with(odd: int) -> RankingsFile:
        orders = [(2, 1, 3) if number < odd else (1, 2, 3) for number in range(20)]
        rows = [
            f"{question.id}\t{place}-{question.id}\t{number}\n"
            for question, order in zip(asked, orders, strict=True)
            for place, number in enumerate(order)
        ]
        return read_rankings("".join(rows).encode(), asked, "run")

    assert "rank-column" in told(read_with(2))
    file = read_with(3)
    assert file.rankings["119"].passage_ids[0] == "2-119"
    # In each question they are 1 to 3, so there is a doubt.
    assert set(told(file)) == {"ambiguous-form"}
    assert "--form ranks" in told(file)["ambiguous-form"].message.en


def test_ranks_of_a_shuffled_file_leave_a_doubt_that_is_told() -> None:
    rows = [(key, passage, rank) for key, passage, rank, _ in ROWS]
    random.Random(3).shuffle(rows)
    file = read(rows)
    assert (lists(file), set(told(file))) == (REVERSED, {"ambiguous-form"})
    assert (lists(read(rows, "ranks")), told(read(rows, "ranks"))) == (RIGHT, {})


def test_the_whole_file_decides_where_the_first_rows_speak_for_ranks() -> None:
    asked = tuple(Question(f"q{number}", "") for number in range(60))
    deep = SAMPLE // 2
    rows = [f"q{n}\t{place}-0\t{place}\n" for n in range(3) for place in range(1, deep + 1)]
    rows += [f"q{n}\t{place}-0\t{score}\n" for n in range(3, 60) for place, score in ((1, 40), (2, 90), (3, 70))]
    file = read_rankings("".join(rows).encode(), asked, "run")
    assert file.rankings["q7"].passage_ids == ("2-0", "3-0", "1-0")
    assert "rank-column" not in told(file)
    deep_ranks = read_rankings("".join(rows[: 3 * deep]).encode(), asked[:3], "run")
    assert deep_ranks.rankings["q0"].passage_ids[:3] == ("1-0", "2-0", "3-0")
    assert "rank-column" in told(deep_ranks)


@pytest.mark.parametrize(
    ("order", "notes"),
    [
        ((0, 1, 2, 3), {"rank-column"}),
        ((0, 1, 3, 2), set()),
        ((0, 2, 1, 3), {"rank-column"}),
        ((0, 2, 3, 1), {"rank-column"}),
    ],
)
def test_of_two_numbers_the_one_that_rises_by_one_is_the_rank(order: tuple[int, ...], notes: set[str]) -> None:
    for scale in (1, 0.37):
        rows = [(key, passage, rank, score * scale) for key, passage, rank, score in ROWS]
        file = read([[row[place] for place in order] for row in rows])
        # Ranks that rise and points that fall, both from 1 to n, may be the other way round.
        both_places = {"ambiguous-form"} if (order, scale) == ((0, 1, 2, 3), 1) else set()
        assert (lists(file), set(told(file))) == (RIGHT, notes | both_places)
        assert file.rankings["201"].scores == tuple(score * scale for score in (4, 3, 2, 1))


def test_the_rank_alone_before_the_passage() -> None:
    rows = [(key, rank, passage) for key, passage, rank, _ in ROWS]
    file = read(rows)
    assert (lists(file), set(told(file))) == (RIGHT, {"rank-column"})
    assert "second column" in told(file)["rank-column"].message.en
    random.Random(2).shuffle(rows)
    assert lists(read(rows, "ranks")) == RIGHT


def test_passages_that_are_numbered_are_no_ranks() -> None:
    # Each question with the same candidates: the scores behind them have decimals.
    rows = [(key, number, f"{(number * 7 + place) % 5}.5") for place, key in enumerate(IDS) for number in range(1, 5)]
    file = read(rows)
    assert set(file.rankings["201"].passage_ids) == {"1", "2", "3", "4"}
    # Whole scores leave the gold's ids to say which column holds the passages.
    from polqa_demo.submissions.passage_ids import JudgedPassages

    whole = "".join(f"{key}\t{number}\t{score[0]}7\n" for key, number, score in rows)
    judged = JudgedPassages({"1", "3"})
    known = read_rankings(whole.encode(), QUESTIONS, "run", judged=judged)
    assert set(known.rankings["201"].passage_ids) == {"1", "2", "3", "4"}
    ranked = lists(read([(key, rank, f"10{passage[0]}") for key, passage, rank, _ in ROWS]))
    assert ranked["201"] == ("105", "101", "109", "102")


def test_two_numbers_that_rise_alike_are_one_rank() -> None:
    file = read([(key, passage, rank, rank) for key, passage, rank, _ in ROWS])
    assert (lists(file), set(told(file))) == (RIGHT, {"rank-column"})


@pytest.mark.parametrize("separator", [",", ";", " ", "   "])
def test_pairs_parted_by_something_else(separator: str) -> None:
    for places in ((0, 1, 2, 3), (0, 1, 2), (0, 1, 3), (0, 1)):
        file = read([[row[place] for place in places] for row in ROWS], separator=separator)
        assert (file.form.split()[0], lists(file)) == ("long", RIGHT)


@pytest.mark.parametrize(
    "text",
    [
        # Lists, not pairs: no question comes twice.
        "201,1-0,2-0\n202,3-0,1-0\n203,1-0,5-0\n204,7-1,1-0\n",
        "201 1 2 3\n202 3 1 2\n203 1 5 4\n204 7 1 3\n",
        # Decimal commas that nobody can tell from two numbers.
        "201,1-0,6,33\n201,2-0,5,21\n202,1-0,6,35\n202,2-0,5,22\n203,1-0,1,1\n203,5-0,7,2\n",
    ],
)
def test_what_is_no_pair_of_another_separator_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        read_rankings(text.encode(), QUESTIONS, "run")
    assert caught.value.code == "mixed-separators"
    # The first line is shown.
    assert text.splitlines()[0] in caught.value.problems[0].message.en


def test_pairs_without_a_number_count_in_the_order_of_the_file() -> None:
    file = read([row[:2] for row in ROWS])
    assert (file.form, lists(file)) == ("long", RIGHT)
    assert told(file)["file-order"].severity == "note"
    assert "--form wide" in told(file)["file-order"].message.en
    # Written like the questions: lists of two by line are not possible either, but who knows.
    alike = [(key, f"90{number}") for key in IDS for number in range(3)]
    assert lists(read(alike))["201"] == ("900", "901", "902")
    assert told(read(alike))["file-order"].severity == "warning"


def test_a_list_of_one_a_row_stays_a_list() -> None:
    file = read([(key, found[0]) for key, found in RIGHT.items()])
    assert (file.form, lists(file)) == ("wide", {key: found[:1] for key, found in RIGHT.items()})


def test_rank_against_score() -> None:
    rows = [(key, passage, rank, rank * 0.1) for key, passage, rank, _ in ROWS]
    for file in (read(rows), read(rows, header="question_id\tpassage_id\trank\tscore\n")):
        assert lists(file) == REVERSED
        assert told(file)["rank-against-score"].severity == "warning"
        assert told(file)["rank-against-score"].count == 4
        assert file.other is not None
        assert {key: other.passage_ids for key, other in file.other.rankings.items()} == RIGHT
    by_rank = read(rows, "ranks", header="question_id\tpassage_id\trank\tscore\n")
    assert (lists(by_rank), by_rank.other, told(by_rank)) == (RIGHT, None, {})


@pytest.mark.parametrize(
    "numbers",
    [
        # Ranks that say nothing, ranks of the whole file, equal scores, ranks from 0.
        [(1, score) for _, score in ((rank, 5 - rank) for rank in range(1, 5))],
        [(10 * rank, 5 - rank) for rank in range(1, 5)],
        [(rank, 0) for rank in range(1, 5)],
        [(rank - 1, 5 - rank) for rank in range(1, 5)],
    ],
)
def test_ranks_that_contradict_no_score(numbers: list[tuple[int, int]]) -> None:
    rows = [(key, passage, *numbers[rank - 1]) for key, passage, rank, _ in ROWS]
    file = read(rows, header="question_id\tpassage_id\trank\tscore\n")
    assert (lists(file), file.other) == (RIGHT, None)


def test_scores_that_rise_with_the_file_may_be_distances() -> None:
    rows = [(key, passage, round(0.13 * rank, 2)) for key, passage, rank, _ in ROWS]
    for header in ("", "question_id\tpassage_id\tscore\n"):
        file = read(rows, header=header)
        assert lists(file) == REVERSED
        assert told(file)["rising-scores"].severity == "warning"
        assert file.other is not None
        assert {key: other.passage_ids for key, other in file.other.rankings.items()} == RIGHT
        nearest = read(rows, "distances", header=header)
        assert (lists(nearest), told(nearest)) == (RIGHT, {})
        assert told(read(rows, "long", header=header)) == {}
    # A similarity is none, and a shuffled file says nothing.
    assert told(read(rows, header="question_id\tpassage_id\tsimilarity\n")) == {}
    random.Random(1).shuffle(rows)
    assert told(read(rows, header="question_id\tpassage_id\tscore\n")) == {}


@pytest.mark.parametrize("name", ["distance", "odległość", "Dist"])
def test_a_column_named_distance_counts_smallest_first(name: str) -> None:
    rows = [(key, passage, round(0.13 * rank, 2)) for key, passage, rank, _ in ROWS]
    random.Random(1).shuffle(rows)
    header = f"question_id,passage_id,{name}\n"
    file = read(rows, separator=",", header=header)
    assert (lists(file), set(told(file))) == (RIGHT, {"distances"})
    assert lists(read(rows, "long", ",", header)) == REVERSED


def test_of_several_scores_one_decides_and_is_named() -> None:
    rows = [(key, passage, score, score * 0.1, rank * 0.2) for key, passage, rank, score in ROWS]
    file = read(rows, header="question_id\tpassage_id\tscore\tsimilarity\tdistance\n")
    assert (lists(file), set(told(file))) == (RIGHT, {"two-scores"})
    assert (told(file)["two-scores"].severity, file.other) == ("note", None)


@pytest.mark.parametrize(("one", "other"), [("score", "rerank_score"), ("rerank_score", "bm25"), ("score", "l2")])
def test_a_second_score_of_another_order_is_told(one: str, other: str) -> None:
    sign = 1 if other == "l2" else -1
    rows = [(key, passage, score, sign * score) for key, passage, _, score in ROWS]
    file = read(rows, header=f"question_id\tpassage_id\t{one}\t{other}\n")
    assert (lists(file), told(file)["two-scores"].severity) == (RIGHT, "warning")
    assert file.other is not None
    assert {key: item.passage_ids for key, item in file.other.rankings.items()} == REVERSED
    assert (file.other.counted.en, file.other.name.en) == (f"by {one}", f"by {other}")


@pytest.mark.parametrize("name", ["bm25", "rerank_score", "logit", "prob", "probability", "value"])
def test_other_names_of_a_score(name: str) -> None:
    rows = [(key, passage, -score) for key, passage, _, score in ROWS]
    file = read(rows, header=f"question_id\tpassage_id\t{name}\n")
    assert (lists(file), "file-order" in told(file)) == (REVERSED, False)


@pytest.mark.parametrize("name", ["order", "pos", "place", "idx", "_rank", "rang", "miejsce", "cosine_distance", "l2"])
def test_other_names_of_a_rank_or_a_distance(name: str) -> None:
    rows = [(key, passage, rank) for key, passage, rank, _ in ROWS][::-1]
    file = read(rows, header=f"question_id\tpassage_id\t{name}\n")
    assert (lists(file), "file-order" in told(file)) == (RIGHT, False)


def test_a_word_of_many_meanings_is_no_number_of_the_order_beside_another_or_without_places() -> None:
    beside = [(key, passage, score, -score, 9 - rank) for key, passage, rank, score in ROWS]
    file = read(beside, header="question_id\tpassage_id\tscore\tvalue\tidx\n")
    assert (lists(file), told(file)) == (RIGHT, {})
    numbered = [(key, passage, 900 - 7 * at) for at, (key, passage, _, _) in enumerate(ROWS)]
    file = read(numbered, header="question_id\tpassage_id\tidx\n")
    assert (lists(file), told(file)["file-order"].severity) == (RIGHT, "warning")


def test_numbers_of_an_unknown_name_are_told() -> None:
    rows = [(key, passage, score, "x") for key, passage, _, score in ROWS]
    file = read(rows, header="question_id\tpassage_id\tbm25_logit\tnotes\n")
    assert told(file)["file-order"].severity == "warning"
    assert "numbers stand in: bm25_logit" in told(file)["file-order"].message.en
    plain = read(rows, header="question_id\tpassage_id\tx\ty\n")
    assert "x" in told(plain)["file-order"].message.en


def test_judgements_with_a_header_are_told() -> None:
    file = read([row[:3] for row in ROWS], header="qid\tdocno\tlabel\n")
    assert told(file)["qrels-as-run"].severity == "warning"


@pytest.mark.parametrize("separator", ["\t", ","])
def test_a_header_of_unknown_names_is_told_and_passed_over(separator: str) -> None:
    names = separator.join(("topic", "doc", "place", "points")) + "\n"
    file = read(ROWS, separator=separator, header=names)
    assert (lists(file), set(told(file))) == (RIGHT, {"unknown-header", "rank-column", "ambiguous-form"})
    assert "topic, doc, place, points" in told(file)["unknown-header"].message.en


def test_the_name_of_a_run_behind_the_numbers_is_passed_over() -> None:
    for rows in ([(*row[:3], "bm25") for row in ROWS], [(*row[:3], row[3] / 8, "bm25") for row in ROWS]):
        file = read(rows)
        assert (lists(file), set(told(file))) == (RIGHT, {"rank-column", "ignored-column"})


def test_decimals_in_a_list_leave_a_doubt() -> None:
    rows = [(key, *found[:2], "0.75", "0.5") for key, found in RIGHT.items()]
    assert "ambiguous-form" in told(read(rows))


def test_rows_wider_than_the_header_are_told() -> None:
    rows = [(key, passage, f"{score},5") for key, passage, _, score in ROWS]
    file = read(rows, separator=",", header="question_id,passage_id,score\n")
    assert told(file)["wide-rows"].count == len(ROWS)
    trailing = read([(*row, "") for row in rows], separator=";", header="question_id;passage_id;score\n")
    assert (lists(trailing), set(told(trailing))) == (RIGHT, {"decimal-commas"})


def test_questions_by_their_text() -> None:
    rows = [(f"pytanie  {row[0]}?", *row[1:3]) for row in ROWS]
    file = read(rows, separator=";", header="question;passage_id;rank\n")
    assert (lists(file), told(file)) == (RIGHT, {})
    strange = read([*rows, ("Kto?", "1-0", 1)], separator=";", header="question;passage_id;rank\n")
    assert "Kto?" in told(strange)["extra-ids"].message.en


def test_all_columns_are_named_and_what_the_file_looks_like() -> None:
    names = [f"kolumna_{number}" for number in range(30)]
    with pytest.raises(Refused) as caught:
        read([], header="\t".join(["question_id", "answer", *names]) + "\n201\tx\n")
    message = caught.value.problems[0].message
    assert all(name in message.en for name in names)
    assert "looks like a file of answers" in message.en
    assert "Wygląda na plik odpowiedzi" in message.pl


def test_two_whole_numbers_in_no_order() -> None:
    rows = [(key, passage, rank, 100 * score) for key, passage, rank, score in ROWS]
    random.Random(4).shuffle(rows)
    # One holds 1 to n in each question, the other does not.
    assert (lists(read(rows)), set(told(read(rows)))) == (RIGHT, {"rank-column"})
    turned = [(key, passage, score, rank) for key, passage, rank, score in rows]
    assert (lists(read(turned)), told(read(turned))) == (RIGHT, {})
    assert lists(read(turned, separator=",")) == RIGHT
    # Both do, or neither: told, and somebody may say it.
    for scale in (1, 7):
        both = [(key, passage, scale * rank, scale * (5 - rank)) for key, passage, rank, _ in rows]
        assert (lists(read(both)), set(told(read(both)))) == (REVERSED, {"ambiguous-form"})
        assert lists(read(both, "ranks")) == RIGHT


def mixed(number_of: Callable[[int, int], object]) -> RankingsFile:
    """The rows of 150 questions with ten passages each, in no order at all."""
    rows = [(f"q{one}", f"{one}-{rank}", number_of(one, rank)) for one in range(150) for rank in range(1, 11)]
    random.Random(3).shuffle(rows)
    text = "".join(f"{key}\t{passage}\t{number}\n" for key, passage, number in rows)
    return read_rankings(text.encode(), tuple(Question(f"q{one}", "") for one in range(150)), "run.tsv")


@pytest.mark.parametrize("start", [0, 1])
def test_ranks_of_a_long_file_whose_questions_are_mixed_leave_a_doubt_that_is_told(start: int) -> None:
    assert "ambiguous-form" in told(mixed(lambda _, rank: rank - 1 + start))


def test_scores_of_a_long_file_whose_questions_are_mixed_leave_none() -> None:
    for number in (lambda one, rank: 20 - rank + one % 7, lambda _, rank: 1 / rank, lambda one, rank: one % 3 * rank):
        assert told(mixed(number)) == {}, number(1, 2)
