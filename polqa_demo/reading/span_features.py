"""How well candidate spans fit a question: one row of features a span, the same columns for every question."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from polqa_demo.polish.words import content_stems
from polqa_demo.reading.candidates import Candidates, Kind, find_candidates
from polqa_demo.reading.passage_tokens import PassageTokens, read_tokens
from polqa_demo.reading.question_types import Understood

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

_BEFORE = tuple("przez to w na z do od jako się o za po był była jest , ( – : „ .".split())
_AFTER = (",", ".", "(", ")", "–", "i", "w", "na", "z", "do", "”", "się", "który", "która")
_OPENING = ("w", "na", "z", "do", "od", "przez", "za", "o", "po", "dla", "jako", "i")
_MARKS = ("capital", "digit", "verb", "adjective", "roman", "year", "numeral", "ordinal", "stop")
# Endings a noun or an adjective can have in the case that the question word calls for.
_ENDINGS = {
    "nominative": ("a", "y", "i", "e", "o", "ć", "ń", "k", "r", "t", "l", "n", "m", "s", "d", "c", "g"),
    "genitive": ("a", "u", "y", "i", "ów", "ego", "ej", "ich", "ych"),
    "dative": ("owi", "u", "e", "om", "emu", "ej", "i", "im", "ym"),
    "accusative": ("ę", "ą", "a", "y", "e", "ego", "i"),
    "instrumental": ("em", "ą", "ami", "ym", "im", "ymi", "imi", "ie", "u", "ach", "ej"),
}
# How encyclopedias write the word: "(ur. 19 lutego 1743, zm. 1801)".
_ABBREVIATED = {"urodz": "ur", "zmar": "zm", "umar": "zm"}
_DECAYS = (0.5, 0.8)

NAMES: Final[tuple[str, ...]] = (
    "sentence", "sentence_relative", "sentence_best", "sentence_first", "sentence_before", "passage",
    "overlap", "overlap_all", "left_near", "left_far", "right_near", "right_far", "anchor_left", "anchor_right",
    "anchor_inside", "anchor_next", "cuts_date",
    "focus_left", "focus_right", "focus_inside", "focus_first", "hit_before", "hit_after",
    "content_before", "content_after",
    "words_log", "words_one", "words_two", "words_many", "clause_long", "characters",
    "opens_like_question", "follows_preposition", "case_fits", "case_fits_last", "plural_list", "list_singular",
    "cuts_name_left", "cuts_name_right", "cuts_adjective", "in_brackets", "in_quotes", "sentence_start", "sentence_end",
    "all_capitals", "inner_sign", "title", "capital_second", "repeated",
    *(f"kind:{kind.name}" for kind in Kind),
    *(f"first:{mark}" for mark in _MARKS),
    *(f"last:{mark}" for mark in _MARKS),
    *(f"any:{mark}" for mark in ("verb", "digit", "capital")),
    *(f"before:{form}" for form in _BEFORE),
    *(f"before:{mark}" for mark in ("capital", "digit", "verb", "adjective")),
    *(f"after:{form}" for form in _AFTER),
    *(f"after:{mark}" for mark in ("capital", "digit", "verb", "adjective")),
    *(f"opens:{form}" for form in _OPENING),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage ready for questions: its tokens, candidate spans and the columns no question changes."""

    title_stems: frozenset[str]
    tokens: PassageTokens
    spans: Candidates
    fixed: dict[str, Floats]


@lru_cache(maxsize=512)
def read_passage(text: str, title: str) -> ReadPassage:
    """Prepares one passage; the last 512 are kept."""
    tokens = read_tokens(text)
    spans = find_candidates(tokens)
    return ReadPassage(frozenset(content_stems(title)), tokens, spans, _fixed_columns(tokens, spans, title))


def _shifted(values: NDArray[np.generic], places: NDArray[np.int64]) -> NDArray[np.generic]:
    """Values at the places; beyond either end zero."""
    padded = np.concatenate([np.zeros(1, values.dtype), values, np.zeros(1, values.dtype)])
    return padded[np.clip(places + 1, 0, len(padded) - 1)]


def _counted(values: NDArray[np.generic], spans: Candidates) -> NDArray[np.float64]:
    """Sum of the values inside each span."""
    total = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    return np.asarray(total[spans.last + 1] - total[spans.first])


