"""The generating reader: a text-to-text model of the hub (plT5, mT5, BART) reads question and passages and answers.

As the readers of PolQA (Rybak, Przybyła, Ogrodniczuk 2022, arXiv:2212.08897): one text of question and passages in,
an answer in words of its own out. A fine-tuned model wants the format of its training, so it goes by the model's
name, and is a setting.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from polqa_demo.errors import Bilingual, UserError
from polqa_demo.library_failures import library_failures
from polqa_demo.models.device import beside, placement, planned_placement
from polqa_demo.models.snapshots import files_mark
from polqa_demo.reading.generated_text import NO_ANSWER, rest_on, short_answer
from polqa_demo.reading.known_prompts import known_prompt
from polqa_demo.reading.prompt_format import Prompt, PromptFormat
from polqa_demo.records import Answer, Passage
from polqa_demo.settings import Settings, settings

if TYPE_CHECKING:
    from polqa_demo.reading.hub_models import Seq2SeqModel

_KNOBS = ("seq2seq_beams", "seq2seq_answer_tokens", "seq2seq_input_tokens")


@dataclass(frozen=True, slots=True)
class Seq2SeqCounts:
    """What a reader has read since it was made, and how often it was too long for the model."""

    questions: int = 0
    cut_questions: int = 0
    cut_passages: int = 0
    left_out_passages: int = 0


class Seq2SeqReader:
    """Answers in the model's words; a `Reader`, safe to use from several threads (one computes at a time).

    The model is loaded at the first question, or by `load`. The confidence is the geometric mean of the probabilities
    that the model gave to the answer's tokens.
    """

    name = "seq2seq"

    def __init__(self, model: str, knobs: Settings | None = None) -> None:
        """Takes a hub name (`owner/model`, `owner/model@revision`) or a folder.

        :raises UserError: the settings' prompt format is wrong
        """
        self.model = model
        self._knobs = knobs or settings()
        known = known_prompt(model)
        self._format = PromptFormat(
            self._knobs.seq2seq_prompt or known.whole, self._knobs.seq2seq_passage or known.passage
        )
        self._lock = Lock()
        self._loaded: Seq2SeqModel | None = None
        self._counts = Seq2SeqCounts()

    @property
    def counts(self) -> Seq2SeqCounts:
        """What was read until now."""
        return self._counts

    @property
    def identity(self) -> Mapping[str, str]:
        """The mark of the model's files, and the settings of the prompt and of the generation.

        :raises UserError: as `load`, but for files that do not load
        """
        prompt = {"seq2seq_prompt": self._format.whole, "seq2seq_passage": self._format.passage}
        return {"model": self._mark, **prompt, **{name: str(getattr(self._knobs, name)) for name in _KNOBS}}

    def describe(self) -> Bilingual:
        """The format of the prompt, the length, in which numbers and where the model computes; it is not loaded."""
        opened = self._loaded
        limit = self._limit(opened) if opened else self._knobs.seq2seq_input_tokens
        form, where = self._format.example(), placement(opened.network) if opened else planned_placement()
        return Bilingual(
            f"Czytnik {self.model}: czyta „{form}” (POLQA_SEQ2SEQ_PROMPT, _PASSAGE); do {limit} tokenów; {where}",
            f"Reader {self.model}: reads {form!r} (POLQA_SEQ2SEQ_PROMPT, _PASSAGE); up to {limit} tokens; {where}",
        )

    def load(self) -> None:
        """Loads the model, unless it is loaded.

        :raises UserError: it cannot be had, or is no text-to-text model
        """
        with self._lock:
            self._opened()

    def read(self, question: str, passages: Sequence[Passage], scores: Sequence[float] = ()) -> Answer:
        """What the model generates; no answer when that is nothing or says that there is none.

        :raises UserError: as `load`, or the model breaks down
        """
        if not question.strip() or not passages:
            return NO_ANSWER
        with self._lock:  # neither a tokenizer's nor a processor's state is meant for several threads
            opened = self._opened()
            limit = self._limit(opened)
            with library_failures(lambda reason: _failed(self.model, reason)):
                prompt = self._format.build(opened.tokenizer, question, passages, limit)
                text, confidence = self._generate(opened, prompt.text, limit)
            self._count(prompt)
        if not math.isfinite(confidence):
            raise _failed(self.model, "NaN")
        answer = short_answer(text, question)
        if not answer:
            return NO_ANSWER
        return replace(rest_on(answer, question, passages), confidence=min(max(confidence, 0.0), 1.0))

    @cached_property
    def _folder(self) -> Path:
        """Where the name leads, found once: what was marked is what is loaded."""
        from polqa_demo.reading.hub_models import seq2seq_folder

        return seq2seq_folder(self.model)

    @cached_property
    def _mark(self) -> str:
        return files_mark(self._folder)

    def _opened(self) -> "Seq2SeqModel":
        if self._loaded is None:
            from polqa_demo.reading.hub_models import load_seq2seq

            opened = load_seq2seq(self.model, self._folder)
            self._settle_generation(opened.network)
            self._loaded = opened
        return self._loaded

    def _limit(self, opened: "Seq2SeqModel") -> int:
        limit = self._knobs.seq2seq_input_tokens
        return min(limit, opened.positions or limit)

    def _generate(self, opened: "Seq2SeqModel", prompt: str, limit: int) -> tuple[str, float]:
        """The best sequence as text, and the mean probability of its tokens."""
        import torch

        inputs = opened.tokenizer(
            prompt, truncation=True, max_length=limit, return_tensors="pt", return_token_type_ids=False
        )
        generating: Any = opened.network
        config = generating.generation_config
        with torch.inference_mode():
            found = generating.generate(**beside(generating, inputs))
            chances = (
                generating.compute_transition_scores(
                    found.sequences,
                    found.scores,
                    found.get("beam_indices"),
                    normalize_logits=config.num_beams == 1,  # a beam's are normalized already
                )[0]
                .float()
                .cpu()
            )
        written = found.sequences[0, -len(chances) :] if len(chances) else found.sequences[0, :0]
        ends = _ids(config.eos_token_id)
        length = next((place + 1 for place, token in enumerate(written.tolist()) if token in ends), len(written))
        confidence = math.exp(float(chances[:length].mean())) if length else 0.0
        return str(opened.tokenizer.decode(found.sequences[0], skip_special_tokens=True)), confidence

    def _settle_generation(self, network: Any) -> None:
        """The model's own way to generate, without chance, with the settings' beams and length."""
        network.generation_config.update(
            num_beams=self._knobs.seq2seq_beams,
            max_new_tokens=self._knobs.seq2seq_answer_tokens,
            max_length=None,
            # Models for summaries bring a minimum that no short answer reaches.
            min_length=0,
            min_new_tokens=None,
            do_sample=False,
            num_return_sequences=1,
            output_scores=True,
            return_dict_in_generate=True,
        )

    def _count(self, prompt: Prompt) -> None:
        known = self._counts
        self._counts = Seq2SeqCounts(
            known.questions + 1,
            known.cut_questions + prompt.cut_question,
            known.cut_passages + prompt.cut_passages,
            known.left_out_passages + prompt.left_out,
        )


def _ids(token: int | list[int] | None) -> list[int]:
    return [] if token is None else [token] if isinstance(token, int) else token


def _failed(name: str, what: str) -> UserError:
    reason = " ".join(what.split())[:200]
    return UserError(
        "reader-model-failed",
        f"Model {name} nie odpowiada na pytanie ({reason}). Zmniejsz POLQA_SEQ2SEQ_INPUT_TOKENS albo "
        "POLQA_SEQ2SEQ_BEAMS, albo użyj innego modelu.",
        f"The model {name} does not answer ({reason}). Lower POLQA_SEQ2SEQ_INPUT_TOKENS or POLQA_SEQ2SEQ_BEAMS, or "
        "use another model.",
    )
