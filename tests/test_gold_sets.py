"""The operator's gold sets, and that nothing but totals comes out of a secret one, whichever door is tried."""

import copy
import json
import os
import pickle
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.comparison import Compared, compare_uploads
from polqa_demo.data.catalogue import DEFAULT_GOLD
from polqa_demo.errors import Lang, UserError
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.evaluation.live import GoldQuestions
from polqa_demo.gold_sets import GoldSets, seal
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.reports.html import report_html
from polqa_demo.reports.latex import report_latex
from polqa_demo.reports.markdown import report_markdown
from polqa_demo.reports.report_json import items_csv
from polqa_demo.scoring import Scored, Upload, score_uploads
from polqa_demo.settings import load_settings

N = 24
MARK = "Żółwinoga"
LANGUAGES: tuple[Lang, ...] = ("pl", "en")


def marked(count: int = N) -> GoldSet:
    """Gold in which whatever must not leave bears the mark; each question has an answer without it, to be right."""
    questions = tuple(
        Question(
            f"q{n}",
            f"Kto zna {MARK} numer {n}?",
            (f"{MARK} wariant {n}", f"odpowiedź {n:03} krótka"),
            {"question_type": f"{MARK} typ", "entity_type": f"{MARK} encja {n % 2}"},
        )
        for n in range(count)
    )
    judgements = tuple(
        judgement
        for n in range(count)
        for judgement in (
            Judgement(f"q{n}", f"{MARK}-{n}", grade=1, source="human"),
            Judgement(f"q{n}", f"p{n}", grade=1, source="human"),
            Judgement(f"q{n}", f"{MARK}-nie-{n}", grade=0, source=f"{MARK}"),
        )
    )
    return GoldSet("organisers/final", f"{MARK}-split", questions, judgements)


OPEN = marked()
SECRET = seal(OPEN, b"key")


def answers(right: set[int], name: str = "odp.csv") -> Upload:
    rows = [f"q{n},{f'odpowiedź {n:03} krótka' if n in right else 'qqqq'}" for n in range(N)]
    return Upload(name, ("id,answer\n" + "\n".join(rows)).encode())


def rankings(ranks: dict[int, int], name: str = "run.tsv") -> Upload:
    """Ten passages each, the gold one at the rank that is given."""
    rows = []
    for n in range(N):
        found = [f"p{n}" if rank == ranks.get(n) else f"x{n}-{rank}" for rank in range(1, 11)]
        rows += [f"q{n}\t{passage}\t{20 - rank}" for rank, passage in enumerate(found, 1)]
    return Upload(name, ("qid\tpid\tscore\n" + "\n".join(rows)).encode())


def scored_doors(scored: Scored) -> list[str]:
    """Everything that any door writes of a score, in both languages."""
    report = scored.report
    found = [repr(scored)]
    for lang in LANGUAGES:
        found.append(json.dumps(scored.json(lang), ensure_ascii=False))
        if report:
            known = report, scored.problems, analyse(report), lang
            found += [report_html(*known), report_markdown(*known), report_latex(*known)]
    return found


def compared_doors(found: Compared) -> list[str]:
    # The visitor's own rankings are no secret, the gold's part in them would be.
    return [repr(found.comparisons), *(json.dumps(found.json(lang), ensure_ascii=False) for lang in LANGUAGES)]


def test_a_sealed_gold_shows_ids_alone() -> None:
    assert SECRET.secret
    assert not OPEN.secret
    assert [question.id for question in SECRET.questions] == [question.id for question in OPEN.questions]
    assert all(question == Question(question.id, "") for question in SECRET.questions)
    assert (SECRET.split, SECRET.judgements, dict(SECRET.splits), SECRET.remarks) == ("", (), {}, ())
    assert MARK not in repr(SECRET)
    assert MARK not in repr(asdict(SECRET))
    assert copy.deepcopy(SECRET).sealed is SECRET.sealed
    with pytest.raises(TypeError):
        pickle.dumps(SECRET)


def test_a_secret_gold_answers_no_live_question() -> None:
    question = OPEN.questions[0]
    assert GoldQuestions([OPEN]).check(question.text, question.answers[0], []) is not None
    assert GoldQuestions([SECRET]).check(question.text, question.answers[0], []) is None
    assert GoldQuestions([SECRET]).check("", question.answers[0], []) is None


