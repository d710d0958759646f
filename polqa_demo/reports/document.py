"""A report as a document of one language: sections of tables and notes, for every format to write down its own way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from polqa_demo.errors import Bilingual, Lang
from polqa_demo.evaluation.analysis import Analysis, RankingAnalysis, analyse
from polqa_demo.evaluation.buckets import NAMES, Buckets, sort_answers
from polqa_demo.evaluation.ranking import HEADLINE, RankingScores
from polqa_demo.evaluation.report import AnswerScores, Report
from polqa_demo.evaluation.shares import Share
from polqa_demo.reports.analysis_sections import audit_section, slices_section, uncertainty_section
from polqa_demo.reports.attribution_sections import attribution_section, beside_section
from polqa_demo.reports.score_texts import (
    explained,
    interval,
    mean_text,
    measure_interval,
    measure_name,
    percent,
    rule_name,
    score_text,
)
from polqa_demo.reports.tables import Column, Foreign, Section, Table, foreign
from polqa_demo.reports.texts import say


class Remark(Protocol):
    """A problem with a file, as reading finds it or as a saved report states it."""

    @property
    def severity(self) -> Literal["error", "warning", "note"]:
        """How bad it is."""

    @property
    def message(self) -> Bilingual:
        """What is wrong, where, and what to do."""

    @property
    def lines(self) -> tuple[int, ...]:
        """The first lines where it stands."""


@dataclass(frozen=True, slots=True)
class Document:
    """The whole report but its items. `problems` are pairs of a severity and a sentence, worst first as given."""

    lang: Lang
    title: str
    gold: Foreign
    signature: Foreign
    problems: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def document(
    report: Report,
    lang: Lang,
    problems: Sequence[Remark] = (),
    analysis: Analysis | None = None,
    buckets: Buckets | None = None,
) -> Document:
    """The report in one language. What is not given of the analysis and the buckets is computed."""
    behind = analysis or analyse(report)
    placed = buckets or answer_buckets(report)
    sections = [_scores(report, behind, lang)]
    if placed:
        sections.append(_causes(placed, lang))
    if report.attribution:
        sections.append(attribution_section(report.attribution, lang))
    if report.beside:
        sections.append(beside_section(report.beside, lang))
    if behind.answers or behind.rankings:
        sections += [slices_section(behind, lang), uncertainty_section(behind, lang)]
    if behind.answers:
        sections.append(audit_section(behind.answers, lang))
    return Document(
        lang,
        say("title", lang),
        foreign(report.gold, 200),
        foreign(report.signature, 1000),
        tuple(_problem(problem, lang) for problem in problems),
        tuple(sections),
    )


def answer_buckets(report: Report) -> Buckets | None:
    """Every answer of the report in its bucket; None without answers, and of a secret report."""
    if report.answers is None or report.secret:
        return None
    predictions = {item.question.id: item.prediction for item in report.items if item.prediction is not None}
    return sort_answers([item.question for item in report.items], predictions, report.rule)


def _problem(problem: Remark, lang: Lang) -> tuple[str, str]:
    lines = ", ".join(map(str, problem.lines))
    label = "problems.line" if len(problem.lines) == 1 else "problems.lines"
    where = f" ({say(label, lang)}: {lines})" if lines else ""
    return say(f"severity.{problem.severity}", lang), str(foreign(problem.message.say(lang) + where, 1000))


def _scores(report: Report, behind: Analysis, lang: Lang) -> Section:
    rows: list[tuple[str, ...]] = []
    strong: set[int] = set()
    notes: list[str] = []
    if report.answers:
        strong.add(len(rows))
        rows += _rule_rows(report.answers, report.rule, "", lang)
        notes.append(_answer_counts(report.answers, lang))
    if report.answers_from_gold:
        rows += _rule_rows(report.answers_from_gold, report.rule, f", {say('scores.on_gold', lang)}", lang)
    if report.rankings:
        strong.add(len(rows) + list(report.rankings.shares).index(HEADLINE))
        rows += _ranking_rows(report.rankings, behind.rankings, lang)
        notes.append(_ranking_counts(report.rankings, lang))
    if report.answers or report.answers_from_gold:
        notes.append(say("explain.fuzzy_match", lang))
    notes += _ranking_notes(report.rankings, behind.rankings, lang)
    if report.secret:
        notes.append(say("scores.secret", lang))
    columns = (
        Column(say("scores.measure", lang)),
        Column(say("scores.value", lang), True),
        Column(say("scores.interval", lang), True),
        Column(say("scores.hits", lang), True),
        Column(say("scores.n", lang), True),
        Column(say("scores.over", lang)),
    )
    title = say("scores", lang)
    summary = ", ".join(f"{rows[row][0]} {rows[row][1]}" for row in sorted(strong))
    return Section("scores", title, summary, (Table(title, columns, tuple(rows), frozenset(strong)),), tuple(notes))


def _rule_rows(scores: AnswerScores, rule: str, suffix: str, lang: Lang) -> list[tuple[str, ...]]:
    """The headline's rule first, then the others."""
    rules = [rule, *(other for other in scores.rules if other != rule)]
    over = say("over.both" if scores.unanswerable else "over.answers", lang)
    rows = [_share_row(rule_name(one) + suffix, scores.rules[one], over, lang) for one in rules]
    if scores.unanswerable:
        title = say("scores.abstained", lang)
        rows += [
            _share_row(rule_name(rule) + suffix, scores.answerable[rule], say("over.answers", lang), lang),
            _share_row(f"{title}{suffix}", scores.unanswerable, say("over.unanswerable", lang), lang),
        ]
    return rows


