"""One app for all tests of this folder, and a second one with a small upload limit for the hostile ones."""

from collections.abc import Iterator

import pytest
from gradio_client import Client
from running_app import RunningApp, running


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The app on the embedded sample. At the end of the session its log must hold no traceback."""
    with running(tmp_path_factory.mktemp("app")) as started:
        yield started
        assert "Traceback" not in started.printed(), started.printed()


@pytest.fixture(scope="session")
def small_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """An app that takes uploads up to 1 MB, texts up to 6. Tracebacks that Gradio logs itself are allowed here."""
    with running(tmp_path_factory.mktemp("small"), POLQA_MAX_UPLOAD_MB="1", POLQA_MAX_TEXT_MB="6") as started:
        yield started


@pytest.fixture(scope="session")
def client(app: RunningApp) -> Iterator[Client]:
    connected = Client(app.url, verbose=False)
    yield connected
    connected.close()
