"""The tab "Zapytaj" as a person meets it."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from browsing import OpenPage, ask, open_evaluate, served
from playwright.sync_api import Page, expect
from running_app import RunningApp, running

from polqa_demo.data.polqa import gold_passages
from polqa_demo.submissions.gold import load_gold
from polqa_demo.ui.ask import EXAMPLES

GOLD = load_gold("polqa-demo-sample/test")
WITH_PASSAGE = next(question for question in GOLD.questions if gold_passages(GOLD).get(question.id))
# Words that stand in no passage.
UNKNOWN = "xqzzv wvxqq?"


def test_type_and_enter(page: Page) -> None:
    expect(page.locator("#answer")).to_contain_text("Wpisz pytanie.")
    ask(page, WITH_PASSAGE.text)
    expect(page.locator(".pq-answer")).to_be_visible()
    expect(page.locator(".pq-passage")).to_have_count(10)
    assert page.title() == "PolQA demo"


def test_the_answer_is_the_largest_text(page: Page) -> None:
    ask(page, WITH_PASSAGE.text)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll('body *')]
            .filter(e => e.offsetHeight > 1 && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
            .map(e => [parseFloat(getComputedStyle(e).fontSize), e.closest('.pq-answer') !== null])"""
    )
    largest = max(size for size, _ in sizes)
    assert [is_answer for size, is_answer in sizes if size == largest] == [True]


def test_every_passage_says_rank_title_score_and_why(page: Page) -> None:
    ask(page, WITH_PASSAGE.text)
    passages = page.locator(".pq-passage")
    assert passages.locator(".pq-rank").all_inner_texts() == [str(rank) for rank in range(1, 11)]
    assert all(passages.locator(".pq-title").all_inner_texts())
    scores = [
        float(text.removeprefix("wynik ").replace(",", ".")) for text in page.locator(".pq-score").all_inner_texts()
    ]
    assert scores == sorted(scores, reverse=True)
    for text in passages.locator("summary").all_inner_texts():
        assert text.startswith("dlaczego: ")
    assert passages.first.locator("mark").count() >= 1
    # The passage of the answer is marked, and the answer in it.
    if page.locator(".pq-passage.source").count():
        marked = page.locator(".pq-passage.source mark.answer").all_inner_texts()
        assert page.locator(".pq-answer").inner_text() in marked or not marked


def test_why_opens_by_keyboard(page: Page) -> None:
    ask(page, WITH_PASSAGE.text)
    details = page.locator(".pq-passage details").first
    expect(details.locator("ul")).not_to_be_visible()
    details.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(details.locator("ul")).to_be_visible()
    assert "BM25" in details.locator("ul").inner_text()


def test_an_example_asks_at_once(page: Page) -> None:
    for text in EXAMPLES[:2]:
        served(page, page.get_by_role("button", name=text).click)
        expect(page.locator("#question textarea")).to_have_value(text)
        expect(page.locator(".pq-answer")).to_be_visible()
        assert parse_qs(urlsplit(page.url).query)["q"] == [text]


def test_the_gold_is_named_when_the_question_is_known(page: Page) -> None:
    ask(page, WITH_PASSAGE.text)
    check = page.locator(".pq-check")
    expect(check).to_contain_text("złot")
    for gold in WITH_PASSAGE.answers:
        expect(check).to_contain_text(f"„{gold}”")
    # Whatever the reader said, the line agrees with where the gold passage stands in the list below it.
    ids = page.locator(".pq-id").all_inner_texts()
    gold_ids = gold_passages(GOLD)[WITH_PASSAGE.id]
    rank = next((at for at, passage in enumerate(ids, 1) if passage in gold_ids), None)
    expect(check).to_contain_text(f"złoty fragment na miejscu {rank}" if rank else "złotego fragmentu tu nie ma")
    ask(page, "Czego nie ma w złotym zbiorze o Polsce?")
    expect(check).to_have_count(0)


def test_the_address_keeps_the_question(page: Page, open_page: OpenPage) -> None:
    ask(page, WITH_PASSAGE.text)
    query = urlsplit(page.url).query
    assert parse_qs(query) == {"q": [WITH_PASSAGE.text]}
    answer = page.locator(".pq-answer").inner_text()
    again = open_page("wide", f"?{query}")
    expect(again.locator("#question textarea")).to_have_value(WITH_PASSAGE.text)
    expect(again.locator(".pq-answer")).to_have_text(answer)
    expect(again.locator(".pq-passage")).to_have_count(10)


def test_the_address_opens_a_tab(open_page: OpenPage) -> None:
    page = open_page("wide", "?tab=evaluate")
    expect(page.locator("#evaluate")).to_be_visible()
    expect(page.locator("#question textarea")).not_to_be_visible()
    page = open_page("wide", "?tab=%3Cscript%3E&q=")
    expect(page.locator("#question textarea")).to_be_visible()


def test_a_hostile_address(open_page: OpenPage) -> None:
    hostile = "<img src=x onerror=\"document.title='zly'\"> Kto?"
    page = open_page("wide", "?q=" + quote(hostile))
    expect(page.locator("#question textarea")).to_have_value(hostile)
    expect(page.locator("#answer img")).to_have_count(0)
    assert page.title() == "PolQA demo"
    page = open_page("wide", "?q=" + "a" * 3000)
    assert len(page.locator("#question textarea").input_value()) == 2000


