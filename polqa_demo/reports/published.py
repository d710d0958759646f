"""Published figures, and when a score may stand beside them.

A band of others' figures helps only when it measures the same thing, so it is given out only when measure, split, gold
source, number of questions and denominator all agree; otherwise the reasons why not.
"""

from collections.abc import Collection
from dataclasses import dataclass

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.fuzzy_match import rule_measure
from polqa_demo.evaluation.report import Report
from polqa_demo.evaluation.shares import Share
from polqa_demo.reports.score_texts import measure_name

_SILVER = "model card of ipipan/silver-retriever-base-v1.1 (Rybak, Ogrodniczuk, arXiv:2309.08469)"
_MT5 = "PolEval 2021, task 4, submissions with mT5 (proceedings of the PolEval 2021 workshop)"

POLQA_TEST = "polqa/test"
ALLEGRO = "allegro-faq"
TEST_B = "poleval2021/test-B"

# The denominators that a score may have.
WITH_GOLD = "with_gold"
ALL_QUESTIONS = "all_questions"


@dataclass(frozen=True, slots=True)
class Figure:
    """One published value, 0..1, with all that it takes to compare with it; `n` is None where it is not known."""

    system: str
    measure: str
    split: str
    value: float
    gold_source: str | None
    n: int | None
    denominator: str
    source: str


@dataclass(frozen=True, slots=True)
class Band:
    """Figures that a score may stand among, lowest first, and what to bear in mind."""

    figures: tuple[Figure, ...]
    notes: tuple[Bilingual, ...]

    @property
    def low(self) -> float:
        """The lowest figure."""
        return self.figures[0].value

    @property
    def high(self) -> float:
        """The highest figure."""
        return self.figures[-1].value


@dataclass(frozen=True, slots=True)
class NoBand:
    """Why there is no band: every reason, not the first alone."""

    reasons: tuple[Bilingual, ...]


# System, then accuracy@10 and NDCG@10 on PolQA's test split and on Allegro FAQ, in per cent.
_RETRIEVERS = (
    ("BM25", 61.35, 24.51, 66.89, 48.71),
    ("BM25 (lemmas)", 71.49, 31.97, 75.33, 55.70),
    ("HerBERT-QA", 75.84, 32.52, 85.78, 63.58),
    ("mContriever-base", 78.66, 36.30, 84.44, 67.38),
    ("multilingual E5-base", 86.61, 46.08, 91.89, 75.90),
    ("Silver Retriever v1", 87.24, 43.40, 94.56, 79.66),
    ("Silver Retriever v1.1", 88.60, 44.88, 94.00, 79.83),
)
_READERS = (("mT5-base", 52.12), ("mT5-large", 59.20), ("mT5-XXL", 71.68))

# No N is published. Each of these is the one that the published shares are whole numbers of questions of: for PolQA's
# neural systems the only one between 800 and 1,000. BM25's two shares do not fit it, so that their N stays unknown.
_POLQA_N = 956
_ALLEGRO_N = 900
# Several N fit the three shares of test-B; the challenge's other test file has this many questions, too.
_TEST_B_N = 2500


def _figures() -> tuple[Figure, ...]:
    found = []
    for system, *values in _RETRIEVERS:
        polqa_n = None if system.startswith("BM25") else _POLQA_N
        for place, (split, gold_source, n) in enumerate(
            [(POLQA_TEST, "human", polqa_n), (ALLEGRO, None, _ALLEGRO_N)],
        ):
            for measure, value in zip(("accuracy@10", "ndcg@10"), values[2 * place :], strict=False):
                found.append(Figure(system, measure, split, value / 100, gold_source, n, WITH_GOLD, _SILVER))
    found += [
        Figure(system, rule_measure("poleval"), TEST_B, value / 100, None, _TEST_B_N, ALL_QUESTIONS, _MT5)
        for system, value in _READERS
    ]
    return tuple(found)


FIGURES = _figures()

_NOTES = {
    POLQA_TEST: Bilingual(
        "Liczba pytań (956) nie jest opublikowana; wynika z wartości systemów neuronowych. Wartości BM25 do niej nie "
        "pasują, więc ich tu nie ma.",
        "The number of questions (956) is not published but follows from the neural systems' values. BM25's values do "
        "not fit it and are left out.",
    ),
    TEST_B: Bilingual(
        "Liczba pytań (2500) nie jest opublikowana; wartości do niej pasują, ale nie tylko do niej.",
        "The number of questions (2,500) is not published; the values fit it, though not it alone.",
    ),
}


