"""How encoders want their texts: what stands before questions and passages, and how a title is joined.

A model in a folder has lost its name, and prefixes hang on it: E5 without them finds less. So after a model's own
prompts its name counts: on the hub, in the hub's cache path, in the last parts of the path, and last in what it was
trained from; what no file says is a guess, and told as one.

Sources are the models' cards and the settings of PIRB, the Polish Information Retrieval Benchmark
(https://github.com/sdadas/pirb, folder `config`).
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from polqa_demo.errors import Bilingual
from polqa_demo.models.hub_cache import cached_repository
from polqa_demo.models.roles import Role
from polqa_demo.models.snapshots import looks_like_a_path
from polqa_demo.records import Passage

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SEARCH_TASK = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
_STELLA_TASK = "Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: "
_KNOWN = Bilingual("znany model", "known model")
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


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a person wants before questions and before passages; None leaves it to the model."""

    query: str | None = None
    passage: str | None = None

    def __bool__(self) -> bool:
        return self.query is not None or self.passage is not None

    def __str__(self) -> str:
        named = (("query-prefix", self.query), ("passage-prefix", self.passage))
        return " ".join(f"{name}={prefix!r}" for name, prefix in named if prefix is not None)

    def or_else(self, other: "Prefixes") -> "Prefixes":
        """These, and the other's where these say nothing."""
        query = other.query if self.query is None else self.query
        return Prefixes(query, other.passage if self.passage is None else self.passage)

    def over(self, form: TextFormat) -> TextFormat:
        """The format with these in the place of its own."""
        query = form.query_prefix if self.query is None else self.query
        passage = form.passage_prefix if self.passage is None else self.passage
        source = Bilingual(f"podane: {self}; reszta: {form.source.pl}", f"given: {self}; the rest: {form.source.en}")
        if self.query is not None and self.passage is not None:
            source = Bilingual("podane", "given")
        return replace(form, query_prefix=query, passage_prefix=passage, source=source) if self else form


NO_PREFIXES = Prefixes()
E5 = TextFormat("query: ", "passage: ", source=_KNOWN)
_SEARCH = TextFormat(_SEARCH_TASK, source=_KNOWN)
# Owner, pattern of the name, format.
_TABLE: tuple[tuple[str, str, TextFormat], ...] = (
    ("ipipan", r"silver-retriever-base-v1(\.1)?", TextFormat("Pytanie: ", "", "</s>", _KNOWN)),
    ("intfloat", r"multilingual-e5-large-instruct|e5-mistral-7b-instruct", _SEARCH),
    ("intfloat", r"multilingual-e5-(small|base|large)|e5-(small|base|large)(-v2|-unsupervised)?", E5),
    ("sdadas", r"mmlw-(retrieval-)?e5-(small|base|large)", E5),
    ("sdadas", r"mmlw-(retrieval-)?roberta-(base|large)", TextFormat("zapytanie: ", source=_KNOWN)),
    ("sdadas", r"mmlw-retrieval-roberta-large-v2", TextFormat("[query]: ", source=_KNOWN)),
    ("sdadas", r"stella-pl|stella-pl-retrieval(-8k)?", TextFormat(_STELLA_TASK, source=_KNOWN)),
    ("opi-pib", r"poldense-\d+m", TextFormat("[query]: ", source=_KNOWN)),
    ("baai", r"bge-m3", TextFormat(source=_KNOWN)),
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
_QUERY_KEYS = ("query", "question", "search_query", "web_search_query", "s2p_query")
_PASSAGE_KEYS = ("document", "passage", "corpus", "search_document")
_OWN_FILES = Bilingual("z plików modelu", "the model's own files")
_OPTIONS = "--query-prefix, --passage-prefix"


def known_format(name: str) -> TextFormat | None:
    """The format of a model by its full name on the hub (`owner/name`, any case), or None."""
    owner, _, model = name.lower().partition("/")
    return next((form for of, pattern, form in _TABLE if of == owner and re.fullmatch(pattern, model)), None)


def known_by_last_part(name: str) -> tuple[str, TextFormat] | None:
    """A known model and its format by the name of a folder: `multilingual-e5-base`, `intfloat_multilingual-e5-base`."""
    lowered = name.lower()
    for owner, pattern, form in _TABLE:
        if re.fullmatch(rf"({owner}(--|__|_))?({pattern})", lowered):
            return f"{owner}/{re.sub(f'^{owner}(--|__|_)', '', lowered)}", form
    return None


def text_format(name: str, prompts: Mapping[str, object], trained_from: str = "") -> TextFormat:
    """The format of a model by its name on the hub or its folder; what is given by no file is a guess, and says so.

    `prompts` is that entry of its `config_sentence_transformers.json`, `trained_from` the `_name_or_path` of its
    `config.json`. Own prompts count first, then names. How a title is joined no file says, so this always comes from
    the name; elsewhere a blank does it. Empty prompts say nothing: every saved model has them.
    """
    known = _by_name(name, trained_from)
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


def _by_name(name: str, trained_from: str) -> TextFormat | None:
    in_folder = looks_like_a_path(name) or Path(name).expanduser().is_dir()
    if not in_folder:
        hub_name = name.partition("@")[0]
        return known_format(hub_name) or _guessed("" if "/" in hub_name else hub_name, trained_from)
    folder = Path(name).expanduser()
    if repository := cached_repository(folder):
        return known_format(repository) or _guessed("", trained_from)
    path = PurePath(folder.absolute())
    return known_format("/".join(path.parts[-2:])) or _guessed(path.name, trained_from)


def _guessed(last_part: str, trained_from: str) -> TextFormat | None:
    if found := known_by_last_part(last_part):
        where = Bilingual("po nazwie folderu", "by the folder's name")
    elif trained_from:
        full = known_format(trained_from.strip("/"))
        found = (trained_from, full) if full else known_by_last_part(PurePath(trained_from).name)
        where = Bilingual("po _name_or_path w config.json", "by _name_or_path in config.json")
    if not found:
        return None
    model, form = found
    return replace(
        form,
        source=Bilingual(
            f"zgadnięte {where.pl}: {model}; inne: {_OPTIONS}", f"guessed {where.en}: {model}; others: {_OPTIONS}"
        ),
    )


def _prompt(prompts: Mapping[str, object], keys: tuple[str, ...]) -> str:
    found = (prompts.get(key) for key in keys)
    return next((prompt for prompt in found if isinstance(prompt, str) and prompt), "")


ENCODER = Role(
    "encoder",
    Bilingual("enkoder", "encoder"),
    Bilingual("model gęsty", "a dense model"),
    "ipipan/silver-retriever-base-v1.1",
    frozenset({"encoder", "masked", "network", "causal", "unknown"}),
    "SentenceTransformer(…).save_pretrained(…)",
    owner="sentence-transformers",  # as in that library
    otherwise=Bilingual(
        " albo użyj wbudowanego enkodera multilingual-e5-small", ", or use the embedded encoder multilingual-e5-small"
    ),
    similar=similar_names,
)
