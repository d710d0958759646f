"""Whose fault: every question in one of eight cells."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.errors import UserError
from polqa_demo.evaluation.attribution import CELLS, attribute, reader_beside
from polqa_demo.evaluation.shares import Share
from polqa_demo.records import Question, Ranking

TEXTS = {"gold": "Kraków leży nad rzeką.", "gold-with-answer": "Leży nad Wisłą.", "other": "Toruń leży nad Wisłą."}
QUESTION = Question("q", "Nad czym leży Kraków?", ("nad Wisłą",))


def cell_of(ranked: tuple[str, ...], prediction: str, gold: tuple[str, ...] = ("gold",)) -> str:
    found = attribute([QUESTION], {"q": prediction}, {"q": Ranking("q", ranked)}, {"q": gold}, TEXTS.get)
    return found.items[0].cell.code


@pytest.mark.parametrize(
    ("ranked", "prediction", "code"),
    [
        (("gold", "other"), "nad Wisłą", "sound"),
        (("other", "gold"), "nad Odrą i Nysą", "reader_fault"),
        (("gold",), "nad Wisłą", "worded_otherwise"),
        (("gold",), "", "hard_reading"),
        (("other",), "nad Wisłą", "other_evidence"),
        (("other",), "w górach", "reader_fault_other_evidence"),
        ((), "nad Wisłą", "right_unseen"),
        ((), "w górach", "retriever_fault"),
    ],
)
def test_the_eight_cells(ranked: tuple[str, ...], prediction: str, code: str) -> None:
    assert cell_of(ranked, prediction) == code


def test_the_cells_are_the_eight_combinations_each_named_once() -> None:
    facts = [(cell.gold_passage, cell.gold_answer, cell.right) for cell in CELLS]
    assert sorted(facts) == sorted(product([False, True], repeat=3))
    assert len({cell.code for cell in CELLS}) == len({cell.name.pl for cell in CELLS}) == 8
    assert len({cell.name.en for cell in CELLS}) == 8
    assert all(cell.explanation.pl and cell.explanation.en for cell in CELLS)


def test_counts_ids_ranks_and_ceilings() -> None:
    questions = [
        Question("a", "?", ("nad Wisłą",)),
        Question("b", "?", ("nad Wisłą",)),
        Question("c", "?", ("nad Wisłą",)),
        Question("d", "?", ("nad Wisłą",)),
        Question("e", "?"),
    ]
    rankings = {
        "a": Ranking("a", ("x", "x", "gold-with-answer")),
        "b": Ranking("b", ("other",)),
        "c": Ranking("c", ()),
    }
    gold = {"a": ["gold-with-answer"], "b": ["gold"], "c": ["gold"], "e": ["gold"]}
    found = attribute(questions, {"a": "nad Wisłą", "b": "nie wiem"}, rankings, gold, TEXTS.get)
    assert found.counts == {cell.code: 0 for cell in CELLS} | {
        "sound": 1,
        "reader_fault_other_evidence": 1,
        "retriever_fault": 1,
    }
    assert found.ids("sound") == ("a",)
    first = found.items[0]
    # The passage that stands twice has one rank.
    assert (first.gold_rank, first.answer_rank, first.held, first.unread) == (2, 2, "nad Wisłą", 1)
    assert found.unread == 1
    assert found.without_gold_passage == ("d",)
    assert (found.passage_ceiling, found.answer_ceiling, found.either_ceiling) == (
        Share(1, 3),
        Share(2, 3),
        Share(2, 3),
    )


def test_only_the_first_ten_count() -> None:
    padding = tuple(f"p{number}" for number in range(9))
    assert cell_of((*padding, "gold"), "w górach") == "hard_reading"
    assert cell_of((*padding, "p9", "gold"), "w górach") == "retriever_fault"


def test_nothing_to_attribute_is_told() -> None:
    with pytest.raises(UserError, match=r"No question \(of 1\) has both") as caught:
        attribute([QUESTION], {}, {}, {}, TEXTS.get)
    assert caught.value.code == "nothing-to-attribute"


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(ValueError, match="bleu"):
        attribute([QUESTION], {}, {}, {"q": ["gold"]}, TEXTS.get, rule="bleu")


def test_the_reader_on_gold_beside_the_reader_on_retrieved_passages() -> None:
    questions = [Question(key, "?", ("Ren",)) for key in "abcde"] + [Question("f", "?")]
    found = reader_beside(questions, {"a": "Ren", "c": "Ren", "d": "Wisła"}, {"a": "Ren", "b": "Ren", "f": "Ren"})
    assert found.both == ("a",)
    assert found.only_gold == ("b",)
    assert found.only_retrieved == ("c",)
    assert found.neither == ("d", "e")
    assert (found.on_gold, found.on_retrieved) == (Share(2, 5), Share(2, 5))


@given(
    st.lists(
        st.tuples(st.sampled_from(["nad Wisłą", "w górach", ""]), st.permutations(sorted(TEXTS)), st.integers(0, 3)),
        min_size=1,
        max_size=8,
    )
)
def test_every_question_is_in_exactly_one_cell(rows: list[tuple[str, list[str], int]]) -> None:
    questions = [Question(str(at), "?", ("nad Wisłą",)) for at in range(len(rows))]
    predictions = {str(at): row[0] for at, row in enumerate(rows)}
    rankings = {str(at): Ranking(str(at), tuple(row[1][: row[2]])) for at, row in enumerate(rows)}
    found = attribute(questions, predictions, rankings, dict.fromkeys(predictions, ("gold",)), TEXTS.get)
    assert sum(found.counts.values()) == len(rows)
    right = sum(item.cell.right for item in found.items)
    assert right == sum(row[0] == "nad Wisłą" for row in rows)
    assert found.either_ceiling.hits >= max(found.passage_ceiling.hits, found.answer_ceiling.hits)
