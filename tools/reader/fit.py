"""What a trained reader is worth on questions it was not trained on, and how sure it may be of its answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polqa_demo.evaluation.fuzzy_match import score_fuzzy_match
from polqa_demo.evaluation.significance import wilson_interval
from polqa_demo.reading.span_model import Calibration
from polqa_demo.reading.spans import SpanReader
from tools.reader.data import Example

Floats = NDArray[np.float64]

_ENOUGH = 30  # decisions below which no calibration is fitted
_SPARED = 1.0  # log-odds below the least sure right answer from which on there is no answer
_PULL = 1.0  # L2 on the slopes, in observations
_ROUNDS = 25


@dataclass(frozen=True, slots=True)
class DevScore:
    """Answers right by `poleval` on the development questions with their own passages, and the fitted calibration."""

    right: int
    questions: int
    low: float
    high: float
    calibration: Calibration


def fit(adapter: Path, base: Path, dev: Sequence[Example]) -> DevScore:
    """Reads the development questions with the adapter and fits the confidence to what came of them."""
    reader = SpanReader(base, adapter)
    right, rows, verdicts, surest = 0, [], [], []
    for example in dev:
        look = reader.look(example.question, [example.passage])
        verdict = score_fuzzy_match(look.answer.text, example.golds)
        right += verdict
        surest += [look.surest] if verdict else []
        if look.agreement is not None:
            rows.append((look.agreement, look.surest))
            verdicts.append(verdict)
    low, high = wilson_interval(right, len(dev))
    calibration = calibrate(rows, verdicts) if len(rows) >= _ENOUGH else Calibration()
    if len(surest) >= _ENOUGH:
        calibration = replace(calibration, no_answer=round(min(surest) - _SPARED, 2))
    return DevScore(right, len(dev), low, high, calibration)


def calibrate(decisions: Sequence[tuple[float, float]], verdicts: Sequence[bool]) -> Calibration:
    """A logistic regression over agreement (as log-odds) and `answerable`, by Newton's method with a ridge."""
    agreement = np.clip(np.array([share for share, _ in decisions]), 1e-4, 1 - 1e-4)
    columns = np.column_stack(
        [np.ones(len(agreement)), np.log(agreement / (1 - agreement)), [surest for _, surest in decisions]]
    )
    truth = np.array(verdicts, dtype=np.float64)
    weights: Floats = np.zeros(3)
    ridge = np.diag([1e-6, _PULL, _PULL])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (truth - chance) - ridge @ weights
        curve = (columns * (chance * (1 - chance))[:, None]).T @ columns + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return Calibration(*(round(float(value), 4) for value in weights))
