"""Lexical retrieval: BM25 over stems and word beginnings, on tantivy.

Polish hides a word behind its endings, so each content word is indexed twice: as its Snowball stem, and as its first
five letters marked with `#`, which catches what the stemmer leaves apart (`Lalka`/`Lalkę`, `wojna`/`wojennych`).
"""

import json
import os
import re
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from polqa_demo.data.passages import PROGRESS_EVERY, PassageStore, Progress
from polqa_demo.errors import UserError
from polqa_demo.polish.words import STOP_WORDS, stem, words
from polqa_demo.records import Ranking
from polqa_demo.retrieval.retriever import Explanation, TermScore

if TYPE_CHECKING:
    import tantivy

ANALYSER_VERSION = "stem-prefix5-1"
"""Names what `lexical_terms` does; to be raised whenever its output changes, since old indexes then no longer fit."""

PREFIX_LETTERS = 5
MAX_QUESTION_WORDS = 64
"""Different content words of a question that are looked for; the longest of 7,442 PolEval questions has 23."""

Breakage = Callable[[str], Exception]
"""Makes, of what tantivy said, the exception to raise when it breaks down."""

TERMS_FIELD, ROW_FIELD = "terms", "row"
_WRITER_BYTES = 128_000_000
_SPARE_HITS = 6  # fetched beyond top_k, so that a tie at the cut is usually seen whole in one search
_WRITTEN_WORD = re.compile(r"(?:\w|[\u0300-\u036f])+")  # an accent may stand as a character of its own
_ESCAPED_CHARACTER = re.compile(r"\\u\{([0-9a-f]+)\}")


def lexical_terms(text: str) -> list[str]:
    """Index terms in order: the stem and the `#` prefix of every word that is not a stop word."""
    return [term for word in words(unicodedata.normalize("NFC", text)) for term in _terms_of(word)]


def matched_spans(question: str, text: str) -> list[tuple[int, int]]:
    """Character spans of the words of `text` that share a stem or a beginning with a content word of the question."""
    wanted = _question_terms(question)
    return [
        match.span() for match in _WRITTEN_WORD.finditer(text) if not wanted.keys().isdisjoint(lexical_terms(match[0]))
    ]


