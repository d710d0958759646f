"""What the other order of a file scores, told beside the score and in a comparison, of a secret gold never."""

from dataclasses import replace

import pytest

from polqa_demo.comparison import compare_uploads
from polqa_demo.errors import Bilingual, Problem
from polqa_demo.gold_sets import seal
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import PARSER, Upload, score_uploads
from polqa_demo.submissions.gold import read_gold
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
    # One file tells one total: the other order is another submission.
    assert "accuracy@10" not in contrary(found.problems).en
    foreign = score_uploads(secret, rankings=upload(NEAREST.replace("gold-", "gold:")))
    assert [one.code for one in foreign.problems] == [one.code for one in found.problems]


def test_the_kind_of_a_file_hangs_on_no_judgement_of_a_secret_gold() -> None:
    words = "".join(f"{key}\tkot {key}\t{9 - int(key)}\n" for key in LISTS)
    judged = tuple(Judgement(key, f"kot {key}", grade=1) for key in LISTS)
    open_gold = replace(GOLD, judgements=judged)
    secret = replace(seal(open_gold, b"key"), judgements=judged)
    assert PARSER.kind(upload(words, name="x.tsv"), open_gold) == "rankings"
    assert PARSER.kind(upload(words, name="x.tsv"), secret) == "answers"
    other = replace(seal(GOLD, b"key"), judgements=GOLD.judgements)
    one, two = (score_uploads(gold, rankings=upload(words, name="x.tsv")) for gold in (secret, other))
    assert [problem.message for problem in one.problems] == [problem.message for problem in two.problems]


def test_lists_of_ten_show_their_mean_reciprocal_rank() -> None:
    few = {"1": ["a", "gold-1"], "2": ["b", "gold-2"], "3": ["gold-3", "c"], "4": ["d", "e"]}
    rows = "".join(f"{key}\t{one}\t{n}.5\n" for key, found in few.items() for n, one in enumerate(found))
    message = contrary(score_uploads(GOLD, rankings=upload(rows, name="run.tsv")).problems)
    assert message.en.endswith(
        "accuracy@10: 3/3 (100.00 %) by score, 3/3 (100.00 %) in the order of the file. "
        "MRR@10: 83.33 % by score, 66.67 % in the order of the file."
    )
    assert "MRR@10: 83,33 % według wyniku, 66,67 % w kolejności pliku." in message.pl


def test_without_gold_passages_the_problem_stays_as_it_is() -> None:
    bare = GoldSet("bez", "", GOLD.questions)
    assert "no-gold-passages" in [one.code for one in score_uploads(bare, rankings=upload()).problems]


def test_files_of_one_order_tell_nothing() -> None:
    agreed = "".join(f"{key} Q0 {passage} {rank} {1 / rank} x\n" for key, passage, rank in ROWS)
    assert [one.code for one in score_uploads(GOLD, rankings=upload(agreed)).problems] == []


NUMBERED = GoldSet(
    "liczby",
    "",
    tuple(Question(str(key), f"Pytanie {key}?") for key in range(1, 5)),
    tuple(Judgement(str(key), str(499 + key), grade=1) for key in range(1, 5)),
)


def scored_numbers(text: str) -> tuple[int, dict[str, Problem]]:
    found = score_uploads(NUMBERED, rankings=upload(text, name="run.tsv"))
    assert found.report is not None
    assert found.report.rankings is not None
    return found.report.rankings.hits, {one.code: one for one in found.problems}


def test_whole_scores_that_are_ids_of_gold_passages_leave_a_doubt() -> None:
    hits, told = scored_numbers("".join(f"{key}\t{900 + key}\t{499 + key}\n" for key in range(1, 5)))
    assert hits == 4
    assert told["ambiguous-form"].severity == "warning"
    assert told["ambiguous-form"].message.en.endswith(
        "accuracy@10: 4/4 (100.00 %) by the one that counts, 0/4 (0.00 %) by the other reading."
    )
    lists = "".join(f"{key}\t{900 + key}\t{800 + key}\n" for key in range(1, 5))
    assert "ambiguous-form" not in scored_numbers(lists)[1]


