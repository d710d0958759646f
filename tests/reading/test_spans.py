import json
import shutil
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from tiny_encoder import write_encoder, write_reader

from polqa_demo.errors import UserError
from polqa_demo.reading.question_types import understand
from polqa_demo.reading.span_decoding import Weighing, WindowScores, decide_span, first_number
from polqa_demo.reading.span_model import Calibration, batches, load_adapted, padded
from polqa_demo.reading.span_windows import Layout, Window, make_windows
from polqa_demo.reading.spans import SpanReader
from polqa_demo.records import Answer, Passage
from tests.retrieval.tiny_encoders import as_cached
from tools.reader.export import write_adapter
from tools.reader.trunk import Trunk

WHO = understand("Kto to?")
PAN = Passage("1", "Pan Tadeusz", "Adam napisał Pan Tadeusz w 1834 roku . Adam mieszka w Krakowie .")
DOM = Passage("2", "dom", "Ewa mieszka w Łodzi . Ewa ma trzy lat .")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def adapter(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adapter")
    torch.manual_seed(3)
    trunk = Trunk(base, 1, 4, 8)
    with torch.no_grad():
        for name, weights in trunk.lora.items():
            if name.endswith("B"):
                weights.normal_(0, 0.05)
    write_adapter(folder, trunk, Layout("query: ", True, 64, 16), Weighing(), Calibration())
    return folder


@pytest.fixture(scope="module")
def reader(base: Path, adapter: Path) -> SpanReader:
    return SpanReader(base, adapter)


def copied(adapter: Path, folder: Path) -> Path:
    return Path(shutil.copytree(adapter, folder / "copy"))


def test_the_identity_is_of_the_files(base: Path, adapter: Path, tmp_path: Path) -> None:
    known = SpanReader(base, adapter).identity
    same = copied(adapter, tmp_path)
    assert SpanReader(base, same).identity == known
    settings_file = same / "reader.json"
    found = json.loads(settings_file.read_text(encoding="utf-8"))
    found["weighing"]["rules"] = 0.25
    settings_file.write_text(json.dumps(found), encoding="utf-8")
    assert SpanReader(base, same).identity != known
    assert SpanReader(base, adapter, base_mark="another").identity != known


def holds(answer: Answer, passages: list[Passage]) -> bool:
    """What records.Answer promises."""
    if not answer.text or answer.start is None:
        return 0 <= answer.confidence <= 1
    passage = next(item for item in passages if item.id == answer.passage_id)
    return passage.text[answer.start : answer.end] == answer.text and 0 <= answer.confidence <= 1


def test_an_answer_is_a_piece_of_a_passage(reader: SpanReader) -> None:
    answer = reader.read("Kto napisał Pan Tadeusz ?", [DOM, PAN])
    assert answer.text
    assert answer.start is not None
    assert holds(answer, [DOM, PAN])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(max_size=60),
    st.lists(st.text(max_size=200), max_size=4),
)
def test_any_text_is_read_and_the_answer_keeps_its_promise(reader: SpanReader, question: str, texts: list[str]) -> None:
    passages = [Passage(str(number), "tytuł", text) for number, text in enumerate(texts)]
    answer = reader.read(question, passages)
    assert holds(answer, passages)
    assert answer.text == unicodedata.normalize("NFC", answer.text)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2).map(lambda scores: sorted(scores, reverse=True)))
def test_the_retrievers_scores_change_no_answer(reader: SpanReader, scores: list[float]) -> None:
    question = "Kto napisał Pan Tadeusz ?"
    assert reader.read(question, [PAN, DOM], scores) == reader.read(question, [PAN, DOM])


@pytest.mark.parametrize("passages", [[], [Passage("1", "", "")], [Passage("1", "t", " \n ")]])
def test_nothing_to_read_is_no_answer(reader: SpanReader, passages: list[Passage]) -> None:
    assert reader.read("Kto?", passages) == Answer("", 0.0)
    assert reader.read(" ", [PAN]).text == ""


def test_yes_or_no_is_answered_without_a_span(reader: SpanReader) -> None:
    answer = reader.read("Czy Adam mieszka w Krakowie ?", [PAN])
    assert answer.text in ("tak", "nie")
    assert answer.start is None
    assert answer.passage_id == "1"


def test_decomposed_letters_are_composed_in_the_answer(reader: SpanReader) -> None:
    text = unicodedata.normalize("NFD", "źźź żżż łódź")
    answer = reader.read("Gdzie ?", [Passage("1", "", text)])
    assert answer.text
    assert unicodedata.is_normalized("NFC", answer.text)