@settings(max_examples=25, deadline=None)
@given(st.sets(st.integers(0, N - 1)), st.dictionaries(st.integers(0, N - 1), st.integers(1, 10)))
def test_totals_are_those_of_the_open_gold(right: set[int], ranks: dict[int, int]) -> None:
    files = answers(right), rankings(ranks)
    hidden, shown = score_uploads(SECRET, *files).report, score_uploads(OPEN, *files).report
    assert hidden is not None
    assert shown is not None
    assert hidden.answers == shown.answers
    assert hidden.rankings is not None
    assert shown.rankings is not None
    assert hidden.rankings.shares == shown.rankings.shares
    assert hidden.rankings.accuracy_all_questions == shown.rankings.accuracy_all_questions
    rounded = {name: round(mean.value, 4) for name, mean in shown.rankings.means.items()}
    assert {name: mean.value for name, mean in hidden.rankings.means.items()} == rounded
    assert hidden.rankings.ties.questions == 0
    assert (hidden.items, hidden.rankings.items, hidden.secret) == ((), (), True)


def moved(chosen: dict[int, int], to: list[int]) -> dict[int, int]:
    return {to[n]: rank for n, rank in chosen.items()}


@settings(max_examples=20, deadline=None)
@given(
    st.dictionaries(st.integers(0, N - 1), st.integers(1, 10)),
    st.dictionaries(st.integers(0, N - 1), st.integers(1, 10)),
    st.permutations(list(range(N))),
)
def test_which_questions_are_right_changes_nothing_that_leaves(
    first: dict[int, int], second: dict[int, int], to: list[int]
) -> None:
    """The same verdicts on other questions: byte for byte the same from every door, so none tells which they were."""
    here = score_uploads(SECRET, answers(set(first)), rankings(first))
    there = score_uploads(SECRET, answers({to[n] for n in first}), rankings(moved(first, to)))
    # Means are sums in the order of the questions.
    assert [rounded(text) for text in scored_doors(here)] == [rounded(text) for text in scored_doors(there)]

    for make in (lambda chosen, name: answers(set(chosen), name), rankings):
        one = compare_uploads(SECRET, [make(first, "a.tsv"), make(second, "b.tsv")], draws=50)
        other = compare_uploads(SECRET, [make(moved(first, to), "a.tsv"), make(moved(second, to), "b.tsv")], draws=50)
        assert one.comparisons
        assert [rounded(text) for text in compared_doors(one)] == [rounded(text) for text in compared_doors(other)]


def rounded(text: str) -> str:
    """A text whose long decimals are cut before their last digits."""
    return re.sub(r"(\d\.\d{9})\d+", r"\1", text)


def test_the_open_gold_does_tell_which() -> None:
    """The test above can fail: without the seal the same doors differ."""
    here, there = dict.fromkeys((0, 1, 2, 3), 1), dict.fromkeys((1, 3, 5, 7), 1)
    one, other = (score_uploads(OPEN, answers(set(right)), rankings(right)) for right in (here, there))
    # Markdown and LaTeX show neither items nor slices as small as these.
    assert sum(a != b for a, b in zip(scored_doors(one), scored_doors(other), strict=True)) >= 5
    assert any(MARK in text for text in scored_doors(one))
    pair = [
        compared_doors(compare_uploads(OPEN, [answers(set(right), "a.csv"), answers({20}, "b.csv")], draws=50))
        for right in (here, there)
    ]
    assert pair[0] != pair[1]


