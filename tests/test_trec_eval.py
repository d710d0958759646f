"""What trec_eval and ir_measures say of qrels and runs, and what we say of the same files, read by our own readers."""

import json
import random
from collections.abc import Mapping
from pathlib import Path

import ir_measures
import pytest
from ir_measures import AP, RR, P, R, Success, nDCG

from polqa_demo.comparison import compare_uploads
from polqa_demo.evaluation.measures import MEASURES
from polqa_demo.evaluation.question_ranking import CUTOFF, QuestionRanking
from polqa_demo.evaluation.report import Report, build_report
from polqa_demo.gold_sets import seal
from polqa_demo.reports.report_json import report_json
from polqa_demo.scoring import Upload
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.rankings import read_rankings

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

OUTSIDE = {
    "ndcg@5": nDCG @ 5,
    "ndcg@10": nDCG @ 10,
    "mrr@10": RR @ 10,
    "recall@10": R @ 10,
    "map": AP,
    "p@5": P @ 5,
    "p@10": P @ 10,
    "accuracy@1": Success @ 1,
    "accuracy@5": Success @ 5,
    "accuracy@10": Success @ 10,
}
NAMES = {code: str(measure) for code, measure in OUTSIDE.items()}
# What trec_eval itself knows of them.
CODES = tuple(code for code in OUTSIDE if code != "mrr@10")
SEEDS = range(200)
PASSAGES = [f"{number}-0" for number in range(100, 140)]


def drawn(seed: int, grades: tuple[int, ...]) -> tuple[Qrels, Run]:
    """Judgements and a run with distinct scores: missing lists, unjudged passages, questions with nothing relevant."""
    draw = random.Random(seed)
    questions = [str(number) for number in range(1, draw.randint(3, 8))]
    low = [grade for grade in grades if grade < 1]
    qrels = {}
    for question in questions:
        given = grades if draw.random() < 0.85 else low
        qrels[question] = {passage: draw.choice(given) for passage in draw.sample(PASSAGES, draw.randint(1, 15))}
    # Something can be scored.
    qrels["1"][PASSAGES[0]] = max(grades)
    run = {
        question: {
            passage: -float(rank) - draw.random() / 2
            for rank, passage in enumerate(draw.sample(PASSAGES, draw.randint(1, 25)), 1)
        }
        for question in questions
        if question == "1" or draw.random() < 0.85
    }
    return qrels, run


def scored(folder: Path, qrels: Qrels, run: Run, header: bool = False) -> Report:
    """The report on both as files: judgements as TREC writes them or with a header, the run in a shuffled order."""
    rows = [(question, passage, grade) for question, judged in qrels.items() for passage, grade in judged.items()]
    if header:
        text = "question_id\tpassage_id\tscore\n" + "".join(f"{q}\t{p}\t{grade}\n" for q, p, grade in rows)
    else:
        text = "".join(f"{q} 0 {p} {grade}\n" for q, p, grade in rows)
    (folder / "gold").write_text(text)
    lines = [
        f"{question} Q0 {passage} {rank} {score} run\n"
        for question, listed in run.items()
        for rank, (passage, score) in enumerate(listed.items(), 1)
    ]
    random.Random(0).shuffle(lines)
    (folder / "run.trec").write_text("".join(lines))
    gold = read_gold(folder / "gold", "gold")
    rankings = read_rankings(folder / "run.trec", gold.questions, "run.trec").rankings
    return build_report(gold, rankings=rankings)


def outside(qrels: Qrels, run: Run) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """The means and the values of every question, by measure; a question without a list counts as 0."""
    # The build of trec_eval behind it fails on what lies below -1, which says "not relevant" like it.
    judged = [ir_measures.Qrel(q, p, max(grade, -1)) for q, found in qrels.items() for p, grade in found.items()]
    listed = [ir_measures.ScoredDoc(q, p, score) for q, found in run.items() for p, score in found.items()]
    means, values = ir_measures.calc(list(OUTSIDE.values()), judged, listed)
    single: dict[str, dict[str, float]] = {}
    for value in values:
        single.setdefault(str(value.measure), {})[value.query_id] = value.value
    return {str(measure): value for measure, value in means.items()}, single


def ours(report: Report) -> dict[str, float]:
    scores = report.rankings
    assert scores is not None
    return {NAMES[code]: score.value for code, score in scores.scores.items() if code in NAMES}


def of_question(item: QuestionRanking) -> dict[str, float]:
    return {name: MEASURES[code].value(item) for code, name in NAMES.items()}


def with_relevant(qrels: Qrels) -> Qrels:
    return {question: judged for question, judged in qrels.items() if max(judged.values()) > 0}


