"""Answers, questions and golds that tests of files of answers write their inputs from."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence

from polqa_demo.evaluation.fuzzy_match import score_fuzzy_match
from polqa_demo.records import Question
from polqa_demo.submissions.answers import AnswersFile, read_answers
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.table import Overrides

IDS = tuple(str(number) for number in range(101, 113))
GOLDS = ("Paryż", "Londyn", "1939", "Jan Matejko", "tak", "nie", "Wisła", "w XIX wieku", "Kraków", "Tatry",
         "Henryk Sienkiewicz", "Potop")  # fmt: skip
ASKED = ("Co jest stolicą Francji?", "Co jest stolicą Anglii, kraju Szekspira?", "Kiedy zaczęła się wojna?",
         "Kto namalował Bitwę pod Grunwaldem?", "Czy woda jest mokra?", "Czy Ziemia jest płaska?",
         "Jaka rzeka płynie przez Warszawę?", "W którym wieku żył Mickiewicz?", "Gdzie stoi Wawel?",
         "Jakie góry są w Polsce najwyższe?", "Kto napisał Quo vadis?",
         "Jaki tytuł ma druga część Trylogii?")  # fmt: skip
QUESTIONS = tuple(
    Question(key, asked, (gold, f"{gold} (inaczej)")) for key, asked, gold in zip(IDS, ASKED, GOLDS, strict=True)
)
# Half of these are right.
HALF = tuple(gold if place % 2 else "zupa" for place, gold in enumerate(GOLDS))
SOUP = ("zupa",) * len(IDS)


def read(data: str | bytes, questions: Sequence[Question] = QUESTIONS, **overrides: object) -> AnswersFile:
    """The answers of a file, judged by the headline rule."""
    content = data.encode() if isinstance(data, str) else data
    return read_answers(content, questions, "odp", Overrides(**overrides), judge=score_fuzzy_match)  # type: ignore[arg-type]


def right(file: AnswersFile, questions: Sequence[Question] = QUESTIONS) -> int:
    """How many answers are right."""
    return sum(score_fuzzy_match(file.predictions.get(item.id, ""), item.answers) for item in questions)


def told(file: AnswersFile) -> dict[str, str]:
    """What is told, by code: severity and the message in English."""
    return {problem.code: f"{problem.severity}: {problem.message.en}" for problem in file.problems}


def refusal(data: str | bytes, questions: Sequence[Question] = QUESTIONS, **overrides: object) -> tuple[str, str]:
    """Code and message of the refusal of a file."""
    try:
        file = read(data, questions, **overrides)
    except Refused as error:
        return error.code, error.problems[0].message.en
    raise AssertionError(f"read as {file.recognised.say()}, {right(file)} right, {told(file)}")


def table(columns: Mapping[str, Iterable[str]] | Sequence[Iterable[str]], separator: str = ",") -> str:
    """Columns under their names, or without a header, as csv writes them."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    if isinstance(columns, Mapping):
        writer.writerow(columns)
        columns = list(columns.values())
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()


def lines(objects: Iterable[object]) -> str:
    """An object a line."""
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in objects)


def objects(**fields: Sequence[object]) -> list[dict[str, object]]:
    """Fields as a list of objects."""
    return [dict(zip(fields, values, strict=True)) for values in zip(*fields.values(), strict=True)]
