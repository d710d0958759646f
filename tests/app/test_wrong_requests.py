"""Wrong requests get a status from 400 on and the reason; neither a traceback nor a flood of lines is logged."""

import json
import socket

import httpx
import pytest
from running_app import RunningApp

JSON = {"content-type": "application/json"}
# By place, as /call and /run take it: the body and a part of the reason.
BY_PLACE: list[tuple[object, int, str]] = [
    (b"", 400, "JSON"),
    (b"{", 400, "JSON"),
    (b"\xff\xfe", 400, "JSON"),
    (b'{"data":["\xff"]}', 400, "JSON"),
    (b'{"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400, "JSON"),
    (b'{"data":["Kto?",' + b"9" * 10_000 + b"]}", 400, "JSON"),
    (b"null", 422, "JSON object"),
    (b'"Kto?"', 422, "JSON object"),
    ([], 422, "JSON object"),
    ({}, 422, "data"),
    ({"data": None}, 422, "data"),
    ({"data": {}}, 422, "data"),
    ({"data": "Kto?"}, 422, "data"),
    ({"question": "Kto?"}, 422, "/gradio_api/call/v2/ask"),
    ({"data": ["Kto?"], "nope": 1}, 422, "nope"),
    ({"data": []}, 422, "question is missing"),
    ({"data": [None]}, 422, "a text"),
    ({"data": [5]}, 422, "a text"),
    ({"data": [True]}, 422, "a text"),
    ({"data": [["Kto?"]]}, 422, "a text"),
    ({"data": [{"path": "/etc/passwd"}]}, 422, "a text"),
    ({"data": [{"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}]}, 422, "a text"),
    ({"data": [""]}, 422, "Wpisz pytanie"),
    ({"data": ["\x00\x1b"]}, 422, "Wpisz pytanie"),
    (b'{"data":["\\ud800"]}', 422, "question"),
    ({"data": ["ż" * 2001]}, 422, "2001"),
    ({"data": ["Kto?", "x"]}, 422, "whole number"),
    ({"data": ["Kto?", 2.5]}, 422, "whole number"),
    (b'{"data":["Kto?",NaN]}', 422, "whole number"),
    ({"data": ["Kto?", True]}, 422, "whole number"),
    ({"data": ["Kto?", False]}, 422, "whole number"),
    ({"data": ["Kto?", 0]}, 422, "between 1 and 100"),
    ({"data": ["Kto?", 10**30]}, 422, "between 1 and 100"),
    ({"data": ["Kto?", 10, "nope"]}, 422, "no retriever"),
    ({"data": ["Kto?", 10, "lexical", "nope"]}, 422, "no reader"),
    ({"data": ["Kto?", 10, "auto", "auto", 1]}, 422, "5 values"),
    ({"data": ["Kto?"], "session_hash": 5}, 422, "session_hash"),
]
BY_NAME: list[tuple[object, str]] = [
    ({}, "question is missing"),
    ({"nope": 1}, "no parameter nope"),
    ({"question": "Kto?", "nope": 1}, "no parameter nope"),
    ({"data": ["Kto?"]}, "no parameter data"),
    ({"question": None}, "a text"),
    ({"question": "Kto?", "top_k": None}, "whole number"),
    ({"question": "Kto?", "top_k": True}, "whole number"),
    ({"question": "Kto?", "retriever": 7}, "a text"),
]


def refused(app: RunningApp, path: str, body: object, status: int, reason: str) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    before = len(app.printed())
    answer = httpx.post(f"{app.url}/gradio_api/{path}", content=content, headers=JSON, timeout=30)
    assert answer.status_code == status, answer.text
    assert reason in answer.text
    assert "passwd" not in answer.text
    assert app.printed()[before:] == ""


@pytest.mark.parametrize(("body", "status", "reason"), BY_PLACE, ids=range(len(BY_PLACE)))
def test_values_by_place(app: RunningApp, body: object, status: int, reason: str) -> None:
    for path in ("call/ask", "run/ask", "api/ask", "call/ask/"):
        refused(app, path, body, status, reason)


@pytest.mark.parametrize(("body", "reason"), BY_NAME, ids=range(len(BY_NAME)))
def test_values_by_name(app: RunningApp, body: object, reason: str) -> None:
    refused(app, "call/v2/ask", body, 422, reason)


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("call/v2/score", {"predictions": "tak", "gold": "nope"}, "polqa-demo-sample/test"),
        ("call/v2/score", {"predictions": "tak", "gold": None}, "a text"),
        ("call/v2/score", {"predictions": "tak", "rule": "nope"}, "one of: "),
        ("call/v2/compare", {"runs": {"a": 5}}, "a text"),
        ("call/v2/compare", {"runs": ["a"]}, "texts by name"),
        ("call/v2/retrieve", {"question": "Kto?", "top_k": 101}, "between 1 and 100"),
    ],
)
def test_the_other_endpoints(app: RunningApp, path: str, body: object, reason: str) -> None:
    refused(app, path, body, 422, reason)


def test_unknown_endpoints_and_those_of_the_page(app: RunningApp) -> None:
    for path in ("call/nope", "call/v2/nope", "run/nope", "api/evaluate", "call/evaluate", "call/v2/evaluate"):
        refused(app, path, {"data": []} if "v2" not in path else {}, 404, "ask, retrieve, score, compare")


def test_events_by_number(app: RunningApp) -> None:
    for path in ("queue/join", "run/predict"):
        for number in (99_999, -1, "0", True, [0], {}):
            refused(app, path, {"data": [], "fn_index": number, "session_hash": "s"}, 422, "fn_index")
        refused(app, path, {"data": [], "fn_index": 0, "session_hash": "s"}, 422, "values in data")
    refused(app, "queue/join", {"data": [], "session_hash": "s"}, 422, "fn_index")


def test_results_that_are_not_there(app: RunningApp) -> None:
    before = len(app.printed())
    for path in ("call/ask/nope", "call/v2/ask/nope", "queue/data?session_hash=nope"):
        answer = httpx.get(f"{app.url}/gradio_api/{path}", timeout=30)
        assert answer.status_code == 404
        assert "no such event" in answer.json()["detail"]
    assert app.printed()[before:] == ""


def test_a_number_beside_a_call_does_not_change_what_is_called(app: RunningApp) -> None:
    """Gradio takes the number for stronger than the name."""
    for path in ("call/ask", "call/v2/ask"):
        body = {"question": "Kto?"} if "v2" in path else {"data": ["Kto?"], "fn_index": 0}
        sent = httpx.post(f"{app.url}/gradio_api/{path}", json=body)
        assert sent.status_code == 200
        stream = httpx.get(f"{app.url}/gradio_api/call/ask/{sent.json()['event_id']}", timeout=60).text
        assert json.loads(stream.split("data: ", 1)[1])[0]["question"] == "Kto?"


def test_defaults_stand_for_values_left_out_at_the_end(app: RunningApp) -> None:
    for path in ("run/ask", "api/ask"):
        answer = httpx.post(f"{app.url}/gradio_api/{path}", json={"data": ["Kto?", 3]}, timeout=60)
        assert answer.status_code == 200
        assert answer.json()["data"][0]["question"] == "Kto?"


TOO_LONG = "a" * (4 << 20)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("call/v2/score", {"predictions": TOO_LONG * 2}),
        ("run/score", {"data": [TOO_LONG * 2]}),
        # The sum counts.
        ("call/v2/compare", {"runs": {"a": TOO_LONG, "b": TOO_LONG}}),
        ("queue/join", {"data": [TOO_LONG * 2], "fn_index": 0, "session_hash": "s"}),
        ("mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"predictions": TOO_LONG * 2}}),
        ("mcp/messages/", {"predictions": TOO_LONG * 2}),
    ],
)
def test_texts_beyond_the_limit(small_app: RunningApp, path: str, body: object) -> None:
    content = json.dumps(body).encode()

    def in_parts() -> "object":
        yield from (content[start : start + 65_536] for start in range(0, len(content), 65_536))

    for given in (content, in_parts()):
        answer = httpx.post(f"{small_app.url}/gradio_api/{path}", content=given, headers=JSON, timeout=60)
        assert answer.status_code == 413
        assert all(
            part in answer.json()["detail"] for part in ("6 MB", "POLQA_MAX_TEXT_MB", "Upload a file", "Prześlij")
        )


def test_a_text_that_is_too_long_is_refused_by_its_head_alone(app: RunningApp) -> None:
    """By default, too: a hundred megabytes are announced, and none is sent."""
    port = int(app.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sent:
        head = (
            f"POST /gradio_api/call/v2/score HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {100 << 20}\r\n\r\n"
        )
        sent.sendall(head.encode())
        assert b" 413 " in sent.recv(100)


def test_a_text_within_the_limit_of_requests_has_that_of_a_file(small_app: RunningApp) -> None:
    within = json.dumps({"predictions": "a" * (2 << 20)}).encode()
    answer = httpx.post(f"{small_app.url}/gradio_api/call/v2/score", content=within, headers=JSON, timeout=60)
    assert answer.status_code == 422
    assert "1048576" in answer.json()["detail"]
