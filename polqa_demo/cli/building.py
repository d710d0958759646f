"""Commands that make things ready: PolQA's files and indexes."""

from pathlib import Path
from typing import Annotated

import typer

from polqa_demo.choice import AUTO, Choice
from polqa_demo.cli import io
from polqa_demo.cli import text as cli_text
from polqa_demo.cli.options import EncoderName, PassagePrefix, QueryPrefix, Retriever
from polqa_demo.retrieval.known_models import Prefixes


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
