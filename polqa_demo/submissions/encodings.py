"""Which letters a file's bytes are: UTF-8, UTF-16, cp1250 or ISO-8859-2, as the Polish letters say, or a refusal.

One pass over the whole file decodes it piece by piece, so that a wrong byte at its end is found before any score, and
counts what the reading needs to know: lines, line ends, the longest line.
"""

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from polqa_demo.errors import Bilingual, Problem, by_option, counted
from polqa_demo.polish.words import plural
from polqa_demo.submissions.containers import MEGABYTE, Source
from polqa_demo.submissions.problems import Refused, refuse

# Byte order marks, the longer first: that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8 BOM"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
# ą Ą ś Ś ź Ź where the two one-byte encodings differ; the other Polish letters have the same bytes in both.
_ONLY_CP1250 = bytes.fromhex("b9 a5 9c 8c 9f 8f")
_ONLY_LATIN2 = bytes.fromhex("b1 a1 b6 a6 bc ac")
# Control characters in ISO-8859-2, typographic signs and letters in cp1250.
_CONTROLS = bytes(range(0x80, 0xA0))
# Ć ć Ę ę Ł ł Ń ń Ó ó Ż ż and the signs that Polish texts hold: no-break space, section sign, degree, guillemets.
_POLISH = "ĆćĘęŁłŃńÓóŻż".encode("cp1250") + bytes.fromhex("a0 a7 b0 ab bb")
_CP1250_SIGNS = "„”‚’‘“–—…•€".encode("cp1250")
# Letters of other names that have one byte in both: á ä ç é ë í ö ü ß ...
_SHARED = bytes(
    byte for byte in range(0xC0, 0x100) if bytes([byte]).decode("cp1250") == bytes([byte]).decode("latin-1")
)
_ASCII = bytes(range(0x80))
# ą ć ę ł ń ó ś ź ż of UTF-8: what never stands in a Polish text of one byte a letter.
_UTF8_LETTERS = tuple(letter.encode() for letter in "ąćęłńóśźżĆŁŚŻ„”")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class TextFile:
    """A source read as text: how its letters and its line ends are written, and what was counted on the way.

    `skip` is the length of its mark in bytes; `above` is how many lines stand above its table and belong to no row.
    """

    source: Source
    encoding: str
    label: str
    skip: int = 0
    above: int = 0
    newline: str = "\n"
    lines: int = 0
    longest: int = 0
    quotes: bool = False
    problems: tuple[Problem, ...] = ()

    @contextmanager
    def open(self) -> Iterator[io.TextIOWrapper]:
        """The text from its beginning; iterating gives lines with their ends, parted by `newline` alone."""
        with self.source.open() as stream:
            stream.read(self.skip)
            text = io.TextIOWrapper(stream, encoding=self.encoding, newline=self.newline)
            try:
                yield text
            finally:
                text.detach()


def open_text(source: Source, encoding: str | None = None) -> TextFile:
    """A source as text, all of it decoded once.

    :param encoding: taken instead of what the bytes say
    :raises Refused: empty or binary, no encoding that its Polish letters agree with, too many or too long lines
    """
    head = source.head()
    found = _named(source, head, encoding) if encoding else _guessed(source, head)
    try:
        text = _scan(found)
    except _Undecodable as error:
        if encoding or found.encoding != "utf-8":
            raise _not_in(found, error.line) from error
        text = _scan(_one_byte(source, error.line))
    if text.label not in ("UTF-8", "UTF-8 BOM") and not encoding:
        text = replace(text, problems=(*text.problems, _taken(text)))
    return text