def test_a_million_characters_are_read_in_part_and_counted(base: Path, adapter: Path) -> None:
    reader = SpanReader(base, adapter)
    text = "kot pies . " * 45_000 + PAN.text + " kot pies ." * 45_000
    answer = reader.read("Kto napisał Pan Tadeusz ?", [Passage("1", "", text)])
    assert holds(answer, [Passage("1", "", text)])
    assert reader.counts.skipped_characters > 900_000
    assert reader.counts.divided_passages == 1


def test_the_stretch_that_speaks_of_the_question_is_read(base: Path, adapter: Path) -> None:
    tokenizer = load_adapted(base, adapter).tokenizer
    text = "kot pies . " * 4_000 + PAN.text + " kot pies ." * 4_000
    windows = make_windows(tokenizer, "Kto napisał Pan Tadeusz ?", [Passage("1", "", text)], Layout()).windows
    read = {text[start:end] for window in windows for start, end in window.offsets}
    assert "1834" in read


def test_a_question_longer_than_the_window_is_cut_and_counted(base: Path, adapter: Path) -> None:
    reader = SpanReader(base, adapter)
    assert holds(reader.read("Kto napisał " * 400 + "?", [PAN]), [PAN])
    assert reader.counts.cut_questions == 1


def test_windows_overlap_and_miss_no_token(reader: SpanReader, base: Path, adapter: Path) -> None:
    model = load_adapted(base, adapter)
    text = " ".join(["kot", "pies", "dom"] * 60)
    windows = make_windows(model.tokenizer, "Kto ?", [Passage("1", "dom", text)], model.layout).windows
    assert len(windows) > 2
    assert all(len(window.ids) <= model.layout.window for window in windows)
    seen = sorted({span for window in windows for span in window.offsets})
    assert [text[start:end] for start, end in seen] == text.split()
    assert sum(len(window.offsets) for window in windows) > len(seen)


def test_batches_hold_every_window_once_with_little_padding() -> None:
    windows = [Window(0, (5,) * size, 0, ()) for size in (300, 40, 290, 310, 50, 300)]
    groups = batches(windows)
    assert sorted(place for group in groups for place in group) == list(range(6))
    assert len(groups) == 2
    for group in groups:
        shape = padded([windows[place] for place in group], 0)["input_ids"].shape
        assert shape[0] * shape[1] <= 1.15 * sum(len(windows[place].ids) for place in group) + 1


def test_threads_get_the_same_answers(reader: SpanReader) -> None:
    questions = ["Kto napisał Pan Tadeusz ?", "Gdzie mieszka Ewa ?", "Ile lat ma Ewa ?"] * 4
    alone = [reader.read(question, [PAN, DOM]) for question in questions]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda question: reader.read(question, [PAN, DOM]), questions))
    for found, wanted in zip(together, alone, strict=True):
        # Of a sum that other threads have added up in another order the last bits may differ.
        assert replace(found, confidence=0.0) == replace(wanted, confidence=0.0)
        assert found.confidence == pytest.approx(wanted.confidence, abs=5e-3)


def scores(window: Window, first: int, last: int, strength: float, answerable: float = 0.0) -> WindowScores:
    start, end = np.zeros(len(window.offsets), np.float32), np.zeros(len(window.offsets), np.float32)
    start[first], end[last] = strength, strength
    return WindowScores(start, end, answerable)


def word_window(number: int, text: str) -> Window:
    offsets, place = [], 0
    for word in text.split(" "):
        offsets.append((place, place + len(word)))
        place += len(word) + 1
    return Window(number, tuple(range(len(offsets))), 0, tuple(offsets))


def test_spans_of_all_passages_compete() -> None:
    passages = [Passage("1", "", "kot pies dom"), Passage("2", "", "Jan Ewa Jolanta")]
    windows = [word_window(number, passage.text) for number, passage in enumerate(passages)]
    judged = [scores(windows[0], 0, 0, 3.0), scores(windows[1], 1, 2, 6.0)]
    decision = decide_span(WHO, passages, windows, judged, Weighing())
    assert decision is not None
    assert (decision.span.passage, decision.span.start, decision.span.end) == (1, 4, 15)
    doubted = [judged[0], scores(windows[1], 1, 2, 6.0, answerable=-20.0)]
    decision = decide_span(WHO, passages, windows, doubted, Weighing())
    assert decision is not None
    assert decision.span.passage == 0


def test_agreeing_spans_beat_a_single_better_one() -> None:
    passage = Passage("1", "", "Tadeuszem Tadeusza Tadeusz kot")
    window = word_window(0, passage.text)
    start = np.array([2.0, 2.0, 2.0, 2.4], np.float32)
    decision = decide_span(WHO, [passage], [window], [WindowScores(start, start, 0.0)], Weighing(longest=1))
    assert decision is not None
    assert passage.text[decision.span.start : decision.span.end].startswith("Tadeusz")
    assert decision.agreement > 0.5


