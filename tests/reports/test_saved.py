"""A report and its JSON: there and back again, and what no upload can do."""

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.data.catalogue import DEFAULT_GOLD
from polqa_demo.data.sample import predictions_file
from polqa_demo.errors import UserError
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.evaluation.fuzzy_match import RULES
from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.evaluation.report import Report, build_report
from polqa_demo.records import GoldSet, Judgement, Question, Ranking
from polqa_demo.reports import untrusted_json
from polqa_demo.reports.report_json import report_json
from polqa_demo.reports.saved import load_problems, load_report, load_saved
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.gold import load_gold

GOLD = GoldSet(
    "zbior",
    "test",
    (
        Question("1", "Gdzie leży Wawel?", ("w Krakowie", "Kraków"), {"question_type": "SINGLE ENTITY"}),
        Question("2", "Ile?", ("12",), {"question_type": "NUMBER"}),
        Question("3", "Kto?", ("Mikołaj Kopernik",)),
        Question("4", "Co?"),
        Question("5", "Jak?", ("szybko",), {"question_type": "NUMBER", "entity_type": "YEAR"}),
    ),
    (
        Judgement("1", "a", grade=1),
        Judgement("1", "b", grade=1),
        Judgement("1", "x", grade=0),
        Judgement("2", "c", grade=1),
        Judgement("5", "e", grade=1),
    ),
)
ANSWERS = {"1": "Krakow", "2": "13", "5": " "}
ON_GOLD = {"1": "Kraków", "3": "Kopernik", "5": "szybko"}
TEXTS = {"x": "Wawel leży w Krakowie, nad Wisłą.", "a": "Wawel.", "e": "Szybko.", "d": "Dwanaście.", "n": "Było 12."}
RANKINGS = {
    "1": Ranking("1", ("x", "a", "x", "y"), (2.0, 2.0, 1.0, 0.5)),
    "2": Ranking("2", tuple("defghijklmnc"), (1.0,) * 12),
    "4": Ranking("4", ("a",)),
}


def report(**changes: Any) -> Report:
    return build_report(
        GOLD,
        **(
            {"predictions": ANSWERS, "rankings": RANKINGS, "answers_from_gold": ON_GOLD, "text_of": TEXTS.get} | changes
        ),
    )


def saved(found: Report, **more: Any) -> str:
    return json.dumps(report_json(found) | more, allow_nan=False)


@pytest.mark.parametrize(
    "found",
    [
        report(),
        report(rankings=None),
        report(predictions=None),
        report(predictions=None, answers_from_gold=None),
        report(predictions=None, rankings=None),
        report(predictions=None, rankings=None, answers_from_gold=None),
        report(predictions={}, rankings={}),
        report(answers_from_gold={}),
        report(text_of=None),
        report(rule="card", gold_source="all"),
    ],
    ids=[
        *("all", "answers", "no answers", "rankings", "on gold alone", "nothing", "empty files", "none on gold"),
        *("no texts", "policies"),
    ],
)
def test_there_and_back_again(found: Report) -> None:
    back = load_report(saved(found))
    assert report_json(back) == report_json(found)
    assert back.answers == found.answers
    assert back.rankings == found.rankings
    assert back.items == found.items
    assert back.answers_from_gold == found.answers_from_gold
    assert (back.attribution, back.beside) == (found.attribution, found.beside)
    assert (back.gold, back.rule, back.signature) == (found.gold, found.rule, found.signature)
    assert analyse(back) == analyse(found)
    if found.rankings:
        assert back == found


def test_bytes_with_a_mark_and_indents_and_sorted_keys_are_the_same_report() -> None:
    text = json.dumps(report_json(report()), ensure_ascii=False, indent=2, sort_keys=True)
    assert load_report(b"\xef\xbb\xbf" + text.encode()) == report()
    assert load_report("\ufeff" + text) == report()


