import json
import random
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tiny_encoder import write_encoder

from polqa_demo.errors import UserError
from polqa_demo.evaluation import score_fuzzy_match
from polqa_demo.reading.span_decoding import Weighing
from polqa_demo.reading.span_model import Calibration, load_adapted, padded
from polqa_demo.reading.span_windows import Layout, make_windows
from polqa_demo.reading.spans import SpanReader
from polqa_demo.records import Passage
from tools.reader.batches import Group, make_batches, make_groups
from tools.reader.data import nearest_spans, read_examples, targets
from tools.reader.export import write_adapter
from tools.reader.fit import calibrate
from tools.reader.training import CHECKPOINT, Recipe, batch_loss, train_reader
from tools.reader.trunk import Trunk

PEOPLE, PLACES, YEARS = ("Adam", "Ewa", "Jan", "Anna"), ("Warszawie", "Krakowie", "Gdańsku", "Łodzi"), ("1834", "1901")
LAYOUT = Layout("query: ", with_title=True, window=64, overlap=16)


def small(**changes: object) -> Recipe:
    kept = {
        "lowest": 0,
        "rank": 8,
        "alpha": 16,
        "tokens": 400,
        "rates": (1e-2, 5e-3),
        "dev_share": 0.0,
        "layout": LAYOUT,
        "repeats": 1,
    }
    return Recipe(**{**kept, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Who lives where, in PoQuAD's form: the answer stands behind "mieszka w"."""
    folder = tmp_path_factory.mktemp("rows")
    passages, questions = [], []
    for number, (person, place) in enumerate((person, place) for person in PEOPLE for place in PLACES):
        key = f"p{number}"
        text = f"{person} ma kot i pies . {person} mieszka w {place} . dom jest {YEARS[number % 2]} ."
        passages.append({"id": key, "title": person, "text": text})
        asked = f"Gdzie mieszka {person} ?"
        questions.append({"question_id": f"q{number}", "question": asked, "answers": [place], "passage_id": key})
    for name, items in (("passages.jsonl", passages), ("questions.jsonl", questions)):
        (folder / name).write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return [folder / "questions.jsonl", folder / "passages.jsonl"]


def squad(folder: Path, **paragraph: object) -> Path:
    file = folder / "squad.json"
    file.write_text(json.dumps({"data": [{"title": "Tlen", "paragraphs": [paragraph]}]}), encoding="utf-8")
    return file


def test_the_reader_learns_what_it_is_shown(base: Path, rows: list[Path], tmp_path: Path) -> None:
    told: list[float] = []
    done = train_reader(
        rows, tmp_path, base, lambda _, __, loss: told.append(loss), recipe=small(pointing=60, comparing=10, tokens=800)
    )
    assert min(told) < told[0] / 2
    reader = SpanReader(base, tmp_path)
    read = read_examples(rows)
    right = [score_fuzzy_match(reader.read(item.question, [item.passage]).text, item.golds) for item in read.examples]
    assert sum(right) >= 14
    assert done.questions == 16
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "questions.jsonl" in card
    assert "seed 0" in card
    assert not (tmp_path / CHECKPOINT).exists()


class Stopped(Exception):
    pass


def test_a_run_that_was_cut_off_ends_as_if_it_had_not_been(base: Path, rows: list[Path], tmp_path: Path) -> None:
    recipe = small(pointing=16, comparing=0, tokens=120)
    whole = train_reader(rows, tmp_path / "whole", base, recipe=recipe)
    assert whole.steps > 60

    def stop(step: int, _: int, __: float) -> None:
        if step >= 60:
            raise Stopped

    with pytest.raises(Stopped):
        train_reader(rows, tmp_path / "cut", base, stop, recipe=recipe)
    assert (tmp_path / "cut" / CHECKPOINT).is_file()
    steps: list[int] = []
    train_reader(rows, tmp_path / "cut", base, lambda step, _, __: steps.append(step), recipe=recipe)
    assert steps[0] > 50
    for name in ("adapter_model.safetensors", "heads.safetensors"):
        one, other = load_file(tmp_path / "whole" / name), load_file(tmp_path / "cut" / name)
        assert all(torch.equal(one[key], other[key]) for key in one)


def test_a_checkpoint_of_another_training_is_refused(base: Path, rows: list[Path], tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"no checkpoint")
    with pytest.raises(UserError) as raised:
        train_reader(rows, tmp_path, base, recipe=small())
    assert raised.value.code == "train-checkpoint"


def test_questions_left_out_are_not_read_nor_their_passages(rows: list[Path]) -> None:
    read = read_examples(rows, {"q3"})
    assert "q3" not in {example.id for example in read.examples}
    assert "p3" not in read.passages
    assert len(read.examples) == 15


def test_whatever_else_is_asked_about_a_left_out_passage_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    passages = [{"id": number, "text": f"Miasto {number} leży nad Wisłą."} for number in (1, 2)]
    asked = [
        {"question_id": key, "question": "Nad czym?", "answers": ["Wisłą"], "passage_id": passage}
        for key, passage in ((10, 1), (11, 1), (12, 2))
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in (*passages, *asked)), encoding="utf-8")
    read = read_examples([file], {"10"})
    assert [example.id for example in read.examples] == ["12"]
    assert set(read.passages) == {"2"}


def test_half_of_a_surrogate_pair_is_no_letter(tmp_path: Path) -> None:
    asked = [{"id": 1, "question": "Co?\ud800", "answers": [{"text": "gaz", "answer_start": 7}]}]
    [example] = read_examples([squad(tmp_path, context="Tlen – gaz.", qas=asked)]).examples
    assert example.question == "Co?\ufffd"


def test_squad_files_are_read_and_equal_questions_joined(tmp_path: Path) -> None:
    asked = [
        {"id": 1, "question": "Co?", "answers": [{"text": "gaz", "answer_start": 7}]},
        {"id": 2, "question": "Co?", "answers": [{"text": "Tlen", "answer_start": 0}]},
        {"id": 3, "question": "Ile?", "answers": [{"text": "za daleko", "answer_start": 90}]},
    ]
    read = read_examples([squad(tmp_path, context="Tlen – gaz.", qas=asked)])
    assert [example.spans for example in read.examples] == [((0, 4), (7, 10))]
    assert read.unanswerable == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "{"),
        ("a.json", '{"data": 3}'),
        ("a.json", '{"data": [{"paragraphs": [{}]}]}'),
        ("a.json", "[" * 100_000),
        (
            "a.json",
            '{"data": [{"paragraphs": [{"context": "x", "qas": [{"id": 1, "question": "Co?", "answers": '
            '[{"text": "x", "answer_start": Infinity}]}]}]}]}',
        ),
        ("a.jsonl", "[" * 100_000),
        ("a.jsonl", '{"question_id": "1", "question": "Co?", "answers": ["x"], "passage_id": ["gone"]}\n'),
        ("a.jsonl", "no json\n"),
        ("a.jsonl", "[1]\n"),
        ("a.jsonl", '{"question": "Co?"}\n'),
        ("a.jsonl", '{"question_id": "1", "question": "Co?", "answers": ["x"], "passage_id": "gone"}\n'),
    ],
)
def test_a_file_of_another_form_is_named(tmp_path: Path, name: str, content: str) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    with pytest.raises(UserError) as raised:
        read_examples([file])
    assert raised.value.code == "train-data"
    assert name in raised.value.say("pl")


