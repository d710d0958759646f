"""Whose fault, the reader on gold passages, and the two-way table, in every written report."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_reports import plain_report

from polqa_demo.errors import Lang
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.evaluation.attribution import CELLS, attribute
from polqa_demo.evaluation.report import Report, build_report
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.reports.analysis_sections import COLUMNS_SHOWN, slices_section
from polqa_demo.reports.attribution_sections import attribution_section
from polqa_demo.reports.document import document
from polqa_demo.reports.html import report_html
from polqa_demo.reports.latex import latex, report_latex
from polqa_demo.reports.markdown import prose, report_markdown
from polqa_demo.reports.tables import Section, Table

TEXTS = {f"g{number}": "Kraków leży nad Wisłą." for number in range(0, 80, 4)} | {"x3": "Toruń."}


def section(report: Report, key: str, lang: Lang = "pl") -> Section:
    return next(one for one in document(report, lang).sections if one.key == key)


def test_the_cells_the_ceilings_and_what_was_not_read() -> None:
    report = plain_report(text_of=TEXTS.get)
    found = report.attribution
    assert found is not None
    shown = section(report, "attribution")
    cells, ceilings = shown.tables
    assert [row[0] for row in cells.rows] == [cell.name.pl for cell in CELLS]
    assert [row[1] for row in cells.rows] == [cell.explanation.pl for cell in CELLS]
    assert [int(row[2]) for row in cells.rows] == [*found.counts.values()]
    assert sum(found.counts.values()) == 40
    assert [row[3:] for row in ceilings.rows] == [
        (str(share.hits), "40") for share in (found.passage_ceiling, found.answer_ceiling, found.either_ceiling)
    ]
    assert 0 < found.answer_ceiling.hits < found.passage_ceiling.hits < 40
    assert str(found.unread) in " ".join(shown.notes)
    assert "bez złotego fragmentu (poza komórkami): 40." in " ".join(shown.notes)
    known = attribute([Question("1", "?", ("x",))], {}, {}, {"1": ("g",)}, TEXTS.get)
    assert len(attribution_section(known, "en").notes) == 1


def test_the_reader_on_gold_beside_retrieved_passages() -> None:
    gold = GoldSet("g", "", tuple(Question(key, "Kto?", ("Jan Kowalski",)) for key in "abcde"))
    right = "Jan Kowalski"
    report = build_report(gold, {"a": right, "b": right}, answers_from_gold={"a": right, "c": right, "d": right})
    shares, counts = section(report, "beside", "en").tables
    assert [row[0::3] for row in shares.rows] == [("on gold passages", "3"), ("on retrieved passages", "2")]
    assert [row[:2] for row in counts.rows] == [
        *(("on both", "1"), ("only on gold", "2"), ("only on retrieved", "1"), ("on neither", "1")),
    ]


@pytest.mark.parametrize(
    ("write", "shown"),
    [(report_html, str), (report_markdown, prose), (report_latex, latex)],
    ids=["html", "markdown", "latex"],
)
@pytest.mark.parametrize("lang", ["pl", "en"])
def test_every_form_has_the_three_tables(write: Callable[..., str], shown: Callable[[str], str], lang: Lang) -> None:
    report = plain_report(text_of=TEXTS.get)
    text = write(report, lang=lang)
    for key in ("attribution", "beside"):
        found = section(report, key, lang)
        assert shown(found.title) in text
        for table in found.tables:
            for row in table.rows:
                for cell in row:
                    assert shown(cell) in text or shown(cell).replace("'", "&#39;") in text
    assert shown(crossed(report, lang).caption) in text
    without = write(plain_report(text_of=None), lang=lang)
    assert shown(CELLS[0].name.say(lang)) not in without


def test_the_items_of_the_page_name_their_cell() -> None:
    report = plain_report(text_of=TEXTS.get)
    assert report.attribution is not None
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>.*<td>([^<]*)</td></tr>', report_html(report))
    names = dict(rows[-len(report.items) :])
    told = {item.question_id: item.cell.name.pl for item in report.attribution.items}
    assert names == {item.question.id: told.get(item.question.id, "–") for item in report.items}


def crossed(report: Report, lang: Lang = "pl") -> Table:
    (table,) = [one for one in slices_section(analyse(report), lang).tables if " × " in one.caption]
    return table


def labelled(pairs: list[tuple[str, str]]) -> Report:
    """Questions of these types and entities; every other one is answered rightly."""
    questions = tuple(
        Question(str(at), "Kto?", ("Jan",), {"question_type": row, "entity_type": column})
        for at, (row, column) in enumerate(pairs)
    )
    return build_report(GoldSet("g", "", questions), {str(at): "Jan" for at in range(0, len(pairs), 2)})


def test_the_two_way_table_has_its_sums() -> None:
    table = crossed(labelled([("A", "X"), ("A", "X"), ("B", "X"), ("B", "Y")]), "en")
    assert table.caption == "fuzzy_match (poleval): question type × entity type"
    assert [column.title for column in table.columns] == ["question type", "X", "Y", "all"]
    assert [[cell.replace("\u00a0", " ") for cell in row] for row in table.rows] == [
        ["A", "50.0 % (1/2)", "–", "50.0 % (1/2)"],
        ["B", "100.0 % (1/1)", "0.0 % (0/1)", "50.0 % (1/2)"],
        ["all", "66.7 % (2/3)", "0.0 % (0/1)", "50.0 % (2/4)"],
    ]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("ABCDEFGHIJ"), st.sampled_from("KLMNOPQRST")), min_size=1, max_size=40))
def test_a_wide_table_is_turned_and_cut(pairs: list[tuple[str, str]]) -> None:
    report = labelled(pairs)
    table = crossed(report, "en")
    sizes = sorted({len({pair[side] for pair in pairs}) for side in (0, 1)})
    assert len(table.rows) == sizes[-1] + 1
    assert len(table.columns) == min(sizes[0], COLUMNS_SHOWN) + 2
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert table.rows[-1][-1].endswith(f"/{len(pairs)})")
    notes = " ".join(slices_section(analyse(report), "en").notes)
    left_out = sizes[0] - COLUMNS_SHOWN
    assert (f"rarest columns left out of the table: {left_out}." in notes) == (left_out > 0)


def test_nobody_is_blamed_for_texts_that_nobody_has() -> None:
    questions = (Question("1", "Kto?", ("Jan",)), Question("2", "Co?"), Question("3", "Gdzie?", ("tu",)))
    judgements = (Judgement("1", "a", grade=1), Judgement("2", "b", grade=1))
    rankings = {"1": Ranking("1", ("a",)), "2": Ranking("2", ("b",)), "3": Ranking("3", ("c",))}

    def cells(texts: dict[str, str], ranked: dict[str, Ranking] = rankings, gold: int = 3) -> object:
        part = GoldSet("g", "", questions[:gold], judgements)
        return build_report(part, {"1": "Jan"}, ranked, text_of=texts.get).attribution

    assert cells({"a": "Jan."}) is not None
    # What was retrieved for a question that is in no cell says nothing.
    assert cells({"b": "x", "c": "tu"}) is None
    assert cells({}) is None
    assert cells({"a": "Jan."}, {}) is None
    # Answers here, passages there: nothing can be attributed, and that is no error.
    apart = GoldSet("g", "", questions[1:], judgements)
    assert build_report(apart, {"3": "tu"}, rankings, text_of={"b": "x"}.get).attribution is None
    whole = GoldSet("g", "", questions, judgements)
    assert build_report(whole, {"1": "Jan"}, text_of={"a": "Jan."}.get).attribution is None
    assert build_report(whole, None, rankings, text_of={"a": "Jan."}.get).attribution is None


def test_an_attribution_changes_neither_score_nor_signature() -> None:
    with_texts, without = plain_report(text_of=TEXTS.get), plain_report(text_of=None)
    assert with_texts.attribution is not None
    assert without.attribution is None
    assert (with_texts.answers, with_texts.rankings) == (without.answers, without.rankings)
    assert (with_texts.signature, with_texts.items) == (without.signature, without.items)
    assert with_texts.beside == without.beside
    assert with_texts.beside is not None
