"""The layouts of PolEval 2021 (task 4, question answering) and 2022 (passage retrieval), read line by line.

They are tab-parted, never quoted: a reader of CSV breaks on them. Line n of one file belongs to line n of the other.
"""

import re

from polqa_demo.records import Judgement

# `12-3` (Wikipedia), `2002_423_129b` (legal), `511` (Allegro FAQ).
PASSAGE_ID = re.compile(r"\d+-\d+|\d+_\w+|\d+")
# What stands before the questions of 2022, in place of ids.
DOMAINS = frozenset(("wiki-trivia", "legal-questions", "allegro-faq"))


def passage_golds(lines: list[str]) -> tuple[Judgement, ...]:
    """`expected.tsv` of 2022: ids of the relevant passages of each line; question ids are line numbers from 1."""
    return tuple(
        Judgement(str(number), passage_id, grade=1)
        for number, line in enumerate(lines, 1)
        for passage_id in dict.fromkeys(cell.strip() for cell in line.split("\t"))
        if passage_id
    )


def looks_like_passage_ids(lines: list[str]) -> bool:
    """Every cell of every non-blank line looks like a passage id, so the file holds passages, not answers."""
    cells = [cell.strip() for line in lines for cell in line.split("\t") if cell.strip()]
    return bool(cells) and all(PASSAGE_ID.fullmatch(cell) for cell in cells)
