"""What is dropped into the Evaluate tab is scored with the passages of the app's corpus where they belong together."""

from pathlib import Path

from polqa_demo.data.sample import predictions_file
from polqa_demo.records import GoldSet
from polqa_demo.scoring import PARSER, Upload
from polqa_demo.settings import load_settings
from polqa_demo.ui.service import Service
from polqa_demo.ui.submission import Submission, score_submission


def test_the_corpus_says_whose_fault_errors_are(tmp_path: Path) -> None:
    service = Service(load_settings(cache_dir=tmp_path))
    answers, rankings = (
        (Upload(name, path=predictions_file(name)),) for name in ("answers-good.jsonl", "rankings-good.tsv")
    )
    report = score_submission(service, Submission(service.gold(), answers, rankings), PARSER).report
    assert report is not None
    assert report.attribution is not None
    assert report.attribution.unread == 0
    assert report.attribution.counts["sound"] > 0
    # Ids of another gold may mean other passages.
    assert service.text_of(GoldSet("inny", "", ())) is None
    texts = service.text_of(service.gold())
    assert texts is not None
    assert texts("nie-ma") is None
