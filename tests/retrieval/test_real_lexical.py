"""Lexical retrieval on public real data: Allegro FAQ (PolEval 2022), PoQuAD over Polish Wikipedia, and small cases."""

import json
from pathlib import Path

import pytest

from polqa_demo.data.passages import PassageStore, read_passages
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.index import memory_index
from polqa_demo.retrieval.lexical import LexicalRetriever

pytestmark = pytest.mark.real


def records(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def over(*paths: Path) -> LexicalRetriever:
    return LexicalRetriever.in_memory(PassageStore.of(read_passages(paths)))


def accuracy_at_10(retriever: LexicalRetriever, questions: list[tuple[str, set[str]]]) -> float:
    hits = sum(not gold.isdisjoint(retriever.search(question, 10).passage_ids) for question, gold in questions)
    return 100 * hits / len(questions)


def test_allegro(shared):
    """900 questions, 921 passages; BM25 over lemmas is published at 75.33."""
    folder = shared / "data" / "poleval2022-pr-long" / "allegro"
    gold: dict[str, set[str]] = {}
    for line in (folder / "pairs-test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question_id, passage_id, _ = line.split("\t")
        gold.setdefault(question_id, set()).add(passage_id)
    questions = [(one["text"], gold[str(one["id"])]) for one in records(folder / "questions-test.jl")]
    assert len(questions) == 900
    assert accuracy_at_10(over(folder / "passages.jl"), questions) >= 83.5


def test_poquad(shared):
    folder = shared / "data" / "poquad-corpus"
    retriever = over(*sorted(folder.glob("passages-*.jsonl")))
    assert retriever.document_count == 3669
    questions = [(one["question"], {one["passage_id"]}) for one in records(folder / "questions-gold.jsonl")]
    assert len(questions) == 1243
    assert accuracy_at_10(retriever, questions) >= 95.0


def test_three_passages_are_three(shared):
    found = over(shared / "cases" / "live" / "s01_three_passages.jsonl").search("Grunwald, Jagiełło i Łódź", 10)
    assert sorted(found.passage_ids) == ["1-0", "1-1", "2-0"]


def test_no_passages_is_a_message(shared):
    with pytest.raises(UserError) as caught:
        memory_index(read_passages([shared / "cases" / "live" / "s02_no_passages.jsonl"]), "pusty")
    assert "korpus jest pusty" in caught.value.say("pl").lower()


def test_odd_questions(shared):
    retriever = over(shared / "cases" / "retrieval" / "mini_corpus.jsonl")
    for question in (shared / "cases" / "live" / "s06_questions.txt").read_text(encoding="utf-8").splitlines():
        assert all(score > 0 for score in retriever.search(question, 10).scores)  # no NaN either


def test_inflected_words(shared):
    corpus = PassageStore.of(read_passages([shared / "cases" / "retrieval" / "mini_corpus.jsonl"]))
    retriever = LexicalRetriever.in_memory(corpus)
    lines = (shared / "cases" / "live" / "s09_inflected.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        question, title = line.split("\t")
        found = [corpus.get(passage_id) for passage_id in retriever.search(question, 3).passage_ids]
        assert title in [passage.title for passage in found if passage]
    assert len(lines) == 4


def test_question_words_do_not_outweigh_content_words(shared):
    retriever = over(shared / "cases" / "retrieval" / "mini_corpus.jsonl")
    assert retriever.search("Jak i gdzie oraz kiedy urodził się Kopernik?", 10).passage_ids[0] == "6-0"


def test_identical_passages_come_in_the_same_order_twice(shared):
    passages = list(read_passages([shared / "cases" / "retrieval" / "mini_corpus.jsonl"]))
    doubled = [*passages, *(Passage(f"{one.id}-bis", one.title, one.text) for one in passages)]
    first, second = (LexicalRetriever.in_memory(PassageStore.of(doubled)) for _ in range(2))
    question = "Gdzie urodził się Kopernik?"
    assert first.search(question, 10) == first.search(question, 10) == second.search(question, 10)
    assert first.search(question, 10).passage_ids[:2] == ("6-0", "6-0-bis")
