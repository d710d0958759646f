"""How scores are named and written: one wording, and the same digits, on the page, on the command line, in exports.

A measure is known by its code, as comparisons name it: `fuzzy_match:exact`, `accuracy@10`, `ndcg@10`.
"""

from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.fuzzy_match import rule_measure
from polqa_demo.evaluation.measures import MEASURES, Measure
from polqa_demo.evaluation.ranking import RankingScores

# Papers give shares of right answers in per cent with two decimals, other means as fractions with four.
SCORE_DIGITS = 2
MEAN_DIGITS = 4


def measure_name(measure: str) -> str:
    """A measure as it is written: `fuzzy_match (exact)`, `accuracy@10`, `NDCG@10`."""
    if measure in MEASURES:
        return MEASURES[measure].title
    name, _, rule = measure.partition(":")
    return f"{name} ({rule})" if rule else name


def is_share(measure: str) -> bool:
    """Whether a measure is the share of questions that are right."""
    return measure not in MEASURES or MEASURES[measure].share


def rule_name(rule: str) -> str:
    """The share of right answers by a rule, as it is written: `fuzzy_match (exact)`."""
    return measure_name(rule_measure(rule))


def explained(scores: RankingScores, lang: Lang) -> str:
    """What each measure of the scores is, one sentence a formula: `NDCG@k: how high …`."""
    formulas: dict[str, list[Measure]] = {}
    for code in scores.scores:
        formulas.setdefault(MEASURES[code].explanation.say(lang), []).append(MEASURES[code])
    titles = {
        text: measures[0].title if len(measures) == 1 else f"{measures[0].title.partition('@')[0]}@k"
        for text, measures in formulas.items()
    }
    return " ".join(f"{title}: {text}." for text, title in titles.items())


def score_text(value: float, lang: Lang) -> str:
    """A score that is a share, 0..1: `66,67 %`."""
    return percent(value, lang, SCORE_DIGITS)


def mean_text(value: float, lang: Lang) -> str:
    """A score that is a mean of other values, 0..1: `0,5230`."""
    return number(value, MEAN_DIGITS, lang)


def measure_text(measure: str, value: float, lang: Lang) -> str:
    """A score of any measure: a share in per cent, another mean as it is."""
    return score_text(value, lang) if is_share(measure) else mean_text(value, lang)


def measure_interval(measure: str, low: float, high: float, lang: Lang) -> str:
    """Both ends of a score's interval: `[60,1–72,8]` of a share, `[0,5012–0,5448]` of another mean."""
    if is_share(measure):
        return interval(low, high, lang)
    return f"[{mean_text(low, lang)}–{mean_text(high, lang)}]"


def difference_text(measure: str, value: float, lang: Lang) -> str:
    """A difference of two scores with its sign: in points for shares (`+1,47`), else in the measure's own size."""
    if is_share(measure):
        return signed(100 * value, lang, SCORE_DIGITS)
    return signed(value, lang, MEAN_DIGITS)


def difference_ends(measure: str, low: float, high: float, lang: Lang) -> str:
    """Both ends of a difference's interval: `[−0,4; +3,1]` in points for shares, else in the measure's own size."""
    if is_share(measure):
        return f"[{signed(100 * low, lang)}; {signed(100 * high, lang)}]"
    return f"[{signed(low, lang, MEAN_DIGITS)}; {signed(high, lang, MEAN_DIGITS)}]"


def percent(value: float, lang: Lang, digits: int = 1) -> str:
    """A share of 0..1 as per cent, held together by a hard space; for what is no score of its own, one decimal."""
    return f"{number(100 * value, digits, lang)}\u00a0%"


def interval(low: float, high: float, lang: Lang) -> str:
    """Both ends of an interval of shares, 0..1, in per cent."""
    return f"[{number(100 * low, 1, lang)}–{number(100 * high, 1, lang)}]"


def signed(value: float, lang: Lang, digits: int = 1) -> str:
    """A number with its sign: `+1,9`, `−20,1`, `0,0`."""
    text = number(abs(value), digits, lang)
    if not round(value, digits):
        return text
    return f"+{text}" if value > 0 else f"−{text}"


def p_value(value: float, lang: Lang) -> str:
    """A p-value; tiny ones by their bound."""
    return f"< {number(0.001, 3, lang)}" if value < 0.001 else number(value, 3, lang)
