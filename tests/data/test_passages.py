import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.data import passages as passages_module
from polqa_demo.data.passages import DuplicateIdError, PassageStore, checksum, read_passages, with_places
from polqa_demo.errors import UserError
from polqa_demo.records import Passage

ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=300)
corpora = st.lists(
    st.builds(Passage, ids, st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8"))),
    min_size=1,
    max_size=20,
    unique_by=lambda passage: passage.id,
)


def write(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines) + b"\n")
    return path


def read(path: Path) -> list[Passage]:
    return list(read_passages([path]))


def refused(path: Path) -> UserError:
    with pytest.raises(UserError) as caught:
        read(path)
    return caught.value


class TestReading:
    def test_several_files_are_one_corpus(self, tmp_path):
        first = write(tmp_path / "a.jsonl", '{"id": "1-0", "title": "Łódź", "text": "Łódź leży nad Łódką.", "x": [1]}')
        second = write(tmp_path / "b.jsonl", '{"id": "2-0", "text": "Bez tytułu"}', '{"id":3,"title":null,"text":""}')
        assert list(read_passages([first, second])) == [
            Passage("1-0", "Łódź", "Łódź leży nad Łódką."),
            Passage("2-0", "", "Bez tytułu"),
            Passage("3", "", ""),
        ]

    def test_gzip_is_known_by_content_not_by_name(self, tmp_path):
        path = tmp_path / "corpus.jsonl"
        path.write_bytes(gzip.compress('{"id": "1", "text": "ą"}\n'.encode()))
        assert read(path) == [Passage("1", "", "ą")]

    def test_bom_blank_lines_crlf_and_unicode_line_separators(self, tmp_path):
        path = tmp_path / "corpus.jsonl"
        path.write_bytes('\ufeff{"id": "1", "text": "a\u2028b\u0085c"}\r\n\r\n  \r\n{"id": "2", "text": "d"}'.encode())
        assert read(path) == [Passage("1", "", "a\u2028b\u0085c"), Passage("2", "", "d")]

    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("511", "511"),
            ("511.0", "511"),
            ('" 511 "', "511"),
            ('"0511"', "0511"),
            ('"101.0"', "101.0"),
            ("-3", "-3"),
            ("9" * 5000, "9" * 5000),
        ],
    )
    def test_ids_become_text(self, tmp_path, written, meant):
        assert read(write(tmp_path / "c.jsonl", f'{{"id": {written}, "text": "x"}}')) == [Passage(meant, "", "x")]

    @pytest.mark.parametrize("extra", ["NaN", "-Infinity", "1e999", "1" * 6000, "null", "[[{}]]"])
    def test_further_keys_never_matter(self, tmp_path, extra):
        assert read(write(tmp_path / "c.jsonl", f'{{"id": "1", "text": "x", "score": {extra}}}'))[0].id == "1"

    def test_half_a_surrogate_pair_becomes_a_replacement_character(self, tmp_path):
        path = write(tmp_path / "c.jsonl", r'{"id": "1\ud800", "title": "\udc00", "text": "a\ud800b \ud83d\ude00"}')
        passage = read(path)[0]
        assert passage == Passage("1\ufffd", "\ufffd", "a\ufffdb 😀")
        assert PassageStore.of([passage])[0] == passage

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ('{"id": "2", "text": "x"', "passages-not-json"),
            ("[" * 200_000, "passages-not-json"),
            ('["2", "x"]', "passages-not-object"),
            ("17", "passages-not-object"),
            ('{"text": "x"}', "passages-bad-id"),
            ('{"id": null, "text": "x"}', "passages-bad-id"),
            ('{"id": "  ", "text": "x"}', "passages-bad-id"),
            ('{"id": true, "text": "x"}', "passages-bad-id"),
            ('{"id": NaN, "text": "x"}', "passages-bad-id"),
            ('{"id": 1e999, "text": "x"}', "passages-bad-id"),
            ('{"id": 1.5, "text": "x"}', "passages-bad-id"),
            ('{"id": ["2"], "text": "x"}', "passages-bad-id"),
            ('{"id": "2"}', "passages-bad-text"),
            ('{"id": "2", "text": null}', "passages-bad-text"),
            ('{"id": "2", "text": 5}', "passages-bad-text"),
            ('{"id": "2", "text": "x", "title": {}}', "passages-bad-title"),
            ('{"id": "2", "text": "łódź"}'.encode("cp1250"), "passages-not-utf8"),
        ],
    )
    def test_a_bad_line_is_named(self, tmp_path, line, code):
        error = refused(write(tmp_path / "korpus.jsonl", '{"id": "1", "text": "x"}', "", line))
        assert error.code == code
        assert "korpus.jsonl, wiersz 3" in error.say("pl")
        assert "korpus.jsonl, line 3" in error.say("en")

    @pytest.mark.parametrize(
        ("record", "passage"),
        [
            ({"_id": "d1", "title": "T", "text": "x", "metadata": {}}, Passage("d1", "T", "x")),
            ({"id": "d1", "contents": "T\nx"}, Passage("d1", "", "T\nx")),
            ({"docid": "1#0", "title": "T", "text": "x"}, Passage("1#0", "T", "x")),
            ({"docid": 77, "docno": "d1", "body": "x"}, Passage("d1", "", "x")),
            ({"docno": "d1", "text": "x", "body": "y"}, Passage("d1", "", "x")),
            ({"ID": "d1", "Tytuł": "T", "Tekst": "x"}, Passage("d1", "T", "x")),
            ({"passage_id": "d1", "passage_title": "T", "passage_text": "x"}, Passage("d1", "T", "x")),
            # What is called `id` goes before all others, as it always did.
            ({"docno": "d7", "id": "d1", "_id": "d8", "text": "x", "contents": "y"}, Passage("d1", "", "x")),
        ],
    )
    def test_fields_under_the_names_of_others(self, tmp_path, record, passage):
        line = json.dumps(record, ensure_ascii=False)
        assert read(write(tmp_path / "c.jsonl", line)) == [passage]

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("id\ttext\ttitle\n1\tx\tT\n", "passages-tab-parted"),
            ("1-0\tBitwa pod Grunwaldem.\n", "passages-tab-parted"),
            ('[{"id": "1", "text": "x"}]', "passages-array"),
            ('[\n{"id": "1", "text": "x"}\n]', "passages-array"),
            ('{\t"id": "1"', "passages-not-json"),
        ],
    )
    def test_other_forms_are_refused_by_what_they_are(self, tmp_path, text, code):
        path = tmp_path / "c.tsv"
        path.write_text(text, encoding="utf-8")
        assert refused(path).code == code

    def test_a_missing_field_is_told_with_those_found(self, tmp_path):
        for line in ('{"numer": 1, "text": "x"}', '{"id": 1, "numer": 2}'):
            assert "numer" in refused(write(tmp_path / "c.jsonl", line)).say("pl")

    def test_an_empty_corpus_is_refused(self, tmp_path):
        for lines in ((), ("", "  ")):
            error = refused(write(tmp_path / "pusty.jsonl", *lines))
            assert error.code == "corpus-empty"
            assert "pusty" in error.say("pl")
        with pytest.raises(UserError):
            list(read_passages([]))

    def test_one_empty_file_beside_a_full_one_is_fine(self, tmp_path):
        full = write(tmp_path / "a.jsonl", '{"id": "1", "text": "x"}')
        assert len(list(read_passages([write(tmp_path / "b.jsonl"), full]))) == 1

    def test_files_that_cannot_be_read(self, tmp_path):
        assert refused(tmp_path / "nie-ma.jsonl").code == "corpus-missing"
        assert refused(tmp_path).code == "corpus-unreadable"
        cut = tmp_path / "cut.jsonl.gz"
        cut.write_bytes(gzip.compress(b'{"id": "1", "text": "x"}\n' * 1000)[:-20])
        assert refused(cut).code == "corpus-unreadable"
        torn = tmp_path / "torn.jsonl.gz"
        torn.write_bytes(gzip.compress(b"")[:10] + b"\xff" * 50)
        assert refused(torn).code == "corpus-unreadable"

    def test_reading_streams(self, tmp_path):
        path = write(tmp_path / "a.jsonl", '{"id": "1", "text": "x"}', "broken")
        assert next(read_passages([path])).id == "1"


