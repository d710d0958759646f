"""An endpoint of the API: a function whose arguments, whichever door they come through, are checked before it runs."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

import gradio as gr
from pydantic import ValidationError, validate_call

from polqa_demo.errors import Bilingual, UserError, counted, first_few

_NONE = inspect.Parameter.empty
_WHOLE_NUMBER = Bilingual("liczba całkowita", "a whole number")


class Endpoint:
    """A function with plain parameters, which stands in Gradio's table of functions as `function`.

    `check` takes the arguments by name, costs next to nothing and raises UserError for what the function would refuse.
    """

    def __init__(self, function: Callable[..., Any], check: Callable[[Mapping[str, Any]], None] | None = None) -> None:
        self.name = function.__name__
        self.description = inspect.getdoc(function) or ""
        found = inspect.signature(function).parameters.values()
        self.defaults: dict[str, Any] = {part.name: part.default for part in found}
        self._annotations = function.__annotations__
        self._run = validate_call(function)
        self._bind = validate_call(wraps(function)(lambda **named: named))
        self._check = check
        self.function = self._told(function)
        self.function.endpoint = self

    @property
    def required(self) -> list[str]:
        """Names of the parameters without a default."""
        return [name for name, default in self.defaults.items() if default is _NONE]

    def named(self, values: Sequence[Any]) -> dict[str, Any]:
        """Arguments by name, from those by place.

        :raises UserError: there are more than parameters
        """
        if len(values) > len(self.defaults):
            raise UserError(
                "too-many-values",
                f"{self.name} ma parametry: {', '.join(self.defaults)}; podano wartości: {len(values)}.",
                f"{self.name} has these parameters: {', '.join(self.defaults)}; "
                f"{counted(len(values), 'value', 'values')} came.",
            )
        return dict(zip(self.defaults, values, strict=False))

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments, in order, checked; defaults stand for those that are not given.

        :raises UserError: a parameter is unknown or absent, or its value is none that it may have
        """
        unknown = [name for name in given if name not in self.defaults]
        if unknown:
            raise UserError(
                "unknown-parameter",
                f"{self.name} nie ma parametru {first_few(unknown)}; ma: {', '.join(self.defaults)}.",
                f"{self.name} has no parameter {first_few(unknown)}; it has {', '.join(self.defaults)}.",
            )
        absent = [name for name in self.required if name not in given]
        if absent:
            raise UserError(
                "missing-parameter",
                f"Brak parametru {', '.join(absent)}.",
                f"The parameter {', '.join(absent)} is missing.",
            )
        found = {name: given.get(name, default) for name, default in self.defaults.items()}
        self._refuse_booleans(found)
        try:
            self._bind(**found)
        except ValidationError as error:
            raise self._wrong_argument(error) from None
        if self._check:
            self._check(found)
        return found

    def call(self, *arguments: Any, **named: Any) -> Any:
        """What the function gives; types are enforced, for Gradio passes on any JSON.

        :raises UserError: of the function, or a value that a parameter may not have
        """
        self._refuse_booleans(self.named(arguments) | named)
        try:
            return self._run(*arguments, **named)
        except ValidationError as error:
            raise self._wrong_argument(error) from None

    def _told(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function for Gradio; expected failures become messages in both languages: an API has no page to ask."""

        @wraps(function)
        def told(*arguments: Any, **named: Any) -> Any:
            try:
                return self.call(*arguments, **named)
            except UserError as error:
                raise gr.Error(f"{error.message.en} / {error.message.pl}", print_exception=False) from None

        return told

    def _refuse_booleans(self, given: Mapping[str, Any]) -> None:
        """:raises UserError: a number is true or false, which Python takes for 1 or 0"""
        for name, value in given.items():
            if isinstance(value, bool) and self._annotations[name] is int:
                raise _wrong_value(name, json.dumps(value), _WHOLE_NUMBER)

    def _wrong_argument(self, error: ValidationError) -> UserError:
        first = error.errors()[0]
        place = first["loc"][0]
        name = list(self._annotations)[place] if isinstance(place, int) else place
        # A file that came as an object holds the server's path by now; no value but a plain one is repeated.
        value = str(first["input"])[:40] if isinstance(first["input"], str | int | float) else "…"
        value = value.encode("utf-8", "replace").decode()
        expected = first.get("ctx", {}).get("expected")
        if expected:
            choices = expected.replace("'", "").replace(" or ", ", ")
            cure = Bilingual(f"jedno z: {choices}", f"one of: {choices}")
        elif first["type"].startswith("string"):
            cure = Bilingual("tekst", "a text")
        elif first["type"].startswith("dict"):
            cure = Bilingual("teksty według nazw", "texts by name")
        else:
            cure = _WHOLE_NUMBER
        return _wrong_value(name, value, cure)


def _wrong_value(name: object, value: str, cure: Bilingual) -> UserError:
    return UserError(
        "wrong-value",
        f"Parametr {name} nie może mieć wartości „{value}”; dozwolone: {cure.pl}.",
        f"The parameter {name} may not be “{value}”; allowed: {cure.en}.",
    )


def endpoints_of(blocks: Any) -> dict[str, Endpoint]:
    """The endpoints of an app by name."""
    found = (getattr(function.fn, "endpoint", None) for function in blocks.fns.values())
    return {endpoint.name: endpoint for endpoint in found if endpoint is not None}
