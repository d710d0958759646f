"""The embedded data set, `polqa-demo-sample`: PolQA's layout, written for this project (CC BY-SA 4.0)."""

from pathlib import Path

from polqa_demo.data.polqa import PASSAGES_FILE

NAME = "polqa-demo-sample"
SPLITS = ("train", "valid", "test")
FOLDER = Path(__file__).parent


def passages_file() -> Path:
    """The corpus, JSONL as PolQA's."""
    return FOLDER / PASSAGES_FILE


def predictions_file(name: str) -> Path:
    """One of the ready files of predictions to try."""
    return FOLDER / "predictions" / name
