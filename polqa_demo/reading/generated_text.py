"""What a model wrote, as an answer: its short form, and the passage it rests on."""

import re
import unicodedata
from collections.abc import Sequence

from polqa_demo.polish.words import NUMERALS, STOP_WORDS, WORD, sentences, stem, words
from polqa_demo.reading.answer_text import narrow, trim, written
from polqa_demo.reading.closed_questions import decide
from polqa_demo.reading.question_types import Asked, understand
from polqa_demo.reading.span_features import read_passage
from polqa_demo.records import Answer, Passage

NO_ANSWER = Answer("", 0.0)
LONGEST_ANSWER = 300
"""Characters; golds have some 20, and a list of names hardly ever more than this."""

_LABEL = re.compile(r"^\W*(?:krótka\s+)?(?:odpowiedź|odp\.|answer)\s*(?::|\s[–—-]\s)\s*", re.IGNORECASE)
_YES_NO = re.compile(r"(?:tak|nie)(?!\w)", re.IGNORECASE)
# Said instead of an answer; `nie` alone is one.
_UNKNOWN = re.compile(
    r"""(?:niestety\W+)?(?:
        nie\s+wiem | nie\s+wiadomo | nie\s+znam\s+odpowiedzi
      | brak\s+(?:odpowiedzi|danych|informacji)
      | nie\s+(?:ma|znalaz\w+|znaleziono|podano|mogę|można|da\s+się|jestem\s+w\s+stanie)\b.{0,60}?\b
        (?:odpowied\w+|informacj\w+|odpowiedzieć|określić|ustalić|stwierdzić)
      | (?:podane\s+|te\s+)?(?:fragmenty|teksty?|fragment)\s+nie\s+(?:zawiera|podaj|mówi|odpowiada)\w*
      | (?:i\s+)?(?:don't|do\s+not)\s+know | unknown | n/a
    )(?!\w)""",
    re.IGNORECASE | re.VERBOSE,
)
# The whole of it says so, or it goes on only to explain.
_UNKNOWN_END = re.compile(
    r"\W*$|\s*[.,;:!(–—-]|\s+(?:na|w|o|z|ponieważ|bo|gdyż|czy|kto|co|kiedy|gdzie|ile|jak|któr)\w*\b"
)
_SHORTEST_BEGINNING, _LONGEST_ENDING = 4, 3
# Of what is looked for in other forms, and where: hostile texts must not hold up the rest.
_MOST_WORDS, _MOST_CHARACTERS = 24, 100_000


def short_answer(text: str, question: str) -> str:
    """The answer inside of what a model wrote: one line without label, quotes and full stop, the wanted number first.

    Empty when it says that it does not know. Case is kept, Roman numerals too.
    """
    line = next((line for line in (_unlabelled(line) for line in text.splitlines()) if line), "")
    line = written(line)
    if says_unknown(line):
        return ""
    asked = understand(question).asked
    if asked is Asked.YES_NO and (verdict := _YES_NO.match(line)):
        return verdict[0]
    line = _within(line)
    start, end = trim(line, *narrow(asked, line, *trim(line, 0, len(line))))
    return line[start:end]


def says_unknown(line: str) -> bool:
    """Whether a line says that there is no answer."""
    line = line.strip(" \t\"'„”«»*()[]")
    match = _UNKNOWN.match(line)
    return match is not None and _UNKNOWN_END.match(line, match.end()) is not None


def rest_on(answer: str, question: str, passages: Sequence[Passage], named: int | None = None) -> Answer:
    """The answer with the first passage that holds it, or the `named` one if that does; confidence is left at 1.

    A passage holds it when one of its sentences, or its title, has every content word in some form. Offsets are given
    when it stands there letter by letter. A bare "tak" or "nie" stands in no passage: it rests on the named one, else
    on the one that tells most about the question.
    """
    if _YES_NO.fullmatch(answer):
        place = named if named is not None else _told_most(question, passages)
        return Answer(answer, 1.0, None if place is None else passages[place].id)
    order = list(range(len(passages)))
    if named is not None:
        order.sort(key=lambda place: place != named)
    for place in order:
        if holds(passages[place], answer):
            start = _literally(passages[place].text, answer)
            if start is None:
                return Answer(answer, 1.0, passages[place].id)
            return Answer(answer, 1.0, passages[place].id, start, start + len(answer))
    return Answer(answer, 1.0, None if named is None else passages[named].id)


def holds(passage: Passage, answer: str) -> bool:
    """Whether a passage has the answer: letter by letter, or all its content words in one sentence or the title."""
    if _literally(passage.text, answer) is not None:
        return True
    wanted = [word for word in dict.fromkeys(words(answer)) if word not in STOP_WORDS]
    if not wanted or len(wanted) > _MOST_WORDS:
        return False
    text = passage.text[:_MOST_CHARACTERS]
    pieces = [text[start:end] for start, end in sentences(text)]
    return any(_has_all(set(words(piece)), wanted) for piece in (*pieces, passage.title.replace("_", " ")))


def _unlabelled(line: str) -> str:
    return _LABEL.sub("", line.strip().strip("*`#").strip()).strip().strip("*`").strip()


def _within(line: str) -> str:
    if len(line) <= LONGEST_ANSWER:
        return line
    cut = line[:LONGEST_ANSWER]
    return cut[: cut.rindex(" ")] if " " in cut else cut


def _literally(text: str, answer: str) -> int | None:
    """The first place where the answer stands as words of its own."""
    if not answer or not unicodedata.is_normalized("NFC", answer):
        return None
    start = text.find(answer)
    while start >= 0:
        end = start + len(answer)
        left = start == 0 or not (WORD.match(text, start - 1) and WORD.match(text, start))
        right = end == len(text) or not (WORD.match(text, end - 1) and WORD.match(text, end))
        if left and right:
            return start
        start = text.find(answer, start + 1)
    return None


def _has_all(found: set[str], wanted: Sequence[str]) -> bool:
    return all(any(_same(word, other) for other in found) for word in wanted)


def _same(word: str, other: str) -> bool:
    """Whether two words are forms of one: one stem, one number, or alike up to an ending."""
    if word == other:
        return True
    if word[0].isdigit() or other[0].isdigit() or word in NUMERALS:
        return str(NUMERALS.get(word, word)) == str(NUMERALS.get(other, other))
    if word[0] != other[0]:
        return False
    beginning = max(_SHORTEST_BEGINNING, len(word) - _LONGEST_ENDING, len(other) - _LONGEST_ENDING)
    return stem(word) == stem(other) or (len(word) >= beginning and word[:beginning] == other[:beginning])


def _told_most(question: str, passages: Sequence[Passage]) -> int | None:
    support = decide(understand(question), [read_passage(passage.text, passage.title) for passage in passages])
    return None if support is None else support.passage
