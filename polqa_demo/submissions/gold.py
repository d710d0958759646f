"""A file of questions or of gold, in whatever form -> questions and judgements. The one reader of gold: splits that
are known by name are read by it too.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath
from typing import Literal

from polqa_demo.data.catalogue import gold_file
from polqa_demo.errors import Problem
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.gold_joining import by_id, by_line, by_text, with_whole_ids
from polqa_demo.submissions.gold_lines import gold_of_lines, text_lines
from polqa_demo.submissions.gold_table import Wanted, gold_of_table
from polqa_demo.submissions.id_columns import with_own_ids
from polqa_demo.submissions.problems import Refused, refuse
from polqa_demo.submissions.question_lines import read_lines
from polqa_demo.submissions.ranked_ids import RankedIds
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.registered import registered_name
from polqa_demo.submissions.table import Table

GoldKind = Literal["answers", "passages"]


def read_gold_or_questions(data: Content, name: str = "questions") -> GoldSet:
    """Questions in their order, with the passages that their file names: lines, topics, JSON, or any gold file.

    What was odd about the file, and what it was taken for (role `questions`), come with them.

    :raises Refused: not a file of questions
    """
    table = _table(data, name, "pytań", "questions")
    stem = PurePath(name).name
    if table.read_objects or table.header:
        gold = with_whole_ids(gold_of_table(table, Wanted(stem, role="questions")))
    else:
        lines = text_lines(table)
        while lines and not lines[-1].strip():
            lines.pop()
        asked = read_lines(lines, name)
        if table.form == "lines":
            table = replace(table, recognised=replace(table.recognised, form=asked.form))
        gold = GoldSet(stem, "", asked.questions, remarks=tuple(asked.problems))
    return _finished(gold, table, "questions")


def read_gold(
    data: Content,
    name: str = "gold",
    kind: GoldKind | None = None,
    questions: Sequence[Question] | None = None,
    ranked: Callable[[], RankedIds | None] = lambda: None,
) -> GoldSet:
    """A gold set: PolQA's CSV, JSON in many forms, judgements, `expected.tsv` of PolEval 2021 or 2022.

    A file that is a registered gold byte for byte bears its name. What was odd about the file, and what it was taken
    for (role `gold`), come with it.

    :param kind: what lines without a header hold; by default judged by their content
    :param questions: texts and order of the questions, for gold files that hold ids alone
    :param ranked: gives the ids of the ranking that is to be scored; asked only where the lines leave their form open
    :raises Refused: not a gold file; says which columns are wanted and which were found
    """
    known, split = registered_name(data) or ("", "")
    asked = {question.id for question in questions or ()}
    gold, numbered = _read(data, name, known, split, kind, asked, ranked)
    if kind and _parts_of(gold) != _without_kind(data, name, known, split, asked):
        gold = replace(gold, policies={"gold-kind": kind})
    return joined(gold, questions, name, numbered)


def _without_kind(data: Content, file: str, name: str, split: str, asked: Collection[str]) -> object:
    """What the file is by its content alone; None where it cannot be read so."""
    try:
        return _parts_of(_read(data, file, name, split, None, asked, lambda: None)[0])
    except Refused:
        return None


def _parts_of(gold: GoldSet) -> object:
    """What two readings of a gold file must share to be one."""
    return gold.questions, gold.judgements, gold.unanswerable


@lru_cache(maxsize=8)
def load_gold(name: str) -> GoldSet:
    """A registered gold set by its name, read from its file as any other.

    :raises UserError: no such name; lists the known ones
    """
    path = gold_file(name)
    collection, _, split = name.partition("/")
    return _read(path, path.name, collection, split, None, (), lambda: None)[0]


def _read(
    data: Content,
    file: str,
    name: str,
    split: str,
    kind: GoldKind | None,
    asked: Collection[str],
    ranked: Callable[[], RankedIds | None],
) -> tuple[GoldSet, bool]:
    """The gold under a name and a split (the file's where they are empty), and whether it has no ids of its own."""
    table = _table(data, file, "złotego zbioru", "gold")
    stem = PurePath(file).name.split(".")[0]
    wanted = Wanted(name or stem, split, as_answers=kind == "answers", as_passages=kind == "passages")
    in_lines = False
    if table.read_objects or table.header:
        gold = gold_of_table(table, wanted)
    else:
        lines = gold_of_lines(table, wanted, asked, ranked)
        gold, table, in_lines = lines.gold, lines.table, lines.by_line
    gold = with_whole_ids(gold)
    numbered = in_lines or any(remark.code == "numbered-questions" for remark in gold.remarks)
    return _finished(gold, table, "gold"), numbered


def joined(gold: GoldSet, questions: Sequence[Question] | None, file: str, numbered: bool = False) -> GoldSet:
    """The gold over the questions of a questions file; as it is where there is none.

    :param numbered: the gold has no ids of its own: its questions are those of the same text, or else of the same line
    :raises Refused: the two do not belong together
    """
    if questions is None:
        return gold
    if not numbered:
        return by_id(gold, questions, file)
    return by_text(gold, questions) or by_line(gold, questions, file)


def _table(data: Content, name: str, what_pl: str, what_en: str) -> Table:
    """The file as a table; an empty one is told by its role."""
    try:
        return with_own_ids(read_table(data, name))
    except Refused as error:
        if error.code != "empty-file":
            raise
        raise refuse(
            "empty-file",
            f"Plik {name} jest pusty. Wybierz plik {what_pl}.",
            f"The file {name} is empty. Choose a file of {what_en}.",
        ) from error


def _finished(gold: GoldSet, table: Table, role: str) -> GoldSet:
    """The gold with all that is told of its file, under the file's name.

    :raises Refused: there are no questions
    """
    if not gold.questions:
        raise refuse(
            "no-questions",
            f"Plik {table.name} nie zawiera żadnego pytania.",
            f"The file {table.name} holds no questions.",
        )
    told: list[Problem] = [*table.problems, *gold.remarks]
    remarks = tuple(replace(problem, file=problem.file or table.name) for problem in told)
    return replace(gold, remarks=remarks, recognised={role: table.recognised})
