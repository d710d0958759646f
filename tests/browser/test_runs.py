"""The part "Uruchom na zbiorze": a whole gold set to its score; paused and taken up again."""

import re

import pytest
from browsing import OpenPage, headline, served
from playwright.sync_api import Locator, Page, expect

from polqa_demo.data.sample import sample_split

N = len(sample_split("valid").questions)
LONG_MS = 120_000


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    page = open_page("wide", "?tab=evaluate")
    served(page, page.locator("#run-box button").first.click)
    choose(page, "gold", f"polqa-demo-sample · valid · n = {N}")
    return page


def choose(page: Page, what: str, name: str) -> None:
    page.locator(f"#run-{what}").get_by_label(name, exact=True).check()


def progress(page: Page) -> Locator:
    return page.locator("#run-progress")


def start(page: Page) -> None:
    page.locator("#run-start").click()


def expect_scored(page: Page) -> None:
    expect(page.locator("#run-note")).to_contain_text("Przebieg oceniony", timeout=LONG_MS)
    expect(page.locator("#files")).to_contain_text("rankings")
    expect(page.locator("#files")).to_contain_text("answers")
    expect(page.locator("#gold input:checked")).to_have_value("polqa-demo-sample/valid")
    # The boxes have changed, and what they hold has its score beside it, as after a press on "Oceń".
    page.wait_for_timeout(1500)
    expect(headline(page)).not_to_have_count(0)
    expect(page.locator("#scores")).to_contain_text(f"z {N}")
    expect(page.locator("#attribution-box")).to_be_visible()
    expect(page.locator("#run-pause")).to_be_disabled()


def test_a_whole_set_to_its_score(page: Page) -> None:
    labels = page.locator("#run-gold label").all_inner_texts()
    assert [label.split(" · ")[1] for label in labels] == ["test", "valid", "train"]
    start(page)
    expect_scored(page)
    expect(progress(page)).to_contain_text(f"Etap 3 z 3: czytanie złotych fragmentów · pytania: {N} z {N}")
    page.locator("#csv").wait_for()
    # Another file: the score goes.
    page.locator("#gold").get_by_label("train").check()
    expect(headline(page)).to_have_count(0)
    # The run is there for whoever wants it next.
    start(page)
    expect_scored(page)


def test_pause_and_go_on(page: Page) -> None:
    # A reader that takes its time; several questions have been read when it is stopped.
    choose(page, "reader", "spans")
    start(page)
    expect(progress(page)).to_contain_text(re.compile(rf"Etap 2 z 3.*: [1-9]\d* z {N}"), timeout=LONG_MS)
    page.locator("#run-pause").click()
    expect(page.locator("#run-note")).to_contain_text("Wstrzymano")
    expect(headline(page)).to_have_count(0)
    stopped = progress(page).inner_text()
    page.wait_for_timeout(2500)
    assert progress(page).inner_text() == stopped
    before = int(re.findall(r": (\d+) z", stopped)[-1])
    assert before < N
    start(page)
    expect(progress(page)).to_contain_text(re.compile(rf"Etap [23] z 3.*: [1-9]\d* z {N}"), timeout=LONG_MS)
    expect_scored(page)
