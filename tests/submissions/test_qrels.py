"""Judgements without a header, in JSON, and the golds that look like them."""

import json

import pytest

from polqa_demo.data.polqa import gold_passages
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.gold import GoldKind, read_gold
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.ranked_ids import RankedIds, ranked_ids


def gold(
    text: str,
    kind: GoldKind | None = None,
    run: str = "",
    questions: tuple[Question, ...] | None = None,
) -> GoldSet:
    return read_gold(text.encode(), "g.txt", kind, questions, lambda: ranked_ids(run.encode(), "r") if run else None)


def codes(found: GoldSet) -> list[str]:
    return [remark.code for remark in found.remarks]


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("q1 0 MED-10 2\nq1 0 MED-14 0\nq2 0 MED-118 1\n", {"q1": ("MED-10",), "q2": ("MED-118",)}),
        ("201\t0\tD59\t1\n201\t0\tD60\t1\n202\t0\tD70\t1\n", {"201": ("D59", "D60"), "202": ("D70",)}),
        ("7\tQ0\t462221#4\t1\n8\tQ0\t5#0\t1\n", {"7": ("462221#4",), "8": ("5#0",)}),
        ("# from the pool\n7 0 a-1 1\n\n# end\n8 0 b-2 0\n", {"7": ("a-1",)}),
        ("\n".join(f"q{n} ITER Grunwald 1" for n in range(6)), {f"q{n}": ("Grunwald",) for n in range(6)}),
        ("q1 1 doc1 1\nq1 2 doc2 0\nq2 3 doc3 2\n", {"q1": ("doc1",), "q2": ("doc3",)}),
        ("7 0 Grunwald 1\n", {"7": ("Grunwald",)}),
        ("201\tMED-1-1\t1\n201\tMED-1-0\t1\n202\tMED-2-0\t0\n", {"201": ("MED-1-1", "MED-1-0")}),
        ("q1 doc1 1\nq2 doc2 1\n", {"q1": ("doc1",), "q2": ("doc2",)}),
        ("bitwa\t12-3\t1\nrzeka\t4-0\t1\n", {"bitwa": ("12-3",), "rzeka": ("4-0",)}),
        ("1000000\t0\t1929699\t1\n1000007\t0\t3733888\t-1\n", {"1000000": ("1929699",)}),
    ],
)
def test_judgements_are_known_by_their_columns(text: str, passages: dict[str, tuple[str, ...]]) -> None:
    found = gold(text)
    assert gold_passages(found) == passages
    assert codes(found)[0] == "gold-qrels"
    assert found.recognised["gold"].form == "qrels"
    assert "oceny" in found.recognised["gold"].say("pl")
    assert ("(#)" in found.remarks[0].message.en) == ("#" in text and "Q0" not in text)


@pytest.mark.parametrize(
    "lines",
    [
        # Golds of PolEval 2021 that end with a number: three, four, with years, with digits everywhere.
        ["dwa\tdwoje\t2", "trzy\ttroje\t3"],
        ["trzech\ttroje\ttrzy\t3", "dwóch\tdwoje\tdwa\t2"],
        ["trzech\ttroje\ttrzy\t3", "trojga\ttroje\ttrzech\t3"],
        ["w XIX\t19\t1900", "w XX\t20\t2000"],
        ["XIX\t19\t19", "XX\t20\t20"],
        ["Pirx\tpilot Pirx\t1944", "Solaris\tocean\t1961"],
        ["Apollo 11\tApollo\t11", "Sojuz 4\tSojuz\t4"],
        ["siedem\t7", "osiem\t8"],
        ["201 pokoi", "202 pokoje"],
    ],
)
def test_golds_that_end_with_numbers_are_no_judgements(lines: list[str]) -> None:
    found = gold("\n".join(lines) + "\n")
    assert [question.answers for question in found.questions] == [tuple(line.split("\t")) for line in lines]
    assert found.judgements == ()
    assert found.recognised["gold"].form == "golds"
    assert set(codes(found)) <= {"maybe-qrels"}


def test_what_has_the_columns_of_judgements_is_told_with_the_option() -> None:
    found = gold("trzech\ttroje\ttrzy\t3\ndwóch\tdwoje\tdwa\t2\n")
    assert [(remark.code, remark.severity) for remark in found.remarks] == [("maybe-qrels", "warning")]
    assert "--gold-kind" in found.remarks[0].message.pl
    assert gold("q1 0 d1 1\nq2 0 d2 1\n", "answers").questions[0].answers == ("q1 0 d1 1",)


@pytest.mark.parametrize("text", ["201\t1-1\n201\t1-0\n202\t2-0\n", "a\tGrunwald\na\tWisła\nb\tLalka\n"])
def test_pairs_need_somebody_who_says_so(text: str) -> None:
    rows = [line.split("\t") for line in text.splitlines()]
    run = "".join(f"{question} Q0 {passage} 1 9 x\n" for question, passage in rows)
    found = gold(text, run=run)
    assert [(item.question_id, item.passage_id) for item in found.judgements] == [tuple(row) for row in rows]
    assert (codes(found), found.recognised["gold"].form) == (["gold-qrels"], "pairs")
    # Alone, or beside a ranking of other questions, they are what they were: gold of line n.
    for other in ("", "zz Q0 9-9 1 9 x\n"):
        assert [question.id for question in gold(text, run=other).questions] == ["1", "2", "3"]