def test_files_without_questions_are_told(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "1", "text": "Tlen"}\n', encoding="utf-8")
    with pytest.raises(UserError) as raised:
        read_examples([file])
    assert raised.value.code == "train-empty"


@pytest.mark.parametrize(
    ("text", "gold", "found"),
    [
        ("Tlen i tlen", "tlen", ["Tlen", "tlen"]),
        ("przez pięć latem", "pięciu lat", ["pięć lat", "pięć latem"]),
        ("w Krakowie i Łodzi", "Kraków", ["Krakowie"]),
        ("w roku 1834 i w roku 1901", "rok 1901", ["roku 1901"]),
        ("w roku 1834", "rok 1901", []),
        ("cokolwiek", " ", []),
    ],
)
def test_a_gold_that_is_no_span_gets_the_nearest_run_of_words(text: str, gold: str, found: list[str]) -> None:
    pieces = [text[start:end] for start, end in nearest_spans(text, gold)]
    assert all(score_fuzzy_match(piece, [gold]) for piece in pieces)
    assert set(pieces) <= set(found)
    assert bool(pieces) == bool(found)


def test_targets_are_the_tokens_of_the_span(base: Path, rows: list[Path]) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    for example in read_examples(rows).examples:
        (window,) = make_windows(tokenizer, example.question, [example.passage], LAYOUT).windows
        (first,), (last,) = targets(window, example.spans)
        start, end = window.offsets[first - window.first][0], window.offsets[last - window.first][1]
        assert example.passage.text[start:end] == example.golds[0]
        outside = targets(window, [(len(example.passage.text), len(example.passage.text) + 5)])
        assert outside == ([], [])


