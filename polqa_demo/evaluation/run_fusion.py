"""Rankings of several runs for the same questions: fused into a further run, and side by side."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.records import Ranking

RRF_K = 60

Rankings = Mapping[str, Ranking]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage at its rank in one run. `elsewhere` holds its rank in each other run, None where it is not ranked."""

    passage_id: str
    gold: bool
    judged: bool
    elsewhere: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The rankings of one question, a column a run. `rows[r][c]` stands at rank r + 1 in run c; None: nothing there.

    `gold_ranks` maps each gold passage to its rank in every run, as deep as the run goes; None where it is not ranked.
    """

    question_id: str
    names: tuple[str, ...]
    rows: tuple[tuple[Ranked | None, ...], ...]
    gold_ranks: Mapping[str, Mapping[str, int | None]]


def fuse_rankings(runs: Sequence[Rankings], k: int = RRF_K, depth: int = 100) -> dict[str, Ranking]:
    """Reciprocal-rank fusion: a passage's score is the sum of 1 / (k + rank) over the runs that rank it.

    Questions come in the order in which the runs name them. Of equal scores the better single rank comes first, then
    the run that was named first. A passage listed twice counts once, at its first rank; the first `depth` are kept.
    Raises ValueError when k is negative or depth below 1.
    Source: G. V. Cormack, C. L. A. Clarke, S. Buettcher, Reciprocal rank fusion outperforms Condorcet and individual
    rank learning methods, SIGIR 2009 (k = 60).
    """
    if k < 0 or depth < 1:
        message = f"k must not be negative and depth at least 1, not {k} and {depth}"
        raise ValueError(message)
    fused = {}
    for question_id in dict.fromkeys(key for run in runs for key in run):
        parts: dict[str, list[int]] = {}
        for run in runs:
            for passage, rank in _ranks(run.get(question_id)).items():
                parts.setdefault(passage, []).append(rank)
        # A sum that does not depend on the order of the runs keeps equal scores equal.
        scores = {passage: fsum(1 / (k + rank) for rank in ranks) for passage, ranks in parts.items()}
        order = sorted(scores, key=lambda passage: (-scores[passage], min(parts[passage])))[:depth]
        fused[question_id] = Ranking(question_id, tuple(order), tuple(scores[passage] for passage in order))
    return fused


def side_by_side(
    question_id: str,
    runs: Mapping[str, Rankings],
    gold: Collection[str],
    judged: Collection[str] = (),
    depth: int = CUTOFF,
) -> SideBySide:
    """The first passages of one question in every run (name -> rankings), gold marked; gold counts as judged."""
    ranks = {name: _ranks(run.get(question_id)) for name, run in runs.items()}
    known = frozenset(gold) | frozenset(judged)
    columns = []
    for name, column in ranks.items():
        passages = [
            Ranked(
                passage,
                passage in gold,
                passage in known,
                {other: found.get(passage) for other, found in ranks.items() if other != name},
            )
            for passage in list(column)[:depth]
        ]
        columns.append([*passages, *[None] * (depth - len(passages))])
    used = max((min(len(column), depth) for column in ranks.values()), default=0)
    return SideBySide(
        question_id,
        tuple(runs),
        tuple(zip(*columns, strict=True))[:used],
        {passage: {name: found.get(passage) for name, found in ranks.items()} for passage in dict.fromkeys(gold)},
    )


def _ranks(ranking: Ranking | None) -> dict[str, int]:
    """Each passage's rank, from 1, repetitions left out."""
    return {passage: rank for rank, passage in enumerate(dict.fromkeys(ranking.passage_ids if ranking else ()), 1)}
