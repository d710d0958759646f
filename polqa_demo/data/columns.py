"""The names under which the columns of a file are known: one table for questions, gold, answers, rankings and corpora.

It holds in CSV, JSON, parquet and workbooks alike. Names are compared in lower case, with hyphens and blanks as
underscores; where a file has several names of one column, the first of the list is believed.
"""

import re
from dataclasses import dataclass

from polqa_demo.errors import Bilingual


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds, and the names that others give it."""

    meaning: Bilingual
    names: tuple[str, ...]


# `docno` before `docid`: where both stand, the second is a row number of an index.
_PASSAGE_IDS = (
    "passage_id",
    "pid",
    "docno",
    "docid",
    "doc_id",
    "document_id",
    "id_fragmentu",
    "corpus_id",
    "wikipedia_id",
    "psg_id",
)

COLUMNS: dict[str, Column] = {
    "question_id": Column(
        Bilingual("identyfikator pytania", "the question's id"),
        ("question_id", "qid", "q_id", "id", "_id", "id_pytania", "query_id", "example_id", "topic_id", "questionid"),
    ),
    "question": Column(
        Bilingual("tekst pytania", "the question's text"),
        ("question", "pytanie", "text", "query", "question_text", "user_input", "input"),
    ),
    "golds": Column(
        Bilingual("złote odpowiedzi", "the gold answers"),
        ("answers", "golds", "odpowiedzi", "golden_answers", "gold_answers", "possible_answers", "reference_answers"),
    ),
    # What a system said goes before `answer`, which may as well be the gold.
    "prediction": Column(
        Bilingual("odpowiedź systemu", "what a system answered"),
        (
            "prediction",
            "predicted_answer",
            "pred",
            "predykcja",
            "prediction_text",
            "response",
            "generated_answer",
            "model_answer",
            "model_output",
            "generated_text",
            "final_answer",
            "extracted_answer",
            "parsed_answer",
            "short_answer",
            "prediction_clean",
            "output",
            "predictions",
            "predicted",
            "model_response",
            "llm_answer",
            "llm_response",
            "system_answer",
            "completion",
            "generation",
            "hypothesis",
            "odpowiedz_modelu",
            "odpowiedź_modelu",
        ),
    ),
    "answer": Column(
        Bilingual("odpowiedź, systemu albo złota", "an answer, a system's or the gold"),
        ("answer", "odpowiedz", "odpowiedź"),
    ),
    "passage_id": Column(
        Bilingual("identyfikator fragmentu", "the passage's id"),
        _PASSAGE_IDS,
    ),
    "passages": Column(
        Bilingual("lista fragmentów", "a list of passages"),
        (
            "passage_ids",
            "passages",
            "ctxs",
            "hits",
            "contexts",
            "ranking",
            "results",
            "retrieval_result",
            "retrieved_contexts",
            "retrieved_ids",
            "doc_ids",
            "docids",
            "pids",
        ),
    ),
    "positives": Column(
        Bilingual("złote fragmenty, obok innych", "the gold passages, beside others"),
        ("positive_ctxs", "positive_passages"),
    ),
    "score": Column(
        Bilingual("wynik, większy lepszy", "a score, the higher the better"),
        ("score", "wynik", "sim", "similarity", "_score", "relevance_score", "retrieval_score"),
    ),
    # Of rankings alone: beside golds these are no grades.
    "model_score": Column(
        Bilingual("wynik modelu, większy lepszy", "what a model scores, the higher the better"),
        ("rerank_score", "bm25", "logit", "prob", "probability"),
    ),
    # Words of many meanings, scores and places only in pairs of a question and a passage without any other number.
    "loose_score": Column(
        Bilingual("wynik, jeśli nie ma innego", "a score where there is no other"),
        ("value",),
    ),
    "loose_rank": Column(
        Bilingual("pozycja, jeśli nie ma innej", "a place where there is no other"),
        ("order", "place", "idx"),
    ),
    "scores": Column(
        Bilingual("wyniki listy fragmentów, w jej kolejności", "the scores of a list of passages, in its order"),
        ("scores", "wyniki"),
    ),
    "distances": Column(
        Bilingual("odległości listy fragmentów, w jej kolejności", "the distances of a list of passages, in its order"),
        ("distances", "dists", "odległości", "odleglosci"),
    ),
    "distance": Column(
        Bilingual("odległość, mniejsza lepsza", "a distance, the smaller the better"),
        ("distance", "dist", "odległość", "odleglosc", "cosine_distance", "l2"),
    ),
    "rank": Column(
        Bilingual("pozycja od 1", "a place from 1"),
        ("rank", "pozycja", "position", "_rank", "rang", "miejsce"),
    ),
    # Of rankings alone: elsewhere the part of speech, or the positive.
    "short_rank": Column(Bilingual("pozycja od 1 w rankingu", "a place from 1 in a ranking"), ("pos",)),
    # `label` is a grade only beside a passage id.
    "grade": Column(
        Bilingual("ocena trafności", "a judgement of relevance"),
        ("relevant", "relevance", "trafny", "grade", "rel", "label"),
    ),
    # SQuAD's mark of a question that its passage does not answer.
    "impossible": Column(Bilingual("pytanie bez odpowiedzi", "a question without an answer"), ("is_impossible",)),
    # Of a corpus, where a passage's own id may be called `id`.
    "corpus_passage_id": Column(
        Bilingual("identyfikator fragmentu w korpusie", "the passage's id in a corpus"),
        (
            "id",
            "_id",
            *_PASSAGE_IDS,
        ),
    ),
    "title": Column(Bilingual("tytuł fragmentu", "the passage's title"), ("title", "tytuł", "tytul", "passage_title")),
    # Of a corpus; anywhere else `text` is a question.
    "passage": Column(
        Bilingual("tekst fragmentu", "the passage's text"), ("text", "contents", "tekst", "passage_text", "body")
    ),
}


def names_of(*columns: str) -> tuple[str, ...]:
    """All names of some columns, the ones to believe first first.

    :raises KeyError: no such column
    """
    return tuple(name for column in columns for name in COLUMNS[column].names)


def plain_name(column: str) -> str:
    """A column's name as it is compared: trimmed, lower case, hyphens and blanks as underscores."""
    return re.sub(r"[\s-]+", "_", column.strip().strip("\ufeff").lower())
