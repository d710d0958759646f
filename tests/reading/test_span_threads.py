"""The span reader asked by several visitors at once, by the order of events."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock, get_ident
from typing import Any

import pytest
from tiny_encoder import write_encoder

from polqa_demo.reading import span_windows
from polqa_demo.reading.span_windows import Layout, make_windows
from polqa_demo.records import Passage

LAYOUT = Layout("query: ", True, 64, 16)
LONG = Passage("1", "Pan Tadeusz", "Adam napisał Pan Tadeusz w 1834 roku . " * 40)
# Longer than a window, so that it matters whether it is cut.
QUESTION, OTHER = "Kto napisał Pan Tadeusz ? " * 20, "Gdzie mieszka Ewa ?"
# A test that waits longer hangs.
HANGS = 30


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(write_encoder(tmp_path_factory.mktemp("base")))


class WatchedLock:
    """A lock that says when somebody has to wait for it."""

    def __init__(self, awaited: Event) -> None:
        self._lock, self._awaited = Lock(), awaited

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self._awaited.set()
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.parametrize("place", ["question", "passages"])
def test_two_questions_between_the_setting_of_a_tokenizer_and_its_use(
    tokenizer: Any, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One thread has set the tokenizer and is about to use it when another comes with settings of its own."""
    wanted = {question: make_windows(tokenizer, question, [LONG], LAYOUT) for question in (QUESTION, OTHER)}
    is_set, comes_or_waits = Event(), Event()
    monkeypatch.setattr(span_windows, "_TOKENIZING", WatchedLock(comes_or_waits), raising=False)
    sets: Callable[..., None] = type(tokenizer).set_truncation_and_padding
    first: list[int] = []

    def then_waits(self: Any, **settings: Any) -> None:
        sets(self, **settings)
        cuts = settings["truncation_strategy"].value == "only_second"
        if get_ident() in first and not is_set.is_set() and cuts == (place == "passages"):
            is_set.set()
            assert comes_or_waits.wait(HANGS)

    monkeypatch.setattr(type(tokenizer), "set_truncation_and_padding", then_waits)

    def begin() -> span_windows.Windowed:
        first.append(get_ident())
        return make_windows(tokenizer, QUESTION, [LONG], LAYOUT)

    def come() -> span_windows.Windowed:
        assert is_set.wait(HANGS)
        try:
            # Leaves the tokenizer as the other thread does not want it.
            if place == "passages":
                span_windows._question(tokenizer, OTHER, LAYOUT)
            else:
                make_windows(tokenizer, OTHER, [LONG], LAYOUT)
        finally:
            comes_or_waits.set()
        return make_windows(tokenizer, OTHER, [LONG], LAYOUT)

    with ThreadPoolExecutor(2) as pool:
        begun, came = pool.submit(begin), pool.submit(come)
        found = {QUESTION: begun.result(HANGS), OTHER: came.result(HANGS)}
    assert found == wanted
    assert max(len(window.ids) for windows in found.values() for window in windows.windows) <= LAYOUT.window


def test_a_tokenizer_of_a_file_that_cuts_and_pads_makes_the_same_windows(tokenizer: Any, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    wanted = make_windows(tokenizer, QUESTION, [LONG], LAYOUT)
    tokenizer.save_pretrained(tmp_path)
    saved = AutoTokenizer.from_pretrained(tmp_path)
    saved.backend_tokenizer.enable_truncation(8)
    saved.backend_tokenizer.enable_padding(length=16)
    assert make_windows(saved, QUESTION, [LONG], LAYOUT) == wanted
