"""Texts, JSON and ids as files hold them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.data.lines import decode_utf8, id_text, load_json, read_text, writable
from polqa_demo.errors import UserError


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "bom.txt"
    file.write_bytes("\ufeffzażółć".encode())
    assert read_text(file) == "zażółć"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nie-ma\.txt") as caught:
        read_text(tmp_path / "nie-ma.txt")
    assert caught.value.code == "unreadable-file"


def test_the_line_that_is_not_utf8_is_named() -> None:
    with pytest.raises(UserError, match="line 3") as caught:
        decode_utf8(b"raz\ndwa\n" + "trzy ą\n".encode("cp1250"), "plik.txt")
    assert caught.value.code == "not-utf8"
    assert "plik.txt, wiersz 3" in caught.value.say("pl")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (511, "511"),
        ("511", "511"),
        (511.0, "511"),
        (" 12-3\r", "12-3"),
        ("007", "007"),
        (1.5, "1.5"),
        (None, ""),
        (True, ""),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_ids_are_text(value: object, text: str) -> None:
    assert id_text(value) == text


def test_half_a_surrogate_pair_becomes_writable() -> None:
    value = load_json('{"a\\ud800": ["\\uDC00b", "\\ud83d\\ude00"], "n": 1e3}')
    assert value == {"a\ufffd": ["\ufffdb", "😀"], "n": 1000.0}
    assert writable("zwykły") == "zwykły"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_all_other_json_is_read_as_it_is(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert load_json(text) == json.loads(writable(text))
    assert load_json(json.dumps(value)) == json.loads(writable(text))
