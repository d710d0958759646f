"""An index on disk: passages and what finds them, in one folder with a manifest.

    OUT/manifest.json     what this is and what it was built from; written last, so without it nothing is trusted
    OUT/passages/         the `PassageStore`
    OUT/lexical/          the tantivy index

A build happens in a hidden folder beside OUT and is renamed at its end: OUT is whole or not there.
"""

import json
import os
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path

from polqa_demo.data.passages import (
    LINES,
    DuplicateIdError,
    PassageStore,
    Progress,
    checksum,
    read_passages,
    with_places,
)
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.lexical import ANALYSER_VERSION, LexicalRetriever
from polqa_demo.version import __version__

SCHEMA_VERSION = 1
MANIFEST, PASSAGES, LEXICAL = "manifest.json", "passages", "lexical"
_FORMAT = "polqa-demo index"
_ABANDONED_AFTER = 24 * 3600  # seconds without a write, after which a build is taken for dead
_RENAME_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index folder is and was built from. `files` maps paths inside the folder to SHA-256 (hex)."""

    schema_version: int
    package_version: str
    analyser_version: str
    tantivy_version: str
    corpus_checksum: str
    passage_count: int
    source_files: tuple[str, ...]
    wikipedia_ids: bool
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Index:
    """Passages with a lexical retriever over them; `folder` and `manifest` are None for an index in memory."""

    name: str
    passages: PassageStore
    retriever: LexicalRetriever
    folder: Path | None = None
    manifest: Manifest | None = None

    @property
    def key(self) -> str:
        """What tells this corpus from any other: a checksum of its content."""
        return self.manifest.corpus_checksum if self.manifest else self.passages.digest()

    def lexical(self) -> LexicalRetriever:
        """The BM25 retriever over these passages."""
        return self.retriever


def memory_index(passages: Iterable[Passage], name: str) -> Index:
    """An index without a folder, for corpora of some thousands of passages.

    Raises:
        UserError: there are no passages, or two share an id.
    """
    store = PassageStore.of(passages)
    return Index(name, store, LexicalRetriever.in_memory(store))


def build_index(
    corpus_paths: Sequence[Path], out: Path, progress: Progress | None = None, *, wikipedia_ids: bool = False
) -> Index:
    """Build an index folder from JSONL files; an index already there is replaced when the new one is whole.

    `progress` is told (done, None) while the corpus is read and (done, total) while words are indexed.

    Raises:
        UserError: the corpus is bad, `out` holds something else than an index, or cannot be written.
    """
    _refuse_foreign(out)
    with _writing(out):
        _build(corpus_paths, checksum(corpus_paths), out, progress, wikipedia_ids)
    return open_index(out)


def open_index(folder: Path) -> Index:
    """Open an index folder: memory-mapped, with cheap checks of its parts against the manifest.

    Raises:
        UserError: this is no index, a half-written or damaged one, or one of another version.
    """
    manifest = _read_manifest(folder)
    try:
        passages = PassageStore.open(folder / PASSAGES)
        lexical = LexicalRetriever.open(folder / LEXICAL, passages)
    except UserError as error:
        raise _refused(folder, error.code, error.message.pl, error.message.en) from error
    if len(passages) != manifest.passage_count:
        raise _miscounted(folder, len(passages), manifest.passage_count)
    return Index(_name(manifest.source_files), passages, lexical, folder, manifest)


def verify_index(folder: Path) -> Index:
    """Open an index and read all of it: every file against its checksum, every id against its row.

    Raises:
        UserError: as `open_index`; or a file is missing, additional or changed, or an id does not lead to its row.
    """
    index = open_index(folder)
    assert index.manifest is not None
    wanted, found = index.manifest.files, dict(_checksums(folder))
    wrong = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if wrong:
        first = ", ".join(wrong[:3])
        raise _refused(
            folder,
            "index_changed",
            f"Pliki inne niż przy budowie (zmienione, brakujące lub dodane): {len(wrong)}, np. {first}.",
            f"Files that differ from the build (changed, missing or added): {len(wrong)}, such as {first}.",
        )
    for row, passage in enumerate(index.passages):
        if index.passages.row(passage.id) != row:
            raise _refused(
                folder,
                "index_ids_damaged",
                f"Identyfikator {passage.id!r} nie prowadzi do fragmentu nr {row + 1}.",
                f"The id {passage.id!r} does not lead to passage {row + 1}.",
            )
    return index


def open_corpus(
    paths: Sequence[Path], cache_dir: Path, progress: Progress | None = None, *, wikipedia_ids: bool = False
) -> Index:
    """The index of a corpus, built on first use and kept under `cache_dir/indexes` by checksum and analyser.

    Raises:
        UserError: the corpus is bad, or the cache folder cannot be written.
    """
    digest = checksum(paths)
    folder = cache_dir / "indexes" / f"{digest}-{ANALYSER_VERSION}{'-wiki' if wikipedia_ids else ''}"
    try:
        return open_index(folder)
    except UserError:  # absent or no longer good: the cache is ours to rebuild
        pass
    try:
        with _writing(folder):
            _build(paths, digest, folder, progress, wikipedia_ids)
    except UserError as error:
        if error.code != "index_unwritable":
            raise
        raise UserError(
            "cache_unwritable",
            f"Nie można pisać w folderze pamięci podręcznej {cache_dir}: {error.__cause__}. "
            "Ustaw POLQA_CACHE_DIR na folder, w którym można pisać i jest dość miejsca.",
            f"The cache folder {cache_dir} cannot be written: {error.__cause__}. "
            "Set POLQA_CACHE_DIR to a folder that is writable and has room.",
        ) from error
    return open_index(folder)


def _build(paths: Sequence[Path], digest: str, out: Path, progress: Progress | None, wikipedia_ids: bool) -> None:
    """Build in a hidden sibling of `out`, then take its place."""
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    _sweep(out)
    part = out.parent / f".{out.name}.{uuid.uuid4().hex[:12]}.part"
    try:
        try:
            passages = PassageStore.build(part / PASSAGES, read_passages(paths), progress)
        except DuplicateIdError as error:
            raise with_places(error, paths) from error
        LexicalRetriever.build(part / LEXICAL, passages, progress)
        _share(part)
        manifest = Manifest(
            schema_version=SCHEMA_VERSION,
            package_version=__version__,
            analyser_version=ANALYSER_VERSION,
            tantivy_version=version("tantivy"),
            corpus_checksum=digest,
            passage_count=len(passages),
            source_files=tuple(path.name for path in paths),
            wikipedia_ids=wikipedia_ids,
            files=dict(_checksums(part)),
        )
        _write_manifest(part / MANIFEST, manifest)
        _replace(part, out)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _replace(part: Path, out: Path) -> None:
    """Rename `part` to `out`, moving an older index (or an empty folder) away; the last of two builders wins."""
    for attempt in range(_RENAME_ATTEMPTS):
        old = out.parent / f".{out.name}.{uuid.uuid4().hex[:12]}.part"
        with suppress(FileNotFoundError):
            out.rename(old)
        try:
            part.rename(out)
        except OSError:  # another builder has just put its own there
            if attempt == _RENAME_ATTEMPTS - 1 or not out.exists():
                with suppress(OSError):
                    old.rename(out)
                raise
        else:
            return
        finally:
            shutil.rmtree(old, ignore_errors=True)


def _sweep(out: Path) -> None:
    """Remove what builders of `out` that were killed have left behind."""
    for part in out.parent.glob(f".{out.name}.*.part"):
        written = [path.stat().st_mtime for path in part.rglob("*") if path.exists()]
        if time.time() - max(written, default=part.stat().st_mtime) > _ABANDONED_AFTER:
            shutil.rmtree(part, ignore_errors=True)


def _share(part: Path) -> None:
    """Give tantivy's private files the mode of all others, so that who may read the passages may read the index."""
    mode = (part / PASSAGES / LINES).stat().st_mode & 0o777
    for file in (part / LEXICAL).iterdir():
        file.chmod(mode)


