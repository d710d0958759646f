"""Rankings in the JSON of other tools, in parquet, and in the cells of a table."""

import io
import json
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polqa_demo.errors import Problem
from polqa_demo.records import Question
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import RankingsFile, read_rankings
from polqa_demo.submissions.table import Overrides

IDS = ("201", "202", "203")
QUESTIONS = tuple(Question(key, f"Pytanie {key}?") for key in IDS)
RIGHT = {"201": ("5-0", "1-0", "9-2"), "202": ("7-1", "5-0", "1-0"), "203": ("3-0", "2-0", "7-1")}
REVERSED = {key: found[::-1] for key, found in RIGHT.items()}
RUN = {key: {passage: 3.5 - place for place, passage in enumerate(found)} for key, found in RIGHT.items()}


def read(value: Any, form: str | None = None) -> RankingsFile:
    """JSON lines of a list, JSON of anything else."""
    text = "".join(json.dumps(row) + "\n" for row in value) if isinstance(value, list) else json.dumps(value)
    return read_rankings(text.encode(), QUESTIONS, "run.json", overrides=Overrides(form=form))


def members(name: str = "id", number: str = "", sign: int = 1) -> dict[str, list[dict[str, Any]]]:
    return {
        key: [{name: passage, **({number: sign * at + 0.5} if number else {})} for at, passage in enumerate(found)]
        for key, found in RIGHT.items()
    }


def rows(field: str, lists: dict[str, Any], key: str = "question_id") -> list[dict[str, Any]]:
    return [{key: question, field: found} for question, found in lists.items()]


def lists(file: RankingsFile) -> dict[str, tuple[str, ...]]:
    return {key: ranking.passage_ids for key, ranking in file.rankings.items()}


def told(file: RankingsFile) -> dict[str, Problem]:
    return {problem.code: problem for problem in file.problems if problem.code != "short-rankings"}


def refused(value: Any, form: str | None = None) -> Problem:
    with pytest.raises(Refused) as caught:
        read(value, form)
    return caught.value.problems[0]


@pytest.mark.parametrize(
    ("value", "notes"),
    [
        (RUN, set()),
        ({"bm25": {"test": RUN}, "meta": {"model": "x"}}, {"wrapped-run"}),
        ({"name": "bm25", "run": RUN}, {"wrapped-run"}),
        ({"results": RUN}, {"wrapped-run"}),
        ({"run": {"queries": rows("hits", members())}}, {"wrapped-run"}),
        ({key: list(found) for key, found in RIGHT.items()}, set()),
        ({key: list(map(list, found.items())) for key, found in RUN.items()}, set()),
        ({key: {"ctxs": found} for key, found in members().items()}, set()),
        (rows("results", members("corpus_id", "score", -1), "query_id"), set()),
        (rows("hits", members("docid", "rank")), set()),
        (rows("ctxs", members("passage_id", "distance")), {"distances"}),
        (rows("hits", {key: {"hits": found} for key, found in members("_id", "_score", -1).items()}), set()),
        ([{"question": f"Pytanie {key}?", "ctxs": found} for key, found in members().items()], set()),
        ([{"qid": key, "passage_ids": list(found), "scores": [3, 2, 1]} for key, found in RIGHT.items()], set()),
        (
            [{"id": key, "output": [{"answer": "", "provenance": found}]}
             for key, found in members("wikipedia_id").items()],
            {"kilt-provenance"},
        ),
        (
            [{"id": key, "output": [{"provenance": [page]} for page in found]}
             for key, found in members("wikipedia_id").items()],
            {"kilt-provenance"},
        ),
        (
            [{"id": key, "output": {"retrieval_result": found, "pred": "x"}} for key, found in members().items()],
            set(),
        ),
        (rows("passage_ids", {key: " ".join(found) for key, found in RIGHT.items()}), {"list-cells"}),
        (
            [{"qid": key, "docid": passage, "rank": rank}
             for key, found in RIGHT.items() for rank, passage in reversed(list(enumerate(found, 1)))],
            set(),
        ),
        (
            [{"qid": key, "docid": passage, "distance": rank / 7}
             for key, found in RIGHT.items() for rank, passage in reversed(list(enumerate(found, 1)))],
            {"distances", "falling-distances"},
        ),
        ([{"question": f"Pytanie {key}?", "docid": passage} for key, found in RIGHT.items() for passage in found],
         {"file-order"}),
        ([{"question_id": key, "docid": passage, "margin": 1.5} for key, found in RIGHT.items() for passage in found],
         {"file-order"}),
    ],
)  # fmt: skip
def test_the_json_of_other_tools(value: Any, notes: set[str]) -> None:
    file = read(value)
    assert (lists(file), set(told(file))) == (RIGHT, notes)


