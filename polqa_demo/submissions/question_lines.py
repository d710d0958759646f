"""Questions without a header: a question a line, behind a domain or an id, or as TREC's topics. What is no question is
never taken for one in silence.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from polqa_demo.data.answer_texts import UnknownShapeError, printed_texts
from polqa_demo.data.columns import names_of, plain_name
from polqa_demo.data.poleval import DOMAINS
from polqa_demo.errors import Bilingual, Problem
from polqa_demo.records import Question
from polqa_demo.submissions.problems import first_places, refuse

# A question's own number, and what may stand behind it.
_NUMBERED = re.compile(r"\s*([0-9]+)\s*[.):,;]\s*(\S.*)", re.DOTALL)
# An id of digits in CSV without a header.
_SEPARATED = re.compile(r"([0-9]+)[,;]\s*(\S.*)", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z]\w*)[^<>\n]*>")
# What the number of a topic is written behind.
_NUMBER = re.compile(r"(?:number)?\s*:?\s*(\S+)", re.IGNORECASE)
_NEARLY_ALL = 0.9
_HEADER = "question_id <TAB> question"


@dataclass(slots=True)
class Asked:
    """Questions in their order, the form in which they stood, and what was odd."""

    questions: tuple[Question, ...]
    form: str = "questions"
    problems: list[Problem] = field(default_factory=list)


def read_lines(lines: Sequence[str], file: str) -> Asked:
    """The questions of lines; ids are line numbers from 1 where the lines have none of their own.

    :raises Refused: topics without a number or a title, other markup, lists in the place of questions
    """
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("<"):
        return _topics(lines, file)
    rows = [(number, [cell.strip() for cell in line.split("\t")]) for number, line in enumerate(lines, 1)]
    told: list[Problem] = []
    header = [plain_name(cell) for cell in first.split("\t")]
    if any(name in names_of("question") for name in header) and "?" not in first and len(rows) > 1:
        return _under_header(rows, header)
    filled = [(number, cells) for number, cells in rows if any(cells)]
    if not filled or max(len(cells) for _, cells in filled) == 1:
        return _alone(rows, filled)
    texts_at = _question_place(filled, file)
    keyed = texts_at != 0 and _are_ids(filled, texts_at)
    told += _about_columns(filled, texts_at, keyed)
    if keyed:
        questions = tuple(Question(cells[0], _at(cells, texts_at)) for _, cells in filled)
    else:
        questions = tuple(Question(str(number), _at(cells, texts_at)) for number, cells in rows)
    return Asked(questions, problems=told)


def _at(cells: Sequence[str], place: int) -> str:
    """The cell of a place; -1 is the last one of each line."""
    return cells[place] if place < len(cells) else ""


def _alone(rows: Sequence[tuple[int, list[str]]], filled: Sequence[tuple[int, list[str]]]) -> Asked:
    """One cell a line. Numbers in front of all questions are none of their words."""
    lines = [cells[0] for _, cells in filled]
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(match and match[1] == str(place) for place, match in enumerate(numbered, 1)):
        questions = tuple(Question(match[1], match[2].strip()) for match in numbered if match)
        message = Bilingual(
            "Każde pytanie zaczyna się od swojego numeru; numery odczytano jako identyfikatory, a nie jako słowa "
            f"pytań. Jeśli należą do pytań, podaj plik z nagłówkiem: {_HEADER}.",
            "Each question begins with its own number; the numbers were read as ids, not as words of the questions. "
            f"Where they belong to them, give the file a header: {_HEADER}.",
        )
        return Asked(questions, problems=[Problem("note", "question-numbers", message, len(lines))])
    separated = [_SEPARATED.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(separated) and len({match[1] for match in separated if match}) == len(lines):
        found = tuple(Question(match[1], _unquoted(match[2].strip())) for match in separated if match)
        return Asked(found, problems=[_ids_told([question.id for question in found])])
    return Asked(tuple(Question(str(number), cells[0]) for number, cells in rows))


def _unquoted(cell: str) -> str:
    """A cell of CSV without the quotes around it."""
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _under_header(rows: Sequence[tuple[int, list[str]]], header: Sequence[str]) -> Asked:
    """The first line names the columns; ids are numbers from 1."""
    place = next(header.index(name) for name in names_of("question") if name in header)
    after = next(at for at, (_, cells) in enumerate(rows) if any(cells)) + 1
    questions = tuple(Question(str(number), _at(cells, place)) for number, (_, cells) in enumerate(rows[after:], 1))
    message = Bilingual(
        f"Pierwszy wiersz ({', '.join(header)}) odczytano jako nagłówek, a nie pytanie. Jeśli to pytanie, dopisz w nim "
        "znak zapytania.",
        f"The first line ({', '.join(header)}) was read as a header, not as a question. Where it is one, add a "
        "question mark to it.",
    )
    return Asked(questions, problems=[Problem("note", "question-header", message)])


def _question_place(filled: Sequence[tuple[int, list[str]]], file: str) -> int:
    """In which column the questions are: the one where they end as questions do, else the last one.

    :raises Refused: in no column but those of printed lists
    """
    width = min(len(cells) for _, cells in filled)
    if width < 2:
        return -1
    places = [place for place in range(width) if not _are_lists([cells[place] for _, cells in filled])]
    if not places:
        raise refuse(
            "no-questions",
            f"Plik {file}: w każdej kolumnie stoją listy, a nie pytania. Podaj pytanie w wierszu.",
            f"File {file}: every column holds lists, not questions. Give a question a line.",
        )
    asking = {place: sum(cells[place].endswith("?") for _, cells in filled) for place in places}
    same_width = all(len(cells) == width for _, cells in filled)
    last = width - 1
    best = max(places, key=lambda place: (asking[place], place))
    if asking[best] >= _NEARLY_ALL * len(filled) and asking[best] > asking.get(last, 0):
        return best
    if same_width and last not in places:
        return places[-1]
    return -1


def _are_lists(cells: Sequence[str]) -> bool:
    """Lists of golds, as DPR's files have them behind their questions."""
    return all(cell.startswith(("[", "{")) and _is_list(cell) for cell in cells)


