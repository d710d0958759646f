"""The default pipeline in the app: vectors beside words, the span reader, and nothing asked of any network."""

from collections.abc import Iterator

import pytest
from browsing import OpenPage, ask
from playwright.sync_api import expect
from running_app import RunningApp, running

from polqa_demo.assembly import spans_available
from polqa_demo.ui.ask import EXAMPLES


@pytest.fixture(scope="module")
def neural_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The app with its own defaults; no hub and no proxy can be reached from it."""
    assert spans_available(), "requirements.txt is not installed"
    offline = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    offline |= {"no_proxy": "127.0.0.1,localhost", "NO_PROXY": "127.0.0.1,localhost"}
    with running(tmp_path_factory.mktemp("neural"), POLQA_RETRIEVER="auto", POLQA_READER="auto", **offline) as started:
        yield started
        assert "Traceback" not in started.printed(), started.printed()


def test_all_examples_are_answered_from_passages(neural_app: RunningApp, open_page: OpenPage) -> None:
    page = open_page("wide", url=neural_app.url)
    page.set_default_timeout(120_000)
    expect(page.get_by_text("polqa-demo-sample · hybrid · spans · fragmenty: 10")).to_be_visible()
    for question in EXAMPLES:
        ask(page, question)
        expect(page.locator(".pq-answer")).not_to_have_text("", timeout=120_000)
        expect(page.locator(".pq-passage")).to_have_count(10)
        expect(page.locator(".pq-check.right")).to_have_count(1)
    why = page.locator(".pq-passage details").first
    expect(why.locator("summary")).to_contain_text("pozycja: słowa")
    why.locator("summary").click()
    expect(why).to_contain_text("wektory: pozycja")


def test_other_parts_can_be_chosen(neural_app: RunningApp, open_page: OpenPage) -> None:
    page = open_page("phone", url=neural_app.url)
    page.get_by_role("button", name="Ustawienia: polqa-demo-sample").click()
    page.get_by_label("dense").check()
    page.get_by_label("rules").check()
    ask(page, "Kto napisał „Lalkę”?")
    expect(page.locator(".pq-passage")).to_have_count(10, timeout=60_000)
