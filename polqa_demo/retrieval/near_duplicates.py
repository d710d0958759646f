"""Near-duplicate passages of a ranking, folded under the best one of them.

A passage is folded when a better-ranked one already says what it says: most of its runs of three words stand there,
and so does every number, capitalised word and negation of its title and text. The second condition keeps apart what
is written by one pattern about different things (villages, seasons, editions), which vectors and shingles alone do not.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polqa_demo.data.passages import PassageStore
from polqa_demo.records import Passage, Ranking
from polqa_demo.retrieval.retriever import Retriever

COVERED = 0.8
"""Share of a passage's word runs that must stand in the better one."""

MAX_CHARS = 20_000
"""Longer texts are folded only under the very same text, so that time stays bounded."""

_NEGATIONS = frozenset(("nie", "bez", "ani", "nigdy", "oprócz"))
_WORD = re.compile(r"\w+")
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Folded:
    """A ranking without its near duplicates; `folded` has, for a kept passage, the ids under it, best first."""

    ranking: Ranking
    folded: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Print:
    """What is compared of a passage, in lower case: its runs of words, the telling ones, and all of them."""

    runs: frozenset[tuple[str, ...]]
    telling: frozenset[str]
    words: frozenset[str]


def fold(ranking: Ranking, passages: PassageStore, covered: float = COVERED) -> Folded:
    """Fold the near duplicates of a ranking; passages that are not in the store stay.

    A passage goes under the best-ranked one that covers it. Scores and order of the kept ones do not change.
    """
    found = [(passage_id, passages.get(passage_id)) for passage_id in ranking.passage_ids]
    over = covering([passage for _, passage in found if passage], covered)
    kept = [place for place, passage_id in enumerate(ranking.passage_ids) if passage_id not in over]
    under: dict[str, list[str]] = {}
    for passage_id in ranking.passage_ids:
        if passage_id in over:
            under.setdefault(over[passage_id], []).append(passage_id)
    return Folded(
        Ranking(
            ranking.question_id,
            tuple(ranking.passage_ids[place] for place in kept),
            tuple(ranking.scores[place] for place in kept) if ranking.scores else (),
        ),
        {passage_id: tuple(ids) for passage_id, ids in under.items()},
    )


def search_folded(
    retriever: Retriever, passages: PassageStore, question: str, top_k: int, covered: float = COVERED
) -> Folded:
    """The `top_k` best passages that are no near duplicates of one another.

    More are fetched in the place of those that were folded, up to eight times `top_k`; so fewer may be left. A passage
    is only folded under one of the `top_k`.

    Raises:
        UserError: as the retriever's `search`.
    """
    wanted = top_k
    for _ in range(_ROUNDS):
        ranking = retriever.search(question, wanted)
        found = fold(ranking, passages, covered)
        if len(found.ranking.passage_ids) >= top_k or len(ranking.passage_ids) < wanted:
            break
        wanted *= 2
    ids = found.ranking.passage_ids[:top_k]
    return Folded(
        Ranking(found.ranking.question_id, ids, found.ranking.scores[:top_k]),
        {passage_id: found.folded[passage_id] for passage_id in ids if passage_id in found.folded},
    )


def covering(passages: Sequence[Passage], covered: float = COVERED) -> dict[str, str]:
    """For each passage that an earlier one covers: id -> id of the first such one that is not covered itself."""
    over: dict[str, str] = {}
    kept: list[tuple[str, _Print]] = []
    same_text: dict[tuple[str, str], str] = {}
    places: dict[tuple[str, ...], list[int]] = {}
    for passage in {passage.id: passage for passage in passages}.values():
        twin = same_text.setdefault((passage.title, passage.text), passage.id)
        if twin != passage.id:
            over[passage.id] = twin
            continue
        if len(passage.title) + len(passage.text) > MAX_CHARS:
            continue
        seen = _print(passage)
        if (cover := _cover(seen, kept, places, covered)) is not None:
            over[passage.id] = same_text[passage.title, passage.text] = cover
            continue
        for run in seen.runs:
            places.setdefault(run, []).append(len(kept))
        kept.append((passage.id, seen))
    return over


def _cover(
    seen: _Print, kept: Sequence[tuple[str, _Print]], places: dict[tuple[str, ...], list[int]], covered: float
) -> str | None:
    """The id of the first kept passage that says what this one says."""
    shared = Counter(place for run in seen.runs for place in places.get(run, ()))
    for place in sorted(place for place, count in shared.items() if count >= covered * len(seen.runs)):
        passage_id, better = kept[place]
        if seen.telling <= better.words:
            return passage_id
    return None


def _print(passage: Passage) -> _Print:
    written = _words(passage.text)
    text = [word.casefold() for word in written]
    title = _words(passage.title)
    runs: frozenset[tuple[str, ...]] = frozenset(zip(text, text[1:], text[2:], strict=False))
    telling = {word.casefold() for word in (*title, *written) if not word[0].islower()}
    words = frozenset(text).union(word.casefold() for word in title)
    return _Print(runs or frozenset([tuple(text)]), (_NEGATIONS & words) | telling, words)


def _words(text: str) -> list[str]:
    return [match[0] for match in _WORD.finditer(unicodedata.normalize("NFC", text))]
