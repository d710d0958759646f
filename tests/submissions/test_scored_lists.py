"""Lists with a number behind each passage, one column a place, runs of TREC as CSV; and what only looks like them."""

import io
import json
import random
from collections.abc import Sequence

import openpyxl
import pandas as pd
import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.kinds import recognise_kind
from polqa_demo.submissions.passage_ids import JudgedPassages
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import RankingsFile, read_rankings
from polqa_demo.submissions.table import Overrides

IDS = tuple(str(101 + place) for place in range(12))
QUESTIONS = tuple(Question(key, "") for key in IDS)
NAMED = {key: tuple(f"d{place * 7 % 90}" for place in range(n, n + 5)) for n, key in enumerate(IDS)}
NUMBERED = {
    key: tuple(str(random.Random(f"{key} {n}").randint(1000, 99999)) for n in range(5)) for key in IDS
}  # fmt: skip


def read(data: str | bytes, judged: Sequence[str] = (), **said: str) -> RankingsFile:
    content = data.encode() if isinstance(data, str) else data
    known = JudgedPassages(frozenset(judged)) if judged else None
    return read_rankings(content, QUESTIONS, "run", overrides=Overrides(**said), judged=known)  # type: ignore[arg-type]


def lists(file: RankingsFile) -> dict[str, tuple[str, ...]]:
    return {key: ranking.passage_ids for key, ranking in file.rankings.items()}


def codes(file: RankingsFile) -> set[str]:
    return {problem.code for problem in file.problems} - {"short-rankings"}


def severity(file: RankingsFile, code: str) -> str:
    return next(problem.severity for problem in file.problems if problem.code == code)


def by_turns(found: dict[str, tuple[str, ...]], number: str, ids: bool = True) -> str:
    """:param number: how the number of the place p, from 1, of n passages is written"""
    rows = []
    for key, passages in found.items():
        n = len(passages)
        cells = [
            cell
            for p, one in enumerate(passages, 1)
            for cell in (one, number.format(p=p, down=(n - p + 1) * 3, part=(n - p) / 7 + 0.05).replace("#", ","))
        ]
        rows.append("\t".join([key, *cells] if ids else cells) + "\n")
    return "".join(rows)


@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("passages", [NAMED, NUMBERED])
@pytest.mark.parametrize("number", ["{part:.4f}", "{down}", "{p}", "{down}#5"])
def test_numbers_between_passages_are_no_passages(number: str, passages: dict[str, tuple[str, ...]], ids: bool) -> None:
    file = read(by_turns(passages, number, ids))
    assert lists(file) == passages
    assert "scored-lists" in codes(file)
    certain = passages is NAMED or number != "{down}"
    assert severity(file, "scored-lists") == ("note" if certain else "warning")
    assert recognise_kind(by_turns(passages, number, ids).encode(), "run", QUESTIONS) == "rankings"


def test_the_numbers_decide_the_order() -> None:
    rows = "".join(f"{key}\td1\t0.25\td2\t0.75\td3\t0.5\n" for key in IDS)
    file = read(rows)
    assert lists(file)["101"] == ("d2", "d3", "d1")
    assert file.other is not None
    # Who says that they are lists of passages gets them.
    assert lists(read(rows, form="wide"))["101"] == ("d1", "0.25", "d2", "0.75", "d3", "0.5")


def test_a_known_passage_tells_numbers_from_passages() -> None:
    rows = "".join(f"{key}\t{700 - n}\t12\t{900 + n}\t8\t{600 + n}\t3\n" for n, key in enumerate(IDS[:3]))
    assert lists(read(rows, judged=["900"]))["101"] == ("700", "900", "600")
    # The second cells are the passages that the gold knows, so they are passages.
    assert lists(read(rows, judged=["12", "8"]))["101"] == ("700", "12", "900", "8", "600", "3")


