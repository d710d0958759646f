"""How a file of rankings was read where there is another reading, and how to overrule it."""

from collections.abc import Sequence

from polqa_demo.errors import Bilingual, Problem, by_option
from polqa_demo.submissions.problems import listed

_AMBIGUOUS = {
    "wide": Bilingual(
        "Pierwszą kolumnę odczytano jako identyfikatory pytań, dalsze jako fragmenty. Jeśli i ona jest fragmentem, "
        "a wiersze idą w kolejności pytań, powiedz to",
        "The first column was read as question ids, the others as passages. Where it is a passage as well, and the "
        "rows are in the order of the questions, say so",
    ),
    "lines": Bilingual(
        "Wszystkie kolumny odczytano jako fragmenty, a wiersze w kolejności pytań, choć pierwsza kolumna wygląda na "
        "identyfikatory pytań. Jeśli nimi jest, powiedz to",
        "All columns were read as passages, the rows in the order of the questions, although the first column looks "
        "like question ids. Where it is, say so",
    ),
    "long": Bilingual(
        "Wszystkie kolumny po identyfikatorze pytania odczytano jako fragmenty, choć trzecia może być wynikiem. Jeśli "
        "nim jest, powiedz to",
        "All columns behind the question id were read as passages, although the third may be a score. Where it is, "
        "say so",
    ),
    "score": Bilingual(
        "Trzecią kolumnę odczytano jako wyniki, największy pierwszy, choć w każdym pytaniu są to liczby od 1 do n. "
        "Jeśli to pozycje, powiedz to",
        "The third column was read as scores, the highest first, although it holds the numbers from 1 to n in each "
        "question. Where they are ranks, say so",
    ),
    "points": Bilingual(
        "Trzecią kolumnę odczytano jako pozycje, a czwartą jako wyniki, choć każda maleje, gdy druga rośnie, więc może "
        "być na odwrót. Jeśli trzecia to wyniki, powiedz to",
        "The third column was read as ranks, the fourth as scores, although the one falls where the other rises, so it "
        "may be the other way round. Where the third holds scores, say so",
    ),
    "numbers": Bilingual(
        "Trzecią kolumnę odczytano jako wyniki, największy pierwszy, a czwartą jako pozycje, choć może być na odwrót. "
        "Jeśli trzecia to pozycje, powiedz to",
        "The third column was read as scores, the highest first, the fourth as ranks, although it may be the other way "
        "round. Where the third holds ranks, say so",
    ),
    "run": Bilingual(
        "Liczby przy fragmentach odczytano jako wyniki, największy pierwszy, choć w każdym pytaniu są to liczby od 1 "
        "do n. Jeśli to pozycje, powiedz to",
        "The numbers beside the passages were read as scores, the highest first, although they are those from 1 to n "
        "in each question. Where they are ranks, say so",
    ),
    "places": Bilingual(
        "Obiekty odczytano jako {fragment: wynik}, choć ich klucze to w każdym pytaniu kolejne liczby, a wartości mogą "
        "być identyfikatorami fragmentów. Jeśli klucze to miejsca na liście, powiedz to",
        "The objects were read as {passage: score}, although their keys count up alike in each question and their "
        "values may be passage ids. Where the keys are places of a list, say so",
    ),
}

_CURES = {
    "wide": "lines",
    "lines": "wide",
    "long": "long",
    "score": "ranks",
    "numbers": "ranks",
    "points": "long",
    "run": "ranks",
    "places": "wide",
}


def ambiguous_form(reading: str) -> Problem:
    """A warning that there is another reading: a key of `_AMBIGUOUS`."""
    said, how = _AMBIGUOUS[reading], by_option(f"--form {_CURES[reading]}")
    return Problem("warning", "ambiguous-form", Bilingual(f"{said.pl} {how.pl}.", f"{said.en} {how.en}."))


_ORDINALS = {1: Bilingual("Drugą", "second"), 2: Bilingual("Trzecią", "third"), 3: Bilingual("Czwartą", "fourth")}


