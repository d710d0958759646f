"""Small files that have broken such tools elsewhere, and real files with known scores, all through `score_uploads`."""

import csv
import io
import json
from pathlib import Path

import pytest

from polqa_demo.data.polqa import gold_passages
from polqa_demo.gold_sets import open_gold
from polqa_demo.records import GoldSet
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.submissions.gold import read_gold, read_gold_or_questions

pytestmark = pytest.mark.real

# Right answers of 12, or the problem that refuses the file (a form that is not read gets a plain message).
ANSWERS: dict[str, int | str] = {
    "perfect.csv": 12,
    "perfect-lines.txt": 12,
    "u01_bom.csv": 12,
    "u02_utf16le.tsv": 12,
    "u02_utf16be_nobom.csv": 12,
    "u03_cp1250.csv": 12,
    "u05_lone_quote.tsv": 12,
    "u07_no_final_newline.txt": 12,
    "u07_extra_blank_lines.txt": 12,
    "u09_crlf_lines.txt": 12,
    "u09_cr_only.csv": 12,
    "u10_null_na.csv": 12,
    "u10_json_null.jsonl": 11,
    "u12_dup_ids.csv": "duplicate-ids",
    "u13_missing_ids.csv": 9,
    "u13_extra_ids.csv": 12,
    "u14_wrong_split.csv": "wrong-split",
    "u15_pred_list_literal.csv": 12,
    "u16_single_quotes.jsonl": 12,
    "u16_json_array.json": 12,
    "u16_squad_predictions.json": 12,
    "u17_pred.csv.gz": 12,
    "u17_pred.zip": 12,
    "u17_pred.xlsx": 12,
    "u17_xlsx_named.csv": 12,
    "u19_nul.csv": 12,
    "u20_huge_field.csv": 11,
    "U21_PRED.CSV": 12,
    "u22_pred.jl": 12,
    "u22_pred.jsonl": 12,
    "u24_empty.csv": "empty-file",
    "u24_header_only.csv": "no-predictions",
    "u27_tab_in_answer.tsv": 12,
    "u29_newline_in_field.csv": 12,
    "u30_columns_swapped_names.csv": 12,
}
GOLDS = ("u15_gold_list_quirks.csv", "u15_gold_json_list.csv")
NOTICED = {
    "u02_utf16le.tsv": "encoding",
    "u02_utf16be_nobom.csv": "encoding",
    "u03_cp1250.csv": "encoding",
    "u16_single_quotes.jsonl": "python-dicts",
    "u07_extra_blank_lines.txt": "blank-lines-dropped",
    "u10_json_null.jsonl": "empty-answers",
    "u13_missing_ids.csv": "missing-ids",
    "u13_extra_ids.csv": "extra-ids",
    "u15_pred_list_literal.csv": "list-answers",
    "u27_tab_in_answer.tsv": "extra-cells",
}
# Hits at 10 of 6, or the problem.
RANKINGS: dict[str, int | str] = {
    "wide_with_id.tsv": 4,
    "wide_no_id.tsv": 4,
    "long_scores.tsv": 4,
    "trec_run.txt": 4,
    "dpr.json": 4,
    "r05_int_ids.jsonl": 4,
    "r06_unsorted_long.tsv": 4,
    "r07_seven.tsv": 3,
    "r07_ragged.tsv": 2,
    "r08_not_in_corpus.tsv": 3,
    "r09_space_separated.txt": "mixed-separators",
    "r10_id_noise.tsv": 4,
}


@pytest.fixture(scope="module")
def mini(shared: Path) -> GoldSet:
    return opened(shared / "cases" / "gold" / "mini.csv")


@pytest.fixture(scope="module")
def pairs(shared: Path) -> GoldSet:
    folder = shared / "cases" / "retrieval"
    questions = read_gold_or_questions((folder / "questions.jl").read_bytes(), "questions.jl").questions
    return read_gold((folder / "gold_pairs.tsv").read_bytes(), "gold_pairs.tsv", questions=questions)


def opened(path: Path, questions: Path | None = None) -> GoldSet:
    gold, refused = open_gold(str(path), None, upload(questions) if questions else None)
    assert gold is not None, refused
    return gold


def upload(path: Path) -> Upload:
    return Upload(path.name, path=path)


def codes(scored: Scored) -> list[str]:
    return [problem.code for problem in scored.problems]


def right(scored: Scored, rule: str = "poleval") -> tuple[int, int]:
    assert scored.report is not None, scored.problems
    assert scored.report.answers is not None
    share = scored.report.answers.rules[rule]
    return share.hits, share.n


def hits(scored: Scored) -> tuple[int, int]:
    assert scored.report is not None, scored.problems
    assert scored.report.rankings is not None
    return scored.report.rankings.hits, scored.report.rankings.n