def _fixed_columns(tokens: PassageTokens, spans: Candidates, title: str) -> dict[str, Floats]:
    first, last = spans.first, spans.last
    marks = {name: tokens.marks(name) for name in (*_MARKS, "is_word", "month")}
    lower = np.array([word.lower for word in tokens.words] or [""], dtype=object)
    columns: dict[str, NDArray[np.generic]] = {}
    word_count = np.maximum(_counted(marks["is_word"], spans), 1)
    columns["words_log"] = np.log(word_count)
    columns["words_one"] = word_count == 1
    columns["words_two"] = word_count == 2
    columns["words_many"] = word_count > 4
    columns["clause_long"] = word_count > 10
    if len(tokens) == 0:
        return {name: np.zeros(0, np.float32) for name in NAMES}
    columns["characters"] = np.log1p(tokens.ends[last] - tokens.starts[first])
    for kind in Kind:
        columns[f"kind:{kind.name}"] = (spans.kinds & int(kind)) > 0
    for mark in _MARKS:
        columns[f"first:{mark}"] = marks[mark][first]
        columns[f"last:{mark}"] = marks[mark][last]
        if f"any:{mark}" in NAMES:
            columns[f"any:{mark}"] = _counted(marks[mark], spans) > 0
    for mark in ("capital", "digit", "verb", "adjective"):
        columns[f"before:{mark}"] = _shifted(marks[mark], first - 1)
        columns[f"after:{mark}"] = _shifted(marks[mark], last + 1)
    for form in _BEFORE:
        columns[f"before:{form}"] = _shifted(lower == form, first - 1)
    for form in _AFTER:
        columns[f"after:{form}"] = _shifted(lower == form, last + 1)
    for form in _OPENING:
        columns[f"opens:{form}"] = (lower == form)[first]
    lows = np.array([bound[0] for bound in tokens.bounds])
    highs = np.array([bound[1] for bound in tokens.bounds])
    columns["sentence_start"] = first == lows[tokens.sentence[first]]
    columns["sentence_end"] = last >= highs[tokens.sentence[last]] - 1
    columns["sentence_first"] = tokens.sentence[first] == 0
    inner_capital = marks["capital"] & (np.arange(len(tokens)) != lows[tokens.sentence])
    columns["cuts_name_left"] = _shifted(inner_capital, first - 1).astype(bool) & marks["capital"][first]
    columns["cuts_name_right"] = _shifted(marks["capital"], last + 1).astype(bool) & marks["capital"][last]
    dated = marks["month"][last] & _shifted(marks["year"], last + 1).astype(bool)
    columns["cuts_date"] = dated | (marks["year"][first] & _shifted(marks["month"], first - 1).astype(bool))
    next_plain = _shifted(marks["is_word"] & ~marks["stop"] & ~marks["verb"], last + 1).astype(bool)
    columns["cuts_adjective"] = marks["adjective"][last] & next_plain
    opened = np.cumsum((lower == "(").astype(int) - (lower == ")").astype(int))
    columns["in_brackets"] = opened[first] > 0
    columns["in_quotes"] = _shifted((lower == "„") | (lower == '"'), first - 1)
    columns["all_capitals"] = _counted(marks["capital"], spans) == word_count
    columns["inner_sign"] = _counted(~marks["is_word"], spans)
    columns["capital_second"] = marks["capital"][np.minimum(first + 1, last)] & (last > first)
    named = {word.lower() for word in title.split() if len(word) > 2}
    in_title = np.fromiter((word.lower in named for word in tokens.words), dtype=np.bool_, count=len(tokens))
    columns["title"] = _counted(in_title, spans) / word_count
    counts: dict[str, int] = {}
    for word in tokens.words:
        counts[word.stem] = counts.get(word.stem, 0) + 1
    often = np.fromiter((counts[word.stem] > 1 for word in tokens.words), dtype=np.bool_, count=len(tokens))
    columns["repeated"] = _counted(often & ~marks["stop"] & marks["is_word"], spans) / word_count
    return {name: np.asarray(column, dtype=np.float32) for name, column in columns.items()}


def hit_weights(tokens: PassageTokens, question: Understood) -> Floats:
    """For every token the weight of the question word it repeats: by stem, or by its first five letters."""
    weights = question.weights
    prefixes = {stem[:5]: 0.8 * weight for stem, weight in weights.items() if len(stem) >= 4}
    for abbreviation, stem in _life_events(question).items():
        prefixes[abbreviation] = weights[stem]
    found = [
        0.0 if word.stop and not word.capital else weights.get(word.stem) or prefixes.get(word.stem[:5], 0.0)
        for word in tokens.words
    ]
    return np.array(found, dtype=np.float32)


def _life_events(question: Understood) -> dict[str, str]:
    """Of the abbreviations ur. and zm. those the question spells out, with the stem it uses."""
    return {
        abbreviation: stem
        for stem in question.weights
        for beginning, abbreviation in _ABBREVIATED.items()
        if stem.startswith(beginning)
    }


def other_life_event(passage: ReadPassage, question: Understood) -> Bools:
    """For every span whether it tells of a birth where the question asks of a death, or the other way round.

    Both are told in one bracket: "(ur. 19 lutego 1743 w Lesznie, zm. 1801)".
    """
    asked = _life_events(question)
    words = passage.tokens.words
    if len(asked) != 1:
        return np.zeros(len(passage.spans.first), dtype=np.bool_)
    told, other = "", np.zeros(len(words), dtype=np.bool_)
    for place, word in enumerate(words):
        if word.lower in _ABBREVIATED.values():
            told = word.lower
        elif word.lower == ")":
            told = ""
        other[place] = told != "" and told not in asked
    return np.asarray(other[passage.spans.first])


def shares_a_word(passage: ReadPassage, question: Understood) -> bool:
    """Whether the text or the title repeats a content word of the question."""
    return not passage.title_stems.isdisjoint(question.weights) or bool(hit_weights(passage.tokens, question).any())


