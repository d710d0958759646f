"""The part "Uruchom na zbiorze": a whole gold set to its score; paused and taken up again."""

import re

import pytest
from browsing import OpenPage, headline, served
from playwright.sync_api import Locator, Page, expect
from running_app import RunningApp

from polqa_demo.submissions.gold import load_gold

VALID = len(load_gold("polqa-demo-sample/valid").questions)
LONG_MS = 120_000


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    page = open_page("wide", "?tab=evaluate")
    served(page, page.locator("#run-box button").first.click)
    # The quickest of what is offered.
    choose(page, "retriever", "lexical")
    choose(page, "reader", "rules")
    return page


def choose(page: Page, what: str, name: str) -> None:
    page.locator(f"#run-{what}").get_by_label(name, exact=True).check()


def progress(page: Page) -> Locator:
    return page.locator("#run-progress")


def start(page: Page) -> None:
    page.locator("#run-start").click()


def expect_scored(page: Page, split: str, n: int) -> None:
    expect(page.locator("#run-note")).to_contain_text("Przebieg oceniony", timeout=LONG_MS)
    expect(page.locator("#files")).to_contain_text("rankings")
    expect(page.locator("#files")).to_contain_text("answers")
    expect(page.locator("#gold input:checked")).to_have_value(f"polqa-demo-sample/{split}")
    # The boxes tell of their change, and what they hold keeps its score beside it.
    page.wait_for_timeout(1500)
    expect(headline(page)).not_to_have_count(0)
    expect(page.locator("#scores")).to_contain_text(f"z {n}")
    expect(page.locator("#attribution-box")).to_be_visible()
    expect(page.locator("#run-pause")).to_be_disabled()


def test_a_whole_set_to_its_score(page: Page) -> None:
    labels = page.locator("#run-gold label").all_inner_texts()
    assert [label.split(" · ")[1] for label in labels] == ["test", "valid", "train"]
    choose(page, "gold", f"polqa-demo-sample · valid · n = {VALID}")
    start(page)
    expect_scored(page, "valid", VALID)
    expect(progress(page)).to_contain_text(f"Etap 3 z 3: czytanie złotych fragmentów · pytania: {VALID} z {VALID}")
    # Another gold: the score goes.
    page.locator("#gold").get_by_label("train").check()
    expect(headline(page)).to_have_count(0)
    # The run is there for whoever wants it next.
    start(page)
    expect_scored(page, "valid", VALID)


def test_pause_and_go_on(page: Page, app: RunningApp) -> None:
    # Slow enough to be stopped in the midst of a stage.
    choose(page, "reader", "spans")
    choose(page, "gold", f"polqa-demo-sample · valid · n = {VALID}")
    start(page)
    expect(progress(page)).to_contain_text(re.compile(r"Etap [23] z 3.*do końca etapu"), timeout=LONG_MS)
    page.locator("#run-pause").click()
    expect(page.locator("#run-note")).to_contain_text("Wstrzymano")
    page.wait_for_timeout(2500)
    stopped = progress(page).inner_text()
    page.wait_for_timeout(2500)
    assert progress(page).inner_text() == stopped
    expect(headline(page)).to_have_count(0)
    [part] = (app.log.parent / "cache" / "runs").glob("*/*.part")
    [done] = re.findall(r": (\d+) z", stopped)
    # The unfinished file: its key, then a line a question.
    assert int(done) <= part.read_bytes().count(b"\n") - 1 < VALID
    ranked = (part.parent / "rankings.tsv").stat().st_mtime_ns
    # In haste: what is stopped and taken up at once breaks nothing.
    for _ in range(2):
        start(page)
        page.locator("#run-pause:not([disabled])").click()
        expect(page.locator("#run-note")).to_contain_text("Wstrzymano")
    start(page)
    expect_scored(page, "valid", VALID)
    assert (part.parent / "rankings.tsv").stat().st_mtime_ns == ranked
    assert not part.exists()
    expect(page.locator("#run-box .error")).to_have_count(0)
