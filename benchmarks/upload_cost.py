"""Claim: an honest upload costs at most 1.2 times what it cost before uploads were parsed in a process of their own.

Old is another checkout of the program (`--old`), which parses in the app's process; new is this one. Each file is
recognised and scored against 7,000 questions in a fresh process, old and new in turn; time is the processor's of the
process with its children, memory the peak of both together beyond what they held before the file (Linux, sampled).

    git worktree add OLD COMMIT; python -m benchmarks.upload_cost --old OLD [--megabytes 200] [--record]
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.big_files import QUESTIONS, WORDS, passages_of_lists, write
from benchmarks.recording import record

CLAIM = {"ratio": 1.2, "megabytes_beyond_idle": 300}
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Writes the files, scores each by both programs in turn, prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=Path, help="a checkout of the program as it was")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/upload_cost.json")
    parser.add_argument("--child", nargs=2, metavar=("ROLE", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(score(options.child[0], Path(options.child[1]))))
        return
    files: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (role, make) in FILES.items():
            path = Path(folder) / name
            make(path, options.megabytes)
            runs: dict[str, list[dict[str, float]]] = {"old": [], "new": []}
            for _ in range(options.turns):
                for who, root in (("old", options.old), ("new", ROOT)):
                    if root:
                        runs[who].append(child(root.resolve(), role, path))
            files[name] = summary(path, runs)
            print(name, files[name], flush=True)
            path.unlink()
    if options.record:
        record("upload_cost", {"files": files, "claim": CLAIM, "turns": options.turns, "questions": QUESTIONS})


def summary(path: Path, runs: dict[str, list[dict[str, float]]]) -> dict[str, object]:
    """Medians of the time, the largest of the memory."""
    found: dict[str, object] = {"file_megabytes": round(path.stat().st_size / (1 << 20), 1)}
    medians = {}
    for who, taken in runs.items():
        if taken:
            medians[who] = statistics.median(run["seconds"] for run in taken)
            found[f"{who}_seconds"] = round(medians[who], 2)
            found[f"{who}_megabytes_beyond_idle"] = round(max(run["beyond_idle"] for run in taken), 1)
            found[f"{who}_kept"] = int(taken[0]["kept"])
    if len(medians) == 2:
        found["ratio"] = round(medians["new"] / medians["old"], 2)
    return found


def child(root: Path, role: str, path: Path) -> dict[str, float]:
    """One scoring by one program in a process of its own."""
    command = [sys.executable, str(Path(__file__)), "--child", role, str(path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(ROOT)])}
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root, env=environment)
    found: dict[str, float] = json.loads(run.stdout)
    return found


def score(role: str, path: Path) -> dict[str, float]:
    """The upload as the app scores it: its kind first, then its score."""
    from contextlib import nullcontext

    from polqa_demo import scoring
    from polqa_demo.records import GoldSet, Judgement, Question
    from polqa_demo.settings import load_settings

    questions = tuple(Question(str(number), "Kto?", ("ja",)) for number in range(1, QUESTIONS + 1))
    judged = tuple(Judgement(question.id, f"{question.id}-0", 1) for question in questions)
    gold = GoldSet("made-up", "", questions, judged)
    try:
        from polqa_demo.parsing.process import Parsers
    except ImportError:
        session = nullcontext
    else:
        parsers = Parsers(load_settings())
        parsers.warm()
        session = parsers.session
    small = scoring.Upload("small.csv", b"id,answer\n1,tak\n")
    scoring.score_uploads(gold, small)
    upload = scoring.Upload(path.name, path=path)
    before, peak, ended = memory(), [0.0], threading.Event()

    def look() -> None:
        while not ended.wait(0.02):
            peak[0] = max(peak[0], memory())

    threading.Thread(target=look, daemon=True).start()
    start = seconds()
    with session() as parser:
        if parser is None:
            scoring.kind_of(gold, upload)
            found = scoring.score_uploads(gold, **{role: upload})
        else:
            parser.kind(upload, gold)
            found = scoring.score_uploads(gold, **{role: upload}, parser=parser)
        spent = seconds() - start
    ended.set()
    assert found.report is not None, [problem.message.en for problem in found.problems]
    kept = len(found.report.items)
    return {"seconds": spent, "beyond_idle": max(0.0, peak[0] - before), "kept": kept}


def family() -> list[int]:
    """This process and its children."""
    found = [os.getpid()]
    for task in Path("/proc/self/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


def memory() -> float:
    """Resident megabytes of this process with its children."""
    pages = 0
    for pid in family():
        try:
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def seconds() -> float:
    """Processor time of this process with its children."""
    total = 0.0
    for pid in family()[1:]:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total + time.process_time()


def rankings(path: Path, _megabytes: int) -> None:
    """7,000 rankings of 100."""
    chance = random.Random(2026)
    with path.open("w", encoding="utf-8") as out:
        out.write("question-id\tpassage-id\tscore\n")
        for number in range(1, QUESTIONS + 1):
            for rank in range(100):
                out.write(f"{number}\t{chance.randrange(1_000_000)}-{rank}\t{100 - rank}.5\n")


def json_lines(path: Path, megabytes: int) -> None:
    """JSON lines with the texts of the passages beside their ids."""
    write(path, passages_of_lists, megabytes << 20)


def stray_cell(path: Path, _megabytes: int) -> None:
    """Answers in a workbook with one cell in its last row."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["id", "answer"])
    for number in range(1, QUESTIONS + 1):
        sheet.append([number, f"{WORDS[number % len(WORDS)]} {number}"])
    sheet.cell(1 << 20, 5, " ")
    book.save(path)


FILES: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "rankings-7000x100.tsv": ("rankings", rankings),
    "rankings-with-texts.jsonl": ("rankings", json_lines),
    "answers-stray-cell.xlsx": ("answers", stray_cell),
}


if __name__ == "__main__":
    main()
