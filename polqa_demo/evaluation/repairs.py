"""The one list of what can be mended in the writing of an answer. Nothing here ever touches a score.

The audit counts what each repair would win, and the reason `format` of a wrong answer names the repair that it takes:
both read this list by `mend_answer`, so that they never contradict each other.

A repair sees one answer and its golds and returns the mended text, or None when the answer does not have the damage.
Some look at the golds, but only to learn how a value is written there (a numeral or a word, a comma or a dot) and which
signs are the answer's own: a value is never changed, and what an answer says stays what it says. The one exception is
named: a letter that an encoding has destroyed is read off the gold that fits all the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation import repairs_letters as letters
from polqa_demo.evaluation import repairs_values as values
from polqa_demo.evaluation import repairs_wrappings as wrappings

Mend = Callable[[str, Sequence[str]], str | None]

# The rules that tell upper from lower case.
CASE_SENSITIVE = ("card",)


@dataclass(frozen=True, slots=True)
class Repair:
    """A kind of damage: its stable name, what a person calls it, and what mends it."""

    kind: str
    title: Bilingual
    mend: Mend


@dataclass(frozen=True, slots=True)
class Mended:
    """What the repairs make of one damaged answer.

    `alone` are the repairs that it needs, each with what it makes of the answer by itself; `together` is what all of
    them make of it, and `taken` those that had a part in that.
    """

    alone: tuple[tuple[Repair, str], ...]
    together: str
    taken: tuple[Repair, ...]


def mend_answer(text: str, golds: Sequence[str], rule: str) -> Mended | None:
    """All that the repairs for a rule make of an answer; None when it has no damage."""
    repairs = repairs_for(rule)
    tried = [(repair, repair.mend(text, golds)) for repair in repairs]
    alone = tuple((repair, mended) for repair, mended in tried if mended is not None)
    # What no repair finds alone they do not find together: the first that does is alone with the text as it is.
    return Mended(alone, *mend_together(text, golds, repairs)) if alone else None


def mend_together(text: str, golds: Sequence[str], repairs: Sequence[Repair]) -> tuple[str, tuple[Repair, ...]]:
    """An answer after all repairs and those that changed it.

    They are made twice over: a quote may hide a full stop, and a full stop a quote.
    """
    taken: dict[str, Repair] = {}
    for repair in (*repairs, *repairs):
        mended = repair.mend(text, golds)
        if mended is not None and mended != text:
            text = mended
            taken[repair.kind] = repair
    return text, tuple(taken.values())


def repairs_for(rule: str) -> tuple[Repair, ...]:
    """The repairs that can matter under a rule of the score, in the order in which they build on each other."""
    return REPAIRS if rule in CASE_SENSITIVE else _CASELESS


REPAIRS = (
    Repair("think_block", Bilingual("blok rozumowania (<think>)", "a think block (<think>)"), wrappings.think_block),
    Repair(
        "special_tokens",
        Bilingual("tokeny specjalne modelu (<pad>, </s>)", "special tokens of a model (<pad>, </s>)"),
        wrappings.special_tokens,
    ),
    Repair("html_entities", Bilingual("encje HTML (&oacute;)", "HTML entities (&oacute;)"), letters.html_entities),
    Repair(
        "unicode_escapes",
        Bilingual("litery zapisane kodami (\\u0142)", "letters written as codes (\\u0142)"),
        letters.unicode_escapes,
    ),
    Repair("encoding", Bilingual("litery zepsute przez kodowanie", "letters damaged by an encoding"), letters.encoding),
    Repair("decomposed", Bilingual("litery rozłożone (NFD)", "decomposed letters (NFD)"), letters.decomposed),
    Repair(
        "blanks", Bilingual("zbędne odstępy i znaki niewidoczne", "spare blanks and unseen characters"), letters.blanks
    ),
    Repair("bullets", Bilingual("punktor na początku („- ”)", "a bullet in front (“- ”)"), wrappings.bullets),
    Repair(
        "numbering",
        Bilingual("numer wiersza na początku („3. ”)", "a line's number in front (“3. ”)"),
        wrappings.numbering,
    ),
    Repair("emphasis", Bilingual("wyróżnienie Markdown (**)", "Markdown emphasis (**)"), wrappings.emphasis),
    Repair("prefix", Bilingual("wstęp („Odpowiedź:”)", "a prefix (“Odpowiedź:”)"), wrappings.prefix),
    Repair("quotes", Bilingual("cudzysłów wokół odpowiedzi", "quotes around the answer"), wrappings.quotes),
    Repair("final_stop", Bilingual("kropka na końcu", "a final full stop"), wrappings.final_stop),
    Repair(
        "roman",
        Bilingual("liczby rzymskie inaczej niż wielkimi literami", "Roman numerals not in capitals"),
        values.roman,
    ),
    Repair(
        "number_words", Bilingual("liczby słowami lub cyframi", "numbers in words or in digits"), values.number_words
    ),
    Repair(
        "whole_decimals",
        Bilingual("liczby całkowite z „.0” (1900.0)", "whole numbers with “.0” (1900.0)"),
        values.whole_decimals,
    ),
    Repair("decimal_sign", Bilingual("przecinek lub kropka dziesiętna", "decimal comma or dot"), values.decimal_sign),
    Repair(
        "digit_groups", Bilingual("odstępy w długich liczbach", "digit groups of long numbers"), values.digit_groups
    ),
    Repair(
        "truth_words",
        Bilingual("True lub False zamiast tak lub nie", "True or False for tak or nie"),
        values.truth_words,
    ),
    Repair(
        "missing_value",
        Bilingual("zapis braku wartości (nan, None) zamiast odpowiedzi", "a missing value (nan, None) for an answer"),
        values.missing_value,
    ),
    Repair("case", Bilingual("wielkie i małe litery", "upper and lower case"), letters.case),
)
_CASELESS = tuple(repair for repair in REPAIRS if repair.kind != "case")