class TestChecksum:
    def test_is_that_of_the_bytes_in_order(self, tmp_path):
        a, b = write(tmp_path / "a", "1"), write(tmp_path / "b", "2")
        # sha256 of "1\n2\n", by coreutils' sha256sum
        assert checksum([a, b]) == "a6e2b7a040683432de03a18fd8a1939a2fdf82585b364bfc874bdd4095c4cae1"
        assert checksum([a, b]) != checksum([b, a])
        assert checksum([a]) == checksum([write(tmp_path / "c", "1")])

    def test_missing_file(self, tmp_path):
        with pytest.raises(UserError) as caught:
            checksum([tmp_path / "nie-ma"])
        assert caught.value.code == "corpus-missing"


class TestStore:
    @settings(deadline=None)
    @given(corpora)
    def test_round_trip_in_memory_and_on_disk(self, tmp_path_factory, corpus):
        folder = tmp_path_factory.mktemp("store")
        for store in (PassageStore.of(corpus), PassageStore.build(folder, iter(corpus)), PassageStore.open(folder)):
            assert list(store) == corpus
            assert len(store) == len(corpus)
            for row, passage in enumerate(corpus):
                assert store[row] == store.get(passage.id) == passage
                assert store.row(passage.id) == row
                assert store.id_at(row) == passage.id

    @given(corpora, ids)
    def test_an_unknown_id_is_none(self, corpus, passage_id):
        store = PassageStore.of(corpus)
        known = {passage.id for passage in corpus}
        assert (store.row(passage_id) is None) == (passage_id not in known)
        assert (store.get(passage_id) is None) == (passage_id not in known)

    @given(corpora)
    def test_colliding_hashes_are_told_apart(self, corpus):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(passages_module, "_hash", lambda passage_id: len(passage_id) % 2)
            store = PassageStore.of(corpus)
            assert [store.row(passage.id) for passage in corpus] == list(range(len(corpus)))
            assert [store.get(passage.id) for passage in corpus] == corpus
            assert store.row("\0not there") is None
            with pytest.raises(DuplicateIdError):
                PassageStore.of([*corpus, corpus[0]])

    def test_rows_out_of_range(self):
        store = PassageStore.of([Passage("1", "", "x")])
        for row in (-1, 1):
            with pytest.raises(IndexError):
                store[row]

    def test_equal_ids_are_refused_with_file_and_line(self, tmp_path):
        a = write(tmp_path / "a.jsonl", '{"id": "1", "text": "x"}', "", '{"id": "7", "text": "y"}')
        b = write(tmp_path / "b.jsonl", '{"id": "3", "text": "x"}', '{"id": 7, "text": "z"}')
        with pytest.raises(DuplicateIdError) as caught:
            PassageStore.build(tmp_path / "store", read_passages([a, b]))
        error = with_places(caught.value, [a, b])
        assert error.rows == (1, 3)
        for language in ("pl", "en"):
            assert "a.jsonl:3" in error.say(language)
            assert "b.jsonl:2" in error.say(language)

    def test_no_passages(self, tmp_path):
        with pytest.raises(UserError):
            PassageStore.of([])
        with pytest.raises(UserError):
            PassageStore.build(tmp_path / "store", [])

    def test_progress_counts_up_to_the_end(self, tmp_path):
        told: list[tuple[int, int | None]] = []
        many = (Passage(str(number), "", "x") for number in range(4_500))
        PassageStore.build(tmp_path / "store", many, lambda done, total: told.append((done, total)))
        assert told == [(2000, None), (4000, None), (4500, 4500)]

    @pytest.mark.parametrize("name", ["passages.jsonl", "offsets.npy", "id_hashes.npy", "id_rows.npy"])
    @pytest.mark.parametrize("harm", ["remove", "empty", "cut", "rubbish"])
    def test_a_damaged_folder_is_refused(self, tmp_path, name, harm):
        PassageStore.build(tmp_path, (Passage(str(number), "t", "x" * number) for number in range(50)))
        path = tmp_path / name
        if harm == "remove":
            path.unlink()
        else:
            whole = path.read_bytes()
            path.write_bytes({"empty": b"", "cut": whole[:-9], "rubbish": b"rubbish" * 30}[harm])
        with pytest.raises(UserError) as caught:
            PassageStore.open(tmp_path)
        assert caught.value.code == "passages-damaged"

    def test_nothing_is_unpickled(self, tmp_path):
        PassageStore.build(tmp_path, [Passage("1", "", "x")])
        np.save(tmp_path / "id_rows.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
        with pytest.raises(UserError):
            PassageStore.open(tmp_path)

    def test_a_changed_line_is_an_error_with_a_cure_not_a_traceback(self, tmp_path):
        PassageStore.build(tmp_path, [Passage("1", "tytuł", "tekst")])
        path = tmp_path / "passages.jsonl"
        path.write_bytes(b"#" * len(path.read_bytes()))
        with pytest.raises(UserError):
            PassageStore.open(tmp_path)[0]

    def test_memory_stays_small(self, tmp_path):
        """A corpus of 60 MB of text is built and read in a process that may not grow by half of that."""
        code = """
import json, resource, sys
from pathlib import Path
from polqa_demo.data.passages import PassageStore
from polqa_demo.records import Passage
def anonymous():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024
def passages():
    for number in range(60_000):
        yield Passage(f"{number}-0", "Tytuł", f"{number} " + "tekst " * 160)
before = anonymous()
highest = 0.0
def watch(done, total):
    global highest
    highest = max(highest, anonymous())
store = PassageStore.build(Path(sys.argv[1]), passages(), watch)
assert store.get("59999-0").text.startswith("59999 ")
print(json.dumps({"size": (Path(sys.argv[1]) / "passages.jsonl").stat().st_size / 1e6, "grown": highest - before}))
"""
        if not Path("/proc/self/status").exists():
            pytest.skip("needs /proc")
        run = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "s")], capture_output=True, text=True, check=True
        )
        measured = json.loads(run.stdout)
        assert measured["size"] > 55
        assert measured["grown"] < 20
