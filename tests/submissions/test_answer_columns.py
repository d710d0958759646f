"""Two columns that may hold the answers: the gold is never scored, and what content does not tell somebody decides."""

import json

import pytest
from answer_files import GOLDS, HALF, IDS, QUESTIONS, SOUP, lines, objects, read, refusal, right, table, told
from mutations import parquet, workbook

from polqa_demo.data.columns import names_of
from polqa_demo.records import Question

ALIASES = tuple(f"{gold} (inaczej)" for gold in GOLDS)
RAW = tuple(f"Myślę, że {answer}, bo tak pamiętam." for answer in HALF)
FORMS = {
    "csv": table,
    "tsv": lambda columns: table(columns, "\t"),
    "jsonl": lambda columns: lines(objects(**columns)),
    "object": lambda columns: json.dumps(
        {row["id"]: {name: row[name] for name in row if name != "id"} for row in objects(**columns)}
    ),
    "xlsx": lambda columns: workbook([list(columns), *map(list, zip(*columns.values(), strict=True))]),
    "parquet": lambda columns: parquet({name: list(values) for name, values in columns.items()}),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["response", "output", "generated_answer", "model_output", "prediction_text"])
@pytest.mark.parametrize("order", [("id", "answer", "other"), ("other", "answer", "id")])
def test_a_column_that_repeats_the_golds_is_not_scored(form: str, name: str, order: tuple[str, ...]) -> None:
    columns = {"id": IDS, "answer": GOLDS, "other": SOUP}
    file = read(FORMS[form]({name if key == "other" else key: columns[key] for key in order}))
    assert set(file.predictions.values()) == {"zupa"}
    assert "12 of 12" in told(file)["gold-column"]
    assert "--answer-column answer" in told(file)["gold-column"]


def test_another_gold_than_the_first_case_and_blanks_are_gold_as_well() -> None:
    golds = [f"  {alias.upper()} " if place % 2 else f"{gold}; {alias}" for place, (gold, alias)
             in enumerate(zip(GOLDS, ALIASES, strict=True))]  # fmt: skip
    assert "gold-column" in told(read(table({"id": IDS, "answer": golds, "response": SOUP})))


def test_a_name_that_no_gold_has_needs_a_note_alone() -> None:
    file = read(table({"id": IDS, "answer": GOLDS, "prediction": HALF}))
    assert right(file) == 6
    assert told(file)["gold-column"].startswith("note")
    assert told(read(table({"id": IDS, "answer": GOLDS, "response": HALF})))["gold-column"].startswith("warning")


def test_a_perfect_system_is_told_from_the_gold_by_its_name() -> None:
    file = read(table({"id": IDS, "prediction": (*GOLDS[:11], "zupa"), "answer": ALIASES}))
    assert (right(file), file.predictions["112"]) == (11, "zupa")


@pytest.mark.parametrize("form", FORMS)
def test_where_neither_or_both_are_golds_both_are_named(form: str) -> None:
    for first, second, numbers in ((HALF, SOUP, ("answer (6)", "response (0)")),
                                   (GOLDS, (*GOLDS[:11], "zupa"), ("answer (12)", "response (11)"))):  # fmt: skip
        data = FORMS[form]({"id": IDS, "answer": first, "response": second})
        code, message = refusal(data)
        assert code == "answer-columns"
        assert all(number in message for number in numbers)
        assert "page: How to read the files" in message
        assert right(read(data, answer_column="answer")) == (6 if first is HALF else 12)
        assert right(read(data, answer_column="Response")) == (0 if first is HALF else 11)


def test_two_columns_that_score_alike_are_scored() -> None:
    same = read(table({"id": IDS, "response": HALF, "output": HALF}))
    assert (right(same), told(same)) == (6, {})
    file = read(table({"id": IDS, "answer": GOLDS, "response": ALIASES}))
    assert right(file) == 12
    assert "answer-chosen" in told(file)


@pytest.mark.parametrize("form", FORMS)
def test_an_extracted_answer_goes_before_the_raw_generation(form: str) -> None:
    file = read(FORMS[form]({"id": IDS, "answer": HALF, "response": RAW}))
    assert file.predictions == dict(zip(IDS, HALF, strict=True))
    assert "instead of 6" in told(file)["raw-answers"]


