"""The generating reader, on tiny models that are built and taught here; there is no network."""

import json
import math
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from polqa_demo.errors import UserError
from polqa_demo.reading.fair_shares import fair_shares
from polqa_demo.reading.known_prompts import GENERAL, known_prompt
from polqa_demo.reading.prompt_format import PromptFormat
from polqa_demo.reading.seq2seq import Seq2SeqReader
from polqa_demo.records import Answer, Passage
from polqa_demo.settings import Settings, load_settings
from tests.reading.tiny_seq2seq import teach, write_bart, write_t5
from tests.retrieval.tiny_encoders import as_cached

LALKA = Passage("10-1", "Lalka", "Lalka to powieść. Autorem jest Bolesław Prus.")
WISLA = Passage("20-1", "Wisła", "Wisła to rzeka, która płynie przez Polskę.")
PASSAGES = [WISLA, LALKA]
WHO, WHEN, WHETHER, OTHER = "Kto napisał Lalkę?", "W którym roku wydano Lalkę?", "Czy Wisła to rzeka?", "Kto jest król?"


def prompt(question: str) -> str:
    """What the model reads by the default format, written out."""
    parts = ["fragment 1: Wisła. Wisła to rzeka, która płynie przez Polskę.", "fragment 2: Lalka. " + LALKA.text]
    return f"pytanie: {question} {' '.join(parts)}"


TAUGHT = [(WHO, "Bolesław Prus ."), (WHEN, "5 w 1890 roku"), (WHETHER, "tak"), (OTHER, "nie wiem")]


@pytest.fixture(scope="module", autouse=True)
def _one_core() -> Iterator[None]:
    """Networks this small lose more by waiting for another core than they gain."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A T5 that knows four answers; no test changes it."""
    folder = write_t5(tmp_path_factory.mktemp("models") / "t5")
    return teach(folder, [(prompt(question), answer) for question, answer in TAUGHT])


@pytest.fixture(scope="module")
def reader(t5: Path) -> Seq2SeqReader:
    return Seq2SeqReader(str(t5), load_settings())