@pytest.mark.parametrize(
    ("grades", "gains"),
    [((0, 1), "binary"), ((-1, 0, 1), "binary"), ((0, 1, 2, 3, 4), "graded"), ((-2, -1, 0, 0, 1, 3), "graded")],
    ids=["binary", "negative", "graded", "graded and negative"],
)
@pytest.mark.parametrize("header", [False, True])
def test_equal_values_on_random_qrels_and_runs(
    grades: tuple[int, ...], gains: str, header: bool, tmp_path: Path
) -> None:
    missing = nothing = unjudged = 0
    for seed in SEEDS[int(header) :: 2]:
        qrels, run = drawn(seed, grades)
        report = scored(tmp_path, qrels, run, header)
        assert report.rankings is not None
        assert (report.rankings.ties.questions, report.rankings.gains) == (0, gains)
        assert f"|gains:{gains}|" in report.signature
        # Our means leave out questions with nothing relevant; trec_eval -c counts them as 0.
        counted = with_relevant(qrels)
        wanted, single = outside(counted, run)
        found = ours(report)
        assert found == pytest.approx({name: wanted[name] for name in found}, abs=1e-9), seed
        for item in report.rankings.items:
            if item.question_id in counted:
                here = {name: values[item.question_id] for name, values in single.items()}
                assert of_question(item) == pytest.approx(here, abs=1e-9), (seed, item.question_id)
            else:
                assert set(of_question(item).values()) == {0.0}
        everywhere, _ = outside(qrels, run)
        assert report.rankings.accuracy_all_questions.value == pytest.approx(everywhere["Success@10"])
        missing += len(counted.keys() - run.keys())
        nothing += len(qrels) - len(counted)
        unjudged += sum(passage not in qrels[question] for question in run for passage in run[question])
    assert min(missing, nothing, unjudged) > 10


def test_trec_eval_itself_says_the_same_of_graded_judgements(tmp_path: Path) -> None:
    import pytrec_eval

    for seed in SEEDS[:50]:
        qrels, run = drawn(seed, (-1, 0, 1, 2, 3))
        found = pytrec_eval.RelevanceEvaluator(qrels, {MEASURES[code].trec_name for code in CODES}).evaluate(run)
        report = scored(tmp_path, qrels, run)
        assert report.rankings is not None
        for item in report.rankings.items:
            wanted: Mapping[str, float] = found.get(item.question_id, {})
            values = {MEASURES[code].trec_name: MEASURES[code].value(item) for code in CODES}
            assert values == pytest.approx({name: wanted.get(name, 0.0) for name in values}, abs=1e-9)


def test_equal_scores_follow_the_rank_and_bound_what_trec_eval_makes_of_them(tmp_path: Path) -> None:
    """trec_eval orders equal scores by the passage's id, backwards; we by the rank that the file gives."""
    decisive = 0
    for seed in SEEDS:
        qrels, run = drawn(seed, (0, 0, 0, 1, 2))
        tied = {question: {passage: float(score // 4) for passage, score in run[question].items()} for question in run}
        report = scored(tmp_path, qrels, tied)
        assert report.rankings is not None
        scores = report.rankings
        # The ranks of the file are the order of the distinct scores.
        assert ours(report) == pytest.approx(ours(scored(tmp_path, qrels, run)), abs=1e-12)
        wanted, _ = outside(with_relevant(qrels), tied)
        assert scores.ties.worst.value - 1e-9 <= wanted[f"Success@{CUTOFF}"] <= scores.ties.best.value + 1e-9
        decisive += scores.ties.decisive
    assert decisive > 10


def test_comparisons_and_secret_gold_count_grades_as_scores_do(tmp_path: Path) -> None:
    qrels, run = drawn(7, (0, 1, 2, 3))
    report = scored(tmp_path, qrels, run)
    gold = read_gold(tmp_path / "gold", "gold")
    found = compare_uploads(gold, [Upload(name, path=tmp_path / "run.trec") for name in ("a.trec", "b.trec")], draws=10)
    assert report.rankings is not None
    assert "|gains:graded|" in found.signature
    values = {one.measure: one.runs[0].mean for one in found.comparisons}
    assert values["ndcg@10"] == pytest.approx(report.rankings["ndcg@10"].value)
    rankings = read_rankings(tmp_path / "run.trec", gold.questions, "run.trec").rankings
    sealed = build_report(seal(gold, b"key"), rankings=rankings)
    assert sealed.rankings is not None
    total = round(report.rankings["ndcg@10"].value, 4)
    assert (sealed.rankings["ndcg@10"].value, sealed.rankings.gains) == (total, "graded")
    assert "|gains:graded|" in sealed.signature
    assert "grades" not in json.dumps(report_json(sealed))
