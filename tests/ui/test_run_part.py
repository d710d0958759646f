"""What the part "Uruchom na zbiorze" offers, tells, and puts onto the page."""

from dataclasses import replace
from pathlib import Path

import pytest

from polqa_demo.data.sample import passages_file, predictions_file
from polqa_demo.records import GoldSet
from polqa_demo.runs.splits import Step, stages
from polqa_demo.scoring import Upload
from polqa_demo.settings import load_settings
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.table import Overrides
from polqa_demo.ui.recognition import ReadAs
from polqa_demo.ui.run_part import Pace, Wanted, Working, progress_html, runnable
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import Submission, is_same

GOLD = "polqa-demo-sample/test"


def test_gold_that_is_secret_or_about_another_corpus_is_not_offered(tmp_path: Path) -> None:
    own = tmp_path / "wlasny.csv"
    own.write_text("question_id,question,answers,passage_id\n1,Kto?,['Ja'],1001-0\n", encoding="utf-8")
    foreign = tmp_path / "obcy.csv"
    foreign.write_text("question_id,question,answers,passage_id\n1,Kto?,['Ja'],obcy-1\n", encoding="utf-8")
    secret = tmp_path / "tajny.csv"
    secret.write_text(own.read_text(encoding="utf-8"), encoding="utf-8")
    service = Service(load_settings(cache_dir=tmp_path, gold=(own, foreign), hidden_gold=(secret,)))
    names = runnable(service)
    assert next(name for name in names if name.startswith("polqa-demo-sample")) == GOLD
    assert names[GOLD] == "polqa-demo-sample · test · n = 136"
    assert [name for name in names if name.startswith("organisers")] == ["organisers/wlasny"]
    elsewhere = Service(load_settings(cache_dir=tmp_path, corpus=(passages_file(),), gold=(own,)))
    assert [name for name in runnable(elsewhere) if name.startswith("polqa-demo-sample")] == []


def test_a_gold_belongs_to_the_corpus_that_holds_its_passages(tmp_path: Path) -> None:
    corpus = tmp_path / "korpus.jsonl"
    corpus.write_text('{"id": "1-0", "title": "Indie", "text": "Bombaj leży w Indiach."}\n', encoding="utf-8")
    service = Service(load_settings(cache_dir=tmp_path, corpus=(corpus,)))

    def gold(passage_id: str, name: str = "dowolny.csv") -> GoldSet:
        rows = f"question_id,question,answers,passage_id\n1,Kto?,['Ja'],{passage_id}\n"
        return read_gold(rows.encode(), name)

    assert service.belongs(gold("1-0"))
    assert service.text_of(gold("1-0")) is not None
    assert not service.belongs(gold("1-1"))
    assert service.in_corpus(gold("1-1")) is None
    assert not service.belongs(replace(gold("1-0"), name="polqa-demo-sample"))
    # The sample's ids are too plain for a visitor's gold to be about it.
    assert not Service(load_settings(cache_dir=tmp_path)).belongs(gold("1001-0"))


def test_progress_in_words() -> None:
    pace, names = Pace(), ("rankings", "answers", "answers-from-gold")
    assert pace.minutes_left(Step("answers", 10, 100), 50.0) is None
    assert pace.minutes_left(Step("answers", 12, 100), 60.0) is None
    # Three questions in half a minute: what an earlier run had done does not count.
    left = pace.minutes_left(Step("answers", 13, 100), 80.0)
    assert left == pytest.approx(87 * 10 / 60)
    told = progress_html(Step("answers", 13, 100), names, left, "pl")
    assert "Etap 2 z 3: czytanie znalezionych fragmentów · pytania: 13 z 100 · do końca etapu około 14 min" in told
    assert "less than a minute" in progress_html(Step("answers", 99, 100), names, 0.2, "en")
    assert pace.minutes_left(Step("answers", 100, 100), 90.0) is None
    assert pace.minutes_left(Step("answers-from-gold", 3, 100), 91.0) is None


def test_a_run_is_listed_while_it_is_computed() -> None:
    working, one = Working(), Wanted(GOLD, "lexical", "rules")
    with working.on(one, ("visitor", 1)):
        assert one in working
        assert Wanted(GOLD, "lexical", "spans") not in working
        assert working
    with pytest.raises(KeyError), working.on(one, ("visitor", 2)):
        raise KeyError
    assert not working


def test_a_run_that_was_asked_to_stop_keeps_nobody_waiting() -> None:
    working, one = Working(), Wanted(GOLD, "lexical", "rules")
    with working.on(one, ("visitor", 1)):
        working.stop(("visitor", 2))
        working.stop(("other", 1))
        assert one in working
        working.stop(("visitor", 1))
        assert working.is_stopped(("visitor", 1))
        assert one not in working
    with working.on(one, ("visitor", 1)):
        assert not working.is_stopped(("visitor", 1))
    # One that has not begun yet is stopped as well.
    with working.on(one, ("visitor", 2)):
        assert working.is_stopped(("visitor", 2))


def test_a_score_stays_beside_its_own_files_alone(tmp_path: Path) -> None:
    service = Service(load_settings(cache_dir=tmp_path))
    answers, rankings = predictions_file("answers-good.jsonl"), predictions_file("rankings-good.tsv")
    given = Submission(
        service.gold(GOLD), (Upload(answers.name, path=answers),), (Upload(rankings.name, path=rankings),)
    )
    copies = [tmp_path / rankings.name, tmp_path / answers.name]
    for copy, source in zip(copies, (rankings, answers), strict=True):
        copy.write_bytes(source.read_bytes())
    paths = [str(copy) for copy in copies]
    same = ReadAs()

    def is_kept(gold: str = GOLD, known: ReadAs = same, on_gold: str | None = None) -> bool:
        return is_same(service, given, gold, paths, known, on_gold)

    assert is_kept()
    assert not is_kept(gold="polqa-demo-sample/valid")
    assert not is_kept(gold="own-file")
    assert not is_kept(known=ReadAs(Overrides(encoding="cp1250")))
    assert not is_kept(on_gold=str(answers))
    assert not is_same(service, given, GOLD, paths[:1], same, None)
    # One byte, of the same length.
    copies[1].write_bytes(answers.read_bytes()[:-2] + b" \n")
    assert not is_kept()
    copies[1].unlink()
    assert not is_kept()


def test_stages_are_named_in_the_interface(tmp_path: Path) -> None:
    service = Service(load_settings(cache_dir=tmp_path))
    names = stages(service.gold(GOLD))
    for lang in ("pl", "en"):
        lines = {progress_html(Step(stage, 0, 1), names, None, lang) for stage in names}
        assert len(lines) == len(names)
