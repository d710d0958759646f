"""The layout of SQuAD, PoQuAD and their kin: articles of paragraphs of questions -> the questions, one object each.

Source: Rajpurkar et al., SQuAD (arXiv 1606.05250, 1806.03822); Tuora et al., PoQuAD (K-CAP 2023), whose questions have
no ids and whose answers are spans with a generated form beside them.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from polqa_demo.submissions.problems import refuse


def is_article(item: object) -> bool:
    """Whether an object is an article with paragraphs."""
    return isinstance(item, dict) and isinstance(item.get("paragraphs"), list)


def article_questions(articles: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """`(number of the question, its object)`, in the order of the file.

    :raises Refused: an item that is no article with questions
    """
    number = 0
    for place, article in articles:
        for question in _questions(place, article):
            number += 1
            yield number, question


def _questions(place: int, article: Any) -> Iterator[dict[str, Any]]:
    paragraphs = article["paragraphs"] if is_article(article) else [None]
    for paragraph in paragraphs:
        questions = paragraph.get("qas") if isinstance(paragraph, dict) else None
        if not isinstance(questions, list) or not all(isinstance(question, dict) for question in questions):
            raise refuse(
                "bad-squad",
                f"Artykuł {place} pliku w układzie SQuAD nie zawiera akapitów (paragraphs) z pytaniami (qas).",
                f"Article {place} of a file in SQuAD's layout holds no paragraphs with questions (qas).",
                lines=[place],
            )
        yield from questions
