"""Claim: lexical and dense rankings fused find more than either; the default fusion is (nearly) the best of a table.

Every row goes through the product's own retrievers. The default is chosen on the PoQuAD questions on which things may
be tuned (those not held out); they were written with the passage in view, which favours lexical search. Allegro FAQ
(PolEval 2022) stands beside them as another kind of text, and is not chosen on.
`--shared DIR` or POLQA_SHARED names the folder of real data, `--encoder` a model, `--cache` where indexes are kept.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.lexical_quality import allegro
from benchmarks.poquad import load_poquad, shared_folder
from benchmarks.recording import record
from polqa_demo.data.passages import Progress
from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.records import Passage
from polqa_demo.retrieval.encoders import EMBEDDED, Encoder, open_encoder
from polqa_demo.retrieval.fusion import DEFAULT_FUSION, Fusion
from polqa_demo.retrieval.index import Index, open_corpus
from polqa_demo.retrieval.retriever import Retriever
from polqa_demo.settings import settings

DEPTH = 10
MEASURES = ("accuracy@1", "accuracy@10", "mrr@10", "ndcg@10")
KS = (0, 1, 2, 5, 10, 15, 20, 30, 40, 60)
WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
HIGH_WEIGHTS = (0.5, 0.7, 0.8, 0.9, 0.95)  # a cosine's distance from -1 varies little, so it needs a high weight


@dataclass(frozen=True)
class RealSet:
    """Questions by id, their gold passages, and the files of the corpus."""

    questions: dict[str, str]
    gold: dict[str, set[str]]
    files: Sequence[Path]


class Prepared:
    """An encoder whose question vectors were made in one go; an `Encoder`."""

    def __init__(self, inner: Encoder, questions: Sequence[str]) -> None:
        self.name, self.dimension, self.fingerprint = inner.name, inner.dimension, inner.fingerprint
        self._inner = inner
        self._vectors = dict(zip(questions, inner.encode_queries(questions), strict=True))

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Looked up."""
        return np.stack([self._vectors[text] for text in texts])

    def encode_passages(self, passages: Sequence[Passage], progress: Progress | None = None) -> NDArray[np.float32]:
        """As the encoder."""
        return self._inner.encode_passages(passages, progress)

    def cut(self, passages: Sequence[Passage]) -> int:
        """As the encoder."""
        return self._inner.cut(passages)


def main() -> None:
    """Measures, prints a table a set, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="the folder of real data (default: POLQA_SHARED)")
    parser.add_argument("--encoder", default=EMBEDDED)
    parser.add_argument("--cache", type=Path, default=None, help="default: the program's own cache folder")
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/fusion.json")
    options = parser.parse_args()
    shared, cache = shared_folder(options.shared), options.cache or settings().cache_dir
    encoder = open_encoder(options.encoder, cache)
    sets = {"PoQuAD, tuning questions": poquad(shared), "Allegro FAQ": allegro_files(shared)}
    rows = [row for name, real in sets.items() for row in measure(name, real, encoder, cache)]
    if options.record:
        record("fusion", {"encoder": encoder.name, "default": named(DEFAULT_FUSION), "rows": rows})


def poquad(shared: Path) -> RealSet:
    """PoQuAD's public questions on which things may be tuned."""
    golds = [one for one in load_poquad(shared) if not one.held_out]
    files = sorted((shared / "data" / "poquad-corpus").glob("passages-*.jsonl"))
    return RealSet({one.id: one.question for one in golds}, {one.id: {one.passage.id} for one in golds}, files)


def allegro_files(shared: Path) -> RealSet:
    """Allegro FAQ with the judgements of PolEval 2022."""
    found = allegro(shared)
    file = shared / "data" / "poleval2022-pr-long" / "allegro" / "passages.jl"
    return RealSet(found.questions, found.gold, [file])


def variants() -> Iterator[Fusion]:
    """The fusions of the table, the default first."""
    yield DEFAULT_FUSION
    yield from (Fusion("rrf", k, 0.5) for k in KS)
    yield from (Fusion("rrf", DEFAULT_FUSION.k, weight) for weight in WEIGHTS if weight != 0.5)
    yield from (Fusion("min-max", dense_weight=weight) for weight in WEIGHTS)
    yield from (Fusion("z-score", dense_weight=weight) for weight in WEIGHTS)
    yield from (Fusion("theoretical", dense_weight=weight) for weight in HIGH_WEIGHTS)


def named(fusion: Fusion) -> str:
    """Method and numbers of a fusion."""
    k = f" k={fusion.k:g}" if fusion.method == "rrf" else ""
    weight = "by coverage" if fusion.dense_weight is None else f"{fusion.dense_weight:g}"
    return f"{fusion.method}{k}, dense weight {weight}"


def measure(name: str, real: RealSet, encoder: Encoder, cache: Path) -> Iterator[dict[str, object]]:
    """One row a retriever: percentages, printed as they come."""
    prepared = Prepared(encoder, list(real.questions.values()))
    index = open_corpus(real.files, cache, encoder=prepared)
    print(f"\n{name}: {len(real.questions)} questions, {len(index.passages)} passages, {encoder.name}\n")
    print(f"| retriever | {' | '.join(MEASURES)} |\n|{'---|' * (len(MEASURES) + 1)}")
    for title, retriever in retrievers(index, prepared):
        values = percentages(real, retriever)
        print(f"| {title} | {' | '.join(f'{values[one]:.2f}' for one in MEASURES)} |", flush=True)
        yield {"set": name, "questions": len(real.questions), "passages": len(index.passages), "retriever": title} | (
            values
        )


def retrievers(index: Index, encoder: Encoder) -> Iterator[tuple[str, Retriever]]:
    """Either part, and every fusion; the default is marked."""
    yield "lexical", index.lexical()
    yield "dense", index.dense(encoder)
    for fusion in variants():
        mark = " (default)" if fusion == DEFAULT_FUSION else ""
        yield named(fusion) + mark, index.hybrid(encoder, fusion)


def percentages(real: RealSet, retriever: Retriever) -> dict[str, float]:
    """The measures of one retriever."""
    rankings = {key: retriever.search(question, DEPTH) for key, question in real.questions.items()}
    scores = score_rankings(rankings, real.gold, tuple(real.questions))
    values = (scores["accuracy@1"].value, scores.headline.value, scores["mrr@10"].value, scores["ndcg@10"].value)
    return {name: round(100 * value, 2) for name, value in zip(MEASURES, values, strict=True)}


if __name__ == "__main__":
    main()