def test_unjudged_rankings_come_back_unjudged() -> None:
    found = report(text_of=None)
    scores = score_rankings(RANKINGS, {"1": ["a"], "2": ["c"]}, [question.id for question in GOLD.questions])
    ranked = {item.question_id: item for item in scores.items}
    items = tuple(replace(item, ranking=ranked[item.question.id]) for item in found.items)
    unjudged = replace(found, rankings=scores, items=items)
    assert "judged@10" not in scores.scores
    assert load_report(saved(unjudged)) == unjudged


NASTY = st.one_of(
    st.sampled_from(["", " ", "<script>", "a|b", "\\", "12", "XIX", "\x00", "\u2028", "İ", "„x”", "=1+1", "1,5"]),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
)
GRADES = st.sampled_from([0, 1]) | st.sampled_from([-1, 0, 0.5, 1, 2, 3])
IDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=4).filter(str.strip)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    ids = draw(st.lists(IDS, min_size=1, max_size=5, unique=True))
    label = st.dictionaries(NASTY, NASTY.filter(bool), max_size=2)
    answers = st.lists(NASTY, max_size=3).map(tuple)
    questions = tuple(Question(one, draw(NASTY), draw(answers), draw(label)) for one in ids)
    # The first question can always be scored.
    questions = (replace(questions[0], answers=draw(answers) or ("tak",)), *questions[1:])
    passages = st.sampled_from([f"p{number}" for number in range(14)])
    judgements = [Judgement(ids[0], "p0", grade=1)]
    for one in ids:
        judgements += [Judgement(one, passage, draw(GRADES)) for passage in draw(st.lists(passages, max_size=4))]
    rankings = {}
    for one in draw(st.lists(st.sampled_from(ids), unique=True)):
        listed = draw(st.lists(passages, max_size=16))
        scored = draw(st.booleans())
        scores = tuple(float(draw(st.integers(0, 3))) for _ in listed) if scored else ()
        rankings[one] = Ranking(one, tuple(listed), scores)
    predictions = draw(st.dictionaries(st.sampled_from(ids), NASTY))
    return build_report(
        GoldSet(draw(NASTY), draw(NASTY), questions, tuple(judgements)),
        draw(st.none() | st.just(predictions)),
        draw(st.none() | st.just(rankings)),
        draw(st.sampled_from(RULES)),
        "auto",
        draw(st.none() | st.dictionaries(st.sampled_from(ids), NASTY)),
        text_of=draw(st.none() | st.dictionaries(passages, NASTY | answers.map(" ".join)).map(lambda texts: texts.get)),
    )


@settings(deadline=None)
@given(reports(), st.booleans())
def test_whatever_the_texts_say(found: Report, escaped: bool) -> None:
    text = json.dumps(report_json(found), ensure_ascii=escaped, allow_nan=False)
    back = load_report(text if escaped else text.encode())
    assert report_json(back) == report_json(found)
    assert back == found


def test_the_problems_and_forms_come_along() -> None:
    problem = {"severity": "warning", "code": "blank-lines", "message": "Puste wiersze: 1.", "count": 1, "lines": [5]}
    text = saved(report(), problems=[problem], forms={"answers": "csv"}, slices=[{"whatever": None}])
    found = load_saved(text)
    assert found.report == report()
    (stated,) = found.problems
    assert (stated.severity, stated.code, stated.count, stated.lines) == ("warning", "blank-lines", 1, (5,))
    assert stated.message.say("pl") == stated.message.say("en") == "Puste wiersze: 1."
    assert found.forms == {"answers": "csv"}
    assert load_saved(saved(report())).problems == ()


def test_a_saved_report_with_a_code_of_an_older_version_opens() -> None:
    older = {"severity": "warning", "code": "index_changed", "message": "x", "count": 1, "lines": []}
    assert [one.code for one in load_saved(saved(report(), problems=[older])).problems] == ["index_changed"]
    assert [one.code for one in load_problems(saved(report(), problems=[older]))] == ["index_changed"]


