"""An index on disk: passages and what finds them, in one folder with a manifest.

    OUT/manifest.json     what this is and what it was built from; written last, so without it nothing is trusted
    OUT/passages/         the `PassageStore`
    OUT/lexical/          the tantivy index

A build happens in a hidden folder beside OUT and is renamed at its end: OUT is whole or not there.
"""

import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np

from polqa_demo.data.passages import (
    LINES,
    ROWS,
    DuplicateIdError,
    PassageStore,
    Progress,
    checksum,
    read_passages,
    with_places,
)
from polqa_demo.errors import Bilingual, UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.lexical import ANALYSER_VERSION, Breakage, LexicalRetriever
from polqa_demo.retrieval.manifest import (
    LEXICAL,
    MANIFEST,
    PASSAGES,
    SCHEMA_VERSION,
    Manifest,
    changed,
    changed_files,
    mark_files,
    read_manifest,
    refused,
    write_manifest,
)
from polqa_demo.version import __version__

_ABANDONED_AFTER = 24 * 3600  # seconds without a write, after which a build is taken for dead
_RENAME_ATTEMPTS = 20
_OPEN_ATTEMPTS, _OPEN_PAUSE = 3, 0.05


@dataclass(frozen=True, slots=True)
class Index:
    """Passages with a lexical retriever over them; `folder` and `manifest` are None for an index in memory.

    `notes` say what was done on the way that a person may want to know (a damaged cached index was built anew).
    """

    name: str
    passages: PassageStore
    retriever: LexicalRetriever
    folder: Path | None = None
    manifest: Manifest | None = None
    notes: tuple[Bilingual, ...] = ()

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
    """Open an index folder: memory-mapped, its files compared with the manifest by size and sample.

    Damage that this does not show (a byte in the middle of a large file) is a UserError of the search that meets it.

    Raises:
        UserError: this is no index, a half-written or damaged one, or one of another version.
    """
    return _open(folder, cached=False)


def verify_index(folder: Path) -> Index:
    """Read all of an index: every file against its checksum, every id against its row.

    Raises:
        UserError: as `open_index`; or a file is missing, additional or changed, or an id does not lead to its row.
    """
    if wrong := changed_files(folder, read_manifest(folder), whole=True):
        raise changed(folder, wrong)
    index = open_index(folder)
    for row, passage in enumerate(index.passages):
        if index.passages.row(passage.id) != row:
            raise refused(
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

    A damaged one is built anew, which the index's `notes` then say.

    Raises:
        UserError: the corpus is bad, or the cache folder cannot be written.
    """
    digest = checksum(paths)
    folder = cache_dir / "indexes" / f"{digest}-{ANALYSER_VERSION}{'-wiki' if wikipedia_ids else ''}"
    try:
        return _open_cached(folder)
    except UserError as error:  # the cache is ours to rebuild
        damaged = error.code not in ("index_missing", "index_version")
    try:
        with _writing(folder):
            placed = _build(paths, digest, folder, progress, wikipedia_ids, yielding=True)
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
    return replace(_open_cached(folder), notes=(_rebuilt(folder),) if damaged and placed else ())


def _open_cached(folder: Path) -> Index:
    """Open an index of the cache, which another process may be replacing at this moment."""
    for _ in range(_OPEN_ATTEMPTS):
        try:
            return _open(folder, cached=True)
        except UserError as error:
            if error.code in ("index_missing", "index_version"):
                break
            time.sleep(_OPEN_PAUSE)
    return _open(folder, cached=True)


def _open(folder: Path, *, cached: bool) -> Index:
    manifest = read_manifest(folder)
    if wrong := changed_files(folder, manifest):
        raise changed(folder, wrong)
    try:
        passages = PassageStore.open(folder / PASSAGES)
        lexical = LexicalRetriever.open(folder / LEXICAL, passages, _when_broken(folder, manifest, cached))
    except UserError as error:
        raise refused(folder, error.code, error.message.pl, error.message.en) from error
    if len(passages) != manifest.passage_count:
        raise _miscounted(folder, len(passages), manifest.passage_count)
    if int(np.load(folder / PASSAGES / ROWS, mmap_mode="r", allow_pickle=False).max()) >= len(passages):
        raise changed(folder, (f"{PASSAGES}/{ROWS}",))
    return Index(_name(manifest.source_files), passages, lexical, folder, manifest)


def _when_broken(folder: Path, manifest: Manifest, cached: bool) -> Breakage:
    """What to raise when tantivy breaks down on an index that opened well: damage is told from a fault of the program.

    All files are read for it, once. A damaged index of the cache loses its manifest, so that it is built anew.
    """

    @cache
    def wrong() -> tuple[str, ...]:
        found = changed_files(folder, manifest, whole=True)
        if found and cached:
            with suppress(OSError, UserError):
                if read_manifest(folder) == manifest:  # another process may have put a good one there
                    (folder / MANIFEST).unlink()
        return found

    def broken(what: str) -> UserError:
        if not wrong():
            return UserError(
                "search_failed",
                f"Wyszukiwanie w indeksie {folder} nie powiodło się ({what}), choć jego pliki są takie jak przy "
                "budowie. Zadaj pytanie inaczej; to błąd programu, zgłoś go razem z pytaniem.",
                f"The search of the index {folder} failed ({what}), though its files are as they were built. "
                "Ask in another way; this is a fault of the program, please report it with the question.",
            )
        if not cached:
            return changed(folder, wrong())
        return UserError(
            "cached_index_damaged",
            f"Indeks w pamięci podręcznej jest uszkodzony ({folder}). "
            "Uruchom program ponownie: indeks powstanie od nowa.",
            f"The cached index is damaged ({folder}). Start the program again: the index is then built anew.",
        )

    return broken


def _rebuilt(folder: Path) -> Bilingual:
    return Bilingual(
        f"Indeks w pamięci podręcznej był uszkodzony, więc powstał od nowa ({folder}).",
        f"The cached index was damaged, so it was built anew ({folder}).",
    )


def _build(
    paths: Sequence[Path],
    digest: str,
    out: Path,
    progress: Progress | None,
    wikipedia_ids: bool,
    *,
    yielding: bool = False,
) -> bool:
    """Build in a hidden sibling of `out`, then take its place; `yielding`, not that of a good one built meanwhile.

    Returns whether it took the place.
    """
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
            files=mark_files(part),
        )
        write_manifest(part, manifest)
        if yielding:
            with suppress(UserError):
                _open(out, cached=True)
                return False
        _replace(part, out)
        return True
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
    return refused(
        folder,
        "index_miscounted",
        f"Liczba fragmentów: {found}, a według {MANIFEST} powinno być: {wanted}.",
        f"It holds {found} passages where {MANIFEST} says {wanted}.",
    )
