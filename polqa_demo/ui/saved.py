"""A report that the program wrote itself, dropped where predictions go: recognised and opened instead of scored."""

from collections.abc import Sequence
from pathlib import Path

from polqa_demo.errors import Problem, UserError
from polqa_demo.parsing.parser import Parser, Upload
from polqa_demo.scoring import Scored
from polqa_demo.ui.result import Result
from polqa_demo.ui.texts import TEXTS

# Every report of ours begins so; files of predictions do not.
_BEGINNING = b'{"schema_version":'
_LOOKED_AT = 64


def open_saved(paths: Sequence[str], parser: Parser) -> Result | None:
    """The result of a saved report; None when the files are predictions.

    :raises UserError: a report among other files, or one that cannot be trusted (`bad-report`)
    """
    reports = [path for path in paths if _is_report(Path(path))]
    if not reports:
        return None
    if len(paths) > 1:
        raise UserError("report-and-files", *TEXTS["eval.report_alone"])
    saved = parser.report(Upload(Path(reports[0]).name, path=Path(reports[0])))
    problems = [Problem(one.severity, one.code, one.message, one.count, one.lines) for one in saved.problems]
    opened = Problem("note", "saved-report", TEXTS["eval.report_opened"])
    return Result(Scored((*problems, opened), saved.report, dict(saved.forms), files=dict(saved.files)), saved.report)


def _is_report(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_LOOKED_AT)
    return b"".join(head.removeprefix(b"\xef\xbb\xbf").split()).startswith(_BEGINNING)