def test_a_refusal_has_problems_and_no_report() -> None:
    text = json.dumps(
        {
            "schema_version": 1,
            "problems": [{"severity": "error", "code": "empty", "message": "x", "count": 1, "lines": []}],
        }
    )
    assert load_problems(text)[0].code == "empty"
    assert "odrzuconych" in refusal(text).say("pl")


def refusal(text: str | bytes) -> UserError:
    with pytest.raises(UserError) as caught:
        load_saved(text)
    error = caught.value
    assert error.code == "bad-report"
    assert error.message.pl != error.message.en
    error.message.pl.encode()
    assert len(error.message.en) < 600
    return error


def broken(change: Callable[[Any], Any]) -> str:
    value = json.loads(saved(report()))
    change(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "line 1"),
        ("{", "not valid JSON"),
        ("[]", "object"),
        ("null", "object"),
        ('"x"', "object"),
        ("{}", "schema_version"),
        (b"\xff\xfe{}", "UTF-8"),
        (b'{"a":\n"\xb9"}', "line 2"),
        ('{"schema_version": NaN}', "NaN"),
        ('{"schema_version": -Infinity}', "Infinity"),
        ('{"schema_version": ' + "1" * 5000 + "}", "digits"),
        ('{"schema_version": ' + "1" * 500 + "}", "version …"),
        ("[" * 100_000, "deep"),
        ('{"a":' * 100_000, "deep"),
        ('{"schema_version": true}', "whole number"),
        ('{"schema_version": 1.0}', "whole number"),
        ('{"schema_version": "1"}', 'version "1"'),
        ('{"schema_version": null}', "null"),
        ('{"schema_version": 1}', "no scores"),
    ],
    ids=str,
)
def test_what_is_no_report_is_refused(text: str | bytes, word: str) -> None:
    assert word in refusal(text).say("en")


def test_another_schema_is_refused_by_both_versions() -> None:
    error = refusal(saved(report(), schema_version=2))
    for sentence in error.message:
        assert "2" in sentence
        assert "1" in sentence
        assert "schema_version" in sentence


def test_a_report_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = saved(report())
    monkeypatch.setattr(untrusted_json, "MAX_BYTES", len(text) - 1)
    assert "larger" in refusal(text).say("en")
    assert "larger" in refusal(text.encode()).say("en")
    monkeypatch.setattr(untrusted_json, "MAX_BYTES", len(text))
    assert load_report(text) == report()
    monkeypatch.setattr(untrusted_json, "MAX_SIGNS", 10)
    assert "entries" in refusal(text).say("en")


def most(number: int, what: str) -> str:
    """A file with so many values of the wrong kind in one place."""
    value = json.loads(saved(report()))
    names = {str(one): "x" for one in range(number)}
    parts = {"forms": dict.fromkeys(names, 1), "items": [{}] * number, "problems": [7] * number}
    if what in parts:
        value[what] = parts[what]
    else:
        value["items"][0][what] = [7] * number if what in ("golds", "gold_passages", "top") else names
    return json.dumps(value)


@pytest.mark.parametrize(
    "what", ["forms", "items", "problems", "golds", "labels", "gold_passages", "top", "ranks", "grades"]
)
def test_many_faults_cost_no_more_memory_than_the_file(what: str) -> None:
    text = most(20_000, what)
    tracemalloc.start()
    try:
        json.loads(text)
        parsed = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        assert what in refusal(text).say("en")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2 * parsed + 2_000_000


