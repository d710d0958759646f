"""The examples of the page are questions of the sample that the default pipeline answers."""

import pytest

from polqa_demo import open_pipeline
from polqa_demo.evaluation import score_fuzzy_match
from polqa_demo.pipeline import Pipeline
from polqa_demo.submissions.gold import load_gold
from polqa_demo.ui.ask import EXAMPLES

TEST = {question.text: question for question in load_gold("polqa-demo-sample/test").questions}


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return open_pipeline()


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_is_a_question_of_the_sample_and_is_answered(pipeline: Pipeline, text: str) -> None:
    asked = pipeline.ask(text)
    assert score_fuzzy_match(asked.answer.text, TEST[text].answers)
    assert asked.answer.confidence > 0.35


def test_the_examples_differ_in_kind() -> None:
    assert len({TEST[text].labels.get("entity_subtype") for text in EXAMPLES}) == len(EXAMPLES)
