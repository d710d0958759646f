import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hashed_encoder import HashedEncoder

from polqa_demo.data.passages import LINES
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval import index as index_module
from polqa_demo.retrieval.encoders import EMBEDDED, embedded_available, open_encoder
from polqa_demo.retrieval.fusion import Fusion
from polqa_demo.retrieval.index import Index, build_index, memory_index, open_corpus, open_index, verify_index
from polqa_demo.retrieval.lexical import ANALYSER_VERSION
from polqa_demo.retrieval.manifest import mark_files
from polqa_demo.retrieval.vector_files import EncoderMark, PassageVectors

PASSAGES = [
    Passage("1-0", "Grunwald", "Bitwa pod Grunwaldem rozegrała się w 1410 roku."),
    Passage("2-0", "Łódź", "Łódź leży nad rzeką Łódką."),
    Passage("6-0", "Kopernik", "Mikołaj Kopernik urodził się w Toruniu."),
]


def write(path: Path, passages: list[Passage]) -> Path:
    lines = (json.dumps({"id": one.id, "title": one.title, "text": one.text}) for one in passages)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path) -> list[Path]:
    return [write(tmp_path / "a.jsonl", PASSAGES[:2]), write(tmp_path / "b.jsonl", PASSAGES[2:])]


def refused(folder: Path) -> UserError:
    with pytest.raises(UserError) as caught:
        open_index(folder)
    for language in ("pl", "en"):
        assert f"python -m polqa_demo index build --corpus FILE --out {folder}" in caught.value.say(language)
        assert str(folder) in caught.value.say(language)
    return caught.value


