"""One question through retriever and reader."""

import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import polqa_demo
from polqa_demo.choice import Choice
from polqa_demo.errors import UserError
from polqa_demo.pipeline import Pipeline, assemble_reading, hits_json, open_pipeline, workshop_for
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.retrieval.index import build_index
from polqa_demo.runs.lines import RANKING_HEADERS, ranking_lines
from polqa_demo.runs.passages import passage_source, refuse_bad_questions
from polqa_demo.settings import load_settings
from polqa_demo.submissions.gold import load_gold

QUESTION = "W którym państwie leży Bombaj?"
PASSAGES = (
    ("1-0", "Bombaj", "Bombaj leży w Indiach, nad Morzem Arabskim."),
    ("2-0", "Toruń", "W Toruniu urodził się Mikołaj Kopernik, astronom."),
    ("3-0", "Wisła", "Wisła ma 1047 km długości i wpada do Bałtyku."),
)


def corpus(path: Path) -> Path:
    rows = [json.dumps(dict(zip(("id", "title", "text"), row, strict=True)), ensure_ascii=False) for row in PASSAGES]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    folder = tmp_path_factory.mktemp("korpus")
    return open_pipeline([corpus(folder / "korpus.jsonl")], knobs=load_settings(cache_dir=folder / "cache"))


@pytest.fixture(scope="module")
def sample() -> Pipeline:
    return open_pipeline(knobs=load_settings())


def test_the_package_opens_a_pipeline() -> None:
    found = polqa_demo.open_pipeline().ask(QUESTION)
    assert found.question == QUESTION
    assert found.hits
    with pytest.raises(AttributeError, match="nie_ma"):
        polqa_demo.nie_ma  # noqa: B018


def test_an_answer_names_its_passage_and_place(pipeline: Pipeline) -> None:
    found = pipeline.ask(QUESTION)
    assert found.answer.text
    passage = {hit.passage.id: hit.passage for hit in found.hits}[str(found.answer.passage_id)]
    assert passage.text[found.answer.start : found.answer.end] == found.answer.text
    assert 0 <= found.answer.confidence <= 1
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert found.hits[0].passage.id == "1-0"
    assert found.timings.keys() == {"retrieval", "reading"}
    assert all(value >= 0 for value in found.timings.values())


def test_the_json_shape(pipeline: Pipeline) -> None:
    found = pipeline.ask(QUESTION, 2).json()
    assert list(found) == ["question", "answer", "confidence", "passage_id", "start", "end", "passages", "timings"]
    assert found["passages"]
    assert all(list(passage) == ["rank", "id", "title", "text", "score"] for passage in found["passages"])
    assert found["timings"].keys() == {"retrieval_ms", "reading_ms"}
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert hits_json(pipeline.retrieve(QUESTION, 2)) == found["passages"]


def test_reasons_come_on_demand(pipeline: Pipeline) -> None:
    assert all(hit.explanation is None for hit in pipeline.retrieve(QUESTION))
    hit = pipeline.retrieve(QUESTION, explain=True)[0]
    assert hit.explanation is not None
    by_name = {part.name: part for part in hit.explanation.parts}
    assert by_name.keys() == {"lexical", "dense"}
    assert sum(part.added for part in by_name.values()) == pytest.approx(hit.score, rel=1e-4)
    assert sum(term.score for term in hit.explanation.terms) == pytest.approx(by_name["lexical"].score, rel=1e-4)


@pytest.mark.parametrize("question", ["", " \t\n", "\x00\x1b\u200b\u2028", "\udcff"])
def test_a_question_of_nothing_is_refused(pipeline: Pipeline, question: str) -> None:
    for use in (pipeline.ask, pipeline.retrieve, pipeline.rank, pipeline.checked):
        with pytest.raises(UserError) as caught:
            use(question)
        assert caught.value.code == "empty-question"


def test_a_question_that_is_too_long_is_refused_with_both_numbers(pipeline: Pipeline) -> None:
    with pytest.raises(UserError, match=r"10000 characters, at most 2000") as caught:
        pipeline.ask("x" * 10_000)
    assert caught.value.code == "long-question"
    assert pipeline.ask("słowo " * 333).question
    assert pipeline.checked("x" * 2000)


