"""The command line: data to stdout or --out, messages to stderr; exit 0 done, 1 bad input, 2 wrong usage."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from polqa_demo import cli_io as io
from polqa_demo import cli_text
from polqa_demo.batch import fingerprint
from polqa_demo.errors import Lang, UserError
from polqa_demo.settings import load_settings, settings
from polqa_demo.version import __version__

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
data_app = typer.Typer(no_args_is_help=True, help="PolQA from the hub.")
index_app = typer.Typer(no_args_is_help=True, help="Indexes on disk.")
app.add_typer(data_app, name="data")
app.add_typer(index_app, name="index")

Form = Literal["long", "wide", "trec", "jsonl"]
FileForm = Literal["lines", "csv", "tsv", "semicolon", "jsonl", "json", "wide", "long", "trec"]
Corpus = Annotated[
    list[Path] | None,
    typer.Option("--corpus", help="JSONL with id, title, text; repeat it for several files. The index is cached."),
]
IndexFolder = Annotated[Path | None, typer.Option("--index", help="An index folder made by `index build`.")]
Retriever = Annotated[str, typer.Option("--retriever", help="lexical")]
ReaderName = Annotated[str, typer.Option("--reader", help="rules")]
TopK = Annotated[int | None, typer.Option("--top-k", help="How many passages; 10 by default.")]
Questions = Annotated[Path, typer.Option("--questions", help="Questions or gold file, any form of the README.")]
Out = Annotated[Path, typer.Option("--out", help="The file to write; a stopped run goes on where it was.")]


def main() -> None:
    """Runs the command line; expected failures become one message on stderr and exit code 1."""
    io.prepare_streams()
    try:
        app()
    except UserError as error:
        io.fail(error)
    except OSError as error:
        # Whoever reads stdout may have no room for it, or be gone.
        io.fail(UserError("no-output", f"Nie mogę pisać: {error.strerror}.", f"Cannot write: {error.strerror}."))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"polqa-demo {__version__}")
        raise typer.Exit


@app.callback(help="Answers Polish questions over a passage corpus and scores the answers and rankings of others.")
def common(
    lang: Annotated[Lang | None, typer.Option("--lang", help="Language of the messages.")] = None,
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Prints the version.")
    ] = False,
) -> None:
    """Options of every command."""
    io.speak(lang or settings().language)


@app.command()
def ask(
    question: str,
    corpus: Corpus = None,
    index: IndexFolder = None,
    retriever: Retriever = "lexical",
    reader: ReaderName = "rules",
    top_k: TopK = None,
    as_json: Annotated[bool, typer.Option("--json", help="Plain JSON on stdout.")] = False,
) -> None:
    """Answers one question and shows the passages."""
    with _pipeline(corpus, index, retriever, reader) as pipeline:
        asked = pipeline.ask(question, top_k, explain=not as_json)
    typer.echo(io.to_json(asked.json()) if as_json else cli_text.asked(asked, io.language()))


@app.command()
def retrieve(
    questions: Questions,
    out: Out,
    corpus: Corpus = None,
    index: IndexFolder = None,
    retriever: Retriever = "lexical",
    top_k: TopK = None,
    form: Annotated[Form, typer.Option("--format", help="Form of the rankings.")] = "long",
) -> None:
    """Finds the passages of every question."""
    from polqa_demo.batch_reading import refuse_bad_questions
    from polqa_demo.submissions.gold import read_questions

    out = io.checked_out(out, questions, *(corpus or ()))
    data = io.read_bytes(questions)
    asked = read_questions(data, io.shown_name(questions))
    with _pipeline(corpus, index, retriever, "rules") as pipeline:
        refuse_bad_questions(pipeline, asked)
        depth = pipeline.checked_top_k(top_k)
        key = fingerprint("retrieve", data, pipeline.index.key, retriever, depth, form, __version__)

        def line(question: Any) -> str:
            return cli_text.ranking_lines(question.id, pipeline.rank(question.text, depth), form)

        io.write_lines(out, asked, line, key, cli_text.RANKING_HEADERS.get(form, ""))


@app.command()
def answer(
    questions: Questions,
    out: Out,
    corpus: Corpus = None,
    index: IndexFolder = None,
    retriever: Retriever = "lexical",
    reader: ReaderName = "rules",
    top_k: TopK = None,
    rankings: Annotated[
        Path | None, typer.Option("--rankings", help="Read these passages, not the retriever's.")
    ] = None,
    gold_passages: Annotated[
        bool, typer.Option("--gold-passages", help="Read the gold passages that the questions file names.")
    ] = False,
) -> None:
    """Answers every question, as JSONL with question_id, answer, passage_id, confidence."""
    from polqa_demo.batch_reading import passage_source, refuse_bad_questions
    from polqa_demo.submissions.gold import read_gold_or_questions

    if rankings and gold_passages:
        raise typer.BadParameter(cli_text.RANKINGS_AND_GOLD.say(io.language()))
    out = io.checked_out(out, questions, rankings, *(corpus or ()))
    data = io.read_bytes(questions)
    gold = read_gold_or_questions(data, io.shown_name(questions))
    ranked = io.read_bytes(rankings) if rankings else None
    with _pipeline(corpus, index, retriever, reader) as pipeline:
        refuse_bad_questions(pipeline, gold.questions)
        depth = pipeline.checked_top_k(top_k)
        hits, problems = passage_source(pipeline, gold, ranked, rankings.name if rankings else "", gold_passages, depth)
        _tell(problems)
        key = fingerprint(
            "answer", data, ranked, pipeline.index.key, retriever, reader, depth, gold_passages, __version__
        )

        def line(question: Any) -> str:
            found = pipeline.read(pipeline.checked(question.text), hits(question))
            row = {
                "question_id": question.id,
                "answer": found.text,
                "passage_id": found.passage_id,
                "confidence": round(found.confidence, 4),
            }
            return io.to_json(row, indent=None) + "\n"

        io.write_lines(out, gold.questions, line, key)


@app.command()
def score(
    gold: Annotated[str, typer.Option("--gold", help="A gold file, or the name of a set: polqa-demo-sample/test.")],
    questions: Annotated[Path | None, typer.Option("--questions", help="Texts and order of the questions.")] = None,
    answers: Annotated[Path | None, typer.Option("--answers", help="A file of answers.")] = None,
    rankings: Annotated[Path | None, typer.Option("--rankings", help="A file of rankings.")] = None,
    rule: Annotated[
        Literal["poleval", "readme", "card", "exact"], typer.Option("--rule", help="Of the headline score.")
    ] = "poleval",
    gold_source: Annotated[
        Literal["auto", "human", "all"],
        typer.Option("--gold-source", help="Which gold passages count; auto: human ones for validation and test."),
    ] = "auto",
    gold_kind: Annotated[
        Literal["answers", "passages"] | None, typer.Option("--gold-kind", help="What an expected.tsv holds.")
    ] = None,
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
    out_dir: Annotated[Path | None, typer.Option("--out-dir", help="report.json and items.csv into a folder.")] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="Of the predictions: cp1250, utf-16 …")] = None,
    form: Annotated[FileForm | None, typer.Option("--form", help="What the predictions are, if not as seen.")] = None,
    separator: Annotated[str | None, typer.Option("--separator", help="One sign, or tab.")] = None,
    header: Annotated[bool | None, typer.Option("--header/--no-header", help="Whether the first row is one.")] = None,
    duplicates: Annotated[
        Literal["refuse", "first", "last"], typer.Option("--duplicates", help="Which of two answers counts.")
    ] = "refuse",
) -> None:
    """Scores answers and/or rankings against gold."""
    from polqa_demo import scoring
    from polqa_demo.data.passage_texts import CorpusTexts
    from polqa_demo.data.sample import NAME, passages_file
    from polqa_demo.submissions.table import Overrides

    if not (answers or rankings or answers_from_gold):
        raise typer.BadParameter(cli_text.NOTHING_TO_SCORE.say(io.language()))

    overrides = Overrides(encoding, form, _separator(separator), header)

    def upload(path: Path | None, known: Overrides | None = None) -> scoring.Upload | None:
        return scoring.Upload(io.shown_name(path), path=path, overrides=known or Overrides()) if path else None

    def scored_files() -> scoring.Scored:
        gold_set, refused = scoring.open_gold(gold, gold_kind, upload(questions))
        if gold_set is None:
            return refused or scoring.Scored((), None, {})
        files = corpus or ([passages_file()] if gold_set.name == NAME else None)
        known = CorpusTexts(files) if files else None
        return scoring.score_uploads(
            gold_set,
            upload(answers, overrides),
            upload(rankings, overrides),
            rule,
            gold_source,
            known.__contains__ if known else None,
            upload(answers_from_gold, overrides),
            duplicates,
            text_of=known.text_of if known else None,
        )

    try:
        scored = scored_files()
    except UserError as error:  # a file that cannot be opened is told in the JSON report as well
        scored = scoring.refused_by(error)
    if json_out or out_dir:
        _write_report(scored, json_out, out_dir)
    _tell(scored.problems)
    _tell_recognised(scored.recognised)
    if scored.report is None:
        raise SystemExit(1)
    if json_out != "-":
        typer.echo(cli_text.report(scored.report, io.language()))


def _write_report(scored: Any, json_out: str | None, out_dir: Path | None) -> None:
    """The report where it is wanted; what lies behind the score is costly and computed once, for these alone."""
    from polqa_demo.evaluation.analysis import analyse

    analysis = analyse(scored.report) if scored.report else None
    report = io.to_json(scored.json(io.language(), analysis))
    if json_out:
        io.put(json_out, report)
    if out_dir:
        io.put_all(out_dir, {"report.json": report, **_exports(scored, analysis)})


def _exports(scored: Any, analysis: Any) -> dict[str, str]:
    """The report in every form, by file name; nothing when there are no scores."""
    if scored.report is None:
        return {}
    from polqa_demo.evaluation.export import items_csv
    from polqa_demo.evaluation.export_html import report_html
    from polqa_demo.evaluation.export_latex import report_latex
    from polqa_demo.evaluation.export_markdown import report_markdown

    known = scored.report, scored.problems, analysis, io.language()
    return {
        "items.csv": items_csv(scored.report),
        "report.html": report_html(*known),
        "report.md": report_markdown(*known),
        "report.tex": report_latex(*known),
    }


@app.command()
def compare(
    paths: Annotated[
        list[Path], typer.Argument(help="Answers or rankings, two or more; a folder stands for its files.")
    ],
    gold: Annotated[str, typer.Option("--gold", help="A gold file, or the name of a set: polqa-demo-sample/test.")],
    questions: Annotated[Path | None, typer.Option("--questions", help="Texts and order of the questions.")] = None,
    rule: Annotated[
        Literal["poleval", "readme", "card", "exact"], typer.Option("--rule", help="Of right and wrong.")
    ] = "poleval",
    gold_source: Annotated[
        Literal["auto", "human", "all"], typer.Option("--gold-source", help="Which gold passages count.")
    ] = "auto",
    json_out: Annotated[
        str | None, typer.Option("--json", help="The comparison as JSON into a file, or - for stdout.")
    ] = None,
) -> None:
    """Compares two or more files of answers or rankings: differences, their tests, the oracle, fusion."""
    from polqa_demo import scoring
    from polqa_demo.comparison import compare_uploads

    def upload(path: Path) -> scoring.Upload:
        return scoring.Upload(io.shown_name(path), path=path)

    gold_set, refused = scoring.open_gold(gold, None, upload(questions) if questions else None)
    if gold_set is None:
        _tell(refused.problems if refused else ())
        raise SystemExit(1)
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    found = compare_uploads(gold_set, [upload(file) for file in files if not file.is_dir()], rule, gold_source)
    if json_out:
        io.put(json_out, io.to_json(found.json(io.language())))
    _tell(found.problems)
    if not found.comparisons:
        raise SystemExit(1)
    if json_out != "-":
        typer.echo(cli_text.comparison(found, io.language()))


@data_app.command()
def fetch(
    split: Annotated[list[str] | None, typer.Option("--split", help="train, valid or test; repeatable.")] = None,
    passages: Annotated[bool, typer.Option("--passages", help="The corpus as well: 3.3 GB.")] = False,
) -> None:
    """Downloads PolQA's files into the hub's local cache; files that are there already are not loaded again."""
    from polqa_demo.data import polqa

    files = [polqa.split_file(name) for name in split or ([] if passages else ["test"])]
    for file in [*files, *([polqa.PASSAGES_FILE] if passages else [])]:
        typer.echo(polqa.fetch(file, lambda address: typer.echo(cli_text.fetching(address, io.language()), err=True)))


@index_app.command("build")
def build(
    corpus: Annotated[list[Path], typer.Option("--corpus", help="JSONL with id, title, text; repeatable.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to make.")],
) -> None:
    """Builds an index over a corpus; a half-made one is never left in its place."""
    from polqa_demo.retrieval.index import build_index

    with io.bar(cli_text.INDEXING.say(io.language())) as progress:
        built = build_index(corpus, out, progress)
    typer.echo(cli_text.index_line(str(out), len(built.passages), io.language()))


@index_app.command("verify")
def verify(folder: Path) -> None:
    """Checks that an index is whole."""
    from polqa_demo.retrieval.index import verify_index

    verified = verify_index(folder)
    typer.echo(cli_text.index_line(str(folder), len(verified.passages), io.language()))


@app.command()
def serve(
    port: Annotated[int | None, typer.Option("--port", help="The port; PORT or 7860 by default.")] = None,
    corpus: Corpus = None,
    index: IndexFolder = None,
) -> None:
    """Serves the app, as app.py does."""
    from polqa_demo.ui.app import serve as serve_app

    given = {"port": port, "corpus": tuple(corpus or ()) or None, "index": index}
    serve_app(load_settings(**{name: value for name, value in given.items() if value is not None}))


@contextmanager
def _pipeline(corpus: list[Path] | None, index: Path | None, retriever: str, reader: str) -> Iterator[Any]:
    """A pipeline, with a progress bar while a corpus is indexed."""
    from polqa_demo.pipeline import open_pipeline

    with io.bar(cli_text.INDEXING.say(io.language())) as progress:
        pipeline = open_pipeline(corpus or (), index, retriever, reader, progress=progress)
    for note in pipeline.index.notes:
        io.tell(note)
    yield pipeline


def _separator(given: str | None) -> str | None:
    """A separator of one sign; the word tab stands for the tab."""
    if given is None or len(given) == 1:
        return given
    if given.lower() in ("tab", "\\t"):
        return "\t"
    raise typer.BadParameter(cli_text.ONE_SIGN.say(io.language()))


def _tell(problems: Any) -> None:
    for problem in problems:
        io.tell(cli_text.problem_line(problem, io.language()))


def _tell_recognised(files: Any) -> None:
    for role, found in files.items():
        io.tell(cli_text.recognised(role, found.say(io.language()), io.language()))
