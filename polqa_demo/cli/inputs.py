"""What commands read: files, pipes, stdin under the name `-`, and gold sets by their names."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from polqa_demo.cli import io
from polqa_demo.cli import text as cli_text
from polqa_demo.errors import UserError

if TYPE_CHECKING:
    from polqa_demo.parsing.parser import Upload
    from polqa_demo.records import GoldSet
    from polqa_demo.submissions.table import Overrides


class Asked(NamedTuple):
    """Questions with whatever gold is known of them; `content` is all that a batch over them hangs on."""

    gold: "GoldSet"
    content: object


def asked_in(questions: str) -> Asked:
    """The questions of a gold set by its name, of a file, or of stdin (`-`).

    A name counts before a file of that path, as for `--gold`; `./NAME` is always the file.

    :raises UserError: neither a known name nor a file of questions
    """
    from polqa_demo.data.catalogue import gold_names, is_collection
    from polqa_demo.submissions.gold import load_gold, read_gold_or_questions

    path = Path(questions)
    if questions in gold_names() or (is_collection(questions) and not os.path.exists(questions)):
        tell_of_namesake(questions)
        gold = load_gold(questions)
        return Asked(gold, gold)
    data = io.read_bytes(path)
    return Asked(read_gold_or_questions(data, io.shown_name(path)), data)


def tell_of_namesake(gold: str) -> None:
    """Says that a file was not read, where it has the path that is the name of a gold set."""
    from polqa_demo.data.catalogue import gold_names

    if gold in gold_names() and Path(gold).is_file():
        io.tell(cli_text.namesake(gold, io.language()))


def upload_of(path: Path, overrides: "Overrides | None" = None) -> "Upload":
    """A file for the scorer. What comes through a pipe can be read only once, so it is read at once.

    :raises UserError: a pipe that cannot be read
    """
    from polqa_demo.parsing.parser import Upload
    from polqa_demo.submissions.table import Overrides

    known, name = overrides or Overrides(), io.shown_name(path)
    if path == io.STDIN or path.is_fifo() or path.is_char_device():
        return Upload(name, data=io.read_bytes(path), overrides=known)
    return Upload(name, path=path, overrides=known)


def files_in(paths: Iterable[Path]) -> list[Path]:
    """The files named, and for a folder the files in it, by name.

    :raises UserError: a folder that cannot be read
    """
    found: list[Path] = []
    for path in paths:
        try:
            found += sorted(path.iterdir()) if path != io.STDIN and os.path.isdir(path) else [path]
        except OSError as error:
            raise UserError(
                "unreadable-folder",
                f"Nie mogę odczytać folderu {path}: {error.strerror}. Sprawdź ścieżkę i uprawnienia.",
                f"Cannot read the folder {path}: {error.strerror}. Check the path and the permissions.",
            ) from error
    return [path for path in found if path == io.STDIN or not os.path.isdir(path)]


def refuse_second_stdin(*given: Path | str | None) -> None:
    """What comes through stdin can be read once.

    :raises typer.BadParameter: two inputs are `-`
    """
    if sum(str(one) == "-" for one in given) > 1:
        raise typer.BadParameter(cli_text.ONE_STDIN.say(io.language()))
