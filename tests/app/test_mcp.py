"""The endpoints as MCP tools, as the official SDK sees them, at the address of the README."""

import asyncio
import json
import shutil
import subprocess
import threading
from collections.abc import Callable
from typing import Any

import httpx
import jsonschema
import pytest
from gradio_client import Client
from running_app import ROOT, RunningApp, running
from test_http import PARAMETERS, QUESTION, answers_csv

SLASHED, PLAIN = "/gradio_api/mcp/", "/gradio_api/mcp"
INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"


def mcp_session(url: str, use: Callable[[Any], Any]) -> Any:
    """What `use` gives for a session with an MCP server; in a thread, for pytest's may run a loop already."""
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async def talk() -> Any:
        async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
            await session.initialize()
            return await use(session)

    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(asyncio.run(talk())))
    thread.start()
    thread.join(60)
    assert results, "the MCP session gave nothing"
    return results[0]


def called(app: RunningApp, tool: str, path: str = PLAIN, **arguments: object) -> Any:
    return mcp_session(f"{app.url}{path}", lambda session: session.call_tool(tool, arguments))


def test_the_readme_names_an_address_that_works(app: RunningApp) -> None:
    assert PLAIN in (ROOT / "README.md").read_text(encoding="utf-8")
    for path in (PLAIN, SLASHED):
        tools = mcp_session(f"{app.url}{path}", lambda session: session.list_tools()).tools
        assert {tool.name for tool in tools} == set(PARAMETERS)


def test_the_address_without_a_slash_is_answered_there(app: RunningApp) -> None:
    """A redirect would be to http where TLS ends before the app."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"accept": "application/json, text/event-stream"}
    sent = httpx.post(f"{app.url}{PLAIN}", json=body, headers=headers, follow_redirects=False)
    assert sent.status_code == 200
    assert '"outputSchema"' in sent.text


def test_tools_are_described(app: RunningApp) -> None:
    for tool in mcp_session(f"{app.url}{PLAIN}", lambda session: session.list_tools()).tools:
        assert len(tool.description) > 20
        properties = tool.inputSchema["properties"]
        assert list(properties) == PARAMETERS[tool.name]
        for name, schema in properties.items():
            assert len(schema.get("description", "")) > 10, f"{tool.name}: {name} is not described"
        assert tool.inputSchema["required"] == PARAMETERS[tool.name][:1]
        assert tool.annotations.readOnlyHint is True
        assert tool.annotations.destructiveHint is False
        for schema in (tool.inputSchema, tool.outputSchema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ask", {"question": QUESTION}),
        ("ask", {"question": "日本の首都はどこですか"}),
        ("retrieve", {"question": QUESTION, "top_k": 2}),
        ("score", {"predictions": answers_csv(7)}),
        ("score", {"predictions": "", "lang": "pl"}),
        ("compare", {"runs": {"good": answers_csv(20), "bad": answers_csv(2)}}),
        ("compare", {"runs": {}}),
    ],
)
def test_results_are_what_http_gives_as_json_and_by_the_schema(
    app: RunningApp, client: Client, tool: str, arguments: dict[str, object]
) -> None:
    result = called(app, tool, **arguments)
    assert not result.isError
    text = json.loads(result.content[0].text)
    expected = client.predict(**arguments, api_name=f"/{tool}")
    if tool == "ask":
        assert text.pop("timings").keys() == expected.pop("timings").keys()
        result.structuredContent.pop("timings")
    assert text == expected
    assert result.structuredContent == (text if isinstance(text, dict) else {"result": text})
    # The SDK's client has validated it against the tool's schema as well.


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("ask", {}, "question is missing"),
        ("ask", {"question": ""}, "Wpisz pytanie"),
        ("ask", {"question": None}, "a text"),
        ("ask", {"question": 5}, "a text"),
        ("ask", {"question": "ż" * 5000}, "5000"),
        ("ask", {"question": QUESTION, "top_k": "x"}, "whole number"),
        ("ask", {"question": QUESTION, "top_k": True}, "whole number"),
        ("ask", {"question": QUESTION, "top_k": 0}, "between 1 and 100"),
        ("ask", {"question": QUESTION, "reader": "nope"}, "no reader"),
        ("ask", {"question": QUESTION, "nope": 1}, "no parameter nope"),
        ("retrieve", {"question": [QUESTION]}, "a text"),
        ("score", {"predictions": "tak", "gold": "../../etc/passwd"}, "polqa-demo-sample/test"),
        ("score", {"predictions": "tak", "rule": "nope"}, "one of: "),
        ("compare", {"runs": "tak"}, "texts by name"),
        ("compare", {"runs": {"a": None}}, "a text"),
        ("nope", {}, "known: ask"),
    ],
)
def test_a_refusal_is_a_message(app: RunningApp, tool: str, arguments: dict[str, object], reason: str) -> None:
    before = len(app.printed())
    result = called(app, tool, **arguments)
    assert result.isError
    assert reason in result.content[0].text
    assert app.printed()[before:] == ""


def test_requests_that_are_none_leave_no_lines_in_the_log(app: RunningApp) -> None:
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    before = len(app.printed())
    for body in (
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"jsonrpc": "2.0", "id": 1, "method": "nope"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask", "arguments": []}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}',
    ):
        sent = httpx.post(f"{app.url}{PLAIN}", content=body, headers=headers)
        assert '"error"' in sent.text
    assert app.printed()[before:] == ""


def test_an_operator_can_leave_it_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    with running(tmp_path_factory.mktemp("closed"), POLQA_MCP="0") as closed:
        assert httpx.post(f"{closed.url}{PLAIN}", json={}).status_code in (404, 405)


@pytest.mark.heavy
def test_the_inspectors_command_line(app: RunningApp, client: Client) -> None:
    """The protocol's own debugging client; npx fetches it."""
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("npx is not installed")

    def inspected(*arguments: str) -> Any:
        command = [npx, "--yes", INSPECTOR, "--cli", f"{app.url}{PLAIN}", "--transport", "http", *arguments]
        ended = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=True)
        return json.loads(ended.stdout)

    assert {tool["name"] for tool in inspected("--method", "tools/list")["tools"]} == set(PARAMETERS)
    asked = ("--tool-arg", f"question={QUESTION}", "--tool-arg", "top_k=2")
    found = inspected("--method", "tools/call", "--tool-name", "retrieve", *asked)
    assert json.loads(found["content"][0]["text"]) == client.predict(QUESTION, 2, api_name="/retrieve")
    assert found["structuredContent"]["result"] == json.loads(found["content"][0]["text"])
