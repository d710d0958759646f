"""The table of items: filters with counts, search, pages; the same whoever asks first."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.evaluation.buckets import NAMES, sort_answers
from polqa_demo.evaluation.report import Report, build_report
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.reports.document import answer_buckets
from polqa_demo.ui.tables import BUCKETS, PAGE_ROWS, Listing, filter_choices, fold, items_page

ANSWERED = {
    "q1": ("Kto napisał „Lalkę”?", ("Bolesław Prus", "Prus"), "Prus"),
    "q2": ("Gdzie leży Łódź?", ("w Polsce",), "Odpowiedź: w Polsce"),
    "q3": ("Ile nóg ma pająk?", ("8",), "osiem nóg"),
    "q4": ("Jaka to rzeka?", ("Wisła",), "Bzura"),
    "q5": ("Kto to był?", ("Mikołaj Kopernik",), None),
    "q6": ("Jakie miasto?", ("Kraków",), "Krakowskie"),
}
QUESTIONS = tuple(Question(name, text, golds) for name, (text, golds, _) in ANSWERED.items())
PREDICTIONS = {name: given for name, (_, _, given) in ANSWERED.items() if given is not None}
GOLD = GoldSet("zbior", "test", QUESTIONS, tuple(Judgement(name, f"{name}-p", 1, "human") for name in ANSWERED))
RANKINGS = {"q1": Ranking("q1", ("x", "q1-p")), "q2": Ranking("q2", ("x", "y"))}


def listing(report: Report) -> Listing:
    return Listing(report, answer_buckets(report))


@pytest.fixture(scope="module")
def both() -> Listing:
    return listing(build_report(GOLD, PREDICTIONS, RANKINGS, text_of={"x": "Prus", "q1-p": "Lalka"}.get))


def ids(found: Listing, which: str = "all", query: str = "") -> list[str]:
    return [item.question.id for item in found.find(which, query)]


def test_every_filter_shows_as_many_as_it_says(both: Listing) -> None:
    for name, (_, count) in both.filters.items():
        assert len(ids(both, name)) == count, name
    assert ids(both) == list(ANSWERED)
    assert sorted(ids(both, "wrong") + ids(both, "right")) == sorted(ANSWERED)
    assert sorted(one for bucket in BUCKETS for one in ids(both, bucket)) == sorted(ids(both, "wrong"))
    cells = [name for name in both.filters if name.startswith("cell:")]
    assert len(cells) == 8
    assert sorted(one for name in cells for one in ids(both, name)) == sorted(ANSWERED)


def test_the_buckets_are_those_of_the_evaluation(both: Listing) -> None:
    placed = sort_answers(QUESTIONS, PREDICTIONS)
    for bucket in NAMES:
        assert tuple(ids(both, bucket)) == placed.ids(bucket)
    assert ids(both, "format") == ["q2", "q3"]
    assert ids(both, "empty") == ["q5"]
    assert ids(both, "missed") == ["q2", "q3", "q4", "q5", "q6"]


def test_filters_that_would_mean_nothing_are_not_there() -> None:
    only_rankings = listing(build_report(GOLD, None, RANKINGS))
    assert set(only_rankings.filters) == {"all", "missed"}
    assert only_rankings.columns == ("id", "question", "rank")
    only_answers = listing(build_report(GOLD, PREDICTIONS))
    assert set(only_answers.filters) == {"all", "wrong", "right", *BUCKETS}
    assert ids(only_answers, "missed") == ids(only_answers, "cell:sound") == ids(only_answers, "nonsense") == []


def test_choices_say_how_many(both: Listing) -> None:
    assert filter_choices(both, "pl")[0] == ("wszystkie (6)", "all")
    assert ("right answers (1)", "right") in filter_choices(both, "en")
    assert len(filter_choices(both, "pl")) == len(both.filters)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("LALKE", ["q1"]),
        ("łódź", ["q2"]),
        ("lodz", ["q2"]),
        ("boleslaw prus", ["q1"]),
        ("prus bolesław", ["q1"]),
        ("bzura", ["q4"]),
        ("q3", ["q3"]),
        ("  ", list(ANSWERED)),
        ("kto", ["q1", "q5"]),
        ("nie ma tego", []),
        (".*", []),
    ],
)
def test_search(both: Listing, query: str, found: list[str]) -> None:
    assert ids(both, query=query) == found


def test_search_within_a_filter(both: Listing) -> None:
    assert ids(both, "wrong", "kto") == ["q5"]
    assert ids(both, "right", "kto") == ["q1"]


@given(st.text(st.sampled_from("aąbcćdeęfghijklłmnńoóprsśtuwyzźż 0-9")))
def test_case_and_diacritics_fold_away(text: str) -> None:
    assert fold(text) == fold(text.upper()) == fold(unicodedata.normalize("NFD", text))
    assert fold(text).isascii()
    assert len(fold(text)) == len(text)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 260), st.integers(-3, 10**6))
def test_pages_are_the_list_in_pieces(count: int, page: int) -> None:
    questions = tuple(Question(str(at), f"Pytanie {at}?", ("tak",)) for at in range(count))
    found = listing(build_report(GoldSet("g", "", questions), {}))
    shown = items_page(found, "all", "", page, "pl")
    assert 1 <= shown.number <= shown.pages == -(-count // PAGE_ROWS)
    assert shown.total == count
    assert [row.id for row in shown.rows] == [str(at) for at in range(count)][shown.first - 1 : shown.last]
    assert len(shown.rows) == (PAGE_ROWS if shown.number < shown.pages else count - PAGE_ROWS * (shown.pages - 1))


def test_a_page_of_nothing(both: Listing) -> None:
    shown = items_page(both, "all", "qqqqq", 3, "pl")
    assert (shown.rows, shown.number, shown.pages, shown.first, shown.last) == ((), 1, 1, 0, 0)


def test_cells(both: Listing) -> None:
    rows = {row.id: row.cells for row in items_page(both, "all", "", 1, "pl").rows}
    assert rows["q1"] == {
        "id": "q1",
        "question": "Kto napisał „Lalkę”?",
        "prediction": "Prus",
        "golds": "Bolesław Prus | Prus",
        "verdict": "poprawna",
        "why": "odległość 0, limit 2,0",
        "rank": "miejsce 2",
    }
    assert rows["q2"]["why"].startswith("zapis: odległość")
    assert rows["q2"]["rank"] == "nie ma w rankingu"
    assert rows["q5"]["prediction"] == ""
    assert rows["q5"]["why"] == "pusta"


def test_long_texts_are_cut() -> None:
    gold = GoldSet("g", "", (Question("1", "ą" * 9000, ("b" * 9000,)),))
    row = items_page(listing(build_report(gold, {"1": "c" * 9000})), "all", "", 1, "pl").rows[0]
    assert max(map(len, row.cells.values())) == 301


def test_questions_without_an_answer_are_right_or_wrong_where_they_count() -> None:
    gold = GoldSet(
        "g", "", (Question("1", "a", ("b",)), *(Question(key, "c") for key in "234")), unanswerable=frozenset("23")
    )
    found = listing(build_report(gold, {"1": "b", "2": "", "3": "x", "4": ""}, unanswerable="abstain"))
    assert {name: [item.question.id for item in found.find(name, "")] for name in ("right", "wrong")} == {
        "right": ["1", "2"],
        "wrong": ["3"],
    }
    rows = {row.id: row.cells for row in items_page(found, "all", "", 1, "en").rows}
    assert "empty one is right" in rows["3"]["why"]
    assert (rows["4"]["verdict"], rows["4"]["why"]) == ("", "")
