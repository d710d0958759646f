"""Reports as LaTeX, read back by the rules of TeX."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_reports import ATTACKS, PROBLEMS, hostile_report, plain_report

from polqa_demo.evaluation.report import build_report
from polqa_demo.records import GoldSet, Question
from polqa_demo.reports.latex import HEAD, latex, report_latex
from polqa_demo.reports.tables import foreign

SPECIAL = set('\\{}$&#%_~^<>|"`')
WORDS = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textquotedbl": '"',
    "textasciigrave": "`",
    "dots": "…",
}
TOKEN = re.compile(r"\\([a-z]+)\{\}|\\ensuremath\{(-|\\to)\}|\\([{}$&#%_])|(\{\})|(~)|(.)", re.DOTALL)


def printed(written: str) -> str:
    """What TeX prints of an escaped text; fails on any sign that would be a command."""
    found: list[str] = []
    place = 0
    while place < len(written):
        match = TOKEN.match(written, place)
        assert match
        word, maths, sign, empty, tie, plain = match.groups()
        assert not plain or plain not in SPECIAL, f"{plain!r} stands raw in {written!r}"
        if word:
            found.append(WORDS[word])
        elif maths:
            found.append("−" if maths == "-" else "→")
        elif tie:
            found.append("\u00a0")
        elif not empty:
            found.append(sign or plain)
        place = match.end()
    return "".join(found)


texts = st.one_of(
    st.sampled_from(ATTACKS),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=30),
    st.text(st.sampled_from("\\{}$&#%_~^<>|\"'`-,[]*?!. ab\u00a0−→…"), max_size=20),
)


@given(texts)
def test_an_escaped_text_prints_as_it_is_written(text: str) -> None:
    line = foreign(text)
    written = latex(line)
    assert printed(written) == line.replace("\ufffd", "?")
    assert "\n" not in written
    # Neither an argument of the row before, nor a ligature.
    assert not written.startswith(("[", "*"))
    assert not re.search(r"--|,,|''", written)


def test_polish_letters_stay() -> None:
    assert latex("Zażółć gęślą jaźń „ŻÓŁĆ” – 5 %") == r"Zażółć gęślą jaźń „ŻÓŁĆ” – 5 \%"


def body_lines(text: str) -> list[str]:
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD).splitlines()


def check_structure(text: str) -> None:
    """Environments and braces are balanced, every row has as many cells as its table has columns, no stray command."""
    unescaped = re.sub(r"\\[{}$&#%_\\]", "", text.removeprefix(HEAD))
    assert unescaped.count("{") == unescaped.count("}")
    assert "%" not in unescaped
    assert "$" not in unescaped
    commands = set(re.findall(r"\\([a-zA-Z]+)", unescaped))
    assert commands <= {
        *WORDS,
        *("ensuremath", "to", "section", "subsection", "noindent", "texttt", "textbf", "footnotesize", "raggedright"),
        *("allowbreak", "par", "begin", "end", "item", "small", "centering", "caption", "label", "linewidth"),
        *("toprule", "midrule", "bottomrule", "endhead", "endfoot"),
    }
    opened: list[str] = []
    columns = 0
    for line in body_lines(text):
        for command, name in re.findall(r"\\(begin|end)\{([a-z]+)\}", line):
            if command == "begin":
                opened.append(name)
            else:
                assert opened.pop() == name
        if match := re.search(r"\\begin\{(?:tabular|longtable)\}\{(.*)\}$", line):
            columns = len(re.sub(r"\{[^}]*\}", "", match[1].replace("\\", "").replace("linewidth", "")))
        elif line.rstrip().endswith(r" \\"):
            assert len(re.findall(r"(?<!\\)&", line)) == columns - 1
    assert not opened


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_a_report_has_every_score(lang: str) -> None:
    text = report_latex(plain_report(), PROBLEMS, lang="pl" if lang == "pl" else "en")
    check_structure(text)
    mark = "," if lang == "pl" else "."
    row = next(line for line in text.splitlines() if r"\textbf{fuzzy\_match (poleval)}" in line)
    assert rf"\textbf{{25{mark}00~\%}}" in row
    # `\textbf` comes first, so that the bracket is no argument of the row before.
    assert "[16" in row
    for measure in ("accuracy@1 ", "accuracy@5", "MRR@10", "NDCG@10", "recall@10", "judged@10"):
        assert measure in text
    assert sorted(re.findall(r"accuracy@10\}?.* (?:\\textbf\{)?(40|80)\}? & .*\\\\", text))[-1] == "80"
    assert r"n:80\textbar{}\allowbreak{}rule:poleval" in text
    assert ("Puste" if lang == "pl" else "Blank") in text
    assert "SINGLE ENTITY" in text
    assert r"\label{tab:polqa-scores}" in text


def test_texts_of_others_are_texts() -> None:
    text = report_latex(hostile_report(), PROBLEMS)
    check_structure(text)
    assert r"\textbackslash{}input\{/etc/passwd\}" in text or "passwd" not in text
    for attack in ATTACKS[:3]:
        assert latex(foreign(attack, 40)) in text


def test_many_slices_run_over_pages() -> None:
    questions = tuple(
        Question(str(number), "Kto?", ("x",), {f"d{place}": str(number % 2) for place in range(20)})
        for number in range(80)
    )
    text = report_latex(build_report(GoldSet("g", "", questions), {}))
    check_structure(text)
    assert text.count(r"\begin{longtable}") == 1


def test_absent_parts_are_absent() -> None:
    gold = GoldSet("g", "", (Question("1", "Kto?", ("x",)),))
    text = report_latex(build_report(gold, {"1": "x"}))
    check_structure(text)
    assert "accuracy" not in text
    assert "Brak uwag" in text
