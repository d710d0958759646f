"""A report as LaTeX: tables of booktabs, for a paper's `\\input`. Texts of others are escaped sign by sign.

It needs `booktabs`, `longtable` and the T1 encoding; letters stay UTF-8. Letters that pdfLaTeX does not know (Cyrillic,
Greek, emoji) need LuaLaTeX or XeLaTeX with a font that has them.
"""

import re
from collections.abc import Sequence

from polqa_demo.errors import Lang
from polqa_demo.evaluation.analysis import Analysis
from polqa_demo.evaluation.report import Report
from polqa_demo.reports.document import Document, Remark, document
from polqa_demo.reports.tables import Column, Section, Table
from polqa_demo.reports.texts import say

HEAD = r"""% \usepackage[T1]{fontenc}
% \usepackage{booktabs, longtable}
"""
# A table of more rows does not fit a page.
_LONGEST = 30

# All that TeX does not take as it stands; a double quote is a shorthand of babel.
_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "\u00a0": "~",
    "\u2212": r"\ensuremath{-}",
    "\u2192": r"\ensuremath{\to}",
    "\u2026": r"\dots{}",
    "\ufffd": "?",
}
_TABLE = str.maketrans(_SIGNS)
# Signs that would run together into another one.
_LIGATURE = re.compile(r"(?<=-)-|(?<=,),|(?<=')'")


def report_latex(
    report: Report, problems: Sequence[Remark] = (), analysis: Analysis | None = None, lang: Lang = "pl"
) -> str:
    """The report without its items, to be included in a document; the analysis is computed when it is not given."""
    found = document(report, lang, problems, analysis)
    parts = [HEAD, *_head(found)]
    for section in found.sections:
        parts += _section(section)
    return "\n".join(parts) + "\n"


def latex(text: str) -> str:
    """A text of one line that TeX prints as it is written."""
    escaped = _LIGATURE.sub(r"{}\g<0>", text.translate(_TABLE))
    # After the end of a row a bracket or a star would be read as its argument.
    return "{}" + escaped if escaped.startswith(("[", "*")) else escaped


def _head(found: Document) -> list[str]:
    lang = found.lang
    # A signature is one word to TeX; it may break after each bar.
    signature = latex(found.signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
    problems = [rf"  \item \textbf{{{latex(severity)}}}: {latex(message)}" for severity, message in found.problems]
    listed = ["\\begin{itemize}", *problems, "\\end{itemize}"] if problems else [latex(say("problems.none", lang))]
    return [
        rf"\section*{{{latex(found.title)}}}",
        rf"\noindent {latex(say('gold', lang))}: \texttt{{{latex(found.gold)}}}\par",
        rf"\noindent {latex(say('signature', lang))}: {{\footnotesize\raggedright\texttt{{{signature}}}\par}}",
        rf"\subsection*{{{latex(say('problems', lang))}}}",
        *listed,
    ]


def _section(section: Section) -> list[str]:
    lines = ["", rf"\subsection*{{{latex(section.title)}}}"]
    for place, table in enumerate(section.tables, 1):
        label = f"tab:polqa-{section.key}" + (f"-{place}" if len(section.tables) > 1 else "")
        lines += _long(table, label) if len(table.rows) > _LONGEST else _short(table, label)
    return [*lines, *(rf"{{\small\noindent {latex(note)}\par}}" for note in section.notes)]


def _short(table: Table, label: str) -> list[str]:
    return [
        "\\begin{table}[htbp]",
        "  \\centering\\small",
        rf"  \caption{{{latex(table.caption)}}}",
        rf"  \label{{{label}}}",
        rf"  \begin{{tabular}}{{{_columns(table)}}}",
        r"    \toprule",
        f"    {_titles(table)}",
        r"    \midrule",
        *(f"    {row}" for row in _rows(table)),
        r"    \bottomrule",
        "  \\end{tabular}",
        "\\end{table}",
    ]


def _long(table: Table, label: str) -> list[str]:
    return [
        "{\\small",
        rf"\begin{{longtable}}{{{_columns(table)}}}",
        rf"  \caption{{{latex(table.caption)}}}\label{{{label}}}\\",
        r"  \toprule",
        f"  {_titles(table)}",
        r"  \midrule",
        r"  \endhead",
        r"  \bottomrule",
        r"  \endfoot",
        *(f"  {row}" for row in _rows(table)),
        "\\end{longtable}}",
    ]


def _columns(table: Table) -> str:
    return "".join(map(_column, table.columns))


def _column(column: Column) -> str:
    if column.wide:
        return r"p{0.36\linewidth}"
    return "r" if column.number else "l"


def _titles(table: Table) -> str:
    return " & ".join(latex(column.title) for column in table.columns) + r" \\"


def _rows(table: Table) -> list[str]:
    return [
        " & ".join(_cell(cell, place in table.strong) for cell in row) + r" \\" for place, row in enumerate(table.rows)
    ]


def _cell(cell: str, strong: bool) -> str:
    text = latex(cell)
    return rf"\textbf{{{text}}}" if strong and text else text
