"""A page that outlives its server: it says what is gone, keeps gold and choices, and goes on with the new one."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from browsing import choose_files, clear_files, evaluate, headline, open_evaluate, open_item, open_part
from playwright.sync_api import Browser, Page, expect
from running_app import RunningApp, free_port, running

from polqa_demo.submissions.gold import load_gold

QUESTIONS = load_gold("polqa-demo-sample/valid").questions
GONE = "nie ma już na serwerze"


class Server:
    """The app, which can be stopped and started again at its address with folders of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port, self._starts = folder, free_port(), 0
        self._running: AbstractContextManager[RunningApp] | None = None
        self.url = self.start()

    def start(self) -> str:
        self._starts += 1
        self._running = running(self._folder / str(self._starts), port=self._port)
        return self._running.__enter__().url

    def stop(self) -> None:
        if self._running is not None:
            self._running.__exit__(None, None, None)
            self._running = None

    def restart(self) -> None:
        self.stop()
        self.start()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    for start in ("1", "2"):
        (tmp_path / start).mkdir()
    started = Server(tmp_path)
    yield started
    started.stop()


def answers() -> tuple[str, bytes]:
    rows = [f"{question.id}\t{question.answers[0]}" for question in QUESTIONS]
    return "odpowiedzi.tsv", "\n".join(["question_id\tanswer", *rows]).encode()


@pytest.fixture
def scored(browser: Browser, server: Server) -> Iterator[Page]:
    """A page with a score of another gold than the default, and another way to read."""
    page = browser.new_page(locale="pl-PL")
    page.goto(server.url)
    open_evaluate(page)
    page.locator("#gold").get_by_label("polqa-demo-sample · valid").check()
    page.get_by_role("button", name="Jak odczytać pliki").click()
    page.locator("#as-duplicates input").click()
    page.get_by_role("option", name="liczy się pierwsza").click()
    choose_files(page, answers())
    evaluate(page)
    expect(headline(page)).to_have_text("100,00 %")
    # What still runs would be cut, and Gradio would load the page anew.
    expect(page.locator("#latex")).to_be_enabled()
    yield page
    page.close()


def keeps_its_choices(page: Page) -> None:
    expect(page.locator("#gold").get_by_label("polqa-demo-sample · valid")).to_be_checked()
    if not page.locator("#as-duplicates").is_visible():
        page.get_by_role("button", name="Jak odczytać pliki").click()
    expect(page.locator("#as-duplicates input")).to_have_value("liczy się pierwsza")


def test_what_is_pressed_after_a_restart_says_so(scored: Page, server: Server) -> None:
    server.restart()
    scored.locator("#items .pq-open").first.click()
    expect(scored.locator("#item")).to_contain_text(GONE)
    for part in ("slices", "uncertainty", "audit", "published"):
        expect(open_part(scored, part)).to_contain_text(GONE)
    keeps_its_choices(scored)
    # The files are gone as well.
    scored.locator("#evaluate").click()
    expect(scored.locator("#gone")).to_contain_text("Tych plików nie ma już na serwerze")
    keeps_its_choices(scored)
    clear_files(scored)
    choose_files(scored, answers())
    evaluate(scored)
    expect(headline(scored)).to_have_text("100,00 %")
    expect(scored.locator("#gone")).to_have_text("")
    assert QUESTIONS[0].id == open_item(scored).locator("[data-item]").get_attribute("data-item")
    keeps_its_choices(scored)


def test_a_page_that_was_used_while_the_server_was_away(scored: Page, server: Server) -> None:
    server.stop()
    with scored.expect_event("load", timeout=120_000):
        scored.locator("#items .pq-open").first.click()
        expect(scored.get_by_test_id("toast-body").first).to_be_visible()
        server.start()
    open_evaluate(scored)
    expect(scored.locator("#gone")).to_contain_text(GONE)
    keeps_its_choices(scored)
    choose_files(scored, answers())
    evaluate(scored)
    expect(headline(scored)).to_have_text("100,00 %")
    expect(scored.locator("#gone")).to_have_text("")
