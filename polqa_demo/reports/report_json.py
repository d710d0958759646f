"""A report as JSON (schema_version 1, see the README; `loading` reads it back) and its items as CSV."""

import csv
import io
import re
from typing import Any

from polqa_demo.errors import UserError
from polqa_demo.evaluation.attribution import Attributed
from polqa_demo.evaluation.buckets import Buckets
from polqa_demo.evaluation.fuzzy_match import Verdict
from polqa_demo.evaluation.question_ranking import QuestionRanking
from polqa_demo.evaluation.ranking import HEADLINE, RankingScores
from polqa_demo.evaluation.report import TOTAL_DIGITS, AnswerScores, Item, Report
from polqa_demo.evaluation.shares import Share
from polqa_demo.reports.attribution_json import attributed_json, attribution_json, beside_json
from polqa_demo.reports.document import answer_buckets

SCHEMA_VERSION = 1
CSV_COLUMNS = (
    "question_id",
    "question",
    "prediction",
    "golds",
    "correct",
    "rule",
    "branch",
    "matched_gold",
    "distance",
    "limit",
    "prediction_number",
    "gold_number",
    "first_rank",
    "gold_passages",
    "bucket",
    "cell",
    "answer_rank",
    "signature",
)
# What a spreadsheet would run as a formula, full-width signs included; a plain number is none.
_FORMULA = re.compile(r"\s*[=+\-@\t\r＝＋－＠]")
# The same after a sign at which a spreadsheet of another language parts cells.
_FORMULA_WITHIN = re.compile(r"(?<=\S)([;\t]\s*)([=+\-@＝＋－＠])")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


def report_json(report: Report) -> dict[str, Any]:
    """The report as plain JSON; absent parts are left out, never null-filled. Shares are 0..1.

    Of a secret gold there are totals alone, of four decimals at most.
    """
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "signature": report.signature,
        "gold": report.gold,
        "rule": report.rule,
    }
    if report.answers:
        found["answers"] = _answers(report.answers, report.rule)
    if report.rankings:
        found["rankings"] = {"gold_source": report.gold_source, **_rankings(report.rankings)}
    if report.answers_from_gold:
        found["answers_from_gold"] = _answers(report.answers_from_gold, report.rule)
    if report.secret:
        return dict(total_digits(found)) | {"secret": True}
    if report.attribution:
        found["attribution"] = attribution_json(report.attribution, share_json)
    if report.beside:
        found["reader_beside"] = beside_json(report.beside, share_json)
    cells = _cells(report)
    found["items"] = [_item(item, cells.get(item.question.id)) for item in report.items]
    return found


def total_digits(value: Any) -> Any:
    """Plain JSON of a secret gold with every number as short as its totals may be."""
    if isinstance(value, dict):
        return {key: total_digits(one) for key, one in value.items()}
    if isinstance(value, list):
        return [total_digits(one) for one in value]
    return round(value, TOTAL_DIGITS) if isinstance(value, float) else value


def items_csv(report: Report, buckets: Buckets | None = None) -> str:
    """The items as CSV with a byte order mark, for spreadsheets; what would run as a formula is made harmless.

    The signature of the score stands in the first row alone; it is the same for all. The buckets of the answers are
    computed where they are not given.

    :raises UserError: the gold is secret, so there are no items
    """
    refuse_secret(report)
    known = buckets or answer_buckets(report)
    bucket = {one.question_id: one.bucket for one in known.items} if known else {}
    cells = _cells(report)
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for place, item in enumerate(report.items):
        row = _csv_row(item, report.rule) | ({} if place else {"signature": report.signature})
        row["bucket"] = bucket.get(item.question.id)
        if cell := cells.get(item.question.id):
            row |= {"cell": cell.cell.code, "answer_rank": cell.answer_rank}
        writer.writerow({key: harmless(value) for key, value in row.items()})
    return out.getvalue()


def refuse_secret(report: Report) -> None:
    """Makes sure that there are items to write.

    :raises UserError: the gold is secret
    """
    if report.secret:
        raise UserError(
            "secret-gold",
            f"Złoty zbiór {report.gold} jest tajny: są tylko sumy, bez wyników poszczególnych pytań.",
            f"The gold {report.gold} is secret: there are totals alone, no results of single questions.",
        )


