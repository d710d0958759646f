"""Options that several commands share, and the pipeline that they name."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polqa_demo import cli_io as io
from polqa_demo import cli_text
from polqa_demo.assembly import READERS, RETRIEVERS, Choice

if TYPE_CHECKING:
    from polqa_demo.pipeline import Pipeline, ReadingPipeline
    from polqa_demo.scoring import Upload
    from polqa_demo.submissions.table import Overrides

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
Reranker = Annotated[str, typer.Option("--reranker", help="A cross-encoder: a hub name or a folder.")]
ReaderName = Annotated[str, typer.Option("--reader", help=f"{', '.join(READERS)}; auto: the best at hand.")]
Model = Annotated[
    str, typer.Option("--model", help="The reader's model: a hub name or a folder, or the chat server's name of it.")
]
TopK = Annotated[int | None, typer.Option("--top-k", help="How many passages; 10 by default.")]
Questions = Annotated[Path, typer.Option("--questions", help="Questions or gold file, any form of the README.")]
Out = Annotated[Path, typer.Option("--out", help="The file to write; a stopped run goes on where it was.")]


def upload_of(path: Path, overrides: "Overrides | None" = None) -> "Upload":
    """A file for the scorer. What comes through a pipe can be read only once, so it is read at once.

    :raises UserError: a pipe that cannot be read
    """
    from polqa_demo.scoring import Upload
    from polqa_demo.submissions.table import Overrides

    known, name = overrides or Overrides(), io.shown_name(path)
    if path.is_fifo() or path.is_char_device():
        return Upload(name, data=io.read_bytes(path), overrides=known)
    return Upload(name, path=path, overrides=known)


@contextmanager
def opened(corpus: list[Path] | None, index: Path | None, choice: Choice) -> "Iterator[Pipeline]":
    """A pipeline, with a progress bar while a corpus is indexed and encoded; its notes are told."""
    from polqa_demo.pipeline import assemble, workshop_for

    with io.bar(cli_text.INDEXING.say(io.language())) as progress:
        pipeline = assemble(workshop_for(corpus or (), index, progress=progress), choice)
    for note in pipeline.origin.notes:
        io.tell(note)
    yield pipeline


@contextmanager
def opened_reading(corpus: list[Path] | None, index: Path | None, choice: Choice) -> "Iterator[ReadingPipeline]":
    """The reader of a choice over a corpus whose passages are given: nothing is encoded, no words are indexed."""
    from polqa_demo.pipeline import assemble_reading, workshop_for

    with io.bar(cli_text.INDEXING.say(io.language())) as progress:
        pipeline = assemble_reading(workshop_for(corpus or (), index, progress=progress), choice)
    yield pipeline


def tell_problems(problems: Iterable[Any]) -> None:
    """Each problem as a line on stderr."""
    for problem in problems:
        io.tell(cli_text.problem_line(problem, io.language()))


def tell_recognised(files: Mapping[str, Any]) -> None:
    """What each file was taken for, on stderr."""
    for role, found in files.items():
        io.tell(cli_text.recognised(role, found.say(io.language()), io.language()))
