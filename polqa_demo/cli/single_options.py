"""A command that takes each of its options once: the last of several would count, and the others go in silence."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperOption

from polqa_demo.cli import io
from polqa_demo.errors import Bilingual

_TWICE = Bilingual("podano więcej niż raz; wystarczy raz", "given more than once; once is enough")


class SingleOptions(TyperCommand):
    """Refuses an option that is given twice, unless it takes several values by being repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual, after a look at how often each option stands there."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option in given:
            if isinstance(option, TyperOption) and not option.multiple and given.count(option) > 1:
                raise typer.BadParameter(_TWICE.say(io.language()), ctx, option)
        return super().parse_args(ctx, args)
