"""Files of questions with answers in passages -> training examples with their token targets.

Two forms are read: SQuAD's JSON (PolAQ, XQuAD, SQuAD itself), and JSONL of questions (`question`, `answers`,
`passage_id`) beside JSONL of passages (`id`, `title`, `text`).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz.distance.Levenshtein import distance

from polqa_demo.data.lines import load_json
from polqa_demo.errors import UserError
from polqa_demo.evaluation.fuzzy_match import read_number
from polqa_demo.reading.question_types import Asked, understand
from polqa_demo.reading.span_windows import Window
from polqa_demo.records import Passage

YES, NO = "tak", "nie"
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_MORE_WORDS = 3  # a span standing in for a gold that is no span may have so many words more


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the passage it was asked of; `spans` are characters of its text, empty for "tak" and "nie".

    `from_rows` tells the form with passage ids (PoQuAD) from SQuAD's, whose answers are mostly shorter.
    """

    id: str
    question: str
    passage: Passage
    golds: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    no: bool | None = None
    from_rows: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """The examples of some files, all their passages, and how many questions have an answer no span comes near."""

    examples: tuple[Example, ...]
    passages: Mapping[str, Passage]
    unanswerable: int


def read_examples(paths: Sequence[Path], left_out: Collection[str] = ()) -> Read:
    """The examples of all files in their order, without the questions whose ids are `left_out`.

    JSONL passages of questions left out are no passages of the result, and no question about them is an example of it.

    :raises UserError: a file cannot be read, has another form, or names a passage no file holds
    """
    passages: dict[str, Passage] = {}
    questions: list[tuple[Path, dict[str, Any]]] = []
    examples: list[Example] = []
    unanswerable = 0
    for number, path in enumerate(paths):
        if path.suffix == ".json":
            made, missed = _squad(path, number, passages, left_out)
            examples += made
            unanswerable += missed
        else:
            _sort_rows(path, passages, questions)
    banned = {str(row["passage_id"]) for _, row in questions if str(row.get("question_id")) in left_out}
    for path, row in questions:
        # Another question about a passage that is left out would show it all the same.
        if str(row.get("question_id")) in left_out or str(row["passage_id"]) in banned:
            continue
        example = _from_row(path, row, passages)
        examples += [example] if example else []
        unanswerable += example is None
    if not examples:
        names = ", ".join(path.name for path in paths)
        raise UserError(
            "train-empty",
            f"W plikach {names} nie ma pytań z odpowiedzią w tekście. Podaj pliki w układzie SQuAD albo JSONL "
            "z pytaniami i fragmentami.",
            f"The files {names} hold no question with its answer in a text. Give files in SQuAD's layout, or JSONL "
            "with questions and passages.",
        )
    return Read(tuple(examples), {key: item for key, item in passages.items() if key not in banned}, unanswerable)


