"""No answer as SQuAD 2.0 has it: the first token against the best span, passage by passage."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer

from polqa_demo.reading.span_decoding import WindowScores, best_span_score, null_margin
from polqa_demo.reading.span_model import AdaptedModel, HubModel
from polqa_demo.reading.span_windows import Window
from polqa_demo.reading.spans import SpanReader
from polqa_demo.records import Answer, Passage
from tests.tiny_encoder import write_tokenizer

PAN = Passage("1", "Pan Tadeusz", "Adam napisał Pan Tadeusz w 1834 roku .")
DOM = Passage("2", "dom", "Ewa mieszka w Łodzi .")
WHEN = "W którym roku napisał Pan Tadeusz ?"


class WordNetwork(torch.nn.Module):
    """A network of question answering whose logits hang on the token alone."""

    def __init__(self, tokenizer: Any, logits: dict[str, float], positions: int) -> None:
        super().__init__()
        table = torch.zeros(len(tokenizer), 2)
        for word, value in logits.items():
            table[tokenizer.convert_tokens_to_ids(word)] = value
        self.words = torch.nn.Embedding.from_pretrained(table)
        self.config = SimpleNamespace(max_position_embeddings=positions, model_type="bert", pad_token_id=0)

    def forward(self, input_ids: torch.Tensor, **_: torch.Tensor) -> SimpleNamespace:
        starts, ends = self.words(input_ids).unbind(-1)
        return SimpleNamespace(start_logits=starts, end_logits=ends)


def reader(folder: Path, logits: dict[str, float], positions: int = 512) -> SpanReader:
    write_tokenizer(folder, types=True)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return SpanReader(model=HubModel(WordNetwork(tokenizer, logits, positions), tokenizer, name="some/reader"))


def test_the_first_token_above_every_span_is_no_answer(tmp_path: Path) -> None:
    answer = reader(tmp_path, {"1834": 4.0, "<s>": 6.0}).read(WHEN, [PAN, DOM])
    assert answer.text == ""
    assert (answer.passage_id, answer.start) == (None, None)
    # Twice two logits above the best span.
    assert answer.confidence == pytest.approx(1 / (1 + np.exp(-4.0)), abs=1e-4)


def test_one_passage_that_answers_is_enough(tmp_path: Path) -> None:
    answer = reader(tmp_path, {"1834": 4.0, "<s>": 3.9}).read(WHEN, [DOM, PAN])
    assert (answer.text, answer.passage_id) == ("1834", "1")
    assert 0 < answer.confidence <= 1
    assert reader(tmp_path, {"1834": 4.0, "<s>": 3.9}).read(WHEN, [DOM]).text == ""


def test_an_equal_span_is_written(tmp_path: Path) -> None:
    assert reader(tmp_path, {"1834": 4.0, "<s>": 4.0}).read(WHEN, [PAN]).text == "1834"


def test_a_long_passage_answers_where_one_of_its_windows_does(tmp_path: Path) -> None:
    text = "kot pies . " * 60 + PAN.text + " kot pies ." * 60
    found = reader(tmp_path, {"1834": 4.0, "<s>": 1.0}, positions=64)
    assert found.read(WHEN, [Passage("1", "", text)]).text == "1834"
    assert found.counts.windows > 2


def test_questions_that_no_span_answers_are_not_asked_of_it(tmp_path: Path) -> None:
    found = reader(tmp_path, {"<s>": 9.0})
    assert found.read("Czy Adam napisał Pan Tadeusz ?", [PAN]).text in ("tak", "nie")


def test_no_window_is_longer_than_the_model(tmp_path: Path) -> None:
    found = reader(tmp_path, {"1834": 4.0}, positions=48)
    assert found.describe() is not None
    assert "48" in str(found.describe())


def test_no_passages_are_no_judgement(tmp_path: Path) -> None:
    assert reader(tmp_path, {"<s>": 9.0}).read(WHEN, []) == Answer("", 0.0)


def official_difference(spans: list[list[float]], nulls: list[float]) -> float:
    """Null score and best span of one example of several windows, by the letter of the official predictions."""
    score_null, best = 1_000_000.0, -1_000_000.0
    for values, null in zip(spans, nulls, strict=True):
        score_null = min(score_null, null)
        best = max(best, *values)
    return score_null - best


LOGITS = st.floats(-9, 9)


@given(st.lists(st.tuples(st.lists(LOGITS, min_size=1, max_size=4), LOGITS), min_size=1, max_size=5))
def test_one_passage_is_an_example_of_the_official_script(drawn: list[tuple[list[float], float]]) -> None:
    windows = [Window(0, (), 0, ())] * len(drawn)
    empty = np.zeros(1, np.float32)
    scores = [WindowScores(empty, empty, max(spans) - null, null=null) for spans, null in drawn]
    wanted = -official_difference([spans for spans, _ in drawn], [null for _, null in drawn])
    assert null_margin(windows, scores) == pytest.approx(wanted, abs=1e-9)


@given(
    st.lists(st.tuples(st.floats(-9, 9, width=32), st.floats(-9, 9, width=32)), min_size=1, max_size=9),
    st.integers(1, 12),
)
def test_the_best_span_ends_behind_its_start_and_is_no_longer_than_allowed(
    drawn: list[tuple[float, float]], longest: int
) -> None:
    start, end = (np.array(column, np.float32) for column in zip(*drawn, strict=True))
    size = len(drawn)
    pairs = [(first, last) for first in range(size) for last in range(first, min(first + longest, size))]
    assert best_span_score(start, end, longest) == max(float(start[first] + end[last]) for first, last in pairs)


def test_the_shipped_reader_abstains_by_its_own_threshold(tmp_path: Path) -> None:
    found = reader(tmp_path, {"1834": 4.0, "<s>": 6.0})
    found._model.may_abstain = False
    assert found.read(WHEN, [PAN]).text == "1834"
    assert not AdaptedModel.may_abstain