def change_manifest(folder: Path, **values: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def many(seed: int) -> list[Passage]:
    """Passages whose index has more than one block of postings."""
    chance = random.Random(seed)
    vocabulary = [f"słowo{number}" for number in range(300)]
    return [Passage(f"{seed}-{number}", "", " ".join(chance.choices(vocabulary, k=20))) for number in range(500)]


def like(file: Path) -> str:
    """The name in another index: tantivy's are different in each, but for their ends."""
    return f"*{file.suffix}" if re.fullmatch(r"[0-9a-f]{32}", file.stem) else file.name


def mark_anew(folder: Path) -> None:
    """Take the files as they are now for those of the build."""
    change_manifest(folder, files={name: asdict(mark) for name, mark in mark_files(folder).items()})


def overwrite(index: Index, suffix: str, share: float = 1.0) -> None:
    """Zeros in place of a part of the open index, from its start: same file, same size."""
    assert index.folder is not None
    (path,) = (index.folder / "lexical").glob(f"*.{suffix}")
    with path.open("r+b") as stream:
        stream.write(bytes(int(share * path.stat().st_size)))


class TestBuilding:
    def test_what_is_built_is_found(self, corpus, tmp_path):
        built = build_index(corpus, tmp_path / "out", wikipedia_ids=True)
        opened = open_index(tmp_path / "out")
        assert built.name == opened.name == "a.jsonl + 1"
        assert list(opened.passages) == PASSAGES
        assert opened.lexical().search("Gdzie urodził się Kopernik?", 1).passage_ids == ("6-0",)
        assert opened.manifest is not None
        assert opened.manifest.source_files == ("a.jsonl", "b.jsonl")
        assert opened.manifest.passage_count == 3
        assert opened.manifest.analyser_version == ANALYSER_VERSION
        assert opened.manifest.wikipedia_ids is True
        assert str(tmp_path) not in (tmp_path / "out" / "manifest.json").read_text()
        assert verify_index(tmp_path / "out").manifest == opened.manifest

    def test_leaves_nothing_beside(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "deep" / "out")
        assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]

    def test_replaces_an_index_and_an_empty_folder(self, corpus, tmp_path):
        (tmp_path / "out").mkdir()
        assert len(build_index(corpus, tmp_path / "out").passages) == 3
        assert len(build_index(corpus[:1], tmp_path / "out").passages) == 2

    @pytest.mark.parametrize("harm", ["manifest.json", "passages/passages.jsonl", "lexical/meta.json"])
    def test_mends_a_half_written_index(self, corpus, tmp_path, harm):
        build_index(corpus, tmp_path / "out")
        (tmp_path / "out" / harm).unlink()
        assert len(build_index(corpus, tmp_path / "out").passages) == 3

    def test_never_replaces_other_things(self, corpus, tmp_path):
        folder = tmp_path / "prace"
        folder.mkdir()
        (folder / "magisterka.txt").write_text("x")
        file = tmp_path / "plik"
        file.write_text("x")
        for out in (folder, file):
            with pytest.raises(UserError) as caught:
                build_index(corpus, out)
            assert caught.value.code == "out-not-index"
        assert (folder / "magisterka.txt").read_text() == file.read_text() == "x"

    def test_a_bad_corpus_leaves_the_old_index_alone(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "out")
        with pytest.raises(UserError) as caught:
            build_index([*corpus, write(tmp_path / "c.jsonl", PASSAGES[1:2])], tmp_path / "out")
        assert "a.jsonl:2" in caught.value.say("pl")
        assert "c.jsonl:1" in caught.value.say("pl")
        assert len(verify_index(tmp_path / "out").passages) == 3
        assert not list(tmp_path.glob(".*"))

    def test_an_empty_corpus(self, tmp_path):
        with pytest.raises(UserError) as caught:
            build_index([write(tmp_path / "pusty.jsonl", [])], tmp_path / "out")
        assert caught.value.code == "corpus-empty"
        assert not (tmp_path / "out").exists()

    def test_progress(self, corpus, tmp_path):
        told: list[tuple[int, int | None]] = []
        build_index(corpus, tmp_path / "out", lambda done, total: told.append((done, total)))
        assert told == [(3, 3), (3, 3)]

    def test_no_room(self, corpus, tmp_path):
        (tmp_path / "plik").write_text("x")
        with pytest.raises(UserError) as caught:
            build_index(corpus, tmp_path / "plik" / "out")
        assert caught.value.code == "index-unwritable"

    def test_all_files_may_be_read_by_those_who_may_read_the_passages(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "out")
        wanted = (tmp_path / "out" / "passages" / LINES).stat().st_mode
        files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
        assert {file.stat().st_mode for file in files} == {wanted}

    def test_leftovers_of_dead_builders_go_and_those_of_the_living_stay(self, corpus, tmp_path):
        dead, living = tmp_path / ".out.0123.part", tmp_path / ".out.4567.part"
        for part in (dead, living):
            part.mkdir()
            (part / "file").write_text("x")
        two_days_ago = time.time() - 2 * 86_400
        for path in (dead / "file", dead):
            os.utime(path, (two_days_ago, two_days_ago))
        build_index(corpus, tmp_path / "out")
        assert not dead.exists()
        assert living.exists()

    def test_what_a_killed_builder_leaves_goes_at_the_next_build(self, corpus, tmp_path):
        code = (
            "import sys, time; from pathlib import Path; from polqa_demo.retrieval.building_mark import being_built\n"
            "part = Path(sys.argv[1])\n"
            "with being_built(part):\n"
            "    part.mkdir(); (part / 'file').write_text('x'); print('ready', flush=True); time.sleep(600)"
        )

        def build(name: str) -> "subprocess.Popen[str]":
            command = [sys.executable, "-c", code, str(tmp_path / name)]
            builder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert builder.stdout is not None
            assert builder.stdout.readline() == "ready\n"
            return builder

        with build(".out.0123.part") as killed, build(".out.4567.part") as living:
            killed.kill()
            killed.wait()
            minutes_ago = time.time() - 300
            for lock in tmp_path.glob(".out.*.part.lock"):
                os.utime(lock, (minutes_ago, minutes_ago))
            try:
                build_index(corpus, tmp_path / "out")
                left = sorted(path.name for path in tmp_path.glob(".out.*"))
            finally:
                living.kill()
        assert left == [".out.4567.part", ".out.4567.part.lock"]
        build_index(corpus, tmp_path / "out")
        assert not list(tmp_path.glob(".out.*"))


