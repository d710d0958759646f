"""The texts of those passages that somebody asks for, from corpora too large to be kept."""

from collections.abc import Callable, Sequence
from pathlib import Path

from polqa_demo.data.passages import PassageStore, read_passages
from polqa_demo.records import Passage


def full_text(passage: Passage) -> str:
    """What a reader sees of a passage: its title and its text."""
    return f"{passage.title}\n{passage.text}"


def text_lookup(passages: PassageStore) -> Callable[[str], str | None]:
    """Gives the full text of a passage of the store by its id; None for an id that is not there."""

    def text(passage_id: str) -> str | None:
        passage = passages.get(passage_id)
        return full_text(passage) if passage else None

    return text


class CorpusTexts:
    """A corpus of JSONL files, by id: first it says which ids it has, then it gives texts.

    The ids are read at once. The first text reads the files once more and keeps those passages alone that were looked
    for until then, since millions of texts would not fit into memory; a later one is not at hand.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Reads the ids; raises UserError as `read_passages` does."""
        self._paths = paths
        self._ids = frozenset(passage.id for passage in read_passages(paths))
        self._wanted: set[str] = set()
        self._texts: dict[str, str] | None = None

    def __contains__(self, passage_id: object) -> bool:
        """Whether the corpus has a passage."""
        if not isinstance(passage_id, str) or passage_id not in self._ids:
            return False
        self._wanted.add(passage_id)
        return True

    def text_of(self, passage_id: str) -> str | None:
        """Title and text of a passage that was looked for before the first text; None for all others."""
        if self._texts is None:
            passages = read_passages(self._paths) if self._wanted else iter(())
            self._texts = {passage.id: full_text(passage) for passage in passages if passage.id in self._wanted}
        return self._texts.get(passage_id)
