"""A file of answers -> question id: answer. One a line, CSV, TSV, semicolon, JSONL, JSON, a workbook or parquet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.recognised import Recognised
from polqa_demo.records import Question
from polqa_demo.submissions import answer_problems as tell
from polqa_demo.submissions.answer_checks import about_missing_values, about_no_answer, about_questions
from polqa_demo.submissions.answer_columns import Choice, by_content, by_name, by_place, read_columns
from polqa_demo.submissions.answer_lines import line_source
from polqa_demo.submissions.answer_objects import object_source, rows_in_order
from polqa_demo.submissions.answer_order import Order, in_order
from polqa_demo.submissions.answer_source import Met, Source, about_doubts
from polqa_demo.submissions.answer_tables import column_source, is_row
from polqa_demo.submissions.answer_values import AnswerValues
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.coverage import Ids, missing_ids
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.findings import ANSWERS, about_truths
from polqa_demo.submissions.golds import NEARLY_ALL, Golds, Judge
from polqa_demo.submissions.id_columns import with_known_ids
from polqa_demo.submissions.problems import Places, Refused, refuse
from polqa_demo.submissions.question_texts import QuestionTexts, about_joined
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.row_numbers import with_order_ids
from polqa_demo.submissions.table import DELIMITERS, Overrides, Table, form_of

Duplicates = Literal["refuse", "first", "last"]


@dataclass(frozen=True, slots=True)
class AnswersFile:
    """Predictions by question id (only of known questions), what the file was taken for, and what was odd.

    `form` is the short name of the form; answers of a file without ids are `lines`, in the order of the questions.
    `policies` are what somebody overruled of its reading.
    `cut_at` is the limit in characters, where any answer was longer.
    """

    name: str
    form: str
    recognised: Recognised
    predictions: dict[str, str]
    problems: tuple[Problem, ...] = ()
    policies: Mapping[str, str] = field(default_factory=dict)
    cut_at: int | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    """The answers of one column by question id, with their lines, and what is told of them."""

    answers: dict[str, tuple[int, str]]
    problems: list[Problem]

    @property
    def texts(self) -> dict[str, str]:
        return {key: answer for key, (_, answer) in self.answers.items()}


def read_answers(
    data: Content,
    questions: Sequence[Question],
    name: str = "answers",
    overrides: Overrides | None = None,
    duplicates: Duplicates = "refuse",
    judge: Judge | None = None,
) -> AnswersFile:
    """Predictions for these questions, from bytes or from a path.

    Missing answers are reported (the score counts them as wrong), unknown ids are reported and left out. An answer is
    kept up to the limit of the settings. Rows name their question by its id or by its text.

    :param duplicates: which of several different answers to one question counts
    :param judge: the rule of the score; with it, what another reading would give is told. Of questions that show no
        golds nothing is
    :raises UserError: not a file of answers, of another split, or of another length; the problems say why
    """
    overrides = overrides.of_answers if overrides else None
    table = read_table(data, name, overrides)
    known = {question.id for question in questions}
    if table.overrides.header is None and is_row(table, known):
        table = read_table(data, name, replace(table.overrides, header=False))
    golds, texts = Golds(questions, judge), QuestionTexts(questions)
    table = with_known_ids(rows_in_order(table, len(questions)), known)
    table = with_order_ids(table, [question.id for question in questions], texts)
    source = _source(table, known, texts)
    if source is None:
        order = in_order(table, questions, golds)
        table, read, problems = order.table, _by_line(order), order.problems
    else:
        rival = _rival_order(table, source, questions, golds)
        table, read, problems = _by_question(source, known, texts, golds, duplicates, rival)
    problems = [*table.problems, *problems]
    problems += read.problems
    missing = [question.id for question in questions if question.id not in read.answers]
    if missing:
        problems.append(missing_ids(missing, "odpowiedzi", "an answer"))
    problems += tell.about_texts((line, key, answer) for key, (line, answer) in read.answers.items())
    problems += about_questions(read.answers, texts, golds, name)
    problems += about_no_answer(read.answers)
    problems += about_missing_values(read.answers, golds)
    cut_at = table.limits.max_answer_chars if any(problem.code == "long-answers" for problem in problems) else None
    return AnswersFile(name, table.form, table.recognised, read.texts, tuple(problems), table.policies, cut_at)


def _source(table: Table, known: set[str], texts: QuestionTexts) -> Source | None:
    """Where the answers stand; None for a file in the order of the questions."""
    if table.read_objects:
        return object_source(table, known, texts)
    if table.header:
        return column_source(table, known, texts)
    if table.overrides.form == "lines" and table.form == "lines":
        return None
    return line_source(table, known, texts)


def _rival_order(table: Table, source: Source, questions: Sequence[Question], golds: Golds) -> Order | None:
    """The whole lines, where there are as many as questions, and what parts the ids may be a sign of the answers."""
    wanted = table.overrides
    chosen = wanted.form or wanted.separator or wanted.answer_column
    if table.form != "lines" or chosen or source.table.recognised.separator == "\t":
        return None
    try:
        return in_order(table, questions, golds)
    except Refused:
        return None


def _by_question(
    source: Source, known: set[str], texts: QuestionTexts, golds: Golds, duplicates: Duplicates, order: Order | None
) -> tuple[Table, _Read, list[Problem]]:
    """The answers by their questions; the whole lines where ids are missing or come again and the golds say lines."""
    if order is None:
        return source.table, *_by_source(source, known, texts, golds, duplicates)
    refused = None
    try:
        read, problems = _by_source(source, known, texts, golds, duplicates)
    except Refused as error:
        if error.code != "duplicate-ids":
            raise
        refused = error
        read, problems = _by_source(source, known, texts, golds, "first")
    lines = _by_line(order)
    better = golds.gain(read.texts, lines.texts)
    if golds.known and better and (refused or len(read.answers) < len(known)):
        sign = source.table.recognised.separator
        form, said = form_of(sign), f"--separator '{sign}'"
        only_typed = Bilingual(f"(wiersz poleceń: {said})", f"(command line: {said})")
        where = by_option(f"--form {form}") if form in DELIMITERS else only_typed
        told = tell.about_lines(golds.compared(lines.texts, read.texts), where, taken=True)
        return order.table, lines, [*order.problems, told]
    told = tell.about_lines(golds.compared(read.texts, lines.texts), by_option("--form lines"), taken=False)
    if refused:
        raise Refused([*refused.problems, told]) if better else refused
    # Where the golds are secret, many missing ids alone speak for lines.
    if better and (golds.known or len(read.answers) < NEARLY_ALL * len(known)):
        problems.append(told)
    return source.table, read, problems


def _by_source(
    source: Source, known: set[str], texts: QuestionTexts, golds: Golds, duplicates: Duplicates
) -> tuple[_Read, list[Problem]]:
    """The answers of the rows of a source, and what is told of its columns."""
    reads: dict[str, _Read] = {}

    def texts_of(column: str) -> dict[str, str]:
        reads[column] = _read(source, column, known, texts, duplicates)
        return reads[column].texts

    column, told = _chosen(source, texts_of, golds)
    if column not in reads:
        texts_of(column)
    read = reads[column]
    return read, [*source.notes, *told, *_doubted(source, column, known, texts, golds, read)]


def _chosen(source: Source, read: Callable[[str], dict[str, str]], golds: Golds) -> tuple[str, tuple[Problem, ...]]:
    """The column of the answers, and what is told of the others."""
    columns = source.columns
    if len(columns) == 1:
        choice = Choice(columns[0])
    elif not source.named:
        choice = by_place(read_columns(source.table.name, columns, read), golds, columns[0])
    elif golds.known:
        choice = by_content(read_columns(source.table.name, columns, read), golds)
    else:
        choice = by_name(columns)
    return choice.column, choice.problems


def _read(source: Source, column: str, known: set[str], texts: QuestionTexts, duplicates: Duplicates) -> _Read:
    """The answers of one column.

    :raises Refused: ids or questions of another set, several answers to one question, no answers at all
    """
    table, met, ids = source.table, Met(), Ids(known)
    values = AnswerValues(table.name)
    kept: dict[str, tuple[int, str, object]] = {}
    same, different, ranked, cut = Places(), Places(), Places(), Places()
    longest = table.limits.max_answer_chars
    count = 0
    for line, key, value, rank in source.pairs(column, met):
        count += 1
        if not ids.keep(key, line):
            continue
        answer = values.text(line, key, value)
        if len(answer) > longest:
            cut.add(line, key)
            answer = answer[:longest]
        before = kept.get(key)
        if before is None:
            kept[key] = (line, answer, rank)
        elif duplicates == "refuse" and (earlier := _is_earlier(rank, before[2])) is not None:
            ranked.add(line, key)
            if earlier:
                kept[key] = (line, answer, rank)
        elif before[1] == answer:
            same.add(line, key)
        else:
            different.add(line, key)
            if duplicates == "last":
                kept[key] = (line, answer, rank)
    problems = [*tell.about_rows(met.surplus, met.lacking, cut), *about_joined(met.joined, texts, table.name)]
    if not count:
        raise refuse(
            "no-predictions",
            f"Plik {table.name} nie zawiera żadnej odpowiedzi. Dopisz wiersze z identyfikatorem i odpowiedzią.",
            f"The file {table.name} holds no predictions. Add rows of id and answer.",
        )
    problems += ids.problems()
    problems += tell.about_duplicates(same, different, table.name, duplicates)
    problems += tell.about_ranks(ranked)
    problems += values.problems()
    problems += about_truths(table.findings.truths.get(source.place(column), Places()), ANSWERS)
    found = ((ids.final(key), line, values.final(line, answer)[:longest]) for key, (line, answer, _) in kept.items())
    return _Read({key: (line, answer) for key, line, answer in found if key is not None}, problems)


def _doubted(
    source: Source, column: str, known: set[str], texts: QuestionTexts, golds: Golds, read: _Read
) -> list[Problem]:
    """A warning where the rows' texts are other questions than their ids, with what reading by the texts would give."""
    if source.rival is None:
        return []
    try:
        other = _read(replace(source, pairs=source.rival), column, known, texts, "first")
    except Refused:
        return [about_doubts(source.doubts, Bilingual("", ""))]
    return [about_doubts(source.doubts, golds.compared(read.texts, other.texts))]


def _is_earlier(rank: object, other: object) -> bool | None:
    """Whether a row stands before another one by its rank; None where the ranks do not tell."""
    if rank is None or other is None:
        return None
    one, two = finite(rank), finite(other)
    return None if one is None or two is None or one == two else one < two


def _by_line(order: Order) -> _Read:
    """The answers of lines; what stands there may be a list of one, or beyond the limit."""
    values, cut = AnswerValues(order.table.name), Places()
    longest = order.table.limits.max_answer_chars
    answers: dict[str, tuple[int, str]] = {}
    for key, (line, text) in order.answers.items():
        answer = values.text(line, key, text)
        if len(answer) > longest:
            cut.add(line, key)
        answers[key] = (line, answer[:longest])
    answers = {key: (line, values.final(line, answer)[:longest]) for key, (line, answer) in answers.items()}
    truths = about_truths(order.table.findings.truths.get(0, Places()), ANSWERS)
    return _Read(answers, [*values.problems(), *truths, *tell.about_rows(cut=cut)])
