"""Reranking by a cross-encoder that the tests build and save."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import tiny_cross_encoder
from hashed_encoder import HashedEncoder
from tiny_encoders import as_cached

from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.cross_encoder import CrossEncoderScorer, PairCounts
from polqa_demo.retrieval.dense import DenseRetriever
from polqa_demo.retrieval.fusion import HybridRetriever
from polqa_demo.retrieval.lexical import LexicalRetriever
from polqa_demo.retrieval.reranking import RerankedRetriever
from polqa_demo.retrieval.vectors import FlatSearch
from tests.retrieval.hub_models import change_json

PASSAGES = [
    Passage("1", "Łódź", "Łódź leży nad rzeką."),
    Passage("2", "Toruń", "Toruń leży nad rzeką, w Toruniu urodził się Kopernik."),
    Passage("3", "Wisła", "Wisła leży nad rzeką Wisłą."),
    Passage("4", "", "Kopernik"),
    Passage("5", "Toruń", "Toruń leży nad rzeką, w Toruniu urodził się Kopernik."),
    Passage("6", "Morze", "Bałtyk."),
]
QUESTION = "Gdzie leży Toruń nad rzeką?"
pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers, about themselves


class LengthScorer:
    """Prefers short texts; remembers how many pairs it was asked for."""

    name = "short"

    def __init__(self) -> None:
        self.pairs = 0

    def score(self, question: str, passages: Sequence[Passage]) -> Sequence[float]:
        self.pairs += len(passages)
        return [-float(len(passage.text)) for passage in passages]

    def cut_warning(self) -> None:
        pass


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny_cross_encoder.save(tmp_path_factory.mktemp("modele") / "tiny")


@pytest.fixture(scope="module")
def scorer(model) -> CrossEncoderScorer:
    return CrossEncoderScorer.open(str(model), device="cpu")


@pytest.fixture(scope="module")
def store() -> PassageStore:
    return PassageStore.of(PASSAGES)


@pytest.fixture(scope="module")
def lexical(store) -> LexicalRetriever:
    return LexicalRetriever.in_memory(store)


class TestRetriever:
    def test_the_order_is_the_scorers_and_equals_stand_in_corpus_order(self, lexical, store):
        found = RerankedRetriever(lexical, store, LengthScorer()).search(QUESTION, 10)
        assert set(found.passage_ids) == set(lexical.search(QUESTION, 10).passage_ids)
        assert found.passage_ids == ("1", "3", "2", "5")
        assert found.scores == tuple(-float(len(store.get(key).text)) for key in found.passage_ids)

    def test_depth_bounds_what_is_read(self, lexical, store):
        scorer = LengthScorer()
        retriever = RerankedRetriever(lexical, store, scorer, depth=2)
        assert set(retriever.search(QUESTION, 1).passage_ids) <= {"2", "5"}  # the two that words find first
        assert scorer.pairs == 2
        assert len(retriever.search(QUESTION, 3).passage_ids) == 3  # more asked for: more read
        assert scorer.pairs == 5
        assert retriever.search(QUESTION, 0).passage_ids == ()

    def test_explains_by_base_and_scorer(self, lexical, store):
        scorer = LengthScorer()
        retriever = RerankedRetriever(lexical, store, scorer)
        assert retriever.name == "lexical+rerank"
        found = retriever.search(QUESTION, 3)
        read = scorer.pairs
        explained = retriever.explain(QUESTION, found.passage_ids)
        assert scorer.pairs == read  # remembered
        base = lexical.search(QUESTION, 10)
        for rank, one in enumerate(explained, 1):
            first, last = one.parts
            assert (first.name, last.name) == ("lexical", "rerank")
            assert first.rank == base.passage_ids.index(one.passage_id) + 1
            assert first.score == pytest.approx(base.scores[first.rank - 1], rel=1e-6)
            assert (last.rank, last.score, last.added) == (rank, one.score, one.score)
            assert first.added == 0
            assert sum(term.score for term in one.terms) == pytest.approx(first.score, rel=1e-5)
        (other,) = retriever.explain(QUESTION, ("6",))
        assert [part.rank for part in other.parts] == [None, None]
        assert other.score == -len("Bałtyk.")
        assert retriever.explain(QUESTION, ()) == ()
        with pytest.raises(UserError, match="nie-ma"):
            retriever.explain(QUESTION, ("nie-ma",))

    def test_over_the_hybrid_all_four_are_told(self, lexical, store):
        encoder = HashedEncoder()
        dense = DenseRetriever(store, FlatSearch(encoder.encode_passages(PASSAGES)), encoder)
        retriever = RerankedRetriever(HybridRetriever(store, lexical, dense), store, LengthScorer())
        (one,) = retriever.explain(QUESTION, retriever.search(QUESTION, 1).passage_ids)
        assert [part.name for part in one.parts] == ["lexical", "dense", "hybrid", "rerank"]
        assert sum(part.added for part in one.parts) == one.score
        dense_alone = RerankedRetriever(dense, store, LengthScorer())
        (one,) = dense_alone.explain(QUESTION, dense_alone.search(QUESTION, 1).passage_ids)
        assert [part.name for part in one.parts] == ["dense", "rerank"]


def peers_scores(folder: Path, passages: Sequence[Passage], question: str = QUESTION):
    """What sentence-transformers gives before any activation."""
    import torch
    from sentence_transformers import CrossEncoder

    peer = CrossEncoder(str(folder), device="cpu")
    pairs = [(question, f"{one.title}\n{one.text}".strip()) for one in passages]
    return peer.predict(pairs, batch_size=2, activation_fn=torch.nn.Identity())


class TestCrossEncoder:
    def test_is_sentence_transformers_own_score(self, scorer, model):
        scores = scorer.score(QUESTION, PASSAGES)
        assert scores == pytest.approx(peers_scores(model, PASSAGES).tolist(), abs=1e-5)
        assert len({round(score, 4) for score in scores}) >= 4
        assert scorer.score(QUESTION, []) == []

    def test_reranks(self, lexical, store, scorer):
        found = RerankedRetriever(lexical, store, scorer).search(QUESTION, 10)
        scores = dict(zip("123456", scorer.score(QUESTION, PASSAGES), strict=True))
        wanted = sorted(lexical.search(QUESTION, 10).passage_ids, key=lambda key: (-scores[key], key))
        by_score = sorted(found.passage_ids, key=lambda key: (-round(scores[key], 5), key))
        assert list(found.passage_ids) == wanted == by_score

    def test_texts_beyond_the_models_length_are_cut(self, tmp_path):
        for name, length in (("known", 64), ("unknown", None)):
            scorer = CrossEncoderScorer.open(str(tiny_cross_encoder.save(tmp_path / name, max_length=length)))
            assert len(scorer.score("gdzie leży " * 300, [Passage("x", "toruń", "rzeka " * 3_000)])) == 1
            assert scorer.counts == PairCounts(1, 1)
            assert scorer.max_tokens == 64

    def test_a_long_model_reads_all_that_it_can(self, tmp_path):
        folder = tiny_cross_encoder.save(tmp_path / "long", positions=4_096, max_length=4_096)
        scorer = CrossEncoderScorer.open(str(folder))
        other = [Passage(str(tail), "", "rzeka " * 600 + tail) for tail in ("wisła", "toruń")]
        first, second = scorer.score("gdzie", other)
        assert first != second
        assert "4096 tokens" in scorer.describe().en
        assert scorer.counts == PairCounts(2, 0)
        assert scorer.cut_warning() is None
        beyond = [Passage(str(tail), "", "rzeka " * 4_096 + tail) for tail in ("wisła", "toruń")]
        first, second = scorer.score("gdzie", beyond)
        assert first == second

    def test_passages_that_are_cut_are_told(self, scorer):
        before = scorer.counts
        # 64 tokens hold [CLS] gdzie [SEP] … [SEP].
        scorer.score("gdzie", [Passage(str(words), "", "rzeka " * words) for words in (60, 61)])
        assert scorer.counts == PairCounts(before.scored + 2, before.cut + 1)
        told = scorer.cut_warning()
        assert f"{before.cut + 1} of {before.scored + 2}" in told.en
        assert "64 tokenów" in told.pl

    @pytest.mark.parametrize("bfloat16", [False, True])
    def test_large_scores_are_no_equals(self, lexical, store, tmp_path, bfloat16):
        folder = tiny_cross_encoder.shift(tiny_cross_encoder.save(tmp_path / "model"), 20.0, bfloat16)
        scorer = CrossEncoderScorer.open(str(folder))
        scores = scorer.score(QUESTION, PASSAGES)
        assert min(scores) > 15
        different = [one for one in PASSAGES if one.id != "5"]  # the same as 2
        assert len({scores[int(one.id) - 1] for one in different}) == len(different)
        found = RerankedRetriever(lexical, store, scorer).search(QUESTION, 10).passage_ids
        assert list(found) == sorted(found, key=lambda key: (-scores[int(key) - 1], key))

    @pytest.mark.parametrize(
        ("labels", "sign"), [(("LABEL_0", "LABEL_1"), 1), (("irrelevant", "relevant"), 1), (("yes", "no"), -1)]
    )
    def test_of_two_labels_the_log_odds_count(self, tmp_path, labels, sign):
        folder = tiny_cross_encoder.save(tmp_path / "model", labels=2)
        change_json(folder / "config.json", id2label=dict(enumerate(labels)))
        scorer = CrossEncoderScorer.open(str(folder))
        both = peers_scores(folder, PASSAGES)
        wanted = sign * (both[:, 1] - both[:, 0])
        assert scorer.score(QUESTION, PASSAGES) == pytest.approx(wanted.tolist(), abs=1e-5)
        assert labels[1 if sign > 0 else 0] in scorer.describe().en

    def test_a_model_as_the_library_saves_it_keeps_its_prompt(self, model, tmp_path):
        from sentence_transformers import CrossEncoder

        made = CrossEncoder(str(model), device="cpu", prompts={"query": "urodził się "}, default_prompt_name="query")
        made.save(str(tmp_path / "saved"))
        assert (tmp_path / "saved" / "modules.json").is_file()
        scorer = CrossEncoderScorer.open(str(tmp_path / "saved"))
        scores = scorer.score(QUESTION, PASSAGES)
        assert scores == pytest.approx(peers_scores(model, PASSAGES, "urodził się " + QUESTION).tolist(), abs=1e-5)
        assert scores != pytest.approx(peers_scores(model, PASSAGES).tolist(), abs=1e-3)
        assert "'urodził się '" in scorer.describe().en
        # The prompt's two words take their place.
        scorer.score("gdzie", [Passage(str(words), "", "rzeka " * words) for words in (58, 59)])
        assert scorer.counts.cut == 1

    def test_an_activation_that_is_no_activation_is_not_looked_up(self, tmp_path):
        folder = tiny_cross_encoder.save(tmp_path / "model")
        known = CrossEncoderScorer.open(str(folder)).score(QUESTION, PASSAGES)
        for settings in (
            {"sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Tanh"}},
            {"sentence_transformers": {"activation_fn": "torch.no_such_thing"}},
            {"sbert_ce_default_activation_function": "own.code.Activation"},
        ):
            change_json(folder / "config.json", **settings)
            assert CrossEncoderScorer.open(str(folder)).score(QUESTION, PASSAGES) == known

    def test_halves_of_letters_are_read(self, scorer):
        assert len(scorer.score("gdzie \ud83d", [Passage("1", "", "rzeka \udc00")])) == 1

    def test_threads(self, scorer):
        wanted = scorer.score(QUESTION, PASSAGES)
        with ThreadPoolExecutor(4) as pool:
            for scores in pool.map(lambda _: scorer.score(QUESTION, PASSAGES), range(12)):
                # How a product is shared among cores, and so its rounding, hangs on the thread that asks.
                assert scores == pytest.approx(wanted, abs=1e-5)


class TestRefusals:
    @pytest.mark.parametrize(("labels", "head", "told"), [(3, True, "num_labels = 3"), (1, False, "BertModel")])
    def test_a_network_that_is_no_reranker(self, tmp_path, labels, head, told):
        folder = tiny_cross_encoder.save(tmp_path / "model", labels, head)
        with pytest.raises(UserError) as caught:
            CrossEncoderScorer.open(str(folder))
        assert caught.value.code == "reranker-kind"
        assert told in caught.value.say("pl")

    @pytest.mark.parametrize(
        ("harm", "code"),
        [("empty folder", "incomplete"), ("config", "damaged"), ("weights", "damaged"), ("no weights", "incomplete")],
    )
    def test_a_damaged_folder(self, tmp_path, harm, code):
        folder = tmp_path / "model"
        if harm == "empty folder":
            folder.mkdir()
        else:
            tiny_cross_encoder.save(folder)
            file = folder / ("config.json" if harm == "config" else "model.safetensors")
            file.write_bytes(file.read_bytes()[:100])
            if harm == "no weights":
                file.unlink()
        with pytest.raises(UserError) as caught:
            CrossEncoderScorer.open(str(folder))
        assert caught.value.code == f"reranker-{code}"
        assert str(folder)[:100] in caught.value.say("en")

    def test_code_of_a_model_is_not_run(self, tmp_path):
        folder = tiny_cross_encoder.save(tmp_path / "model")
        (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Own: ...\n")
        config = folder / "config.json"
        text = config.read_text().replace('"model_type": "bert"', '"model_type": "own"')
        config.write_text(text.replace("{", '{"auto_map": {"AutoConfig": "own.Own", "AutoModel": "own.Own"},', 1))
        with pytest.raises(UserError):
            CrossEncoderScorer.open(str(folder))
        assert not (tmp_path / "ran").exists()

    def test_nan_is_told_with_passages(self, tmp_path):
        scorer = CrossEncoderScorer.open(str(tiny_cross_encoder.spoil(tiny_cross_encoder.save(tmp_path / "model"))))
        with pytest.raises(UserError) as caught:
            scorer.score(QUESTION, PASSAGES)
        assert caught.value.code == "reranker-failed"
        assert "6 / 6" in caught.value.say("pl")
        assert "1, 2, 3" in caught.value.say("pl")

    def test_a_name_that_cannot_be_had_is_told_soon(self, monkeypatch):
        import huggingface_hub

        def no_network(*_: object, **__: object) -> None:
            raise ConnectionError("no network in tests")

        monkeypatch.setattr(huggingface_hub.HfApi, "model_info", no_network)
        pauses: list[float] = []
        monkeypatch.setattr("time.sleep", pauses.append)
        with pytest.raises(UserError) as caught:
            CrossEncoderScorer.open("nikt/nie-ma-takiego-modelu")
        assert sum(pauses) < 20
        assert caught.value.code == "reranker-not-cached"
        for language in ("pl", "en"):
            assert "nikt/nie-ma-takiego-modelu" in caught.value.say(language)
            assert "no network in tests" in caught.value.say(language)

    def test_the_fingerprint_is_of_the_files(self, tmp_path):
        folder = tiny_cross_encoder.save(tmp_path / "model")
        known = CrossEncoderScorer.open(str(folder)).fingerprint
        same = tiny_cross_encoder.save(tmp_path / "elsewhere")
        assert CrossEncoderScorer.open(str(same)).fingerprint == known != ""
        tiny_cross_encoder.spoil(folder)
        assert CrossEncoderScorer.open(str(folder)).fingerprint != known

    def test_the_fingerprint_of_a_hub_model_is_its_commit(self, tmp_path, monkeypatch):
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        snapshot = as_cached(tmp_path / "hub", "ktos/ranker", tiny_cross_encoder.save(tmp_path / "model"))
        assert CrossEncoderScorer.open("ktos/ranker").fingerprint == f"{snapshot.name}-raw"