class LexicalRetriever:
    """BM25 (k1 1.2, b 0.75) over titles and texts; a `Retriever`.

    A question of stop words alone finds nothing: none of 7,442 PolEval and PoQuAD questions is one, and indexing
    stop words for it would cost 2 points of accuracy@10 on Allegro FAQ when asked with them.
    """

    name = "lexical"

    def __init__(self, index: "tantivy.Index", passages: PassageStore, broken: Breakage = RuntimeError) -> None:
        self._passages = passages
        self._broken = broken
        self._schema = index.schema
        self._searcher = index.searcher()

    @classmethod
    def build(cls, folder: Path, passages: PassageStore, progress: Progress | None = None) -> "LexicalRetriever":
        """Index the passages into an empty folder. Memory stays at the writer's buffer, whatever the corpus."""
        import tantivy

        folder.mkdir(parents=True, exist_ok=True)
        index = tantivy.Index(_schema(), path=str(folder), reuse=False)
        _fill(index, passages, progress)
        return cls.open(folder, passages)

    @classmethod
    def open(cls, folder: Path, passages: PassageStore, broken: Breakage | None = None) -> "LexicalRetriever":
        """Memory-map a folder made by `build` from the same passages.

        Damage may show only in a search or an explanation, which then raise what `broken` makes of it; without it,
        the same UserError as here.

        Raises:
            UserError: this is no lexical index, a damaged one, or one of other passages.
        """
        import tantivy

        damaged = partial(_damaged, folder)
        with _breaking_as(damaged), _lockable(folder) as lockable:
            index = tantivy.Index.open(str(lockable))
            index.config_reader(reload_policy="manual")
            retriever = cls(index, passages, broken or damaged)
        if retriever.document_count != len(passages):
            raise _damaged(folder, f"{retriever.document_count} / {len(passages)}")
        return retriever

    @classmethod
    def in_memory(cls, passages: PassageStore) -> "LexicalRetriever":
        """The same without a folder, for small corpora."""
        import tantivy

        index = tantivy.Index(_schema())
        _fill(index, passages, None)
        return cls(index, passages)

    @property
    def document_count(self) -> int:
        """How many passages are indexed."""
        return int(self._searcher.num_docs)

    def search(self, question: str, top_k: int) -> Ranking:
        """The best passages by BM25; equal scores stand in the order of the corpus, also at the cut.

        Raises:
            UserError: the index on disk is damaged.
        """
        terms = _question_terms(question)
        if not terms or top_k < 1:
            return Ranking("", (), ())
        with _breaking_as(self._broken):
            best = self._best(self._query(terms), min(top_k, len(self._passages)))
            id_at = self._passages.id_at
            return Ranking("", tuple([id_at(row) for _, row in best]), tuple([-score for score, _ in best]))

    def explain(self, question: str, passage_ids: tuple[str, ...]) -> tuple[Explanation, ...]:
        """What each word of the question gave to each passage; words that gave nothing are left out.

        Raises:
            UserError: an id is not in the corpus, or the index on disk is damaged.
        """
        terms = _question_terms(question)
        with _breaking_as(self._broken):
            query = self._query(terms) if terms else None
            addresses = self._addresses(passage_ids)
            return tuple(self._explain(*pair, terms, query) for pair in zip(passage_ids, addresses, strict=True))

    def _addresses(self, passage_ids: tuple[str, ...]) -> "list[tantivy.DocAddress]":
        """Where tantivy keeps these passages."""
        import tantivy

        rows = [self._passages.row(passage_id) for passage_id in passage_ids]
        if None in rows:
            raise _unknown(passage_ids[rows.index(None)])
        this_or_that = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, ROW_FIELD, row, "basic")) for row in set(rows)
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(this_or_that), len(rows) or 1, count=False).hits
        found = [address for _, address in hits]
        by_row = dict(zip(self._searcher.fast_field_values(ROW_FIELD, found), found, strict=True))
        return [by_row[row] for row in rows]

    def _query(self, terms: dict[str, str]) -> "tantivy.Query":
        """A disjunction of the terms, built clause by clause: no query language, so no character is special."""
        import tantivy

        should, term_query = tantivy.Occur.Should, tantivy.Query.term_query
        return tantivy.Query.boolean_query([(should, term_query(self._schema, TERMS_FIELD, t, "freq")) for t in terms])

    def _best(self, query: "tantivy.Query", top_k: int) -> list[tuple[float, int]]:
        """Pairs of minus score and row, sorted.

        tantivy orders equal scores by segment, not by row, and drops some at its limit; so more is fetched until
        the first score below the cut has been seen.
        """
        limit = top_k + _SPARE_HITS
        while True:
            hits = self._searcher.search(query, limit, count=False).hits
            if len(hits) < limit or hits[-1][0] < hits[top_k - 1][0]:
                break
            limit *= 8
        rows = self._searcher.fast_field_values(ROW_FIELD, [address for _, address in hits])
        return sorted([(-hit[0], cast("int", row)) for hit, row in zip(hits, rows, strict=True)])[:top_k]

    def _explain(
        self,
        passage_id: str,
        address: "tantivy.DocAddress",
        terms: dict[str, str],
        query: "tantivy.Query | None",
    ) -> Explanation:
        if query is None:
            return Explanation(passage_id, 0.0, ())
        try:
            explained = json.loads(query.explain(self._searcher, address).to_json())
        except ValueError:  # none of the terms is in this passage
            return Explanation(passage_id, 0.0, ())
        by_word: dict[str, list[tuple[str, float]]] = {}
        for term, score in _term_scores(explained):
            by_word.setdefault(terms[term], []).append((term, score))
        scores = (
            TermScore(word, sum(score for _, score in found), tuple(term for term, _ in found))
            for word, found in by_word.items()
        )
        return Explanation(passage_id, float(explained["value"]), tuple(scores))


