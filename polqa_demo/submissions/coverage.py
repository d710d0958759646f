"""The ids of a file against the ids of the gold: missing, extra, of another split."""

import re
from collections.abc import Iterable, Sequence

from polqa_demo.errors import Bilingual
from polqa_demo.polish import plural
from polqa_demo.submissions.problems import PLACES, Problem, first_places, refuse

_FLOAT_ID = re.compile(r"(-?[0-9]+)\.0")


def as_floats(known: set[str]) -> set[str]:
    """The ids, and what a spreadsheet makes of them: `101` and `101.0`."""
    return known | {f"{key}.0" for key in known}


def float_ids(ids: Iterable[str], known: set[str], what_pl: str, what_en: str) -> tuple[dict[str, str], list[Problem]]:
    """`101.0` -> `101`, with a notice, when every id of a column looks so and none is known as it stands; else empty.

    Programs that once saw an empty cell write whole numbers that way.
    """
    distinct = dict.fromkeys(ids)
    if not distinct or any(key in known or not _FLOAT_ID.fullmatch(key) for key in distinct):
        return {}, []
    whole = {key: key.removesuffix(".0") for key in distinct}
    first = next(iter(distinct))
    message = Bilingual(
        f"Identyfikatory {what_pl} zapisane jak {first} odczytano jako liczby całkowite: {whole[first]}.",
        f"Ids of {what_en} written as {first} were read as whole numbers: {whole[first]}.",
    )
    return whole, [Problem("note", "float-ids", message, len(whole))]


def unknown_ids(ids: Sequence[tuple[int, str]], known: set[str]) -> list[Problem]:
    """A warning for ids outside the gold.

    :raises Refused: not a single id is known, most likely another split
    """
    extra = {key: line for line, key in ids if key not in known}
    distinct = len({key for _, key in ids})
    if not extra:
        return []
    if len(extra) == distinct:
        raise refuse(
            "wrong-split",
            f"Żaden z {plural(distinct, 'identyfikatora', 'identyfikatorów', 'identyfikatorów')} w pliku nie należy do "
            f"tego zbioru (w pliku: {first_places(extra)}; w zbiorze: {first_places(_known_sample(known))}). "
            "Czy to predykcje innego podziału? Wybierz właściwy złoty zbiór.",
            f"None of the {distinct} ids of the file is in this set (file: {first_places(extra)}; set: "
            f"{first_places(_known_sample(known))}). Are these predictions for another split? Choose the right gold.",
            distinct,
            extra.values(),
        )
    return [
        Problem(
            "warning",
            "extra-ids",
            Bilingual(
                f"{plural(len(extra), 'identyfikator', 'identyfikatory', 'identyfikatorów')} spoza złotego zbioru, "
                f"pominięto: {first_places(extra)}.",
                f"Ids outside the gold, left out, {len(extra)}: {first_places(extra)}.",
            ),
            len(extra),
            tuple(extra.values())[:PLACES],
        )
    ]


def _known_sample(known: set[str]) -> list[str]:
    """The known ids in an order that does not change from run to run."""
    return sorted(known, key=lambda key: (len(key), key))


def missing_ids(missing: Sequence[str], what_pl: str, what_en: str) -> Problem:
    """A warning for questions the file says nothing about."""
    return Problem(
        "warning",
        "missing-ids",
        Bilingual(
            f"{plural(len(missing), 'pytanie', 'pytania', 'pytań')} bez {what_pl} (liczone jako błędne): "
            f"{first_places(missing)}.",
            f"Questions without {what_en} (counted as wrong), {len(missing)}: {first_places(missing)}.",
        ),
        len(missing),
    )
