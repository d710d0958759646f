"""The tab "Oceń" as a person meets it."""

import csv
import io
import json
from pathlib import Path

import pytest
from browsing import (
    OpenPage,
    ask,
    cells,
    choose_files,
    clear_files,
    evaluate,
    headline,
    open_evaluate,
    open_part,
    show_items,
    try_sample,
)
from playwright.sync_api import Page, expect

from polqa_demo.data.polqa import gold_passages
from polqa_demo.data.sample import predictions_file
from polqa_demo.submissions.gold import load_gold

GOLD = load_gold("polqa-demo-sample/test")
ALL = len(GOLD.questions)
# Matches no gold answer.
WRONG = "qqqqqqqqqq"


def answers(right: int, count: int = ALL) -> bytes:
    """A CSV of answers of which the first `right` are gold answers."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["question_id", "answer"])
    for at, question in enumerate(GOLD.questions[:count]):
        writer.writerow([question.id, question.answers[0] if at < right else WRONG])
    return out.getvalue().encode()


def rankings() -> bytes:
    rows = ["question-id\tpassage-id\tscore\trank"]
    for question, passages in gold_passages(GOLD).items():
        rows += [f"{question}\t{passage}\t{-rank}\t{rank}" for rank, passage in enumerate(passages, 1)]
    return "\n".join(rows).encode()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page("wide", "?tab=evaluate")


def expect_score(page: Page, right: int, n: int = ALL) -> None:
    expect(headline(page).first).to_have_text(f"{100 * right / n:.2f} %".replace(".", ","))
    expect(page.locator(".pq-side").first).to_contain_text(f"{right} z {n}")


def expect_no_score(page: Page) -> None:
    expect(headline(page)).to_have_count(0)
    expect(page.locator("#items")).not_to_be_visible()
    expect(page.locator("#csv")).not_to_be_visible()


def drop(page: Page, name: str, content: bytes) -> None:
    """Drags a file onto the box, as the browser tells it to the page."""
    data = page.evaluate_handle(
        """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name, {type: 'text/csv'}));
            return data;
        }""",
        [name, content.decode()],
    )
    with page.expect_response(lambda response: "/run/predict" in response.url):
        page.locator("#files button").first.dispatch_event("drop", {"dataTransfer": data})
    expect(page.locator("#files .file")).not_to_have_count(0)
    page.wait_for_timeout(150)


def test_the_three_samples(page: Page) -> None:
    try_sample(page, "dobre")
    evaluate(page)
    expect(headline(page)).to_have_count(2)
    expect(page.locator(".pq-signature")).to_contain_text("polqa-demo-sample/test")
    expect(page.locator("#items")).to_be_visible()
    good = float(headline(page).first.inner_text().split()[0].replace(",", "."))
    try_sample(page, "słabe")
    expect_no_score(page)
    evaluate(page)
    expect(headline(page)).to_have_count(2)
    assert float(headline(page).first.inner_text().split()[0].replace(",", ".")) < good
    try_sample(page, "zepsute")
    evaluate(page)
    expect(page.get_by_role("alert")).to_contain_text("answers-broken.csv")
    expect_no_score(page)


def test_without_a_file(page: Page) -> None:
    evaluate(page)
    expect(page.get_by_role("alert")).to_have_text("Upuść najpierw plik odpowiedzi lub rankingów.")


def test_both_ways_of_giving_a_file(page: Page) -> None:
    for right, name in ((ALL - 4, "pred.csv"), (ALL - 3, "PRED.CSV"), (ALL - 2, "Predykcje bez końcówki")):
        for give in (drop, lambda page, name, content: choose_files(page, (name, content))):
            clear_files(page)
            give(page, name, answers(right))
            evaluate(page)
            expect_score(page, right)


def test_answers_and_rankings_together(page: Page) -> None:
    choose_files(page, ("a.csv", answers(ALL)), ("r.tsv", rankings()))
    evaluate(page)
    expect(headline(page)).to_have_count(2)
    expect(headline(page).first).to_have_text("100,00 %")
    expect(headline(page).last).to_have_text("100,00 %")
    expect(page.locator("#scores")).to_contain_text("MRR@10")


def test_two_files_of_one_kind(page: Page) -> None:
    choose_files(page, ("a.csv", answers(5)), ("b.csv", answers(6)))
    evaluate(page)
    expect(page.locator("#problems")).to_contain_text("Wynik pokazuje pierwszy")
    expect_score(page, 5)
    comparison = open_part(page, "comparison")
    expect(comparison).to_contain_text("a − b")
    expect(comparison).to_contain_text(f"0 / {ALL - 1} / 1")


def test_retriever_times_reader_needs_both_kinds(page: Page) -> None:
    choose_files(page, ("a.csv", answers(5)))
    evaluate(page)
    expect(page.locator("#attribution-box")).to_be_hidden()
    choose_files(page, ("a.csv", answers(5)), ("r.tsv", rankings()))
    evaluate(page)
    cells_ = open_part(page, "attribution")
    expect(cells_).to_contain_text("błąd czytnika")
    expect(cells_.locator("button.pq-cell")).to_have_count(8)


def test_how_a_file_is_read_can_be_said(page: Page) -> None:
    choose_files(page, ("a.csv", answers(5).decode().encode("utf-16")))
    evaluate(page)
    expect_score(page, 5)
    expect(page.locator("#scores")).to_contain_text("UTF-16")
    page.locator("#recognition button").first.click()
    with page.expect_response(lambda response: "/run/predict" in response.url):
        page.get_by_label("Kodowanie").click()
        page.get_by_role("option", name="CP1250").click()
    page.wait_for_timeout(300)
    expect_no_score(page)


def test_the_report_in_every_form(page: Page) -> None:
    choose_files(page, ("a.csv", answers(3)))
    evaluate(page)
    for name, begin in (("Pobierz HTML", "<!doctype html"), ("Pobierz Markdown", "# "), ("Pobierz LaTeX", "%")):
        with page.expect_download() as download:
            page.get_by_text(name).click()
        text = Path(download.value.path()).read_text(encoding="utf-8")
        assert text.lower().startswith(begin), text[:40]
        assert "polqa-demo-sample" in text


def test_a_file_named_as_markup(page: Page, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>.csv"
    for content in (answers(3), b"question_id,answer\n1,a\n1,b\n", b"\x00\x01"):
        file = tmp_path / name
        file.write_bytes(content)
        clear_files(page)
        choose_files(page, file)
        evaluate(page)
        expect(page.locator("#problems img, #scores img, #files img")).to_have_count(0)
    assert page.title() == "PolQA demo"


def test_answers_with_markup_are_plain_text(page: Page) -> None:
    hostile = "<img src=x onerror=alert(document.domain)>"
    content = answers(3).replace(WRONG.encode(), hostile.encode())
    choose_files(page, ("m.csv", content))
    evaluate(page)
    expect_score(page, 3)
    assert hostile in cells(page, 2)
    expect(page.locator("#items img")).to_have_count(0)


REFUSED = [
    (b"", "pusty"),
    (b"question_id,answer\n", "m.csv"),
    (bytes(range(256)) * 40, "m.csv"),
    (b"PK\x03\x04" + bytes(200), "m.csv"),
    ("\n".join(f"{question.id}\tx" for question in load_gold("polqa-demo-sample/valid").questions).encode(), "zbi"),
    (b"question_id,answer\n85,a\n85,b\n85,c\n", "różne odpowiedzi"),
]


def test_files_that_cannot_be_scored(page: Page) -> None:
    for content, part in REFUSED:
        clear_files(page)
        choose_files(page, ("m.csv", content))
        evaluate(page)
        expect(page.get_by_role("alert")).to_contain_text("Nie mogę tego ocenić")
        expect(page.get_by_role("alert")).to_contain_text(part)
        expect_no_score(page)


def test_another_gold_or_file_clears_the_result(page: Page) -> None:
    choose_files(page, ("a.csv", answers(7)))
    evaluate(page)
    expect_score(page, 7)
    page.get_by_label("polqa-demo-sample · valid").check()
    expect(page.locator("#scores")).to_contain_text("Zmieniono pliki lub złoty zbiór")
    expect_no_score(page)
    page.get_by_label("polqa-demo-sample · test").check()
    page.wait_for_timeout(300)
    evaluate(page)
    expect_score(page, 7)
    clear_files(page)
    expect_no_score(page)


def test_the_same_name_with_other_content(page: Page, tmp_path: Path) -> None:
    """Choosing a file again after it was mended on disk must bring the new score."""
    file = tmp_path / "predykcje.csv"
    for right in (9, 12):
        file.write_bytes(answers(right))
        choose_files(page, file)
        # A box for several files adds; the old one goes by hand, as a person does it.
        while page.locator("#files .file").count() > 1:
            page.locator("#files .file").first.locator("button").last.click()
            page.wait_for_timeout(300)
        expect_no_score(page)
        evaluate(page)
        expect_score(page, right)


def test_a_gold_of_ones_own(page: Page) -> None:
    page.get_by_label("własny plik").check()
    expect(page.locator("#gold-file")).to_be_visible()
    choose_files(page, ("p.csv", b"question_id,answer\n1,Prus\n2,Krakow\n"))
    evaluate(page)
    expect(page.get_by_role("alert")).to_have_text("Upuść najpierw plik złotego zbioru.")
    gold = "question_id,question,answers\n1,Kto napisał?,\"['Prus', 'Bolesław Prus']\"\n2,Gdzie?,['Gdynia']\n"
    choose_files(page, ("gold.csv", gold.encode()), field="#gold-file")
    evaluate(page)
    expect_score(page, 1, 2)
    page.get_by_label("polqa-demo-sample · test").check()
    expect(page.locator("#gold-file")).not_to_be_visible()
    expect_no_score(page)


def test_the_filter(page: Page) -> None:
    choose_files(page, ("a.csv", answers(3)))
    evaluate(page)
    expect(page.locator("#items-count")).to_contain_text(f"1–50 z {ALL}")
    for name, verdict, count in (("poprawne odpowiedzi", "poprawna", 3), ("błędne odpowiedzi", "błędna", ALL - 3)):
        show_items(page, f"{name} ({count})")
        expect(page.locator("#items-count")).to_contain_text(f"z {count}.")
        assert set(cells(page, 4)) == {verdict}
    # A new result shows everything again.
    choose_files(page, ("b.csv", answers(2)))
    evaluate(page)
    expect(page.locator("#items-filter input")).to_have_value(f"wszystkie ({ALL})")


def test_the_parts_behind_the_score_load_when_opened(page: Page) -> None:
    damaged = (
        answers(20).replace(b",", ",Odpowiedź: ".encode()).replace("question_id,Odpowiedź: ".encode(), b"question_id,")
    )
    choose_files(page, ("a.csv", damaged))
    evaluate(page)
    expect(page.locator("#slices .pq-table")).to_have_count(0)
    slices = open_part(page, "slices")
    expect(slices).to_contain_text("typ pytania")
    expect(slices).to_contain_text("SINGLE ENTITY")
    expect(open_part(page, "uncertainty")).to_contain_text("Próg szumu")
    audit = open_part(page, "audit")
    expect(audit).to_contain_text("Odpowiedź:")
    expect(audit).to_contain_text("+")
    # Another file folds and empties them, so that none stands beside a result it does not belong to.
    choose_files(page, ("b.csv", answers(3)))
    expect(page.locator("#analysis")).to_be_hidden()
    evaluate(page)
    expect(page.locator("#audit .pq-table")).to_have_count(0)


def test_downloads(page: Page) -> None:
    content = answers(3).replace(f"{GOLD.questions[5].id},{WRONG}".encode(), f"{GOLD.questions[5].id},=1+1".encode())
    choose_files(page, ("a.csv", content))
    evaluate(page)
    with page.expect_download() as download:
        page.get_by_text("Pobierz CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert download.value.suggested_filename == "polqa-demo-items.csv"
    assert [row["question_id"] for row in rows] == [question.id for question in GOLD.questions]
    assert [row["correct"] for row in rows].count("True") == 3
    assert rows[5]["prediction"] == "'=1+1"
    with page.expect_download() as download:
        page.get_by_text("Pobierz raport JSON").click()
    report = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert download.value.suggested_filename == "polqa-demo-report.json"
    assert report["answers"]["fuzzy_match"]["correct"] == 3
    assert report["items"][5]["prediction"] == "=1+1"
    assert report["signature"] in page.locator(".pq-signature").inner_text()


def test_a_large_file_holds_nobody_back(open_page: OpenPage) -> None:
    """15,000 questions are scored in some seconds, and another visitor is answered meanwhile."""
    many = range(15_000)
    gold = "question_id,question,answers\n" + "".join(f"{at},Pytanie {at}?,\"['odpowiedź {at}']\"\n" for at in many)
    given = "question_id,answer\n" + "".join(f"{at},odpowiedź {at}\n" for at in many)
    mine, other = open_page("wide", "?tab=evaluate"), open_page("wide")
    ask(other, GOLD.questions[0].text)
    mine.get_by_label("własny plik").check()
    choose_files(mine, ("gold.csv", gold.encode()), field="#gold-file")
    choose_files(mine, ("pred.csv", given.encode()))
    mine.locator("#evaluate").click()
    ask(other, GOLD.questions[1].text)
    expect(other.locator(".pq-answer")).to_be_visible()
    expect(headline(mine)).to_have_text("100,00 %", timeout=60_000)
    expect(mine.locator("#items-count")).to_contain_text("1–50 z 15000")
    # The files of so large a result take a while, and whoever comes next should not wait for them.
    expect(mine.locator("#csv")).to_be_enabled(timeout=60_000)


def test_english(open_page: OpenPage) -> None:
    page = open_page("dark", "?tab=evaluate")
    try_sample(page, "good")
    evaluate(page)
    expect(page.locator("#scores")).to_contain_text("all questions")
    expect(page.locator("#problems")).to_contain_text("Problems")
    assert "." in headline(page).first.inner_text()
    expect(page.locator("#csv")).to_have_text("Download CSV")
    expect(page.locator("#items-filter input")).to_have_value(f"all ({ALL})")
    assert set(cells(page, 4)) <= {"right", "wrong"}
    try_sample(page, "broken")
    evaluate(page)
    expect(page.get_by_role("alert")).to_contain_text("This cannot be scored")


def test_leaving_for_the_other_tab_keeps_the_result(page: Page) -> None:
    assert predictions_file("answers-good.jsonl").is_file()
    try_sample(page, "dobre")
    evaluate(page)
    page.get_by_role("tab", name="Zapytaj").filter(visible=True).click()
    ask(page, GOLD.questions[0].text)
    open_evaluate(page)
    expect(headline(page)).to_have_count(2)
