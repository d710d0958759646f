"""Small files of gold, questions and corpora in the forms of other tools, each with its right outcome."""

import csv
from pathlib import Path

import pytest

from polqa_demo.data.passages import read_passages
from polqa_demo.errors import UserError
from polqa_demo.gold_sets import open_gold
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.submissions.gold import read_gold, read_gold_or_questions

pytestmark = pytest.mark.real

# Gold against answers: right of how many, or the problem that refuses it; and what is told.
ANSWERED: dict[str, tuple[tuple[int, int] | str, str]] = {
    "g10d_pandas_index.csv": ((12, 12), "numpy-lists"),
    "g08b_numpy_repr.csv": ((12, 12), "numpy-lists"),
    "g08c_numpy_array_repr.csv": ((12, 12), ""),
    "g04_trivia_gold.jsonl": ((12, 12), ""),
    "g05_kilt_gold.jsonl": ((12, 12), ""),
    "g06_flashrag_gold.jsonl": ((12, 12), ""),
    "g07_possible_answers_popqa.jsonl": ((12, 12), ""),
    "g10b_hf_to_json.jsonl": ((12, 12), ""),
    "g10c_hf.parquet": ((12, 12), ""),
    "g11_list_of_objects.jsonl": ((12, 12), ""),
    "g01_squad_gold.json": ((12, 12), ""),
    "gold_mini.csv": ((12, 12), ""),
    # One gold each: 30 does not match "trzydzieści", nor 1000000 "milion"; in the other files both are golds.
    "g08d_answer_col.csv": ((10, 12), "single-golds"),
    # Without ids the questions have numbers, which these predictions do not know.
    "g01b_poquad_gold.json": ("wrong-split", "numbered-questions"),
    "g03_nqopen_gold.jsonl": ("wrong-split", "numbered-questions"),
    "g08_semicolon_answers.csv": ("joined-golds", ""),
    "g09_czywiesz_klej.tsv": ("judged-answers", ""),
    "g10e_saved.arrow": ("not-text", ""),
}
EMPTY = {
    "u_expected_blank.tsv": "u_pred_abstain.txt",
    "u_gold_emptystr.jsonl": "u_pred_abstain.csv",
    "u_gold_unanswerable.jsonl": "u_pred_abstain.csv",
}
# Gold passages against a run: hits at 10.
RANKED: dict[str, tuple[str, tuple[int, int]]] = {
    "q01_beir_qrels.tsv": ("run_ok.trec", (4, 6)),
    "q02b_qrels_docids_D.tsv": ("run_D.trec", (4, 6)),
    "q02c_qrels_hash_miracl.tsv": ("run_hash.trec", (4, 6)),
    "q02d_pairs_medids.tsv": ("run_medids.trec", (4, 6)),
    "q03_qrels_graded.tsv": ("run_ok.trec", (4, 6)),
    "q04_qrels_two_columns.tsv": ("run_ok.trec", (4, 6)),
    "q05_qrels_fields.jsonl": ("run_ok.trec", (4, 6)),
    "gold_pairs.tsv": ("run_ok.trec", (4, 6)),
    "review/qrels_beir.txt": ("review/run_beir.trec", (2, 2)),
    "review/qrels_words.txt": ("review/run_words.trec", (2, 2)),
    "peers/msmarco_qrels.tsv": ("peers/msmarco_same_run.trec", (22, 40)),
    "peers/ms.pt.csv": ("peers/msmarco_same_run.trec", (22, 40)),
    "peers/ms.q_id.csv": ("peers/msmarco_same_run.trec", (22, 40)),
    "peers/ranx_qrels.json": ("peers/msmarco_same_run.trec", (22, 40)),
    "peers/word_ids.qrels": ("peers/word_ids.trec", (22, 40)),
    "peers/graded_gold.tsv": ("peers/graded.run", (1, 1)),
}
ASKED: dict[str, tuple[list[tuple[str, str]], str]] = {
    "qs01_beir_queries.jsonl": ([(str(number), "Kto?") for number in range(201, 207)], ""),
    "qs03_id_header.tsv": (
        [("201", "Kto dowodził pod Grunwaldem?"), ("202", "Nad jaką rzeką leży Łódź?"), ("203", "Kto napisał Lalkę?")],
        "",
    ),
    "qs04_trec_topics.txt": ([("201", "Kto dowodził pod Grunwaldem?")], "trec-topics"),
    "qs05_dpr_qas.csv": (
        [("1", "Kto dowodził pod Grunwaldem?"), ("2", "Nad jaką rzeką leży Łódź?")], "question-columns",
    ),
    "qs06_numbered.txt": (
        [("1", "Kto dowodził pod Grunwaldem?"), ("2", "Nad jaką rzeką leży Łódź?")], "question-numbers",
    ),
    "qs07_header_pytanie.txt": (
        [("1", "Kto dowodził pod Grunwaldem?"), ("2", "Nad jaką rzeką leży Łódź?")], "question-header",
    ),
}  # fmt: skip
CORPORA: dict[str, int | str] = {
    "c01_beir_corpus.jsonl": 25,
    "c02_pyserini_contents.jsonl": 25,
    "c05_miracl_docid.jsonl": 25,
    "corpus24.jsonl": 25,
    "c03_psgs_w100.tsv": "passages-tab-parted",
    "c04_msmarco_collection.tsv": "passages-tab-parted",
    "c06_array.json": "passages-array",
}
# Gold of the second reading: what is told of it.
ODD = {
    "gold_two_sheets.xlsx": "several-sheets",
    "gold_cp1250.csv": "encoding",
    "gold_unclosed.csv": "unclosed-quote",
    "gold_python.jsonl": "python-dicts",
    "quoted_header_gold.csv": "",
    "gold3.jsonl": "",
}


