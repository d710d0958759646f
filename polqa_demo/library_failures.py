"""What the libraries of models make of files that load and do not fit one another: exceptions of any kind."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from polqa_demo.errors import UserError

_LONGEST = 200


@contextmanager
def library_failures(told: Callable[[str], UserError]) -> Iterator[None]:
    """Any exception inside becomes a refusal; `told` makes it of the reason in one line.

    The tokenizers' compiled code panics where it is wrong, which is no `Exception` (pyo3). Put calls of libraries alone
    inside: faults of the program's own must be seen.
    """
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        raise told(_reason(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise told(_reason(error)) from error


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]
