"""The command line: data to stdout or --out, messages to stderr; exit 0 done, 1 bad input, 2 wrong usage."""

from typing import Annotated

import typer

from polqa_demo.cli import answering, building, evaluating, io, keeping, running
from polqa_demo.cli.options import Corpus, IndexFolder
from polqa_demo.cli.single_options import SingleOptions
from polqa_demo.errors import Lang, UserError
from polqa_demo.settings import load_settings, settings
from polqa_demo.version import __version__

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
data_app = typer.Typer(no_args_is_help=True, help="PolQA from the hub.")
index_app = typer.Typer(no_args_is_help=True, help="Indexes on disk.")
runs_app = typer.Typer(no_args_is_help=True, help="Evaluations that were kept (POLQA_KEEP_RUNS).")
COMMANDS = (answering.ask, answering.retrieve, answering.answer, evaluating.score, evaluating.compare, running.run)
for command in COMMANDS:
    app.command(cls=SingleOptions)(command)
app.add_typer(data_app, name="data")
data_app.command(cls=SingleOptions)(building.fetch)
app.add_typer(index_app, name="index")
index_app.command(cls=SingleOptions)(building.build)
index_app.command(cls=SingleOptions)(building.verify)
app.add_typer(runs_app, name="runs")
runs_app.command("list", cls=SingleOptions)(keeping.list_runs)
runs_app.command(cls=SingleOptions)(keeping.show)


def main() -> None:
    """Runs the command line; expected failures become one message on stderr and exit code 1."""
    io.prepare_streams()
    try:
        app()
    except UserError as error:
        io.fail(error)
    except OSError as error:
        # Whoever reads stdout may have no room for it, or be gone.
        io.fail(UserError("no-output", f"Nie mogę pisać: {error.strerror}.", f"Cannot write: {error.strerror}."))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"polqa-demo {__version__}")
        raise typer.Exit


@app.callback(help="Answers Polish questions over a passage corpus and scores the answers and rankings of others.")
def common(
    lang: Annotated[Lang | None, typer.Option("--lang", help="Language of the messages.")] = None,
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Prints the version.")
    ] = False,
) -> None:
    """Options of every command."""
    io.speak(lang or settings().language)


@app.command(cls=SingleOptions)
def serve(
    port: Annotated[int | None, typer.Option("--port", help="The port; PORT or 7860 by default.")] = None,
    corpus: Corpus = None,
    index: IndexFolder = None,
) -> None:
    """Serves the app, as app.py does."""
    from polqa_demo.ui.app import serve as serve_app

    given = {"port": port, "corpus": tuple(corpus or ()) or None, "index": index}
    serve_app(load_settings(**{name: value for name, value in given.items() if value is not None}))
