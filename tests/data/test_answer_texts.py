"""What stands in the place of an answer or of the golds."""

import pytest

from polqa_demo.data.answer_texts import UnknownShapeError, answer_texts, printed_texts


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("tak", ("tak",)),
        (None, ()),
        (True, ("tak",)),
        (1939, ("1939",)),
        (1939.0, ("1939",)),
        (0.5, ("0.5",)),
        (float("nan"), ()),
        (float("inf"), ("inf",)),
        (["a", None, "a"], ("a", "a")),
        ([], ()),
        ([""], ("",)),
        # SQuAD, one answer and several; SQuAD's list of objects
        ({"text": ["a", "b"], "answer_start": [0, 3]}, ("a", "b")),
        ([{"text": "a", "answer_start": 0}, {"text": "b", "answer_start": 3}], ("a", "b")),
        # PoQuAD
        ({"text": "w Rzymie", "answer_start": 0, "generative_answer": "Rzym"}, ("w Rzymie", "Rzym")),
        # TriviaQA: normalised aliases have lost their letters and are no golds
        ({"value": "Łódź", "aliases": ["Łódź", "Lodz"], "normalized_aliases": ["lodz"]}, ("Łódź", "Lodz")),
        # KILT
        ([{"answer": "a"}, {"answer": "b", "provenance": []}, {"provenance": [{"wikipedia_id": "1"}]}], ("a", "b")),
        # a reader's object
        ({"answer": "tak", "score": 0.9}, ("tak",)),
    ],
)
def test_every_shape_gives_its_texts(value: object, texts: tuple[str, ...]) -> None:
    assert answer_texts(value).texts == texts


def test_an_unknown_shape_is_named_by_its_fields() -> None:
    with pytest.raises(UnknownShapeError) as caught:
        answer_texts([{"start": 1, "end": 2}])
    assert caught.value.fields == ("start", "end")


@pytest.mark.parametrize(
    ("cell", "texts", "commas_missing"),
    [
        ("['a', 'b']", ("a", "b"), False),
        ('["a", "b"]', ("a", "b"), False),
        ("['a' 'b']", ("a", "b"), True),
        ("['a'\n 'b']", ("a", "b"), True),
        ("array(['a', 'b'], dtype=object)", ("a", "b"), False),
        ("{'text': array(['a'], dtype=object), 'answer_start': array([0])}", ("a",), False),
        ("[True]", ("tak",), False),
        ("[]", (), False),
    ],
)
def test_printed_lists(cell: str, texts: tuple[str, ...], commas_missing: bool) -> None:
    found = printed_texts(cell)
    assert found is not None
    assert (found.texts, found.commas_missing, found.listed) == (texts, commas_missing, True)


@pytest.mark.parametrize("cell", ["tak", "[Adam]", "[1] tak", "(tak)", "{x}", "[", "array", "'a', 'b'", "[" * 200_000])
def test_a_text_that_only_looks_like_a_list_is_a_text(cell: str) -> None:
    assert printed_texts(cell) is None
