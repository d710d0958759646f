"""Commands that make things ready: PolQA's files, indexes, trained adapters."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from polqa_demo import cli_io as io
from polqa_demo import cli_text
from polqa_demo.assembly import Progress
from polqa_demo.choice import AUTO, Choice
from polqa_demo.commands.options import EncoderName, PassagePrefix, QueryPrefix, Retriever
from polqa_demo.retrieval.known_models import Prefixes
from polqa_demo.settings import settings

Data = Annotated[
    list[Path], typer.Option("--data", help="SQuAD layout, or PoQuAD's JSONL of questions and passages; repeatable.")
]
Folder = Annotated[Path, typer.Option("--out", help="The folder to make.")]
LeaveOut = Annotated[
    Path | None, typer.Option("--leave-out", help="Ids of questions that are kept for testing, one a line.")
]


def fetch(
    split: Annotated[list[str] | None, typer.Option("--split", help="train, valid or test; repeatable.")] = None,
    passages: Annotated[bool, typer.Option("--passages", help="The corpus as well: 3.3 GB.")] = False,
) -> None:
    """Downloads PolQA's files into the hub's local cache; files that are there already are not loaded again."""
    from polqa_demo.data import polqa

    files = [polqa.split_file(name) for name in split or ([] if passages else ["test"])]
    for file in [*files, *([polqa.PASSAGES_FILE] if passages else [])]:
        typer.echo(polqa.fetch(file, lambda address: typer.echo(cli_text.fetching(address, io.language()), err=True)))


def build(
    corpus: Annotated[list[Path], typer.Option("--corpus", help="JSONL with id, title, text; repeatable.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to make.")],
    retriever: Retriever = AUTO,
    encoder: EncoderName = "",
    query_prefix: QueryPrefix = None,
    passage_prefix: PassagePrefix = None,
) -> None:
    """Builds an index over a corpus, with vectors for dense and hybrid; a half-made one is never left in its place."""
    from polqa_demo.pipeline import workshop_for
    from polqa_demo.retrieval.encoders import assumed, cut_warning
    from polqa_demo.retrieval.index import build_index

    workshop = workshop_for(corpus)
    choice = Choice(retriever, encoder, prefixes=Prefixes(query_prefix, passage_prefix))
    model = workshop.encoder(workshop.resolved(choice))
    with io.bar(cli_text.INDEXING.say(io.language())) as progress:
        built = build_index(corpus, out, progress, encoder=model)
    if model and built.vectors:
        cut, total = built.vectors.encoder.cut or 0, len(built.passages)
        io.tell(assumed(model, cut, total))
        if warning := cut_warning(model.name, cut, total):
            io.tell(warning)
    typer.echo(cli_text.index_line(str(out), len(built.passages), io.language()))


def verify(folder: Path) -> None:
    """Checks that an index is whole."""
    from polqa_demo.retrieval.index import verify_index

    verified = verify_index(folder)
    typer.echo(cli_text.index_line(str(folder), len(verified.passages), io.language()))


def retriever(
    data: Data,
    out: Folder,
    encoder: EncoderName = "",
    query_prefix: QueryPrefix = None,
    passage_prefix: PassagePrefix = None,
    leave_out: LeaveOut = None,
) -> None:
    """Trains the small adapter on the vectors of an encoder, from questions with their passages."""
    from polqa_demo.retrieval.encoders import EMBEDDED, open_encoder
    from polqa_demo.training.retriever import train_retriever

    knobs = settings()
    prefixes = Prefixes(query_prefix, passage_prefix).or_else(Prefixes(knobs.query_prefix, knobs.passage_prefix))
    bare = open_encoder(encoder or EMBEDDED, knobs.cache_dir, prefixes=prefixes)
    with io.bar(out.name) as progress:
        train_retriever(data, out, bare, _without_loss(progress), _ids(leave_out))
    typer.echo(str(out))


def reader(data: Data, out: Folder, leave_out: LeaveOut = None) -> None:
    """Trains the adapter of the span reader on the embedded encoder, from questions with answers in passages."""
    from polqa_demo.retrieval.embedded_weights import embedded_folder
    from polqa_demo.training.reader import train_reader

    base = embedded_folder(settings().cache_dir)
    with io.bar(out.name) as progress:
        train_reader(data, out, base, _without_loss(progress), _ids(leave_out))
    typer.echo(str(out))


def _without_loss(progress: Progress) -> Callable[[int, int, float], None]:
    """A bar shows how far a training is; the losses stand in the model card."""
    return lambda done, total, _: progress(done, total)


def _ids(path: Path | None) -> frozenset[str]:
    """The ids of a file, one a line."""
    return frozenset(io.read_bytes(path).decode("utf-8", "replace").split()) if path else frozenset()