def _ranking_rows(scores: RankingScores, behind: RankingAnalysis | None, lang: Lang) -> list[tuple[str, ...]]:
    over, name = say("over.passages", lang), measure_name(HEADLINE)
    rows = [_share_row(measure_name(code), share, over, lang) for code, share in scores.shares.items()]
    rows.append(_share_row(name, scores.accuracy_all_questions, say("over.all", lang), lang))
    if scores.ties.questions:
        rows += [
            _share_row(f"{name}, {say('scores.ties_best', lang)}", scores.ties.best, over, lang),
            _share_row(f"{name}, {say('scores.ties_worst', lang)}", scores.ties.worst, over, lang),
        ]
    if behind is None:
        rows += [
            (measure_name(code), mean_text(mean.value, lang), "", "", str(mean.n), over)
            for code, mean in scores.means.items()
        ]
    for measure, drawn in behind.intervals.items() if behind else ():
        ends = measure_interval(measure, drawn.low, drawn.high, lang)
        rows.append((measure_name(measure), mean_text(drawn.value, lang), ends, "", str(drawn.n), over))
    return rows


def _share_row(name: str, share: Share, over: str, lang: Lang) -> tuple[str, ...]:
    return name, score_text(share.value, lang), interval(*share.interval, lang), str(share.hits), str(share.n), over


def _answer_counts(scores: AnswerScores, lang: Lang) -> str:
    parts = [f"{say('scores.answered', lang)}: {scores.answered}", f"{say('scores.missing', lang)}: {scores.missing}"]
    if scores.without_gold:
        parts.append(f"{say('scores.without_gold', lang)}: {scores.without_gold}")
    return "; ".join(parts) + "."


def _ranking_counts(scores: RankingScores, lang: Lang) -> str:
    counts = {
        "unranked": scores.missing,
        "short": scores.short,
        "longest": scores.longest,
        "duplicates": scores.duplicates,
    }
    return "; ".join(f"{say(f'scores.{name}', lang)}: {count}" for name, count in counts.items()) + "."


def _ranking_notes(scores: RankingScores | None, behind: RankingAnalysis | None, lang: Lang) -> list[str]:
    if scores is None or behind is None:
        return []
    drawn = next(iter(behind.intervals.values()))
    draws = f"{say('explain.draws', lang)}: {drawn.resamples}, {say('explain.seed', lang)}: {drawn.seed}"
    notes = [explained(scores, lang), f"{say('explain.intervals', lang)} ({draws})."]
    if any(one.method == "bound" for one in behind.intervals.values()):
        notes.append(say("explain.bound", lang))
    return notes


def _causes(placed: Buckets, lang: Lang) -> Section:
    counts, n = placed.counts, len(placed.items)
    rows = [
        (NAMES[bucket].say(lang), str(count), percent(count / n, lang)) for bucket, count in counts.items() if count
    ]
    columns = (
        Column(say("causes.cause", lang)),
        Column(say("causes.answers", lang), True),
        Column(say("causes.share", lang), True),
    )
    title = say("causes", lang)
    summary = " · ".join(f"{row[0]} {row[1]}" for row in rows)
    return Section("causes", title, summary, (Table(title, columns, tuple(rows)),), (say("causes.note", lang),))
