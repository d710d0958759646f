"""Gold in the files of TriviaQA, KILT and DPR: answers, and the passages that they name."""

import json
from typing import Any

import pytest

from polqa_demo.records import GoldSet, Question
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.gold import GoldKind, read_gold

ASKED = ("Co płynie przez Kraków?", "Kto napisał Lalkę?")
GOLDS = (("Wisła", "rzeka Wisła"), ("Prus",))
TRIVIA = {
    "Data": [
        {
            "Answer": {
                "Aliases": list(golds[1:]),
                "MatchedWikiEntityName": "Coś innego",
                "NormalizedAliases": [golds[0].lower()],
                "NormalizedValue": golds[0].lower(),
                "Type": "WikipediaEntity",
                "Value": golds[0],
            },
            "EntityPages": [{"Filename": "Wisla.txt", "Title": "Wisła"}],
            "Question": asked,
            "QuestionId": f"tc_{n}",
            "SearchResults": [],
        }
        for n, (asked, golds) in enumerate(zip(ASKED, GOLDS, strict=True))
    ],
    "Domain": "Web",
    "VerifiedEval": False,
    "Version": 1.0,
}
KILT = [
    {
        "id": f"k{n}",
        "input": asked,
        "output": [
            *({"answer": gold, "provenance": [{"wikipedia_id": f"{70 + n}", "title": "T"}]} for gold in golds),
            {"provenance": [{"wikipedia_id": f"{90 + n}", "title": "U", "start_paragraph_id": 3}]},
        ],
    }
    for n, (asked, golds) in enumerate(zip(ASKED, GOLDS, strict=True))
]
DPR = [
    {
        "dataset": "nq_train_psgs_w100",
        "question": asked,
        "answers": list(golds),
        "positive_ctxs": [{"title": "T", "text": "x", "score": 1000, "passage_id": f"{500 + n}"}],
        "negative_ctxs": [{"title": "T", "text": "y", "score": 0, "passage_id": "9"}],
        "hard_negative_ctxs": [{"title": "T", "text": "z", "score": 0, "passage_id": "8"}],
    }
    for n, (asked, golds) in enumerate(zip(ASKED, GOLDS, strict=True))
]


def read(value: Any, kind: GoldKind | None = None, lines: bool = False) -> GoldSet:
    text = "".join(json.dumps(row) + "\n" for row in value) if lines else json.dumps(value, indent=1)
    return read_gold(text.encode(), "gold.json", kind)


def passages(gold: GoldSet) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for judgement in gold.judgements:
        found.setdefault(judgement.question_id, set()).add(judgement.passage_id)
    return found


def test_the_file_of_triviaqa() -> None:
    gold = read(TRIVIA)
    assert gold.questions == tuple(
        Question(f"tc_{n}", asked, golds) for n, (asked, golds) in enumerate(zip(ASKED, GOLDS, strict=True))
    )
    whole = read_gold(json.dumps(TRIVIA).encode(), "gold.json")
    assert whole.questions == gold.questions


@pytest.mark.parametrize("lines", [False, True])
def test_kilt_has_answers_and_pages(lines: bool) -> None:
    gold = read(KILT, lines=lines)
    assert [question.answers for question in gold.questions] == list(GOLDS)
    assert passages(gold) == {"k0": {"70", "90"}, "k1": {"71", "91"}}
    assert "nested-passages" in {remark.code for remark in gold.remarks}
    alone = read(KILT, "passages", lines)
    assert [question.answers for question in alone.questions] == [(), ()]
    assert (passages(alone), alone.unanswerable) == (passages(gold), frozenset())


def test_pages_of_kilt_are_the_gold_of_its_rankings() -> None:
    ranked = [{"id": "k0", "output": [{"provenance": [{"wikipedia_id": "5"}, {"wikipedia_id": "90"}]}]},
              {"id": "k1", "output": [{"provenance": [{"wikipedia_id": "5"}]}]}]  # fmt: skip
    data = "".join(json.dumps(row) + "\n" for row in ranked).encode()
    report = score_uploads(read(KILT), rankings=Upload("run.jsonl", data)).report
    assert report is not None
    assert report.rankings is not None
    assert report.rankings.hits == 1


@pytest.mark.parametrize("name", ["passage_id", "psg_id"])
def test_the_positive_contexts_of_dpr(name: str) -> None:
    text = json.dumps([*DPR, DPR[0]]).replace('"passage_id"', f'"{name}"')
    gold = read(json.loads(text))
    # Questions without ids keep their places, also where one comes again.
    assert [(one.id, one.answers) for one in gold.questions] == [("1", GOLDS[0]), ("2", GOLDS[1]), ("3", GOLDS[0])]
    assert passages(gold) == {"1": {"500"}, "2": {"501"}, "3": {"500"}}


def test_contexts_and_outputs_that_name_no_passage_are_no_gold_passages() -> None:
    bare = [row | {"positive_ctxs": [{"title": "T", "text": "x"}]} for row in DPR]
    assert (passages(read(bare)), len(read(bare).questions)) == ({}, 2)
    plain = [{"id": row["id"], "input": row["input"], "output": [{"answer": "x"}]} for row in KILT]
    assert passages(read(plain)) == {}
    # A system's context is no judgement.
    contexts = [{"id": "1", "question": "Kto?", "answers": ["x"], "ctxs": [{"id": "7"}]}]
    assert passages(read(contexts)) == {}
    # A column of its own goes before them.
    assert passages(read([row | {"passage_id": "3"} for row in KILT])) == {"k0": {"3"}, "k1": {"3"}}
