"""The endpoints as tools of the Model Context Protocol, in place of Gradio's, which give Python's text of a dictionary.

Gradio keeps the transport and its page about it; the tools are listed and called here: results as JSON text and as
structured content under a schema, said to change nothing, and run without a visitor's session of the app for each call.
"""

import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from polqa_demo.errors import UserError
from polqa_demo.ui.endpoint import Endpoint, endpoints_of
from polqa_demo.ui.hosts import MCP_PATH

if TYPE_CHECKING:
    from mcp import types

AT_ONCE = 2
MOST_WAITING = 64
_TEXT, _COUNT, _SHARE = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "number"}
_PASSAGE = {
    "type": "object",
    "properties": {
        "rank": {"type": "integer", "minimum": 1},
        "id": _TEXT,
        "title": _TEXT,
        "text": _TEXT,
        "score": _SHARE,
    },
    "required": ["rank", "id", "title", "text", "score"],
}
_PASSAGES = {"type": "array", "items": _PASSAGE, "description": "Passages, best first."}
_PROBLEM = {
    "type": "object",
    "properties": {
        "severity": {"enum": ["error", "warning", "note"]},
        "code": _TEXT,
        "message": _TEXT,
        "count": _COUNT,
        "lines": {"type": "array", "items": _COUNT},
    },
    "required": ["severity", "code", "message"],
}
_PROBLEMS = {"type": "array", "items": _PROBLEM, "description": "What is odd about the texts, worst first."}
_SCORED = {"schema_version": {"const": 1}, "signature": _TEXT, "problems": _PROBLEMS, "secret": {"type": "boolean"}}
OUTPUT_SCHEMAS: Mapping[str, dict[str, Any]] = {
    "ask": {
        "type": "object",
        "properties": {
            "question": _TEXT,
            "answer": {"type": "string", "description": "Empty where the passages hold none."},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "passage_id": {"type": ["string", "null"], "description": "The passage that holds the answer."},
            "start": {"type": ["integer", "null"], "description": "Where it begins there, in characters."},
            "end": {"type": ["integer", "null"]},
            "passages": _PASSAGES,
            "timings": {"type": "object", "additionalProperties": _SHARE, "description": "Milliseconds by stage."},
        },
        "required": ["question", "answer", "confidence", "passage_id", "start", "end", "passages", "timings"],
    },
    # Structured content is an object, so a list has a name there.
    "retrieve": {"type": "object", "properties": {"result": _PASSAGES}, "required": ["result"]},
    "score": {
        "type": "object",
        "properties": {
            **_SCORED,
            "answers": {"type": "object", "description": "Shares of right answers by rule; absent for rankings."},
            "rankings": {"type": "object", "description": "Measures of the rankings; absent for answers."},
            "items": {"type": "array", "description": "The result of each question."},
        },
        "required": ["schema_version", "problems"],
    },
    "compare": {
        "type": "object",
        "properties": {
            **_SCORED,
            "comparisons": {"type": "array", "description": "One for each measure; absent where nothing is left."},
        },
        "required": ["schema_version", "problems"],
    },
}


@asynccontextmanager
async def mcp_lifespan(app: Any) -> AsyncIterator[None]:
    """Puts the tools into Gradio's MCP server, if there is one, before the app answers."""
    blocks = app.get_blocks()
    if blocks.mcp_server_obj:
        register_tools(blocks.mcp_server_obj.mcp_server, endpoints_of(blocks), _inputs(blocks))
    yield


class McpPath:
    """ASGI middleware: the address without a final slash is the same; a redirect would lose the proxy's scheme."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Passes the request on, the path with its slash."""
        if scope["type"] == "http" and scope["path"].endswith(MCP_PATH):
            scope = scope | {"path": f"{scope['path']}/", "raw_path": scope.get("raw_path", b"") + b"/"}
        return await self.app(scope, receive, send)


def register_tools(server: Any, endpoints: Mapping[str, Endpoint], inputs: Mapping[str, dict[str, Any]]) -> None:
    """Registers the tools in a low-level server of the SDK, in place of those that it has.

    :param inputs: the JSON Schema of the arguments, by the endpoint's name
    """
    from mcp import types

    # The client is told; hundreds of lines in the log for each wrong request would only bury what matters there.
    for log in (logging.getLogger(), logging.getLogger("mcp.server.lowlevel.server")):
        log.addFilter(_is_no_refusal)
    limits = {name: CapacityLimiter(AT_ONCE) for name in endpoints}
    tools = [
        types.Tool(
            name=name,
            description=endpoint.description.split("\n\n", 1)[0],
            inputSchema=inputs[name],
            outputSchema=OUTPUT_SCHEMAS[name],
            # A reader may be a chat server, outside; nothing is changed anywhere.
            annotations=types.ToolAnnotations(
                readOnlyHint=True, destructiveHint=False, idempotentHint=True, openWorldHint=name == "ask"
            ),
        )
        for name, endpoint in endpoints.items()
    ]

    @server.list_tools()  # type: ignore[untyped-decorator]
    async def list_tools() -> list[types.Tool]:
        return tools

    # The endpoint checks its arguments itself, and says what is wrong in both languages.
    @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]
    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        endpoint = endpoints.get(name)
        if endpoint is None:
            return _failed(f"There is no tool {name[:40]!r}; known: {', '.join(endpoints)}.")
        if limits[name].statistics().tasks_waiting >= MOST_WAITING:
            return _failed("Too many calls are waiting; try again later. / Za dużo wywołań czeka; spróbuj później.")
        try:
            given = endpoint.complete(arguments)
            value = await run_sync(lambda: endpoint.call(**given), limiter=limits[name])
        except UserError as error:
            return _failed(f"{error.message.en} / {error.message.pl}")
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        structured = value if isinstance(value, dict) else {"result": value}
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structuredContent=structured)


def _is_no_refusal(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(("Failed to validate request", "Tool '%s' not listed"))


def _failed(message: str) -> "types.CallToolResult":
    from mcp import types

    return types.CallToolResult(content=[types.TextContent(type="text", text=message)], isError=True)


def _inputs(blocks: Any) -> dict[str, dict[str, Any]]:
    """The schemas that Gradio makes of signatures and docstrings."""
    server = blocks.mcp_server_obj
    found = {}
    for tool, path in server.tool_to_endpoint.items():
        function = server.get_block_fn_from_endpoint_name(path)
        _, parameters = server.get_fn_description(function, tool)
        found[path.strip("/")] = server.get_input_schema(tool, parameters)[0]
    return found
