"""Several columns or fields that may name the question -> the one that does.

An export numbers its rows under `id` while the question's own id stands under `query_id`; no order of names tells the
two apart, what they hold does.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

from polqa_demo.data.columns import plain_name
from polqa_demo.data.lines import id_text
from polqa_demo.errors import Bilingual, Problem
from polqa_demo.submissions.coverage import as_floats
from polqa_demo.submissions.problems import refuse
from polqa_demo.submissions.row_numbers import with_inner_ids
from polqa_demo.submissions.table import ID_NAMES, PASSAGE_NAMES, QUESTION_NAMES, SAMPLE, Table

# Names that say nothing of what they number.
_BARE = ("id", "_id")
# From this share of known ids on a column may be that of the questions.
_MATCHING = 0.5


@dataclass(frozen=True, slots=True)
class _Column:
    """The ids of the first rows under one name; empty where a row has none."""

    name: str
    ids: tuple[str, ...]

    @property
    def is_bare(self) -> bool:
        return self.name in _BARE

    def known(self, known: Collection[str]) -> int:
        """In how many rows a known id stands."""
        return sum(key in known for key in self.ids)

    def is_counter(self) -> bool:
        """Whether it counts the rows, from any number on."""
        numbers = [int(key) for key in self.ids if key.isdecimal() and key.isascii() and len(key) < 16]
        return len(numbers) == len(self.ids) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))

    def differs(self, other: "_Column") -> bool:
        """Whether some row has another id under the other name."""
        return any(one and two and one != two for one, two in zip(self.ids, other.ids, strict=True))

    def names(self, others: Sequence[str]) -> bool:
        """Whether each id has one of the others, and each of them one id."""
        pairs = set(zip(self.ids, others, strict=True))
        return len(pairs) == len({key for key, _ in pairs}) == len({other for _, other in pairs})


def with_known_ids(table: Table, known: Collection[str]) -> Table:
    """The table of predictions, led by the column of ids that holds those of the gold.

    :raises Refused: two columns hold ids of the gold, other ones in the same rows
    """
    table = with_inner_ids(table, known)
    columns = _id_columns(table)
    if len(columns) < 2:
        return table
    wide = as_floats(set(known))
    counts = {column.name: column.known(wide) for column in columns}
    least = max(1, max(counts.values()) * _MATCHING)
    rivals = [column for column in columns if counts[column.name] >= least]
    if len(rivals) > 1:
        rivals = _by_repeats(table, rivals)
    if len(rivals) > 1:
        # Both are ids of the gold; a bare `id` that counts the rows is their number.
        specific = [column for column in rivals if not (column.is_bare and column.is_counter())]
        rivals = specific or rivals
    pair = next((pair for pair in combinations(rivals, 2) if pair[0].differs(pair[1])), None)
    if pair is not None:
        raise _ambiguous(table.name, pair, counts)
    if not rivals:
        return table
    chosen = rivals[0]
    others = [column for column in columns if column is not chosen]
    if chosen is columns[0] and not any(counts[column.name] for column in others):
        return _led_by(table, chosen)
    told = _shown(columns, counts)
    message = Bilingual(
        f"Plik ma kilka kolumn lub pól identyfikatorów; wzięto {chosen.name}. Wiersze ze znanym identyfikatorem: "
        f"{told}. Jeśli to inna kolumna nazywa pytanie, usuń {chosen.name} albo zmień jej nazwę.",
        f"The file has several columns or fields of ids; {chosen.name} was taken. Rows with a known id: {told}. Where "
        f"another one names the question, remove {chosen.name} or rename it.",
    )
    doubtful = any(counts[column.name] >= least for column in others)
    return _led_by(table, chosen, Problem("warning" if doubtful else "note", "id-column", message))


def with_own_ids(table: Table) -> Table:
    """The table of gold or of questions, led by the column of ids that stands for the questions.

    It is one to one with their texts; of several such, and where there are no texts, one that repeats beside judged
    passages, and one that is called more than `id`.
    """
    table = with_inner_ids(table)
    columns = _id_columns(table)
    if len(columns) < 2:
        return table
    texts = _values(table, QUESTION_NAMES)
    rivals = [column for column in columns if any(texts) and column.names(texts)] or columns
    if len(rivals) > 1 and any(_values(table, PASSAGE_NAMES)):
        rivals = _by_repeats(table, rivals)
    chosen = min(rivals, key=lambda column: column.is_bare)
    names = ", ".join(column.name for column in columns)
    message = Bilingual(
        f"Złoto lub pytania mają kilka kolumn lub pól identyfikatorów ({names}); wzięto {chosen.name}. Jeśli to inna "
        f"nazywa pytania, usuń {chosen.name} albo zmień jej nazwę.",
        f"The gold or the questions have several columns or fields of ids ({names}); {chosen.name} was taken. Where "
        f"another one names the questions, remove {chosen.name} or rename it.",
    )
    return _led_by(
        table,
        chosen,
        Problem("warning" if len(rivals) > 1 and chosen is not columns[0] else "note", "id-column", message),
    )


def _by_repeats(table: Table, columns: list[_Column]) -> list[_Column]:
    """The columns whose ids repeat where each row is a passage, and those whose ids do not where it is none."""
    wanted = any(_values(table, PASSAGE_NAMES))
    return [column for column in columns if (len(set(column.ids)) < len(column.ids)) is wanted] or columns


def _led_by(table: Table, column: _Column, *told: Problem) -> Table:
    names = (column.name, *(name for name in table.id_names if name != column.name))
    return replace(table, id_names=names, before=(*table.before, *told))


def _id_columns(table: Table) -> list[_Column]:
    """The columns of ids that disagree in some row, in the order of their names."""
    found: dict[tuple[str, ...], _Column] = {}
    names = table.header if table.header else _field_names(table)
    for name in (name for name in ID_NAMES if name in names and list(names).count(name) == 1):
        ids = tuple(_values(table, (name,)))
        if any(ids):
            found.setdefault(ids, _Column(name, ids))
    columns = list(found.values())
    # Rows that name their question each in its own way are no choice.
    return [column for column in columns if any(column.differs(other) for other in columns)]


def _field_names(table: Table) -> set[str]:
    if table.keyed:
        return set()
    return {plain_name(str(name)) for _, row in islice(table.objects(), SAMPLE) for name in row}


def _values(table: Table, names: Sequence[str]) -> list[str]:
    """What stands under the first of the names in the first rows."""
    return [id_text(value) if isinstance(value, str | int | float) else "" for value in _sampled(table, names)]


def _sampled(table: Table, names: Sequence[str]) -> Iterator[object]:
    if table.header:
        place = table.column(names)
        for _, cells in table.sample():
            yield cells[place] if place is not None and place < len(cells) else ""
        return
    for _, row in islice(table.objects(), SAMPLE):
        plain = {plain_name(str(name)): value for name, value in row.items()}
        yield next((plain[name] for name in names if name in plain), None)


def _shown(columns: Sequence[_Column], counts: dict[str, int]) -> str:
    return ", ".join(f"{column.name} {counts[column.name]}/{len(column.ids)}" for column in columns)


def _ambiguous(name: str, rivals: Sequence[_Column], counts: dict[str, int]) -> Exception:
    told = _shown(rivals, counts)
    first, second = rivals[0], rivals[1]
    pairs = zip(first.ids, second.ids, strict=True)
    example = next(
        f"{first.name} {one}, {second.name} {other}" for one, other in pairs if one and other and one != other
    )
    return refuse(
        "ambiguous-ids",
        f"Plik {name}: kilka kolumn lub pól zawiera identyfikatory złotego zbioru, w tych samych wierszach różne "
        f"({example}); wiersze ze znanym identyfikatorem: {told}. Zostaw jedną z nich albo zmień nazwy pozostałych.",
        f"File {name}: several columns or fields hold ids of the gold, different ones in the same rows ({example}); "
        f"rows with a known id: {told}. Keep one of them, or rename the others.",
    )
