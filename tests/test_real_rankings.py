"""Small files of rankings in the forms of other tools, as public reports of misreadings have them."""

from pathlib import Path

import pytest

from polqa_demo.gold_sets import open_gold
from polqa_demo.records import GoldSet
from polqa_demo.scoring import PARSER, Scored, Upload, score_uploads

pytestmark = pytest.mark.real

# Questions of six with a gold passage among the first ten, or the problem that refuses the file; what must be told.
FILES: dict[str, tuple[int | str, str]] = {
    "run_ok.trec": (4, ""),
    "r01b_msmarco_with_header.tsv": (4, ""),
    "r02_distances.trec": (2, "rank-against-score"),
    "r02b_rank_contradicts_score.tsv": (2, "rank-against-score"),
    "r02c_distance_col.csv": (4, "distances falling-distances"),
    "r02d_distances_jsonl.jsonl": (2, "sorted-by-score"),
    "r03_docid_with_space.trec": ("blank-in-ids", ""),
    "r04_five_columns.trec": (4, "trec-columns"),
    "r04b_lower_q0_tab.trec": (4, ""),
    "r04c_zero_second.trec": (4, ""),
    "r04d_iter_word.trec": (4, ""),
    "r04e_rank0_allscore0.trec": (4, "ties"),
    "r05_numpy_scores.tsv": (4, "printed-numbers"),
    "r05b_decimal_comma.csv": (4, "decimal-commas"),
    "r05c_minusinf.tsv": (4, "infinite-scores"),
    "r06_dpr_wikiids.json": (0, "foreign-passages"),
    "r07_mteb_results.json": (4, ""),
    "r07b_mteb_predictions_wrapped.json": (4, "wrapped-run"),
    "r07c_ranx_named.json": (4, "wrapped-run"),
    "r08_sentence_transformers.jsonl": (4, ""),
    "r09_kilt_prov.jsonl": (4, "kilt-provenance"),
    "r10_bracket_cells.csv": (4, ""),
    "r10b_space_joined.csv": (4, "list-cells"),
    "r11_self_match.tsv": (4, "self-matches"),
    "r12_qrels_as_run.txt": ("qrels-as-run", ""),
    "r13_rag_contexts_texts.jsonl": ("texts-not-ids", ""),
    "r13b_contexts_only.jsonl": ("texts-not-ids", ""),
    "r14_pyserini_docids_hash.trec": (0, "foreign-passages"),
    "r15_ascending_lines_noscore.tsv": (4, "file-order"),
    "r16_headless.csv": (4, "rank-column"),
    "r17_ok_long_space.txt": (4, "rank-column"),
    "r18_rank_first.tsv": (4, "rank-column"),
    "r19_msmarco_1000.tsv": (6, "rank-column"),
    "r20_descending_rank_filler.tsv": (4, "rank-column"),
}
# Contexts beside answers are answers; all others are told from answers without a word.
ANSWERS = ("r13_rag_contexts_texts.jsonl",)
# The rankings of 40 questions in several forms, of which 22 hit.
PEERS = {
    "msmarco_qrels.tsv": ("msmarco_run_rank.tsv", "msmarco_same_run.trec", "ranx_run.json", "ms.run.q_id.csv"),
    "word_ids.qrels": ("word_ids.trec",),
}


def opened(gold: Path, questions: Path | None = None) -> GoldSet:
    found, _ = open_gold(str(gold), None, Upload(questions.name, path=questions) if questions else None)
    assert found is not None
    return found


def scored(folder: Path, gold: GoldSet, name: str) -> Scored:
    return score_uploads(gold, rankings=Upload(name, path=folder / name))


def hits(found: Scored) -> int | str:
    if found.report is None or found.report.rankings is None:
        return found.problems[0].code
    return found.report.rankings.hits


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    found = shared / "cases" / "second"
    if not found.is_dir():
        pytest.skip("real data absent: no second folder of cases")
    return found


@pytest.mark.parametrize("name", FILES)
def test_rankings_of_other_tools(folder: Path, name: str) -> None:
    gold = opened(folder / "gold_pairs.tsv", folder / "q6.jl")
    found = scored(folder, gold, name)
    wanted, told = FILES[name]
    codes = {problem.code for problem in found.problems}
    assert hits(found) == wanted
    assert codes - {"short-rankings"} <= {*told.split(), "ties"} | ({str(wanted)} if isinstance(wanted, str) else set())
    assert set(told.split()) <= codes
    assert PARSER.kind(Upload(name, path=folder / name), gold) == ("answers" if name in ANSWERS else "rankings")


def test_every_file_of_rankings_is_looked_at(folder: Path) -> None:
    there = {path.name for path in folder.glob("r[0-9]*")}
    assert there <= set(FILES)


def test_what_the_other_order_scores(folder: Path) -> None:
    gold = opened(folder / "gold_pairs.tsv", folder / "q6.jl")
    for name in ("r02_distances.trec", "r02b_rank_contradicts_score.tsv"):
        (message,) = [one.message for one in scored(folder, gold, name).problems if one.code == "rank-against-score"]
        assert "2/6 (33.33 %) by score, 4/6 (66.67 %) by rank" in message.en


@pytest.mark.parametrize(("gold", "run"), [(gold, run) for gold, runs in PEERS.items() for run in runs])
def test_one_ranking_in_the_forms_of_peers(folder: Path, gold: str, run: str) -> None:
    peers = folder / "peers"
    assert hits(scored(peers, opened(peers / gold), run)) == 22


def test_rankings_of_the_review(folder: Path) -> None:
    review = folder / "review"
    gold = opened(review / "goldp.csv")
    assert hits(scored(review, gold, "quoted_header_rank.csv")) == 2
    unclosed = scored(review, gold, "rank_unclosed.csv")
    assert "unclosed-quote" in {problem.code for problem in unclosed.problems}
    assert hits(scored(review, opened(review / "qrels_beir.txt"), "run_beir.trec")) == 2
    assert hits(scored(review, opened(review / "qrels_words.txt"), "run_words.trec")) == 2