@pytest.mark.parametrize("behind", ["\t1", "\t1\t500", "\t500\t1"])
def test_rank_1_of_the_only_passage_is_no_passage(behind: str) -> None:
    gold = replace(NUMBERED, judgements=tuple(Judgement(str(key), "1", grade=1) for key in range(1, 5)))
    text = "".join(f"{key}\t{900 + key}{behind}\n" for key in range(1, 5))
    found = score_uploads(gold, rankings=upload(text, name="run.tsv"))
    assert found.report is not None
    assert found.report.rankings is not None
    assert found.report.rankings.hits == 0
    assert "rank-column" in {one.code for one in found.problems}


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_distances_that_fall_may_be_inner_products(form: str) -> None:
    rows = [(key, passage, 1 / rank) for key, passage, rank in ROWS]
    text = "question_id,passage_id,distance\n" + "".join(f"{key},{one},{number}\n" for key, one, number in rows)
    if form == "jsonl":
        text = "".join(
            f'{{"question_id": "{key}", "passage_id": "{one}", "distance": {number}}}\n' for key, one, number in rows
        )
    found = score_uploads(GOLD, rankings=upload(text, name=f"run.{form}"))
    (problem,) = [one for one in found.problems if one.code == "falling-distances"]
    assert problem.severity == "warning"
    assert problem.message.en.endswith("1/3 (33.33 %) by distance, 2/3 (66.67 %) in the order of the file.")
    for said in ("long", "distances"):
        scored = score_uploads(GOLD, rankings=upload(text, said, f"run.{form}"))
        assert "falling-distances" not in {one.code for one in scored.problems}
    near = score_uploads(GOLD, rankings=upload(text.replace("distance", "rank"), name=f"run.{form}"))
    assert "falling-distances" not in {one.code for one in near.problems}


def test_distances_that_rise_are_distances() -> None:
    text = "question_id,passage_id,distance\n" + "".join(f"{key},{one},{rank / 7}\n" for key, one, rank in ROWS)
    codes = {one.code for one in score_uploads(GOLD, rankings=upload(text, name="run.csv")).problems}
    assert codes & {*CODES, "falling-distances"} == set()


@pytest.mark.parametrize("form", ["lists", "pairs", "csv"])
def test_of_two_ids_of_a_passage_the_judged_one_counts(form: str) -> None:
    rows = [(key, passage, place) for place, (key, passage, _) in enumerate(ROWS)]
    other = "id" if form == "lists" else "pid"
    hits = {
        key: ", ".join(f'{{"{other}": {place}, "document_id": "{one}"}}' for whose, one, place in rows if whose == key)
        for key in IDS
    }
    text = "".join(f'{{"question_id": "{key}", "hits": [{found}]}}\n' for key, found in hits.items())
    if form == "pairs":
        text = "".join(
            f'{{"question_id": "{key}", "pid": {place}, "document_id": "{one}"}}\n' for key, one, place in rows
        )
    if form == "csv":
        text = "question_id,pid,docid\n" + "".join(f"{key},{place},{one}\n" for key, one, place in rows)

    def scored(gold: GoldSet) -> tuple[int, set[tuple[str, str]]]:
        found = score_uploads(gold, rankings=upload(text, name="run.csv" if form == "csv" else "run.jsonl"))
        assert found.report is not None
        assert found.report.rankings is not None
        return found.report.rankings.hits, {(one.code, one.severity) for one in found.problems}

    hits_found, told = scored(GOLD)
    assert hits_found == 2
    assert ("two-passage-ids", "note") in told
    # The first name stays where the gold knows its ids.
    rows_judged = replace(GOLD, judgements=tuple(Judgement(key, str(12 * int(key) - 12), grade=1) for key in IDS))
    hits_found, told = scored(rows_judged)
    assert hits_found == 4
    assert "two-passage-ids" not in {code for code, _ in told}


@pytest.mark.parametrize(("other", "hits"), [("101.1", 3), ("7", 3), ("7.0", 3)])
def test_decimal_passages_of_the_gold_are_read_alike_in_the_ranking(other: str, hits: int) -> None:
    qrels = "question_id,passage_id,relevant\n" + "".join(f"{key},10{key}.0,1\n" for key in "123")
    gold = read_gold(qrels.encode(), "gold.csv")
    rows = "".join(f"{key}\t10{key}.0\t9\n{key}\t{other}\t8\n" for key in "123")
    text = "question_id\tpassage_id\tscore\n" + rows
    found = score_uploads(gold, rankings=upload(text, name="run.tsv"))
    assert found.report is not None
    assert found.report.rankings is not None
    assert found.report.rankings.hits == hits


