"""What stands in the place of an answer or of the golds -> their texts; one reading for gold and for predictions.

A text stays a text. Lists, and the objects that data sets and readers write (SQuAD's `{"text": [...]}`, TriviaQA's
`{"value", "aliases"}`, KILT's `{"answer"}`), give the texts in them. Anything else is refused by its fields: the print
of a structure is never an answer.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.data.lines import load_json, writable
from polqa_demo.data.literals import LONGEST, NotLiteralError, parse_printed

# How pandas, NumPy, Python, JSON and databases write that nothing is there. A text like it may be an answer, too.
MISSING = frozenset(
    ("nan", "NaN", "NAN", "None", "none", "null", "NULL", "Null", "<NA>", "NaT", "#N/A", "N/A", "undefined")
)
# How a text begins that may be the print of a list or of an object.
_OPENING = ("[", "{", "array(")
# Where the text stands in an object; further forms of the same answer stand in `aliases`.
_TEXT_FIELDS = (*names_of("answer", "prediction"), "text", "value", "content")
_ALIAS_FIELDS = ("aliases", "generative_answer")
# Up to here a float holds whole numbers exactly.
_EXACT = 1e15
# No data set nests its answers as deeply.
_DEEPEST = 50
_NESTED = "[[[…]]]"


class UnknownShapeError(ValueError):
    """An object that holds an answer in no known way, or lists in lists without end; `fields` are its fields."""

    def __init__(self, fields: Iterable[str]) -> None:
        self.fields = tuple(fields)
        super().__init__(f"an object of the fields {', '.join(self.fields)[:200]}")


@dataclass(frozen=True, slots=True)
class AnswerTexts:
    """The texts of one cell in their order, and how they were written.

    `commas_missing`: a list as NumPy prints it; `truths`: how many were truth values (`tak`, `nie`); `listed`: they
    stood in a list or an object, even a single one.
    """

    texts: tuple[str, ...]
    commas_missing: bool = False
    truths: int = 0
    listed: bool = False


def answer_texts(value: object) -> AnswerTexts:
    """The texts of a value of JSON, of parquet, or of a printed list.

    Null is no text, a number is its digits, a truth value `tak` or `nie`. Empty texts stay: who reads them decides.

    :raises UnknownShapeError: an object without a field that holds an answer, or nesting beyond fifty levels
    """
    found: list[str] = []
    truths = _collect(value, found)
    return AnswerTexts(tuple(found), truths=truths, listed=isinstance(value, list | tuple | Mapping))


def printed_texts(cell: str) -> AnswerTexts | None:
    """The texts of a cell that holds the print of a list or of an object (Python's, NumPy's, JSON); None for a text.

    :raises UnknownShapeError: as `answer_texts`
    """
    cell = cell.strip()
    if not cell.startswith(_OPENING) or len(cell) > LONGEST:
        return None
    try:
        return answer_texts(load_json(cell))
    except UnknownShapeError:
        raise
    except (ValueError, RecursionError):
        pass
    try:
        printed = parse_printed(cell)
    except NotLiteralError:
        return None
    found = answer_texts(printed.value)
    return AnswerTexts(found.texts, printed.commas_missing, found.truths, listed=True)


def number_text(value: float | Decimal) -> str:
    """A number as a text: whole ones without a decimal point, empty for a gap (NaN).

    A column with gaps makes floats of whole numbers, and one of money has places behind the point.
    """
    if math.isnan(value):
        return ""
    return str(int(value)) if -_EXACT < value < _EXACT and value == int(value) else str(value)


def _collect(value: object, found: list[str], depth: int = 0) -> int:
    """Appends the texts of a value; returns how many truth values were among them."""
    if value is None:
        return 0
    if depth > _DEEPEST:
        raise UnknownShapeError((_NESTED,))
    if isinstance(value, bool):
        found.append("tak" if value else "nie")
        return 1
    if isinstance(value, float | Decimal):
        text = number_text(value)
        found += [text] if text else []
        return 0
    if isinstance(value, list | tuple):
        return sum(_collect(item, found, depth + 1) for item in value if not _is_provenance(item))
    if isinstance(value, Mapping):
        return _collect_fields(value, found, depth + 1)
    found.append(writable(str(value)))
    return 0


def _collect_fields(value: Mapping[str, object], found: list[str], depth: int) -> int:
    fields = {plain_name(str(name)): item for name, item in value.items()}
    name = next((name for name in _TEXT_FIELDS if name in fields), None)
    if name is None:
        raise UnknownShapeError(fields)
    texts: list[str] = []
    truths = _collect(fields[name], texts, depth)
    truths += sum(_collect(fields[alias], texts, depth) for alias in _ALIAS_FIELDS if alias in fields)
    # The first of the aliases is mostly the value itself.
    found += dict.fromkeys(texts)
    return truths


def _is_provenance(item: object) -> bool:
    """A member of KILT's outputs that names a page and no answer."""
    return isinstance(item, Mapping) and "provenance" in item and "answer" not in item
