"""What is said about the rows and the lists of a file of rankings."""

from collections.abc import Callable, Mapping, Sequence

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.records import Ranking
from polqa_demo.submissions.problems import Places, first_places


def about_partial(partial: Places) -> list[Problem]:
    """A warning for lists where only some members have a number."""
    if not partial.count:
        return []
    pl = f"Listy, w których tylko część fragmentów ma liczbę: {partial.count} ({partial.shown}). Nie ustala ona tam "
    en = f"Lists where only some of the passages have a number: {partial.count} ({partial.shown}). It does not decide "
    return [partial.problem("warning", "partial-scores", f"{pl}kolejności.", f"{en}their order.")]


def about_unequal(unequal: Places) -> list[Problem]:
    """A warning for lists beside which stands another number of scores or distances."""
    if not unequal.count:
        return []
    pl = f"Listy, obok których stoi inna liczba wyników: {unequal.count} ({unequal.shown}). Liczy się tam kolejność "
    en = f"Lists beside another number of scores: {unequal.count} ({unequal.shown}). There the order of the list "
    return [unequal.problem("warning", "unequal-scores", f"{pl}listy; uzupełnij wyniki.", f"{en}counts; mend them.")]


def about_empty(empty: Places) -> list[Problem]:
    """A warning for rows that name no passage."""
    if not empty.count:
        return []
    pl = f"Wiersze bez identyfikatora fragmentu, pominięto: {empty.count} ({empty.shown})."
    en = f"Rows without a passage id, left out: {empty.count} ({empty.shown})."
    return [empty.problem("warning", "empty-passages", pl, en)]


def about_wide(wide: Places) -> list[Problem]:
    """A warning for rows with more cells than the header has names."""
    if not wide.count:
        return []
    pl = f"Wiersze o większej liczbie komórek niż nagłówek: {wide.count} ({wide.shown}). Dalsze komórki pominięto; "
    en = f"Rows with more cells than the header: {wide.count} ({wide.shown}). The further ones were left out; "
    pl, en = f"{pl}liczbę z przecinkiem ujmij w cudzysłów.", f"{en}put quotes around a number with a comma."
    return [wide.problem("warning", "wide-rows", pl, en)]


def about_same(same: Places) -> list[Problem]:
    """A note for the same ranking twice."""
    if not same.count:
        return []
    pl = f"Powtórzone wiersze z tym samym rankingiem: {same.count} ({same.shown})."
    en = f"Repeated rows with the same ranking: {same.count} ({same.shown})."
    return [same.problem("note", "repeated-rows", pl, en)]


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
