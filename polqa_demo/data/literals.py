"""Values as Python and NumPy print them -> the values: `['a', 'b']`, `['a' 'b']`, `array(['a'], dtype=object)`.

A parser of our own, since `ast.literal_eval` joins what NumPy parts by a blank, is slow on long texts, and warns of
backslashes in a way that threads cannot silence. It takes time proportional to the text and runs nothing.
Source: the grammar of literals in the Python language reference; `numpy.array2string`.
"""

import math
import re
from dataclasses import dataclass
from typing import Any

# No printed list of answers is longer; beyond this a text is taken for a text.
LONGEST = 100_000
_DEEPEST = 20
_BLANKS = re.compile(r"\s*")
_TEXT = re.compile(r"""[uU]?(?:'([^'\\]*+(?:\\.[^'\\]*+)*+)'|"([^"\\]*+(?:\\.[^"\\]*+)*+)")""", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?")
_WORD = re.compile(r"-?[A-Za-z_][A-Za-z_0-9.]*+")
_ESCAPE = re.compile(r"\\(?:(\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
_SIMPLE = {"\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS: dict[str, Any] = {"None": None, "null": None, "True": True, "true": True, "False": False, "false": False}
_NOT_NUMBERS = ("nan", "NaN", "-nan", "inf", "-inf", "Infinity", "-Infinity", "np.nan", "np.inf", "NaT")
# What wraps a value in print without changing it.
_CALLS = re.compile(
    r"(?:np\.|numpy\.)?(?:array|str_|bool_?|u?int(?:8|16|32|64)?|float(?:16|32|64)?|list|tuple|Timestamp)"
)
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class NotLiteralError(ValueError):
    """The text is no printed value."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed value: lists, dictionaries, texts, numbers, truth values, None.

    `commas_missing` says that members stood beside each other without a comma, as NumPy prints them.
    """

    value: Any
    commas_missing: bool = False


def parse_printed(text: str) -> Printed:
    """The value of a text as Python or NumPy prints it.

    :raises NotLiteralError: it is none, is longer than LONGEST characters, or is nested too deeply
    """
    if len(text) > LONGEST:
        raise NotLiteralError("too long")
    parser = _Parser(text)
    value = parser.value(0)
    if parser.sign():
        raise NotLiteralError("something stands behind the value")
    return Printed(value, parser.commas_missing)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.commas_missing = False

    def sign(self) -> str:
        """The next character that is no blank, left where it stands; empty at the end."""
        match = _BLANKS.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._text[self._at : self._at + 1]

    def value(self, depth: int) -> Any:
        sign = self.sign()
        if depth > _DEEPEST:
            raise NotLiteralError("nested too deeply")
        if sign in _CLOSING:
            self._at += 1
            return self._members(_CLOSING[sign], depth)
        if _TEXT.match(self._text, self._at):
            return self._string()
        if match := _NUMBER.match(self._text, self._at):
            self._at = match.end()
            return _number(match[0])
        return self._word(depth)

    def _word(self, depth: int) -> Any:
        match = _WORD.match(self._text, self._at)
        if not match:
            raise NotLiteralError(f"no value at {self._at}")
        word, self._at = match[0], match.end()
        if word in _WORDS or word in _NOT_NUMBERS:
            return _WORDS.get(word)
        if _CALLS.fullmatch(word) and self.sign() == "(":
            return self._call(depth)
        raise NotLiteralError(f"the word {word[:20]}")

    def _string(self) -> str:
        match = _TEXT.match(self._text, self._at)
        if not match:
            raise NotLiteralError("a text without its end")
        self._at = match.end()
        text = match[1] if match[1] is not None else match[2] or ""
        return _ESCAPE.sub(_escaped, text) if "\\" in text else text

    def _call(self, depth: int) -> Any:
        """What is wrapped: its first argument; `dtype=object` and the like are passed over."""
        self._at += 1
        value = self.value(depth + 1)
        while self.sign() == ",":
            self._at += 1
            if self.sign() == ")":
                break
            name = _WORD.match(self._text, self._at)
            if not name:
                raise NotLiteralError("an argument without a name")
            self._at = name.end()
            if self.sign() != "=":
                raise NotLiteralError("an argument without a name")
            self._at += 1
            if self.sign() in "'\"<":
                self._at = self._behind_type()
            else:
                word = _WORD.match(self._text, self._at)
                if not word:
                    raise NotLiteralError("an argument without a value")
                self._at = word.end()
        self._take(")")
        return value

    def _behind_type(self) -> int:
        """The end of a type in quotes, such as `'<U12'`."""
        match = _TEXT.match(self._text, self._at)
        if not match:
            raise NotLiteralError("a text without its end")
        return match.end()

    def _members(self, closing: str, depth: int) -> Any:
        items: list[Any] = []
        keyed: dict[str, Any] = {}
        parted = True
        while self.sign() != closing:
            if not parted:
                # Python never leaves a comma out; NumPy puts a blank in its place.
                if not self._text[self._at - 1].isspace():
                    raise NotLiteralError(f"a comma is wanted at {self._at}")
                self.commas_missing = True
            item = self.value(depth + 1)
            if closing == "}" and self.sign() == ":":
                self._at += 1
                keyed[str(item)] = self.value(depth + 1)
            else:
                items.append(item)
            parted = self.sign() == ","
            if parted:
                self._at += 1
        self._at += 1
        if keyed and items:
            raise NotLiteralError("a dictionary with members that have no key")
        return items if items or closing != "}" else keyed

    def _take(self, sign: str) -> None:
        if self.sign() != sign:
            raise NotLiteralError(f"{sign} is wanted at {self._at}")
        self._at += 1


def _number(text: str) -> int | float | str:
    """The number; one that cannot be held as it is written stays text."""
    if text.lstrip("+-").isdigit():
        return int(text) if len(text) < 1000 else text
    value = float(text)
    return value if math.isfinite(value) else text


def _escaped(match: re.Match[str]) -> str:
    newline, simple, octal, *codes = match.groups()
    if newline:
        return ""
    if simple:
        return _SIMPLE[simple]
    code = int(octal, 8) if octal else int(next(code for code in codes if code), 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"
