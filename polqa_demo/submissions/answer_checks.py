"""What whole answers may be instead of answers: the questions, answers with their questions, words for no answer."""

import re
import unicodedata
from collections.abc import Mapping
from itertools import islice

from polqa_demo.data.answer_texts import MISSING
from polqa_demo.data.thoughts import has_thoughts, without_thoughts
from polqa_demo.errors import Problem
from polqa_demo.polish.words import folded
from polqa_demo.submissions.golds import NEARLY_ALL, Golds
from polqa_demo.submissions.problems import Places, refuse
from polqa_demo.submissions.question_texts import QuestionTexts
from polqa_demo.submissions.table import SAMPLE

# So many lines with a question mark are no chance.
_FEWEST_QUESTIONS = 20
_FEWEST = 2
_LONGEST_MISSING = 40
# Words that a system says in the place of an answer; only together, since "NA" and "null" are answers of PolQA.
_NO_ANSWER = frozenset(
    (
        "brak odpowiedzi", "nie wiem", "brak danych", "brak informacji", "nie znam odpowiedzi", "bez odpowiedzi",
        "no answer", "unanswerable", "i don't know", "i do not know", "unknown", "cannot answer", "not available",
    )
)  # fmt: skip
_LABELS = re.compile(
    r"\s*(?:(?:pytanie|question|odpowied[źz]|answer|odp|q|p|a|o)\s*[:.)]|[-–—:|,;.])\s*", re.IGNORECASE
)


def about_questions(
    answers: Mapping[str, tuple[int, str]], texts: QuestionTexts, golds: Golds, name: str
) -> list[Problem]:
    """Warnings for answers that are questions, or hold their own.

    :raises Refused: nearly all answers are the very questions of the gold
    """
    filled = {key: found for key, found in answers.items() if found[1].strip()}
    if len(filled) < _FEWEST:
        return []
    enough = NEARLY_ALL * len(filled)
    sample = dict(islice(filled.items(), SAMPLE))
    if max(places.count for places in _kinds(sample, texts)) < len(sample) / 2:
        return []
    same, holding, marked = _kinds(filled, texts)
    if same.count >= enough:
        raise refuse(
            "questions-as-answers",
            f"Plik {name} zawiera pytania złotego zbioru zamiast odpowiedzi: {same.count} z {len(filled)} "
            f"({same.shown}). Wybierz plik z odpowiedziami.",
            f"The file {name} holds the questions of the gold in place of answers: {same.count} of {len(filled)} "
            f"({same.shown}). Choose the file of answers.",
            same.count,
            same.lines,
        )
    if holding.count >= enough:
        plain = {key: answer for key, (_, answer) in answers.items()}
        without = {key: _without(answer, texts.of(key)) for key, answer in plain.items()}
        compared = golds.compared(plain, without)
        pl = f"Odpowiedzi, które zawierają własne pytanie: {holding.count} ({holding.shown}).{compared.pl} Zostaw same "
        en = f"Answers that hold their own question: {holding.count} ({holding.shown}).{compared.en} Keep the answers "
        return [holding.problem("warning", "question-in-answer", f"{pl}odpowiedzi.", f"{en}alone.")]
    if len(filled) >= _FEWEST_QUESTIONS and marked.count >= enough:
        pl = (
            f"Odpowiedzi zakończone znakiem zapytania: {marked.count} z {len(filled)} ({marked.shown}). Czy to nie "
            f"plik "
        )
        en = (
            f"Answers that end in a question mark: {marked.count} of {len(filled)} ({marked.shown}). Is this a file of "
        )
        return [marked.problem("warning", "answers-ask", f"{pl}pytań?", f"{en}questions?")]
    return []


def _kinds(answers: Mapping[str, tuple[int, str]], texts: QuestionTexts) -> tuple[Places, Places, Places]:
    """Answers that are a question of the gold, that hold their own one, that end in a question mark."""
    same, holding, marked = Places(), Places(), Places()
    for key, (line, answer) in answers.items():
        # Thoughts may well quote the question.
        said = without_thoughts(answer) if has_thoughts(answer) else answer
        text, asked = folded(said), texts.of(key)
        if texts.ids(said):
            same.add(line, answer)
        elif asked and asked in text:
            holding.add(line, answer)
        if text.endswith("?"):
            marked.add(line, answer)
    return same, holding, marked


def about_missing_values(answers: Mapping[str, tuple[int, str]], golds: Golds) -> list[Problem]:
    """A warning for texts by which programs write that nothing is there, but for those that are a gold."""
    found = Places()
    for key, (line, answer) in answers.items():
        is_short = len(answer) < _LONGEST_MISSING
        if is_short and answer.strip() in MISSING and golds.equal({key: answer})[0] == 0:
            found.add(line, answer.strip())
    return found.reported(
        "warning",
        "missing-values",
        "Odpowiedzi o tekście, którym programy zapisują brak wartości: {count} ({shown}). Liczą się jak każda inna; "
        "brak odpowiedzi to pusty tekst.",
        "Answers with a text by which programs write a missing value: {count} ({shown}). They count like any other; no "
        "answer is an empty text.",
    )


def about_no_answer(answers: Mapping[str, tuple[int, str]]) -> list[Problem]:
    """A note for words that say that there is no answer: they count as answers, an empty text does not."""
    said = Places()
    for line, answer in answers.values():
        if len(answer) < 40 and answer.strip().rstrip(".!").casefold() in _NO_ANSWER:
            said.add(line, answer)
    if said.count < _FEWEST:
        return []
    pl = f"Odpowiedzi, które mówią, że odpowiedzi nie ma: {said.count} ({said.shown}). Liczą się jak każda inna; brak "
    en = (
        f"Answers that say that there is none: {said.count} ({said.shown}). They count like any other; no answer is an "
    )
    return [said.problem("note", "no-answer-words", f"{pl}odpowiedzi to pusty tekst.", f"{en}empty text.")]


def _without(answer: str, question: str) -> str:
    """An answer without its question (given as it is compared) and without the labels around both."""
    plain = " ".join(unicodedata.normalize("NFC", answer).split())
    at = plain.casefold().find(question) if question else -1
    # Some letters are two when they are folded; then the places differ.
    if at < 0 or len(plain.casefold()) != len(plain):
        return answer
    before, behind = plain[:at], plain[at + len(question) :]
    parts = (_unlabelled(before), _unlabelled(behind))
    return " ".join(part for part in parts if part)


def _unlabelled(text: str) -> str:
    start = 0
    while match := _LABELS.match(text, start):
        start = match.end()
    return text[start:].rstrip(" -–—:|")
