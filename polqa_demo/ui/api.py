"""The HTTP endpoints and MCP tools: plain JSON, no paths and no URLs."""

from typing import Any, Literal

import gradio as gr

from polqa_demo.data.catalogue import DEFAULT_GOLD
from polqa_demo.errors import Lang, UserError
from polqa_demo.pipeline import hits_json
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.kinds import recognise_kind
from polqa_demo.ui.service import Service

Rule = Literal["poleval", "readme", "card", "exact"]
Kind = Literal["auto", "answers", "rankings"]
Source = Literal["auto", "human", "all"]


def add_endpoints(service: Service) -> None:
    """Registers `ask`, `retrieve` and `score` in the Blocks that are being built."""

    def ask(question: str, top_k: int = 10, retriever: str = "lexical", reader: str = "rules") -> dict[str, Any]:
        """Answer a Polish question from the passages of the corpus.

        Args:
            question: The question, in Polish.
            top_k: How many passages to retrieve and read, 1 to 100.
            retriever: The retriever's name: lexical.
            reader: The reader's name: rules.
        """
        try:
            return service.pipeline(retriever, reader).ask(question, top_k).json()
        except UserError as error:
            raise _told(error) from error

    def retrieve(question: str, top_k: int = 10, retriever: str = "lexical") -> list[dict[str, Any]]:
        """Find the passages of the corpus for a Polish question, best first.

        Args:
            question: The question, in Polish.
            top_k: How many passages, 1 to 100.
            retriever: The retriever's name: lexical.
        """
        try:
            return hits_json(service.pipeline(retriever).retrieve(question, top_k))
        except UserError as error:
            raise _told(error) from error

    def score(
        predictions: str,
        gold: str = DEFAULT_GOLD,
        kind: Kind = "auto",
        rule: Rule = "poleval",
        gold_source: Source = "auto",
        lang: Lang = "en",
    ) -> dict[str, Any]:
        """Score answers or rankings against a registered gold set.

        Args:
            predictions: The text of a file of answers or of rankings: one answer a line, CSV, TSV, JSONL or a TREC run.
            gold: The name of a registered gold set, such as polqa-demo-sample/test.
            kind: Whether the text holds answers or rankings; recognised by default.
            rule: The rule of the headline score: poleval, readme, card or exact.
            gold_source: Which gold passages count: auto (human ones for validation and test), human or all.
            lang: The language of the messages: pl or en.
        """
        limit = service.knobs.max_upload_mb << 20
        data = predictions.encode()
        if len(data) > limit:
            raise gr.Error(
                f"The predictions have {len(data)} bytes, at most {limit} are allowed.", print_exception=False
            )
        upload = Upload("predictions", data)
        try:
            gold_set = service.gold(gold)
            found = recognise_kind(data, upload.name, gold_set.questions) if kind == "auto" else kind
        except UserError as error:
            raise _told(error) from error
        if found == "rankings":
            return score_uploads(gold_set, None, upload, rule, gold_source).json(lang)
        return score_uploads(gold_set, upload, None, rule, gold_source).json(lang)

    for endpoint in (ask, retrieve, score):
        gr.api(endpoint, api_name=endpoint.__name__, concurrency_limit=2, concurrency_id="api")


def _told(error: UserError) -> gr.Error:
    """An expected failure as Gradio passes it to clients (in both languages: an API has no page to ask)."""
    return gr.Error(f"{error.message.en} / {error.message.pl}", print_exception=False)
