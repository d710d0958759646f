"""What a model may be wanted for: an encoder, a reranker, a reader that points or one that writes."""

from collections.abc import Callable
from dataclasses import dataclass

from polqa_demo.errors import Bilingual

_NOTHING = Bilingual("", "")


@dataclass(frozen=True, slots=True)
class Role:
    """A place for a model.

    `code` begins the codes of its refusals; `noun` is what such a model is, `wanted` what to give instead of another
    one, with an `example`; `converted` is the Python that turns pickled weights into safetensors, for whoever trusts
    their authors; `owner` stands before short names; `otherwise` is a way out where no hub can be asked; a `reader` in
    weights for llama.cpp may run on its server; `similar` knows names that look like a mistyped one.
    """

    code: str
    noun: Bilingual
    wanted: Bilingual
    example: str
    kinds: frozenset[str]
    converted: str
    owner: str = ""
    otherwise: Bilingual = _NOTHING
    reader: bool = False
    similar: Callable[[str], tuple[str, ...]] = lambda _: ()


RERANKER = Role(
    "reranker",
    Bilingual("reranker", "reranker"),
    Bilingual("cross-encoder z jednym wynikiem", "a cross-encoder with one score"),
    "sdadas/polish-reranker-roberta-v2",
    frozenset({"cross-encoder", "causal"}),
    "CrossEncoder(…).save_pretrained(…)",
)
EXTRACTIVE_READER = Role(
    "reader-model",
    Bilingual("czytnik ekstrakcyjny", "extractive reader"),
    Bilingual("model ekstrakcyjny (question answering)", "an extractive model (question answering)"),
    "radlab/polish-qa-v2",
    frozenset({"span-reader", "unknown"}),
    "AutoModelForQuestionAnswering.from_pretrained(…).save_pretrained(…)",
    reader=True,
)
GENERATING_READER = Role(
    "reader-model",
    Bilingual("czytnik generujący", "generating reader"),
    Bilingual("model taki jak T5, mT5, plT5 lub BART", "a model such as T5, mT5, plT5 or BART"),
    "azwierzc/plt5-base-poquad",
    frozenset({"seq2seq", "unknown"}),
    "AutoModelForSeq2SeqLM.from_pretrained(…).save_pretrained(…)",
    reader=True,
)
