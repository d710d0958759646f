"""A part of the Evaluate tab: a folded box that a new result fills, shows or hides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from polqa_demo.errors import Lang
from polqa_demo.ui.render import notice_html
from polqa_demo.ui.result import Result
from polqa_demo.ui.texts import TEXTS

# Costly events of all parts share one queue. There is room for another visitor beside one whose file takes its time:
# files are parsed in processes of their own.
HEAVY: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": 2, "concurrency_id": "heavy"}
QUICK: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
# The page's language travels as the last input of every event.
LANGUAGE_JS = "(...values) => [...values.slice(0, -1), document.documentElement.lang]"


def gone_html(lang: Lang) -> str:
    """What stands in a part whose result the server has no longer, after its restart or an hour."""
    return notice_html(TEXTS["eval.gone"], lang, "note")


@dataclass(frozen=True, slots=True)
class Part:
    """The components that a new result must set, and their values with a result and without one."""

    outputs: list[Any]
    shown: Callable[[Result, Lang], list[Any]]
    hidden: Callable[[], list[Any]]