class TestOpening:
    def test_nothing_there(self, tmp_path):
        assert refused(tmp_path / "nie-ma").code == "index-missing"
        assert refused(tmp_path).code == "index-incomplete"

    @pytest.mark.parametrize(
        ("harm", "code"),
        [
            ("manifest.json", "index-incomplete"),
            ("passages/passages.jsonl", "index-changed"),
            ("passages/id_rows.npy", "index-changed"),
            ("lexical/meta.json", "index-changed"),
            ("lexical", "index-changed"),
        ],
    )
    def test_a_missing_part(self, corpus, tmp_path, harm, code):
        build_index(corpus, tmp_path / "out")
        (tmp_path / "out" / harm).rename(tmp_path / "away")
        assert refused(tmp_path / "out").code == code

    @pytest.mark.parametrize("harm", ["empty", "shorter", "longer", "flipped", "of another index", "gone"])
    def test_any_damaged_file_is_named_when_opening(self, tmp_path, harm):
        folder = build_index([write(tmp_path / "a.jsonl", many(1))], tmp_path / "one").folder
        other = build_index([write(tmp_path / "b.jsonl", many(2))], tmp_path / "two").folder
        assert folder is not None
        assert other is not None
        seen = 0
        for file in (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in (".lock", "")):
            good = file.read_bytes()
            twin = next(path for path in (other / file.parent.name).glob(like(file))) if file.parent != folder else good
            bad = {
                "empty": b"",
                "shorter": good[:-7],
                "longer": good + b"x",
                "flipped": good[: len(good) // 3] + bytes([good[len(good) // 3] ^ 255]) + good[len(good) // 3 + 1 :],
                "of another index": twin if isinstance(twin, bytes) else twin.read_bytes(),
                "gone": None,
            }[harm]
            if bad == good or file.parent == folder:
                continue
            seen += 1
            file.unlink()  # a new file, since tests before may still have the old one open
            if bad is not None:
                file.write_bytes(bad)
            error = refused(folder)
            assert error.code == "index-changed"
            assert file.name in error.say("pl")
            with pytest.raises(UserError):
                verify_index(folder)
            file.write_bytes(good)
        assert seen >= 8
        open_index(folder)

    def test_the_manifest_of_another_index(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "out")
        build_index(corpus, tmp_path / "again")  # even of the same corpus: its files are others
        (tmp_path / "again" / "manifest.json").replace(tmp_path / "out" / "manifest.json")
        assert refused(tmp_path / "out").code == "index-changed"

    def test_rows_that_are_not_there(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "out")
        np.save(tmp_path / "out" / "passages" / "id_rows.npy", np.array([0, 1, 3], np.uint8))
        mark_anew(tmp_path / "out")
        assert "id_rows.npy" in refused(tmp_path / "out").say("en")

    @pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": "other"}', "\ud800", "[" * 100_000])
    def test_a_damaged_manifest(self, corpus, tmp_path, text):
        build_index(corpus, tmp_path / "out")
        (tmp_path / "out" / "manifest.json").write_bytes(text.encode("utf-8", "surrogatepass"))
        assert refused(tmp_path / "out").code == "index-manifest-damaged"

    @pytest.mark.parametrize(
        ("values", "code"),
        [
            ({"schema_version": 99}, "index-version"),
            ({"analyser_version": "stem-1"}, "index-version"),
            ({"passage_count": 4}, "index-miscounted"),
            ({"passage_count": "3"}, "index-manifest-damaged"),
            ({"files": None}, "index-manifest-damaged"),
            ({"files": {}}, "index-manifest-damaged"),
            ({"files": {"passages/passages.jsonl": {"size": 1}}}, "index-manifest-damaged"),
            ({"files": {"passages/passages.jsonl": "abc"}}, "index-manifest-damaged"),
            ({"files": {"../x": {"size": 1, "sample": "", "sha256": ""}}}, "index-changed"),
            ({"schema_version": 1}, "index-version"),
        ],
    )
    def test_a_manifest_of_something_else(self, corpus, tmp_path, values, code):
        build_index(corpus, tmp_path / "out")
        change_manifest(tmp_path / "out", **values)
        assert refused(tmp_path / "out").code == code

    def test_parts_of_two_indexes(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "out")
        build_index(corpus[:1], tmp_path / "other")
        (tmp_path / "out" / "lexical").rename(tmp_path / "away")
        (tmp_path / "other" / "lexical").rename(tmp_path / "out" / "lexical")
        assert refused(tmp_path / "out").code == "index-changed"
        mark_anew(tmp_path / "out")
        assert refused(tmp_path / "out").code == "lexical-damaged"

    def test_a_build_that_was_killed_is_refused_and_can_be_repeated(self, tmp_path):
        corpus = write(tmp_path / "a.jsonl", [Passage(str(n), "tytuł", f"słowo{n} i inne") for n in range(60_000)])
        code = (
            "import sys; from pathlib import Path; from polqa_demo.retrieval.index import build_index\n"
            "build_index([Path(sys.argv[1])], Path(sys.argv[2]), lambda *told: print(*told, flush=True))"
        )
        out = tmp_path / "out"
        with subprocess.Popen(
            [sys.executable, "-c", code, str(corpus), str(out)], stdout=subprocess.PIPE, text=True
        ) as builder:
            assert builder.stdout is not None
            for line in builder.stdout:
                if line.split() == ["10000", "60000"]:  # the passages are written, the words half indexed
                    break
            builder.send_signal(signal.SIGKILL)
        assert not out.exists()
        assert refused(out).code == "index-missing"
        (left,) = tmp_path.glob(".out.*.part")
        assert refused(left).code == "index-incomplete"
        left.rename(out)  # as if somebody took it for the index
        assert refused(out).code == "index-incomplete"
        assert len(build_index([corpus], out).passages) == 60_000


class TestBreakingDown:
    """Damage that opening does not see: here, bytes overwritten while the index is open."""

    @pytest.mark.parametrize("part", ["idx", "term", "fast"])
    def test_a_search_tells_of_it(self, tmp_path, part):
        index = build_index([write(tmp_path / "a.jsonl", many(1))], tmp_path / "out")
        overwrite(index, part)
        for _ in range(2):
            with pytest.raises(UserError) as caught:
                index.lexical().search("słowo1 słowo2", 5)
            assert caught.value.code == "index-changed"
            assert f".{part}" in caught.value.say("en")
            assert f"index build --corpus FILE --out {tmp_path / 'out'}" in caught.value.say("pl")
        assert (tmp_path / "out" / "manifest.json").exists()

    def test_an_explanation_tells_of_it(self, tmp_path):
        index = build_index([write(tmp_path / "a.jsonl", many(1))], tmp_path / "out")
        overwrite(index, "idx")
        with pytest.raises(UserError) as caught:
            index.lexical().explain("słowo1", ("1-0",))
        assert caught.value.code == "index-changed"

    def test_whole_files_are_not_called_damaged(self, tmp_path):
        index = build_index([write(tmp_path / "a.jsonl", many(1))], tmp_path / "out")
        overwrite(index, "idx", share=0.5)  # the end is read when opening
        mark_anew(tmp_path / "out")
        with pytest.raises(UserError) as caught:
            open_index(tmp_path / "out").lexical().search("słowo1 słowo2", 5)
        assert caught.value.code == "search-failed"

    def test_a_cached_index_is_built_anew_at_the_next_start(self, tmp_path):
        corpus = [write(tmp_path / "a.jsonl", many(1))]
        first = open_corpus(corpus, tmp_path / "cache")
        wanted = first.lexical().search("słowo1 słowo2", 5)
        overwrite(first, "idx")
        with pytest.raises(UserError) as caught:
            first.lexical().search("słowo1 słowo2", 5)
        assert caught.value.code == "cached-index-damaged"
        assert "index build" not in caught.value.say("en")
        again = open_corpus(corpus, tmp_path / "cache")
        assert again.lexical().search("słowo1 słowo2", 5) == wanted
        assert [note.say("en").split(",")[0] for note in again.notes] == ["The cached index was damaged"]
        assert open_corpus(corpus, tmp_path / "cache").notes == ()

    def test_an_index_put_there_by_another_process_stays(self, tmp_path):
        corpus = [write(tmp_path / "a.jsonl", many(1))]
        first = open_corpus(corpus, tmp_path / "cache")
        assert first.folder is not None
        overwrite(first, "idx")
        open_corpus(corpus, tmp_path / "cache")  # sees it when opening, and builds anew
        with pytest.raises(UserError):
            first.lexical().search("słowo1 słowo2", 5)
        verify_index(first.folder)


class TestVerifying:
    def test_one_changed_byte(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "out")
        path = tmp_path / "out" / "passages" / LINES
        path.write_bytes(path.read_bytes().replace(b"1410", b"1411"))
        with pytest.raises(UserError) as caught:
            verify_index(tmp_path / "out")
        assert caught.value.code == "index-changed"
        assert "passages/passages.jsonl" in caught.value.say("pl")

    def test_an_additional_file(self, corpus, tmp_path):
        build_index(corpus, tmp_path / "out")
        (tmp_path / "out" / "passages" / "extra.npy").write_bytes(b"x")
        with pytest.raises(UserError) as caught:
            verify_index(tmp_path / "out")
        assert "extra.npy" in caught.value.say("en")


class TestCache:
    def test_a_corpus_is_indexed_once(self, corpus, tmp_path, monkeypatch):
        first = open_corpus(corpus, tmp_path / "cache")
        assert first.folder is not None
        assert first.folder.parent == tmp_path / "cache" / "indexes"
        assert first.folder.name.endswith(ANALYSER_VERSION)
        monkeypatch.setattr(index_module, "build_folder", lambda *_, **__: pytest.fail("built again"))
        assert list(open_corpus(corpus, tmp_path / "cache").passages) == PASSAGES

    def test_another_corpus_is_another_index(self, corpus, tmp_path):
        assert open_corpus(corpus, tmp_path / "c").folder != open_corpus(corpus[:1], tmp_path / "c").folder

    def test_a_damaged_cache_is_rebuilt(self, corpus, tmp_path):
        folder = open_corpus(corpus, tmp_path / "cache").folder
        assert folder is not None
        (folder / "lexical" / "meta.json").write_text("")
        mended = open_corpus(corpus, tmp_path / "cache")
        assert len(mended.passages) == 3
        (note,) = mended.notes
        assert str(folder) in note.say("pl")
        verify_index(folder)

    def test_the_first_build_is_no_news(self, corpus, tmp_path):
        assert open_corpus(corpus, tmp_path / "cache").notes == ()

    def test_an_index_of_an_older_version_is_replaced_without_a_word(self, corpus, tmp_path):
        folder = open_corpus(corpus, tmp_path / "cache").folder
        assert folder is not None
        change_manifest(folder, schema_version=1)
        assert open_corpus(corpus, tmp_path / "cache").notes == ()
        verify_index(folder)

    def test_an_unwritable_cache_names_the_setting(self, corpus, tmp_path):
        (tmp_path / "plik").write_text("x")
        with pytest.raises(UserError) as caught:
            open_corpus(corpus, tmp_path / "plik")
        assert caught.value.code == "cache-unwritable"
        assert "POLQA_CACHE_DIR" in caught.value.say("pl")
        assert "POLQA_CACHE_DIR" in caught.value.say("en")

    def test_a_bad_corpus_is_not_blamed_on_the_cache(self, tmp_path):
        with pytest.raises(UserError) as caught:
            open_corpus([tmp_path / "nie-ma.jsonl"], tmp_path / "cache")
        assert caught.value.code == "corpus-missing"

    def test_processes_that_build_the_same_all_succeed(self, tmp_path):
        corpus = write(tmp_path / "a.jsonl", [Passage(str(n), "tytuł", f"słowo{n} i inne") for n in range(3_000)])
        code = (
            "import sys; from pathlib import Path; from polqa_demo.retrieval.index import open_corpus\n"
            "index = open_corpus([Path(sys.argv[1])], Path(sys.argv[2]))\n"
            "assert index.lexical().search('słowo2999', 1).passage_ids == ('2999',)"
        )
        builders = [
            subprocess.Popen([sys.executable, "-c", code, str(corpus), str(tmp_path / "cache")], stderr=subprocess.PIPE)
            for _ in range(4)
        ]
        complaints = [builder.communicate()[1].decode() for builder in builders]
        assert [builder.returncode for builder in builders] == [0] * 4, complaints
        (folder,) = (tmp_path / "cache" / "indexes").iterdir()
        verify_index(folder)


class TestMemory:
    def test_has_the_same_interface(self):
        index = memory_index(iter(PASSAGES), "próbka")
        assert (index.name, index.folder, index.manifest) == ("próbka", None, None)
        assert list(index.passages) == PASSAGES
        assert index.lexical().search("Łódź", 5).passage_ids == ("2-0",)

    def test_an_empty_corpus(self):
        with pytest.raises(UserError) as caught:
            memory_index([], "pusta")
        assert "pusty" in caught.value.say("pl")


def manifest_of(folder: Path) -> dict[str, object]:
    return json.loads((folder / "manifest.json").read_text())


class TestVectors:
    @pytest.fixture
    def encoder(self) -> HashedEncoder:
        return HashedEncoder("test/trigramy")

    @pytest.fixture
    def folder(self, corpus, tmp_path, encoder) -> Path:
        return build_index(corpus, tmp_path / "out", encoder=encoder).folder

    def test_what_is_built_is_found_by_vectors(self, folder, encoder):
        opened = verify_index(folder)
        assert opened.manifest.encoder == EncoderMark("test/trigramy", 64, encoder.fingerprint, cut=0)
        assert "vectors/vectors.npy" in opened.manifest.files
        wanted = encoder.encode_passages(PASSAGES)
        np.testing.assert_allclose(opened.vectors.vectors, wanted, atol=1e-3)
        assert opened.dense(encoder).search("urodziny Kopernika w Toruniu", 1).passage_ids == ("6-0",)
        assert opened.hybrid(encoder).search("Gdzie leży Łódź?", 1).passage_ids == ("2-0",)
        one_part = opened.hybrid(encoder, Fusion("min-max", dense_weight=0))
        assert one_part.search("Gdzie leży Łódź?", 1).scores == (1.0,)
        assert opened.lexical().search("Łódź", 1).passage_ids == ("2-0",)

    def test_an_index_of_another_encoder_is_refused_with_both_names(self, folder):
        for other in (HashedEncoder("test/inny", 64, "x"), HashedEncoder("test/inny", 32)):
            for search in (open_index(folder).dense, open_index(folder).hybrid):
                with pytest.raises(UserError) as caught:
                    search(other)
                assert caught.value.code == "index-other-encoder"
                for language in ("pl", "en"):
                    text = caught.value.say(language)
                    assert "test/trigramy" in text
                    assert "test/inny" in text
                    assert "--encoder" in text

    def test_other_weights_under_the_same_name_are_told_apart(self, folder):
        with pytest.raises(UserError) as caught:
            open_index(folder).dense(HashedEncoder("test/trigramy", 64, "nowsze"))
        assert "nowsze-64" in caught.value.say("pl")
        assert "(-64)" in caught.value.say("pl")

    def test_the_same_weights_under_another_name_will_do(self, folder):
        assert open_index(folder).dense(HashedEncoder("/modele/trigramy")).search("Łódź", 1).passage_ids == ("2-0",)

    def test_an_index_without_vectors_says_how_they_are_made(self, corpus, tmp_path, encoder):
        index = build_index(corpus, tmp_path / "out")
        assert index.manifest.encoder is None
        assert not (tmp_path / "out" / "vectors").exists()
        with pytest.raises(UserError) as caught:
            index.dense(encoder)
        assert caught.value.code == "index-without-vectors"
        command = f"index build --corpus FILE --out {tmp_path / 'out'} --encoder test/trigramy"
        assert command in caught.value.say("pl")
        assert command in caught.value.say("en")

    def test_an_index_of_the_version_before_vectors_still_opens(self, corpus, tmp_path, encoder):
        build_index(corpus, tmp_path / "out")
        record = manifest_of(tmp_path / "out")
        del record["encoder"]
        (tmp_path / "out" / "manifest.json").write_text(json.dumps(record | {"schema_version": 2}))
        opened = open_index(tmp_path / "out")
        assert opened.lexical().search("Łódź", 1).passage_ids == ("2-0",)
        with pytest.raises(UserError, match="has no vectors"):
            opened.dense(encoder)

    @pytest.mark.parametrize("value", [1, "e5", {}, {"name": "a", "dimension": "64", "fingerprint": "b"}, []])
    def test_a_manifest_with_a_damaged_encoder(self, folder, value):
        change_manifest(folder, encoder=value)
        assert refused(folder).code == "index-manifest-damaged"

    @pytest.mark.parametrize("harm", ["gone", "shorter", "of another size", "of another type", "columns first"])
    def test_damaged_vectors(self, folder, encoder, harm):
        file = folder / "vectors" / "vectors.npy"
        vectors = np.load(file)
        file.unlink()
        if harm != "gone":
            changed = {
                "shorter": vectors[:2],
                "of another size": vectors[:, :32],
                "of another type": vectors.astype(np.float64),
                "columns first": np.asfortranarray(vectors),
            }[harm]
            np.save(file, changed)
        assert refused(folder).code == "index-changed"
        if harm != "gone":
            mark_anew(folder)
            assert refused(folder).code in ("vectors-misfit", "vectors-damaged")

    def test_pickled_vectors_are_not_read(self, folder):
        file = folder / "vectors" / "vectors.npy"
        file.unlink()
        np.save(file, np.array([{"a": 1}] * 3, dtype=object), allow_pickle=True)
        mark_anew(folder)
        assert refused(folder).code == "vectors-damaged"

    def test_verifying_reads_every_vector(self, folder, encoder):
        file = folder / "vectors" / "vectors.npy"
        vectors = np.load(file)
        file.unlink()
        vectors[1] = np.nan
        np.save(file, vectors)
        mark_anew(folder)
        with pytest.raises(UserError) as caught:
            verify_index(folder)
        assert caught.value.code == "vectors-unfit"
        assert "nr 2;" in caught.value.say("pl")
        with pytest.raises(UserError):
            open_index(folder).dense(encoder)

    @pytest.mark.parametrize(("value", "told"), [(np.nan, "nan"), (0.5, "4"), (1e9, "8e+09")])
    def test_an_encoder_that_fails_leaves_the_old_index_alone(self, folder, corpus, tmp_path, value, told, monkeypatch):
        broken = HashedEncoder("zepsuty")
        good = broken.encode_passages(PASSAGES)
        good[2] = value
        monkeypatch.setattr(broken, "encode_passages", lambda passages, progress=None: good[: len(passages)])
        with pytest.raises(UserError) as caught:
            build_index(corpus, tmp_path / "out", encoder=broken)
        assert caught.value.code == "vectors-unfit"
        assert f"nr 3; długość pierwszego: {told}" in caught.value.say("pl")
        assert verify_index(folder).manifest.encoder.name == "test/trigramy"
        assert not list(tmp_path.glob(".*"))

    def test_an_encoder_may_forget_what_it_kept_when_the_index_is_there(self, corpus, tmp_path, encoder):
        there: list[bool] = []
        encoder.forget_finished = lambda: there.append((tmp_path / "out" / "manifest.json").exists())
        build_index(corpus, tmp_path / "out", encoder=encoder)
        assert there == [True]

    @pytest.mark.skipif(not embedded_available(), reason="the package with the embedded encoder is not installed")
    def test_the_embedded_encoder_finds_what_no_word_shows(self, corpus, tmp_path):
        encoder = open_encoder(EMBEDDED, tmp_path / "cache")
        index = build_index(corpus, tmp_path / "out", encoder=encoder)
        question = "W jakim mieście przyszedł na świat słynny astronom?"
        assert index.lexical().search(question, 1).passage_ids == ()
        assert index.dense(encoder).search(question, 1).passage_ids == ("6-0",)
        found = index.hybrid(encoder).search(question, 3)
        assert found.passage_ids[0] == "6-0"
        assert [part.rank for part in index.hybrid(encoder).explain(question, ("6-0",))[0].parts] == [None, 1]

    def test_more_passages_than_one_chunk(self, tmp_path, encoder):
        passages = [one for seed in range(5) for one in many(seed)]
        told: list[tuple[int, int | None]] = []
        built = build_index(
            [write(tmp_path / "a.jsonl", passages)],
            tmp_path / "out",
            lambda done, total: told.append((done, total)),
            encoder=encoder,
        )
        assert encoder.encoded == 2_500
        assert [done for done, total in told if total == 2_500][-4:] == [1_024, 2_048, 2_500, 2_500]
        np.testing.assert_allclose(built.vectors.vectors, encoder.encode_passages(passages), atol=1e-3)

    def test_the_cache_keeps_vectors_by_encoder(self, corpus, tmp_path, encoder):
        first = open_corpus(corpus, tmp_path / "cache", encoder=encoder)
        found = first.dense(encoder).search("Łódź", 3)
        asked = encoder.encoded
        again = open_corpus(corpus, tmp_path / "cache", encoder=encoder)
        assert again.folder == first.folder
        assert again.dense(encoder).search("Łódź", 3) == found
        assert encoder.encoded == asked + 1  # the question alone
        others = {
            open_corpus(corpus, tmp_path / "cache").folder,
            open_corpus(corpus, tmp_path / "cache", encoder=HashedEncoder("inny", 64, "x")).folder,
            open_corpus(corpus, tmp_path / "cache", encoder=encoder, wikipedia_ids=True).folder,
            first.folder,
        }
        assert len(others) == 4

    def test_damaged_vectors_of_the_cache_are_made_anew(self, corpus, tmp_path, encoder):
        folder = open_corpus(corpus, tmp_path / "cache", encoder=encoder).folder
        (folder / "vectors" / "vectors.npy").unlink()
        mended = open_corpus(corpus, tmp_path / "cache", encoder=encoder)
        assert len(mended.notes) == 1
        assert verify_index(folder).dense(encoder).search("Łódź", 1).passage_ids == ("2-0",)

    @pytest.mark.parametrize("dtype", [np.float16, np.float32])
    def test_in_memory(self, encoder, dtype):
        vectors = PassageVectors(encoder.encode_passages(PASSAGES).astype(dtype), EncoderMark.of(encoder))
        index = memory_index(PASSAGES, "próbka", vectors)
        assert index.dense(encoder).search("Łódź", 1).passage_ids == ("2-0",)
        assert index.hybrid(encoder).search("Łódź", 3).passage_ids[0] == "2-0"
        with pytest.raises(UserError) as caught:
            index.dense(HashedEncoder("inny", 64, "x"))
        assert "próbka" in caught.value.say("pl")
        with pytest.raises(UserError) as caught:
            memory_index(PASSAGES[:2], "próbka", vectors)
        assert caught.value.code == "vectors-misfit"
        assert "(2, 64)" in caught.value.say("pl")
        with pytest.raises(UserError, match="has no vectors"):
            memory_index(PASSAGES, "próbka").dense(encoder)
