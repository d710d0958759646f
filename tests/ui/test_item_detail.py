"""One item in full: what is said about it, and that texts of others stay text."""

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.evaluation.alignment import align
from polqa_demo.evaluation.report import build_report
from polqa_demo.records import GoldSet, Judgement, Passage, Question, Ranking
from polqa_demo.scoring import Scored
from polqa_demo.ui.item_detail import DRAWN, SIGNS, Letter, Shelf, _letters, _spoken, _words, item_html, visible
from polqa_demo.ui.render import TEXT_LIMIT
from polqa_demo.ui.result import Result

PASSAGES = {name: Passage(name, f"Tytuł {name}", f"Treść {name}.") for name in ("p1", "p2", "gold")}
SHELF = Shelf("korpus", PASSAGES.get, wikipedia_ids=False)


def detail(
    prediction: str | None,
    golds: tuple[str, ...],
    ranking: tuple[str, ...] | None = None,
    shelf: Shelf | None = SHELF,
    rule: str = "poleval",
    labels: Mapping[str, str] | None = None,
    gold_passages: tuple[str, ...] = ("gold",),
    lang: str = "pl",
) -> str:
    question = Question("7", "Kto?", golds, dict(labels or {}))
    gold = GoldSet("g", "test", (question,), tuple(Judgement("7", name, 1, "human") for name in gold_passages))
    predictions = {} if prediction is None else {"7": prediction}
    rankings = None if ranking is None else {"7": Ranking("7", ranking)}
    report = build_report(
        gold, predictions, rankings, rule, text_of=lambda name: getattr(PASSAGES.get(name), "text", None)
    )
    result = Result(Scored((), report, {}), report)
    return item_html(result, result.items["7"], shelf, "pl" if lang == "pl" else "en")


def plain(html: str) -> str:
    """The text of a page, as it is read."""
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html)).strip()


def test_a_right_answer() -> None:
    text = plain(detail("Prusem", ("Bolesław Prus", "Prus"), labels={"question_type": "SINGLE ENTITY", "own": "x"}))
    assert "typ pytania: jedna encja (SINGLE ENTITY) · own: x" in text
    assert "Prus ✓ ta pasuje" in text
    assert "poprawna (reguła poleval)" in text
    assert "2 (wolno najwyżej 2,0)" in text
    assert "bez zmian „Prus”, zbędne „em”" in text


def test_a_wrong_answer_with_its_bucket() -> None:
    text = plain(detail("Odpowiedź: Prus", ("Prus",), lang="en"))
    assert "Prus the nearest" in text
    assert "11 (allowed: at most 2.0)" in text
    assert "format: to mend" in text
    assert "less than 2.0" in plain(detail("Lem", ("Prus",), rule="readme", lang="en"))


def test_numbers_decide() -> None:
    text = plain(detail("w 1899 roku", ("1898",)))
    assert "w odpowiedzi 1899, w złotej 1898" in text
    assert "O werdykcie rozstrzyga liczba" in text
    assert "w odpowiedzi brak, w złotej 1898" in plain(detail("nie wiem", ("1898",)))


def test_nothing_to_compare() -> None:
    assert "plik nie ma odpowiedzi na to pytanie" in plain(detail(None, ("Prus",)))
    assert "Litera po literze" not in detail(None, ("Prus",))
    assert "(pusta)" in plain(detail("  ", ("Prus",)))
    assert "pytanie bez złotej odpowiedzi" in plain(two_questions_one_without_gold())


def two_questions_one_without_gold() -> str:
    gold = GoldSet("g", "", (Question("1", "A?", ("a",)), Question("2", "B?")))
    report = build_report(gold, {"1": "a", "2": "b"})
    result = Result(Scored((), report, {}), report)
    return item_html(result, result.items["2"], None, "pl")


def test_the_ranking_with_titles_texts_and_gold() -> None:
    html = detail("Prus", ("Prus",), ("p1", "nieznany", "gold"))
    text = plain(html)
    assert "gold – miejsce 3" in text
    assert re.search("1 Tytuł p1 p1 Treść p1.", text)
    assert "2 nieznany nie ma go w korpusie" in text
    assert "3 Tytuł gold gold ✓ złoty Treść gold." in text
    assert html.count("<details open>") == 1
    assert "Titles" not in text
    assert "z korpusu korpus" in text