@pytest.mark.parametrize(
    ("path", "value", "pl", "en"),
    [
        ("items.0", [], "items[0]: oczekiwano: obiekt {…}, jest: […].", "an object {…} is wanted, found: […]."),
        ("items.0.golds", None, "golds: oczekiwano: lista […], jest: null.", "a list […] is wanted, found: null."),
        ("items.0.labels", 1, "labels: oczekiwano: obiekt {…}, jest: 1.", "an object {…} is wanted, found: 1."),
        ("items.0.prediction", None, "prediction: oczekiwano: tekst, jest: null.", "text is wanted, found: null."),
        ("items.0.missing", 1, "oczekiwano: true albo false, jest: 1.", "true or false is wanted, found: 1."),
        ("items.0.length", True, "oczekiwano: liczba całkowita, jest: true.", "a whole number is wanted, found: true."),
        ("items.0.length", 10**30, "length: … to za dużo, wolno najwyżej 10000000.", "… is too large, the most is 100"),
        ("items.0.length", -1, "length: -1 to za mało, wolno najmniej 0.", "-1 is too small, the least is 0."),
        ("items.0.question", "\ud800", "połówkę pary zastępczej", "half a surrogate pair"),
        (
            "items.0.labels",
            {"\ud800": "x"},
            "items[0].labels: tekst zawiera połówkę",
            "items[0].labels: the text holds",
        ),
        ("items.0.question", "x" * 100_001, "znaków 100001, wolno najwyżej 100000.", "at most 100000 are allowed."),
        ("items.0.prediction", "x" * 10_001, "znaków 10001, wolno najwyżej 10000.", "at most 10000 are allowed."),
        ("items.0.top", ["x"] * 11, "elementów jest 11, wolno najwyżej 10.", "11 entries, at most 10 are allowed."),
        ("items.0.labels", dict.fromkeys(map(str, range(101)), "x"), "elementów jest 101", "101 entries, at most 100"),
        ("items.0.ties", {"best": True}, "items[0].ties: brak „worst”.", "items[0].ties: 'worst' is missing."),
        ("rule", "x", 'x" jest nieznane. Wolno: poleval, readme', "is unknown. Allowed: poleval, readme"),
        ("rankings.gold_source", "x", "Wolno: auto, human, all.", "Allowed: auto, human, all."),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_refusal_says_place_bound_and_value_in_both_languages(path: str, value: Any, pl: str, en: str) -> None:
    error = refusal(broken(put(path, value)))
    assert pl in error.say("pl")
    assert en in error.say("en")


def test_the_longest_answer_is_a_setting_or_given() -> None:
    long = saved(report(predictions=ANSWERS | {"2": "x" * 11_000}))
    assert load_saved(long, max_answer_chars=11_000).report.answers
    with pytest.raises(UserError, match="at most 10999 are allowed"):
        load_saved(long, max_answer_chars=10_999)


def test_of_a_name_that_stands_twice_the_last_counts_as_everywhere_in_json() -> None:
    assert load_report(saved(report()).replace('"rule": "poleval"', '"rule": "card", "rule": "poleval"', 1)) == report()


def test_an_empty_label_is_none() -> None:
    for value in ({"entity_type": "", "question_type": "x"}, {"entity_type": ""}):
        found = load_report(broken(put("items.0.labels", value)))
        assert "entity_type" not in found.items[0].question.labels
        assert analyse(found).answers is not None
    labelled = replace(GOLD, questions=(Question("1", "Kto?", ("x",), {"a": "", "b": "c"}), *GOLD.questions[1:]))
    assert report_json(build_report(labelled, ANSWERS))["items"][0]["labels"] == {"b": "c"}


def test_labels_are_bounded_over_the_whole_report() -> None:
    def labels(root: Any) -> None:
        for number, item in enumerate(root["items"]):
            item["labels"] = {f"{number}.{place}": "x" for place in range(50)}

    assert "labels" in refusal(broken(labels)).say("en")


def test_the_sample_comes_back_as_the_app_saves_it() -> None:
    files = [Upload(name, predictions_file(name).read_bytes()) for name in ("answers-good.jsonl", "rankings-good.tsv")]
    scored = score_uploads(load_gold(DEFAULT_GOLD), *files)
    assert scored.report is not None
    assert scored.problems
    found = load_saved(json.dumps(scored.json("pl"), ensure_ascii=False, indent=2))
    assert found.report == scored.report
    assert analyse(found.report) == analyse(scored.report)
    assert found.forms == scored.forms
    kept = [(one.severity, one.code, one.message.pl, one.count, one.lines) for one in found.problems]
    assert kept == [(one.severity, one.code, one.message.pl, one.count, one.lines) for one in scored.problems]


def put(path: str, value: Any) -> Callable[[Any], Any]:
    """Writes a value at a place such as `items.0.question_id`."""

    def change(root: Any) -> None:
        *way, last = path.split(".")
        for name in way:
            root = root[int(name) if name.isdigit() else name]
        root[int(last) if last.isdigit() else last] = value

    return change


GRADED = replace(GOLD, judgements=(*GOLD.judgements, Judgement("1", "a", 3), Judgement("1", "y", 0.5)))


def test_a_report_on_graded_judgements_comes_back() -> None:
    found = build_report(GRADED, ANSWERS, RANKINGS, text_of=TEXTS.get)
    saved_json = report_json(found)
    assert saved_json["rankings"]["gains"] == "graded"
    assert saved_json["items"][0]["grades"] == {"a": 3, "b": 1, "y": 0.5}
    assert load_report(saved(found)) == found
    assert "gains" not in report_json(report())["rankings"]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("rankings.gains", "binary", "the items give"),
        ("items.0.grades", {"a": 3, "b": 1}, "the items give"),
        ("items.0.grades", {"a": 3, "b": 0.5}, "not those of gold_passages"),
        ("items.0.grades", {"a": 3, "b": 1, "z": 1}, "not those of gold_passages"),
        ("items.0.grades", {"a": 3, "b": 1, "y": 0}, "no number above 0"),
        ("items.0.grades", {"a": 1e400, "b": 1}, "NaN"),
        ("items.0.grades", {"a": 10**30, "b": 1}, "too large, the most is 1000000000"),
        ("items.0.grades", {"a": True, "b": 1}, "a number is wanted"),
        ("items.0.grades", {"a": "3", "b": 1}, "a number is wanted"),
        ("items.0.grades", [3, 1], "object"),
        ("signature", "polqa-demo|gold:zbior/test@0|gains:binary", "gains:binary, the report has graded"),
    ],
)
def test_grades_are_not_taken_on_trust(path: str, value: Any, words: str) -> None:
    root = json.loads(saved(build_report(GRADED, ANSWERS, RANKINGS)))
    put(path, value)(root)
    assert words in refusal(json.dumps(root)).say("en")


