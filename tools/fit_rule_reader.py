"""Refits the weights of the rule reader: `python -m tools.fit_rule_reader --write`.

A conditional log-linear model over the candidate spans of a passage: the spans that are right by `poleval` share the
probability. Every weight is a shared part plus a part for the type of question, both drawn to zero (L2).

Learnt from PolAQ (4,463 Polish questions), the PoQuAD questions that are not held out (933), and 2,366 of another part
of PoQuAD; the held-out ones and the PolAQ articles they come from are never looked at.

What the place of a passage in a list weighs, and its words of the question, is fitted in a second step, over the ten
passages that BM25 finds for those 2,366 questions and the ten that the hybrid retriever finds. The spans' values come
from weights that never saw the question's passage (three folds); the held-out questions' passages are in no list.

It reports how many are right by weights that never saw the question's passage, and writes only with `--write`.
"""

import argparse
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.poquad import Gold, load_more, load_passages, load_poquad, shared_folder
from polqa_demo.evaluation import score_fuzzy_match
from polqa_demo.pipeline import open_pipeline
from polqa_demo.reading.passage_evidence import EVIDENCE, passage_evidence
from polqa_demo.reading.question_types import Asked, understand
from polqa_demo.reading.rules import RuleReader
from polqa_demo.reading.span_features import NAMES, ReadPassage, features, read_passage
from polqa_demo.records import Passage

TYPES = list(Asked)
SHARED_PULL, TYPE_PULL = 3e-4, 3e-3
POLAQ_WEIGHT, POLAQ_WRONG_SPANS = 0.5, 150
MORE_WRONG_SPANS, FOLDS = 200, 3
LISTS, LIST_LENGTH, LIST_SPANS = ("lexical", "hybrid"), 10, 80  # best spans of each passage
PASSAGE_PULL = 1e-3
KEPT_EFFECT = 0.04  # a weight whose column moves no score by more is left out of the table
TARGET = Path(__file__).parents[1] / "polqa_demo" / "reading" / "rule_weights.py"


@dataclass(frozen=True, slots=True)
class Example:
    """One question with the features of its candidate spans and which of them are right."""

    group: str
    weight: float
    asked: Asked
    rows: NDArray[np.float32]
    right: NDArray[np.bool_]


def example(question: str, title: str, text: str, golds: Sequence[str], group: str, weight: float) -> Example:
    """Reads the passage and marks the candidates that `poleval` accepts."""
    understood = understand(question)
    passage = read_passage(text, title)
    places = passage.tokens
    right = [
        score_fuzzy_match(text[places.starts[first] : places.ends[last]], golds)
        for first, last in zip(passage.spans.first, passage.spans.last, strict=True)
    ]
    return Example(group, weight, understood.asked, features(passage, understood), np.array(right, dtype=np.bool_))


def poquad_examples(golds: Sequence[Gold]) -> list[Example]:
    """The questions that are answered with a span."""
    made = [example(g.question, g.passage.title, g.passage.text, g.answers, g.passage.id, 1.0) for g in golds]
    return [item for item in made if item.asked is not Asked.YES_NO]


def polaq_examples(path: Path, left_out: set[str]) -> list[Example]:
    """PolAQ without the left-out articles; of the wrong spans a sample is kept."""
    random = np.random.default_rng(0)
    made = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        title = article["title"].replace("_", " ")
        if title in left_out:
            continue
        for paragraph in article["paragraphs"]:
            golds: dict[str, list[str]] = {}
            for item in paragraph["qas"]:
                golds.setdefault(item["question"], []).extend(answer["text"] for answer in item["answers"])
            for question, answers in golds.items():
                full = example(question, title, paragraph["context"], answers, title, POLAQ_WEIGHT)
                if full.asked is not Asked.YES_NO and full.right.any():
                    made.append(thinned(full, POLAQ_WRONG_SPANS, random))
    return made


def thinned(full: Example, count: int, random: np.random.Generator) -> Example:
    """An example with a sample of its wrong spans."""
    wrong = np.flatnonzero(~full.right)
    wrong = random.choice(wrong, min(len(wrong), count), replace=False)
    kept = np.sort(np.concatenate([np.flatnonzero(full.right), wrong]))
    return Example(full.group, full.weight, full.asked, full.rows[kept], full.right[kept])


