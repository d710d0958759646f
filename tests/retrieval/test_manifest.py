"""How the files of an index are recognised."""

from pathlib import Path

import pytest

from polqa_demo.errors import UserError
from polqa_demo.retrieval.lexical import ANALYSER_VERSION
from polqa_demo.retrieval.manifest import (
    SAMPLE_BLOCK,
    SCHEMA_VERSION,
    Manifest,
    changed_files,
    mark_files,
    read_manifest,
    write_manifest,
)

LARGE = "lexical/large"
SIZE = 10 * SAMPLE_BLOCK


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("passages", "lexical"):
        (tmp_path / name).mkdir()
    (tmp_path / LARGE).write_bytes(bytes(SIZE))
    (tmp_path / "passages" / "small").write_bytes(b"abc")
    (tmp_path / "lexical" / ".x.lock").touch()
    manifest = Manifest(
        SCHEMA_VERSION, "1", ANALYSER_VERSION, "0.27", "0" * 64, 3, ("a.jsonl",), False, mark_files(tmp_path)
    )
    write_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest
    return tmp_path


def wrong(folder: Path, *, whole: bool = False) -> tuple[str, ...]:
    return changed_files(folder, read_manifest(folder), whole=whole)


def test_nothing_changed(folder: Path) -> None:
    assert wrong(folder) == wrong(folder, whole=True) == ()


@pytest.mark.parametrize("place", [0, SAMPLE_BLOCK - 1, SIZE // 2, SIZE - SAMPLE_BLOCK, SIZE - 1])
def test_a_byte_at_the_ends_or_in_the_middle_is_seen(folder: Path, place: int) -> None:
    with (folder / LARGE).open("r+b") as stream:
        stream.seek(place)
        stream.write(b"x")
    assert wrong(folder) == wrong(folder, whole=True) == (LARGE,)


def test_a_byte_between_is_seen_when_all_is_read(folder: Path) -> None:
    with (folder / LARGE).open("r+b") as stream:
        stream.seek(2 * SAMPLE_BLOCK)
        stream.write(b"x")
    assert wrong(folder) == ()
    assert wrong(folder, whole=True) == (LARGE,)


@pytest.mark.parametrize("size", [1, 2 * SAMPLE_BLOCK, 3 * SAMPLE_BLOCK])
def test_up_to_three_blocks_every_byte_is_seen(folder: Path, size: int) -> None:
    for place in {0, size // 3, size // 2, 2 * size // 3, size - 1}:
        (folder / LARGE).write_bytes(bytes(size))
        manifest = Manifest(SCHEMA_VERSION, "", ANALYSER_VERSION, "", "", 1, (), False, mark_files(folder))
        assert changed_files(folder, manifest) == ()
        (folder / LARGE).write_bytes(bytes(place) + b"x" + bytes(size - place - 1))
        assert changed_files(folder, manifest) == (LARGE,)


def test_a_file_cut_off_gone_or_put_in_the_place_of_a_folder(folder: Path) -> None:
    (folder / LARGE).write_bytes(bytes(SIZE - 1))
    assert wrong(folder) == (LARGE,)
    (folder / LARGE).unlink()
    assert wrong(folder) == (LARGE,)
    (folder / LARGE).mkdir()
    assert wrong(folder) == wrong(folder, whole=True) == (LARGE,)


def test_an_additional_file_is_seen_when_all_is_read(folder: Path) -> None:
    (folder / "passages" / "more").touch()
    assert wrong(folder) == ()
    assert wrong(folder, whole=True) == ("passages/more",)


def test_an_unfinished_manifest_is_none(folder: Path) -> None:
    (folder / "manifest.json").rename(folder / "manifest.tmp")
    with pytest.raises(UserError) as caught:
        read_manifest(folder)
    assert caught.value.code == "index-incomplete"