def test_hits_of_sentence_transformers_in_the_order_of_the_questions() -> None:
    hits = [[{"corpus_id": passage, "score": score} for passage, score in RUN[key].items()] for key in IDS]
    data = json.dumps(hits).encode()
    assert lists(read_rankings(data, QUESTIONS)) == RIGHT
    with pytest.raises(Refused) as caught:
        read_rankings(data, QUESTIONS[:2])
    assert caught.value.code == "wrong-length"
    keyed = json.dumps([[key, list(RIGHT[key])] for key in reversed(IDS)]).encode()
    assert lists(read_rankings(keyed, QUESTIONS)) == RIGHT


def test_where_a_run_was_found_is_told() -> None:
    assert "default / test" in told(read({"m": "x", "default": {"test": RUN}}))["wrapped-run"].message.en
    problem = refused({"default": {"dev": RUN, "test": RUN}})
    assert problem.code == "several-runs"
    assert "default / dev; default / test" in problem.message.en


def test_a_run_of_other_questions_is_not_searched_for_questions() -> None:
    # The passages of an unknown question are named like questions.
    assert refused({"999": {"201": 0.5, "202": 0.25}}).code == "wrong-split"
    assert refused({"version": "1", "data": [{"201": 1}]}).code in ("missing-columns", "wrong-split")


def test_numbers_decide_as_somebody_says() -> None:
    nearest = rows("hits", members("docid", "score"))
    file = read(nearest)
    assert (lists(file), set(told(file))) == (REVERSED, {"sorted-by-score"})
    assert told(file)["sorted-by-score"].severity == "warning"
    assert file.other is not None
    assert {key: other.passage_ids for key, other in file.other.rankings.items()} == RIGHT
    for form in ("distances", "ranks"):
        assert (lists(read(nearest, form)), told(read(nearest, form))) == (RIGHT, {})
    assert lists(read(rows("ctxs", members("id", "distance")), "long")) == REVERSED


def test_ranks_in_a_list_that_its_scores_contradict() -> None:
    found = {
        key: [{"id": passage, "score": place, "rank": place} for place, passage in enumerate(passages, 1)]
        for key, passages in RIGHT.items()
    }
    for items in found.values():
        random.Random(1).shuffle(items)
    file = read(rows("ctxs", found))
    assert (lists(file), set(told(file))) == (REVERSED, {"rank-against-score"})
    assert file.other is not None
    assert {key: other.passage_ids for key, other in file.other.rankings.items()} == RIGHT


def test_an_object_of_scores_has_no_order_but_the_very_reverse() -> None:
    rising = {key: dict(reversed(found.items())) for key, found in RUN.items()}
    file = read(rising)
    assert (lists(file), set(told(file))) == (RIGHT, {"rising-scores"})
    mixed = {key: {passage: found[passage] for passage in sorted(found)} for key, found in RUN.items()}
    assert told(read(mixed)) == {}


