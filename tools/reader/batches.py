"""Examples -> groups of windows (the right one with wrong ones beside it) -> batches of about equal length."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polqa_demo.data.passages import PassageStore
from polqa_demo.reading.span_windows import Layout, Window, make_windows
from polqa_demo.records import Passage
from polqa_demo.retrieval.lexical import LexicalRetriever
from tools.reader.data import Example, targets

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_BUCKET = 400  # groups that are sorted by length together: batches stay random, padding stays small
_LOOKED_AT = 14  # best passages among which wrong ones are looked for
_SHORT_GOLD = 3  # a gold of fewer letters stands everywhere


@dataclass(frozen=True, slots=True)
class Group:
    """One question: the window that answers it, token rows of the answer, and windows that do not answer it.

    `no` is set for a yes/no question, which has no token rows.
    """

    right: Window
    first: tuple[int, ...]
    last: tuple[int, ...]
    wrong: tuple[Window, ...] = ()
    no: bool | None = None

    @property
    def windows(self) -> tuple[Window, ...]:
        """The right one first."""
        return (self.right, *self.wrong)


class Negatives:
    """Passages that BM25 takes for a question's, without its own one and those that hold a gold."""

    def __init__(self, passages: Mapping[str, Passage]) -> None:
        self._passages = passages
        self._retriever = LexicalRetriever.in_memory(PassageStore.of(list(passages.values())))

    def of(self, example: Example, count: int) -> list[Passage]:
        """At most `count` of them, best first."""
        golds = [gold.lower() for gold in example.golds if len(gold) >= _SHORT_GOLD]
        found = []
        for key in self._retriever.search(example.question, _LOOKED_AT).passage_ids:
            text = self._passages[key].text.lower()
            if key != example.passage.id and not any(gold in text for gold in golds):
                found.append(self._passages[key])
        return found[:count]


def make_groups(
    examples: Sequence[Example],
    tokenizer: "PreTrainedTokenizerBase",
    layout: Layout,
    chance: random.Random,
    negatives: Negatives | None = None,
    wrong: int = 0,
    compared: float = 1.0,
) -> list[Group]:
    """A group for each example whose answer fits a window.

    With `negatives`, the share `compared` of the groups has `wrong` other windows beside the right one.
    """
    groups = []
    for example in examples:
        own = make_windows(tokenizer, example.question, [example.passage], layout).windows
        marked = [(window, *targets(window, example.spans)) for window in own]
        fitting = [item for item in marked if item[1] or example.no is not None]
        if not fitting:
            continue
        window, first, last = fitting[0] if example.no is not None else chance.choice(fitting)
        beside: list[Window] = []
        if negatives is not None and wrong and chance.random() < compared:
            beside = [item[0] for item in marked if not item[1] and example.no is None]
            for passage in negatives.of(example, 2 * wrong):
                beside.append(chance.choice(make_windows(tokenizer, example.question, [passage], layout).windows))
            beside = chance.sample(beside, min(wrong, len(beside)))
        groups.append(Group(window, tuple(first), tuple(last), tuple(beside), example.no))
    return groups


def make_batches(groups: Sequence[Group], tokens: int, chance: random.Random) -> list[list[Group]]:
    """All groups once, in batches of at most so many tokens with their padding (a group is never parted)."""
    order = list(groups)
    chance.shuffle(order)
    batches: list[list[Group]] = []
    for start in range(0, len(order), _BUCKET):
        bucket = sorted(order[start : start + _BUCKET], key=_longest)
        packed = _packed(bucket, tokens)
        chance.shuffle(packed)
        batches += packed
    return batches


def _packed(groups: Sequence[Group], tokens: int) -> list[list[Group]]:
    batches: list[list[Group]] = [[]]
    for group in groups:
        rows = sum(len(item.windows) for item in batches[-1]) + len(group.windows)
        if batches[-1] and rows * _longest(group) > tokens:
            batches.append([])
        batches[-1].append(group)
    return batches


def _longest(group: Group) -> int:
    return max(len(window.ids) for window in group.windows)