def _reach(hits: Floats, tokens: PassageTokens, decay: float, backwards: bool) -> Floats:
    """At every token what the hits before it in its sentence (behind it, when backwards) still weigh there."""
    reached = np.zeros(len(hits), dtype=np.float32)
    values = hits.tolist()
    for low, high in tokens.bounds:
        carried = 0.0
        for place in range(high, low - 1, -1) if backwards else range(low, high + 1):
            reached[place] = carried
            carried = carried * decay + values[place] * decay
    return reached


def features(passage: ReadPassage, question: Understood) -> Floats:
    """The matrix: a row for every candidate span, a column for every name in `NAMES`."""
    tokens, spans = passage.tokens, passage.spans
    first, last = spans.first, spans.last
    matrix = np.zeros((len(first), len(NAMES)), dtype=np.float32)
    if not len(first):
        return matrix
    columns: dict[str, NDArray[np.generic]] = dict(passage.fixed)
    hits = hit_weights(tokens, question)
    total = sum(question.weights.values()) or 1.0
    _sentence_columns(columns, tokens, spans, question, hits, total)
    is_hit = hits > 0
    content = tokens.marks("is_word") & ~tokens.marks("stop")
    inside = _counted(is_hit, spans)
    columns["overlap"] = inside / np.maximum(_counted(content, spans), 1)
    columns["overlap_all"] = (inside > 0) & (inside >= _counted(content, spans))
    for decay, name in zip(_DECAYS, ("near", "far"), strict=True):
        columns[f"left_{name}"] = _reach(hits, tokens, decay, False)[first] / total * 3
        columns[f"right_{name}"] = _reach(hits, tokens, decay, True)[last] / total * 3
    columns["hit_before"] = _shifted(is_hit, first - 1)
    columns["hit_after"] = _shifted(is_hit, last + 1)
    columns["content_before"] = _shifted(hits, first - 2)
    columns["content_after"] = _shifted(hits, last + 2)
    for name, stem in (("anchor", question.anchor), ("focus", question.focus)):
        if not stem:
            continue
        same = np.fromiter(
            (word.stem == stem or (len(stem) >= 5 and word.stem[:5] == stem[:5]) for word in tokens.words),
            dtype=np.float32,
            count=len(tokens),
        )
        columns[f"{name}_left"] = _reach(same, tokens, 0.7, False)[first]
        columns[f"{name}_right"] = _reach(same, tokens, 0.7, True)[last]
        if name == "anchor":
            columns["anchor_inside"] = _counted(same, spans) > 0
            columns["anchor_next"] = _shifted(same, last + 1)
        else:
            columns["focus_inside"] = _counted(same, spans) > 0
            columns["focus_first"] = same[first]
    _form_columns(columns, tokens, spans, question)
    for number, name in enumerate(NAMES):
        if name in columns:
            matrix[:, number] = columns[name]
    return matrix


def _sentence_columns(
    columns: dict[str, NDArray[np.generic]],
    tokens: PassageTokens,
    spans: Candidates,
    question: Understood,
    hits: Floats,
    total: float,
) -> None:
    covered = np.zeros(len(tokens.bounds), dtype=np.float32)
    everything: dict[str, float] = {}
    for number, (low, high) in enumerate(tokens.bounds):
        found = {
            tokens.words[low + place].stem: float(hits[low + place]) for place in np.flatnonzero(hits[low : high + 1])
        }
        covered[number] = sum(found.values())
        everything.update(found)
    covered /= total
    best = float(covered.max()) or 1.0
    place = tokens.sentence[spans.first]
    columns["sentence"] = covered[place]
    columns["sentence_relative"] = covered[place] / best
    columns["sentence_best"] = covered[place] >= best
    columns["sentence_before"] = _shifted(covered, place - 1)
    columns["passage"] = np.full(len(spans.first), sum(everything.values()) / total)


def _form_columns(
    columns: dict[str, NDArray[np.generic]], tokens: PassageTokens, spans: Candidates, question: Understood
) -> None:
    first, last = spans.first, spans.last
    if question.preposition:
        same = np.fromiter((_alike(word.lower, question.preposition) for word in tokens.words), np.bool_, len(tokens))
        columns["opens_like_question"] = same[first]
        columns["follows_preposition"] = _shifted(same, first - 1)
    if question.case:
        endings = _ENDINGS[question.case]
        fits = np.fromiter((word.lower.endswith(endings) for word in tokens.words), np.bool_, len(tokens))
        head = np.minimum(first + tokens.marks("preposition")[first], last)
        columns["case_fits"] = fits[head]
        columns["case_fits_last"] = fits[last]
    is_list = (spans.kinds & int(Kind.LIST)) > 0
    columns["plural_list"] = is_list & question.plural
    columns["list_singular"] = is_list & (not question.plural)


def _alike(one: str, other: str) -> bool:
    """The same preposition, with or without the vowel that eases speaking (w and we, z and ze)."""
    return one == other or (one.rstrip("e") == other.rstrip("e") and len(one) <= 2 and len(other) <= 2)