def _write_manifest(path: Path, manifest: Manifest) -> None:
    unfinished = path.with_suffix(".tmp")
    with unfinished.open("w", encoding="utf-8") as sink:
        json.dump({"format": _FORMAT, **asdict(manifest)}, sink, ensure_ascii=False, indent=1)
        sink.flush()
        os.fsync(sink.fileno())
    unfinished.replace(path)


def _read_manifest(folder: Path) -> Manifest:
    try:
        record = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        if folder.exists():
            pl = f"Brak pliku {MANIFEST}: to nie jest indeks albo jego budowa nie została ukończona."
            en = f"There is no {MANIFEST}: this is no index, or its build was not finished."
            raise _refused(folder, "index_incomplete", pl, en) from error
        raise _refused(folder, "index_missing", "Nie ma takiego folderu.", "There is no such folder.") from error
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable_manifest(folder, str(error)) from error
    if not isinstance(record, dict) or record.pop("format", None) != _FORMAT:
        raise _unreadable_manifest(folder, "format")
    for name, wanted in (("schema_version", SCHEMA_VERSION), ("analyser_version", ANALYSER_VERSION)):
        if record.get(name) != wanted:
            raise _refused(
                folder,
                "index_version",
                f"Indeks jest w innej wersji ({name}: {record.get(name)!r}, potrzebna {wanted!r}).",
                f"The index is of another version ({name}: {record.get(name)!r}, wanted {wanted!r}).",
            )
    names = {field.name for field in fields(Manifest)}
    if not names <= record.keys():
        raise _unreadable_manifest(folder, ", ".join(sorted(names - record.keys())))
    sources, files, count = record["source_files"], record["files"], record["passage_count"]
    if not isinstance(sources, list) or not isinstance(files, dict) or not isinstance(count, int):
        raise _unreadable_manifest(folder, "source_files, files, passage_count")
    known = {name: record[name] for name in names} | {"source_files": tuple(map(str, sources))}
    return Manifest(**known)


