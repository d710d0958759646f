"""The command that runs a whole gold set through a pipeline and scores it."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polqa_demo.cli import io
from polqa_demo.cli import text as cli_text
from polqa_demo.cli.evaluating import write_report
from polqa_demo.cli.inputs import tell_of_namesake
from polqa_demo.cli.option_groups import with_options
from polqa_demo.cli.options import (
    opened,
    tell_problems,
    tell_recognised,
)
from polqa_demo.cli.pipeline_options import PipelineOptions
from polqa_demo.data.sample import NAME as SAMPLE

if TYPE_CHECKING:
    from polqa_demo.runs.splits import Step


@with_options("parts", PipelineOptions)
def run(
    parts: PipelineOptions,
    out_dir: Annotated[
        Path, typer.Option("--out-dir", help="Rankings, answers and the report; a stopped run goes on.")
    ],
    gold: Annotated[str | None, typer.Option("--gold", help="A gold file, or the name of a set.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Of the sample, or of PolQA: polqa/test.")] = None,
) -> None:
    """Runs a whole split: retrieval, the reader on retrieved and on gold passages, the score; resumable."""
    from polqa_demo import gold_sets
    from polqa_demo.runs import splits

    if (gold is None) == (split is None):
        raise typer.BadParameter(cli_text.GOLD_OR_SPLIT.say(io.language()))
    name = gold or (split if split and "/" in split else f"{SAMPLE}/{split}")
    tell_of_namesake(name)
    gold_set, refused = gold_sets.open_gold(name)
    if gold_set is None:
        tell_problems(refused.problems if refused else ())
        raise SystemExit(1)
    with opened(parts.corpus, parts.index, parts.choice) as pipeline, ExitStack() as bars:
        scored = splits.run(pipeline, gold_set, out_dir, _stages(bars), parts.top_k)
    tell_problems(scored.problems)
    tell_recognised(gold_set.recognised)
    if scored.report is None:
        raise SystemExit(1)
    write_report(scored, None, out_dir)
    typer.echo(cli_text.report(scored.report, io.language()))


def _stages(bars: ExitStack) -> "Any":
    """A progress bar for each stage, the one before closed."""
    shown: dict[str, Any] = {}

    def tell(step: "Step") -> None:
        if step.stage not in shown:
            bars.close()
            shown[step.stage] = bars.enter_context(io.bar(step.stage))
        shown[step.stage](step.done, step.total)

    return tell
