"""Parts that take long to open, from several threads; by the order of events."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from polqa_demo.open_parts import OpenParts

# A test that waits longer hangs.
HANGS = 30


def test_a_part_is_opened_once_for_all_who_want_it() -> None:
    parts: OpenParts[str, object] = OpenParts()
    together, opened = Barrier(8), []

    def want() -> object:
        together.wait(HANGS)
        return parts.get("a", lambda: opened.append(1) or object())

    with ThreadPoolExecutor(8) as pool:
        found = [one.result(HANGS) for one in [pool.submit(want) for _ in range(8)]]
    assert len(opened) == len(set(map(id, found))) == 1


def test_nobody_waits_for_a_part_that_another_opens() -> None:
    parts: OpenParts[str, str] = OpenParts()
    parts.get("open", lambda: "otwarta")
    began, ends = Event(), Event()

    def slow() -> str:
        began.set()
        assert ends.wait(HANGS)
        return "wolna"

    with ThreadPoolExecutor() as pool:
        loading = pool.submit(parts.get, "slow", slow)
        assert began.wait(HANGS)
        assert parts.get("open", lambda: "nowa") == "otwarta"
        assert parts.get("other", lambda: "inna") == "inna"
        assert "slow" not in parts
        ends.set()
        assert loading.result(HANGS) == "wolna"
    assert parts.any() == "otwarta"


def test_what_could_not_be_opened_is_tried_again() -> None:
    parts: OpenParts[str, str] = OpenParts()

    def broken() -> str:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - its own
        parts.get("a", broken)
    assert parts.any() is None
    assert parts.get("a", lambda: "część") == "część"
