"""Counts with their nouns, and lists that end in dots only where something is left out, in both languages."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo import scoring
from polqa_demo.cli import text as cli_text
from polqa_demo.data.gold_rows import GoldRows
from polqa_demo.errors import Bilingual, Problem, UserError, counted, first_few
from polqa_demo.evaluation.attribution import attribute
from polqa_demo.evaluation.compare import answers_run, compare_runs
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.answer_problems import blank_dropped
from polqa_demo.submissions.coverage import Ids
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.ranking_refusals import wrong_length

PACKAGE = Path(__file__).resolve().parents[1] / "polqa_demo"
# Nouns of counts in messages; behind a bare number they are wrong for one.
NOUNS = (
    "answers|bytes|cells|characters|columns|entries|files|ids|lines|passages|questions|rows|runs|scores|signs|texts"
    "|tokens|values|vectors"
)  # fmt: skip
# Limits, none of which can be one; a host's name before a verb.
OTHERS = re.compile(r"[A-Z_]+|limit|most|longest|depth|max_tokens|host")
# For programmers, or of modules that have their own tests of wording.
ELSEWHERE = {"runs/passages.py", "evaluation/question_ranking.py",
             "evaluation/paired.py", "evaluation/significance.py"}  # fmt: skip


def test_a_count_and_its_noun() -> None:
    assert [counted(count, "line", "lines") for count in (0, 1, 2, 11, 21)] == [
        "0 lines", "1 line", "2 lines", "11 lines", "21 lines",
    ]  # fmt: skip


@given(st.lists(st.text(st.characters(exclude_characters="…,"), min_size=1), max_size=9), st.integers(1, 5))
def test_dots_stand_only_for_what_is_left_out(values: list[str], most: int) -> None:
    shown = first_few(iter(values), most).split(", ") if values else []
    assert shown[:most] == [value[:60] for value in values[:most]]
    assert shown[most:] == (["…"] if len(values) > most else [])


def bare_counts(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            for value, text in zip(node.values, node.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(text, ast.Constant):
                    noun = re.match(rf" ({NOUNS})\b", str(text.value))
                    if noun and not OTHERS.fullmatch(ast.unparse(value.value).rpartition(".")[2]):
                        yield f"{file.name}:{node.lineno} {{{ast.unparse(value.value)}}}{noun[0]}"


def test_no_noun_in_the_plural_stands_behind_a_bare_count() -> None:
    files = [file for file in sorted(PACKAGE.rglob("*.py")) if file.relative_to(PACKAGE).as_posix() not in ELSEWHERE]
    assert [found for file in files for found in bare_counts(file)] == []


def refusal(act: Callable[[], object]) -> Bilingual:
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.message


def test_blank_lines() -> None:
    one, two = blank_dropped(1, 5).message, blank_dropped(2, 5).message
    assert one == ("Pominięto 1 pusty wiersz na końcu pliku.", "1 blank line was left out at the end of the file.")
    assert two == ("Pominięto 2 puste wiersze na końcu pliku.", "2 blank lines were left out at the end of the file.")


def strangers(count: int) -> Bilingual:
    ids = Ids({"1", "2"})
    for number in range(count):
        ids.keep(f"x{number}", number)
    with pytest.raises(Refused) as caught:
        ids.problems()
    return caught.value.message


def test_ids_of_another_split() -> None:
    assert strangers(1).en.startswith("The only id of the file is not in this set (file: x0; set: 1, 2).")
    assert strangers(1).pl.startswith("Jedyny identyfikator w pliku nie należy do tego zbioru (w pliku: x0;")
    assert strangers(5).en.startswith("None of the file's ids (5) is in this set (file: x0, x1, x2, …; set")
    assert strangers(5).pl.startswith("Żaden z 5 identyfikatorów w pliku nie należy")


def test_lengths() -> None:
    assert "has 1 line, the set 2 questions." in wrong_length("a.tsv", 1, 2, "x").message.en
    assert "has 2 lines, the set 1 question." in wrong_length("a.tsv", 2, 1, "x").message.en


def test_runs_over_other_questions() -> None:
    def runs(*more: str) -> Bilingual:
        questions = [Question(key, "Kto?", ("ja",)) for key in ("1", *more)]
        two = [answers_run(f"r{n}", questions[: len(questions) if n else 1], {}, "poleval") for n in range(2)]
        return refusal(lambda: compare_runs(two))

    assert "1 question is in one of them alone (2)." in runs("2").en
    assert "tylko w jednym z nich jest 1 pytanie (2)." in runs("2").pl
    assert "5 questions are in one of them alone (2, 3, 4, …)." in runs(*"23456").en
    assert "tylko w jednym z nich jest 5 pytań (2, 3, 4, …)." in runs(*"23456").pl


def test_one_question_to_attribute() -> None:
    message = refusal(lambda: attribute([Question("1", "Kto?")], {}, {}, {}, lambda _: ""))
    assert message.en.startswith("No question (of 1) has both")


def test_the_lines_of_a_problem() -> None:
    def told(*lines: int) -> str:
        return cli_text.problem_line(Problem("note", "x", Bilingual("a", "a"), 1, lines), "en")

    assert [told(), told(7), told(7, 8)] == ["note: a", "note: a (line: 7)", "note: a (lines: 7, 8)"]


def ties(count: int) -> Bilingual:
    questions = tuple(Question(str(number), "Kto?") for number in range(count))
    gold = GoldSet("g", "", questions, tuple(Judgement(one.id, "a", grade=1) for one in questions))
    rows = "".join(f"{one.id}\t{passage}\t1.0\n" for one in questions for passage in "ab")
    found = score_uploads(gold, rankings=Upload("r.tsv", f"question-id\tpassage-id\tscore\n{rows}".encode()))
    (told,) = [problem for problem in found.problems if problem.code == "ties"]
    return told.message


def test_all_tied_questions_are_told_without_dots() -> None:
    assert "pytań: 1 (0)." in ties(1).pl
    assert "questions: 3 (0, 1, 2)." in ties(3).en
    assert "questions: 4 (0, 1, 2, …)." in ties(4).en


def test_answers_that_are_shifted_by_one_line() -> None:
    words = "sowa lis żubr bocian ryś bóbr wilk łoś dzik kuna jeż żmija kret sum kos drozd".split()
    gold = GoldSet("g", "", tuple(Question(str(n), "Kto?", (word,)) for n, word in enumerate(words)))
    moved = {str(n): word for n, word in enumerate(["nic", *words[:-1]])}
    (told,) = [one for one in scoring.about_predictions(gold, moved, "a", "poleval") if one.code == "shifted-lines"]
    assert "they stand 1 line later." in told.message.en
    assert "stoją o 1 wiersz dalej." in told.message.pl


def test_remarks_on_a_gold_set() -> None:
    def remark(count: int) -> Bilingual:
        rows = GoldRows("g")
        for number in range(count):
            for answer in "ab":
                rows.ask(1, Question(str(number), "Kto?", (answer,)))
        return rows.gold().remarks[0].message

    assert "(3: 0, 1, 2);" in remark(3).en
    assert "(4: 0, 1, 2, …);" in remark(4).en