def test_no_span_cuts_a_word() -> None:
    passage = Passage("1", "", "Warszawianka śpiewa")
    window = Window(0, (1, 2, 3), 0, ((0, 6), (6, 12), (13, 19)))
    judged = WindowScores(np.array([0, 9, 1], np.float32), np.array([9, 0, 1], np.float32), 0.0)
    decision = decide_span(WHO, [passage], [window], [judged], Weighing())
    assert decision is not None
    piece = passage.text[decision.span.start : decision.span.end]
    assert piece in ("Warszawianka", "śpiewa", "Warszawianka śpiewa")


def test_numbers_are_read_as_the_score_reads_them() -> None:
    assert first_number("w XIX wieku") == "XIX"
    assert first_number("XIX wiek, 12 maja 1843") == "12"
    assert first_number("xix wiek") == ""


@pytest.mark.parametrize(
    "name", ["adapter_model.safetensors", "adapter_config.json", "heads.safetensors", "reader.json"]
)
@pytest.mark.parametrize("harm", ["gone", "half", "empty"])
def test_a_damaged_adapter_is_told_plainly(base: Path, adapter: Path, tmp_path: Path, name: str, harm: str) -> None:
    folder = copied(adapter, tmp_path)
    file = folder / name
    data = file.read_bytes()
    if harm == "gone":
        file.unlink()
    else:
        file.write_bytes(data[: len(data) // 2] if harm == "half" else b"")
    with pytest.raises(UserError) as raised:
        SpanReader(base, folder)
    assert raised.value.code == "span-adapter"


@pytest.mark.parametrize("name", ["adapter_model.safetensors", "heads.safetensors"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(
    base: Path, adapter: Path, tmp_path: Path, name: str, value: float
) -> None:
    folder = copied(adapter, tmp_path)
    weights = load_file(folder / name)
    next(iter(weights.values()))[0] = value
    save_file(weights, folder / name)
    with pytest.raises(UserError) as raised:
        SpanReader(base, folder)
    assert raised.value.code == "span-adapter"


def test_an_adapter_of_another_encoder_is_refused(base: Path, adapter: Path, tmp_path: Path) -> None:
    folder = copied(adapter, tmp_path)
    weights = {
        name: values[:, :-1].contiguous() for name, values in load_file(folder / "adapter_model.safetensors").items()
    }
    save_file(weights, folder / "adapter_model.safetensors")
    with pytest.raises(UserError) as raised:
        SpanReader(base, folder)
    assert raised.value.code == "span-adapter"


def test_settings_of_an_adapter_are_checked(base: Path, adapter: Path, tmp_path: Path) -> None:
    folder = copied(adapter, tmp_path)
    known = json.loads((folder / "reader.json").read_text())
    known["layout"]["unknown"] = 1
    (folder / "reader.json").write_text(json.dumps(known))
    with pytest.raises(UserError) as raised:
        SpanReader(base, folder)
    assert raised.value.code == "span-adapter"


def test_a_folder_without_an_encoder_is_told(adapter: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError) as raised:
        SpanReader(tmp_path, adapter)
    assert raised.value.code == "span-base"


def test_an_extractive_model_of_the_hub_reads_through_the_same_code(tmp_path: Path) -> None:
    reader = SpanReader.from_hub(str(write_reader(tmp_path)))
    answer = reader.read("Kto napisał Pan Tadeusz ?", [DOM, PAN])
    assert answer.text
    assert holds(answer, [DOM, PAN])
    assert reader.read("Czy Adam mieszka w Krakowie ?", [PAN]).text in ("tak", "nie")


def test_names_are_looked_up_in_the_hubs_cache_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    as_cached(tmp_path / "hub", "radlab/polish-qa-v2", write_reader(tmp_path / "model"))
    assert SpanReader.from_hub("radlab/polish-qa-v2").read("Kto napisał Pan Tadeusz ?", [DOM, PAN]).text
    with pytest.raises(UserError) as raised:
        SpanReader.from_hub("radlab/polish-qa-v3")
    assert raised.value.code == "reader-model-not-cached"
    assert "radlab/polish-qa-v2" not in raised.value.say("pl")


def test_a_model_that_never_learnt_to_answer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as raised:
        SpanReader.from_hub(str(write_reader(tmp_path, heads=False)))
    assert raised.value.code == "reader-model-kind"


def test_pickled_weights_are_never_read(tmp_path: Path) -> None:
    folder = write_reader(tmp_path)
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(UserError) as raised:
        SpanReader.from_hub(str(folder))
    assert raised.value.code == "reader-model-without-safetensors"