def odd_files() -> list[Upload]:
    """Files that make the readers talk."""
    lines = [f"odpowiedź {n:03} krótka" for n in range(N)]
    texts = {
        "gold.csv": "id,answer\n" + "\n".join(f"q{n},odpowiedź {n:03} krótka" for n in range(N)),
        "shifted.txt": "\n".join([lines[-1], *lines[:-1]]),
        "short.txt": "\n".join(lines[:5]),
        "strangers.csv": "id,answer\nz1,a\nz2,b\n",
        "twice.csv": "id,answer\nq1,a\nq1,b\n",
        "part.csv": "id,answer\nq1,odpowiedź 001 krótka\nq2,\nz9,x\n",
        "lists.jsonl": "\n".join(json.dumps({"id": f"q{n}", "answer": [lines[n], "x"]}) for n in range(N)),
        "ties.tsv": "qid\tpid\tscore\n" + "\n".join(f"q{n}\t{p}\t1" for n in range(N) for p in (f"p{n}", "x", "y")),
        "bad.tsv": "qid\tpid\tscore\nq1\tp1\tabc\n",
        "wide.tsv": "\n".join(f"q{n}\tp{n}\tx\ty" for n in range(N)),
        "no-ids.jsonl": json.dumps({"question": "Kto?", "ctxs": [{"id": "p1", "score": 1}]}),
        "broken.json": "{",
        "empty.csv": "",
    }
    return [Upload(name, text.encode()) for name, text in texts.items()]


@pytest.mark.parametrize("upload", odd_files(), ids=lambda upload: upload.name)
@pytest.mark.parametrize("rule", ["poleval", "card"])
def test_no_mark_leaves_by_any_door(upload: Upload, rule: str) -> None:
    both: list[tuple[Upload | None, Upload | None]] = [(upload, None), (None, upload), (upload, rankings({1: 1}))]
    for as_answers, as_rankings in both:
        scored = score_uploads(SECRET, as_answers, as_rankings, rule, in_corpus=lambda _: False)
        for text in scored_doors(scored):
            assert MARK not in text
        codes = {problem.code for problem in scored.problems}
        assert not codes & {"gold-lookalike", "shifted-lines", "gold-split", "gold-unjudged", "gold-variants"}
    for other in (answers({1, 2}, "b.csv"), rankings({1: 1}, "b.tsv")):
        for text in compared_doors(compare_uploads(SECRET, [upload, other, other], rule, draws=20)):
            assert MARK not in text


def test_texts_of_passages_attribute_nothing_against_a_secret_gold() -> None:
    def text_of(passage: str) -> str:
        return f"{passage} odpowiedź 001 krótka"

    answered, ranked = answers({1}), rankings({1: 1})
    assert score_uploads(OPEN, answered, ranked, answers_from_gold=answered, text_of=text_of).json()["attribution"]
    scored = score_uploads(SECRET, answered, ranked, answers_from_gold=answered, text_of=text_of)
    assert scored.report is not None
    assert (scored.report.attribution, scored.report.beside) == (None, None)
    assert scored.json()["answers_from_gold"]["fuzzy_match"]["correct"] == 1
    assert not {"items", "attribution", "reader_beside", "slices", "audit", "uncertainty"} & scored.json().keys()
    assert scored.json()["secret"] is True


def test_items_of_a_secret_gold_are_refused_by_name() -> None:
    report = score_uploads(SECRET, answers({1})).report
    assert report is not None
    with pytest.raises(UserError, match="secret"):
        items_csv(report)


def test_reports_say_that_the_gold_is_secret_and_hold_the_scores() -> None:
    scored = score_uploads(SECRET, answers({1, 2, 3}), rankings({1: 1, 2: 4}))
    assert scored.report is not None
    for write in (report_html, report_markdown, report_latex):
        text = write(scored.report, scored.problems, None, "pl")
        assert "Ten złoty zbiór jest tajny" in text
        assert "MRR" in text
        assert "12,50" in text


def test_a_signature_lets_no_guess_be_checked() -> None:
    """Equal keys and golds give equal signatures; without the key a guess of the whole gold gives another one."""

    def said(gold: GoldSet) -> str:
        report = score_uploads(gold, answers({1})).report
        assert report is not None
        return report.signature

    assert said(SECRET) == said(seal(OPEN, b"key"))
    others = [said(seal(OPEN, b"other")), said(seal(marked(N - 1), b"key")), said(OPEN)]
    assert len({said(SECRET), *others}) == 4
    checksums = {name.split("@")[1].split("|")[0] for name in (said(SECRET), said(OPEN))}
    assert len(checksums) == 2


