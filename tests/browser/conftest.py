"""Chromium and the app, one of each for all tests of this folder; a page that forbids every foreign request."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browsing import OpenPage, served
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright
from running_app import RunningApp, running

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
VIEWS: dict[str, dict[str, Any]] = {
    "wide": {"locale": "pl-PL", "viewport": {"width": 1280, "height": 900}},
    "phone": {"locale": "pl-PL", "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "dark": {"locale": "en-US", "viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The app on the embedded sample. At the end of the session its log must hold no traceback."""
    with running(tmp_path_factory.mktemp("app")) as started:
        yield started
        assert "Traceback" not in started.printed(), started.printed()


# What is expected comes in a second; a busy machine may take longer, and how long is not what these tests are about.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield started
        started.close()


class Watch:
    """What a page must not do: ask another host, complain on its console, throw, or open a dialog."""

    def __init__(self, page: Page, url: str, allowed: str) -> None:
        self.url = url
        self.allowed = allowed
        self.faults: list[str] = []
        page.on("request", self._request)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._fault(f"error: {error}"))
        page.on("dialog", self._dialog)

    def _fault(self, what: str) -> None:
        if not (self.allowed and self.allowed in what):
            self.faults.append(what)

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self._fault(f"request: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._fault(f"console: {message.text} ({message.location.get('url')})")

    def _dialog(self, dialog: Any) -> None:
        self._fault(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture
def open_page(browser: Browser, app: RunningApp) -> Iterator[OpenPage]:
    """`open_page(view, query, url, allowed)`: a loaded page in a context of its own, watched to the test's end.

    `allowed` is a part of the one fault that the test is about.
    """
    watches: list[Watch] = []
    with ExitStack() as contexts:

        def open_view(view: str = "wide", query: str = "", url: str = "", allowed: str = "") -> Page:
            context = browser.new_context(accept_downloads=True, **VIEWS[view])
            contexts.callback(context.close)
            context.set_default_timeout(30_000)
            page = context.new_page()
            watches.append(Watch(page, url or app.url, allowed))
            # The load event fills fields and puts labels into the page's language.
            served(page, lambda: page.goto((url or app.url) + "/" + query))
            page.locator("#question textarea").wait_for(state="attached")
            return page

        yield open_view
    faults = [fault for watch in watches for fault in watch.faults]
    assert not faults, faults


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The wide Polish page."""
    return open_page("wide")
