"""Every knob once, typed, from the environment; nothing else reads it.

Variables are `POLQA_` + the field's name in capitals (`POLQA_CACHE_DIR`); the port is `PORT` as well.
"""

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from polqa_demo.errors import Lang, UserError

# The first that is set counts: ours, that of hosts, Gradio's own.
PORT_VARIABLES = ("POLQA_PORT", "PORT", "GRADIO_SERVER_PORT")
# Fields of several files, parted in the environment by the system's path separator.
_FILES = ("corpus", "gold", "hidden_gold")
_PREFIXES = ("query_prefix", "passage_prefix")


def _default_cache_dir() -> Path:
    """The user's cache folder; a private temporary one where there is no writable home (containers with HOME=/)."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    probe = base
    while not probe.exists() and probe != probe.parent:
        probe = probe.parent
    if base.is_absolute() and os.access(probe, os.W_OK) and probe != Path("/"):
        return base / "polqa-demo"
    return Path(tempfile.gettempdir()) / f"polqa-demo-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


class Settings(BaseSettings):
    """The knobs. Sizes are in the unit that the name says."""

    model_config = SettingsConfigDict(
        env_prefix="POLQA_", frozen=True, extra="ignore", populate_by_name=True, env_ignore_empty=True
    )

    port: int = Field(default=7860, ge=0, le=65535, validation_alias=AliasChoices(*PORT_VARIABLES))
    language: Lang = "pl"
    # Names (of the Host header, parted by commas) that the app answers to beside those of loopback, and whose pages may
    # send to it; unset, an app that is bound to another address than loopback answers to any.
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    # The address that is bound, and the public name of a Space: variables of Gradio and of the hub.
    server_name: str = Field(default="127.0.0.1", validation_alias="GRADIO_SERVER_NAME")
    space_host: str = Field(default="", validation_alias="SPACE_HOST")
    cache_dir: Path = Field(default_factory=_default_cache_dir)
    # The app's corpus: JSONL files (parted by the system's path separator) or a built index; neither: the sample.
    corpus: Annotated[tuple[Path, ...], NoDecode] = ()
    index: Path | None = None
    # Passage ids are article ids of Polish Wikipedia, so titles may link there.
    wikipedia_ids: bool = False
    # The parts that answer, by name; auto: the best at hand. A model is a hub name or a folder.
    retriever: str = "auto"
    encoder: str = ""
    reranker: str = ""
    # What stands before questions and passages for the encoder; unset: what its model says or is known for.
    query_prefix: str | None = None
    passage_prefix: str | None = None
    reader: str = "auto"
    model: str = ""
    max_top_k: int = Field(default=100, ge=1, le=1000)
    top_k: int = Field(default=10, ge=1, le=100, validate_default=True)
    max_question_chars: int = Field(default=2000, ge=10)
    max_upload_mb: int = Field(default=256, ge=1)
    # A request of the API with all its texts, which lie in memory; files go to the disk.
    max_text_mb: int = Field(default=32, ge=1)
    # What a file may hold once it is unpacked; a workbook, and whatever lies twice packed, is held in memory.
    max_unpacked_mb: int = Field(default=1024, ge=1)
    max_workbook_mb: int = Field(default=128, ge=1)
    max_line_chars: int = Field(default=4_000_000, ge=100)
    max_rows: int = Field(default=30_000_000, ge=1)
    max_columns: int = Field(default=10_000, ge=10)
    # An answer is kept up to this length; a ranking up to this depth, less where there are very many questions.
    max_answer_chars: int = Field(default=10_000, ge=1000)
    max_ranking_depth: int = Field(default=1000, ge=100)
    max_ranking_entries: int = Field(default=1_000_000, ge=1000)
    # What reading one upload of the app may cost: seconds of the processor, megabytes above an idle process.
    max_upload_seconds: float = Field(default=25, gt=0)
    max_upload_memory_mb: int = Field(default=400, ge=64)
    # What uploads may take on the disk, of all visitors and of one, until they are deleted after an hour.
    max_uploads_mb: int = Field(default=4096, ge=1)
    max_visitor_uploads_mb: int = Field(default=1024, ge=1)
    mcp: bool = True
    # The operator's own gold sets (files, parted as the corpus), and those that nobody may see but in totals.
    gold: Annotated[tuple[Path, ...], NoDecode] = ()
    hidden_gold: Annotated[tuple[Path, ...], NoDecode] = ()
    # Keeps the signatures of hidden gold equal over restarts; any text, known to the operator alone.
    hidden_key: SecretStr | None = None
    # A folder where evaluations are kept for good, when their visitors agree; none: nothing is ever kept.
    keep_runs: Path | None = None
    keep_runs_mb: int = Field(default=1024, ge=1)
    # The generating reader: beams, tokens of an answer, tokens read at most, and the format that its model was trained
    # on, with {question} and {passages}; for each passage {text}, {title}, {number}.
    seq2seq_beams: int = Field(default=4, ge=1, le=16)
    seq2seq_answer_tokens: int = Field(default=32, ge=1, le=512)
    seq2seq_input_tokens: int = Field(default=2048, ge=64, le=16_384)
    # Empty: by the model's name.
    seq2seq_prompt: str = ""
    seq2seq_passage: str = ""
    # The chat reader's OpenAI-compatible server (such as http://localhost:8000/v1), its key and its model.
    chat_url: str | None = None
    chat_key: SecretStr | None = None
    chat_model: str | None = None
    # Seconds for one request as a whole, and those waited at most when the server asks to come again later.
    chat_timeout: float = Field(default=60, gt=0, le=3600)
    chat_max_wait: float = Field(default=30, ge=0, le=3600)
    # Tries again while the server is busy; where it fails in another way it is asked three times more at most.
    chat_retries: int = Field(default=20, ge=0, le=100)
    chat_answer_tokens: int = Field(default=128, ge=1, le=32_768)
    chat_prompt_chars: int = Field(default=24_000, ge=1000, le=4_000_000)
    # What may be spent by one process, of both question and answer; every try counts.
    chat_max_requests: int = Field(default=1000, ge=0)
    chat_max_tokens: int = Field(default=2_000_000, ge=0)

    @field_validator("top_k")
    @classmethod
    def _within_bounds(cls, top_k: int, info: ValidationInfo) -> int:
        if top_k > info.data.get("max_top_k", top_k):
            raise ValueError("above max_top_k")
        return top_k

    def __init__(self, **values: object) -> None:
        for name in _PREFIXES:  # an empty one is a choice, too
            if (prefix := os.environ.get(f"POLQA_{name.upper()}")) is not None:
                values.setdefault(name, prefix)
        for name in _FILES:
            files = values.get(name, os.environ.get(f"POLQA_{name.upper()}"))
            if isinstance(files, str):
                values[name] = tuple(Path(part) for part in files.split(os.pathsep) if part)
        hosts = values.get("allowed_hosts", os.environ.get("POLQA_ALLOWED_HOSTS"))
        if isinstance(hosts, str):
            values["allowed_hosts"] = tuple(part for entry in hosts.split(",") if (part := entry.strip()))
        super().__init__(**values)  # type: ignore[arg-type]


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment, with overrides by flags.

    :raises UserError: a variable has a value of the wrong kind; the message names it
    """
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0] if first["loc"] else "?").upper().removeprefix("POLQA_")
        name = " / ".join(PORT_VARIABLES) if field in PORT_VARIABLES else f"POLQA_{field}"
        value = str(first.get("input"))[:60]
        raise UserError(
            "bad-setting",
            f"Ustawienie {name} ma niedozwoloną wartość „{value}”. Popraw zmienną środowiskową albo ją usuń.",
            f"The setting {name} may not be {value!r}. Mend the environment variable or unset it.",
        ) from error


@cache
def settings() -> Settings:
    """The process's settings, read once."""
    return _used[-1] if _used else load_settings()


def use_settings(knobs: Settings) -> None:
    """Makes these the process's settings: one that parses for an app has the limits of that app."""
    _used.append(knobs)
    settings.cache_clear()


_used: list[Settings] = []
