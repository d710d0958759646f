"""Rows of one question put together, whatever their number and order."""

from polqa_demo.data.gold_rows import GoldRows
from polqa_demo.records import Question


class Counted(str):
    """An answer that counts how often it is looked up or compared."""

    looks = 0

    def __hash__(self) -> int:
        Counted.looks += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        Counted.looks += 1
        return super().__eq__(other)


def looks_at(rows: int) -> float:
    """How often an answer is looked at, for each of so many rows of one question."""
    found = GoldRows("g")
    Counted.looks = 0
    for number in range(rows):
        found.ask(number, Question("1", "q", (Counted(f"a{number}"),), {"question_type": "X"}))
    (question,) = found.gold().questions
    assert question.answers == tuple(f"a{number}" for number in range(rows))
    return Counted.looks / rows


def test_a_row_takes_as_long_in_a_question_of_many_rows_as_in_one_of_few() -> None:
    assert looks_at(2000) <= 2 * looks_at(20)


def test_the_first_text_and_label_are_kept_and_differences_told() -> None:
    found = GoldRows("g")
    found.ask(1, Question("1", "", ("a", "b"), {"question_type": "X"}))
    found.ask(2, Question("1", "Kto?", ("b", "a"), {"question_type": "Y", "entity_type": "Z"}))
    gold = found.gold()
    assert gold.questions == (Question("1", "Kto?", ("a", "b"), {"question_type": "X", "entity_type": "Z"}),)
    # The same golds in another order are no difference.
    assert gold.remarks == ()
    found.ask(3, Question("1", "Gdzie?", ("a",)))
    assert [remark.code for remark in found.gold().remarks] == ["gold-variants", "gold-texts"]


def test_golds_that_are_there_and_empty_are_told_from_golds_that_nobody_states() -> None:
    found = GoldRows("g")
    found.ask(1, Question("1", "q"), stated=True)
    found.ask(2, Question("2", "q"), stated=False)
    found.ask(3, Question("3", "q"), stated=True)
    found.ask(4, Question("3", "q", ("a",)))
    assert found.gold().unanswerable == {"1"}
