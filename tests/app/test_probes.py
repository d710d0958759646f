"""What a hostile visitor tries: foreign files, foreign addresses, too much, and details of the inside."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from gradio_client import Client
from running_app import ROOT, RunningApp

from polqa_demo.data.catalogue import DEFAULT_GOLD
from polqa_demo.ui.recognition import defaults

MEGABYTE = 1 << 20
FOREIGN_FILES = [
    "/etc/passwd",
    "/proc/self/environ",
    "file:///etc/passwd",
    "http://127.0.0.1:1/x",
    "http://169.254.169.254/latest/meta-data",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    "app.py",
    "pyproject.toml",
    str(ROOT / "app.py"),
    str(ROOT / "polqa_demo" / "settings.py"),
]


@pytest.mark.parametrize("path", FOREIGN_FILES)
def test_the_file_route_hands_out_nothing_foreign(app: RunningApp, path: str) -> None:
    assert httpx.get(f"{app.url}/gradio_api/file={path}").status_code == 403


@pytest.mark.parametrize("path", ["/static//etc/passwd", "/assets/..%2fapp.py", "/gradio_api/file=../../etc/passwd"])
def test_no_other_route_hands_out_files(app: RunningApp, path: str) -> None:
    assert httpx.get(app.url + path).status_code in (403, 404)


def test_routes_that_are_off(app: RunningApp) -> None:
    assert httpx.get(f"{app.url}/gradio_api/proxy=http://127.0.0.1:1/").status_code == 400
    assert httpx.get(f"{app.url}/monitoring").status_code == 403
    for path in ("/docs", "/redoc", "/gradio_api/monitoring"):
        assert httpx.get(app.url + path).status_code == 404


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example"])
def test_no_other_site_may_read_answers(app: RunningApp, origin: str) -> None:
    for path in ("/config", "/gradio_api/info"):
        assert "access-control-allow-origin" not in httpx.get(app.url + path, headers={"Origin": origin}).headers


def test_the_page_asks_nothing_of_other_hosts(app: RunningApp) -> None:
    """Telemetry, share links, run history and server-side rendering are off."""
    config = httpx.get(f"{app.url}/config").json()
    assert config["analytics_enabled"] is False
    assert config["title"] == "PolQA demo"
    assert not config.get("run_history")
    assert "gradio.live" not in app.printed()


def dependency(app: RunningApp, name: str) -> dict[str, Any]:
    """An event handler of the page, found by its function's name."""
    found = httpx.get(f"{app.url}/config").json()["dependencies"]
    return next(entry for entry in found if entry["api_name"] == name)


def fire(app: RunningApp, name: str, data: list[object], query: str = "", session: str = "") -> dict[str, Any]:
    """What the page would get for an event, sent by hand: the message of its end."""
    session = session or f"probe{abs(hash((name, str(data), query)))}"
    body = {"fn_index": dependency(app, name)["id"], "data": data, "session_hash": session}
    sent = httpx.post(f"{app.url}/gradio_api/queue/join{query}", json=body)
    assert sent.status_code == 200, sent.text
    with httpx.stream("GET", f"{app.url}/gradio_api/queue/data?session_hash={session}", timeout=60) as stream:
        for line in stream.iter_lines():
            message = json.loads(line.removeprefix("data:") or "{}")
            if message.get("msg") == "process_completed":
                return dict(message)
    raise AssertionError("the event did not end")


def evaluation(gold: object = DEFAULT_GOLD, own: object = None, files: object = None) -> list[object]:
    """The values of the boxes of the Evaluate tab."""
    return [gold, own, files, None, False, *defaults(), "en"]


def asked(app: RunningApp, question: object, *parts: object, language: str = "pl") -> dict[str, Any]:
    """What the page gets for a question: it is taken up first, then answered."""
    session = f"asking{abs(hash((question, parts, language)))}"
    taken = fire(app, "send", [question, language], session=session)
    return fire(app, "answer", [taken["output"]["data"][0], *parts, language], session=session)


@pytest.mark.parametrize(
    "file",
    [
        {"path": "/etc/passwd"},
        {"path": str(ROOT / "app.py")},
        {"path": "http://127.0.0.1:1/x", "url": "http://127.0.0.1:1/x"},
        {"path": "http://169.254.169.254/x", "url": "http://169.254.169.254/x"},
    ],
)
@pytest.mark.parametrize("place", [1, 2])
def test_handlers_take_no_path_and_no_address(small_app: RunningApp, file: dict[str, str], place: int) -> None:
    whole = {**file, "meta": {"_type": "gradio.FileData"}}
    data = evaluation("own-file", whole, []) if place == 1 else evaluation("own-file", None, [whole])
    ended = fire(small_app, "evaluate", data)
    assert ended["success"] is False
    assert ended["output"] == {"error": None}


