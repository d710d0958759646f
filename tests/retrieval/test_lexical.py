import hashlib
import math
import os
import random
import time
from itertools import pairwise

import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import UserError
from polqa_demo.polish.words import STOP_WORDS
from polqa_demo.records import Passage
from polqa_demo.retrieval import lexical
from polqa_demo.retrieval.lexical import ANALYSER_VERSION, LexicalRetriever, lexical_terms, matched_spans

CORPUS = [
    Passage("1-0", "Grunwald", "Bitwa pod Grunwaldem rozegrała się w 1410 roku."),
    Passage("1-1", "Grunwald", "Wojskami polskimi dowodził Władysław II Jagiełło."),
    Passage("2-0", "Łódź", "Łódź leży nad rzeką Łódką."),
    Passage("3-0", "Lalka (powieść)", "„Lalka” to powieść Bolesława Prusa."),
    Passage("6-0", "Kopernik", "Mikołaj Kopernik urodził się w Toruniu."),
    Passage("7-0", "Giewont", "Giewont wznosi się nad Zakopanem."),
    *(Passage(f"{number}-0", f"Inne {number}", "Jak i gdzie oraz kiedy: o niczym.") for number in range(8, 25)),
]

vocabulary = st.sampled_from("kot pies lis wilk ryś żbik osa pszczoła mrówka żuk słoń koń".split())
texts = st.lists(vocabulary, min_size=1, max_size=6).map(" ".join)
questions = st.lists(vocabulary, min_size=1, max_size=5).map(" ".join)
corpora = st.lists(texts, min_size=1, max_size=60).map(
    lambda found: [Passage(str(number), "", text) for number, text in enumerate(found)]
)


def over(passages: list[Passage]) -> LexicalRetriever:
    return LexicalRetriever.in_memory(PassageStore.of(passages))


@pytest.fixture(scope="module")
def retriever() -> LexicalRetriever:
    return over(CORPUS)


class TestTerms:
    def test_stem_and_prefix_of_content_words(self):
        assert lexical_terms("W jakim mieście urodził się Kopernik?") == [
            "mieś",
            "#mieśc",
            "urodz",
            "#urodz",
            "kopernik",
            "#koper",
        ]

    def test_analyser_version_is_raised_with_its_output(self):
        """When this fails because terms changed on purpose: raise ANALYSER_VERSION and put the new terms here."""
        said = "Któremu z ośmiu żołnierzy 1. Armii nadano Order?"
        assert (ANALYSER_VERSION, " ".join(lexical_terms(said))) == (
            "stem-prefix5-1",
            "któr #które ośm #ośmiu żołnierz #żołni 1 #1 armi #armii nadan #nadan order #order",
        )

    def test_analyser_version_is_raised_with_stop_words_and_stems(self):
        """As above, for the list of stop words and for the stemmer's endings (a new PyStemmer may change them)."""
        roots = "kot dom rzek książk król miast wojn pisarz żołnierz święt most polsk młod rob czyt śpiew".split()
        endings = (
            " a ą ę e i o u y owi em ami ach om ów ie ek ka kę ki ego emu ej ych ymi szy szego ejszy ąc ący ać ał ała"
            " ali ano any anie ania enie eniem iła ili ył ymy acie ość ości nik nika niczy owy owej ski skiego owski"
        ).split(" ")
        terms = [" ".join(lexical_terms(root + ending)) for root in roots for ending in endings]
        assert len(terms) > 800
        said = "\n".join([*sorted(STOP_WORDS), *terms])
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        assert (ANALYSER_VERSION, len(STOP_WORDS), digest) == ("stem-prefix5-1", 110, "fc4a3a7e962f113c")

    def test_long_words_are_not_kept(self):
        before = lexical._known_terms.cache_info().currsize
        lexical_terms(" ".join("długie" * 10 + str(number) for number in range(50)))
        assert lexical._known_terms.cache_info().currsize == before
        lexical_terms("krótkiesłowo1234")
        assert lexical._known_terms.cache_info().currsize == before + 1

    def test_composed_and_decomposed_letters_are_one(self):
        assert lexical_terms("Łódź, żółć") == lexical_terms(
            "Łódź, żółć".replace("ó", "o\u0301").replace("ż", "z\u0307")
        )

    @given(st.text())
    def test_terms_hold_no_blanks(self, text):
        assert all(term and not any(letter.isspace() for letter in term) for term in lexical_terms(text))


