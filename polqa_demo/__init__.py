"""Answers Polish questions over a passage corpus and scores the answers and rankings of others."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from polqa_demo.version import __version__

if TYPE_CHECKING:
    from polqa_demo.interface import compare, evaluate
    from polqa_demo.pipeline import open_pipeline

__all__ = ["__version__", "compare", "evaluate", "open_pipeline"]

_HOMES = {
    "compare": "polqa_demo.interface",
    "evaluate": "polqa_demo.interface",
    "open_pipeline": "polqa_demo.pipeline",
}


def __getattr__(name: str) -> Any:
    """The public functions on first use, so that importing the score alone stays light."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
