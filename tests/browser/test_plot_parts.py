"""Where the gold passages stand, and the score beside published figures, as a person meets them."""

import pytest
from browsing import OpenPage, choose_files, evaluate, open_part, served, try_sample
from playwright.sync_api import Page, expect

ALLEGRO_N = 900


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page("wide", "?tab=evaluate")


def gold_of(count: int) -> bytes:
    """Questions with one gold passage each, in PolQA's columns."""
    rows = ["question_id,question,answers,passage_id,relevant"]
    rows += [f"{number},Pytanie {number}?,\"['a']\",p{number},True" for number in range(count)]
    return "\n".join(rows).encode()


def rankings_of(count: int, found: int) -> bytes:
    rows = ["question-id\tpassage-id\tscore\trank"]
    rows += [f"{number}\t{'p' if number < found else 'q'}{number}\t1\t1" for number in range(count)]
    return "\n".join(rows).encode()


def test_the_plots_say_what_they_show(page: Page) -> None:
    try_sample(page, "dobre")
    evaluate(page)
    ranks = open_part(page, "ranks")
    expect(ranks.locator("svg")).to_have_count(2)
    expect(ranks.get_by_role("img", name="accuracy@k")).to_be_visible()
    expect(ranks.locator("polyline.curve")).to_have_count(1)
    expect(open_part(page, "slices").locator("svg")).to_have_count(2)


def test_answers_alone_have_no_ranks(page: Page) -> None:
    choose_files(page, ("a.csv", b"question_id,answer\n1,tak\n"))
    evaluate(page)
    expect(page.locator("#ranks-box")).to_be_hidden()


def test_the_band_stands_only_where_all_agrees(page: Page) -> None:
    page.locator("#gold").get_by_text("własny plik").click()
    choose_files(page, ("gold.csv", gold_of(ALLEGRO_N)), field="#gold-file")
    choose_files(page, ("r.tsv", rankings_of(ALLEGRO_N, 800)))
    evaluate(page)
    published = open_part(page, "published")
    expect(published).to_contain_text("nie ma opublikowanych wartości")
    served(page, page.get_by_label("Allegro FAQ").click)
    expect(published.locator("polygon.band")).to_have_count(2)
    expect(published).to_contain_text("Silver Retriever v1.1")
    expect(published).to_contain_text("ten plik: 88,89")
    served(page, page.get_by_label("PolQA, część testowa").click)
    expect(published.locator("polygon.band")).to_have_count(0)
    expect(published).to_contain_text("liczba pytań: w publikacji 956, tutaj 900")
