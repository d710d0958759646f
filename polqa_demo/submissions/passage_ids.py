"""The passage ids of rankings against those that the gold judges: the other join key beside the question ids."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.records import Ranking
from polqa_demo.submissions.problems import PLACES, Refused, first_places, refuse

# Ids that are looked at to tell whether they are texts, and how long no id is.
_SAMPLE = 1000
_LONGEST_ID = 120
_SENTENCE_ENDS = (".", "!", "?", "…")
_CLOSING = "\"”»')]"
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class JudgedPassages:
    """The ids of the passages that a gold judges. Those of a secret gold decide nothing that is told.

    `decimal` says that they stood as `101.0` in their file and were read as `101`.
    """

    ids: Collection[str]
    secret: bool = False
    decimal: bool = False

    @property
    def open_ids(self) -> Collection[str]:
        """The ids that may decide how a file is read and what is told of it; none of a secret gold."""
        return () if self.secret else self.ids


def looked_up(in_corpus: Callable[[str], bool] | None, rankings: Mapping[str, Ranking]) -> Callable[[str], bool] | None:
    """The same for the passages of these rankings: a far corpus (`among`) is asked for all of them at once."""
    among: Callable[[Collection[str]], Collection[str]] | None = getattr(in_corpus, "among", None)
    if among is None:
        return in_corpus
    return among({passage for ranking in rankings.values() for passage in ranking.passage_ids}).__contains__


def about_passage_ids(
    name: str,
    rankings: Mapping[str, Ranking],
    judged: JudgedPassages | None,
    in_corpus: Callable[[str], bool] | None = None,
) -> list[Problem]:
    """What is told of ids that are not those of the gold: of another corpus, texts, the questions themselves.

    :param judged: None where no gold is known
    :param in_corpus: whether a passage is in the corpus, where one is known
    :raises Refused: the ids are texts, and the gold knows none of them
    """
    sample = list(islice((passage for ranking in rankings.values() for passage in ranking.passage_ids), _SAMPLE))
    if not sample:
        return []
    # Of a secret gold not even that none of its passages is met is told.
    ids = judged.open_ids if judged else ()
    strange = bool(ids) and not any(passage in ids for ranking in rankings.values() for passage in ranking.passage_ids)
    if _are_texts(sample) and (strange or not ids) and not _are_texts(list(islice(ids, _SAMPLE))):
        refused = _texts(name, sample)
        if strange:
            raise refused
        return [Problem("warning", refused.code, refused.message, len(sample))]
    told = [_foreign(rankings, ids)] if strange else []
    return [*told, *_about_zeros(rankings, ids, in_corpus), *_about_questions(rankings, ids, in_corpus)]


def _about_zeros(
    rankings: Mapping[str, Ranking], ids: Collection[str], in_corpus: Callable[[str], bool] | None
) -> list[Problem]:
    """A warning for numbers that would be judged passages, had they the zeros that stand in front of those, or not."""
    bare: dict[str, str] = {}
    for one in ids:
        if one.isascii() and one.isdigit():
            bare.setdefault(one.lstrip("0"), one)
    if not bare:
        return []
    lost = {
        passage: bare[passage.lstrip("0")]
        for ranking in rankings.values()
        for passage in ranking.passage_ids
        if passage not in ids and passage.lstrip("0") in bare and not (in_corpus and in_corpus(passage))
    }
    if not lost:
        return []
    first, gold = next(iter(lost.items()))
    message = Bilingual(
        f"Identyfikatory fragmentów, które różnią się od złotych tylko zerami z przodu: {len(lost)} (w pliku: "
        f"{first_places(lost)}; w zbiorze {gold} zamiast {first}). Liczą się jako inne fragmenty; zapisz "
        "identyfikatory jako tekst.",
        f"Passage ids that differ from those of the gold by zeros in front alone: {len(lost)} (file: "
        f"{first_places(lost)}; gold: {gold} in place of {first}). They count as other passages; write ids as text.",
    )
    return [Problem("warning", "lost-zeros", message, len(lost))]


def _are_texts(sample: Sequence[str]) -> bool:
    """Whether most of what should be ids are texts of passages."""
    return 2 * sum(map(_is_text, sample)) > len(sample)


def _is_text(passage: str) -> bool:
    if " " not in passage:
        return False
    return len(passage) > _LONGEST_ID or passage.rstrip(_CLOSING).endswith(_SENTENCE_ENDS)


def _texts(name: str, sample: Sequence[str]) -> Refused:
    first = sample[0] if len(sample[0]) <= 60 else f"{sample[0][:60]}…"
    return refuse(
        "texts-not-ids",
        f"Plik {name}: w miejscu identyfikatorów fragmentów stoją teksty, a nie identyfikatory (pierwszy: „{first}”). "
        "Zapisz identyfikatory fragmentów ze swojego korpusu; teksty nie mają z czym się zgadzać.",
        f"The file {name}: in the place of passage ids these are texts, not ids (the first: “{first}”). Write the ids "
        "of the passages in your corpus; texts are joined with nothing.",
        len(sample),
    )


def _foreign(rankings: Mapping[str, Ranking], ids: Collection[str]) -> Problem:
    """A warning that no ranked passage is one of the gold, with some of each side."""
    ranked = dict.fromkeys(passage for ranking in rankings.values() for passage in ranking.passage_ids)
    shown = first_places(sorted(ids, key=lambda one: (len(one), one))[: PLACES + 1])
    hint = _hint(ranked, ids)
    message = Bilingual(
        f"Żaden z identyfikatorów fragmentów w rankingach ({len(ranked)}) nie należy do złotego zbioru (w pliku: "
        f"{first_places(ranked)}; w zbiorze: {shown}).{hint[0]} Wszystkie pytania liczą się jako chybione; sprawdź, "
        "czy to fragmenty tego samego korpusu.",
        f"None of the passage ids in the rankings ({len(ranked)}) is among those of the gold (file: "
        f"{first_places(ranked)}; gold: {shown}).{hint[1]} All questions count as misses; check that these are "
        "passages of the same corpus.",
    )
    return Problem("warning", "foreign-passages", message, len(ranked))


def _hint(ranked: Mapping[str, None], ids: Collection[str]) -> tuple[str, str]:
    """What would make the ids those of the gold, or that they are not even written alike."""
    first = _common_beginning(ranked)
    last = _common_beginning([passage[::-1] for passage in ranked])[::-1]
    for affix, bare in (
        (first, {passage.removeprefix(first) for passage in ranked}),
        (last, {passage.removesuffix(last) for passage in ranked}),
    ):
        # Numbers that some digits in front would make equal say nothing.
        if affix.strip("0123456789") and not bare.isdisjoint(ids):
            return f" Bez „{affix}” część by należała.", f" Without “{affix}” some would be."
    shapes = {_DIGITS.sub("9", passage) for passage in ranked}
    if shapes.isdisjoint(_DIGITS.sub("9", one) for one in ids):
        return " Nie są nawet tak samo zapisane.", " They are not even written alike."
    return "", ""


def _common_beginning(texts: Iterable[str]) -> str:
    # What the first and the last in their order have in common, all have.
    low, high = min(texts), max(texts)
    return low[: next((place for place, sign in enumerate(low) if high[place : place + 1] != sign), len(low))]


def _about_questions(
    rankings: Mapping[str, Ranking], ids: Collection[str], in_corpus: Callable[[str], bool] | None
) -> list[Problem]:
    """A warning where most rankings hold their own question, which a search over questions and passages finds first."""
    own = [
        key
        for key, ranking in rankings.items()
        if key in ranking.passage_ids and key not in ids and not (in_corpus and in_corpus(key))
    ]
    first = sum(rankings[key].passage_ids[0] == key for key in own)
    others = (passage for key in own[:PLACES] for passage in rankings[key].passage_ids if passage != key)
    apart = {_DIGITS.sub("9", key) for key in own}.isdisjoint(_DIGITS.sub("9", passage) for passage in others)
    # Passages may be numbered as questions are; then only the first place tells the one from the other.
    if not own or 2 * (len(own) if apart else first) < sum(bool(ranking.passage_ids) for ranking in rankings.values()):
        return []
    message = Bilingual(
        f"Identyfikator pytania stoi we własnym rankingu tego pytania: {len(own)} ({first_places(own)}). Zajmuje "
        "miejsce fragmentu; usuń pytania z przeszukiwanego korpusu.",
        f"The question's own id stands in its ranking: {len(own)} ({first_places(own)}). It takes the place of a "
        "passage; leave the questions out of what is searched.",
    )
    return [Problem("warning", "self-matches", message, len(own))]
