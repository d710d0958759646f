"""The manifest of an index folder: what was built from what, and how its files can be recognised.

Opening an index must not read all of it, yet has to see parts that are missing, cut off or of another index. So each
file is marked twice: by its size with a sample of its bytes, looked at whenever the index is opened, and by a checksum
of the whole, read by `verify` alone. tantivy names its files anew in every build, so the manifest of another index
never fits either.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from polqa_demo.errors import UserError, first_few
from polqa_demo.retrieval.lexical import ANALYSER_VERSION
from polqa_demo.retrieval.vector_files import EncoderMark

SCHEMA_VERSION = 4
"""What is written. Version 2 knew no vectors, version 3 no prefixes; both are read as well."""

MANIFEST, PASSAGES, LEXICAL, VECTORS = "manifest.json", "passages", "lexical", "vectors"
SAMPLE_BLOCK = 1 << 18
"""Bytes read at the start, in the middle and at the end of a file; one of up to three blocks is read whole."""

_READ_VERSIONS = (SCHEMA_VERSION, 3, 2)
_FORMAT = "polqa-demo index"


@dataclass(frozen=True, slots=True)
class FileMark:
    """How a file is recognised: bytes, SHA-256 (hex) of the sample, and of the whole."""

    size: int
    sample: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index folder is and was built from. `files` has the marks by path inside the folder.

    `encoder` made the vectors; None: there are none.
    """

    schema_version: int
    package_version: str
    analyser_version: str
    tantivy_version: str
    corpus_checksum: str
    passage_count: int
    source_files: tuple[str, ...]
    wikipedia_ids: bool
    files: dict[str, FileMark]
    encoder: EncoderMark | None = None


def mark_files(folder: Path) -> dict[str, FileMark]:
    """The marks of all files of an index; reads them all.

    Raises:
        OSError: a file cannot be read.
    """
    return {name: FileMark(file.stat().st_size, _sample(file), _whole(file)) for name, file in _files(folder)}


def changed_files(folder: Path, manifest: Manifest, *, whole: bool = False) -> tuple[str, ...]:
    """Names of files that are not as they were built, sorted: missing, or of another size or sample.

    With `whole` all bytes are compared, and additional files are named, too.
    """
    found = dict(_files(folder))
    wrong = {name for name, mark in manifest.files.items() if not _fits(found.get(name), mark, whole)}
    return tuple(sorted(wrong | (found.keys() - manifest.files.keys() if whole else set())))


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    unfinished = folder / "manifest.tmp"
    with unfinished.open("w", encoding="utf-8") as sink:
        json.dump({"format": _FORMAT, **asdict(manifest)}, sink, ensure_ascii=False, indent=1)
        sink.flush()
        os.fsync(sink.fileno())
    unfinished.replace(folder / MANIFEST)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of an index folder.

    Raises:
        UserError: there is none, it is damaged, or of another version.
    """
    record = _record(folder)
    for name, known in (("schema_version", _READ_VERSIONS), ("analyser_version", (ANALYSER_VERSION,))):
        if record.get(name) not in known:
            raise refused(
                folder,
                "index-version",
                f"Indeks jest w innej wersji ({name}: {record.get(name)!r}, potrzebna {known[0]!r}).",
                f"The index is of another version ({name}: {record.get(name)!r}, wanted {known[0]!r}).",
            )
    names = {field.name for field in fields(Manifest)} - {"encoder"}
    if not names <= record.keys():
        raise _unreadable(folder, ", ".join(sorted(names - record.keys())))
    sources, count = record["source_files"], record["passage_count"]
    if not isinstance(sources, list) or not isinstance(count, int):
        raise _unreadable(folder, "source_files, passage_count")
    try:
        files = {name: FileMark(**mark) for name, mark in record["files"].items()}
    except (AttributeError, TypeError) as error:
        raise _unreadable(folder, f"files: {error}") from error
    if not files:
        raise _unreadable(folder, "files")
    plain = {name: record[name] for name in names}
    encoder = _encoder(folder, record.get("encoder"))
    return Manifest(**plain | {"source_files": tuple(map(str, sources)), "files": files, "encoder": encoder})


def refused(folder: Path, code: str, pl: str, en: str) -> UserError:
    """Why an index folder cannot be used, and how it is built again."""
    command = f"python -m polqa_demo index build --corpus FILE --out {folder}"
    return UserError(
        code,
        f"Nie można użyć indeksu {folder}. {pl} Zbuduj go poleceniem: {command}",
        f"The index {folder} cannot be used. {en} Build it with: {command}",
    )


def changed(folder: Path, names: tuple[str, ...]) -> UserError:
    """The refusal of an index some of whose files are not those that were built."""
    first = first_few(names)
    return refused(
        folder,
        "index-changed",
        f"Pliki inne niż przy budowie (zmienione, brakujące lub dodane): {len(names)} ({first}).",
        f"Files that differ from the build (changed, missing or added): {len(names)} ({first}).",
    )


def _record(folder: Path) -> dict[str, Any]:
    try:
        record = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        if folder.exists():
            pl = f"Brak pliku {MANIFEST}: to nie jest indeks albo jego budowa nie została ukończona."
            en = f"There is no {MANIFEST}: this is no index, or its build was not finished."
            raise refused(folder, "index-incomplete", pl, en) from error
        raise refused(folder, "index-missing", "Nie ma takiego folderu.", "There is no such folder.") from error
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(folder, str(error)) from error
    if not isinstance(record, dict) or record.pop("format", None) != _FORMAT:
        raise _unreadable(folder, "format")
    return record


def _encoder(folder: Path, record: object) -> EncoderMark | None:
    if record is None:
        return None
    try:
        mark = EncoderMark(**record)  # type: ignore[arg-type]
    except TypeError as error:
        raise _unreadable(folder, f"encoder: {error}") from error
    wanted = (isinstance(mark.name, str), isinstance(mark.fingerprint, str), isinstance(mark.dimension, int))
    known = (mark.query_prefix, mark.passage_prefix)
    if not all(wanted) or not all(isinstance(prefix, str | None) for prefix in known) or not _count(mark.cut):
        raise _unreadable(folder, "encoder")
    return mark


def _count(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Paths inside the folder, in order; without the manifest and tantivy's empty lock files."""
    for part in (PASSAGES, LEXICAL, VECTORS):
        for file in sorted((folder / part).rglob("*")):
            if file.is_file() and not file.name.endswith(".lock"):
                yield file.relative_to(folder).as_posix(), file


def _fits(file: Path | None, mark: FileMark, whole: bool) -> bool:
    if file is None:
        return False
    try:
        if file.stat().st_size != mark.size:
            return False
        return _whole(file) == mark.sha256 if whole else _sample(file) == mark.sample
    except OSError:
        return False


def _sample(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb", buffering=0) as stream:
        size = os.fstat(stream.fileno()).st_size
        middle = max((size - SAMPLE_BLOCK) // 2, SAMPLE_BLOCK)
        for start in (0, middle, max(size - SAMPLE_BLOCK, middle + SAMPLE_BLOCK)):
            stream.seek(start)
            digest.update(stream.read(SAMPLE_BLOCK))
    return digest.hexdigest()


def _whole(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _unreadable(folder: Path, what: str) -> UserError:
    return refused(
        folder,
        "index-manifest-damaged",
        f"Plik {MANIFEST} jest uszkodzony lub nie opisuje indeksu ({what}).",
        f"The file {MANIFEST} is damaged or describes no index ({what}).",
    )
