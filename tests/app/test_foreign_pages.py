"""The running app and requests of pages that are none of its own."""

from collections.abc import Iterator

import httpx
import pytest
from running_app import RunningApp, running

EVIL = "http://evil.example"
MCP = {"accept": "application/json, text/event-stream"}


def asks(app: RunningApp, **headers: str) -> list[int]:
    """The statuses of a question by each door, sent with these headers."""
    api = f"{app.url}/gradio_api"
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "ask", "arguments": {"question": "?"}},
    }
    answers = [
        httpx.post(f"{api}/call/ask", json={"data": ["Kto?"]}, headers=headers),
        httpx.post(f"{api}/call/v2/ask", json={"question": "Kto?"}, headers=headers),
        httpx.post(f"{api}/upload", files={"files": ("a.csv", b"a")}, headers=headers),
        httpx.post(f"{api}/mcp", json=call, headers=MCP | headers),
    ]
    return [answer.status_code for answer in answers]


def sends(app: RunningApp, **headers: str) -> list[httpx.Response]:
    """Everything that changes something, or costs something, sent with these headers."""
    body = {"data": ["Kto?"]}
    event = {"data": [], "fn_index": 0, "session_hash": "x"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    api = f"{app.url}/gradio_api"
    return [
        httpx.post(f"{api}/call/ask", json=body, headers=headers),
        httpx.post(f"{api}/call/v2/ask", json={"question": "Kto?"}, headers=headers),
        httpx.post(f"{api}/run/ask", json=body, headers=headers),
        httpx.post(f"{api}/queue/join", json=event, headers=headers),
        httpx.post(f"{api}/upload", files={"files": ("a.csv", b"a")}, headers=headers),
        httpx.post(f"{api}/mcp", json=call, headers=MCP | headers),
        httpx.post(f"{api}/mcp/", json=call, headers=MCP | headers),
        httpx.post(f"{api}/mcp/messages/", json=call, headers=headers),
        httpx.get(f"{api}/mcp/sse", headers=headers),
        httpx.post(f"{api}/cancel", json={}, headers=headers),
        httpx.post(f"{app.url}/login", data={"username": "a"}, headers=headers),
    ]


@pytest.mark.parametrize("origin", [EVIL, "null", "http://localhost:1", "https://huggingface.co"])
def test_a_foreign_page_may_send_nothing(app: RunningApp, origin: str) -> None:
    for answer in sends(app, origin=origin):
        assert answer.status_code == 403, answer.url
        assert "POLQA_ALLOWED_HOSTS" in answer.json()["detail"]
        assert "nie może nic wysyłać" in answer.json()["detail"]


def test_its_own_page_and_scripts_may(app: RunningApp) -> None:
    for headers in ({}, {"origin": app.url}, {"origin": app.url.replace("127.0.0.1", "localhost")}):
        assert asks(app, **headers) == [200] * 4


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "0.0.0.0", "localhost:7899@evil"])
def test_another_host_gets_nothing(app: RunningApp, host: str) -> None:
    for path in ("/", "/config", "/gradio_api/info", "/gradio_api/mcp/schema", "/assets/x.js"):
        answer = httpx.get(f"{app.url}{path}", headers={"host": host})
        assert answer.status_code == 403
        assert "POLQA_ALLOWED_HOSTS" in answer.text
    for answer in sends(app, host=host, origin=f"http://{host}"):
        assert answer.status_code == 403
    page = httpx.get(app.url, headers={"host": host, "accept": "text/html"})
    assert page.headers["content-type"].startswith("text/plain")
    assert page.text.startswith("Aplikacja nie odpowiada")


def test_a_header_of_the_proxy_opens_nothing_to_a_page(app: RunningApp) -> None:
    """A page of another origin may set it; the name must be one that the app answers to."""
    forged = {"origin": EVIL, "x-forwarded-host": "evil.example"}
    assert {answer.status_code for answer in sends(app, **forged)} == {403}


def test_a_proxy_that_puts_its_own_host_passes_the_name_on(app: RunningApp) -> None:
    passed = {"origin": "http://localhost:9000", "x-forwarded-host": "localhost:9000"}
    assert asks(app, **passed) == [200] * 4


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """An app in a container, as a Space runs it."""
    settings = {"GRADIO_SERVER_NAME": "0.0.0.0", "SPACE_HOST": "owner-name.hf.space"}
    with running(tmp_path_factory.mktemp("public"), **settings) as started:
        yield started


def test_in_a_container_any_host_is_answered_and_foreign_pages_are_not(public: RunningApp) -> None:
    for headers in (
        {"host": "whatever.example"},
        {"host": "whatever.example", "origin": "https://whatever.example"},
        {"host": "10.0.0.7:7860", "origin": "https://owner-name.hf.space"},
        {"host": "10.0.0.7:7860", "origin": "https://qa.example", "x-forwarded-host": "qa.example"},
    ):
        assert asks(public, **headers) == [200] * 4
    for answer in sends(public, host="owner-name.hf.space", origin="https://huggingface.co"):
        assert answer.status_code == 403
    assert "Traceback" not in public.printed()


def test_a_container_whose_hosts_are_named(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = {"GRADIO_SERVER_NAME": "0.0.0.0", "POLQA_ALLOWED_HOSTS": "qa.example.org,*.lab.example.org"}
    with running(tmp_path_factory.mktemp("named"), **settings) as named:
        for host in ("qa.example.org", "x.lab.example.org", "127.0.0.1"):
            assert httpx.get(f"{named.url}/config", headers={"host": host}).status_code == 200
        assert httpx.get(f"{named.url}/config", headers={"host": "whatever.example"}).status_code == 403
        assert asks(named, origin="https://qa.example.org") == [200] * 4
        assert {answer.status_code for answer in sends(named, origin=EVIL)} == {403}
