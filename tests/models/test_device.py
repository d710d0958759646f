"""Where models compute: one place decides, and weights and batches go there; torch's `meta` stands in for a GPU."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from polqa_demo.models import device as place
from polqa_demo.reading.hub_models import load_seq2seq
from polqa_demo.reading.span_model import load_adapted, load_hub
from polqa_demo.reading.span_windows import Layout, Window
from polqa_demo.records import Passage
from polqa_demo.retrieval.cross_encoder import CrossEncoderScorer
from polqa_demo.retrieval.model_encoder import ModelEncoder
from polqa_demo.settings import load_settings
from tests.reading.tiny_seq2seq import write_t5
from tests.retrieval import tiny_cross_encoder
from tests.retrieval.hub_models import lay_out
from tests.tiny_encoder import write_encoder, write_reader

META = "meta"
WINDOWS = [Window(0, (1, 5, 6, 2), 1, ((0, 1), (1, 2)))]


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that knows shapes and places alone: what is not brought to it, and what is, cannot be mixed."""
    for module in ("retrieval.cross_encoder", "retrieval.model_encoder", "reading.hub_models", "reading.span_model"):
        monkeypatch.setattr(f"polqa_demo.{module}.computing_device", lambda: META)


def instead(monkeypatch: pytest.MonkeyPatch, network: torch.nn.Module, **shapes: tuple[int, ...]) -> list[str]:
    """Zeros of these shapes in the place of what a network would compute, which has no numbers there.

    Gives the places of all that it is called with.
    """
    places: list[str] = []

    def forward(*given: Any, **named: Any) -> Any:
        batch = {**named, **{name: value for one in given for name, value in one.items()}}
        places.extend(value.device.type for value in batch.values() if isinstance(value, torch.Tensor))
        return found if given else SimpleNamespace(**found)

    found = {name: torch.zeros(shape) for name, shape in shapes.items()}
    monkeypatch.setattr(network, "forward", forward)
    return places


def places_of(network: Any) -> set[str]:
    return {weights.device.type for weights in network.parameters()}


@pytest.mark.parametrize(
    ("cuda", "mps", "device"),
    [(True, True, "cuda"), (True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_a_gpu_counts_before_the_processor(monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, device: str) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert place.computing_device() == device


@pytest.mark.parametrize("able", [True, False])
def test_bfloat16_is_taken_where_it_is_multiplied_in(monkeypatch: pytest.MonkeyPatch, able: bool) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: able)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": able})
    wanted = torch.bfloat16 if able else torch.float32
    assert place.quick_type("cuda") == place.quick_type("cpu") == wanted
    assert place.quick_type("mps") == torch.float32


@pytest.mark.usefixtures("stand_in")
def test_an_encoder_goes_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A stand-in computes nothing, so the dimension is not measured.
    monkeypatch.setattr("polqa_demo.retrieval.model_encoder._measured_dimension", lambda _: 16)
    encoder = ModelEncoder.open(str(lay_out(tmp_path / "model")), tmp_path)
    assert places_of(encoder._model) == {META}
    assert ", meta" in encoder.describe().en
    places = instead(monkeypatch, encoder._model, sentence_embedding=(1, 16))
    encoder.encode_batch(["wisła rzeka"])
    assert set(places) == {META}


@pytest.mark.usefixtures("stand_in")
def test_a_reranker_goes_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = CrossEncoderScorer.open(str(tiny_cross_encoder.save(tmp_path / "model")))
    assert places_of(scorer._model) == {META}
    assert "float32, meta" in scorer.describe().en
    places = instead(monkeypatch, scorer._model, scores=(1, 1))
    assert scorer.score("gdzie", [Passage("1", "", "rzeka")]) == [0.0]
    assert set(places) == {META}


@pytest.mark.usefixtures("stand_in")
def test_a_span_reader_of_others_goes_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_hub(str(write_reader(tmp_path / "model")))
    assert places_of(model._model) == {META}
    assert ", meta" in model.describe().en
    places = instead(monkeypatch, model._model, start_logits=(1, 4), end_logits=(1, 4))
    assert model.score(WINDOWS)[0].answerable == 0.0
    assert set(places) == {META}


@pytest.mark.usefixtures("stand_in")
def test_the_shipped_span_reader_goes_there_with_its_heads(tmp_path: Path) -> None:
    from polqa_demo.reading.span_decoding import Weighing
    from polqa_demo.reading.span_model import Calibration
    from tools.reader.export import write_adapter
    from tools.reader.trunk import Trunk

    base = write_encoder(tmp_path / "base")
    write_adapter(tmp_path / "adapter", Trunk(base, 1, 4, 8), Layout(), Weighing(), Calibration())
    model = load_adapted(base, tmp_path / "adapter")
    assert places_of(model.encoder) == places_of(model._heads) == {META}
    assert ", meta" in str(model.describe())


@pytest.mark.usefixtures("stand_in")
def test_a_generating_reader_goes_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from polqa_demo.reading.seq2seq import Seq2SeqReader

    folder = write_t5(tmp_path / "model")
    assert places_of(load_seq2seq("tiny", folder).network) == {META}
    reader = Seq2SeqReader(str(folder), load_settings())
    assert place.planned_placement() in reader.describe().en
    reader.load()
    assert ", meta" in reader.describe().en
    network: Any = reader._opened().network
    places: list[str] = []

    def generate(**batch: torch.Tensor) -> None:
        places.extend(tensor.device.type for tensor in batch.values())
        raise RuntimeError("enough was seen")

    monkeypatch.setattr(network, "generate", generate)
    with pytest.raises(Exception, match="enough was seen"):
        reader.read("Kto napisał Lalkę?", [Passage("1", "Lalka", "powieść")])
    assert set(places) == {META}
