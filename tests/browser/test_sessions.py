"""What stays in a visitor's session, what is kept only by agreement, and a saved report that opens again."""

import json
import sqlite3
from pathlib import Path

from browsing import OpenPage, choose_files, clear_files, evaluate, headline, open_evaluate, open_part, try_sample
from playwright.sync_api import Browser, Page, expect
from running_app import running

from polqa_demo.submissions.gold import load_gold

QUESTIONS = load_gold("polqa-demo-sample/test").questions


def marked(right: int, mark: str) -> bytes:
    """Answers of which the first `right` are gold; the others hold a mark."""
    rows = ["question_id\tanswer"]
    rows += [f"{q.id}\t{q.answers[0] if at < right else mark}" for at, q in enumerate(QUESTIONS)]
    return "\n".join(rows).encode()


def downloaded(page: Page, button: str) -> str:
    expect(page.locator(f"#{button}")).to_be_enabled()
    with page.expect_download() as started:
        page.locator(f"#{button}").click()
    return Path(started.value.path()).read_text(encoding="utf-8")


def test_two_sessions_never_see_each_others_files(open_page: OpenPage) -> None:
    pages = {mark: open_page("wide", "?tab=evaluate") for mark in ("zzzalfazzz", "zzzbetazzz")}
    for right, (mark, page) in enumerate(pages.items(), 10):
        choose_files(page, (f"{mark}.tsv", marked(right, mark)))
    # Both press before either has its result.
    for page in pages.values():
        page.locator("#evaluate").click()
    for right, (mark, page) in enumerate(pages.items(), 10):
        expect(headline(page)).to_have_text(f"{100 * right / len(QUESTIONS):.2f} %".replace(".", ","))
        other = next(name for name in pages if name != mark)
        written = downloaded(page, "json") + downloaded(page, "csv") + downloaded(page, "html")
        open_part(page, "audit")
        assert mark in written
        assert mark in page.content()
        assert other not in written
        assert other not in page.content()


def test_a_saved_report_opens_to_the_same_view(open_page: OpenPage) -> None:
    page = open_page("wide", "?tab=evaluate")
    try_sample(page, "dobre")
    evaluate(page)
    before = headline(page).all_inner_texts(), page.locator(".pq-signature code").inner_text()
    slices = open_part(page, "slices").inner_text()
    attribution = open_part(page, "attribution").inner_text()
    report = downloaded(page, "json")
    clear_files(page)
    choose_files(page, ("raport.json", report.encode()))
    evaluate(page)
    assert (headline(page).all_inner_texts(), page.locator(".pq-signature code").inner_text()) == before
    expect(page.locator("#problems")).to_contain_text("zapisany raport")
    assert open_part(page, "slices").inner_text() == slices
    assert open_part(page, "attribution").inner_text() == attribution
    again = json.loads(downloaded(page, "json"))
    first = json.loads(report)
    assert {**again, "problems": [], "recognised": {}} == {**first, "problems": [], "recognised": {}}


def test_a_report_with_another_score_than_its_items_is_refused(open_page: OpenPage) -> None:
    page = open_page("wide", "?tab=evaluate")
    try_sample(page, "dobre")
    evaluate(page)
    report = json.loads(downloaded(page, "json"))
    report["answers"]["fuzzy_match"]["value"] = 0.99
    clear_files(page)
    choose_files(page, ("raport.json", json.dumps(report).encode()))
    evaluate(page)
    expect(headline(page)).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("answers.fuzzy_match.value")


def test_nothing_is_kept_unless_the_visitor_agrees(browser: Browser, tmp_path: Path) -> None:
    store = tmp_path / "kept"
    with running(tmp_path / "app", POLQA_KEEP_RUNS=str(store)) as app:
        page = browser.new_page(locale="pl-PL")
        page.goto(app.url)
        open_evaluate(page)
        expect(page.locator("#keep-box")).to_contain_text("gospodarz strony zachowa na stałe")
        try_sample(page, "dobre")
        evaluate(page)
        expect(headline(page)).to_have_count(2)
        assert kept(store) == []
        page.get_by_label("Zachowaj tę ocenę u gospodarza strony").check()
        evaluate(page)
        expect(page.locator("#problems")).to_contain_text("Ocenę zachowano")
        assert kept(store) == ["polqa-demo-sample/test"]
        page.close()


def test_where_nothing_is_kept_nobody_is_asked(open_page: OpenPage) -> None:
    page = open_page("wide", "?tab=evaluate")
    expect(page.locator("#keep-box")).to_be_hidden()


def kept(store: Path) -> list[str]:
    database = store / "runs.sqlite"
    if not database.exists():
        return []
    with sqlite3.connect(database) as opened:
        return [gold for (gold,) in opened.execute("SELECT gold FROM runs")]
