"""Objects as the programs of others write them: read, or refused by their fields."""

import json

import pytest
from answer_files import ASKED, GOLDS, HALF, IDS, QUESTIONS, SOUP, lines, objects, read, refusal, right, table, told
from mutations import parquet

from polqa_demo.records import Question
from polqa_demo.submissions.kinds import recognise_kind

HIDDEN = tuple(Question(question.id, "") for question in QUESTIONS)


def sample(place: int, document: dict[str, object], **fields: object) -> dict[str, object]:
    """A sample as lm-eval logs it."""
    answer = HALF[place]
    return {
        "doc_id": place, "doc": document, "target": GOLDS[place], "arguments": [["Pytanie", {"until": ["\n"]}]],
        "resps": [[answer]], "filtered_resps": [answer], "filter": "none", "exact_match": 1.0,
    } | fields  # fmt: skip


def batch(key: str, *answers: str) -> dict[str, object]:
    """A result of a batch as OpenAI's interface gives it."""
    choices = [{"message": {"role": "assistant", "content": answer}} for answer in answers]
    return {"id": "b", "custom_id": key, "response": {"status_code": 200, "body": {"choices": choices}}, "error": None}


SHAPES: dict[str, object] = {
    "example_id": objects(example_id=IDS, prediction=HALF, binary_answer=[None] * 12),
    "KILT": [
        {"id": key, "input": asked, "output": [{"answer": answer, "provenance": [{"title": "T"}]}, {"provenance": []}]}
        for key, asked, answer in zip(IDS, ASKED, HALF, strict=True)
    ],
    "DPR reader": [
        {"question": asked, "gold_answers": [gold], "predictions": [{"top_k": 9, "prediction": {"text": answer}}]}
        for asked, gold, answer in zip(ASKED, GOLDS, HALF, strict=True)
    ],
    "FlashRAG": [
        {"id": key, "golden_answers": [gold], "output": {"retrieval_result": [{"id": "1-1"}], "pred": answer}}
        for key, gold, answer in zip(IDS, GOLDS, HALF, strict=True)
    ],
    "lm-eval, ids": [sample(place, {"id": key, "answers": [GOLDS[place]]}) for place, key in enumerate(IDS)],
    "lm-eval, questions": [sample(place, {"question": asked}) for place, asked in enumerate(ASKED)],
    "lm-eval, other ids": [sample(place, {"id": f"x{place}", "query": asked}) for place, asked in enumerate(ASKED)],
    "OpenAI batch": [batch(key, answer) for key, answer in zip(IDS, HALF, strict=True)],
    "SQuAD": objects(id=IDS, prediction_text=HALF, no_answer_probability=[0.0] * 12),
    "questions for ids": objects(question=ASKED, prediction=HALF),
    "objects for texts": objects(qid=IDS, answer=[{"text": answer, "answer_start": [3]} for answer in HALF]),
}
WHOLE: dict[str, object] = {
    "by ids": dict(zip(IDS, HALF, strict=True)),
    "objects by ids": {key: {"prediction": answer, "score": 0.5} for key, answer in zip(IDS, HALF, strict=True)},
    "n-best lists": {
        key: [{"text": "inne", "probability": 0.1}, {"text": answer, "probability": 0.9}]
        for key, answer in zip(IDS, HALF, strict=True)
    },
    "under one name": {"predictions": dict(zip(IDS, HALF, strict=True)), "meta": {"model": "x"}},
    "rows under one name": {"model": "x", "data": objects(id=IDS, answer=HALF)},
    "columns": {"question_id": IDS, "answer": HALF, "model": "x"},
    "columns by row": {
        name: {str(place): value for place, value in enumerate(values)}
        for name, values in (("question_id", IDS), ("answer", HALF))
    },
    "split": {"columns": ["question_id", "answer"], "index": [*range(12)],
              "data": [list(row) for row in zip(IDS, HALF, strict=True)]},
    "table": {"schema": {"fields": []}, "data": objects(id=IDS, answer=HALF)},
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_what_programs_write_gives_its_answers(shape: str) -> None:
    for data in (lines(SHAPES[shape]), json.dumps(SHAPES[shape], indent=1)):  # type: ignore[arg-type]
        file = read(data)
        assert file.predictions == dict(zip(IDS, HALF, strict=True))
        assert recognise_kind(data.encode(), "odp", QUESTIONS) == "answers"


@pytest.mark.parametrize("shape", WHOLE)
def test_one_object_over_the_whole_file_gives_its_answers(shape: str) -> None:
    for data in (json.dumps(WHOLE[shape]), json.dumps(WHOLE[shape], indent=1)):
        assert read(data).predictions == dict(zip(IDS, HALF, strict=True))
        assert recognise_kind(data.encode(), "odp", QUESTIONS) == "answers"


def test_what_was_recognised_is_told() -> None:
    for shape, code in (
        ("lm-eval, ids", "known-shape"),
        ("OpenAI batch", "known-shape"),
        ("DPR reader", "joined-by-question"),
        ("lm-eval, other ids", "joined-by-question"),
    ):
        assert code in told(read(lines(SHAPES[shape])))  # type: ignore[arg-type]
    for shape, code in (("n-best lists", "best-candidate"), ("columns", "json-columns"), ("split", "json-columns")):
        assert code in told(read(json.dumps(WHOLE[shape])))


def test_the_most_probable_candidate_is_taken_whatever_its_place_and_name() -> None:
    for trust in ("probability", "score"):
        candidates = [[{"text": answer, trust: 0.9}, {"text": "inne", trust: 0.2}, {"text": "x", trust: 0.1}]
                      for answer in HALF]  # fmt: skip
        assert right(read(lines(objects(id=IDS, answer=candidates)))) == 6
    without = [[{"text": answer}, {"text": "inne"}] for answer in HALF]
    assert refusal(lines(objects(id=IDS, answer=without)))[0] == "list-answers"


def test_a_request_that_failed_is_an_empty_answer() -> None:
    failed = {"id": "b", "custom_id": "101", "response": None, "error": {"message": "x"}}
    file = read(lines([failed, *(batch(key, answer) for key, answer in list(zip(IDS, HALF, strict=True))[1:])]))
    assert file.predictions["101"] == ""
    assert "empty-answers" in told(file)


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        ([batch("101", "a", "b")], "list-answers", "101: a | b"),
        ([sample(0, {"id": "101"}), sample(0, {"id": "101"}, filtered_resps=["x"])], "duplicate-ids", "101"),
        ([sample(0, {"id": "101"}, filtered_resps=[[-1.5, False], [-0.5, True]])] * 2, "list-answers", "101"),
        ([{"id": 1, "data": {"question_id": "101"}, "annotations": []}], "missing-columns", "Label Studio"),
        ([{"id": "a", "external_id": "101", "fields": {}, "responses": []}], "missing-columns", "external_id, fields"),
        ([{"model": "x", "config": {}}, {"id": "101", "answer": "tak"}], "missing-columns", "line 1"),
        ([{"model": "x", "config": {}}, {"id": "101", "answer": "tak"}], "missing-columns", "Other lines have them"),
        ([{"id": "101", "golds": ["tak"]}], "missing-columns", "looks like gold"),
        ([{"id": "101", "passages": ["1-1"]}], "missing-columns", "looks like rankings"),
        ([{"question": "Kto?", "answer": "tak"}], "unknown-questions", "Kto?; set: Co jest stolicą Francji?"),
        ([{"id": "101", "answer": ["30", "inne", "trzecie"]}], "list-answers", "30 | inne | trzecie"),
        ([{"id": "101", "answer": {"start": 3, "end": 4}}], "nested-answers", "start, end"),
    ],
)
def test_what_holds_no_single_answer_is_refused_by_its_fields(
    rows: list[dict[str, object]], code: str, words: str
) -> None:
    found, message = refusal(lines(rows))
    assert (found, words in message) == (code, True), message