def test_every_case_of_the_index_is_tried(shared: Path) -> None:
    with (shared / "cases" / "index.csv").open(encoding="utf-8", newline="") as file:
        named = {row["file"] for row in csv.DictReader(file)}
    tried = {f"upload/{name}" for name in (*ANSWERS, *GOLDS)} | {f"ranking/{name}" for name in RANKINGS}
    tried |= {"ranking/r02_ties.run", "ranking/r11_gold_duplicates.tsv", "metric/metric_cases.csv"}
    tried |= {"metric/m08_best_of_golds.csv"}
    assert {name for name in named if not name.startswith("live/")} == tried


@pytest.mark.parametrize("name", ANSWERS)
def test_uploads_of_answers(shared: Path, mini: GoldSet, name: str) -> None:
    scored = score_uploads(mini, upload(shared / "cases" / "upload" / name))
    expected = ANSWERS[name]
    if isinstance(expected, str):
        assert scored.report is None
        assert codes(scored)[0] == expected
        assert scored.problems[0].message.pl != scored.problems[0].message.en
        return
    assert right(scored) == (expected, 12)
    assert not [problem for problem in scored.problems if problem.severity == "error"]
    if name in NOTICED:
        assert NOTICED[name] in codes(scored)
    report = json.dumps(scored.json("pl"), ensure_ascii=False)
    assert "\ufffd" not in report
    assert '"None"' not in report


def test_a_file_whose_name_is_markup_is_a_file(shared: Path, mini: GoldSet) -> None:
    data = (shared / "cases" / "live" / "g08_rename_me.csv").read_bytes()
    assert right(score_uploads(mini, Upload("<img src=x onerror=alert(1)>.csv", data))) == (12, 12)


def test_the_gold_of_the_cases(mini: GoldSet) -> None:
    assert len(mini.questions) == 12
    assert sum(judgement.relevant for judgement in mini.judgements) == 12
    assert all(judgement.passage_id for judgement in mini.judgements)
    assert len(gold_passages(mini)) == 12


@pytest.mark.parametrize("name", GOLDS)
def test_golds_with_quirks(shared: Path, mini: GoldSet, name: str) -> None:
    gold = opened(shared / "cases" / "upload" / name)
    scored = score_uploads(gold, upload(shared / "cases" / "upload" / "perfect.csv"))
    if name == "u15_gold_json_list.csv":
        assert gold.questions == mini.questions
        assert right(scored) == (12, 12)
        return
    answers = {question.id: question.answers for question in gold.questions}
    assert (len(answers["112"]), answers["111"]) == (2, ())
    assert right(scored)[1] == 11
    assert "no-gold-answer" in codes(scored)


@pytest.mark.parametrize("name", RANKINGS)
def test_uploads_of_rankings(shared: Path, pairs: GoldSet, name: str) -> None:
    scored = score_uploads(pairs, rankings=upload(shared / "cases" / "ranking" / name))
    expected = RANKINGS[name]
    if isinstance(expected, str):
        assert scored.report is None
        assert codes(scored)[0] == expected
        return
    assert hits(scored) == (expected, 6)


def test_what_is_told_about_odd_rankings(shared: Path, pairs: GoldSet) -> None:
    folder = shared / "cases" / "ranking"
    seven = score_uploads(pairs, rankings=upload(folder / "r07_seven.tsv"))
    assert any("7 " in problem.message.pl for problem in seven.problems if problem.code == "short-rankings")
    ragged = score_uploads(pairs, rankings=upload(folder / "r07_ragged.tsv"))
    assert {"empty-rankings", "short-rankings"} <= set(codes(ragged))
    corpus = (shared / "cases" / "retrieval" / "mini_corpus.jsonl").read_text(encoding="utf-8").splitlines()
    known = {json.loads(line)["id"] for line in corpus}
    unknown = score_uploads(pairs, rankings=upload(folder / "r08_not_in_corpus.tsv"), in_corpus=known.__contains__)
    assert "unknown-passages" in codes(unknown)


def test_ties_fall_by_rank_in_any_order_of_lines(shared: Path, pairs: GoldSet) -> None:
    lines = (shared / "cases" / "ranking" / "r02_ties.run").read_text(encoding="utf-8").splitlines()
    for order in (lines, lines[::-1], sorted(lines)):
        scored = score_uploads(pairs, rankings=Upload("r02.run", "\n".join(order).encode()))
        assert scored.report is not None
        found = {item.question.id: item.ranking for item in scored.report.items}
        assert [bool(found[key] and found[key].hit()) for key in ("201", "202", "203")] == [True, True, False]
        assert "ties" in codes(scored)


def test_doubled_gold_changes_nothing(shared: Path, pairs: GoldSet) -> None:
    questions = shared / "cases" / "retrieval" / "questions.jl"
    doubled = opened(shared / "cases" / "ranking" / "r11_gold_duplicates.tsv", questions)
    assert gold_passages(doubled) == gold_passages(pairs)
    assert hits(score_uploads(doubled, rankings=upload(shared / "cases" / "ranking" / "wide_with_id.tsv"))) == (4, 6)