def band(
    measure: str,
    split: str,
    gold_source: str,
    n: int,
    denominator: str,
    figures: Collection[Figure] = FIGURES,
    gains: str = "binary",
) -> Band | NoBand:
    """The figures that a score of `measure` may be compared with, or all the reasons why it may not.

    :param split: `polqa/test`, `allegro-faq` or `poleval2021/test-B`, as `FIGURES` names them
    :param gold_source: as scored, with `auto` for what it comes to (on PolQA's test split: human)
    :param n: how many questions the score is over
    :param denominator: `with_gold` or `all_questions`: which questions were counted
    :param gains: `binary` or `graded`, of NDCG; every published one is of binary judgements
    """
    same_split = [figure for figure in figures if figure.split == split]
    here = [figure for figure in same_split if figure.measure == measure]
    if not here:
        return NoBand((_no_figures(measure, split, same_split, figures),))
    resolved = "human" if gold_source == "auto" and split == POLQA_TEST else gold_source
    fitting = sorted((figure for figure in here if figure.n == n), key=lambda figure: figure.value)
    reasons: list[Bilingual] = []
    wanted = here[0]
    if wanted.gold_source is not None and resolved != wanted.gold_source:
        reasons.append(_differs(Bilingual("źródło złotych fragmentów", "gold source"), wanted.gold_source, resolved))
    if wanted.denominator != denominator:
        reasons.append(_differs(Bilingual("mianownik", "denominator"), wanted.denominator, denominator))
    if gains != "binary" and measure.startswith("ndcg"):
        reasons.append(_differs(Bilingual("zysk w NDCG", "gain in NDCG"), "binary", gains))
    if not fitting:
        known = ", ".join(sorted({str(figure.n) for figure in here if figure.n})) or "?"
        reasons.append(_differs(Bilingual("liczba pytań", "number of questions"), known, str(n)))
    if reasons:
        return NoBand(tuple(reasons))
    return Band(tuple(fitting), (_NOTES[split],) if split in _NOTES else ())


def _no_figures(measure: str, split: str, same_split: Collection[Figure], figures: Collection[Figure]) -> Bilingual:
    if same_split:
        measure, known = measure_name(measure), ", ".join(sorted({measure_name(one.measure) for one in same_split}))
        return Bilingual(
            f"Dla zbioru {split} nie znam opublikowanych wartości miary {measure} (znane miary: {known}).",
            f"No published values of {measure} are known on {split} (known measures: {known}).",
        )
    known = ", ".join(sorted({figure.split for figure in figures}))
    return Bilingual(
        f"Dla zbioru „{split}” nie znam żadnych opublikowanych wartości (są dla: {known}).",
        f"No published values are known on “{split}” (known: {known}).",
    )


def _differs(what: Bilingual, published: str, here: str) -> Bilingual:
    return Bilingual(
        f"Inny parametr – {what.pl}: w publikacji {published}, tutaj {here}.",
        f"The {what.en} differs: {published} as published, {here} here.",
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """One's own score, 0..1, and the figures it may stand among, or why not; a share has its 95 % interval."""

    measure: str
    value: float
    interval: tuple[float, float] | None
    found: Band | NoBand


# What one's gold may be, for those who know better than its name.
SPLITS = (POLQA_TEST, ALLEGRO, TEST_B)


def guessed_split(gold: str) -> str:
    """The published split that a gold set's name says it is; empty when it says none."""
    return next((split for split in SPLITS if gold.casefold() == split.casefold()), "")


def standings(report: Report, split: str) -> tuple[Standing, ...]:
    """The scores of a report that others publish, each beside the figures on `split` or with the reasons why not."""
    found: list[Standing] = []
    if report.answers:
        share = report.answers.rules[report.rule]
        measure = rule_measure(report.rule)
        if report.answers.unanswerable:
            measure += ":abstain"
        counted = WITH_GOLD if report.answers.without_gold else ALL_QUESTIONS
        beside = band(measure, split, report.gold_source, share.n, counted)
        found.append(Standing(measure, share.value, share.interval, beside))
    if report.rankings:
        scores = report.rankings
        for measure in ("accuracy@10", "ndcg@10"):
            score = scores[measure]
            around = score.interval if isinstance(score, Share) else None
            beside = band(measure, split, report.gold_source, scores.n, WITH_GOLD, gains=scores.gains)
            found.append(Standing(measure, score.value, around, beside))
    return tuple(found)
