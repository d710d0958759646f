"""The table of items and one item in full, as a person meets them."""

import csv
import io
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import (
    OpenPage,
    cells,
    choose_files,
    evaluate,
    headline,
    open_evaluate,
    open_item,
    served,
    show_items,
    try_sample,
)
from playwright.sync_api import Page, expect

from polqa_demo.submissions.gold import load_gold

GOLD = load_gold("polqa-demo-sample/test")
MANY = 7000


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page("wide", "?tab=evaluate")


def table(rows: list[tuple[str, ...]], *header: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue().encode()


def evaluate_own(page: Page, gold: list[tuple[str, ...]], given: list[tuple[str, ...]]) -> None:
    """A gold of one's own (id, question, answers) with answers to it."""
    page.get_by_label("własny plik").check()
    choose_files(page, ("gold.csv", table(gold, "question_id", "question", "answers")), field="#gold-file")
    choose_files(page, ("a.csv", table(given, "question_id", "answer")))
    # Each of the two boxes clears the old result in several events; a late one would stop the evaluation.
    page.wait_for_timeout(700)
    evaluate(page)
    expect(headline(page)).to_have_count(1, timeout=30_000)
    expect(page.locator("#items .pq-open")).not_to_have_count(0)


def focused(page: Page, goal: str) -> bool:
    return bool(page.evaluate("goal => document.activeElement.matches(goal)", goal))


def test_an_item_in_full(page: Page) -> None:
    question = GOLD.questions[0]
    gold = question.answers[0]
    wrong = [(one.id, "qqqqqqqqqq") for one in GOLD.questions[1:]]
    passages = "question-id\tpassage-id\tscore\trank\n" + f"{question.id}\t1001-0\t1\t1\n"
    choose_files(
        page,
        ("a.csv", table([(question.id, gold + "xx"), *wrong], "question_id", "answer")),
        ("r.tsv", passages.encode()),
    )
    evaluate(page)
    expect(headline(page)).to_have_count(2)
    item = open_item(page)
    expect(item.locator("h2")).to_be_focused()
    expect(item.locator("h2")).to_be_in_viewport()
    expect(item).to_contain_text(question.text)
    expect(item.locator(".pq-facts")).to_contain_text("wolno najwyżej")
    expect(item.locator(".pq-golds .marked")).to_contain_text("✓ ta pasuje")
    # Letters under letters, and the same in words.
    signs = item.locator(".pq-letter i").all_inner_texts()
    assert [sign for sign in signs if sign] == ["−", "−"]
    assert len(signs) == len(gold) + 2
    expect(item.locator(".pq-hidden")).to_have_text(f"bez zmian „{gold}”, zbędne „xx”")
    strike = item.locator(".pq-letter.deleted bdi").first.evaluate("e => getComputedStyle(e).textDecorationLine")
    assert strike == "line-through"
    # The ranking with the texts of the corpus, folded; the gold passage beyond it, open.
    expect(item.locator("ol.pq-shelf .pq-title")).to_have_text("Mumbaj")
    expect(item.locator("ol.pq-shelf .pq-text")).to_be_hidden()
    item.locator("ol.pq-shelf summary").click()
    expect(item.locator("ol.pq-shelf .pq-text")).to_contain_text("Mumbaj")
    expect(item.locator("ul.pq-shelf .gold .pq-text").first).to_be_visible()
    expect(item).to_contain_text("Wyszukiwarka × czytnik: dobra")
    # Another item replaces it; closing leads back to its row.
    open_item(page, 1)
    expect(item.locator("h2")).to_have_count(1)
    expect(item.locator("details[open]").first).to_be_visible()
    item.get_by_role("button", name="Zamknij").click()
    expect(item.locator("h2")).to_have_count(0)
    expect(page.locator("#items .pq-open").nth(1)).to_be_focused()
    # A new file closes what is open.
    open_item(page)
    choose_files(page, ("b.csv", table(wrong, "question_id", "answer")))
    expect(item).to_be_hidden()


def test_seven_thousand_rows(page: Page) -> None:
    gold = [(str(at), f"Pytanie numer {at}?", f"['odpowiedź {at}']") for at in range(MANY)]
    evaluate_own(page, gold, [(str(at), f"odpowiedź {at}" if at % 10 else "nic") for at in range(MANY)])
    rows, count = page.locator("#items tbody tr"), page.locator("#items-count")
    expect(rows).to_have_count(50)
    expect(page.locator(".pq-pages")).to_contain_text("strona 1 z 140")
    following = page.locator(".pq-pages").get_by_role("button", name="Następna")
    page.locator("#items .pq-rows").evaluate("e => e.scrollTo(0, 900)")
    # The files to download are written behind the score; then the machine is free.
    expect(page.locator("#csv")).to_be_enabled(timeout=60_000)
    following.click()
    expect(count).to_contain_text("51–100 z 7000", timeout=20_000)
    assert cells(page, 0)[0] == "50"
    assert page.locator("#items .pq-rows").evaluate("e => e.scrollTop") == 0
    # The focus stays, so that Enter turns page after page.
    for first in (101, 151, 201, 251):
        page.keyboard.press("Enter")
        expect(count).to_contain_text(f"{first}–{first + 49} z 7000", timeout=20_000)
        # Only what is shown is sent.
        expect(rows).to_have_count(50)
    served(page, page.get_by_role("button", name="Ostatnia").click)
    expect(count).to_contain_text("6951–7000 z 7000")
    expect(following).to_have_attribute("aria-disabled", "true")
    following.dispatch_event("click")
    expect(page.locator(".pq-pages")).to_contain_text("strona 140 z 140")
    # A filter begins at the first page again, and a search searches in it.
    show_items(page, "błędne odpowiedzi (700)")
    expect(count).to_contain_text("1–50 z 700.")
    assert set(cells(page, 4)) == {"błędna"}
    search = page.locator("#items-search textarea, #items-search input")
    search.press_sequentially("NUMER 6990")
    expect(count).to_contain_text("1–1 z 1.")
    assert cells(page, 0) == ["6990"]
    search.fill("czego nie ma")
    expect(count).to_have_text("Nic nie pasuje do tego filtra i wyszukiwania.")
    expect(rows).to_have_count(0)
    # What the browser holds stays small.
    search.fill("")
    expect(rows).to_have_count(50)
    assert len(page.locator("#items").inner_html()) < 60_000
    open_item(page, 3)
    expect(page.locator("#item")).to_contain_text("Pytanie numer 30?")


def test_a_search_is_cleared_by_a_new_result(page: Page) -> None:
    try_sample(page, "dobre")
    evaluate(page)
    page.locator("#items-search textarea, #items-search input").fill("zzzzzz")
    expect(page.locator("#items-count")).to_contain_text("Nic nie pasuje")
    try_sample(page, "słabe")
    evaluate(page)
    expect(page.locator("#items-count")).to_contain_text(f"1–50 z {len(GOLD.questions)}")
    expect(page.locator("#items-search textarea, #items-search input")).to_have_value("")


def test_by_keyboard_alone(page: Page) -> None:
    try_sample(page, "dobre")
    evaluate(page)
    expect(page.locator("#items .pq-open")).to_have_count(50)
    page.locator("#items-search textarea, #items-search input").focus()
    page.keyboard.press("Tab")
    assert focused(page, "#items .pq-open")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#item h2")).to_be_focused()
    name = page.locator("#item [data-item]").get_attribute("data-item")
    assert name == GOLD.questions[1].id
    page.keyboard.press("Tab")
    assert focused(page, "#item [data-do=ask]")
    page.keyboard.press("Enter")
    expect(page.locator("#back")).to_be_focused()
    expect(page.locator("#question textarea")).to_have_value(GOLD.questions[1].text)
    page.keyboard.press("Enter")
    expect(page.locator(f"#items .pq-open[data-id='{name}']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#item h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#item h2")).to_have_count(0)
    expect(page.locator(f"#items .pq-open[data-id='{name}']")).to_be_focused()


def test_the_same_question_in_the_other_tab_and_back(page: Page) -> None:
    try_sample(page, "słabe")
    evaluate(page)
    expect(headline(page)).to_have_count(2)
    show_items(page, "błędne odpowiedzi")
    served(page, page.get_by_role("button", name="Następna").click)
    expect(page.locator("#items-count")).to_contain_text("51–")
    row = page.locator("#items .pq-open").nth(20)
    name, question = row.get_attribute("data-id"), row.inner_text()
    item = open_item(page, 20)
    item.get_by_role("button", name="Zapytaj o to").click()
    expect(page.locator(".pq-answer")).to_be_visible()
    expect(page.locator("#question textarea")).to_have_value(question)
    expect(page.locator(".pq-check")).to_be_visible()
    expect(page.locator(".pq-passage")).to_have_count(10)
    assert parse_qs(urlsplit(page.url).query) == {"q": [question]}
    page.get_by_role("button", name="← Wróć do oceny").click()
    expect(page.locator(f"#items .pq-open[data-id='{name}']")).to_be_in_viewport()
    expect(headline(page)).to_have_count(2)
    expect(page.locator("#items-count")).to_contain_text("51–")
    expect(item).to_contain_text(question)
    assert parse_qs(urlsplit(page.url).query) == {"tab": ["evaluate"]}
    # Who goes there by the tab finds no way back to offer.
    page.get_by_role("tab", name="Zapytaj").filter(visible=True).click()
    expect(page.locator("#question")).to_be_visible()
    expect(page.locator("#back")).to_be_hidden()
    open_evaluate(page)
    expect(item).to_contain_text(question)


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '=HYPERLINK("http://evil.example")',
    "\u202eabc odwrotnie",
    "</table></section><script>alert(1)</script>",
    "' onclick='alert(1)' {{ 7 * 7 }} ${alert(1)}",
    "שלום עולם",
)


