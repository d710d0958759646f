"""The ids of a file against the ids of the gold: missing, extra, of another split."""

import re
from collections.abc import Iterable, Sequence

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.polish.words import plural
from polqa_demo.submissions.problems import PLACES, Refused, first_places, refuse

_FLOAT_ID = re.compile(r"(-?[0-9]+)\.0")
_WHOLE_ID = re.compile(r"-?[0-9]+")
# Distinct ids outside the gold that are told apart; a whole corpus of them would fill the memory.
_MOST_STRANGERS = 100_000


def as_floats(known: set[str]) -> set[str]:
    """The ids, and what a spreadsheet makes of them: `101` and `101.0`."""
    return known | {f"{key}.0" for key in known}


def float_ids(ids: Iterable[str], known: set[str], what_pl: str, what_en: str) -> tuple[dict[str, str], list[Problem]]:
    """`101.0` -> `101`, with a notice, when all ids of a column are such numbers or whole ones; else empty.

    Programs that once saw an empty cell write whole numbers that way. Nothing is renamed where a decimal is known as
    it stands, or where two ids would become one.
    """
    distinct = dict.fromkeys(ids)
    whole = {key: key.removesuffix(".0") for key in distinct if _FLOAT_ID.fullmatch(key)}
    others = [key for key in distinct if key not in whole]
    if not whole or not known.isdisjoint(whole) or any(not _WHOLE_ID.fullmatch(key) for key in others):
        return {}, []
    if not set(whole.values()).isdisjoint(others):
        return {}, []
    return whole, [_decimal_ids(next(iter(whole)), len(whole), what_pl, what_en)]


class Ids:
    """Sorts the ids of a file as they come: known ones, known ones written as decimals, and strangers.

    Only so many distinct strangers are told apart; beyond that their number is a lower bound.
    """

    def __init__(self, known: set[str]) -> None:
        self.known = known
        self._decimals: dict[str, int] = {}
        self._strangers: dict[str, int] = {}
        self._met = False
        self._all_decimal = True

    def keep(self, key: str, line: int) -> bool:
        """Whether what stands beside the id may count; ids such as `101.0` may until the end of the file."""
        if key in self.known:
            self._met = True
            return True
        if key[-2:] == ".0" and key[:-2] in self.known:
            self._decimals.setdefault(key, line)
            return True
        if self._all_decimal and not _FLOAT_ID.fullmatch(key):
            self._all_decimal = False
        if len(self._strangers) < _MOST_STRANGERS:
            self._strangers.setdefault(key, line)
        return False

    @property
    def are_decimal(self) -> bool:
        """All ids of the file look like `101.0`, so they are read as whole numbers."""
        return bool(self._decimals) and self._all_decimal and not self._met

    def final(self, key: str) -> str | None:
        """The known id that a kept id stands for; None when it is a stranger after all."""
        if key in self.known:
            return key
        return key[:-2] if self.are_decimal else None

    def problems(self) -> list[Problem]:
        """What is told about the ids.

        :raises Refused: not a single id is known, most likely another split
        """
        found: list[Problem] = []
        extra = dict(self._strangers)
        if self.are_decimal:
            first = next(iter(self._decimals))
            count = len(self._decimals) + len(extra)
            found.append(_decimal_ids(first, count, "pytań", "questions"))
        else:
            extra = dict(sorted((extra | self._decimals).items(), key=lambda item: item[1]))
        if not extra:
            return found
        if not self._met and not self.are_decimal:
            raise self._wrong_split(extra)
        at_least = ("co najmniej ", "at least ") if len(self._strangers) >= _MOST_STRANGERS else ("", "")
        message = Bilingual(
            f"Identyfikatory spoza złotego zbioru, pominięto {at_least[0]}{len(extra)}: {first_places(extra)}. "
            "Sprawdź, czy to właściwy zbiór.",
            f"Ids outside the gold, left out {at_least[1]}{len(extra)}: {first_places(extra)}. "
            "Check that this is the right set.",
        )
        return [*found, Problem("warning", "extra-ids", message, len(extra), tuple(extra.values())[:PLACES])]

    def _wrong_split(self, extra: dict[str, int]) -> Refused:
        count, ours = len(extra), first_places(_known_sample(self.known))
        offer = Bilingual("", "")
        if [*extra] == [str(place) for place in range(len(self.known))]:
            offer = Bilingual(
                f" Są to liczby od 0 do {count - 1}, a pytań jest tyle samo: jeśli to numery wierszy w kolejności "
                "pytań, usuń tę kolumnę.",
                f" They are the numbers 0 to {count - 1}, and there are as many questions: where these are the numbers "
                "of rows in the order of the questions, remove that column.",
            )
        pl = "Jedyny identyfikator" if count == 1 else f"Żaden z {count} identyfikatorów"
        en = "The only id of the file is not" if count == 1 else f"None of the file's ids ({count}) is"
        return refuse(
            "wrong-split",
            f"{pl} w pliku nie należy do tego zbioru (w pliku: {first_places(extra)}; w zbiorze: {ours}). "
            f"Czy to predykcje innego podziału? Wybierz właściwy złoty zbiór.{offer.pl}",
            f"{en} in this set (file: {first_places(extra)}; set: {ours}). "
            f"Are these predictions for another split? Choose the right gold.{offer.en}",
            count,
            extra.values(),
        )


def _decimal_ids(first: str, count: int, what_pl: str, what_en: str) -> Problem:
    message = Bilingual(
        f"Identyfikatory {what_pl} zapisane jak {first} odczytano jako liczby całkowite: {first[:-2]}.",
        f"Ids of {what_en} written as {first} were read as whole numbers: {first[:-2]}.",
    )
    return Problem("note", "float-ids", message, count)


def _known_sample(known: set[str]) -> list[str]:
    """The known ids in an order that does not change from run to run."""
    return sorted(known, key=lambda key: (len(key), key))


def missing_ids(missing: Sequence[str], what_pl: str, what_en: str) -> Problem:
    """A warning for questions the file says nothing about."""
    return Problem(
        "warning",
        "missing-ids",
        Bilingual(
            f"{plural(len(missing), 'pytanie', 'pytania', 'pytań')} bez {what_pl} (błędne wszędzie, gdzie pytanie się "
            f"liczy): {first_places(missing)}.",
            f"Questions without {what_en} (wrong wherever the question counts), {len(missing)}: "
            f"{first_places(missing)}.",
        ),
        len(missing),
    )
