"""How the command line speaks, reads and writes: messages in the user's language, files, progress bars."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import typer

from polqa_demo.cli import text as cli_text
from polqa_demo.errors import Bilingual, Lang, UserError
from polqa_demo.runs.batch import begins_anew, write_batch

STDIN = STDOUT = Path("-")
# A command line has one user and so one language.
_spoken: list[Lang] = ["pl"]


def speak(lang: Lang) -> None:
    """Chooses the language of all that follows."""
    _spoken[0] = lang


def language() -> Lang:
    """The user's language."""
    return _spoken[0]


def tell(message: Bilingual | str) -> None:
    """A message to stderr."""
    typer.echo(message if isinstance(message, str) else message.say(language()), err=True)


def fail(error: UserError) -> NoReturn:
    """The end of a command that could not do its work."""
    tell(f"{cli_text.ERROR.say(language())}: {error.say(language())}")
    raise SystemExit(1) from None


def prepare_streams() -> None:
    """What a terminal of few letters cannot show becomes a question mark there; Ctrl-C says how to go on."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")

    def stopped(*_: object) -> NoReturn:
        tell(cli_text.STOPPED)
        raise SystemExit(130)

    signal.signal(signal.SIGINT, stopped)


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar on stderr that appears with the first report."""
    from tqdm import tqdm

    bars: list[Any] = []

    def report(done: int, total: int | None) -> None:
        if not bars:
            bars.append(tqdm(desc=label, total=total, file=sys.stderr, leave=False, disable=None))
        bars[0].total = total
        bars[0].update(done - bars[0].n)

    try:
        yield report
    finally:
        for shown in bars:
            shown.close()


def emit(text: str) -> None:
    """Data to stdout, in UTF-8 whatever the terminal writes in. Half of a surrogate pair becomes its JSON escape."""
    typer.echo(text.encode("utf-8", "backslashreplace"), nl=False)


def checked_out(out: Path, *inputs: Path | None) -> Path:
    """Where an output really goes; a link is followed. `-` is stdout.

    :raises UserError: it is a folder, a device or a pipe, or a file that is read
    """
    if out == STDOUT:
        return out
    files = [given for given in inputs if given is not None and given != STDIN]
    if any(out.exists() and given.exists() and out.samefile(given) for given in files):
        raise UserError(
            "out-is-input",
            f"--out wskazuje plik, który jest czytany ({out}). Podaj inny plik.",
            f"--out names a file that is read ({out}). Name another file.",
        )
    if not out.name or out.name == ".." or (out.exists() and not out.is_file()):
        raise UserError(
            "out-is-no-file",
            f"--out musi wskazywać zwykły plik, a „{out}” nim nie jest. Podaj nazwę pliku albo - (wyjście programu).",
            f"--out must name an ordinary file, and {str(out)!r} is none. Give a file's name, or - for stdout.",
        )
    return out.resolve() if out.is_symlink() else out


def write_lines(out: Path, items: Sequence[Any], line: Callable[[Any], str], key: str, header: str = "") -> None:
    """The text of every item into a file, resumable, or to stdout."""
    if out == STDOUT:
        emit(header + "".join(map(line, items)))
        return
    if begins_anew(out, key):
        tell(cli_text.begun_anew(str(out)))
    with bar(out.name) as progress:
        resumed = write_batch(out, items, line, key, header, progress)
    tell(cli_text.written(str(out), len(items), resumed, language()))


def read_bytes(path: Path) -> bytes:
    """A file's content; `-` is stdin.

    :raises UserError: it cannot be opened, or nothing comes through stdin
    """
    try:
        return _stdin() if path == STDIN else path.read_bytes()
    except OSError as error:
        raise UserError(
            "unreadable-file",
            f"Nie mogę otworzyć pliku {path}: {error.strerror}. Sprawdź ścieżkę.",
            f"Cannot open the file {path}: {error.strerror}. Check the path.",
        ) from error


def _stdin() -> bytes:
    if sys.stdin is not None and sys.stdin.isatty():
        raise UserError(
            "stdin-is-terminal",
            "Znak - oznacza standardowe wejście, a jest nim terminal. Dopisz < PLIK, skieruj tu wyjście innego "
            "programu (PROGRAM | python -m polqa_demo ...) albo podaj nazwę pliku zamiast -.",
            "The sign - stands for the standard input, which is a terminal. Add < FILE, pipe another program's output "
            "into this one (PROGRAM | python -m polqa_demo ...), or name a file in place of -.",
        )
    data = sys.stdin.buffer.read() if sys.stdin is not None else b""
    if not data:
        raise UserError(
            "empty-stdin",
            "Na standardowym wejściu (-) nic nie było. Sprawdź, czy program przed znakiem | coś wypisał, albo podaj "
            "nazwę pliku.",
            "Nothing came through the standard input (-). See whether the program before the sign | wrote anything, "
            "or name a file.",
        )
    return data


def shown_name(path: Path) -> str:
    """A file's name as text that can be written anywhere, whatever bytes the system gave it."""
    if path == STDIN:
        return "stdin"
    return os.fsencode(path.name).decode("utf-8", "replace")


def put(target: str, text: str) -> None:
    """A text into a file, or to stdout for `-`.

    :raises UserError: it cannot be written
    """
    if target == "-":
        emit(text + "\n")
        return
    try:
        Path(target).write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as error:
        raise UserError(
            "unwritable-file",
            f"Nie mogę zapisać pliku {target}: {error.strerror}.",
            f"Cannot write the file {target}: {error.strerror}.",
        ) from error


def put_all(folder: Path, files: dict[str, str]) -> None:
    """Several texts into a folder, which is made when it is not there.

    :raises UserError: it cannot be made or written
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            "unwritable-folder",
            f"Nie mogę utworzyć folderu {folder}: {error.strerror}.",
            f"Cannot make the folder {folder}: {error.strerror}.",
        ) from error
    for name, text in files.items():
        put(str(folder / name), text)


def to_json(value: object, indent: int | None = 2) -> str:
    """JSON as the command line writes it."""
    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