@pytest.mark.parametrize(
    "rows",
    [
        # Numeric ids in any order, falling throughout, rising throughout, and as pandas writes columns with gaps.
        ["\t".join((key, *NUMBERED[key], "77")) for key in IDS],
        ["\t".join((key, *sorted(NUMBERED[key], key=int, reverse=True), "7")) for key in IDS],
        ["\t".join((key, *map(str, range(1, 7)))) for key in IDS],
        ["\t".join((key, *(f"{one}.0" for one in NUMBERED[key]), "7.0")) for key in IDS],
        ["\t".join((key, one, f"{two}.0", three, f"{four}.0")) for key, (one, two, three, four, _) in NUMBERED.items()],
        # Passages of articles and of numbers, mixed.
        ["\t".join((key, "7", "d3", "9-1", "12", "d4", "5")) for key in IDS],
        ["\t".join((key, "1.1", "1.2", "2.5", "3.1")) for key in IDS],
    ],
)
def test_lists_of_passages_stay_lists_of_passages(rows: list[str]) -> None:
    file = read("\n".join(rows) + "\n")
    expected = {
        row.split("\t")[0]: tuple(cell if "1.1" in row else cell.removesuffix(".0") for cell in row.split("\t")[1:])
        for row in rows
    }
    assert lists(file) == expected
    assert "scored-lists" not in codes(file)


def test_few_falling_numbers_are_told() -> None:
    rows = "".join(f"{key}\t{n}\t12\t{9 - n}\t8\t{n + 3}\t3\n" for n, key in enumerate(IDS[:3], 1))
    file = read(rows)
    assert len(lists(file)["101"]) == 6
    assert severity(file, "scored-lists") == "warning"


def test_decimals_in_lists_of_json_and_in_cells() -> None:
    found = {key: [cell for n, one in enumerate(NAMED[key]) for cell in (one, 9.5 - n)] for key in IDS}
    assert lists(read(json.dumps(found))) == NAMED
    numbers = {key: [cell for n, one in enumerate(NUMBERED[key]) for cell in (int(one), 9.5 - n)] for key in IDS}
    assert lists(read(json.dumps(numbers))) == NUMBERED
    cells = "".join(f"{key}\t{' '.join(map(str, found[key]))}\n" for key in IDS)
    file = read("question_id\tpassage_ids\n" + cells)
    assert (lists(file), "scored-lists" in codes(file)) == (NAMED, True)
    # Ids that are decimals, and ids beside whole numbers.
    plain = {key: ["1.5", "2.5", "3.5", "4.5"] for key in IDS}
    assert lists(read(json.dumps(plain)))["101"] == ("1.5", "2.5", "3.5", "4.5")
    mixed = {key: ["a", 5, "b", 4] for key in IDS}
    assert lists(read(json.dumps(mixed)))["101"] == ("a", "5", "b", "4")


def test_answers_with_a_confidence_are_no_rankings() -> None:
    rows = "".join(f"{key}\tKraków\t0.9\tGdańsk\t0.1\n" for key in IDS)
    assert recognise_kind(rows.encode(), "pred", QUESTIONS) == "answers"


# -- one column a place


def frame(passages: dict[str, tuple[str, ...]], first: int = 1, stem: str = "p") -> pd.DataFrame:
    rows = [{f"{stem}{first + n}": one for n, one in enumerate(found)} for found in passages.values()]
    return pd.DataFrame(rows, index=pd.Index(list(passages), name="question_id"))


@pytest.mark.parametrize("stem", ["p", "passage_", "rank", "doc", ""])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_wide_frame_of_pandas(separator: str, first: int, stem: str) -> None:
    file = read(frame(NAMED, first, stem).to_csv(sep=separator))
    assert (file.form, lists(file)) == ("wide", NAMED)
    assert "wide-columns" in codes(file)


