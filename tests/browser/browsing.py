"""What a person does on the page, for the browser tests."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Request, expect

SERVED_SECONDS = 60
File = Path | tuple[str, bytes]
OpenPage = Callable[..., Page]


def served(page: Page, action: Callable[[], object]) -> None:
    """Does something that sends an event to the server, and waits until the server has ended it."""
    ended: list[str] = []

    def note(request: Request) -> None:
        if "/queue/data" in request.url:
            ended.append(request.url)

    page.on("requestfinished", note)
    page.on("requestfailed", note)
    action()
    end = time.monotonic() + SERVED_SECONDS
    while not ended:
        assert time.monotonic() < end, "the server did not end the event"
        page.wait_for_timeout(20)
    page.remove_listener("requestfinished", note)
    page.remove_listener("requestfailed", note)
    # The page draws what has come.
    page.wait_for_timeout(150)


def ask(page: Page, question: str) -> None:
    """Types a question and sends it by Enter."""
    box = page.locator("#question textarea")
    box.fill(question)
    served(page, lambda: box.press("Enter"))


def open_evaluate(page: Page) -> None:
    """Goes to the second tab."""
    page.get_by_role("tab", name="Oceń").or_(page.get_by_role("tab", name="Evaluate")).filter(visible=True).click()
    page.locator("#evaluate").wait_for()


def evaluate(page: Page) -> None:
    """Presses "Oceń" and waits for the result or the refusal."""
    served(page, lambda: page.locator("#evaluate").click())


def choose_files(page: Page, *files: File, field: str = "#files") -> None:
    """Gives files (paths, or a name with its content) by the file chooser."""
    given: list[Any] = [
        str(file) if isinstance(file, Path) else {"name": file[0], "mimeType": "text/csv", "buffer": file[1]}
        for file in files
    ]
    # The events of a new file are over when the old result is gone.
    with page.expect_response(lambda response: "/run/predict" in response.url):
        page.locator(f"{field} input[type=file]").set_input_files(given)
    expect(page.locator(f"{field} .file-preview, {field} .file")).not_to_have_count(0)
    page.wait_for_timeout(150)


def try_sample(page: Page, name: str) -> None:
    """Presses one of the buttons with predictions to the embedded set, and waits for its files."""
    with page.expect_response(lambda response: "/run/predict" in response.url):
        page.locator("#tries").get_by_role("button", name=name).click()
    expect(page.locator("#files .file")).not_to_have_count(0)
    page.wait_for_timeout(250)


def open_part(page: Page, name: str) -> Locator:
    """Opens one of the folded parts behind the score; its content, once it is there."""
    served(page, page.locator(f"#{name}-box button").first.click)
    part = page.locator(f"#{name}")
    expect(part).not_to_have_text("")
    return part


def headline(page: Page) -> Locator:
    """The big numbers of the result."""
    return page.locator("#scores .pq-value")


def cells(page: Page, column: int) -> list[str]:
    """The texts of one column of the table of items, as far as it is drawn."""
    return page.locator("#items .virtual-row").evaluate_all(
        "(rows, column) => rows.map(row => row.children[column].innerText.trim())", column
    )


def clear_files(page: Page) -> None:
    """Empties the box of predictions."""
    button = page.locator("#files [aria-label='Clear'], #files [aria-label='Wyczyść']")
    if button.count():
        with page.expect_response(lambda response: "/run/predict" in response.url):
            button.first.click()
        expect(page.locator("#files .file")).to_have_count(0)
