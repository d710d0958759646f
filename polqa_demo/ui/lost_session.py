"""What a page says when the server no longer has its files or its result, and what it keeps of them.

A server forgets with its restart (of a Space: every time it wakes up), and after an hour. A page learns of it by an
event that fails, or is loaded anew by Gradio; of the choices of the last evaluation the browser's tab keeps a copy.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from polqa_demo.ui.downloads import private_folder
from polqa_demo.ui.part import LANGUAGE_JS, QUICK, gone_html
from polqa_demo.ui.recognition import CHOICES, known_choice
from polqa_demo.ui.render import notice_html
from polqa_demo.ui.texts import TEXTS, language

_KEEP_JS = "(...choices) => { sessionStorage.setItem('polqa-choices', JSON.stringify(choices)); }"
_PATHS_JS = "(...boxes) => JSON.stringify(boxes.flat().filter(Boolean).map(file => file.path))"
_RECALL_JS = "() => sessionStorage.getItem('polqa-choices') ?? ''"


def build_lost_session(
    scored: Any, boxes: Sequence[Any], choices: Sequence[Any], golds: Sequence[str], notice: Any, lang: Any
) -> Callable[[Any], None]:
    """Wires what follows an evaluation; what is given back does the rest after the event of a loaded page.

    `boxes` hold the files, `choices` are the gold and how files are read; `golds` are the names the first may have.
    """
    kept = gr.Textbox("", visible="hidden", label="kept", elem_id="evaluate-kept")
    paths = gr.Textbox("", visible="hidden", label="paths", elem_id="evaluate-paths")
    # As files Gradio would refuse those that are gone; as a text it takes their paths.
    failed = scored.failure(None, list(boxes), [paths], js=_PATHS_JS, api_visibility="private")
    failed.then(_tell_files, [paths, lang], [notice], js=LANGUAGE_JS, queue=False, **QUICK)
    scored.success(None, list(choices), None, js=_KEEP_JS, api_visibility="private")

    def recall(stored: str, page_language: str) -> list[Any]:
        found = _read(stored, golds)
        if found is None:
            return [gr.skip()] * (1 + len(choices))
        return [gone_html(language(page_language)), *found]

    # Most pages have kept nothing, and ask the server for nothing.
    kept.change(recall, [kept, lang], [notice, *choices], js=LANGUAGE_JS, queue=False, **QUICK)

    def after_load(loaded: Any) -> None:
        loaded.then(None, None, [kept], js=_RECALL_JS, api_visibility="private")

    return after_load


def _tell_files(paths: object, page_language: str) -> Any:
    """That files are gone, where they are; any other failure was told already."""
    try:
        found = json.loads(paths) if isinstance(paths, str) else None
    except (ValueError, RecursionError):
        return gr.skip()
    if not isinstance(found, list) or all(map(_is_there, found)):
        return gr.skip()
    return notice_html(TEXTS["eval.files_gone"], language(page_language))


def _is_there(path: object) -> bool:
    """Whether a file of this server's visitors is there; of others nothing is said."""
    if not isinstance(path, str) or "\0" in path:
        return False
    found = Path(path).resolve()
    return found.is_relative_to(private_folder().resolve()) and found.is_file()


def _read(stored: str, golds: Sequence[str]) -> list[str] | None:
    """The gold and the choices as a browser has kept them, which may be anything; None where they are none."""
    try:
        gold, *choices = json.loads(stored)
    except (ValueError, TypeError, RecursionError):
        return None
    if gold not in golds or len(choices) != len(CHOICES):
        return None
    known = zip(CHOICES, choices, strict=True)
    return [gold, *choices] if all(known_choice(name, value) for name, value in known) else None