@pytest.mark.parametrize(("name", "words"), [("grades", "at some questions only"), ("top", "no “top”")])
def test_what_grades_need_and_is_missing_is_named(name: str, words: str) -> None:
    root = json.loads(saved(build_report(GRADED, ANSWERS, RANKINGS)))
    del root["items"][0][name]
    assert words in refusal(json.dumps(root)).say("en")


def test_a_report_saved_before_grades_counted_still_loads() -> None:
    root = json.loads(saved(report()))
    root["signature"] = root["signature"].replace("gains:binary|", "")
    back = load_report(json.dumps(root))
    assert back.rankings == report().rankings


def older(root: Any) -> None:
    """A report as it was saved before the retrieved passages, the answers on gold passages and the cells were kept."""
    for name in ("attribution", "reader_beside"):
        del root[name]
    for item in root["items"]:
        for name in ("top", "prediction_from_gold", "correct_from_gold", "attribution"):
            item.pop(name, None)


def test_an_older_report_still_loads() -> None:
    found = report()
    back = load_report(broken(older))
    assert (back.answers, back.answers_from_gold) == (found.answers, found.answers_from_gold)
    assert (back.attribution, back.beside) == (None, None)
    assert back.rankings is not None
    assert found.rankings is not None
    assert back.rankings == replace(found.rankings, items=tuple(replace(item, top=()) for item in found.rankings.items))
    assert load_report(saved(back)) == back


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("answers_from_gold", {}),
        ("answers_from_gold.rules.card.correct", 5),
        ("answers_from_gold.rules.card.correct", 1.0),
        ("answers_from_gold.missing", 5),
        ("answers_from_gold.n", 5),
        ("answers_from_gold.fuzzy_match.value", 1.0),
        # Without the answers behind it nobody can tell whether it is so.
        ("reader_beside", {"both": 1}),
        ("attribution", {"depth": 10}),
        ("items.0.correct_from_gold", True),
        ("items.0.prediction_from_gold", "x"),
        ("items.0.attribution", {"cell": "sound"}),
    ],
    ids=str,
)
def test_an_older_report_is_not_trusted_either(path: str, value: Any) -> None:
    def change(root: Any) -> None:
        older(root)
        put(path, value)(root)

    assert refusal(broken(change))