class TestSearch:
    @pytest.mark.parametrize(
        ("question", "passage_id"),
        [
            ("Kto napisał Lalkę?", "3-0"),
            ("Pod czym dowodził Jagiełło?", "1-1"),
            ("W jakim mieście urodził się Kopernik?", "6-0"),
            ("Nad czym wznosi się Giewont?", "7-0"),
            ("Jak i gdzie oraz kiedy urodził się Kopernik?", "6-0"),
            ("KOPERNIKOWI", "6-0"),
        ],
    )
    def test_finds_inflected_words_and_ignores_question_words(self, retriever, question, passage_id):
        assert retriever.search(question, 10).passage_ids[0] == passage_id

    def test_scores_fall_and_question_id_is_empty(self, retriever):
        ranking = retriever.search("bitwa pod Grunwaldem, powieść", 10)
        assert ranking.question_id == ""
        assert len(ranking.scores) == len(ranking.passage_ids) == 3
        assert list(ranking.scores) == sorted(ranking.scores, reverse=True)

    def test_score_is_bm25(self):
        """By hand: idf ln(1 + (2 - 1 + 0.5) / (1 + 0.5)), tf 1, k1 1.2, b 0.75, lengths 2 and 4; stem and prefix."""
        found = over([Passage("a", "", "kot"), Passage("b", "", "pies lis")]).search("kot", 5)
        term = math.log(2) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
        assert found.passage_ids == ("a",)
        assert found.scores[0] == pytest.approx(2 * term, rel=1e-5)

    @pytest.mark.parametrize("question", ["", " ", "???", "Kto to był?", "\ud800", "nieznanesłowo", "😀"])
    def test_nothing_to_look_for_is_an_empty_ranking(self, retriever, question):
        assert retriever.search(question, 10).passage_ids == ()

    @pytest.mark.parametrize("top_k", [0, -1])
    def test_no_places_no_passages(self, retriever, top_k):
        assert retriever.search("Kopernik", top_k).passage_ids == ()

    @pytest.mark.parametrize(
        "question", ['Kopernik" OR terms:*', "row:4 kopernik", "(kopernik", "kopernik^9 \\", "a'kopernik"]
    )
    def test_no_character_is_an_operator(self, retriever, question):
        assert retriever.search(question, 10).passage_ids[0] == "6-0"

    def test_fewer_passages_than_asked_for(self):
        three = over(CORPUS[:3])
        assert len(three.search("Grunwald Łódź Jagiełło", 10).passage_ids) == 3
        assert three.search("Grunwald Łódź", 10_000_000).passage_ids == ("2-0", "1-0", "1-1")

    def test_long_questions_are_bounded(self, retriever):
        for question in ("a" * 100_000, "kopernik " * 1_200, " ".join(f"słowo{n}" for n in range(1_000)) + " kopernik"):
            started = time.process_time()
            retriever.search(question, 10)
            assert time.process_time() - started < 1
        many = " ".join(f"słowo{number}" for number in range(1_000))
        assert len(lexical._question_terms(many)) == lexical.MAX_QUESTION_WORDS + 1  # one prefix is common to all

    def test_repeating_a_word_changes_nothing(self, retriever):
        assert retriever.search("Kopernik Giewont", 5) == retriever.search("Kopernik Giewont Giewont", 5)


