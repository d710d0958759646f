"""What a generating model reads: the question and all passages as one text, cut so that each keeps a fair share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polqa_demo.errors import UserError
from polqa_demo.reading.fair_shares import fair_shares
from polqa_demo.records import Passage

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_FIELD = re.compile(r"\{([^{}]*)\}")
_LEAST_TOKENS = 24  # of a passage's text; with less than that it says nothing
_JOINT = 2  # tokens that a piece can gain where it is put between others
_QUESTION_PART = 3  # the question may take up to a third
_TITLE_CHARACTERS = 200
_TITLE_TOKENS = 32
# A token is seldom longer, and no model reads so many: what is behind is not even looked at.
_CHARACTERS_A_TOKEN = 24


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text for the model with what did not fit: passages that were cut, and those left out from the end."""

    text: str
    cut_question: bool = False
    cut_passages: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class PromptFormat:
    """How question and passages are put together; both texts hold their fields in braces, each once.

    `whole` holds {question} and {passages}; `passage` holds {text} and, if wanted, {title} and {number} (from 1).
    """

    whole: str
    passage: str

    def __post_init__(self) -> None:
        """:raises UserError: a field is missing, unknown or doubled"""
        _check("POLQA_SEQ2SEQ_PROMPT", self.whole, {"question", "passages"}, {"question", "passages"})
        _check("POLQA_SEQ2SEQ_PASSAGE", self.passage, {"text"}, {"text", "title", "number"})

    def example(self) -> str:
        """What a model reads of two passages, the words of each field in its place."""
        passages = [_filled(self.passage, number=str(number), title="tytuł", text="tekst…") for number in (1, 2)]
        return _filled(self.whole, question="pytanie…", passages=" ".join(passages))

    def build(
        self, tokenizer: "PreTrainedTokenizerBase", question: str, passages: Sequence[Passage], limit: int
    ) -> Prompt:
        """The prompt, of at most `limit` tokens with the special ones."""
        frame = _count(tokenizer, [_filled(self.whole, question="", passages="")])[0]
        room = limit - frame - tokenizer.num_special_tokens_to_add() - _JOINT
        asked, cut = _shortened(tokenizer, _one_line(question), max(room // _QUESTION_PART, 1))
        room -= _count(tokenizer, [asked])[0] + _JOINT
        texts = [_one_line(passage.text[: limit * _CHARACTERS_A_TOKEN]) for passage in passages]
        heads = [self._head(tokenizer, number, passage) for number, passage in enumerate(passages, 1)]
        overheads = [count + _JOINT for count in _count(tokenizer, [_filled(head, text="") for head in heads])]
        lengths = _count(tokenizer, texts)
        wholes = [overhead + length for overhead, length in zip(overheads, lengths, strict=True)]
        shares = fair_shares(wholes, room, max(overheads, default=0) + _LEAST_TOKENS)
        written, shortened = [], 0
        for head, text, overhead, share in zip(heads, texts, overheads, shares, strict=True):
            if share >= overhead:
                kept, was_cut = _shortened(tokenizer, text, share - overhead)
                written.append(_filled(head, text=kept))
                shortened += was_cut
        whole = _filled(self.whole, question=asked, passages=" ".join(written))
        return Prompt(whole, cut, shortened, len(passages) - len(written))

    def _head(self, tokenizer: "PreTrainedTokenizerBase", number: int, passage: Passage) -> str:
        """The passage's frame with all but its text; braces of a title are no fields."""
        title = _one_line(passage.title.replace("_", " ")[:_TITLE_CHARACTERS])
        title, _ = _shortened(tokenizer, title, _TITLE_TOKENS)
        bare = title.replace("{", "(").replace("}", ")")
        return _filled(self.passage, number=str(number), title=bare)


def _check(name: str, template: str, needed: set[str], known: set[str]) -> None:
    found = _FIELD.findall(template)
    missing = sorted(needed - set(found))
    wrong = sorted({field for field in found if field not in known or found.count(field) > 1})
    if not missing and not wrong:
        return
    shown = ", ".join(f"{{{field}}}" for field in (missing or wrong))[:100]
    problem_pl, problem_en = ("brakuje", "lacks") if missing else ("nieznane lub powtórzone", "unknown or doubled")
    allowed = ", ".join(f"{{{field}}}" for field in sorted(known))
    raise UserError(
        "bad-prompt-format",
        f"Ustawienie {name} („{template[:80]}”): {problem_pl} {shown}. Dozwolone pola: {allowed}.",
        f"The setting {name} ({template[:80]!r}): {problem_en} {shown}. Fields: {allowed}.",
    )


def _filled(template: str, **values: str) -> str:
    """The template with those of its fields that are given; one pass, so that braces in a value stay as they are."""
    return _FIELD.sub(lambda match: values.get(match[1], match[0]), template)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _count(tokenizer: "PreTrainedTokenizerBase", texts: Sequence[str]) -> list[int]:
    if not texts:
        return []
    found = tokenizer(list(texts), add_special_tokens=False, return_attention_mask=False, verbose=False)
    return [len(ids) for ids in found["input_ids"]]


def _shortened(tokenizer: "PreTrainedTokenizerBase", text: str, limit: int) -> tuple[str, bool]:
    """The text's beginning of so many tokens, ending at a blank where there is one, and whether anything went."""
    found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)["offset_mapping"]
    if len(found) <= limit:
        return text, False
    kept = text[: found[limit - 1][1]] if limit > 0 else ""
    if kept and not text[len(kept)].isspace() and " " in kept:
        kept = kept[: kept.rindex(" ")]
    return kept.rstrip(), True