def _is_list(cell: str) -> bool:
    try:
        return printed_texts(cell) is not None
    except UnknownShapeError:
        return True


def _are_ids(filled: Sequence[tuple[int, list[str]]], texts_at: int) -> bool:
    """First cells that are distinct, without blanks, shorter than the questions, and no domain of PolEval's."""
    firsts = [cells[0] for _, cells in filled]
    return (
        len(set(firsts)) == len(firsts)
        and all(len(cells) > 1 and len(cells[0]) < len(_at(cells, texts_at)) for _, cells in filled)
        and not any(not first or any(sign.isspace() for sign in first) or first in DOMAINS for first in firsts)
    )


def _about_columns(filled: Sequence[tuple[int, list[str]]], texts_at: int, keyed: bool) -> list[Problem]:
    """Which column was taken for what."""
    found: list[Problem] = []
    if keyed:
        found.append(_ids_told([cells[0] for _, cells in filled]))
    firsts = Counter(cells[0] for _, cells in filled if len(cells) > 1)
    if texts_at != 0 and not keyed and not set(firsts) <= DOMAINS:
        message = Bilingual(
            f"Pierwszą kolumnę pominięto: nie jest identyfikatorem ({first_places(firsts)}). Pytania mają numery "
            f"wierszy. Identyfikatory poda nagłówek: {_HEADER}.",
            f"The first column was left out: it is no id ({first_places(firsts)}). The questions have their line "
            f"numbers. A header gives them ids: {_HEADER}.",
        )
        found.append(Problem("note", "question-domains", message, len(firsts)))
    behind = [number for number, cells in filled if texts_at >= 0 and len(cells) > texts_at + 1]
    if behind:
        column = texts_at + 1
        message = Bilingual(
            f"Za kolumną pytań ({column}.) stoją inne teksty, wierszy: {len(behind)}. Nie należą do pytań i nie są "
            f"wyszukiwane. Jeśli pytania są w innej kolumnie, podaj nagłówek: {_HEADER}.",
            f"Behind the column of questions (no. {column}) stand other texts, lines: {len(behind)}. They are no part "
            f"of the questions and are not searched. Where the questions are in another column, give a header: "
            f"{_HEADER}.",
        )
        found.append(Problem("warning", "question-columns", message, len(behind), tuple(behind[:3])))
    return found


def _ids_told(ids: Sequence[str]) -> Problem:
    message = Bilingual(
        f"Pierwszą kolumnę odczytano jako identyfikatory pytań: {first_places(ids)}. Jeśli nimi nie jest, podaj "
        "nagłówek, jak: dziedzina <TAB> pytanie.",
        f"The first column was read as ids of questions: {first_places(ids)}. Where it is none, give a header, such "
        "as: domain <TAB> question.",
    )
    return Problem("note", "question-ids", message, len(ids))


def _topics(lines: Sequence[str], file: str) -> Asked:
    """TREC's topics: `<top>`, `<num> Number: 201`, `<title> words`, each up to the next tag.

    :raises Refused: other markup, or a topic without a number or a title
    """
    found: list[Question] = []
    fields: dict[str, str] = {}
    line = 1
    tag = ""
    # Text, then slash, name and text of each tag in turn.
    parts = _TAG.split("\n".join(lines))
    for at in range(0, len(parts), 3):
        closing, name = parts[at - 2 : at] if at else ("", "")
        if name.lower() == "top":
            # Some files close no topic: then the next one opens.
            found += _topic(fields, file, line) if fields else []
            fields = {}
            tag = ""
        elif name:
            tag = "" if closing else name.lower()
        if tag:
            fields[tag] = f"{fields.get(tag, '')} {parts[at]}"
        line += parts[at].count("\n")
    found += _topic(fields, file, line) if fields else []
    message = Bilingual(
        "Odczytano tematy TREC: numer z <num>, pytanie z <title>.",
        "TREC topics were read: the number from <num>, the question from <title>.",
    )
    return Asked(tuple(found), "topics", [Problem("note", "trec-topics", message, len(found))])


def _topic(fields: dict[str, str], file: str, line: int) -> list[Question]:
    number = _NUMBER.match(fields.get("num", "").strip())
    title = re.sub(r"^topic\s*:\s*", "", " ".join(fields.get("title", "").split()), flags=re.IGNORECASE)
    text = title or " ".join(fields.get("desc", "").split())
    if not number or not text:
        tags = ", ".join(fields)[:200]
        raise refuse(
            "bad-topics",
            f"Plik {file}, wiersz {line}: to znaczniki, ale nie temat TREC z <num> i <title> (są: {tags}). Podaj "
            "pytanie w wierszu albo JSONL z polami id i text.",
            f"File {file}, line {line}: this is markup, but no TREC topic with <num> and <title> (found: {tags}). Give "
            "a question a line, or JSONL with the fields id and text.",
            lines=[line],
        )
    return [Question(number[1], text)]
