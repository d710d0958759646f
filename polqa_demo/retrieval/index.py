"""An index on disk: passages and what finds them, in one folder with a manifest.

    OUT/manifest.json     what this is and what it was built from; written last, so without it nothing is trusted
    OUT/passages/         the `PassageStore`
    OUT/lexical/          the tantivy index
    OUT/vectors/          the vectors of the passages, where an encoder was given

A build happens in a hidden folder beside OUT and is renamed at its end: OUT is whole or not there.
"""

import hashlib
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from polqa_demo.data.arrays import mapped_array
from polqa_demo.data.passages import ROWS, PassageStore, Progress, checksum
from polqa_demo.errors import Bilingual, UserError, counted
from polqa_demo.records import Passage
from polqa_demo.retrieval.dense import DenseRetriever
from polqa_demo.retrieval.fusion import DEFAULT_FUSION, Fusion, HybridRetriever
from polqa_demo.retrieval.index_building import Recipe, build_folder, build_passages, refuse_foreign, writing
from polqa_demo.retrieval.lexical import ANALYSER_VERSION, Breakage, LexicalRetriever
from polqa_demo.retrieval.manifest import (
    LEXICAL,
    MANIFEST,
    PASSAGES,
    VECTORS,
    Manifest,
    changed,
    changed_files,
    read_manifest,
    refused,
)
from polqa_demo.retrieval.vector_files import PassageVectors, fitting, no_vectors, open_vectors, other_encoder
from polqa_demo.retrieval.vectors import PASSAGE_VECTORS, FlatSearch, refuse_unfit

if TYPE_CHECKING:
    from polqa_demo.retrieval.encoders import Encoder

_OPEN_ATTEMPTS, _OPEN_PAUSE = 3, 0.05
_BLOCK = 16_384  # vectors checked at once