def test_answers_all_right_beside_longer_texts_that_hold_them_are_either() -> None:
    raw = [f"Chyba {gold}" for gold in GOLDS]
    assert refusal(table({"id": IDS, "answer": GOLDS, "response": raw}))[0] == "answer-columns"


def test_of_three_columns_the_gold_goes_and_the_raw_one() -> None:
    file = read(table({"id": IDS, "answer": GOLDS, "response": RAW, "model_output": HALF}))
    assert file.predictions == dict(zip(IDS, HALF, strict=True))
    assert {"gold-column", "raw-answers"} <= told(file).keys()


def test_an_explicit_name_is_believed_with_a_warning_that_counts() -> None:
    file = read(table({"id": IDS, "answer": HALF, "prediction": SOUP}))
    assert "6 instead of 0" in told(file)["answer-chosen"]


def test_lists_of_golds_are_no_predictions() -> None:
    golds = [[gold, alias] for gold, alias in zip(GOLDS, ALIASES, strict=True)]
    for data in (
        lines(objects(id=IDS, answer=golds, response=HALF)),
        table({"id": IDS, "answer": map(str, golds), "response": HALF}),
    ):
        file = read(data)
        assert right(file) == 6
        assert "list-column" in told(file)
    # A list of a system's candidates is no answer, and the gold beside it is none either.
    assert refusal(table({"id": IDS, "answer": GOLDS, "response": map(str, golds)}))[0] == "list-answers"


@pytest.mark.parametrize(
    "reference", ["reference", "ground_truth", "target", "golds", "golden_answers", "gold_answers"]
)
def test_columns_that_are_golds_by_their_name_are_left_alone(reference: str) -> None:
    file = read(table({"id": IDS, reference: GOLDS, "response": HALF}))
    assert (right(file), told(file)) == (6, {})


@pytest.mark.parametrize("name", names_of("prediction", "answer"))
def test_every_name_of_an_answer_is_one_in_every_form(name: str) -> None:
    columns = {"q_id": IDS, name.upper().replace("_", " "): HALF}
    for form in ("csv", "jsonl", "xlsx", "parquet"):
        assert right(read(FORMS[form](columns))) == 6


def test_a_column_that_is_not_there_is_refused_with_all_that_are() -> None:
    code, message = refusal(table({"id": IDS, "answer": HALF, "uwagi": SOUP}), answer_column="response")
    assert code == "no-such-column"
    assert "id, answer, uwagi" in message


def test_any_column_may_be_named_also_by_its_number() -> None:
    data = table({"id": IDS, "answer": SOUP, "moja": HALF})
    assert right(read(data, answer_column="moja")) == right(read(data, answer_column="3")) == 6
    assert right(read(parquet({"id": list(IDS), "answer": list(SOUP), "moja": list(HALF)}), answer_column="moja")) == 6


def test_without_golds_names_alone_decide() -> None:
    hidden = tuple(Question(question.id, "") for question in QUESTIONS)
    file = read(table({"id": IDS, "answer": GOLDS, "response": SOUP}), hidden)
    assert set(file.predictions.values()) == {"zupa"}
    assert "instead" not in told(file)["answer-chosen"]


def test_a_column_called_like_golds_holds_predictions_only_one_a_row() -> None:
    single = lines(objects(question_id=IDS, answers=[[answer] for answer in HALF]))
    assert right(read(single)) == 6
    assert "golds-as-answers" in told(read(single))
    code, message = refusal(table({"question_id": IDS, "answers": [str([gold, "x"]) for gold in GOLDS]}))
    assert (code, "looks like gold" in message) == ("missing-columns", True)


@pytest.mark.parametrize("name", ["prediction", "pred", "predicted_answer"])
def test_a_perfect_answer_of_an_explicit_name_goes_before_its_raw_text(name: str) -> None:
    file = read(table({"id": IDS, name: GOLDS, "response": [f"Chyba {gold}" for gold in GOLDS]}))
    assert right(file) == 12
    assert "raw-answers" in told(file)
