"""Values as Python and NumPy print them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.data.literals import LONGEST, NotLiteralError, parse_printed

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
NESTED = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(NESTED)
def test_what_python_prints_is_read_back(value: object) -> None:
    assert parse_printed(repr(value)).value == value


@given(st.lists(st.text(), min_size=2, max_size=30))
def test_what_numpy_prints_is_read_back_and_its_missing_commas_are_seen(texts: list[str]) -> None:
    array = np.array(texts, dtype=object)
    printed = parse_printed(str(array))
    assert (printed.value, printed.commas_missing) == (texts, True)
    # `repr` has commas and wraps the list.
    assert parse_printed(repr(array)).value == texts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("['a', None, nan]", ["a", None, None]),
        ("[np.str_('a'), np.int64(5), np.float64(0.5), np.True_]", None),
        ("[np.str_('a'), np.int64(5), np.float64(0.5)]", ["a", 5, 0.5]),
        ("{'text': array(['a'], dtype=object), 'answer_start': array([0])}", {"text": ["a"], "answer_start": [0]}),
        ("array(['a', 'b'], dtype='<U12')", ["a", "b"]),
        ("(1, -2.5e3)", [1, -2500.0]),
        ("{'a', 'b'}", ["a", "b"]),
        ("{}", {}),
        (r"['it\'s', '\d', '\u0142', '\x41', '\101', 'a\
b']", ["it's", r"\d", "ł", "A", "A", "ab"]),
        ("u'a'", "a"),
    ],
)  # fmt: skip
def test_values(text: str, value: object) -> None:
    if value is None:
        with pytest.raises(NotLiteralError):
            parse_printed(text)
    else:
        assert parse_printed(text).value == value


@pytest.mark.parametrize(
    "text",
    ["", "[", "['a", "[Adam]", "['a'] tak", "[1+1]", "__import__('os')", "[f'a']", "{'a': 1, 'b'}", "array(", "[a.b()]",
     "[... ]", "[" * 200, "['a' " * 5, "[" + "1," * LONGEST + "]", "array(['a'], dtype)", "array(['a'], 'b')"],
)  # fmt: skip
def test_what_is_no_printed_value(text: str) -> None:
    with pytest.raises(NotLiteralError):
        parse_printed(text)


@given(st.text("['\"\\ ,a1{}()=:.-", max_size=200))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        value = parse_printed(text).value
    except NotLiteralError:
        return
    assert not isinstance(value, float) or math.isfinite(value)