def fit(examples: Sequence[Example]) -> NDArray[np.float64]:
    """Weights by type: one row a type, one column a feature."""
    examples = sorted((item for item in examples if item.right.any()), key=lambda item: TYPES.index(item.asked))
    rows = np.concatenate([item.rows for item in examples])
    scale = np.maximum(rows.std(axis=0), 0.02)
    rows /= scale
    right = np.concatenate([item.right for item in examples])
    sizes = np.array([len(item.right) for item in examples])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    weights = np.array([item.weight for item in examples])
    row_weights = np.repeat(weights / weights.sum(), sizes)
    types = np.repeat([TYPES.index(item.asked) for item in examples], sizes)
    slices = [(kind, slice(*np.searchsorted(types, [kind, kind + 1]))) for kind in np.unique(types)]

    def shares(scores: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        top = np.maximum.reduceat(scores, starts)
        raised = np.exp(scores - np.repeat(top, sizes))
        total = np.add.reduceat(raised, starts) + 1e-30
        return raised / np.repeat(total, sizes), np.log(total) + top

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        table = flat.reshape(len(TYPES) + 1, -1)
        scores = np.zeros(len(rows), dtype=np.float32)
        for kind, part in slices:
            scores[part] = rows[part] @ (table[0] + table[kind + 1]).astype(np.float32)
        every, log_every = shares(scores)
        accepted, log_accepted = shares(np.where(right, scores, np.float32(-1e4)))
        pulls = np.full((len(TYPES) + 1, 1), TYPE_PULL)
        pulls[0] = SHARED_PULL
        slope = 2 * pulls * table
        pushed = ((every - accepted) * row_weights).astype(np.float32)
        for kind, part in slices:
            push = pushed[part] @ rows[part]
            slope[0] += push
            slope[kind + 1] += push
        value = float(((log_every - log_accepted) * weights).sum() / weights.sum() + (pulls * table**2).sum())
        return value, slope.ravel()

    found = minimize(
        loss, np.zeros((len(TYPES) + 1) * len(NAMES)), jac=True, method="L-BFGS-B", options={"maxiter": 80}
    )
    table = found.x.reshape(len(TYPES) + 1, -1)
    table[np.abs(table) < KEPT_EFFECT] = 0
    return np.asarray(table / scale)


@dataclass(frozen=True, slots=True)
class ListExample:
    """One question over a list of passages: its best spans, their values and passages' evidence, which are right."""

    values: NDArray[np.float64]
    evidence: NDArray[np.float64]
    right: NDArray[np.bool_]


def list_example(reader: RuleReader, question: str, passages: Sequence[Passage], golds: Sequence[str]) -> ListExample:
    """Reads a list of passages as the reader does."""
    understood = understand(question)
    texts = [read_passage(passage.text, passage.title) for passage in passages]
    columns = passage_evidence(texts, understood)
    values, rows, right = [np.zeros(0)], [np.zeros((0, len(EVIDENCE)))], [False]
    for text, passage, evidence in zip(texts, passages, columns, strict=True):
        found, _ = reader.span_values(understood, text)
        best = np.argsort(-found, kind="stable")[:LIST_SPANS]
        values.append(found[best])
        rows.append(np.repeat(evidence[None], len(best), axis=0))
        right += [score_fuzzy_match(span_text(passage, text, int(row)), golds) for row in best]
    return ListExample(np.concatenate(values), np.concatenate(rows), np.array(right[1:], dtype=np.bool_))


def span_text(passage: Passage, text: ReadPassage, row: int) -> str:
    """A candidate span as it is written."""
    return passage.text[text.tokens.starts[text.spans.first[row]] : text.tokens.ends[text.spans.last[row]]]


def found_lists(
    shared: Path, golds: Sequence[Gold], asked: Sequence[Gold]
) -> Iterator[tuple[str, list[list[Passage]]]]:
    """For each retriever the passages of every question, best first, out of both parts of PoQuAD.

    Those that held-out questions were written on are left out.
    """
    banned = {gold.passage.id for gold in golds if gold.held_out}
    kept = [passage for passage in load_passages(shared) if passage.id not in banned]
    with TemporaryDirectory() as folder:
        corpus = Path(folder) / "passages.jsonl"
        rows = "".join(json.dumps(asdict(passage), ensure_ascii=False) + "\n" for passage in kept)
        corpus.write_text(rows, encoding="utf-8")
        for name in LISTS:
            files = [corpus, shared / "data" / "poquad-more" / "passages.jsonl"]
            pipeline = open_pipeline(files, retriever=name, reader="rules")
            yield name, [[hit.passage for hit in pipeline.retrieve(gold.question, LIST_LENGTH)] for gold in asked]


def list_examples(
    readers: Sequence[RuleReader], golds: Sequence[Gold], lists: Sequence[Sequence[Passage]]
) -> Iterator[ListExample]:
    """The lists that hold a right span, for questions that are answered with one; each read by its fold's reader."""
    for gold, passages in zip(golds, lists, strict=True):
        if understand(gold.question).asked not in (Asked.YES_NO, Asked.CHOICE):
            made = list_example(readers[fold_of(gold.passage.id)], gold.question, passages, gold.answers)
            if made.right.any():
                yield made


def fold_of(group: str) -> int:
    """The fold of all questions about a passage."""
    return zlib.crc32(group.encode()) % FOLDS


def fit_passages(lists: Sequence[ListExample]) -> dict[str, float]:
    """Weights of `EVIDENCE` in the unit of the spans' values, whose own scale is fitted beside them."""
    sizes = np.array([len(item.values) for item in lists])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    columns = np.column_stack(
        [np.concatenate([item.values for item in lists]), np.concatenate([item.evidence for item in lists])]
    )
    columns[:, 0] -= np.repeat(np.maximum.reduceat(columns[:, 0], starts), sizes)
    right = np.concatenate([item.right for item in lists])

    def shares(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        top = np.maximum.reduceat(scores, starts)
        raised = np.exp(scores - np.repeat(top, sizes))
        total = np.add.reduceat(raised, starts)
        return raised / np.repeat(total, sizes), np.log(total) + top

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = columns @ weights
        every, log_every = shares(scores)
        accepted, log_accepted = shares(np.where(right, scores, -1e6))
        pull = PASSAGE_PULL * np.array([0.0, *weights[1:]])
        slope = columns.T @ (every - accepted) / len(lists) + 2 * pull
        return float((log_every - log_accepted).mean() + pull @ weights), slope

    found = minimize(loss, np.array([0.5, *np.zeros(len(EVIDENCE))]), jac=True, method="L-BFGS-B").x
    return dict(zip(EVIDENCE, (found[1:] / found[0]).tolist(), strict=True))


def count_right(readers: Sequence[RuleReader], golds: Sequence[Gold], lists: Sequence[Sequence[Passage]]) -> int:
    """How many questions are answered right with a list of passages each, by the reader of the fold."""
    return sum(
        score_fuzzy_match(readers[fold_of(gold.passage.id)].read(gold.question, passages).text, gold.answers)
        for gold, passages in zip(golds, lists, strict=True)
    )


def summed(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of each type with the shared ones, as the reader takes them."""
    return np.asarray(table[0] + table[1:])


def write(
    shared_weights: Mapping[str, float], by_type: Mapping[str, Mapping[str, float]], passages: Mapping[str, float]
) -> None:
    """Writes the tables as the module the reader imports."""
    lines = [
        '"""Weights of the rule reader, written by `python -m tools.fit_rule_reader --write`; not by hand.',
        "",
        "`SHARED` holds for every question, `BY_TYPE` is added for the type asked; absent names weigh 0. `PASSAGES` is",
        "for the columns of `passage_evidence`, in the same unit.",
        '"""',
        "",
    ]
    lines += ["# fmt: off", "PASSAGES: dict[str, float] = {", *_entries(passages, "    "), "}", ""]
    lines += ["SHARED: dict[str, float] = {", *_entries(shared_weights, "    "), "}", ""]
    lines += ["BY_TYPE: dict[str, dict[str, float]] = {"]
    for kind, row in by_type.items():
        lines += [f'    "{kind}": {{', *_entries(row, "        "), "    },"]
    TARGET.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


def named(row: NDArray[np.float64]) -> dict[str, float]:
    """The weights of one row that are not 0."""
    return {name: float(weight) for name, weight in zip(NAMES, row, strict=True) if round(float(weight), 2)}


def _entries(row: Mapping[str, float], indent: str) -> list[str]:
    lines, line = [], indent
    for name, weight in row.items():
        entry = f'"{name}": {weight:.2f}, '
        if len(line) + len(entry) > 120:
            lines.append(line.rstrip())
            line = indent
        line += entry
    return [*lines, line.rstrip()]


def main() -> None:
    """Cross-validates, or fits on everything that may be seen and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=None)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    shared = shared_folder(chosen.shared)
    golds, more = load_poquad(shared), load_more(shared)
    seen = [gold for gold in golds if not gold.held_out]
    left_out = {gold.passage.title for gold in golds if gold.held_out}
    random = np.random.default_rng(0)
    polaq = polaq_examples(shared / "data" / "polaq" / "polaq_manual_part.json", left_out)
    poquad = poquad_examples(seen)
    poquad += [thinned(item, MORE_WRONG_SPANS, random) for item in poquad_examples(more) if item.right.any()]
    print(f"{len(poquad)} PoQuAD and {len(polaq)} PolAQ questions")
    folds = [summed(fit([*(item for item in poquad if fold_of(item.group) != fold), *polaq])) for fold in range(FOLDS)]
    found = dict(found_lists(shared, golds, more))
    readers = [RuleReader(table) for table in folds]
    lists = [made for passages in found.values() for made in list_examples(readers, more, passages)]
    weights = fit_passages(lists)
    print(f"{len(lists)} lists with a right span: {weights}")
    if chosen.write:
        table = fit([*poquad, *polaq])
        by_type = {str(kind): row for kind, row in zip(TYPES, map(named, table[1:]), strict=True) if row}
        write(named(table[0]), by_type, weights)
    readers = [RuleReader(table, weights) for table in folds]
    print("right, by weights that never saw the question's passage:")
    print(f"  PoQuAD, its passage: {count_right(readers, seen, [[gold.passage] for gold in seen])} of {len(seen)}")
    print(f"  more, its passage: {count_right(readers, more, [[gold.passage] for gold in more])} of {len(more)}")
    for name, passages in found.items():
        print(f"  more, ten by {name}: {count_right(readers, more, passages)} of {len(more)}")


if __name__ == "__main__":
    main()
