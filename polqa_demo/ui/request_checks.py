"""Requests of the API are checked before Gradio sees them, which answers wrong ones with a traceback in the log."""

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from starlette.datastructures import Headers

from polqa_demo.errors import Bilingual, UserError, counted
from polqa_demo.ui.endpoint import Endpoint, endpoints_of
from polqa_demo.ui.hosts import refusal
from polqa_demo.ui.request_bodies import LARGE, replayed

_PATH = re.compile(r"/gradio_api/(call/v2|call|run|api|queue)/([^/]+)/?$")
# What may stand around the arguments (gradio.data_classes.PredictBody).
_ENVELOPE = frozenset(
    "session_hash event_id data oauth_token event_data fn_index trigger_id simple_format batched".split()
)
_STREAM = re.compile(r"/gradio_api/(?:call/(?:v2/)?[^/]+/([^/]+)|queue/data)$")
_NO_EVENT = Bilingual(
    "Nie ma takiego zdarzenia albo jego wynik już odebrano.",
    "There is no such event, or its result was fetched before.",
)


class Refused(Exception):
    """A request that gets nothing but a status and a reason."""

    def __init__(self, status: int, message: Bilingual) -> None:
        super().__init__(message.en)
        self.status, self.message = status, message


class RequestChecks:
    """ASGI middleware: a call of an endpoint that cannot succeed is refused with its reason (4xx).

    Arguments that have defaults may be left out at the end, wherever they are given by place. The page's own events,
    which come by number, must name an event that exists and bring its values.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Passes the request on, or answers with the refusal."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        if scope["method"] == "GET" and _is_unknown_stream(scope):
            return await refusal(404, _NO_EVENT, headers)(scope, receive, send)
        found = _PATH.search(scope["path"]) if scope["method"] == "POST" else None
        if found is None or (found[1] == "queue" and found[2] != "join"):
            return await self.app(scope, receive, send)
        try:
            # Bounded and in one piece: `RequestBodies` stands before.
            body = (await receive()).get("body", b"")
            check = partial(_checked, body, found[1], found[2], scope["app"].get_blocks())
            body = await run_sync(check) if len(body) > LARGE else check()
        except Refused as refused:
            return await refusal(refused.status, refused.message, headers)(scope, receive, send)
        except UserError as error:
            return await refusal(422, error.message, headers)(scope, receive, send)
        sizes = [(name, value) for name, value in scope["headers"] if name.lower() != b"content-length"]
        scope = scope | {"headers": [*sizes, (b"content-length", str(len(body)).encode())]}
        given = [body]
        del body, check
        return await self.app(scope, replayed(given, receive), send)


def _is_unknown_stream(scope: Any) -> bool:
    """Whether the results of an event or a session are asked for that Gradio has none of; it would break off."""
    found = _STREAM.search(scope["path"])
    if found is None:
        return False
    queue = scope["app"].get_blocks()._queue
    if found[1]:
        waiting = queue.pending_event_ids_session.values()
        return found[1] not in queue.event_ids_to_events and not any(found[1] in events for events in waiting)
    session = parse_qs(scope["query_string"].decode("latin-1")).get("session_hash")
    return session is not None and session[0] not in queue.pending_messages_per_session


def _checked(body: bytes, door: str, name: str, blocks: Any) -> bytes:
    """The body as Gradio may have it, with every argument in it.

    :param door: `call` and `call/v2` take calls by name, `queue` events by number, `run` and `api` both
    :raises Refused: it is no JSON object, or names nothing that exists
    :raises UserError: an argument is wrong
    """
    known = endpoints_of(blocks)
    given = _object(body)
    number = given.get("fn_index")
    if door == "queue" or (door in ("run", "api") and number is not None):
        _check_event(given, number, blocks)
        return body
    endpoint = known.get(name)
    if endpoint is None:
        raise _unknown_endpoint(name, known)
    if door == "call/v2":
        endpoint.complete(given)
        return body
    values = _values(given, endpoint)
    complete = list(endpoint.complete(endpoint.named(values)).values())
    # A number beside the data would be stronger than the name in the path.
    if len(values) == len(complete) and number is None:
        return body
    return json.dumps({**given, "data": complete, "fn_index": None}).encode()


def _check_event(given: Mapping[str, Any], number: object, blocks: Any) -> None:
    """:raises Refused: the page has no such event, or values are absent"""
    if number is None:
        raise Refused(422, Bilingual("Brak pola fn_index.", "The field fn_index is missing."))
    event = blocks.fns.get(number) if isinstance(number, int) and not isinstance(number, bool) else None
    if event is None:
        raise Refused(422, Bilingual("Nie ma zdarzenia o numerze fn_index.", "There is no event of that fn_index."))
    values = _values(given, None)
    if len(values) < len(event.inputs) and not event.cancels:
        raise Refused(
            422,
            Bilingual(
                f"Zdarzenie potrzebuje tylu wartości w data: {len(event.inputs)}, a jest: {len(values)}.",
                f"The event needs {counted(len(event.inputs), 'value', 'values')} in data, {len(values)} came.",
            ),
        )


def _values(given: Mapping[str, Any], endpoint: Endpoint | None) -> list[Any]:
    unknown = [name for name in given if name not in _ENVELOPE]
    values = given.get("data")
    if endpoint and unknown and "data" not in given:
        example = json.dumps({"data": [f"<{name}>" for name in endpoint.required]})
        raise Refused(
            422,
            Bilingual(
                f"Brak pola data: listy wartości, np. {example}. Wartości według nazw przyjmuje "
                f"/gradio_api/call/v2/{endpoint.name}.",
                f"The field data is missing: a list of the values, such as {example}. By name they are taken at "
                f"/gradio_api/call/v2/{endpoint.name}.",
            ),
        )
    if unknown:
        shown = ", ".join(name[:40] for name in unknown[:3])
        raise Refused(422, Bilingual(f"Nieznane pole: {shown}.", f"Unknown field: {shown}."))
    if not isinstance(values, list):
        raise Refused(422, Bilingual("Pole data ma być listą wartości.", "The field data must be a list of values."))
    return values


def _object(body: bytes) -> dict[str, Any]:
    """:raises Refused: the body is not a JSON object"""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        reason = Bilingual("Treść żądania nie jest poprawnym JSON-em.", "The body of the request is no valid JSON.")
        raise Refused(400, reason) from None
    if not isinstance(found, dict):
        raise Refused(422, Bilingual("Treść ma być obiektem JSON.", "The body must be a JSON object."))
    return found


def _unknown_endpoint(name: str, known: Mapping[str, Endpoint]) -> Refused:
    listed = ", ".join(known)
    return Refused(
        404,
        Bilingual(
            f"Nie ma punktu końcowego „{name[:40]}”; są: {listed}.",
            f"There is no endpoint “{name[:40]}”; there are: {listed}.",
        ),
    )