def _terms_of(word: str) -> tuple[str, ...]:
    return _known_terms(word) if len(word) <= _KEPT_LETTERS else _read_terms(word)


def _read_terms(word: str) -> tuple[str, ...]:
    return () if word in STOP_WORDS else (stem(word), "#" + word[:PREFIX_LETTERS])


# Long "words" come from strangers' files and would keep their memory for good.
_KEPT_LETTERS = 40
_known_terms = lru_cache(maxsize=200_000)(_read_terms)


def _question_terms(question: str) -> dict[str, str]:
    """The different terms of the question's first different content words, each with the word that brought it first."""
    terms: dict[str, str] = {}
    different = dict.fromkeys(words(unicodedata.normalize("NFC", question)))
    for word in islice((word for word in different if _terms_of(word)), MAX_QUESTION_WORDS):
        for term in _terms_of(word):
            terms.setdefault(term, word)
    return terms


def _schema() -> "tantivy.Schema":
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field(TERMS_FIELD, tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field(ROW_FIELD, indexed=True, fast=True)
    return builder.build()


def _fill(index: "tantivy.Index", passages: PassageStore, progress: Progress | None) -> None:
    """Add every passage with its row. One thread: the order of the corpus is the order within a segment."""
    import tantivy

    writer = index.writer(_WRITER_BYTES, num_threads=1)
    for row, passage in enumerate(passages):
        document = tantivy.Document()
        document.add_text(TERMS_FIELD, " ".join(lexical_terms(f"{passage.title}\n{passage.text}")))
        document.add_unsigned(ROW_FIELD, row)
        writer.add_document(document)
        if progress and (row + 1) % PROGRESS_EVERY == 0:
            progress(row + 1, len(passages))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    if progress:
        progress(len(passages), len(passages))


@contextmanager
def _breaking_as(broken: Breakage) -> Iterator[None]:
    """Raise as one exception whatever tantivy, or reading ids by the rows that it gives, fails with on damaged files.

    tantivy's panics derive from BaseException, so that they pass every `except Exception`, and cannot be imported.
    """
    try:
        yield
    except (ValueError, OSError, LookupError, OverflowError, TypeError) as error:  # TypeError: a row that is None
        raise broken(str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise broken(str(error)) from error


@contextmanager
def _lockable(folder: Path) -> Iterator[Path]:
    """The folder, or links to its files from a temporary one: tantivy opens nothing where it cannot write a lock."""
    if os.access(folder, os.W_OK) or not folder.is_dir():
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="polqa-lexical-") as links:
        for file in folder.iterdir():
            if not file.name.endswith(".lock"):
                (Path(links) / file.name).symlink_to(file.resolve())
        yield Path(links)  # once open, the files are mapped and the links no longer needed


def _term_scores(node: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """The leaves of tantivy's explanation: index terms and what they gave."""
    for line in node.get("context") or ():  # such as: Term=Term(field=0, type=Str, "lalk")
        term = line.partition('"')[2].rpartition('"')[0]
        if term:
            yield _unescaped(term), float(node["value"])
            return
    for part in node.get("details") or ():
        yield from _term_scores(part)


def _unescaped(term: str) -> str:
    """The term behind Rust's debug form, in which rare characters stand as `\\u{1d7ce}`."""
    return _ESCAPED_CHARACTER.sub(lambda code: chr(int(code[1], 16)), term) if "\\" in term else term


def _unknown(passage_id: str) -> UserError:
    return UserError(
        "unknown-passage",
        f"W korpusie nie ma fragmentu o identyfikatorze {passage_id!r}.",
        f"There is no passage {passage_id!r} in the corpus.",
    )


def _damaged(folder: Path, what: str) -> UserError:
    return UserError(
        "lexical-damaged",
        f"Indeks słów jest uszkodzony lub nie pasuje do fragmentów ({folder}; {what}). Zbuduj indeks jeszcze raz.",
        f"The lexical index is damaged or does not fit the passages ({folder}; {what}). Build the index again.",
    )
