"""Trains the span reader's adapter: `train_reader`, what `python -m tools.train reader` runs.

Two stages. First every question beside its own passage: the reader learns to point. Then the Polish ones beside
passages that BM25 takes for theirs as well: first and last token are normalised over all windows of a question
(C. Clark and M. Gardner, Simple and effective multi-paragraph reading comprehension, ACL 2018), so that scores compare
across passages. A head on the first token learns which window answers, another tells "nie" from "tak".
"""

import hashlib
import json
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polqa_demo.errors import UserError
from polqa_demo.polish.words import looks_polish
from polqa_demo.reading.span_decoding import Weighing
from polqa_demo.reading.span_model import Calibration, padded
from polqa_demo.reading.span_windows import Layout, Window
from tools.reader.batches import Group, Negatives, make_batches, make_groups
from tools.reader.card import write_card
from tools.reader.data import Example, Read, read_examples
from tools.reader.export import write_adapter
from tools.reader.fit import DevScore, fit
from tools.reader.trunk import Trunk

if TYPE_CHECKING:
    import torch

    Tensor = torch.Tensor

Progress = Callable[[int, int, float], None]
"""Called with steps done, all steps, and the mean loss of the last steps."""

CHECKPOINT = "checkpoint.safetensors"
_TOLD, _SAVED = 10, 50  # steps between calls of `progress`, and between checkpoints
_MASKED = -1e4
_WHICH_WEIGHT, _NO_WEIGHT = 0.3, 0.5  # of the two heads' losses beside the span's
_HEAD_RATE = 0.5  # learning rate of the heads against the adapter's
_WARM_UP = 40
_KEPT_WINDOWS = 12_000  # whose states are kept for the next epoch: some 2 GB


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what comes out, beside data and encoder.

    `rates` are the learning rates of the two stages, each falling to zero; `tokens` is the size of a batch; `pointing`
    and `comparing` are the epochs of the stages, `compared` the share of questions that stand beside `wrong` other
    passages in the second; questions of PoQuAD's form are shown `repeats` times an epoch.
    """

    seed: int = 0
    lowest: int = 4
    rank: int = 16
    alpha: int = 32
    rates: tuple[float, float] = (1.2e-3, 8e-4)
    tokens: int = 3_000
    pointing: float = 1.0
    comparing: float = 2.0
    compared: float = 0.5
    wrong: int = 1
    repeats: int = 2
    dev_share: float = 0.2
    layout: Layout = field(default_factory=lambda: Layout(prefix="query: ", with_title=True))
    weighing: Weighing = field(default_factory=lambda: Weighing(rules=0.75, temperature=1.5))


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training came to: the adapter's folder, steps and questions, and the score on the development part."""

    folder: Path
    steps: int
    questions: int
    dev: DevScore | None


def train_reader(
    data: Sequence[Path],
    out: Path,
    base: Path,
    progress: Progress | None = None,
    left_out: Collection[str] = (),
    recipe: Recipe | None = None,
) -> Trained:
    """Trains on the data files and writes the adapter to the folder `out`; resumes a run that was cut off there.

    `base` is the encoder's folder (transformers layout); questions whose ids are `left_out` are neither trained on nor
    looked at. A part of the questions with ids of their own passages is kept for development: calibration, card.

    :raises UserError: data or encoder cannot be used, the folder holds a checkpoint of another training
    """
    import torch
    from transformers import AutoTokenizer

    recipe = recipe or Recipe()
    read = read_examples(data, left_out)
    trained_on, dev = _part(read, recipe)
    torch.manual_seed(recipe.seed)
    trunk = Trunk(base, recipe.lowest, recipe.rank, recipe.alpha)
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True, trust_remote_code=False)
    out.mkdir(parents=True, exist_ok=True)
    plan = _plan(trained_on, read, dev, tokenizer, recipe)
    mark = _fingerprint(data, left_out, recipe)
    done = _Run(trunk, plan, recipe, out / CHECKPOINT, mark, progress).all()
    write_adapter(out, trunk, recipe.layout, recipe.weighing, Calibration())
    score = fit(out, base, dev) if dev else None
    if score is not None:
        write_adapter(out, trunk, recipe.layout, recipe.weighing, score.calibration)
    write_card(out, data, asdict(recipe), len(trained_on), read.unanswerable, len(left_out), done, score)
    (out / CHECKPOINT).unlink(missing_ok=True)
    return Trained(out, done, len(trained_on), score)


def _part(read: Read, recipe: Recipe) -> tuple[list[Example], list[Example]]:
    """Training and development examples; whole articles of PoQuAD's form go to development, by a hash of the title."""
    trained_on: list[Example] = []
    dev: list[Example] = []
    for example in read.examples:
        digest = hashlib.sha256(f"{recipe.seed}{example.passage.title}".encode()).digest()
        chosen = example.from_rows and digest[0] < 256 * recipe.dev_share
        (dev if chosen else trained_on).append(example)
    return trained_on, dev


@dataclass(frozen=True, slots=True)
class _Stage:
    batches: tuple[tuple[Group, ...], ...]
    rate: float


def _plan(
    trained_on: Sequence[Example], read: Read, dev: Sequence[Example], tokenizer: Any, recipe: Recipe
) -> list[_Stage]:
    """The batches of both stages, the same for the same seed."""
    chance = random.Random(recipe.seed)  # noqa: S311 (no secret: the order of a training)
    stages = []
    repeated = [item for item in trained_on for _ in range(recipe.repeats if item.from_rows else 1)]
    groups = make_groups(repeated, tokenizer, recipe.layout, chance)
    stages.append(_Stage(_epochs(groups, recipe.pointing, recipe.tokens, chance), recipe.rates[0]))
    kept = {example.passage.id for example in dev}
    pool = {key: passage for key, passage in read.passages.items() if key not in kept}
    if recipe.comparing and recipe.wrong:
        beside = [item for item in repeated if looks_polish(item.question)]
        groups = make_groups(beside, tokenizer, recipe.layout, chance, Negatives(pool), recipe.wrong, recipe.compared)
        stages.append(_Stage(_epochs(groups, recipe.comparing, recipe.tokens, chance), recipe.rates[1]))
    return stages


def _epochs(
    groups: Sequence[Group], epochs: float, tokens: int, chance: random.Random
) -> tuple[tuple[Group, ...], ...]:
    batches: list[tuple[Group, ...]] = []
    left = epochs
    while left > 0:
        once = make_batches(groups, tokens, chance)
        batches += [tuple(batch) for batch in once[: round(len(once) * min(left, 1.0))]]
        left -= 1
    return tuple(batches)


def _fingerprint(data: Sequence[Path], left_out: Collection[str], recipe: Recipe) -> str:
    told = [[path.name, path.stat().st_size] for path in data]
    text = json.dumps([told, sorted(left_out), asdict(recipe)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class _Run:
    """The steps of a training, with its optimiser and checkpoint."""

    def __init__(
        self,
        trunk: Trunk,
        plan: Sequence[_Stage],
        recipe: Recipe,
        checkpoint: Path,
        mark: str,
        progress: Progress | None,
    ) -> None:
        import torch

        self._trunk, self._plan, self._recipe = trunk, plan, recipe
        self._checkpoint, self._mark, self._progress = checkpoint, mark, progress
        named = trunk.parameters()
        heads = [weights for name, weights in named.items() if name not in trunk.lora]
        groups = [{"params": list(trunk.lora.values())}, {"params": heads}]
        self._optimizer = torch.optim.AdamW(groups, lr=recipe.rates[0], weight_decay=0.01)
        self._below: dict[Window, Tensor] = {}
        self._losses: list[float] = []

    def all(self) -> int:
        """Runs what is not done yet; the number of steps of the whole training."""
        total = sum(len(stage.batches) for stage in self._plan)
        done = self._resume()
        step = 0
        for stage in self._plan:
            self._below.clear()
            for place, batch in enumerate(stage.batches):
                step += 1
                if step <= done:
                    continue
                left = 1 - place / len(stage.batches)
                self._step(batch, stage.rate * min(1.0, (place + 1) / _WARM_UP) * max(left, 0.01))
                if self._progress is not None and (step % _TOLD == 0 or step == total):
                    self._progress(step, total, sum(self._losses[-_TOLD:]) / len(self._losses[-_TOLD:]))
                if step % _SAVED == 0 or step == total:
                    self._save(step)
        return total

    def _step(self, batch: Sequence[Group], rate: float) -> None:
        import torch

        for group, share in zip(self._optimizer.param_groups, (1.0, _HEAD_RATE), strict=True):
            group["lr"] = rate * share
        loss = batch_loss(batch, *self._forward([window for group in batch for window in group.windows]))
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(self._trunk.parameters().values()), 1.0)
        self._optimizer.step()
        self._losses.append(float(loss.detach()))

    def _forward(self, windows: Sequence[Window]) -> "tuple[Tensor, Tensor, Tensor]":
        """Logits of a batch; tokens outside of the passages' text are far below all others."""
        import torch

        below = {window: self._below[window] for window in windows if window in self._below}
        new = [window for window in dict.fromkeys(windows) if window not in below]
        if new:
            batch = padded(new, 0)
            with torch.no_grad():
                states = self._trunk.below(batch["input_ids"], batch["attention_mask"])
            for row, window in enumerate(new):
                below[window] = states[row, : len(window.ids)].clone()
            if len(self._below) < _KEPT_WINDOWS:
                self._below |= below
        length = max(len(window.ids) for window in windows)
        states = torch.zeros(len(windows), length, self._trunk.hidden, dtype=torch.bfloat16)
        mask = torch.zeros(len(windows), length, dtype=torch.long)
        inside = torch.zeros(len(windows), length, dtype=torch.bool)
        for row, window in enumerate(windows):
            states[row, : len(window.ids)] = below[window]
            mask[row, : len(window.ids)] = 1
            inside[row, window.first : window.first + len(window.offsets)] = True
        start, end, whole = self._trunk.above(states, mask)
        return start.masked_fill(~inside, _MASKED), end.masked_fill(~inside, _MASKED), whole

    def _save(self, step: int) -> None:
        from safetensors.torch import save_file

        values = {f"weights/{name}": weights.detach() for name, weights in self._trunk.parameters().items()}
        for name, weights in self._trunk.parameters().items():
            state = self._optimizer.state[weights]
            values |= {f"{part}/{name}": state[part] for part in ("exp_avg", "exp_avg_sq", "step")}
        fresh = self._checkpoint.with_suffix(".part")
        save_file(values, fresh, metadata={"step": str(step), "training": self._mark})
        fresh.replace(self._checkpoint)

    def _resume(self) -> int:
        """Takes over the checkpoint, if there is one; the number of steps it has behind it."""
        if not self._checkpoint.is_file():
            return 0
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(str(self._checkpoint), "pt") as file:
                told: Mapping[str, str] = file.metadata() or {}
                values = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
        except (OSError, SafetensorError) as error:
            raise _foreign(self._checkpoint) from error
        if told.get("training") != self._mark:
            raise _foreign(self._checkpoint)
        named = self._trunk.parameters()
        self._trunk.load({name: values[f"weights/{name}"] for name in named})
        for name, weights in named.items():
            self._optimizer.state[weights] = {
                part: values[f"{part}/{name}"] for part in ("exp_avg", "exp_avg_sq", "step")
            }
        return int(told["step"])


def batch_loss(batch: Sequence[Group], start: "Tensor", end: "Tensor", whole: "Tensor") -> "Tensor":
    """The loss of groups whose windows are the rows of the logits, group by group, right window first.

    Spans: negative log of the share that the answer's tokens have of all tokens of the group. Windows: binary
    cross-entropy of the right one against the wrong ones. Yes/no: cross-entropy of "tak" and "nie".
    """
    import torch
    from torch.nn import functional

    starts, ends = start.logsumexp(1), end.logsumexp(1)
    losses, wanted, row = [], torch.zeros(len(start)), 0
    for group in batch:
        rows = slice(row, row + len(group.windows))
        wanted[row] = 1
        if group.no is None:
            first = starts[rows].logsumexp(0) - start[row, list(group.first)].logsumexp(0)
            last = ends[rows].logsumexp(0) - end[row, list(group.last)].logsumexp(0)
            losses.append((first + last) / 2)
        else:
            losses.append(_NO_WEIGHT * functional.cross_entropy(whole[row, 1:], torch.tensor(int(group.no))))
        row = rows.stop
    which = functional.binary_cross_entropy_with_logits(whole[:, 0], wanted)
    return torch.stack(losses).mean() + _WHICH_WEIGHT * which


def _foreign(checkpoint: Path) -> UserError:
    return UserError(
        "train-checkpoint",
        f"Plik {checkpoint} jest uszkodzony albo pochodzi z innego treningu. Usuń go albo wybierz inny folder.",
        f"The file {checkpoint} is damaged or belongs to another training. Delete it, or choose another folder.",
    )
