"""Valid files of every form, and what becomes of them in careless hands."""

import csv
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

IDS = tuple(str(number) for number in range(101, 113))
ANSWERS = ("30", "w XIX", "witamina C", "NA", "nad Łódką", "Władysław II", "tak", "Stambuł", "null", "1000000",
           "„Ziemia obiecana”", "w Toruniu, źródło")  # fmt: skip
PASSAGES = tuple(f"{number}-{number % 3}" for number in range(1, 14))
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1250", "iso8859-2")


@dataclass(frozen=True)
class Sample:
    """A valid file: what it holds and how it is written."""

    role: str
    form: str
    text: str


def answer_texts() -> list[Sample]:
    """The same answers in every text form."""
    rows = list(zip(IDS, ANSWERS, strict=True))
    objects = [{"question_id": key, "answer": answer} for key, answer in rows]
    return [
        Sample("answers", form, text)
        for form, text in {
            "lines": "".join(f"{answer}\n" for answer in ANSWERS),
            "csv": table(rows, ","),
            "csv-crlf": table(rows, ",").replace("\n", "\r\n"),
            "csv-cr": table(rows, ",").replace("\n", "\r"),
            "csv-quoted": table(rows, ",", csv.QUOTE_ALL),
            "semicolon": table(rows, ";"),
            "tsv": "question_id\tanswer\n" + "".join(f"{key}\t{answer}\n" for key, answer in rows),
            "no-header": "".join(f"{key}\t{answer}\n" for key, answer in rows),
            "jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in objects),
            "python": "".join(f"{row}\n" for row in objects),
            "array": json.dumps(objects, ensure_ascii=False, indent=1),
            "object": json.dumps(dict(rows), ensure_ascii=False),
            "array-of-texts": json.dumps(ANSWERS, ensure_ascii=False),
        }.items()
    ]


def ranking_texts() -> list[Sample]:
    """The same rankings in every text form."""
    lists = {key: [PASSAGES[(place + step) % 13] for step in range(12)] for place, key in enumerate(IDS)}
    rows = [(key, passage, 20.5 - rank, rank) for key, found in lists.items() for rank, passage in enumerate(found, 1)]
    return [
        Sample("rankings", form, text)
        for form, text in {
            "wide": "".join("\t".join(found) + "\n" for found in lists.values()),
            "wide-ids": "".join("\t".join([key, *found]) + "\n" for key, found in lists.items()),
            "long": "question-id\tpassage-id\tscore\trank\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows),
            "trec": "".join(f"{key} Q0 {passage} {rank} {score} run\n" for key, passage, score, rank in rows),
            "jsonl": "".join(json.dumps({"question_id": key, "passage_ids": lists[key]}) + "\n" for key in lists),
            "dpr": json.dumps([
                {"question": f"Czy {key}?", "ctxs": [{"id": item, "text": "Łódź"} for item in found]}
                for key, found in lists.items()
            ]),
            "run-object": json.dumps({
                key: {passage: 1 / rank for rank, passage in enumerate(found, 1)} for key, found in lists.items()
            }),
            "ranks": "".join(f"{key}\t{passage}\t{rank}\n" for key, passage, _, rank in rows),
            "rank-first": "".join(f"{key}\t{rank}\t{passage}\n" for key, passage, _, rank in rows),
            "pairs": "".join(f"{key}\t{passage}\n" for key, passage, _, _ in rows),
            "csv-headless": "".join(f"{key},{passage},{rank},{score}\n" for key, passage, score, rank in rows),
            "blanks": "".join(f"{key} {passage} {score}\n" for key, passage, score, _ in rows),
            "decimal-commas": "qid;docid;score\n" + "".join(
                f"{key};{passage};{score}".replace(".", ",") + "\n" for key, passage, score, _ in rows
            ),
            "distances": "qid,docno,distance\n" + "".join(
                f"{key},{passage},{30 - score}\n" for key, passage, score, _ in rows
            ),
            "trec-five": "".join(f"{key} Q0 {passage} {rank} {score}\n" for key, passage, score, rank in rows),
            "trec-other": "".join(f"{key} 0 {passage} {rank} {score} my run\n" for key, passage, score, rank in rows),
            "cells": "question_id,passage_ids\n" + "".join(f'{key},"{found}"\n' for key, found in lists.items()),
            "joined": "question_id,passage_ids\n" + "".join(
                f"{key},{' '.join(found)}\n" for key, found in lists.items()
            ),
            "wrapped": json.dumps({
                "model": "x", "run": {key: dict.fromkeys(found, 1.0) for key, found in lists.items()}
            }),
            "hits": json.dumps([
                [{"corpus_id": item, "score": "tensor(1.)"} for item in found] for found in lists.values()
            ]),
            "kilt": "".join(
                json.dumps({"id": key, "output": [{"provenance": [{"wikipedia_id": one} for one in found]}]}) + "\n"
                for key, found in lists.items()
            ),
        }.items()
    ]  # fmt: skip