def _named(source: Source, head: bytes, encoding: str) -> TextFile:
    try:
        known = codecs.lookup(encoding)
        known_as_text = known._is_text_encoding
    except (LookupError, ValueError):
        known_as_text = False
    if not known_as_text:
        raise refuse(
            "unknown-encoding",
            f"Nie ma kodowania „{encoding}”. Dostępne są na przykład utf-8, cp1250, iso-8859-2, utf-16.",
            f"There is no encoding {encoding!r}. Known are for example utf-8, cp1250, iso-8859-2, utf-16.",
        )
    for mark, name, label in _MARKS:
        # A named UTF-16 has its mark before it, and so may a named UTF-8.
        if head.startswith(mark) and name.startswith(known.name.removesuffix("-sig")):
            return TextFile(source, name, label, len(mark))
    return TextFile(source, "utf-16-le" if known.name == "utf-16" else known.name, known.name)


def _guessed(source: Source, head: bytes) -> TextFile:
    for mark, name, label in _MARKS:
        if head.startswith(mark):
            return TextFile(source, name, label, len(mark))
    pairs = head[: len(head) // 2 * 2]
    high, low = pairs[::2].count(0), pairs[1::2].count(0)
    half = len(pairs) // 2
    if half >= 4 and max(high, low) > half / 2 and min(high, low) <= half / 20:
        return TextFile(source, "utf-16-be" if high > low else "utf-16-le", "UTF-16")
    return TextFile(source, "utf-8", "UTF-8")


class _Undecodable(Exception):
    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _scan(found: TextFile) -> TextFile:
    """The text with its lines counted.

    :raises _Undecodable: a byte that the encoding does not have; the line is named
    :raises Refused: beyond a limit, empty, or binary
    """
    limits = found.source.limits
    # A line longer than a piece is measured; one within a piece is shorter than the limit, whatever it is.
    piece = min(MEGABYTE, limits.max_line_chars)
    decoder = codecs.getincrementaldecoder(found.encoding)()
    feeds = returns = nuls = chars = open_chars = longest = returned = 0
    blank, quotes = True, False
    with found.source.open() as stream:
        stream.read(found.skip)
        while True:
            data = stream.read(piece)
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode(found.encoding, "ignore")
                raise _Undecodable(feeds + before.count("\n") + 1) from error
            chars += len(text)
            feeds += text.count("\n")
            if "\r" in text or returned:
                returns += text.count("\r") - text.count("\r\n") - (returned and text.startswith("\n"))
                returned = text.endswith("\r")
            nuls += text.count("\x00")
            quotes = quotes or '"' in text
            blank = blank and not text.strip().strip(_BOM)
            end = "\n" if feeds else "\r"
            first, last = text.find(end), text.rfind(end)
            longest = max(longest, open_chars + (first if first >= 0 else len(text)))
            open_chars = len(text) - last - 1 if last >= 0 else open_chars + len(text)
            if not data:
                break
    if blank:
        raise refuse(
            "empty-file",
            f"Plik {found.source.name} jest pusty. Wybierz plik z predykcjami.",
            f"The file {found.source.name} is empty. Choose a file of predictions.",
        )
    # Control characters of binary formats; a stray NUL in a long text does no harm.
    if nuls > max(1, chars // 50):
        raise refuse(
            "binary-file",
            f"Plik {found.source.name} jest binarny, a nie tekstowy. Zapisz predykcje jako CSV, TSV lub JSONL w UTF-8.",
            f"The file {found.source.name} is binary, not text. Save the predictions as CSV, TSV or JSONL in UTF-8.",
        )
    # Files of old Macs part their lines by CR; a last LF put there by a tool makes no other file of them.
    newline = "\r" if returns > feeds and feeds <= 1 else "\n"
    lines = max(feeds, returns) + 1
    if lines > limits.max_rows:
        raise refuse(
            "too-many-rows",
            f"Plik {found.source.name} ma ponad {plural(limits.max_rows, 'wiersz', 'wiersze', 'wierszy')}. Podziel go "
            "albo podnieś POLQA_MAX_ROWS.",
            f"The file {found.source.name} has more than {counted(limits.max_rows, 'line', 'lines')}. Split it or "
            "raise POLQA_MAX_ROWS.",
        )
    return replace(found, newline=newline, lines=lines, longest=longest, quotes=quotes)


def _one_byte(source: Source, line: int) -> TextFile:
    """cp1250 or ISO-8859-2 for a file that is not UTF-8.

    :raises Refused: the letters speak for neither, for both, or for a mixture with UTF-8
    """
    counts, utf8 = _high_bytes(source)
    total = sum(counts.values())

    def many(group: bytes) -> int:
        return sum(counts.get(byte, 0) for byte in group)

    windows, latin, controls = many(_ONLY_CP1250), many(_ONLY_LATIN2), many(_CONTROLS)
    where = by_option("--encoding")
    cure_pl, cure_en = (
        f"Zapisz plik jako UTF-8 albo wskaż jego kodowanie {where.pl}.",
        f"Save the file as UTF-8, or name its encoding {where.en}.",
    )
    if utf8:
        raise refuse(
            "mixed-encodings",
            f"Plik {source.name}, wiersz {line}: bajt spoza UTF-8 w pliku, którego inne polskie litery są w UTF-8. "
            f"Plik jest ucięty albo sklejony z różnych kodowań. {cure_pl}",
            f"File {source.name}, line {line}: a byte that is not UTF-8, where other Polish letters are UTF-8. The "
            f"file is cut off or glued together from several encodings. {cure_en}",
            lines=[line],
        )
    signs = many(_CP1250_SIGNS)
    by_windows = many(_POLISH) + many(_SHARED) + windows + signs
    by_latin = many(_POLISH) + many(_SHARED) + latin
    undefined = any(counts.get(byte) for byte in b"\x81\x83\x88\x90\x98")
    speaks_windows = not undefined and by_windows >= 0.9 * total and windows + signs >= 10 * latin
    speaks_latin = not controls and by_latin >= 0.9 * total and latin >= 10 * windows
    if speaks_windows:
        return TextFile(source, "cp1250", "cp1250" if windows + signs else "cp1250 = ISO-8859-2")
    if speaks_latin:
        return TextFile(source, "iso8859-2", "ISO-8859-2")
    raise refuse(
        "not-utf8",
        f"Plik {source.name}, wiersz {line}: to nie jest tekst w UTF-8, a litery nie wskazują ani na cp1250, ani na "
        f"ISO-8859-2. {cure_pl}",
        f"File {source.name}, line {line}: this is not UTF-8 text, and its letters speak neither for cp1250 nor for "
        f"ISO-8859-2. {cure_en}",
        lines=[line],
    )


def _high_bytes(source: Source) -> tuple[dict[int, int], int]:
    """How often each byte above ASCII stands, and how many Polish letters stand as UTF-8."""
    counts: dict[int, int] = {}
    utf8 = 0
    tail = b""
    with source.open() as stream:
        while data := stream.read(MEGABYTE):
            high = data.translate(None, _ASCII)
            for byte in set(high):
                counts[byte] = counts.get(byte, 0) + high.count(byte)
            seam = tail + data
            utf8 += sum(seam.count(letter) for letter in _UTF8_LETTERS)
            tail = data[-1:]
    return counts, utf8


def _not_in(found: TextFile, line: int) -> Refused:
    return refuse(
        "not-decodable",
        f"Plik {found.source.name}, wiersz {line}: to nie jest tekst w kodowaniu {found.label}. Zapisz plik jako "
        "UTF-8.",
        f"File {found.source.name}, line {line}: this is not text in {found.label}. Save the file as UTF-8.",
        lines=[line],
    )


def _taken(text: TextFile) -> Problem:
    name, label = text.source.name, text.label
    message = Bilingual(
        f"Plik {name} odczytano w kodowaniu {label}, a nie UTF-8. Jeśli litery są złe, zapisz go jako UTF-8.",
        f"The file {name} was read as {label}, not UTF-8. If letters are wrong, save it as UTF-8.",
    )
    return Problem("note", "encoding", message)