@pytest.mark.parametrize(
    "question",
    [
        "Where was Copernicus born?",
        "哥白尼出生在哪里？",
        "أين ولد كوبرنيكوس؟",
        "😀😀😀",
        "?",
        "a",
        "!!! ... ???",
        "Kto\x00 urodził\x1b[31m się\r\n w\u200b Toruniu?",
        "AND OR NOT title:Toruń (\"",
        "[[]] {{}} \\ / ^~ *:*",
        "'; DROP TABLE passages; --",
        "kto " * 400,
        "ścieżka/do/pliku?x=1&y=2#z",
        "1047",
        "x" * 2000,
    ],
)  # fmt: skip
def test_any_question_gives_an_answer_or_none_but_no_crash(pipeline: Pipeline, question: str) -> None:
    found = pipeline.ask(question)
    assert all(math.isfinite(hit.score) for hit in found.hits)
    assert 0 <= found.answer.confidence <= 1
    assert all(sign.isprintable() for sign in found.question)
    assert found.answer.text or found.answer.passage_id is None
    json.dumps(found.json(), allow_nan=False)


def test_control_characters_do_not_change_the_answer(pipeline: Pipeline) -> None:
    clean = pipeline.ask(QUESTION)
    dirty = pipeline.ask("\x07W\tktórym \x00państwie\r\nleży  Bombaj?\x1b")
    assert (dirty.question, dirty.answer, dirty.hits) == (clean.question, clean.answer, clean.hits)


def test_top_k_is_kept_and_bounded(sample: Pipeline) -> None:
    question = "Jakie miasto leży nad rzeką?"
    assert len(sample.retrieve(question, 1)) == 1
    assert len(sample.retrieve(question)) == sample.knobs.top_k == 10
    assert len(sample.retrieve(question, sample.knobs.max_top_k)) <= 100
    for wrong in (0, -1, 101, 10**9, 2.5, "10"):
        with pytest.raises(UserError, match="between 1 and 100") as caught:
            sample.retrieve(question, wrong)  # type: ignore[arg-type]
        assert caught.value.code == "bad-top-k"


def test_more_passages_than_there_are_give_those_there_are(pipeline: Pipeline) -> None:
    ids = pipeline.rank("Bombaj Toruń Wisła", 100).passage_ids
    assert sorted(ids) == ["1-0", "2-0", "3-0"]


def test_unknown_names_list_the_known_ones() -> None:
    for wrong in ({"retriever": "bm52"}, {"reader": "zgadywanie"}):
        with pytest.raises(UserError) as caught:
            open_pipeline(**wrong)
        (kind,) = wrong
        assert caught.value.code == f"unknown-{kind}"
        assert ("lexical" if kind == "retriever" else "rules") in caught.value.say("pl")


def test_a_corpus_and_an_index_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        open_pipeline([tmp_path / "a"], tmp_path / "b")
    assert caught.value.code == "corpus-and-index"


def test_a_corpus_its_cached_index_and_a_built_index_answer_alike(tmp_path: Path) -> None:
    file, knobs = corpus(tmp_path / "k.jsonl"), load_settings(cache_dir=tmp_path / "cache")
    told: list[int] = []
    # An index that was built without an encoder has words alone, so all three search by them.
    parts = {"retriever": "lexical", "reader": "rules", "knobs": knobs}
    first = open_pipeline([file], **parts, progress=lambda done, _: told.append(done))
    assert told
    told.clear()
    cached = open_pipeline([str(file)], **parts, progress=lambda done, _: told.append(done))
    assert told == []
    build_index([file], tmp_path / "indeks")
    built = open_pipeline(index=str(tmp_path / "indeks"), **parts)
    results = [(item.answer, item.hits) for item in (one.ask(QUESTION) for one in (first, cached, built))]
    assert results[0] == results[1] == results[2]
    assert first.index.key == cached.index.key == built.index.key


def test_many_threads_give_the_answers_of_one(sample: Pipeline) -> None:
    questions = [
        QUESTION,
        "Kto urodził się w Toruniu?",
        "Ile kilometrów ma Wisła?",
        "Where?",
        "Czy Łódź leży nad morzem?",
    ]
    alone = [sample.ask(question, 5, explain=True) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda question: sample.ask(question, 5, explain=True), questions * 12))
    for found, expected in zip(together, alone * 12, strict=True):
        assert found.hits == expected.hits
        # Confidences part by the last bits of bfloat16.
        assert replace(found.answer, confidence=0.0) == replace(expected.answer, confidence=0.0)
        assert found.answer.confidence == pytest.approx(expected.answer.confidence, abs=5e-3)