def drop(path: str) -> Callable[[Any], Any]:
    def change(root: Any) -> None:
        *way, last = path.split(".")
        for name in way:
            root = root[int(name) if name.isdigit() else name]
        del root[last]

    return change


WRONG_KIND: list[tuple[str, Any]] = [
    ("items", {}),
    ("items", "x"),
    ("items", []),
    ("items", None),
    ("items.0", []),
    ("items.1", None),
    ("items.0.question_id", 1),
    ("items.0.question_id", " "),
    ("items.0.question_id", "2"),
    ("items.0.question_id", "\ud800"),
    ("items.0.question", None),
    ("items.0.question", "x" * 100_001),
    ("items.0.golds", "Kraków"),
    ("items.0.golds", [1]),
    ("items.0.golds", [["a"]]),
    ("items.0.labels", []),
    ("items.0.labels", {"a": 1}),
    ("items.0.labels", {"\udc00": "1"}),
    ("items.0.prediction", 5),
    ("items.0.prediction", "x" * 10_001),
    ("items.0.missing", 1),
    ("items.0.missing", True),
    ("items.3.prediction", "x"),
    ("items.3.golds", ["x"]),
    ("items.0.gold_passages", "a"),
    ("items.0.gold_passages", ["a", "a"]),
    ("items.0.gold_passages", [7]),
    ("items.0.ranks", ["a"]),
    ("items.0.ranks", {"a": 2.0}),
    ("items.0.ranks", {"a": True}),
    ("items.0.ranks", {"a": 0}),
    ("items.0.ranks", {"a": 4}),
    ("items.0.ranks", {"a": 1, "b": 1}),
    ("items.0.ranks", {"z": 1}),
    ("items.0.length", -1),
    ("items.0.length", 10**12),
    ("items.0.length", "4"),
    ("items.0.duplicates", 1.5),
    ("items.2.duplicates", 1),
    ("items.0.judged", 11),
    ("items.0.judged", -1),
    ("items.0.ties", True),
    ("items.0.ties", {"best": True}),
    ("items.0.ties", {"best": False, "worst": True}),
    ("items.2.ties", {"best": False, "worst": False}),
    ("gold", 5),
    ("gold", None),
    ("rule", "other"),
    ("rule", ["poleval"]),
    ("signature", 5),
    ("signature", "x"),
    ("signature", "polqa-demo|n:7"),
    ("signature", "polqa-demo|n:5|rule:card"),
    ("signature", "polqa-demo|gold-source:human"),
    ("signature", "polqa-demo|a:\n"),
    ("answers", []),
    ("answers", 5),
    ("answers.rules", []),
    ("rankings", "x"),
    ("rankings.gold_source", "nobody"),
    ("answers_from_gold", []),
    ("items.0.top", "xay"),
    ("items.0.top", [1, "a", "y"]),
    ("items.0.top", ["x", "a"]),
    ("items.0.top", ["x", "a", "a"]),
    ("items.0.top", ["a", "x", "y"]),
    ("items.0.top", ["x", "a", "b"]),
    ("items.1.top", [*"defghijklc"]),
    ("items.1.top", [*"cdefghijkl"]),
    ("items.2.top", ["x"]),
    ("items.0.prediction_from_gold", 5),
    ("items.0.prediction_from_gold", "x" * 10_001),
    ("items.0.correct_from_gold", 1),
    ("items.3.prediction_from_gold", "x"),
    ("items.3.correct_from_gold", True),
    ("items.0.attribution", []),
    ("items.0.attribution", {"cell": "sound", "answer_rank": 1}),
    ("items.0.attribution", {"cell": "sound", "held": "Kraków"}),
    ("items.0.attribution.answer_rank", 0),
    ("items.0.attribution.answer_rank", 4),
    ("items.0.attribution.answer_rank", "1"),
    ("items.0.attribution.held", "Gdańsk"),
    ("items.0.attribution.unread", 3),
    ("items.0.attribution.unread", -1),
    ("items.2.attribution", {"cell": "retriever_fault"}),
    ("items.3.attribution", {"cell": "retriever_fault"}),
    ("items.4.attribution.unread", 1),
    ("attribution", []),
    ("attribution.depth", 5),
    ("attribution.depth", 10.0),
    ("problems", {}),
    ("problems", [1]),
    ("problems", [{"severity": "fatal", "code": "x", "message": "x"}]),
    ("problems", [{"severity": "note", "code": "x", "message": 1}]),
    ("problems", [{"severity": "note", "code": "x", "message": "x", "lines": ["1"]}]),
    ("forms", []),
    ("forms", {"answers": None}),
]


