"""The HTTP endpoints and MCP tools: plain JSON, no paths and no URLs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import gradio as gr

from polqa_demo.choice import AUTO, refuse_unknown
from polqa_demo.comparison import compare_uploads
from polqa_demo.data.catalogue import DEFAULT_GOLD, unknown_gold
from polqa_demo.errors import Lang, UserError, counted
from polqa_demo.evaluation.report import Unanswerable
from polqa_demo.parsing.parser import Upload
from polqa_demo.pipeline import checked_question, checked_top_k, hits_json
from polqa_demo.polish.words import plural
from polqa_demo.scoring import score_uploads
from polqa_demo.submissions.answers import Duplicates
from polqa_demo.submissions.table import Overrides
from polqa_demo.ui.endpoint import Endpoint
from polqa_demo.ui.service import Service

Rule = Literal["poleval", "readme", "card", "exact"]
Kind = Literal["auto", "answers", "rankings"]
Source = Literal["auto", "human", "all"]
Choice = Literal["auto", "yes", "no"]
Form = Literal[
    "auto", "lines", "csv", "tsv", "semicolon", "jsonl", "json", "wide", "long", "ranks", "distances", "trec"
]


def add_endpoints(service: Service) -> None:
    """Registers `ask`, `retrieve`, `score` and `compare` in the Blocks that are being built."""

    def ask(
        question: str, top_k: int = service.knobs.top_k, retriever: str = AUTO, reader: str = AUTO
    ) -> dict[str, Any]:
        """Answer a Polish question from the passages of the corpus.

        Args:
            question: The question, in Polish.
            top_k: How many passages to retrieve and read, 1 to 100.
            retriever: The retriever's name: lexical, dense or hybrid; auto takes the best at hand.
            reader: The reader's name: rules, spans, seq2seq or chat, as far as the operator offers it; auto as above.
        """
        return service.pipeline(retriever, reader).ask(question, top_k).json()

    def retrieve(question: str, top_k: int = service.knobs.top_k, retriever: str = AUTO) -> list[dict[str, Any]]:
        """Find the passages of the corpus for a Polish question, best first.

        Args:
            question: The question, in Polish.
            top_k: How many passages, 1 to 100.
            retriever: The retriever's name: lexical, dense or hybrid; auto takes the best at hand.
        """
        return hits_json(service.pipeline(retriever, "rules").retrieve(question, top_k))

    def score(
        predictions: str,
        gold: str = DEFAULT_GOLD,
        kind: Kind = "auto",
        rule: Rule = "poleval",
        gold_source: Source = "auto",
        lang: Lang = "en",
        unanswerable: Unanswerable = "leave-out",
        duplicates: Duplicates = "refuse",
        form: Form = "auto",
        header: Choice = "auto",
        quotes: Choice = "auto",
        answer_column: str = "",
    ) -> dict[str, Any]:
        """Score answers or rankings against a registered gold set.

        Args:
            predictions: The text of a file of answers or of rankings: one answer a line, CSV, TSV, JSONL or a TREC run.
            gold: The name of a registered gold set, such as polqa-demo-sample/test.
            kind: Whether the text holds answers or rankings; recognised by default.
            rule: The rule of the headline score: poleval, readme, card or exact.
            gold_source: Which gold passages count: auto (human ones for validation and test), human or all.
            lang: The language of the messages: pl or en.
            unanswerable: Questions whose gold is empty: leave-out, or abstain (an empty answer is right there).
            duplicates: Which of several different answers to one question counts: refuse (none), first or last.
            form: What the text is, where its content does not say: lines, csv, tsv, semicolon, jsonl, json; for
                rankings wide, long (third a score), ranks (third a rank), distances or trec.
            header: Whether the first row names the columns: auto, yes or no.
            quotes: Whether cells parted by tabs are quoted as CSV is: auto, yes or no.
            answer_column: The name of the column or field of the answers; empty: by content.
        """
        known = _overrides(form, header, quotes, answer_column)
        gold_set, upload = service.gold(gold), Upload("predictions", _bounded(service, predictions), overrides=known)
        with service.parser() as parser:
            found = service.kind_of(upload, gold_set, parser) if kind == "auto" else kind
            answers, rankings = (None, upload) if found == "rankings" else (upload, None)
            scored = score_uploads(
                gold_set,
                answers,
                rankings,
                rule,
                gold_source,
                service.in_corpus(gold_set),
                duplicates=duplicates,
                unanswerable=unanswerable,
                parser=parser,
            )
        return scored.json(lang)

    def compare(
        runs: dict[str, str],
        gold: str = DEFAULT_GOLD,
        rule: Rule = "poleval",
        gold_source: Source = "auto",
        lang: Lang = "en",
        unanswerable: Unanswerable = "leave-out",
        duplicates: Duplicates = "refuse",
        form: Form = "auto",
        header: Choice = "auto",
        quotes: Choice = "auto",
        answer_column: str = "",
    ) -> dict[str, Any]:
        """Compare two or more runs (answers or rankings) on a registered gold set: differences, tests, oracle, fusion.

        Args:
            runs: The text of each file by the run's name, such as {"mine": "...", "baseline": "..."}.
            gold: The name of a registered gold set, such as polqa-demo-sample/test.
            rule: The rule of right and wrong: poleval, readme, card or exact.
            gold_source: Which gold passages count: auto (human ones for validation and test), human or all.
            lang: The language of the messages: pl or en.
            unanswerable: Questions whose gold is empty: leave-out, or abstain (an empty answer is right there).
            duplicates: Which of several different answers to one question counts: refuse (none), first or last.
            form: What the texts are, where their content does not say: lines, csv, tsv, semicolon, jsonl, json; for
                rankings wide, long (third a score), ranks (third a rank), distances or trec.
            header: Whether the first row names the columns: auto, yes or no.
            quotes: Whether cells parted by tabs are quoted as CSV is: auto, yes or no.
            answer_column: The name of the column or field of the answers; empty: by content.
        """
        known = _overrides(form, header, quotes, answer_column)
        uploads = [Upload(name, _bounded(service, text), overrides=known) for name, text in runs.items()]
        with service.parser() as parser:
            found = compare_uploads(
                service.gold(gold),
                uploads,
                rule,
                gold_source,
                unanswerable=unanswerable,
                duplicates=duplicates,
                parser=parser,
            )
        return found.json(lang)

    asking, scoring = partial(_check_question, service), partial(_check_files, service)
    endpoints: tuple[tuple[Callable[..., Any], Callable[..., None]], ...] = (
        (ask, asking),
        (retrieve, asking),
        (score, scoring),
        (compare, scoring),
    )
    # A question waits neither for files that are being scored nor for passages that others have read.
    queues = {"ask": ("api-ask", 4), "retrieve": ("api-retrieve", 4)}
    for function, check in endpoints:
        endpoint = Endpoint(function, check)
        queue, limit = queues.get(endpoint.name, ("api-score", 2))
        gr.api(endpoint.function, api_name=endpoint.name, concurrency_limit=limit, concurrency_id=queue)


def _check_question(service: Service, given: Mapping[str, Any]) -> None:
    """:raises UserError: for what the pipeline would refuse before it searches"""
    checked_question(given["question"], service.knobs)
    checked_top_k(given["top_k"], service.knobs)
    for what, names in zip(("retriever", "reader"), service.offered, strict=True):
        refuse_unknown(what, given.get(what, AUTO), names)


def _check_files(service: Service, given: Mapping[str, Any]) -> None:
    """:raises UserError: the gold has no such name, or a text is too long"""
    names = service.gold_names()
    if given["gold"] not in names:
        raise unknown_gold(given["gold"], names)
    for text in given["runs"].values() if "runs" in given else (given["predictions"],):
        if 4 * len(text) > service.knobs.max_upload_mb << 20:
            _bounded(service, text)


def _bounded(service: Service, text: str) -> bytes:
    """The bytes of a text.

    :raises UserError: they are more than an upload may have
    """
    data = text.encode("utf-8", "replace")
    limit = service.knobs.max_upload_mb << 20
    if len(data) > limit:
        raise UserError(
            "too-large",
            f"Predykcje mają {plural(len(data), 'bajt', 'bajty', 'bajtów')}, a mogą mieć najwyżej {limit}.",
            f"The predictions have {counted(len(data), 'byte', 'bytes')}, at most {limit} are allowed.",
        )
    return data


def _overrides(form: Form, header: Choice, quotes: Choice, answer_column: str) -> Overrides:
    """What the caller knows better than the text shows."""
    said = {"auto": None, "yes": True, "no": False}
    return Overrides(
        form=None if form == "auto" else form,
        header=said[header],
        quotes=said[quotes],
        answer_column=answer_column.strip() or None,
    )