def gold_texts() -> list[Sample]:
    """Gold files."""
    polqa = io.StringIO()
    writer = csv.writer(polqa, lineterminator="\n")
    writer.writerow(["question_id", "question", "answers", "passage_id", "relevant", "split"])
    writer.writerows(
        [key, f"Czy {key}?", str([answer]), passage, "True", "test"]
        for key, answer, passage in zip(IDS, ANSWERS, PASSAGES, strict=False)
    )
    rows = list(zip(IDS, ANSWERS, strict=True))
    asked = [{"id": key, "question": f"Czy {key}?", "answers": [{"text": answer}]} for key, answer in rows]
    forms = {
        "polqa": polqa.getvalue(),
        "expected": "".join(f"{answer}\t{answer}ą\n" for answer in ANSWERS),
        "squad": json.dumps({"version": "2", "data": [{"title": "T", "paragraphs": [{"context": "", "qas": asked}]}]}),
        "numpy": "question_id,question,answers\n" + "".join(f"{key},Czy?,['{answer}' 'b']\n" for key, answer in rows),
        "qrels": "".join(f"{key} 0 {passage} 1\n" for key, passage in zip(IDS, PASSAGES, strict=False)),
        "qrels-object": json.dumps({key: {passage: 1} for key, passage in zip(IDS, PASSAGES, strict=False)}),
        "question-lists": "".join(f"Czy {key}?\t['{answer}']\n" for key, answer in rows),
    }
    questions = {
        "ids": "".join(f"{key}\tCzy {key}?\n" for key in IDS),
        "topics": "".join(f"<top>\n<num> Number: {key}\n<title> Czy {key}?\n</top>\n" for key in IDS),
    }
    return [
        *(Sample("gold", form, text) for form, text in forms.items()),
        *(Sample("questions", form, text) for form, text in questions.items()),
    ]


def table(rows: list[tuple[str, str]], delimiter: str, quoting: int = csv.QUOTE_MINIMAL) -> str:
    """Rows of id and answer under their header."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator="\n")  # type: ignore[arg-type]
    writer.writerow(["question_id", "answer"])
    writer.writerows(rows)
    return out.getvalue()


def workbook(rows: list[list[object]], empty_sheets: int = 0) -> bytes:
    """An Excel workbook; empty sheets stand before the filled one."""
    import openpyxl

    book = openpyxl.Workbook()
    for _ in range(empty_sheets):
        book.create_sheet()
    sheet = book.worksheets[-1]
    for row in rows:
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet(columns: dict[str, list[object]]) -> bytes:
    """A parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def zipped(*files: tuple[str, bytes]) -> bytes:
    """A zip of some files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def lz4(data: bytes) -> bytes:
    """One LZ4 frame."""
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "lz4") as stream:
        stream.write(data)
    return out.getvalue().to_pybytes()


WRAPPINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "lz4": lz4,
    "zip": lambda data: zipped(("odpowiedzi/", b""), ("odpowiedzi/pred.dat", data), ("__MACOSX/._pred.dat", b"x")),
    "zip in gzip": lambda data: gzip.compress(zipped(("pred", data)), mtime=0),
    "gzip in zip": lambda data: zipped(("pred.gz", gzip.compress(data, mtime=0))),
}


def encodable(text: str, encoding: str) -> bool:
    """Whether the letters of a text are in an encoding."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


class Mutator:
    """Draws a valid file and does to it what disks, editors and scripts do."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        rows: list[list[object]] = [["question_id", "answer"], *map(list, zip(map(int, IDS), ANSWERS, strict=True))]
        self.texts = [*answer_texts(), *ranking_texts(), *gold_texts()]
        self.tables = [
            ("answers", "xlsx", workbook(rows)),
            ("answers", "parquet", parquet({"question_id": list(IDS), "answer": list(ANSWERS)})),
            ("rankings", "parquet", parquet({"question_id": list(IDS), "passage_ids": [list(PASSAGES)] * 12})),
        ]

    def draw(self) -> tuple[str, str, bytes]:
        """`(role, form, bytes)` of a mutated file."""
        chance = self.chance
        if chance.random() < 0.04:
            role, form, data = chance.choice(self.tables)
        else:
            sample = chance.choice(self.texts)
            role, form = sample.role, sample.form
            data = sample.text.encode(chance.choice(ENCODINGS), "replace")
        for _ in range(chance.randint(0, 3)):
            data = self.mutated(data)
        if chance.random() < 0.15:
            data = WRAPPINGS[chance.choice(list(WRAPPINGS))](data)
            if chance.random() < 0.5:
                data = self.mutated(data)
        return role, form, data

    def mutated(self, data: bytes) -> bytes:  # noqa: C901 - a list of accidents
        """One accident."""
        chance = self.chance
        place, other = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        kind = chance.randrange(9)
        if kind == 0:
            return data[:place]
        if kind == 1:
            return data[:place] + data[other:]
        if kind == 2:
            return data[:other] + data[place:]
        if kind == 3:
            changed = bytearray(data)
            for _ in range(chance.randint(1, 5) if changed else 0):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            return bytes(changed)
        if kind == 4:
            return data[:place] + chance.choice(STRANGE) * chance.choice((1, 1, 2, 40)) + data[place:]
        if kind == 5:
            second = chance.choice(self.texts).text.encode(chance.choice(ENCODINGS), "replace")
            return data[:place] + second[chance.randint(0, len(second)) :]
        if kind == 6:
            return data.replace(chance.choice(STRANGE), chance.choice(STRANGE))
        if kind == 7:
            lines = data.split(b"\n")
            chance.shuffle(lines)
            return b"\n".join(lines)
        try:
            return data[:place] + data[place:].decode("utf-8").encode(chance.choice(ENCODINGS), "replace")
        except UnicodeDecodeError:
            return data[place:]


STRANGE = (
    *(b'"', b"'", b"\t", b",", b";", b"\n", b"\r", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xb9"),
    *(b"[", b"]", b"{", b"}", b":", b"nan", b"1e999", b"-" * 50, b"[" * 3000, b"\\ud800", b"\xe2\x80\xa8", b"\xc2\x85"),
    *(b"question_id", b"answer", b"101", b"101.0", b" ", b"\x1a", b"9" * 5000, b"PK\x03\x04", b"\x1f\x8b", b"PAR1"),
    *(b"<html>", b"\xf0\x9f\xa6\x86", b"\xed\xa0\x80", b"null", b"\xc4\x85"),
)
