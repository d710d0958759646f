"""The span reader beside the rule reader: `python -m benchmarks.reader_spans --base FOLDER [--record]`.

Held-out PoQuAD questions, right by `poleval` with 95 % intervals: with the passage they were written on, and with the
ten passages BM25 finds in the whole corpus. The questions of both readers that nothing was ever trained or tuned on are
the same. `--speed` alone compares reading ten passages with one plain forward pass of the same encoder over the same
tokens (every window padded to the longest), interleaved, medians; the promise is at most 1.3.

FOLDER holds the encoder (transformers layout), as the package writes it from its embedded weights.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.poquad import Gold, load_passages, load_poquad, shared_folder
from benchmarks.reader_quality import bins, share
from benchmarks.recording import record
from polqa_demo.data.passages import PassageStore
from polqa_demo.evaluation import score_fuzzy_match
from polqa_demo.reading.reader import Reader
from polqa_demo.reading.rules import RuleReader
from polqa_demo.reading.span_model import ADAPTER, load_adapted, padded
from polqa_demo.reading.span_windows import make_windows
from polqa_demo.reading.spans import SpanReader
from polqa_demo.records import Passage
from polqa_demo.retrieval.lexical import LexicalRetriever

PROMISED_RATIO = 1.3

Found = tuple[list[Passage], tuple[float, ...]]


def retrieved(golds: Sequence[Gold], shared: Path) -> list[Found]:
    """Ten passages for each question with their scores."""
    passages = load_passages(shared)
    by_id = {passage.id: passage for passage in passages}
    retriever = LexicalRetriever.in_memory(PassageStore.of(passages))
    rankings = [retriever.search(gold.question, 10) for gold in golds]
    return [([by_id[key] for key in ranking.passage_ids], ranking.scores) for ranking in rankings]


def quality(golds: Sequence[Gold], readers: Sequence[Reader], shared: Path) -> dict[str, object]:
    """Every reader on gold and on retrieved passages, question by question in turn."""
    ten = retrieved(golds, shared)
    verdicts: dict[str, list[bool]] = {}
    sure: dict[str, list[tuple[float, bool]]] = {}
    for gold, (passages, scores) in zip(golds, ten, strict=True):
        for reader in readers:
            for name, answer in (
                (f"{reader.name}, gold passage", reader.read(gold.question, [gold.passage])),
                (f"{reader.name}, ten retrieved", reader.read(gold.question, passages, scores)),
            ):
                right = score_fuzzy_match(answer.text, gold.answers)
                verdicts.setdefault(name, []).append(right)
                sure.setdefault(name, []).append((answer.confidence, right))
    closed = [gold.question.lower().startswith("czy ") for gold in golds]
    result: dict[str, object] = {}
    for name, found in verdicts.items():
        result[name] = {
            "held_out": share(found),
            "without_czy": share([right for right, yes_no in zip(found, closed, strict=True) if not yes_no]),
            "only_czy": share([right for right, yes_no in zip(found, closed, strict=True) if yes_no]),
            "by_confidence": bins(sure[name]),
        }
    found_gold = [any(item.id == gold.passage.id for item in ten[place][0]) for place, gold in enumerate(golds)]
    result["gold passage within ten"] = share(found_gold)
    return result


def speed(golds: Sequence[Gold], base: Path, adapter: Path, shared: Path) -> dict[str, object]:
    """Reading ten passages against one plain forward pass over the same windows in one padded batch."""
    import torch

    model = load_adapted(base, adapter)
    reader = SpanReader(model=model)
    ours, plain = [], []
    for gold, (passages, scores) in zip(golds, retrieved(golds, shared), strict=True):
        windows = make_windows(model.tokenizer, gold.question, passages, model.layout).windows
        batch = padded(windows, model.tokenizer.pad_token_id)
        started = time.perf_counter()
        reader.read(gold.question, passages, scores)
        between = time.perf_counter()
        with torch.inference_mode():
            model.encoder(**batch)
        plain.append(time.perf_counter() - between)
        ours.append(between - started)
    ratios = [one / other for one, other in zip(ours, plain, strict=True)]
    return {
        "questions": len(golds),
        "read_ms_median": round(1000 * median(ours), 1),
        "plain_forward_ms_median": round(1000 * median(plain), 1),
        "ratio_median": round(median(ratios), 3),
        "promised": PROMISED_RATIO,
    }


def main() -> None:
    """Measures, prints, and with --record writes the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=None)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, default=ADAPTER)
    parser.add_argument("--speed", action="store_true", help="only the speed")
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    shared = shared_folder(chosen.shared)
    golds = [gold for gold in load_poquad(shared) if gold.held_out]
    result: dict[str, object] = {"speed": speed(golds[:12], chosen.base, chosen.adapter, shared)}
    if not chosen.speed:
        readers: list[Reader] = [SpanReader(chosen.base, chosen.adapter), RuleReader()]
        result["quality"] = quality(golds, readers, shared)
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if chosen.record:
        record("reader_spans", result)


if __name__ == "__main__":
    main()
