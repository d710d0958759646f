"""An answer beside its gold, letter by letter: what the distance of the score counts, made visible."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from polqa_demo.evaluation.fuzzy_match import RULES, clean_line, lower_code_points

Kind = Literal["same", "replaced", "inserted", "deleted"]

_KINDS: dict[str, Kind] = {"equal": "same", "replace": "replaced", "insert": "inserted", "delete": "deleted"}
_ALIGNED_CELLS = 5_000**2


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of letters on the way from the prediction to the gold.

    `replaced` letters stand on both sides, equally many; `inserted` ones in the gold alone (the prediction lacks them),
    `deleted` ones in the prediction alone. `same` may differ in case where the rule does not care.
    """

    kind: Kind
    prediction: str
    gold: str

    @property
    def edits(self) -> int:
        """How many edits of the distance this piece costs."""
        return 0 if self.kind == "same" else max(len(self.prediction), len(self.gold))


@dataclass(frozen=True, slots=True)
class Alignment:
    """The pieces in order. Joined, their sides are the two lines as the rule cleans them (`prediction`, `gold`).

    `shortest` says whether this is a shortest way; of texts too long to be aligned only the common ends are shown.
    """

    pieces: tuple[Piece, ...]
    shortest: bool = True

    @property
    def distance(self) -> int:
        """Levenshtein's distance, the one that the rule compares with its limit; no less, if not `shortest`."""
        return sum(piece.edits for piece in self.pieces)

    @property
    def prediction(self) -> str:
        """The prediction's side, re-assembled."""
        return "".join(piece.prediction for piece in self.pieces)

    @property
    def gold(self) -> str:
        """The gold's side, re-assembled."""
        return "".join(piece.gold for piece in self.pieces)


def align(prediction: str, gold: str, rule: str = "poleval") -> Alignment:
    """One shortest way from the prediction to the gold, over the very strings that the rule measures.

    Long texts are aligned if what differs, from the first such letter to the last, has lengths whose product is at
    most 5,000 squared (6 ms); else that whole middle stands as replaced.

    They are cleaned and lower-cased for measuring and shown as written (`card` does neither). Under `readme` and
    `exact` a letter that grows when lower-cased (`İ`) counts as two; a side with one is shown in lower case.

    Raises ValueError for an unknown rule. Source of the way: rapidfuzz's opcodes.
    """
    if rule not in RULES:
        message = f"unknown rule {rule!r}; the rules are {', '.join(RULES)}"
        raise ValueError(message)
    measured, shown = zip(*(_sides(text, rule) for text in (prediction, gold)), strict=True)
    blocks, shortest = _way(*measured)
    pieces = (Piece(kind, shown[0][source], shown[1][target]) for kind, source, target in blocks)
    return Alignment(tuple(pieces), shortest)


_Block = tuple[Kind, slice, slice]


def _way(source: str, target: str) -> tuple[list[_Block], bool]:
    """The blocks of a way, as places on both sides, and whether it is a shortest."""
    from rapidfuzz.distance import Levenshtein, Postfix, Prefix

    start = Prefix.similarity(source, target)
    end = Postfix.similarity(source[start:], target[start:])
    left, right = len(source) - start - end, len(target) - start - end
    if left * right <= _ALIGNED_CELLS:
        return [
            (_KINDS[block.tag], slice(block.src_start, block.src_end), slice(block.dest_start, block.dest_end))
            for block in Levenshtein.opcodes(source, target)
        ], True
    both = start + min(left, right)
    coarse: list[_Block] = [
        ("same", slice(0, start), slice(0, start)),
        ("replaced", slice(start, both), slice(start, both)),
        ("deleted", slice(both, start + left), slice(both, both)),
        ("inserted", slice(both, both), slice(both, start + right)),
        ("same", slice(start + left, len(source)), slice(start + right, len(target))),
    ]
    return [block for block in coarse if any(side.start < side.stop for side in block[1:])], False


def _sides(text: str, rule: str) -> tuple[str, str]:
    """The text as it is measured and, letter for letter, as it is shown."""
    if rule == "card":
        return text, text
    fold: Callable[[str], str] = lower_code_points if rule == "poleval" else str.lower
    cleaned = clean_line(text)
    folded = fold(cleaned)
    return folded, cleaned if len(folded) == len(cleaned) else folded