@pytest.mark.parametrize(("path", "value"), WRONG_KIND, ids=lambda value: str(value)[:40])
def test_a_value_of_the_wrong_kind_is_refused_by_its_place(path: str, value: Any) -> None:
    error = refusal(broken(put(path, value)))
    first = path.partition(".")[0]
    # What belongs to the part of another value may be named there.
    assert first in error.say("en") or "items" in error.say("en")
    assert first in error.say("pl") or "items" in error.say("pl")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("items.0.question_id", "2", "stands here again"),
        ("items.0.gold_passages", ["a", "a"], "twice"),
        ("items.0.ranks", {"a": 1, "b": 1}, "two passages at one rank"),
        ("items.0.ranks", {"z": 1}, "not among the gold_passages"),
        ("items.0.ties", {"best": False, "worst": True}, "do not agree"),
        ("items.1.ties", {"best": True, "worst": True}, "do not agree"),
        ("items.2.ties", {"best": True, "worst": False}, "do not agree"),
        ("items.2.duplicates", 1, "does not lie within 0–0"),
        ("items.0.missing", True, "there is an answer"),
        ("items.3.prediction", "x", "though 'golds' is not"),
        ("items.0.judged", 0, "does not lie within 1–3"),
        ("answers", None, "null is stated"),
    ],
)
def test_values_that_do_not_fit_one_another_are_refused(path: str, value: Any, words: str) -> None:
    assert words in refusal(broken(put(path, value))).say("en")


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_no_number_is_beyond_json(constant: str) -> None:
    text = saved(report(), extra="@").replace('"@"', constant)
    assert constant in text
    assert "NaN" in refusal(text).say("en")


@pytest.mark.parametrize(
    "path",
    [
        "schema_version",
        "signature",
        "gold",
        "rule",
        "items",
        "answers",
        "rankings",
        "rankings.gold_source",
        "answers_from_gold",
        "attribution",
        "attribution.depth",
        "items.0.attribution",
        "items.0.correct_from_gold",
        "items.0.question_id",
        "items.0.question",
        "items.0.prediction",
        "items.0.gold_passages",
        "items.0.ranks",
        "items.0.length",
        "items.0.judged",
    ],
)
def test_what_is_needed_and_missing_is_named(path: str) -> None:
    found = refusal(broken(drop(path))).say("en")
    assert path.rpartition(".")[2] in found or "items" in found or "judged" in found


