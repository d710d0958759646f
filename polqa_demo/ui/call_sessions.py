"""Sessions of calls over HTTP: Gradio opens one for each call, a fifth of a megabyte, and keeps the last of them."""

import re
from typing import Any

# Pages that are open, or were so lately, with their results; the longest unused goes first, as after a restart.
MOST_SESSIONS = 100
_RESULT = re.compile(r"/gradio_api/call/(?:v2/)?[^/]+/([^/]+)$")


class CallSessions:
    """ASGI middleware: with its result a call's session ends, so that calls push no visitor's page out."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Passes the request on."""
        await self.app(scope, receive, send)
        found = _RESULT.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if found:
            # A call that named no session has one by its own number.
            holder = scope["app"].get_blocks().state_holder
            with holder.lock:
                holder.session_data.pop(found[1], None)
                holder.time_last_used.pop(found[1], None)