class TestOrder:
    def test_equal_scores_stand_in_the_order_of_the_corpus(self):
        same = over([Passage(str(number), "", "ten sam tekst") for number in range(500)])
        for top_k in (1, 10, 499, 500):
            assert same.search("tekst", top_k).passage_ids == tuple(map(str, range(top_k)))

    def test_also_over_many_segments(self, tmp_path, monkeypatch):
        """tantivy itself orders equal scores by segment; identical passages lie in all of them here."""
        chosen = random.Random(7)
        words = [f"{first}{second}" for first in "abcdefgh" for second in "abcdefgh"]
        kinds = [" ".join(chosen.choices(words, k=12)) for _ in range(40)]
        passages = [Passage(str(number), "", kinds[chosen.randrange(40)]) for number in range(2_000)]
        store = PassageStore.of(passages)

        def in_pieces(index: tantivy.Index, passages: PassageStore, progress: None) -> None:
            writer = index.writer(15_000_000, num_threads=1)
            for row, passage in enumerate(passages):
                document = tantivy.Document()
                document.add_text("terms", " ".join(lexical_terms(passage.text)))
                document.add_unsigned("row", row)
                writer.add_document(document)
                if row % 300 == 299:
                    writer.commit()
            writer.commit()
            writer.wait_merging_threads()
            index.reload()

        whole = LexicalRetriever.in_memory(store)
        monkeypatch.setattr(lexical, "_fill", in_pieces)
        pieces = LexicalRetriever.build(tmp_path, store)
        assert pieces._searcher.num_segments > 1
        for _ in range(60):
            question = " ".join(chosen.choices(words, k=chosen.randrange(1, 20)))
            for top_k in (1, 10, 60):
                assert pieces.search(question, top_k) == whole.search(question, top_k)
            found = whole.search(question, 200)
            order = [
                (-score, int(passage_id)) for score, passage_id in zip(found.scores, found.passage_ids, strict=True)
            ]
            assert order == sorted(order)

    @settings(deadline=None)
    @given(corpora, questions, st.integers(1, 12))
    def test_a_shorter_search_is_the_start_of_a_longer_one(self, corpus, question, top_k):
        retriever = over(corpus)
        short, long = retriever.search(question, top_k), retriever.search(question, top_k + 5)
        assert short.passage_ids == long.passage_ids[:top_k]
        assert short.scores == long.scores[:top_k]

    @settings(max_examples=30, deadline=None)
    @given(corpora, questions)
    def test_a_rebuild_changes_nothing(self, tmp_path_factory, corpus, question):
        store = PassageStore.of(corpus)
        first = LexicalRetriever.in_memory(store).search(question, 10)
        folder = tmp_path_factory.mktemp("lexical")
        assert LexicalRetriever.build(folder, store).search(question, 10) == first
        assert LexicalRetriever.open(folder, store).search(question, 10) == first


class TestExplain:
    @settings(deadline=None)
    @given(corpora, questions)
    def test_words_sum_up_to_the_score_of_the_search(self, corpus, question):
        retriever = over(corpus)
        ranking = retriever.search(question, 10)
        explained = retriever.explain(question, ranking.passage_ids)
        assert [one.passage_id for one in explained] == list(ranking.passage_ids)
        for one, score in zip(explained, ranking.scores, strict=True):
            assert one.score == pytest.approx(score, abs=1e-4)
            assert sum(term.score for term in one.terms) == pytest.approx(score, abs=1e-4)
            assert {term.word for term in one.terms} <= set(question.split())

    def test_groups_terms_by_the_words_of_the_question(self, retriever):
        (one,) = retriever.explain("Gdzie urodził się Mikołaj Kopernik?", ("6-0",))
        assert [(term.word, term.terms) for term in one.terms] == [
            ("urodził", ("urodz", "#urodz")),
            ("mikołaj", ("mikoł", "#mikoł")),
            ("kopernik", ("kopernik", "#koper")),
        ]

    def test_one_prefix_of_two_words_counts_once(self):
        (one,) = over([Passage("a", "", "wojenko")]).explain("wojenny wojennik", ("a",))
        assert [(term.word, term.terms) for term in one.terms] == [("wojenny", ("#wojen",))]

    def test_passages_without_the_words(self, retriever):
        first, second = retriever.explain("Kopernik", ("7-0", "6-0"))
        assert (first.passage_id, first.score, first.terms) == ("7-0", 0.0, ())
        assert second.score > 0
        assert retriever.explain("kto?", ("7-0",))[0].score == 0.0
        assert retriever.explain("Kopernik", ()) == ()

    @pytest.mark.parametrize("word", ["東京", "ǅungla", "𝟎𝟏𝟐", "ﬁlm", "ⅷ", "x_y", "naïve", "\u0e01\u0e02", "𐐷", "²"])
    def test_rare_letters(self, word):
        retriever = over([Passage("a", "", word), Passage("b", "", "kot")])
        ranking = retriever.search(word, 5)
        assert ranking.passage_ids == ("a",)
        (one,) = retriever.explain(word, ("a",))
        assert sum(term.score for term in one.terms) == pytest.approx(ranking.scores[0], abs=1e-4)

    def test_unknown_passage(self, retriever):
        with pytest.raises(UserError) as caught:
            retriever.explain("Kopernik", ("6-0", "nie-ma"))
        assert "nie-ma" in caught.value.say("pl")


