"""Runs as TREC writes them, what is nearly one, and lists that only look like one."""

import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import RankingsFile, read_rankings
from polqa_demo.submissions.table import Overrides

IDS = ("201", "202", "203")
QUESTIONS = tuple(Question(key, "") for key in IDS)
RIGHT = {"201": ("5-0", "1-0", "9-2"), "202": ("7-1", "5-0", "1-0"), "203": ("3-0", "2-0", "7-1")}
ROWS = [(key, passage, rank, 9.5 - rank) for key, found in RIGHT.items() for rank, passage in enumerate(found, 1)]


def read(text: str, form: str | None = None) -> RankingsFile:
    return read_rankings(text.encode(), QUESTIONS, "run.trec", overrides=Overrides(form=form))


def run(second: str = "Q0", tag: str = " bm25", blank: str = " ", before: str = "") -> str:
    rows = (blank.join((key, second, before + passage, str(rank), f"{score}")) for key, passage, rank, score in ROWS)
    return "".join(f"{row}{tag}\n" for row in rows)


def lists(file: RankingsFile) -> dict[str, tuple[str, ...]]:
    return {key: ranking.passage_ids for key, ranking in file.rankings.items()}


def codes(file: RankingsFile) -> set[str]:
    return {problem.code for problem in file.problems} - {"short-rankings"}


@pytest.mark.parametrize("second", ["Q0", "q0", "0", "ITER", "bm25"])
@pytest.mark.parametrize("tag", [" bm25", " my run of 2026-01-02", " 7"])
def test_the_second_column_is_free_and_the_tag_may_have_words(second: str, tag: str) -> None:
    file = read(run(second, tag))
    assert (file.form, lists(file), codes(file)) == ("trec", RIGHT, set())


def test_tabs_keep_passage_ids_with_blanks() -> None:
    file = read(run(blank="\t", tag="\tmy run", before="Inne "))
    assert file.rankings["201"].passage_ids == ("Inne 5-0", "Inne 1-0", "Inne 9-2")


def test_five_columns_are_named() -> None:
    file = read(run(tag=""))
    assert (file.form, lists(file), codes(file)) == ("trec", RIGHT, {"trec-columns"})
    (note,) = [problem for problem in file.problems if problem.code == "trec-columns"]
    assert "TREC run without its sixth column" in note.message.en
    assert "bez szóstej kolumny" in note.message.pl


def test_a_header_is_passed_over() -> None:
    file = read("qid iter docno rank sim run\n" + run())
    assert (lists(file), codes(file)) == (RIGHT, {"unknown-header"})


def test_rank_or_distance_decides_where_somebody_says_so() -> None:
    nearest = "".join(f"{key} Q0 {passage} {rank} {rank / 10} faiss\n" for key, passage, rank, _ in ROWS)
    by_score = read(nearest)
    assert (by_score.rankings["201"].passage_ids[0], codes(by_score)) == ("9-2", {"rank-against-score"})
    assert (lists(read(nearest, "ranks")), lists(read(nearest, "distances"))) == (RIGHT, RIGHT)
    assert codes(read(nearest, "distances")) == set()


def test_ranks_from_nought_and_equal_scores() -> None:
    file = read("".join(f"{key} Q0 {passage} {rank - 1} 0.0 x\n" for key, passage, rank, _ in reversed(ROWS)))
    assert (lists(file), codes(file)) == (RIGHT, set())


def test_minus_infinity_is_last() -> None:
    file = read("201 Q0 a 1 -inf x\n201 Q0 b 2 1 x\n201 Q0 c 3 -1e9 x\n")
    assert (file.rankings["201"].passage_ids, "infinite-scores" in codes(file)) == (("b", "c", "a"), True)


@pytest.mark.parametrize(
    ("text", "code", "lines", "words"),
    [
        (run(before="Inne "), "blank-in-ids", (1,), "“Inne 5-0”"),
        ("201 Q0 a 1 2.5 x\n201 Q0 Apollo 11 2 1.5 x\n", "blank-in-ids", (2,), "“Apollo 11”"),
        # Read from the left it would be the passage Apollo at rank 11 with the score 2.
        ("201 Q0 Apollo 11 2 1.5 x\n201 Q0 Apollo 12 3 0.5 x\n", "blank-in-ids", (1,), "part the columns by tabs"),
        ("201 Q0 a 2.5 x\n202 Q0 b 1.5 x\n", "broken-trec", (), "5 columns in place of six"),
        ("201 Q0 a\t2.5\n202 Q0 b\t1.5\n", "broken-trec", (), "4 columns in place of six"),
        ("201 0 5-0 1\n201 0 1-0 2\n202 0 7-1 1\n", "qrels-as-run", (), "looks like judgements"),
        ("201\t0\t5-0\t1\n202\t0\t7-1\t1\n", "qrels-as-run", (), "Give it as gold"),
        ("201 Q0 a 1 2.5 x\n201 Q0 b 2 nan x\n", "not-a-number", (2,), "NaN"),
        (run(tag="") + "203 Q0 8-0 4 1.5 tag\n", "broken-trec", (), "5 columns in place of six"),
    ],
)  # fmt: skip
def test_what_is_nearly_a_run_is_refused_by_name(text: str, code: str, lines: tuple[int, ...], words: str) -> None:
    with pytest.raises(Refused) as caught:
        read(text)
    problem = caught.value.problems[0]
    assert (problem.code, problem.lines) == (code, lines)
    assert words in problem.message.en


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("201\t0\t7\t1\t2\t9\n202\t3\t7\t4\t2\t9\n203\t0\t5\t1\t2\t9\n", ("0", "7", "1", "2", "9")),
        ("201\t0\t7\t1\t2\n202\t0\t7\t4\t2\n203\t0\t5\t1\t2\n", ("0", "7", "1", "2")),
        ("201\t0\t7-1\t1-0\n202\t0\t7-2\t4-0\n203\t0\t5-1\t1-0\n", ("0", "7-1", "1-0")),
        ("201\t4-0\t7\t1\n202\t4-0\t8\t2\n203\t4-0\t9\t1\n", ("4-0", "7", "1")),
    ],
)
def test_lists_of_numbers_are_no_runs(text: str, first: tuple[str, ...]) -> None:
    file = read(text, "wide")
    assert file.rankings["201"].passage_ids == first
    assert read(text).form != "trec"
