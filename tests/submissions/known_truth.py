"""Files of which the right score is known, written by the programs that people write them with.

A `Sample` is a gold set with answers or rankings; which of them are right was decided before anything was written.
Every file is written by pandas, csv, json, openpyxl or pyarrow, with any delimiter, quoting, encoding, header and
order.
"""

import csv
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

Cells = dict[str, list[Any]]

GOLDS = (
    ("Warszawa", "w Warszawie"),
    ("1939",),
    ("tak",),
    ("nie",),
    ("Łódź",),
    ("Adam Mickiewicz", "Mickiewicz"),
    ("XIX", "19"),
    ("„Lalka”",),
    ('"Pan Tadeusz"', "Pan Tadeusz"),
    ("3,14",),
    ("1 000 000",),
    ("Ren, Łaba",),
    ("d'Artagnan",),
    ("5%",),
    ("ćma; osa",),
    ("A|B",),
    ("null",),
    ("NA",),
    ("żółty\u00a0ser",),
    ("Kto się boi Virginii Woolf?",),
    ("1.5",),
    ("007",),
    ("[sic]",),
    ("C#",),
    ("-5",),
    ("True",),
    ("Bitwa pod Grunwaldem",),
    ("H2O",),
    ("Nie wiem, kto zacz",),
    ("12 VII 1410",),
)
# No gold is like it: it holds no number, and it is longer than any gold.
WRONG = ("zupa pomidorowa z makaronem i pietruszką", "w kuchni pod zegarem z kukułką za piecem")
SUBJECTS = ("stolica", "rzeka", "powieść", "bitwa", "planeta", "miasto", "król", "pierwiastek")
VERBS = ("leży nad morzem", "płynie przez miasto", "powstała w wieku pary", "miała troje dzieci", "świeci nocą")


@dataclass(frozen=True)
class Truth:
    """Questions with golds, answers of which `right` are right, and what was left out."""

    ids: tuple[str, ...]
    questions: tuple[str, ...]
    golds: tuple[tuple[str, ...], ...]
    answers: tuple[str | None, ...]
    right: int

    @property
    def given(self) -> list[int]:
        """The places of the questions that have an answer."""
        return [place for place, answer in enumerate(self.answers) if answer is not None]


@dataclass(frozen=True)
class RankingTruth:
    """Gold passages and rankings, of which `hits` have a gold passage among the first ten."""

    ids: tuple[str, ...]
    gold: tuple[tuple[str, ...], ...]
    ranked: tuple[tuple[str, ...], ...]
    hits: int


@dataclass(frozen=True)
class File:
    """Bytes under a name, and in words how they were written."""

    name: str
    data: bytes
    how: str