def test_grades_stand_beside_the_gold_passages() -> None:
    judgements = (Judgement("7", "gold", 3), Judgement("7", "p1", 1), Judgement("7", "p2", 0))
    gold = GoldSet("g", "", (Question("7", "Kto?", ("Prus",)),), judgements)
    report = build_report(gold, {"7": "Prus"}, {"7": Ranking("7", ("p1", "x"))})
    result = Result(Scored((), report, {}), report)
    assert "p1 (stopień 1) – miejsce 1; gold (stopień 3) – nie ma w rankingu" in plain(
        item_html(result, result.items["7"], SHELF, "pl")
    )


def test_gold_passages_beyond_the_list() -> None:
    deep = tuple(f"x{at}" for at in range(30))
    text = plain(detail("Prus", ("Prus",), (*deep, "gold")))
    assert "gold – miejsce 31" in text
    assert "Złote fragmenty poza tą listą 31 Tytuł gold" in text
    assert "gold – nie ma w rankingu" in plain(detail("Prus", ("Prus",), deep))
    assert "Plik nie ma rankingu" in plain(detail("Prus", ("Prus",), ()))


def test_without_the_corpus_passages_are_ids() -> None:
    text = plain(detail("Prus", ("Prus",), ("p1", "gold"), shelf=None))
    assert "1 p1" in text
    assert "Treść" not in text
    assert "Tekstów fragmentów nie pokazano" in text


def test_the_case_of_reader_and_retriever() -> None:
    text = plain(detail("Lem", ("Prus",), ("p1", "gold")))
    assert "Wyszukiwarka × czytnik: trudne czytanie" in text


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</section><script>alert(1)</script>",
    '" onmouseover="x',
    "=1+1",
    "\u202eodwrotnie",
    "{{ 7 * 7 }}${8}",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_others_stay_text(text: str) -> None:
    own = Shelf(text, lambda name: Passage(name, text, text), wikipedia_ids=True)
    html = detail(text, (text + "x",), (text, "p1"), own, labels={text: text}, gold_passages=(text,))
    for tag in ("<img", "<script", "</section><", 'onmouseover="'):
        assert tag not in html
    assert html.count("<section") == html.count("</section>") == 1


def test_long_texts_are_cut() -> None:
    long = "ą" * 50_000
    own = Shelf("k", lambda name: Passage(name, long, long), wikipedia_ids=False)
    html = detail(long, ("b" * 30_000,), tuple(f"{at}" for at in range(10)), own)
    assert len(html) < 30 * TEXT_LIMIT + 100_000
    assert html.count('class="pq-letter ') == DRAWN
    assert "Dalszych liter nie pokazano" in html


texts = st.text(st.sampled_from("aąbB 1\u0301\u202e"), max_size=30)


@settings(deadline=None)
@given(texts, texts)
def test_the_drawing_is_the_alignment(prediction: str, gold: str) -> None:
    aligned = align(prediction, gold)
    letters = list(_letters(aligned))
    edits = [letter for letter in letters if letter.kind != "same"]
    assert len(edits) == aligned.distance
    assert [letter.top for letter in letters if letter.kind != "inserted"] == [
        visible(one) for one in aligned.prediction
    ]
    assert [letter.bottom for letter in letters if letter.kind != "deleted"] == [visible(one) for one in aligned.gold]
    assert all(letter.sign == SIGNS[letter.kind] for letter in letters)
    assert [letter for word in _words(letters) for letter in word] == letters
    for kind in ("replaced", "inserted", "deleted"):
        assert any(letter.kind == kind for letter in letters) == any(piece.kind == kind for piece in aligned.pieces)


def test_what_a_screen_reader_hears() -> None:
    assert _spoken(align("kot", "koty").pieces, "pl") == "bez zmian „kot”, brakuje „y”"
    assert _spoken(align("kot", "kat").pieces, "en") == "unchanged “k”, replaced “o” by “a”, unchanged “t”"


def test_letters_that_cannot_be_seen() -> None:
    assert [visible(one) for one in ("", " ", "\u0301", "\u202e", "\t", "\u00a0", "ż")] == [
        "·",
        "␣",
        "◌\u0301",
        "202E",
        "0009",
        "00A0",
        "ż",
    ]
    assert (
        _words([Letter("same", "", "a", "a"), Letter("same", "", "␣", "␣"), Letter("same", "", "b", "b")])[1][0].top
        == "b"
    )
