"""What visitors share: nobody waits for another's model, and what needs no model opens none. By the order of events."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from polqa_demo.assembly import Workshop
from polqa_demo.data.sample import predictions_file
from polqa_demo.errors import UserError
from polqa_demo.settings import load_settings
from polqa_demo.submissions.table import Overrides
from polqa_demo.ui import attribution_part, comparison_part, items
from polqa_demo.ui.recognition import ReadAs
from polqa_demo.ui.result import Result
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import open_submission, score_submission

QUESTION = "Ile pełnych tygodni ma rok?"
# A test that waits longer hangs.
HANGS = 60


def result_of(service: Service) -> Result:
    """The embedded predictions, scored as a visitor's."""
    names = ["answers-good.jsonl", "rankings-good.tsv", "rankings-weak.tsv"]
    files = [str(predictions_file(name)) for name in names]
    with service.parser() as parser:
        given = open_submission(service, "polqa-demo-sample/test", None, files, ReadAs(Overrides()), parser=parser)
        scored = score_submission(service, given, parser)
    assert scored.report is not None
    return Result(scored, scored.report, given)


def test_nobody_waits_for_the_reader_that_another_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    knobs = load_settings(
        retriever="lexical", reader="rules", chat_url="http://127.0.0.1:1/v1", chat_model="m", cache_dir=tmp_path
    )
    service = Service(knobs)
    service.pipeline()
    began, ends = Event(), Event()
    opens = Workshop._open_reader

    def slow(workshop: Workshop, name: str, model: str) -> object:
        if name == "chat":
            began.set()
            assert ends.wait(HANGS)
        return opens(workshop, name, model)

    monkeypatch.setattr(Workshop, "_open_reader", slow)
    with ThreadPoolExecutor() as pool:
        loading = pool.submit(service.pipeline, reader="chat")
        assert began.wait(HANGS)
        others = [
            pool.submit(lambda: service.pipeline().ask(QUESTION).hits),
            pool.submit(service.gold_questions),
            # Not opened yet, of the same corpus.
            pool.submit(lambda: service.pipeline("lexical", "rules").rank(QUESTION)),
            pool.submit(lambda: service.corpus.passages),
        ]
        for other in others:
            assert other.result(HANGS)
        assert not loading.done()
        ends.set()
        assert loading.result(HANGS).origin.choice.reader == "chat"


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Service]:
    """A service whose operator has named a reader that cannot be opened."""
    service = Service(load_settings(retriever="lexical", reader="seq2seq", cache_dir=tmp_path))
    with pytest.raises(UserError):
        service.pipeline()
    yield service
    service.close()


def test_a_reader_that_cannot_be_opened_breaks_no_evaluation(broken: Service) -> None:
    result = result_of(broken)
    question_id = result.report.items[0].question.id
    assert question_id in comparison_part._side(broken, result, question_id, "pl")
    assert attribution_part._pool(broken, result)
    shelf = items._shelf(broken, result)
    assert shelf is not None
    passage_id = result.report.rankings.items[0].top[0]
    assert shelf.passage(passage_id) is not None


def test_an_evaluation_loads_no_model(tmp_path: Path) -> None:
    code = """
import sys
from tests.ui.test_service import result_of
from polqa_demo.settings import load_settings
from polqa_demo.ui import attribution_part, comparison_part, items
from polqa_demo.ui.service import Service
service = Service(load_settings())
result = result_of(service)
first = result.report.items[0].question.id
assert "<" in items._detail(service, result, first, "pl")[0]
comparison_part._side(service, result, first, "pl"), attribution_part._pool(service, result)
service.close()
print(*sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert not {"torch", "transformers", "sentence_transformers"} & set(run.stdout.split())