def about_rank_column(rank: int, score: int) -> Problem:
    """A note that a column without a name was read as ranks."""
    column, how = _ORDINALS[rank], by_option("--form long")
    others = ("", "")
    if score >= 0:
        others = (
            f", a {_ORDINALS[score].pl.lower()} jako wyniki, największy pierwszy",
            f", the {_ORDINALS[score].en} as scores, the highest first",
        )
    return Problem(
        "note",
        "rank-column",
        Bilingual(
            f"{column.pl} kolumnę (kolejne liczby całkowite) odczytano jako pozycje, najmniejsza "
            f"pierwsza{others[0]}. Jeśli trzecia kolumna to wyniki, powiedz to {how.pl}.",
            f"The {column.en} column (consecutive whole numbers) was read as ranks, the smallest first"
            f"{others[1]}. Where the third column holds scores, say so {how.en}.",
        ),
    )


def about_run_ranks() -> Problem:
    """A note that the numbers of `{question: {passage: number}}` were read as ranks."""
    how = by_option("--form long")
    return Problem(
        "note",
        "rank-column",
        Bilingual(
            "Liczby przy fragmentach (kolejne liczby całkowite) odczytano jako pozycje, najmniejsza pierwsza. Jeśli to "
            f"wyniki, powiedz to {how.pl}.",
            "The numbers beside the passages (consecutive whole numbers) were read as ranks, the smallest first. Where "
            f"they are scores, say so {how.en}.",
        ),
    )


def about_run_places(first: str, last: str) -> Problem:
    """A note that the keys of `{question: {place: passage}}` were read as places."""
    how = by_option("--form long")
    return Problem(
        "note",
        "wide-columns",
        Bilingual(
            f"Klucze od {first} do {last} w obiektach pytań odczytano jako miejsca na liście, a wartości jako "
            f"identyfikatory fragmentów. Jeśli klucze to fragmenty, a wartości wyniki, powiedz to {how.pl}.",
            f"The keys {first} to {last} in the objects of the questions were read as places of a list, the values as "
            f"passage ids. Where the keys are passages and the values scores, say so {how.en}.",
        ),
    )


def about_distances(name: str) -> Problem:
    """A note that the smallest number goes first."""
    how = by_option("--form long")
    return Problem(
        "note",
        "distances",
        Bilingual(
            f"„{name}” odczytano jako odległości: najmniejsza pierwsza. Jeśli to wyniki, powiedz to {how.pl}.",
            f"“{name}” was read as distances: the smallest first. Where they are scores, say so {how.en}.",
        ),
    )


def about_two_scores(chosen: str, other: str, differ: bool) -> Problem:
    """What is told of two columns of scores: a warning where they order the passages differently."""
    return Problem(
        "warning" if differ else "note",
        "two-scores",
        Bilingual(
            f"Kolejność ustala kolumna {chosen}, a nie {other}. Jeśli ma ją ustalać {other}, usuń kolumnę {chosen}.",
            f"The column {chosen} decides the order, not {other}. Where {other} should, remove the column {chosen}.",
        ),
    )


def about_two_ids(chosen: str, other: str, more: int, fewer: int) -> Problem:
    """What is told of two ids of each passage: a warning where the gold knows some of both."""
    return Problem(
        "warning" if fewer else "note",
        "two-passage-ids",
        Bilingual(
            f"Fragmenty mają po dwa identyfikatory; liczy się {chosen}, bo złoty zbiór zna ich więcej ({more}) niż "
            f"z {other} ({fewer}). Jeśli ma się liczyć {other}, usuń {chosen}.",
            f"The passages have two ids each; {chosen} counts, since the gold knows more of them ({more}) than of "
            f"{other} ({fewer}). Where {other} should count, remove {chosen}.",
        ),
    )


