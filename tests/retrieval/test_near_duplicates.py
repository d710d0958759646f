"""Near duplicates folded under the best one of them."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.data.passages import PassageStore
from polqa_demo.records import Passage, Ranking
from polqa_demo.retrieval.lexical import LexicalRetriever
from polqa_demo.retrieval.near_duplicates import MAX_CHARS, Folded, covering, fold, search_folded

BATTLE = "Bitwa pod Grunwaldem rozegrała się 15 lipca 1410 roku między wojskami polskimi i litewskimi a krzyżackimi."


def under(first: str, second: str, titles: tuple[str, str] = ("", "")) -> bool:
    """Whether the second of two passages goes under the first."""
    return covering([Passage("a", titles[0], first), Passage("b", titles[1], second)]) == {"b": "a"}


class TestCovering:
    @pytest.mark.parametrize(
        "other",
        [
            BATTLE,
            BATTLE.replace(",", " ,"),
            BATTLE.removesuffix(" a krzyżackimi."),
            BATTLE.replace("a krzyżackimi", "oraz krzyżackimi"),
            BATTLE.lower(),
        ],
    )
    def test_the_same_in_other_words(self, other):
        assert under(BATTLE, other)

    @pytest.mark.parametrize(
        "other",
        [
            BATTLE.replace("1410", "1411"),
            BATTLE.replace("Grunwaldem", "Płowcami"),
            BATTLE.replace("rozegrała się", "nie rozegrała się"),
            BATTLE + " Zginął w niej wielki mistrz zakonu wraz z większością dostojników i rycerzy.",
            "Łódź leży nad Łódką.",
            "",
        ],
    )
    def test_what_says_something_else_or_more(self, other):
        assert not under(BATTLE, other)

    def test_texts_of_one_pattern(self):
        village = "{} – wieś w Polsce położona w województwie łódzkim, w powiecie {}, w gminie Dłutów."
        assert not under(village.format("Kociołki", "pabianickim"), village.format("Leszczyny", "pabianickim"))

    def test_titles_tell_apart_what_texts_do_not(self):
        text = "Wieś w Polsce położona w województwie łódzkim."
        assert not under(text, text, ("Kociołki", "Leszczyny"))
        assert under(text, text, ("Kociołki (wieś)", "Kociołki"))

    def test_a_longer_one_is_never_under_a_shorter(self):
        longer = BATTLE + " Była jedną z największych bitew średniowiecznej Europy, a dowodził Jagiełło."
        assert under(longer, BATTLE)
        assert not under(BATTLE, longer)

    def test_very_short_texts(self):
        assert under("Tak.", "tak")
        assert not under("Tak.", "Nie.")
        assert under("", "", ("Łódź", "Łódź"))
        assert not under("", "", ("Łódź", "Toruń"))

    def test_letters_written_in_two_ways(self):
        assert under("Łódź, miasto królów", "Ło\u0301dz\u0301, miasto kro\u0301lo\u0301w")

    def test_a_passage_goes_under_the_first_that_was_kept(self):
        same = [Passage(key, "", BATTLE) for key in "abcd"]
        assert covering(same) == {"b": "a", "c": "a", "d": "a"}

    def test_very_long_texts_only_when_they_are_equal(self):
        book = "słowo " * (MAX_CHARS // 5)
        assert under(book, book)
        assert not under(book, book + "koniec")


class TestFold:
    passages = (
        Passage("1", "Grunwald", BATTLE),
        Passage("2", "Grunwald", BATTLE),
        Passage("3", "Łódź", "Łódź leży nad Łódką."),
        Passage("4", "Grunwald", BATTLE.partition(" między")[0]),
    )

    def test_the_ids_are_kept_on_the_kept_hit(self):
        ranking = Ranking("q", ("4", "1", "3", "2"), (9.0, 8.0, 7.0, 6.0))
        found = fold(ranking, PassageStore.of(self.passages))
        assert found == Folded(Ranking("q", ("4", "1", "3"), (9.0, 8.0, 7.0)), {"1": ("2",)})
        found = fold(Ranking("q", ("2", "4", "1", "3")), PassageStore.of(self.passages))
        assert found == Folded(Ranking("q", ("2", "3")), {"2": ("4", "1")})

    def test_foreign_and_repeated_ids_stay(self):
        ranking = Ranking("q", ("obcy", "1", "1", "obcy"))
        assert fold(ranking, PassageStore.of(self.passages)) == Folded(ranking, {})

    def test_the_places_of_the_folded_are_filled(self):
        passages = [*(Passage(f"k{number}", "", BATTLE) for number in range(6)), *self.passages[2:3]]
        passages.append(Passage("5", "", "Grunwald to wieś w województwie warmińsko-mazurskim."))
        store = PassageStore.of(passages)
        retriever = LexicalRetriever.in_memory(store)
        found = search_folded(retriever, store, "bitwa pod Grunwaldem", 2)
        assert len(retriever.search("bitwa pod Grunwaldem", 2).passage_ids) == 2
        assert found.ranking.passage_ids == ("k0", "5")
        assert found.folded == {"k0": ("k1", "k2", "k3", "k4", "k5")}
        assert search_folded(retriever, store, "bitwa pod Grunwaldem", 5).ranking.passage_ids == ("k0", "5")
        assert search_folded(retriever, store, "xyz", 5) == Folded(Ranking("", (), ()), {})

    @settings(deadline=None)
    @given(st.lists(st.sampled_from(["raz dwa trzy", "raz dwa trzy cztery", "Raz 2", "nie", ""]), max_size=12))
    def test_nothing_is_lost_and_nothing_stands_twice(self, texts):
        passages = [Passage(str(number), "", text) for number, text in enumerate(texts)]
        ranking = Ranking("q", tuple(one.id for one in passages), tuple(-float(n) for n in range(len(texts))))
        if not passages:
            return
        found = fold(ranking, PassageStore.of(passages))
        assert sorted([*found.ranking.passage_ids, *(key for ids in found.folded.values() for key in ids)]) == sorted(
            ranking.passage_ids
        )
        assert fold(found.ranking, PassageStore.of(passages)) == Folded(found.ranking, {})
        assert list(found.ranking.scores) == sorted(found.ranking.scores, reverse=True)


def test_time_is_bounded_where_all_are_alike():
    chance = random.Random(0)
    common = [f"słowo{number}" for number in range(300)]
    passages = [
        Passage(str(number), "", " ".join(common + [f"{chance.random()}" for _ in range(100)])) for number in range(100)
    ]
    start = time.process_time()
    assert covering(passages) == {}
    assert time.process_time() - start < 30
