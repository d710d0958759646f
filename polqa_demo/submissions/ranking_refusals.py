"""Why a file of rankings cannot be read: what was found there, what it looks like, and the cure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.errors import Bilingual, counted
from polqa_demo.polish.words import plural
from polqa_demo.submissions.problems import Places, Refused, listed, refuse

# What a file is by the names of its columns, the first that fits.
_LOOKS: tuple[tuple[tuple[str, ...], Bilingual], ...] = (
    (("prediction", "answer"), Bilingual("plik odpowiedzi", "a file of answers")),
    (("golds",), Bilingual("złote odpowiedzi", "gold answers")),
    (("grade",), Bilingual("oceny trafności (qrels)", "judgements (qrels)")),
    (("passage_id", "passage"), Bilingual("korpus", "a corpus")),
    (("question",), Bilingual("plik pytań", "a file of questions")),
)


def _look(names: Iterable[object]) -> Bilingual:
    """A sentence that says what a file of these columns looks like; empty where nobody can say."""
    plain = {plain_name(str(name)) for name in names}
    for columns, what in _LOOKS:
        if plain.intersection(names_of(*columns)):
            return Bilingual(f" Wygląda na {what.pl}.", f" It looks like {what.en}.")
    return Bilingual("", "")


def missing_columns(name: str, names: Sequence[object], line: int = 0) -> Refused:
    """No column of questions, or none of passages; in an object no such field."""
    found, look = listed(names), _look(names)
    if line:
        return refuse(
            "missing-columns",
            f"Plik {name}, wiersz {line}: potrzebne pola question_id i passage_ids (albo passage_id i score), są: "
            f"{found}.{look.pl}",
            f"File {name}, line {line}: the fields question_id and passage_ids (or passage_id and score) are wanted, "
            f"found: {found}.{look.en}",
            lines=[line],
        )
    return refuse(
        "missing-columns",
        f"Plik {name}: potrzebne kolumny question_id i passage_id (oraz score), są: {found}.{look.pl}",
        f"File {name}: the columns question_id and passage_id (and score) are wanted, found: {found}.{look.en}",
    )


def no_rank_column(name: str, names: Sequence[str]) -> Refused:
    """The form that somebody named needs a column of numbers."""
    found = listed(names)
    return refuse(
        "missing-columns",
        f"Plik {name}: wybrana forma potrzebuje kolumny rank, score albo distance, są: {found}.",
        f"File {name}: the chosen form needs a column rank, score or distance, found: {found}.",
    )


def no_member_ids(name: str, line: int, item: Any) -> Refused:
    """Members of a list that name no passage."""
    found = listed(item) if isinstance(item, Mapping) else str(item)[:60]
    return refuse(
        "missing-passage-ids",
        f"Plik {name}, wiersz {line}: fragmenty na liście nie mają identyfikatorów (pola: {found}). Dopisz pole id.",
        f"File {name}, line {line}: the passages of the list have no ids (fields: {found}). Add the field id.",
        lines=[line],
    )


def nested_list(name: str, line: int, item: Sequence[Any]) -> Refused:
    """A list where a passage should stand."""
    shown = str(item)[:60]
    return refuse(
        "nested-lists",
        f"Plik {name}, wiersz {line}: w miejscu fragmentu stoi lista ({shown}). Podaj identyfikator albo parę "
        "[identyfikator, wynik].",
        f"File {name}, line {line}: a list in the place of a passage ({shown}). Give an id, or a pair [id, score].",
        lines=[line],
    )


def no_list(name: str, line: int, key: str, value: object) -> Refused:
    """Something else than a list beside a question id."""
    shown = f"{key}: {str(value)[:60]}"
    return refuse(
        "missing-columns",
        f"Plik {name}, element {line}: przy pytaniu ma stać lista fragmentów albo obiekt {{fragment: wynik}}, jest "
        f"{shown}.",
        f"File {name}, item {line}: a list of passages or an object {{passage: score}} is wanted beside a question, "
        f"found {shown}.",
        lines=[line],
    )


def broken_list(name: str, line: int, cell: str) -> Refused:
    """A cell that opens a bracket and is no list."""
    return refuse(
        "broken-list",
        f"Plik {name}, wiersz {line}: komórka zaczyna się nawiasem, ale nie jest całą listą ({cell[:40]}…). Zapisz ją "
        "jako JSON.",
        f"File {name}, line {line}: the cell begins with a bracket and is no whole list ({cell[:40]}…). Write it as "
        "JSON.",
        lines=[line],
    )


def several_runs(name: str, paths: Sequence[str]) -> Refused:
    """More than one run for the same questions."""
    return refuse(
        "several-runs",
        f"Plik {name} zawiera kilka rankingów tych samych pytań: {'; '.join(paths)}. Zostaw jeden.",
        f"The file {name} holds several runs of the same questions: {'; '.join(paths)}. Keep one.",
        len(paths),
    )


def qrels_as_run(name: str) -> Refused:
    """Judgements in the place of a ranking."""
    return refuse(
        "qrels-as-run",
        f"Plik {name} wygląda na oceny trafności (qrels: pytanie, stała, fragment, ocena), a nie na ranking. Podaj go "
        "jako złoty zbiór; ranking ma w wierszu pytanie, fragment i wynik.",
        f"The file {name} looks like judgements (qrels: question, constant, passage, grade), not like a ranking. Give "
        "it as gold; a ranking has a question, a passage and a score a row.",
    )


def not_whole_trec(name: str, line: str, cells: Sequence[str]) -> Refused:
    """Nearly a TREC run."""
    count, first = counted(len(cells), "column", "columns"), line.strip()[:60]
    return refuse(
        "broken-trec",
        f"Plik {name} wygląda na wyniki TREC, ale ma {plural(len(cells), 'kolumnę', 'kolumny', 'kolumn')} zamiast "
        f"sześciu: pytanie Q0 fragment pozycja wynik nazwa (pierwszy wiersz: {first}). Pozycja ma być liczbą "
        "całkowitą, a wynik liczbą.",
        f"The file {name} looks like a TREC run, but has {count} in place of six: question Q0 passage rank score tag "
        f"(first line: {first}). The rank must be a whole number, the score a number.",
    )


def blank_in_ids(name: str, line: int, cells: Sequence[str], columns: int) -> Refused:
    """A line of a TREC run with more columns than there are."""
    shown = " ".join(cells[2 : max(3, len(cells) - 3)])[:60]
    count = counted(len(cells), "column", "columns")
    return refuse(
        "blank-in-ids",
        f"Plik {name}, wiersz {line}: {plural(len(cells), 'kolumna', 'kolumny', 'kolumn')} zamiast {columns}; "
        f"identyfikator fragmentu ze spacją („{shown}”)? Wyniki TREC dzieli spacja: zamień spacje w identyfikatorach "
        "na _ albo rozdziel kolumny tabulatorem.",
        f"File {name}, line {line}: {count} in place of {columns}; a passage id with a blank (“{shown}”)? TREC runs "
        "are parted by blanks: write _ for the blanks of ids, or part the columns by tabs.",
        lines=[line],
    )


def ragged(name: str, line: int, cells: int) -> Refused:
    """A row with too few columns for a pair of question and passage."""
    return refuse(
        "ragged-row",
        f"Plik {name}, wiersz {line}: za mało kolumn ({cells}). Uzupełnij wiersz albo usuń go.",
        f"File {name}, line {line}: too few columns ({cells}). Complete the row or remove it.",
        lines=[line],
    )


def mixed_separators(name: str, mixed: Places) -> Refused:
    """Ids parted by something else than a tab."""
    shown = mixed.examples[0]
    return refuse(
        "mixed-separators",
        f"Plik {name}: spacja, przecinek lub średnik zamiast tabulatora między identyfikatorami, liczba wierszy: "
        f"{mixed.count} (pierwszy: {mixed.lines[0]}, „{shown}”). Rozdziel identyfikatory tabulatorem.",
        f"File {name}: a blank, comma or semicolon in place of a tab between ids, lines: {mixed.count} "
        f"(first: {mixed.lines[0]}, “{shown}”). Part the ids by tabs.",
        mixed.count,
        mixed.lines,
    )


def wrong_length(name: str, lines: int, questions: int, first: str) -> Refused:
    """Another number of lines than of questions, where the order says which belongs to which."""
    return refuse(
        "wrong-length",
        f"Plik {name} ma {plural(lines, 'wiersz', 'wiersze', 'wierszy')}, a zbiór "
        f"{plural(questions, 'pytanie', 'pytania', 'pytań')}. Rozpoznano: identyfikatory fragmentów "
        f"w kolejności pytań (pierwszy wiersz: {first}). Wybierz właściwy złoty zbiór albo dodaj question_id.",
        f"The file {name} has {counted(lines, 'line', 'lines')}, the set "
        f"{counted(questions, 'question', 'questions')}. Recognised: passage ids in the order of the questions "
        f"(first line: {first}). Choose the right gold or add question ids.",
    )
