"""What the page looks like and whom it serves: a phone, the dark, the keyboard, a screen reader, both languages.

Every view is kept as a picture in `pictures/` of the checkout, to be looked at.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from browsing import OpenPage, ask, evaluate, open_evaluate, open_item, open_part, served, try_sample
from playwright.sync_api import Page, expect
from running_app import ROOT

from polqa_demo.submissions.gold import load_gold
from polqa_demo.ui.texts import TEXTS

PICTURES = ROOT / "pictures"
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
QUESTION = load_gold("polqa-demo-sample/test").questions[0].text
# Gradio's own faults: the rule, and what the element that breaks it holds. Anything else fails.
ALLOWED = {
    "aria-prohibited-attr": ("placeholder",),
    "label-title-only": ("search",),
    "label-content-name-mismatch": ("upload",),
    "empty-table-header": ("<th",),
    "image-redundant-alt": ("<img",),
    # The file input inside the upload box and inside the small upload button of a filled box.
    "nested-interactive": ('class="upload-container', 'class="icon-button'),
    # The outer of these two buttons, wholly under the inner one.
    "target-size": ('aria-label="common.upload"',),
}
# Signs that only Polish words of the interface have.
POLISH = re.compile("[ąćęłńóśźżĄĆĘŁŃÓŚŹŻ„]")


def picture(page: Page, name: str) -> None:
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)


def tour(page: Page) -> Any:
    """The states of the page, one after another: its name, with the page in that state."""
    english = page.evaluate("document.documentElement.lang").startswith("en")
    good, broken = ("good", "broken") if english else ("dobre", "zepsute")
    yield "ask-empty"
    ask(page, QUESTION)
    yield "ask-answered"
    ask(page, "")
    yield "ask-refused"
    open_evaluate(page)
    yield "evaluate-empty"
    try_sample(page, good)
    evaluate(page)
    expect(page.locator("#items .pq-open")).not_to_have_count(0)
    page.wait_for_timeout(400)
    yield "evaluate-scored"
    open_item(page)
    yield "evaluate-item"
    for part in ("slices", "uncertainty", "audit"):
        open_part(page, part)
    yield "evaluate-opened"
    try_sample(page, broken)
    evaluate(page)
    yield "evaluate-refused"


def test_a_phone(open_page: OpenPage) -> None:
    """Nothing is wider than the screen but the table inside its box, and everything to press is large enough."""
    page = open_page("phone")
    for state in tour(page):
        picture(page, f"phone-{state}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, state
        small = page.evaluate(
            """() => [...document.querySelectorAll('button, summary, [role=button], footer a')]
                .filter(e => e.checkVisibility({visibilityProperty: true}) && e.offsetHeight > 1)
                .filter(e => e.getBoundingClientRect().height < 43.5)
                .map(e => [e.innerText || e.ariaLabel, e.offsetHeight])"""
        )
        assert not small, (state, small)
        if state == "evaluate-scored":
            box = page.locator("#items .pq-rows")
            assert box.evaluate("e => e.scrollWidth > e.clientWidth"), "the table is squeezed"
            assert box.evaluate("e => e.getBoundingClientRect().right") <= 390
            box.evaluate("e => { e.scrollLeft = 400 }")
            assert box.evaluate("e => e.scrollLeft") > 0
            assert page.locator("#items tbody tr").first.evaluate("e => e.children[1].offsetWidth") > 120


@pytest.mark.parametrize(("view", "query"), [("wide", ""), ("dark", ""), ("wide", "?__theme=dark")])
def test_axe(open_page: OpenPage, view: str, query: str) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core: npm ci in tests/browser")
    source = AXE.read_text(encoding="utf-8")
    page = open_page(view, query)
    page.evaluate(source)
    for state in tour(page):
        picture(page, f"{view}{'-forced' if query else ''}-{state}")
        found = page.evaluate(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        )
        faults = [
            (fault["id"], fault["help"], node["html"][:300])
            for fault in found["violations"]
            for node in fault["nodes"]
            if not any(part in node["html"] for part in ALLOWED.get(fault["id"], ()))
        ]
        assert not faults, (state, faults)
        assert len(found["passes"]) > 10


def test_the_dark_is_dark_and_the_light_is_light(open_page: OpenPage) -> None:
    def brightness(page: Page) -> float:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(float(part) for part in re.findall(r"[\d.]+", colour)[:3])

    assert brightness(open_page("wide")) > 600
    assert brightness(open_page("dark")) < 150


def test_every_field_has_its_label(open_page: OpenPage) -> None:
    page = open_page("wide")
    expect(page.get_by_label("Pytanie", exact=True)).to_be_editable()
    expect(page.get_by_role("heading", level=1)).to_have_text("PolQA demo")
    page.get_by_role("button", name="Ustawienia:").click()
    expect(page.get_by_label("lexical")).to_be_checked()
    expect(page.get_by_label("rules")).to_be_checked()
    expect(page.get_by_label("Liczba fragmentów").first).to_have_value("10")
    open_evaluate(page)
    expect(page.get_by_label("polqa-demo-sample · test")).to_be_checked()
    expect(page.get_by_label("własny plik")).not_to_be_checked()
    expect(page.locator("#files").get_by_text("2. Predykcje")).to_be_visible()


def tab_to(page: Page, goal: str, most: int = 40) -> None:
    """Presses Tab until the focus is on or in the goal."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("goal => document.activeElement.closest(goal) !== null", goal):
            return
    raise AssertionError(f"{goal} cannot be reached by the keyboard")


