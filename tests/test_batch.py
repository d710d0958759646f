"""Work that can be stopped: killed in the middle and taken up again, the output is the one of an undisturbed run."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.errors import UserError
from polqa_demo.runs.batch import begins_anew, fingerprint, write_batch

# It stops before one item and says so, until it is killed.
WORKER = """
import sys, threading
from pathlib import Path
from polqa_demo.runs.batch import write_batch
out, log, stop = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
def work(item):
    if item == stop:
        print("waits", flush=True)
        threading.Event().wait()
    with log.open("a") as file:
        file.write(f"{item}\\n")
    return f"{item}\\tzażółć\\n" * (item % 3)
print(write_batch(out, range(60), work, "klucz", "nagłówek\\n"))
"""


def run(out: Path, log: Path, stop: int = -1) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", WORKER, out, log, str(stop)], stdout=subprocess.PIPE, text=True)


def test_killed_twice_in_the_middle_and_resumed(tmp_path: Path) -> None:
    undisturbed = tmp_path / "cale.tsv"
    assert run(undisturbed, tmp_path / "log0").communicate()[0] == "0\n"

    out, log, part = tmp_path / "przerwane.tsv", tmp_path / "log", tmp_path / "przerwane.tsv.part"
    for done in (10, 30):
        worker = run(out, log, done)
        assert worker.stdout is not None
        assert worker.stdout.readline() == "waits\n"
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        assert worker.returncode == -signal.SIGKILL
        assert not out.exists()
        assert part.read_bytes().count(b"\n") >= sum(item % 3 for item in range(done))
    resumed = int(run(out, log).communicate()[0])
    assert resumed == 30
    assert out.read_bytes() == undisturbed.read_bytes()
    assert sorted(path.name for path in tmp_path.glob("przerwane*")) == ["przerwane.tsv"]
    # Nothing is done twice.
    assert sorted(map(int, log.read_text().split())) == list(range(60))


def test_a_stop_by_the_work_itself_keeps_what_is_done(tmp_path: Path) -> None:
    out = tmp_path / "out"
    calls: list[int] = []

    def failing(item: int) -> str:
        calls.append(item)
        if item == 2 and len(calls) == 3:
            raise KeyboardInterrupt
        return f"{item}\n"

    with pytest.raises(KeyboardInterrupt):
        write_batch(out, range(4), failing, "k")
    assert not out.exists()
    assert write_batch(out, range(4), failing, "k") == 2
    assert out.read_text() == "0\n1\n2\n3\n"
    assert calls == [0, 1, 2, 2, 3]


def test_another_key_begins_anew(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def stop(item: int) -> str:
        if item:
            raise KeyboardInterrupt
        return "stare\n"

    assert not begins_anew(out, "nowy")
    with pytest.raises(KeyboardInterrupt):
        write_batch(out, range(2), stop, "stary")
    assert begins_anew(out, "nowy")
    assert not begins_anew(out, "stary")
    assert write_batch(out, range(2), lambda item: f"nowe {item}\n", "nowy") == 0
    assert out.read_text() == "nowe 0\nnowe 1\n"


@given(damage=st.binary(max_size=40), keep=st.integers(18, 60))
def test_a_damaged_part_never_spoils_the_output(
    tmp_path_factory: pytest.TempPathFactory, damage: bytes, keep: int
) -> None:
    out = tmp_path_factory.mktemp("part") / "out"
    part = out.with_name("out.part")
    part.write_bytes(b'"polqa-demo batch k"\n"0\\n"\n"1\\n"\n'[:keep] + damage)
    resumed = write_batch(out, range(3), lambda item: f"{item}\n", "k")
    lines = out.read_text().splitlines()
    # Whole lines of the earlier run are believed, whatever they say; all others are done again.
    assert len(lines) >= 3 - resumed
    assert lines[resumed:] == [str(item) for item in range(resumed, 3)] or resumed
    assert not part.exists()


def test_half_a_line_is_done_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for tail in (b'"1\\', b'"1\\n"', b"7\n", b"\xff\xfe\n", b"\n"):
        out.with_name("out.part").write_bytes(b'"polqa-demo batch k"\n"0\\n"\n' + tail)
        assert write_batch(out, range(3), lambda item: f"{item}\n", "k") == 1
        assert out.read_text() == "0\n1\n2\n"


def test_more_done_than_there_is_to_do_is_another_piece_of_work(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.with_name("out.part").write_bytes(b'"polqa-demo batch k"\n"0\\n"\n"1\\n"\n"2\\n"\n')
    write_batch(out, range(2), lambda item: f"{item}\n", "k")
    assert out.read_text() == "0\n1\n"


def test_what_a_process_killed_at_the_very_end_leaves_is_tidied_up(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / ".out.whole").write_text("half of")
    write_batch(out, range(2), lambda item: f"{item}\n", "k")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out", "0\n1\n")]


def test_an_old_output_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("stare")

    def look(item: int) -> str:
        assert out.read_text() == "stare"
        return f"{item}"

    progress: list[tuple[int, int | None]] = []
    write_batch(out, range(2), look, "k", "n:", lambda *done: progress.append(done))
    assert out.read_text() == "n:01"
    assert progress == [(1, 2), (2, 2)]


def test_nothing_to_do_gives_a_header(tmp_path: Path) -> None:
    assert write_batch(tmp_path / "out", [], str, "k", "nagłówek\n") == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == "nagłówek\n"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for out in (tmp_path / "nie-ma" / "out", tmp_path / "folder"):
        with pytest.raises(UserError, match="--out") as caught:
            write_batch(out, range(1), str, "k")
        assert caught.value.code == "unwritable-file"
        assert str(out) in caught.value.say("pl")


def test_a_fingerprint_tells_parts_apart() -> None:
    keys = {fingerprint("a", "b"), fingerprint("ab"), fingerprint("b", "a"), fingerprint("a", b"b"), fingerprint("a")}
    assert len(keys) == 5
    assert fingerprint("a", 1, None) == fingerprint("a", 1, None)


def test_two_processes_do_not_write_the_same_output(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    seen: list[str] = []

    def work(item: str) -> str:
        if item == "b":
            with pytest.raises(UserError) as caught:
                write_batch(out, ["x"], str, "another key")
            seen.append(caught.value.code)
        return item

    write_batch(out, ["a", "b", "c"], work, "key")
    assert seen == ["out-in-work"]
    assert out.read_text() == "abc"


def test_a_file_of_ones_own_is_never_taken_for_unfinished_work(tmp_path: Path) -> None:
    out = tmp_path / "out"
    part = out.with_name("out.part")
    for own in (b"mine\n", b'"k"\n'):
        part.write_bytes(own)
        with pytest.raises(UserError) as caught:
            write_batch(out, ["a"], str, "k")
        assert caught.value.code == "foreign-part"
        assert not begins_anew(out, "k")
        assert part.read_bytes() == own
    assert not out.exists()