def test_the_same_question_gives_the_same_order_over_equal_passages(tmp_path: Path) -> None:
    rows = [{"id": f"{n}-0", "title": "", "text": "Bombaj leży w Indiach."} for n in range(30)]
    (tmp_path / "k.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = open_pipeline([tmp_path / "k.jsonl"], knobs=load_settings(cache_dir=tmp_path))
    orders = {found.rank(QUESTION, 10).passage_ids for _ in range(5)}
    assert orders == {tuple(f"{n}-0" for n in range(10))}


GOLD = GoldSet(
    "g",
    "",
    (Question("a", QUESTION), Question("b", "Kto urodził się w Toruniu?")),
    (Judgement("a", "1-0", grade=1), Judgement("b", "brak-0", grade=1)),
)


def test_passages_of_a_batch_from_retriever_rankings_or_gold(pipeline: Pipeline) -> None:
    hits, problems = passage_source(pipeline, GOLD, None, "", False, 2)
    assert ([hit.passage.id for hit in hits(GOLD.questions[0])][:1], problems) == (["1-0"], ())
    hits, problems = passage_source(pipeline, GOLD, b"a\t3-0\tbrak\t2-0\t1-0\n", "run.tsv", False, 3)
    assert [(hit.rank, hit.passage.id) for hit in hits(GOLD.questions[0])] == [(1, "3-0"), (2, "2-0")]
    assert hits(GOLD.questions[1]) == ()
    assert "missing-ids" in [problem.code for problem in problems]
    hits, _ = passage_source(pipeline, GOLD, None, "", True, None)
    assert [[hit.passage.id for hit in hits(question)] for question in GOLD.questions] == [["1-0"], []]


def test_a_list_without_scores_falls_with_its_ranks(pipeline: Pipeline) -> None:
    for content in (b"a\t3-0\tbrak\t2-0\t1-0\n", b"a 3-0 2-0 1-0".replace(b" ", b"\t") + b"\n"):
        hits, _ = passage_source(pipeline, GOLD, content, "run.tsv", False, 4)
        scores = [hit.score for hit in hits(GOLD.questions[0])]
        assert scores == sorted(set(scores), reverse=True)
        assert len(scores) == 3
    hits, _ = passage_source(pipeline, GOLD, b"a\t3-0\t7.25\t1\na\t1-0\t0.125\t2\n", "run.tsv", False, 4)
    assert [hit.score for hit in hits(GOLD.questions[0])] == [7.25, 0.125]


SAMPLE_QUESTIONS = tuple(
    Question(f"{split}-{question.id}", question.text)
    for split in ("train", "valid", "test")
    for question in load_gold(f"polqa-demo-sample/{split}").questions
)


@pytest.mark.parametrize("retriever", ["lexical", "hybrid"])
@pytest.mark.parametrize("form", ["long", "trec", "jsonl", "wide"])
def test_a_file_of_rankings_is_read_as_the_ranking_was(retriever: str, form: str) -> None:
    live = open_pipeline(retriever=retriever, reader="rules", knobs=load_settings())
    gold = GoldSet("sample", "", SAMPLE_QUESTIONS)
    written = RANKING_HEADERS.get(form, "") + "".join(
        ranking_lines(question.id, live.rank(question.text), form) for question in SAMPLE_QUESTIONS
    )
    given = assemble_reading(workshop_for(knobs=load_settings()), Choice(reader="rules"))
    hits, problems = passage_source(given, gold, written.encode(), f"run.{form}", False, None)
    assert {problem.severity for problem in problems} <= {"note", "warning"}
    for question in SAMPLE_QUESTIONS:
        found, read = live.retrieve(question.text), hits(question)
        assert [(hit.rank, hit.passage) for hit in read] == [(hit.rank, hit.passage) for hit in found]
        if form != "wide":
            assert [hit.score for hit in read] == [hit.score for hit in found]
        assert given.read(question.text, read) == live.read(question.text, found)


def test_the_default_reader_answers_from_a_file_of_rankings_as_it_does_live(sample: Pipeline) -> None:
    questions = SAMPLE_QUESTIONS[::15]
    written = "".join(ranking_lines(question.id, sample.rank(question.text), "trec") for question in questions)
    given = assemble_reading(workshop_for(knobs=load_settings()), Choice())
    hits, _ = passage_source(given, GoldSet("sample", "", questions), written.encode(), "run.trec", False, None)
    for question in questions:
        read, live = (one.read(question.text, hits(question)) for one in (given, sample))
        asked = sample.ask(question.text).answer
        assert [(answer.text, answer.passage_id, answer.start) for answer in (read, live)] == [
            (asked.text, asked.passage_id, asked.start)
        ] * 2


def test_given_passages_are_read_over_passages_alone(tmp_path: Path) -> None:
    file, knobs = corpus(tmp_path / "k.jsonl"), load_settings(cache_dir=tmp_path / "cache")
    told: list[int] = []
    choices = [Choice(reader="rules"), Choice("dense", "nie-ma", "nie-ma", "rules")]
    opened = [
        assemble_reading(workshop_for([file], knobs=knobs, progress=lambda done, _: told.append(done)), choice)
        for choice in choices
    ]
    assert [path.name for path in knobs.cache_dir.iterdir()] == ["passages"]
    assert opened[0].key == opened[1].key
    hits, _ = passage_source(opened[1], GOLD, b"a\t3-0\t1-0\n", "run.tsv", False, 3)
    assert [hit.passage.id for hit in hits(GOLD.questions[0])] == ["3-0", "1-0"]
    with pytest.raises(TypeError):
        passage_source(opened[0], GOLD, None, "", False, 3)
    # Taken from the cache, from what another command has indexed, and from an index, they are the same passages.
    told.clear()
    again = assemble_reading(workshop_for([file], knobs=knobs, progress=lambda done, _: told.append(done)), choices[0])
    assert told == []
    whole = open_pipeline([file], retriever="lexical", reader="rules", knobs=knobs)
    indexed = assemble_reading(workshop_for([file], knobs=knobs), choices[0])
    build_index([file], tmp_path / "indeks")
    built = assemble_reading(workshop_for(index=tmp_path / "indeks", knobs=knobs), choices[0])
    assert again.key == indexed.key == built.key == opened[0].key
    assert {item.corpus.key for item in (again, indexed, built)} == {whole.index.key}
    assert list(again.corpus.passages) == list(built.corpus.passages)


def test_a_damaged_cache_of_passages_is_made_anew(tmp_path: Path) -> None:
    file, knobs = corpus(tmp_path / "k.jsonl"), load_settings(cache_dir=tmp_path / "cache")
    first = assemble_reading(workshop_for([file], knobs=knobs), Choice(reader="rules"))
    lines = next(knobs.cache_dir.rglob("passages.jsonl"))
    lines.write_bytes(lines.read_bytes()[:-10])
    again = assemble_reading(workshop_for([file], knobs=knobs), Choice(reader="rules"))
    assert [passage.id for passage in again.corpus.passages] == ["1-0", "2-0", "3-0"]
    assert again.key == first.key


def test_unknown_parts_are_refused_though_no_retriever_is_opened() -> None:
    for wrong in (Choice(retriever="bm52"), Choice(reader="zgadywanie")):
        with pytest.raises(UserError, match="There is no"):
            assemble_reading(workshop_for(knobs=load_settings()), wrong)


def test_passages_of_another_corpus_or_none_at_all_are_refused(pipeline: Pipeline) -> None:
    with pytest.raises(UserError) as caught:
        passage_source(pipeline, GOLD, b"a\tx-0\ty-0\nb\tz-0\n", "run.tsv", False, None)
    assert caught.value.code == "other-corpus"
    assert "x-0" in caught.value.say("pl")
    with pytest.raises(UserError) as caught:
        passage_source(pipeline, GoldSet("g", "", GOLD.questions), None, "", True, None)
    assert caught.value.code == "no-gold-passages"
    with pytest.raises(UserError) as caught:
        passage_source(pipeline, GOLD, b"a\t1-0\n", "run.tsv", False, -5)
    assert caught.value.code == "bad-top-k"


def test_bad_questions_of_a_batch_are_named_before_any_work(pipeline: Pipeline) -> None:
    refuse_bad_questions(pipeline, GOLD.questions)
    with pytest.raises(UserError, match=r"2 \(7, 9\)") as caught:
        refuse_bad_questions(pipeline, [*GOLD.questions, Question("7", " "), Question("9", "")])
    assert caught.value.code == "bad-questions"
