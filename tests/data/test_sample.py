"""The checker of the embedded data set: layout, labels, judgements, texts, and that it keeps PolQA's traps."""

import csv
import json
import re
from collections import Counter, defaultdict
from itertools import combinations, pairwise

import pytest
from rapidfuzz import fuzz

from polqa_demo.data import sample
from polqa_demo.data.polqa import COLUMNS, gold_passages, parse_answers
from polqa_demo.polish.words import stem, words
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.gold import load_gold
from polqa_demo.submissions.kinds import recognise_kind

SUBTYPES = frozenset(
    "PLACE CONTINENT RIVER LAKE MOUNTAIN RANGE ISLAND ARCHIPELAGO SEA CELESTIAL_BODY COUNTRY STATE CITY NATIONALITY "
    "PERSON NAME SURNAME BAND DYNASTY ORGANISATION COMPANY EVENT TIME CENTURY YEAR PERIOD COUNT QUANTITY VEHICLE "
    "ANIMAL TITLE".split()
)
TYPES = {"SINGLE ENTITY", "MULTIPLE ENTITIES", "ENTITY CHOICE", "YES/NO", "OTHER NAME", "GAP FILLING"}
# Words of an answer that a passage may lack: prepositions and the nouns that only say what is asked for.
LIGHT = frozenset(
    stem(word)[:5] for word in "w we na do z ze o od i a oraz za po nad pod przed wieku wiek roku rok".split()
)
OVERLAP = 40


