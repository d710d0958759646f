"""Retriever times reader, and the comparison of runs, as a person meets them."""

import csv
import io
import re
from pathlib import Path

import pytest
from browsing import OpenPage, choose_files, evaluate, open_part, served
from playwright.sync_api import Locator, Page, expect
from test_looks import ALLOWED, AXE, POLISH, picture, tab_to

from polqa_demo.data.polqa import gold_passages
from polqa_demo.data.sample import predictions_file
from polqa_demo.submissions.gold import load_gold

GOLD = load_gold("polqa-demo-sample/test")
ALL = len(GOLD.questions)
PASSAGES = gold_passages(GOLD)
RANKINGS = predictions_file("rankings-good.tsv")
FOUR = [predictions_file(name) for name in ("answers-good.jsonl", "rankings-good.tsv", "answers-weak.txt")] + [
    predictions_file("rankings-weak.tsv")
]
WRONG = "qqqqqqqqqq"


def answers(right: range) -> bytes:
    """A CSV of answers that are gold at these places and wrong elsewhere."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["question_id", "answer"])
    writer.writerows(
        [question.id, question.answers[0] if at in right else WRONG] for at, question in enumerate(GOLD.questions)
    )
    return out.getvalue().encode()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page("wide", "?tab=evaluate")


def give_on_gold(page: Page, content: bytes) -> None:
    page.locator("#on-gold-box button").first.click()
    choose_files(page, ("on-gold.csv", content), field="#on-gold")


def choose(page: Page, name: str, option: str | re.Pattern[str]) -> None:
    """Picks an option of one of the choices of flips, and waits for the table."""
    page.locator(f"#flips-{name} input").click()
    served(page, page.get_by_role("option", name=option).first.click)


def pressable(page: Page, part: str) -> Locator:
    return page.locator(f"#{part} .pq-id-button")


def test_a_case_filters_the_questions(page: Page) -> None:
    choose_files(page, predictions_file("answers-good.jsonl"), RANKINGS)
    evaluate(page)
    cells = open_part(page, "attribution").locator("button.pq-cell")
    expect(cells).to_have_count(8)
    counts = [int(text.split(" · ")[0]) for text in cells.locator(".pq-cell-count").all_inner_texts()]
    assert sum(counts) == sum(bool(question.answers and PASSAGES.get(question.id)) for question in GOLD.questions)
    # Nothing to show, nothing to press.
    assert [cell.is_disabled() for cell in cells.all()] == [count == 0 for count in counts]
    fault = cells.filter(has_text="błąd czytnika").first
    count = fault.locator(".pq-cell-count").inner_text().split(" · ")[0]
    served(page, fault.click)
    expect(page.locator("#items-filter input")).to_have_value(f"błąd czytnika ({count})")
    expect(page.locator("#items")).to_contain_text(f"z {count}")
    # Whoever pressed sees what became of it.
    expect(page.locator("#items-filter")).to_be_in_viewport()
    expect(page.locator("#attribution")).to_contain_text("Sufit wyszukiwarki")
    with page.expect_download() as download:
        page.locator("#pool").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8-sig"))))
    assert rows
    assert {row["relevant"] for row in rows} == {""}


def test_the_same_reader_on_gold_passages(page: Page) -> None:
    choose_files(page, ("a.csv", answers(range(20, 50))))
    give_on_gold(page, answers(range(100)))
    evaluate(page)
    # Without rankings there is nothing to attribute, but the readers stand beside each other.
    beside = open_part(page, "beside", "attribution")
    expect(page.locator("#attribution")).to_have_text("")
    expect(beside.locator(".pq-cell-count")).to_contain_text(["30 ·", "70 ·", "0 ·", f"{ALL - 100} ·"])
    expect(beside).to_contain_text("Lepszy wybór fragmentów mógłby dać najwyżej")
    expect(beside).to_contain_text("(pytań: 70)")
    # Another file there clears the score as any other does.
    page.locator("#on-gold [aria-label='Clear'], #on-gold [aria-label='Wyczyść']").first.click()
    expect(page.locator("#scores")).to_contain_text("Zmieniono pliki")
    expect(page.locator("#attribution-box")).to_be_hidden()


def test_answers_on_gold_need_others_beside_them(page: Page) -> None:
    choose_files(page, RANKINGS)
    give_on_gold(page, answers(range(3)))
    evaluate(page)
    expect(page.get_by_role("alert")).to_contain_text("Dodaj plik odpowiedzi")


def test_flips_by_slice(page: Page) -> None:
    label, value = "question_type", GOLD.questions[5].labels["question_type"]
    choose_files(page, ("a.csv", answers(range(8))), ("b.csv", answers(range(6, ALL))))
    evaluate(page)
    expect(open_part(page, "comparison")).to_contain_text(f"6 / 2 / {ALL - 8}")
    flips = page.locator("#flips")
    expect(flips).to_contain_text(f"a lepiej: 6 · b lepiej: {ALL - 8} · tak samo: 2")
    expect(pressable(page, "flips")).to_have_count(50)
    choose(page, "page", re.compile("51–100 z"))
    expect(pressable(page, "flips").first).to_have_text(GOLD.questions[52].id)
    choose(page, "side", "lepiej: a")
    expect(pressable(page, "flips")).to_have_text([question.id for question in GOLD.questions[:6]])
    expect(page.locator("#flips-page input")).to_have_value("1–6 z 6")
    choose(page, "slice", re.compile(re.escape(f"({value})")))
    inside = [question.id for question in GOLD.questions[:6] if question.labels[label] == value]
    assert 0 < len(inside) < 6
    expect(pressable(page, "flips")).to_have_text(inside)
    # Folded and opened again, everything is as it was left.
    page.locator("#comparison-box button").first.click()
    page.locator("#comparison-box button").first.click()
    expect(pressable(page, "flips")).to_have_text(inside)


def test_rankings_side_by_side(page: Page) -> None:
    choose_files(page, *FOUR)
    evaluate(page)
    comparison = open_part(page, "comparison")
    expect(comparison).to_contain_text("losowanie przybliżone (10\u00a0000 prób, ziarno 0)")
    expect(comparison).to_contain_text("połączone rankingi")
    expect(comparison).to_contain_text("wyrocznia")
    choose(page, "measure", "MRR@10")
    expect(page.locator("#flips-pair input")).to_have_value("rankings-good − rankings-weak")
    first = pressable(page, "flips").first
    question = first.inner_text()
    served(page, first.click)
    side = page.locator("#side")
    expect(page.locator("#side-id").locator("input, textarea")).to_have_value(question)
    expect(side.locator(".pq-columns th[scope=col]")).to_have_text(["miejsce", "rankings-good", "rankings-weak", "RRF"])
    expect(side.locator(".pq-columns tbody tr")).to_have_count(10)
    for cell in side.locator("td.gold").all_inner_texts():
        assert any(passage in cell for passage in PASSAGES[question])
        assert "złoty" in cell
    assert side.locator("td.gold").count() > 0
    expect(side).to_be_in_viewport()
    # A question of one's own choice.
    page.locator("#side-id").locator("input, textarea").fill("nie ma")
    served(page, page.locator("#side-show").click)
    expect(side.get_by_role("alert")).to_contain_text("nie ma pytania")


def test_by_keyboard_alone(page: Page) -> None:
    choose_files(page, *FOUR)
    evaluate(page)
    page.locator("#evaluate").focus()
    tab_to(page, "#attribution-box > button, #attribution-box .label-wrap", 120)
    served(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#attribution button.pq-cell")).to_have_count(8)
    tab_to(page, "#attribution button.pq-cell")
    served(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#items-filter input")).not_to_have_value(re.compile("wszystkie"))
    page.locator("#evaluate").focus()
    tab_to(page, "#comparison-box > button, #comparison-box .label-wrap")
    served(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#comparison")).to_contain_text("wyrocznia")
    expect(pressable(page, "flips")).not_to_have_count(0)
    tab_to(page, "#flips-side input", 80)
    page.keyboard.press("ArrowDown")
    served(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#flips-side input")).to_have_value("lepiej: answers-good")
    tab_to(page, "#flips .pq-id-button")
    served(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#side h3")).to_be_visible()


@pytest.mark.parametrize("view", ["phone", "dark"])
def test_how_they_look(open_page: OpenPage, view: str) -> None:
    """Both parts open: no fault that axe sees, nothing too small or too wide, no Polish on the English page."""
    if not AXE.is_file():
        pytest.skip("no axe-core: npm ci in tests/browser")
    page = open_page(view, "?tab=evaluate")
    choose_files(page, *FOUR)
    give_on_gold(page, answers(range(100)))
    evaluate(page)
    open_part(page, "attribution")
    open_part(page, "comparison")
    served(page, pressable(page, "flips").first.click)
    picture(page, f"{view}-parts")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for box in ("#attribution-box", "#comparison-box"):
        found = page.evaluate(
            "box => axe.run(box, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']})", box
        )
        faults = [
            (fault["id"], node["html"][:200])
            for fault in found["violations"]
            for node in fault["nodes"]
            if not any(part in node["html"] for part in ALLOWED.get(fault["id"], ()))
        ]
        assert not faults
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    if view == "phone":
        heights = page.locator(":is(#attribution-box, #comparison-box) :is(button, summary)").evaluate_all(
            "all => all.filter(e => e.checkVisibility() && e.offsetHeight > 1).map(e => [e.innerText, e.offsetHeight])"
        )
        assert [found for found in heights if found[1] < 43.5] == []
    else:
        # Questions, answers, golds and titles are data.
        own = page.locator(":is(#attribution, #beside, #comparison)").all_inner_texts()
        assert not [text for text in own if POLISH.search(text)]


def test_another_result_starts_again(page: Page) -> None:
    choose_files(page, *FOUR)
    evaluate(page)
    open_part(page, "comparison")
    choose(page, "measure", "MRR@10")
    choose(page, "pair", "rankings-weak − RRF")
    choose(page, "side", "lepiej: RRF")
    choose(page, "page", re.compile("51–100 z"))
    served(page, pressable(page, "flips").first.click)
    expect(page.locator("#side h3")).to_be_visible()
    page.locator("#files [aria-label='Clear'], #files [aria-label='Wyczyść']").first.click()
    expect(page.locator("#comparison-box")).to_be_hidden()
    choose_files(page, ("a.csv", answers(range(8))), ("b.csv", answers(range(6, 9))))
    evaluate(page)
    open_part(page, "comparison")
    expect(page.locator("#flips-pair input")).to_have_value("a − b")
    expect(page.locator("#flips-side input")).to_have_value("oba kierunki")
    expect(page.locator("#side h3")).to_have_count(0)
    choose(page, "side", "lepiej: b")
    expect(pressable(page, "flips")).to_have_text([GOLD.questions[8].id])