class TestSpans:
    def test_words_that_share_a_stem_or_a_beginning(self):
        text = "Mikołaj Kopernik urodził się w Toruniu. O Koperniku pisano."
        assert [text[a:b] for a, b in matched_spans("W jakim mieście urodził się Kopernik?", text)] == [
            "Kopernik",
            "urodził",
            "Koperniku",
        ]

    def test_decomposed_letters_keep_their_places(self):
        text = "Miasto Ło\u0301dz\u0301 lez\u0307y"
        assert [text[a:b] for a, b in matched_spans("Łódź", text)] == ["Ło\u0301dz\u0301"]

    def test_stop_words_are_not_lit(self):
        assert matched_spans("Kto i gdzie?", "kto i gdzie") == []

    @given(st.text(), st.text())
    def test_spans_are_ordered_and_inside(self, question, text):
        spans = matched_spans(question, text)
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(first[1] <= second[0] for first, second in pairwise(spans))

    @settings(deadline=None)
    @given(corpora, questions)
    def test_every_hit_has_a_span(self, corpus, question):
        found = over(corpus).search(question, 5).passage_ids
        assert all(matched_spans(question, corpus[int(passage_id)].text) for passage_id in found)


class TestFolders:
    def test_of_other_passages(self, tmp_path):
        LexicalRetriever.build(tmp_path, PassageStore.of(CORPUS))
        with pytest.raises(UserError) as caught:
            LexicalRetriever.open(tmp_path, PassageStore.of(CORPUS[:3]))
        assert caught.value.code == "lexical-damaged"

    def test_none_or_rubbish(self, tmp_path):
        store = PassageStore.of(CORPUS)
        with pytest.raises(UserError):
            LexicalRetriever.open(tmp_path / "nie-ma", store)
        LexicalRetriever.build(tmp_path / "a", store)
        (tmp_path / "a" / "meta.json").write_text("{")
        with pytest.raises(UserError):
            LexicalRetriever.open(tmp_path / "a", store)

    def test_a_folder_that_cannot_be_written_is_opened(self, tmp_path, monkeypatch):
        folder = tmp_path / "a"
        store = PassageStore.of(CORPUS)
        expected = LexicalRetriever.build(folder, store).search("Kopernik", 5)
        for lock in folder.glob("*.lock"):
            lock.unlink()
        before = sorted(folder.iterdir())
        folder.chmod(0o555)
        writable = os.access
        # The super-user may write anywhere: the answer of the system is what is put in its place.
        monkeypatch.setattr(os, "access", lambda path, mode: path != folder and writable(path, mode))
        try:
            assert LexicalRetriever.open(folder, store).search("Kopernik", 5) == expected
            assert sorted(folder.iterdir()) == before
        finally:
            folder.chmod(0o755)

    @pytest.mark.parametrize("suffix", ["idx", "term", "pos"])
    def test_a_part_that_is_damaged_is_a_message(self, tmp_path, suffix):
        store = PassageStore.of(Passage(str(number), "", f"kot{number % 7} pies{number % 5}") for number in range(500))
        LexicalRetriever.build(tmp_path, store)
        (part,) = tmp_path.glob(f"*.{suffix}")
        # the end, which opening reads, stays
        data = part.read_bytes()
        part.unlink()
        if suffix != "pos":
            part.write_bytes(bytes(len(data) // 2) + data[len(data) // 2 :])
        with pytest.raises(UserError) as caught:
            LexicalRetriever.open(tmp_path, store).search("kot1 kot2 pies3", 5)
        assert caught.value.code == "lexical-damaged"
        assert str(tmp_path) in caught.value.say("pl")

    def test_a_broken_index_in_memory_is_no_base_exception(self):
        store = PassageStore.of(CORPUS)
        retriever = LexicalRetriever.in_memory(PassageStore.of([*CORPUS, Passage("x", "", "ponad miarę")]))
        retriever._passages = store  # rows that are not there
        with pytest.raises(RuntimeError):
            retriever.search("ponad miarę", 5)

    def test_progress_ends_at_the_total(self, tmp_path):
        told: list[tuple[int, int | None]] = []
        store = PassageStore.of(Passage(str(number), "", "kot") for number in range(2_500))
        LexicalRetriever.build(tmp_path, store, lambda done, total: told.append((done, total)))
        assert told == [(2000, 2500), (2500, 2500)]