class Corpus(Protocol):
    """Passages under a name; `key` is a checksum of their content, whatever else is known of them."""

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def passages(self) -> PassageStore: ...  # noqa: D102

    @property
    def key(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class StoredPassages:
    """A `Corpus` that nothing can be looked for in."""

    name: str
    passages: PassageStore
    key: str


@dataclass(frozen=True, slots=True)
class Index:
    """Passages with a lexical retriever over them; `folder` and `manifest` are None for an index in memory.

    Without `vectors` it can be searched lexically alone.
    `notes` say what was done on the way that a person may want to know (a damaged cached index was built anew).
    """

    name: str
    passages: PassageStore
    retriever: LexicalRetriever
    folder: Path | None = None
    manifest: Manifest | None = None
    notes: tuple[Bilingual, ...] = ()
    vectors: PassageVectors | None = None

    @property
    def key(self) -> str:
        """What tells this corpus from any other: a checksum of its content."""
        return self.manifest.corpus_checksum if self.manifest else self.passages.digest()

    def lexical(self) -> LexicalRetriever:
        """The BM25 retriever over these passages."""
        return self.retriever

    def dense(self, encoder: "Encoder") -> DenseRetriever:
        """The retriever by the vectors of these passages; reads them all into memory.

        Raises:
            UserError: there are no vectors, or another encoder made them.
        """
        if self.vectors is None:
            raise no_vectors(self.name, self.folder, encoder)
        if not self.vectors.encoder.fits(encoder):
            raise other_encoder(self.name, self.vectors.encoder, encoder)
        return DenseRetriever(self.passages, FlatSearch(self.vectors.vectors), encoder)

    def hybrid(self, encoder: "Encoder", fusion: Fusion = DEFAULT_FUSION) -> HybridRetriever:
        """Both retrievers, fused.

        Raises:
            UserError: as `dense`.
        """
        return HybridRetriever(self.passages, self.lexical(), self.dense(encoder), fusion)


def memory_index(passages: Iterable[Passage], name: str, vectors: PassageVectors | None = None) -> Index:
    """An index without a folder, for corpora of some thousands of passages.

    Raises:
        UserError: there are no passages, two share an id, or the vectors do not fit them.
    """
    store = PassageStore.of(passages)
    if vectors:
        fitting(vectors.vectors, vectors.encoder, len(store))
    return Index(name, store, LexicalRetriever.in_memory(store), vectors=vectors)


def build_index(
    corpus_paths: Sequence[Path],
    out: Path,
    progress: Progress | None = None,
    *,
    wikipedia_ids: bool = False,
    encoder: "Encoder | None" = None,
) -> Index:
    """Build an index folder from JSONL files; an index already there is replaced when the new one is whole.

    `progress` is told (done, None) while the corpus is read and (done, total) while words are indexed, and then once
    more from the start while the passages are encoded, if there is an encoder.

    Raises:
        UserError: the corpus is bad, `out` holds something else than an index, or cannot be written; or the encoder
            fails.
    """
    refuse_foreign(out)
    with writing(out):
        build_folder(Recipe(corpus_paths, checksum(corpus_paths), wikipedia_ids, encoder), out, progress)
    return open_index(out)


def open_index(folder: Path) -> Index:
    """Open an index folder: memory-mapped, its files compared with the manifest by size and sample.

    Damage that this does not show (a byte in the middle of a large file) is a UserError of the search that meets it.

    Raises:
        UserError: this is no index, a half-written or damaged one, or one of another version.
    """
    return _open(folder, cached=False)


def verify_index(folder: Path) -> Index:
    """Read all of an index: every file against its checksum, every id against its row, every vector.

    Raises:
        UserError: as `open_index`; or a file is missing, additional or changed, an id does not lead to its row, or a
            vector is not finite or not of length 1.
    """
    if wrong := changed_files(folder, read_manifest(folder), whole=True):
        raise changed(folder, wrong)
    index = open_index(folder)
    for row, passage in enumerate(index.passages):
        if index.passages.row(passage.id) != row:
            raise refused(
                folder,
                "index-ids-damaged",
                f"Identyfikator {passage.id!r} nie prowadzi do fragmentu nr {row + 1}.",
                f"The id {passage.id!r} does not lead to passage {row + 1}.",
            )
    if index.vectors:
        for start in range(0, len(index.passages), _BLOCK):
            refuse_unfit(index.vectors.vectors[start : start + _BLOCK], PASSAGE_VECTORS, start)
    return index


def open_corpus(
    paths: Sequence[Path],
    cache_dir: Path,
    progress: Progress | None = None,
    *,
    wikipedia_ids: bool = False,
    encoder: "Encoder | None" = None,
) -> Index:
    """The index of a corpus, built on first use and kept under `cache_dir/indexes` by checksum, analyser and encoder.

    A damaged one is built anew, which the index's `notes` then say.

    Raises:
        UserError: the corpus is bad, the cache folder cannot be written, or the encoder fails.
    """
    recipe = Recipe(paths, checksum(paths), wikipedia_ids, encoder)
    folder = cache_dir / "indexes" / _cache_name(recipe)
    try:
        return _open_cached(folder)
    except UserError as error:  # the cache is ours to rebuild
        damaged = error.code not in ("index-missing", "index-version")
    try:
        with writing(folder):
            placed = build_folder(recipe, folder, progress, already_there=lambda: _opens(folder))
    except UserError as error:
        if error.code != "index-unwritable":
            raise
        raise _cache_unwritable(cache_dir, error.__cause__) from error
    return replace(_open_cached(folder), notes=(_rebuilt(folder),) if damaged and placed else ())


def open_passages(paths: Sequence[Path], cache_dir: Path, progress: Progress | None = None) -> Corpus:
    """The passages of a corpus, to be read by their ids: those of a cached index, or else cached by themselves.

    They are kept under `cache_dir/passages` by the checksum of the files. What is damaged is built anew.

    Raises:
        UserError: the corpus is bad, or the cache folder cannot be written.
    """
    digest = checksum(paths)
    for folder in sorted((cache_dir / "indexes").glob(f"{digest}-*")):
        with suppress(UserError):
            return _open(folder, cached=True)
    folder = cache_dir / "passages" / digest
    name = _name([path.name for path in paths])
    with suppress(UserError):
        return StoredPassages(name, PassageStore.open(folder), digest)
    try:
        build_passages(paths, folder, progress)
    except OSError as error:
        raise _cache_unwritable(cache_dir, error) from error
    return StoredPassages(name, PassageStore.open(folder), digest)


def _open_cached(folder: Path) -> Index:
    """Open an index of the cache, which another process may be replacing at this moment."""
    for _ in range(_OPEN_ATTEMPTS):
        try:
            return _open(folder, cached=True)
        except UserError as error:
            if error.code in ("index-missing", "index-version"):
                break
            time.sleep(_OPEN_PAUSE)
    return _open(folder, cached=True)


def _opens(folder: Path) -> bool:
    with suppress(UserError):
        _open(folder, cached=True)
        return True
    return False


def _cache_name(recipe: Recipe) -> str:
    encoder = hashlib.sha256(recipe.encoder.fingerprint.encode()).hexdigest()[:16] if recipe.encoder else ""
    parts = (recipe.digest, ANALYSER_VERSION, "wiki" if recipe.wikipedia_ids else "", encoder)
    return "-".join(part for part in parts if part)


def _open(folder: Path, *, cached: bool) -> Index:
    manifest = read_manifest(folder)
    if wrong := changed_files(folder, manifest):
        raise changed(folder, wrong)
    try:
        passages = PassageStore.open(folder / PASSAGES)
        lexical = LexicalRetriever.open(folder / LEXICAL, passages, _when_broken(folder, manifest, cached))
        mark = manifest.encoder
        vectors = open_vectors(folder / VECTORS, mark, manifest.passage_count) if mark else None
    except UserError as error:
        raise refused(folder, error.code, error.message.pl, error.message.en) from error
    if len(passages) != manifest.passage_count:
        raise _miscounted(folder, len(passages), manifest.passage_count)
    if int(mapped_array(folder / PASSAGES / ROWS).max()) >= len(passages):
        raise changed(folder, (f"{PASSAGES}/{ROWS}",))
    return Index(_name(manifest.source_files), passages, lexical, folder, manifest, vectors=vectors)


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
                "search-failed",
                f"Wyszukiwanie w indeksie {folder} nie powiodło się ({what}), choć jego pliki są takie jak przy "
                "budowie. Zadaj pytanie inaczej; to błąd programu, zgłoś go razem z pytaniem.",
                f"The search of the index {folder} failed ({what}), though its files are as they were built. "
                "Ask in another way; this is a fault of the program, please report it with the question.",
            )
        if not cached:
            return changed(folder, wrong())
        return UserError(
            "cached-index-damaged",
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


def _name(source_files: Sequence[str]) -> str:
    return source_files[0] + (f" + {len(source_files) - 1}" if len(source_files) > 1 else "")


def _cache_unwritable(cache_dir: Path, reason: BaseException | None) -> UserError:
    return UserError(
        "cache-unwritable",
        f"Nie można pisać w folderze pamięci podręcznej {cache_dir}: {reason}. "
        "Ustaw POLQA_CACHE_DIR na folder, w którym można pisać i jest dość miejsca.",
        f"The cache folder {cache_dir} cannot be written: {reason}. "
        "Set POLQA_CACHE_DIR to a folder that is writable and has room.",
    )


def _miscounted(folder: Path, found: int, wanted: int) -> UserError:
    return refused(
        folder,
        "index-miscounted",
        f"Liczba fragmentów: {found}, a według {MANIFEST} powinno być: {wanted}.",
        f"It holds {counted(found, 'passage', 'passages')} where {MANIFEST} says {wanted}.",
    )