def test_pairs_by_the_kind_and_by_the_ids_of_the_questions() -> None:
    text = "201\t1-1\n201\t1-0\n202\t2-0\n"
    wanted = {"201": ("1-1", "1-0"), "202": ("2-0",)}
    assert gold_passages(gold(text, "passages")) == wanted
    words = "a\tGrunwald\na\tWisła\nb\tLalka\n"
    asked = (Question("a", "Kto?"), Question("b", "Gdzie?"))
    assert gold_passages(gold(words, "passages", questions=asked)) == {"a": ("Grunwald", "Wisła"), "b": ("Lalka",)}
    # Two or three passages of each line, as PolEval 2022 has them, are no pairs and no judgements.
    assert gold_passages(gold("12-3\t4-5\n6-7\t8-9\n", "passages")) == {"1": ("12-3", "4-5"), "2": ("6-7", "8-9")}
    assert gold_passages(gold("511\t512\t513\n7\t8\t9\n", "passages"))["1"] == ("511", "512", "513")
    assert gold_passages(gold("7\t512\t1\n8\t513\t0\n", "passages")) == {"7": ("512",)}


def test_what_was_said_stands_in_the_signature() -> None:
    assert gold("q1 0 d1 1\nq2 0 d2 0\n", "answers").policies == {"gold-kind": "answers"}
    assert gold("a\tb\n", "answers").policies == {}
    assert gold("a\tb\n").policies == {}


def test_judgements_in_json() -> None:
    found = gold(json.dumps({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1.0}, "q3": {}}))
    assert gold_passages(found) == {"q1": ("d1",), "q2": ("d1",)}
    assert [question.id for question in found.questions] == ["q1", "q2", "q3"]
    assert len(found.judgements) == 3
    # Objects of fields, and SQuAD's places of answers, are none.
    found = gold(json.dumps({"1": {"question": "Kto?", "answers": ["ja"]}, "2": {"answers": {"text": ["ty"]}}}))
    assert [(item.id, item.text, item.answers) for item in found.questions] == [
        ("1", "Kto?", ("ja",)),
        ("2", "", ("ty",)),
    ]


def test_lists_under_ids_are_passages_when_somebody_says_so() -> None:
    text = json.dumps({"1": ["1410", "1411"], "2": ["966"]})
    assert [question.answers for question in gold(text).questions] == [("1410", "1411"), ("966",)]
    assert gold_passages(gold(text, "passages")) == {"1": ("1410", "1411"), "2": ("966",)}


def test_ids_of_a_ranking_in_every_form() -> None:
    wanted = RankedIds(frozenset(("1", "2")), frozenset(("a", "b")))
    forms = [
        "1 Q0 a 1 9 x\n2 Q0 b 1 8 x\n",
        "qid\tpid\tscore\n1\ta\t9\n2\tb\t8\n",
        '{"question_id": 1, "passage_ids": ["a"]}\n{"question_id": 2, "passages": [{"id": "b"}]}\n',
        '{"1": {"a": 9.0}, "2": {"b": 8.0}}',
        '{"1": ["a"], "2": ["b"]}',
        "1\ta\n2\tb\n",
    ]
    for text in forms:
        assert ranked_ids(text.encode(), "r") == wanted, text
    assert ranked_ids(b"PK\x03\x04", "r") is None


def test_a_ranking_in_the_place_of_the_gold() -> None:
    with pytest.raises(Refused) as caught:
        gold("1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n")
    assert caught.value.code == "gold-is-ranking"
    found = gold("qid\tpid\tscore\trank\n1\ta\t9\t1\n")
    assert [(remark.code, remark.severity) for remark in found.remarks] == [
        ("gold-with-ranks", "warning"),
        ("graded-gold", "note"),
    ]


@pytest.mark.parametrize(
    ("header", "passage"),
    [
        ("qid,docno,label", "a"),
        ("q_id,doc_id,score", "a"),
        ("query-id,corpus-id,score", "a"),
        ("topic_id,docno,grade", "a"),
        ("question_id,passage_id,label", "a"),
    ],
)
def test_columns_of_judgements_under_the_names_of_others(header: str, passage: str) -> None:
    found = gold(f"{header}\n1,a,2\n1,b,0\n")
    assert gold_passages(found) == {"1": (passage,)}


def test_the_number_of_an_index_is_no_passage_and_a_label_alone_no_grade() -> None:
    found = gold("qid,docid,docno,label\n1,77,a,1\n1,78,b,0\n")
    assert [item.passage_id for item in found.judgements] == ["a", "b"]
    rows = '{"qid": 1, "docid": 77, "docno": "a", "label": 1}\n'
    assert [item.passage_id for item in gold(rows).judgements] == ["a"]
    labelled = gold("question_id,question,answers,label\n1,Kto?,['ja'],kultura\n")
    assert labelled.questions[0].answers == ("ja",)


@pytest.mark.parametrize(
    "rows",
    [
        "id,query_id,docid,docno,score\n1,q7,3,D-1,2\n2,q7,4,D-2,1\n3,q9,5,D-3,1\n",
        "".join(
            f'{{"id": {n}, "query_id": "{key}", "docid": {n + 2}, "docno": "{one}", "score": 1}}\n'
            for n, (key, one) in enumerate((("q7", "D-1"), ("q7", "D-2"), ("q9", "D-3")), 1)
        ),
        '{"id": 1, "query_id": "q7", "hits": [{"id": 3, "docno": "D-1"}, {"id": 4, "docno": "D-2"}]}\n'
        '{"id": 2, "query_id": "q9", "hits": [{"id": 5, "docno": "D-3"}]}\n',
        '{"0": {"query_id": "q7", "hits": ["D-1", "D-2"]}, "1": {"query_id": "q9", "hits": ["D-3"]}}',
    ],
)
def test_the_ids_of_a_ranking_that_has_several(rows: str) -> None:
    found = ranked_ids(rows.encode(), "run")
    assert found is not None
    assert found.questions == {"q7", "q9"}
    assert found.passages >= {"D-1", "D-2", "D-3"}
