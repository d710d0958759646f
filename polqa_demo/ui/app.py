"""The app as a whole: two tabs, the API, and how it is launched."""

import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from polqa_demo.errors import UserError
from polqa_demo.settings import Settings, settings
from polqa_demo.ui.api import add_endpoints
from polqa_demo.ui.ask import AskTab, build_ask_tab
from polqa_demo.ui.call_sessions import MOST_SESSIONS, CallSessions
from polqa_demo.ui.downloads import private_folder, remove_private_folder
from polqa_demo.ui.evaluate import build_evaluate_tab
from polqa_demo.ui.hosts import HostGuard, Hosts
from polqa_demo.ui.items import SHOW_ROW_JS, Items
from polqa_demo.ui.mcp_tools import McpPath, mcp_lifespan
from polqa_demo.ui.request_bodies import RequestBodies
from polqa_demo.ui.request_checks import RequestChecks
from polqa_demo.ui.service import Service
from polqa_demo.ui.texts import TEXTS, language
from polqa_demo.ui.theme import CSS, build_theme
from polqa_demo.ui.upload_space import UploadSpace

TITLE = "PolQA demo"
TABS = ("ask", "evaluate")
RESTORE_JS = "(lang, question) => [document.documentElement.lang, question]"
# The pressed button is gone with its tab: the focus goes on to the way back.
AWAY_JS = "() => requestAnimationFrame(() => document.querySelector('#back')?.focus())"
RETURN_JS = f"""() => {{
  const address = new URL(window.location);
  address.searchParams.delete('q');
  address.searchParams.set('tab', 'evaluate');
  window.history.replaceState(window.history.state, '', address);
  ({SHOW_ROW_JS})();
}}"""
FAVICON = Path(__file__).parent / "assets" / "favicon.svg"


def build_app(knobs: Settings | None = None, service: Service | None = None) -> Any:
    """The Blocks; nothing heavy is loaded yet."""
    knobs = knobs or settings()
    service = service or Service(knobs)
    t = translations()
    with gr.Blocks(title=TITLE, delete_cache=(600, 3600), analytics_enabled=False) as demo:
        gr.HTML(f"<h1>{TITLE}</h1>", elem_id="title", padding=False)
        gr.Markdown(t("app.subtitle"), elem_classes="pq-lead")
        with gr.Tabs(elem_id="tabs") as tabs:
            with gr.Tab(t("tab.ask"), id="ask"):
                ask = build_ask_tab(service, t)
            with gr.Tab(t("tab.evaluate"), id="evaluate"):
                evaluate = build_evaluate_tab(service, t)
        with gr.Accordion(t("about.title"), open=False):
            gr.Markdown(t("about.text"), elem_id="about")
        add_endpoints(service)
        _link_tabs(tabs, ask, evaluate.items)

        def restore(page_language: str, typed: str, request: gr.Request) -> Any:
            given = request.query_params
            question = given.get("q", "")[: knobs.max_question_chars]
            tab = given.get("tab", "")
            chosen = gr.Tabs(selected=tab) if tab in TABS else gr.skip()
            lang = language(page_language)
            # Texts that are put together on the server start in Polish.
            labels = [gr.skip()] * (1 + len(evaluate.choices))
            if lang != "pl":
                labels = [ask.in_language(lang), *evaluate.in_language(lang)]
            # Writing the input of somebody who already types would race with it.
            asked = (question, question) if question and not typed else (gr.skip(), gr.skip())
            return chosen, *labels, *asked

        loaded = demo.load(
            restore,
            [ask.lang, ask.question],
            [tabs, ask.settings, *evaluate.choices, ask.question, ask.given],
            js=RESTORE_JS,
            api_visibility="private",
            show_progress="hidden",
        )
        evaluate.recall_after(loaded)
    demo.queue(default_concurrency_limit=4, max_size=64)
    return demo


def _link_tabs(tabs: gr.Tabs, ask: AskTab, items: Items) -> None:
    """The question of an item is asked in the other tab, and a button leads back to the item."""

    def go(question: str) -> tuple[Any, Any, str]:
        return gr.Tabs(selected="ask"), gr.Button(visible=True), question

    def come_back() -> tuple[Any, Any]:
        return gr.Tabs(selected="evaluate"), gr.Button(visible=False)

    quick: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden", "queue": False}
    gone = items.asked(go, [items.selected], [tabs, ask.back, ask.question], **quick)
    gone.then(None, None, None, js=AWAY_JS, api_visibility="private")
    ask.answer_after(gone)
    returned = ask.back.click(come_back, None, [tabs, ask.back], **quick)
    returned.then(None, None, None, js=RETURN_JS, api_visibility="private")


def translations() -> gr.I18n:
    """The static texts in both languages."""
    return gr.I18n(pl={key: text.pl for key, text in TEXTS.items()}, en={key: text.en for key, text in TEXTS.items()})


def launch_options(knobs: Settings) -> dict[str, Any]:
    """How every door launches the app: no server-side rendering, no run history, no details in errors."""
    return {
        "theme": build_theme(),
        "css": CSS,
        "i18n": translations(),
        "max_file_size": f"{knobs.max_upload_mb}mb",
        "show_error": False,
        "ssr_mode": False,
        "run_history": False,
        "enable_monitoring": False,
        "strict_cors": True,
        "share": False,
        "mcp_server": knobs.mcp,
        "app_kwargs": {"middleware": _doors(knobs), "lifespan": mcp_lifespan},
        "footer_links": ["api", "settings"],
        "state_session_capacity": MOST_SESSIONS,
        "allowed_paths": [],
        # Nothing of the operator's is served, wherever it lies.
        "blocked_paths": [str(path.resolve()) for path in (*knobs.hidden_gold, knobs.keep_runs) if path],
        "favicon_path": str(FAVICON),
    }


def _doors(knobs: Settings) -> list[Middleware]:
    """What a request passes before Gradio, in order."""
    return [
        Middleware(HostGuard, hosts=Hosts.of(knobs)),
        Middleware(McpPath),
        Middleware(CallSessions),
        Middleware(RequestBodies, megabytes=knobs.max_text_mb),
        Middleware(RequestChecks),
        Middleware(UploadSpace, knobs=knobs, folder=private_folder),
    ]


def serve(knobs: Settings | None = None) -> None:
    """Serves the app until it is stopped; models warm up behind the first page.

    :raises UserError: the port is taken
    """
    knobs = knobs or settings()
    private_folder()
    _refuse_taken_port(knobs.server_name, knobs.port)
    service = Service(knobs)
    signal.signal(signal.SIGTERM, lambda *_: _stop(service))
    demo = build_app(knobs, service)
    demo.launch(
        **launch_options(knobs), server_name=knobs.server_name, server_port=knobs.port, prevent_thread_lock=True
    )
    threading.Thread(target=service.warm, daemon=True).start()
    demo.block_thread()
    _stop(service)


def _stop(service: Service) -> None:
    """Stopped by a container or a service manager, the process still tidies up, and waits for nobody's work.

    The interpreter's own end would take threads away that compute inside C++ libraries, which then abort the process.
    """
    service.close()
    remove_private_folder()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, RuntimeError):
            stream.flush()
    os._exit(0)


def _refuse_taken_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UserError(
                "port-taken",
                f"Port {port} jest zajęty ({error.strerror}). Wybierz inny: PORT={port + 1} make run albo "
                f"python -m polqa_demo serve --port {port + 1}.",
                f"Port {port} is taken ({error.strerror}). Choose another: PORT={port + 1} make run or "
                f"python -m polqa_demo serve --port {port + 1}.",
            ) from error
