"""Commands for the operator: the evaluations that visitors agreed to have kept (POLQA_KEEP_RUNS)."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polqa_demo import archive
from polqa_demo.cli import io
from polqa_demo.errors import Bilingual, Lang, UserError
from polqa_demo.reports.score_texts import percent
from polqa_demo.settings import settings

if TYPE_CHECKING:
    from polqa_demo.archive import KeptRun

Folder = Annotated[
    Path | None, typer.Option("--folder", help="Where evaluations are kept; by default what POLQA_KEEP_RUNS names.")
]
HEADS = (
    Bilingual("nr", "no."),
    Bilingual("zachowano (UTC)", "kept (UTC)"),
    Bilingual("złoty zbiór", "gold"),
    Bilingual("odpowiedzi", "answers"),
    Bilingual("accuracy@10", "accuracy@10"),
    Bilingual("pliki", "files"),
)


def list_runs(
    folder: Folder = None,
    json_out: Annotated[
        str | None, typer.Option("--json", help="All fields as JSON into a file, or - for stdout.")
    ] = None,
) -> None:
    """Lists the evaluations that are kept, oldest first."""
    runs = archive.kept_runs(_existing(folder))
    if json_out:
        io.put(json_out, io.to_json([asdict(run) for run in runs]))
    if json_out != "-":
        io.emit("".join(f"{line}\n" for line in table(runs, io.language())))


def show(
    number: Annotated[int, typer.Argument(help="The number in the list.")],
    folder: Folder = None,
    json_out: Annotated[str, typer.Option("--json", help="A file for the report, or - for stdout.")] = "-",
) -> None:
    """Writes the report of one kept evaluation as JSON; the app opens it where predictions go."""
    io.put(json_out, io.to_json(archive.kept_report(_existing(folder), number)))


def table(runs: "tuple[KeptRun, ...]", lang: Lang) -> list[str]:
    """The runs as tab-separated lines under a head; names of others show no signs that steer a terminal."""
    rows = [
        (
            str(run.id),
            run.kept_at.removesuffix("+00:00"),
            run.gold,
            _share(run.fuzzy_match, run.fuzzy_match_n, lang),
            _share(run.accuracy_at_10, run.accuracy_at_10_n, lang),
            ", ".join(str(file.get("name", "")) for file in run.files.values()),
        )
        for run in runs
    ]
    return ["\t".join(map(_plain, row)) for row in [tuple(head.say(lang) for head in HEADS), *rows]]


def _share(value: float | None, n: int | None, lang: Lang) -> str:
    return "–" if value is None else f"{percent(value, lang, 2)} (n = {n})"


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() or letter == "\u00a0" else "?" for letter in text)


def _existing(folder: Path | None) -> Path:
    """The folder that holds what is kept.

    :raises UserError: none is named, or nothing was ever kept there
    """
    chosen = folder or settings().keep_runs
    if chosen is None:
        raise UserError(
            "no-keep-folder",
            "Nie wiadomo, gdzie są zachowane oceny. Podaj --folder FOLDER albo ustaw POLQA_KEEP_RUNS.",
            "It is not known where evaluations are kept. Give --folder FOLDER, or set POLQA_KEEP_RUNS.",
        )
    if not (chosen / archive.DATABASE).is_file():
        raise UserError(
            "nothing-kept",
            f"W folderze {chosen} nie ma pliku {archive.DATABASE}: niczego tam nie zachowano. Sprawdź ścieżkę.",
            f"The folder {chosen} has no file {archive.DATABASE}: nothing was kept there. Check the path.",
        )
    return chosen
