"""What a span model reads: the question beside a stretch of a passage, as tokens with their places in the text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from polqa_demo.polish.words import content_stems
from polqa_demo.records import Passage

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

LONG_TEXT = 12_000  # characters; of a longer passage the stretches nearest to the question are read
_STRETCH, _OVERLAP = 1_200, 300  # characters
MAX_STRETCHES = 12
_QUESTION_CHARACTERS = 2_000
_TITLE_CHARACTERS = 200
# A fast tokenizer keeps truncation as a state of its own, and every call sets it before it reads: a call of another
# thread between the two has windows longer than the model. One after another they take some 3 ms a question, where the
# model takes hundreds; a tokenizer for each thread would take 280 MB.
_TOKENIZING = Lock()


@dataclass(frozen=True, slots=True)
class Layout:
    """How question and passage are put together; sizes are tokens.

    `prefix` stands before the question; `with_title` puts the passage's title on a line before its text.
    """

    prefix: str = ""
    with_title: bool = False
    window: int = 320
    overlap: int = 96
    question: int = 96


@dataclass(frozen=True, slots=True)
class Window:
    """One row for the model.

    `offsets[i]` is the character span, in the passage's text, of token `first + i`; `type_ids` is empty for models
    that know no segments.
    """

    passage: int
    ids: tuple[int, ...]
    first: int
    offsets: tuple[tuple[int, int], ...]
    type_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Windowed:
    """The windows of one question with what did not fit.

    `cut_question` says whether its end was left out, `divided` counts passages of more than one window, `skipped`
    characters that no window holds.
    """

    windows: tuple[Window, ...]
    cut_question: bool = False
    divided: int = 0
    skipped: int = 0


@dataclass(slots=True)
class _Stretch:
    passage: int
    start: int
    text: str
    head: str = field(default="")


def make_windows(
    tokenizer: "PreTrainedTokenizerBase", question: str, passages: Sequence[Passage], layout: Layout
) -> Windowed:
    """The windows of all passages, passage by passage, each beside the whole question. Safe in threads."""
    asked, cut = _question(tokenizer, question, layout)
    stretches: list[_Stretch] = []
    skipped = 0
    for number, passage in enumerate(passages):
        chosen, left_out = _stretches(number, passage, question)
        skipped += left_out
        head = passage.title.replace("_", " ")[:_TITLE_CHARACTERS] + "\n" if layout.with_title else ""
        for stretch in chosen:
            stretch.head = head
        stretches += chosen
    windows = _tokenized(tokenizer, asked, stretches, layout) if stretches else ()
    counts = [0] * len(passages)
    for window in windows:
        counts[window.passage] += 1
    return Windowed(windows, cut, sum(count > 1 for count in counts), skipped)


def _question(tokenizer: "PreTrainedTokenizerBase", question: str, layout: Layout) -> tuple[str, bool]:
    """The question with its prefix, cut after so many tokens that a passage keeps most of the window."""
    text = layout.prefix + " ".join(question[:_QUESTION_CHARACTERS].split())
    limit = min(layout.question, layout.window // 3)
    with _TOKENIZING:
        offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    if len(offsets) <= limit:
        return text, len(question) > _QUESTION_CHARACTERS
    return text[: offsets[limit - 1][1]], True


def _stretches(number: int, passage: Passage, question: str) -> tuple[list[_Stretch], int]:
    """The passage as it is, or the stretches of a very long one that share most content words with the question."""
    text = passage.text
    if len(text) <= LONG_TEXT:
        return ([_Stretch(number, 0, text)] if text.strip() else []), 0
    asked = set(content_stems(question[:_QUESTION_CHARACTERS]))
    starts = range(0, len(text) - _OVERLAP, _STRETCH - _OVERLAP)
    shares = [len(asked & set(content_stems(text[start : start + _STRETCH]))) for start in starts]
    best = sorted(sorted(range(len(starts)), key=lambda place: (-shares[place], place))[:MAX_STRETCHES])
    chosen = [_Stretch(number, starts[place], text[starts[place] : starts[place] + _STRETCH]) for place in best]
    covered = sum(min(len(text) - item.start, _STRETCH - _OVERLAP) for item in chosen)
    return [item for item in chosen if item.text.strip()], max(len(text) - covered, 0)


def _tokenized(
    tokenizer: "PreTrainedTokenizerBase", asked: str, stretches: Sequence[_Stretch], layout: Layout
) -> tuple[Window, ...]:
    with _TOKENIZING:
        found = tokenizer(
            [asked] * len(stretches),
            [item.head + item.text for item in stretches],
            truncation="only_second",
            max_length=layout.window,
            stride=min(layout.overlap, layout.window // 4),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
    typed = "token_type_ids" in found
    windows = []
    for row, sample in enumerate(found["overflow_to_sample_mapping"]):
        item = stretches[sample]
        head, offsets = len(item.head), found["offset_mapping"][row]
        places = [
            place
            for place, (sequence, span) in enumerate(zip(found.sequence_ids(row), offsets, strict=True))
            if sequence == 1 and span[0] >= head
        ]
        if not places:
            continue
        first, last, shift = places[0], places[-1], item.start - head
        windows.append(
            Window(
                item.passage,
                tuple(found["input_ids"][row]),
                first,
                tuple((start + shift, end + shift) for start, end in offsets[first : last + 1]),
                tuple(found["token_type_ids"][row]) if typed else (),
            )
        )
    return tuple(windows)
