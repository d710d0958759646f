"""Which prompt a generating model was trained on, by its name; a fine-tuned one answers badly to any other.

The source is the usage example that the model was published with.
"""

import re
from pathlib import Path, PurePath

from polqa_demo.models.hub_cache import cached_repository
from polqa_demo.models.snapshots import looks_like_a_path
from polqa_demo.reading.prompt_format import PromptFormat

GENERAL = PromptFormat("pytanie: {question} {passages}", "fragment {number}: {title}. {text}")
"""For models that nothing is known of: the form of PolQA's readers, question and numbered passages."""

_TABLE = ((r"azwierzc/plt5-(base|large)-poquad", PromptFormat("question: {question}, context: {passages}", "{text}")),)


def known_prompt(name: str) -> PromptFormat:
    """The format of a model by its name on the hub, in the hub's cache path, or in the last two parts of its folder."""
    full = _full_name(name).lower()
    return next((form for pattern, form in _TABLE if re.fullmatch(pattern, full)), GENERAL)


def _full_name(name: str) -> str:
    folder = Path(name).expanduser()
    if not looks_like_a_path(name) and not folder.is_dir():
        return name.partition("@")[0]
    return cached_repository(folder) or "/".join(PurePath(folder.absolute()).parts[-2:])
