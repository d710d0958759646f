"""Accidents of files that the program stores or is given in folders: damaged bytes, and JSON with other values."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polqa_demo.errors import UserError

ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**30, 1.5, float("nan"), float("inf"), "", "x", "\ud800", "\x00",
    "../../etc/passwd", "x" * 5000, [], [[]], [None], {}, {"x": 1}, "1", "0.0", [1, 2, 3],
]  # fmt: skip
TOKENS = [b"null", b"-1", b"1e999", b'""', b"[]", b"{}", b"{", b"]", b'"', b",", b"\x00", b"\xff", b"9" * 30, b"NaN"]


class Accidents:
    """Draws damaged copies of a file, by a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def of(self, data: bytes, as_json: bool = False) -> bytes:
        """A damaged copy; `as_json` files keep their form every other time and have other values."""
        if as_json and self.chance.random() < 0.6:
            return self._other_values(data)
        for _ in range(self.chance.choice((1, 1, 1, 2, 5))):
            data = self._bytes(data)
        return data

    def header(self, data: bytes) -> bytes:
        """A damaged copy of a safetensors file: its first eight bytes, or the JSON that they measure."""
        length = int.from_bytes(data[:8], "little")
        header, rest = data[8 : 8 + length], data[8 + length :]
        kind = self.chance.randrange(4)
        if kind == 0:
            wrong = self.chance.choice((0, 1, length - 1, length + 1, len(data), 2**32, 2**63 - 1, 2**64 - 1))
            return wrong.to_bytes(8, "little") + header + rest
        if kind == 1:
            return self._bytes(data)
        changed = self.of(header, as_json=True)
        return len(changed).to_bytes(8, "little") + changed + rest

    def _bytes(self, data: bytes) -> bytes:
        chance = self.chance
        place = chance.randrange(len(data) + 1)
        span = min(chance.choice((1, 1, 2, 8, 64, 1000)), len(data) - place)
        kind = chance.randrange(6)
        if kind == 0:
            return data[:place]
        if kind == 1:
            return data[:place] + data[place + span :]
        if kind == 2:
            return data[:place] + chance.randbytes(span) + data[place + span :]
        if kind == 3:
            return data[:place] + chance.choice(TOKENS) + data[place + span :]
        if kind == 4:
            return data[: place + span] + data[place:]
        return data[:place] + chance.choice(TOKENS) + data[place:]

    def _other_values(self, data: bytes) -> bytes:
        whole = json.loads(data)
        for _ in range(self.chance.choice((1, 1, 2, 4))):
            places = list(_places(whole, 0))
            if not places:
                break
            node, key = self.chance.choice(places)
            kind = self.chance.randrange(4)
            if kind == 0 and isinstance(node, dict):
                del node[key]
            elif kind == 1 and isinstance(node, dict):
                node[f"{key}x"] = node.pop(key)
            elif kind == 2 and isinstance(node, list):
                node.append(copy.deepcopy(self.chance.choice(ODD)))
            else:
                node[key] = copy.deepcopy(self.chance.choice(ODD))
        return json.dumps(whole).encode()


def _places(node: Any, depth: int) -> list[tuple[Any, Any]]:
    if depth > 12 or not isinstance(node, dict | list):
        return []
    keys = list(node) if isinstance(node, dict) else range(min(len(node), 20))
    found = [(node, key) for key in keys]
    for key in keys:
        found += _places(node[key], depth + 1)
    return found


def outcomes(path: Path, use: Callable[[], object], count: int, seed: int, kind: str) -> Counter[str]:
    """How often what came of damaged copies at the file's place: `used`, or the code of the refusal.

    :param use: opens and uses what the file is part of; anything but a refusal is raised, with the damaged file
    :param kind: json, bytes or header
    """
    whole = path.read_bytes()
    accidents = Accidents(seed)
    found: Counter[str] = Counter()
    try:
        for number in range(count):
            data = accidents.header(whole) if kind == "header" else accidents.of(whole, kind == "json")
            # A new file: what is mapped of the last one must not change.
            path.unlink()
            path.write_bytes(data)
            try:
                use()
                found["used"] += 1
            except UserError as refused:
                found[refused.code if all(refused.message) else "refused without a word"] += 1
            except BaseException as error:  # a panic of compiled code is no Exception
                error.add_note(f"{path.name}, damaged copy {number} of seed {seed}: {data[:1500]!r}")
                raise
    finally:
        path.unlink(missing_ok=True)
        path.write_bytes(whole)
    return found
