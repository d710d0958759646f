"""Claim: asking the lexical retriever and reading its passages takes at most twice the time of the bare engine.

Ours: `LexicalRetriever.search` (question text -> terms -> query -> ids, ties settled) and the passages by their ids.
The peer: tantivy's own Python package with the question's terms already made: the same query, its ten row numbers,
and the same lines of the same memory-mapped file, found by known offsets and parsed. Both in one process on one index,
question by question in turns of random order; the medians are over all questions and rounds.

Explanations stand beside it: ours (by word, summed) with the above, against the peer's explanation of the same ten
passages as parsed JSON. `--shared DIR` or POLQA_SHARED names the folder of real data (PoQuAD's passages, questions).
"""

import argparse
import json
import mmap
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import tantivy

from benchmarks.poquad import load_passages, load_poquad, shared_folder
from benchmarks.recording import record
from polqa_demo.data.passages import LINES, OFFSETS, PassageStore
from polqa_demo.retrieval.lexical import ROW_FIELD, TERMS_FIELD, LexicalRetriever, lexical_terms

CLAIM = 2.0
TOP_K = 10


class Bare:
    """tantivy and a file, nothing else."""

    def __init__(self, lexical: Path, passages: Path, questions: list[str]) -> None:
        self.index = tantivy.Index.open(str(lexical))
        self.searcher = self.index.searcher()
        self.offsets = np.load(passages / OFFSETS).tolist()
        with (passages / LINES).open("rb") as stream:
            self.lines = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        self.terms = {question: list(dict.fromkeys(lexical_terms(question))) for question in questions}

    def query(self, question: str) -> tantivy.Query:
        """The disjunction of the question's terms."""
        term_query, should, schema = tantivy.Query.term_query, tantivy.Occur.Should, self.index.schema
        return tantivy.Query.boolean_query(
            [(should, term_query(schema, TERMS_FIELD, term, "freq")) for term in self.terms[question]]
        )

    def ask(self, question: str) -> list[str]:
        """Search and read; returns ids."""
        return self.read([address for _, address in self.hits(self.query(question))])

    def ask_and_explain(self, question: str) -> list[str]:
        """Search, read, and explain every hit."""
        query = self.query(question)
        addresses = [address for _, address in self.hits(query)]
        ids = self.read(addresses)
        for address in addresses:
            json.loads(query.explain(self.searcher, address).to_json())
        return ids

    def hits(self, query: tantivy.Query) -> list[tuple[float, tantivy.DocAddress]]:
        """The ten best."""
        return self.searcher.search(query, TOP_K, count=False).hits

    def read(self, addresses: list[tantivy.DocAddress]) -> list[str]:
        """The lines of the hits, parsed."""
        rows = self.searcher.fast_field_values(ROW_FIELD, addresses)
        return [json.loads(self.lines[self.offsets[row] : self.offsets[row + 1]])["id"] for row in rows]


class Ours:
    """The product's retriever and store."""

    def __init__(self, lexical: Path, passages: Path) -> None:
        self.passages = PassageStore.open(passages)
        self.retriever = LexicalRetriever.open(lexical, self.passages)

    def ask(self, question: str) -> list[str]:
        """Search and read; returns ids."""
        found = self.retriever.search(question, TOP_K).passage_ids
        return [passage.id for passage in map(self.passages.get, found) if passage]

    def ask_and_explain(self, question: str) -> list[str]:
        """Search, read, and explain every hit."""
        ids = self.ask(question)
        self.retriever.explain(question, tuple(ids))
        return ids


def main() -> None:
    """Measures, prints, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="the folder of real data (default: POLQA_SHARED)")
    parser.add_argument("--turns", type=int, default=5, help="rounds over all questions")
    parser.add_argument("--copies", type=int, default=1, help="the corpus so many times over, to see how ratios grow")
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/lexical_speed.json")
    options = parser.parse_args()
    shared = shared_folder(options.shared)
    questions = [gold.question for gold in load_poquad(shared)]
    with tempfile.TemporaryDirectory() as folder:
        passages, lexical = Path(folder) / "passages", Path(folder) / "lexical"
        copies = (
            type(one)(f"{one.id}.{copy}", one.title, one.text)
            for copy in range(options.copies)
            for one in load_passages(shared)
        )
        LexicalRetriever.build(lexical, PassageStore.build(passages, copies))
        result = measure(Bare(lexical, passages, questions), Ours(lexical, passages), questions, options.turns)
    print(json.dumps(result, indent=2))
    print(f"{result['ratio']} times the bare engine (claim: at most {CLAIM:g})")
    if options.record:
        record("lexical_speed", result)


def measure(bare: Bare, ours: Ours, questions: list[str], turns: int) -> dict[str, object]:
    """Medians in microseconds of wall time, and their ratios."""
    ways = {
        "bare": bare.ask,
        "ours": ours.ask,
        "bare_explained": bare.ask_and_explain,
        "ours_explained": ours.ask_and_explain,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    # Equal scores may come in another order from the bare engine; apart from them both must find the same.
    same = sum(set(bare.ask(question)) == set(ours.ask(question)) for question in questions)
    order, chance = list(ways), random.Random(10)
    for _ in range(turns):
        for question in questions:
            chance.shuffle(order)  # whoever comes later finds the question's postings in the processor's cache
            for name in order:
                times[name].append(microseconds(ways[name], question))
    median = {name: statistics.median(taken) for name, taken in times.items()}
    ratio = median["ours"] / median["bare"]
    return {
        "claim": f"at most {CLAIM:g} times the bare engine",
        "holds": ratio <= CLAIM,
        "ratio": round(ratio, 2),
        "ratio_explained": round(median["ours_explained"] / median["bare_explained"], 2),
        "median_us": {name: round(value, 1) for name, value in median.items()},
        "same_passages": same,
        "questions": len(questions),
        "passages": len(ours.passages),
        "top_k": TOP_K,
        "turns": turns,
        "tantivy": version("tantivy"),
    }


def microseconds(way: Callable[[str], list[str]], question: str) -> float:
    """The wall time of one question."""
    start = time.perf_counter()
    way(question)
    return (time.perf_counter() - start) * 1e6


if __name__ == "__main__":
    main()
