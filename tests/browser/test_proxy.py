"""Behind a proxy under a sub-path, uploads and downloads work (gradio-app/gradio #7659, #8587)."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from browsing import evaluate, open_evaluate
from playwright.sync_api import Browser, expect
from running_app import free_port, running
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

PREFIX = "/polqa"
HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "content-encoding", "keep-alive"}


@contextmanager
def proxy(target: str) -> Iterator[str]:
    """A reverse proxy that serves the target under the prefix, streaming both ways."""
    client = httpx.AsyncClient(base_url=target, timeout=60)

    async def forward(request: Request) -> StreamingResponse:
        headers = {name: value for name, value in request.headers.items() if name != "host"}
        headers |= {"x-forwarded-host": request.headers["host"], "accept-encoding": "identity"}
        path = request.url.path.removeprefix(PREFIX) or "/"
        outgoing = client.build_request(
            request.method, httpx.URL(path, query=request.url.query.encode()), headers=headers, content=request.stream()
        )
        answer = await client.send(outgoing, stream=True)

        async def body() -> AsyncIterator[bytes]:
            async for chunk in answer.aiter_raw():
                yield chunk
            await answer.aclose()

        kept = {name: value for name, value in answer.headers.items() if name not in HOP_BY_HOP}
        return StreamingResponse(body(), answer.status_code, kept)

    methods = ["GET", "POST", "HEAD"]
    routes = [Route(PREFIX, forward, methods=methods), Route(PREFIX + "/{rest:path}", forward, methods=methods)]
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.05)
    yield f"http://127.0.0.1:{port}{PREFIX}"
    server.should_exit = True
    thread.join(10)


def test_uploads_and_downloads_under_a_sub_path(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path, GRADIO_ROOT_PATH=PREFIX) as app, proxy(app.url) as address:
        page = browser.new_context(locale="pl-PL", accept_downloads=True).new_page()
        outside: list[str] = []
        page.on("request", lambda request: outside.append(request.url) if not request.url.startswith(address) else None)
        page.goto(f"{address}/")
        open_evaluate(page)
        page.locator("#files input[type=file]").set_input_files(
            {"name": "tak.txt", "mimeType": "text/plain", "buffer": b"tak\n" * 136}
        )
        expect(page.locator("#files .file")).to_have_count(1)
        page.wait_for_timeout(500)
        evaluate(page)
        expect(page.locator("#scores .pq-value")).to_have_count(1)
        with page.expect_download() as download:
            page.get_by_text("Pobierz CSV").click()
        assert "question_id" in Path(download.value.path()).read_text(encoding="utf-8-sig")
        assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []
