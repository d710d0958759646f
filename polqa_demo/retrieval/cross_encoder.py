"""Cross-encoders: a network reads question and passage together and says how well they fit.

Any of the hub or of a folder does that sentence-transformers can load, such as sdadas/polish-reranker-roberta-v2. None
of the model's own code is run.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polqa_demo.errors import Bilingual, UserError, first_few
from polqa_demo.library_failures import library_failures
from polqa_demo.library_notices import without_notices
from polqa_demo.models import refusals
from polqa_demo.models.device import computing_device, placement
from polqa_demo.models.folders import usable_folder
from polqa_demo.models.kinds import WORDS
from polqa_demo.models.lengths import most_tokens, token_counter
from polqa_demo.models.roles import RERANKER
from polqa_demo.models.snapshots import files_mark
from polqa_demo.records import Passage
from polqa_demo.retrieval.corpus_encoding import BATCH_TOKENS, batches_by_length
from polqa_demo.retrieval.known_models import readable

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

Pair = tuple[str, str]
# Of two labels, the one that says that a passage fits, by its name; unnamed ones (LABEL_0, LABEL_1) have it second,
# as monoBERT (Nogueira and Cho 2019, arXiv:1901.04085).
_FITTING = frozenset({"relevant", "yes", "true", "match", "1", "label_1"})
_UNFIT = frozenset({"irrelevant", "not_relevant", "not relevant", "non-relevant", "no", "false", "0", "label_0"})


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Pairs of question and passage that were scored, and how many of them were longer than the model reads."""

    scored: int = 0
    cut: int = 0


class CrossEncoderScorer:
    """A cross-encoder; a `PairScorer`. Calls from several threads wait for one another: one uses all cores.

    Scores are the network's own numbers in float32, before any activation: a sigmoid makes equals of all that are
    large, and so does bfloat16. `fingerprint` changes whenever the scores would: with the model's files, or its commit
    at the hub. `max_tokens` is the model's length for question and passage together.
    """

    def __init__(self, model: "CrossEncoder", name: str, fitting: int | None = None, fingerprint: str = "") -> None:
        """Takes a model that is loaded; `fitting` is the label that says so, of two (None: the model gives a score)."""
        self.name = name
        self.fingerprint = fingerprint
        self.max_tokens = most_tokens(model.max_seq_length, model.config)
        model.max_seq_length = self.max_tokens
        self._model = model
        self._fitting = fitting
        self._lengths = _pair_lengths(model)
        self._counts = PairCounts()
        self._lock = Lock()

    @classmethod
    def open(cls, name: str, device: str | None = None) -> "CrossEncoderScorer":
        """Load a cross-encoder by its folder or its name at the hub, which may end in `@revision`.

        :raises UserError: it is in no folder and not cached and the hub cannot be reached, its weights are no
            safetensors, or it is no reranker
        """
        folder, _ = usable_folder(name, RERANKER)
        model = _load(name, folder, device or computing_device())
        return cls(model, name, _fitting_label(name, model), f"{files_mark(folder)}-raw")

    @property
    def counts(self) -> PairCounts:
        """What was scored until now."""
        return self._counts

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """What the model gives for question and passage, the title standing before the text.

        :raises UserError: the model breaks down, or a score is not finite
        """
        asked = readable(question)
        pairs = [(asked, readable(f"{passage.title}\n{passage.text}").strip()) for passage in passages]
        if not pairs:
            return []
        with self._lock, library_failures(lambda reason: _failed(self.name, reason)):
            lengths = self._lengths(pairs)
            found = self._scores(pairs, [min(length, self.max_tokens) for length in lengths])
            cut = sum(length > self.max_tokens for length in lengths)
            self._counts = PairCounts(self._counts.scored + len(pairs), self._counts.cut + cut)
        scores = [float(score) for score in found]
        unfit = [passage.id for passage, score in zip(passages, scores, strict=True) if not math.isfinite(score)]
        if unfit:
            raise _failed(self.name, f"{len(unfit)} / {len(scores)}: nan, inf ({first_few(unfit)})")
        return scores

    def describe(self) -> Bilingual:
        """What the scores are, of how many tokens, in which numbers and where they are computed."""
        where = placement(self._model)
        prompt = self._model.prompts.get(self._model.default_prompt_name or "")
        before_pl, before_en = (
            (f"; przed pytaniem {prompt!r}", f"; before questions {prompt!r}") if prompt else ("", "")
        )
        kind_pl, kind_en = ("surowe wyniki", "raw scores")
        if hasattr(self._model[-1], "true_token_id"):
            kind_pl, kind_en = ("logarytm szans słowa yes wobec no", "log-odds of yes against no")
        if self._fitting is not None:
            label = _labels(self._model)[self._fitting]
            kind_pl, kind_en = f"logarytm szans etykiety {label}", f"log-odds of the label {label}"
        return Bilingual(
            f"Reranker {self.name}: {kind_pl}{before_pl}; do {self.max_tokens} tokenów z pytaniem; {where}",
            f"Reranker {self.name}: {kind_en}{before_en}; up to {self.max_tokens} tokens with the question; {where}",
        )

    def cut_warning(self) -> Bilingual | None:
        """What to tell when pairs were longer than the model reads; None when all fitted until now."""
        counts = self._counts
        if not counts.cut:
            return None
        return Bilingual(
            f"Reranker {self.name} czyta najwyżej {self.max_tokens} tokenów pytania i fragmentu razem. Uciętych par: "
            f"{counts.cut} z {counts.scored}. Podziel długie fragmenty na krótsze.",
            f"The reranker {self.name} reads at most {self.max_tokens} tokens of question and passage together. Pairs "
            f"cut: {counts.cut} of {counts.scored}. Split long passages into shorter ones.",
        )

    def _scores(self, pairs: Sequence[Pair], lengths: Sequence[int]) -> NDArray[np.float32]:
        from torch.nn import Identity

        found = np.empty(len(pairs), np.float32)
        for rows in batches_by_length(lengths, BATCH_TOKENS):
            given = self._model.predict(
                [pairs[row] for row in rows], batch_size=len(rows), activation_fn=Identity(), show_progress_bar=False
            )
            scores = np.asarray(given, np.float32)
            found[rows] = scores if self._fitting is None else scores[:, self._fitting] - scores[:, 1 - self._fitting]
        return found


def _load(name: str, folder: Path, device: str) -> "CrossEncoder":
    import torch
    from sentence_transformers import CrossEncoder

    # Damaged and foreign files fail in many ways.
    with library_failures(lambda reason: refusals.damaged(RERANKER, name, reason)), without_notices():
        model: CrossEncoder = CrossEncoder(
            str(folder),
            device=device,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32},
            # Whatever the model's files name is not looked up: raw scores are ranked by.
            activation_fn=torch.nn.Identity(),
        )
    answers = {getattr(model[-1], name, name) for name in ("true_token_id", "false_token_id")}
    if len(answers) == 1:
        raise refusals.other_kind(RERANKER, name, "yes, no: one token", WORDS["causal"])
    return model


def _fitting_label(name: str, model: "CrossEncoder") -> int | None:
    """Which of two labels says that a passage fits; None for a model that gives one score.

    :raises UserError: there are other labels, so it sorts texts of another kind
    """
    if model.num_labels == 1:
        return None
    labels = _labels(model)
    for fitting in (1, 0):
        if len(labels) == 2 and labels[fitting].lower() in _FITTING and labels[1 - fitting].lower() in _UNFIT:
            return fitting
    evidence = f"num_labels = {model.num_labels}: {first_few(labels)}"
    raise refusals.other_kind(RERANKER, name, evidence, WORDS["classifier"])


def _labels(model: "CrossEncoder") -> list[str]:
    config: Any = model.config
    return [str(config.id2label.get(number, f"LABEL_{number}")) for number in range(model.num_labels)]


def _pair_lengths(model: "CrossEncoder") -> Callable[[Sequence[Pair]], list[int]]:
    """Tokens of pairs as the model reads them, before any cut: its prompt or its chat's frame come on top."""
    count = token_counter(model.tokenizer)
    sample = ("a", "a")
    framed = model.preprocess([sample], prompt=model.prompts.get(model.default_prompt_name or ""))
    frame = max(int(framed["input_ids"].shape[1]) - count([sample])[0], 0)
    return lambda pairs: [length + frame for length in count(pairs)]


def _failed(name: str, what: str) -> UserError:
    return UserError(
        "reranker-failed",
        f"Model {name[:100]} nie ocenił fragmentów ({what[:200]}). Użyj innego modelu albo wyszukuj bez niego.",
        f"The model {name[:100]} failed to score the passages ({what[:200]}). Use another, or search without it.",
    )
