import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polqa_demo.data.passages import Progress
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from tools.retriever.adapter import WEIGHTS, load_adapter
from tools.retriever.data import domains_of, kept_for_development, read_text_sets
from tools.retriever.training import Pairs, Recipe, fit, train_retriever

LOOSE = Recipe(epochs=30, rate=0.02, temperature=0.1, near=0.01, batch=64)


def units(count: int, dimension: int, seed: int) -> NDArray[np.float32]:
    drawn = np.random.default_rng(seed).standard_normal((count, dimension))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


def planted(seed: int, count: int = 300) -> tuple[Pairs, NDArray[np.float32]]:
    """Questions are their passages, turned by one rotation; the second part is the rotation."""
    rotation = np.linalg.qr(np.random.default_rng(99).standard_normal((8, 8)))[0].astype(np.float32)
    passages = units(count, 8, seed)
    return Pairs(passages @ rotation, passages, np.arange(count)), rotation


def first_hits(questions: NDArray[np.float32], passages: NDArray[np.float32]) -> float:
    return float(((questions @ passages.T).argmax(axis=1) == np.arange(len(passages))).mean())


def test_a_planted_rotation_is_learnt_and_holds_for_new_vectors() -> None:
    pairs, rotation = planted(0)
    change = fit([pairs], LOOSE)
    new = units(200, 8, 1)
    assert first_hits(new @ rotation, new) < 0.2
    assert first_hits(change(new @ rotation), new) > 0.8


def test_the_identity_is_held_by_its_weight() -> None:
    pairs, _ = planted(0)
    sizes = [
        float(np.abs(fit([pairs], Recipe(epochs=2, near=near, batch=64)).matrix).sum()) for near in (0.0, 1e3, 1e6)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_the_same_seed_gives_the_same_map() -> None:
    pairs, _ = planted(0)
    one, same, other = (fit([pairs], Recipe(seed=seed, epochs=2, near=1.0, batch=64)) for seed in (0, 0, 1))
    assert np.array_equal(one.matrix, same.matrix)
    assert not np.array_equal(one.matrix, other.matrix)


def test_nothing_to_train_on_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        fit([], Recipe())


class Letters:
    """Texts to counts of their letters, hashed to few dimensions; questions turned by a rotation."""

    name, dimension, fingerprint = "letters", 16, "1"

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        turned = np.linalg.qr(np.random.default_rng(5).standard_normal((16, 16)))[0]
        return (self._counts(texts) @ turned).astype(np.float32)

    def encode_passages(self, passages: Sequence[Passage], progress: Progress | None = None) -> NDArray[np.float32]:
        if progress:
            progress(len(passages), len(passages))
        return self._counts([passage.text for passage in passages])

    def cut(self, passages: Sequence[Passage]) -> int:
        return 0

    def _counts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = np.full((len(texts), 16), 0.01)
        for row, text in enumerate(texts):
            for letter in text.lower():
                counts[row, ord(letter) % 16] += 1
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def squad(path: Path, language: str, articles: int = 24) -> Path:
    """One paragraph and two questions an article; the ids are the same in every language."""
    data = [
        {
            "title": f"Article_{number}",
            "paragraphs": [
                {
                    "context": f"{language} {number * 7919 % 1000} jest miastem",
                    "qas": [
                        {
                            "id": f"x{number}-{asked}",
                            "question": f"{language} {asked} {number * 7919 % 1000}?",
                            "answers": [{"text": "miastem", "answer_start": 0}],
                        }
                        for asked in "ab"
                    ],
                }
            ],
        }
        for number in range(articles)
    ]
    for article in data:
        for paragraph in article["paragraphs"]:  # type: ignore[attr-defined]
            for question in paragraph["qas"]:
                question["answers"][0]["answer_start"] = paragraph["context"].index("miastem")
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    return path


def test_translations_search_each_other_and_share_one_weight(tmp_path: Path) -> None:
    files = [squad(tmp_path / "de.json", "stadt"), squad(tmp_path / "en.json", "town")]
    sets = read_text_sets(files)
    domains = domains_of(sets)
    assert [domain.name for domain in domains] == ["de", "en", "de -> en", "en -> de"]
    assert sum(domain.weight for domain in domains) == pytest.approx(1.0)
    crossed = domains[2]
    assert sets[crossed.searched].passages[crossed.gold[5]].text.startswith("town")
    assert sets[0].passages[0].title == "Article 0"


def test_other_collections_stay_apart(tmp_path: Path) -> None:
    files = [squad(tmp_path / "a.json", "a"), squad(tmp_path / "b.json", "b", articles=20)]
    assert [domain.weight for domain in domains_of(read_text_sets(files))] == [1.0, 1.0]


def test_an_article_is_kept_in_all_languages(tmp_path: Path) -> None:
    sets = read_text_sets([squad(tmp_path / "de.json", "stadt"), squad(tmp_path / "en.json", "town")])
    kept = {kept_for_development(domain, sets, 0, 0.3) for domain in domains_of(sets)}
    assert len(kept) == 1
    assert 0 < len(kept.pop()) < 24


def test_left_out_questions_and_their_passages_are_not_read(tmp_path: Path) -> None:
    passages = [{"id": f"p{number}", "title": "", "text": f"Miasto {number}"} for number in range(3)]
    questions = [
        {"question_id": f"q{number}", "question": "Co?", "answers": ["Miasto"], "passage_id": f"p{number}"}
        for number in range(3)
    ]
    for name, rows in (("passages.jsonl", passages), ("questions.jsonl", questions)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (found,) = read_text_sets([tmp_path / "passages.jsonl", tmp_path / "questions.jsonl"], {"q1"})
    assert found.ids == ("q0", "q2")
    assert [passage.id for passage in found.passages] == ["p0", "p2"]
    assert found.gold == (0, 1)


def test_training_writes_an_adapter_that_loads_and_a_card(tmp_path: Path) -> None:
    files = [squad(tmp_path / "xquad.de.json", "stadt"), squad(tmp_path / "xquad.en.json", "town")]
    told: list[tuple[int, int]] = []
    recipe = Recipe(epochs=40, rate=0.02, temperature=0.1, near=0.01, dev_share=0.2)
    trained = train_retriever(
        files, tmp_path / "out", Letters(), lambda done, total, _: told.append((done, total)), recipe=recipe
    )
    adapter = load_adapter(tmp_path / "out", "letters")
    assert adapter.steps().passages is None
    assert told == [(24, 48), (48, 48)]
    before, after = (np.concatenate([getattr(one, part) for one in trained.dev]) for part in ("before", "after"))
    assert after.mean() < before.mean()
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "XQuAD (google-deepmind/xquad), CC BY-SA 4.0" in card
    assert "train retriever --data xquad.de.json --data xquad.en.json" in card
    weights = (tmp_path / "out" / WEIGHTS).read_bytes()
    train_retriever(files, tmp_path / "again", Letters(), recipe=recipe)
    assert (tmp_path / "again" / WEIGHTS).read_bytes() == weights


def test_no_data_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        read_text_sets([])
    assert refused.value.code == "train-no-data"


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    told: list[tuple[int, int]] = []
    with pytest.raises(UserError) as refused:
        train_retriever(
            [squad(tmp_path / "a.json", "a")],
            tmp_path / "file" / "out",
            Letters(),
            lambda done, total, _: told.append((done, total)),
        )
    assert refused.value.code == "train-unwritable"
    assert told == []
