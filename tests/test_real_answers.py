"""Small files of answers in the forms of other tools, as public reports of misreadings have them."""

import csv
from pathlib import Path

import pytest

from polqa_demo.records import GoldSet
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.submissions.gold import read_gold

pytestmark = pytest.mark.real

# Right answers of 12, or the problem that refuses the file; and what must be told.
FILES: dict[str, tuple[int | str, str]] = {
    "perfect.csv": (12, "gold-lookalike"),
    "n01_hf_squad_list.json": (12, ""),
    "n02_nbest.json": (12, "best-candidate"),
    "n02b_nbest_one.json": (12, "list-answers"),
    "n02c_predictions_nested.json": (12, ""),
    "n03_kilt.jsonl": (12, "list-answers"),
    "n04_dpr_reader.json": (12, "joined-by-question"),
    "n05_nqopen_noid.jsonl": (12, "joined-by-question"),
    "n05b_question_gold_pred_noid.jsonl": (12, "list-column"),
    "n06_lmeval_samples.jsonl": (12, "known-shape"),
    "n07_mkqa.jsonl": (12, ""),
    "n08_flashrag_intermediate.json": (12, ""),
    "n09_ragas.csv": (12, ""),
    "n10_gold_in_answer_col_response.csv": (0, "gold-column"),
    "n10b_generated_answer.csv": (0, "gold-column"),
    "n10c_model_output.csv": (0, "gold-column"),
    "n10d_answer_and_output.jsonl": (0, "gold-column"),
    "n11_haystack_eval.csv": (12, "first-by-rank"),
    "n12_labelstudio.json": ("missing-columns", ""),
    "n12b_labelstudio.csv": (12, ""),
    "n12c_argilla.jsonl": ("missing-columns", ""),
    "n13_excel_sep.csv": (12, "separator-line"),
    "n13b_excel_sep_comma.csv": (12, "separator-line"),
    "n14_jq_pretty.json": (12, "json-sequence"),
    "n14b_concat_oneline.json": (12, "json-sequence"),
    "n15_trailing_comma.json": (12, "json-commas"),
    "n15b_jsonl_trailing_commas.jsonl": (12, "json-commas"),
    "n16_comment_header.csv": (12, "lines-above-header"),
    "n16b_title_row.csv": (12, "lines-above-header"),
    "n17_rtf.txt": ("not-text", ""),
    "n18_markdown_table.md": (12, ""),
    "n19_llm_wrapped.csv": (3, ""),
    "n19b_think.jsonl": (5, ""),
    "n20_bool_csv.csv": (11, ""),
    "n21_json_nan.jsonl": (11, "empty-answers"),
    "n22_pipe_csv.csv": (12, ""),
    "n22b_doublepipe.txt": (12, ""),
    "n23_qprefix_ids.csv": ("wrong-split", ""),
    "n23b_index_ids.csv": ("wrong-split", ""),
    "n24_jsonl_offby_header.jsonl": ("missing-columns", ""),
    "n25_answers_plural_pred.jsonl": (12, "golds-as-answers"),
    "n26_candidates.jsonl": ("list-answers", ""),
    "n27_dict_of_dicts.json": (12, ""),
    "n27b_columns_json.json": (12, "json-columns"),
    "n27c_pandas_columns.json": (12, "json-columns"),
    "n27d_pandas_split.json": (12, "json-columns"),
    "n28_openai_batch.jsonl": (12, "known-shape"),
    "n30_id_question_answer_headless.tsv": (12, "question-column"),
    "n30b_question_answer_headless.tsv": (12, "joined-by-question"),
    "n30c_id_question_answer_headless.csv": (12, "question-column"),
    "n30d_answer_id.tsv": (12, "ids-recognised"),
    "n30e_id_answer_gold.tsv": (12, "answer-chosen"),
    "n31_numbered_lines.txt": (4, "numbered-lines"),
    "n31b_bullets.txt": (10, ""),
    "n33_quoted_all_lines.txt": (12, "quoted-cells"),
    "n34_trailing_semicolons.csv": (12, ""),
    "n35_html_entities.csv": (10, ""),
    "n36_escaped_unicode.txt": (8, ""),
    "n37_mojibake.csv": (11, "replacement-signs"),
    "n38_special_tokens.csv": (3, ""),
    "n39_no_answer_token.csv": (6, "no-answer-words"),
    "n40_mac.zip": (12, ""),
    "n40b_mac_flat.zip": (12, ""),
    "n40c_codabench.zip": (12, ""),
    "n41_lfs.csv": ("not-text", ""),
    "n42_numpy_cell.csv": ("list-answers", ""),
    "n43_emoji.csv": (12, ""),
    "wrong_case.csv": (12, ""),
}
# Ids from 0 for questions from 1: scored as they stand, the shift is told.
INDEXED = "n32c_pandas_index_one_col.csv"
SHIFTED = ("n32_zero_based.csv", "n32b_zero_based_index.tsv")
# What may be told of a file of which nothing is said above: the files are perfect, and some miss an answer.
BY_THEMSELVES = {"gold-lookalike"}


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    found = shared / "cases" / "second"
    if not found.is_dir():
        pytest.skip("real data absent: no second folder of cases")
    return found


@pytest.fixture(scope="module")
def gold(folder: Path) -> GoldSet:
    return read_gold((folder / "gold_mini.csv").read_bytes(), "gold_mini.csv")


def codes(scored: Scored) -> set[str]:
    return {problem.code for problem in scored.problems}


def test_every_file_of_answers_is_tried(folder: Path) -> None:
    with (folder / "index.csv").open(encoding="utf-8", newline="") as file:
        named = {row["file"] for row in csv.DictReader(file) if row["file"].startswith("n")}
    assert named | {path.name for path in folder.glob("n*")} <= {*FILES, *SHIFTED, INDEXED}


@pytest.mark.parametrize("name", FILES)
def test_forms_of_others(folder: Path, gold: GoldSet, name: str) -> None:
    right, told = FILES[name]
    scored = score_uploads(gold, Upload(name, path=folder / name))
    assert all(problem.message.pl != problem.message.en for problem in scored.problems)
    if isinstance(right, str):
        assert scored.report is None
        assert scored.problems[0].code == right
        return
    assert scored.report is not None, scored.problems
    assert scored.report.answers is not None
    share = scored.report.answers.rules["poleval"]
    assert (share.hits, share.n) == (right, 12)
    assert not told or told in codes(scored)
    assert "other-kind" not in codes(scored)
    assert told or codes(scored) <= BY_THEMSELVES


@pytest.mark.parametrize("name", SHIFTED)
def test_shifted_ids(folder: Path, name: str) -> None:
    gold = read_gold((folder / "exp12.tsv").read_bytes(), "exp12.tsv")
    scored = score_uploads(gold, Upload(name, path=folder / name))
    (shift,) = [problem for problem in scored.problems if problem.code == "shifted-lines"]
    assert "11 instead of 0" in shift.message.en


def test_the_index_of_pandas_is_read_in_its_order(folder: Path) -> None:
    gold = read_gold((folder / "exp12.tsv").read_bytes(), "exp12.tsv")
    scored = score_uploads(gold, Upload(INDEXED, path=folder / INDEXED))
    assert "row-numbers" in codes(scored)
    assert scored.report is not None
    assert scored.report.answers is not None
    assert scored.report.answers.rules["poleval"].hits == 12
