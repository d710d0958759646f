"""The texts of a corpus, of those passages alone that were looked for."""

import json
from pathlib import Path

import pytest

from polqa_demo.data.passage_texts import CorpusTexts, full_text
from polqa_demo.errors import UserError
from polqa_demo.records import Passage


def corpus(folder: Path, *ids: str) -> Path:
    rows = [{"id": one, "title": f"Tytuł {one}", "text": f"Tekst {one}."} for one in ids]
    file = folder / f"{ids[0]}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_a_text_is_title_and_text() -> None:
    assert full_text(Passage("1", "Wisła", "Rzeka.")) == "Wisła\nRzeka."


def test_only_what_was_looked_for_is_kept(tmp_path: Path) -> None:
    known = CorpusTexts([corpus(tmp_path, "1-0", "1-1"), corpus(tmp_path, "2-0")])
    assert "1-0" in known
    assert "2-0" in known
    assert "9-9" not in known
    assert 5 not in known
    assert known.text_of("2-0") == "Tytuł 2-0\nTekst 2-0."
    assert known.text_of("9-9") is None
    assert known.text_of("1-1") is None
    # The files are not read a third time.
    assert "1-1" in known
    assert known.text_of("1-1") is None
    assert known.text_of("1-0") == "Tytuł 1-0\nTekst 1-0."


def test_a_corpus_that_cannot_be_read_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        CorpusTexts([tmp_path / "nie-ma.jsonl"])
