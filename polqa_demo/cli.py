"""The command line: data to stdout or --out, messages to stderr; exit 0 done, 1 bad input, 2 wrong usage."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer

from polqa_demo import cli_text
from polqa_demo.batch import fingerprint, write_batch
from polqa_demo.errors import Lang, UserError
from polqa_demo.settings import load_settings, settings
from polqa_demo.version import __version__

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
data_app = typer.Typer(no_args_is_help=True, help="PolQA from the hub.")
index_app = typer.Typer(no_args_is_help=True, help="Indexes on disk.")
app.add_typer(data_app, name="data")
app.add_typer(index_app, name="index")

Form = Literal["long", "wide", "trec", "jsonl"]
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

_language: Lang = "pl"


def main() -> None:
    """Runs the command line; expected failures become one message on stderr and exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal of few letters shows escapes in place of the others.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except UserError as error:
        _fail(error)
    except KeyboardInterrupt:
        typer.echo(cli_text.STOPPED.say(_language), err=True)
        raise SystemExit(130) from None


def _fail(error: UserError) -> NoReturn:
    typer.echo(f"{cli_text.ERROR.say(_language)}: {error.say(_language)}", err=True)
    raise SystemExit(1) from None


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
    global _language  # noqa: PLW0603 - a command line has one user and so one language
    _language = lang or settings().language


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
    typer.echo(_json(asked.json()) if as_json else cli_text.asked(asked, _language))


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

    data = _bytes(questions)
    asked = read_questions(data, questions.name)
    with _pipeline(corpus, index, retriever, "rules") as pipeline:
        refuse_bad_questions(pipeline, asked)
        depth = pipeline.checked_top_k(top_k)
        key = fingerprint("retrieve", data, pipeline.index.key, retriever, depth, form, __version__)

        def line(question: Any) -> str:
            return cli_text.ranking_lines(question.id, pipeline.rank(question.text, depth), form)

        _write(out, asked, line, key, cli_text.RANKING_HEADERS.get(form, ""))


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
        raise typer.BadParameter(cli_text.RANKINGS_AND_GOLD.say(_language))
    data = _bytes(questions)
    gold = read_gold_or_questions(data, questions.name)
    ranked = _bytes(rankings) if rankings else None
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
            return _json(row, indent=None) + "\n"

        _write(out, gold.questions, line, key)


@app.command()
def score(
    gold: Annotated[str, typer.Option("--gold", help="A gold file, or the name of a set: polqa-demo-sample/test.")],
    questions: Annotated[Path | None, typer.Option("--questions", help="Texts and order of the questions.")] = None,
    answers: Annotated[Path | None, typer.Option("--answers", help="A file of answers.")] = None,
    rankings: Annotated[Path | None, typer.Option("--rankings", help="A file of rankings.")] = None,
    rule: Annotated[Literal["poleval", "readme", "card", "exact"], typer.Option("--rule")] = "poleval",
    gold_source: Annotated[Literal["auto", "human", "all"], typer.Option("--gold-source")] = "auto",
    gold_kind: Annotated[Literal["answers", "passages"] | None, typer.Option("--gold-kind")] = None,
    answers_from_gold: Annotated[
        Path | None, typer.Option("--answers-from-gold", help="The same reader's answers on gold passages.")
    ] = None,
    corpus: Annotated[list[Path] | None, typer.Option("--corpus", help="Reports passage ids outside of it.")] = None,
    json_out: Annotated[
        str | None, typer.Option("--json", help="The report as JSON into a file, or - for stdout.")
    ] = None,
    out_dir: Annotated[Path | None, typer.Option("--out-dir", help="report.json and items.csv into a folder.")] = None,
) -> None:
    """Scores answers and/or rankings against gold."""
    from polqa_demo import scoring
    from polqa_demo.data.passages import read_passages

    if not (answers or rankings or answers_from_gold):
        raise typer.BadParameter(cli_text.NOTHING_TO_SCORE.say(_language))

    def upload(path: Path | None) -> scoring.Upload | None:
        return scoring.Upload(path.name, _bytes(path)) if path else None

    def scored_files() -> scoring.Scored:
        gold_set, refused = scoring.open_gold(gold, gold_kind, upload(questions))
        if gold_set is None:
            return refused or scoring.Scored((), None, {})
        in_corpus = {passage.id for passage in read_passages(corpus)}.__contains__ if corpus else None
        return scoring.score_uploads(
            gold_set, upload(answers), upload(rankings), rule, gold_source, in_corpus, upload(answers_from_gold)
        )

    try:
        scored = scored_files()
    except UserError as error:  # a file that cannot be opened is told in the JSON report as well
        scored = scoring.refused_by(error)
    report = _json(scored.json(_language))
    if json_out:
        _put(json_out, report)
    if out_dir:
        _folder(out_dir, report, scored.report)
    _tell(scored.problems)
    if scored.report is None:
        raise SystemExit(1)
    if json_out != "-":
        typer.echo(cli_text.report(scored.report, _language))


