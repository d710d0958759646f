"""Every kind of fault that files of others have, each with its right outcome, over files written here."""

import json
from dataclasses import dataclass, field

import pytest
from mutations import ANSWERS, IDS, PASSAGES, workbook, zipped

from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.submissions.gold import read_gold

N = len(IDS)
GOLD = GoldSet(
    "proba", "",
    tuple(Question(key, f"Czy {key}?", (answer,)) for key, answer in zip(IDS, ANSWERS, strict=True)),
)  # fmt: skip
ROWS = list(zip(IDS, ANSWERS, strict=True))


def csv_of(rows: list[tuple[str, str]], separator: str = ",", header: str = "question_id,answer") -> str:
    quoted = [(key, f'"{answer}"' if separator in answer else answer) for key, answer in rows]
    return header.replace(",", separator) + "\n" + "".join(f"{key}{separator}{answer}\n" for key, answer in quoted)


def changed(**answers: str) -> list[tuple[str, str]]:
    return [(key, answers.get(f"a{key}", answer)) for key, answer in ROWS]


TSV = "question_id\tanswer\n" + "".join(f"{key}\t{answer}\n" for key, answer in ROWS)
LINES = "".join(answer + "\n" for answer in ANSWERS)
OBJECTS = [{"question_id": int(key), "answer": answer} for key, answer in ROWS]


@dataclass(frozen=True)
class Case:
    """A file, how many of its answers are right (or the code that refuses it), and what must be told."""

    data: bytes
    right: int | str
    told: set[str] = field(default_factory=set)
    lines: tuple[int, ...] | None = None


def case(text: str, right: int | str, *told: str, lines: tuple[int, ...] | None = None) -> Case:
    return Case(text.encode(), right, set(told), lines)


