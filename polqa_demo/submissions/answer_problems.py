"""What is said about the rows and the texts of a file of answers."""

from collections.abc import Iterable

from polqa_demo.errors import Bilingual, Problem, by_option, counted
from polqa_demo.polish.words import plural
from polqa_demo.submissions.problems import PLACES, Places, refuse

_REPLACEMENT = "\ufffd"


def about_rows(
    surplus: Places | None = None,
    lacking: Places | None = None,
    cut: Places | None = None,
) -> list[Problem]:
    """Rows of another width than the header, and answers beyond the limit."""
    found: list[Problem] = []
    if surplus and surplus.count:
        pl = f"Wiersze z większą liczbą komórek niż w nagłówku: {surplus.count}. Nadmiar na końcu dołączono do "
        en = f"Rows with more cells than the header: {surplus.count}. The surplus at the end was joined to the answer "
        pl += "odpowiedzi, jeśli stoi w ostatniej kolumnie, a inaczej pominięto. Weź odpowiedź w cudzysłów."
        en += "where that is the last column, else left out. Quote the answer."
        found.append(surplus.problem("warning", "extra-cells", pl, en))
    if lacking and lacking.count:
        pl = f"Wiersze, w których brakuje komórki z odpowiedzią: {lacking.count}. Jest ona pusta; uzupełnij ją."
        en = f"Rows without a cell for the answer: {lacking.count}. Their answer is empty; fill it in."
        found.append(lacking.problem("warning", "short-rows", pl, en))
    if cut and cut.count:
        pl = f"Odpowiedzi dłuższe niż limit, ucięte: {cut.count}. Zostaw samą odpowiedź albo podnieś "
        en = f"Answers longer than the limit, cut off: {cut.count}. Keep the answer alone or raise "
        found.append(
            cut.problem("warning", "long-answers", f"{pl}POLQA_MAX_ANSWER_CHARS.", f"{en}POLQA_MAX_ANSWER_CHARS.")
        )
    return found


def about_duplicates(same: Places, different: Places, name: str, policy: str) -> list[Problem]:
    """A note for repeated rows, a warning for different answers where a policy chooses one.

    :raises Refused: two different answers to one question and no policy, since the score would hang on their order
    """
    found: list[Problem] = []
    if different.count and policy == "refuse":
        where = by_option("--duplicates first|last")
        raise refuse(
            "duplicate-ids",
            f"Plik {name}: różne odpowiedzi na to samo pytanie, liczba wierszy: {different.count} ({different.shown}). "
            f"Zostaw po jednej odpowiedzi albo wskaż, która się liczy {where.pl}.",
            f"File {name}: different answers to one question, rows: {different.count} ({different.shown}). "
            f"Keep one answer each, or say which one counts {where.en}.",
            different.count,
            different.lines,
        )
    if different.count:
        chosen = ("pierwsza", "first") if policy == "first" else ("ostatnia", "last")
        pl = f"Różne odpowiedzi na to samo pytanie: {different.count} ({different.shown}). Liczy się {chosen[0]}."
        en = f"Different answers to one question: {different.count} ({different.shown}). The {chosen[1]} one counts."
        found.append(different.problem("warning", "duplicate-ids", pl, en))
    if same.count:
        pl = f"Powtórzone wiersze z tą samą odpowiedzią: {same.count} ({same.shown})."
        en = f"Repeated rows with the same answer: {same.count} ({same.shown})."
        found.append(same.problem("note", "repeated-rows", pl, en))
    return found


def about_texts(rows: Iterable[tuple[int, str, str]]) -> list[Problem]:
    """Empty answers, and answers with signs that once were letters; rows are `(line, id, answer)`."""
    empty, damaged = Places(), Places()
    for line, key, answer in rows:
        if not answer.strip():
            empty.add(line, key)
        elif _REPLACEMENT in answer:
            damaged.add(line, key)
    found: list[Problem] = []
    if empty.count:
        number = plural(empty.count, "pusta odpowiedź", "puste odpowiedzi", "pustych odpowiedzi")
        pl = f"{number} (błędne wszędzie, gdzie pytanie się liczy): {empty.shown}."
        en = f"Empty answers (wrong wherever the question counts), {empty.count}: {empty.shown}."
        found.append(empty.problem("warning", "empty-answers", pl, en))
    if damaged.count:
        pl = f"Odpowiedzi ze znakiem � w miejscu litery: {damaged.count} ({damaged.shown}). Zapisz plik w UTF-8."
        en = f"Answers with the sign � in place of a letter: {damaged.count} ({damaged.shown}). Save the file in UTF-8."
        found.append(damaged.problem("warning", "replacement-signs", pl, en))
    return found


def blank_dropped(surplus: int, total: int) -> Problem:
    """Blank lines behind the last answer."""
    number = plural(surplus, "pusty wiersz", "puste wiersze", "pustych wierszy")
    en = counted(surplus, "blank line was", "blank lines were")
    message = Bilingual(f"Pominięto {number} na końcu pliku.", f"{en} left out at the end of the file.")
    lines = tuple(range(total + 1, total + 1 + min(surplus, PLACES)))
    return Problem("note", "blank-lines-dropped", message, surplus, lines)


def header_dropped(name: str, compared: Bilingual | None = None) -> Problem:
    """A first line that names the column of a file of one answer a line.

    :param compared: what the line as an answer would give, where a blank last line leaves that open
    """
    first = Bilingual(
        f"Pierwszy wiersz pliku {name} to nagłówek, a nie odpowiedź; pominięto go.",
        f"The first line of the file {name} is a header, not an answer; it was left out.",
    )
    if compared is None:
        return Problem("note", "header-dropped", first, 1, (1,))
    message = Bilingual(
        f"{first.pl} Ostatnia odpowiedź jest pusta.{compared.pl} Jeśli to odpowiedź, usuń puste wiersze z końca pliku.",
        f"{first.en} The last answer is empty.{compared.en} Where it is an answer, remove the blank lines at the end.",
    )
    return Problem("warning", "header-dropped", message, 1, (1,))


def about_lines(compared: Bilingual, where: Bilingual, *, taken: bool) -> Problem:
    """A warning for lines that are ids and answers, or whole answers with a separator inside, such as `3,15`.

    :param compared: what the other reading would give
    :param where: what chooses it
    :param taken: whether the whole lines were read
    """
    whole, parted = (
        Bilingual("całe wiersze, po jednej odpowiedzi, w kolejności pytań", "whole lines, one answer each, in order"),
        Bilingual("identyfikator pytania i odpowiedź", "question id and answer"),
    )
    read, other = (whole, parted) if taken else (parted, whole)
    message = Bilingual(
        f"Wiersze odczytano jako {read.pl}. Inne odczytanie: {other.pl}.{compared.pl} Wskazuje to {where.pl}.",
        f"The lines were read as {read.en}. Another reading: {other.en}.{compared.en} Choose it by {where.en}.",
    )
    return Problem("warning", "lines-or-ids", message)


def about_ranks(ranked: Places) -> list[Problem]:
    """A warning for several answers to a question of which the first by rank was taken."""
    if not ranked.count:
        return []
    pl = f"Kilka odpowiedzi na pytanie, liczba dalszych wierszy: {ranked.count} ({ranked.shown}); liczy się pierwsza "
    en = f"Several answers to a question, further rows: {ranked.count} ({ranked.shown}); the first by the column rank "
    where = by_option("--duplicates first|last")
    pl, en = f"{pl}według kolumny rank. Inaczej: {where.pl}.", f"{en}counts. Otherwise: {where.en}."
    return [ranked.problem("warning", "first-by-rank", pl, en)]