def test_the_folded_settings_say_what_is_chosen(page: Page) -> None:
    line = page.get_by_role("button", name="Ustawienia:")
    expect(line).to_contain_text("polqa-demo-sample · lexical · rules · fragmenty: 10")
    line.click()
    number = page.get_by_label("Liczba fragmentów").and_(page.locator("input[type=number]"))
    # The fold mounts its parts as it opens, and Gradio loses what is typed in that moment.
    for _ in range(5):
        number.fill("4")
        number.fill("3")
        number.press("Tab")
        with suppress(AssertionError):
            expect(line).to_contain_text("fragmenty: 3", timeout=3000)
            break
    expect(line).to_contain_text("fragmenty: 3")
    ask(page, WITH_PASSAGE.text)
    expect(page.locator(".pq-passage")).to_have_count(3)


def test_a_second_question_replaces_the_first(page: Page) -> None:
    ask(page, WITH_PASSAGE.text)
    first = page.locator("#passages").inner_text()
    top = page.evaluate("document.querySelector('#question').getBoundingClientRect().top + scrollY")
    ask(page, GOLD.questions[5].text)
    assert page.locator("#passages").inner_text() != first
    expect(page.locator(".pq-answer")).to_have_count(1)
    assert page.evaluate("document.querySelector('#question').getBoundingClientRect().top + scrollY") == top


def test_no_passage_at_all(page: Page) -> None:
    ask(page, UNKNOWN)
    expect(page.locator("#answer")).to_contain_text("Żadne ze słów pytania nie występuje w korpusie")
    expect(page.locator(".pq-passage")).to_have_count(0)


def test_questions_that_are_none(page: Page) -> None:
    for question, part in (("   ", "Wpisz pytanie"), ("ż" * 10_000, "Pytanie ma 10000 znaków")):
        ask(page, question)
        expect(page.get_by_role("alert")).to_contain_text(part)
        expect(page.locator(".pq-passage")).to_have_count(0)
        # The next one is answered.
        ask(page, WITH_PASSAGE.text)
        expect(page.locator(".pq-answer")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)


def test_english(open_page: OpenPage) -> None:
    page = open_page("dark")
    expect(page.get_by_role("button", name="Settings:")).to_contain_text("passages: 10")
    ask(page, WITH_PASSAGE.text)
    expect(page.locator(".pq-meta")).to_contain_text("retrieval")
    expect(page.locator(".pq-score").first).to_contain_text("score ")
    expect(page.locator(".pq-check")).to_contain_text("gold")
    assert "," not in page.locator(".pq-score").first.inner_text()
    ask(page, "")
    expect(page.get_by_role("alert")).to_have_text("Type a question.")
    open_evaluate(page)
    expect(page.locator("#scores")).to_contain_text("Choose the gold set")


MARKUP = [
    {
        "id": "X-0",
        "title": "<b>Giewont</b>",
        "text": "Giewont <img src=x onerror=\"document.title='zly'\"> ma **1894** m. [klik](javascript:void(0)) | a",
    },
    {"id": "X-1", "title": "Lista", "text": '# Nagłówek\n- Giewont\n- <script>document.title="zly"</script>'},
    {
        "id": "<i>X</i>",
        "title": "</li></ol><h1>Giewont</h1>",
        "text": "Giewont &lt;b&gt; {{ 7 * 7 }} {% raw %} <a href=//evil.example>tu</a>",
    },
]


@pytest.fixture(scope="module")
def hostile_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """An app over passages that hold markup of every kind, with a small upload limit."""
    folder: Path = tmp_path_factory.mktemp("hostile")
    corpus = folder / "markup.jsonl"
    corpus.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in MARKUP), encoding="utf-8")
    with running(folder, POLQA_CORPUS=str(corpus), POLQA_MAX_UPLOAD_MB="1") as started:
        yield started


def test_passages_of_others_are_plain_text(open_page: OpenPage, hostile_app: RunningApp) -> None:
    page = open_page("wide", url=hostile_app.url)
    ask(page, "Ile metrów ma Giewont?")
    expect(page.locator(".pq-passage")).to_have_count(3)
    shown = dict(
        zip(page.locator(".pq-id").all_inner_texts(), page.locator(".pq-text").all_text_contents(), strict=True)
    )
    assert shown == {row["id"]: row["text"] for row in MARKUP}
    assert sorted(page.locator(".pq-title").all_inner_texts()) == sorted(row["title"] for row in MARKUP)
    for tag in ("img", "script", "b", "h1", "i", "a"):
        expect(page.locator(f"#passages {tag}, #answer {tag}")).to_have_count(0)
    assert page.title() == "PolQA demo"
    expect(page.get_by_role("button", name="Ustawienia:")).to_contain_text("markup.jsonl")


def test_a_file_over_the_limit_is_told(open_page: OpenPage, hostile_app: RunningApp) -> None:
    page = open_page("wide", "?tab=evaluate", url=hostile_app.url, allowed="413")
    for size, fits in ((1 << 20) + 1, False), ((1 << 20) - 1, True):
        content = [{"name": "duzy.csv", "mimeType": "text/csv", "buffer": b"x" * size}]
        page.locator("#files input[type=file]").set_input_files(content)
        if fits:
            expect(page.locator("#files").get_by_text("duzy").first).to_be_visible()
        else:
            expect(page.get_by_test_id("toast-body").first).to_be_visible()
            expect(page.locator("#files").get_by_text("duzy")).to_have_count(0)
            page.reload()
            page.locator("#files input[type=file]").wait_for(state="attached")