@pytest.mark.parametrize("rule", ["poleval", "readme"])
def test_every_metric_case(shared: Path, rule: str) -> None:
    with (shared / "cases" / "metric" / "metric_cases.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    gold_lines = [{"id": number, "answers": [row["gold"]]} for number, row in enumerate(rows, 1)]
    gold = read_gold("".join(json.dumps(line) + "\n" for line in gold_lines).encode(), "gold.jsonl")
    answers = [{"id": number, "answer": row["prediction"]} for number, row in enumerate(rows, 1)]
    sent = Upload("odp.jsonl", "".join(json.dumps(line) + "\n" for line in answers).encode())
    report = score_uploads(gold, sent, rule=rule).report
    assert report is not None
    verdicts = [item.verdict is not None and item.verdict.correct for item in report.items]
    assert verdicts == [row[rule] == "1" for row in rows]


def test_any_gold_may_match(shared: Path) -> None:
    with (shared / "cases" / "metric" / "m08_best_of_golds.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for turn in (1, -1):
        golds = [{"id": row["question_id"], "answers": row["golds"].split("|")[::turn]} for row in rows]
        gold = read_gold(json.dumps(golds).encode(), "gold.json")
        out = io.StringIO()
        csv.writer(out).writerows([["id", "answer"], *([row["question_id"], row["answer"]] for row in rows)])
        assert right(score_uploads(gold, Upload("odp.csv", out.getvalue().encode()))) == (3, 3)


@pytest.mark.parametrize(
    ("part", "run", "poleval"),
    [
        ("dev-0", "always-tak", (51, 1000)),
        ("dev-0", "polish-roberta", (72, 1000)),
        ("test-A", "always-tak", (143, 2500)),
        ("test-A", "polish-roberta", (172, 2500)),
    ],
)
def test_known_scores_of_answers(shared: Path, part: str, run: str, poleval: tuple[int, int]) -> None:
    folder = shared / "data" / "poleval2021-qa"
    gold = opened(folder / f"{part}.expected.tsv", folder / f"{part}.in.tsv")
    scored = score_uploads(gold, upload(folder / f"{part}.out.{run}.tsv"))
    assert right(scored) == poleval
    assert scored.forms == {"gold": "golds, UTF-8", "questions": "questions, UTF-8", "answers": "lines, UTF-8"}
    if run == "always-tak":
        assert right(scored, "readme")[0] == {"dev-0": 50, "test-A": 140}[part]


@pytest.mark.parametrize(
    ("gold", "run", "found", "ndcg"),
    [
        ("poleval2022-pr/dev-0.expected.tsv", "poleval2022-pr/dev-0.out.submission-00407.tsv", (446, 599), 0.3809),
        ("poleval2022-pr/dev-0.expected.tsv", "poleval2022-pr/dev-0.out.top100.tsv", (255, 599), 0.1717),
    ],
)
def test_known_scores_of_wide_rankings(shared: Path, gold: str, run: str, found: tuple[int, int], ndcg: float) -> None:
    questions = shared / "data" / "poleval2022-pr" / "dev-0.in.tsv"
    scored = score_uploads(opened(shared / "data" / gold, questions), rankings=upload(shared / "data" / run))
    assert hits(scored) == found
    assert scored.report is not None
    assert scored.report.rankings is not None
    assert scored.report.rankings["ndcg@10"].value == pytest.approx(ndcg, abs=5e-5)
    assert scored.forms == {
        "gold": "passages, UTF-8",
        "questions": "questions, UTF-8",
        "rankings": "wide, UTF-8",
    }


@pytest.mark.parametrize(
    ("part", "run", "found", "ndcg"),
    [
        ("allegro", "bm25", (667, 900), 0.5289),
        ("allegro", "roberta-i", (833, 900), 0.7683),
        ("allegro", "MiniLM", (490, 900), 0.3761),
        ("dev-0", "bm25", (530, 599), 0.6056),
        ("dev-0", "roberta-trained", (592, 599), 0.8417),
    ],
)
def test_known_scores_of_long_rankings(shared: Path, part: str, run: str, found: tuple[int, int], ndcg: float) -> None:
    folder = shared / "data" / "poleval2022-pr-long" / part
    (file,) = [path for path in folder.iterdir() if run.lower() in path.name.lower()]
    (gold,) = [path for path in folder.iterdir() if path.name.startswith("pairs")]
    scored = score_uploads(opened(gold), rankings=upload(file))
    assert hits(scored) == found
    assert scored.report is not None
    assert scored.report.rankings is not None
    assert scored.report.rankings["ndcg@10"].value == pytest.approx(ndcg, abs=5e-5)
    if (part, run) == ("allegro", "bm25"):
        assert scored.report.rankings.ties.questions == 55


def test_a_real_file_of_stray_carriage_returns(shared: Path) -> None:
    folder = shared / "data" / "poleval2022-pr"
    questions = read_gold_or_questions((folder / "test-A.in.tsv").read_bytes(), "test-A.in.tsv").questions
    from polqa_demo.submissions.rankings import read_rankings

    file = read_rankings((folder / "test-A.out.submission-00718-crlf.tsv").read_bytes(), questions, "run.tsv")
    assert len(file.rankings) == 1200
    assert not any(passage.endswith("\r") for ranking in file.rankings.values() for passage in ranking.passage_ids)
