"""Files in, problems and report out: the one way that the command line, the app and its API score a submission."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polqa_demo.data.catalogue import gold_names, load_gold
from polqa_demo.data.polqa import GoldSource
from polqa_demo.errors import Bilingual, Lang, UserError, number
from polqa_demo.evaluation.export import SCHEMA_VERSION, report_json
from polqa_demo.evaluation.report import Report, build_report
from polqa_demo.records import GoldSet
from polqa_demo.submissions.answers import read_answers
from polqa_demo.submissions.gold import GoldKind, read_gold, read_questions
from polqa_demo.submissions.problems import PLACES, Problem, Refused
from polqa_demo.submissions.rankings import read_rankings

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came: its name (shown, never trusted) and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Scored:
    """What is odd about the files, worst first, and the report; no report when a file was refused."""

    problems: tuple[Problem, ...]
    report: Report | None
    forms: dict[str, str]

    def json(self, lang: Lang = "en") -> dict[str, Any]:
        """Problems and report as plain JSON, also when there is no report."""
        problems = [problem_json(problem, lang) for problem in self.problems]
        head: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "problems": problems}
        if self.forms:
            head["forms"] = self.forms
        return head | report_json(self.report) if self.report else head


def score_uploads(
    gold: GoldSet,
    answers: Upload | None = None,
    rankings: Upload | None = None,
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    in_corpus: Callable[[str], bool] | None = None,
    answers_from_gold: Upload | None = None,
) -> Scored:
    """Scores a file of answers and/or of rankings. Bad input becomes problems, never an exception.

    `answers_from_gold` are the same reader's answers on gold passages, scored beside the others.

    :raises ValueError: an unknown rule or gold source
    """
    problems: list[Problem] = []
    forms: dict[str, str] = {}
    predictions = ranked = on_gold = None
    try:
        if answers:
            answers_file = read_answers(answers.data, gold.questions, answers.name)
            problems.extend(answers_file.problems)
            forms["answers"], predictions = answers_file.form, answers_file.predictions
        if rankings:
            rankings_file = read_rankings(rankings.data, gold.questions, rankings.name, in_corpus)
            problems.extend(rankings_file.problems)
            forms["rankings"], ranked = rankings_file.form, rankings_file.rankings
        if answers_from_gold:
            gold_file = read_answers(answers_from_gold.data, gold.questions, answers_from_gold.name)
            problems.extend(gold_file.problems)
            forms["answers_from_gold"], on_gold = gold_file.form, gold_file.predictions
        report = build_report(gold, predictions, ranked, rule, gold_source, on_gold)
    except Refused as refused:
        return Scored(_worst_first([*refused.problems, *problems]), None, forms)
    except UserError as error:
        return Scored((*refused_by(error).problems, *_worst_first(problems)), None, forms)
    return Scored(_worst_first([*problems, *_about_report(report)]), report, forms)


def open_gold(
    gold: str, kind: GoldKind | None = None, questions: Upload | None = None
) -> tuple[GoldSet | None, Scored | None]:
    """A gold set by its registered name or from a file; a refusal instead when it cannot be used.

    For the command line alone: the app never takes a path.
    """
    try:
        if gold in gold_names():
            return load_gold(gold), None
        asked = read_questions(questions.data, questions.name) if questions else None
        return read_gold(_gold_bytes(gold), Path(gold).name, kind, asked), None
    except UserError as error:
        return None, refused_by(error)


def refused_by(error: UserError) -> Scored:
    """What is said when input cannot be scored at all."""
    if isinstance(error, Refused):
        return Scored(_worst_first([*error.problems]), None, {})
    return Scored((Problem("error", error.code, error.message),), None, {})


def _gold_bytes(gold: str) -> bytes:
    """The content of a gold file.

    :raises UserError: neither a file nor a known name, or a file that cannot be opened
    """
    try:
        return Path(gold).read_bytes()
    except (FileNotFoundError, ValueError):
        load_gold(gold)
        raise
    except OSError as error:
        raise UserError(
            "unreadable-file",
            f"Nie mogę otworzyć pliku {gold}: {error.strerror}. Sprawdź ścieżkę i uprawnienia.",
            f"Cannot open the file {gold}: {error.strerror}. Check the path and the permissions.",
        ) from error


def problem_json(problem: Problem, lang: Lang) -> dict[str, Any]:
    """A problem as plain JSON, its sentence in one language."""
    return {
        "severity": problem.severity,
        "code": problem.code,
        "message": problem.message.say(lang),
        "count": problem.count,
        "lines": list(problem.lines),
    }


def _worst_first(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity)))


def _about_report(report: Report) -> list[Problem]:
    """What shows only when everything is counted: equal scores, questions without a gold answer."""
    found: list[Problem] = []
    if report.rankings and report.rankings.ties.questions:
        ties = report.rankings.ties
        tied = [item.question_id for item in report.rankings.items if item.tied][:PLACES]
        best, worst = 100 * ties.best.value, 100 * ties.worst.value
        pl = f"od {number(worst, 2, 'pl')} % do {number(best, 2, 'pl')} %"
        found.append(
            Problem(
                "note",
                "ties",
                Bilingual(
                    f"Równe wyniki w rankingach, pytań: {ties.questions} ({', '.join(tied)}…). O kolejności decyduje "
                    f"pozycja, potem plik; accuracy@10 mogłoby wynieść {pl}.",
                    f"Equal scores in rankings, questions: {ties.questions} ({', '.join(tied)}…). The rank decides, "
                    f"then the file; accuracy@10 could lie between {worst:.2f} % and {best:.2f} %.",
                ),
                ties.questions,
            )
        )
    if report.answers and report.answers.without_gold:
        count = report.answers.without_gold
        found.append(
            Problem(
                "note",
                "no-gold-answer",
                Bilingual(
                    f"Pytania bez złotej odpowiedzi, nie liczą się do wyniku: {count}.",
                    f"Questions without a gold answer, left out of the score: {count}.",
                ),
                count,
            )
        )
    return found
