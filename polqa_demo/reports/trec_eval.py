"""Rankings question by question as `trec_eval -q -c` prints them, for programs that read its output."""

from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.report import Report
from polqa_demo.reports.report_json import refuse_secret


def trec_eval_lines(report: Report) -> str:
    """Name, question and value (four digits) a line, tab-separated, then the means under the question `all`.

    Only questions with a gold passage are there, by their order; empty for a report without rankings.

    :raises UserError: the gold is secret, so nothing of a single question is known
    """
    refuse_secret(report)
    if report.rankings is None:
        return ""
    scores = report.rankings
    lines = [
        _line(MEASURES[code].trec_name, item.question_id, MEASURES[code].value(item))
        for item in scores.items
        if item.gold_passages
        for code in scores.scores
    ]
    lines.append(f"{'num_q':<22}\tall\t{scores.n}\n")
    lines += [_line(MEASURES[code].trec_name, "all", score.value) for code, score in scores.scores.items()]
    return "".join(lines)


def _line(name: str, question_id: str, value: float) -> str:
    return f"{name:<22}\t{question_id}\t{value:.4f}\n"
