"""Many passages on disk without loading them: JSONL files in, a memory-mapped store out.

The store keeps the passages of a corpus (see `passage_lines`) as one normalised JSONL file beside two tables of
numbers, so that seven million passages cost hardly any resident memory.
"""

import hashlib
import json
import mmap
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from polqa_demo.data.arrays import mapped_array
from polqa_demo.data.passage_lines import empty_corpus, numbered_passages, unreadable_corpus
from polqa_demo.errors import UserError
from polqa_demo.records import Passage

Progress = Callable[[int, int | None], None]
"""Told how many passages are done and, where known, of how many."""

PROGRESS_EVERY = 2_000
LINES, OFFSETS, HASHES, ROWS = "passages.jsonl", "offsets.npy", "id_hashes.npy", "id_rows.npy"

_ID_STARTS_AT = len('{"id": "')
_AFTER_ID = b'", "title": "'


class DuplicateIdError(UserError):
    """Two passages share an id. `rows` are their places in the corpus, counted from 0."""

    def __init__(self, passage_id: str, places: tuple[str, str], rows: tuple[int, int]) -> None:
        super().__init__(
            "duplicate-passage-id",
            f"Ten sam identyfikator fragmentu {passage_id!r} występuje dwa razy: {places[0]} i {places[1]}. "
            "Usuń powtórzenie albo nadaj inny identyfikator.",
            f"Passage id {passage_id!r} occurs twice: {places[0]} and {places[1]}. Remove one or give it another id.",
        )
        self.passage_id = passage_id
        self.rows = rows


def read_passages(paths: Sequence[Path]) -> Iterator[Passage]:
    """The passages of JSONL files (plain or gzip, with or without BOM), read line by line as one corpus.

    Ids written as JSON numbers become text, blanks round ids go, blank lines and further keys are passed over.
    Equal ids are found by whoever collects the passages (`PassageStore`), not here.

    Raises:
        UserError: a file is missing or unreadable, a line is no passage (file and line are named), or nothing is there.
    """
    for _, _, passage in numbered_passages(paths):
        yield passage