def test_the_trunk_computes_what_the_adapter_computes(base: Path, tmp_path: Path) -> None:
    torch.manual_seed(5)
    trunk = Trunk(base, 1, 4, 8)
    with torch.no_grad():
        for weights in trunk.lora.values():
            weights.normal_(0, 0.1)
    write_adapter(tmp_path, trunk, LAYOUT, Weighing(), Calibration())
    model = load_adapted(base, tmp_path)
    passages = [Passage("1", "dom", "Adam mieszka w Krakowie ."), Passage("2", "", "kot i pies")]
    windows = make_windows(model.tokenizer, "Gdzie mieszka Adam ?", passages, LAYOUT).windows
    batch = padded(windows, 0)
    for grad in (True, False):
        with torch.set_grad_enabled(grad):
            below = trunk.below(batch["input_ids"], batch["attention_mask"])
            start, _, whole = trunk.above(below, batch["attention_mask"])
        for row, (window, judged) in enumerate(zip(windows, model.score(windows), strict=True)):
            inside = slice(window.first, window.first + len(window.offsets))
            assert start[row, inside].detach().numpy() == pytest.approx(judged.start, abs=0.05)
            assert float(whole[row, 0].detach()) == pytest.approx(judged.answerable, abs=0.05)


def test_shares_are_normalised_over_all_windows_of_a_question() -> None:
    window = make_window()
    group = Group(window, (0,), (0,), (window,))
    zero, whole = torch.zeros(2, 4), torch.zeros(2, 3)
    loss = batch_loss([group], zero, zero, whole)
    assert float(loss) == pytest.approx(float(torch.log(torch.tensor(8.0))) + 0.3 * float(torch.log(torch.tensor(2.0))))
    loud = zero.clone()
    loud[1, 2] = 5.0
    assert float(batch_loss([group], loud, zero, whole)) > float(loss) + 1


def make_window():
    from polqa_demo.reading.span_windows import Window

    return Window(0, (1, 2, 3, 4), 0, ((0, 1), (1, 2), (2, 3), (3, 4)))


def test_batches_hold_every_group_once_within_the_tokens(base: Path, rows: list[Path]) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    groups = make_groups(read_examples(rows).examples, tokenizer, LAYOUT, random.Random(1))
    batches = make_batches(groups, 100, random.Random(1))
    assert sorted(map(id, groups)) == sorted(id(group) for batch in batches for group in batch)
    assert all(len(batch) * max(len(group.right.ids) for group in batch) <= 100 for batch in batches)


def test_calibration_finds_what_made_the_verdicts() -> None:
    chance = random.Random(4)
    decisions = [(chance.uniform(0.05, 0.95), chance.uniform(-3, 3)) for _ in range(3_000)]
    verdicts = [chance.random() < share for share, _ in decisions]
    fitted = calibrate(decisions, verdicts)
    assert fitted.intercept == pytest.approx(0.0, abs=0.15)
    assert fitted.agreement == pytest.approx(1.0, abs=0.15)
    assert fitted.answerable == pytest.approx(0.0, abs=0.1)


def test_an_encoder_of_another_kind_is_refused(rows: list[Path], tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}', encoding="utf-8")
    with pytest.raises(UserError) as raised:
        train_reader(rows, tmp_path / "out", tmp_path, recipe=small())
    assert raised.value.code == "train-base"
