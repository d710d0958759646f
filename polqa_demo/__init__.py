"""Answers Polish questions over a passage corpus and scores the answers and rankings of others."""

from typing import TYPE_CHECKING, Any

from polqa_demo.version import __version__

if TYPE_CHECKING:
    from polqa_demo.pipeline import open_pipeline

__all__ = ["__version__", "open_pipeline"]


def __getattr__(name: str) -> Any:
    """`open_pipeline` on first use, so that importing the score alone stays light."""
    if name == "open_pipeline":
        from polqa_demo.pipeline import open_pipeline

        return open_pipeline
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
