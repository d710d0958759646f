"""Claim: indexing stems and five-letter beginnings finds more than stems, and both far more than raw words.

All three go through the product's own retriever; only the terms of a word differ. The sets are the 900 questions of
Allegro FAQ (PolEval 2022) and the 1,243 of PoQuAD over Polish Wikipedia (written with the passage in view, which
favours lexical search). `--shared DIR` or POLQA_SHARED names the folder of real data.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from benchmarks.poquad import load_passages, load_poquad, shared_folder
from benchmarks.recording import record
from polqa_demo.data.passages import PassageStore, read_passages
from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.polish.words import STOP_WORDS, stem
from polqa_demo.retrieval import lexical
from polqa_demo.retrieval.lexical import LexicalRetriever

DEPTH = 10
VARIANTS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "raw words": lambda word: (word,),
    "stems": lambda word: () if word in STOP_WORDS else (stem(word),),
    "stems + five letters": lexical._terms_of,
}


@dataclass(frozen=True)
class RealSet:
    """Questions by id, their gold passages, and the corpus."""

    questions: dict[str, str]
    gold: dict[str, set[str]]
    passages: PassageStore


def main() -> None:
    """Measures, prints a table, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="the folder of real data (default: POLQA_SHARED)")
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/lexical_quality.json")
    options = parser.parse_args()
    shared = shared_folder(options.shared)
    sets = {"Allegro FAQ": allegro(shared), "PoQuAD": poquad(shared)}
    results = [
        {"set": set_name, "questions": len(real.questions), "passages": len(real.passages), "terms": terms}
        | measure(real, VARIANTS[terms])
        for set_name, real in sets.items()
        for terms in VARIANTS
    ]
    print("| set | questions | terms | accuracy@1 | accuracy@10 | MRR@10 | NDCG@10 |\n|---|---|---|---|---|---|---|")
    for row in results:
        values = " | ".join(f"{row[name]:.2f}" for name in ("accuracy@1", "accuracy@10", "mrr@10", "ndcg@10"))
        print(f"| {row['set']} | {row['questions']} | {row['terms']} | {values} |")
    if options.record:
        record("lexical_quality", {"rows": results})


def allegro(shared: Path) -> RealSet:
    """Allegro FAQ with the judgements of PolEval 2022."""
    folder = shared / "data" / "poleval2022-pr-long" / "allegro"
    lines = (folder / "questions-test.jl").read_text(encoding="utf-8").splitlines()
    questions = {str(one["id"]): one["text"] for one in map(json.loads, lines)}
    gold: dict[str, set[str]] = {}
    for line in (folder / "pairs-test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question_id, passage_id, _ = line.split("\t")
        gold.setdefault(question_id, set()).add(passage_id)
    return RealSet(questions, gold, PassageStore.of(read_passages([folder / "passages.jl"])))


def poquad(shared: Path) -> RealSet:
    """PoQuAD's public questions over all its passages."""
    golds = load_poquad(shared)
    return RealSet(
        {one.id: one.question for one in golds},
        {one.id: {one.passage.id} for one in golds},
        PassageStore.of(load_passages(shared)),
    )


def measure(real: RealSet, terms_of: Callable[[str], tuple[str, ...]]) -> dict[str, float]:
    """Percentages of one way to make terms."""
    with mock.patch.object(lexical, "_terms_of", terms_of):
        retriever = LexicalRetriever.in_memory(real.passages)
        rankings = {key: retriever.search(question, DEPTH) for key, question in real.questions.items()}
    scores = score_rankings(rankings, real.gold, tuple(real.questions))
    return {
        "accuracy@1": round(100 * scores["accuracy@1"].value, 2),
        "accuracy@10": round(100 * scores.headline.value, 2),
        "mrr@10": round(100 * scores["mrr@10"].value, 2),
        "ndcg@10": round(100 * scores["ndcg@10"].value, 2),
    }


if __name__ == "__main__":
    main()
