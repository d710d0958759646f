"""A file as it came -> one stream of bytes: plain, gzip, lz4, or a zip with one file inside.

What a file is, is judged by its first bytes. Nothing is ever unpickled, and nothing is written to disk: a member of an
archive is read as a stream, its name is only shown.
"""

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from polqa_demo.errors import UserError
from polqa_demo.settings import Settings, settings
from polqa_demo.submissions.problems import first_places, refuse

Content = bytes | Path
Kind = Literal["text", "xlsx", "parquet"]

MEGABYTE = 1 << 20
HEAD = 8192
_SMALL_PIECE = 1 << 12
# More entries than any submission has; the list of a zip is held in memory whole.
_MAX_DIRECTORY = 1 << 20
_BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)

# What is no file of predictions, told by its first bytes.
_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "PDF"),
    (b"\xd0\xcf\x11\xe0", "Excel 97-2003 (.xls)"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstandard"),
    (b"7z\xbc\xaf", "7-Zip"),
    (b"Rar!", "RAR"),
    (b"ARROW1", "Arrow"),
    # A stream of Arrow, as `datasets` saves it: the mark of a message, whose length follows.
    (b"\xff\xff\xff\xff", "Arrow"),
    (b"{\\rtf", "RTF"),
    (b"\x93NUMPY", "NumPy"),
    (b"SQLite format 3", "SQLite"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x80\x02", "pickle"),
    (b"\x80\x03", "pickle"),
    (b"\x80\x04", "pickle"),
    (b"\x80\x05", "pickle"),
    (b"version https://git-lfs", "Git LFS"),
    (b"{\\rtf", "RTF"),
)
# The mark of an LZ4 frame, the form in which ranx keeps its runs.
_LZ4 = b"\x04\x22\x4d\x18"
_WEB_PAGE = (b"<!doctype html", b"<html")
# What systems and programs leave in archives beside the file.
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
# What CodaLab and Codabench put beside a submission.
_BESIDE = ("metadata", "metadata.yaml", "metadata.yml")


@dataclass(frozen=True)
class Source:
    """A file that can be opened again and again, unpacked. `wrapped` names what it came in, outermost first."""

    name: str
    content: Content
    limits: Settings
    kind: Kind = "text"
    layers: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The unpacked bytes from their beginning.

        :raises UserError: the file cannot be opened, is broken, or holds more than the limit (while it is read)
        """
        with ExitStack() as stack:
            stream = stack.enter_context(self._plain())
            for layer in self.layers:
                stream = stack.enter_context(_OPENERS[layer](stream, self))
            yield stream

    def head(self, size: int = HEAD) -> bytes:
        """The first bytes."""
        with self.open() as stream:
            return stream.read(size)

    def in_memory(self) -> "Source":
        """The same, without layers: for what must be read in any order."""
        if not self.layers:
            return self
        limit = self.limits.max_workbook_mb * MEGABYTE
        with self.open() as stream:
            data = stream.read(limit + 1)
        if len(data) > limit:
            raise too_large(self.name, self.limits.max_workbook_mb, "max_workbook_mb")
        return replace(self, content=data, layers=())

    def _plain(self) -> BinaryIO:
        if isinstance(self.content, bytes):
            return io.BytesIO(self.content)
        try:
            return self.content.open("rb")
        except (OSError, ValueError) as error:
            raise unreadable(self.content, error) from error


def open_source(content: Content, name: str, limits: Settings | None = None) -> Source:
    """The file inside of its wrappings, at most two of them and no two alike.

    :raises Refused: an archive of none or several files, a broken or encrypted one, or no file of predictions at all
    """
    source = Source(name, _at_rest(content, limits or settings()), limits or settings())
    while True:
        head = source.head()
        _refuse_foreign(head, name)
        if head.startswith(b"PAR1"):
            return replace(source.in_memory(), kind="parquet")
        if head.startswith(b"\x1f\x8b"):
            source = _inside(source, "gzip")
        elif head.startswith(_LZ4):
            source = _inside(source, "lz4")
        elif head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            source = source.in_memory()
            with source.open() as stream, _archive(stream, name) as archive:
                names = archive.namelist()
                if "xl/workbook.xml" in names:
                    return replace(source, kind="xlsx")
                _the_member(archive, name)
            source = _inside(source, "zip")
        else:
            return source


def unreadable(path: Path, error: Exception) -> UserError:
    """Said when a file cannot be opened."""
    reason = error.strerror if isinstance(error, OSError) else error
    return UserError(
        "unreadable-file",
        f"Nie mogę otworzyć pliku {path}: {reason}. Sprawdź ścieżkę i uprawnienia.",
        f"Cannot open the file {path}: {reason}. Check the path and the permissions.",
    )


def too_large(name: str, megabytes: int, setting: str) -> UserError:
    """Said of a file that holds more than the limit once it is unpacked."""
    variable = f"POLQA_{setting.upper()}"
    return refuse(
        "too-large",
        f"Plik {name} ma po rozpakowaniu ponad {megabytes} MB. Zostaw w nim tylko potrzebne kolumny, zapisz go jako "
        f"CSV lub JSONL albo podnieś limit {variable}.",
        f"The file {name} has more than {megabytes} MB unpacked. Keep only the columns that are needed, save it as CSV "
        f"or JSONL, or raise the limit {variable}.",
    )


def broken(name: str, what: str, reason: object) -> UserError:
    """Said of an archive, a workbook or a parquet file that cannot be read."""
    return refuse(
        "broken-file",
        f"Plik {name} ({what}) jest uszkodzony: {str(reason)[:120]}. Zapisz lub pobierz go jeszcze raz.",
        f"The file {name} ({what}) is broken: {str(reason)[:120]}. Save or download it again.",
    )


def _at_rest(content: Content, limits: Settings) -> Content:
    """A pipe can be read once only, so its bytes are kept."""
    if isinstance(content, bytes):
        return content
    try:
        if content.is_file() or not content.exists() or content.is_dir():
            return content
        with content.open("rb") as stream:
            data = stream.read(limits.max_upload_mb * MEGABYTE + 1)
    except (OSError, ValueError) as error:
        raise unreadable(content, error) from error
    if len(data) > limits.max_upload_mb * MEGABYTE:
        raise too_large(content.name, limits.max_upload_mb, "max_upload_mb")
    return data


def _inside(source: Source, layer: str) -> Source:
    if layer in source.wrapped:
        raise refuse(
            "nested-archive",
            f"Plik {source.name} jest spakowany kilka razy ({' > '.join([*source.wrapped, layer])}). Rozpakuj go raz.",
            f"The file {source.name} is packed several times ({' > '.join([*source.wrapped, layer])}). Unpack it once.",
        )
    return replace(source, layers=(*source.layers, layer), wrapped=(*source.wrapped, layer))


def _refuse_foreign(head: bytes, name: str) -> None:
    what = next((kind for magic, kind in _FOREIGN if head.startswith(magic)), "")
    if head.lstrip()[:14].lower().startswith(_WEB_PAGE):
        what = "HTML"
    if what:
        raise refuse(
            "not-text",
            f"Plik {name} to {what}, a nie plik z predykcjami. Zapisz go jako CSV, TSV, JSONL, XLSX lub Parquet.",
            f"The file {name} is {what}, not a file of predictions. Save it as CSV, TSV, JSONL, XLSX or Parquet.",
        )


class _Guard(io.RawIOBase):
    """A stream that is unpacked: never more than the limit, and any fault of the packing becomes one message."""

    def __init__(self, inner: Any, source: Source, what: str, most: int = MEGABYTE) -> None:
        self._inner, self._source, self._what, self._most = inner, source, what, most
        self._left = source.limits.max_unpacked_mb * MEGABYTE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        try:
            data = self._inner.read(min(len(view), self._most))
        except UserError:
            raise
        except _BROKEN as error:
            raise broken(self._source.name, self._what, error) from error
        self._left -= len(data)
        if self._left < 0:
            raise too_large(self._source.name, self._source.limits.max_unpacked_mb, "max_unpacked_mb")
        view[: len(data)] = data
        return len(data)


@contextmanager
def _open_gzip(stream: BinaryIO, source: Source) -> Iterator[BinaryIO]:
    with gzip.GzipFile(fileobj=stream) as inner:
        yield cast("BinaryIO", io.BufferedReader(_Guard(inner, source, "gzip"), MEGABYTE))


@contextmanager
def _open_lz4(stream: BinaryIO, source: Source) -> Iterator[BinaryIO]:
    import pyarrow as pa

    with pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), "lz4") as inner:
        yield cast("BinaryIO", io.BufferedReader(_Guard(inner, source, "lz4"), MEGABYTE))


@contextmanager
def _open_member(stream: BinaryIO, source: Source) -> Iterator[BinaryIO]:
    with _archive(stream, source.name) as archive:
        member = _the_member(archive, source.name)
        try:
            inner = archive.open(member)
        except _BROKEN as error:
            raise broken(source.name, "zip", error) from error
        with inner:
            # Of bzip2 and LZMA, zipfile unpacks at once all that comes of the packed bytes it has read.
            most = MEGABYTE if member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) else _SMALL_PIECE
            yield cast("BinaryIO", io.BufferedReader(_Guard(inner, source, "zip", most), MEGABYTE))


_OPENERS: dict[str, Callable[[BinaryIO, Source], AbstractContextManager[BinaryIO]]] = {
    "gzip": _open_gzip,
    "lz4": _open_lz4,
    "zip": _open_member,
}


def _archive(stream: BinaryIO, name: str) -> zipfile.ZipFile:
    """The archive, once its list of entries is known to be of a bearable size."""
    try:
        if _directory_size(stream) > _MAX_DIRECTORY:
            raise refuse(
                "several-files",
                f"Archiwum {name} zawiera zbyt wiele plików. Spakuj jeden plik z predykcjami.",
                f"The archive {name} holds too many files. Pack one file of predictions.",
            )
        return zipfile.ZipFile(stream)
    except UserError:
        raise
    except (*_BROKEN, struct.error) as error:
        raise broken(name, "zip", error) from error


def _directory_size(stream: BinaryIO) -> int:
    """The bytes of the list of entries, as the record at the end of a zip gives them (APPNOTE 4.3.14 to 4.3.16)."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - (1 << 16) - 100))
    tail = stream.read()
    stream.seek(0)
    end = tail.rfind(b"PK\x05\x06")
    if end < 0:
        return 0
    found = int(struct.unpack_from("<L", tail, end + 12)[0])
    wide = tail.rfind(b"PK\x06\x06", 0, end)
    if wide >= 0:
        found = max(found if found < 0xFFFFFFFF else 0, int(struct.unpack_from("<Q", tail, wide + 40)[0]))
    return found


def _the_member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    members = [
        item
        for item in archive.infolist()
        # Python 3.11 asks a member without a name for its last letter.
        if item.filename
        and not item.is_dir()
        and not item.filename.startswith(_LITTER)
        and not item.filename.rsplit("/", 1)[-1].startswith(("._", *_LITTER))
    ]
    if len(members) > 1:
        members = [item for item in members if item.filename.rsplit("/", 1)[-1] not in _BESIDE] or members
    if len(members) != 1:
        listed = first_places(item.filename for item in members)
        raise refuse(
            "several-files" if members else "empty-archive",
            f"Archiwum {name} powinno zawierać jeden plik, a zawiera {len(members)} ({listed or 'żadnego'}). "
            "Spakuj jeden plik z predykcjami.",
            f"The archive {name} should hold one file, but holds {len(members)} ({listed or 'none'}). "
            "Pack one file of predictions.",
            len(members),
        )
    if members[0].flag_bits & 1:
        raise refuse(
            "encrypted-archive",
            f"Archiwum {name} jest zabezpieczone hasłem. Zapisz je bez hasła.",
            f"The archive {name} is protected by a password. Save it without one.",
        )
    return members[0]