@pytest.fixture(scope="module")
def second(shared: Path) -> Path:
    return shared / "cases" / "second"


def upload(path: Path) -> Upload:
    return Upload(path.name, path=path)


def scored(folder: Path, gold: str, answers: str = "", rankings: str = "", questions: str = "") -> Scored:
    runs = [upload(folder / rankings)] if rankings else []
    found, refused = open_gold(str(folder / gold), None, upload(folder / questions) if questions else None, runs)
    if found is None:
        assert refused is not None
        return refused
    return score_uploads(found, upload(folder / answers) if answers else None, runs[0] if runs else None)


def codes(found: Scored) -> list[str]:
    return [problem.code for problem in found.problems]


def test_every_file_of_gold_questions_and_corpora_is_tried(second: Path) -> None:
    tried = {*ANSWERED, *EMPTY, *RANKED, *ASKED, *CORPORA}
    for pattern in ("g[0-9]*", "q[0-9]*", "qs*", "u_[eg]*", "c0*", "peers/*qrels*", "peers/ms.[pq]*", "review/qrels*"):
        found = {path.relative_to(second).as_posix() for path in second.glob(pattern)} - {"q6.jl"}
        assert found <= tried, pattern
    with (second / "index.csv").open(encoding="utf-8", newline="") as file:
        named = {row["file"] for row in csv.DictReader(file) if "--gold FILE" in row["how_to_run"]}
    assert named <= tried


@pytest.mark.parametrize("name", ANSWERED)
def test_gold_of_answers(second: Path, name: str) -> None:
    expected, told = ANSWERED[name]
    found = scored(second, name, "perfect.csv")
    assert not told or told in codes(found)
    if isinstance(expected, str):
        assert expected in codes(found)
        assert found.report is None
        return
    assert found.report is not None
    assert found.report.answers is not None
    share = found.report.answers.rules["poleval"]
    assert (share.hits, share.n) == expected
    assert "gold" in found.recognised


@pytest.mark.parametrize("name", EMPTY)
def test_empty_golds(second: Path, name: str) -> None:
    left_out = scored(second, name, EMPTY[name])
    assert "no-gold-answer" in codes(left_out)
    gold, _ = open_gold(str(second / name))
    assert gold is not None
    counted = score_uploads(gold, upload(second / EMPTY[name]), unanswerable="abstain")
    for found, n in ((left_out, 10), (counted, 12)):
        assert found.report is not None
        assert found.report.answers is not None
        assert (found.report.answers.rules["poleval"].hits, found.report.answers.rules["poleval"].n) == (n, n)


@pytest.mark.parametrize("questions", ["", "q6.jl"])
@pytest.mark.parametrize("name", RANKED)
def test_gold_passages(second: Path, name: str, questions: str) -> None:
    run, expected = RANKED[name]
    found = scored(second, name, "", run, questions if "/" not in name else "")
    assert found.report is not None, found.problems
    assert found.report.rankings is not None
    assert (found.report.rankings.hits, found.report.rankings.n) == expected


@pytest.mark.parametrize("name", ASKED)
def test_questions(second: Path, name: str) -> None:
    wanted, told = ASKED[name]
    found = read_gold_or_questions(second / name, name)
    assert [(question.id, question.text) for question in found.questions] == wanted
    assert [remark.code for remark in found.remarks] == ([told] if told else [])


@pytest.mark.parametrize("name", CORPORA)
def test_corpora(second: Path, name: str) -> None:
    expected = CORPORA[name]
    if isinstance(expected, str):
        with pytest.raises(UserError) as caught:
            list(read_passages([second / name]))
        assert caught.value.code == expected
        return
    passages = list(read_passages([second / name]))
    assert len(passages) == expected
    assert all(passage.id and passage.text for passage in passages)


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_about_a_gold_file_is_told(second: Path, name: str) -> None:
    found = scored(second / "review", name, "answers3.csv")
    assert found.report is not None, found.problems
    assert not ODD[name] or ODD[name] in codes(found)


def test_poquad_and_polaq_are_read_whole(shared: Path) -> None:
    found, _ = open_gold(str(shared / "data" / "polaq" / "polaq_manual_part.json"))
    assert found is not None
    assert len(found.questions) == 4463
    assert all(question.answers for question in found.questions)
    found, _ = open_gold(str(shared / "data" / "xquad" / "xquad.en.json"))
    assert found is not None
    assert len(found.questions) == 1190


def test_golds_of_poleval_2021_are_no_judgements(shared: Path) -> None:
    for part, n in (("dev-0", 1000), ("test-A", 2500)):
        path = shared / "data" / "poleval2021-qa" / f"{part}.expected.tsv"
        lines = path.read_text(encoding="utf-8").splitlines()
        found, _ = open_gold(str(path))
        assert found is not None
        assert (len(found.questions), found.judgements, found.remarks) == (n, (), ())
        # Also the lines that end with a number alone, by the number of their golds.
        for width in (2, 3, 4):
            chosen = [line for line in lines if line.count("\t") == width - 1 and line.rsplit("\t")[-1].isdigit()]
            if chosen:
                assert read_gold("\n".join(chosen).encode(), "expected.tsv").judgements == (), width
