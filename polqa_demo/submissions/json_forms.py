"""JSON of any size -> objects, one at a time: an object a line, an array, or one object keyed by question ids.

Objects one behind the other, as `jq` writes them, are read as well, and commas too many between or behind them.
"""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from polqa_demo.data.answer_texts import number_text
from polqa_demo.data.lines import id_text, load_json, writable
from polqa_demo.data.literals import NotLiteralError, parse_printed
from polqa_demo.errors import Bilingual, Problem, UserError
from polqa_demo.submissions.encodings import TextFile
from polqa_demo.submissions.findings import Findings
from polqa_demo.submissions.problems import Places, refuse
from polqa_demo.submissions.repeated_fields import RepeatedFieldError, repeated_field, unique_pairs

# Characters of a JSON text that are read at once.
_PIECE = 1 << 16
# How many keys of an object are passed over on the way to one that is wanted.
_FIRST_KEYS = 50
_FILLED = re.compile(r"[^ \t\r\n\ufeff]")
_SURROGATE = re.compile(r"\\u[dD]")
Pairs = Callable[[list[tuple[str, Any]]], dict[str, Any]]
_TOO_DEEP = (ValueError, RecursionError, MemoryError)


def json_object(line: str, pairs: Pairs | None = None) -> dict[str, Any] | None:
    """The object of one line; None when it is none.

    :param pairs: makes an object of its pairs, for `json.loads`
    """
    try:
        row = load_json(line, pairs)
    except _TOO_DEEP:
        return None
    return row if isinstance(row, dict) else None


def python_object(line: str) -> dict[str, Any] | None:
    """The dictionary of a line as Python prints it (`{'id': 1}`); None when it is none."""
    if not line.lstrip().startswith("{"):
        return None
    try:
        row = parse_printed(line.strip()).value
    except NotLiteralError:
        return None
    return {writable(str(key)): value for key, value in row.items()} if isinstance(row, dict) else None


