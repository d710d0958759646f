"""Text as it stands in files: strict UTF-8, JSON without halves of surrogate pairs, ids as text."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polqa_demo.errors import UserError

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def writable(text: str) -> str:
    """The text without halves of surrogate pairs, which an escape can write and UTF-8 cannot hold."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def load_json(text: str, pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None) -> Any:
    """`json.loads` without halves of surrogate pairs.

    :param pairs: makes an object of its pairs
    :raises ValueError: not JSON
    :raises RecursionError: nested too deeply
    """
    value = json.loads(text, object_pairs_hook=pairs)
    if "\\ud" not in text.lower():
        return value
    return json.loads(writable(json.dumps(value, ensure_ascii=False)))


def read_text(path: Path) -> str:
    """The whole file as text; a byte order mark is dropped.

    :raises UserError: no such file, not readable, or not UTF-8 (the line is named)
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(
            "unreadable-file",
            f"Nie mogę otworzyć pliku {path}: {error.strerror}. Sprawdź ścieżkę i uprawnienia.",
            f"Cannot open the file {path}: {error.strerror}. Check the path and the permissions.",
        ) from error
    return decode_utf8(data, path.name)


def decode_utf8(data: bytes, name: str) -> str:
    """Bytes as strict UTF-8 text, without the byte order mark.

    :raises UserError: not UTF-8; names the first line at fault
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError(
            "not-utf8",
            f"Plik {name}, wiersz {line}: to nie jest UTF-8. Zapisz plik w kodowaniu UTF-8.",
            f"File {name}, line {line}: this is not UTF-8. Save the file as UTF-8.",
        ) from error


def id_text(value: object) -> str:
    """An id as text: blanks around it go, whole numbers lose their type, nothing else changes."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value).strip()
    return text.strip("\ufeff").strip() if "\ufeff" in text else text