def test_all_fields_are_named_not_the_first_ones() -> None:
    fields = {"pole_" + letter: "x" for letter in "abcdefghijklmnopqrstuvwxyz"}
    for data in (lines([fields]), lines([fields, fields]), table({"id": ["1"], **{name: ["x"] for name in fields}})):
        code, message = refusal(data)
        assert (code, "pole_z" in message) == ("missing-columns", True)


def test_rows_of_a_table_are_joined_by_the_question_as_well() -> None:
    for data in (
        table({"question": ASKED, "prediction": HALF}),
        table({"id": [f"x{n}" for n in range(12)], "pytanie": ASKED, "answer": HALF}, "\t"),
        parquet({"question": list(ASKED), "answer": list(HALF)}),
    ):
        file = read(data)
        assert file.predictions == dict(zip(IDS, HALF, strict=True))
        assert "joined-by-question" in told(file)


def test_questions_are_compared_without_case_and_runs_of_blanks() -> None:
    asked = [f" {text.upper()} ".replace(" ", "  ") for text in ASKED]
    assert right(read(lines(objects(question=asked, answer=HALF)))) == 6


def test_a_question_that_the_gold_holds_twice_gets_its_answer_twice() -> None:
    twice = (*QUESTIONS, Question("200", ASKED[0], ("Lyon",)))
    file = read(lines(objects(question=ASKED, answer=GOLDS)), twice)
    assert file.predictions["200"] == file.predictions["101"] == "Paryż"
    assert "shared-questions" in told(file)
    both = [{"question": ASKED[0], "answer": answer} for answer in ("Paryż", "Lyon")]
    assert refusal(lines(both), twice)[0] == "duplicate-ids"


