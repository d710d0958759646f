"""Gold in the forms of other data sets: SQuAD, PoQuAD, KILT, FlashRAG, DPR, NQ-open; candidates that are no gold."""

import io
import json

import pandas as pd
import pytest

from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.gold import GoldKind, read_gold, read_gold_or_questions
from polqa_demo.submissions.problems import Refused

WANTED = (Question("7", "Kto?", ("ja", "my")), Question("8", "Gdzie?", ("tu",)))


def span(*texts: str) -> list[dict[str, object]]:
    return [{"text": text, "answer_start": 3, "answer_end": 5, "generative_answer": f"{text}!"} for text in texts]


def squad(*questions: dict[str, object], version: str = "2.0") -> dict[str, object]:
    half = len(questions) // 2
    paragraphs = [[{"context": "x", "qas": list(part)}] for part in (questions[:half], questions[half:])]
    return {"version": version, "data": [{"title": "T", "paragraphs": part} for part in paragraphs]}


def gold(value: object, kind: GoldKind | None = None, questions: tuple[Question, ...] | None = None) -> GoldSet:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return read_gold(text.encode(), "g.json", kind, questions)


def lines(*rows: dict[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def codes(found: GoldSet) -> list[str]:
    return [remark.code for remark in found.remarks]


@pytest.mark.parametrize("indent", [None, 2])
def test_squad_in_both_ways_of_writing(indent: int | None) -> None:
    value = squad(
        {
            "id": 7,
            "question": "Kto?",
            "answers": [{"text": "ja", "answer_start": 0}, {"text": "my", "answer_start": 2}],
        },
        {"id": "8", "question": "Gdzie?", "answers": [{"text": "tu", "answer_start": 0}], "is_impossible": False},
        {"id": "9", "question": "Kiedy?", "answers": [], "plausible_answers": span("wtedy"), "is_impossible": True},
        {"id": "10", "question": "Po co?", "answers": span("bo"), "is_impossible": True},
    )
    found = gold(json.dumps(value, indent=indent))
    assert found.questions == (*WANTED, Question("9", "Kiedy?"), Question("10", "Po co?"))
    assert found.unanswerable == {"9", "10"}
    assert (codes(found), found.recognised["gold"].form) == ([], "SQuAD")
    asked = read_gold_or_questions(json.dumps(value).encode(), "q.json")
    assert [(item.id, item.text) for item in asked.questions][:2] == [("7", "Kto?"), ("8", "Gdzie?")]


def test_poquad_has_no_ids_and_two_kinds_of_answers() -> None:
    value = squad(
        {"question": "Kto?", "answers": span("ja"), "is_impossible": False},
        {"question": "Gdzie?", "answers": span("tu", "tam")},
        {"question": "Kto?", "answers": span("inny")},
        {"question": "Kiedy?", "answers": [], "is_impossible": True},
    )
    found = gold(value)
    assert [(item.id, item.text, item.answers) for item in found.questions] == [
        ("1", "Kto?", ("ja", "ja!")),
        ("2", "Gdzie?", ("tu", "tu!", "tam", "tam!")),
        ("3", "Kto?", ("inny", "inny!")),
        ("4", "Kiedy?", ()),
    ]
    assert (codes(found), found.unanswerable) == (["numbered-questions"], {"4"})


@pytest.mark.parametrize(
    "value",
    [
        {"data": [{"title": "T", "paragraphs": [{"context": "x"}]}]},
        {"data": [{"title": "T", "paragraphs": [{"qas": ["Kto?"]}]}]},
        {"data": [{"paragraphs": [{"qas": []}]}, 7]},
    ],
)
def test_squad_without_questions_is_refused_by_its_article(value: object) -> None:
    with pytest.raises(Refused) as caught:
        gold(value)
    assert caught.value.code == "bad-squad"


@pytest.mark.parametrize("end", ["", ', "x": ', "]", "}}"])
def test_squad_that_is_cut_off_is_broken_json(end: str) -> None:
    whole = json.dumps(squad({"id": 7, "question": "Kto?", "answers": span("ja")}, {"id": 8, "question": "Ile?"}))
    with pytest.raises(Refused) as caught:
        gold(whole[:-1] + end if end != "}}" else whole[:-20])
    assert caught.value.code == "not-json"


def test_rows_under_the_key_data_and_articles_without_it() -> None:
    rows = [{"id": 7, "question": "Kto?", "answers": ["ja", "my"]}, {"id": 8, "question": "Gdzie?", "answers": ["tu"]}]
    assert gold({"version": 1, "data": rows}).questions == WANTED
    articles = squad({"id": 7, "question": "Kto?", "answers": span("ja")}, {"id": 8, "question": "Ile?", "answers": []})
    assert [item.id for item in gold(articles["data"]).questions] == ["7", "8"]
    # A question whose id is `data` is a question.
    assert gold({"data": ["ja"], "x": ["ty"]}).questions == (Question("data", "", ("ja",)), Question("x", "", ("ty",)))


@pytest.mark.parametrize(
    ("fields", "golds"),
    [
        (("id", "input"), {"output": [{"answer": "ja"}, {"answer": "my"}, {"provenance": [{"wikipedia_id": "1"}]}]}),
        (("id", "question"), {"golden_answers": ["ja", "my"], "metadata": {}}),
        (("id", "question"), {"possible_answers": '["ja", "my"]'}),
        (("example_id", "query"), {"answers": [{"text": "ja"}, {"text": "my"}]}),
        (("_id", "text"), {"answer": {"value": "ja", "aliases": ["my"]}}),
        (("q_id", "question"), {"gold_answers": "['ja' 'my']"}),
        (("query-id", "Question Text"), {"reference_answers": ["ja", "my"]}),
    ],
)
def test_fields_of_other_data_sets(fields: tuple[str, str], golds: dict[str, object]) -> None:
    assert gold(lines({fields[0]: 7, fields[1]: "Kto?", **golds})).questions == WANTED[:1]


def test_what_a_system_wrote_is_no_gold() -> None:
    for value in ("ja", ["ja", "my"]):
        found = gold(lines({"id": 7, "question": "Kto?", "output": value}))
        assert (found.questions[0].answers, codes(found)) == ((), ["no-golds"])
        assert "output" in found.remarks[0].message.en
    assert gold(lines({"id": 7, "prediction": "ty", "answers": ["ja"]})).questions[0].answers == ("ja",)


def test_objects_without_ids_are_numbered_and_join_by_text_or_line() -> None:
    text = lines({"question": "Kto?", "answer": ["ja"]}, {"question": "Gdzie?", "answer": ["tu"]})
    found = gold(text)
    assert [item.id for item in found.questions] == ["1", "2"]
    assert codes(found) == ["numbered-questions"]
    asked = (Question("b", " gdzie? "), Question("a", "Kto?"), Question("c", "Kiedy?"))
    joined = gold(text, questions=asked)
    assert {item.id: item.answers for item in joined.questions} == {"a": ("ja",), "b": ("tu",), "c": ()}
    short = gold(text, questions=(Question("a", "Kto?"),))
    assert (short.questions[0].answers, "gold-outside" in codes(short)) == (("ja",), True)
    # The same text twice: then lines decide, and must say the same.
    twice = lines({"question": "Kto?", "answer": ["ja"]}, {"question": "Kto?", "answer": ["tu"]})
    by_line = gold(twice, questions=(Question("2", "Kto?"), Question("1", "Kto?")))
    assert {item.id: item.answers for item in by_line.questions} == {"2": ("ja",), "1": ("tu",)}
    with pytest.raises(Refused) as caught:
        gold(twice, questions=(Question("2", "Kto?"), Question("1", "Gdzie?")))
    assert caught.value.code == "other-questions"


def test_an_id_that_only_some_objects_have_is_asked_for_with_the_fields_found() -> None:
    for rows in ([{"id": 1, "answers": ["a"]}, {"answers": ["b"], "tytuł": "x"}], [{"tytuł": "x", "answers": ["b"]}]):
        with pytest.raises(Refused) as caught:
            gold(lines(*rows))
        assert (caught.value.code, "tytuł" in caught.value.say("pl")) == ("missing-columns", True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Kto?\t['ja', 'my']\nGdzie?\t['tu']\n", ["question-golds", "numbered-questions"]),
        ("Kto?,\"['ja', 'my']\"\nGdzie?,['tu']\n", ["question-golds", "numbered-questions"]),
        ('7\tKto?\t["ja", "my"]\n8\tGdzie?\t[\'tu\']\n', ["question-golds"]),
        ("7;Kto?;['ja' 'my']\n8;Gdzie?;['tu']\n", ["question-golds", "numpy-lists"]),
    ],
)
def test_questions_with_lists_of_golds_and_no_header(text: str, told: list[str]) -> None:
    found = gold(text)
    assert [(item.text, item.answers) for item in found.questions] == [("Kto?", ("ja", "my")), ("Gdzie?", ("tu",))]
    assert [item.id for item in found.questions] == (["7", "8"] if text.startswith("7") else ["1", "2"])
    assert codes(found) == told


@pytest.mark.parametrize("text", ["['ja', 'my']\n['tu']\n", '["ja", "my"]\n["tu"]\n', "[['ja', 'my'], ['tu']]"])
def test_a_list_a_line_is_the_golds_of_the_line(text: str) -> None:
    found = gold(text.replace("'", '"') if text.startswith("[[") else text)
    assert [item.answers for item in found.questions] == [("ja", "my"), ("tu",)]


def test_a_table_without_ids() -> None:
    found = gold("pytanie;odpowiedzi\nKto?;['ja', 'my']\nGdzie?;['tu']\n")
    assert [(item.id, item.answers) for item in found.questions] == [("1", ("ja", "my")), ("2", ("tu",))]
    # Rows that judge passages are about one question as long as they ask the same.
    found = gold("question,answers,passage_id,relevant\nA?,['a'],1-0,True\nA?,['a'],1-1,False\nB?,['b'],2-0,True\n")
    assert [item.id for item in found.questions] == ["1", "2"]
    assert [(item.question_id, item.passage_id) for item in found.judgements] == [
        ("1", "1-0"),
        ("1", "1-1"),
        ("2", "2-0"),
    ]


def test_an_index_column_of_pandas_is_no_id() -> None:
    frame = pd.DataFrame({"question_id": [7, 8], "question": ["Kto?", "Gdzie?"], "answers": [["ja", "my"], ["tu"]]})
    assert gold(frame.to_csv()).questions == WANTED
    parquet = io.BytesIO()
    frame.to_parquet(parquet)
    assert read_gold(parquet.getvalue(), "g.parquet").questions == WANTED


@pytest.mark.parametrize("header", ["target", "label", "is_correct", "ocena"])
def test_candidates_that_were_judged_are_no_golds(header: str) -> None:
    rows = [("1", "Kto?", "Pierwszy tekst.", 1), ("1", "Kto?", "Inny tekst.", 0), ("2", "Gdzie?", "Trzeci.", 1)]
    frame = pd.DataFrame(rows, columns=["q_id", "question", "answer", header])
    forms = [
        frame.to_csv(index=False),
        frame.to_csv(index=False, sep="\t"),
        frame.to_json(orient="records", lines=True),
    ]
    for text in forms:
        with pytest.raises(Refused) as caught:
            gold(text)
        assert caught.value.code == "judged-answers"
        assert header in caught.value.say("pl")
        assert "--gold-kind answers" in caught.value.say("en")
        assert gold(text, "answers").questions[0].answers == ("Pierwszy tekst.", "Inny tekst.")


@pytest.mark.parametrize(
    "text",
    [
        # A flag of the questions, a column of ones, relevance of a passage, a lone number, a split.
        "id,question,answer,easy\n1,Kto?,ja,1\n2,Gdzie?,tu,0\n",
        "id,question,answer,label\n1,Kto?,ja,1\n2,Gdzie?,tu,1\n",
        "id,question,answer,passage_id,relevant\n1,Kto?,ja,1-0,1\n2,Gdzie?,tu,1-1,0\n",
        "id,question,answer,target\n1,Kto?,ja,7\n2,Gdzie?,tu,0\n",
        "id,question,answers,target\n1,Kto?,['ja'],1\n2,Gdzie?,['tu'],0\n",
        "id,question,answer,is_impossible\n1,Kto?,ja,0\n2,Gdzie?,,1\n",
        '{"id": 1, "question": "Kto?", "answer": "ja", "easy": true}\n{"id": 2, "answer": "tu", "easy": false}\n',
    ],
)
def test_golds_beside_other_columns_of_numbers(text: str) -> None:
    assert gold(text).questions[0].answers == ("ja",)


def test_an_id_and_an_answer_are_enough_in_every_form() -> None:
    for text in ("id,answer\n7,ja\n", "qid\todpowiedź\n7\tja\n", lines({"id": 7, "answer": "ja"})):
        found = gold(text)
        assert (found.questions[0].id, found.questions[0].answers, codes(found)) == ("7", ("ja",), ["single-golds"])


def test_refusals_list_all_that_was_found() -> None:
    columns = [f"kolumna_{number}" for number in range(30)]
    with pytest.raises(Refused) as caught:
        gold(",".join(["id", *columns]) + "\n" + ",".join("1" * 31) + "\n")
    assert all(column in caught.value.say("en") for column in columns)
    with pytest.raises(Refused) as caught:
        read_gold_or_questions(b"id,odpowiedz\n1,ja\n", "q.csv")
    assert caught.value.code == "missing-columns"
    assert "query" in caught.value.say("en")
    assert "gold" not in caught.value.say("en")