@data_app.command()
def fetch(
    split: Annotated[list[str] | None, typer.Option("--split", help="train, valid or test; repeatable.")] = None,
    passages: Annotated[bool, typer.Option("--passages", help="The corpus as well: 3.3 GB.")] = False,
) -> None:
    """Downloads PolQA's files into the hub's local cache; files that are there already are not loaded again."""
    from polqa_demo.data import polqa

    files = [polqa.split_file(name) for name in split or ([] if passages else ["test"])]
    for file in [*files, *([polqa.PASSAGES_FILE] if passages else [])]:
        typer.echo(polqa.fetch(file, lambda address: typer.echo(cli_text.fetching(address, _language), err=True)))


@index_app.command("build")
def build(
    corpus: Annotated[list[Path], typer.Option("--corpus", help="JSONL with id, title, text; repeatable.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to make.")],
) -> None:
    """Builds an index over a corpus; a half-made one is never left in its place."""
    from polqa_demo.retrieval.index import build_index

    with _bar(cli_text.INDEXING.say(_language)) as progress:
        built = build_index(corpus, out, progress)
    typer.echo(cli_text.index_line(str(out), len(built.passages), _language))


@index_app.command("verify")
def verify(folder: Path) -> None:
    """Checks that an index is whole."""
    from polqa_demo.retrieval.index import verify_index

    verified = verify_index(folder)
    typer.echo(cli_text.index_line(str(folder), len(verified.passages), _language))


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

    with _bar(cli_text.INDEXING.say(_language)) as progress:
        pipeline = open_pipeline(corpus or (), index, retriever, reader, progress=progress)
    yield pipeline


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar on stderr that appears with the first report."""
    from tqdm import tqdm

    bars: list[Any] = []

    def report(done: int, total: int | None) -> None:
        if not bars:
            bars.append(tqdm(desc=label, total=total, file=sys.stderr, leave=False, disable=None))
        bars[0].total = total
        bars[0].update(done - bars[0].n)

    try:
        yield report
    finally:
        for bar in bars:
            bar.close()


def _write(out: Path, items: Any, line: Callable[[Any], str], key: str, header: str = "") -> None:
    with _bar(out.name) as progress:
        resumed = write_batch(out, items, line, key, header, progress)
    typer.echo(cli_text.written(str(out), len(items), resumed, _language), err=True)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(
            "unreadable-file",
            f"Nie mogę otworzyć pliku {path}: {error.strerror}. Sprawdź ścieżkę.",
            f"Cannot open the file {path}: {error.strerror}. Check the path.",
        ) from error


def _put(target: str, text: str) -> None:
    if target == "-":
        typer.echo(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(
            "unwritable-file",
            f"Nie mogę zapisać pliku {target}: {error.strerror}.",
            f"Cannot write the file {target}: {error.strerror}.",
        ) from error


def _folder(path: Path, report_json: str, report: Any) -> None:
    """A report and, where there are scores, their items in a folder."""
    from polqa_demo.evaluation.export import items_csv

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            "unwritable-folder",
            f"Nie mogę utworzyć folderu {path}: {error.strerror}.",
            f"Cannot make the folder {path}: {error.strerror}.",
        ) from error
    _put(str(path / "report.json"), report_json)
    if report:
        _put(str(path / "items.csv"), items_csv(report))


def _tell(problems: Any) -> None:
    for problem in problems:
        typer.echo(cli_text.problem_line(problem, _language), err=True)


def _json(value: object, indent: int | None = 2) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
