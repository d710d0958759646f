"""What one evaluation leaves in a visitor's session: the report, and what is computed from it when it is looked at."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property

from polqa_demo.comparison import Compared, compare_uploads
from polqa_demo.data.polqa import gold_passages
from polqa_demo.evaluation.analysis import Analysis, analyse
from polqa_demo.evaluation.buckets import Buckets
from polqa_demo.evaluation.report import Item, Report
from polqa_demo.parsing.parser import Parser
from polqa_demo.reports.document import answer_buckets
from polqa_demo.scoring import PARSER, Scored
from polqa_demo.ui.submission import Submission
from polqa_demo.ui.tables import Listing


class Result:
    """A report with what was odd about its files; `submission` is None when the report itself was opened.

    Nothing here is shared between sessions. What is costly is computed once, by the part of the page that asks first.
    """

    def __init__(
        self,
        scored: Scored,
        report: Report,
        submission: Submission | None = None,
        parser: Callable[[], AbstractContextManager[Parser]] = lambda: nullcontext(PARSER),
    ) -> None:
        self._parser = parser
        self.scored = scored
        self.report = report
        self.submission = submission

    @cached_property
    def analysis(self) -> Analysis:
        """What lies behind the scores (0.4 s for 7,000 answers)."""
        return analyse(self.report)

    @cached_property
    def comparison(self) -> Compared | None:
        """All files of one kind against one another; None without files."""
        given = self.submission
        if given is None:
            return None
        with self._parser() as parser:
            return compare_uploads(
                given.gold,
                given.uploads,
                self.report.rule,
                duplicates=given.read_as.duplicates,
                unanswerable=given.read_as.unanswerable,
                parser=parser,
            )

    @cached_property
    def buckets(self) -> Buckets | None:
        """Every answer with the reason why it is right or wrong; None without answers."""
        return answer_buckets(self.report)

    @cached_property
    def listing(self) -> Listing:
        """The items as they are filtered and searched."""
        return Listing(self.report, self.buckets)

    @cached_property
    def gold_passages(self) -> Mapping[str, tuple[str, ...]]:
        """Question id -> its gold passages; of an opened report those that its rankings name."""
        if self.submission is not None and not self.submission.gold.secret:
            return gold_passages(self.submission.gold, self.report.gold_source)
        return {key: item.ranking.gold_passages for key, item in self.items.items() if item.ranking}

    @cached_property
    def items(self) -> Mapping[str, Item]:
        """The items by the id of their question."""
        return {item.question.id: item for item in self.report.items}
