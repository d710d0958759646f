"""Claim: a file of 200 MB is read within 300 MB beyond the idle process, in at most thrice the time of `csv.reader`.

Files are made up from a seed: answers with huge columns of text beside them, answers that are texts, a long ranking
file (and the same packed by gzip), JSON lines and a JSON array with passages. Two hard ones carry no claim of time:
short rows with every cell quoted, most of them of other questions, and a ranking file in no order at all. Each is read
in a fresh process, in turn with the peer, which only passes over the rows of the same file. Time is that of the
processor; memory is the process's peak resident set (Linux) minus what it held before the first byte was read.

    python -m benchmarks.big_files [--megabytes 200] [--turns 3] [--record]
"""

import argparse
import gzip
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.recording import record

QUESTIONS = 7000
TARGETS = {"megabytes_beyond_idle": 300, "ratio_to_csv_reader": 3.0}
WORDS = "Wisła płynie przez Kraków, Warszawę i Toruń; źródło leży na Baraniej Górze, a ujście pod Gdańskiem".split()


def main() -> None:
    """Makes the files, reads each in turn with the peer, prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/big_files.json")
    parser.add_argument("--child", nargs=3, metavar=("WHO", "KIND", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(CHILDREN[options.child[0]](options.child[1], Path(options.child[2]))))
        return
    files: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, rows) in FORMS.items():
            path = Path(folder) / name
            write(path, rows, options.megabytes << 20)
            files[name] = compare(kind, path, options.turns)
            print(name, files[name])
            if not name.startswith("rankings"):
                path.unlink()
    result: dict[str, object] = {
        "files": files,
        "targets": TARGETS,
        "without_a_claim_of_time": sorted(HARD),
        "turns": options.turns,
        "questions": QUESTIONS,
    }
    if options.record:
        record("big_files", result)


def compare(kind: str, path: Path, turns: int) -> dict[str, object]:
    """Medians over turns, each in a fresh process."""
    ours, peer = [], []
    for _ in range(turns):
        peer.append(child("peer", kind, path))
        ours.append(child("ours", kind, path))
    seconds = statistics.median(run["seconds"] for run in ours)
    reader = statistics.median(run["seconds"] for run in peer)
    size = path.stat().st_size / (1 << 20)
    beyond = max(run["beyond_idle"] for run in ours)
    return {
        "file_megabytes": round(size, 1),
        "megabytes_beyond_idle": round(beyond, 1),
        "memory_ratio_to_file": round(beyond / size, 2),
        "seconds": round(seconds, 2),
        "csv_reader_seconds": round(reader, 2),
        "ratio_to_csv_reader": round(seconds / reader, 2),
        "kept": int(ours[0]["kept"]),
        "rows": int(peer[0]["kept"]),
    }


def child(who: str, kind: str, path: Path) -> dict[str, float]:
    """One reading in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.big_files", "--child", who, kind, str(path)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    found: dict[str, float] = json.loads(run.stdout)
    return found


def read_ours(kind: str, path: Path) -> dict[str, float]:
    """The product's reading, recognition included."""
    from polqa_demo.records import Question
    from polqa_demo.submissions.answers import read_answers
    from polqa_demo.submissions.rankings import read_rankings

    questions = tuple(Question(str(number), "Kto?", ("ja",)) for number in range(1, QUESTIONS + 1))
    # What a first file costs anyway (settings, tables of encodings) belongs to the idle process.
    read_answers(b"id,answer\n1,tak\n", questions)
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    start = time.process_time()
    if kind == "answers":
        kept = len(read_answers(path, questions).predictions)
    else:
        kept = sum(len(ranking.passage_ids) for ranking in read_rankings(path, questions).rankings.values())
    seconds = time.process_time() - start
    return {"seconds": seconds, "beyond_idle": resident("VmHWM") - before, "kept": kept}


def read_peer(_kind: str, path: Path) -> dict[str, float]:
    """A plain pass of `csv.reader`."""
    import csv

    csv.field_size_limit(1 << 30)
    opener = gzip.open if path.suffix == ".gz" else open
    start = time.process_time()
    with opener(path, "rt", encoding="utf-8", newline="") as lines:
        delimiter = "\t" if "tsv" in path.name else ","
        rows = sum(1 for _ in csv.reader(lines, delimiter=delimiter))
    return {"seconds": time.process_time() - start, "kept": rows}


