"""Trains an adapter: `python -m tools.train reader|retriever --data FILE --out DIR [--leave-out IDS]`.

Run from a checkout with the extra `train` installed. What may be trained on, and what has to be left out, stands in the
model cards that the commands write.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from polqa_demo.cli import io
from polqa_demo.cli.options import EncoderName, PassagePrefix, QueryPrefix
from polqa_demo.errors import Lang, UserError
from polqa_demo.retrieval.known_models import Prefixes
from polqa_demo.settings import settings

Data = Annotated[
    list[Path], typer.Option("--data", help="SQuAD layout, or PoQuAD's JSONL of questions and passages; repeatable.")
]
Folder = Annotated[Path, typer.Option("--out", help="The folder to make.")]
LeaveOut = Annotated[
    Path | None, typer.Option("--leave-out", help="Ids of questions that are kept for testing, one a line.")
]

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback(help="Trains the small adapters of reader and retriever.")
def common(lang: Annotated[Lang | None, typer.Option("--lang", help="Language of the messages.")] = None) -> None:
    """Options of both commands."""
    io.speak(lang or settings().language)


@app.command()
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
    from tools.retriever.training import train_retriever

    knobs = settings()
    prefixes = Prefixes(query_prefix, passage_prefix).or_else(Prefixes(knobs.query_prefix, knobs.passage_prefix))
    bare = open_encoder(encoder or EMBEDDED, knobs.cache_dir, prefixes=prefixes)
    with io.bar(out.name) as progress:
        train_retriever(data, out, bare, _without_loss(progress), _ids(leave_out))
    typer.echo(str(out))


@app.command()
def reader(data: Data, out: Folder, leave_out: LeaveOut = None) -> None:
    """Trains the adapter of the span reader on the embedded encoder, from questions with answers in passages."""
    from polqa_demo.retrieval.embedded_weights import embedded_folder
    from tools.reader.training import train_reader

    base = embedded_folder(settings().cache_dir)
    with io.bar(out.name) as progress:
        train_reader(data, out, base, _without_loss(progress), _ids(leave_out))
    typer.echo(str(out))


def main() -> None:
    """Runs a training; expected failures become one message on stderr and exit code 1."""
    io.prepare_streams()
    try:
        app()
    except UserError as error:
        io.fail(error)


def _without_loss(progress: Callable[[int, int | None], None]) -> Callable[[int, int, float], None]:
    """A bar shows how far a training is; the losses stand in the model card."""
    return lambda done, total, _: progress(done, total)


def _ids(path: Path | None) -> frozenset[str]:
    """The ids of a file, one a line."""
    return frozenset(io.read_bytes(path).decode("utf-8", "replace").split()) if path else frozenset()


if __name__ == "__main__":
    main()
