"""The gold sets at hand, by name: the embedded sample always, PolQA's splits once they were fetched."""

from collections.abc import Sequence
from pathlib import Path, PurePath

from polqa_demo.data import polqa, sample
from polqa_demo.errors import Bilingual, UserError

DEFAULT_GOLD = f"{sample.NAME}/test"
POLQA = "polqa"


def gold_names() -> list[str]:
    """Names of the gold sets that need no network, the default first."""
    names = [DEFAULT_GOLD, *(f"{sample.NAME}/{split}" for split in ("valid", "train"))]
    names += [f"{POLQA}/{split}" for split in ("test", "valid", "train") if polqa.cached_file(polqa.split_file(split))]
    return names


def is_collection(name: str) -> bool:
    """Whether a name is that of a split of a known collection, at hand or not: `polqa/test`, `polqa/tset`."""
    return name.partition("/")[0] in (sample.NAME, POLQA) and "/" in name


def gold_file(name: str) -> Path:
    """The file of a gold set by its name; it is read as any other gold file is.

    :raises UserError: no such name; lists the known ones
    """
    names = gold_names()
    if name not in names:
        raise unknown_gold(name, names)
    collection, _, split = name.partition("/")
    if collection == sample.NAME:
        return sample.FOLDER / polqa.split_file(split)
    return polqa.fetch(polqa.split_file(split))


def unknown_gold(name: str, names: Sequence[str], *, by_path: bool = True) -> UserError:
    """What is said to a name that is none of the known ones.

    :param by_path: gold may be named by a path, and fetched; else only the names of a server are
    """
    if not by_path:
        listed = ", ".join(names)
        return UserError(
            "unknown-gold",
            f"Nie ma złotego zbioru „{name[:60]}”. Dostępne: {listed}.",
            f"There is no gold set {name[:60]!r}. Known: {listed}.",
        )
    looks = PurePath(name).suffix or "/" in name or "\\" in name
    file = (
        Bilingual(f"Nie ma pliku „{name[:60]}”. ", f"There is no file {name[:60]!r}. ") if looks else Bilingual("", "")
    )
    known = ", ".join(names)
    collection, _, asked = name.partition("/")
    split = asked if collection == POLQA and asked in polqa.SPLIT_FILES else "test"
    return UserError(
        "unknown-gold",
        f"{file.pl}Nie ma złotego zbioru „{name[:60]}”. Dostępne: {known}. PolQA pobierzesz poleceniem: "
        f"python -m polqa_demo data fetch --split {split}",
        f"{file.en}There is no gold set {name[:60]!r}. Known: {known}. PolQA comes with: "
        f"python -m polqa_demo data fetch --split {split}",
    )
