"""A visitor who asks again before there is an answer: the newest question wins, and an answer bears its question."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from browsing import OpenPage, evaluate, open_item, try_sample
from held_chat import HeldChat, chat_settings, held_chat
from playwright.sync_api import Page, expect
from running_app import RunningApp, running

from polqa_demo.ui.ask import EXAMPLES

FIRST, SECOND, THIRD = "Kto napisał „Lalkę”?", "Gdzie leży Bombaj?", "Ile pełnych tygodni ma rok?"


@pytest.fixture(scope="module")
def chat() -> Iterator[HeldChat]:
    with held_chat() as server:
        yield server


@pytest.fixture(scope="module")
def slow_app(chat: HeldChat, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """An app whose reader answers when the test says so."""
    with running(tmp_path_factory.mktemp("slow"), **chat_settings(chat)) as app:
        yield app
        assert "Traceback" not in app.printed(), app.printed()


def marked(question: str, mark: str) -> str:
    """A question of a test's own."""
    return question.replace("?", f" ({mark})?")


def send(page: Page, question: str) -> None:
    box = page.locator("#question textarea")
    box.fill(question)
    box.press("Enter")


def shows(page: Page, question: str, answer: str) -> None:
    expect(page.locator("#answer .pq-answer")).to_have_text(answer)
    expect(page.locator("#answer .pq-answered")).to_contain_text(f"„{question}”")


@pytest.mark.parametrize("view", ["wide", "phone"])
def test_a_second_question_within_the_time_of_the_first(
    open_page: OpenPage, slow_app: RunningApp, chat: HeldChat, view: str
) -> None:
    page = open_page(view, url=slow_app.url)
    first, second, third = (marked(question, view) for question in (FIRST, SECOND, THIRD))
    send(page, first)
    chat.wait_for(first)
    send(page, second)
    # The first is given up at once, and what is looked for is said.
    chat.wait_for(second)
    expect(page.locator("#answer .pq-answered")).to_contain_text(f"„{second}”")
    chat.let_go(second, "w Indiach")
    shows(page, second, "w Indiach")
    # It is answered too late.
    chat.let_go(first, "Bolesław Prus")
    send(page, third)
    chat.let_go(third, "52")
    shows(page, third, "52")
    expect(page.locator("#answer")).not_to_contain_text("Bolesław Prus")


def test_of_many_questions_in_a_row_the_last_is_answered(
    open_page: OpenPage, slow_app: RunningApp, chat: HeldChat
) -> None:
    page = open_page("wide", url=slow_app.url)
    asked = [marked(FIRST, f"raz {number}") for number in range(6)]
    for question in asked:
        send(page, question)
    expect(page.locator("#answer .pq-answered")).to_contain_text(f"„{asked[-1]}”")
    for question in asked[:-1]:
        # Those that got no further than the page never come here.
        if chat.has(question):
            chat.let_go(question, "za późno")
    chat.let_go(asked[-1], "w samą porę")
    shows(page, asked[-1], "w samą porę")


def test_an_example_after_the_question_of_the_address(
    open_page: OpenPage, slow_app: RunningApp, chat: HeldChat
) -> None:
    question = marked(FIRST, "adres")
    page = open_page("wide", "?q=" + quote(question), url=slow_app.url)
    chat.wait_for(question)
    expect(page.locator("#question textarea")).to_have_value(question)
    page.get_by_role("button", name=EXAMPLES[0]).click()
    chat.let_go(EXAMPLES[0], "na Świętą Helenę")
    shows(page, EXAMPLES[0], "na Świętą Helenę")
    chat.let_go(question, "Bolesław Prus")
    expect(page.locator("#question textarea")).to_have_value(EXAMPLES[0])
    shows(page, EXAMPLES[0], "na Świętą Helenę")


def test_the_question_of_an_item_after_a_typed_one(open_page: OpenPage, slow_app: RunningApp, chat: HeldChat) -> None:
    page = open_page("wide", url=slow_app.url)
    typed = marked(SECOND, "wpisane")
    send(page, typed)
    chat.wait_for(typed)
    page.get_by_role("tab", name="Oceń").click()
    try_sample(page, "dobre")
    evaluate(page)
    item = open_item(page, 3)
    question = page.locator("#items .pq-open").nth(3).inner_text()
    item.get_by_role("button", name="Zapytaj o to").click()
    chat.let_go(question, "odpowiedź z oceny")
    shows(page, question, "odpowiedź z oceny")
    chat.let_go(typed, "w Indiach")
    shows(page, question, "odpowiedź z oceny")


def test_a_long_question_that_waits_is_no_wider_than_a_phone(
    open_page: OpenPage, slow_app: RunningApp, chat: HeldChat
) -> None:
    page = open_page("phone", url=slow_app.url)
    first = marked(FIRST, "telefon")
    send(page, first)
    chat.wait_for(first)
    second = f"Kto napisał {'bardzodługiesłowobezprzerw' * 20}?"
    send(page, second)
    expect(page.locator("#answer .pq-answered")).to_contain_text("bardzodługie")
    expect(page.locator("#answer")).to_contain_text("Szukam odpowiedzi")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    chat.let_go(first, "za późno")
    chat.let_go(second, "nikt")
    expect(page.locator(".pq-answer")).to_have_text("nikt")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
