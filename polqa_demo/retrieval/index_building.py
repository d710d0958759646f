"""Building an index folder: in a hidden sibling, which takes the place of the folder when it is whole."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from polqa_demo.data.passages import LINES, DuplicateIdError, PassageStore, Progress, read_passages, with_places
from polqa_demo.errors import UserError
from polqa_demo.retrieval.building_mark import being_built, sweep
from polqa_demo.retrieval.lexical import ANALYSER_VERSION, LexicalRetriever
from polqa_demo.retrieval.manifest import (
    LEXICAL,
    MANIFEST,
    PASSAGES,
    SCHEMA_VERSION,
    VECTORS,
    Manifest,
    mark_files,
    write_manifest,
)
from polqa_demo.retrieval.vector_files import forget_finished, write_vectors
from polqa_demo.version import __version__

if TYPE_CHECKING:
    from polqa_demo.retrieval.encoders import Encoder

_RENAME_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an index is built from. `digest` is the checksum of the files; without an encoder there are no vectors."""

    corpus: Sequence[Path]
    digest: str
    wikipedia_ids: bool = False
    encoder: "Encoder | None" = None


def build_folder(
    recipe: Recipe, out: Path, progress: Progress | None, already_there: Callable[[], bool] = lambda: False
) -> bool:
    """Build, then replace what is in `out`; unless it is `already_there`, put by another builder in the meantime.

    Returns whether it took the place.

    Raises:
        UserError: the corpus is bad, or the encoder fails.
        OSError: the folder cannot be written.
    """
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    sweep(out)
    part = out.parent / f".{out.name}.{uuid.uuid4().hex[:12]}.part"
    with being_built(part):
        write_manifest(part, _write_parts(recipe, part, progress))
        if already_there():
            return False
        _replace(part, out)
        forget_finished(recipe.encoder)
        return True


def build_passages(corpus: Sequence[Path], out: Path, progress: Progress | None) -> None:
    """Build a folder of the passages alone, and put it at its place when it is whole.

    Raises:
        UserError: the corpus is bad.
        OSError: the folder cannot be written.
    """
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    sweep(out)
    part = out.parent / f".{out.name}.{uuid.uuid4().hex[:12]}.part"
    with being_built(part):
        _write_passages(corpus, part, progress)
        _replace(part, out)


def refuse_foreign(out: Path) -> None:
    """Refuse to replace anything but an index, whole or half-written, or an empty folder.

    Raises:
        UserError: something else is there.
    """
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    ours = {MANIFEST, PASSAGES, LEXICAL, VECTORS}
    if out.is_dir() and all(path.name in ours for path in out.iterdir()):
        return
    raise UserError(
        "out-not-index",
        f"{out} już istnieje i nie jest indeksem, więc nie zostanie nadpisany. Podaj w --out nowy lub pusty folder.",
        f"{out} exists and is not an index, so it is not replaced. Give --out a new or an empty folder.",
    )


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Turn failures of the disk under `out` into a message."""
    try:
        yield
    except OSError as error:
        raise UserError(
            "index-unwritable",
            f"Nie można zapisać indeksu w {out}: {error}. Sprawdź uprawnienia i wolne miejsce.",
            f"The index cannot be written to {out}: {error}. Check permissions and free space.",
        ) from error


def _write_parts(recipe: Recipe, part: Path, progress: Progress | None) -> Manifest:
    passages = _write_passages(recipe.corpus, part / PASSAGES, progress)
    LexicalRetriever.build(part / LEXICAL, passages, progress)
    _share(part)
    encoder = write_vectors(part / VECTORS, passages, recipe.encoder, progress) if recipe.encoder else None
    return Manifest(
        schema_version=SCHEMA_VERSION,
        package_version=__version__,
        analyser_version=ANALYSER_VERSION,
        tantivy_version=version("tantivy"),
        corpus_checksum=recipe.digest,
        passage_count=len(passages),
        source_files=tuple(path.name for path in recipe.corpus),
        wikipedia_ids=recipe.wikipedia_ids,
        files=mark_files(part),
        encoder=encoder,
    )


def _write_passages(corpus: Sequence[Path], folder: Path, progress: Progress | None) -> PassageStore:
    try:
        return PassageStore.build(folder, read_passages(corpus), progress)
    except DuplicateIdError as error:
        raise with_places(error, corpus) from error


def _replace(part: Path, out: Path) -> None:
    """Rename `part` to `out`, moving an older index (or an empty folder) away; the last of two builders wins."""
    for attempt in range(_RENAME_ATTEMPTS):
        old = out.parent / f".{out.name}.{uuid.uuid4().hex[:12]}.part"
        with being_built(old):
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


def _share(part: Path) -> None:
    """Give tantivy's private files the mode of all others, so that who may read the passages may read the index."""
    mode = (part / PASSAGES / LINES).stat().st_mode & 0o777
    for file in (part / LEXICAL).iterdir():
        file.chmod(mode)
