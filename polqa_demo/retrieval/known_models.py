"""How known encoders want their texts: what stands before questions and passages, and how a title is joined.

Sources are the models' cards and the settings of PIRB, the Polish Information Retrieval Benchmark
(https://github.com/sdadas/pirb, folder `config`).
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from polqa_demo.errors import Bilingual
from polqa_demo.records import Passage

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SEARCH_TASK = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
_KNOWN = Bilingual("znany model", "known model")
_OWN_FILES = Bilingual("z plików modelu", "the model's own files")
_NO_SOURCE = Bilingual("model nic o tym nie mówi", "the model says nothing about it")


@dataclass(frozen=True, slots=True)
class TextFormat:
    """What a model reads for a question and for a passage; `source` says where this was found."""

    query_prefix: str = ""
    passage_prefix: str = ""
    title_separator: str = " "
    source: Bilingual = _NO_SOURCE

    def query(self, text: str) -> str:
        """The question as the model reads it."""
        return self.query_prefix + readable(text).strip()

    def passage(self, passage: Passage) -> str:
        """The passage as the model reads it; without a title (or without a text) nothing is joined."""
        parts = (readable(passage.title).strip(), readable(passage.text).strip())
        return self.passage_prefix + self.title_separator.join(filter(None, parts))

    def key(self) -> tuple[str, str, str]:
        """All that changes what a model reads."""
        return self.query_prefix, self.passage_prefix, self.title_separator

    def describe(self) -> Bilingual:
        """In words, for people who check it."""
        query, passage = f"{self.query_prefix}…", f"{self.passage_prefix}tytuł{self.title_separator}tekst"
        english = f"{self.passage_prefix}title{self.title_separator}text"
        return Bilingual(
            f"pytania: {query!r}, fragmenty: {passage!r} ({self.source.pl})",
            f"questions: {query!r}, passages: {english!r} ({self.source.en})",
        )


E5 = TextFormat("query: ", "passage: ", source=_KNOWN)
_TABLE: tuple[tuple[str, TextFormat], ...] = (
    (r"ipipan/silver-retriever-base-v1(\.1)?", TextFormat("Pytanie: ", "", "</s>", _KNOWN)),
    (r"(intfloat/)?multilingual-e5-large-instruct", TextFormat(_SEARCH_TASK, source=_KNOWN)),
    (r"(intfloat/)?(multilingual-)?e5-(small|base|large)(-v2|-unsupervised)?", E5),
    (r"sdadas/mmlw-(retrieval-)?e5-(small|base|large)", E5),
    (r"sdadas/mmlw-(retrieval-)?roberta-(base|large)", TextFormat("zapytanie: ", source=_KNOWN)),
    (r"sdadas/mmlw-retrieval-roberta-large-v2", TextFormat("[query]: ", source=_KNOWN)),
    (r"opi-pib/poldense-\d+m", TextFormat("[query]: ", source=_KNOWN)),
    (r"baai/bge-m3", TextFormat(source=_KNOWN)),
)
# Suggested when a name is mistyped.
_FULL_NAMES = (
    "multilingual-e5-small",
    "intfloat/multilingual-e5-small",
    "intfloat/multilingual-e5-base",
    "intfloat/multilingual-e5-large",
    "ipipan/silver-retriever-base-v1",
    "ipipan/silver-retriever-base-v1.1",
    "sdadas/mmlw-retrieval-e5-small",
    "sdadas/mmlw-retrieval-e5-base",
    "sdadas/mmlw-retrieval-e5-large",
    "sdadas/mmlw-retrieval-roberta-base",
    "sdadas/mmlw-retrieval-roberta-large",
    "sdadas/mmlw-retrieval-roberta-large-v2",
    "OPI-PIB/PolDense-150M",
    "BAAI/bge-m3",
)
_QUERY_KEYS = ("query", "question", "search_query", "web_search_query")
_PASSAGE_KEYS = ("passage", "document", "corpus", "search_document")


def known_format(name: str) -> TextFormat | None:
    """The format of a model by its name on the hub (any case), or None."""
    return next((form for pattern, form in _TABLE if re.fullmatch(pattern, name, re.IGNORECASE)), None)


def text_format(name: str, prompts: Mapping[str, object]) -> TextFormat:
    """The format of a model: prefixes from its own prompts where it has any, else from the table, else none.

    `prompts` is that entry of `config_sentence_transformers.json`. How a title is joined no such file says, so this
    always comes from the table; elsewhere a blank does it.
    """
    known = known_format(name)
    query, passage = _prompt(prompts, _QUERY_KEYS), _prompt(prompts, _PASSAGE_KEYS)
    if query or passage:
        return replace(known or TextFormat(), query_prefix=query, passage_prefix=passage, source=_OWN_FILES)
    return known or TextFormat()


def similar_names(name: str) -> tuple[str, ...]:
    """Names of known models that look like this one, at most three."""
    lowered = {full.lower(): full for full in _FULL_NAMES}
    endings = {full.rpartition("/")[2]: full for full in lowered}
    close = difflib.get_close_matches(name.lower(), lowered, n=3, cutoff=0.75)
    tails = difflib.get_close_matches(name.lower().rpartition("/")[2], endings, n=3, cutoff=0.85)
    found = dict.fromkeys([*close, *(endings[tail] for tail in tails)])
    return tuple(lowered[match] for match in found)[:3]


def readable(text: str) -> str:
    """The text without what no tokenizer takes: halves of surrogate pairs; and a NUL, at which C code would stop."""
    return _LONE_SURROGATE.sub("\ufffd", text).replace("\0", " ")


def _prompt(prompts: Mapping[str, object], keys: tuple[str, ...]) -> str:
    found = (prompts.get(key) for key in keys)
    return next((prompt for prompt in found if isinstance(prompt, str) and prompt), "")
