"""Reports as Markdown, read back by a parser that is not ours."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from written_reports import ATTACKS, PROBLEMS, hostile_report, plain_report

from polqa_demo.evaluation.report import build_report
from polqa_demo.records import GoldSet, Question
from polqa_demo.reports.markdown import code, prose, report_markdown
from polqa_demo.reports.tables import foreign

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What may stand in a report; every link, picture or piece of HTML would be somebody else's.
ALLOWED = {
    *("heading", "paragraph", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th", "td", "strong"),
    *("inline", "text", "code_inline"),
}


def tokens(text: str) -> list[Token]:
    return [inner for token in PARSER.parse(text) for inner in (token, *(token.children or []))]


def kinds(text: str) -> set[str]:
    return {token.type.removesuffix("_open").removesuffix("_close") for token in tokens(text)}


def tables(text: str) -> list[list[list[str]]]:
    """The cells of all tables, as they are read: marks gone, code spans as their content."""
    found: list[list[list[str]]] = []
    for token in PARSER.parse(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and found and token.level > 2 and token.map:
            found[-1][-1].append("".join(child.content for child in token.children or []))
    return found


def read(text: str) -> str:
    """A paragraph as its reader sees it."""
    return "".join(token.content for token in tokens(text) if token.type in ("text", "code_inline"))


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_a_report_has_every_score(lang: str) -> None:
    report = plain_report()
    text = report_markdown(report, PROBLEMS, lang="pl" if lang == "pl" else "en")
    scores = tables(text)[0]
    assert len(scores[0]) == 6
    rows = {row[0]: row[1:] for row in scores[1:] if row[5] not in ("wszystkie", "all")}
    mark = "," if lang == "pl" else "."
    assert rows["fuzzy_match (poleval)"] == [
        f"25{mark}00\u00a0%",
        f"[16{mark}8–35{mark}5]",
        "20",
        "80",
        "ze złotą odpowiedzią" if lang == "pl" else "with a gold answer",
    ]
    on_gold = "na złotych fragmentach" if lang == "pl" else "on gold passages"
    for rule in ("poleval", "readme", "card", "exact"):
        assert f"fuzzy_match ({rule})" in rows
        assert f"fuzzy_match ({rule}), {on_gold}" in rows
    assert report.rankings is not None
    denominators = {row[4] for row in scores if row[0] == "accuracy@10"}
    assert denominators == {"40", "80"}
    assert {"accuracy@1", "accuracy@5", "MRR@10", "NDCG@10", "recall@10", "judged@10"} <= rows.keys()
    assert rows["MRR@10"][0] == f"{report.rankings['mrr@10'].value:.4f}".replace(".", mark)
    assert report.signature in read(text)
    assert ("Puste" if lang == "pl" else "Blank") in read(text)
    assert ("wiersze: 3, 4" if lang == "pl" else "lines: 3, 4") in read(text)
    assert "SINGLE ENTITY" in read(text)
    assert ("wszystkie naprawy razem" if lang == "pl" else "all repairs together") in read(text)


def test_small_slices_are_counted_and_left_out() -> None:
    markdown = report_markdown(plain_report(40))
    text = read(markdown)
    # In the two-way table it stands as a row; a slice has it as its value.
    assert "jedna encja (SINGLE ENTITY)" not in [row[1] for table in tables(markdown) for row in table]
    assert "jedna encja (SINGLE ENTITY)" in [row[0] for table in tables(markdown) for row in table]
    assert "pominięte przekroje poniżej 30 pytań: 2." in text


def test_absent_parts_are_absent() -> None:
    gold = GoldSet("g", "", (Question("1", "Kto?", ("x",)),))
    text = report_markdown(build_report(gold, {"1": "x"}))
    assert "accuracy" not in text
    assert "Brak uwag" in text
    assert kinds(text) <= ALLOWED
    assert kinds(report_markdown(build_report(gold))) <= ALLOWED


def test_texts_of_others_are_texts() -> None:
    text = report_markdown(hostile_report(), PROBLEMS)
    assert kinds(text) <= ALLOWED
    for table in tables(text):
        assert {len(row) for row in table} == {len(table[0])}
    spans = [token.content for token in tokens(text) if token.type == "code_inline"]
    labels = {foreign(attack, 40) for attack in ATTACKS[:3]}
    assert labels <= set(spans)
    assert not unasked_links(text)


def unasked_links(text: str) -> list[str]:
    """What GitHub would link in text that is no code: mentions, mail and web addresses."""
    found: list[str] = []
    for token in PARSER.parse(text):
        pieces = [child.content if child.type == "text" else "\0" for child in token.children or []]
        found += re.findall(r"(?<!\w)@\w+|[\w.+-]+@[\w-]+\.\w+|\w+://\w|www\.\w|mailto:\w", "".join(pieces))
    return found


texts = st.one_of(
    st.sampled_from(ATTACKS),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=30),
    st.text(st.sampled_from("`|\\ *_[]()<>&#@:/.w~$!-"), max_size=15),
)


@given(texts)
def test_a_code_span_gives_the_text_back(text: str) -> None:
    line = foreign(text)
    (token,) = PARSER.parseInline(f"x{code(line)}x")
    parts = [child.content for child in token.children or []]
    assert parts == (["x", line, "x"] if line else ["xx"])


@given(texts, texts)
def test_a_cell_gives_the_text_back(first: str, second: str) -> None:
    cells = [foreign(first), foreign(second)]
    head = "| a | b |\n| --- | --- |\n"
    row = " | ".join(code(cell, in_table=True) for cell in cells)
    (table,) = tables(f"{head}| {row} |\n")
    assert table[1] == cells


@given(texts)
def test_a_sentence_gives_the_text_back(text: str) -> None:
    line = foreign(text)
    written = f"x: {prose(line)}."
    # A paragraph does not keep blanks at the ends of its lines; this one has none there.
    assert read(written) == f"x: {line}."
    assert kinds(written) <= ALLOWED
    assert not unasked_links(written)
    table = tables(f"| a | b |\n| --- | --- |\n| x: {prose(line)}. | y |\n")
    assert table[0][1] == [f"x: {line}.", "y"]


def test_measures_stay_readable() -> None:
    assert prose("accuracy@10, MRR@10.") == "accuracy@10, MRR@10."