def test_a_wide_frame_without_the_name_of_its_index_and_of_unequal_lists() -> None:
    found = {key: passages[: 1 + n % 5] for n, (key, passages) in enumerate(NUMBERED.items())}
    text = frame(found).rename_axis(None).to_csv()
    assert text.startswith(",p1")
    assert lists(read(text)) == found
    columns = frame(found)
    columns.columns = pd.RangeIndex(5)  # type: ignore[assignment]
    assert lists(read(columns.rename_axis(None).to_csv(sep="\t"))) == found
    assert recognise_kind(text.encode(), "run", QUESTIONS) == "rankings"


def test_a_wide_frame_in_other_forms() -> None:
    rows = frame(NAMED).reset_index()
    sheet, parquet = io.BytesIO(), io.BytesIO()
    rows.to_excel(sheet, index=False)
    rows.to_parquet(parquet)
    for data in (sheet.getvalue(), parquet.getvalue(), rows.to_json(orient="records").encode()):
        file = read(data)
        assert (lists(file), "wide-columns" in codes(file)) == (NAMED, True)


def test_scores_in_columns_of_their_own() -> None:
    rows = [
        {"qid": key} | {f"p{n}": one for n, one in enumerate(found, 1)} | {f"score{n}": n / 4 for n in range(1, 6)}
        for key, found in NAMED.items()
    ]
    for text in (pd.DataFrame(rows).to_csv(index=False), json.dumps(rows)):
        file = read(text)
        assert lists(file) == {key: found[::-1] for key, found in NAMED.items()}
    # By turns, under names that say nothing.
    names = ["question_id", *(f"c{n}" for n in range(1, 11))]
    text = "\t".join(names) + "\n" + by_turns(NAMED, "{part:.3f}")
    assert (lists(read(text)), "scored-lists" in codes(read(text))) == (NAMED, True)


@pytest.mark.parametrize("names", ["answer1,answer2", "question1,question2", "p1,p3", "p1", "text_1,text_2"])
def test_other_numbered_columns_are_no_list_of_passages(names: str) -> None:
    rows = "".join(f"{key}{',5-1' * len(names.split(','))}\n" for key in IDS)
    with pytest.raises(Refused) as caught:
        read(f"question_id,{names}\n{rows}")
    assert caught.value.code == "missing-columns"


def test_columns_of_several_systems_are_answers() -> None:
    rows = "".join(f"{key},Kraków,nad Wisłą\n" for key in IDS)
    assert recognise_kind(f"question_id,model1,model2\n{rows}".encode(), "pred", QUESTIONS) == "answers"


# -- TREC as CSV


def trec(sign: str, quote: str = "", tag: str = "bm25") -> str:
    rows = [
        (key, "Q0", one, str(rank), f"{9 - rank}.5", *([tag] if tag else []))
        for key, found in NAMED.items()
        for rank, one in enumerate(found, 1)
    ]
    return "".join(sign.join(f"{quote}{cell}{quote}" for cell in row) + "\n" for row in rows)


@pytest.mark.parametrize("tag", ["bm25", ""])
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("sign", [",", ";"])
def test_a_run_parted_by_commas(sign: str, quote: str, tag: str) -> None:
    text = trec(sign, quote, tag)
    for said in ({}, {"form": "trec"}, {"form": "trec", "separator": sign}, {"separator": sign}):
        file = read(text, **said)
        assert (file.form, lists(file)) == ("trec", NAMED), said
    assert recognise_kind(text.encode(), "run", QUESTIONS) == "rankings"
    file = read(f"query{sign}iter{sign}doc{sign}place{sign}number{sign}run\n" + text) if tag else None
    assert file is None or (lists(file), "unknown-header" in codes(file)) == (NAMED, True)


def test_another_sign_parts_a_run_where_somebody_says_so() -> None:
    assert lists(read(trec("|"), form="trec", separator="|")) == NAMED


def test_a_run_in_a_sheet() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in trec(",").splitlines():
        key, second, one, rank, score, tag = row.split(",")
        book.active.append([key, second, one, int(rank), float(score), tag])
    out = io.BytesIO()
    book.save(out)
    assert lists(read(out.getvalue())) == NAMED
    assert recognise_kind(out.getvalue(), "run", QUESTIONS) == "rankings"
