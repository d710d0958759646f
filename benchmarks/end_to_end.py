"""Pipelines end to end: retrieval, the reader on retrieved and on gold passages, with 95 % intervals.

The default (hybrid, spans), the one without torch (hybrid, rules) and the one without models (lexical, rules).

Yardsticks in the same run: "tak" or "nie" to every question, whichever is right more often, and the reader on gold
passages. On the embedded sample always, on PoQuAD's questions (CC BY 4.0) over the shared corpus where the folder of
real data is there (--shared, POLQA_SHARED).

    python -m benchmarks.end_to_end [--shared DIR] [--record]
"""

import argparse
import os
import time
from pathlib import Path

from benchmarks.recording import record
from polqa_demo.evaluation.report import build_report, score_answers
from polqa_demo.evaluation.signature import gold_title
from polqa_demo.pipeline import Pipeline, open_pipeline
from polqa_demo.records import GoldSet, Ranking
from polqa_demo.reports.report_json import share_json
from polqa_demo.runs.passages import passage_source
from polqa_demo.submissions.gold import load_gold, read_gold

PIPELINES = (("hybrid", "spans"), ("hybrid", "rules"), ("lexical", "rules"))


def main() -> None:
    """Measures every set that is at hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="the folder of real data (default: POLQA_SHARED)")
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/end_to_end.json")
    options = parser.parse_args()
    rows = [
        measure(open_pipeline(retriever=one[0], reader=one[1]), load_gold("polqa-demo-sample/test"))
        for one in PIPELINES
    ]
    shared = options.shared or Path(os.environ.get("POLQA_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    poquad = shared / "data" / "poquad-corpus"
    if poquad.is_dir():
        gold = read_gold((poquad / "questions-gold.jsonl").read_bytes(), "PoQuAD.jsonl")
        held_out = frozenset((poquad / "heldout-question-ids.txt").read_text(encoding="utf-8").split())
        for retriever, reader in PIPELINES:
            pipeline = open_pipeline(sorted(poquad.glob("passages-*.jsonl")), retriever=retriever, reader=reader)
            rows.append(measure(pipeline, only(gold, held_out)))
    else:
        print("no data/poquad-corpus: name the folder with --shared or POLQA_SHARED; only the sample was measured")
    for row in rows:
        print(row)
    if options.record:
        record("end_to_end", {"rows": rows})


def only(gold: GoldSet, ids: frozenset[str]) -> GoldSet:
    """The held-out questions of a set."""
    return GoldSet(
        f"{gold.name}-held-out",
        gold.split,
        tuple(question for question in gold.questions if question.id in ids),
        tuple(judgement for judgement in gold.judgements if judgement.question_id in ids),
    )


def measure(pipeline: Pipeline, gold: GoldSet) -> dict[str, object]:
    """Scores of one set, and the time a question took."""
    hits_of, _ = passage_source(pipeline, gold, None, "", False, None)
    gold_hits_of, _ = passage_source(pipeline, gold, None, "", True, None)
    answers: dict[str, str] = {}
    on_gold: dict[str, str] = {}
    rankings: dict[str, Ranking] = {}
    start = time.perf_counter()
    for question in gold.questions:
        hits = hits_of(question)
        answers[question.id] = pipeline.read(question.text, hits).text
        rankings[question.id] = Ranking(
            question.id, tuple(hit.passage.id for hit in hits), tuple(hit.score for hit in hits)
        )
    seconds = time.perf_counter() - start
    for question in gold.questions:
        on_gold[question.id] = pipeline.read(question.text, gold_hits_of(question)).text
    report = build_report(gold, answers, rankings, answers_from_gold=on_gold)
    assert report.answers is not None
    assert report.rankings is not None
    assert report.answers_from_gold is not None
    one_word = (
        score_answers(gold, {question.id: word for question in gold.questions}).rules["poleval"]
        for word in ("tak", "nie")
    )
    return {
        "set": gold_title(gold),
        "pipeline": f"{pipeline.origin.choice.retriever}, {pipeline.origin.choice.reader}",
        "passages": len(pipeline.index.passages),
        "questions": len(gold.questions),
        **{code: share_json(share, "hits") for code, share in report.rankings.shares.items()},
        "mrr@10": round(report.rankings["mrr@10"].value, 4),
        "ndcg@10": round(report.rankings["ndcg@10"].value, 4),
        "fuzzy_match_retrieved": share_json(report.answers.rules["poleval"], "correct"),
        "fuzzy_match_gold_passages": share_json(report.answers_from_gold.rules["poleval"], "correct"),
        "fuzzy_match_one_word": share_json(max(one_word, key=lambda share: share.hits), "correct"),
        "ms_per_question": round(1e3 * seconds / len(gold.questions), 1),
        "signature": report.signature,
    }


if __name__ == "__main__":
    main()
