"""Row numbers beside the ids of questions, or in their place: as pandas writes its index."""

import io
import json
from typing import Any

import pandas as pd
import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.answers import AnswersFile, read_answers
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.kinds import recognise_kind
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import read_rankings
from polqa_demo.submissions.table import Overrides

KEYS = ("q7", "q3", "q5", "q9")
TEXTS = ("Wisła", "1939", "Nowy Jork", "tak")
RIGHT = dict(zip(KEYS, TEXTS, strict=True))
QUESTIONS = tuple(Question(key, f"Pytanie {key}?", (text,)) for key, text in RIGHT.items())
FRAME = pd.DataFrame({"id": KEYS, "answer": TEXTS})
INDEXED = FRAME.set_index("id").rename_axis(None)


def read(data: str, questions: tuple[Question, ...] = QUESTIONS, **said: Any) -> AnswersFile:
    return read_answers(data.encode(), questions, "pred", overrides=Overrides(**said))


def told(file: AnswersFile) -> dict[str, str]:
    return {problem.code: problem.severity for problem in file.problems}


def test_an_index_beside_ids() -> None:
    file = read(FRAME.to_json(orient="index"))
    assert (file.predictions, told(file)) == (RIGHT, {"id-column": "note"})
    lists = FRAME.assign(passage_ids=[["d1", "d2"]] * 4).drop(columns="answer").to_json(orient="index")
    rankings = read_rankings(lists.encode(), QUESTIONS)
    assert {key: one.passage_ids for key, one in rankings.rankings.items()} == dict.fromkeys(KEYS, ("d1", "d2"))
    assert recognise_kind(lists.encode(), "run", QUESTIONS) == "rankings"
    assert recognise_kind(FRAME.to_json(orient="index").encode(), "pred", QUESTIONS) == "answers"


def test_keys_that_are_ids_beside_ids_of_something_else() -> None:
    systems = {key: {"id": f"run-{place}", "answer": text} for place, (key, text) in enumerate(RIGHT.items())}
    assert (read(json.dumps(systems)).predictions, told(read(json.dumps(systems)))) == (RIGHT, {})
    counted = tuple(Question(str(n), "", ("x",)) for n in range(1, 5))
    numbered = {str(n): {"id": f"run-{n}", "answer": "x"} for n in range(1, 5)}
    assert read(json.dumps(numbered), counted).predictions == {str(n): "x" for n in range(1, 5)}


def test_two_known_ids_of_which_the_order_tells_nothing() -> None:
    turned = {one: {"id": other, "answer": "x"} for one, other in zip(KEYS, KEYS[::-1], strict=True)}
    with pytest.raises(Refused) as caught:
        read(json.dumps(turned))
    assert caught.value.code == "ambiguous-ids"
    counted = tuple(Question(str(n), "", ("x",)) for n in range(1, 5))
    rows = {str(n): {"id": str(5 - n), "answer": f"to {5 - n}"} for n in range(1, 5)}
    file = read(json.dumps(rows), counted)
    assert (file.predictions["4"], told(file)["id-column"]) == ("to 4", "warning")


@pytest.mark.parametrize("orient", ["split", "index", "columns"])
def test_ids_in_the_index(orient: Any) -> None:
    for frame in (INDEXED, INDEXED.assign(question=[one.text for one in QUESTIONS])):
        assert read(frame.to_json(orient=orient)).predictions == RIGHT
    gold = INDEXED.assign(question=[one.text for one in QUESTIONS], answers=[[text] for text in TEXTS])
    found = read_gold(gold.drop(columns="answer").to_json(orient=orient).encode(), "gold.json")
    assert [(one.id, one.answers) for one in found.questions] == [(key, (text,)) for key, text in RIGHT.items()]


def test_gold_with_row_numbers_above_its_ids() -> None:
    gold = pd.DataFrame({"question_id": KEYS, "question": "Kto?", "answers": [[text] for text in TEXTS]})
    found = read_gold(gold.to_json(orient="index").encode(), "gold.json")
    assert [one.id for one in found.questions] == list(KEYS)
    assert "id-column" in {remark.code for remark in found.remarks}


@pytest.mark.parametrize(
    "text",
    [
        FRAME[["answer"]].to_csv(),
        FRAME[["answer"]].to_csv(sep="\t"),
        FRAME["answer"].rename(None).to_csv(),
        pd.read_csv(io.StringIO(FRAME[["answer"]].to_csv())).to_csv(index=False),
        FRAME[["answer"]].to_json(orient="index"),
        FRAME["answer"].to_json(),
    ],
)
def test_row_numbers_alone_are_read_by_their_order_and_told(text: str) -> None:
    file = read(text)
    assert (file.predictions, told(file)) == (RIGHT, {"row-numbers": "warning"})


def test_rows_of_a_split_frame_are_read_in_their_order() -> None:
    file = read(FRAME[["answer"]].to_json(orient="split"))
    assert (file.predictions, told(file)["rows-in-order"]) == (RIGHT, "warning")


@pytest.mark.parametrize(
    "text",
    [
        FRAME[["answer"]].rename_axis("id").to_csv(),
        FRAME[["answer"]].reset_index(names="question_id").to_json(orient="records", lines=True),
    ],
)
def test_a_column_of_ids_from_zero_is_refused_with_an_offer(text: str) -> None:
    with pytest.raises(Refused) as caught:
        read(text)
    assert caught.value.code == "wrong-split"
    assert "They are the numbers 0 to 3" in caught.value.problems[0].message.en
    other = text.replace("3", "5")
    with pytest.raises(Refused) as caught:
        read(other)
    assert "numbers 0 to" not in caught.value.problems[0].message.en


def test_row_numbers_that_are_ids_or_other_numbers_stay() -> None:
    text = FRAME[["answer"]].to_csv()
    zero = tuple(Question(str(n), "", ("x",)) for n in range(4))
    assert (told(read(text, zero)), read(text, zero).predictions["3"]) == ({}, "tak")
    # As many rows as questions, or none of the ids is one: then nothing says that the order is theirs.
    for wrong in (QUESTIONS[:3], (*QUESTIONS, Question("q1", ""))):
        with pytest.raises(Refused) as caught:
            read(text, wrong)
        assert caught.value.code == "wrong-split"
    for said in ("csv", "5\n"):
        with pytest.raises(Refused) as caught:
            read(text, form="csv") if said == "csv" else read(text.replace("\n3,", "\n5,"))
        assert caught.value.code == "wrong-split"
    # From 1 on, of which all but the first are met.
    one = tuple(Question(str(n), "", ("x",)) for n in range(1, 5))
    assert read(text, one).predictions == {"1": "Wisła", "2": "1939", "3": "Nowy Jork", "4": "tak"}
    assert set(told(read(text, one))) == {"row-numbers"}
    # Rows that name their questions need no order.
    asked = FRAME[["answer"]].assign(question=[one.text for one in QUESTIONS])[::-1].reset_index(drop=True)
    assert read(asked.to_csv()).predictions == RIGHT
