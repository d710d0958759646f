"""One name and the same digits for a score wherever it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.errors import Lang
from polqa_demo.evaluation.fuzzy_match import RULES
from polqa_demo.reports.score_texts import (
    difference_ends,
    difference_text,
    measure_interval,
    measure_name,
    measure_text,
    p_value,
    rule_measure,
    rule_name,
    signed,
)


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        ("fuzzy_match:exact", "fuzzy_match (exact)"),
        ("accuracy@10", "accuracy@10"),
        ("mrr@10", "MRR@10"),
        ("ndcg@10", "NDCG@10"),
        ("recall@10", "recall@10"),
    ],
)
def test_a_measure_has_one_name(measure: str, name: str) -> None:
    assert measure_name(measure) == name


def test_every_rule_is_named() -> None:
    assert [rule_name(rule) for rule in RULES] == [measure_name(rule_measure(rule)) for rule in RULES]
    assert all(f"({rule})" in rule_name(rule) for rule in RULES)


@pytest.mark.parametrize(
    ("measure", "lang", "texts"),
    [
        ("fuzzy_match:card", "pl", ("66,67\u00a0%", "[−5,0–66,7]", "+66,67", "[−5,0; +66,7]")),
        ("accuracy@10", "en", ("66.67\u00a0%", "[−5.0–66.7]", "+66.67", "[−5.0; +66.7]")),
        ("mrr@10", "pl", ("0,6667", "[−0,0500–0,6667]", "+0,6667", "[−0,0500; +0,6667]")),
    ],
)
def test_shares_are_per_cent_and_means_fractions(measure: str, lang: Lang, texts: tuple[str, ...]) -> None:
    low, value = -0.05, 2 / 3
    found = (
        measure_text(measure, value, lang),
        measure_interval(measure, low, value, lang).replace("-", "−"),
        difference_text(measure, value, lang),
        difference_ends(measure, low, value, lang),
    )
    assert found == texts


@given(st.floats(-100, 100), st.integers(0, 4))
def test_nothing_has_no_sign(value: float, digits: int) -> None:
    text = signed(value, "en", digits)
    assert float(text.replace("−", "-")) == pytest.approx(value, abs=0.5 * 10**-digits + 1e-9)
    assert (text[0] in "+−") == (round(value, digits) != 0)
    assert not text.startswith("-")


def test_tiny_p_values_are_bounded() -> None:
    assert (p_value(0.0009, "en"), p_value(0.05, "pl"), p_value(0.00099999, "pl")) == ("< 0.001", "0,050", "< 0,001")
