"""A table of Markdown (`| id | answer |` above `|---|---|`) -> rows of cells."""

import re
from collections.abc import Iterator

from polqa_demo.submissions.encodings import TextFile
from polqa_demo.submissions.findings import Row

_RULE = re.compile(r"\s*+\|?\s*+:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*+\|?\s*+")
_BAR = re.compile(r"(?<!\\)\|")


def is_markdown(first: str, second: str) -> bool:
    """Whether the first two lines are a header with bars and the rule below it."""
    return "|" in first and "|" in second and bool(_RULE.fullmatch(second))


def markdown_rows(text: TextFile) -> Iterator[Row]:
    """`(line number, cells)` of the header and the rows below it, without the rule."""
    ruled = False
    with text.open() as lines:
        for number, line in enumerate(lines, 1):
            if not ruled and _RULE.fullmatch(line) and "|" in line:
                ruled = True
                continue
            inside = line.strip("\ufeff \t\r\n").removeprefix("|")
            inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
            yield number, [cell.strip().replace("\\|", "|") for cell in _BAR.split(inside)]