def test_a_path_as_text_is_no_file(small_app: RunningApp) -> None:
    ended = fire(small_app, "evaluate", evaluation(DEFAULT_GOLD, "/etc/passwd", ["/etc/passwd"]))
    assert "root:" not in json.dumps(ended)
    assert ended["success"] is False


def test_an_unexpected_failure_tells_no_detail(small_app: RunningApp) -> None:
    ended = fire(small_app, "evaluate", evaluation(files=5))
    assert ended["output"] == {"error": None}
    # It is in the log instead, where the operator looks.
    assert "Traceback" in small_app.printed()


@pytest.mark.parametrize("paths", [None, 5, [], {}, "null", "[null]", "["])
def test_events_sent_by_hand_with_odd_values_leave_no_traceback(app: RunningApp, paths: object) -> None:
    before = len(app.printed())
    shown = fire(app, "evaluate", evaluation(None, None, []), session=f"odd{paths}")
    assert DEFAULT_GOLD in shown["output"]["data"][0]
    assert fire(app, "_tell_files", [paths, "pl"])["success"]
    assert app.printed()[before:] == ""


def test_handlers_of_the_page_check_their_arguments_too(small_app: RunningApp) -> None:
    for count in (0, 10**6):
        ended = asked(small_app, "Kto?", "lexical", "rules", count, False)
        assert ended["success"] is False or "pq-problems" in ended["output"]["data"][0]
    for names in (("nope", "rules"), ("lexical", "../../etc/passwd")):
        ended = asked(small_app, "Kto?", *names, 10, False)
        assert ended["success"] is False or "pq-problems" in ended["output"]["data"][0]


def test_texts_of_others_come_escaped(app: RunningApp) -> None:
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>" + "ż" * 2000
    for language in ("pl", "en", "<b>"):
        shown = asked(app, hostile, "lexical", "rules", 10, False, language=language)["output"]["data"]
        assert "pq-answer" in shown[0]
        assert "<img" not in "".join(shown)
        assert "<script" not in "".join(shown)


def upload(app: RunningApp, size: int, name: str = "pred.csv") -> httpx.Response:
    return httpx.post(f"{app.url}/gradio_api/upload", files={"files": (name, b"x" * size)}, timeout=120)


def test_uploads_up_to_the_limit(small_app: RunningApp) -> None:
    assert upload(small_app, MEGABYTE - 1).status_code == 200
    assert upload(small_app, MEGABYTE + 1).status_code == 413
    assert upload(small_app, 5 * MEGABYTE).status_code == 413


def test_an_uploads_name_stays_below_the_upload_folder(small_app: RunningApp) -> None:
    for name in ("../../evil.csv", "/etc/cron.d/evil", "..\\..\\evil.csv"):
        stored = upload(small_app, 3, name).json()[0]
        assert ".." not in Path(stored).parts
        assert Path(stored).is_relative_to(small_app.log.parent / "uploads")


def test_an_uploaded_page_is_no_page(small_app: RunningApp) -> None:
    content = b"<script>alert(1)</script>"
    stored = httpx.post(f"{small_app.url}/gradio_api/upload", files={"files": ("x.html", content)}).json()[0]
    back = httpx.get(f"{small_app.url}/gradio_api/file={stored}")
    assert back.headers["content-disposition"].startswith("attachment")
    assert "text/html" not in back.headers["content-type"]


def test_predictions_as_text_have_the_same_limit(small_app: RunningApp) -> None:
    with_limit = Client(small_app.url, verbose=False)
    assert with_limit.predict("x" * (MEGABYTE - 1), api_name="/score")["problems"]
    with pytest.raises(Exception, match=r"at most 1048576 are allowed.*najwyżej 1048576"):
        with_limit.predict("ż" * (MEGABYTE // 2 + 1), api_name="/score")
    with_limit.close()


def test_the_address_opens_known_tabs_only(app: RunningApp) -> None:
    def tab(query: str) -> Any:
        return fire(app, "restore", ["pl", ""], query)["output"]["data"][0]

    assert tab("?tab=evaluate")["selected"] == "evaluate"
    assert tab("?tab=ask")["selected"] == "ask"
    for other in ("", "?tab=", "?tab=nope", "?tab=<script>", "?tab[]=ask"):
        assert "selected" not in tab(other)


def test_a_question_in_the_address_is_cut(app: RunningApp) -> None:
    *_, question, taken = fire(app, "restore", ["pl", ""], "?q=" + "a" * 5000)["output"]["data"]
    assert question == taken == "a" * 2000
    assert fire(app, "restore", ["pl", ""], "?q=%00%01%20")["success"]