@pytest.fixture(scope="module")
def tokenizer(t5: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(t5)


@pytest.fixture
def copied(t5: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(t5, tmp_path / "copied"))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache, and no network."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def refusal(name: str | Path, knobs: Settings | None = None) -> UserError:
    with pytest.raises(UserError) as refused:
        Seq2SeqReader(str(name), knobs or load_settings()).read(WHO, PASSAGES)
    assert refused.value.say("pl") != refused.value.say("en")
    return refused.value


# Answers


def test_the_generated_answer_comes_without_full_stop_with_its_passage_and_place(reader: Seq2SeqReader) -> None:
    answer = reader.read(WHO, PASSAGES)
    assert (answer.text, answer.passage_id) == ("Bolesław Prus", "10-1")
    assert LALKA.text[answer.start : answer.end] == "Bolesław Prus"
    assert 0.5 < answer.confidence <= 1


def test_the_year_asked_for_stands_first(reader: Seq2SeqReader) -> None:
    answer = reader.read(WHEN, PASSAGES)
    assert answer.text == "1890 roku"
    assert (answer.passage_id, answer.start) == (None, None)  # no passage has it


def test_yes_names_the_passage_that_tells_most(reader: Seq2SeqReader) -> None:
    answer = reader.read(WHETHER, PASSAGES)
    assert (answer.text, answer.passage_id, answer.start) == ("tak", "20-1", None)


def test_not_knowing_nothing_to_read_and_nothing_asked_are_no_answer(reader: Seq2SeqReader) -> None:
    assert reader.read(OTHER, PASSAGES) == Answer("", 0.0)
    assert reader.read(WHO, []) == Answer("", 0.0)
    assert reader.read(" \n", PASSAGES) == Answer("", 0.0)


@pytest.mark.parametrize("beams", [1, 3])
def test_the_confidence_is_the_mean_probability_of_the_answers_tokens(t5: Path, beams: int) -> None:
    import torch

    reader = Seq2SeqReader(str(t5), load_settings(seq2seq_beams=beams))
    reader.load()
    opened = reader._loaded
    assert opened is not None
    network: Any = opened.network
    network.decoder.final_layer_norm.weight.mul_(0.35)  # as sure of the order, less of the first
    answer = reader.read(WHO, PASSAGES)
    inputs = opened.tokenizer(prompt(WHO), return_tensors="pt", return_token_type_ids=False)
    labels = opened.tokenizer("Bolesław Prus .", return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        logits = network(**inputs, labels=labels).logits.float()
    chances = torch.log_softmax(logits, -1)[0].gather(1, labels[0][:, None])
    assert answer.text == "Bolesław Prus"
    assert 0.1 < answer.confidence < 0.9
    assert answer.confidence == pytest.approx(math.exp(float(chances.mean())), rel=0.03)


def test_an_mt5_and_a_bart_answer_as_well(tmp_path: Path) -> None:
    text = f"pytanie: {WHO} fragment 1: Lalka. {LALKA.text}"
    for folder in (write_t5(tmp_path / "mt5", multilingual=True), write_bart(tmp_path / "bart")):
        teach(folder, [(text, "Bolesław Prus")])
        answer = Seq2SeqReader(str(folder), load_settings(seq2seq_beams=1)).read(WHO, [LALKA])
        assert (answer.text, answer.passage_id) == ("Bolesław Prus", "10-1")


def test_a_folder_with_a_sentencepiece_model_alone_opens(tmp_path: Path) -> None:
    reader = Seq2SeqReader(str(write_t5(tmp_path / "plt5", spiece=True)))
    assert reader.read(WHO, PASSAGES).confidence >= 0
    assert reader.counts.questions == 1


def test_an_untaught_model_gives_a_proper_record_whatever_it_writes(tmp_path: Path) -> None:
    folder = write_t5(tmp_path / "raw")
    for beams in (1, 2):
        answer = Seq2SeqReader(str(folder), load_settings(seq2seq_beams=beams)).read(WHO, PASSAGES)
        assert 0 <= answer.confidence <= 1
        assert "\n" not in answer.text


def test_answers_from_several_threads_are_those_of_one(t5: Path) -> None:
    reader = Seq2SeqReader(str(t5), load_settings())  # not loaded yet: the threads meet there, too
    found: dict[int, str] = {}

    def ask(number: int) -> None:
        found[number] = reader.read(TAUGHT[number % 3][0], PASSAGES).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(9)] == ["Bolesław Prus", "1890 roku", "tak"] * 3
    assert reader.counts.questions == 9


def test_the_identity_is_of_files_and_settings(copied: Path) -> None:
    def identity(**knobs: object) -> dict[str, str]:
        return dict(Seq2SeqReader(str(copied), load_settings(**knobs)).identity)

    known = identity()
    for file in copied.iterdir():
        os.utime(file, (0, 0))  # another time is no other model
    assert identity() == known
    assert identity(seq2seq_beams=3) != known
    weights = load_file(copied / "model.safetensors")
    name = next(iter(weights))
    save_file({**weights, name: weights[name] + 1}, copied / "model.safetensors", metadata={"format": "pt"})
    assert {key for key, value in identity().items() if value != known[key]} == {"model"}


def test_the_identity_of_a_hub_model_is_its_commit(copied: Path, hub: Path) -> None:
    snapshot = as_cached(hub, "apohllo/plt5-base-poquad", copied)
    assert Seq2SeqReader("apohllo/plt5-base-poquad", load_settings()).identity["model"] == snapshot.name


# Length


def test_what_is_too_long_is_cut_and_counted_and_still_answered(t5: Path) -> None:
    reader = Seq2SeqReader(str(t5), load_settings(seq2seq_input_tokens=128))
    many = [Passage(str(number), "Wisła", "rzeka płynie " * 5_000) for number in range(30)]
    reader.read("kto " * 3_000, many)
    counts = reader.counts
    assert (counts.questions, counts.cut_questions) == (1, 1)
    assert counts.cut_passages >= 1
    assert counts.cut_passages + counts.left_out_passages == 30


def test_a_model_with_positions_never_gets_more(tmp_path: Path) -> None:
    reader = Seq2SeqReader(str(write_bart(tmp_path / "bart", positions=64)), load_settings())
    reader.read("kto napisał " * 100, [Passage("1", "Lalka", "powieść " * 4_000)] * 3)
    assert reader.counts.cut_questions == 1


@hypothesis_settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.text("ab {}.", max_size=12), st.integers(0, 60)), min_size=1, max_size=6),
    st.integers(0, 80),
    st.integers(64, 200),
)
def test_every_passage_keeps_its_share_and_all_fits(
    tokenizer: Any, drawn: list[tuple[str, int]], asked: int, limit: int
) -> None:
    passages = [Passage(str(number), title, "rzeka " * words) for number, (title, words) in enumerate(drawn)]
    built = PromptFormat("pytanie: {question} {passages}", "fragment {number}: {title}. {text}").build(
        tokenizer, "kto " * asked, passages, limit
    )
    assert len(tokenizer(built.text)["input_ids"]) <= limit
    shown = [built.text.count(f"fragment {number}:") for number in range(1, len(passages) + 1)]
    assert sorted(shown, reverse=True) == shown  # none but the last are left out
    assert shown.count(0) == built.left_out
    assert shown[0] == 1
    if not built.cut_passages and not built.left_out:
        assert built.text.count("rzeka") == sum(words for _, words in drawn)


