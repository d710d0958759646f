"""How many bodies with large texts are held at once, by the order of events."""

import asyncio
from types import SimpleNamespace
from typing import Any

from polqa_demo.ui.request_bodies import AT_ONCE, LARGE, RequestBodies

HANGS = 60


class _Answering:
    """An app that answers when it may, and knows how many requests it holds."""

    def __init__(self) -> None:
        self.held = self.most = self.answered = 0
        self.may = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        assert len(body) == scope["size"]
        self.held += 1
        self.most = max(self.most, self.held)
        await self.may.wait()
        self.held -= 1
        self.answered += 1


def _request(size: int, events: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    blocks = SimpleNamespace(_queue=SimpleNamespace(event_ids_to_events=events))
    parts = [b"x" * (size // 2), b"x" * (size - size // 2)]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": parts.pop(), "more_body": bool(parts)}

    app = SimpleNamespace(get_blocks=lambda: blocks)
    scope = {"type": "http", "method": "POST", "path": "/gradio_api/call/score", "headers": [], "app": app}
    return {**scope, "size": size}, receive


async def _send(message: Any) -> None:
    raise AssertionError(message)


async def _held(sizes: list[int], events: dict[str, Any]) -> tuple[int, int]:
    """How many requests of these sizes are held when no more come in, and how many are answered in the end."""
    app = _Answering()
    bodies = RequestBodies(app, 32)
    sent = [asyncio.create_task(bodies(*_request(size, events), _send)) for size in sizes]
    # As often as it takes a request to come in, with more than enough to spare.
    for _ in range(1000):
        await asyncio.sleep(0)
    most = app.most
    app.may.set()
    events.clear()
    await asyncio.wait_for(asyncio.gather(*sent), HANGS)
    return most, app.answered


def test_so_many_large_bodies_at_once_and_the_others_wait() -> None:
    assert asyncio.run(_held([LARGE + 1] * (AT_ONCE + 3), {})) == (AT_ONCE, AT_ONCE + 3)


def test_small_bodies_do_not_wait() -> None:
    assert asyncio.run(_held([LARGE] * (AT_ONCE + 3), {})) == (AT_ONCE + 3, AT_ONCE + 3)


def test_large_texts_in_the_queue_count() -> None:
    data = SimpleNamespace(data=[{"a": "x" * LARGE, "b": "x"}])
    events = {str(number): SimpleNamespace(data=data) for number in range(AT_ONCE - 1)}
    assert asyncio.run(_held([LARGE + 1] * 3, events)) == (1, 3)