CASES = {
    "control": case(csv_of(ROWS), N),
    "control, one a line": case(LINES, N),
    "byte order mark": case("\ufeff" + csv_of(ROWS), N),
    "UTF-16 as spreadsheets write it": Case(TSV.encode("utf-16"), N, {"encoding"}),
    "UTF-16 without a mark": Case(csv_of(ROWS).encode("utf-16-be"), N, {"encoding"}),
    "cp1250": Case(csv_of(ROWS).encode("cp1250"), N, {"encoding"}),
    "one encoding glued to another": Case(csv_of(ROWS).encode() + csv_of(ROWS).encode("cp1250"), "mixed-encodings"),
    "lone quotes in TSV": case(TSV.replace("nad", '"nad').replace("1000000", '"1000000'), N),
    "lone quotes in CSV": case(csv_of(ROWS).replace("nad", '"nad').replace("1000000", '"1000000'), N,
                               "unclosed-quote", lines=(6, 11)),
    "no last line end": case(LINES.rstrip("\n"), N),
    "blank lines at the end": case(LINES + "\n\n\n", N, "blank-lines-dropped", lines=(13, 14, 15)),
    "a line too many": case(LINES + "coś\n", "wrong-length"),
    "a line too few": case(LINES[3:], "wrong-length"),
    "a header over one answer a line": case("answer\n" + LINES, N, "header-dropped", lines=(1,)),
    "CRLF": case(LINES.replace("\n", "\r\n"), N),
    "CR alone": case(csv_of(ROWS).replace("\n", "\r"), N),
    "words that pose as nothing": case(csv_of(changed(a104="NA", a109="null")), N),
    "JSON null": case("".join(json.dumps(row | {"answer": None if row["question_id"] == 107 else row["answer"]}) + "\n"
                              for row in OBJECTS), N - 1, "empty-answers", lines=(7,)),
    "one id twice, two answers": case(csv_of([*ROWS, ("107", "nie")]), "duplicate-ids", lines=(14,)),
    "one id twice, one answer": case(csv_of([*ROWS, ("107", "tak")]), N, "repeated-rows", lines=(14,)),
    "missing ids": case(csv_of(ROWS[:9]), 9, "missing-ids"),
    "extra ids": case(csv_of([*ROWS, ("999", "x")]), N, "extra-ids", lines=(14,)),
    "another split": case(csv_of([(f"9{key}", answer) for key, answer in ROWS]), "wrong-split", lines=(2, 3, 4)),
    "answers as lists": case(csv_of([(key, str([answer.split(",")[0]])) for key, answer in ROWS]), N, "list-answers"),
    "one a line as lists": case("".join(f"{[answer]}\n" for answer in ANSWERS), N, "list-answers"),
    "lists of several": case(csv_of([(key, "[1, 2]") for key, _ in ROWS]), "list-answers"),
    "dictionaries of Python": case("".join(f"{row}\n" for row in OBJECTS), N, "python-dicts", lines=(1, 2, 3)),
    "a JSON array": case(json.dumps(OBJECTS, indent=1), N),
    "an object by ids": case(json.dumps(dict(ROWS)), N),
    "an object that names an id twice": case(json.dumps(dict(ROWS))[:-1] + ', "101": "x"}', "duplicate-ids"),
    "a broken line of JSON": case("".join(json.dumps(row) + "\n" for row in OBJECTS)[:-9], "not-json", lines=(12,)),
    "zip": Case(zipped(("a/pred.csv", csv_of(ROWS).encode())), N),
    "zip of two": Case(zipped(("a", b"x"), ("b", b"x")), "several-files"),
    "Excel": Case(workbook([["id", "answer"], *map(list, ROWS)]), N),
    "Excel where some ids became decimal": Case(workbook([["id", "answer"], *([float(k), a] for k, a in ROWS)]), N),
    "decimal ids": case(csv_of([(f"{key}.0", answer) for key, answer in ROWS]), N, "float-ids"),
    "NUL": case(csv_of(ROWS).replace("witamina", "wita\x00mina"), N),
    "a huge cell": case(csv_of(changed(a103="x" * 1_000_000)), N - 1, "long-answers", lines=(4,)),
    "empty": case("", "empty-file"),
    "a header alone": case("question_id,answer\n", "no-predictions"),
    "a tab in an answer": case(TSV.replace("Władysław II", "Władysław\tII"), N, "extra-cells", lines=(7,)),
    "a row too short": case(TSV.replace("101\t30\n", "101\n"), N - 1, "short-rows", "empty-answers", lines=(2,)),
    "a line break in a cell": case(csv_of(changed(a102='"w\nXIX"')), N),
    "other names, other order": case("odpowiedz;uwagi;ID_pytania\n" + "".join(f"{a};;{k}\n" for k, a in ROWS), N),
    "no column of answers": case(csv_of(ROWS, header="question_id,tekst"), "missing-columns"),
    "signs in place of letters": case(csv_of(changed(a105="nad \ufffd\ufffddk\ufffd")), N, "replacement-signs"),
    "shifted by a line": case("\n" + "".join(f"{answer}\n" for answer in ANSWERS[:-1]), 0, "shifted-lines",
                              "missing-values"),
    "the gold itself": case(csv_of(ROWS), N, "gold-lookalike"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_files_of_answers(name: str) -> None:
    found = CASES[name]
    scored = score_uploads(GOLD, Upload("odp.csv", found.data))
    problems = {problem.code: problem for problem in scored.problems}
    assert all(problem.file == "odp.csv" for problem in scored.problems)
    if isinstance(found.right, str):
        assert scored.report is None
        assert scored.problems[0].code == found.right
        if found.lines is not None:
            assert scored.problems[0].lines == found.lines
        return
    assert scored.report is not None, scored.problems
    assert scored.report.answers is not None
    share = scored.report.answers.rules["poleval"]
    assert (share.hits, share.n) == (found.right, N)
    assert found.told <= set(problems)
    # Nothing else is told but what stands by itself: these files repeat their gold, and all of it is there or not.
    assert set(problems) <= found.told | {"gold-lookalike", "empty-answers"}
    for code in found.told - {"empty-answers"} if found.lines is not None else ():
        assert problems[code].lines == found.lines


SIX = [str(number) for number in range(201, 207)]
PAIRS = GoldSet(
    "pary", "",
    tuple(Question(key, f"Gdzie {key}?") for key in SIX),
    tuple(Judgement(key, "1-1", grade=1) for key in SIX),
)  # fmt: skip
# The gold passage stands at these ranks; 0: nowhere. Four of six are hits.
RANKS = (1, 10, 4, 0, 2, 11)
LISTS = {
    key: [*(found := [item for item in PASSAGES if item != "1-1"])[: rank - 1], "1-1", *found[rank - 1 :]][:12]
    if rank
    else [item for item in PASSAGES if item != "1-1"]
    for key, rank in zip(SIX, RANKS, strict=True)
}
WIDE = "".join("\t".join(found) + "\n" for found in LISTS.values())
WIDE_IDS = "".join("\t".join([key, *found]) + "\n" for key, found in LISTS.items())
LONG = [(key, passage, 100 - rank, rank) for key, found in LISTS.items() for rank, passage in enumerate(found, 1)]
LONG_TEXT = "".join(f"{key}\t{passage}\t{score}\n" for key, passage, score, _ in LONG)
OBJECT_ROWS = [{"qid": key, "pid": item, "score": score} for key, item, score, _ in LONG]
DPR = [{"question": f"Gdzie {key}?", "ctxs": [{"id": item} for item in LISTS[key]]} for key in SIX]


def json_lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


RANKINGS = {
    "wide with ids": case(WIDE_IDS, 4),
    "wide in order": case(WIDE, 4),
    "long": case("question-id\tpassage-id\tscore\n" + LONG_TEXT, 4),
    "long, not in order": case("qid\tpid\tscore\n" + "".join(sorted(LONG_TEXT.splitlines(keepends=True))), 4),
    "TREC": case("".join(f"{key} Q0 {passage} {rank} {score} run\n" for key, passage, score, rank in LONG), 4),
    "DPR": case(json.dumps(DPR), 4),
    "ids as numbers": case(json_lines([{"question_id": int(key), "passage_ids": LISTS[key]} for key in SIX]), 4),
    "an object of scores": case(
        json.dumps({key: {item: -rank for rank, item in enumerate(LISTS[key])} for key in SIX}), 4
    ),
    "pairs as JSON lines": case(json_lines(OBJECT_ROWS), 4),
    "ties fall by rank": case(
        "".join(f"{key} Q0 {item} {rank} 1.0 run\n" for key, item, _, rank in reversed(LONG)), 4, "ties"
    ),
    "seven a question": case("".join("\t".join(found[:7]) + "\n" for found in LISTS.values()), 3, "short-rankings"),
    "ragged and empty": case("\n".join(["\t".join(LISTS["201"]), "", "1-1", "", "2-2\t1-1", ""]) + "\n", 3,
                             "empty-rankings", "short-rankings"),
    "blanks for tabs": case(WIDE.replace("\t", " "), "mixed-separators", lines=(1, 2, 3)),
    "blanks around ids": case(WIDE_IDS.replace("\t", " \t ").replace("\n", "\r\n"), 4),
    "a passage twice": case(WIDE_IDS.replace("204\t", "204\t2-2\t2-2\t"), 4, "duplicate-passages"),
    "missing rankings": case("\n".join(WIDE_IDS.splitlines()[:3]), 3, "missing-ids"),
    "extra ids": case(WIDE_IDS + "999\t1-1\n", 4, "extra-ids", lines=(7,)),
    "another split": case(WIDE_IDS.replace("20", "70"), "wrong-split"),
    "another split, long": case("qid\tpid\tscore\n" + LONG_TEXT.replace("20", "70"), "wrong-split"),
    "a score that is none": case(
        "qid\tpid\tscore\n" + LONG_TEXT + "201\tx\tdużo\n", "not-a-number", lines=(len(LONG) + 2,)
    ),
    "two rankings of one question": case(
        json_lines([{"id": 201, "passages": [item]} for item in ("a", "b")]), "duplicate-ids", lines=(2,)
    ),
    "deeper than any measure": case("qid\tpid\tscore\n" + LONG_TEXT
                                    + "".join(f"201\t{n}-9\t{-n}\n" for n in range(2000)), 4, "deep-rankings"),
}  # fmt: skip


@pytest.mark.parametrize("name", RANKINGS)
def test_files_of_rankings(name: str) -> None:
    found = RANKINGS[name]
    scored = score_uploads(PAIRS, rankings=Upload("run.tsv", found.data))
    problems = {problem.code: problem for problem in scored.problems}
    if isinstance(found.right, str):
        assert scored.report is None
        assert scored.problems[0].code == found.right
        if found.lines is not None:
            assert scored.problems[0].lines == found.lines
        return
    assert scored.report is not None, scored.problems
    assert scored.report.rankings is not None
    assert (scored.report.rankings.hits, scored.report.rankings.n) == (found.right, 6)
    assert found.told <= set(problems)
    if found.lines is not None:
        assert {problems[code].lines for code in found.told} == {found.lines}


def test_ids_outside_of_the_corpus() -> None:
    scored = score_uploads(PAIRS, rankings=Upload("run", WIDE.encode()), in_corpus=set(PASSAGES[1:]).__contains__)
    (problem,) = [problem for problem in scored.problems if problem.code == "unknown-passages"]
    assert (problem.count, PASSAGES[0] in problem.message.en) == (1, True)


def test_doubled_gold_changes_nothing() -> None:
    rows = [f"{key}\t1-1\t1\n" for key in SIX]
    once = read_gold(("qid\tpid\tscore\n" + "".join(rows)).encode())
    twice = read_gold(("qid\tpid\tscore\n" + "".join(row * 2 for row in rows)).encode())
    assert once == twice


def duplicates(policy: str) -> Scored:
    data = csv_of([*ROWS, ("107", "nie")]).encode()
    return score_uploads(GOLD, Upload("odp.csv", data), duplicates=policy)  # type: ignore[arg-type]


def test_a_policy_for_duplicates_is_told_and_signed() -> None:
    assert duplicates("refuse").report is None
    for policy, right in (("first", N), ("last", N - 1)):
        scored = duplicates(policy)
        assert scored.report is not None
        assert scored.report.answers is not None
        assert scored.report.answers.rules["poleval"].hits == right
        assert f"duplicates:{policy}|" in scored.report.signature
        assert "duplicate-ids" in {problem.code for problem in scored.problems}


def test_a_cut_answer_is_signed() -> None:
    scored = score_uploads(GOLD, Upload("odp.csv", csv_of(changed(a103="x" * 20_000)).encode()))
    assert scored.report is not None
    assert "answer-chars:10000|" in scored.report.signature
    assert max(len(item.prediction or "") for item in scored.report.items) == 10_000
