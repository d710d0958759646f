"""A report as a page of Markdown (CommonMark with GitHub's tables), with every text of others as plain text.

Texts of others stand in code spans: there nothing is markup, no address becomes a link and no name a mention. Sentences
with such texts inside are escaped sign by sign.
"""

import re
from collections.abc import Sequence

from polqa_demo.errors import Lang
from polqa_demo.evaluation.analysis import Analysis
from polqa_demo.evaluation.report import Report
from polqa_demo.reports.document import Document, Remark, document
from polqa_demo.reports.tables import Column, Foreign, Section, Table
from polqa_demo.reports.texts import say

_MARKUP = re.compile(r"[\\`*_\[\]|~$]")
# What GitHub links without being asked: mentions, mail addresses, web addresses. A code span parts them, which a
# backslash does not; `accuracy@10` is none of these.
_LINKED = re.compile(r"(?:(?<!\w)@|@(?=[\w.-]*\.\w)|://|(?<=www)\.|(?<=mailto):|(?<=xmpp):)+", re.IGNORECASE)


def report_markdown(
    report: Report, problems: Sequence[Remark] = (), analysis: Analysis | None = None, lang: Lang = "pl"
) -> str:
    """The report without its items; the analysis is computed when it is not given."""
    found = document(report, lang, problems, analysis)
    parts = [f"# {prose(found.title)}", *_head(found)]
    for section in found.sections:
        parts += _section(section)
    return "\n\n".join(parts) + "\n"


def code(text: str, in_table: bool = False) -> str:
    """A text as a code span, whatever backticks it holds."""
    if not text:
        return ""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.strip(" ") and (text[0] in " `" or text[-1] in " `") else ""
    # A table takes its bars before anything else is read, even in code.
    inner = text.replace("|", "\\|") if in_table else text
    return f"{fence}{pad}{inner}{pad}{fence}"


def prose(text: str) -> str:
    """A sentence in which nothing is markup, HTML or a link."""
    parts: list[str] = []
    start = 0
    for match in _LINKED.finditer(text):
        parts += [_escaped(text[start : match.start()]), f"`{match.group()}`"]
        start = match.end()
    return "".join([*parts, _escaped(text[start:])])


def _escaped(text: str) -> str:
    harmless = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\g<0>", harmless)


def _head(found: Document) -> list[str]:
    lang = found.lang
    problems = "\n".join(f"- **{prose(severity)}**: {prose(message)}" for severity, message in found.problems)
    return [
        f"- {say('gold', lang)}: {code(found.gold)}\n- {say('signature', lang)}: {code(found.signature)}",
        say("signature.note", lang),
        f"## {say('problems', lang)}",
        problems or say("problems.none", lang),
    ]


def _section(section: Section) -> list[str]:
    parts = [f"## {prose(section.title)}"]
    for table in section.tables:
        if table.caption != section.title:
            parts.append(f"### {prose(table.caption)}")
        parts.append(_table(table))
    return [*parts, *map(prose, section.notes)]


def _table(table: Table) -> str:
    head = [prose(column.title) for column in table.columns]
    rows = [head, [_rule(column) for column in table.columns]]
    rows += [[_cell(cell, place in table.strong) for cell in row] for place, row in enumerate(table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _rule(column: Column) -> str:
    return "---:" if column.number else "---"


def _cell(cell: str, strong: bool) -> str:
    text = code(cell, in_table=True) if isinstance(cell, Foreign) else prose(cell)
    return f"**{text}**" if strong and text else text
