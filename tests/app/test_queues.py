"""Questions over HTTP: whose turn waits for whose, by the order of events, and the operator's number of passages."""

import json
from collections.abc import Iterator

import httpx
import pytest
from gradio_client import Client
from held_chat import HeldChat, chat_settings, held_chat
from running_app import RunningApp, running

QUESTION = "Ile pełnych tygodni ma rok?"
HELD = ("Kto napisał „Lalkę”?", "Gdzie leży Bombaj?")


@pytest.fixture(scope="module")
def chat() -> Iterator[HeldChat]:
    with held_chat() as server:
        yield server


@pytest.fixture(scope="module")
def slow_app(chat: HeldChat, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    folder = tmp_path_factory.mktemp("slow")
    with running(folder, POLQA_TOP_K="3", POLQA_MAX_TOP_K="5", **chat_settings(chat)) as app:
        yield app
        assert "Traceback" not in app.printed(), app.printed()


def test_nobody_waits_for_the_reader_of_another(slow_app: RunningApp, chat: HeldChat) -> None:
    calls = {}
    for question in HELD:
        sent = httpx.post(f"{slow_app.url}/gradio_api/call/v2/ask", json={"question": question})
        calls[question] = sent.json()["event_id"]
        chat.wait_for(question)
    visitor = Client(slow_app.url, verbose=False)
    assert visitor.predict(QUESTION, api_name="/retrieve")
    assert visitor.predict(QUESTION, 3, "auto", "rules", api_name="/ask")["passages"]
    gold = "polqa-demo-sample/test"
    assert visitor.predict("a", gold, api_name="/score")["problems"]
    visitor.close()
    for question, event in calls.items():
        chat.let_go(question, "odpowiedź")
        stream = httpx.get(f"{slow_app.url}/gradio_api/call/ask/{event}", timeout=60).text
        assert json.loads(stream.split("data: ", 1)[1].splitlines()[0])[0]["answer"] == "odpowiedź"


@pytest.mark.parametrize("name", ["ask", "retrieve"])
def test_who_names_no_number_of_passages_gets_the_operators(slow_app: RunningApp, name: str) -> None:
    visitor = Client(slow_app.url, verbose=False)
    more = {"reader": "rules"} if name == "ask" else {}
    found = visitor.predict(QUESTION, **more, api_name=f"/{name}")
    shown = visitor.view_api(return_format="dict", print_info=False)["named_endpoints"][f"/{name}"]["parameters"]
    visitor.close()
    assert len(found["passages"] if name == "ask" else found) == 3
    assert next(one["parameter_default"] for one in shown if one["parameter_name"] == "top_k") == 3