def test_whole_passages_of_the_gold_are_no_decimals() -> None:
    gold = read_gold(b"question_id,passage_id,relevant\n1,101,1\n2,102,1\n", "gold.csv")
    text = "question_id\tpassage_id\tscore\n1\t101.0\t9\n1\t101.1\t8\n2\t102.0\t9\n"
    found = score_uploads(gold, rankings=upload(text, name="run.tsv"))
    assert found.report is not None
    assert found.report.rankings is not None
    assert found.report.rankings.hits == 0


def test_of_word_like_ids_nothing_tells_whether_a_secret_gold_judges_them() -> None:
    words = GoldSet(
        "slowa",
        "",
        tuple(Question(str(key), f"Pytanie {key}?") for key in range(1, 5)),
        tuple(Judgement(str(key), name, grade=1) for key, name in enumerate(("Wisła", "Odra", "Bug", "San"), 1)),
    )
    text = "1\tWisła\n2\tOdra\n3\tBug\n4\tSan\n"
    judged, strange = (
        score_uploads(seal(words, b"key"), rankings=upload(rows, "wide", "run.tsv"))
        for rows in (text, text.replace("\t", "\tRzeka"))
    )
    assert [one.code for one in judged.problems] == [one.code for one in strange.problems] == ["short-rankings"]


def test_points_and_ranks_may_be_the_other_way_round() -> None:
    text = "".join(f"{key}\t{passage}\t{rank}\t{13 - rank}\n" for key, passage, rank in ROWS)
    found = score_uploads(GOLD, rankings=upload(text, name="run.tsv"))
    (problem,) = [one for one in found.problems if one.code == "ambiguous-form"]
    assert problem.severity == "warning"
    assert problem.message.en.endswith("2/3 (66.67 %) by the one that counts, 1/3 (33.33 %) by the other reading.")
    said = score_uploads(GOLD, rankings=upload(text, "long", "run.tsv"))
    assert said.report is not None
    assert said.report.rankings is not None
    assert said.report.rankings.hits == 1
    plain = "".join(f"{key}\t{passage}\t{rank}\t{1 / rank}\n" for key, passage, rank in ROWS)
    codes = {one.code for one in score_uploads(GOLD, rankings=upload(plain, name="run.tsv")).problems}
    assert "ambiguous-form" not in codes


def test_one_scored_pair_a_question_parted_by_commas() -> None:
    text = "".join(f"{key},{499 + key},{key / 8}\n" for key in range(1, 5))
    hits, told = scored_numbers(text)
    assert hits == 4
    assert "ambiguous-form" not in told
    # A text with a blank is no id.
    words = "".join(f"{key},{499 + key} i,{key / 8}\n" for key in range(1, 5))
    found = score_uploads(NUMBERED, rankings=upload(words, name="run.csv"))
    assert found.report is None


def test_an_object_by_numbers_may_hold_passages_by_their_places() -> None:
    gold = replace(GOLD, judgements=tuple(Judgement(key, key, grade=1) for key in IDS[:3]))
    frame = '{"1":{"1":1,"2":9,"3":8},"2":{"1":2,"2":7,"3":9},"3":{"1":3,"2":8,"3":7}}'
    found = score_uploads(gold, rankings=upload(frame, name="run.json"))
    (problem,) = [one for one in found.problems if one.code == "ambiguous-form"]
    assert problem.message.en.endswith(
        "accuracy@10: 3/3 (100.00 %) by the one that counts, 3/3 (100.00 %) by the other reading. MRR@10: 44.44 % by "
        "the one that counts, 100.00 % by the other reading."
    )
    said = score_uploads(gold, rankings=upload(frame, "wide", "run.json")).report
    assert said is not None
    assert said.rankings is not None
    assert said.rankings["mrr@10"].value == 1
    assert "form:wide" in said.signature


def test_a_second_score_is_told_by_what_it_would_score() -> None:
    rows = "".join(f"{key}\t{passage}\t{-rank}\t{rank}\n" for key, passage, rank in ROWS)
    header = "question_id\tpassage_id\tscore\trerank_score\n"
    found = score_uploads(GOLD, rankings=upload(header + rows, name="run.tsv"))
    (problem,) = [one for one in found.problems if one.code == "two-scores"]
    assert problem.message.en.endswith("accuracy@10: 2/3 (66.67 %) by score, 1/3 (33.33 %) by rerank_score.")