def test_questions_that_are_not_in_the_gold_are_told() -> None:
    file = read(lines(objects(question=[*ASKED[:11], "Inne?"], answer=HALF)))
    assert file.predictions.keys() == set(IDS[:11])
    assert {"unknown-questions", "missing-ids"} <= told(file).keys()


def test_a_gold_without_texts_says_so() -> None:
    assert "shows no texts" in refusal(lines(objects(question=ASKED, answer=HALF)), HIDDEN)[1]


def test_ids_count_where_the_questions_beside_them_are_others() -> None:
    for data in (
        table({"id": IDS, "question": ASKED[::-1], "answer": GOLDS[::-1]}),
        lines(objects(id=IDS, question=ASKED[::-1], answer=GOLDS[::-1])),
    ):
        file = read(data)
        assert file.predictions["101"] == GOLDS[-1]
        assert "By the other reading 12 instead of 0" in told(file)["other-questions"]
    assert told(read(table({"id": IDS, "question": ASKED, "answer": HALF}))) == {}
    assert told(read(table({"id": IDS, "question": SOUP, "answer": HALF}))) == {}


def test_the_first_of_several_answers_by_rank_counts() -> None:
    rows = [(asked, answer, rank) for asked, answer in zip(ASKED, HALF, strict=True)
            for answer, rank in (("inne", "2"), (answer, "1"), ("x", "10"))]  # fmt: skip
    asked, answers, ranks = (list(column) for column in zip(*rows, strict=True))
    file = read(table({"query": asked, "answer": answers, "rank": ranks}))
    assert right(file) == 6
    assert "--duplicates" in told(file)["first-by-rank"]
    assert refusal(table({"query": asked, "answer": answers, "rank": ["1"] * 36}))[0] == "duplicate-ids"
    assert refusal(table({"query": asked, "answer": answers}))[0] == "duplicate-ids"


def test_the_index_of_pandas_may_be_the_ids() -> None:
    def indexed(index: tuple[str, ...]) -> str:
        return table([("", *index), ("answer", *HALF)])

    assert right(read(indexed(IDS))) == 6
    assert "row-numbers" in told(read(indexed(tuple(str(place) for place in range(12)))))
    code, message = refusal(indexed(tuple(str(place) for place in range(2, 14))))
    assert (code, "2, 3, 4" in message) == ("wrong-split", True)


@pytest.mark.parametrize("nested", [False, True])
def test_questions_as_the_keys_of_one_object(nested: bool) -> None:
    keyed = dict(zip(ASKED[::-1], HALF[::-1], strict=True))
    file = read(json.dumps({"predictions": keyed} if nested else keyed))
    assert file.predictions == dict(zip(IDS, HALF, strict=True))
    assert "{question: answer}." in told(file)["joined-by-question"]


@pytest.mark.parametrize("by_line", [False, True])
def test_objects_of_an_answer_alone_are_read_in_order_where_they_are_as_many_as_questions(by_line: bool) -> None:
    rows = objects(answer=[*HALF[:11], None])
    data = lines(rows) if by_line else json.dumps(rows)
    file = read(data)
    assert list(file.predictions.values()) == [*HALF[:11], ""]
    assert told(file)["rows-in-order"].startswith("warning")
    # One less, or an id in a single one, and they are not.
    assert refusal(lines(rows[:11]))[0] == "missing-columns"
    assert refusal(lines([*rows[:11], {"id": "112", "answer": "tak"}]))[0] == "missing-columns"