def rows_of(split: str) -> list[dict[str, str]]:
    with (sample.FOLDER / f"{split}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


ROWS = {split: rows_of(split) for split in sample.SPLITS}
ALL_ROWS = [row for rows in ROWS.values() for row in rows]
PASSAGES = [json.loads(line) for line in sample.passages_file().read_text(encoding="utf-8").splitlines()]
BY_ID = {passage["id"]: passage for passage in PASSAGES}
QUESTIONS = {row["question_id"]: row for row in ALL_ROWS}
with (sample.FOLDER / "marks.csv").open(encoding="utf-8", newline="") as lines:
    MARKS = {row["question_id"]: row for row in csv.DictReader(lines)}


def of_question(**wanted: str) -> dict[str, list[dict[str, str]]]:
    groups: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in ALL_ROWS:
        if all(row[key] == value for key, value in wanted.items()):
            groups[row["question_id"]].append(row)
    return groups


def stems(text: str) -> set[str]:
    return {stem(word)[:5] for word in words(text)}


def test_it_is_large_enough() -> None:
    articles = {passage["id"].split("-")[0] for passage in PASSAGES}
    assert len(PASSAGES) >= 320
    assert len(articles) >= 80
    counts = Counter(row["split"] for row in QUESTIONS.values())
    assert counts["train"] >= 60
    assert counts["valid"] >= 20
    assert counts["test"] >= 120


@pytest.mark.parametrize("split", sample.SPLITS)
def test_columns_are_polqas(split: str) -> None:
    header = (sample.FOLDER / f"{split}.csv").read_text(encoding="utf-8").split("\n", 1)[0]
    assert tuple(header.split(",")) == COLUMNS
    assert {row["split"] for row in ROWS[split]} == {split}


def test_passages_are_cut_from_articles() -> None:
    by_article: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for passage in PASSAGES:
        assert set(passage) == {"id", "title", "text"}
        article, _, index = passage["id"].partition("-")
        assert article.isdigit()
        assert index.isdigit()
        by_article[article].append((int(index), passage["title"]))
    for article, cut in by_article.items():
        assert [index for index, _ in cut] == list(range(len(cut))), article
        assert len({title for _, title in cut}) == 1, article
        assert len(cut) >= 3, article


def test_passages_have_polqas_length_and_polish_typography() -> None:
    for passage in PASSAGES:
        text = passage["text"]
        assert 250 <= len(text) <= 500, passage["id"]
        assert '"' not in text, passage["id"]
        assert " - " not in text, passage["id"]
        assert "  " not in text, passage["id"]
        assert text == text.strip(), passage["id"]
        assert text.count("„") == text.count("”"), passage["id"]
        assert text[-1] in ".!?”…)", passage["id"]


def test_no_passage_equals_another() -> None:
    assert len({passage["text"] for passage in PASSAGES}) == len(PASSAGES)


def test_labels_are_polqas_and_all_are_there() -> None:
    questions = list(QUESTIONS.values())
    assert {row["question_formulation"] for row in questions} == {"QUESTION", "COMMAND", "COMPOUND"}
    assert {row["question_type"] for row in questions} == TYPES
    assert {row["entity_type"] for row in questions} == {"NAMED", "UNNAMED", "YES/NO"}
    used = {row["entity_subtype"] for row in questions} - {""}
    assert used <= SUBTYPES
    assert len(used) >= 20
    for row in questions:
        assert (row["question_type"] == "YES/NO") == (row["entity_type"] == "YES/NO"), row["question"]


def test_a_question_has_one_set_of_labels_and_answers() -> None:
    for rows in of_question().values():
        for column in ("question", "answers", "question_type", "question_formulation", "entity_type", "entity_subtype"):
            assert len({row[column] for row in rows}) == 1, rows[0]["question"]


def test_answers_are_python_lists_with_variants() -> None:
    lists = {key: parse_answers(row["answers"]) for key, row in QUESTIONS.items()}
    for key, answers in lists.items():
        assert answers, QUESTIONS[key]["question"]
        assert all(answer and answer == answer.strip() for answer in answers), QUESTIONS[key]["question"]
        assert len(set(answers)) == len(answers), QUESTIONS[key]["question"]
    assert sum(len(answers or ()) > 1 for answers in lists.values()) > len(lists) / 2
    yes_no = [lists[key] for key, row in QUESTIONS.items() if row["question_type"] == "YES/NO"]
    assert set(yes_no) == {("tak",), ("nie",)}
    flat = [answer for answers in lists.values() for answer in answers or ()]
    assert any(re.search(r"\b[IVXLCDM]{2,}\b", answer) for answer in flat)
    assert any("„" in answer for answer in flat)
    assert any(answer.isdigit() for answer in flat)


def test_the_cards_question_is_there() -> None:
    row = next(row for row in QUESTIONS.values() if row["question"] == "W którym państwie leży Bombaj?")
    assert row["split"] == "test"
    assert parse_answers(row["answers"]) == ("w Indiach", "Indie")


def test_rows_agree_with_the_corpus() -> None:
    for row in ALL_ROWS:
        assert row["relevant"] in ("True", "False")
        assert row["duplicate"] in ("True", "False")
        assert row["annotated_by"] == "polqa-demo"
        assert row["passage_source"] in ("human", "hard-negatives", "zero-shot")
        assert row["passage_text"].strip()
        if row["passage_id"]:
            passage = BY_ID[row["passage_id"]]
            assert (row["passage_title"], row["passage_wiki"]) == (passage["title"], passage["text"])
        else:
            assert row["passage_wiki"] == ""


def test_judgements_hold_polqas_traps() -> None:
    relevant, irrelevant = of_question(relevant="True"), of_question(relevant="False")
    for key, row in QUESTIONS.items():
        found = {item["passage_id"] for item in relevant.get(key, []) if item["passage_id"]}
        judged_wrong = {item["passage_id"] or item["passage_text"] for item in irrelevant.get(key, [])}
        assert len(judged_wrong) >= 2, row["question"]
        if MARKS.get(key, {}).get("reason") == "no-passage":
            assert not found, row["question"]
        else:
            assert 1 <= len(found) <= 5, row["question"]
        assert not found & judged_wrong, row["question"]
    without = [key for key, mark in MARKS.items() if mark["reason"] == "no-passage"]
    assert len([key for key in without if QUESTIONS[key]["split"] == "test"]) >= 10
    assert sum(not row["passage_id"] for row in ALL_ROWS) >= 10
    assert sum(row["duplicate"] == "True" for row in ALL_ROWS) >= 10
    assert {row["passage_source"] for row in ALL_ROWS} == {"human", "hard-negatives", "zero-shot"}


def test_hard_negatives_share_title_or_words() -> None:
    relevant = of_question(relevant="True")
    same_title = sum(
        row["relevant"] == "False" and row["passage_title"] in {item["passage_title"] for item in relevant.get(key, [])}
        for key, rows in of_question().items()
        for row in rows
    )
    assert same_title >= 100


def test_test_gold_is_human_alone() -> None:
    gold = load_gold("polqa-demo-sample/test")
    human, everything = gold_passages(gold), gold_passages(gold, "all")
    assert human.keys() == everything.keys()
    assert sum(len(everything[key]) > len(human[key]) for key in human) >= 10


def test_a_gold_answer_stands_in_every_relevant_passage_unless_marked() -> None:
    for row in ALL_ROWS:
        if row["relevant"] == "False" or row["question_id"] in MARKS:
            continue
        text, answers = row["passage_text"], parse_answers(row["answers"]) or ()
        there = stems(text)
        assert any(answer.lower() in text.lower() or stems(answer) - LIGHT <= there for answer in answers), (
            row["question"],
            row["passage_id"],
        )


def test_marks_name_questions_and_reasons() -> None:
    assert MARKS.keys() <= QUESTIONS.keys()
    assert {mark["reason"] for mark in MARKS.values()} <= {"yes-no", "inference", "paraphrase", "no-passage"}
    for key, mark in MARKS.items():
        assert mark["split"] == QUESTIONS[key]["split"]


def test_no_two_questions_are_nearly_equal() -> None:
    texts = [row["question"] for row in QUESTIONS.values()]
    for one, other in combinations(texts, 2):
        assert fuzz.ratio(one.lower(), other.lower()) < 85, (one, other)


def test_question_ids_follow_each_other() -> None:
    ids = [int(key) for key in QUESTIONS]
    assert all(later == earlier + 1 for earlier, later in pairwise(ids))


def test_the_ready_predictions_are_good_weak_and_broken() -> None:
    gold = load_gold("polqa-demo-sample/test")

    def score(name: str) -> float | None:
        upload = Upload(name, sample.predictions_file(name).read_bytes())
        assert recognise_kind(upload.data, name, gold.questions) == "answers"
        report = score_uploads(gold, upload).report
        return report.answers.rules["poleval"].value if report and report.answers else None

    good, weak = score("answers-good.jsonl"), score("answers-weak.txt")
    assert good is not None
    assert weak is not None
    assert good > 3 * weak
    assert score("answers-broken.csv") is None
    rankings = Upload("rankings-good.tsv", sample.predictions_file("rankings-good.tsv").read_bytes())
    assert recognise_kind(rankings.data, rankings.name, gold.questions) == "rankings"
    scored = score_uploads(gold, None, rankings)
    assert scored.report is not None
    assert scored.report.rankings is not None
    assert scored.report.rankings.headline.value > 0.9
    weak_rankings = Upload("rankings-weak.tsv", sample.predictions_file("rankings-weak.tsv").read_bytes())
    scored = score_uploads(gold, None, weak_rankings)
    assert scored.report is not None
    assert scored.report.rankings is not None
    assert scored.report.rankings.headline.value < 0.2
    broken = Upload("rankings-broken.tsv", sample.predictions_file("rankings-broken.tsv").read_bytes())
    assert score_uploads(gold, None, broken).report is None


def test_the_readme_names_origin_licence_and_citation() -> None:
    text = (sample.FOLDER / "README.md").read_text(encoding="utf-8")
    for word in ("CC BY-SA 4.0", "How to cite", "Origin", "polqa-demo-sample"):
        assert word in text
