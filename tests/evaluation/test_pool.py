"""Unjudged passages that hold an answer, as rows for annotators."""

import csv
import io

from polqa_demo.data.polqa import COLUMNS, parse_answers
from polqa_demo.evaluation.pool import pool
from polqa_demo.records import Passage, Question, Ranking
from polqa_demo.submissions.gold import read_gold

QUESTION = Question("7", "Nad czym leży Kraków?", ("nad Wisłą", "Wisła"), {"question_type": "SINGLE ENTITY"})
PASSAGES = {
    "1-0": Passage("1-0", "Kraków", "Kraków leży nad Wisłą."),
    "2-0": Passage("2-0", "Odra", "Wrocław leży nad Odrą."),
    "3-0": Passage("3-0", "Wisła", "Najdłuższa rzeka Polski."),
    "4-0": Passage("4-0", "Tczew", 'Miasto nad Wisłą, "Sambora"\ndruga linia.'),
}


def test_only_unjudged_holders_among_the_first_are_rows() -> None:
    rankings = {"7": Ranking("7", ("1-0", "2-0", "2-0", "3-0", "gone", "4-0"))}
    rows = pool([QUESTION], rankings, {"7": {"1-0"}}, PASSAGES.get, "test", depth=4)
    assert [(row.passage.id, row.rank, row.held) for row in rows] == [("3-0", 3, "nad Wisłą")]
    deeper = pool([QUESTION], rankings, {}, PASSAGES.get)
    assert [(row.passage.id, row.rank) for row in deeper] == [("1-0", 1), ("3-0", 3), ("4-0", 5)]


def test_questions_without_gold_or_ranking_have_no_rows() -> None:
    rankings = {"8": Ranking("8", ("1-0",))}
    assert pool([QUESTION, Question("8", "?")], rankings, {}, PASSAGES.get) == ()


def test_rows_are_polqas_own_columns_and_can_be_read_back() -> None:
    rankings = {"7": Ranking("7", ("4-0", "1-0"))}
    rows = [row.columns() for row in pool([QUESTION], rankings, {}, PASSAGES.get, "test")]
    assert [tuple(row) for row in rows] == [COLUMNS, COLUMNS]
    first = rows[0]
    assert (first["relevant"], first["annotated_by"], first["passage_source"]) == ("", "", "pool")
    assert parse_answers(first["answers"]) == QUESTION.answers
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    back = read_gold(out.getvalue().encode(), "pool.csv")
    assert back.questions == (QUESTION,)
    # What nobody has judged yet is no judgement; once annotated it is one.
    assert back.judgements == ()
    annotated = [row | {"relevant": "True"} for row in rows]
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerows(annotated)
    back = read_gold(out.getvalue().encode(), "pool.csv")
    assert [item.passage_id for item in back.judgements] == ["4-0", "1-0"]
    assert {item.source for item in back.judgements} == {"pool"}
