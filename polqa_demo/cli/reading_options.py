"""Options that say how files of predictions are read and counted, once for all commands that score."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from polqa_demo.cli import io
from polqa_demo.cli import text as cli_text

if TYPE_CHECKING:
    from polqa_demo.submissions.table import Overrides

FileForm = Literal["lines", "csv", "tsv", "semicolon", "jsonl", "json", "wide", "long", "ranks", "distances", "trec"]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What the options say; None leaves it to the content of the files."""

    encoding: Annotated[str | None, typer.Option("--encoding", help="Of the predictions: cp1250, utf-16 …")] = None
    form: Annotated[
        FileForm | None,
        typer.Option(
            "--form",
            help="What the predictions are, if not as seen. Of rankings alone: wide (a list a line), long (third a "
            "score), ranks (third a rank), distances (smallest first), trec.",
        ),
    ] = None
    separator: Annotated[str | None, typer.Option("--separator", help="One sign, or tab.")] = None
    header: Annotated[bool | None, typer.Option("--header/--no-header", help="Whether the first row is one.")] = None
    answer_column: Annotated[
        str | None, typer.Option("--answer-column", help="The column or field of the answers: its name or number.")
    ] = None
    quotes: Annotated[
        bool | None, typer.Option("--quotes/--no-quotes", help="Whether quotes stand around cells, as in CSV.")
    ] = None
    duplicates: Annotated[
        Literal["refuse", "first", "last"], typer.Option("--duplicates", help="Which of two answers counts.")
    ] = "refuse"
    unanswerable: Annotated[
        Literal["leave-out", "abstain"],
        typer.Option("--unanswerable", help="Questions of empty gold: left out, or an empty answer is right."),
    ] = "leave-out"
    gold_kind: Annotated[
        Literal["answers", "passages"] | None,
        typer.Option("--gold-kind", help="What a gold file without a header holds."),
    ] = None
    rule: Annotated[
        Literal["poleval", "readme", "card", "exact"], typer.Option("--rule", help="Of right and wrong answers.")
    ] = "poleval"
    gold_source: Annotated[
        Literal["auto", "human", "all"],
        typer.Option("--gold-source", help="Which gold passages count; auto: human ones for validation and test."),
    ] = "auto"

    @property
    def overrides(self) -> "Overrides":
        """What concerns the files alone.

        :raises typer.BadParameter: a separator of several signs
        """
        from polqa_demo.submissions.table import Overrides

        separator = _separator(self.separator)
        return Overrides(
            self.encoding, self.form, separator, self.header, answer_column=self.answer_column, quotes=self.quotes
        )


def _separator(given: str | None) -> str | None:
    """A separator of one sign; the word tab stands for the tab."""
    if given is None or len(given) == 1:
        return given
    if given.lower() in ("tab", "\\t"):
        return "\t"
    raise typer.BadParameter(cli_text.ONE_SIGN.say(io.language()))
