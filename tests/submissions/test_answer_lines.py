"""Answers without a header: whole ones, and nothing but answers."""

import json

import pytest
from answer_files import ASKED, GOLDS, HALF, IDS, QUESTIONS, SOUP, read, refusal, right, table, told
from mutations import workbook

from polqa_demo.records import Question
from polqa_demo.submissions.problems import Refused

HIDDEN = tuple(Question(question.id, "") for question in QUESTIONS)


def rows(*columns: tuple[str, ...]) -> list[list[object]]:
    return [list(row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_a_question_between_id_and_answer_is_no_part_of_the_answer(separator: str) -> None:
    file = read(table([IDS, ASKED, HALF], separator))
    assert file.predictions == dict(zip(IDS, HALF, strict=True))
    assert "question-column" in told(file)


def test_a_question_with_commas_that_nobody_quoted_is_known_by_its_text() -> None:
    file = read("".join(f"{key},{asked},{gold}\n" for key, asked, gold in zip(IDS, ASKED, GOLDS, strict=True)))
    assert right(file) == 12


def test_cells_of_a_workbook_and_of_json_likewise() -> None:
    for data in (workbook(rows(IDS, ASKED, HALF)), json.dumps(rows(IDS, ASKED, HALF))):
        assert right(read(data)) == 6


def test_a_question_behind_the_answer() -> None:
    assert right(read(table([IDS, HALF, ASKED], "\t"))) == 6


def test_questions_of_a_gold_without_texts_are_known_by_their_mark() -> None:
    file = read(table([IDS, [f"Inne {key}?" for key in IDS], HALF], "\t"), HIDDEN)
    assert file.predictions == dict(zip(IDS, HALF, strict=True))
    # Answers that end in a question mark, since a title does, are answers.
    titles = [*HALF[:11], "Quo vadis?"]
    assert read(table([IDS, titles], "\t"), HIDDEN).predictions["112"] == "Quo vadis?"


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_questions_in_the_place_of_ids(separator: str) -> None:
    file = read(table([ASKED[::-1], HALF[::-1]], separator))
    assert file.predictions == dict(zip(IDS, HALF, strict=True))
    assert "--form lines" in told(file)["joined-by-question"]
    unquoted = "".join(f"{asked}{separator}{answer}\n" for asked, answer in zip(ASKED, HALF, strict=True))
    assert right(read(unquoted)) == 6


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_questions_of_a_gold_without_texts_in_the_order_of_the_lines(separator: str) -> None:
    file = read(table([[f"Inne, {key}; ale?" for key in IDS], HALF], separator))
    assert right(file) == 6
    assert "instead of 6" in told(file)["question-column"]


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_ids_behind_the_answers(separator: str) -> None:
    file = read(table([HALF, IDS], separator))
    assert right(file) == 6
    assert "behind it" in told(file)["ids-recognised"]


def test_the_gold_behind_or_before_the_answer_is_not_scored() -> None:
    for columns, taken in (([IDS, HALF, GOLDS], 2), ([IDS, GOLDS, HALF], 3), ([IDS, ASKED, HALF, GOLDS], 3)):
        file = read(table(columns, "\t"))
        assert right(file) == 6
        assert f"column {taken}." in told(file)["gold-column"]


def test_two_columns_that_are_both_gold_are_scored_where_that_changes_nothing() -> None:
    aliases = [f"{gold} (inaczej)" for gold in GOLDS]
    assert right(read(table([IDS, aliases, GOLDS], "\t"))) == 12
    code, message = refusal(table([IDS, (*GOLDS[:11], "zupa"), GOLDS], "\t"))
    assert code == "answer-columns"
    assert "2 (11), 3 (12)" in message
    assert right(read(table([IDS, (*GOLDS[:11], "zupa"), GOLDS], "\t"), answer_column="2")) == 11


@pytest.mark.parametrize("numbers", [["0.93", "0.1"], ["1", "0"], ["95%", "3%"], ["0,93", "0,1"]])
@pytest.mark.parametrize("answers", [HALF, GOLDS])
def test_numbers_behind_the_answers_are_about_them(numbers: list[str], answers: tuple[str, ...]) -> None:
    file = read(table([IDS, answers, numbers * 6], "\t"))
    assert file.predictions == dict(zip(IDS, answers, strict=True))
    assert not {"gold-column", "answer-columns"} & told(file).keys()


def test_other_third_cells_are_read_with_the_answer_and_counted_without() -> None:
    file = read(table([IDS, HALF, [f"{key}-x7 źródło" for key in IDS]], "\t"))
    assert file.predictions["102"] == "Londyn\t102-x7 źródło"
    assert "By the other reading 6 instead of" in told(file)["answer-place"]
    assert right(read(table([IDS, HALF, SOUP], "\t"), answer_column="2")) == 6
    assert read(table([IDS, HALF, SOUP], "\t"), answer_column="2-").predictions["102"] == "Londyn\tzupa"
    assert refusal(table([IDS, HALF, SOUP], "\t"), answer_column="4")[0] == "no-such-column"


def test_answers_with_commas_are_whole() -> None:
    file = read("".join(f"{key},{answer}, {answer}\n" for key, answer in zip(IDS, HALF, strict=True)))
    assert file.predictions["102"] == "Londyn, Londyn"


NUMBERED = ["{n}. {a}", "{n}) {a}", "({n}) {a}", "{n} - {a}", "{n}: {a}", "{n}.{a}"]


@pytest.mark.parametrize("style", NUMBERED)
@pytest.mark.parametrize("start", [0, 1])
def test_lines_that_begin_with_their_number_are_told_with_what_stripping_gives(style: str, start: int) -> None:
    texts = [gold if len(gold) > 4 else gold + " i tyle" for gold in GOLDS]
    file = read("".join(style.format(n=n, a=a) + "\n" for n, a in enumerate(texts, start)))
    assert file.predictions["102"] == style.format(n=start + 1, a=texts[1])
    message = told(file)["numbered-lines"]
    assert message.startswith("warning")
    assert f"{right(read(table([texts])))} instead of {right(file)}" in message


def test_numbers_that_are_the_answers_are_no_numbering() -> None:
    counted = tuple(Question(f"q{n}", f"Ile to {n}?", (str(n),)) for n in range(1, 13))
    file = read("".join(f"{n} sztuk\n" for n in range(1, 13)), counted)
    assert (right(file, counted), told(file)) == (12, {})


def test_few_lines_or_other_numbers_are_no_numbering() -> None:
    nine = QUESTIONS[:9]
    assert "numbered-lines" not in told(read("".join(f"{n}. {gold}\n" for n, gold in enumerate(GOLDS[:9], 1)), nine))
    assert "numbered-lines" not in told(read("".join(f"{n * 7}. {gold}\n" for n, gold in enumerate(GOLDS, 1))))


def test_line_numbers_that_are_ids_are_ids() -> None:
    numbered = tuple(Question(str(n), "", (gold,)) for n, gold in enumerate(GOLDS, 1))
    file = read("".join(f"{n}\t{gold}\n" for n, gold in enumerate(GOLDS, 1)), numbered)
    assert right(file, numbered) == 12
    assert "numbered-lines" not in told(file)


def test_a_number_for_a_gold_that_shows_nothing_is_not_told() -> None:
    file = read("".join(f"{n}. {gold}\n" for n, gold in enumerate(GOLDS, 1)), HIDDEN)
    assert "instead" not in told(file)["numbered-lines"]


def test_lines_of_several_cells_are_told_where_one_of_them_is_better() -> None:
    file = read(table([GOLDS, ["brak"] * 12], "\t"))
    assert "12 instead of" in told(file)["answer-place"]
    assert right(read(table([GOLDS, SOUP], "\t"), answer_column="1")) == 12
    assert right(read(table([SOUP, GOLDS], "\t"), answer_column="2")) == 12
    assert refusal(table([SOUP, GOLDS], "\t"), answer_column="3")[0] == "no-such-column"


def test_a_column_that_csv_quoted_is_read_without_its_quotes() -> None:
    everything = read("".join(f'"{answer}"\n' for answer in HALF))
    needed = read("".join(f'"{answer}, chyba"\n' if place == 1 else answer + "\n" for place, answer in enumerate(HALF)))
    assert everything.predictions == dict(zip(IDS, HALF, strict=True))
    assert needed.predictions["102"] == "Londyn, chyba"
    for file in (everything, needed):
        assert "--no-quotes" in told(file)["quoted-cells"]
    assert read("".join(f'"{answer}"\n' for answer in HALF), quotes=False).predictions["102"] == '"Londyn"'


@pytest.mark.parametrize("title", ['"Potop"', '"Potop" i "Ogniem"', 'tak "Potop"', '"Potop'])
def test_quotes_of_single_titles_stay(title: str) -> None:
    file = read("\n".join((*HALF[:11], title)))
    assert file.predictions["112"] == title
    assert "quoted-cells" not in told(file)


def test_names_parted_by_tabs_do_not_look_like_ids() -> None:
    file = read("".join(f"{gold}\t{gold}\n" for gold in GOLDS))
    assert file.form == "lines"


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_unknown_questions_in_order_are_parted_from_their_answers_whatever_parts_them(separator: str) -> None:
    asked = [f"Kto, mniej więcej; miał numer {key}?" for key in IDS]
    answers = [*HALF[:11], f"{GOLDS[11]}{separator} tak"]
    plain = read(table([asked, answers], separator))
    assert list(plain.predictions.values()) == answers
    raw = read("".join(f"{one}{separator}{answer}\n" for one, answer in zip(asked, HALF, strict=True)))
    assert list(raw.predictions.values()) == list(HALF)
    assert "question-column" in told(raw)


def test_titles_that_ask_before_a_comma_are_answers() -> None:
    titles = ["Quo vadis?, powieść", "Kto się boi?, sztuka", *HALF[2:]]
    assert list(read("\n".join(titles)).predictions.values()) == titles


def test_numbers_ids_of_passages_and_raw_texts_behind_the_answers_are_no_part_of_them() -> None:
    ids = [f"{number}-{number % 7}" for number in range(900, 912)]
    raw = [f"Myślę, że {answer}, bo tak." for answer in HALF]
    for behind in (ids, raw):
        for answers in (HALF, GOLDS) if behind is ids else (HALF,):
            file = read(table([IDS, answers, behind], "\t"))
            assert file.predictions == dict(zip(IDS, answers, strict=True))
    # All right, and held by longer texts: either may be the system's.
    longer = [f"Chyba {gold}, tak." for gold in GOLDS]
    assert refusal(table([IDS, GOLDS, longer], "\t"))[0] == "answer-columns"


def test_a_first_answer_that_is_a_word_of_headers_makes_no_header() -> None:
    answers = ["id", *HALF[1:]]
    for separator in ("\t", ",", ";"):
        assert list(read(table([IDS, answers], separator)).predictions.values()) == answers
    assert refusal(table({"question_id": IDS, "tekst": HALF}))[0] == "missing-columns"


COMMAS = ("3,15", "5,20", "1,10", "2,5", "4,75", "6,1")


def numeric(golds: tuple[str, ...]) -> tuple[Question, ...]:
    return tuple(Question(str(n), f"Ile to {n}?", (gold,)) for n, gold in enumerate(golds, 1))


@pytest.mark.parametrize("sign", [",", ":", " "])
def test_answers_that_look_like_an_id_and_an_answer_are_told_with_what_whole_lines_give(sign: str) -> None:
    golds = tuple(gold.replace(",", sign) for gold in COMMAS)
    questions = numeric(golds)
    message = told(read("\n".join(golds), questions))["lines-or-ids"]
    assert "6 instead of" in message
    assert right(read("\n".join(golds), questions, form="lines"), questions) == 6


@pytest.mark.parametrize("repeated", ["3,15", "3,20"])
def test_as_many_lines_as_questions_with_ids_that_come_again_are_answers(repeated: str) -> None:
    golds = (*COMMAS[:5], repeated)
    file = read("\n".join(golds), numeric(golds))
    assert (list(file.predictions.values()), file.form) == (list(golds), "lines")
    assert told(file)["lines-or-ids"].startswith("warning")
    assert "command line: --form csv; page" in told(file)["lines-or-ids"]


def test_ids_and_answers_by_commas_are_told_nothing_and_two_answers_stay_refused() -> None:
    questions = numeric(GOLDS)
    data = [f"{n},{gold}" for n, gold in enumerate(GOLDS, 1)]
    assert "lines-or-ids" not in told(read("\n".join(data), questions))
    assert refusal("\n".join([*data[:11], "1,zupa"]), questions)[0] == "duplicate-ids"
    missing = read("\n".join([*data[:11], "999,zupa"]), questions)
    assert (right(missing, questions), "lines-or-ids" in told(missing)) == (11, False)


def test_texts_of_json_one_a_line_lose_their_escapes_with_their_quotes() -> None:
    answers = [*HALF[:10], "Łódź", 'tak "x"']
    file = read("\n".join(map(json.dumps, answers)))
    assert list(file.predictions.values()) == answers
    assert "--no-quotes" in told(file)["json-texts"]
    assert read("\n".join(map(json.dumps, answers)), quotes=False).predictions["111"] == json.dumps("Łódź")
    # A backslash that JSON does not know belongs to the answer.
    odd = [f'"{answer}"' for answer in (*HALF[:11], "C:\\Windows")]
    assert read("\n".join(odd)).predictions["112"] == "C:\\Windows"


@pytest.mark.parametrize("empty", [1, 2])
def test_a_header_above_answers_of_which_the_last_are_empty_shifts_nothing(empty: int) -> None:
    answers = [*GOLDS[:-empty], *[""] * empty]
    file = read("\n".join(["answer", *answers]) + "\n")
    assert list(file.predictions.values()) == answers
    message = told(file)["header-dropped"]
    assert message.startswith("warning")
    assert f"0 instead of {12 - empty}" in message
    # Without a blank line to spare, the word is an answer.
    assert read("\n".join(["answer", *GOLDS[1:]])).predictions["101"] == "answer"


@pytest.mark.parametrize("first", ["Id, ego", "id, answer", "Pytanie; odpowiedź"])
def test_a_first_answer_that_holds_words_of_headers_is_no_header_above_lines_of_one_cell(first: str) -> None:
    answers = [first, *HALF[1:10], "Jan Matejko, chyba", HALF[11]]
    file = read("\n".join(answers))
    assert list(file.predictions.values()) == answers
    # Below a header, ids without an answer keep it.
    short = read("\n".join(["id,answer", *IDS[:8], *(f"{key},tak" for key in IDS[8:])]))
    assert short.form == "csv"


def test_where_the_golds_are_secret_lines_are_offered_where_ids_come_again() -> None:
    secret = tuple(Question(str(n), "") for n in range(1, 7))
    with pytest.raises(Refused) as caught:
        read("\n".join((*COMMAS[:5], "3,20")), secret)
    assert [problem.code for problem in caught.value.problems] == ["duplicate-ids", "lines-or-ids"]
    assert told(read("\n".join((*COMMAS[:5], "3,15")), secret))["lines-or-ids"].startswith("warning")
    assert "lines-or-ids" not in told(read("\n".join(COMMAS), secret))
