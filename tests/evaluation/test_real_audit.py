"""Audit, floor and look-alikes on public real golds."""

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from polqa_demo.evaluation.audit import audit
from polqa_demo.evaluation.floor import lookalikes, noise_floor
from polqa_demo.evaluation.repairs import REPAIRS
from polqa_demo.records import Question

pytestmark = pytest.mark.real

PARTS = {"dev-0": 1000, "test-A": 2500}


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def questions(shared: Path, part: str) -> list[Question]:
    folder = shared / "data" / "poleval2021-qa"
    rows = zip(lines(folder / f"{part}.in.tsv"), lines(folder / f"{part}.expected.tsv"), strict=True)
    return [Question(str(number), text, tuple(golds.split("\t"))) for number, (text, golds) in enumerate(rows, 1)]


@pytest.mark.parametrize(("part", "yes"), [("dev-0", 51), ("test-A", 143)])
def test_the_floor_is_what_always_yes_scored(shared: Path, part: str, yes: int) -> None:
    floor = noise_floor(questions(shared, part))
    assert floor is not None
    assert (floor.n, floor.yes.hits, floor.commonest_gold) == (PARTS[part], yes, "tak")
    assert floor.another is not None
    assert 0.002 < floor.another.low < floor.another.value < floor.another.high < 0.02


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("kind", "damage"),
    [
        ("prefix", lambda gold: f"Odpowiedź: {gold}"),
        ("quotes", lambda gold: f"„{gold}”"),
        ("final_stop", lambda gold: f"{gold}."),
        ("decomposed", lambda gold: unicodedata.normalize("NFD", gold)),
        ("encoding", lambda gold: gold.encode().decode("latin-1")),
    ],
)
def test_a_damaged_gold_comes_back_whole(shared: Path, part: str, kind: str, damage: Callable[[str], str]) -> None:
    asked = questions(shared, part)
    found = audit(asked, {item.id: damage(item.answers[0]) for item in asked})
    refused = found.n - found.correct
    assert refused > 0
    row = next(row for row in found.damages if row.kind == kind)
    assert (row.gained, row.lost) == (refused, 0)
    assert found.together is not None
    assert found.together.gained == refused


@pytest.mark.parametrize("part", PARTS)
def test_gold_and_system_are_told_apart(shared: Path, part: str) -> None:
    asked = questions(shared, part)
    assert lookalikes(asked, {item.id: item.answers[-1] for item in asked}).is_gold
    system = lines(shared / "data" / "poleval2021-qa" / f"{part}.out.polish-roberta.tsv")
    predictions = {str(number): answer for number, answer in enumerate(system, 1)}
    assert not lookalikes(asked, predictions).is_gold
    assert audit(asked, predictions).correct == {"dev-0": 72, "test-A": 172}[part]


@pytest.mark.parametrize("part", PARTS)
def test_what_people_write_does_not_look_like_a_models_writing(shared: Path, part: str) -> None:
    written = [gold for item in questions(shared, part) for gold in item.answers]
    of_models = (
        "think_block",
        "special_tokens",
        "html_entities",
        "unicode_escapes",
        "bullets",
        "numbering",
        "emphasis",
    )
    mends = {repair.kind: repair.mend for repair in REPAIRS if repair.kind in of_models}
    assert set(mends) == set(of_models)
    # Without the golds, which would say that the signs are the answer's own.
    assert {kind: text for kind, mend in mends.items() for text in written if mend(text, ()) is not None} == {}
