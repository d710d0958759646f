"""The endpoints as scripts of others call them: /ask, /retrieve, /score, and the same as MCP tools."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError
from running_app import RunningApp

from polqa_demo.data.polqa import gold_passages
from polqa_demo.submissions.gold import load_gold

QUESTION = "Kto napisał „Lalkę”?"
JSON = {"content-type": "application/json"}
TEST = "polqa-demo-sample/test"
GOLD = load_gold("polqa-demo-sample/test")
READ_AS = ["unanswerable", "duplicates", "form", "header", "quotes", "answer_column"]
PARAMETERS = {
    "ask": ["question", "top_k", "retriever", "reader"],
    "retrieve": ["question", "top_k", "retriever"],
    "score": ["predictions", "gold", "kind", "rule", "gold_source", "lang", *READ_AS],
    "compare": ["runs", "gold", "rule", "gold_source", "lang", *READ_AS],
}


def answers_csv(right: int, gold: Any = GOLD) -> str:
    """Answers of which the first `right` are a gold answer, and the rest match nothing: no gold is of this letter."""
    lines = [
        json.dumps({"question_id": question.id, "answer": question.answers[0] if at < right else "qqqqqqqqqq"})
        for at, question in enumerate(gold.questions)
    ]
    return "\n".join(lines)


def refusal(call: Callable[[], object]) -> str:
    """The message of a call that the app refuses in its own words, in both languages and without a server path."""
    with pytest.raises(AppError) as caught:
        call()
    message = str(caught.value)
    assert "verbose error reporting" not in message
    assert " / " in message
    for leak in ("site-packages", "/tmp", "/home", "Traceback", ".py"):
        assert leak not in message
    return message


def test_only_these_endpoints_are_public(app: RunningApp, client: Client) -> None:
    shown = client.view_api(return_format="dict", print_info=False)
    assert set(shown["named_endpoints"]) == {"/ask", "/retrieve", "/score", "/compare"}
    assert not shown["unnamed_endpoints"]
    for name, endpoint in shown["named_endpoints"].items():
        parameters = endpoint["parameters"]
        assert [part["parameter_name"] for part in parameters] == PARAMETERS[name[1:]]
        assert [part["parameter_has_default"] for part in parameters] == [False] + [True] * (len(parameters) - 1)
    paths = httpx.get(f"{app.url}/openapi.json").text
    assert "evaluate" not in paths
    assert "handle" not in paths


def test_ask(client: Client) -> None:
    asked = client.predict(QUESTION, api_name="/ask")
    assert set(asked) == {"question", "answer", "confidence", "passage_id", "start", "end", "passages", "timings"}
    assert asked["question"] == QUESTION
    assert 0 <= asked["confidence"] <= 1
    assert [part["rank"] for part in asked["passages"]] == list(range(1, len(asked["passages"]) + 1))
    assert 1 <= len(asked["passages"]) <= 10
    assert all(value >= 0 for value in asked["timings"].values())


def test_answers_are_slices_of_their_passage(client: Client) -> None:
    spans = 0
    for question in GOLD.questions[:25]:
        asked = client.predict(question.text, api_name="/ask")
        texts = {part["id"]: part["text"] for part in asked["passages"]}
        if asked["start"] is not None:
            spans += 1
            assert texts[asked["passage_id"]][asked["start"] : asked["end"]] == asked["answer"]
        elif asked["answer"]:
            assert asked["passage_id"] is None or asked["passage_id"] in texts
    assert spans, "no answer at all was a span"


def test_retrieve_gives_what_ask_reads(client: Client) -> None:
    found = client.predict(QUESTION, 3, api_name="/retrieve")
    assert len(found) == 3
    assert set(found[0]) == {"rank", "id", "title", "text", "score"}
    assert found == client.predict(QUESTION, 3, api_name="/ask")["passages"]
    scores = [part["score"] for part in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("count", [1, 100])
def test_bounds_of_top_k_are_allowed(client: Client, count: int) -> None:
    assert 1 <= len(client.predict("Jak nazywa się stolica?", count, api_name="/retrieve")) <= count


@pytest.mark.parametrize("count", [0, -1, 101, 1000, 2.5, True, "x", None, [5]])
def test_wrong_top_k(client: Client, count: object) -> None:
    for endpoint in ("/ask", "/retrieve"):
        assert "number" in refusal(lambda name=endpoint: client.predict(QUESTION, count, api_name=name))


def test_nan_as_top_k(app: RunningApp) -> None:
    # No client can send it; a hand-written request can.
    sent = httpx.post(f"{app.url}/gradio_api/call/v2/ask", content='{"question": "Kto?", "top_k": NaN}', headers=JSON)
    assert sent.status_code == 422
    assert "whole number" in sent.json()["detail"]


def raw(app: RunningApp, name: str, body: str) -> str:
    """The event stream of a request as curl sends it, arguments by name."""
    sent = httpx.post(f"{app.url}/gradio_api/call/v2/{name}", content=body, headers=JSON)
    assert sent.status_code == 200, sent.text
    return httpx.get(f"{app.url}/gradio_api/call/{name}/{sent.json()['event_id']}", timeout=60).text


def test_plain_http_with_defaults(app: RunningApp) -> None:
    stream = raw(app, "ask", json.dumps({"question": QUESTION}))
    assert "event: complete" in stream
    assert json.loads(stream.split("data: ", 1)[1])[0]["question"] == QUESTION


@pytest.mark.parametrize(
    ("question", "part"),
    [("", "Wpisz pytanie"), ("  \n\t", "Wpisz pytanie"), ("\x00\x01\x1b", "Wpisz pytanie"), ("ż" * 10_000, "10000")],
)
def test_questions_that_are_none(client: Client, question: str, part: str) -> None:
    assert part in refusal(lambda: client.predict(question, api_name="/ask"))
    assert part in refusal(lambda: client.predict(question, api_name="/retrieve"))


@pytest.mark.parametrize(
    "question", ["Who wrote The Doll?", "日本の首都はどこですか", "🙂🙂", "' OR 1=1 --", "a" * 2000]
)
def test_questions_in_no_polish_are_answered_or_not(client: Client, question: str) -> None:
    asked = client.predict(question, api_name="/ask")
    assert asked["answer"] == "" or asked["passages"]


def test_control_characters_are_taken_out(client: Client) -> None:
    asked = client.predict("Kto\x00 napisał\x1b „Lalkę”?\n", api_name="/ask")
    assert asked["question"] == QUESTION


@pytest.mark.parametrize("value", [None, 5, ["a"], {"path": "/etc/passwd"}, {"path": "x", "url": "http://x"}])
@pytest.mark.parametrize("name", ["ask", "retrieve", "score"])
def test_first_argument_of_a_wrong_type(client: Client, name: str, value: object) -> None:
    message = refusal(lambda: client.predict(value, api_name=f"/{name}"))
    assert PARAMETERS[name][0] in message
    assert "passwd" not in message


@pytest.mark.parametrize("name", ["nope", "", "../../etc/passwd", 7])
def test_unknown_retriever_and_reader(client: Client, name: object) -> None:
    assert "retriever" in refusal(lambda: client.predict(QUESTION, 10, name, api_name="/ask"))
    assert "reader" in refusal(lambda: client.predict(QUESTION, 10, "lexical", name, api_name="/ask"))


def test_score_of_answers(client: Client) -> None:
    for right in (0, 7, len(GOLD.questions)):
        found = client.predict(answers_csv(right), api_name="/score")
        assert found["schema_version"] == 1
        assert "rankings" not in found
        share = found["answers"]["fuzzy_match"]
        assert (share["correct"], share["n"]) == (right, len(GOLD.questions))
        assert share["value"] == pytest.approx(right / len(GOLD.questions))
        assert share["ci95"][0] <= share["value"] <= share["ci95"][1]
        assert [item["question_id"] for item in found["items"]] == [question.id for question in GOLD.questions]
        assert TEST in found["signature"]


def test_score_of_one_answer_a_line(client: Client) -> None:
    lines = "\n".join(question.answers[0] for question in GOLD.questions)
    assert client.predict(lines, TEST, api_name="/score")["answers"]["fuzzy_match"]["value"] == 1


def test_score_of_rankings(client: Client) -> None:
    passages = gold_passages(GOLD)
    rows = [
        f"{question}\t{passage}\t{-rank}\t{rank}"
        for question, found in passages.items()
        for rank, passage in enumerate(found, 1)
    ]
    found = client.predict("\n".join(["question-id\tpassage-id\tscore\trank", *rows]), api_name="/score")
    assert "answers" not in found
    assert found["rankings"]["accuracy@10"]["value"] == 1
    assert found["rankings"]["accuracy@10"]["n"] == sum(bool(ids) for ids in passages.values())
    assert found["rankings"]["ndcg@10"]["value"] == pytest.approx(1)


@pytest.mark.parametrize("split", ["valid", "train"])
def test_score_against_the_wrong_split(client: Client, split: str) -> None:
    other = load_gold(f"polqa-demo-sample/{split}")
    found = client.predict(answers_csv(len(other.questions), other), api_name="/score")
    assert "answers" not in found
    assert found["problems"][0]["severity"] == "error"
    right = client.predict(answers_csv(len(other.questions), other), f"polqa-demo-sample/{split}", api_name="/score")
    assert right["answers"]["fuzzy_match"]["value"] == 1


@pytest.mark.parametrize(
    "text", ["", " ", "\x00\x01\x02", '{"a":', "<html><body>", "PK\x03\x04", "a,b\n1,2\n", "ż" * 10_000]
)
def test_score_of_rubbish(client: Client, text: str) -> None:
    english = client.predict(text, api_name="/score")
    polish = client.predict(text, TEST, "auto", "poleval", "auto", "pl", api_name="/score")
    for found in (english, polish):
        assert "answers" not in found
        assert "rankings" not in found
        assert found["problems"][0]["severity"] == "error"
        assert "Traceback" not in json.dumps(found)
        assert "/tmp" not in json.dumps(found)
    assert english["problems"][0]["message"] != polish["problems"][0]["message"]


def test_what_is_known_of_a_file_can_be_said_and_stands_in_the_signature(client: Client) -> None:
    ids = [question.id for question in GOLD.questions]
    rows = "".join(f"{key}\ta\t3\n{key}\tb\t2\n" for key in ids)
    scored = client.predict(rows, kind="rankings", form="ranks", api_name="/score")
    assert "|form:ranks|" in scored["signature"]
    right = [question.answers[0] if question.answers else "x" for question in GOLD.questions]
    table = "question_id,mine,theirs\n" + "".join(f'{key},"{text}",q\n' for key, text in zip(ids, right, strict=True))
    for column, least in (("mine", 100), ("theirs", 0)):
        scored = client.predict(table, answer_column=column, api_name="/score")
        assert f"|answer-column:{column}|" in scored["signature"]
        assert (scored["answers"]["fuzzy_match"]["correct"] >= 100) == (least == 100)
    twice = f"{answers_csv(5)}\n{answers_csv(0)}"
    refused = client.predict(twice, api_name="/score")
    assert refused["problems"][0]["code"] == "duplicate-ids"
    assert client.predict(twice, duplicates="first", api_name="/score")["answers"]["fuzzy_match"]["correct"] == 5
    compared = client.predict({"a": twice, "b": answers_csv(2)}, duplicates="last", api_name="/compare")
    assert "|duplicates:last|" in compared["signature"]


@pytest.mark.parametrize(
    "gold", ["nope", "", "../../etc/passwd", "/etc/passwd", "http://127.0.0.1/x", "polqa-demo-sample/nope"]
)
def test_unknown_gold(client: Client, gold: str) -> None:
    assert TEST in refusal(lambda: client.predict("tak", gold, api_name="/score"))


@pytest.mark.parametrize("place", ["kind", "rule", "gold_source", "lang"])
@pytest.mark.parametrize("value", ["nope", "", None, 5])
def test_unknown_choices(client: Client, place: str, value: object) -> None:
    message = refusal(lambda: client.predict(predictions="tak", **{place: value}, api_name="/score"))
    assert place in message
    assert "one of: " in message


def test_rules_are_taken_and_named(client: Client) -> None:
    for rule in ("poleval", "readme", "card", "exact"):
        found = client.predict(answers_csv(9), TEST, "answers", rule, api_name="/score")
        assert found["rule"] == rule
        assert f"rule:{rule}" in found["signature"]
        assert found["answers"]["fuzzy_match"] == found["answers"]["rules"][rule]


def test_many_questions_at_once(client: Client) -> None:
    """Sessions do not mix: every question gets the answer that it gets alone."""
    questions = [question.text for question in GOLD.questions[30:38]]

    def ask(text: str) -> dict[str, Any]:
        asked: dict[str, Any] = client.predict(text, api_name="/ask")
        return {key: value for key, value in asked.items() if key != "timings"}

    alone = [ask(text) for text in questions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, questions)) == alone


def test_compare_names_the_better_run(client: Client) -> None:
    found = client.predict({"good": answers_csv(20), "bad": answers_csv(2)}, api_name="/compare")
    runs = {run["name"]: run["value"] for run in found["comparisons"][0]["runs"]}
    assert runs["good"] > runs["bad"]
    difference = found["comparisons"][0]["differences"][0]
    assert (difference["wins"], difference["losses"]) == (18, 0)
    alone = client.predict({"good": answers_csv(20)}, api_name="/compare")
    assert "comparisons" not in alone
    assert alone["problems"][0]["severity"] == "error"
