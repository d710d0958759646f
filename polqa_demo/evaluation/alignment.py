"""An answer beside its gold, letter by letter: what the distance of the score counts, made visible."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from polqa_demo.evaluation.fuzzy_match import RULES, clean_line, lower_code_points

Kind = Literal["same", "replaced", "inserted", "deleted"]

_KINDS: dict[str, Kind] = {"equal": "same", "replace": "replaced", "insert": "inserted", "delete": "deleted"}


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
    """The pieces in order. Joined, their sides are the two lines as the rule cleans them (`prediction`, `gold`)."""

    pieces: tuple[Piece, ...]

    @property
    def distance(self) -> int:
        """Levenshtein's distance, the one that the rule compares with its limit."""
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

    They are cleaned and lower-cased for measuring and shown as written (`card` does neither). Under `readme` and
    `exact` a letter that grows when lower-cased (`İ`) counts as two; a side with one is shown in lower case.

    Raises ValueError for an unknown rule. Source of the way: rapidfuzz's opcodes.
    """
    from rapidfuzz.distance import Levenshtein

    if rule not in RULES:
        message = f"unknown rule {rule!r}; the rules are {', '.join(RULES)}"
        raise ValueError(message)
    measured, shown = zip(*(_sides(text, rule) for text in (prediction, gold)), strict=True)
    pieces = (
        Piece(
            _KINDS[block.tag],
            shown[0][block.src_start : block.src_end],
            shown[1][block.dest_start : block.dest_end],
        )
        for block in Levenshtein.opcodes(*measured)
    )
    return Alignment(tuple(pieces))


def _sides(text: str, rule: str) -> tuple[str, str]:
    """The text as it is measured and, letter for letter, as it is shown."""
    if rule == "card":
        return text, text
    fold: Callable[[str], str] = lower_code_points if rule == "poleval" else str.lower
    cleaned = clean_line(text)
    folded = fold(cleaned)
    return folded, cleaned if len(folded) == len(cleaned) else folded