def object_lines(lines: Iterable[str], name: str, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """`(line number, object)` of each non-blank line; `findings` take the lines that are dictionaries of Python.

    :raises Refused: some lines are no objects, told when all of them are read
    """
    bad, blank = Places(), Places()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            blank.add(number)
            continue
        try:
            row = _object_of(number, line, findings)
        except RepeatedFieldError as error:
            raise repeated_field(name, number, error.key) from error
        if row is None:
            bad.add(number)
            continue
        if blank.count:
            findings.blank.add_all(blank)
            blank = Places()
        yield number, row
    if bad.count:
        raise not_json(name, bad)


def _object_of(number: int, line: str, findings: Findings) -> dict[str, Any] | None:
    """:raises RepeatedFieldError: a key stands in it twice, with different values"""
    row = json_object(line, unique_pairs)
    if row is None and line.rstrip().endswith(","):
        row = json_object(line.rstrip()[:-1], unique_pairs)
        if row is not None:
            findings.commas.add(number)
    if row is None:
        row = python_object(line)
        if row is not None:
            findings.python.add(number)
    return row


def not_json(name: str, bad: Places) -> UserError:
    """Said of lines that are no JSON objects."""
    return refuse(
        "not-json",
        f"Plik {name}: wiersze, które nie są obiektami JSON: {bad.count} (pierwszy: {bad.lines[0]}). "
        'W każdym wierszu ma stać jeden obiekt, jak {"question_id": 1, "answer": "tak"}.',
        f"File {name}: lines that are no JSON objects: {bad.count} (first: {bad.lines[0]}). "
        'Each line must hold one object such as {"question_id": 1, "answer": "tak"}.',
        bad.count,
        bad.lines,
    )


def array_items(text: TextFile, findings: Findings) -> Iterator[tuple[int, Any]]:
    """`(number of the item, item)` of one JSON array.

    :raises Refused: broken JSON, or an item beyond the limit of a line
    """
    yield from enumerate((item for _, item in _members(text, findings)), 1)


def keyed_items(text: TextFile, findings: Findings) -> Iterator[tuple[int, tuple[str, Any]]]:
    """`(number of the item, (key, value))` of one JSON object, with keys that stand twice given twice.

    :raises Refused: broken JSON, or a value beyond the limit of a line
    """
    yield from enumerate(_members(text, findings), 1)


def array_under(text: TextFile, name: str) -> Iterator[tuple[int, Any]]:
    """`(number of the item, item)` of the array that stands under one key of an object, one item at a time.

    The key is compared without regard to case.

    Nothing where the first keys hold no such array.

    :raises Refused: broken JSON, or an item beyond the limit of a line
    """
    number = 0
    with text.open() as opened:
        window = _Window(opened, text)
        try:
            window.take("{")
            for _ in range(_FIRST_KEYS):
                key = window.text()
                window.take(":")
                if key.lower() == name and window.sign() == "[":
                    for number, item in enumerate(_array(window), 1):
                        yield number, item
                else:
                    window.value()
                if window.take(",}") == "}":
                    return
        except _TOO_DEEP as error:
            raise _broken_after(text, number, window.line) from error


def _array(window: "_Window") -> Iterator[Any]:
    window.take("[")
    if window.sign() == "]":
        window.take("]")
        return
    while True:
        yield window.value()
        if window.take(",]") == "]":
            return


def is_sequence(text: TextFile) -> bool:
    """Whether a first object is followed by another one, or by a comma."""
    findings = Findings()
    try:
        found = len(list(islice(object_sequence(text, findings), 2)))
    except UserError:
        return False
    return found > 1 or (found == 1 and findings.commas.count > 0)


def object_sequence(text: TextFile, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """`(line where it begins, object)` of objects one behind the other, whatever their lines are.

    :raises Refused: something else stands between or behind them, or an object beyond the limit of a line
    """
    with text.open() as opened:
        window = _Window(opened, text)
        line = 1
        try:
            while window.sign():
                line = window.line
                value = window.value()
                if not isinstance(value, dict):
                    raise _no_object(value)
                yield line, value
                if window.sign() == ",":
                    findings.commas.add(window.line)
                    window.take(",")
        except _TOO_DEEP as error:
            raise refuse(
                "not-json",
                f"Plik {text.source.name}: kilka obiektów JSON jeden za drugim, a w wierszu {line} stoi coś innego. "
                "Zapisz po jednym obiekcie w wierszu albo jedną tablicę.",
                f"File {text.source.name}: several JSON objects one behind the other, but line {line} holds something "
                "else. Write one object a line, or one array.",
                lines=[line],
            ) from error


def about_sequence() -> Problem:
    """Told of objects that are neither one a line nor an array."""
    message = Bilingual(
        "Plik to kilka obiektów JSON jeden za drugim, ani po jednym w wierszu, ani w tablicy; odczytano je po kolei.",
        "The file is several JSON objects one behind the other, neither one a line nor an array; they were read in "
        "their order.",
    )
    return Problem("note", "json-sequence", message)


def _no_object(value: object) -> ValueError:
    return ValueError(f"an object is wanted, found {type(value).__name__}")


def _members(text: TextFile, findings: Findings) -> Iterator[tuple[str, Any]]:
    """`(key, value)` of what the outermost array or object holds; the keys of an array are empty."""
    number = 0
    with text.open() as opened:
        window = _Window(opened, text)
        try:
            closing = {"[": "]", "{": "}"}[window.take("[{")]
            if window.sign() == closing:
                window.take(closing)
            else:
                while True:
                    key = ""
                    if closing == "}":
                        key = window.text()
                        window.take(":")
                    value = window.value()
                    number += 1
                    yield key, value
                    if window.take("," + closing) == closing:
                        break
                    if window.sign() == closing:
                        findings.commas.add(number)
                        window.take(closing)
                        break
            if window.sign():
                message = "something stands behind its end"
                raise ValueError(message)
        except _TOO_DEEP as error:
            raise _broken_after(text, number, window.line) from error


def _broken_after(text: TextFile, number: int, line: int) -> UserError:
    return refuse(
        "not-json",
        f"Plik {text.source.name}: zepsuty JSON po elemencie {number}, od wiersza {line}. Zapisz go jeszcze raz "
        "(json.dump).",
        f"File {text.source.name}: broken JSON after item {number}, from line {line} on. Save it again (json.dump).",
        lines=[number + 1],
    )


class _Window:
    """A piece of a JSON text that moves on: as long as the value being read, and no longer than a line may be."""

    def __init__(self, opened: io.TextIOWrapper, text: TextFile) -> None:
        self._opened, self._text = opened, text
        self._limit = text.source.limits.max_line_chars
        self._decode = json.JSONDecoder(object_pairs_hook=unique_pairs).raw_decode
        self._piece = ""
        self._at = 0
        self._newline = text.newline
        # Line ends before this place of the piece; they are counted once, whoever asks how often.
        self._passed = self._counted = 0

    @property
    def line(self) -> int:
        """The number of the line that comes next."""
        self._passed += self._piece.count(self._newline, self._counted, self._at)
        self._counted = self._at
        return self._passed + 1

    def sign(self) -> str:
        """The next sign that is no blank, left where it stands; empty at the end of the file."""
        while True:
            found = _FILLED.search(self._piece, self._at)
            if found:
                self._at = found.start()
                return found[0]
            self._at = len(self._piece)
            if not self._more():
                return ""

    def take(self, signs: str) -> str:
        """The next sign, which must be one of these."""
        found = self.sign()
        if not found or found not in signs:
            message = f"{' or '.join(signs)} is wanted, found {found or 'the end of the file'}"
            raise ValueError(message)
        self._at += 1
        return found

    def text(self) -> str:
        """The next value, which must be a text."""
        value = self.value()
        if not isinstance(value, str):
            message = f"a key in quotes is wanted, found {str(value)[:20]}"
            raise ValueError(message)
        return value

    def value(self) -> Any:
        """The next value. What looks broken may only be cut off, so more is read before it is called so."""
        self.sign()
        while True:
            try:
                value, end = self._decode(self._piece, self._at)
            except ValueError:
                if not self._more():
                    raise
                continue
            except RepeatedFieldError as error:
                raise repeated_field(self._text.source.name, self.line, error.key) from error
            # A number may go on in what was not read yet.
            if end == len(self._piece) and self._more():
                continue
            if _SURROGATE.search(self._piece, self._at, end):
                value = json.loads(writable(json.dumps(value, ensure_ascii=False)))
            self._at = end
            return value

    def _more(self) -> bool:
        """Reads on, each time as much again as there is; False at the end of the file."""
        kept = self._piece[self._at :]
        if len(kept) > self._limit:
            raise _too_long(self._text)
        part = self._opened.read(max(_PIECE, len(kept)))
        self._passed += self._piece.count(self._newline, self._counted, self._at)
        self._piece, self._at, self._counted = kept + part, 0, 0
        return bool(part)


def _too_long(text: TextFile) -> UserError:
    limit = text.source.limits.max_line_chars
    return refuse(
        "too-long",
        f"Plik {text.source.name}: element JSON dłuższy niż {limit} znaków. Zostaw w nim tylko potrzebne pola albo "
        "podnieś POLQA_MAX_LINE_CHARS.",
        f"The file {text.source.name}: a JSON item of more than {limit} characters. Keep only the fields that are "
        "needed, or raise POLQA_MAX_LINE_CHARS.",
    )


def json_id(value: object) -> str:
    """An id of a JSON value as text; 103.0 is 103."""
    return id_text(value)


def json_text(value: object) -> str:
    """A JSON value as the text of a cell: null is empty, true and false are tak and nie.

    Whole numbers have no decimal point. A list or an object is its own JSON, so that whoever wants a text can see that
    it is none.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "tak" if value else "nie"
    if isinstance(value, float):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
