"""Prefixes of encoders: by which name a folder is known, what a person gives, and where it is told."""

import json
from pathlib import Path

import pytest

from polqa_demo.assembly import Workshop
from polqa_demo.choice import Choice
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.encoders import open_encoder
from polqa_demo.retrieval.index import build_index, open_index, verify_index
from polqa_demo.retrieval.known_models import NO_PREFIXES, Prefixes, TextFormat, text_format
from polqa_demo.retrieval.manifest import read_manifest
from polqa_demo.settings import Settings, load_settings
from tests.retrieval.hub_models import change_json, lay_out

E5 = ("query: ", "passage: ")
SILVER = ("Pytanie: ", "")
NONE = ("", "")
INSTRUCT = ("Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ", "")


def prefixes(form: TextFormat) -> tuple[str, str]:
    return form.query_prefix, form.passage_prefix


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("intfloat/multilingual-e5-base", E5),
        ("INTFLOAT/multilingual-e5-base@refs/pr/3", E5),
        ("/cache/models--intfloat--multilingual-e5-base/snapshots/0123abc", E5),
        ("/models/intfloat/multilingual-e5-large", E5),
        ("ipipan/silver-retriever-base-v1.1", SILVER),
        ("intfloat/e5-mistral-7b-instruct", INSTRUCT),
    ],
)
def test_a_full_name_is_known_on_the_hub_in_its_cache_and_in_a_path(name: str, wanted: tuple[str, str]) -> None:
    form = text_format(name, {})
    assert prefixes(form) == wanted
    assert form.source.en == "known model"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("/models/silver-retriever-base-v1.1", SILVER),
        ("./multilingual-e5-base", E5),
        ("/models/intfloat_multilingual-e5-base", E5),
        ("/models/intfloat--multilingual-e5-base", E5),
        ("/models/e5-mistral-7b-instruct", INSTRUCT),
    ],
)
def test_the_last_part_of_a_path_is_a_guess_that_is_told(name: str, wanted: tuple[str, str]) -> None:
    form = text_format(name, {})
    assert prefixes(form) == wanted
    assert "guessed" in form.source.en
    assert "zgadnięte" in form.source.pl
    assert "--query-prefix" in form.source.en


@pytest.mark.parametrize(
    "name",
    [
        "clips/e5-small-trm-nl",
        "/models/e5-small-trm-nl",
        "someone/multilingual-e5-base",
        "intfloat/multilingual-e5-base-finetuned",
        "ipipan/herbert-base-qa-v1",
        "Alibaba-NLP/gte-multilingual-base",
        "/cache/models--clips--e5-small-trm-nl/snapshots/0123abc",
        "/cache/models--someone--multilingual-e5-base/snapshots/0123abc",
        "/models/e5",
        "/models/my-multilingual-e5-base-v3",
    ],
)
def test_names_that_only_look_alike_get_no_prefixes(name: str) -> None:
    form = text_format(name, {})
    assert prefixes(form) == NONE
    assert form.source.en == "the model says nothing about it"


def test_the_instructions_of_other_families_are_their_own() -> None:
    for name in ("intfloat/e5-mistral-7b-instruct", "sdadas/stella-pl-retrieval"):
        query, passage = prefixes(text_format(name, {}))
        assert query.startswith("Instruct: ")
        assert query.endswith("\nQuery: ")
        assert passage == ""


def test_own_prompts_count_before_every_name_and_empty_ones_say_nothing() -> None:
    own = text_format("intfloat/multilingual-e5-base", {"query": "Q: ", "document": "D: "})
    assert (prefixes(own), own.source.en) == (("Q: ", "D: "), "the model's own files")
    assert prefixes(text_format("/models/multilingual-e5-base", {"query": "", "document": ""})) == E5
    web = text_format("x/y", {"sts_query": "S: ", "web_search_query": "W: "})
    assert prefixes(web) == ("W: ", "")


def test_what_a_model_was_trained_from_comes_last() -> None:
    for base in ("intfloat/multilingual-e5-base", "/home/x/multilingual-e5-base"):
        form = text_format("/models/ours", {}, base)
        assert prefixes(form) == E5
        assert "_name_or_path" in form.source.en
    assert prefixes(text_format("/models/silver-retriever-base-v1", {}, "intfloat/multilingual-e5-base")) == SILVER
    assert prefixes(text_format("/models/ours", {}, "xlm-roberta-base")) == NONE


def test_a_folder_opens_with_the_prefixes_of_what_it_was_trained_from(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "ours", trained_from="intfloat/multilingual-e5-base")
    told = open_encoder(str(folder), tmp_path).describe()
    assert "'query: …'" in told.en
    assert "guessed by _name_or_path" in told.en
    change_json(folder / "config.json", _name_or_path=["odd"])
    assert "says nothing" in open_encoder(str(folder), tmp_path).describe().en


# What a person gives


def test_given_prefixes_count_side_by_side() -> None:
    known = text_format("intfloat/multilingual-e5-base", {})
    assert Prefixes().over(known) is known
    half = Prefixes(query="").over(known)
    assert prefixes(half) == ("", "passage: ")
    assert "given: query-prefix=''" in half.source.en
    assert "known model" in half.source.en
    assert Prefixes("Q: ", "P: ").over(known).source.en == "given"
    assert Prefixes("Q: ").or_else(Prefixes("X: ", "P: ")) == Prefixes("Q: ", "P: ")
    assert not NO_PREFIXES
    assert Prefixes(query="")


