"""What is said about the rows and the lists of a file of rankings."""

from collections.abc import Callable, Mapping, Sequence

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.records import Ranking
from polqa_demo.submissions.problems import Places, first_places


def about_partial(partial: Places) -> list[Problem]:
    """A warning for lists where only some members have a number."""
    return partial.reported(
        "warning",
        "partial-scores",
        "Listy, w których tylko część fragmentów ma liczbę: {count} ({shown}). Nie ustala ona tam kolejności.",
        "Lists where only some of the passages have a number: {count} ({shown}). It does not decide their order.",
    )


def about_unequal(unequal: Places) -> list[Problem]:
    """A warning for lists beside which stands another number of scores or distances."""
    return unequal.reported(
        "warning",
        "unequal-scores",
        "Listy, obok których stoi inna liczba wyników: {count} ({shown}). Liczy się tam kolejność listy; uzupełnij "
        "wyniki.",
        "Lists beside another number of scores: {count} ({shown}). There the order of the list counts; mend them.",
    )


def about_empty(empty: Places) -> list[Problem]:
    """A warning for rows that name no passage."""
    return empty.reported(
        "warning",
        "empty-passages",
        "Wiersze bez identyfikatora fragmentu, pominięto: {count} ({shown}).",
        "Rows without a passage id, left out: {count} ({shown}).",
    )


def about_wide(wide: Places) -> list[Problem]:
    """A warning for rows with more cells than the header has names."""
    return wide.reported(
        "warning",
        "wide-rows",
        "Wiersze o większej liczbie komórek niż nagłówek: {count} ({shown}). Dalsze komórki pominięto; liczbę z "
        "przecinkiem ujmij w cudzysłów.",
        "Rows with more cells than the header: {count} ({shown}). The further ones were left out; put quotes around a "
        "number with a comma.",
    )


def about_same(same: Places) -> list[Problem]:
    """A note for the same ranking twice."""
    return same.reported(
        "note",
        "repeated-rows",
        "Powtórzone wiersze z tym samym rankingiem: {count} ({shown}).",
        "Repeated rows with the same ranking: {count} ({shown}).",
    )


def about_cut(keys: Sequence[str], depth: int) -> list[Problem]:
    """A note for rankings that go on below the depth that is kept."""
    if not keys:
        return []
    pl = f"Rankingi głębsze niż {depth} fragmentów; dalsze pominięto, żadna miara ich nie liczy"
    en = f"Rankings deeper than {depth} passages; what lies below was left out, no measure counts it"
    return [_about(keys, "deep-rankings", pl, en, "note")]


def about_repeated(keys: Sequence[str]) -> list[Problem]:
    """A warning for passages that stand twice in very deep rankings."""
    pl, en = (
        "Powtórzony fragment w głębokim rankingu (liczy się raz)",
        "A passage twice in a deep ranking (counts once)",
    )
    return [_about(keys, "duplicate-passages", pl, en)] if keys else []


def odd_lists(rankings: Mapping[str, Ranking], in_corpus: Callable[[str], bool] | None) -> list[Problem]:
    """Lists that are empty or of unequal length, repeated passages, passages outside the corpus."""
    problems: list[Problem] = []
    lengths = sorted({len(ranking.passage_ids) for ranking in rankings.values()})
    empty = [key for key, ranking in rankings.items() if not ranking.passage_ids]
    short = [key for key, ranking in rankings.items() if 0 < len(ranking.passage_ids) < 10]
    doubled = [key for key, ranking in rankings.items() if len(set(ranking.passage_ids)) < len(ranking.passage_ids)]
    if empty:
        pl, en = "Puste rankingi (liczone jako chybione)", "Empty rankings (count as misses)"
        problems.append(_about(empty, "empty-rankings", pl, en))
    if short:
        least, most = lengths[0] or lengths[1], lengths[-1]
        between = f"{least}-{most}" if least < most else str(most)
        pl = f"Rankingi krótsze niż 10 fragmentów ({between} na pytanie)"
        en = f"Rankings shorter than 10 ({between} {'passage' if most == 1 else 'passages'} a question)"
        problems.append(_about(short, "short-rankings", pl, en, "note"))
    if doubled:
        pl, en = "Powtórzony fragment w rankingu (liczy się raz)", "A passage listed twice (counts once)"
        problems.append(_about(doubled, "duplicate-passages", pl, en))
    if in_corpus is not None:
        unknown = dict.fromkeys(
            passage for ranking in rankings.values() for passage in ranking.passage_ids if not in_corpus(passage)
        )
        if unknown:
            pl, en = "Identyfikatory fragmentów spoza korpusu", "Passage ids outside the corpus"
            problems.append(_about(list(unknown), "unknown-passages", pl, en))
    return problems


def _about(keys: Sequence[str], code: str, pl: str, en: str, severity: str = "warning") -> Problem:
    places = f": {len(keys)} ({first_places(keys)})."
    return Problem("note" if severity == "note" else "warning", code, Bilingual(pl + places, en + places), len(keys))
