"""Trains the adapter of question vectors: `train_retriever`, what `python -m tools.train retriever` runs.

The encoder stays as it is; its vectors are made once, and a linear map of the question's vector is learnt that brings
it nearer to its passage than to all other passages of the collection (InfoNCE over the whole collection instead of
mined negatives, which are among them anyway; A. van den Oord, Y. Li, O. Vinyals, arXiv:1807.03748). The map starts as
the identity and is held near it. Vectors of passages do not change, so indexes need not be built again.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polqa_demo.errors import UserError
from polqa_demo.retrieval.encoders import Encoder
from tools.retriever.adapter import LinearMap, save_adapter
from tools.retriever.card import write_card
from tools.retriever.data import Domain, TextSet, domains_of, kept_for_development, read_text_sets

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float32]
Progress = Callable[[int, int, float], None]
"""As that of the reader's training: units done, all units, the mean loss; here passages encoded, and no loss yet."""

_WARM_UP = 10


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what comes out, beside data and encoder. Chosen on PolAQ and XQuAD by articles left out.

    `near` is the weight of the squared distance from the identity, divided by the dimension.
    """

    seed: int = 0
    epochs: int = 3
    rate: float = 1e-3
    temperature: float = 0.02
    near: float = 1000.0
    batch: int = 256
    dev_share: float = 0.15


@dataclass(frozen=True, slots=True)
class Pairs:
    """What is trained on: question vectors (n, d), passage vectors (m, d), the passage's row of each question."""

    questions: Floats
    passages: Floats
    gold: NDArray[np.int64]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class DevScore:
    """Ranks (from 1) of the gold passages of development questions among all passages, before and after."""

    name: str
    before: NDArray[np.int64]
    after: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training came to: the folder, the number of questions, and the scores by domain."""

    folder: Path
    questions: int
    dev: tuple[DevScore, ...]


def train_retriever(
    data: Sequence[Path],
    out: Path,
    encoder: Encoder,
    progress: Progress | None = None,
    left_out: Collection[str] = (),
    recipe: Recipe | None = None,
) -> Trained:
    """Trains on the data files and writes the adapter with its model card to the folder `out`.

    Questions whose ids are `left_out` are neither trained on nor looked at. A part of the articles is kept for
    development: their passages are no part of the training, and the card tells how they score.

    `progress` is told passages encoded and all passages; the training after that takes seconds.

    Raises:
        UserError: the data cannot be used, the encoder fails on them, or `out` cannot be written.
    """
    recipe = recipe or Recipe()
    sets = read_text_sets(data, left_out)
    _make(out)  # before the long work
    domains = domains_of(sets)
    vectors = _encode(sets, encoder, progress)
    parted = [_part(domain, sets, vectors, recipe) for domain in domains]
    change = fit([pairs for pairs, _ in parted if len(pairs.gold)], recipe)
    save_adapter(out, encoder.name, {"queries": change})
    dev = tuple(
        DevScore(domain.name, _ranks(kept, None), _ranks(kept, change))
        for domain, (_, kept) in zip(domains, parted, strict=True)
        if len(kept.gold)
    )
    count = sum(len(pairs.gold) for pairs, _ in parted)
    write_card(out, data, encoder.name, asdict(recipe), count, dev)
    return Trained(out, count, dev)


def fit(pairs: Sequence[Pairs], recipe: Recipe) -> LinearMap:
    """The map of question vectors; the same for the same seed.

    Raises ValueError when there are no pairs.
    """
    import torch

    if not pairs:
        message = "there is nothing to train on"
        raise ValueError(message)
    dimension = pairs[0].questions.shape[1]
    matrix = torch.zeros(dimension, dimension, requires_grad=True)
    shift = torch.zeros(dimension, requires_grad=True)
    optimizer = torch.optim.Adam([matrix, shift], lr=recipe.rate)
    tensors = [_tensors(one) for one in pairs]
    steps = _steps([len(one.gold) for one in pairs], recipe)
    for done, (place, rows) in enumerate(steps):
        questions, passages, gold = tensors[place]
        asked = questions[rows]
        changed = torch.nn.functional.normalize(asked + asked @ matrix + shift)
        likeness = changed @ passages.T / recipe.temperature
        loss = pairs[place].weight * torch.nn.functional.cross_entropy(likeness, gold[rows])
        held = loss + recipe.near * ((matrix**2).sum() + (shift**2).sum()) / dimension
        optimizer.param_groups[0]["lr"] = recipe.rate * min(1.0, (done + 1) / _WARM_UP) * (1 - done / len(steps))
        optimizer.zero_grad()
        held.backward()
        optimizer.step()
    return LinearMap(matrix.detach().numpy(), shift.detach().numpy())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "README.md").touch()
    except OSError as error:
        raise UserError(
            "train-unwritable",
            f"Nie można pisać w folderze {folder}: {error.strerror or error}. Podaj inny folder (--out).",
            f"The folder {folder} cannot be written: {error.strerror or error}. Give another one (--out).",
        ) from error


def _encode(sets: Sequence[TextSet], encoder: Encoder, progress: Progress | None) -> list[tuple[Floats, Floats]]:
    """Vectors of questions and passages, set by set."""
    total, before = sum(len(one.passages) for one in sets), 0
    vectors = []
    for one in sets:
        told = partial(_tell, progress, before, total) if progress else None
        vectors.append((encoder.encode_queries(one.questions), encoder.encode_passages(one.passages, told)))
        before += len(one.passages)
    return vectors


def _tell(progress: Progress, before: int, total: int, done: int, _: int | None) -> None:
    progress(before + done, total, math.nan)


def _tensors(pairs: Pairs) -> "tuple[torch.Tensor, torch.Tensor, torch.Tensor]":
    import torch

    arrays = (pairs.questions, pairs.passages, pairs.gold)
    first, second, third = (torch.from_numpy(np.array(array)) for array in arrays)
    return first, second, third


def _steps(sizes: Sequence[int], recipe: Recipe) -> list[tuple[int, NDArray[np.int64]]]:
    """Batches of one domain each (its place, rows), the domains mixed within every epoch."""
    chance = np.random.default_rng(recipe.seed)
    steps: list[tuple[int, NDArray[np.int64]]] = []
    for _ in range(recipe.epochs):
        epoch = []
        for place, size in enumerate(sizes):
            order = chance.permutation(size)
            epoch += [(place, order[start : start + recipe.batch]) for start in range(0, size, recipe.batch)]
        steps += [epoch[number] for number in chance.permutation(len(epoch))]
    return steps


def _part(
    domain: Domain, sets: Sequence[TextSet], vectors: Sequence[tuple[Floats, Floats]], recipe: Recipe
) -> tuple[Pairs, Pairs]:
    """What is trained on, without the passages kept for development; and the questions kept, over all passages."""
    kept = kept_for_development(domain, sets, recipe.seed, recipe.dev_share)
    questions = vectors[domain.asked][0][list(domain.rows)]
    passages = vectors[domain.searched][1]
    gold = np.array(domain.gold, np.int64)
    dev = np.isin(gold, sorted(kept))
    trained_on = np.array([row not in kept for row in range(len(passages))])
    new_row = np.cumsum(trained_on) - 1
    train = Pairs(questions[~dev], passages[trained_on], new_row[gold[~dev]], domain.weight)
    return train, Pairs(questions[dev], passages, gold[dev])


def _ranks(pairs: Pairs, change: LinearMap | None) -> NDArray[np.int64]:
    questions = change(pairs.questions) if change else pairs.questions
    scores = questions @ pairs.passages.T
    own = scores[np.arange(len(scores)), pairs.gold]
    return np.asarray((scores > own[:, None]).sum(axis=1) + 1, np.int64)
