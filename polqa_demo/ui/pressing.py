"""Buttons inside of drawn HTML: `<button type="button" data-pick="…">` tells its component what was pressed."""

from typing import Any

import gradio as gr

# What Gradio runs once for the component; it replaces the event that any click would cause.
PRESS_JS = """
element.addEventListener('click', event => {
  const button = event.target.closest('button[data-pick]');
  if (button) trigger('click', {pick: button.dataset.pick});
});
"""
_LONGEST = 200


def pressed(event: gr.EventData) -> str:
    """What stands on the pressed button; empty for anything that no button of ours says.

    It comes from a browser: look it up, never trust it.
    """
    data = getattr(event, "_data", None)
    pick = data.get("pick") if isinstance(data, dict) else None
    return pick if isinstance(pick, str) and len(pick) <= _LONGEST else ""


def told(event: gr.EventData, name: str, otherwise: Any) -> Any:
    """A value that an event of ours carries; `otherwise` when it carries none. As untrusted as `pressed`."""
    data = getattr(event, "_data", None)
    return data.get(name, otherwise) if isinstance(data, dict) else otherwise