def write_gold(path: Path, gold: GoldSet = OPEN) -> Path:
    rows: list[dict[str, Any]] = [
        {
            "question_id": question.id,
            "question": question.text,
            "answers": list(question.answers),
            "passage_ids": [item.passage_id for item in gold.judgements if item.question_id == question.id],
            **question.labels,
        }
        for question in gold.questions
    ]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def test_the_operators_files_are_listed_beside_the_others(tmp_path: Path) -> None:
    shown, hidden = write_gold(tmp_path / "jawny.jsonl"), write_gold(tmp_path / "final.v2.jsonl")
    golds = GoldSets(load_settings(gold=(shown,), hidden_gold=(hidden,)))
    assert golds.names()[0] == DEFAULT_GOLD
    assert golds.names()[-2:] == ["organisers/jawny", "organisers/final"]
    assert golds.load("organisers/jawny").questions[0].answers == OPEN.questions[0].answers
    assert not golds.load("organisers/jawny").secret
    assert golds.load("organisers/final").secret
    assert MARK not in repr(golds.load("organisers/final"))
    assert not golds.load(DEFAULT_GOLD).secret
    with pytest.raises(UserError, match="organisers/final"):
        golds.load("organisers/nie-ma")


def test_files_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [write_gold(tmp_path / f"{name}.jsonl") for name in "ab"]
    monkeypatch.setenv("POLQA_HIDDEN_GOLD", os.pathsep.join(map(str, files)))
    monkeypatch.setenv("POLQA_HIDDEN_KEY", "tajne")
    knobs = load_settings()
    assert knobs.hidden_gold == tuple(files)
    assert "tajne" not in repr(knobs)
    golds, again = GoldSets(knobs), GoldSets(knobs)
    assert golds.names()[-2:] == ["organisers/a", "organisers/b"]
    sealed, sealed_again = (found.load("organisers/a").sealed for found in (golds, again))
    assert sealed is not None
    assert sealed_again is not None
    assert sealed.checksum == sealed_again.checksum
    without = GoldSets(load_settings(hidden_key=None)).load("organisers/a").sealed
    assert without is not None
    assert without.checksum != sealed.checksum


def test_two_files_of_one_name_are_refused_and_so_is_a_secret_one_that_is_shown(tmp_path: Path) -> None:
    file = write_gold(tmp_path / "a.jsonl")
    with pytest.raises(UserError, match="organisers/a"):
        GoldSets(load_settings(gold=(file,), hidden_gold=(file,)))


@pytest.mark.parametrize(
    "content",
    [
        f'{{"question_id": "1", "answers": ["{MARK}"]}}\n{MARK} zepsute\n',
        f"question_id,{MARK}\n1,a\n",
        f"question_id,passage_id,relevant\n1,{MARK},{MARK}\n",
        f"{MARK}".encode("utf-16-le").decode("latin-1") * 3 + "\x00",
        "",
    ],
)
def test_what_is_wrong_with_a_secret_file_does_not_quote_it(tmp_path: Path, content: str) -> None:
    file = tmp_path / "final.jsonl"
    file.write_text(content, encoding="utf-8")
    try:
        GoldSets(load_settings(hidden_gold=(file,)))
    except UserError as error:
        said = f"{error.message}{error!r}{error.__cause__}{error.__context__}"
        assert MARK not in said
        assert "final.jsonl" in said
    else:
        pytest.fail("a broken file was taken for gold")


def test_a_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    for name in ("gold", "hidden_gold"):
        with pytest.raises(UserError, match=r"nope\.jsonl"):
            GoldSets(load_settings(**{name: (tmp_path / "nope.jsonl",)}))


def test_splits_count_for_the_sources_but_are_not_shown() -> None:
    """In validation and test a retriever's proposal is no gold passage; a sealed gold must not forget its split."""
    judgements = (Judgement("q1", "p1", grade=1, source="human"), Judgement("q2", "p2", 1, "hard"))
    for split, n in (("test", 1), ("train", 2)):
        gold = GoldSet("organisers/x", split, (Question("q1", ""), Question("q2", "")), judgements)
        report = score_uploads(seal(gold, b"k"), rankings=Upload("r.tsv", b"q1\tp1\nq2\tp2\n")).report
        assert report is not None
        assert report.rankings is not None
        assert report.rankings.n == n
        assert report.gold == "organisers/x"
