"""Files of rankings in every form."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.errors import Problem
from polqa_demo.records import Question, Ranking
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import RankingsFile, read_rankings

IDS = ("201", "202", "203")
QUESTIONS = tuple(Question(key, f"Pytanie {key}?") for key in IDS)
RIGHT = {"201": ("1-0", "2-0", "3-0"), "202": ("2-0", "1-0", "3-0"), "203": ("3-0", "1-0", "2-0")}


def read(text: str, in_corpus: set[str] | None = None) -> RankingsFile:
    known = None if in_corpus is None else in_corpus.__contains__
    return read_rankings(text.encode(), QUESTIONS, "run.tsv", known)


def refused(text: str) -> Problem:
    with pytest.raises(Refused) as caught:
        read(text)
    return caught.value.problems[0]


def lists(file: RankingsFile) -> dict[str, tuple[str, ...]]:
    return {key: ranking.passage_ids for key, ranking in file.rankings.items()}


def found(file: RankingsFile) -> dict[str, Problem]:
    return {problem.code: problem for problem in file.problems}


def long_rows(separator: str = "\t", ranks: bool = False) -> list[str]:
    return [
        separator.join([key, passage, str(9.5 - rank), *([str(rank)] if ranks else [])])
        for key, passages in RIGHT.items()
        for rank, passage in enumerate(passages, 1)
    ]


def trec_rows() -> list[str]:
    return [
        f"{key} Q0 {passage} {rank} {9.5 - rank} run"
        for key, passages in RIGHT.items()
        for rank, passage in enumerate(passages, 1)
    ]


WIDE = ["\t".join(passages) for passages in RIGHT.values()]
WIDE_IDS = ["\t".join([key, *passages]) for key, passages in RIGHT.items()]
RANKS_ONLY = [f"{rank}\t{RIGHT[key][rank - 1]}\t{key}" for key in IDS for rank in (3, 1, 2)]
DPR = [{"question": f"Pytanie {key}?", "ctxs": [{"id": item, "score": 1} for item in RIGHT[key]]} for key in IDS]


@pytest.mark.parametrize(
    ("rows", "form"),
    [
        (WIDE, "wide"),
        ([row.replace("\t", " \t ") + "\r" for row in WIDE], "wide"),
        ([*WIDE, "", "\t"], "wide"),
        (WIDE_IDS, "wide"),
        ([WIDE_IDS[2], "", WIDE_IDS[0], WIDE_IDS[1]], "wide"),
        (["question-id\tpassage-id\tscore", *long_rows()], "long"),
        (["question_id,passage_id,score,rank", *long_rows(",", ranks=True)], "long"),
        (["qid;docid;sim", *reversed(long_rows(";"))], "long"),
        (["rank\tPassage-ID\tqid", *RANKS_ONLY], "long"),
        (long_rows(), "long"),
        (long_rows(ranks=True), "long"),
        (trec_rows(), "trec"),
        ([row.replace(" ", "\t") for row in reversed(trec_rows())], "trec"),
        ([json.dumps({"question_id": int(key), "passage_ids": RIGHT[key]}) for key in IDS], "jsonl"),
        ([json.dumps({"id": key, "passages": [{"passage_id": item} for item in RIGHT[key]]}) for key in IDS], "jsonl"),
        ([json.dumps(row) for row in DPR], "jsonl"),
        ([json.dumps(DPR, indent=1)], "json"),
    ],
)  # fmt: skip
def test_every_form_gives_the_same_rankings(rows: list[str], form: str) -> None:
    file = read("\n".join(rows) + "\n")
    assert (lists(file), file.form) == (RIGHT, form)
    assert set(found(file)) == {"short-rankings"}


def test_the_order_is_score_then_rank_then_file() -> None:
    rows = ["201\ta\t1\t2", "201\tb\t1\t1", "201\tc\t5\t9", "201\td\t0.5\t1", "202\ta\t1\t1", "202\tb\t1\t1"]
    file = read("question-id\tpassage-id\tscore\trank\n" + "\n".join(rows))
    assert lists(file) == {"201": ("c", "b", "a", "d"), "202": ("a", "b")}
    assert file.rankings["201"].scores == (5, 1, 1, 0.5)


def test_scores_that_are_all_zero_are_equal_scores_and_none_are_none() -> None:
    assert read("201 Q0 a 2 0 x\n201 Q0 b 1 0 x\n").rankings["201"] == Ranking("201", ("b", "a"), (0.0, 0.0))
    assert read("qid\tpid\n201\ta\n201\tb\n").rankings["201"] == Ranking("201", ("a", "b"))


@given(st.data())
def test_shuffled_lines_of_long_and_trec_give_the_same_rankings(data: st.DataObject) -> None:
    scores = data.draw(st.lists(st.integers(-3, 3), min_size=12, max_size=12))
    rows = [(IDS[n % 3], f"{n}-0", scores[n], n // 3 + 1) for n in range(12)]
    forms = (
        ["{}\t{}\t{}\t{}".format(*row) for row in rows],
        ["{0} Q0 {1} {3} {2} run".format(*row) for row in rows],
    )
    for form, header in zip(forms, ("question-id\tpassage-id\tscore\trank\n", ""), strict=True):
        shuffled = data.draw(st.permutations(form))
        assert read(header + "\n".join(shuffled)).rankings == read(header + "\n".join(form)).rankings


def test_empty_short_and_doubled_lists_are_told() -> None:
    file = read("201\ta\tb\ta\n202\n203\t" + "\t".join(f"{n}-0" for n in range(12)))
    assert lists(file)["202"] == ()
    assert (found(file)["empty-rankings"].severity, found(file)["empty-rankings"].count) == ("warning", 1)
    assert "202" in found(file)["empty-rankings"].message.pl
    assert found(file)["short-rankings"].severity == "note"
    assert "3-12 passages" in found(file)["short-rankings"].message.en
    assert (found(file)["duplicate-passages"].count, found(file)["duplicate-passages"].severity) == (1, "warning")


def test_passages_outside_of_the_corpus_are_told_and_stay() -> None:
    file = read("\n".join(WIDE_IDS), {"1-0", "2-0"})
    assert lists(file) == RIGHT
    assert (found(file)["unknown-passages"].count, found(file)["unknown-passages"].severity) == (1, "warning")
    assert "3-0" in found(file)["unknown-passages"].message.en
    assert "unknown-passages" not in found(read("\n".join(WIDE_IDS), {"1-0", "2-0", "3-0"}))


def test_missing_extra_and_foreign_questions() -> None:
    file = read("qid\tpid\tscore\n201\ta\t1\n999\ta\t1\n998\ta\t1\n")
    assert list(file.rankings) == ["201"]
    assert (found(file)["missing-ids"].count, found(file)["extra-ids"].lines) == (2, (3, 4))
    problem = refused("qid\tpid\tscore\n5\ta\t1\n6\ta\t1\n")
    assert (problem.code, problem.count, problem.lines) == ("wrong-split", 2, (2, 3))


@pytest.mark.parametrize(
    ("text", "code", "lines", "words"),
    [
        ("1-0\t2-0\n", "wrong-length", (), "has 1 line, the set 3 questions"),
        ("1-0 2-0\t3-0\n" * 3, "mixed-separators", (1, 2, 3), "Part the ids by tabs"),
        ("1-0,2-0,3-0\n" * 3, "mixed-separators", (1, 2, 3), "comma"),
        ("201;1-0;2-0\n202;1-0\n203;1-0\n", "mixed-separators", (1, 2, 3), "semicolon"),
        ("201\t1-0\n202\t1-0 2-0\n203\t1-0\n", "mixed-separators", (2,), "first: 2"),
        ("qid\tpassage\n201\ta\n", "missing-columns", (), "qid, passage"),
        ("qid\tpid\tscore\n201\ta\t1\n202\n", "ragged-row", (3,), "too few columns (1)"),
        ("qid\tpid\tscore\n201\ta\t1\n202\ta\tdużo\n", "not-a-number", (3,), "dużo"),
        ("qid\tpid\tscore\n201\ta\tnan\n", "not-a-number", (2,), "nan"),
        ("qid\tpid\tscore\trank\n201\ta\t1\tpierwszy\n", "not-a-number", (2,), "pierwszy"),
        ("201 Q0 a 1 dużo x\n", "not-a-number", (1,), "dużo"),
        ('{"question_id": 201, "answer": "tak"}\n', "missing-columns", (1,), "question_id, answer"),
        ('{"question_id": 201, "passage_ids": ["a"]}\n{"passage_ids": []}\n', "missing-columns", (2,), "line 2"),
        ('{"id": 201, "passages": ["a"]}\n{"id": 201, "passages": ["b"]}\n', "duplicate-ids", (2,), "201"),
        ("qid\tpid\tscore\n", "no-predictions", (), "no rankings"),
    ],
)
def test_what_cannot_be_ranked_is_refused(text: str, code: str, lines: tuple[int, ...], words: str) -> None:
    problem = refused(text)
    assert (problem.severity, problem.code, problem.lines) == ("error", code, lines)
    assert words in problem.message.en
    assert "run.tsv" in problem.message.pl


def test_the_same_ranking_twice_is_one() -> None:
    assert lists(read('{"id": 201, "passages": ["a"]}\n{"id": "201", "passages": ["a"]}\n')) == {"201": ("a",)}


def test_ids_that_a_spreadsheet_made_decimal() -> None:
    file = read("qid,pid,score\n201.0,511.0,2\n201.0,7.0,1\n202.0,511.0,1\n203.0,9.0,1\n")
    assert lists(file) == {"201": ("511", "7"), "202": ("511",), "203": ("9",)}
    assert [problem.count for problem in file.problems if problem.code == "float-ids"] == [3, 3]
    assert lists(read("201.0\ta\n202.0\tb\n203.0\tc\n")) == {"201": ("a",), "202": ("b",), "203": ("c",)}


def test_passage_ids_that_only_partly_look_decimal_stay() -> None:
    assert lists(read("201\t5.0\t6-0\n202\ta\n203\tb\n"))["201"] == ("5.0", "6-0")


# An id holds no blank; two ids of one list are not equal.
PASSAGE = st.from_regex(r"[0-9]{1,4}-[0-9]{1,2}|[0-9]{4}_[0-9]{1,3}_[0-9]{1,3}b?|[0-9]{1,3}", fullmatch=True)
RUNS = st.fixed_dictionaries({key: st.lists(PASSAGE, min_size=1, max_size=12, unique=True) for key in IDS})


@given(RUNS)
def test_write_then_read_round_trips(run: dict[str, list[str]]) -> None:
    rows = [
        (key, passage, rank, 100.0 - rank) for key, passages in run.items() for rank, passage in enumerate(passages, 1)
    ]
    random.Random(7).shuffle(rows)
    texts = {
        "wide": "".join("\t".join([key, *passages]) + "\n" for key, passages in run.items()),
        "long": "question-id\tpassage-id\tscore\n" + "".join(f"{q}\t{p}\t{score}\n" for q, p, _, score in rows),
        "trec": "".join(f"{q} Q0 {p} {rank} {score} run\n" for q, p, rank, score in rows),
        "jsonl": "".join(json.dumps({"question_id": q, "passage_ids": run[q]}) + "\n" for q in run),
    }
    for form, text in texts.items():
        file = read(text)
        assert (file.form, lists(file)) == (form, {key: tuple(passages) for key, passages in run.items()})