CHILDREN: dict[str, Callable[[str, Path], dict[str, float]]] = {"ours": read_ours, "peer": read_peer}


def resident(field: str) -> float:
    """Megabytes of this process, now (VmRSS) or at its peak (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:")) / 1024


def write(path: Path, rows: Callable[[random.Random], Iterator[str]], size: int) -> None:
    """Rows up to a size, packed where the name says so; a packed file holds as many rows as the plain one."""
    chance = random.Random(2026)
    opener = gzip.open if path.suffix == ".gz" else open
    left = size
    with opener(path, "wt", encoding="utf-8", newline="") as out:
        for row in rows(chance):
            out.write(row)
            left -= len(row.encode())
            if left < 0:
                break
        if path.suffix == ".json":
            out.write("]")


def huge_columns(chance: random.Random) -> Iterator[str]:
    """Answers in a CSV whose other columns hold whole texts; the last question comes again and again."""
    yield "question_id,passage,answer\n"
    text = " ".join(chance.choices(WORDS, k=5000))
    for number in endless():
        cut = chance.randrange(len(text) // 2)
        yield f'{min(number, QUESTIONS)},"{text[cut:]} ""{number}""\n{text[:cut]}",odpowiedź {min(number, QUESTIONS)}\n'


def huge_answers(chance: random.Random) -> Iterator[str]:
    """Answers that are texts themselves."""
    yield "question_id,answer\n"
    text = " ".join(chance.choices(WORDS, k=8000)).replace(",", "")
    for number in range(1, QUESTIONS + 1):
        yield f"{number},{text[number:30_000]}\n"


def short_answers(chance: random.Random) -> Iterator[str]:
    """Many short rows, every cell quoted, most of them of other questions."""
    yield '"question_id","answer"\n'
    for number in endless():
        yield f'"{number}","{chance.choice(WORDS)} {number % 97}"\n'


def long_rankings(chance: random.Random) -> Iterator[str]:
    """Many passages a question, best first."""
    yield "question-id\tpassage-id\tscore\n"
    for number in endless():
        question, rank = (number - 1) // 1300 % QUESTIONS + 1, number % 1300
        yield f"{question}\t{chance.randrange(1_000_000)}-{rank % 40}\t{200 - rank / 10:.4f}\n"


def shuffled_rankings(chance: random.Random) -> Iterator[str]:
    """The same in no order at all: neither by question nor by score."""
    yield "question-id\tpassage-id\tscore\n"
    for _ in endless():
        passage = f"{chance.randrange(1_000_000)}-{chance.randrange(40)}"
        yield f"{chance.randrange(QUESTIONS) + 1}\t{passage}\t{chance.random():.6f}\n"


def passages_of_lists(chance: random.Random) -> Iterator[str]:
    """JSON lines with the texts of the passages beside their ids."""
    text = " ".join(chance.choices(WORDS, k=120))
    for number in range(1, QUESTIONS + 1):
        ctxs = [{"id": f"{chance.randrange(1_000_000)}-{rank}", "title": "", "text": text} for rank in range(32)]
        yield json.dumps({"question_id": number, "ctxs": ctxs}, ensure_ascii=False) + "\n"


def one_array(chance: random.Random) -> Iterator[str]:
    """The same as one JSON array on one line, as dense retrievers write it."""
    for number, row in enumerate(passages_of_lists(chance)):
        yield ("," if number else "[") + row.rstrip("\n")


def endless() -> Iterator[int]:
    """1, 2, 3, ..."""
    number = 0
    while True:
        number += 1
        yield number


FORMS: dict[str, tuple[str, Callable[[random.Random], Iterator[str]]]] = {
    "answers-huge-columns.csv": ("answers", huge_columns),
    "answers-huge-answers.csv": ("answers", huge_answers),
    "answers-short-quoted.csv": ("answers", short_answers),
    "rankings-long.tsv": ("rankings", long_rankings),
    "rankings-long.tsv.gz": ("rankings", long_rankings),
    "rankings-shuffled.tsv": ("rankings", shuffled_rankings),
    "rankings-with-texts.jsonl": ("rankings", passages_of_lists),
    "rankings-with-texts.json": ("rankings", one_array),
}
HARD = {"answers-short-quoted.csv", "rankings-shuffled.tsv"}


if __name__ == "__main__":
    main()
