"""The libraries that load models write remarks for programmers, and bars, between the messages of this program."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGERS = ("sentence_transformers", "huggingface_hub", "transformers")


@contextmanager
def without_notices() -> Iterator[None]:
    """Neither bars over weights nor remarks for programmers; errors still stand in the exceptions."""
    from transformers.utils import logging as notices

    bars = notices.is_progress_bar_enabled()
    levels = {name: logging.getLogger(name).level for name in _LOGGERS}
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    notices.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
        if bars:
            notices.enable_progress_bar()  # type: ignore[no-untyped-call]