def harmless(value: object) -> object:
    """A cell that no spreadsheet takes for a formula; numbers such as -5 stay as they are."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value.strip()):
        return value
    value = _FORMULA_WITHIN.sub(r"\1'\2", value)
    return "'" + value if _FORMULA.match(value) else value


def share_json(share: Share, counted: str) -> dict[str, Any]:
    """A proportion with its counts and its 95 % Wilson interval."""
    return {"value": share.value, counted: share.hits, "n": share.n, "ci95": list(share.interval)}


def _answers(scores: AnswerScores, rule: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "n": scores.rules[rule].n,
        "answered": scores.answered,
        "missing": scores.missing,
        "fuzzy_match": share_json(scores.rules[rule], "correct"),
        "rules": {name: share_json(share, "correct") for name, share in scores.rules.items()},
    }
    if scores.without_gold:
        found["without_gold"] = scores.without_gold
    if scores.unanswerable:
        rules = {name: share_json(share, "correct") for name, share in scores.answerable.items()}
        found["answerable"] = rules[rule] | {"rules": rules}
        found["unanswerable"] = share_json(scores.unanswerable, "correct")
    return found


def _rankings(scores: RankingScores) -> dict[str, Any]:
    found: dict[str, Any] = {"n": scores.n}
    if scores.graded:
        found["gains"] = scores.gains
    found |= {code: share_json(share, "hits") for code, share in scores.shares.items()}
    found[f"{HEADLINE}_all_questions"] = share_json(scores.accuracy_all_questions, "hits")
    found |= {code: {"value": mean.value, "n": mean.n} for code, mean in scores.means.items()}
    if scores.ties.questions:
        found["ties"] = {
            "questions": scores.ties.questions,
            "decisive": scores.ties.decisive,
            "best": share_json(scores.ties.best, "hits"),
            "worst": share_json(scores.ties.worst, "hits"),
        }
    return found


def _cells(report: Report) -> dict[str, Attributed]:
    return {one.question_id: one for one in report.attribution.items} if report.attribution else {}


def _item(item: Item, cell: Attributed | None) -> dict[str, Any]:
    """One question, with all that `loading` needs to score it again."""
    found: dict[str, Any] = {"question_id": item.question.id, "question": item.question.text}
    if labels := {name: value for name, value in item.question.labels.items() if value}:
        found["labels"] = labels
    if item.question.answers:
        found["golds"] = list(item.question.answers)
    found |= _answer_item(item)
    if item.ranking:
        found |= _ranking_item(item.ranking)
    if cell:
        found["attribution"] = attributed_json(cell)
    return found


def _answer_item(item: Item) -> dict[str, Any]:
    """What the files say to a question, and whether it is right; nothing where that does not count."""
    found: dict[str, Any] = {}
    if item.correct is not None:
        found["prediction"] = item.prediction or ""
        if item.prediction is None:
            found["missing"] = True
        found["correct"] = item.correct
    if item.verdict:
        found["explanation"] = verdict_json(item.verdict)
    on_gold = item.verdict_from_gold.correct if item.verdict_from_gold else item.abstained_from_gold
    if on_gold is not None:
        if item.prediction_from_gold is not None:
            found["prediction_from_gold"] = item.prediction_from_gold
        found["correct_from_gold"] = on_gold
    if not (item.abstained is None and item.abstained_from_gold is None):
        found["unanswerable"] = True
    return found


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Why an answer is right or wrong."""
    numbers = {"prediction": verdict.prediction_number, "gold": verdict.gold_number}
    found: dict[str, Any] = {
        "rule": verdict.rule,
        "gold": verdict.gold,
        "branch": verdict.branch,
        "distance": verdict.distance,
        "limit": verdict.limit,
        "numbers": {side: number for side, number in numbers.items() if number is not None},
    }
    return {key: value for key, value in found.items() if value is not None and value != {}}


def _ranking_item(ranking: QuestionRanking) -> dict[str, Any]:
    found: dict[str, Any] = {
        "gold_passages": list(ranking.gold_passages),
        "grades": dict(ranking.grades) or None,
        "ranks": dict(ranking.ranks),
        "first_rank": ranking.first_rank,
        "top": list(ranking.top) or None,
        "judged": ranking.judged,
        "length": ranking.length,
        "duplicates": ranking.duplicates or None,
        # Without ties both are what accuracy@10 says.
        "ties": {"best": ranking.hit_at_best, "worst": ranking.hit_at_worst} if ranking.tied else None,
    }
    return {key: value for key, value in found.items() if value is not None}


def _csv_row(item: Item, rule: str) -> dict[str, object]:
    row: dict[str, object] = {"question_id": item.question.id, "question": item.question.text, "rule": rule}
    verdict = item.verdict
    if verdict:
        row |= {
            "prediction": item.prediction or "",
            "golds": " | ".join(item.question.answers),
            "correct": verdict.correct,
            "branch": verdict.branch,
            "matched_gold": verdict.gold,
            "distance": verdict.distance,
            "limit": verdict.limit,
            "prediction_number": verdict.prediction_number,
            "gold_number": verdict.gold_number,
        }
    if item.abstained is not None:
        row |= {"prediction": item.prediction or "", "golds": "", "correct": item.abstained, "branch": "unanswerable"}
    if item.ranking:
        row |= {"first_rank": item.ranking.first_rank, "gold_passages": " ".join(item.ranking.gold_passages)}
    return row
