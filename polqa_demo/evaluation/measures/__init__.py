"""Every measure of rankings, each declared once, in a module of its own; a module put here is scored, shown, compared.

A module declares `MEASURES`. Means are over the questions that have a gold passage; one without a ranking has 0.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from polqa_demo.evaluation.measures.measure import Measure

__all__ = ["MEASURES", "Measure"]


def _declared() -> Iterator[Measure]:
    for module in iter_modules(__path__):
        yield from getattr(import_module(f"{__name__}.{module.name}"), "MEASURES", ())


MEASURES: dict[str, Measure] = {
    measure.name: measure for measure in sorted(_declared(), key=lambda measure: measure.order)
}
"""By name, in the order in which they are listed."""
