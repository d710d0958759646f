"""How scores are named and written: one wording, and the same digits, on the page, on the command line, in exports.

A measure is known by its code, as comparisons name it: `fuzzy_match:exact`, `accuracy@10`, `ndcg@10`.
"""

from polqa_demo.errors import Lang, number

# Papers give shares of right answers in per cent with two decimals, other means as fractions with four.
SCORE_DIGITS = 2
MEAN_DIGITS = 4
_SHARES = ("fuzzy_match", "accuracy@")


def rule_measure(rule: str) -> str:
    """The code of the share of right answers by a rule."""
    return f"fuzzy_match:{rule}"


def measure_name(measure: str) -> str:
    """A measure as it is written: `fuzzy_match (exact)`, `accuracy@10`, `NDCG@10`."""
    name, _, rule = measure.partition(":")
    shown = name.replace("mrr", "MRR").replace("ndcg", "NDCG")
    return f"{shown} ({rule})" if rule else shown


def rule_name(rule: str) -> str:
    """The share of right answers by a rule, as it is written: `fuzzy_match (exact)`."""
    return measure_name(rule_measure(rule))


def score_text(value: float, lang: Lang) -> str:
    """A score that is a share, 0..1: `66,67 %`."""
    return percent(value, lang, SCORE_DIGITS)


def mean_text(value: float, lang: Lang) -> str:
    """A score that is a mean of other values, 0..1: `0,5230`."""
    return number(value, MEAN_DIGITS, lang)


def measure_text(measure: str, value: float, lang: Lang) -> str:
    """A score of any measure: a share in per cent, another mean as it is."""
    return score_text(value, lang) if measure.startswith(_SHARES) else mean_text(value, lang)


def measure_interval(measure: str, low: float, high: float, lang: Lang) -> str:
    """Both ends of a score's interval: `[60,1–72,8]` of a share, `[0,5012–0,5448]` of another mean."""
    if measure.startswith(_SHARES):
        return interval(low, high, lang)
    return f"[{mean_text(low, lang)}–{mean_text(high, lang)}]"


def difference_text(measure: str, value: float, lang: Lang) -> str:
    """A difference of two scores with its sign: in points for shares (`+1,47`), else in the measure's own size."""
    if measure.startswith(_SHARES):
        return signed(100 * value, lang, SCORE_DIGITS)
    return signed(value, lang, MEAN_DIGITS)


def difference_ends(measure: str, low: float, high: float, lang: Lang) -> str:
    """Both ends of a difference's interval: `[−0,4; +3,1]` in points for shares, else in the measure's own size."""
    if measure.startswith(_SHARES):
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
