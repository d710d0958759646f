"""Several columns that may hold the answers -> the one that does, decided by what they hold.

A column that repeats the golds is the gold and never scored. An answer that was extracted from a raw generation goes
before it. Where neither tells, and the score would differ, somebody has to choose.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from polqa_demo.data.poleval import PASSAGE_ID
from polqa_demo.errors import Bilingual, Problem, Severity, by_option
from polqa_demo.polish.words import folded
from polqa_demo.submissions.deepest import finite
from polqa_demo.submissions.golds import NEARLY_ALL, Golds
from polqa_demo.submissions.problems import Refused, refuse

# Names that no gold bears.
_EXPLICIT = ("prediction", "predicted_answer", "pred", "predykcja", "prediction_text", "predictions", "predicted")

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Columns:
    """The texts of each column by question id, in the order of belief; `refused` are those that hold no answers."""

    name: str
    texts: Mapping[str, Texts]
    refused: Mapping[str, Refused] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """The column that holds the answers, and what is told of the others."""

    column: str
    problems: tuple[Problem, ...] = ()


def read_columns(name: str, columns: Iterable[str], read: Callable[[str], Texts]) -> Columns:
    """Every column as if it held the answers.

    :raises Refused: none of them can be read
    """
    texts: dict[str, Texts] = {}
    refused: dict[str, Refused] = {}
    for column in columns:
        try:
            texts[column] = read(column)
        except Refused as error:
            refused[column] = error
    if not texts:
        raise next(iter(refused.values()))
    return Columns(name, texts, refused)


def by_name(columns: Sequence[str]) -> Choice:
    """The first of several names, where nothing is known of the golds."""
    return Choice(columns[0], (_chosen(columns[0], columns[1:], Bilingual("", "")),))


def by_content(columns: Columns, golds: Golds) -> Choice:
    """The column of a system's answers among several with names of answers.

    :raises Refused: what they hold does not tell, and their scores differ
    """
    texts = columns.texts
    # A perfect system repeats the golds as well; some names tell it from the gold.
    gold = [column for column in texts if column not in _EXPLICIT and golds.are_golds(texts[column])]
    others = [column for column in texts if column not in gold]
    if not others:
        if columns.refused:
            raise next(iter(columns.refused.values()))
        return _any_of(columns, gold, golds)
    best, told = _among(columns, others, golds)
    _refuse_raw(columns, best, gold, golds)
    problems = [*told, *(_about_gold(columns, one, best, golds) for one in gold)]
    problems += [_about_lists(one, best) for one in columns.refused]
    return Choice(best, tuple(problems))


def by_place(columns: Columns, golds: Golds, default: str) -> Choice:
    """The column of a system's answers among cells without a header.

    :param default: what is read where nothing tells, such as all cells together
    :raises Refused: a column is the gold, and which of the others holds the answers is open
    """
    if default in columns.refused:
        raise columns.refused[default]
    texts = {column: found for column, found in columns.texts.items() if column.isdecimal()}
    gold = [column for column in texts if golds.are_golds(texts[column])]
    numbers = [column for column in texts if column not in gold and _are_numbers(texts[column])]
    wordy = [column for column in texts if column not in gold and column not in numbers]
    if gold and len(wordy) == 1:
        _refuse_raw(columns, wordy[0], gold, golds)
        return Choice(wordy[0], tuple(_about_gold(columns, one, wordy[0], golds) for one in gold))
    if gold and not wordy and not numbers:
        return _any_of(columns, gold, golds)
    single = gold if gold and not wordy else wordy if not gold and numbers else []
    if len(single) == 1:
        # Numbers and ids beside answers are about them: a confidence, a rank, a passage.
        return Choice(single[0], _about_places(columns, single[0], [default], golds))
    if gold:
        raise _undecided(columns, list(texts), golds)
    extracted = _extracted_of(texts, wordy)
    if extracted and len(wordy) > 1:
        rest = [column for column in wordy if column != extracted]
        return Choice(extracted, (_extracted(columns, extracted, rest, golds),))
    others = [column for column in texts if column != default and may_be_answers(texts[column], golds)]
    return Choice(default, _about_places(columns, default, others, golds))


def _among(columns: Columns, others: Sequence[str], golds: Golds) -> tuple[str, list[Problem]]:
    """The best of columns that are no gold."""
    texts = columns.texts
    if len(others) == 1:
        return others[0], []
    one = _extracted_of(texts, others)
    if one:
        return one, [_extracted(columns, one, [column for column in others if column != one], golds)]
    explicit = [column for column in others if column in _EXPLICIT]
    if len(explicit) == 1:
        rest = [column for column in others if column != explicit[0]]
        return explicit[0], [_chosen(explicit[0], rest, _compared(columns, explicit[0], rest, golds))]
    choice = _any_of(columns, others, golds)
    return choice.column, list(choice.problems)


def _any_of(columns: Columns, alike: Sequence[str], golds: Golds) -> Choice:
    """The first of some columns, told; nothing is told where their texts are the same.

    :raises Refused: their scores differ
    """
    first, rest = alike[0], alike[1:]
    texts = columns.texts
    if not all(golds.same(texts[first], texts[column]) for column in rest):
        raise _undecided(columns, alike, golds)
    if all(texts[first] == texts[column] for column in rest):
        return Choice(first)
    return Choice(first, (_chosen(first, rest, _compared(columns, first, rest, golds)),))


def _extracted_of(texts: Mapping[str, Texts], columns: Sequence[str]) -> str:
    """The column whose texts all others hold in longer ones; empty where there is none."""
    found = (one for one in columns if all(_is_raw(texts[column], texts[one]) for column in columns if column != one))
    return next(found, "")


def _refuse_raw(columns: Columns, taken: str, gold: Sequence[str], golds: Golds) -> None:
    """:raises Refused: what was taken may be the raw generation of what repeats the golds, and scores otherwise"""
    texts = columns.texts
    raw = [column for column in gold if taken not in _EXPLICIT and _is_raw(texts[taken], texts[column])]
    if raw and not golds.same(texts[taken], texts[raw[0]]):
        raise _undecided(columns, [taken, *raw], golds)


def _is_raw(raw: Texts, answer: Texts) -> bool:
    """Whether the texts of a column are longer, and hold those of another in nearly every row."""
    rows = [(folded(raw.get(key, "")), folded(text)) for key, text in answer.items() if text.strip()]
    holding = sum(text in whole for whole, text in rows)
    longer = sum(len(whole) > len(text) for whole, text in rows)
    return bool(rows) and holding >= NEARLY_ALL * len(rows) and 2 * longer > len(rows)


def _are_numbers(texts: Texts) -> bool:
    """Numbers alone, also as per cents or with a decimal comma, or ids of passages."""
    filled = [text.strip().removesuffix("%").replace(",", ".") for text in texts.values() if text.strip()]
    return bool(filled) and (all(finite(text) is not None for text in filled) or all(map(PASSAGE_ID.fullmatch, filled)))


def may_be_answers(texts: Texts, golds: Golds) -> bool:
    """Whether a column may hold answers: texts that are no questions; numbers only where some of them are right."""
    filled = [text for text in texts.values() if text.strip()]
    if not filled or sum(text.rstrip().endswith("?") for text in filled) >= NEARLY_ALL * len(filled):
        return False
    return not _are_numbers(texts) or bool(golds.right(texts))


def _compared(columns: Columns, taken: str, rest: Sequence[str], golds: Golds) -> Bilingual:
    """What the best of the other columns would give."""
    right = {column: len(golds.right(columns.texts[column]) or ()) for column in rest}
    best = max(right, key=lambda column: right[column])
    return golds.compared(columns.texts[taken], columns.texts[best])


def _chosen(column: str, others: Sequence[str], compared: Bilingual) -> Problem:
    where = by_option(f"--answer-column {others[0]}")
    rest = ", ".join(others)
    message = Bilingual(
        f"Odpowiedzi wzięto z kolumny {column}, pominięto: {rest}.{compared.pl} Jeśli to nie to, wskaż kolumnę "
        f"{where.pl}.",
        f"The answers were taken from column {column}, left out: {rest}.{compared.en} Where that is wrong, name the "
        f"column {where.en}.",
    )
    return Problem("warning", "answer-chosen", message, len(others))


def _about_gold(columns: Columns, gold: str, taken: str, golds: Golds) -> Problem:
    hits, rows = golds.equal(columns.texts[gold])
    where = by_option(f"--answer-column {gold}")
    message = Bilingual(
        f"Kolumna {gold} powtarza złote odpowiedzi ({hits} z {rows}), więc to złoto; odpowiedzi wzięto z kolumny "
        f"{taken}. Jeśli to nie to, wskaż kolumnę {where.pl}.",
        f"Column {gold} repeats the golds ({hits} of {rows}), so it is the gold; the answers were taken from column "
        f"{taken}. Where that is wrong, name the column {where.en}.",
    )
    return Problem("note" if taken in _EXPLICIT else "warning", "gold-column", message)


def _about_lists(left_out: str, taken: str) -> Problem:
    message = Bilingual(
        f"Kolumna {left_out} nie zawiera po jednej odpowiedzi na pytanie; odpowiedzi wzięto z {taken}.",
        f"The column {left_out} does not hold one answer a question; the answers were taken from {taken}.",
    )
    return Problem("note", "list-column", message)


def _extracted(columns: Columns, taken: str, raw: Sequence[str], golds: Golds) -> Problem:
    where, compared = by_option(f"--answer-column {raw[0]}"), _compared(columns, taken, raw, golds)
    whole = ", ".join(raw)
    message = Bilingual(
        f"Odpowiedzi wzięto z {taken}; {whole} to dłuższe teksty, które je zawierają.{compared.pl} Jeśli to nie to, "
        f"wskaż kolumnę {where.pl}.",
        f"The answers were taken from {taken}; {whole} holds longer texts that contain them.{compared.en} Where that "
        f"is wrong, name the column {where.en}.",
    )
    return Problem("warning", "raw-answers", message)


def _about_places(columns: Columns, taken: str, others: Sequence[str], golds: Golds) -> tuple[Problem, ...]:
    """What was read of several cells, and the best other reading; a warning where that may have more right answers."""
    texts = columns.texts
    if not others:
        return ()
    right = {column: len(golds.right(texts[column]) or ()) for column in others}
    best = max(right, key=lambda column: right[column])
    where, compared = by_option(f"--answer-column {best}"), golds.compared(texts[taken], texts[best])
    read, other = column_said(taken), column_said(best)
    message = Bilingual(
        f"Plik {columns.name} ma kilka komórek w wierszu i nie ma nagłówka; odpowiedź wzięto z: {read.pl}. Inne "
        f"odczytanie: {other.pl}.{compared.pl} Wskazuje to {where.pl}.",
        f"The file {columns.name} has several cells a row and no header; the answer was taken from {read.en}. Another "
        f"reading: {other.en}.{compared.en} Choose it by {where.en}.",
    )
    severity: Severity = "warning" if golds.gain(texts[taken], texts[best]) else "note"
    return (Problem(severity, "answer-place", message, len(others)),)


def column_said(column: str) -> Bilingual:
    """A column without a name in words: `2` is the second, `2-` all cells from it on."""
    if column.endswith("-"):
        return Bilingual(f"wszystkie komórki od nr {column[:-1]}", f"all cells from no. {column[:-1]} on")
    return Bilingual(f"kolumna {column}", f"column {column}")


def _undecided(columns: Columns, open_ones: Sequence[str], golds: Golds) -> Refused:
    """Said where two columns may hold the answers and score differently."""
    named = []
    for column in open_ones:
        right = golds.right(columns.texts[column])
        named.append(column if right is None else f"{column} ({len(right)})")
    where = by_option("--answer-column " + "|".join(open_ones))
    shown = ", ".join(named)
    return refuse(
        "answer-columns",
        f"Plik {columns.name}: odpowiedzi mogą stać w kilku kolumnach, a wynik byłby różny (w nawiasie trafne): "
        f"{shown}. Wskaż kolumnę {where.pl}.",
        f"File {columns.name}: the answers may stand in several columns, and the score would differ (right answers in "
        f"brackets): {shown}. Name the column {where.en}.",
        len(open_ones),
    )