@given(st.lists(st.integers(0, 1000), max_size=12), st.integers(0, 3000), st.integers(1, 100))
def test_shares_are_fair(lengths: list[int], budget: int, least: int) -> None:
    shares = fair_shares(lengths, budget, least)
    assert sum(shares) <= budget
    assert all(0 <= share <= length for share, length in zip(shares, lengths, strict=True))
    kept = [(share, length) for share, length in zip(shares, lengths, strict=True) if share]
    # Whoever was cut has at least as much as anybody else, but for the odd unit.
    cut = [share for share, length in kept if share < length]
    if cut:
        assert max(share for share, _ in kept) - min(cut) <= 1
    if sum(lengths) <= budget:
        assert shares == lengths


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("seq2seq_prompt", "pytanie: {question}", "{passages}"),
        ("seq2seq_prompt", "{question} {question} {passages}", "{question}"),
        ("seq2seq_passage", "{title}", "{text}"),
        ("seq2seq_passage", "{text} {text.__class__}", "{text.__class__}"),
    ],
)
def test_a_format_without_its_fields_is_refused(t5: Path, name: str, value: str, told: str) -> None:
    refused = refusal(t5, load_settings(**{name: value}))
    assert refused.code == "bad-prompt-format"
    assert all(part in refused.say("pl") for part in (f"POLQA_{name.upper()}", told))


def test_the_format_is_the_settings_and_braces_of_texts_are_no_fields(tokenizer: Any) -> None:
    form = PromptFormat("{passages} || {question}", "<{title}> {text}")
    passages = [Passage("1", "{text}", "{question} 1"), Passage("2", "B_C", "2")]
    built = form.build(tokenizer, "kto {passages}?", passages, 200)
    assert built.text == "<(text)> {question} 1 <B C> 2 || kto {passages}?"


def test_a_model_gets_the_format_of_its_training_by_its_name(t5: Path, tmp_path: Path) -> None:
    named = tmp_path / "azwierzc" / "plt5-base-poquad"
    named.parent.mkdir()
    named.symlink_to(t5, target_is_directory=True)
    cached = "/x/models--azwierzc--plt5-large-poquad/snapshots/" + "a" * 40
    for name in (str(named), "azwierzc/plt5-base-poquad@refs/pr/1", "azwierzc/plt5-large-poquad", cached):
        assert known_prompt(name).whole == "question: {question}, context: {passages}"
    for name in ("allegro/plt5-base", "other/plt5-base-poquad", str(t5)):
        assert known_prompt(name) == GENERAL
    told = Seq2SeqReader(str(named), load_settings()).describe()
    assert "'question: pytanie…, context: tekst… tekst…'" in told.en
    assert "POLQA_SEQ2SEQ_PROMPT" in told.pl


def test_a_format_that_is_set_counts_before_the_known_one(t5: Path) -> None:
    known = Seq2SeqReader(str(t5), load_settings()).identity
    assert known["seq2seq_prompt"] == "pytanie: {question} {passages}"
    other = Seq2SeqReader(str(t5), load_settings(seq2seq_prompt="{passages} pytanie: {question}")).identity
    assert other == {**known, "seq2seq_prompt": "{passages} pytanie: {question}"}


# Names and files


def test_a_cached_model_opens_offline_by_its_name(copied: Path, hub: Path) -> None:
    as_cached(hub, "apohllo/plt5-base-poquad", copied)
    assert Seq2SeqReader("apohllo/plt5-base-poquad", load_settings()).read(WHO, PASSAGES).text == "Bolesław Prus"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("apohllo/plt5-base-poquda", "reader-model-not-cached"),
        ("zła nazwa!", "reader-model-unknown"),
        ("", "reader-model-folder-missing"),
        ("./nie-ma", "reader-model-folder-missing"),
        ("/nie/ma/mnie", "reader-model-folder-missing"),
    ],
)
def test_names_that_lead_nowhere_are_told_plainly(hub: Path, name: str, code: str) -> None:
    refused = refusal(name)
    assert refused.code == code
    assert name in refused.say("pl")


