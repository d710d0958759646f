"""Every form but JSON that a report is given away in: its file, and whether there is anything to write in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polqa_demo.errors import Lang
from polqa_demo.evaluation.analysis import Analysis
from polqa_demo.evaluation.report import Report
from polqa_demo.reports.document import Remark
from polqa_demo.reports.html import report_html
from polqa_demo.reports.latex import report_latex
from polqa_demo.reports.markdown import report_markdown
from polqa_demo.reports.report_json import items_csv
from polqa_demo.reports.trec_eval import trec_eval_lines

Writer = Callable[[Report, Sequence[Remark], Analysis | None, Lang], str]


@dataclass(frozen=True, slots=True)
class Export:
    """A form: the name of its file, and what writes its text. Of a secret gold there is none that is `of_items`."""

    file: str
    write: Writer
    of_items: bool = False
    of_rankings: bool = False

    def offered(self, report: Report) -> bool:
        """Whether the report holds what the form is about."""
        return not (self.of_items and report.secret) and not (self.of_rankings and report.rankings is None)


EXPORTS: dict[str, Export] = {
    "csv": Export("items.csv", lambda report, *_: items_csv(report), of_items=True),
    "html": Export("report.html", report_html),
    "markdown": Export("report.md", report_markdown),
    "latex": Export("report.tex", report_latex),
    "trec": Export(
        "rankings.trec_eval.txt", lambda report, *_: trec_eval_lines(report), of_items=True, of_rankings=True
    ),
}
