"""Claim: what the default retrieval finds, against BM25, the vectors alone and fusions with a fixed weight.

For the record: Allegro FAQ (PolEval 2022) and the PoQuAD questions held out. Nothing was chosen on them; the adapter
and the weight by coverage were fitted to PolAQ and XQuAD. The other PoQuAD questions stand beside them. Every row goes
through the product's own retrievers, all in one run. Shares have Wilson's interval, means a bootstrap one, the last
two columns are the difference from the row "rrf" with its interval.
`--shared DIR` or POLQA_SHARED names the folder of real data, `--encoder` a model.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.lexical_quality import allegro
from benchmarks.poquad import load_passages, load_poquad, shared_folder
from benchmarks.recording import record
from polqa_demo.data.passages import PassageStore
from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.paired import difference_interval
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.evaluation.ranking import RankingScores, score_rankings
from polqa_demo.evaluation.significance import bootstrap_mean, wilson_interval
from polqa_demo.records import Ranking
from polqa_demo.retrieval.dense import DenseRetriever
from polqa_demo.retrieval.encoders import EMBEDDED, DescribedEncoder, open_encoder
from polqa_demo.retrieval.fusion import Fusion, HybridRetriever
from polqa_demo.retrieval.lexical import LexicalRetriever
from polqa_demo.retrieval.vectors import FlatSearch
from polqa_demo.settings import settings
from tools.retriever.adapted_encoder import AdaptedEncoder
from tools.retriever.adapter import EMBEDDED_ADAPTER, load_adapter

PEER = "rrf"
FIXED = (0.6, 0.8)


class Searches(Protocol):
    """What is measured."""

    def search(self, question: str, top_k: int) -> Ranking:
        """The best passages."""
        ...


@dataclass(frozen=True)
class RealSet:
    """Questions by id, and their gold passages."""

    name: str
    questions: dict[str, str]
    gold: dict[str, set[str]]


def main() -> None:
    """Measures, prints a table, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="the folder of real data (default: POLQA_SHARED)")
    parser.add_argument("--encoder", default=EMBEDDED)
    parser.add_argument("--adapter", type=Path, default=EMBEDDED_ADAPTER)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/retrieval_default.json")
    options = parser.parse_args()
    encoder = open_encoder(options.encoder, settings().cache_dir)
    rows = list(measured(shared_folder(options.shared), encoder, options.adapter))
    if options.record:
        record("retrieval_default", {"encoder": encoder.name, "rows": rows})


def measured(shared: Path, encoder: DescribedEncoder, adapter: Path) -> Iterator[dict[str, object]]:
    """One row a set and retriever, printed as they come."""
    print(f"| set | n | retriever | accuracy@10 | MRR@10 | NDCG@10 | MRR - {PEER} | NDCG - {PEER} |\n{'|---' * 8}|")
    for store, sets in (allegro_sets(shared), poquad_sets(shared)):
        ways = retrievers(store, encoder, adapter)
        for real in sets:
            scored = {name: score(real, way) for name, way in ways.items()}
            for name, scores in scored.items():
                row = described(scores, scored[PEER])
                print(f"| {real.name} | {scores.n} | {name} | {' | '.join(map(told, row.values()))} |", flush=True)
                yield {"set": real.name, "questions": scores.n, "retriever": name, **row}


def retrievers(store: PassageStore, encoder: DescribedEncoder, adapter: Path) -> dict[str, Searches]:
    """What is compared over one corpus; its vectors are made once, since the adapter leaves those of passages alone."""
    lexical = LexicalRetriever.in_memory(store)
    vectors = FlatSearch(encoder.encode_passages(list(store)))
    dense = DenseRetriever(store, vectors, encoder)
    adapted = DenseRetriever(store, vectors, AdaptedEncoder(encoder, load_adapter(adapter, encoder.name).steps()))
    fixed: dict[str, Searches] = {
        f"z-score, {weight:g} on vectors": HybridRetriever(
            store, lexical, dense, Fusion("z-score", dense_weight=weight)
        )
        for weight in FIXED
    }
    return {
        "BM25": lexical,
        "vectors": dense,
        "vectors + adapter": adapted,
        PEER: HybridRetriever(store, lexical, dense, Fusion("rrf", k=10, dense_weight=0.5)),
        **fixed,
        "z-score by coverage": HybridRetriever(store, lexical, dense),
        "z-score by coverage + adapter": HybridRetriever(store, lexical, adapted),
    }


def allegro_sets(shared: Path) -> tuple[PassageStore, tuple[RealSet, ...]]:
    """Allegro FAQ and its corpus."""
    faq = allegro(shared)
    return faq.passages, (RealSet("Allegro FAQ", faq.questions, faq.gold),)


def poquad_sets(shared: Path) -> tuple[PassageStore, tuple[RealSet, ...]]:
    """PoQuAD's corpus, its held-out questions and the others."""
    golds = load_poquad(shared)
    parts = {"PoQuAD, held out": True, "PoQuAD, others": False}
    sets = []
    for name, held_out in parts.items():
        chosen = [one for one in golds if one.held_out == held_out]
        gold = {one.id: {one.passage.id} for one in chosen}
        sets.append(RealSet(name, {one.id: one.question for one in chosen}, gold))
    return PassageStore.of(load_passages(shared)), tuple(sets)


def score(real: RealSet, way: Searches) -> RankingScores:
    """The measures of one retriever on one set."""
    rankings = {key: way.search(question, CUTOFF) for key, question in real.questions.items()}
    return score_rankings(rankings, real.gold, tuple(real.questions))


def described(scores: RankingScores, peer: RankingScores) -> dict[str, tuple[float, float, float]]:
    """Percentages with the ends of their 95 % intervals."""
    reciprocal, ndcg = ranks_and_gains(scores)
    peer_reciprocal, peer_ndcg = ranks_and_gains(peer)
    return {
        "accuracy@10": percent(scores.headline.value, *wilson_interval(scores.hits, scores.n)),
        "mrr@10": mean(reciprocal),
        "ndcg@10": mean(ndcg),
        "mrr_difference": percent(
            scores["mrr@10"].value - peer["mrr@10"].value, *difference_interval(reciprocal, peer_reciprocal)[:2]
        ),
        "ndcg_difference": percent(
            scores["ndcg@10"].value - peer["ndcg@10"].value, *difference_interval(ndcg, peer_ndcg)[:2]
        ),
    }


def ranks_and_gains(scores: RankingScores) -> tuple[list[float], list[float]]:
    """Reciprocal rank and NDCG, question by question."""
    items = [item for item in scores.items if item.gold_passages]
    return [MEASURES["mrr@10"].value(item) for item in items], [MEASURES["ndcg@10"].value(item) for item in items]


def mean(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean with its interval, in percent."""
    found = bootstrap_mean(values)
    return percent(found.value, found.low, found.high)


def percent(value: float, low: float, high: float) -> tuple[float, float, float]:
    """In percent, two digits."""
    return round(100 * value, 2), round(100 * low, 2), round(100 * high, 2)


def told(values: tuple[float, float, float]) -> str:
    """A value with its interval."""
    return f"{values[0]:.2f} ({values[1]:.2f} to {values[2]:.2f})"


if __name__ == "__main__":
    main()
