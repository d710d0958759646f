"""What the other order of a file scores, told beside the score and in a comparison, of a secret gold never."""

import pytest

from polqa_demo.comparison import compare_uploads
from polqa_demo.errors import Bilingual, Problem
from polqa_demo.gold_sets import seal
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.table import Overrides

IDS = ("1", "2", "3", "4")
GOLD = GoldSet(
    "maly",
    "",
    tuple(Question(key, f"Pytanie {key}?") for key in IDS),
    tuple(Judgement(key, f"gold-{key}", grade=1) for key in IDS[:3]),
)
# The gold passage of questions 1 and 2 stands first of twelve, that of 3 last; 4 has none.
LISTS = {
    "1": ["gold-1", *(f"a{n}-0" for n in range(11))],
    "2": ["gold-2", *(f"b{n}-0" for n in range(11))],
    "3": [*(f"c{n}-0" for n in range(11)), "gold-3"],
    "4": [f"d{n}-0" for n in range(12)],
}
ROWS = [(key, passage, rank) for key, found in LISTS.items() for rank, passage in enumerate(found, 1)]
NEAREST = "".join(f"{key} Q0 {passage} {rank} {rank / 10} faiss\n" for key, passage, rank in ROWS)
CODES = ("rank-against-score", "sorted-by-score", "rising-scores")


def upload(text: str = NEAREST, form: str | None = None, name: str = "run.trec") -> Upload:
    return Upload(name, text.encode(), overrides=Overrides(form=form))


def contrary(problems: tuple[Problem, ...]) -> Bilingual:
    (message,) = [one.message for one in problems if one.code in CODES]
    return message


def test_the_score_counts_and_the_rank_is_told() -> None:
    found = score_uploads(GOLD, rankings=upload())
    assert found.report is not None
    assert found.report.rankings is not None
    assert found.report.rankings.hits == 1
    message = contrary(found.problems)
    assert message.en.endswith("accuracy@10: 1/3 (33.33 %) by score, 2/3 (66.67 %) by rank.")
    assert message.pl.endswith("accuracy@10: 1/3 (33,33 %) według wyniku, 2/3 (66,67 %) według pozycji.")
    (problem,) = [one for one in found.problems if one.code == "rank-against-score"]
    assert (problem.severity, problem.file) == ("warning", "run.trec")


@pytest.mark.parametrize(("form", "hits"), [("ranks", 2), ("distances", 2), ("trec", 1)])
def test_what_somebody_says_counts_and_stands_in_the_signature(form: str, hits: int) -> None:
    report = score_uploads(GOLD, rankings=upload(form=form)).report
    assert report is not None
    assert report.rankings is not None
    assert report.rankings.hits == hits
    assert f"form:{form}" in report.signature


def test_a_question_that_agrees_counts_in_both() -> None:
    agreed = NEAREST.replace("1 Q0 gold-1 1 0.1", "1 Q0 gold-1 1 99")
    message = contrary(score_uploads(GOLD, rankings=upload(agreed)).problems)
    assert "2/3 (66.67 %) by score, 2/3 (66.67 %) by rank" in message.en


def test_lists_and_files_in_another_order_than_their_scores() -> None:
    rows = (
        f'{{"id": "{key}", "ctxs": ['
        + ", ".join(f'{{"id": "{passage}", "score": {place}}}' for place, passage in enumerate(found))
        + "]}\n"
        for key, found in LISTS.items()
    )
    message = contrary(score_uploads(GOLD, rankings=upload("".join(rows), name="run.jsonl")).problems)
    assert message.en.endswith("1/3 (33.33 %) by score, 2/3 (66.67 %) in the order of the file.")
    pairs = "".join(f"{key}\t{passage}\t{rank / 7}\n" for key, passage, rank in ROWS)
    message = contrary(score_uploads(GOLD, rankings=upload(pairs, name="run.tsv")).problems)
    assert message.pl.endswith("1/3 (33,33 %) według wyniku, 2/3 (66,67 %) w kolejności pliku.")


def test_deep_rankings_keep_the_first_of_the_other_order() -> None:
    rows = [f"1 Q0 x{n} {n + 1} {n / 1000} faiss\n" for n in range(2000)]
    rows[3] = "1 Q0 gold-1 4 0.003 faiss\n"
    for text in ("".join(rows), "".join(reversed(rows))):
        message = contrary(score_uploads(GOLD, rankings=upload(text)).problems)
        assert "0/3 (0.00 %) by score, 1/3 (33.33 %) by rank" in message.en


def test_a_comparison_tells_it_of_each_file() -> None:
    found = compare_uploads(GOLD, [upload(), upload(form="ranks", name="other.trec")], draws=20)
    (problem,) = [one for one in found.problems if one.code == "rank-against-score"]
    assert problem.file == "run.trec"
    assert "2/3 (66.67 %) by rank" in problem.message.en


def test_of_a_secret_gold_one_file_tells_one_total() -> None:
    secret = seal(GOLD, b"key")
    found = score_uploads(secret, rankings=upload())
    assert "accuracy@10" not in contrary(found.problems).en + contrary(found.problems).pl
    foreign = score_uploads(secret, rankings=upload(NEAREST.replace("gold-", "gold:")))
    (problem,) = [one for one in foreign.problems if one.code == "foreign-passages"]
    assert "gold-" not in problem.message.en + problem.message.pl


def test_without_gold_passages_the_problem_stays_as_it_is() -> None:
    bare = GoldSet("bez", "", GOLD.questions)
    assert "no-gold-passages" in [one.code for one in score_uploads(bare, rankings=upload()).problems]


def test_files_of_one_order_tell_nothing() -> None:
    agreed = "".join(f"{key} Q0 {passage} {rank} {1 / rank} x\n" for key, passage, rank in ROWS)
    assert [one.code for one in score_uploads(GOLD, rankings=upload(agreed)).problems] == []
