"""A passage as tokens: what a reader without weights can know of a text before it hears the question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from polqa_demo.polish.words import MONTHS, NUMERALS, STOP_WORDS, sentences, stem

# Longer texts are read to here: a passage has some 500 characters, an article's paragraph a few thousand.
MAX_CHARACTERS = 20_000

_TOKEN = re.compile(r"\d+(?:[.,\u00a0 ]\d{3})*(?:[.,]\d+)?%?|[^\W_]+(?:[-'’.][^\W_]+)*|[^\w\s]")
_ROMAN = re.compile(r"[IVXLCDM]+")
_YEAR = re.compile(r"1\d{3}|20\d{2}|[3-9]\d{2}")
_VERB = re.compile(r"\w+(?:ł|ła|ło|li|ły|uje|ują|ąc|owano|iono|ono|ano|łby|łaby|eje|eją)")
_VERBS = frozenset(
    "jest są był była było były będzie ma mają miał został została zostało zostały może mogą można".split()
)
_PARTICIPLE = re.compile(r"\w+(?:any|ana|ane|ony|ona|one|ący|ąca|ące|ty|ta|te)")
_ADJECTIVE = re.compile(r"\w{2,}(?:sk|ck|zk|n|ow|cz|l)(?:i|a|ie|y|e|ą|iego|iej|im|ego|ej|ym|ich|ych|imi|ymi)")
_ORDINAL = re.compile(
    r"(?:pierwsz|drug|trzec|czwart|piąt|szóst|siódm|ósm|dziewiąt|dziesiąt|\w{3,}nast|dwudziest|trzydziest|ostatn)"
    r"(?:y|a|e|ą|i|ia|ie|ią|ego|iego|emu|iemu|ej|iej|ym|im|ych|ich)"
)

PREPOSITIONS = frozenset(
    "w we na do z ze od po przez za o dla u nad pod przy przed koło podczas między wśród według jako ku".split()
)
VAGUE_NUMERALS = frozenset(
    "kilka kilku kilkoro kilkanaście kilkunastu kilkadziesiąt kilkudziesięciu kilkaset kilkuset"
    " pół połowa połowę "
    " półtora obaj obie oba dwukrotnie trzykrotnie czterokrotnie pięciokrotnie kilkukrotnie kilkakrotnie"
    " wielokrotnie".split()
)
CONJUNCTIONS = frozenset(["i", "oraz", "lub", "albo", "a", "ani"])
MONTH_WORDS = frozenset(form for month in MONTHS for form in month)
SCALES = frozenset("tys mln mld proc tysiąc tysiące tysięcy milion miliony milionów miliard miliardy miliardów".split())


@dataclass(frozen=True, slots=True)
class Word:
    """One word form and its marks, whatever the place it stands at."""

    lower: str
    stem: str
    is_word: bool
    capital: bool
    digit: bool
    stop: bool
    preposition: bool
    verb: bool
    adjective: bool
    numeral: bool
    ordinal: bool
    roman: bool
    year: bool
    month: bool


@lru_cache(maxsize=100_000)
def word_of(form: str) -> Word:
    """The marks of one token."""
    lower = form.lower()
    is_word = form[0].isalnum()
    alpha = form[0].isalpha()
    roman = bool(_ROMAN.fullmatch(form))
    return Word(
        lower=lower,
        stem=stem(lower) if is_word else "",
        is_word=is_word,
        capital=form[0].isupper(),
        digit=form[0].isdigit(),
        stop=lower in STOP_WORDS,
        preposition=lower in PREPOSITIONS,
        verb=alpha and (lower in _VERBS or bool(_VERB.fullmatch(form))),
        adjective=alpha and bool(_ADJECTIVE.fullmatch(lower) or _PARTICIPLE.fullmatch(lower)),
        numeral=lower in NUMERALS or lower in VAGUE_NUMERALS,
        ordinal=bool(_ORDINAL.fullmatch(lower)),
        roman=roman,
        year=bool(_YEAR.fullmatch(form)),
        month=lower in MONTH_WORDS,
    )


@dataclass(frozen=True, slots=True)
class PassageTokens:
    """The tokens of a text in order: `starts` and `ends` are character offsets, `sentence` counts sentences from 0.

    `bounds` are the first and last token of each sentence.
    """

    text: str
    forms: tuple[str, ...]
    words: tuple[Word, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    sentence: NDArray[np.int64]
    bounds: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.forms)

    def marks(self, name: str) -> NDArray[np.bool_]:
        """One mark of `Word` for every token."""
        return np.fromiter((getattr(word, name) for word in self.words), dtype=np.bool_, count=len(self.words))


def tokenize(text: str) -> list[tuple[str, int, int]]:
    """Numbers, words and single signs with their character offsets."""
    return [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def read_tokens(text: str) -> PassageTokens:
    """Cuts a text into tokens and sentences; beyond `MAX_CHARACTERS` nothing is read."""
    tokens = tokenize(text[:MAX_CHARACTERS])
    starts = np.array([token[1] for token in tokens], dtype=np.int64)
    ends = np.array([token[2] for token in tokens], dtype=np.int64)
    limits: Sequence[int] = [end for _, end in sentences(text[:MAX_CHARACTERS])]
    sentence = np.searchsorted(np.array(limits, dtype=np.int64), starts, side="right")
    bounds = []
    for number in np.unique(sentence):
        inside = np.flatnonzero(sentence == number)
        bounds.append((int(inside[0]), int(inside[-1])))
    renumbered = np.searchsorted(np.unique(sentence), sentence)
    forms = tuple(token[0] for token in tokens)
    return PassageTokens(text, forms, tuple(map(word_of, forms)), starts, ends, renumbered, tuple(bounds))
