"""Passage ids of PolQA's corpus as addresses of Polish Wikipedia."""

import re

# `42609-0`: the article's id and the index of the passage.
_PASSAGE = re.compile(r"([1-9][0-9]{0,9})-[0-9]+", re.ASCII)


def article_id(passage_id: str) -> str | None:
    """The article id in a passage id, digits only; None when the id has another form."""
    match = _PASSAGE.fullmatch(passage_id)
    return match[1] if match else None
