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


def open_part(page: Page, name: str, box: str = "") -> Locator:
    """Opens one of the folded parts behind the score; its content, once it is there. `box` is the part it lies in."""
    served(page, page.locator(f"#{box or name}-box button").first.click)
    part = page.locator(f"#{name}")
    expect(part).not_to_have_text("")
    return part


def headline(page: Page) -> Locator:
    """The big numbers of the result."""
    return page.locator("#scores .pq-value")


def cells(page: Page, column: int) -> list[str]:
    """The texts of one column of the table of items, on the page that is shown."""
    return page.locator("#items tbody tr").evaluate_all(
        "(rows, column) => rows.map(row => row.children[column].innerText.trim())", column
    )


def show_items(page: Page, name: str) -> None:
    """Chooses a filter of the table of items by its name (its count follows) and waits for the table."""
    page.locator("#items-filter input").click()
    served(page, page.get_by_role("option", name=name).click)


def open_item(page: Page, row: int = 0) -> Locator:
    """Presses the question of a row; the detail, once it is there."""
    button = page.locator("#items .pq-open").nth(row)
    name = button.get_attribute("data-id")
    button.click()
    expect(page.locator("#item [data-item]")).to_have_attribute("data-item", name or "")
    return page.locator("#item")


def clear_files(page: Page) -> None:
    """Empties the box of predictions."""
    button = page.locator("#files [aria-label='Clear'], #files [aria-label='Wyczyść']")
    if button.count():
        with page.expect_response(lambda response: "/run/predict" in response.url):
            button.first.click()
        expect(page.locator("#files .file")).to_have_count(0)