def _squad(
    path: Path, number: int, passages: dict[str, Passage], left_out: Collection[str]
) -> tuple[list[Example], int]:
    try:
        articles = load_json(path.read_text(encoding="utf-8"))["data"]
        grouped: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for place, article in enumerate(articles):
            for part, paragraph in enumerate(article["paragraphs"]):
                key = f"{number}-{place}-{part}"
                passages[key] = Passage(key, str(article.get("title", "")), str(paragraph["context"]))
                for row in paragraph["qas"]:
                    if str(row["id"]) not in left_out:
                        grouped.setdefault((key, str(row["question"])), []).append(row)
        made = [_from_squad(passages[key], asked, rows) for (key, asked), rows in grouped.items()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise _bad_file(path, f"{type(error).__name__}: {error}") from error
    found = [example for example in made if example.spans]
    return found, len(made) - len(found)


def _from_squad(passage: Passage, question: str, rows: Sequence[Mapping[str, Any]]) -> Example:
    answers = [answer for row in rows for answer in row["answers"]]
    golds = tuple(dict.fromkeys(str(answer["text"]) for answer in answers))
    spans = {(int(a["answer_start"]), int(a["answer_start"]) + len(a["text"])) for a in answers if a["text"]}
    inside = sorted(span for span in spans if span[0] >= 0 and span[1] <= len(passage.text))
    return Example(f"{passage.id}-{rows[0]['id']}", question, passage, golds, tuple(inside))


def _sort_rows(path: Path, passages: dict[str, Passage], questions: list[tuple[Path, dict[str, Any]]]) -> None:
    for number, row in _rows(path):
        if "question" in row and isinstance(row.get("answers"), list) and row.get("passage_id") is not None:
            questions.append((path, row))
        elif {"id", "text"} <= row.keys():
            key = str(row["id"])
            passages[key] = Passage(key, str(row.get("title") or ""), str(row["text"]))
        else:
            raise _bad_file(path, f"line {number}: neither a question with answers and passage_id nor a passage")


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    row = load_json(line)
                    if not isinstance(row, dict):
                        raise _bad_file(path, f"line {number}: no JSON object")
                    yield number, row
    except (OSError, ValueError, RecursionError) as error:
        raise _bad_file(path, f"{type(error).__name__}: {error}") from error


def _from_row(path: Path, row: Mapping[str, Any], passages: Mapping[str, Passage]) -> Example | None:
    passage = passages.get(str(row["passage_id"]))
    if passage is None:
        raise _bad_file(path, f"passage {row['passage_id']!r} of question {row.get('question_id')!r} is in no file")
    question, golds = str(row["question"]), tuple(str(answer) for answer in row["answers"])
    key = str(row.get("question_id"))
    first = golds[0].strip().lower() if golds else ""
    if first in (YES, NO) and understand(question).asked is Asked.YES_NO:
        return Example(key, question, passage, golds, (), first == NO, from_rows=True)
    spans = tuple(span for gold in golds for span in nearest_spans(passage.text, gold))
    return Example(key, question, passage, golds, spans, from_rows=True) if spans else None


def nearest_spans(text: str, gold: str) -> list[tuple[int, int]]:
    """Where a gold stands in a text: every occurrence, else the run of words nearest to it that would be right."""
    if not gold.strip():
        return []
    whole = re.compile(rf"(?<!\w){re.escape(gold)}(?!\w)", re.IGNORECASE)
    found = [match.span() for match in whole.finditer(text)]
    return found or _nearest_run(text, gold)


def _nearest_run(text: str, gold: str) -> list[tuple[int, int]]:
    words = [match.span() for match in _WORD.finditer(text)]
    size, limit, number = len(_WORD.findall(gold)), len(gold) // 2, read_number(gold)
    best: tuple[int, int, int] | None = None
    for first in range(len(words)):
        for last in range(first, min(len(words), first + size + _MORE_WORDS + 1)):
            start, end = words[first][0], words[last][1]
            if end - start > len(gold) + limit:
                break
            piece = text[start:end]
            if number is not None and read_number(piece) != number:
                continue
            away = distance(piece.lower(), gold.lower(), score_cutoff=limit)
            if away <= limit and (best is None or away < best[0]):
                best = (away, start, end)
    return [best[1:]] if best else []


def targets(window: Window, spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """First and last tokens (rows of `Window.ids`) of the spans that lie wholly in the window."""
    first, last = set(), set()
    for start, end in spans:
        if start < window.offsets[0][0] or end > window.offsets[-1][1]:
            continue
        begin = max((place for place, span in enumerate(window.offsets) if span[0] <= start), default=None)
        stop = min((place for place, span in enumerate(window.offsets) if span[1] >= end), default=None)
        if begin is not None and stop is not None and begin <= stop:
            first.add(window.first + begin)
            last.add(window.first + stop)
    return sorted(first), sorted(last)


def _bad_file(path: Path, what: str) -> UserError:
    return UserError(
        "train-data",
        f"Nie można użyć pliku {path.name} do treningu: {what[:200]}. Potrzebny jest układ SQuAD (.json) albo JSONL.",
        f"The file {path.name} cannot be used for training: {what[:200]}. SQuAD's layout (.json) or JSONL is needed.",
    )