def test_settings_take_prefixes_empty_ones_included(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (load_settings().query_prefix, load_settings().passage_prefix) == (None, None)
    monkeypatch.setenv("POLQA_QUERY_PREFIX", "")
    monkeypatch.setenv("POLQA_PASSAGE_PREFIX", "passage: ")
    assert (load_settings().query_prefix, load_settings().passage_prefix) == ("", "passage: ")
    assert load_settings(query_prefix="Q: ").query_prefix == "Q: "


def test_the_embedded_encoder_takes_no_prefixes(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        open_encoder("multilingual-e5-small", tmp_path, prefixes=Prefixes(query="Q: "))
    assert refused.value.code == "encoder-own-prefixes"
    assert "POLQA_QUERY_PREFIX" in refused.value.say("pl")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    texts = ["Lalkę napisał Bolesław Prus", "Wisła rzeka " * 40, "Toruń"]
    rows = [{"id": str(number), "title": "", "text": text} for number, text in enumerate(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_prefixes_and_cut_passages_stand_in_the_manifest_and_tell_indexes_apart(tmp_path: Path, corpus: Path) -> None:
    folder = str(lay_out(tmp_path / "model"))
    given = Prefixes("query: ", "passage: ")
    out = tmp_path / "out"
    build_index([corpus], out, encoder=open_encoder(folder, tmp_path, prefixes=given))
    mark = read_manifest(out).encoder
    assert mark is not None
    assert (mark.query_prefix, mark.passage_prefix, mark.cut) == ("query: ", "passage: ", 1)
    verify_index(out).dense(open_encoder(folder, tmp_path, prefixes=given))
    with pytest.raises(UserError) as refused:
        open_index(out).dense(open_encoder(folder, tmp_path))
    assert refused.value.code == "index-other-encoder"
    for told in (refused.value.say("pl"), refused.value.say("en")):
        assert "--query-prefix 'query: ' --passage-prefix 'passage: '" in told


def test_an_index_of_before_opens_without_them(tmp_path: Path, corpus: Path) -> None:
    encoder = open_encoder(str(lay_out(tmp_path / "model")), tmp_path)
    out = tmp_path / "out"
    build_index([corpus], out, encoder=encoder)
    record = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    for name in ("query_prefix", "passage_prefix", "cut"):
        del record["encoder"][name]
    (out / "manifest.json").write_text(json.dumps({**record, "schema_version": 3}), encoding="utf-8")
    opened = open_index(out)
    assert opened.dense(encoder).search("kto", 1).passage_ids
    assert opened.vectors is not None
    assert opened.vectors.encoder.cut is None


@pytest.mark.parametrize("wrong", [{"query_prefix": 7}, {"cut": -1}, {"cut": True}, {"cut": "x"}, {"more": 1}])
def test_a_mark_of_another_shape_is_damage(tmp_path: Path, corpus: Path, wrong: dict[str, object]) -> None:
    out = tmp_path / "out"
    build_index([corpus], out, encoder=open_encoder(str(lay_out(tmp_path / "model")), tmp_path))
    record = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    record["encoder"].update(wrong)
    (out / "manifest.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(UserError) as refused:
        open_index(out)
    assert refused.value.code == "index-manifest-damaged"


def test_a_workshop_opens_an_encoder_for_each_pair_of_prefixes_and_says_what_was_assumed(
    tmp_path: Path, corpus: Path
) -> None:
    folder = str(lay_out(tmp_path / "model"))
    knobs = Settings(cache_dir=tmp_path / "cache", encoder=folder, query_prefix="query: ", reader="rules")
    workshop = Workshop([corpus], None, knobs)
    first = workshop.resolved(Choice("dense"))
    second = workshop.resolved(Choice("dense", prefixes=Prefixes("Pytanie: ", "tekst: ")))
    assert (first.prefixes, second.prefixes) == (Prefixes("query: "), Prefixes("Pytanie: ", "tekst: "))
    assert workshop.resolved(Choice("lexical")).prefixes == NO_PREFIXES
    told = [workshop.assumed(choice) for choice in (first, second)]
    assert [list(one) for one in told] == [["encoder"], ["encoder"]]
    first_told, second_told = (one["encoder"] for one in told)
    assert "'query: …'" in first_told.en
    assert "'tekst: tytuł tekst'" in second_told.pl
    assert "passages cut: 1 of 3" in first_told.en
    assert "pooling: mean" in first_told.en
    assert "up to 48 tokens" in first_told.en
    assert workshop.assumed(workshop.resolved(Choice("lexical"))) == {}
    assert workshop.identity(first)["encoder"] != workshop.identity(second)["encoder"]
    assert str(second) != str(first)


def test_passages_carry_their_prefix(tmp_path: Path) -> None:
    folder = str(lay_out(tmp_path / "model"))
    plain = open_encoder(folder, tmp_path)
    given = open_encoder(folder, tmp_path, prefixes=Prefixes(passage="passage: "))
    written = plain.encode_passages([Passage("1", "", "passage: Wisła")])
    assert (given.encode_passages([Passage("1", "", "Wisła")]) * written).sum() == pytest.approx(1, abs=1e-3)
    assert (plain.encode_queries(["Wisła"]) * given.encode_queries(["Wisła"])).sum() == pytest.approx(1, abs=1e-3)