def test_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page("wide")
    tab_to(page, "#question textarea")
    page.keyboard.type(QUESTION)
    served(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".pq-answer")).to_be_visible()
    tab_to(page, ".pq-passage summary")
    page.keyboard.press("Enter")
    expect(page.locator(".pq-passage details[open]")).to_have_count(1)
    page.reload()
    expect(page.locator(".pq-answer")).to_be_visible()
    tab_to(page, "[role=tab]")
    page.keyboard.press("ArrowRight")
    if not page.locator("#evaluate").is_visible():
        tab_to(page, "[role=tab][data-tab-id=evaluate]")
        page.keyboard.press("Enter")
    expect(page.locator("#evaluate")).to_be_visible()
    tab_to(page, "#tries button")
    page.keyboard.press("Enter")
    expect(page.locator("#files .file")).to_have_count(2)
    page.wait_for_timeout(300)
    tab_to(page, "#evaluate")
    served(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#scores .pq-value")).to_have_count(2)
    # The files are written behind the score.
    expect(page.locator("#csv")).to_be_enabled(timeout=20_000)
    tab_to(page, "#csv")
    tab_to(page, "#items")


def test_the_focus_is_seen(open_page: OpenPage) -> None:
    """Whatever the keyboard reaches looks different from when it is not reached."""
    page = open_page("wide")
    look = "e => { const s = getComputedStyle(e); return [s.outlineStyle, s.boxShadow, s.borderColor].join() }"
    for goal in ("#ask", "#examples button", "[role=tab][data-tab-id=ask]"):
        target = page.locator(goal).filter(visible=True).last
        before = target.evaluate(look)
        page.keyboard.press("Tab")
        target.focus()
        assert target.evaluate(look) != before, goal


def test_both_languages_are_complete() -> None:
    for key, text in TEXTS.items():
        assert text.pl.strip(), key
        assert text.en.strip(), key
        assert not POLISH.search(text.en.replace("Przybyła", "")), key
        if len(text.pl) > 20:
            assert text.pl != text.en, key


def test_no_polish_on_the_english_page(open_page: OpenPage) -> None:
    """Only data is Polish there: questions, passages, answers, the examples and names of people."""
    page = open_page("dark")
    polish = {text.pl for text in TEXTS.values() if text.pl != text.en and len(text.pl) > 3}
    for state in tour(page):
        lines = page.evaluate(
            """() => {
                const page = document.body.cloneNode(true);
                const data = '#question, #examples, .pq-answer, .pq-answered, .pq-text, .pq-title, .pq-check, '
                    + '.pq-terms, .pq-passage summary, #slices td, #audit td, #uncertainty li, '
                        + '#items .pq-open, #items .prediction, #items .golds, .pq-asked, #item dd, '
                        + '#item bdi, #item .pq-hidden, #about, script, style';
                for (const element of page.querySelectorAll(data)) element.remove();
                return [...page.querySelectorAll('*')].flatMap(e => [...e.childNodes])
                    .filter(n => n.nodeType === 3 && n.data.trim()).map(n => n.data.trim());
            }"""
        )
        found = [line for line in lines if POLISH.search(line) or line in polish]
        assert not found, (state, found)


def test_no_raw_key_of_a_text_is_seen(open_page: OpenPage) -> None:
    for view in ("wide", "dark"):
        page = open_page(view)
        for _ in range(2):
            text = page.locator("body").inner_text()
            assert "__i18n__" not in text
            assert not [key for key in TEXTS if re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", text)]
            open_evaluate(page)
