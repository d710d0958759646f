"""Options that several commands share, and the pipeline that they name."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polqa_demo.choice import READERS, RETRIEVERS, Choice
from polqa_demo.cli import io
from polqa_demo.cli import text as cli_text

if TYPE_CHECKING:
    from polqa_demo.pipeline import Pipeline, ReadingPipeline
    from polqa_demo.records import GoldSet

Corpus = Annotated[
    list[Path] | None,
    typer.Option("--corpus", help="JSONL with id, title, text; repeat it for several files. The index is cached."),
]
IndexFolder = Annotated[Path | None, typer.Option("--index", help="An index folder made by `index build`.")]
Retriever = Annotated[
    str, typer.Option("--retriever", help=f"{', '.join(RETRIEVERS)}; auto: the best that the corpus allows.")
]
EncoderName = Annotated[
    str, typer.Option("--encoder", help="Of dense and hybrid: a hub name or a folder; by default the embedded one.")
]
QueryPrefix = Annotated[
    str | None,
    typer.Option("--query-prefix", help="What the encoder reads before questions; default: by its model."),
]
PassagePrefix = Annotated[
    str | None,
    typer.Option("--passage-prefix", help="What the encoder reads before passages; default: by its model."),
]
Reranker = Annotated[str, typer.Option("--reranker", help="A cross-encoder: a hub name or a folder.")]
ReaderName = Annotated[str, typer.Option("--reader", help=f"{', '.join(READERS)}; auto: the best at hand.")]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        help="The reader's model: a hub name or a folder, or the chat server's name of it. The prompt of seq2seq: "
        "POLQA_SEQ2SEQ_PROMPT, POLQA_SEQ2SEQ_PASSAGE; an example: docs/plt5-poquad.env.",
    ),
]
TopK = Annotated[int | None, typer.Option("--top-k", help="How many passages; 10 by default.")]
Questions = Annotated[
    str,
    typer.Option(
        "--questions",
        help="Questions or gold file, any form of the README; - for stdin; or the name of a set: polqa/test.",
    ),
]
Out = Annotated[Path, typer.Option("--out", help="The file to write; a stopped run goes on where it was.")]


@contextmanager
def opened(corpus: list[Path] | None, index: Path | None, choice: Choice) -> "Iterator[Pipeline]":
    """A pipeline, with a progress bar while a corpus is indexed and encoded; its notes are told."""
    from polqa_demo.pipeline import assemble, workshop_for

    with io.bar(cli_text.INDEXING.say(io.language())) as progress:
        pipeline = assemble(workshop_for(corpus or (), index, progress=progress), choice)
    for note in pipeline.origin.notes:
        io.tell(note)
    tell_assumed(pipeline)
    yield pipeline
    if warning := pipeline.cut_warning():
        io.tell(warning)


@contextmanager
def opened_reading(corpus: list[Path] | None, index: Path | None, choice: Choice) -> "Iterator[ReadingPipeline]":
    """The reader of a choice over a corpus whose passages are given: nothing is encoded, no words are indexed."""
    from polqa_demo.pipeline import assemble_reading, workshop_for

    with io.bar(cli_text.INDEXING.say(io.language())) as progress:
        pipeline = assemble_reading(workshop_for(corpus or (), index, progress=progress), choice)
    tell_assumed(pipeline)
    yield pipeline


def tell_assumed(pipeline: "ReadingPipeline") -> None:
    """What was assumed for models of others. The embedded encoder is what its authors made it."""
    from polqa_demo.retrieval.encoders import EMBEDDED

    for part, told in pipeline.origin.assumed.items():
        if part != "encoder" or pipeline.origin.choice.encoder != EMBEDDED:
            io.tell(told)


def tell_problems(problems: Iterable[Any], by_file: bool = False) -> None:
    """Each problem as a line on stderr.

    :param by_file: each behind the name of its file
    """
    for problem in problems:
        io.tell(cli_text.problem_line(problem, io.language(), problem.file if by_file else ""))


def tell_gold(gold: "GoldSet") -> None:
    """What was odd about the files behind gold or questions, and what they were taken for."""
    tell_problems(gold.remarks)
    tell_recognised(gold.recognised)


def tell_recognised(files: Mapping[str, Any]) -> None:
    """What each file was taken for, on stderr."""
    for role, found in files.items():
        io.tell(cli_text.recognised(role, found.say(io.language()), io.language()))