def test_infinite_missing_and_printed_scores() -> None:
    def ranked(*scores: object) -> RankingsFile:
        items = [{"id": f"{place}-0", "score": score} for place, score in enumerate(scores)]
        return read([{"id": "201", "ctxs": items}])

    infinite = ranked(-float("inf"), 1, 2)
    assert infinite.rankings["201"].passage_ids == ("2-0", "1-0", "0-0")
    assert "infinite-scores" in told(infinite)
    printed = ranked("tensor(1.)", "tensor(3.)", "np.float32(2)")
    assert (printed.rankings["201"].scores, "printed-numbers" in told(printed)) == ((3, 2, 1), True)
    partial = ranked(1, None, 2)
    assert partial.rankings["201"].passage_ids == ("0-0", "1-0", "2-0")
    assert told(partial)["partial-scores"].severity == "warning"
    assert told(ranked(None, None)).get("partial-scores") is None
    with pytest.raises(Refused) as caught:
        ranked(1, float("nan"))
    assert "NaN" in caught.value.problems[0].message.en


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        ([{"id": "201", "ctxs": [{"title": "T", "text": "x", "score": 1}]}], "missing-passage-ids",
         "title, text, score"),
        ([{"id": "201", "ctxs": [["a", "b", "c"]]}], "nested-lists", "['a', 'b', 'c']"),
        ([{"id": "201", "ctxs": [[1, "5-0"]]}], "nested-lists", "[1, '5-0']"),
        ({"201": "5-0 1-0"}, "missing-columns", "201: 5-0 1-0"),
        ({"201": {"a": "x"}}, "missing-columns", "found: a"),
        ([{"id": "201", "prediction": "x", "b": 1, "c": 2, "d": 3, "e": 4}], "missing-columns",
         "id, prediction, b, c, d, e. It looks like a file of answers."),
        ([{"contents": "x", "docid": "1-0"}], "missing-columns", "contents, docid"),
        ([{"id": "201", "passage_ids": "['5-0', "}], "broken-list", "is no whole list"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_by_its_fields(value: Any, code: str, words: str) -> None:
    problem = refused(value)
    assert problem.code == code
    assert words in problem.message.en


def test_members_without_an_id_are_counted() -> None:
    file = read([{"id": "201", "ctxs": [{"id": "5-0"}, {"id": None}, {"id": "1-0"}]}])
    assert file.rankings["201"].passage_ids == ("5-0", "1-0")
    assert told(file)["empty-passages"].count == 1


def test_a_passage_id_is_not_the_row_number_of_an_index() -> None:
    items = [{"id": place, "docid": place, "passage_id": passage} for place, passage in enumerate(RIGHT["201"])]
    assert read([{"id": "201", "ctxs": items}]).rankings["201"].passage_ids == RIGHT["201"]
    assert read([{"id": "201", "ctxs": [{"docid": 7, "docno": "5-0"}]}]).rankings["201"].passage_ids == ("5-0",)


CELLS = {
    "python": repr,
    "numpy": lambda found: "[" + " ".join(map(repr, found)) + "]",
    "array": lambda found: f"array({found}, dtype=object)",
    "json": json.dumps,
    "objects": lambda found: repr([{"id": passage, "score": 3 - place} for place, passage in enumerate(found)]),
    "blanks": " ".join,
    "commas": ", ".join,
    "bars": "|".join,
}


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("separator", [",", "\t"])
def test_lists_in_the_cells_of_a_table(cells: str, separator: str) -> None:
    printed = {key: CELLS[cells](list(found)).replace('"', '""') for key, found in RIGHT.items()}  # type: ignore[operator]
    rows = [f'{key}{separator}"{cell}"\n' for key, cell in printed.items()]
    text = f"question_id{separator}passage_ids\n" + "".join(rows)
    file = read_rankings(text.encode(), QUESTIONS, "run.csv")
    assert lists(file) == RIGHT
    assert ("list-cells" in told(file)) == (cells in ("blanks", "commas", "bars"))
    assert file.form == "wide"


def test_scores_in_a_cell_beside_the_list() -> None:
    text = "question_id,passage_ids,scores\n201,a|b|c,1|3|2\n202,\"['a', 'b']\",\"[0.1, 0.2]\"\n"
    file = read_rankings(text.encode(), QUESTIONS)
    assert lists(file) == {"201": ("b", "c", "a"), "202": ("b", "a")}
    assert "sorted-by-score" in told(file)


def test_texts_in_a_cell_are_not_cut_into_words() -> None:
    text = 'question_id,contexts\n201,"Wisła płynie przez Kraków, a Warta nie."\n202,"Łódź leży nad Łódką."\n'
    file = read_rankings(text.encode(), QUESTIONS)
    assert file.rankings["202"].passage_ids == ("Łódź leży nad Łódką.",)
    assert "texts-not-ids" in told(file)


def parquet(table: dict[str, list[Any]]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(table), out)
    return out.getvalue()


def test_parquet_of_lists_of_objects_and_of_pairs() -> None:
    found = members("docid", "score", -1)
    columns = {"query_id": list(found), "results": list(found.values())}
    assert lists(read_rankings(parquet(columns), QUESTIONS)) == RIGHT
    plain = {"id": list(RIGHT), "passage_ids": list(map(list, RIGHT.values())), "scores": [[3.0, 2.0, 1.0]] * 3}
    assert lists(read_rankings(parquet(plain), QUESTIONS)) == RIGHT
    pairs = [(key, passage, rank) for key, found in RIGHT.items() for rank, passage in enumerate(found)]
    random.Random(5).shuffle(pairs)
    keys, passages, ranks = map(list, zip(*pairs, strict=True))
    assert lists(read_rankings(parquet({"qid": keys, "docno": passages, "rank": ranks}), QUESTIONS)) == RIGHT


@pytest.mark.parametrize(
    ("beside", "right", "notes"),
    [
        ({"score": [0.1, 0.9, 0.5]}, ("b-0", "c-0", "a-0"), {"sorted-by-score"}),
        ({"distances": [0.1, 0.9, 0.5]}, ("a-0", "c-0", "b-0"), {"distances", "sorted-by-score"}),
        ({"distance": [0.1, 0.5, 0.9]}, ("a-0", "b-0", "c-0"), {"distances"}),
        ({"scores": [0.1, 0.9, 0.5, 0.7]}, ("a-0", "b-0", "c-0"), {"unequal-scores"}),
        ({"score": 7.5, "scores": []}, ("a-0", "b-0", "c-0"), set()),
    ],
)
def test_numbers_beside_a_list(beside: dict[str, Any], right: tuple[str, ...], notes: set[str]) -> None:
    row = {"question_id": next(iter(RIGHT)), "passage_ids": ["a-0", "b-0", "c-0"], **beside}
    file = read([row])
    assert lists(file)[str(row["question_id"])] == right
    assert set(told(file)) - {"missing-ids", "short-rankings"} == notes


def pairs(**numbers: int) -> list[dict[str, Any]]:
    """Pairs from the last place up, each number so many times the place."""
    return [
        {"question_id": key, "docid": passage, **{name: times * place for name, times in numbers.items()}}
        for key, found in RIGHT.items()
        for place, passage in reversed(list(enumerate(found, 1)))
    ]


@pytest.mark.parametrize(("name", "times"), [("bm25", -1), ("value", -1), ("order", 1), ("idx", 1), ("pos", 1)])
def test_pairs_with_other_names_of_their_number(name: str, times: int) -> None:
    assert lists(read(pairs(**{name: times}))) == RIGHT


def test_a_number_of_many_meanings_that_counts_no_places_is_none() -> None:
    file = read(pairs(idx=7))
    assert (lists(file), told(file)["file-order"].severity) == (REVERSED, "warning")
    assert lists(read(pairs(value=5, rank=1))) == RIGHT


def test_pairs_with_two_scores_of_another_order() -> None:
    file = read(pairs(score=-1, rerank_score=2))
    assert (lists(file), told(file)["two-scores"].severity) == (RIGHT, "warning")
    assert file.other is not None
    assert {key: other.passage_ids for key, other in file.other.rankings.items()} == REVERSED
    assert told(read(pairs(score=-1, rerank_score=-2)))["two-scores"].severity == "note"