def checksum(paths: Sequence[Path]) -> str:
    """SHA-256 (hex) over the bytes of the files in the given order, as if they were one file."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
        except OSError as error:
            raise unreadable_corpus(path, error) from error
    return digest.hexdigest()


def with_places(error: DuplicateIdError, paths: Sequence[Path]) -> DuplicateIdError:
    """The same error with the file and line of both passages, found by reading the corpus once more."""
    places: list[str] = []
    for row, (path, line, _) in enumerate(numbered_passages(paths)):
        if row in error.rows:
            places.append(f"{path.name}:{line}")
        if len(places) == 2:
            return DuplicateIdError(error.passage_id, (places[0], places[1]), error.rows)
    return error


class PassageStore:
    """Passages by row and by id, from a memory-mapped folder or from memory.

    A folder holds `passages.jsonl` (normalised), `offsets.npy` (where lines start, one more than there are passages)
    and the id table `id_hashes.npy` (64-bit hashes, sorted) with `id_rows.npy`. Files are opened read only and
    nothing is unpickled. A hit in the id table is checked against the line, so hashes may collide.
    """

    def __init__(
        self,
        lines: bytes | mmap.mmap,
        offsets: npt.NDArray[np.uint64],
        hashes: npt.NDArray[np.uint64],
        rows: npt.NDArray[np.unsignedinteger[Any]],
    ) -> None:
        self._lines = lines
        # Plain views: reading one number through numpy costs several times as much.
        self._offsets = offsets.data
        self._hashes = hashes.data
        self._rows = rows.data

    @classmethod
    def build(cls, folder: Path, passages: Iterable[Passage], progress: Progress | None = None) -> "PassageStore":
        """Write the passages into `folder` (made when missing) and open the store.

        Keeps two integers a passage in memory, no text.

        Raises:
            DuplicateIdError: two passages share an id.
            UserError: there are no passages.
        """
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / LINES).open("wb") as sink:
            offsets, hashes = _write_lines(passages, sink, progress)
        order, sorted_hashes = _id_table(hashes)
        for name, numbers in ((OFFSETS, offsets), (HASHES, sorted_hashes), (ROWS, order)):
            np.save(folder / name, numbers, allow_pickle=False)
        del offsets, hashes, order, sorted_hashes
        store = cls.open(folder)
        store._refuse_equal_ids()
        return store

    @classmethod
    def open(cls, folder: Path) -> "PassageStore":
        """Memory-map a folder made by `build`.

        Raises:
            UserError: a part is missing or does not fit the others.
        """
        try:
            offsets, hashes, rows = (mapped_array(folder / name) for name in (OFFSETS, HASHES, ROWS))
            with (folder / LINES).open("rb") as stream:
                lines = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise _damaged(folder, str(error)) from error
        for name, numbers in ((OFFSETS, offsets), (HASHES, hashes), (ROWS, rows)):
            if numbers.ndim != 1 or numbers.dtype.kind != "u" or not numbers.dtype.isnative:
                raise _damaged(folder, name)
        if not len(offsets) - 1 == len(hashes) == len(rows) > 0:
            raise _damaged(folder, f"{len(offsets) - 1}, {len(hashes)}, {len(rows)}")
        if int(offsets[-1]) != len(lines):
            raise _damaged(folder, f"{LINES}: {len(lines)} B, {OFFSETS}: {int(offsets[-1])} B")
        return cls(lines, offsets, hashes, rows)

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> "PassageStore":
        """The same in memory, for small corpora.

        Raises:
            DuplicateIdError: two passages share an id.
            UserError: there are no passages.
        """
        sink = BytesIO()
        offsets, hashes = _write_lines(passages, sink, None)
        order, sorted_hashes = _id_table(hashes)
        store = cls(sink.getvalue(), offsets, sorted_hashes, order)
        store._refuse_equal_ids()
        return store

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> Passage:
        """The passage of a row.

        Raises:
            IndexError: there is no such row.
        """
        if not 0 <= row < len(self):
            message = f"row {row} of {len(self)}"
            raise IndexError(message)
        line = self._lines[self._offsets[row] : self._offsets[row + 1]]
        try:
            record = json.loads(line)
            return Passage(record["id"], record["title"], record["text"])
        except (ValueError, KeyError, TypeError) as error:
            raise _damaged(Path(LINES), f"{row + 1}: {error}") from error

    def __iter__(self) -> Iterator[Passage]:
        return (self[row] for row in range(len(self)))

    def __contains__(self, passage_id: object) -> bool:
        return isinstance(passage_id, str) and self.row(passage_id) is not None

    def digest(self) -> str:
        """SHA-256 (hex) over all passages; reads them all."""
        return hashlib.sha256(self._lines).hexdigest()

    def id_at(self, row: int) -> str:
        """The id of a row, without parsing the rest of its line."""
        start = self._offsets[row] + _ID_STARTS_AT
        # Quotes inside an id are escaped, so the first such sequence is the id's end.
        end = self._lines.find(_AFTER_ID, start, self._offsets[row + 1])
        raw = self._lines[start:end] if end >= 0 else b"\\"
        return self[row].id if b"\\" in raw else raw.decode("utf-8", "replace")

    def row(self, passage_id: str) -> int | None:
        """The row of an id, or None."""
        hashed = _hash(passage_id)
        place = bisect_left(self._hashes, hashed)
        while place < len(self._hashes) and self._hashes[place] == hashed:
            row = self._row_at(place)
            if self.id_at(row) == passage_id:
                return row
            place += 1
        return None

    def get(self, passage_id: str) -> Passage | None:
        """The passage of an id, or None."""
        hashed = _hash(passage_id)
        place = bisect_left(self._hashes, hashed)
        while place < len(self._hashes) and self._hashes[place] == hashed:
            passage = self[self._row_at(place)]
            if passage.id == passage_id:
                return passage
            place += 1
        return None

    def _row_at(self, place: int) -> int:
        row = int(self._rows[place])
        if row >= len(self):
            raise _damaged(Path(ROWS), f"{row + 1} > {len(self)}")
        return row

    def _refuse_equal_ids(self) -> None:
        hashes = np.asarray(self._hashes)
        seen: dict[str, int] = {}
        last = -2
        for place in np.flatnonzero(hashes[1:] == hashes[:-1]).tolist():
            if place != last + 1:
                first = int(self._rows[place])
                seen = {self.id_at(first): first}
            last = place
            row = int(self._rows[place + 1])
            passage_id = self.id_at(row)
            if passage_id in seen:
                rows = (seen[passage_id], row)
                raise DuplicateIdError(passage_id, (f"nr {rows[0] + 1}", f"nr {rows[1] + 1}"), rows)
            seen[passage_id] = row


def _write_lines(
    passages: Iterable[Passage], sink: BinaryIO, progress: Progress | None
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Write the normalised lines; returns where they start (and the end of the last), and the hashes of the ids."""
    offsets, hashes = array("Q", [0]), array("Q")
    end = 0
    for passage in passages:
        record = {"id": passage.id, "title": passage.title, "text": passage.text}
        end += sink.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        offsets.append(end)
        hashes.append(_hash(passage.id))
        if progress and len(hashes) % PROGRESS_EVERY == 0:
            progress(len(hashes), None)
    if not hashes:
        raise empty_corpus("")
    if progress:
        progress(len(hashes), len(hashes))
    return np.frombuffer(offsets, np.uint64), np.frombuffer(hashes, np.uint64)


def _id_table(
    hashes: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.unsignedinteger[Any]], npt.NDArray[np.uint64]]:
    order = np.argsort(hashes, kind="stable")
    sorted_hashes = hashes[order]
    return order.astype(np.min_scalar_type(len(hashes))), sorted_hashes


def _hash(passage_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(passage_id.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def _damaged(folder: Path, what: str) -> UserError:
    return UserError(
        "passages-damaged",
        f"Zapisane fragmenty są uszkodzone lub niepełne ({folder}; {what}). Zbuduj indeks jeszcze raz.",
        f"The stored passages are damaged or incomplete ({folder}; {what}). Build the index again.",
    )