def test_texts_of_others_stay_text(page: Page) -> None:
    gold = [(f"{at}{text}", text + "?", str([text + " złota"])) for at, text in enumerate(HOSTILE)]
    evaluate_own(page, gold, [(f"{at}{text}", text) for at, text in enumerate(HOSTILE)])
    assert cells(page, 2) == list(HOSTILE)
    for at, text in enumerate(HOSTILE):
        item = open_item(page, at)
        expect(item.locator(".pq-asked")).to_have_text(text + "?")
        expect(item.locator(".pq-facts dd").first).to_have_text(text)
        expect(page.locator("#items img, #items script, #item img, #item script, #item table")).to_have_count(0)
        expect(item.locator("section")).to_have_count(1)
    item.get_by_role("button", name="Zapytaj o to").click()
    expect(page.locator("#question textarea")).to_have_value(HOSTILE[-1] + "?")


def test_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("phone", "?tab=evaluate")
    try_sample(page, "dobre")
    evaluate(page)
    expect(page.locator("#items .pq-open")).to_have_count(50)
    served(page, page.get_by_role("button", name="Następna").click)
    expect(page.locator("#items-count")).to_contain_text("51–100")
    item = open_item(page)
    expect(item.locator("h2")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.locator("#items button, #item button, #item summary").evaluate_all(
        "all => all.filter(e => e.getBoundingClientRect().height < 43.5).map(e => e.innerText)"
    )
    assert not small


def test_english(open_page: OpenPage) -> None:
    page = open_page("dark", "?tab=evaluate")
    try_sample(page, "good")
    evaluate(page)
    expect(page.locator("#items-count")).to_have_text(f"1–50 of {len(GOLD.questions)}. Press a question to see why.")
    show_items(page, "wrong answers")
    item = open_item(page)
    expect(item.locator("h2")).to_contain_text("Question ")
    expect(item.locator(".pq-facts")).to_contain_text("wrong (rule poleval)")
    expect(item).to_contain_text("Letter by letter")
    expect(item).to_contain_text("Retriever × reader")
    item.get_by_role("button", name="Ask this").click()
    expect(page.get_by_role("button", name="← Back to the evaluation")).to_be_visible()
