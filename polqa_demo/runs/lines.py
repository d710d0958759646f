"""Rankings and answers as lines of the files that `score` reads."""

import json

from polqa_demo.records import Answer, Ranking

RANKING_HEADERS = {"long": "question-id\tpassage-id\tscore\trank\n"}
RUN_NAME = "polqa-demo"


def ranking_lines(question_id: str, ranking: Ranking, form: str = "long") -> str:
    """One question's ranking in one of the forms that `score` reads.

    Scores are written in full (the shortest digits that give the same number): cut ones would tie, and ties are broken
    otherwise by everyone who reads them.
    """
    pairs = list(zip(ranking.passage_ids, ranking.scores, strict=True))
    if form == "wide":
        return "\t".join([question_id, *ranking.passage_ids]) + "\n"
    if form == "jsonl":
        row = {"question_id": question_id, "passage_ids": ranking.passage_ids, "scores": ranking.scores}
        return json.dumps(row, ensure_ascii=False) + "\n"
    if form == "trec":
        rows = [
            f"{question_id} Q0 {passage} {rank} {float(score)!r} {RUN_NAME}"
            for rank, (passage, score) in enumerate(pairs, 1)
        ]
    else:
        rows = [f"{question_id}\t{passage}\t{float(score)!r}\t{rank}" for rank, (passage, score) in enumerate(pairs, 1)]
    return "".join(row + "\n" for row in rows)


def answer_line(question_id: str, answer: Answer) -> str:
    """One answer as a line of JSONL."""
    row = {
        "question_id": question_id,
        "answer": answer.text,
        "passage_id": answer.passage_id,
        "confidence": round(answer.confidence, 4),
    }
    return json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