def test_missing_and_damaged_files_are_named(copied: Path) -> None:
    (copied / "tokenizer.json").rename(copied / "other.json")
    refused = refusal(copied)
    assert (refused.code, "tokenizer.json" in refused.say("en")) == ("reader-model-tokenizer", True)
    (copied / "other.json").rename(copied / "tokenizer.json")
    weights = (copied / "model.safetensors").read_bytes()
    (copied / "model.safetensors").write_bytes(weights[: len(weights) // 2])
    assert refusal(copied).code == "reader-model-damaged"
    (copied / "model.safetensors").unlink()
    assert refusal(copied).code == "reader-model-incomplete"
    (copied / "config.json").write_text("[1]", encoding="utf-8")
    assert refusal(copied).code == "reader-model-damaged"
    (copied / "config.json").unlink()
    refused = refusal(copied)
    assert (refused.code, "config.json" in refused.say("pl")) == ("reader-model-incomplete", True)


def test_weights_that_are_programs_are_not_loaded(copied: Path, tmp_path: Path) -> None:
    import torch

    class Mark:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "ran",))

    (copied / "model.safetensors").unlink()
    torch.save({"shared.weight": Mark()}, copied / "pytorch_model.bin")
    refused = refusal(copied)
    assert refused.code == "reader-model-without-safetensors"
    assert "save_pretrained" in refused.say("pl")
    assert not (tmp_path / "ran").exists()


def test_models_of_other_kinds_and_with_code_are_refused(copied: Path, tmp_path: Path) -> None:
    config = json.loads((copied / "config.json").read_text(encoding="utf-8"))
    (copied / "config.json").write_text(json.dumps(config | {"model_type": "bert"}), encoding="utf-8")
    refused = refusal(copied)
    assert (refused.code, "bert" in refused.say("en")) == ("reader-model-kind", True)
    code = f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n"
    (copied / "own.py").write_text(code, encoding="utf-8")
    own = config | {"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModelForSeq2SeqLM": "own.Model"}}
    (copied / "config.json").write_text(json.dumps(own), encoding="utf-8")
    assert refusal(copied).code == "reader-model-needs-code"
    # Code beside a model of a known kind is left alone.
    (copied / "config.json").write_text(json.dumps(own | {"model_type": "t5"}), encoding="utf-8")
    assert Seq2SeqReader(str(copied), load_settings()).read(WHO, PASSAGES).text == "Bolesław Prus"
    assert not (tmp_path / "ran").exists()


def test_an_encoder_alone_and_weights_without_numbers_are_refused(copied: Path) -> None:
    from safetensors.torch import load_file, save_file

    whole = load_file(copied / "model.safetensors")
    encoder = {name: weights for name, weights in whole.items() if not name.startswith("decoder")}
    save_file(encoder, copied / "model.safetensors", metadata={"format": "pt"})
    refused = refusal(copied)
    assert (refused.code, "decoder" in refused.say("en")) == ("reader-model-damaged", True)
    whole["shared.weight"][0, 0] = float("nan")
    save_file(whole, copied / "model.safetensors", metadata={"format": "pt"})
    assert "NaN" in refusal(copied).say("pl")


def test_a_model_is_not_opened_before_it_is_needed() -> None:
    reader = Seq2SeqReader("/nie/ma/mnie", load_settings())
    assert reader.read("", PASSAGES).text == ""
    assert "2048 tokens" in reader.describe().en
    with pytest.raises(UserError, match="folder"):
        reader.load()


def test_the_example_file_is_the_known_format() -> None:
    import shlex

    text = (Path(__file__).resolve().parents[2] / "docs" / "plt5-poquad.env").read_text(encoding="utf-8")
    values = dict(word.split("=", 1) for word in shlex.split(text, comments=True))
    known = known_prompt(values["POLQA_MODEL"])
    assert (values["POLQA_SEQ2SEQ_PROMPT"], values["POLQA_SEQ2SEQ_PASSAGE"]) == (known.whole, known.passage)
    assert values["POLQA_READER"] == "seq2seq"
