"""Options that several commands share, as one parameter: a dataclass whose fields are the options."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

Command = Callable[..., None]


def with_options(parameter: str, group: type) -> Callable[[Command], Command]:
    """Makes a command's parameter of the fields of a group, which its help lists as options of its own."""

    def given(command: Command) -> Command:
        own = inspect.signature(command).parameters
        fields = inspect.signature(group).parameters
        options = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in fields.values()]

        @wraps(command)
        def run(**values: Any) -> None:
            command(**{parameter: group(**{name: values.pop(name) for name in fields})}, **values)

        kept = [one for name, one in own.items() if name != parameter]
        run.__signature__ = inspect.Signature([*kept, *options])  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in (*kept, *options)}
        return run

    return given
