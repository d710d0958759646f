"""Commands that answer: one question, the passages of many, the answers to many."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from polqa_demo.cli import io
from polqa_demo.cli import text as cli_text
from polqa_demo.cli.inputs import asked_in, refuse_second_stdin
from polqa_demo.cli.option_groups import with_options
from polqa_demo.cli.options import (
    Out,
    Questions,
    opened,
    opened_reading,
    tell_gold,
    tell_problems,
)
from polqa_demo.cli.pipeline_options import PipelineOptions, RetrievalOptions
from polqa_demo.runs.batch import fingerprint
from polqa_demo.runs.lines import RANKING_HEADERS, answer_line, ranking_lines
from polqa_demo.version import __version__

Form = Literal["long", "wide", "trec", "jsonl"]


@with_options("parts", PipelineOptions)
def ask(
    parts: PipelineOptions,
    question: str,
    fold: Annotated[bool, typer.Option("--fold", help="Folds passages that are nearly the same.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Plain JSON on stdout.")] = False,
) -> None:
    """Answers one question and shows the passages."""
    with opened(parts.corpus, parts.index, parts.choice) as pipeline:
        asked = pipeline.ask(question, parts.top_k, explain=not as_json, fold=fold)
    if as_json:
        io.emit(io.to_json(asked.json()) + "\n")
    else:
        typer.echo(cli_text.asked(asked, io.language()))


@with_options("parts", RetrievalOptions)
def retrieve(
    parts: RetrievalOptions,
    questions: Questions,
    out: Out,
    form: Annotated[Form, typer.Option("--format", help="Form of the rankings.")] = "long",
) -> None:
    """Finds the passages of every question."""
    from polqa_demo.runs.passages import refuse_bad_questions

    out = io.checked_out(out, Path(questions), *(parts.corpus or ()))
    gold, content = asked_in(questions)
    tell_gold(gold)
    with opened(parts.corpus, parts.index, parts.choice) as pipeline:
        refuse_bad_questions(pipeline, gold.questions)
        depth = pipeline.checked_top_k(parts.top_k)
        key = fingerprint("retrieve", content, pipeline.key, depth, form, __version__)

        def line(question: Any) -> str:
            return ranking_lines(question.id, pipeline.rank(question.text, depth), form)

        io.write_lines(out, gold.questions, line, key, RANKING_HEADERS.get(form, ""))


@with_options("parts", PipelineOptions)
def answer(
    parts: PipelineOptions,
    questions: Questions,
    out: Out,
    rankings: Annotated[
        Path | None, typer.Option("--rankings", help="Read these passages, not the retriever's.")
    ] = None,
    gold_passages: Annotated[
        bool, typer.Option("--gold-passages", help="Read the gold passages that the questions file names.")
    ] = False,
) -> None:
    """Answers every question, as JSONL with question_id, answer, passage_id, confidence."""
    from polqa_demo.runs.passages import passage_source, refuse_bad_questions

    if rankings and gold_passages:
        raise typer.BadParameter(cli_text.RANKINGS_AND_GOLD.say(io.language()))
    refuse_second_stdin(questions, rankings)
    out = io.checked_out(out, Path(questions), rankings, *(parts.corpus or ()))
    gold, content = asked_in(questions)
    tell_gold(gold)
    ranked = io.read_bytes(rankings) if rankings else None
    # Where the passages are given, no retriever has a say, so none is opened and no corpus is encoded for it.
    opening = opened_reading if rankings or gold_passages else opened
    with opening(parts.corpus, parts.index, parts.choice) as pipeline:
        refuse_bad_questions(pipeline, gold.questions)
        depth = pipeline.checked_top_k(parts.top_k)
        name = io.shown_name(rankings) if rankings else ""
        hits, problems = passage_source(pipeline, gold, ranked, name, gold_passages, depth)
        tell_problems(problems)
        key = fingerprint("answer", content, ranked, pipeline.key, depth, gold_passages, __version__)

        def line(question: Any) -> str:
            found = pipeline.read(pipeline.checked(question.text), hits(question))
            return answer_line(question.id, found)

        io.write_lines(out, gold.questions, line, key)
