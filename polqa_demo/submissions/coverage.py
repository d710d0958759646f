"""The ids of a file against the ids of the gold: missing, extra, of another split."""

from collections.abc import Sequence

from polqa_demo.errors import Bilingual
from polqa_demo.polish import plural
from polqa_demo.submissions.problems import PLACES, Problem, first_places, refuse


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