def about_file_order(others: Sequence[str]) -> Problem:
    """What is told of rows without a number: a warning where other columns hold numbers."""
    named = ("", "")
    if others:
        named = (f"; liczby są w kolumnach: {listed(others)}", f"; numbers stand in: {listed(others)}")
    return Problem(
        "warning" if others else "note",
        "file-order",
        Bilingual(
            f"Nie ma kolumny score, rank ani distance: liczy się kolejność wierszy, najlepszy pierwszy{named[0]}.",
            f"There is no column score, rank or distance: the order of the rows counts, best first{named[1]}.",
        ),
    )


def about_names(names: Sequence[str]) -> Problem:
    """A warning for a first row of names that say nothing."""
    return Problem(
        "warning",
        "unknown-header",
        Bilingual(
            f"Pierwszy wiersz to nagłówek o nieznanych nazwach ({listed(names)}); kolumny odczytano po ich zawartości. "
            "Nazwij je question_id, passage_id, rank, score.",
            f"The first row is a header of unknown names ({listed(names)}); the columns were read by what they hold. "
            "Call them question_id, passage_id, rank, score.",
        ),
    )


def about_tag(tag: str) -> Problem:
    """A note that a column of one word was passed over."""
    return Problem(
        "note",
        "ignored-column",
        Bilingual(
            f"Ostatnią kolumnę, w każdym wierszu „{tag[:60]}”, pominięto.",
            f"The last column, in every row “{tag[:60]}”, was passed over.",
        ),
    )


def about_grades(name: str) -> Problem:
    """A warning that a ranking looks like judgements."""
    return Problem(
        "warning",
        "qrels-as-run",
        Bilingual(
            f"Plik wygląda na oceny trafności (kolumna {name}), a nie na ranking: liczy się kolejność wierszy. Oceny "
            "podaj jako złoty zbiór.",
            f"The file looks like judgements (the column {name}), not like a ranking: the order of the rows counts. "
            "Give judgements as gold.",
        ),
    )


def about_pairs(certain: bool) -> Problem:
    """What is told of pairs without any number."""
    how = by_option("--form wide")
    return Problem(
        "note" if certain else "warning",
        "file-order",
        Bilingual(
            "Wiersze odczytano jako pary pytanie–fragment bez wyników: liczy się kolejność wierszy, najlepszy "
            f"pierwszy. Jeśli to listy, po jednej w wierszu, powiedz to {how.pl}.",
            "The rows were read as pairs of question and passage without scores: the order of the rows counts, best "
            f"first. Where they are lists, one a row, say so {how.en}.",
        ),
    )


def about_five_columns() -> Problem:
    """A note for a run whose tag is missing."""
    return Problem(
        "note",
        "trec-columns",
        Bilingual(
            "Wyniki TREC bez szóstej kolumny (nazwy systemu): pięć kolumn odczytano jako pytanie, Q0, fragment, "
            "pozycja, wynik.",
            "A TREC run without its sixth column (the tag): the five columns were read as question, Q0, passage, "
            "rank, score.",
        ),
    )


def about_list_cells(column: str, separator: str) -> Problem:
    """A note of what parts the members of a cell."""
    pl, en = {" ": ("spacje", "blanks"), ",": ("przecinki", "commas"), ";": ("średniki", "semicolons")}.get(
        separator, (f"znaki {separator}", f"the sign {separator}")
    )
    named = f" {column}" if column else ""
    return Problem(
        "note",
        "list-cells",
        Bilingual(
            f"Komórki{named} odczytano jako listy fragmentów, które rozdzielają {pl}.",
            f"The cells{named} were read as lists of passages parted by {en}.",
        ),
    )


def about_unwrapped(path: str) -> Problem:
    """A note of where in the file the run was found."""
    return Problem(
        "note",
        "wrapped-run",
        Bilingual(f"Ranking odczytano z wnętrza pliku: {path}.", f"The run was read from inside of the file: {path}."),
    )


def about_provenance(count: int) -> Problem:
    """A note for KILT's predictions."""
    return Problem(
        "note",
        "kilt-provenance",
        Bilingual(
            f"Odczytano pochodzenie (provenance) z plików KILT jako ranking, pytań: {count}.",
            f"The provenance of KILT was read as a ranking, questions: {count}.",
        ),
        count,
    )