STATED: list[tuple[str, Any]] = [
    ("answers.fuzzy_match.value", 0.99),
    ("answers.fuzzy_match.value", "0.25"),
    ("answers.fuzzy_match.correct", 4),
    ("answers.fuzzy_match.correct", True),
    ("answers.fuzzy_match.ci95", [0.0, 1.0]),
    ("answers.fuzzy_match.ci95", [0.0]),
    ("answers.rules.readme.value", 10**400),
    ("answers.rules.readme.value", 1e308),
    ("answers.rules.mine", {"value": 1.0}),
    ("answers.n", 5),
    ("answers.answered", 4),
    ("answers.missing", 0),
    ("rankings.accuracy@10.hits", 2),
    ("rankings.accuracy@10_all_questions.n", 3),
    ("rankings.accuracy@100", {"value": 1.0}),
    ("rankings.mrr@10.value", 0.9),
    ("rankings.ties.decisive", 0),
    ("answers_from_gold.n", 5),
    ("answers_from_gold.fuzzy_match.value", 1.0),
    ("attribution.n", 4),
    ("attribution.unread", 0),
    ("attribution.without_gold_passage", 0),
    ("attribution.cells.sound.count", 3),
    ("attribution.cells.sound.name", "fine"),
    ("attribution.cells.mine", {"count": 1}),
    ("attribution.ceilings.passage.hits", 3),
    ("attribution.ceilings.either.value", 1.0),
    ("reader_beside.both", 4),
    ("reader_beside.on_gold.correct", 0),
    ("reader_beside.mine", 1),
    ("items.0.attribution.cell", "reader_fault"),
    ("items.0.attribution.cell", "mine"),
    ("items.0.attribution.gold_rank", 1),
    ("items.1.attribution.gold_rank", 10),
    ("items.1.attribution", {"cell": "retriever_fault", "answer_rank": 2, "held": "12"}),
    ("items.0.correct_from_gold", False),
    ("items.0.prediction_from_gold", "Gdańsk"),
    ("items.0.correct", False),
    ("items.1.correct", True),
    ("items.1.explanation.numbers.gold", "13"),
    ("items.0.explanation.distance", 0),
    ("items.0.first_rank", 1),
    ("items.2.first_rank", 1),
    # The primary data, too: another answer is another verdict.
    ("items.0.prediction", "Gdańsk"),
    ("items.4.golds", ["wolno"]),
    ("items.1.ranks", {"c": 11}),
]


@pytest.mark.parametrize(("path", "value"), STATED, ids=lambda value: str(value)[:40])
def test_a_score_that_the_items_do_not_give_is_refused(path: str, value: Any) -> None:
    error = refusal(broken(put(path, value)))
    assert "the items give" in error.say("en") or "wynika" in error.say("pl")


def test_digits_lost_on_the_way_are_no_lie() -> None:
    text = broken(
        put(
            "answers.fuzzy_match.ci95",
            [round(end, 11) for end in report_json(report())["answers"]["fuzzy_match"]["ci95"]],
        )
    )
    assert load_report(text) == report()


@pytest.mark.parametrize(
    ("path", "value"),
    [("items.0.comment", {"mine": None}), ("items.0.missing", False), ("items.2.duplicates", 0), ("items.3.golds", [])],
)
def test_what_others_add_is_left_alone(path: str, value: Any) -> None:
    assert load_report(broken(put(path, value))) == report()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = ["items", "rule", "gold", "signature", "answers", "rankings", "answers_from_gold", "problems", "forms"]
PLACES += ["attribution", "reader_beside", "attribution.cells", "items.0.attribution.held"]
PLACES += [f"items.0.{name}" for name in report_json(report())["items"][0]]
PLACES += [f"rankings.{name}" for name in report_json(report())["rankings"]]


@settings(deadline=None)
@given(st.sampled_from(PLACES), JSON_VALUES)
def test_no_value_brings_anything_but_a_refusal(path: str, value: Any) -> None:
    text = broken(put(path, value))
    try:
        loaded = load_saved(text).report
    except UserError as error:
        code, loaded = error.code, None
    if loaded is None:
        assert code == "bad-report"
    else:
        # What is accepted states nothing that its own items do not give.
        assert load_report(json.dumps(report_json(loaded))) == loaded
