"""A score stands beside published figures only where all agrees."""

import pytest

from polqa_demo.reports.published import (
    ALL_QUESTIONS,
    ALLEGRO,
    FIGURES,
    POLQA_TEST,
    TEST_B,
    WITH_GOLD,
    Band,
    NoBand,
    band,
)


def test_allegro_has_all_seven_systems() -> None:
    found = band("accuracy@10", ALLEGRO, "auto", 900, WITH_GOLD)
    assert isinstance(found, Band)
    assert [figure.system for figure in found.figures][:2] == ["BM25", "BM25 (lemmas)"]
    assert (found.low, found.high) == pytest.approx((0.6689, 0.9456))
    ndcg = band("ndcg@10", ALLEGRO, "all", 900, WITH_GOLD)
    assert isinstance(ndcg, Band)
    assert (ndcg.low, ndcg.high) == pytest.approx((0.4871, 0.7983))


@pytest.mark.parametrize("gold_source", ["auto", "human"])
def test_polqa_has_the_neural_systems_and_says_why_not_the_others(gold_source: str) -> None:
    found = band("accuracy@10", POLQA_TEST, gold_source, 956, WITH_GOLD)
    assert isinstance(found, Band)
    assert [figure.system for figure in found.figures] == [
        "HerBERT-QA",
        "mContriever-base",
        "multilingual E5-base",
        "Silver Retriever v1",
        "Silver Retriever v1.1",
    ]
    assert "BM25" in found.notes[0].pl


def test_answers_of_poleval() -> None:
    found = band("fuzzy_match:poleval", TEST_B, "auto", 2500, ALL_QUESTIONS)
    assert isinstance(found, Band)
    assert [figure.value for figure in found.figures] == pytest.approx([0.5212, 0.5920, 0.7168])


@pytest.mark.parametrize(
    ("measure", "split", "gold_source", "n", "denominator", "told"),
    [
        (
            "mrr@10",
            ALLEGRO,
            "auto",
            900,
            WITH_GOLD,
            ["MRR@10 are known on allegro-faq (known measures: NDCG@10, "],
        ),
        ("accuracy@10", "polqa-demo-sample/test", "auto", 956, WITH_GOLD, ["polqa/test"]),
        ("accuracy@10", POLQA_TEST, "all", 956, WITH_GOLD, ["gold source"]),
        ("accuracy@10", POLQA_TEST, "auto", 1000, ALL_QUESTIONS, ["denominator", "956"]),
        ("accuracy@10", POLQA_TEST, "all", 7, ALL_QUESTIONS, ["gold source", "denominator", "number of questions"]),
        ("accuracy@10", ALLEGRO, "auto", 899, WITH_GOLD, ["900 as published, 899 here"]),
    ],
)
def test_every_reason_why_not(
    measure: str, split: str, gold_source: str, n: int, denominator: str, told: list[str]
) -> None:
    found = band(measure, split, gold_source, n, denominator)
    assert isinstance(found, NoBand)
    assert len(found.reasons) == len(told)
    assert all(part in reason.en for part, reason in zip(told, found.reasons, strict=True))
    assert all(reason.pl for reason in found.reasons)


def test_each_share_is_a_whole_number_of_questions() -> None:
    shares = [figure for figure in FIGURES if figure.measure != "ndcg@10" and figure.n]
    assert len(shares) == 5 + 7 + 3
    for figure in shares:
        assert figure.n is not None
        assert round(figure.value * figure.n) / figure.n == pytest.approx(figure.value, abs=5.001e-5)


def test_no_figure_stands_twice_and_all_lie_within_0_and_1() -> None:
    assert len({(figure.system, figure.measure, figure.split) for figure in FIGURES}) == len(FIGURES) == 31
    assert all(0 < figure.value < 1 and figure.source for figure in FIGURES)


def test_graded_ndcg_does_not_stand_beside_the_figures() -> None:
    found = band("ndcg@10", ALLEGRO, "auto", 900, WITH_GOLD, gains="graded")
    assert isinstance(found, NoBand)
    assert [reason.en for reason in found.reasons] == ["The gain in NDCG differs: binary as published, graded here."]
    assert isinstance(band("accuracy@10", ALLEGRO, "auto", 900, WITH_GOLD, gains="graded"), Band)
