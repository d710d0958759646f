"""Damaged files of reports, indexes and models are refused by name, or used; nothing else ever comes out.

Some hundred accidents of each in the suite; POLQA_FUZZ_STORED (20,000) says how many in the long run.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from polqa_demo.data.passages import PassageStore
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.reading.span_model import load_hub
from polqa_demo.reading.spans import SpanReader
from polqa_demo.records import Passage
from polqa_demo.reports.html import report_html
from polqa_demo.reports.report_json import report_json
from polqa_demo.reports.saved import load_saved
from polqa_demo.retrieval.cross_encoder import CrossEncoderScorer
from polqa_demo.retrieval.encoders import open_encoder
from polqa_demo.retrieval.index import build_index, open_index, verify_index
from tests.reports.written_reports import plain_report
from tests.retrieval.tiny_cross_encoder import save
from tests.retrieval.tiny_encoders import save_bert
from tests.stored_files import outcomes
from tests.tiny_encoder import write_reader
from tools.retriever.adapter import load_adapter

LONG = int(os.environ.get("POLQA_FUZZ_STORED", "20000"))
SEED = int(os.environ.get("POLQA_FUZZ_SEED", "2026"))
TEXTS = ["Bolesław Prus napisał Lalkę.", "Wisła to rzeka.", "Toruń leży nad Wisłą.", "Żółw."]
Case = tuple[Path, Callable[[], object], str]


@pytest.fixture(scope="module")
def saved_report(tmp_path_factory: pytest.TempPathFactory) -> Case:
    path = tmp_path_factory.mktemp("report") / "report.json"
    path.write_text(json.dumps(report_json(plain_report(12))), encoding="utf-8")

    def use() -> None:
        loaded = load_saved(path.read_bytes())
        report_html(loaded.report, analysis=analyse(loaded.report))

    return path, use, "json"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    corpus = folder / "corpus.jsonl"
    lines = [json.dumps({"id": f"{n}-1", "title": f"T{n}", "text": text}) for n, text in enumerate(TEXTS)]
    corpus.write_text("\n".join(lines), encoding="utf-8")
    build_index([corpus], folder / "index")
    return folder / "index"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_bert(tmp_path_factory.mktemp("encoder") / "tiny")


def of_index(index: Path, name: str) -> Case:
    def use() -> None:
        opened = open_index(index)
        opened.lexical().search("Kto napisał Lalkę?", 2)
        verify_index(index)

    return index / name, use, "json" if name.endswith(".json") else "bytes"


def of_passages(index: Path, name: str) -> Case:
    """The store by itself, as the cache of passages has it: without marks of its files."""
    folder = index / "passages"

    def use() -> None:
        store = PassageStore.open(folder)
        for passage in store:
            store.row(passage.id)
        for place in range(len(store)):
            store.id_at(place)
        store.row("nie ma")

    return folder / name, use, "bytes"


def of_encoder(folder: Path, name: str, kind: str) -> Case:
    def use() -> None:
        open_encoder(str(folder), folder.parent).encode_queries(["Kto napisał Lalkę?"])

    return folder / name, use, kind


def of_adapter(folder: Path, name: str, kind: str) -> Case:
    return folder / name, lambda: load_adapter(folder), kind


def ran(case: Case, count: int) -> None:
    path, use, kind = case
    use()  # whole, it is used
    found = outcomes(path, use, count, SEED, kind)
    assert sum(found.values()) == count
    assert found.keys() - {"used"}, found
    assert "refused without a word" not in found
    use()


@pytest.mark.parametrize("count", [300, pytest.param(LONG, marks=[pytest.mark.heavy, pytest.mark.timeout(7200)])])
def test_saved_reports(saved_report: Case, count: int) -> None:
    ran(saved_report, count)


@pytest.mark.parametrize("count", [200, pytest.param(LONG, marks=[pytest.mark.heavy, pytest.mark.timeout(7200)])])
def test_manifests(index: Path, count: int) -> None:
    ran(of_index(index, "manifest.json"), count)


@pytest.mark.parametrize("name", ["offsets.npy", "id_hashes.npy", "id_rows.npy", "passages.jsonl"])
@pytest.mark.parametrize("count", [300, pytest.param(LONG, marks=[pytest.mark.heavy, pytest.mark.timeout(7200)])])
def test_id_tables(index: Path, name: str, count: int) -> None:
    ran(of_passages(index, name), count)


@pytest.mark.parametrize("count", [300, pytest.param(LONG, marks=[pytest.mark.heavy, pytest.mark.timeout(7200)])])
def test_headers_of_an_adapter(tmp_path: Path, count: int) -> None:
    from tools.retriever.adapter import __file__ as module

    folder = tmp_path / "adapter"
    shutil.copytree(Path(module).parent / "e5-small-pl", folder)
    ran(of_adapter(folder, "adapter.safetensors", "header"), count)
    ran(of_adapter(folder, "adapter.json", "json"), count)


@pytest.mark.parametrize("count", [40, pytest.param(LONG // 10, marks=[pytest.mark.heavy, pytest.mark.timeout(7200)])])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("model.safetensors", "header"),
        ("tokenizer.json", "json"),
        ("tokenizer_config.json", "json"),
        ("config.json", "json"),
        ("modules.json", "json"),
        ("1_Pooling/config.json", "json"),
    ],
)
def test_files_of_an_encoder(encoder: Path, name: str, kind: str, count: int) -> None:
    ran(of_encoder(encoder, name, kind), count)


@pytest.mark.parametrize("count", [25, pytest.param(LONG // 10, marks=[pytest.mark.heavy, pytest.mark.timeout(7200)])])
@pytest.mark.parametrize(
    ("name", "kind"), [("model.safetensors", "header"), ("tokenizer.json", "json"), ("config.json", "json")]
)
def test_files_of_an_extractive_reader(
    tmp_path_factory: pytest.TempPathFactory, name: str, kind: str, count: int
) -> None:
    folder = write_reader(tmp_path_factory.mktemp("reader"))
    passages = [Passage("1", "Wisła", TEXTS[1])]
    ran((folder / name, lambda: SpanReader(model=load_hub(str(folder))).read("Kto?", passages), kind), count)


@pytest.mark.parametrize("count", [25, pytest.param(LONG // 10, marks=[pytest.mark.heavy, pytest.mark.timeout(7200)])])
@pytest.mark.parametrize(
    ("name", "kind"), [("model.safetensors", "header"), ("tokenizer.json", "json"), ("config.json", "json")]
)
def test_files_of_a_reranker(tmp_path_factory: pytest.TempPathFactory, name: str, kind: str, count: int) -> None:
    folder = save(tmp_path_factory.mktemp("reranker"))
    passages = [Passage("1", "Wisła", TEXTS[1])]
    ran((folder / name, lambda: CrossEncoderScorer.open(str(folder)).score("Kto?", passages), kind), count)
