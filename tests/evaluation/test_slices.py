"""Slices against hand counts, scipy and their own definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.evaluation.significance import holm, wilson_interval
from polqa_demo.evaluation.slices import (
    ALL,
    MOST_VALUES,
    OTHERS,
    Slice,
    dimensions,
    gold_kind,
    members,
    ranking_hits,
    slices,
    two_way,
)
from polqa_demo.records import Question, Ranking
from polqa_demo.reports.slice_names import slice_name, slice_value
from polqa_demo.submissions.gold import load_gold


def question(place: int, golds: tuple[str, ...] = ("tak",), **labels: str) -> Question:
    return Question(str(place), "Czy?", golds, labels)


TEN = [question(place, question_type="YES/NO" if place < 4 else "SINGLE ENTITY") for place in range(10)]
# Three of the four yes/no questions are right, one of the six others.
RIGHT = {str(place): place in (0, 1, 2, 9) for place in range(10)}


def named(rows: tuple[Slice, ...], name: str) -> dict[str, Slice]:
    return {row.value: row for row in rows if row.name == name}


def test_by_hand() -> None:
    found = slices(TEN, RIGHT)
    rows = named(found.rows, "question_type")
    assert list(rows) == ["SINGLE ENTITY", "YES/NO"]
    yes = rows["YES/NO"]
    assert (yes.n, yes.hits, yes.share, yes.small) == (4, 3, 0.75, True)
    assert (yes.low, yes.high) == wilson_interval(3, 4)
    assert yes.difference == pytest.approx(75 - 100 / 6)
    assert yes.p == pytest.approx(fisher_exact([[3, 1], [1, 5]]).pvalue)
    # Two slices have something outside, and both ask the same.
    assert found.tests == 2
    assert yes.adjusted_p == pytest.approx(2 * yes.p)
    assert (found.n, found.hits) == (10, 4)


def test_a_slice_of_everything_is_compared_with_nothing() -> None:
    only = named(slices(TEN, RIGHT).rows, "gold_kind")["text"]
    assert (only.n, only.difference, only.p, only.adjusted_p) == (10, None, None, None)


def test_small_ends_at_thirty() -> None:
    questions = [question(place, question_type="A" if place < 29 else "B") for place in range(59)]
    rows = named(slices(questions, {item.id: True for item in questions}).rows, "question_type")
    assert (rows["A"].small, rows["B"].small) == (True, False)


@pytest.mark.parametrize(
    ("golds", "kind"),
    [
        (("1945",), "number"),
        (("w XIX wieku",), "number"),
        (("xix",), "text"),
        (("pięć", "5"), "mixed"),
        (("Kraków", "w Krakowie"), "text"),
        (("3 maja", "3"), "number"),
        ((), ""),
    ],
)
def test_gold_kind(golds: tuple[str, ...], kind: str) -> None:
    assert gold_kind(question(1, golds)) == kind


def test_bins_of_golds_count_up() -> None:
    golds = [("a" * 26,), ("abc",), ("abcd", "b"), ("a" * 12, "b", "c"), ("a" * 7, "b", "c", "d", "e"), ("tak",)]
    questions = [question(place, gold) for place, gold in enumerate(golds)]
    found = slices(questions, {item.id: True for item in questions}).rows
    lengths, counts = named(found, "gold_length"), named(found, "gold_count")
    assert {value: row.n for value, row in lengths.items()} == {"0–3": 2, "4–6": 1, "7–10": 1, "11–15": 1, "26+": 1}
    assert {value: row.n for value, row in counts.items()} == {"1": 3, "2": 1, "3": 1, "4+": 1}
    assert list(lengths) == ["0–3", "4–6", "7–10", "11–15", "26+"]


def test_extra_labels_follow_and_missing_ones_come_last() -> None:
    questions = [question(1, dział="historia"), question(2), question(3, dział="sport"), question(4, dział="sport")]
    found = slices(questions, {item.id: item.id == "1" for item in questions})
    assert dimensions(questions) == ("gold_kind", "gold_length", "gold_count", "dział")
    assert list(named(found.rows, "dział")) == ["sport", "historia", ""]


def test_a_label_with_hundreds_of_values_is_cut() -> None:
    questions = [question(place, author=f"a{place % (MOST_VALUES + 40)}") for place in range(300)]
    rows = named(slices(questions, {item.id: True for item in questions}).rows, "author")
    assert len(rows) == MOST_VALUES + 1
    assert list(rows)[-1] == OTHERS
    assert sum(row.n for row in rows.values()) == 300


def test_rankings_are_sliced_over_questions_with_gold() -> None:
    questions = [question(place, (), entity_type="NAMED" if place < 3 else "UNNAMED") for place in range(5)]
    gold = {"0": ("p",), "1": ("p",), "3": ("q",)}
    rankings = {str(place): Ranking(str(place), ("x", "p")) for place in range(5)}
    hits = ranking_hits(score_rankings(rankings, gold, [item.id for item in questions]))
    assert hits == {"0": True, "1": True, "3": False}
    found = slices(questions, hits)
    assert {(row.name, row.value): (row.hits, row.n) for row in found.rows} == {
        ("entity_type", "NAMED"): (2, 2),
        ("entity_type", "UNNAMED"): (0, 1),
    }


LABELS = st.fixed_dictionaries(
    {}, optional={"question_type": st.sampled_from(["A", "B", "C"]), "extra": st.sampled_from(["", "x", "y"])}
)
QUESTIONS = st.lists(
    st.tuples(st.lists(st.sampled_from(["tak", "5", "w XX wieku", "Kraków"]), max_size=5), LABELS, st.booleans()),
    min_size=1,
    max_size=60,
)


def made(drawn: list[tuple[list[str], dict[str, str], bool]]) -> tuple[list[Question], dict[str, bool]]:
    questions = [Question(str(at), "?", tuple(golds), labels) for at, (golds, labels, _) in enumerate(drawn)]
    return questions, {str(at): right for at, (_, _, right) in enumerate(drawn)}


@given(QUESTIONS)
def test_every_dimension_parts_the_questions(drawn: list[tuple[list[str], dict[str, str], bool]]) -> None:
    questions, right = made(drawn)
    found = slices(questions, right)
    for name in dimensions(questions):
        rows = named(found.rows, name)
        assert sum(row.n for row in rows.values()) == found.n == len(questions)
        assert sum(row.hits for row in rows.values()) == found.hits == sum(right.values())
        for row in rows.values():
            assert row.low <= row.share <= row.high
            if row.difference is not None:
                rest = (found.hits - row.hits) / (found.n - row.n)
                assert row.difference == pytest.approx(100 * (row.share - rest))
    tested = [row for row in found.rows if row.p is not None]
    assert len(tested) == found.tests
    assert [row.adjusted_p for row in tested] == pytest.approx(holm([row.p for row in tested if row.p is not None]))


def test_two_way_by_hand() -> None:
    found = two_way(TEN, RIGHT, "question_type", "gold_kind")
    assert (found.rows, found.columns) == (("SINGLE ENTITY", "YES/NO"), ("text",))
    assert found.cells["YES/NO", "text"].hits == 3
    assert found.cells["YES/NO", ALL].n == 4
    assert (found.cells[ALL, ALL].hits, found.cells[ALL, ALL].n) == (4, 10)
    with pytest.raises(ValueError, match="entity_type"):
        two_way(TEN, RIGHT, "entity_type", "gold_kind")


@given(QUESTIONS)
def test_two_way_sums(drawn: list[tuple[list[str], dict[str, str], bool]]) -> None:
    questions, right = made(drawn)
    names = dimensions(questions)
    if not names:
        return
    found = two_way(questions, right, names[0], names[-1])
    for row in found.rows:
        inside = [found.cells[row, column] for column in found.columns if (row, column) in found.cells]
        assert sum(cell.n for cell in inside) == found.cells[row, ALL].n
        assert sum(cell.hits for cell in inside) == found.cells[row, ALL].hits
    assert sum(found.cells[ALL, column].n for column in found.columns) == len(questions)


def test_members_are_the_slices_of_a_dimension() -> None:
    questions = [question(1, ("12",), kind="a"), question(2, kind="b"), question(3, kind="b"), question(4)]
    assert members(questions, "kind") == {"b": {"2", "3"}, "a": {"1"}, "": {"4"}}
    assert list(members(questions, "kind")) == ["b", "a", ""]
    assert members(questions, "gold_kind") == {"text": {"2", "3", "4"}, "number": {"1"}}
    assert members(questions, "no such") == {"": {"1", "2", "3", "4"}}


def test_labels_like_the_signs_of_sums_and_of_others_are_labels() -> None:
    kinds = ["*", "a", "a", "…", "* "]
    questions = [question(place, entity_type=kind, question_type="*") for place, kind in enumerate(kinds)]
    found = two_way(questions, {str(place): True for place in range(5)}, "entity_type", "question_type")
    assert found.cells[ALL, ALL].n == 5
    assert sorted(found.cells[row, ALL].n for row in found.rows) == [1, 1, 1, 2]
    assert len(members(questions, "entity_type")) == 4
    many = [question(place, kind="…" if place < 3 else f"k{place}") for place in range(MOST_VALUES + 20)]
    assert members(many, "kind")["… "] == {"0", "1", "2"}


def test_names_of_values() -> None:
    assert slice_value("entity_subtype", "PERSON", "pl") == "osoba (PERSON)"
    assert slice_value("entity_subtype", "PERSON", "en") == "PERSON"
    assert slice_value("own", "x" * 90, "pl") == "x" * 40 + "…"
    assert slice_value("gold_kind", "number", "pl") == "liczba"
    assert slice_value("own", "", "pl") == "(brak)"
    assert (slice_name("entity_type", "pl"), slice_name("own", "pl")) == ("typ encji", "own")


def test_every_label_of_the_sample_has_a_polish_name() -> None:
    found = {
        (name, value)
        for split in ("train", "valid", "test")
        for item in load_gold(f"polqa-demo-sample/{split}").questions
        for name, value in item.labels.items()
    }
    assert {value for name, value in found if slice_value(name, value, "pl") == value} == set()
