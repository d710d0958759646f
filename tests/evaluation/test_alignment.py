"""Letters beside letters: the pieces re-assemble both sides and cost what the rule counts."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.evaluation import RULES, explain_fuzzy_match
from polqa_demo.evaluation.alignment import Alignment, Piece, align
from polqa_demo.evaluation.fuzzy_match import clean_line

LINES = st.text(st.sampled_from("aAąbBłŁİiΣσßŻ .\r\t-12"), max_size=12)
ONE_GOLD = LINES.map(lambda text: text.replace("\t", " "))


def test_an_inflected_answer() -> None:
    assert align("Rzym", "w Rzymie").pieces == (
        Piece("inserted", "", "w "),
        Piece("same", "Rzym", "Rzym"),
        Piece("inserted", "", "ie"),
    )


def test_every_kind_of_piece_with_its_cost() -> None:
    found = align("xKrbków", "Kraków!")
    assert (found.prediction, found.gold) == ("xKrbków", "Kraków!")
    assert [piece.kind for piece in found.pieces if piece.edits] == ["deleted", "replaced", "inserted"]
    assert found.distance == 3


def test_case_costs_nothing_and_is_shown_as_written() -> None:
    assert align("KRAKÓW", "Kraków").pieces == (Piece("same", "KRAKÓW", "Kraków"),)
    assert align("KRAKÓW", "Kraków", "card").distance == 5


def test_what_the_rule_cleans_away_is_not_shown() -> None:
    assert align(" Kra\rków\t", "Kraków").pieces == (Piece("same", "Kraków", "Kraków"),)
    assert align(" Kraków", "Kraków", "card").pieces[0] == Piece("deleted", " ", "")


def test_letters_that_lower_case_makes_longer() -> None:
    assert align("İstanbul", "istanbul").pieces == (Piece("same", "İstanbul", "istanbul"),)
    # `readme` measures Python's lower case, where the dot is a letter of its own.
    assert align("İstanbul", "istanbul", "readme").distance == 1


def test_nothing_on_one_side_or_on_both() -> None:
    assert align("", "ab").pieces == (Piece("inserted", "", "ab"),)
    assert align("ab", "").pieces == (Piece("deleted", "ab", ""),)
    assert align("", "") == Alignment(())


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(ValueError, match="bleu"):
        align("a", "b", "bleu")


@pytest.mark.parametrize(("left", "right"), [(300_000, 300_000), (6_000, 5_000), (5_000, 6_000), (0, 400_000)])
def test_long_texts_are_aligned_coarsely_and_soon(left: int, right: int) -> None:
    chance = random.Random(1)
    # the differing letters at both ends keep the common ones where they are
    one, other = ("".join(chance.choices("abc", k=length)) + end for length, end in ((left, "x"), (right, "y")))
    prediction, gold = f"początek!{one}koniec", f"początek?{other}koniec"
    started = time.thread_time()
    found = align(prediction, gold)
    assert time.thread_time() - started < 0.5
    assert (found.prediction, found.gold) == (prediction, gold)
    assert found.shortest is (left == 0)
    assert found.distance == max(left, right) + 2
    assert (found.pieces[0].gold[:8], found.pieces[-1].gold[-6:]) == ("początek", "koniec")
    assert {found.pieces[0].kind, found.pieces[-1].kind} == {"same"}


def test_a_small_change_in_a_long_text_is_found() -> None:
    long = "ab" * 200_000
    found = align(f"{long}kot{long}", f"{long}kat{long}")
    assert found.shortest
    assert found.distance == 1


@given(LINES, LINES)
def test_the_pieces_re_assemble_both_sides(prediction: str, gold: str) -> None:
    found = align(prediction, gold)
    assert (found.prediction, found.gold) == (clean_line(prediction), clean_line(gold))
    assert all(len(piece.prediction) == len(piece.gold) for piece in found.pieces if piece.kind in ("same", "replaced"))
    assert all(not piece.prediction for piece in found.pieces if piece.kind == "inserted")
    assert all(not piece.gold for piece in found.pieces if piece.kind == "deleted")
    assert all(piece.prediction or piece.gold for piece in found.pieces)


@given(LINES, ONE_GOLD, st.sampled_from(RULES))
def test_the_distance_is_the_one_that_the_rule_measured(prediction: str, gold: str, rule: str) -> None:
    verdict = explain_fuzzy_match(prediction, [gold], rule)
    if verdict.branch == "text" and verdict.gold is not None:
        assert align(prediction, verdict.gold, rule).distance == verdict.distance
