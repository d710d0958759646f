"""Commands that score and compare files of predictions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polqa_demo.cli import io
from polqa_demo.cli import text as cli_text
from polqa_demo.cli.inputs import files_in, refuse_second_stdin, tell_of_namesake, upload_of
from polqa_demo.cli.option_groups import with_options
from polqa_demo.cli.options import tell_problems, tell_recognised
from polqa_demo.cli.reading_options import ReadingOptions
from polqa_demo.errors import UserError

if TYPE_CHECKING:
    from polqa_demo.parsing.parser import Upload

QuestionsFile = Annotated[
    Path | None, typer.Option("--questions", help="Texts and order of the questions; - for stdin.")
]


@with_options("reading", ReadingOptions)
def score(
    reading: ReadingOptions,
    gold: Annotated[str, typer.Option("--gold", help="A gold file, or the name of a set: polqa-demo-sample/test.")],
    questions: QuestionsFile = None,
    answers: Annotated[Path | None, typer.Option("--answers", help="A file of answers; - for stdin.")] = None,
    rankings: Annotated[Path | None, typer.Option("--rankings", help="A file of rankings; - for stdin.")] = None,
    answers_from_gold: Annotated[
        Path | None, typer.Option("--answers-from-gold", help="The same reader's answers on gold passages.")
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option("--corpus", help="Reports passage ids outside of it; its texts say whose fault errors are."),
    ] = None,
    json_out: Annotated[
        str | None, typer.Option("--json", help="The report as JSON into a file, or - for stdout.")
    ] = None,
    out_dir: Annotated[
        Path | None,
        typer.Option(
            "--out-dir", help="The report in every form (JSON, HTML, Markdown, LaTeX, CSV, trec_eval) into a folder."
        ),
    ] = None,
) -> None:
    """Scores answers and/or rankings against gold."""
    from polqa_demo import gold_sets, scoring
    from polqa_demo.data.passage_texts import CorpusTexts
    from polqa_demo.data.sample import NAME, passages_file
    from polqa_demo.submissions.kept_tables import tables_kept
    from polqa_demo.submissions.table import Overrides

    if not (answers or rankings or answers_from_gold):
        raise typer.BadParameter(cli_text.NOTHING_TO_SCORE.say(io.language()))
    refuse_second_stdin(questions, answers, rankings, answers_from_gold)
    tell_of_namesake(gold)
    overrides = reading.overrides

    def upload(path: Path | None, known: Overrides | None = None) -> "Upload | None":
        return upload_of(path, known) if path else None

    def scored_files() -> scoring.Scored:
        # What comes through a pipe can be read only once.
        ranked = upload(rankings, overrides)
        gold_set, refused = gold_sets.open_gold(gold, reading.gold_kind, upload(questions), [ranked] if ranked else [])
        if gold_set is None:
            return refused or scoring.Scored((), None, {})
        files = corpus or ([passages_file()] if gold_set.name == NAME else None)
        known = CorpusTexts(files) if files else None
        return scoring.score_uploads(
            gold_set,
            upload(answers, overrides),
            ranked,
            reading.rule,
            reading.gold_source,
            known.__contains__ if known else None,
            upload(answers_from_gold, overrides),
            reading.duplicates,
            text_of=known.text_of if known else None,
            unanswerable=reading.unanswerable,
        )

    try:
        with tables_kept():
            scored = scored_files()
    except UserError as error:  # a file that cannot be opened is told in the JSON report as well
        scored = scoring.refused_by(error)
    if json_out or out_dir:
        write_report(scored, json_out, out_dir)
    tell_problems(scored.problems)
    tell_recognised(scored.recognised)
    if scored.report is None:
        raise SystemExit(1)
    if json_out != "-":
        typer.echo(cli_text.report(scored.report, io.language()))


def write_report(scored: Any, json_out: str | None, out_dir: Path | None) -> None:
    """The report where it is wanted; what lies behind the score is costly and computed once, for these alone."""
    from polqa_demo.evaluation.analysis import analyse

    analysis = analyse(scored.report) if scored.report else None
    report = io.to_json(scored.json(io.language(), analysis))
    if json_out:
        io.put(json_out, report)
    if out_dir:
        io.put_all(out_dir, {"report.json": report, **exports(scored, analysis)})


def exports(scored: Any, analysis: Any) -> dict[str, str]:
    """The report in every form, by file name; nothing when there are no scores."""
    if scored.report is None:
        return {}
    from polqa_demo.reports.exports import EXPORTS

    known = scored.report, scored.problems, analysis, io.language()
    return {export.file: export.write(*known) for export in EXPORTS.values() if export.offered(scored.report)}


@with_options("reading", ReadingOptions)
def compare(
    reading: ReadingOptions,
    paths: Annotated[
        list[Path], typer.Argument(help="Answers or rankings, two or more; a folder stands for its files.")
    ],
    gold: Annotated[str, typer.Option("--gold", help="A gold file, or the name of a set: polqa-demo-sample/test.")],
    questions: QuestionsFile = None,
    json_out: Annotated[
        str | None, typer.Option("--json", help="The comparison as JSON into a file, or - for stdout.")
    ] = None,
) -> None:
    """Compares two or more files of answers or rankings: differences, their tests, the oracle, fusion."""
    from polqa_demo import gold_sets, scoring
    from polqa_demo.comparison import Compared, compare_uploads

    refuse_second_stdin(questions, *paths)
    tell_of_namesake(gold)
    overrides = reading.overrides

    def compared_files() -> Compared:
        uploads = [upload_of(file, overrides) for file in files_in(paths)]
        gold_set, refused = gold_sets.open_gold(
            gold, reading.gold_kind, upload_of(questions) if questions else None, uploads
        )
        if gold_set is None:
            return Compared(refused.problems if refused else (), (), "", {})
        return compare_uploads(
            gold_set,
            uploads,
            reading.rule,
            reading.gold_source,
            unanswerable=reading.unanswerable,
            duplicates=reading.duplicates,
        )

    try:
        found = compared_files()
    except UserError as error:  # what cannot be opened is told in the JSON as well
        found = Compared(scoring.refused_by(error).problems, (), "", {})
    if json_out:
        io.put(json_out, io.to_json(found.json(io.language())))
    tell_problems(found.problems, by_file=True)
    tell_recognised(found.recognised)
    if found.comparisons and json_out != "-":
        typer.echo(cli_text.comparison(found, io.language()))
    left_out = [problem.file for problem in found.problems if problem.code == "file-left-out"]
    if left_out:
        io.tell(cli_text.files_left_out(left_out, io.language()))
    if left_out or not found.comparisons:
        raise SystemExit(1)
