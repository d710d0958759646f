"""Claim: a corpus is encoded at 1.5 times the rate of plain sentence-transformers or more, at a cosine of 0.999.

Ours: `encode_corpus`, which `encode_passages` calls (batches of like length by a budget of tokens, bfloat16 where the
processor has it). The peer: `SentenceTransformer.encode(batch_size=32)` in float32 with the same weights, on the same
prefixed texts. Both in one process with as many threads, in turns; medians of the rounds. Ratios are told by the wall
clock and by the processor time of the process, which depends less on what else runs on the machine.

On a processor without bfloat16 little of the gain is left. `--shared DIR` or POLQA_SHARED names the folder of real data
(PoQuAD's passages).
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.poquad import load_passages, shared_folder
from benchmarks.recording import record
from polqa_demo.models.device import has_bfloat16
from polqa_demo.records import Passage
from polqa_demo.retrieval.corpus_encoding import encode_corpus
from polqa_demo.retrieval.embedded_weights import embedded_folder
from polqa_demo.retrieval.known_models import E5
from polqa_demo.retrieval.model_encoder import ModelEncoder
from polqa_demo.settings import settings

CLAIM, COSINE = 1.5, 0.999
Vectors = NDArray[np.float32]


def main() -> None:
    """Measures, prints, and ends with 1 when the claim does not hold."""
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    asked = arguments()
    torch.set_num_threads(asked.threads)
    passages = corpus(asked.shared, asked.passages)
    texts = [E5.passage(passage) for passage in passages]
    folder = embedded_folder(asked.cache)
    ours = ModelEncoder("multilingual-e5-small", folder, E5, "benchmark", asked.cache)
    peer = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    ways: dict[str, Callable[[], Vectors]] = {
        # Nothing is kept on disk, so no round can read what another has encoded.
        "ours": lambda: encode_corpus(passages, E5, ours),
        "sentence-transformers": lambda: np.asarray(peer.encode(texts, batch_size=32, show_progress_bar=False)),
    }
    cosines, wall, processor = measure(ways, asked.rounds)
    tokens = statistics.mean(ours.lengths(texts))
    result = summary(wall, processor, cosines, len(passages)) | {
        "passages": len(passages),
        "tokens_per_passage": round(tokens, 1),
        "threads": asked.threads,
        "bfloat16": has_bfloat16(),
    }
    for name, value in result.items():
        print(f"{name}: {value}")
    if asked.record:
        record("corpus_encoding", result)
    if not (result["ratio"] >= CLAIM and result["mean_cosine"] >= COSINE):
        raise SystemExit(f"the claim does not hold: ratio {result['ratio']} (claimed {CLAIM})")


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--cache", type=Path, default=settings().cache_dir)
    parser.add_argument("--passages", type=int, default=192)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--record", action="store_true")
    return parser.parse_args()


def corpus(shared: Path | None, count: int) -> list[Passage]:
    """The first passages of a fixed shuffle."""
    passages = load_passages(shared_folder(shared))
    random.Random(0).shuffle(passages)
    return passages[:count]


def measure(
    ways: dict[str, Callable[[], Vectors]], rounds: int
) -> tuple[NDArray[np.float64], dict[str, list[float]], dict[str, list[float]]]:
    """Each way once to warm up, then in turns; cosines between the two, seconds by wall and by processor time."""
    first = [way().astype(np.float64) for way in ways.values()]
    unit = [vectors / np.linalg.norm(vectors, axis=1, keepdims=True) for vectors in first]
    wall: dict[str, list[float]] = {name: [] for name in ways}
    processor: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            clock, work = time.perf_counter(), time.process_time()
            way()
            wall[name].append(time.perf_counter() - clock)
            processor[name].append(time.process_time() - work)
    return np.sum(unit[0] * unit[1], axis=1), wall, processor


def summary(
    wall: dict[str, list[float]], processor: dict[str, list[float]], cosines: NDArray[np.float64], count: int
) -> dict[str, float]:
    """Rates and ratios. The ratio is the median over rounds, whose halves stand beside each other in time."""
    peer = "sentence-transformers"
    ratios = [theirs / ours for ours, theirs in zip(wall["ours"], wall[peer], strict=True)]
    work = [theirs / ours for ours, theirs in zip(processor["ours"], processor[peer], strict=True)]
    return {
        "ratio": round(statistics.median(ratios), 2),
        "ratio_processor_time": round(statistics.median(work), 2),
        "passages_per_second": round(count / statistics.median(wall["ours"]), 1),
        "peer_passages_per_second": round(count / statistics.median(wall[peer]), 1),
        "mean_cosine": round(float(cosines.mean()), 6),
        "lowest_cosine": round(float(cosines.min()), 6),
    }


if __name__ == "__main__":
    main()
