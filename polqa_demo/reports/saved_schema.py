"""The shape of a saved report and the bounds of its values, and what is said of a value that has another.

What a part leaves out is None here; null stands nowhere in a report. Names that are not listed are other programs'
additions and are left alone. Lists stop at their first fault, so that a hostile file makes few.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import CoreSchema, ErrorDetails, PydanticKnownError

from polqa_demo.data.gold_rows import HIGHEST_GRADE
from polqa_demo.data.polqa import GoldSource
from polqa_demo.errors import Severity, UserError
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.reports.untrusted_json import MAX_BYTES, Place, bad_report, shown

MOST_LABELS = 100
DEEPEST = 10_000_000
_PART = 1000
_T = TypeVar("_T")
_Model = TypeVar("_Model", bound=BaseModel)


class _NotNull:
    """Takes null out of what a field allows: None says of a model that the name was absent."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        inner: CoreSchema = schema["schema"]
        return inner


def _entries(most: int) -> WrapValidator:
    """Bounds a dict before its values are looked at, then takes it by parts, since pydantic gathers every fault."""

    def check(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        if type(value) is not dict or len(value) <= min(most, _PART):
            return handler(value)
        if len(value) > most:
            known = {"field_type": "Dictionary", "max_length": most, "actual_length": len(value)}
            raise PydanticKnownError("too_long", known)
        found: dict[str, Any] = {}
        entries = iter(value.items())
        while part := dict(islice(entries, _PART)):
            found |= handler(part)
        return found

    return WrapValidator(check)


Given = Annotated[_T | None, _NotNull()]
# Pydantic looks for halves of surrogate pairs only where a text is bounded, so that every one is.
Text = Annotated[str, Field(max_length=100_000)]
Name = Annotated[str, Field(max_length=1000)]
# The longest answer is a setting; the reader of answers compares.
Answer = Annotated[str, Field(max_length=MAX_BYTES)]
Grade = Annotated[float, Field(gt=0, le=HIGHEST_GRADE)]
Passages = Annotated[list[Name], Field(max_length=100_000, fail_fast=True)]
ByRole = Annotated[dict[Text, Name], _entries(20)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class SavedTies(_Part):
    """Whether the first ten are hit when every tie falls for the gold passages or against them."""

    best: bool
    worst: bool


class SavedCell(_Part):
    """What put a question into its cell."""

    answer_rank: Given[int] = None
    held: Given[Text] = None
    unread: Given[int] = None


class SavedItem(_Part):
    """One question; the parts of the report that hold it say what of the rest must be there."""

    question_id: Name
    question: Text
    golds: Given[Annotated[list[Text], Field(max_length=10_000, fail_fast=True)]] = None
    labels: Given[Annotated[dict[Text, Name], _entries(MOST_LABELS)]] = None
    unanswerable: Given[bool] = None
    prediction: Given[Answer] = None
    missing: Given[bool] = None
    prediction_from_gold: Given[Answer] = None
    correct_from_gold: Given[bool] = None
    gold_passages: Given[Passages] = None
    grades: Given[Annotated[dict[Text, Grade], _entries(100_000)]] = None
    ranks: Given[Annotated[dict[Text, int], _entries(100_000)]] = None
    top: Given[Annotated[list[Name], Field(max_length=CUTOFF)]] = None
    length: Given[Annotated[int, Field(ge=0, le=DEEPEST)]] = None
    judged: Given[int] = None
    duplicates: Given[int] = None
    ties: Given[SavedTies] = None
    attribution: Given[SavedCell] = None


class SavedProblem(_Part):
    """A problem of the files behind a report."""

    severity: Severity
    code: Annotated[str, Field(max_length=200)]
    message: Text
    count: Annotated[int, Field(ge=0, le=100_000_000)] = 1
    lines: Annotated[
        list[Annotated[int, Field(ge=0, le=10**12)]], Field(max_length=1000, fail_fast=True, default_factory=list)
    ]


class SavedRankings(_Part):
    """The policy of the rankings' scores; the scores themselves are compared."""

    gold_source: GoldSource


class SavedAttribution(_Part):
    """The depth of the attribution; the cells themselves are compared."""

    depth: Annotated[int, Field(ge=CUTOFF, le=CUTOFF)]


class SavedCorrect(_Part):
    """A share of answers, of which the count is read."""

    correct: int


class SavedRules(_Part):
    """Shares by rule."""

    rules: Annotated[dict[Name, SavedCorrect], _entries(100)]


class SavedCounts(SavedRules):
    """Answers on gold passages of a report that was saved without the answers; bounded by its questions."""

    answered: int
    missing: int
    answerable: Given[SavedRules] = None
    unanswerable: Given[SavedCorrect] = None


class SavedFile(_Part):
    """What also the file of a refusal holds, which has no scores."""

    schema_version: int
    problems: Annotated[list[SavedProblem], Field(max_length=1000, fail_fast=True, default_factory=list)]
    forms: Annotated[ByRole, Field(default_factory=dict)]
    files: Annotated[ByRole, Field(default_factory=dict)]


class SavedReport(SavedFile):
    """All that the scores are computed from."""

    signature: Annotated[str, Field(max_length=2000)]
    gold: Name
    rule: Annotated[str, Field(max_length=100)]
    rankings: Given[SavedRankings] = None
    attribution: Given[SavedAttribution] = None
    items: Annotated[list[SavedItem], Field(max_length=100_000, fail_fast=True)]


def _kind(pl: str, en: str) -> tuple[str, str]:
    return f"oczekiwano: {pl}, jest: {{found}}.", f"{en} is wanted, found: {{found}}."


_OBJECT = _kind("obiekt {{…}}", "an object {{…}}")
# By pydantic's type of an error: the Polish and the English sentence.
SENTENCES: Mapping[str, tuple[str, str]] = {
    "missing": (
        "brak „{name}”. Wczytaj raport JSON zapisany przez ten program, w całości.",
        "'{name}' is missing. Load a JSON report that this program wrote, the whole of it.",
    ),
    "model_type": _OBJECT,
    "dict_type": _OBJECT,
    "list_type": _kind("lista […]", "a list […]"),
    "string_type": _kind("tekst", "text"),
    "bool_type": _kind("true albo false", "true or false"),
    "int_type": _kind("liczba całkowita", "a whole number"),
    "float_type": _kind("liczba", "a number"),
    "string_unicode": (
        "tekst zawiera połówkę pary zastępczej (\\ud…).",
        "the text holds half a surrogate pair (\\ud…).",
    ),
    "string_too_long": (
        "tekst jest za długi: znaków {length}, wolno najwyżej {max_length}.",
        "the text is too long: {length} characters, at most {max_length} are allowed.",
    ),
    "too_long": (
        "elementów jest {length}, wolno najwyżej {max_length}.",
        "{length} entries, at most {max_length} are allowed.",
    ),
    "greater_than": ("{found} nie jest liczbą powyżej {gt}.", "{found} is no number above {gt}."),
    "greater_than_equal": ("{found} to za mało, wolno najmniej {ge}.", "{found} is too small, the least is {ge}."),
    "less_than_equal": ("{found} to za dużo, wolno najwyżej {le}.", "{found} is too large, the most is {le}."),
    "literal_error": ("{found} jest nieznane. Wolno: {expected}.", "{found} is unknown. Allowed: {expected}."),
    "stray": ("jest, choć brak „{part}”.", "it is there, though '{part}' is not."),
    "out_of_range": (
        "{found} nie mieści się w zakresie {lowest}–{highest}.",
        "{found} does not lie within {lowest}–{highest}.",
    ),
}


def checked(model: type[_Model], value: object, place: Place = ()) -> _Model:
    """A part of a report in its shape; `place` is where it stands.

    :raises UserError: `bad-report`, with the place of the first value that has another kind or is out of bounds
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    # Outside of the clause: the refusal should not hold on to all that was found.
    raise _refusal(first, place)


def refusal(kind: str, place: Place, found: object = None, **known: Any) -> UserError:
    """The refusal of a value by one of `SENTENCES`, with what its sentence names."""
    known |= {"found": shown(found), "length": len(found) if isinstance(found, str | list | dict) else 0}
    pl, en = SENTENCES[kind]
    return bad_report(place, pl.format(**known), en.format(**known))


def needed(value: _T | None, name: str, place: Place) -> _T:
    """What must stand under a name in the part at a place.

    :raises UserError: it does not
    """
    if value is None:
        raise refusal("missing", place, name=name)
    return value


def within(number: int, lowest: int, highest: int, *place: str | int) -> int:
    """A number whose bounds follow from other values.

    :raises UserError: it lies beyond them
    """
    if not lowest <= number <= highest:
        raise refusal("out_of_range", place, number, lowest=lowest, highest=highest)
    return number


def _refusal(error: ErrorDetails, before: Place) -> UserError:
    place = (*before, *error["loc"])
    known = {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in error.get("ctx", {}).items()
    }
    if "expected" in known:
        known["expected"] = str(known["expected"]).replace(" or ", ", ").replace("'", "")
    if error["type"] == "missing":
        return refusal("missing", place[:-1], name=place[-1])
    if place[-1:] == ("[key]",):
        # The name itself is at fault, so that it names no place.
        place = place[:-2]
    return refusal(error["type"], place, error["input"], **known)
