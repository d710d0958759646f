"""Questions of one visitor in a row, by the order of events."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from polqa_demo.ui.newest import NewestQuestions

# A test that waits longer hangs.
HANGS = 30


def test_an_older_question_is_given_up_at_once_and_the_newest_is_answered() -> None:
    newest = NewestQuestions()
    began, ends = Event(), Event()

    def slow() -> str:
        began.set()
        assert ends.wait(HANGS)
        return "stara"

    with ThreadPoolExecutor() as pool:
        older = pool.submit(newest.answer, "a", newest.add("a"), slow)
        assert began.wait(HANGS)
        assert newest.is_working("a")
        number = newest.add("a")
        # Its work goes on, and nobody waits for it.
        assert older.result(HANGS) is None
        assert newest.answer("a", number, lambda: "nowa") == "nowa"
        ends.set()


def test_of_questions_given_up_few_are_worked_on_and_other_visitors_do_not_wait() -> None:
    newest = NewestQuestions()
    begun: list[int] = []
    began = [Event() for _ in range(4)]
    ends = Event()

    def work(number: int) -> str:
        begun.append(number)
        began[number].set()
        assert ends.wait(HANGS)
        return str(number)

    with ThreadPoolExecutor() as pool:
        asked = []
        for number in range(2):
            asked.append(pool.submit(newest.answer, "a", newest.add("a"), lambda number=number: work(number)))
            assert began[number].wait(HANGS)
        third = newest.add("a")
        waiting = pool.submit(newest.answer, "a", third, lambda: work(2))
        assert [one.result(HANGS) for one in asked] == [None, None]
        assert newest.answer("b", newest.add("b"), lambda: "inny") == "inny"
        fourth = newest.add("a")
        assert waiting.result(HANGS) is None
        last = pool.submit(newest.answer, "a", fourth, lambda: work(3))
        assert begun == [0, 1]
        ends.set()
        assert last.result(HANGS) == "3"
    assert begun == [0, 1, 3]


def test_what_a_question_raises_is_raised_and_the_next_is_answered() -> None:
    newest = NewestQuestions()

    def breaks() -> str:
        raise ValueError("nie")

    with pytest.raises(ValueError, match="nie"):
        newest.answer("a", newest.add("a"), breaks)
    assert newest.answer("a", newest.add("a"), lambda: "tak") == "tak"
    assert not newest.is_working("a")
