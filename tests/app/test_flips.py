"""The questions that part two runs, a page at a time; and what of a secret gold is not shown."""

import re
from itertools import chain
from typing import get_args

import pytest

from polqa_demo.comparison import Compared, compare_uploads
from polqa_demo.errors import Lang
from polqa_demo.gold_sets import seal
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import Upload
from polqa_demo.ui.comparison_views import comparison_html
from polqa_demo.ui.flips import BOTH, FIRST, PAGE, SECOND, Chosen, flips_page, measure_choices, slice_choices
from polqa_demo.ui.side_views import question_html

N = 130


def golds(n: int) -> str:
    """The gold of a question; the last one is longer."""
    return f"złota {n}{' i inna' if n == N - 1 else ''}"


GOLD = GoldSet(
    "proba",
    "test",
    tuple(
        Question(f"q{n}", f"Pytanie <b>{n}</b>?", (golds(n),), {"kind": "even" if n % 2 == 0 else "odd"})
        for n in range(N)
    ),
    tuple(Judgement(f"q{n}", f"p{n}", grade=1, source="human") for n in range(N)),
)


def answers(right: range, name: str) -> Upload:
    rows = [f"q{n},{golds(n) if n in right else 'zzzzzz'}" for n in range(N)]
    return Upload(name, ("id,answer\n" + "\n".join(rows)).encode())


def rankings(rank: int, name: str) -> Upload:
    rows = [
        f"q{n}\t{f'p{n}' if place == rank else f'x{place}'}\t{20 - place}" for n in range(N) for place in range(1, 11)
    ]
    return Upload(name, ("qid\tpid\tscore\n" + "\n".join(rows)).encode())


# `b` has the last 110 right, `a` the first 10.
FILES = [answers(range(10), "a.csv"), answers(range(20, N), "b.csv"), rankings(1, "r.tsv"), rankings(4, "s.tsv")]


@pytest.fixture(scope="module")
def found() -> Compared:
    return compare_uploads(GOLD, FILES, draws=50)


def ids(html: str) -> list[str]:
    return re.findall(r'data-pick="question:([^"]+)"', html)


def test_every_flip_stands_on_one_page(found: Compared) -> None:
    first = flips_page(found, GOLD, Chosen(), "pl")
    assert [label for label, _ in first.pages] == ["1–50 z 120", "51–100 z 120", "101–120 z 120"]
    pages = [ids(flips_page(found, GOLD, Chosen(page=value), "pl").html) for _, value in first.pages]
    assert [len(page) for page in pages] == [PAGE, PAGE, 20]
    assert sorted(chain(*pages)) == sorted(f"q{n}" for n in (*range(10), *range(20, N)))
    assert "a lepiej: 10 · b lepiej: 110 · tak samo: 10" in first.html


def test_one_side_and_one_slice(found: Compared) -> None:
    assert ids(flips_page(found, GOLD, Chosen(side=FIRST), "pl").html) == [f"q{n}" for n in range(10)]
    odd = flips_page(found, GOLD, Chosen(side=FIRST, only="kind=odd"), "pl")
    assert ids(odd.html) == ["q1", "q3", "q5", "q7", "q9"]
    assert "a lepiej: 5 · b lepiej: 55 · tak samo: 5" in odd.html
    assert ids(flips_page(found, GOLD, Chosen(only="kind=none"), "pl").html) == []
    assert len(ids(flips_page(found, GOLD, Chosen(side=SECOND, only="kind=odd", page="1"), "pl").html)) == 5
    assert slice_choices(GOLD.questions, "pl") == [
        ("wszystkie pytania (130)", ""),
        ("złota odpowiedź = liczba (130)", "gold_kind=number"),
        ("długość złotej = 7–10 (129)", "gold_length=7–10"),
        ("długość złotej = 16–25 (1)", "gold_length=16–25"),
        ("liczba złotych = 1 (130)", "gold_count=1"),
        ("kind = even (65)", "kind=even"),
        ("kind = odd (65)", "kind=odd"),
    ]
    assert ids(flips_page(found, GOLD, Chosen(only="gold_length=16–25"), "pl").html) == [f"q{N - 1}"]


@pytest.mark.parametrize("odd", ["", "-1", "99", "x", "²", "1" * 5000, "<b>"])
def test_places_beyond_the_end_are_the_first(found: Compared, odd: str) -> None:
    page = flips_page(found, GOLD, Chosen(odd, odd, odd, "", odd), "pl")
    assert (page.chosen.pair, page.chosen.side, page.chosen.page) == ("0", BOTH, "0")
    assert len(ids(page.html)) == PAGE


def test_rankings_are_told_by_the_rank_of_their_gold(found: Compared) -> None:
    assert [name for name, _ in measure_choices(found)] == ["fuzzy_match (poleval)", "accuracy@10", "MRR@10", "NDCG@10"]
    page = flips_page(found, GOLD, Chosen(measure="2"), "pl")
    assert [label for label, _ in page.pairs] == ["r − s", "r − RRF", "s − RRF"]
    assert "miejsce 1 (1,0000)" in page.html
    assert "miejsce 4 (0,2500)" in page.html
    assert "Żadne pytanie" in flips_page(found, GOLD, Chosen(measure="1"), "pl").html


def test_texts_of_others_are_escaped(found: Compared) -> None:
    html = flips_page(found, GOLD, Chosen(), "pl").html
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_the_tests_are_named_with_what_repeats_them(found: Compared) -> None:
    html = comparison_html(compare_uploads(GOLD, FILES[2:]), "pl")
    assert "dokładny test McNemara" in html
    assert "losowanie przybliżone (10\u00a0000 prób, ziarno 0)" in html
    assert "approximate randomisation (50 draws, seed 0)" in comparison_html(found, "en")


def test_one_question_in_every_run(found: Compared) -> None:
    html = question_html(found, GOLD, " q25 ", "poleval", {"p25": "Tytuł"}.get, "pl")
    assert "✗ zzzzzz" in html
    assert "✓ złota 25" in html
    # Marked in the two rankings and in the fused one, with its ranks in the others.
    assert html.count("★ złoty") == 3
    assert html.count("Tytuł · p25") == 4
    assert "s: 4 · RRF: 2" in html
    assert "nie ma pytania" in question_html(found, GOLD, "nic", "poleval", {}.get, "pl")


def test_of_a_secret_gold_no_question_is_named() -> None:
    secret = compare_uploads(seal(GOLD, b"key"), FILES, draws=50)
    assert secret.comparisons
    for lang in get_args(Lang):
        html = comparison_html(secret, lang)
        assert ids(html) == []
        assert "q25" not in html
        assert "secret" in html or "tajny" in html
