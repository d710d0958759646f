"""The HTML report: one file, no request, nothing of others but text, and a structure that can be heard."""

import re
from html.parser import HTMLParser

import pytest
from written_reports import ATTACKS, PROBLEMS, hostile_report, plain_report

from polqa_demo.errors import Lang
from polqa_demo.evaluation.analysis import Analysis, analyse
from polqa_demo.evaluation.report import build_report
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.reports.html import report_html
from polqa_demo.reports.plots import slice_forest
from polqa_demo.reports.tables import foreign

VOID = {"meta", "br", "img", "input", "link", "hr", "base", "source"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "header", "nav", "section", "details", "summary"),
    *("h1", "h2", "p", "ul", "li", "a", "dl", "div", "dt", "dd", "strong", "figure", "figcaption"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("svg", "desc", "line", "rect", "polygon", "polyline", "circle", "text"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "open", "scope", "role", "tabindex"),
    *("aria-label", "aria-labelledby", "viewbox", "points", "x", "y", "x1", "x2", "y1", "y2", "width", "height"),
    *("cx", "cy", "r", "text-anchor"),
}


class Page(HTMLParser):
    """Checks that every tag is closed in turn, and keeps tags, attributes, texts and the cells of tables."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.tables: list[list[list[str]]] = []
        self.comments: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data
            if self.open[-1] in ("td", "th"):
                self.tables[-1][-1][-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def having(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def check(text: str) -> Page:
    """All that holds for every report."""
    page = Page(text)
    assert {tag for tag, _ in page.tags} <= TAGS
    assert {name for _, attributes in page.tags for name in attributes} <= ATTRIBUTES
    assert page.comments == []
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in page.having("a"):
        assert str(link["href"]).removeprefix("#") in ids
    for _, attributes in page.tags:
        for name in str(attributes.get("aria-labelledby") or "").split():
            assert name in ids
    (policy,) = [meta["content"] for meta in page.having("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert str(policy).startswith("default-src 'none'; style-src 'unsafe-inline'")
    (style,) = page.texts["style"]
    assert "url(" not in style
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    # The page's own heading, then one a section, each with its details.
    assert [tag for tag, _ in page.tags if tag in ("h1", "h2")] == ["h1", *["h2"] * len(page.having("section"))]
    assert all(cell.get("scope") in ("col", "row") for cell in page.having("th"))
    assert len(page.having("summary")) == len(page.having("details"))
    assert len(page.having("caption")) == len(page.having("table")) == len(page.tables)
    for table in page.tables:
        assert {len(row) for row in table} == {len(table[0])}
    drawings = page.having("svg")
    assert all(drawing["role"] == "img" for drawing in drawings)
    assert len(page.having("title")) == 1 + len(drawings)
    assert all(found.strip() for found in page.texts.get("desc", []))
    return page


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_a_whole_report(lang: Lang) -> None:
    report = plain_report()
    page = check(report_html(report, PROBLEMS, lang=lang))
    assert page.having("html") == [{"lang": lang}]
    mark = "," if lang == "pl" else "."
    assert f"25{mark}00\u00a0%" in page.texts["dd"]
    scores = page.tables[0]
    assert ["fuzzy_match (poleval)", f"25{mark}00\u00a0%"] in [row[:2] for row in scores]
    assert {row[4] for row in scores if row[0] == "accuracy@10"} == {"40", "80"}
    assert report.signature in page.texts["p"]
    assert len(page.having("details")) == len(page.having("section"))
    # The curve, the histogram, and a forest a measure.
    assert len(page.having("svg")) == 4


def test_the_items_are_all_there_with_verdict_and_reason() -> None:
    report = plain_report()
    items = check(report_html(report)).tables[-1]
    assert items[0] == ["id", "pytanie", "odpowiedź", "złote", "werdykt", "dlaczego", "złoty fragment"]
    assert [row[0] for row in items[1:]] == [item.question.id for item in report.items]
    assert items[1][2:] == ["Krakow", "Kraków | w Krakowie", "✓ dobra", "odległość 1, wolno najwyżej 3,0", "1"]
    assert items[3][4:] == ["✗ inna", "odległość 9, a wolno najwyżej 5,0", "3"]
    assert items[4][2:] == ["", "Kraków | w Krakowie", "✗ pusta", "plik nie ma odpowiedzi na to pytanie", ""]
    assert items[13][6] == "brak"


@pytest.mark.parametrize("rule", ["poleval", "readme", "card", "exact"])
def test_every_rule_gives_its_reasons(rule: str) -> None:
    gold = GoldSet("g", "", (Question("1", "Ile?", ("12",)), Question("2", "Kto?", ("Jan",)), Question("3", "Co?")))
    items = check(report_html(build_report(gold, {"1": "12", "2": "Jan", "3": "x"}, rule=rule))).tables[-1]
    assert [row[4] for row in items[1:]] == ["✓ dobra", "✓ dobra", "–"]
    assert all(row[5] for row in items[1:3])
    assert items[3][5] == ""


def test_texts_of_others_are_texts() -> None:
    report = hostile_report(4)
    page = check(report_html(report, PROBLEMS))
    questions = {row[1] for row in page.tables[-1][1:]}
    assert questions == {foreign(attack, 600) for attack in ATTACKS}
    for sign in ("\x00", "\x1b", "\u202e"):
        assert sign not in report_html(report)


@pytest.mark.parametrize("answers", [True, False])
def test_a_report_of_one_kind(answers: bool) -> None:
    gold = GoldSet("g", "", (Question("1", "Kto?", ("x",)),), (Judgement("1", "p", grade=1),))
    report = build_report(gold, {"1": "x"} if answers else None, None if answers else {"1": Ranking("1", ("p",))})
    page = check(report_html(report))
    assert len(page.tables[-1][0]) == (6 if answers else 3)
    assert page.tables[-1][1][-1] == ("odległość 0, wolno najwyżej 0,5" if answers else "1")
    assert len(page.having("svg")) == (0 if answers else 2)
    check(report_html(build_report(gold)))


def test_the_forest_stands_where_its_numbers_say() -> None:
    report = plain_report()
    found = analyse(report)
    assert found.answers is not None
    forest = slice_forest(found.answers.slices)
    text = report_html(report, (), found)
    drawing = text[text.index('id="t-forest-fuzzy_match"') :]
    drawing = drawing[: drawing.index("</svg>")]
    lines = re.findall(r'<line class="(\S+)[^"]*" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"', drawing)
    left, right = (float(lines[place][1]) for place in (0, 5))
    intervals = [(float(x1), float(x2)) for kind, x1, x2 in lines if kind == "interval"]
    assert len(intervals) == len(forest.rows) > 2
    for row, (low, high) in zip(forest.rows, intervals, strict=True):
        assert (low - left) / (right - left) == pytest.approx(row.low, abs=0.001)
        assert (high - left) / (right - left) == pytest.approx(row.high, abs=0.001)


def test_long_texts_are_cut_and_that_is_said() -> None:
    gold = GoldSet("g", "", (Question("1", "Kto? " * 200, ("x",)),))
    page = check(report_html(build_report(gold, {"1": "y" * 5000})))
    row = page.tables[-1][1]
    assert row[1].endswith("…")
    assert (len(row[1]), len(row[2])) == (601, 301)
    assert any("skrócone" in text for text in page.texts["p"])
    whole = check(report_html(build_report(GoldSet("g", "", (Question("1", "Kto…", ("x",)),)), {"1": "y…"})))
    assert not any("skrócone" in text for text in whole.texts["p"])


def test_seven_thousand_long_items_stay_below_three_megabytes() -> None:
    text = "Zażółć „gęślą” & <jaźń> " * 20
    questions = tuple(Question(str(number), text, (text, "x")) for number in range(7000))
    gold = GoldSet("g", "", questions, (Judgement("0", "p", grade=1),))
    report = build_report(gold, dict.fromkeys((question.id for question in questions), "inna & <odpowiedź> " * 10), {})
    # What lies behind the scores adds the same to few items as to many.
    written = report_html(report, (), Analysis(None, None))
    assert len(written.encode()) < 2_800_000
    assert written.count('<tr><th scope="row">') > 7000