class Writer:
    """Draws truths and writes them; equal seeds give equal files."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    # -- truths

    def answers(self, complete: bool = False) -> Truth:
        """:param complete: every question has an answer"""
        chance = self.chance
        n = chance.randint(3, 40)
        ids = self._ids(n)
        questions = self._questions(n)
        golds = tuple(chance.choice(GOLDS) for _ in range(n))
        answers: list[str | None] = []
        right = 0
        for options in golds:
            kind = chance.random()
            if kind < 0.55:
                answers.append(chance.choice(options))
                right += 1
            elif kind < 0.9 or complete:
                answers.append(chance.choice(WRONG))
            elif kind < 0.95:
                answers.append("")
            else:
                answers.append(None)
        if not any(answers):
            answers[0] = golds[0][0]
            right = 1
        return Truth(ids, questions, golds, tuple(answers), right)

    def rankings(self) -> RankingTruth:
        """Lists of 1 to 30 passages; a gold passage stands at a drawn place, or nowhere."""
        chance = self.chance
        n = chance.randint(3, 25)
        ids = self._ids(n)
        shape = chance.choice(("{}-{}", "{}_{}_b", "doc{}x{}", "MED-{}{}", "{}#{}", "{}{}"))
        pool = list(dict.fromkeys(shape.format(chance.randint(1, 9999), chance.randint(0, 9)) for _ in range(300)))
        gold, ranked, hits = [], [], 0
        for _ in range(n):
            passages = chance.sample(pool, chance.randint(11, 30))
            wanted, others = passages[0], passages[1:]
            place = chance.choice((0, 1, 5, 9, 10, 12, None))
            if place is not None:
                others = [*others[:place], wanted, *others[place:]]
            depth = chance.choice((10, 20, 31))
            listed = tuple(others[:depth])
            hits += wanted in listed[:10]
            gold.append((wanted,))
            ranked.append(listed)
        return RankingTruth(ids, tuple(gold), tuple(ranked), hits)

    def _ids(self, n: int) -> tuple[str, ...]:
        chance = self.chance
        kind = chance.randrange(5)
        if kind == 0:
            return tuple(str(number) for number in range(1, n + 1))
        if kind == 1:
            return tuple(str(number) for number in chance.sample(range(100, 9000), n))
        if kind == 2:
            return tuple(f"q{number}" for number in chance.sample(range(100, 9000), n))
        if kind == 3:
            return tuple(f"{number:05}" for number in chance.sample(range(1, 9000), n))
        return tuple(f"{chance.getrandbits(32):08x}-{number}" for number in range(n))

    def _questions(self, n: int) -> tuple[str, ...]:
        chance = self.chance
        drawn = chance.sample([(one, two, number) for one in SUBJECTS for two in VERBS for number in range(2, 9)], n)
        marks = (", a która nie", "", " i zwie się „Y”", "; i kiedy")
        return tuple(f"Która {one} nr {number} {two}{chance.choice(marks)}?" for one, two, number in drawn)

    # -- gold

    def gold(self, truth: Truth, by_line: bool = False) -> tuple[File, File | None]:
        """The gold, and the questions file that it needs.

        :param by_line: a form that keeps the order of the lines and has no ids
        """
        listed = [list(golds) for golds in truth.golds]
        if by_line:
            lines = "".join("\t".join(golds) + "\n" for golds in truth.golds)
            return File("expected.tsv", lines.encode(), "expected.tsv"), None
        names = self.chance.choice((("question_id", "question", "answers"), ("id", "question", "golden_answers")))
        columns: Cells = dict(zip(names, (list(truth.ids), list(truth.questions), listed), strict=True))
        kind = self.chance.choice(("python", "numpy", "json cells", "jsonl", "json", "parquet", "squad", "objects"))
        if kind in ("python", "numpy", "json cells"):
            printed = {"python": repr, "numpy": _numpy_print, "json cells": _dumps}[kind]
            columns[names[2]] = [printed(golds) for golds in listed]
            return self._delimited(columns, f"gold csv, {kind}", separator=","), None
        if kind == "parquet":
            return File("gold.parquet", _parquet(columns), "gold parquet"), None
        if kind == "squad":
            return File("gold.json", _squad(truth), "gold SQuAD"), None
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        if kind == "objects":
            for row in rows:
                row[names[2]] = [{"text": gold, "answer_start": 0} for gold in row[names[2]]]
        return self._objects(rows, f"gold {kind}", lines=kind != "json"), None

    def qrels(self, truth: RankingTruth) -> File:
        """The gold passages, as a header and rows, as TREC's judgements, or as JSON."""
        pairs = [(key, passage) for key, passages in zip(truth.ids, truth.gold, strict=True) for passage in passages]
        kind = self.chance.choice(("header", "trec", "json", "jsonl"))
        if kind == "header":
            names = self.chance.choice((("question-id", "passage-id", "score"), ("query-id", "corpus-id", "score")))
            rows = "".join(f"{key}\t{passage}\t1\n" for key, passage in pairs)
            return File("gold.tsv", ("\t".join(names) + "\n" + rows).encode(), "judgements with header")
        if kind == "trec":
            blank = self.chance.choice((" ", "\t"))
            rows = "".join(blank.join((key, "0", passage, "1")) + "\n" for key, passage in pairs)
            return File("qrels.txt", rows.encode(), "judgements of TREC")
        if kind == "json":
            found = {key: dict.fromkeys(passages, 1) for key, passages in zip(truth.ids, truth.gold, strict=True)}
            return File("qrels.json", json.dumps(found).encode(), "judgements as JSON")
        rows = "".join(
            json.dumps({"question_id": key, "question": f"Pytanie {key}?", "answers": ["x"], "passage_ids": passages})
            + "\n"
            for key, passages in zip(truth.ids, truth.gold, strict=True)
        )
        return File("gold.jsonl", rows.encode(), "judgements as JSONL")

    # -- predictions

    def predictions(self, truth: Truth) -> File:
        """The answers with ids, in any form."""
        chance = self.chance
        places = truth.given
        chance.shuffle(places)
        name = chance.choice(("answer", "prediction", "odpowiedz", "predicted_answer", "response"))
        key = chance.choice(("question_id", "id", "qid", "question-id"))
        columns: Cells = {
            key: [truth.ids[place] for place in places],
            name: [truth.answers[place] or "" for place in places],
        }
        if chance.random() < 0.3:
            columns["question"] = [truth.questions[place] for place in places]
        if chance.random() < 0.2:
            columns["score"] = [round(chance.random(), 3) for _ in places]
        # The gold beside a system's answer, as exports of experiments have it.
        if name not in ("answer", "odpowiedz") and chance.random() < 0.4:
            columns["answer"] = [truth.golds[place][0] for place in places]
        columns = dict(chance.sample(list(columns.items()), len(columns)))
        kind = chance.choice(
            ("delimited", "delimited", "delimited", "xlsx", "parquet", "jsonl", "json", "keyed", "frame")
        )
        if kind == "delimited":
            return self._delimited(columns, "answers")
        if kind == "frame":
            return self._frame(columns, "answers", key)
        if kind == "xlsx":
            return File("pred.xlsx", _workbook(columns), "answers xlsx")
        if kind == "parquet":
            return File("pred.parquet", _parquet(columns), "answers parquet")
        if kind == "keyed":
            keyed = dict(zip(columns[key], columns[name], strict=True))
            return self._packed(File("pred.json", json.dumps(keyed).encode(), "answers by id"))
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return self._objects(rows, "answers", lines=kind == "jsonl")

    def headless(self, truth: Truth) -> File:
        """The answers below each other without a header: with ids, with ids and questions, or in order alone."""
        chance = self.chance
        kind = chance.choice(("lines", "ids", "ids and questions", "questions", "row numbers"))
        if kind == "row numbers":
            frame = pd.DataFrame({chance.choice(("answer", "prediction")): list(truth.answers)})
            if chance.random() < 0.5:
                return self._packed(File("pred.csv", self._encoded(frame.to_csv()), "row numbers, csv"))
            orient = chance.choice(("index", "split"))
            return self._packed(File("pred.json", frame.to_json(orient=orient).encode(), f"row numbers, {orient}"))
        rows = [[answer or ""] for answer in truth.answers]
        if kind != "lines":
            before: list[Sequence[str]] = {
                "ids": [[key] for key in truth.ids],
                "ids and questions": list(zip(truth.ids, truth.questions, strict=True)),
                "questions": [[question] for question in truth.questions],
            }[kind]
            rows = [[*first, *row] for first, row in zip(before, rows, strict=True)]
        if kind == "lines" or chance.random() < 0.6:
            lines = "".join("\t".join(row) + "\n" for row in rows)
            return self._packed(File("pred.tsv", self._encoded(lines), f"headless {kind}, tabs"))
        out = io.StringIO()
        csv.writer(out, lineterminator=chance.choice(("\n", "\r\n"))).writerows(rows)
        return self._packed(File("pred.csv", self._encoded(out.getvalue()), f"headless {kind}, csv"))

    def run(self, truth: RankingTruth) -> File:
        """The rankings, in any form."""
        chance = self.chance
        kind = chance.choice(
            (
                "long",
                "long",
                "ranks",
                "trec",
                "wide",
                "json",
                "jsonl",
                "parquet",
                "distances",
                "headless",
                "headless ranks",
                "rank and score",
                "cells",
                "turns",
                "turns in order",
                "columns",
                "trec csv",
            )
        )
        lists = list(zip(truth.ids, truth.ranked, strict=True))
        if kind != "turns in order":
            chance.shuffle(lists)
        rows = [
            (key, passage, rank, self._score(rank, len(passages)))
            for key, passages in lists
            for rank, passage in enumerate(passages, 1)
        ]
        return getattr(self, f"_run_{kind.replace(' ', '_')}")(lists, rows)

    def _score(self, rank: int, length: int) -> float:
        return round((length + 1 - rank) * 0.37, 4)

    def _run_long(self, lists: Any, rows: list[Any]) -> File:
        # The scores decide, so the order of the file may be any.
        self.chance.shuffle(rows)
        names = self.chance.choice((("question-id", "passage-id", "score"), ("qid", "docno", "score")))
        columns = [[row[place] for row in rows] for place in (0, 1, 3)]
        return self._delimited(dict(zip(names, columns, strict=True)), "long with scores")

    def _run_ranks(self, lists: Any, rows: list[Any]) -> File:
        self.chance.shuffle(rows)
        columns = {"qid": [row[0] for row in rows], "pid": [row[1] for row in rows], "rank": [row[2] for row in rows]}
        return self._delimited(columns, "long with ranks")

    def _run_distances(self, lists: Any, rows: list[Any]) -> File:
        self.chance.shuffle(rows)
        columns = {
            "question_id": [row[0] for row in rows],
            "passage_id": [row[1] for row in rows],
            "distance": [round(row[2] * 0.11, 3) for row in rows],
        }
        return self._delimited(columns, "long with distances")

    def _run_rank_and_score(self, lists: Any, rows: list[Any]) -> File:
        lines = "".join(f"{key}\t{passage}\t{rank}\t{score}\n" for key, passage, rank, score in rows)
        return self._packed(File("run.tsv", lines.encode(), "headless with rank and score"))

    def _run_trec(self, lists: Any, rows: list[Any]) -> File:
        second = self.chance.choice(("Q0", "0", "q0", "ITER"))
        blank = self.chance.choice((" ", "\t"))
        tag = self.chance.choice(("bm25", "my run", "x"))
        self.chance.shuffle(rows)
        lines = "".join(
            blank.join((key, second, passage, str(rank), str(score), tag)) + "\n" for key, passage, rank, score in rows
        )
        return self._packed(File("run.trec", lines.encode(), f"TREC, second {second}, tag {tag}"))

    def _run_headless(self, lists: Any, rows: list[Any]) -> File:
        lines = "".join(f"{key}\t{passage}\t{score}\n" for key, passage, _, score in rows)
        return self._packed(File("run.tsv", lines.encode(), "headless with scores"))

    def _run_headless_ranks(self, lists: Any, rows: list[Any]) -> File:
        start = self.chance.choice((0, 1))
        lines = "".join(f"{key}\t{passage}\t{rank - 1 + start}\n" for key, passage, rank, _ in rows)
        return self._packed(File("run.tsv", lines.encode(), f"headless with ranks from {start}"))

    def _run_wide(self, lists: Any, rows: list[Any]) -> File:
        lines = "".join("\t".join((key, *passages)) + "\n" for key, passages in lists)
        return self._packed(File("run.tsv", lines.encode(), "wide"))

    def _run_turns(self, lists: Any, rows: list[Any], ids: bool = True) -> File:
        number = self.chance.choice((self._score, lambda rank, length: length + 1 - rank, lambda rank, _: rank))
        lines = []
        for key, passages in lists:
            pairs = ((one, str(number(rank, len(passages)))) for rank, one in enumerate(passages, 1))
            lines.append("\t".join([*([key] if ids else []), *(cell for pair in pairs for cell in pair)]) + "\n")
        return self._packed(File("run.tsv", "".join(lines).encode(), f"a number behind each passage, ids {ids}"))

    def _run_turns_in_order(self, lists: Any, rows: list[Any]) -> File:
        return self._run_turns(lists, rows, ids=False)

    def _run_columns(self, lists: Any, rows: list[Any]) -> File:
        stem, first = self.chance.choice(("p", "passage_", "rank", "")), self.chance.choice((0, 1))
        frame = pd.DataFrame([{f"{stem}{n}": one for n, one in enumerate(found, first)} for _, found in lists])
        frame.index = pd.Index([key for key, _ in lists], name=self.chance.choice(("question_id", "qid", None)))
        separator = self.chance.choice((",", ";", "\t"))
        text = frame.to_csv(sep=separator)
        return self._packed(File("run.csv", text.encode(), f"a column a place, {separator!r}"))

    def _run_trec_csv(self, lists: Any, rows: list[Any]) -> File:
        out = io.StringIO()
        separator, quoting = self.chance.choice((",", ";")), self.chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
        self.chance.shuffle(rows)
        writer = csv.writer(out, delimiter=separator, quoting=quoting)
        writer.writerows((key, "Q0", passage, rank, score, "bm25") for key, passage, rank, score in rows)
        return self._packed(File("run.csv", out.getvalue().encode(), f"TREC as CSV, {separator!r}"))

    def _run_cells(self, lists: Any, rows: list[Any]) -> File:
        columns = {"question_id": [key for key, _ in lists], "passage_ids": [repr(list(found)) for _, found in lists]}
        return self._delimited(columns, "lists in cells")

    def _run_json(self, lists: Any, rows: list[Any]) -> File:
        found: dict[str, dict[str, float]] = {}
        self.chance.shuffle(rows)
        for key, passage, _, score in rows:
            found.setdefault(key, {})[passage] = score
        return self._packed(File("run.json", json.dumps(found).encode(), "JSON of scores"))

    def _run_jsonl(self, lists: Any, rows: list[Any]) -> File:
        field = self.chance.choice(("passage_ids", "ctxs", "hits"))
        found = [
            {"question_id": key, field: list(passages) if field == "passage_ids" else [{"id": one} for one in passages]}
            for key, passages in lists
        ]
        return self._objects(found, f"JSONL of {field}", lines=True)

    def _run_parquet(self, lists: Any, rows: list[Any]) -> File:
        columns: Cells = {
            "question_id": [row[0] for row in rows],
            "passage_id": [row[1] for row in rows],
            "score": [row[3] for row in rows],
        }
        return File("run.parquet", _parquet(columns), "parquet of pairs")

    # -- writing

    def _delimited(self, columns: Cells, what: str, separator: str | None = None) -> File:
        chance = self.chance
        separator = separator or chance.choice((",", ";", "\t"))
        quoting = chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))
        ending = chance.choice(("\n", "\r\n"))
        index = chance.random() < 0.15
        if chance.random() < 0.5:
            text = pd.DataFrame(columns).to_csv(
                sep=separator, index=index, quoting=quoting, lineterminator=ending, decimal=self._decimal(separator)
            )
            how = "pandas"
        else:
            out = io.StringIO()
            writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=ending)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
            text, how = out.getvalue(), "csv"
        how = f"{what}, {how}, {separator!r}, quoting {quoting}{', index' if index else ''}"
        return self._packed(File("file.csv", self._encoded(text), how))

    def _decimal(self, separator: str) -> str:
        return self.chance.choice((".", ",")) if separator == ";" else "."

    def _frame(self, columns: Cells, what: str, key: str) -> File:
        """
        :param key: the column of the ids, which may be the index
        """
        orient = self.chance.choice(("records", "lines", "index", "split", "columns"))
        frame = pd.DataFrame(columns)
        if orient in ("index", "split", "columns") and self.chance.random() < 0.5:
            frame, what = frame.set_index(key).rename_axis(None), f"{what}, ids in the index"
        ascii_only = self.chance.random() < 0.5
        if orient == "lines":
            text = frame.to_json(orient="records", lines=True, force_ascii=ascii_only)
        else:
            text = frame.to_json(orient=orient, force_ascii=ascii_only)
        return self._packed(File("file.json", text.encode(), f"{what}, pandas {orient}"))

    def _objects(self, rows: Sequence[Mapping[str, Any]], what: str, lines: bool) -> File:
        ascii_only = self.chance.random() < 0.5
        if lines:
            text = "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows)
            return self._packed(File("file.jsonl", text.encode(), f"{what}, JSONL"))
        text = json.dumps(rows, ensure_ascii=ascii_only, indent=self.chance.choice((None, 1)))
        return self._packed(File("file.json", text.encode(), f"{what}, JSON"))

    def _encoded(self, text: str) -> bytes:
        encoding = self.chance.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1250"))
        try:
            return text.encode(encoding)
        except UnicodeEncodeError:
            return text.encode()

    def _packed(self, file: File) -> File:
        drawn = self.chance.random()
        if drawn > 0.15:
            return file
        packed = PACKINGS[int(drawn * 20)](file.data)
        return File(file.name, packed, f"{file.how}, packed")


def _numpy_print(golds: Sequence[str]) -> str:
    return "[" + " ".join(map(repr, golds)) + "]"


def _dumps(golds: Sequence[str]) -> str:
    return json.dumps(golds, ensure_ascii=False)


def _squad(truth: Truth) -> bytes:
    asked = [
        {"id": key, "question": question, "answers": [{"text": gold, "answer_start": 0} for gold in golds]}
        for key, question, golds in zip(truth.ids, truth.questions, truth.golds, strict=True)
    ]
    paragraphs = [{"context": "x", "qas": asked[start : start + 3]} for start in range(0, len(asked), 3)]
    return json.dumps({"version": "1.1", "data": [{"title": "T", "paragraphs": paragraphs}]}).encode()


def _parquet(columns: Cells) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def _workbook(columns: Cells) -> bytes:
    out = io.BytesIO()
    pd.DataFrame(columns).to_excel(out, index=False)
    return out.getvalue()


def _zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("file", data)
    return out.getvalue()


def _lz4(data: bytes) -> bytes:
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "lz4") as stream:
        stream.write(data)
    return out.getvalue().to_pybytes()


PACKINGS: tuple[Callable[[bytes], bytes], ...] = (lambda data: gzip.compress(data, mtime=0), _zipped, _lz4)
