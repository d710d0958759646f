"""Files in, problems and report out: the one way that the command line, the app and its API score a submission."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from polqa_demo.data.polqa import GoldSource
from polqa_demo.errors import Bilingual, Lang, Problem, UserError, by_option, counted
from polqa_demo.evaluation.analysis import Analysis, analyse
from polqa_demo.evaluation.floor import lookalikes
from polqa_demo.evaluation.line_shift import find_line_shift
from polqa_demo.evaluation.report import Report, Unanswerable, build_report
from polqa_demo.evaluation.signature import plain_name
from polqa_demo.parsing.parser import Parser, Upload
from polqa_demo.polish.words import plural
from polqa_demo.ranking_orders import about_ties, judged_ids, told_of_orders
from polqa_demo.recognised import Recognised
from polqa_demo.records import GoldSet, Ranking
from polqa_demo.reports.analysis_json import analysis_json
from polqa_demo.reports.report_json import SCHEMA_VERSION, report_json
from polqa_demo.submissions.answers import Duplicates
from polqa_demo.submissions.kinds import Kind
from polqa_demo.submissions.problems import Refused

SEVERITIES = ("error", "warning", "note")
PARSER = Parser()


@dataclass(frozen=True, slots=True)
class Scored:
    """What is odd about the files, worst first, and the report; no report when a file was refused.

    `forms` say in English what each file was taken for, by role (`answers`: `csv, UTF-8, header`); `recognised` says it
    in parts, and in words of either language: `scored.recognised["answers"].say("pl")`. `files` are their names.
    """

    problems: tuple[Problem, ...]
    report: Report | None
    forms: dict[str, str]
    recognised: dict[str, Recognised] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def json(self, lang: Lang = "en", analysis: Analysis | None = None) -> dict[str, Any]:
        """Problems and report as plain JSON, also when there is no report.

        `analysis` is the report's where the caller has it already; computing it is the costly part.
        """
        problems = [problem_json(problem, lang) for problem in self.problems]
        head: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "problems": problems}
        if self.files:
            head["files"] = self.files
        if self.forms:
            head["forms"] = self.forms
        if self.recognised:
            head["recognised"] = {role: found.json() for role, found in self.recognised.items()}
        if self.report is None:
            return head
        if self.report.secret:
            return head | report_json(self.report)
        return head | report_json(self.report) | analysis_json(analysis or analyse(self.report))


def score_uploads(  # noqa: PLR0913 - what is scored, each policy, and what is known of the corpus
    gold: GoldSet,
    answers: Upload | None = None,
    rankings: Upload | None = None,
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    in_corpus: Callable[[str], bool] | None = None,
    answers_from_gold: Upload | None = None,
    duplicates: Duplicates = "refuse",
    *,
    text_of: Callable[[str], str | None] | None = None,
    unanswerable: Unanswerable = "leave-out",
    parser: Parser = PARSER,
) -> Scored:
    """Scores a file of answers and/or of rankings. Bad input becomes problems, never an exception.

    `answers_from_gold` are the same reader's answers on gold passages, scored beside the others. `duplicates` says
    which of several different answers to one question counts; by default such a file is refused. `text_of` gives the
    text of a passage, with its title, or None; where it knows any, errors are attributed to retriever and reader.
    Questions whose golds are empty are left out, or an empty answer is right there (`unanswerable` is `abstain`).
    Against a sealed gold there are totals, and problems of the files' own form. `parser` reads the files.

    :raises ValueError: an unknown rule or gold source
    """
    reading = _Reading(gold, duplicates, rule, parser)
    predictions = reading.answers("answers", answers) if answers else None
    ranked = reading.rankings(rankings, in_corpus, gold_source) if rankings else None
    on_gold = reading.answers("answers_from_gold", answers_from_gold) if answers_from_gold else None
    report = None
    if not reading.refused:
        try:
            report = build_report(
                gold,
                predictions,
                ranked,
                rule,
                gold_source,
                on_gold,
                reading.policies,
                text_of,
                unanswerable=unanswerable,
            )
        except UserError as error:
            reading.refuse(error)
    if report is None:
        return reading.scored([*about_gold(gold), *reading.problems], None)
    empty = gold.opened.unanswerable if unanswerable == "leave-out" else frozenset()
    found = [*about_gold(gold), *reading.problems, *_about_report(report, len(empty))]
    if answers:
        found += _about_kind(gold, answers, "answers", parser)
    # Of a secret gold nobody shall learn whether any passage is judged, so nothing is said of the kind.
    if rankings and not gold.secret and not _any_judged(gold, ranked or {}):
        found += _about_kind(gold, rankings, "rankings", parser)
    if predictions is not None and answers:
        found += about_predictions(gold, predictions, answers.name, rule)
    if unanswerable == "abstain":
        found = [problem for problem in found if problem.code != "empty-answers"] + _about_abstentions(report)
    return reading.scored(found, report)


class _Reading:
    """The files of one submission, read one after the other; what is told of each bears its name.

    A refused file does not keep the others from being read, so that a person hears of all of them at once.
    """

    def __init__(self, gold: GoldSet, duplicates: Duplicates, rule: str, parser: Parser) -> None:
        self._gold, self._parser = gold, parser
        self._duplicates = duplicates
        self._rule = rule
        self._file = ""
        self._files: dict[str, str] = {}
        self.refused = False
        self.problems: list[Problem] = []
        self.recognised: dict[str, Recognised] = dict(gold.recognised)
        self.policies: dict[str, str] = {}

    def scored(self, problems: Iterable[Problem], report: Report | None) -> Scored:
        """What came of the files."""
        forms = {role: found.say() for role, found in self.recognised.items()}
        return Scored(_worst_first([*problems]), report, forms, self.recognised, self._files)

    def answers(self, role: str, upload: Upload) -> dict[str, str]:
        self._file = self._files[role] = upload.name
        if self._duplicates != "refuse":
            self.policies["duplicates"] = self._duplicates
        try:
            file = self._parser.answers(upload, self._gold, self._duplicates, self._rule)
        except UserError as error:
            self.refuse(error)
            return {}
        if file.cut_at:
            self.policies["answer-chars"] = str(file.cut_at)
        self._done(role, file.recognised, file.problems, file.policies)
        return file.predictions

    def rankings(
        self, upload: Upload, in_corpus: Callable[[str], bool] | None, gold_source: GoldSource
    ) -> dict[str, Ranking]:
        self._file = self._files["rankings"] = upload.name
        try:
            file = self._parser.rankings(upload, self._gold, in_corpus)
        except UserError as error:
            self.refuse(error)
            return {}
        told = told_of_orders(file, self._gold, gold_source)
        self._done("rankings", file.recognised, told, file.policies)
        return file.rankings

    def refuse(self, error: UserError) -> None:
        """Takes down what is wrong with the file that is being read, or with all of them together."""
        self.refused = True
        self._told(refused_by(error).problems)

    def _done(
        self, role: str, recognised: Recognised, problems: Iterable[Problem], overruled: Mapping[str, str]
    ) -> None:
        self.recognised[role] = recognised
        overrule(self.policies, overruled)
        self._told(problems)

    def _told(self, problems: Iterable[Problem]) -> None:
        self.problems += [replace(problem, file=problem.file or self._file) for problem in problems]
        self._file = ""


def overrule(policies: dict[str, str], overruled: Mapping[str, str]) -> None:
    """Adds what was overruled about a file to the policies of a signature; files may be read in different ways."""
    for name, value in overruled.items():
        # No value may pose as a policy.
        values = [*policies.get(name, "").split(","), plain_name(value)]
        policies[name] = ",".join(dict.fromkeys(filter(None, values)))


def about_gold(gold: GoldSet) -> list[Problem]:
    """What was odd about the file of gold, and what was decided about it."""
    return [replace(remark, file=remark.file or gold.name) for remark in gold.remarks]


def _any_judged(gold: GoldSet, rankings: Mapping[str, Ranking]) -> bool:
    judged = set(judged_ids(gold).ids)
    return any(not judged.isdisjoint(ranking.passage_ids) for ranking in rankings.values())


def _about_kind(gold: GoldSet, upload: Upload, role: Kind, parser: Parser) -> list[Problem]:
    """A warning for a file that looks like one of the other kind, unless somebody said what it is."""
    if upload.overrides.kind or parser.kind(upload, gold) == role:
        return []
    if role == "answers":
        pl, en = ("odpowiedzi", "rankingi"), ("answers", "rankings")
    else:
        pl, en = ("rankingi", "odpowiedzi"), ("rankings", "answers")
    message = Bilingual(
        f"Plik {upload.name} oceniono jako {pl[0]}, ale wygląda na {pl[1]}.",
        f"The file {upload.name} was scored as {en[0]}, but it looks like {en[1]}.",
    )
    return [Problem("warning", "other-kind", message, file=upload.name)]


def about_predictions(gold: GoldSet, predictions: Mapping[str, str], name: str, rule: str) -> list[Problem]:
    """What shows only beside the gold: a file that is the gold itself, answers that stand beside other questions."""
    found: list[Problem] = []
    same = lookalikes(gold.questions, predictions)
    if same.is_gold:
        count = same.first + same.variant + same.joined
        message = Bilingual(
            f"Odpowiedzi w pliku {name} to złote odpowiedzi słowo w słowo: {count} z {same.n} (pierwszy wariant: "
            f"{same.first}, inny: {same.variant}, kilka naraz: {same.joined}). Sprawdź, czy to plik systemu.",
            f"The answers in the file {name} are the gold answers word for word: {count} of {same.n} (first variant: "
            f"{same.first}, another: {same.variant}, several at once: {same.joined}). Check that a system wrote it.",
        )
        found.append(Problem("warning", "gold-lookalike", message, count, file=name))
    shift = find_line_shift(gold.questions, predictions, rule)
    if shift:
        lines = abs(shift.lines)
        where = ("dalej", "later") if shift.lines > 0 else ("wcześniej", "earlier")
        message = Bilingual(
            f"Odpowiedzi w pliku {name} są przesunięte: od pytania nr {shift.start} stoją o "
            f"{plural(lines, 'wiersz', 'wiersze', 'wierszy')} {where[0]}. Po przesunięciu trafnych byłoby "
            f"{shift.shifted_hits} zamiast {shift.hits}. Wynik liczy plik tak, jak stoi; popraw kolejność.",
            f"The answers in the file {name} are shifted: from question no. {shift.start} on they stand "
            f"{counted(lines, 'line', 'lines')} {where[1]}. Moved back, {shift.shifted_hits} instead of {shift.hits} "
            "would be right. The score is that of the file as it stands; mend the order.",
        )
        found.append(Problem("warning", "shifted-lines", message, 1, (shift.start,), name))
    return found


def refused_by(error: UserError) -> Scored:
    """What is said when input cannot be scored at all."""
    if isinstance(error, Refused):
        return Scored(_worst_first([*error.problems]), None, {})
    return Scored((Problem("error", error.code, error.message),), None, {})


def problem_json(problem: Problem, lang: Lang) -> dict[str, Any]:
    """A problem as plain JSON, its sentence in one language."""
    return {
        "severity": problem.severity,
        "code": problem.code,
        "message": problem.message.say(lang),
        "count": problem.count,
        "lines": list(problem.lines),
        "file": problem.file,
    }


def _worst_first(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity)))


def _about_abstentions(report: Report) -> list[Problem]:
    """How many answers are empty, where they may be right, and how many of them are."""
    scores = report.answers
    if scores is None or scores.unanswerable is None:
        return []
    n, right = scores.rules[report.rule].n, scores.unanswerable.hits
    count = n - scores.missing - scores.answered
    message = Bilingual(
        f"Puste odpowiedzi: {count}; dobrych jest {right}, bo złota odpowiedź też jest pusta (pytań bez odpowiedzi: "
        f"{scores.unanswerable.n}).",
        f"Empty answers: {count}; {right} of them are right, since the gold is empty too (questions without an answer: "
        f"{scores.unanswerable.n}).",
    )
    return [Problem("note", "abstentions", message, count)]


def _about_report(report: Report, unanswerable: int) -> list[Problem]:
    """What shows only when everything is counted: equal scores, questions without a gold answer.

    :param unanswerable: how many questions have empty golds and are left out therefore
    """
    found: list[Problem] = []
    if report.rankings:
        found += about_ties(report.rankings)
    if report.answers and report.answers.without_gold:
        count = report.answers.without_gold
        empty = min(unanswerable, count)
        beside = Bilingual("", "")
        if empty:
            where = by_option("--unanswerable abstain")
            beside = Bilingual(
                f" Pustą złotą odpowiedź ma {empty} z nich; jeśli znaczy to, że dobra jest pusta, wybierz abstain "
                f"{where.pl}.",
                f" The gold of {empty} of them is empty; where that means that an empty answer is right, say abstain "
                f"{where.en}.",
            )
        found.append(
            Problem(
                "note",
                "no-gold-answer",
                Bilingual(
                    f"Pytania bez złotej odpowiedzi, nie liczą się do wyniku: {count}.{beside.pl}",
                    f"Questions without a gold answer, left out of the score: {count}.{beside.en}",
                ),
                count,
            )
        )
    return found