def _checksums(folder: Path) -> Iterator[tuple[str, str]]:
    """Paths inside the folder with SHA-256, in order; without the manifest and tantivy's empty lock files."""
    for part in (PASSAGES, LEXICAL):
        for file in sorted((folder / part).rglob("*")):
            if file.is_file() and not file.name.endswith(".lock"):
                yield file.relative_to(folder).as_posix(), checksum([file])


def _name(source_files: Sequence[str]) -> str:
    return source_files[0] + (f" + {len(source_files) - 1}" if len(source_files) > 1 else "")


def _refuse_foreign(out: Path) -> None:
    """Refuse to replace anything but an index, whole or half-written, or an empty folder."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    ours = {MANIFEST, PASSAGES, LEXICAL}
    if out.is_dir() and all(path.name in ours for path in out.iterdir()):
        return
    raise UserError(
        "out_not_index",
        f"{out} już istnieje i nie jest indeksem, więc nie zostanie nadpisany. Podaj w --out nowy lub pusty folder.",
        f"{out} exists and is not an index, so it is not replaced. Give --out a new or an empty folder.",
    )


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Turn failures of the disk under `out` into a message."""
    try:
        yield
    except OSError as error:
        raise UserError(
            "index_unwritable",
            f"Nie można zapisać indeksu w {out}: {error}. Sprawdź uprawnienia i wolne miejsce.",
            f"The index cannot be written to {out}: {error}. Check permissions and free space.",
        ) from error


def _miscounted(folder: Path, found: int, wanted: int) -> UserError:
    return _refused(
        folder,
        "index_miscounted",
        f"Liczba fragmentów: {found}, a według {MANIFEST} powinno być: {wanted}.",
        f"It holds {found} passages where {MANIFEST} says {wanted}.",
    )


def _unreadable_manifest(folder: Path, what: str) -> UserError:
    return _refused(
        folder,
        "index_manifest_damaged",
        f"Plik {MANIFEST} jest uszkodzony lub nie opisuje indeksu ({what}).",
        f"The file {MANIFEST} is damaged or describes no index ({what}).",
    )


def _refused(folder: Path, code: str, pl: str, en: str) -> UserError:
    command = f"python -m polqa_demo index build --corpus FILE --out {folder}"
    return UserError(
        code,
        f"Nie można użyć indeksu {folder}. {pl} Zbuduj go poleceniem: {command}",
        f"The index {folder} cannot be used. {en} Build it with: {command}",
    )
