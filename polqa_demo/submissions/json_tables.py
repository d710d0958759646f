"""One JSON object that holds a table by columns, or apart from its header, as pandas and `datasets` write it -> rows.

The forms are those of `DataFrame.to_json` (orient `columns`, `split`, `table`) and of `DataFrame.to_dict("list")`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.errors import Bilingual, Problem

_IDS = names_of("question_id")
_KEYS = names_of("question_id", "question")
_COLUMNS = names_of("question_id", "question", "prediction", "answer", "golds", "passage_id", "score")
# Names under which others write a whole table of rows.
_WRAPPERS = ("data", "results", "predictions", "answers", "rows", "items", "examples", "records")


def may_be_table(keys: Sequence[str]) -> bool:
    """Whether the first keys of an object are those of a table: by columns, or under one name."""
    return any(plain_name(key) in (*_KEYS, *_WRAPPERS) for key in keys)


def table_rows(whole: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of a table in one object; None where it is something else: one row, or a map of ids."""
    if whole.keys() >= {"columns", "data"}:
        return _split(whole["columns"], whole["data"], whole.get("index"))
    return _wrapped(whole) or _columns(whole)


def about_table() -> Problem:
    """Told of a table by columns."""
    message = Bilingual(
        "Plik to jeden obiekt JSON, w którym stoi tabela (kolumnami, jak w pandas, albo pod jedną nazwą); odczytano ją "
        "wierszami.",
        "The file is one JSON object that holds a table (by columns, as pandas writes it, or under one name); it was "
        "read by rows.",
    )
    return Problem("note", "json-columns", message)


def _wrapped(whole: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Rows under one name, whatever stands beside them; rows name their questions, unlike lists of candidates."""
    for name in _WRAPPERS:
        rows = whole.get(name)
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            named = sum(any(plain_name(str(field)) in _KEYS for field in row) for row in rows)
            return rows if named == len(rows) and not any(plain_name(field) in _KEYS for field in whole) else None
    return None


def _split(names: Any, data: Any, index: Any) -> list[dict[str, Any]] | None:
    """The rows; where no column names the question, the index does."""
    if not (isinstance(names, list) and isinstance(data, list)):
        return None
    if not all(isinstance(row, list) and len(row) == len(names) for row in data):
        return None
    rows = [dict(zip(map(str, names), row, strict=True)) for row in data]
    indexed = isinstance(index, list) and len(index) == len(rows) and _may_be_ids(index)
    return _with_index(rows, index) if indexed and _is_needed(index, names) else rows


def _is_needed(index: Sequence[Any], names: Iterable[Any]) -> bool:
    """Whether an index tells the questions apart: no column of ids does, and it counts no rows."""
    counting = [str(key) for key in index] == [str(place) for place in range(len(index))]
    return not counting and all(plain_name(str(name)) not in _IDS for name in names)


def _may_be_ids(index: Iterable[Any]) -> bool:
    return all(isinstance(key, str | int) and not isinstance(key, bool) for key in index)


def _with_index(rows: list[dict[str, Any]], index: Iterable[Any]) -> list[dict[str, Any]]:
    return [{_IDS[0]: key, **row} for key, row in zip(index, rows, strict=True)]


def _columns(whole: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Columns as lists or as objects of row numbers. The ids, or the questions, must be one: a row has one of them."""
    plain = {plain_name(name): value for name, value in whole.items()}
    keys = next((plain[name] for name in _KEYS if name in plain), None)
    known = [value for name, value in plain.items() if name in _COLUMNS]
    if not isinstance(keys, list | dict) or not keys or len(known) < 2:
        return None
    if any(type(value) is not type(keys) or len(value) != len(keys) for value in known):
        return None
    columns = {name: value for name, value in whole.items() if type(value) is type(keys) and len(value) == len(keys)}
    if isinstance(keys, list):
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if any(set(value) != set(keys) for value in columns.values()):
        return None
    rows = [{name: value[row] for name, value in columns.items()} for row in keys]
    return _with_index(rows, keys) if _is_needed([*keys], columns) else rows
